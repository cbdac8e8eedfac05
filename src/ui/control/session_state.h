/*
 * Where the person is, and what is remembered of a trace from one day to the next.
 *
 * The place in the list and in the step is kept while the trace is read again or the step
 * is laid out again: as soon as the step is there, she is taken back to it.  So she is to
 * the place of another day: the step and the places in it, focus, views and folds.  With
 * these, marks, what was typed at prompts, and where the file is (for the list of sessions)
 * are remembered; nothing of the trace's own text.  It is read when the viewer begins and
 * written when it leaves, also by a signal that asks it to; never for what comes through a
 * pipe.
 */
#ifndef CATENA_UI_CONTROL_SESSION_STATE_H
#define CATENA_UI_CONTROL_SESSION_STATE_H

#include "ui/core/app.h"

void session_state_begin(struct app *app); /* the screen is open, reading has begun */
/* The person leaves.  Marks and texts that another viewer of the file has saved meanwhile
 * are kept.  False with err: it cannot be saved. */
bool session_state_write(struct app *app, struct err *err);

/* She is about to be taken there: keys had better wait, which they do for half a second.
 */
bool session_state_is_near(const struct app *app);
/* The person does something: she is not taken anywhere any more. */
void session_state_stay(struct app *app);

#endif
