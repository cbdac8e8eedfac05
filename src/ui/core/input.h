/*
 * What the viewer reads: opening it, reading on in slices, following files that grow, and
 * reading everything again, with the person's place kept.
 */
#ifndef CATENA_UI_CORE_INPUT_H
#define CATENA_UI_CORE_INPUT_H

#include "ui/core/app.h"


/* Begins to read; false with err when there is nothing to show. */
bool input_open(struct app *app, struct err *err);
/* All is read, and there is nothing to show: load_unreadable says why. */
bool input_is_empty(const struct app *app);
void input_close(struct app *app); /* at the end of all */
/* Reads on until the deadline.  What is shown keeps its place. */
void input_read(struct app *app, uint64_t deadline);
/* Whether there is more to read now. */
bool input_is_reading(const struct app *app);
/* Whether the files must be looked at every LOAD_LOOK ms. */
bool input_is_polled(const struct app *app);
/* Whether nothing more is to be read, for now: totals and reports are of all there is. */
bool input_is_settled(const struct app *app);

/* Whether steps have come that the screen does not show yet: it is drawn within
 * INPUT_REDRAW ms, also when nothing more comes. */
bool input_is_ahead(const struct app *app);
#define INPUT_REDRAW 150

/* Reads no further until the files are read again or followed; false: nothing is read. */
bool input_stop(struct app *app);

#endif
