/*
 * Equality as JSON Schema has it: numbers by their value, objects without regard to the
 * order of members.
 *
 * `work` grows by about the number of values, and of 64 bytes of text, that were looked
 * at.
 */
#ifndef CATENA_SCHEMA_SAME_H
#define CATENA_SCHEMA_SAME_H

#include "json/json.h"
#include "json/meaning.h"

bool json_same(const json_t *a, const json_t *b, uint64_t *work);

/* What jv_meaning is of the text of the value: equal for equal values, and for others but
 * by chance not.  Depth does not count. */
struct meaning json_meaning(const json_t *value, uint64_t *work);

#endif
