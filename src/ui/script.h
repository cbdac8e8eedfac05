/*
 * A script drives the viewer on a stage (term/headless.h) in place of a person: one step
 * a line, blank lines and lines that begin with # are nothing.
 *
 *   keys TEXT         types: characters as they are, and <tab> <enter> <c-x> <pgdn> ...
 *   : COMMAND         runs a command, as typed at the prompt
 *   size 120x40       another size; as the first step the size at the beginning (80x24)
 *   expect TEXT       TEXT stands in some row of the screen
 *   expect-not TEXT   ... in none
 *   screen [FILE]     prints the screen as text
 *   styles [FILE]     ... with a letter for each cell that says its style
 *   copied [FILE]     prints what was copied last
 *   quit              leaves, as the end of the script does
 *
 * Each step begins when all is done that was asked for before.  The script ends at the
 * first step that fails.
 */
#ifndef CATENA_UI_SCRIPT_H
#define CATENA_UI_SCRIPT_H

#include "base/err.h"
#include "term/headless.h"

struct script;

/* Reads a file, "-": standard input.  NULL with err, by line and column. */
struct script *script_open(const char *path, struct err *err);
/* The same of a text; `name` is for errors. */
struct script *script_new(const char *name, struct str text, struct err *err);
void script_free(struct script *s);

/* What to open the terminal with.  The script must outlive it. */
struct headless script_stage(struct script *s);

/*
 * When the viewer has ended: 0; 1 with err when a step failed, or was never come to; 2
 * when something could not be written.
 */
int script_end(struct script *s, struct err *err);

#endif
