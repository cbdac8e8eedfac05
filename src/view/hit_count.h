/*
 * How many hits of a search count in a step, and which: the scope's (view/scoped_hits),
 * and by itself only what is new in the step.  query/search finds the steps that may have
 * hits, in their bytes; each of these is opened to be judged here.
 *
 *   messages   those that the step before in the thread showed do not count
 * (diff/earlier) facts      offered tools, parameters and what stands on the line above
 * the input do not count if the step before in the list or in the thread says the same
 *   the rest   what of the step is shown on neither side: not if a text is the same as
 * one there; nor what only says again what a side shows
 *
 * Each hit that counts is shown somewhere: on a side, or in the step as JSON.  By the
 * same rules a way from hit to hit (view/hit_walk) comes to as many as are counted.
 */
#ifndef CATENA_VIEW_HIT_COUNT_H
#define CATENA_VIEW_HIT_COUNT_H

#include "base/map.h"
#include "query/hits.h"
#include "view/scoped_hits.h"

/* How many hits texts have, by a hash of the text. */
struct hit_tally {          /* all zero bits: empty */
	struct idmap index; /* of a key in `items` */
	struct hit_tally_item {
		uint64_t key, hits;
	} * items;
	size_t count, cap;
};


/* What steps that were counted say beside their messages: all zero bits at first. */
struct hit_past {
	struct idmap said;     /* texts and facts with hits, each with its step */
	struct opened *opened; /* the last one: the next may go on from it; or NULL */
	uint32_t step;
};

void hit_past_done(struct hit_past *p);

struct hit_count {
	const struct scoped_hits *within; /* these are borrowed */
	const struct query *query;
	struct hit_past *past;
	uint32_t step;
	uint64_t hits; /* that count */
	uint64_t rest; /* of these, on neither side */
	/* private */
	struct texts *texts;
	const struct opened *opened;
	struct opened *own;      /* that, unless it is lent */
	struct earlier *earlier; /* NULL: all messages count */
	uint32_t before[2];      /* in the list, and in the thread; or NO_STEP */
	bool joined;             /* of events: its texts stand in it several times */
	bool counts;             /* what is looked at now, */
	bool once;               /* if nothing said it so far */
	uint64_t found;          /* as the search found it in the bytes */
	uint64_t any;            /* hits, whether they count or not */
	bool facts[3];           /* the line, the tools, the parameters count */
	struct hit_tally
		shown; /* by text, on the sides and above them: in the step's bytes */
	struct hit_tally decoded;      /* ... or made from what stands there */
	struct hit_tally counted, all; /* by text, what counts; of the rest everything */
	uint64_t *starts[2];           /* hits before each message of a side */
	size_t start_count[2], start_cap[2];
	struct hit_range {
		const char *from, *to;
	} ranges[4]; /* of the step's bytes, shown on a side */
	size_t range_count;
};

/* `opened`: lent, or NULL: the step is opened.  `found`: how many hits the bytes have. */
void hit_count_begin(struct hit_count *c, const struct scoped_hits *w,
	const struct query *q, struct hit_past *past, uint32_t step,
	const struct opened *opened, uint64_t found);
/* Opens the step and counts.  False: a key waits (base/stop); it is ended, and must be
 * begun again. */
bool hit_count_try(struct hit_count *c, struct trace *trace);
/* Once it is done: keeps the opened step for the next one. */
void hit_count_keep(struct hit_count *c);
void hit_count_end(struct hit_count *c); /* at any time, also twice */

/* ---- once it is done ---- */

/* Whether hits in a block of a side's document count.  Linear in the blocks back to its
 * message, in a tree in the messages. */
bool hit_count_enters(const struct hit_count *c, struct doc *d, size_t block);
/* Whether those of a text do, beside what the sides show, in a block of the step's tree.
 */
bool hit_count_takes_rest(
	const struct hit_count *c, const struct doc *d, size_t block, struct str text);
/* How many count before a message of a side. */
uint64_t hit_count_before(const struct hit_count *c, bool input, size_t message);
/* Calls `each` for the hits that count, in the order of the step's text; for all if they
 * stand in its raw text alone.  Opens the step if it is not open. */
void hit_count_each(
	const struct hit_count *c, struct trace *trace, hits_fn *each, void *ctx);
/* How many hits in texts with this map_hash() count. */
uint64_t hit_count_of(const struct hit_count *c, uint64_t key);

#endif
