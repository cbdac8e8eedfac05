/*
 * One line that is typed, in the place of the status line: a file name, for instance.
 * What is typed is shown through text/safe like everything else.
 */
#ifndef CATENA_APP_PROMPT_H
#define CATENA_APP_PROMPT_H

#include "base/buf.h"

#include <stdint.h>

struct app;

struct prompt {
	const char *label; /* static; NULL: nobody is asked */
	struct buf text;   /* UTF-8 */
	size_t cursor;     /* bytes of it before the cursor */
	/* Called with the text when Enter ends it; it is never called when Esc does. */
	void (*done)(struct app *app, struct str text);
};

void prompt_open(struct prompt *p, const char *label, struct str initial,
	void (*done)(struct app *app, struct str text));
void prompt_key(struct app *app, struct prompt *p, uint32_t key);
/* Draws it on a row: a label, the text, and a cursor, which is always seen. */
void prompt_draw(const struct prompt *p, unsigned row, unsigned columns);
void prompt_done(struct prompt *p);

#endif
