/*
 * Sorting, searching in what is sorted, and the few greatest.
 *
 * Sorting works in slices: a stable bottom-up merge sort that can stop between any two
 * moves. It needs about count * log2(count) comparisons and room for a second array.
 *
 * The functions are inline because size and comparison are constants where they are
 * called: a move is then a few instructions.
 */
#ifndef CATENA_BASE_SORT_H
#define CATENA_BASE_SORT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/task.h"

#define SORT_PIECE 1024 /* moves between two readings of the clock */

/* < 0, 0, > 0 as a comes before b, is equal to it, or comes after it. */
typedef int sort_compare_fn(const void *a, const void *b, const void *context);

struct sort { /* all zero bits: nothing to sort */
	/* private */
	char *from, *into; /* what this pass reads and writes */
	char *spare;
	size_t spare_cap; /* bytes */
	size_t count;
	size_t run;      /* each [n * run, (n + 1) * run) is in order, */
	bool short_runs; /* or, while this is set, will be */
	size_t low, to; /* start of the two runs that are merged; end of what is merged */
	size_t left, right; /* the next item of each of the two runs */
};

static inline size_t sort_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static inline void sort_begin_merge(struct sort *s, size_t low)
{
	s->low = s->left = s->to = low;
	s->right = sort_least(low + s->run, s->count);
}

/* Begins to sort an array, which is borrowed until it is done.  The array must not move
 * or grow meanwhile.  What was allocated for an earlier array is used again. */
static inline void sort_begin(struct sort *s, void *items, size_t count, size_t size)
{
	size_t passes = 0;

	s->run = 8;
	for (size_t n = count; n > s->run; n = n / 2 + n % 2)
		passes++;
	if (passes % 2) /* an even number of passes ends in the array they began with */
		s->run = 4;
	s->short_runs = true;
	s->count = count;
	s->to = 0;
	s->spare = mem_grow(s->spare, &s->spare_cap, count * size, 1);
	s->from = items;
	s->into = s->spare;
}

static inline void sort_done(struct sort *s)
{
	mem_free(s->spare);
	*s = (struct sort){0};
}

/* Puts the next item to its place in a short run. */
static inline void sort_insert(
	struct sort *s, size_t size, sort_compare_fn *compare, const void *context)
{
	size_t low = s->to - s->to % s->run, at = s->to;
	char *item = s->from + s->to * size;

	while (at > low && compare(item, s->from + (at - 1) * size, context) < 0)
		at--;
	if (at < s->to) {
		memcpy(s->into, item, size);
		memmove(s->from + (at + 1) * size, s->from + at * size,
			(s->to - at) * size);
		memcpy(s->from + at * size, s->into, size);
	}
	if (++s->to < s->count)
		return;
	s->short_runs = false;
	sort_begin_merge(s, 0);
}

/* Merges at most `moves` items; returns how many. */
static inline size_t sort_merge(struct sort *s, size_t size, sort_compare_fn *compare,
	const void *context, size_t moves)
{
	size_t middle = sort_least(s->low + s->run, s->count);
	size_t end = sort_least(middle + s->run, s->count);
	size_t stop = moves < end - s->to ? s->to + moves : end;
	size_t left = s->left, right = s->right, to = s->to, done = stop - to;
	char *from = s->from, *into = s->into;

	for (; to < stop; to++) {
		bool take_right =
			left == middle ||
			(right < end && compare(from + right * size, from + left * size,
						context) < 0);

		memcpy(into + to * size, from + (take_right ? right++ : left++) * size,
			size);
	}
	s->left = left;
	s->right = right;
	s->to = to;
	if (to < end)
		return done;
	if (end == s->count) {
		s->from = into;
		s->into = from;
		s->run *= 2;
		end = 0;
	}
	sort_begin_merge(s, end);
	return done;
}

/* By so many moves at most. */
static inline enum task_state sort_run_some(struct sort *s, size_t size,
	sort_compare_fn *compare, const void *context, size_t moves)
{
	for (; moves && s->short_runs && s->to < s->count; moves--)
		sort_insert(s, size, compare, context);
	while (moves && !s->short_runs && s->run < s->count)
		moves -= sort_merge(s, size, compare, context, moves);
	return (s->short_runs ? !s->count : s->run >= s->count) ? TASK_DONE : TASK_MORE;
}

/* Works until the deadline of base/clock. */
static inline enum task_state sort_run(struct sort *s, size_t size,
	sort_compare_fn *compare, const void *context, uint64_t deadline)
{
	while (sort_run_some(s, size, compare, context, SORT_PIECE) == TASK_MORE)
		if (clock_passed(deadline))
			return TASK_MORE;
	return TASK_DONE;
}

/* Binary search: at most log2(n) + 1 calls of the function that is given. */

/* Whether item i comes before the place that is looked for. */
typedef bool sorted_before_fn(const void *context, size_t i);

/* How many of n items come before a place: `before` is true of the first ones, and false
 * of all that follow. */
static inline size_t sorted_place(const void *context, size_t n, sorted_before_fn *before)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (before(context, middle))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The number of an item. */
typedef uint64_t sorted_number_fn(const void *items, size_t i);

struct sorted_bound {
	const void *items;
	uint64_t bound;
	sorted_number_fn *number;
};

static inline bool sorted_is_below(const void *context, size_t i)
{
	const struct sorted_bound *b = context;

	return b->number(b->items, i) < b->bound;
}

/* How many of n items, whose numbers never fall, have one below `bound`: the place of the
 * first that has not. */
static inline size_t sorted_below(
	const void *items, size_t n, uint64_t bound, sorted_number_fn *number)
{
	struct sorted_bound b = {items, bound, number};

	return sorted_place(&b, n, sorted_is_below);
}

/* A number of 32 or 64 bits. */
static inline uint64_t sorted_number(const char *p, size_t size)
{
	uint32_t narrow;
	uint64_t wide;

	if (size == sizeof(narrow)) {
		memcpy(&narrow, p, sizeof(narrow));
		return narrow;
	}
	memcpy(&wide, p, sizeof(wide));
	return wide;
}

static inline size_t sorted_numbers_below(
	const void *first, size_t n, size_t step, size_t size, uint64_t bound)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sorted_number((const char *)first + middle * step, size) < bound)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ... where the number is a member of the items. */
#define SORTED_BELOW(items, n, member, bound)                                            \
	sorted_numbers_below((n) ? &(items)->member : NULL, (n), sizeof(*(items)),       \
		sizeof((items)->member), (bound))

/* The few greatest of many numbers that come one by one, the greatest first; of equal
 * ones the one that was added first stays first. */

#define TOP_MOST 5

struct top_n { /* all zero bits: none */
	struct top_n_item {
		double value;
		size_t number; /* of what has it */
	} items[TOP_MOST];
	size_t count;
};

/* Ignores NaN. */
static inline void top_n_add(struct top_n *t, double value, size_t number)
{
	size_t at = t->count;

	if (isnan(value))
		return;
	if (at == TOP_MOST && !(value > t->items[--at].value))
		return;
	for (; at && value > t->items[at - 1].value; at--)
		t->items[at] = t->items[at - 1];
	t->items[at] = (struct top_n_item){value, number};
	if (t->count < TOP_MOST)
		t->count++;
}

static inline bool top_n_has(const struct top_n *t, size_t number)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->items[i].number == number)
			return true;
	return false;
}

#endif
