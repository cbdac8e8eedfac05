/*
 * Seeing the whole: the bar of the list, the scale behind bars and the waterfall, and
 * many chains as a list of chains.
 */
#ifndef CATENA_APP_SIGHT_H
#define CATENA_APP_SIGHT_H

#include "app/pane.h"

/* Before the panes are laid out: what the list's bar shows, whether many chains are
 * folded, and the waterfall as the model is now. */
void sight_settle(struct app *app);
/* The last alone; false when there is no step to show. */
bool sight_waterfall(struct app *app);
/* Takes the cursor of the waterfall to a row of its pane; false when no step is there. */
bool sight_go_to_row(struct app *app, size_t row);
/* Whether something that is shown waits for figures that sight_slice finds. */
bool sight_is_busy(const struct app *app);
/* A slice of that; false when there is nothing left to do. */
bool sight_slice(struct app *app, uint64_t deadline);

#endif
