/*
 * How long steps take.
 *
 * Medians and 95th percentiles of many groups.  Each value is kept with the two groups it
 * belongs to.  All values are sorted once; walks over them then find the ranks of all
 * groups.
 *
 * The median of an even number of values is the mean of the two in the middle.  The 95th
 * percentile is the nearest rank: the least value that 95 of 100 do not exceed.
 */
#ifndef CATENA_ANALYSIS_LATENCY_H
#define CATENA_ANALYSIS_LATENCY_H

#include "trace/trace.h"

#define NO_GROUP UINT32_MAX

struct sample {
	double value; /* not NaN */
	uint32_t group[2];
};

struct samples { /* all zero bits: none */
	struct sample *items;
	size_t count, cap;
	/* private */
	bool sorted;
	size_t run; /* how far they are sorted */
};

/* What is known of a group once all its values were met. */
struct rank {
	uint64_t count, seen; /* values in all, so far */
	double median, p95;   /* NaN: the group has none */
};

void samples_done(struct samples *s);
void samples_add(
	struct samples *s, double value, uint32_t a, uint32_t b); /* or NO_GROUP */
/* Brings them in order and fills ranks[group] for all groups, which are below `count`,
 * and ranks[count] for all samples.  n log n in the samples; false: a waiting key stopped
 * it, to be begun again. */
bool samples_rank(struct samples *s, struct rank *ranks, size_t count);

/*
 * Which steps of a chain are slow.
 *
 * The rule is about steps that have a latency and no steps below them, since a step with
 * others below it takes as long as they do.  Such a step is slow if it took longer than
 * nine tenths of those in its chain: longer than the value of rank 9/10 n, rounded down
 * and at least 1, in ascending order.  So of two to ten different latencies the greatest
 * is slow, and if all are equal none is.
 *
 * The threshold of a chain is found when it is first needed, and kept: a sorted list goes
 * from chain to chain and back.
 */
struct slow {         /* all zero bits: nothing is known */
	double *most; /* the threshold by chain, in seconds; NaN: not known yet */
	/* steps, chains, generation and arrangement of the trace, when all this was true
	 */
	size_t of[4];
};

void slow_done(struct slow *s);

/* Looks at the chain of a position; false: a waiting key stopped it, to be begun again.
 * Each chain costs one walk over its steps and sorting their latencies, after that
 * nothing. */
bool slow_look(struct slow *s, const struct trace *trace, size_t position);
/* After slow_look of a position of the same chain.  O(1). */
bool slow_is(const struct slow *s, const struct trace *trace, size_t position);

#endif
