/*
 * Where in a step the hits of a search stand: query/search counts them, this names their
 * places.  Texts are those that query/texts searches, with the same way into JSON in
 * strings; what is nested deeper than 200 levels is one raw text.
 */
#ifndef CATENA_QUERY_HITS_H
#define CATENA_QUERY_HITS_H

#include "query/query.h"
#include "trace/trace.h"

struct hit {
	struct str path; /* input[2].content, from the side if it stands in one; else from
			    the step, which is empty.  Raw text. */
	bool in_key;     /* in the key that the path ends with */
	struct str text; /* decoded, */
	uint64_t from, to; /* ... and where in it */
};

/* False: no more are wanted. */
typedef bool hits_fn(void *ctx, const struct hit *hit);

/* All of one step, in the order they stand; reads and decodes the whole step. */
void hits_each(struct trace *trace, uint32_t step, const struct query *q, hits_fn *each,
	void *ctx);

#endif
