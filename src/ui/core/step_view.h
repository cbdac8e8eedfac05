/*
 * The step that is shown: it is opened where the cursor of the list stands, and both its
 * sides are documents.  A long one is opened while no key waits.  A step
 * that is left is kept for a while (view/visit), with its places and folds.
 */
#ifndef CATENA_UI_CORE_STEP_VIEW_H
#define CATENA_UI_CORE_STEP_VIEW_H

#include "ui/core/app.h"

/* The step under the cursor of the list, or NO_STEP. */
uint32_t step_at_cursor(const struct app *app);
/* The row under it, where the list has rows. */
static inline struct steps_row step_row_at_cursor(const struct app *app)
{
	return steps_at(&app->steps, app->screen.panes[PANE_STEPS].cursor);
}
/* The side of the open step that a pane shows. */
static inline const struct side *step_side(const struct app *app, const struct pane *p)
{
	return p->input ? &app->step.opened->input : &app->step.opened->output;
}
/* Brings all up to date, before it is drawn and before a key is answered: the rows of the
 * list, the step under its cursor, the layout. */
void step_view_settle(struct app *app);
void step_view_close(struct app *app);

void step_view_finish(struct app *app); /* to its end, at once */

/* True when both columns would show one conversation: it is shown once. */
bool step_view_is_shared(const struct app *app);
/* The step has neither input nor output: all that there is, is shown once. */
bool step_view_is_event(const struct app *app);
/* True when both columns would show one thing as they are now: that conversation, or the
 * tree or the raw text of a value that has no sides of its own. */
bool step_view_shows_once(const struct app *app);
/* Forgets the documents of the step that is shown, about to be left: their folds and
 * places are as at first when it is shown again. */
void step_view_forget(struct app *app);
/* Makes the document of a side again, with the folds as they are at first. */
void step_view_rebuild_side(struct app *app, enum pane_id id);
/* Another view of a side, at the same message. */
void step_view_set_mode(struct app *app, enum pane_id id, enum side_mode mode);
/* Shows a side, and gives it the keys if one of them had them, or if nothing else would
 * show it. */
void step_view_show_side(struct app *app, enum pane_id id);

/* Takes the list to a step, and its side to a message (SIZE_MAX: to none), as soon as it
 * is opened; leaves what lies over the panes. */
void step_view_go(struct app *app, uint32_t step, bool input, size_t message);
/* Takes the list, the side and its cursor to a part of a message; leaves what lies over
 * the panes.  In a step that is so long that it is not open yet it goes to the message.
 * False: the list does not show the step, which is said. */
bool step_part_go(struct app *app, const struct step_part *to);
/* Takes the list to a row, or to a step, if there is that one, and opens it. */
void step_view_go_to_row(struct app *app, size_t row);
void step_view_go_to_step(struct app *app, uint32_t step);

#endif
