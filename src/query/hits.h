/*
 * The hits of a search in one step, each with its path: query/search only counts them.
 * The texts are those that query/texts searches, with JSON in strings opened in the same
 * way; a value nested deeper than 200 levels is searched as one raw text.
 */
#ifndef CATENA_QUERY_HITS_H
#define CATENA_QUERY_HITS_H

#include "import/open.h"
#include "query/query.h"
#include "trace/trace.h"

struct hit {
	struct str path;   /* input[2].content: within its side, or else within the step;
			      empty: the step itself.  Unsafe text. */
	bool in_key;       /* the hit is in the key at the end of the path */
	struct str text;   /* decoded */
	uint64_t key;      /* map_hash() of it, made once for all its hits */
	uint64_t from, to; /* [from, to) in bytes of the text */
};

/* The hit is valid during the call; false ends the walk. */
typedef bool hits_fn(void *ctx, const struct hit *hit);

/* Calls `each` for all hits of a step, in the order of the text.  `opened` is that step,
 * or NULL: then it is read, in one piece. */
void hits_each(struct trace *trace, uint32_t step, const struct opened *opened,
	const struct query *q, hits_fn *each, void *ctx);

#endif
