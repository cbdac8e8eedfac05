/*
 * The last user messages of steps, for the rows of the list that have room for one.  A
 * step is opened for it, once: those on the screen first, a few milliseconds at a time,
 * then, when there is nothing else to do, those a page further up and down, so that a key
 * finds them there.
 */
#ifndef CATENA_UI_PREVIEWS_H
#define CATENA_UI_PREVIEWS_H

#include <stdint.h>

#include "base/buf.h"

struct app;

/* A step's message. */
struct preview {
	uint64_t offset; /* of the step in the file */
	uint32_t step;
	bool known;
	struct buf text;
};

#define PREVIEWS 512 /* several pages */

struct previews {
	struct preview of[PREVIEWS];      /* step number modulo PREVIEWS */
	bool behind;                      /* some are still missing on the screen */
	size_t top, rows, columns, count; /* of the list, when ... */
	size_t ahead;                     /* ... so many rows around it were looked at */
};

void previews_begin(struct app *app); /* the list is about to be drawn */
/* The message for a row, or empty: there is none, or, since steps are opened only until
 * the deadline, none yet.  Valid until the next call. */
struct str previews_row(struct app *app, size_t row, uint64_t deadline);

/* Reads ahead until the deadline or a key. */
void previews_ahead(struct app *app, uint64_t deadline);
bool previews_are_ahead(const struct app *app); /* nothing is left to read ahead */

void previews_forget(struct app *app); /* the model forgot its steps */
void previews_done(struct app *app);

#endif
