/*
 * The difference of two JSON values: the places that differ by meaning (json/meaning).
 * Members are matched by their keys, items of arrays by their meaning, and replaced items
 * by their order.  Each difference is reported once: where one side lacks the place, or
 * else at the innermost value that differs.
 */
#ifndef CATENA_DIFF_VALUE_DELTA_H
#define CATENA_DIFF_VALUE_DELTA_H

#include "json/cursor.h"

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
