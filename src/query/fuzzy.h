/*
 * Fuzzy matching: whether the letters of what was typed stand in a text in their order,
 * and how well.  The scores are those of fzy (github.com/jhawthorn/fzy, ALGORITHM.md):
 * letters that follow one another and beginnings of words are worth most, gaps cost a
 * little, and of all ways to match the best one counts.
 *
 * Words with blanks between are matched each by itself, in any order; all must be there.
 * Case counts if an upper-case letter was typed.  Texts count up to FUZZY_TEXT
 * characters, what is typed up to FUZZY_QUERY.
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

/* Nothing typed matches everything, with 0. */
void fuzzy_begin(struct fuzzy *f, struct str query);

/* `at`, or NULL: room for FUZZY_QUERY offsets; gets where each matched character begins
 * in the text, ascending within a word, and *marks how many. */
int32_t fuzzy_match(const struct fuzzy *f, struct str text, uint32_t *at, size_t *marks);

#endif
