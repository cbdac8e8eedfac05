/*
 * The hits of a search in a document: where its lines have them, which of them count, and
 * the walk from one to the next.
 */
#ifndef CATENA_VIEW_DOC_HITS_H
#define CATENA_VIEW_DOC_HITS_H

#include "base/work.h"
#include "text/line.h"
#include "view/doc.h"
#include "view/hit_count.h"

/* ---- in laid-out lines ---- */

/*
 * A hit is found in the text as it was before it was wrapped and before text/safe
 * replaced unsafe characters by marks: it may reach over several lines, and a control
 * character in a pattern finds its mark.
 */

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
 * *time_left: microseconds left for an expression that takes long, as in query_run; when
 * they are used up, hits may be missing.  Linear in the text.
 */
void highlights_find(struct highlights *m, const struct lines *ls, const struct query *q,
	uint64_t *time_left);

#define MARKS_TIME_LIMIT 10000u

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

/* ---- from hit to hit ---- */

/* Whether a laid-out block, in the document of a side, is in the scope, be it repeated or
 * not: by the rules that count, so that the hits that are counted, marked and visited
 * agree.  Linear in the blocks back to its head. */
bool scoped_query_shows(const struct scoped_query *s, struct doc *d, size_t block);

#define HIT_WALK_ROW SIZE_MAX

/*
 * A walk, a slice of work at a time; one block is gone through at once, and again if a
 * key waits (base/work).  Blocks are laid out, and folds opened, only where what they
 * stand for holds the query: its bytes are passed over by the prefilter, so a document of
 * 100 MB is never laid out as a whole.
 */
struct hit_walk {
	struct doc *doc;
	const struct query *query;
	const struct scoped_query *scope; /* NULL: all hits count */
	const struct hit_count *known; /* what counts in the step; NULL: all in scope */
	bool rest; /* ... beside what the sides show; else it is the document of a side */
	bool back;
	/* the whole step as a tree stands below the rest; a walk is through one of both
	 */
	struct jv event; /* J_NONE: there is none */
	bool in_event;
	/* the hit, when one was found */
	size_t block;
	size_t hit; /* of marks */
	struct highlights marks;
	/* private */
	struct texts *texts;
	size_t after; /* in the first block: the hit after (before) which the walk begins,
		       */
	uint32_t row; /* or, for HIT_WALK_ROW, the row from (before) which it does */
	bool bounded; /* it is still in that block */
	bool looked, holds; /* the block, any hit */
	/* of a container whose children come a thousand at a time: the hits in those that
	 * are still to come, so that no rest is read twice */
	bool rest_known;
	uint32_t rest_level;
	uint64_t rest_left;
};

void hit_walk_init(struct hit_walk *s, const struct query *q);
void hit_walk_done(struct hit_walk *s);

/* Sets out at a document's beginning, or, to go back, at its end (of the event or of the
 * rest). */
void hit_walk_from_edge(struct hit_walk *s, struct doc *d);
/* Begins at a place: after (to go back, before) hit number `after` of its block, or, for
 * HIT_WALK_ROW, at (before) its row. */
void hit_walk_from_place(
	struct hit_walk *s, struct doc *d, struct place at, size_t after);

/* Goes on to the next hit.  TASK_DONE: it is there.  TASK_FAILED: there is none.  The
 * document must not change between two slices. */
enum task_state hit_walk_run(struct hit_walk *s, uint64_t deadline);
/* The hits that count in the blocks from one on, up to that of the hit.  Lays them out.
 */
uint64_t hit_walk_count(struct hit_walk *s, size_t from);

#endif
