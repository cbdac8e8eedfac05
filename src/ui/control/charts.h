/*
 * Seeing the whole: the bar of the list, the scale of bars, the waterfall, and many chains
 * as a list of chains.
 */
#ifndef CATENA_UI_CONTROL_CHARTS_H
#define CATENA_UI_CONTROL_CHARTS_H

#include "ui/core/app.h"

extern const struct controller_ops charts_controller;
extern const struct pane_ops pane_waterfall_ops;

/* Whether many chains are folded was decided: it stays so. */
void charts_keep_chains(struct app *app);

#endif
