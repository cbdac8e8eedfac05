/*
 * Searching in a part of the steps only: "in:user timeout" looks for "timeout" in what
 * users say.  What may stand behind "in:" is
 *
 *   user assistant system   what they say, but for results of tools
 *   tool                    what tools say, and results in whoever's message
 *   text call result reasoning   pieces of messages; a call is its name and arguments
 *   input output            a side of a step (of one that is a single conversation: both)
 *   name error              of a step: what the list calls it, what the trace says went
 * wrong
 *
 * and any other word is a JSON key: that member and all below it, wherever in the step it
 * stands.  A pattern that begins like that itself is typed with a blank in front.
 *
 * The search through the bytes cannot know any of this: it is the sieve, and steps that
 * have hits are opened to be judged.  The same rules say of a block of a document whether
 * its lines show such a place, so that what is counted, marked and gone to is the same.
 */
#ifndef CATENA_VIEW_SCOPED_HITS_H
#define CATENA_VIEW_SCOPED_HITS_H

#include "base/task.h"
#include "query/texts.h"
#include "view/doc.h"
#include "view/reading.h"

enum scoped_hits_kind {
	WITHIN_ALL, /* everywhere */
	WITHIN_SPEAKER,
	WITHIN_PART,
	WITHIN_SIDE,
	WITHIN_NAME,
	WITHIN_ERROR,
	WITHIN_KEY,
};

struct scoped_hits { /* all zero bits: everywhere */
	enum scoped_hits_kind kind;
	unsigned what;  /* enum speaker, enum part_kind, or whether it is the input */
	struct buf key; /* WITHIN_KEY */
};

/* Takes the prefix off a pattern.  False with err when it is all there is. */
bool scoped_hits_read(struct scoped_hits *w, struct str *pattern, struct err *err);
void scoped_hits_done(struct scoped_hits *w);
/* The words with a meaning, up to NULL. */
extern const char *const scoped_hits_words[];

/*
 * Counts the hits in a step, in slices: a message is the least that is done at once, for
 * a key the whole step is.
 */
struct scoped_hits_counting {
	const struct scoped_hits *within; /* these three are borrowed */
	const struct query *query;
	struct texts *texts;
	struct opening *opening; /* until the step is opened */
	struct opened *opened;
	uint32_t step;
	size_t item; /* of both sides, the next */
	uint64_t hits;
};

void scoped_hits_begin(struct scoped_hits_counting *c, const struct scoped_hits *w,
	const struct query *q, uint32_t step);
enum task_state scoped_hits_run(
	struct scoped_hits_counting *c, struct trace *trace, uint64_t deadline);
void scoped_hits_end(struct scoped_hits_counting *c); /* at any time */

/* Whether the lines of a block that is laid out, in the document of a side, show such a
 * place. */
bool scoped_hits_shows(const struct scoped_hits *w, const struct doc *d, size_t block);

#endif
