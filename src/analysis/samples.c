#include "config.h"
#include "analysis/samples.h"

#include <math.h>

#include "base/clock.h"
#include "base/mem.h"

#define PIECE 4096 /* samples between two looks at the clock */

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

/* Of each sample two groups, each a turn; first all are counted, then met in order. */
static void rank_one(struct samples *s, struct rank *ranks, size_t count, size_t turn)
{
	bool counted = turn >= 2 * s->count;
	size_t i = counted ? turn - 2 * s->count : turn;
	const struct sample *x = &s->items[i / 2];
	uint32_t group = x->group[i % 2];

	if (group == NO_GROUP || group >= count)
		return;
	if (counted)
		meet(&ranks[group], x->value);
	else
		ranks[group].count++;
}

enum task_state samples_rank_run(
	struct samples *s, struct rank *ranks, size_t count, uint64_t deadline)
{
	for (size_t i = 0; !s->ranked && i < count; i++)
		ranks[i] = rank_unknown;
	while (s->ranked < 4 * s->count) {
		rank_one(s, ranks, count, s->ranked);
		if (++s->ranked % PIECE == 0 && clock_passed(deadline))
			return TASK_MORE;
	}
	s->ranked = 0;
	return TASK_DONE;
}

/* One of the values in order. */
static double value_at(const struct samples *s, size_t rank)
{
	return s->items[rank - 1].value;
}

struct rank samples_rank_all(const struct samples *s)
{
	struct rank all = rank_unknown;
	size_t half = s->count / 2;

	all.count = all.seen = s->count;
	if (!s->count)
		return all;
	all.median = value_at(s, half + 1);
	if (s->count % 2 == 0)
		all.median = value_at(s, half) / 2 + all.median / 2;
	all.p95 = value_at(s, (95 * s->count + 99) / 100);
	return all;
}
