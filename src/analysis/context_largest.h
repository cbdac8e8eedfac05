/*
 * The largest items of what one step was sent.  Of a turn of a session log they stand in
 * the steps before it, too: those are opened again.
 */
#ifndef CATENA_ANALYSIS_CONTEXT_LARGEST_H
#define CATENA_ANALYSIS_CONTEXT_LARGEST_H

#include "analysis/context.h"

#define CONTEXT_LARGEST 500 /* items that are kept */

struct context_big {
	enum context_kind kind;
	bool input; /* where it stands: the side of the step of a row, */
	uint32_t row;
	size_t message, part; /* and there, as context_item has them */
	uint64_t bytes, weight, hash;
	struct str name; /* of the tool, or its call in few words; unsafe text */
	struct str line; /* how it begins, without line ends; unsafe text */
};

struct context_largest {
	struct context_big *items; /* the largest first */
	size_t count;
	size_t others; /* items that are not kept, and what they take: */
	uint64_t other_bytes, other_weight;
	size_t row;    /* of which all this is */
	bool by_bytes; /* sizes are bytes; else what counts for tokens */
	/* private */
	struct context *context;
	uint32_t *rows; /* that are read, the last first */
	size_t left, row_cap;
	struct context_names names;
	struct arena texts;
};

/* Borrows the context; the row is known in it. */
struct context_largest *context_largest_new(struct context *c, size_t row, bool by_bytes);
void context_largest_free(struct context_largest *l);
/* Works until the deadline; what is there in between is the largest so far. */
enum task_state context_largest_run(struct context_largest *l, uint64_t deadline);

#endif
