/* Looking up in arrays that are sorted by a number. */
#ifndef CATENA_BASE_SORTED_H
#define CATENA_BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>

/* The number of an item. */
typedef uint64_t sorted_number_fn(const void *items, size_t i);

/* How many of n items, whose numbers never fall, have one below `bound`: the place of the
 * first that has not. */
static inline size_t sorted_below(
	const void *items, size_t n, uint64_t bound, sorted_number_fn *number)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (number(items, middle) < bound)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
