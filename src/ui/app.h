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

/* ---- the screen as a whole (frame.c): what stands around the panes, and the mouse in it
 * ---- */

/* All of this is drawn from the application's state, and changes nothing but the screen:
 * file, chain, totals, format, progress; */
void frame_header(struct app *app);
void frame_footer(struct app *app); /* where the cursor is, or an error; the keys; */
void frame_borders(const struct layout *l);
void frame_pane(
	struct app *app, enum pane_id id); /* its title and itself, where it has room */

/*
 * The mouse: a click gives a pane the keys and takes its cursor there, on the sign of a
 * fold it opens or closes it; a double click is Enter; the wheel scrolls what is under
 * it.  It is off until it is asked for, since the terminal's own selection is lost with
 * it.  True when it is time to leave.
 */
bool pointer_event(struct app *app, const struct term_event *event);

#endif
