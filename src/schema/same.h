/*
 * Equality as JSON Schema defines it: numbers by their value, objects without regard to
 * the order of members.  Neither function recurses.
 *
 * The cost is added to `work`: one for each value, and one for each 64 bytes of text.
 */
#ifndef CATENA_SCHEMA_SAME_H
#define CATENA_SCHEMA_SAME_H

#include "json/json.h"
#include "json/meaning.h"

bool json_same(const json_t *a, const json_t *b, uint64_t *work);

/* The jv_meaning of the text of the value: equal for equal values, and for others only by
 * chance.  Containers of any depth are walked. */
struct meaning json_meaning(const json_t *value, uint64_t *work);

#endif
