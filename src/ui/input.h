/*
 * What the viewer reads: opening it, reading on in slices, following files that grow, and
 * reading everything anew, with the person's place kept.
 */
#ifndef CATENA_UI_INPUT_H
#define CATENA_UI_INPUT_H

#include "ui/pane.h"

/* Begins to read; false with err when there is nothing to show. */
bool input_open(struct app *app, struct err *err);
/* Reads on for a while.  What is shown keeps its place. */
void input_slice(struct app *app, uint64_t microseconds, size_t enough);
/* Whether the files must be looked at every LOAD_LOOK ms. */
bool input_is_polled(const struct app *app);
/* As often as a followed file has to be looked at. */
bool input_is_due(const struct app *app);
/* Whether nothing more is to be read, for now: totals and reports are of all there is. */
bool input_is_settled(const struct app *app);

/* Whether there is more to read now. */
bool input_is_reading(const struct app *app);
/* Reads no further until the files are read anew or followed; false: nothing is read. */
bool input_stop(struct app *app);

/* Everything anew, from the files as they are now; an error leaves what there was. */
void input_reload(struct app *app);
/* Follows files that grow, or no longer. */
void input_follow(struct app *app);
/* Back to the place that was left, or is remembered, once it is there. */
void input_come_back(struct app *app);
/* The person is somewhere else by now. */
void input_stay(struct app *app);
/* What is shown is drawn otherwise now: everything is laid out anew, at its place. */
void input_lay_out_anew(struct app *app);
/* What was wrong with the files, when they are read: a line for the status. */
void input_say_notes(struct app *app);

#endif
