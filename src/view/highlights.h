/*
 * Where laid-out lines hold what a search looks for.  A hit is found in the text as it
 * was before it was wrapped and before text/safe put marks into it, so one may stand on
 * several lines, and a pattern for a control character finds the mark that stands for it.
 */
#ifndef CATENA_VIEW_HIGHLIGHTS_H
#define CATENA_VIEW_HIGHLIGHTS_H

#include "query/query.h"
#include "text/line.h"

/* A piece of a hit: on one line, without what stands in front of the text there. */
struct highlight {
	size_t line;
	uint32_t from, to; /* bytes of lines.text */
	size_t hit;        /* which one, from 0 in the order they stand */
};

struct highlights {
	struct highlight *items; /* in that order */
	size_t count, cap;
	size_t hits;
};

void highlights_done(struct highlights *m);

/*
 * Forgets what it held, and finds all hits; true as long as `ls` does not change.
 * *patience: microseconds left for places where the expression runs long, as query_run
 * has it; when they are used up, hits may be missing.
 */
void highlights_find(struct highlights *m, const struct lines *ls, const struct query *q,
	uint64_t *patience);

#define MARKS_PATIENCE 10000u

/* The line where a hit begins; it must be one of `hits`. */
size_t highlights_line_of(const struct highlights *m, size_t hit);

/*
 * Fills `out` with one line: that of `ls`, with what is marked in ROLE_HIT and the hit
 * `found` (SIZE_MAX: none) in ROLE_FOUND.  False, and nothing: no mark is on it.
 */
bool highlights_show(const struct highlights *m, const struct lines *ls, size_t line,
	size_t found, struct lines *out);

#endif
