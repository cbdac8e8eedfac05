/* The fields of a session for the filter language (query/filter.h). */
#ifndef CATENA_SESSIONS_FILTER_H
#define CATENA_SESSIONS_FILTER_H

#include "query/filter.h"

struct session;

extern const struct filter_table filter_sessions;

/* Appends the values of a text field, each on a line, as safe text; false: each session
 * has another, or it has none. */
bool session_put_values(const struct session *s, unsigned field, struct buf *out);
/* `now` in seconds since 1970.  Linear in the texts that are asked for. */
bool session_passes(const struct session *s, const struct filter *f, double now);

#endif
