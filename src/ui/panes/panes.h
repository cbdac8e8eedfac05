/* What the panes that belong to no controller (ui/control) offer. */
#ifndef CATENA_UI_PANES_PANES_H
#define CATENA_UI_PANES_PANES_H

#include "ui/core/app.h"

/* Draws a pane that shows a document: its rows, with the hits of a search marked;
 * `cursor`: whether the cursor's mark is seen. */
void draw_doc(struct app *app, struct pane *p, bool cursor);

/* Shows the help where it lists the settings. */
unsigned help_show_options(struct app *app);

#endif
