/* Which steps have rows where a filter or a column decides.  Private to view/rows.c. */
#ifndef CATENA_VIEW_FILTERED_ROWS_H
#define CATENA_VIEW_FILTERED_ROWS_H

#include "view/steps.h"

/* Makes v->picked from the verdicts, the order and the gaps of what is folded.  Linear in
 * the steps when a filter or a sorted column decides, else constant. */
void filtered_rows_make(struct steps_view *v);

#endif
