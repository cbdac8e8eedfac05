/*
 * What a person looks for, and where it stands in a decoded text.  A query is a literal
 * text or a regular expression; the same query finds the steps of a trace (query/search)
 * and marks the places in a text that is shown.
 */
#ifndef CATENA_QUERY_QUERY_H
#define CATENA_QUERY_QUERY_H

#include "base/pattern.h"
#include "query/sieve.h"

#define QUERY_LENGTH 1000 /* bytes, at most */

/* With neither of the last two case counts if the query has an upper-case letter. */
enum query_flag {
	QUERY_REGEX = 1 << 0, /* else the text itself */
	QUERY_EXACT = 1 << 1, /* upper and lower case are different */
	QUERY_ANY = 1 << 2,   /* they are the same */
};

struct query;

/*
 * NULL with err: empty, longer than QUERY_LENGTH, not UTF-8, or no regular expression
 * (err->offset says where).  Takes a few milliseconds at most.
 */
struct query *query_new(struct str text, unsigned flags, struct err *err);
void query_free(struct query *q);

bool query_caseless(const struct query *q);
/* Which places of raw JSON to decode; lives as long as the query. */
const struct sieve *query_sieve(const struct query *q);

/*
 * Matches never overlap, are never empty, and are found from left to right.  A text of
 * more than QUERY_PIECE bytes is searched in pieces of that size: a match that begins in
 * one may reach QUERY_AHEAD bytes behind it and look QUERY_BACK bytes back, no further; a
 * longer one may be cut short or not be found.  What is not UTF-8 in a text matches `.`,
 * but no letter and no text.
 */
#define QUERY_PIECE (64u * 1024)
#define QUERY_AHEAD (16u * 1024)
#define QUERY_BACK  1024u

/* One match, [from, to) in bytes of the text; false: no more are wanted. */
typedef bool query_each_fn(void *ctx, uint64_t from, uint64_t to);

/*
 * Calls `each` for every match in a text.  GAVE_UP: in some places the expression ran too
 * long; what was found elsewhere has been told.
 */
enum pattern_result query_each(
	const struct query *q, struct str text, query_each_fn *each, void *ctx);

/* The same for a text that comes in parts, and for several with one patience. */
struct query_run {
	const struct query *query;
	query_each_fn *each; /* NULL: they are only counted */
	void *ctx;
	uint64_t hits;
	uint64_t patience; /* microseconds left for places where it runs long */
	bool gave_up;      /* in some place of some text */
	/* private */
	bool stopped;
	struct buf bytes; /* of a text that comes in parts: those still needed, */
	uint64_t at;      /* from here on */
	uint64_t piece;   /* where the next piece begins */
	uint64_t next;    /* where the next match may begin */
	struct buf clean;
};

#define QUERY_PATIENCE 50000u

void query_begin(struct query_run *r, const struct query *q);
void query_done(struct query_run *r);
/* Counts from 0 again; a text that was not ended is forgotten. */
void query_restart(struct query_run *r, uint64_t patience);
/* A whole text. */
void query_text(struct query_run *r, struct str text);
/* The next part of one, then its end. */
void query_part(struct query_run *r, struct str part);
void query_end(struct query_run *r);

#endif
