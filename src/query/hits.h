/*
 * The hits of a search in the texts of a piece of JSON, also those of JSON in strings,
 * and in a step.
 *
 * The texts are the decoded strings and keys, and each number, literal or junk token as
 * it is written; a match never crosses from one text to the next.  A string that holds
 * JSON is not a text itself: the texts in it are, up to TEXTS_LAYERS strings deep.
 * Whether it holds JSON is decided as for the screen: trimmed, it begins and ends like a
 * container (or like a string that holds one), and json_check does not call it broken.
 *
 * Values in which the query's prefilter finds no candidate are not decoded.
 */
#ifndef CATENA_QUERY_HITS_H
#define CATENA_QUERY_HITS_H

#include "import/open.h"
#include "query/query.h"

/* ---- texts ---- */

#define TEXTS_LAYERS 8

enum texts_kind {
	TEXTS_JSON,  /* values, one or several, whole or broken */
	TEXTS_LINES, /* lines: a text or JSON each, after the name of an SSE field if it
			has one */
	TEXTS_RAW,   /* one text that is not decoded */
};

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

struct texts; /* its buffers are reused from search to search */

struct texts *texts_new(
	const struct query *q, texts_each_fn *each, void *ctx); /* borrows the query */
void texts_free(struct texts *t);

/* The number of matches in bytes; too small where the work was to stop (base/work).
 * `time_left`: microseconds in which an expression may run long. */
uint64_t texts_count(
	struct texts *t, enum texts_kind kind, struct str bytes, uint64_t time_left);
/* The time did not suffice in the last count: there may be more. */
bool texts_gave_up(const struct texts *t);

/* ---- a step ---- */

/*
 * Of a step these texts are searched:
 *
 * - One that is no JSON (STEP_BROKEN, or the rest of a cut stream) is shown as raw text
 *   and searched as one; if that has no hit, its strings are decoded and searched.
 * - The events of a stream are joined, up to HITS_JOINED bytes of them; line by line they
 *   are searched if what they say together has no hit.
 */

#define HITS_JOINED   (4u << 20)
#define HITS_TIME_LIMIT 100000u /* microseconds in which an expression may run long */

/* How many hits a step's text has: that of the opened step, or the bytes of one record.
 * Stops as texts_count does. */
uint64_t hits_count(struct texts *t, struct trace *trace, uint32_t step, struct str text);

struct hit {
	struct str path;   /* input[2].content: within its side, or else within the step;
			      empty: the step itself.  Unsafe text. */
	bool in_key;       /* the hit is in the key at the end of the path */
	struct str text;   /* decoded */
	uint64_t key;      /* map_hash() of it, made once for all its hits */
	uint64_t from, to; /* [from, to) in bytes of the text */
};

/* The hit is valid during the call. */
typedef void hits_fn(void *ctx, const struct hit *hit);

#define HIT_SHOWN 160 /* bytes */

struct hit_place { /* in a text */
	size_t from, to;
};

/* Appends a hit, at most HIT_SHOWN bytes of it, with so many bytes of the text before and
 * after it; white space becomes one blank.  Gives where the hit is in what `out` has. */
struct hit_place hit_excerpt(
	const struct hit *hit, size_t before, size_t after, struct buf *out);

/* Calls `each` for all hits of an opened step, in the order of the text. */
void hits_each(struct trace *trace, uint32_t step, const struct step_content *opened,
	const struct query *q, hits_fn *each, void *ctx);

#endif
