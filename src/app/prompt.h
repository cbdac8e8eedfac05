/*
 * One line that is typed, in the place of the status line: a file name, for instance.
 * What is typed is shown through text/safe like everything else.
 */
#ifndef CATENA_APP_PROMPT_H
#define CATENA_APP_PROMPT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

struct app;

/* Texts that were given before, oldest first; none twice. */
struct prompt_history {
	struct buf *items;
	size_t count, cap;
};

/* Called with the text when Enter ends it, never when Esc does.  False: it is asked for
 * again, with what prompt_refuse said. */
typedef bool prompt_fn(struct app *app, struct str text);

struct prompt {
	const char *label; /* static; NULL: nobody is asked */
	struct buf text;   /* UTF-8 */
	size_t cursor;     /* bytes of it before the cursor */
	prompt_fn *done;
	const struct prompt_history *history; /* for Up and Down, or NULL */
	size_t recalled;   /* the one that is shown, or their count */
	struct buf typed;  /* what was there before one of them was */
	struct buf note;   /* what is wrong, until the next key; unsafe text */
};

void prompt_open(struct prompt *p, const char *label, struct str initial, prompt_fn *done);
/* The same with earlier texts, which outlive the question. */
void prompt_open_history(struct prompt *p, const char *label, prompt_fn *done,
	const struct prompt_history *history);
/* For a prompt_fn: what is wrong, and at which byte (beyond the end: nowhere). */
void prompt_refuse(struct prompt *p, uint64_t offset, const char *text);
void prompt_history_add(struct prompt_history *h, struct str text);
void prompt_history_done(struct prompt_history *h);
void prompt_key(struct app *app, struct prompt *p, uint32_t key);
/* Draws it on a row: a label, the text, and a cursor, which is always seen. */
void prompt_draw(const struct prompt *p, unsigned row, unsigned columns);
void prompt_done(struct prompt *p);

#endif
