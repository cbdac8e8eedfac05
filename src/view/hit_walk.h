/*
 * Walking through a document from hit to hit, a slice of work at a time; one block is
 * gone through at once, and again if a key waits (base/stop).  Blocks are laid out, and
 * folds opened, only where what they stand for holds the query: its bytes are passed over
 * by the sieve, so a document of 100 MB is never laid out as a whole.
 */
#ifndef CATENA_VIEW_HIT_WALK_H
#define CATENA_VIEW_HIT_WALK_H

#include "base/task.h"
#include "query/texts.h"
#include "view/doc.h"
#include "view/highlights.h"

#define HIT_WALK_ROW SIZE_MAX

struct hit_walk {
	struct doc *doc;
	const struct query *query;
	struct texts *texts;
	bool back;
	/* the whole step as a tree stands below the rest; a walk is through one of both
	 */
	struct jv event; /* J_NONE: there is none */
	bool in_event;
	/* These may be NULL: whether anything in a block counts, asked where it has hits;
	 */
	bool (*enters)(void *ctx, struct doc *d, size_t block);
	/* whether the hits of a text in it do, which it shows or stands for; */
	bool (*takes)(void *ctx, struct doc *d, size_t block, struct str text);
	/* and whether its lines do. */
	bool (*counts)(void *ctx, struct doc *d, size_t block);
	void *ctx;
	/* the hit, when one was found */
	size_t block;
	size_t hit; /* of marks */
	struct highlights marks;
	/* private */
	size_t after; /* in the first block: the hit after (before) which the walk begins,
		       */
	uint32_t row; /* or, for HIT_WALK_ROW, the row from (before) which it does */
	bool bounded; /* it is still in that block */
	bool judged, holds; /* the block, any hit */
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

#endif
