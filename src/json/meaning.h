/*
 * A number of 128 bits for what a value means: equal for values that json_same calls
 * equal, and for others but by a chance that nobody can help along (it is keyed anew in
 * each process).  The order of members, escapes, white space and how a number is written
 * do not count.  Of duplicate members each counts.
 *
 * The raw text is walked by the cursor, some MB in a few milliseconds, without recursion.
 * What is nested deeper than MEANING_DEPTH counts as it is written.
 */
#ifndef CATENA_JSON_MEANING_H
#define CATENA_JSON_MEANING_H

#include "json/cursor.h"

#define MEANING_DEPTH 64

struct meaning {
	uint64_t half[2];
};

struct meaning jv_meaning(struct jv value);      /* of J_NONE the same as of null */
struct meaning meaning_of_text(struct str text); /* not that of a string */

/* Of `next` behind m: the order counts. */
struct meaning meaning_then(struct meaning m, struct meaning next);

static inline bool meaning_equal(struct meaning a, struct meaning b)
{
	return a.half[0] == b.half[0] && a.half[1] == b.half[1];
}

#endif
