/* What the events of a stream say together, for a search through it (query/search). */
#ifndef CATENA_QUERY_SEARCHABLE_H
#define CATENA_QUERY_SEARCHABLE_H

#include "trace/trace.h"

/*
 * Writes the messages and the response's elements of a step of events as JSON; false: the
 * step is none, or its events say nothing.  A search_join_fn; ctx is not used.
 */
bool searchable_write(void *ctx, struct trace *trace, uint32_t step, struct buf *json);

#endif
