/*
 * The deep merge of values: a later one wins, member by member where both are objects.  A
 * later value that is null, "", [] or {} replaces nothing.
 */
#ifndef CATENA_JSON_MERGE_H
#define CATENA_JSON_MERGE_H

#include "json/cursor.h"

#define MERGE_DEEPEST 16 /* levels: deeper objects are replaced as a whole */

/* Appends the merge of two values.  Linear in both. */
void json_merge(struct buf *out, struct jv before, struct jv after);

/* The merge of many values, in their order, as one value in the arena (of one value, that
 * value).  Linear in their bytes, times the logarithm of `count`. */
struct jv json_merge_all(const struct jv *values, size_t count, struct arena *arena);

#endif
