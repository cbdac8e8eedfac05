/* Which steps have rows where a filter or a column decides.  Private to view/rows.c. */
#ifndef CATENA_VIEW_PICKED_H
#define CATENA_VIEW_PICKED_H

#include "view/steps.h"

/* Makes v->picked from the verdicts, the order and the gaps of what is folded. */
void picked_make(struct steps_view *v);

#endif
