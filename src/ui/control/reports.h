/*
 * What is said of the whole file: the findings of a check and the overview.  Both open
 * every step, so they begin when somebody looks, go on in slices between keys, and stay
 * until steps change.
 */
#ifndef CATENA_UI_CONTROL_REPORTS_H
#define CATENA_UI_CONTROL_REPORTS_H

#include "ui/core/app.h"

extern const struct controller_ops reports_controller;
extern const struct pane_ops pane_findings_ops, pane_overview_ops;

/* Whether one that is looked at is still being made. */
bool reports_are_busy(const struct app *app);
/* Whether a check that was made found an error in a step.  Linear in the findings. */
bool reports_has_error(const struct app *app, uint32_t step);

#endif
