/*
 * What became of a sequence: the shortest list of changes that makes one of another, as
 * Myers ("An O(ND) Difference Algorithm and Its Variations", 1986) finds it in linear
 * space.  Items are given as hashes; those with the same are the same.
 *
 * The work is limited.  Where two sequences are too different for it, the list is longer
 * than it need be but still true: what stands between two changes is the same on both
 * sides, in the same order.
 */
#ifndef CATENA_DIFF_SEQUENCE_H
#define CATENA_DIFF_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* a_count items of the first, from number a on, gave way to b_count of the second. */
struct sequence_diff_change {
	size_t a, a_count;
	size_t b, b_count;
};

struct sequence_diff { /* all zero bits: no change */
	struct sequence_diff_change
		*changes; /* in order; between two of them is an item at least */
	size_t count, cap;
	bool rough; /* the work was used up: there may be a shorter list */
};

#define DIFF_WORK ((uint64_t)5 << 20) /* what a person does not wait for: some 30 ms */

/*
 * Fills an empty diff.  *work, about the number of pairs of items that may be compared,
 * is lessened by what was used; what is linear in the sequences is done without it.
 */
void sequence_diff_sequences(struct sequence_diff *out, const uint64_t *a, size_t a_count,
	const uint64_t *b, size_t b_count, uint64_t *work);
void sequence_diff_done(struct sequence_diff *d);

#endif
