/* The joined text of a step that has several events or records, for a search through it
 * (query/search). */
#ifndef CATENA_QUERY_SEARCHABLE_H
#define CATENA_QUERY_SEARCHABLE_H

#include "trace/trace.h"

/*
 * A search_join_fn without a ctx.  Writes the messages and the response of a step's
 * events, or its joined records, as JSON.  False: the step has neither, or they are
 * empty.  Reads the whole step.
 */
bool searchable_write(void *ctx, struct trace *trace, uint32_t step, struct buf *json);

#endif
