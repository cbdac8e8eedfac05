/*
 * A script (ui/script_read.h has its language) drives the viewer on a stage
 * (term/headless.h) in place of a person:
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
 * After "in REGION" expect, expect-not, screen and styles look at a part of it only: body
 * (all but header and footer), header, footer, list, input or output.
 *
 * Each step begins when all is done that was asked for before.  The script ends at the
 * first step that fails.
 */
#ifndef CATENA_UI_SCRIPT_H
#define CATENA_UI_SCRIPT_H

#include "base/err.h"
#include "term/headless.h"
#include "ui/core/layout.h"

struct script;

/* Reads a file, "-": standard input.  NULL with err, by line and column. */
struct script *script_open(const char *path, struct err *err);
/* Reads a text; `name` is for errors. */
struct script *script_new(const char *name, struct str text, struct err *err);
void script_free(struct script *s);

/* What to open the terminal with.  The script must outlive it, the layout the script. */
struct headless script_stage(struct script *s, const struct layout *layout);
/* Another viewer has the screen now. */
void script_look_at(struct script *s, const struct layout *layout);

/*
 * When the viewer has ended: 0; 1 with err when a step failed, or was never come to; 2
 * when something could not be written.
 */
int script_end(struct script *s, struct err *err);

#endif
