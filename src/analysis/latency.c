/* See latency.h. */
#include "config.h"
#include "analysis/latency.h"

#include <math.h>

#include "base/clock.h"
#include "base/effort.h"
#include "base/map.h"
#include "base/mem.h"

#define PIECE      4096 /* samples between two looks at the clock */
#define SLOW_PIECE 256  /* ... or steps */

void samples_done(struct samples *s)
{
	mem_free(s->items);
	sort_done(&s->sort);
	*s = (struct samples){0};
}

void samples_add(struct samples *s, double value, uint32_t a, uint32_t b)
{
	*MEM_ADD(s->items, s->count, s->cap) = (struct sample){value, {a, b}};
	s->sorting = false;
}

/* ---- sorting ---- */

static int compare_samples(const void *a, const void *b, const void *context)
{
	const struct sample *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

enum task_state samples_sort_run(struct samples *s, uint64_t deadline)
{
	if (s->sorted == s->count)
		return TASK_DONE;
	if (!s->sorting)
		sort_begin(&s->sort, s->items, s->count, sizeof(*s->items));
	s->sorting = true;
	if (sort_run(&s->sort, sizeof(*s->items), compare_samples, NULL, deadline) ==
		TASK_MORE)
		return TASK_MORE;
	sort_done(&s->sort);
	s->sorting = false;
	s->sorted = s->count;
	return TASK_DONE;
}

/* ---- ranks ---- */

static void meet(struct rank *r, double value)
{
	uint64_t half = r->count / 2;

	r->seen++;
	if (r->seen == half + 1)
		r->median = r->count % 2 ? value : r->median / 2 + value / 2;
	else if (r->seen == half)
		r->median = value;
	if (r->seen == (95 * r->count + 99) / 100)
		r->p95 = value;
}

static const struct rank rank_unknown = {0, 0, NAN, NAN};

enum task_state samples_rank_run(
	struct samples *s, struct rank *ranks, size_t count, uint64_t deadline)
{
	for (size_t i = 0; !s->ranked && i < count; i++)
		ranks[i] = rank_unknown;
	/* of each sample two groups, each a turn: first all are counted, then met in
	 * order */
	while (s->ranked < 4 * s->count) {
		bool counted = s->ranked >= 2 * s->count;
		size_t i = counted ? s->ranked - 2 * s->count : s->ranked;
		uint32_t group = s->items[i / 2].group[i % 2];

		if (group < count && counted)
			meet(&ranks[group], s->items[i / 2].value);
		else if (group < count)
			ranks[group].count++;
		if (++s->ranked % PIECE == 0 && clock_passed(deadline))
			return TASK_MORE;
	}
	s->ranked = 0;
	return TASK_DONE;
}

struct rank samples_rank_all(const struct samples *s)
{
	struct rank all = rank_unknown;
	size_t half = s->count / 2;

	all.count = all.seen = s->count;
	if (!s->count)
		return all;
	all.median = s->items[half].value;
	if (s->count % 2 == 0)
		all.median = s->items[half - 1].value / 2 + all.median / 2;
	all.p95 = s->items[(95 * s->count + 99) / 100 - 1].value;
	return all;
}

/* ---- slow steps ---- */

void slow_done(struct slow *s)
{
	mem_free(s->values);
	mem_free(s->most);
	sort_done(&s->sort);
	*s = (struct slow){0};
}

/* ---- a chain ---- */

static int compare_latencies(const void *a, const void *b, const void *context)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

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
		s->sorting = false;
	}
	for (; s->next < end; s->next++) {
		double latency = latency_at(trace, s->next);

		effort(EFFORT_STEPS, 1);
		if (s->next % SLOW_PIECE == 0 && clock_passed(deadline))
			return TASK_MORE;
		if (isnan(latency))
			continue;
		*MEM_ADD(s->values, s->count, s->cap) = latency;
	}
	if (!s->sorting)
		sort_begin(&s->sort, s->values, s->count, sizeof(*s->values));
	s->sorting = true;
	if (sort_run(&s->sort, sizeof(*s->values), compare_latencies, NULL, deadline) ==
		TASK_MORE)
		return TASK_MORE;
	/* of rank 9/10 n, rounded down and at least 1 */
	s->most[chain] = s->count > 1 ? s->values[s->count * 9 / 10 - 1]
			 : s->count   ? s->values[0]
				      : INFINITY;
	return TASK_DONE;
}

bool slow_is(const struct slow *s, const struct trace *trace, size_t position)
{
	return latency_at(trace, position) > s->most[trace_chain_at(trace, position)];
}
