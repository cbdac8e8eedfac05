/*
 * Which steps of a chain are slow.
 *
 * The rule: of the steps that have no steps below them and a latency, those that took
 * longer than nine tenths of all such steps of their chain: longer than the value of rank
 * 9/10 n, rounded down and at least 1, in ascending order.  So of two to ten different
 * ones the slowest is slow, and where all took the same time none is.  A step with others
 * below it only lasts as long as they do.
 *
 * A chain is looked at when it is first asked about, in slices; one is remembered, since
 * whoever walks over the list asks for one chain after another.
 */
#ifndef CATENA_ANALYSIS_SLOW_H
#define CATENA_ANALYSIS_SLOW_H

#include "trace/trace.h"

struct slow {           /* all zero bits: nothing is known */
	double *values; /* latencies of the chain so far */
	size_t count, cap;
	size_t next; /* the position to be looked at next */
	double most; /* what takes longer is slow */
	bool known;
	uint32_t chain, generation, arrangement; /* for which all this is true */
	size_t steps;                            /* ... and of how many */
};

void slow_done(struct slow *s);

/* Looks at the chain of a position until the deadline; false: call again. */
bool slow_look(
	struct slow *s, const struct trace *trace, size_t position, uint64_t deadline);
/* After slow_look of a position of the same chain was true. */
bool slow_is(const struct slow *s, const struct trace *trace, size_t position);

/* The value above which is slow; NaN without values.  Changes their order. */
double slow_threshold(double *values, size_t count);

#endif
