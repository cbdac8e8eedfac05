/*
 * A script drives the viewer on a stage (term/headless) in place of a person:
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
#include "term/term.h"
#include "ui/core/layout.h"

struct script;

/* Reads a file, "-": standard input.  NULL with err, by line and column. */
struct script *script_open(const char *path, struct err *err);
/* Reads a text; `name` is for errors. */
struct script *script_new(const char *name, struct str text, struct err *err);
void script_free(struct script *s);

/* What to open the terminal with.  The script must outlive it, the layout the script. */
struct headless script_stage(struct script *s, const struct layout *layout);
/* Another viewer has the screen now; nothing without a script. */
void script_look_at(struct script *s, const struct layout *layout);

/*
 * When the viewer has ended: 0; 1 with err when a step failed, or was never come to; 2
 * when something could not be written.
 */
int script_end(struct script *s, struct err *err);

/* ---- reading a script ---- */

/*
 * The language of scripts that drive the viewer: a step a line, blank lines and lines
 * that begin with # are nothing.  A line is [in REGION] VERB REST; the lines after some
 * verbs, up to one that is "end", are their text.  Who runs a script has a table of
 * verbs: ui/script.c those of --script, tests/screens more.
 *
 * A script is read as a whole, with its keys, before the first step: what is wrong with
 * it is said before anything is done.
 */

/* What a step looks at. */
enum script_region {
	REGION_ANY, /* none was named */
	REGION_SCREEN,
	REGION_BODY, /* all but header and footer */
	REGION_HEADER,
	REGION_FOOTER,
	REGION_LIST,
	REGION_INPUT,
	REGION_OUTPUT,
};

enum script_verb_flags {
	SCRIPT_LINES = 1 << 0, /* lines follow, up to "end" */
	SCRIPT_LOOKS = 1 << 1, /* at a region: may follow "in REGION" */
	SCRIPT_OTHER = 1 << 2, /* from here on: flags of who runs it */
};

struct script_text;

struct script_step {
	const struct script_verb *verb;
	struct str rest;       /* of the line, after the verb */
	struct str lines;      /* SCRIPT_LINES: with their ends */
	unsigned line, column; /* of `rest` */
	enum script_region region;
	size_t first, count;    /* of the script's events: script_read_keys */
	unsigned columns, rows; /* script_read_size */
};

struct script_verb {
	const char *name;
	/* Checks what stands after the verb; NULL: anything is right. */
	bool (*read)(struct script_text *text, struct script_step *step, struct err *err);
	bool (*run)(
		void *context, const struct script_step *step); /* false: it is over */
	unsigned flags;
};

struct script_text {
	char *name; /* for errors */
	struct buf text;
	const struct script_verb *verbs;
	size_t verb_count;
	struct script_step *steps;
	size_t count, cap;
	struct term_event *events;
	size_t event_count, event_cap;
};

/* The texts of steps lie in it.  False with err, by line and column. */
bool script_text_read(struct script_text *text, const char *name, struct str bytes,
	const struct script_verb *verbs, size_t verb_count, struct err *err);
void script_text_done(struct script_text *text);

/* What stands after a verb. */
bool script_read_keys(
	struct script_text *text, struct script_step *step, struct err *err);
bool script_read_command(
	struct script_text *text, struct script_step *step, struct err *err);
bool script_read_size(
	struct script_text *text, struct script_step *step, struct err *err);
bool script_read_words(
	struct script_text *text, struct script_step *step, struct err *err);
bool script_read_nothing(
	struct script_text *text, struct script_step *step, struct err *err);

/* Cuts the text up to the separator off the front; false at the end of the text. */
bool script_cut(struct str *rest, char separator, struct str *head);
/* Two numbers with a character between. */
bool script_pair(struct str text, char between, unsigned *a, unsigned *b);

/* Sets err at a place in the step's text; returns false. */
bool script_wrong(const struct script_text *text, const struct script_step *step,
	const char *at, struct err *err, const char *why);

extern const char *const script_region_names[]; /* by enum script_region */
/* Where a region is; 0 rows: it is not on the screen. */
struct rect script_region_area(enum script_region region, const struct layout *layout);

#endif
