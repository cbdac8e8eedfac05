/*
 * Where laid-out lines contain the hits of a search.  A hit is found in the text as it
 * was before it was wrapped and before text/safe replaced unsafe characters by marks: it
 * may reach over several lines, and a control character in a pattern finds its mark.
 */
#ifndef CATENA_VIEW_HIGHLIGHTS_H
#define CATENA_VIEW_HIGHLIGHTS_H

#include "query/query.h"
#include "text/line.h"
#include "view/doc.h"

/* The piece of a hit on one line, without the line's prefix. */
struct highlight {
	size_t line;
	uint32_t from, to; /* bytes of lines.text */
	size_t hit;        /* its number, from 0 in reading order */
};

struct highlights {
	struct highlight *items; /* in reading order */
	size_t count, cap;
	size_t hits;
};

void highlights_done(struct highlights *m);

/*
 * Replaces the contents by all hits in `ls`; valid as long as that does not change.
 * *patience: microseconds left for an expression that takes long, as in query_run; when
 * they are used up, hits may be missing.  Linear in the text.
 */
void highlights_find(struct highlights *m, const struct lines *ls, const struct query *q,
	uint64_t *patience);

#define MARKS_PATIENCE 10000u

/* The hits in the lines of a block, which is laid out. */
void highlights_find_in(
	struct highlights *m, struct doc *d, size_t block, const struct query *q);
/* The line where a hit begins; 0: there is no such hit. */
uint32_t highlights_line_of(const struct highlights *m, size_t hit);
/* The first hit that begins in a line or after it; `hits`: none does. */
size_t highlights_from(const struct highlights *m, uint32_t line);

/*
 * Fills `out` with a line of `ls`, its hits in ROLE_HIT and the hit `found` (SIZE_MAX:
 * unset) in ROLE_FOUND.  False, and `out` is not touched: the line has no hit.
 */
bool highlights_show(const struct highlights *m, const struct lines *ls, size_t line,
	size_t found, struct lines *out);

#endif
