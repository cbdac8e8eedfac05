/*
 * Sorting, searching in what is sorted, and the few greatest.
 *
 * Sorting is a stable bottom-up merge sort, which a waiting key stops (base/work.h); what
 * all passes over the array have done so far stays.  It needs about count * log2(count)
 * comparisons and room for a second array.
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

#include "base/mem.h"
#include "base/work.h"

#define SORT_RUN   8    /* items that are sorted by insertion */
#define SORT_PIECE 1024 /* moves between two looks whether to stop, */
#define SORT_WORK  64   /* ... each of which costs as much as so many bytes */

/* < 0, 0, > 0 as a comes before b, is equal to it, or comes after it. */
typedef int sort_compare_fn(const void *a, const void *b, const void *context);

static inline size_t sort_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Puts each item to its place in its run; `spare` has room for one.  False: stopped. */
static inline bool sort_runs(char *items, size_t count, size_t size, char *spare,
	sort_compare_fn *compare, const void *context)
{
	for (size_t i = 1; i < count; i++) {
		size_t low = i - i % SORT_RUN, at = i;
		char *item = items + i * size;

		if (i % SORT_PIECE == 0 && stop_wanted(SORT_PIECE * SORT_WORK))
			return false;
		while (at > low && compare(item, items + (at - 1) * size, context) < 0)
			at--;
		if (at == i)
			continue;
		memcpy(spare, item, size);
		memmove(items + (at + 1) * size, items + at * size, (i - at) * size);
		memcpy(items + at * size, spare, size);
	}
	return true;
}

/* Merges the runs [low, middle) and [middle, end).  False: it was stopped. */
static inline bool sort_merge(const char *from, char *into, size_t low, size_t middle,
	size_t end, size_t size, sort_compare_fn *compare, const void *context)
{
	size_t left = low, right = middle, to = low;

	while (to < end) {
		size_t stop = sort_least(end, to + SORT_PIECE), done = stop - to;

		for (; to < stop; to++) {
			bool take_right =
				left == middle ||
				(right < end && compare(from + right * size,
							from + left * size, context) < 0);

			memcpy(into + to * size,
				from + (take_right ? right++ : left++) * size, size);
		}
		if (stop_wanted(done * SORT_WORK))
			return false;
	}
	return true;
}

/* Sorts an array.  False: it was stopped.  *run, 0 at first, is how many items in a row
 * are in order then: sorting the same array goes on from there. */
static inline bool sort_items(void *items, size_t count, size_t size,
	sort_compare_fn *compare, const void *context, size_t *run)
{
	char *from = items, *spare = mem_array(count, size), *into = spare, *whole;
	bool stopped = !*run && !sort_runs(from, count, size, spare, compare, context);

	if (!*run && !stopped)
		*run = SORT_RUN;
	while (!stopped && *run < count) {
		for (size_t low = 0; low < count && !stopped; low += 2 * *run) {
			size_t middle = sort_least(low + *run, count),
			       end = sort_least(middle + *run, count);

			stopped = !sort_merge(
				from, into, low, middle, end, size, compare, context);
		}
		if (stopped)
			break;
		*run *= 2;
		whole = into;
		into = from;
		from = whole;
	}
	if (count && from != (char *)items)
		memcpy(items, from, count * size);
	mem_free(spare);
	if (!stopped)
		*run = 0;
	return !stopped;
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
