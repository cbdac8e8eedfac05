/*
 * What fails, by its shape: results of calls that failed and errors of steps, whose words
 * are alike but for paths, numbers, ids and hashes, which a mask takes the place of.  Any
 * number of traces are added up.  What a person refused is a kind of its own: nothing
 * failed.
 */
#ifndef CATENA_ANALYSIS_SHAPES_H
#define CATENA_ANALYSIS_SHAPES_H

#include "base/mem.h"
#include "import/failure.h"

enum shape_kind {
	SHAPE_FAILED,  /* a result (import/failure.h) */
	SHAPE_REFUSED, /* the person did not let the call run, or stopped it */
	SHAPE_ERROR,   /* the trace says of the step that it failed, and no result does */
	SHAPE_KINDS
};

struct failure_shape {
	enum shape_kind kind;
	struct str tool;    /* unsafe text; empty: not known, or a step that runs none */
	struct str words;   /* unsafe text with masks, such as "<path>" */
	struct str example; /* the first one's, as they are */
	uint64_t count;
	uint64_t traces; /* that have it */
	size_t trace;    /* the first one's number, from 0, */
	size_t chain;    /* ... and where its step is: that called, or failed; from 1, */
	size_t number;   /* ... in its chain */
	/* private */
	size_t last; /* trace that was counted, and 1 */
};

struct shape_hit {
	uint32_t shape, step;
};

struct failure_shapes { /* all zero bits: none */
	struct failure_shape *items;
	size_t count, cap;
	uint64_t total[SHAPE_KINDS];
	bool keeps; /* set it first: `hits` has each of them, in the order of the file */
	struct shape_hit *hits;
	size_t hit_count, hit_cap;
	/* Set it first: steps that count; NULL: all. */
	bool (*passes)(void *ctx, const struct trace *trace, uint32_t step);
	void *ctx;
	/* private */
	struct intern keys;
	struct arena texts;
	struct failure_walk walk;
	size_t trace, at;
};

void shapes_done(struct failure_shapes *s);

/* Adds what failed in a trace, which must not change meanwhile, until the deadline; after
 * TASK_DONE another trace may follow.  Cost: as failure_walk, some 35 us for a result
 * that failed: 7 s for a million results of which a tenth did.  Memory grows with the
 * shapes, and by 16 bytes for each failed result of the trace until it is done. */
enum task_state shapes_run(
	struct failure_shapes *s, struct trace *trace, uint64_t deadline);
/* Puts the largest first; shapes of one size by words, tool and kind.  Numbers in `hits`
 * follow. After it nothing can be added. */
void shapes_sort(struct failure_shapes *s);

extern const char *const shape_kind_names[SHAPE_KINDS]; /* "failed" */

#endif
