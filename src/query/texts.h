/*
 * Searching all texts of a piece of JSON for a query, also those of JSON in strings.
 *
 * The texts are the decoded strings and keys, and each number, literal or junk token as
 * it is written; a match never crosses from one text to the next.  A string that holds
 * JSON is not a text itself: the texts in it are, up to TEXTS_LAYERS strings deep.
 * Whether it holds JSON is decided as for the screen: trimmed, it begins and ends like a
 * container (or like a string that holds one), and json_check does not call it broken.
 *
 * Values in which the query's sieve finds no candidate are not decoded.
 */
#ifndef CATENA_QUERY_TEXTS_H
#define CATENA_QUERY_TEXTS_H

#include "query/query.h"

#define TEXTS_LAYERS 8

enum texts_kind {
	TEXTS_JSON,  /* values, one or several, whole or broken */
	TEXTS_LINES, /* lines: a text or JSON each, after the name of an SSE field if it
			has one */
	TEXTS_RAW,   /* one text that is not decoded */
};

struct texts; /* its buffers are reused from search to search */

struct texts *texts_new(const struct query *q); /* borrows the query */
void texts_free(struct texts *t);

/* A text that has hits.  It stands in a value of the searched bytes, or, if that is a
 * string of JSON, in a value of the text of that string, and so on. */
struct texts_found {
	struct str text; /* decoded */
	uint64_t hits;
	const struct texts_place {
		struct str whole; /* the searched bytes, or the string's text; */
		const char *at;   /* the value in them, as it is written */
	} * places;
	size_t layer; /* the innermost of the places */
	enum texts_kind kind;
};

/* Asked of each text that has hits, once it is searched; false: they do not count.  NULL:
 * all count. */
typedef bool texts_each_fn(void *ctx, const struct texts_found *found);
void texts_each(struct texts *t, texts_each_fn *each, void *ctx);

/* The number of matches in bytes; too small where the work was to stop (base/stop).
 * `patience`: microseconds in which an expression may run long. */
uint64_t texts_count(
	struct texts *t, enum texts_kind kind, struct str bytes, uint64_t patience);
/* The patience did not suffice in the last count: there may be more. */
bool texts_gave_up(const struct texts *t);

#endif
