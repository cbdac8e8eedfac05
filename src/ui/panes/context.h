/* The pane of the context: bars of steps, and the largest items of one. */
#ifndef CATENA_UI_PANES_CONTEXT_H
#define CATENA_UI_PANES_CONTEXT_H

#include "ui/core/app.h"

/* Whether it shows bars, not items. */
bool context_pane_shows_bars(const struct app *app);
/* Takes the cursor of the bars to a row of the pane; false when nothing is there. */
bool context_pane_go_to_row(struct app *app, size_t row);

#endif
