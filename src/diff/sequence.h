/*
 * The difference of two sequences: the shortest list of changes from one to the other, as
 * Myers ("An O(ND) Difference Algorithm and Its Variations", 1986) finds it in linear
 * space.  Items are given as hashes; equal hashes mean equal items.
 *
 * The work is limited.  If two sequences are too different for it, the list is longer
 * than necessary but still correct: the items between two changes are equal on both
 * sides, in equal order.
 */
#ifndef CATENA_DIFF_SEQUENCE_H
#define CATENA_DIFF_SEQUENCE_H

#include "json/cursor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* a_count items of the first sequence, from number a on, are replaced by b_count items of
 * the second, from number b on. */
struct sequence_diff_change {
	size_t a, a_count;
	size_t b, b_count;
};

struct sequence_diff { /* all zero bits: no change */
	struct sequence_diff_change
		*changes; /* in order, with at least one item between two changes */
	size_t count, cap;
	bool rough; /* the work was used up: there may be a shorter list */
};

#define DIFF_WORK ((uint64_t)5 << 20) /* about 30 ms, which a user does not notice */

/*
 * Fills an empty diff.  *work is about the number of pairs of items that may be compared;
 * it is reduced by what was used.  Work that is linear in the sequences does not count.
 */
void sequence_diff_sequences(struct sequence_diff *out, const uint64_t *a, size_t a_count,
	const uint64_t *b, size_t b_count, uint64_t *work);
void sequence_diff_done(struct sequence_diff *d);

/* ---- differences of values ---- */

/*
 * The difference of two JSON values: the places that differ by meaning (json/meaning).
 * Members are matched by their keys, items of arrays by their meaning, and replaced items
 * by their order.  Each difference is reported once: where one side lacks the place, or
 * else at the innermost value that differs.
 */
struct value_delta_place {
	size_t path, path_length; /* in `paths`: messages[2].content, a["a key"] */
	struct jv was, is;        /* borrowed; J_NONE: that side lacks it */
};

struct value_delta {                      /* all zero bits: no difference */
	struct value_delta_place *places; /* in the order of the second value */
	size_t count, cap;
	struct buf paths;
	bool more; /* there are more than `most` */
};

/* Fills an empty delta with at most `most` places.  Values nested deeper than
 * MEANING_DEPTH are compared byte for byte.  Arrays cost at most DIFF_WORK. */
void value_delta_read(struct value_delta *d, struct jv was, struct jv is, size_t most);
void value_delta_done(struct value_delta *d);

/* The path of a place: unsafe text.  Empty: the whole value. */
struct str value_delta_path(const struct value_delta *d, size_t place);

#endif
