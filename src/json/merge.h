/*
 * The deep merge of values: a later one wins, member by member where both are objects,
 * but what is empty or null replaces nothing.
 */
#ifndef CATENA_JSON_MERGE_H
#define CATENA_JSON_MERGE_H

#include "json/cursor.h"

#define MERGE_DEEPEST 16 /* objects below are replaced as a whole */

/* Writes the merge of two.  Cost: linear in both. */
void json_merge(struct buf *out, struct jv before, struct jv after);

/* Of many, in their order, as one value in the arena; cost: linear, times the logarithm
 * of how many there are. */
struct jv json_merge_all(const struct jv *values, size_t count, struct arena *arena);

#endif
