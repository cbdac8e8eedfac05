/*
 * What is searched for, and how many of its hits count in a step.  By itself a search
 * counts what is new in each step: not the messages that the step before in the thread
 * showed already (diff/earlier), nor what else of it says the same as there.  These words
 * may follow "in:", before the pattern:
 *
 *   all                     everything, also what is repeated
 *   user assistant system   their messages, without results of tools
 *   tool                    messages of tools, and results in any message
 *   text call result reasoning   pieces of messages; a call is its name and arguments
 *   input output            a side of a step (of one that is a single conversation: both)
 *   name error              of a step: its name in the list, its error
 *   .key                    a JSON key: that member and all below it, anywhere in the
 *                           step
 *
 * "in:all in:user timeout": of users, also where it is repeated.  Any other word is an
 * error.  To search for a pattern that begins with "in:", put a blank before it.
 *
 * query/search finds the steps that may have hits, in their bytes; each of these is
 * opened to be judged here.  Without a word, or with `all`, there count
 *
 *   messages   all, but for those that are repeated
 *   facts      offered tools, parameters and what stands on the line above the input,
 *              unless the step before in the list or in the thread says the same
 *   the rest   what of the step is shown on neither side: not if a text is the same as
 *              one there; nor what only says again what a side shows
 *
 * Each hit that counts is shown somewhere: on a side, or in the step as JSON.  By the
 * same rules a way from hit to hit (view/doc_hits) comes to as many as are counted.
 */
#ifndef CATENA_VIEW_HIT_COUNT_H
#define CATENA_VIEW_HIT_COUNT_H

#include "base/map.h"
#include "chat/parts.h"
#include "chat/side.h"
#include "query/hits.h"

enum query_scope {
	WITHIN_ANY, /* everywhere */
	WITHIN_SPEAKER,
	WITHIN_PART,
	WITHIN_SIDE,
	WITHIN_NAME,
	WITHIN_ERROR,
	WITHIN_KEY,
};

struct scoped_query {        /* all zero bits: nothing is searched for */
	struct query *query; /* owned */
	enum query_scope kind;
	bool all;       /* also what is repeated; always so of names, errors and keys */
	unsigned what;  /* enum speaker, enum part_kind, or whether it is the input */
	struct buf key; /* WITHIN_KEY */
	/* private: of the steps that were counted, */
	struct idmap said;   /* texts and facts with hits, each with its step */
	struct step_content *last; /* the last one: the next may go on from it; or NULL */
	uint32_t last_step;
};

/* Reads "in:user timeout"; `flags`: of query_new.  False with err: no such word, or no
 * pattern. */
bool scoped_query_read(
	struct scoped_query *s, struct str typed, unsigned flags, struct err *err);
void scoped_query_done(struct scoped_query *s);
/* Forgets the steps that were counted. */
void scoped_query_forget(struct scoped_query *s);
/* The words that are not JSON keys; the last has no name. */
extern const struct scoped_word {
	const char *name;
	enum query_scope kind;
	unsigned what; /* as in the query */
} scoped_words[];
/* Whether a piece of a speaker's message counts: what a tool gave is the tool's. */
bool scoped_query_takes(
	const struct scoped_query *s, enum speaker speaker, enum part_kind part);
/* A search_accept_fn; its context is the scoped_query. */
bool scoped_query_accept(void *scope, struct trace *trace, uint32_t step, uint64_t *hits);

/* How many hits texts have, by a hash of the text. */
struct hit_tally {          /* all zero bits: empty */
	struct idmap index; /* of a key in `items` */
	struct hit_tally_item {
		uint64_t key, hits;
	} * items;
	size_t count, cap;
};

enum { FACTS_LINE, FACTS_TOOLS, FACTS_PARAMETERS };

struct hit_count {
	struct scoped_query *scope; /* borrowed */
	uint32_t step;
	const struct step_content *opened; /* NULL: its name alone was searched */
	uint64_t hits;               /* that count */
	uint64_t rest;               /* of these, on neither side */
	bool facts[3];               /* some are in the line, the tools, the parameters */
	struct hit_range {
		const char *from, *to;
	} ranges[4]; /* of the step's bytes, shown on a side */
	size_t range_count;
	/* private */
	struct texts *texts;
	struct step_content *own; /* `opened`, unless it is lent */
	struct earlier *earlier; /* NULL: all messages count */
	uint32_t before[2];      /* in the list, and in the thread; or NO_STEP */
	bool joined;             /* of events: its texts stand in it several times */
	struct hit_tally *into;  /* of what is looked at now; NULL: the rest of the step */
	bool counts;             /* that counts, */
	bool once;               /* ... if nothing said it so far */
	uint64_t any;            /* hits, whether they count or not */
	struct hit_tally
		shown; /* by text, on the sides and above them: in the step's bytes */
	struct hit_tally decoded;      /* ... or made from what stands there */
	struct hit_tally counted, all; /* by text, what counts; of the rest everything */
	uint64_t *starts[2];           /* hits before each message of a side */
	size_t start_count[2], start_cap[2];
};

/* Counts.  `opened`: lent, or NULL: the step is opened.  `found`: how many hits the bytes
 * have.  False: a key waits (base/work), and there is nothing to end. */
bool hit_count_try(struct hit_count *c, struct scoped_query *s, struct trace *trace,
	uint32_t step, const struct step_content *opened, uint64_t found);
/* An opened step that is small stays open for the next one.  At any time, also twice. */
void hit_count_end(struct hit_count *c);

/* Whether the step before showed a message of a side. */
bool hit_count_is_repeated(const struct hit_count *c, bool input, size_t message);
/* Whether hits in texts with this map_hash() count beside what the sides show; `shown`: a
 * place that a side shows, too. */
bool hit_count_takes_rest(const struct hit_count *c, uint64_t key, bool shown);
/* How many count before a message of a side. */
uint64_t hit_count_before(const struct hit_count *c, bool input, size_t message);
/* Calls `each` for the hits that count, in the order of the step's text; for all if they
 * stand in its raw text alone.  Opens the step if it is not open. */
void hit_count_each(
	const struct hit_count *c, struct trace *trace, hits_fn *each, void *ctx);
/* How many hits in texts with this map_hash() count. */
uint64_t hit_count_of(const struct hit_count *c, uint64_t key);

#endif
