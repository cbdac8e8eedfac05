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
#include "json/decimal.h"

#define MEANING_DEPTH 64

struct meaning {
	uint64_t half[2];
};

struct meaning jv_meaning(struct jv value);      /* of J_NONE the same as of null */
struct meaning meaning_of_text(struct str text); /* not that of a string */

/* Of `next` after m: the order counts. */
struct meaning meaning_then(struct meaning m, struct meaning next);

/*
 * What the meaning of a value is made of, for values that are kept in another form.  It
 * is the sum of what it holds, itself included: of each its kind, its own meaning (that
 * of zero for a container, null, true and false) and the way from the root to it, which
 * is zero, then for each step the text of a key or the index of an item.
 */
struct meaning meaning_of_number(uint64_t number); /* no value: an index, a kind */
struct meaning meaning_of_decimal(const struct decimal *d);
void meaning_add(
	struct meaning *sum, struct meaning way, enum jkind kind, struct meaning value);

/* Whether two values mean the same; J_NONE is equal to itself alone.  What is written
 * alike is not walked. */
bool jv_same(struct jv a, struct jv b);

static inline bool meaning_equal(struct meaning a, struct meaning b)
{
	return a.half[0] == b.half[0] && a.half[1] == b.half[1];
}

#endif
