/*
 * Medians and 95th percentiles of many groups.  Each value is kept with the two groups it
 * belongs to.  All values are sorted once, in slices; one walk over them then finds the
 * ranks of all groups.
 *
 * The median of an even number of values is the mean of the two in the middle.  The 95th
 * percentile is the nearest rank: the least value that 95 of 100 do not exceed.
 */
#ifndef CATENA_ANALYSIS_SAMPLES_H
#define CATENA_ANALYSIS_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sort.h"

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

#endif
