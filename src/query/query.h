/*
 * A query, and its matches in decoded texts.  A query is a literal text or a regular
 * expression; it finds the steps of a trace (query/search) and marks the matches in a
 * text on the screen.
 */
#ifndef CATENA_QUERY_QUERY_H
#define CATENA_QUERY_QUERY_H

#include "base/buf.h"
#include "base/pattern.h"
#include "query/prefilter.h"

#define QUERY_LENGTH 1000 /* bytes, at most */

/* With neither EXACT nor ANY, case counts if the query has an upper-case letter. */
enum query_flag {
	QUERY_REGEX = 1 << 0, /* a regular expression, else a literal text */
	QUERY_EXACT = 1 << 1, /* upper and lower case are different */
	QUERY_ANY = 1 << 2,   /* upper and lower case are the same */
};

struct query;

/*
 * NULL with err: the text is empty, longer than QUERY_LENGTH, not UTF-8 or no regular
 * expression (err->offset says where).  Takes a few milliseconds at most.
 */
struct query *query_new(struct str text, unsigned flags, struct err *err);
void query_free(struct query *q);

/* Says which places of raw JSON to decode; lives as long as the query. */
const struct prefilter *query_prefilter(const struct query *q);

/*
 * Matches never overlap, are never empty, and are found from left to right.  A text of
 * more than QUERY_PIECE bytes is searched in pieces of that size: a match that begins in
 * a piece may reach QUERY_AHEAD bytes past its end and look QUERY_BACK bytes back; a
 * longer one may be cut short or be missed.  Bytes that are not UTF-8 match `.`, but no
 * letter and no literal text.
 */
#define QUERY_PIECE (64u * 1024)
#define QUERY_AHEAD (16u * 1024)
#define QUERY_BACK  1024u

/* One match, [from, to) in bytes of the text; false ends the search. */
typedef bool query_each_fn(void *ctx, uint64_t from, uint64_t to);

/*
 * Calls `each` for every match in a text.  PATTERN_GAVE_UP: the expression ran too long
 * at some places; matches at others were reported.
 */
enum pattern_result query_each(
	const struct query *q, struct str text, query_each_fn *each, void *ctx);

/* A search through several texts with one limit of time. */
struct query_run {
	const struct query *query;
	query_each_fn *each; /* NULL: matches are only counted */
	void *ctx;
	uint64_t hits;
	uint64_t time_left; /* microseconds left in which the expression may run long */
	bool gave_up;      /* at some place of some text */
	/* private */
	bool stopped;
	uint64_t next; /* where in the text the next match may begin */
	struct buf clean;
};

#define QUERY_TIME_LIMIT 50000u /* microseconds */

void query_begin(struct query_run *r, const struct query *q);
void query_done(struct query_run *r);
/* Counts from 0 again. */
void query_restart(struct query_run *r, uint64_t time_left);
/* Searches a text, to its end or until the work is to stop (base/work). */
void query_text(struct query_run *r, struct str text);

/*
 * Texts that every match of a regular expression has: one text of plain characters for
 * each alternative.  With them a prefilter can skip most bytes before the expression
 * runs.
 */

#define REQUIRED_MOST 8 /* alternatives */

struct required {
	struct buf text;                 /* owns the bytes of all parts */
	struct str parts[REQUIRED_MOST]; /* by alternative; they borrow from `text` */
	size_t count;                    /* 0: nothing is known */
};

/*
 * Reads an expression that PCRE2 has compiled.  Groups are skipped, and anything unusual
 * means that nothing is known.  Linear.
 */
void required_read(struct required *r, struct str pattern);
void required_done(struct required *r);

/* ---- fuzzy matching ---- */

/*
 * Whether a text has the letters of a query in their order, and how well
 * it matches.  The scores are those of fzy (github.com/jhawthorn/fzy, ALGORITHM.md):
 * adjacent letters and beginnings of words score most, gaps cost a little, and the best
 * of all ways to match counts.
 *
 * The words of a query are matched independently, in any order; all must match.  Case
 * counts if the query has an upper-case letter.  Only the first FUZZY_TEXT characters of
 * a text and FUZZY_QUERY of a query are used.
 */
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
