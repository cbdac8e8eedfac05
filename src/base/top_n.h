/* The few greatest of many numbers that come one by one, the greatest first; of equal
 * ones the one that was added first stays first. */
#ifndef CATENA_BASE_TOP_N_H
#define CATENA_BASE_TOP_N_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

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
