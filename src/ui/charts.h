/*
 * Seeing the whole: the bar of the list, the scale behind bars and the waterfall, and
 * many chains as a list of chains.
 */
#ifndef CATENA_UI_CHARTS_H
#define CATENA_UI_CHARTS_H

#include "ui/pane.h"

/* Before the panes are laid out: what the list's bar shows, whether many chains are
 * folded, and the waterfall as the model is now. */
void charts_settle(struct app *app);
/* The last alone; false when there is no step to show. */
bool charts_waterfall(struct app *app);
/* Takes the cursor of the waterfall to a row of its pane; false when no step is there. */
bool charts_go_to_row(struct app *app, size_t row);
/* Whether something that is shown waits for figures that charts_slice finds. */
bool charts_is_busy(const struct app *app);
/* A slice of that; false when there is nothing left to do. */
bool charts_slice(struct app *app, uint64_t deadline);

#endif
