/*
 * The last user messages of steps, for the rows of the list that have room for one.  A
 * step is opened for it, once: those on the screen first, a few milliseconds at a time,
 * then, when there is nothing else to do, those a page further up and down, so that a key
 * finds them there.
 */
#ifndef CATENA_UI_CONTROL_PREVIEWS_H
#define CATENA_UI_CONTROL_PREVIEWS_H

#include "ui/core/app.h"

extern const struct controller_ops previews_controller;

void previews_begin(struct app *app); /* the list is about to be drawn */
/* The message for a row, or empty: there is none, or, since steps are opened only until
 * the deadline, none yet.  Valid until the next call. */
struct str previews_row(struct app *app, size_t row, uint64_t deadline);

/* Some on the screen are still missing: it must be drawn again. */
bool previews_are_missing(const struct app *app);

#endif
