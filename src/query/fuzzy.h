/*
 * Fuzzy matching: whether a text has the letters of a query in their order, and how well
 * it matches.  The scores are those of fzy (github.com/jhawthorn/fzy, ALGORITHM.md):
 * adjacent letters and beginnings of words score most, gaps cost a little, and the best
 * of all ways to match counts.
 *
 * The words of a query are matched independently, in any order; all must match.  Case
 * counts if the query has an upper-case letter.  Only the first FUZZY_TEXT characters of
 * a text and FUZZY_QUERY of a query are used.
 */
#ifndef CATENA_QUERY_FUZZY_H
#define CATENA_QUERY_FUZZY_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

#define FUZZY_TEXT  256
#define FUZZY_QUERY 64
#define FUZZY_NONE  INT32_MIN /* a score: it does not match */

struct fuzzy {
	uint32_t query[FUZZY_QUERY]; /* code points; 0 ends a word */
	size_t count;
	bool exact; /* case counts */
};

/* An empty query matches every text with the score 0. */
void fuzzy_begin(struct fuzzy *f, struct str query);

/*
 * The score of a text, or FUZZY_NONE.  `at` gets the offsets of the matched characters in
 * the text, ascending within each word of the query, and *marks their number; `at` has
 * room for FUZZY_QUERY offsets.  `at`, or both, may be NULL.  The cost is letters times
 * characters.
 */
int32_t fuzzy_match(const struct fuzzy *f, struct str text, uint32_t *at, size_t *marks);

#endif
