/*
 * A merge sort from below, because it can stop anywhere: short runs by qsort, then passes
 * that merge two runs at a time into a second array.
 */
#include "config.h"
#include "payload/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#define SHORT_RUN 4096

void samples_done(struct samples *s)
{
	mem_free(s->items);
	mem_free(s->spare);
	*s = (struct samples){0};
}

void samples_add(struct samples *s, double value, uint32_t a, uint32_t b)
{
	s->items = mem_grow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
	s->items[s->count++] = (struct sample){value, {a, b}};
}

/* ---- sorting ---- */

static int compare_samples(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void sort_run(struct samples *s)
{
	size_t end = least(s->at + SHORT_RUN, s->count);

	qsort(s->items + s->at, end - s->at, sizeof(*s->items), compare_samples);
	s->at = end;
	if (end < s->count)
		return;
	s->run = SHORT_RUN;
	s->at = 0;
}

/* Merges the runs from[at .. middle) and from[middle .. end). */
static void merge(struct sample *to, const struct sample *from, size_t at, size_t middle,
	size_t end)
{
	size_t a = at, b = middle;

	for (size_t i = at; i < end; i++)
		to[i] = a < middle && (b == end || from[a].value <= from[b].value)
				? from[a++]
				: from[b++];
}

static void merge_runs(struct samples *s)
{
	size_t middle = least(s->at + s->run, s->count);
	size_t end = least(middle + s->run, s->count);
	struct sample *items = s->items;

	if (!s->spare)
		s->spare = mem_zalloc(s->cap, sizeof(*s->spare));
	merge(s->spare, items, s->at, middle, end);
	s->at = end;
	if (end < s->count)
		return;
	s->items = s->spare;
	s->spare = items;
	s->run *= 2;
	s->at = 0;
}

bool samples_sort(struct samples *s, uint64_t deadline)
{
	if (s->sorted == s->count)
		return true;
	do {
		if (!s->run)
			sort_run(s);
		else
			merge_runs(s);
	} while ((!s->run || s->run < s->count) && !clock_passed(deadline));
	if (!s->run || s->run < s->count)
		return false;
	mem_free(s->spare);
	s->spare = NULL;
	s->run = 0;
	s->sorted = s->count;
	return true;
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

static bool in_group(const struct sample *x, size_t i, size_t count)
{
	return x->group[i] != NO_GROUP && x->group[i] < count;
}

void samples_rank(const struct samples *s, struct rank *ranks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ranks[i] = rank_unknown;
	for (size_t i = 0; i < 2 * s->count; i++)
		if (in_group(&s->items[i / 2], i % 2, count))
			ranks[s->items[i / 2].group[i % 2]].count++;
	for (size_t i = 0; i < 2 * s->count; i++)
		if (in_group(&s->items[i / 2], i % 2, count))
			meet(&ranks[s->items[i / 2].group[i % 2]], s->items[i / 2].value);
}

struct rank samples_rank_all(const struct samples *s)
{
	struct rank all = rank_unknown;

	all.count = s->count;
	for (size_t i = 0; i < s->count; i++)
		meet(&all, s->items[i].value);
	return all;
}
