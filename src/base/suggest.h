/*
 * "Did you mean": of many names the one nearest to what was written, by the number of
 * characters that are missing, superfluous, different, or exchanged with their neighbor.
 */
#ifndef CATENA_BASE_SUGGEST_H
#define CATENA_BASE_SUGGEST_H

#include "base/buf.h"

struct suggest {
	struct str wanted; /* borrowed */
	struct str best;   /* borrowed from the candidate; .p NULL: none */
	size_t distance;
};

void suggest_begin(struct suggest *n, struct str wanted);
/* Compares a candidate.  Names of more than 32 bytes are never suggested. */
void suggest_try(struct suggest *n, struct str candidate);

/* Appends `; did you mean "first"?`, or nothing when no candidate is near enough. */
void suggest_put(const struct suggest *n, struct buf *out);

#endif
