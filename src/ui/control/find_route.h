/*
 * The way to the next hit, or to the one before: through both sides of the step, through
 * what stands in neither, and on to the next step with hits.
 */
#ifndef CATENA_UI_CONTROL_FIND_ROUTE_H
#define CATENA_UI_CONTROL_FIND_ROUTE_H

#include "ui/core/app.h"

struct find;

/* Sets out from the cursor; `inclusive`: the hit may be in the cursor's row. */
void find_way_begin(struct app *app, bool back, bool inclusive);
/* What counts on the way: after the walk was made. */
void find_way_rules(struct find *f);
/* Forgets what is known of the step that is shown. */
void find_way_forget(struct find *f);
/* Goes on until the deadline, or until it must wait. */
void find_way_run(struct app *app, uint64_t deadline);

#endif
