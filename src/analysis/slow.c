/* See slow.h. */
#include "config.h"
#include "analysis/slow.h"

#include <math.h>

#include "base/clock.h"
#include "base/effort.h"
#include "base/mem.h"

#define PIECE 256 /* steps between two looks at the clock */

void slow_done(struct slow *s)
{
	mem_free(s->values);
	mem_free(s->most);
	*s = (struct slow){0};
}

/* ---- the value of a rank ---- */

static void swap(double *a, double *b)
{
	double t = *a;

	*a = *b;
	*b = t;
}

/* Chooses a pivot by a hash that differs from run to run, so that no file is a bad case,
 * and moves it to the front. */
static double choose_pivot(double *v, size_t low, size_t high)
{
	uint64_t hash = map_hash((struct str){(const char *)&low, sizeof(low)});

	swap(&v[low], &v[low + (size_t)(hash % (high - low + 1))]);
	return v[low];
}

/* Quickselect with Hoare's partition: equal values are spread over both sides. */
static double value_of_rank(double *v, size_t count, size_t rank)
{
	size_t low = 0, high = count - 1;

	while (low < high) {
		double pivot = choose_pivot(v, low, high);
		size_t i = low, j = high;

		for (;; i++, j--) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			swap(&v[i], &v[j]);
		}
		if (rank <= j)
			high = j;
		else
			low = j + 1;
	}
	return v[rank];
}

double slow_threshold(double *values, size_t count)
{
	size_t rank = count - count / 10 - (count % 10 != 0);

	if (!count)
		return NAN;
	return value_of_rank(values, count, rank ? rank - 1 : 0);
}

/* ---- a chain ---- */

/* The latency of a step without steps below it, else NaN. */
static double latency_at(const struct trace *trace, size_t position)
{
	if (position + 1 < trace->order_count &&
		trace_depth(trace, position + 1) > trace_depth(trace, position))
		return NAN;
	return trace_step(trace, trace_at(trace, position)).latency;
}

static void forget(struct slow *s, const struct trace *trace)
{
	slow_done(s);
	s->chain = NO_CHAIN;
	s->steps = trace->order_count;
	s->chains = trace->chain_count;
	s->generation = trace->generation;
	s->arrangement = trace->arrangement;
	s->most = mem_alloc(s->chains * sizeof(*s->most));
	for (size_t i = 0; i < s->chains; i++)
		s->most[i] = NAN;
}

enum task_state slow_run(
	struct slow *s, const struct trace *trace, size_t position, uint64_t deadline)
{
	uint32_t chain = trace_chain_at(trace, position);
	size_t end = trace->chains[chain].first + trace->chains[chain].count;

	if (s->steps != trace->order_count || s->chains != trace->chain_count ||
		s->generation != trace->generation ||
		s->arrangement != trace->arrangement)
		forget(s, trace);
	if (!isnan(s->most[chain]))
		return TASK_DONE;
	if (s->chain != chain) {
		s->chain = chain;
		s->next = trace->chains[chain].first;
		s->count = 0;
	}
	for (; s->next < end; s->next++) {
		double latency = latency_at(trace, s->next);

		effort(EFFORT_STEPS, 1);
		if (s->next % PIECE == 0 && clock_passed(deadline))
			return TASK_MORE;
		if (isnan(latency))
			continue;
		*MEM_ADD(s->values, s->count, s->cap) = latency;
	}
	s->most[chain] = s->count ? slow_threshold(s->values, s->count) : INFINITY;
	return TASK_DONE;
}

bool slow_is(const struct slow *s, const struct trace *trace, size_t position)
{
	return latency_at(trace, position) > s->most[trace_chain_at(trace, position)];
}
