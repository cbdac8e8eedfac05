/* The viewer: its loop, and the screen around its panes. */
#ifndef CATENA_UI_APP_H
#define CATENA_UI_APP_H

#include "term/term.h"
#include "ui/core/app.h"

/*
 * Shows the inputs, or a list of sessions and the traces that are opened from it, until
 * the person leaves.  Returns the exit status; errors were
 * printed.  Without a usable terminal it says so: status 2.
 */
int app_run(const struct app_options *options);

/* ---- the screen as a whole (frame.c): the panes, what stands around them, and the mouse
 * in it ---- */

/* Brings everything up to date, and draws it: the panes with their titles and borders,
 * the header and the footer. */
void frame_draw(struct app *app);

/*
 * The mouse: a click gives a pane the keys and takes its cursor there, on the sign of a
 * fold it opens or closes it; a double click is Enter; the wheel scrolls what is under
 * it.  It is off until it is asked for, since the terminal's own selection is lost with
 * it.  True when it is time to leave.
 */
bool pointer_event(struct app *app, const struct term_event *event);

#endif
