/*
 * What is remembered of a trace from one day to the next: the step and the places in it,
 * focus, views and folds, bookmarks, what was typed at prompts, and where the file is (for
 * the list of sessions).  Nothing of the trace's own text.  It is read when the viewer begins and written when it leaves, also
 * by a signal that asks it to; never for what comes through a pipe.
 */
#ifndef CATENA_UI_CONTROL_SESSION_STATE_H
#define CATENA_UI_CONTROL_SESSION_STATE_H

#include "ui/core/app.h"

extern const struct controller_ops session_controller;

void session_state_begin(struct app *app); /* the screen is open, reading has begun */
/* The person leaves.  Marks and texts that another viewer of the file has saved meanwhile
 * are kept.  False with err: it cannot be saved. */
bool session_state_write(struct app *app, struct err *err);

/* Goes where the person was the day before, and folds what was folded, as soon as that is
 * known. */
void session_state_go_on(struct app *app);
void session_state_stay(struct app *app); /* the person does something: not any more */

/* The sides of the step will be made again: what session_state_show_again shows once the
 * step is open is as they are now. */
void session_state_keep_sides(struct app *app);
void session_state_show_again(struct app *app);

#endif
