/*
 * Keys that stand twice in one object.  Readers of JSON take one of their values, so the
 * other is lost without a word.  The keys of each object that is open are known by their
 * hashes: in a small object they are compared one by one, in a large one by a table.
 * Memory: the keys of the objects around a place.
 */
#ifndef CATENA_JSON_TWICE_H
#define CATENA_JSON_TWICE_H

#include "json/cursor.h"

#define TWICE_DEPTH 256u /* objects around an object: deeper ones are not looked at */

struct twice_level;

struct twice { /* all zero bits: at the beginning of a text */
	uint64_t *keys; /* of all open objects, the outermost first */
	size_t count, cap;
	struct twice_level *levels; /* of the objects that are looked at */
	size_t level_cap;
	size_t depth; /* of all open objects */
};

void twice_done(struct twice *t);
void twice_open(struct twice *t); /* an object */
void twice_close(struct twice *t);
/* Whether the object has had this key, a J_STRING, before.  Linear in the key. */
bool twice_has(struct twice *t, struct jv key);

#endif
