/* The pane of the waterfall: steps on an axis of time. */
#ifndef CATENA_UI_PANES_WATERFALL_H
#define CATENA_UI_PANES_WATERFALL_H

#include "ui/core/app.h"

/* Takes the cursor to a row of the pane; false when no step is there. */
bool waterfall_pane_go_to_row(struct app *app, size_t row);

#endif
