/* Binary search: at most log2(n) + 1 calls of the function that is given. */
#ifndef CATENA_BASE_SORTED_H
#define CATENA_BASE_SORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
