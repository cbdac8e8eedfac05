/*
 * The hits of a search in one step: how many they are, for query/search, and where each
 * is.  The texts are those of query/texts:
 *
 * - A step that is no JSON (STEP_BROKEN, or the rest of a cut stream) is shown as raw
 *   text and searched as one; if that has no hit, its strings are decoded and searched.
 * - The events of a stream are joined, up to HITS_JOINED bytes of them; line by line they
 *   are searched if what they say together has no hit.
 */
#ifndef CATENA_QUERY_HITS_H
#define CATENA_QUERY_HITS_H

#include "import/open.h"
#include "query/texts.h"

#define HITS_JOINED   (4u << 20)
#define HITS_PATIENCE 100000u /* microseconds in which an expression may run long */

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
void hits_each(struct trace *trace, uint32_t step, const struct opened *opened,
	const struct query *q, hits_fn *each, void *ctx);

#endif
