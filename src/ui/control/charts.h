/*
 * Seeing the whole: the bar of the list, the scale of bars and of the waterfall, and many
 * chains as a list of chains.
 */
#ifndef CATENA_UI_CONTROL_CHARTS_H
#define CATENA_UI_CONTROL_CHARTS_H

#include "ui/core/app.h"
#include "view/waterfall.h"

extern const struct controller_ops charts_controller;

/* The waterfall, up to date once the panes are laid out. */
struct waterfall *charts_waterfall(const struct app *app);
/* Brings it up to date; false when there is no step to show. */
bool charts_update_waterfall(struct app *app);
/* Whether many chains are folded was decided: it stays so. */
void charts_keep_chains(struct app *app);

#endif
