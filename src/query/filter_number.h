/* Numbers with units, and ranges of them, as a filter writes them.  Private to
 * filter*.c. */
#ifndef CATENA_QUERY_FILTER_NUMBER_H
#define CATENA_QUERY_FILTER_NUMBER_H

#include "query/filter.h"

/* False: the text is no number with that unit.  *out is in the base unit: dollars,
 * seconds, bytes. */
bool filter_number(struct str text, enum filter_unit unit, double *out);
/* "1..5", "1..", "..5"; an open end is infinite.  False: the text is no range. */
bool filter_range(struct str text, enum filter_unit unit, double *low, double *high);
/* What is expected, for messages: "a time: 2s, 500ms, 1m30s, or 1s..5s". */
const char *filter_number_form(enum filter_unit unit);

#endif
