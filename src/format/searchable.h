/* What the events of a stream say together, for a search through it (chain/search). */
#ifndef CATENA_FORMAT_SEARCHABLE_H
#define CATENA_FORMAT_SEARCHABLE_H

#include "chain/model.h"

/*
 * Writes the messages and the response's elements of a step of events as JSON; false: the
 * step is none, or its events say nothing.  A search_join_fn; ctx is not used.
 */
bool searchable_write(void *ctx, struct model *m, uint32_t step, struct buf *json);

#endif
