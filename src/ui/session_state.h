/*
 * What is remembered of a trace from one day to the next: the step and the places in it,
 * focus, views and folds, marks, and what was typed at prompts.  Nothing of the trace's
 * own text.  It is read when the viewer begins and written when it leaves, also by a
 * signal that asks it to; never for what comes through a pipe.
 */
#ifndef CATENA_UI_SESSION_STATE_H
#define CATENA_UI_SESSION_STATE_H

#include "ui/bookmark.h"

struct session_state { /* all zero bits: nothing is remembered */
	bool on;
	uint64_t name;        /* of the file: state.h */
	json_t *files;        /* what they looked like at the beginning */
	json_t *folds;        /* of the list, to be closed when all is read; or NULL */
	json_t *sides;        /* of the step that is gone to; or NULL */
	struct bookmark here; /* to be gone to as soon as the step is there */
	size_t above;         /* rows of the list that are shown above it */
	bool going;
	bool showing; /* the sides of its step, when it is open as it will be */
	bool zoomed;
	enum pane_id side;
};

void session_state_begin(struct app *app); /* the screen is open, reading has begun */
void session_state_slice(struct app *app); /* more was read */
void session_state_show_sides(struct app *app); /* the step may be open now */
void session_state_stay(
	struct app *app); /* the person does something: no going away now */
/* The step's sides will be made anew: what `showing` shows is as they are now. */
void session_state_keep_sides(struct app *app);
void session_state_keep_folds(struct app *app); /* all will be read anew */
void session_state_end(struct app *app);

#endif
