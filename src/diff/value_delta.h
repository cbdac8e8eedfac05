/*
 * What became of a value: the places that differ, by meaning (json/meaning).  Members are
 * matched by their keys, items of arrays by what they mean, those that gave way to others
 * in their order.  A place is reported once, as high up as one side lacks it and else
 * where the difference is.
 */
#ifndef CATENA_DIFF_VALUE_DELTA_H
#define CATENA_DIFF_VALUE_DELTA_H

#include "json/cursor.h"

struct value_delta_place {
	size_t path, path_length; /* in `paths`: messages[2].content, a["a key"] */
	struct jv was, is;        /* J_NONE: it is not there; borrowed */
};

struct value_delta {                      /* all zero bits: no difference */
	struct value_delta_place *places; /* in the order of the second value */
	size_t count, cap;
	struct buf paths;
	bool more; /* there are more than were asked for */
};

/* Fills an empty delta with `most` places at most.  What is nested deeper than
 * MEANING_DEPTH is compared as it is written. */
void value_delta_read(struct value_delta *d, struct jv was, struct jv is, size_t most);
void value_delta_done(struct value_delta *d);

/* The path of a place, as it stands in the file: unsafe text.  Empty: the whole value. */
struct str value_delta_path(const struct value_delta *d, size_t place);

#endif
