/*
 * What stands around the panes.  All of it is drawn from the application's state; nothing
 * here changes anything but the screen.
 */
#ifndef CATENA_UI_FRAME_H
#define CATENA_UI_FRAME_H

#include "ui/core/app.h"

void frame_header(struct app *app); /* file, chain, totals, format, progress */
void frame_footer(struct app *app); /* where the cursor is, or an error; the keys */
void frame_borders(const struct layout *l);
void frame_pane(
	struct app *app, enum pane_id id); /* its title and itself, where it has room */

#endif
