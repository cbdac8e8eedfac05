/* Amounts as a filter has them: numbers with units, and ranges.  Private to filter*.c. */
#ifndef CATENA_QUERY_FILTER_NUMBER_H
#define CATENA_QUERY_FILTER_NUMBER_H

#include "query/filter.h"

/* False when the text is no amount of that unit. */
bool filter_number(struct str text, enum filter_unit unit, double *out);
/* "1..5", "1..", "..5"; false when it is no range. */
bool filter_range(struct str text, enum filter_unit unit, double *low, double *high);
/* What is expected: "a number of seconds: 2s, 500ms, 1m30s" */
const char *filter_number_form(enum filter_unit unit);

#endif
