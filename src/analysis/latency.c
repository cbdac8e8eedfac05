/* See latency.h. */
#include "config.h"
#include "analysis/latency.h"

#include <math.h>

#include "base/work.h"
#include "base/mem.h"
#include "base/sort.h"

#define RANK_WORK 16 /* bytes that cost as much as looking at a sample, */
#define SLOW_WORK 64 /* ... or at a step */

void samples_done(struct samples *s)
{
	mem_free(s->items);
	*s = (struct samples){0};
}

void samples_add(struct samples *s, double value, uint32_t a, uint32_t b)
{
	*MEM_ADD(s->items, s->count, s->cap) = (struct sample){value, {a, b}};
	s->sorted = false;
	s->run = 0;
}

/* A sample begins with its value. */
static int by_value(const void *a, const void *b, const void *context)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
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

bool samples_rank(struct samples *s, struct rank *ranks, size_t count)
{
	for (size_t i = 0; i <= count; i++)
		ranks[i] = rank_unknown;
	stop_begin();
	s->sorted = s->sorted || sort_items(s->items, s->count, sizeof(*s->items),
					 by_value, NULL, &s->run);
	/* first the values of each group are counted, then met in order */
	for (int counted = 0; counted < 2; counted++)
		for (size_t i = 0; i < s->count && !stop_wanted(RANK_WORK); i++)
			for (int k = 0; k < 3; k++) {
				size_t group = k < 2 ? s->items[i].group[k] : count;

				if (group <= count && counted)
					meet(&ranks[group], s->items[i].value);
				else if (group <= count)
					ranks[group].count++;
			}
	return !stop_end();
}

/* ---- slow steps ---- */

void slow_done(struct slow *s)
{
	mem_free(s->most);
	*s = (struct slow){0};
}

/* The latency of a step without steps below it, else NaN. */
static double latency_at(const struct trace *trace, size_t position)
{
	return trace_has_below(trace, position)
		       ? NAN
		       : trace_step(trace, trace_at(trace, position)).latency;
}

bool slow_look(struct slow *s, const struct trace *trace, size_t position)
{
	uint32_t chain = trace_chain_at(trace, position);
	const struct chain *c = &trace->chains[chain];
	const size_t of[] = {trace->order_count, trace->chain_count, trace->generation,
		trace->arrangement};
	size_t count = 0;
	double *values;

	if (memcmp(s->of, of, sizeof(of)) != 0) {
		memcpy(s->of, of, sizeof(of));
		s->most = mem_resize(s->most, trace->chain_count, sizeof(*s->most));
		for (size_t i = 0; i < trace->chain_count; i++)
			s->most[i] = NAN;
	}
	if (!isnan(s->most[chain]))
		return true;
	values = mem_array(c->count, sizeof(*values));
	stop_begin();
	for (size_t i = c->first; i < c->first + c->count && !stop_wanted(SLOW_WORK);
		i++) {
		double latency = latency_at(trace, i);

		count_work(WORK_STEPS, 1);
		if (!isnan(latency))
			values[count++] = latency;
	}
	sort_items(values, count, sizeof(*values), by_value, NULL, &(size_t){0});
	if (!stop_end()) /* of rank 9/10 n, rounded down and at least 1 */
		s->most[chain] = count > 1 ? values[count * 9 / 10 - 1]
				 : count   ? values[0]
					   : INFINITY;
	mem_free(values);
	return !isnan(s->most[chain]);
}

bool slow_is(const struct slow *s, const struct trace *trace, size_t position)
{
	return latency_at(trace, position) > s->most[trace_chain_at(trace, position)];
}
