/*
 * "Did you mean": of many names the one nearest to what was written, by the number of
 * characters that are missing, too many, others, or exchanged with their neighbour.
 */
#ifndef CATENA_BASE_NEAR_H
#define CATENA_BASE_NEAR_H

#include "base/buf.h"

struct near {
	struct str wanted; /* borrowed */
	struct str best;   /* borrowed from the candidate; .p NULL: none */
	size_t distance;
};

void near_begin(struct near *n, struct str wanted);
void near_try(struct near *n, struct str candidate);

/* Appends `; did you mean "first"?`, or nothing when no candidate is near enough. */
void near_put(const struct near *n, struct buf *out);

#endif
