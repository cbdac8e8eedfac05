/*
 * Where a text could be in raw JSON.  A prefilter scans raw bytes at the speed of memory
 * and names candidates; the caller decodes the JSON there and searches it.  A prefilter
 * may name too many places, never too few.
 *
 * Why it misses no match: in raw JSON, however deeply strings are nested in strings, a
 * character is either written as itself or its spelling begins with a backslash.  Some
 * characters have short escapes (quote, backslash, slash, control characters): a needle
 * never has them.  Any other character that is not written as itself is \uXXXX at some
 * layer.  Then the raw bytes have a backslash, `u`, and four digits: those of the
 * character, or those of a backslash, a `u` or a hexadecimal digit that an outer layer
 * escaped.  So a needle is a run of characters of the text without short escapes, in all
 * their cases.  A candidate is the run written plainly, or the first escape in it, which
 * is recognized by its digits and by its neighbors.
 */
#ifndef CATENA_QUERY_PREFILTER_H
#define CATENA_QUERY_PREFILTER_H

#include "base/str.h"

#define PREFILTER_NEEDLES 8
#define PREFILTER_LETTERS 16 /* of a needle */
/* At most so many bytes before and after a place decide whether it is a candidate: a
 * needle and two escapes. */
#define PREFILTER_REACH (PREFILTER_LETTERS * UTF8_MAX + 32)

struct prefilter;

/*
 * A prefilter for up to PREFILTER_NEEDLES texts (UTF-8), which are copied: it names the
 * places where one of them could be.  If there is no text, or one that gives no needle,
 * the prefilter is open.
 */
struct prefilter *prefilter_new(const struct str texts[], size_t count, bool caseless);
void prefilter_free(struct prefilter *s);

bool prefilter_open(const struct prefilter *s); /* every place is a candidate */

/* A scan of one stretch of bytes, from its start to its end. */
struct prefilter_cursor {
	const struct prefilter *prefilter;
	struct str bytes;
	size_t next[2 * PREFILTER_NEEDLES];
};

void prefilter_begin(
	struct prefilter_cursor *c, const struct prefilter *s, struct str bytes);
/*
 * The first candidate at or after `from`; bytes.n: there is none.  `from` must not be
 * less than in the call before.  A needle that an end of the stretch cuts is no
 * candidate; an escape that is cut is one.  Linear in the bytes for a whole scan.
 */
size_t prefilter_next(struct prefilter_cursor *c, size_t from);

#endif
