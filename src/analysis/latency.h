/*
 * How long steps take.
 *
 * Medians and 95th percentiles of many groups.  Each value is kept with the two groups it
 * belongs to.  All values are sorted once, in slices; one walk over them then finds the
 * ranks of all groups.
 *
 * The median of an even number of values is the mean of the two in the middle.  The 95th
 * percentile is the nearest rank: the least value that 95 of 100 do not exceed.
 */
#ifndef CATENA_ANALYSIS_LATENCY_H
#define CATENA_ANALYSIS_LATENCY_H

#include "base/sort.h"
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
	struct sort sort;
	bool sorting;  /* `sort` has begun */
	size_t sorted; /* the first so many samples are sorted */
	size_t ranked; /* progress of samples_rank_run */
};

/* What is known of a group once all its values were met. */
struct rank {
	uint64_t count, seen; /* values in all, so far */
	double median, p95;   /* NaN: the group has none */
};

void samples_done(struct samples *s);
void samples_add(
	struct samples *s, double value, uint32_t a, uint32_t b); /* or NO_GROUP */
/* Brings them in order, until the deadline of base/clock. */
enum task_state samples_sort_run(struct samples *s, uint64_t deadline);
/*
 * Fills ranks[group] for all groups, until the deadline.  The samples are sorted, and the
 * next slice gets the same ranks.
 */
enum task_state samples_rank_run(
	struct samples *s, struct rank *ranks, size_t count, uint64_t deadline);
/* Of all samples as one group. */
struct rank samples_rank_all(const struct samples *s);

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
struct slow {         /* all zero bits: nothing is known */
	double *most; /* the threshold by chain, in seconds; NaN: not known yet */
	/* of the trace, when all this was true */
	size_t chains, steps;
	uint32_t generation, arrangement;
	uint32_t chain; /* whose latencies are being read, or NO_CHAIN */
	double *values; /* its latencies so far */
	size_t count, cap;
	size_t next; /* the position that is read next */
	struct sort sort; /* of the latencies, once all are read: */
	bool sorting;     /* ... it has begun */
};

void slow_done(struct slow *s);

/* Looks at the chain of a position until the deadline of base/clock.  Each chain costs
 * one walk over its steps and sorting their latencies, after that nothing. */
enum task_state slow_run(
	struct slow *s, const struct trace *trace, size_t position, uint64_t deadline);
/* After slow_run of a position of the same chain was TASK_DONE.  O(1). */
bool slow_is(const struct slow *s, const struct trace *trace, size_t position);

#endif
