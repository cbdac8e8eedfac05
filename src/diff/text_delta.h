/*
 * The difference of two texts as pieces that stayed, were removed or were added: by lines
 * first, and by words within changed lines.  The pieces SAME and GONE are the first text,
 * byte for byte; SAME and CAME are the second.
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
	struct text_delta_piece *pieces; /* neighbors differ in kind; GONE before CAME */
	size_t count, cap;
	bool rough;    /* too different for an exact comparison: more is shown as changed
			  than necessary */
	bool too_long; /* the differing part exceeds DELTA_MOST and was not compared */
};

#define DELTA_MOST ((size_t)8 << 20) /* bytes between the common beginning and end */

/* Fills an empty delta, which borrows both texts.  Linear, plus at most DIFF_WORK. */
void text_delta_read(struct text_delta *d, struct str was, struct str is);
void text_delta_done(struct text_delta *d);

#endif
