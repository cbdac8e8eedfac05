/*
 * What became of a text: the pieces of it that stayed, went and came, line by line first
 * and then word by word inside the lines that changed.  The pieces that stayed and those
 * that went are the first text, byte for byte; those that stayed and came the second.
 */
#ifndef CATENA_DIFF_TEXT_DELTA_H
#define CATENA_DIFF_TEXT_DELTA_H

#include "base/str.h"

#include <stdint.h>

enum text_delta_kind { DELTA_SAME, DELTA_GONE, DELTA_CAME };

struct text_delta_piece {
	enum text_delta_kind kind;
	struct str text; /* borrows: SAME and CAME the second text, GONE the first */
};

struct text_delta {
	struct text_delta_piece *pieces; /* neighbours differ in kind; GONE before CAME */
	size_t count, cap;
	bool rough;    /* too different to be compared exactly: more is shown as changed
			  than need be */
	bool too_long; /* what differs is longer than DELTA_MOST and was not compared */
};

#define DELTA_MOST ((size_t)8 << 20) /* bytes between what both begin and end with */

/* Fills an empty delta, which borrows both texts.  Linear, but for a work limit. */
void text_delta_read(struct text_delta *d, struct str was, struct str is);
void text_delta_done(struct text_delta *d);

#endif
