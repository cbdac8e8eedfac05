/*
 * Which steps of a chain are slow.
 *
 * The rule: of the steps that have no steps below them and a latency, those that took
 * longer than nine tenths of all such steps of their chain: longer than the value of rank
 * 9/10 n, rounded down and at least 1, in ascending order.  So of two to ten different
 * ones the slowest is slow, and where all took the same time none is.  A step with others
 * below it only lasts as long as they do.
 *
 * A chain is looked at when it is first asked about, in slices, and what is slow in it is
 * remembered: a sorted list goes from chain to chain and back.
 */
#ifndef CATENA_ANALYSIS_SLOW_H
#define CATENA_ANALYSIS_SLOW_H

#include "base/task.h"
#include "trace/trace.h"

struct slow {          /* all zero bits: nothing is known */
	double *most;  /* by chain: what takes longer is slow; NaN: not known yet */
	size_t chains; /* of the model for which all this is true, */
	size_t steps;  /* its steps */
	uint32_t generation, arrangement;
	uint32_t chain; /* that is looked at, or NO_CHAIN */
	double *values; /* latencies of it so far */
	size_t count, cap;
	size_t next; /* the position to be looked at next */
};

void slow_done(struct slow *s);

/* Looks at the chain of a position until the deadline of base/clock.  Each chain
 * costs one walk over its steps, after that nothing. */
enum task_state slow_run(
	struct slow *s, const struct trace *trace, size_t position, uint64_t deadline);
/* After slow_run of a position of the same chain was TASK_DONE.  O(1). */
bool slow_is(const struct slow *s, const struct trace *trace, size_t position);

/* The value above which is slow; NaN without values.  Changes their order. */
double slow_threshold(double *values, size_t count);

#endif
