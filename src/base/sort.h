/*
 * Sorting in slices: a stable bottom-up merge sort that can stop between any two moves.
 * It needs about count * log2(count) comparisons and room for a second array.
 *
 * The functions are inline because size and comparison are constants where they are
 * called: a move is then a few instructions.
 */
#ifndef CATENA_BASE_SORT_H
#define CATENA_BASE_SORT_H

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

#endif
