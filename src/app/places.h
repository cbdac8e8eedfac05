/*
 * What is remembered of a trace from one day to the next: the step and the places in it,
 * focus, views and folds, marks, and what was typed at prompts.  Nothing of the trace's
 * own text.  It is read when the viewer begins and written when it leaves, also by a
 * signal that asks it to; never for what comes through a pipe.
 */
#ifndef CATENA_APP_PLACES_H
#define CATENA_APP_PLACES_H

#include "app/where.h"

struct places { /* all zero bits: nothing is remembered */
	bool on;
	uint64_t name;     /* of the file: state.h */
	json_t *files;     /* what they looked like at the beginning */
	json_t *folds;     /* of the list, to be closed when all is read; or NULL */
	json_t *sides;     /* of the step that is gone to; or NULL */
	struct where here; /* to be gone to as soon as the step is there */
	size_t above; /* rows of the list that are shown above it */
	bool going;
	bool showing; /* the sides of its step, when it is open as it will be */
	bool zoomed;
	enum pane_id side;
};

void places_begin(struct app *app); /* the screen is open, reading has begun */
void places_slice(struct app *app); /* more was read */
void places_show_sides(struct app *app); /* the step may be open now */
void places_stay(struct app *app);  /* the person does something: no going away now */
/* The step's sides will be made anew: what `showing` shows is as they are now. */
void places_keep_sides(struct app *app);
void places_keep_folds(struct app *app); /* all will be read anew */
void places_end(struct app *app);

#endif
