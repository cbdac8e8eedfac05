/*
 * A hash of 128 bits of what a value means: equal for values that json_same calls equal,
 * and for others only by chance (the key is new in each process, so input cannot be made
 * to collide).  The order of members, escapes, white space and the spelling of a number
 * do not count.  Of duplicate members each counts.
 *
 * The cursor walks the raw text, some MB in a few milliseconds, without recursion.
 * Containers nested deeper than MEANING_DEPTH count as they are written.
 */
#ifndef CATENA_JSON_MEANING_H
#define CATENA_JSON_MEANING_H

#include "json/cursor.h"

#define MEANING_DEPTH 64

struct meaning {
	uint64_t half[2];
};

struct meaning jv_meaning(struct jv value);      /* J_NONE counts as null */
struct meaning meaning_of_text(struct str text); /* not of a J_STRING */

/* The hash of a sequence: m, then `next`. */
struct meaning meaning_then(struct meaning m, struct meaning next);

/* Whether two values mean the same; J_NONE equals itself alone.  Linear; values that are
 * written alike are compared as bytes. */
bool jv_same(struct jv a, struct jv b);

static inline bool meaning_equal(struct meaning a, struct meaning b)
{
	return a.half[0] == b.half[0] && a.half[1] == b.half[1];
}

#endif
