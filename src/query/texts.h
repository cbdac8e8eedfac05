/*
 * Searching all texts of a piece of JSON for a query, also those of JSON in strings.
 *
 * The texts are the decoded strings and keys, and each number, literal or junk token as
 * it is written; a match never crosses from one text to the next.  A string that holds
 * JSON is not a text itself: the texts in it are, up to TEXTS_LAYERS strings deep.
 * Whether it holds JSON is decided as for the screen: trimmed, it begins and ends like a
 * container (or like a string that holds one), and json_check does not call it broken.
 * For a string longer than TEXTS_WHOLE its first bytes, about so many, decide.
 *
 * The bytes come in parts of any size; at most TEXTS_WHOLE of them are kept for each
 * layer.  Values in which the query's sieve finds no candidate are not decoded.
 */
#ifndef CATENA_QUERY_TEXTS_H
#define CATENA_QUERY_TEXTS_H

#include "query/query.h"

#define TEXTS_LAYERS 8
#define TEXTS_WHOLE  (4u * 1024 * 1024)

enum texts_kind {
	TEXTS_JSON,  /* values, one or several, whole or broken */
	TEXTS_LINES, /* lines: a text or JSON each, after the name of an SSE field if it
			has one */
	TEXTS_RAW,   /* one text that is not decoded */
};

struct texts; /* its buffers are reused from search to search */

struct texts *texts_new(const struct query *q); /* borrows the query */
void texts_free(struct texts *t);

/*
 * Asked of each text that has hits, once it is searched; false: they do not count.  Not
 * of a text longer than TEXTS_WHOLE, which counts.  NULL: all count.
 */
typedef bool texts_each_fn(void *ctx, struct str text, uint64_t hits);
void texts_each(struct texts *t, texts_each_fn *each, void *ctx);

/* `patience`: microseconds in which an expression may run long. */
void texts_begin(struct texts *t, enum texts_kind kind, uint64_t patience);
void texts_feed(struct texts *t, struct str bytes);
/* The number of matches.  *gave_up: the patience did not suffice, there may be more. */
uint64_t texts_end(struct texts *t, bool *gave_up);

/* All of that with bytes that are at hand: the number of matches; too small where the
 * work was to stop (base/stop). */
uint64_t texts_count(
	struct texts *t, enum texts_kind kind, struct str bytes, uint64_t patience);

#endif
