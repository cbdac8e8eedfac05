/*
 * Which steps of a chain are slow.
 *
 * The rule is about steps that have a latency and no steps below them, since a step with
 * others below it takes as long as they do.  Such a step is slow if it took longer than
 * nine tenths of those in its chain: longer than the value of rank 9/10 n, rounded down
 * and at least 1, in ascending order.  So of two to ten different latencies the greatest
 * is slow, and if all are equal none is.
 *
 * The threshold of a chain is found in slices when it is first needed, and kept: a sorted
 * list goes from chain to chain and back.
 */
#ifndef CATENA_ANALYSIS_SLOW_H
#define CATENA_ANALYSIS_SLOW_H

#include "base/task.h"
#include "trace/trace.h"

struct slow {         /* all zero bits: nothing is known */
	double *most; /* the threshold by chain, in seconds; NaN: not known yet */
	/* of the trace, when all this was true */
	size_t chains, steps;
	uint32_t generation, arrangement;
	uint32_t chain; /* whose latencies are being read, or NO_CHAIN */
	double *values; /* its latencies so far */
	size_t count, cap;
	size_t next; /* the position that is read next */
};

void slow_done(struct slow *s);

/* Looks at the chain of a position until the deadline of base/clock.  Each chain
 * costs one walk over its steps, after that nothing. */
enum task_state slow_run(
	struct slow *s, const struct trace *trace, size_t position, uint64_t deadline);
/* After slow_run of a position of the same chain was TASK_DONE.  O(1). */
bool slow_is(const struct slow *s, const struct trace *trace, size_t position);

/* The threshold of some latencies; NaN without any.  Changes their order.  Linear on
 * average. */
double slow_threshold(double *values, size_t count);

#endif
