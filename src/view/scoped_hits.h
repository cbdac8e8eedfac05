/*
 * Searching in a part of the steps only: "in:user timeout" looks for "timeout" in the
 * messages of users.  These words may follow "in:":
 *
 *   user assistant system   their messages, without results of tools
 *   tool                    messages of tools, and results in any message
 *   text call result reasoning   pieces of messages; a call is its name and arguments
 *   input output            a side of a step (of one that is a single conversation: both)
 *   name error              of a step: its name in the list, its error
 *
 * Any other word is a JSON key: that member and all below it, anywhere in the step.  To
 * search for a pattern that begins with "in:", put a blank before it.
 *
 * The search through the bytes of the file knows nothing of scopes: it finds candidates,
 * and steps with hits are opened to be judged.  Whether a block of a document is in the
 * scope is decided by these rules too, so that the hits that are counted, marked and
 * visited agree.
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

/* Removes the prefix from a pattern.  False with err when nothing follows it. */
bool scoped_hits_read(struct scoped_hits *w, struct str *pattern, struct err *err);
void scoped_hits_done(struct scoped_hits *w);
/* The words that are not JSON keys; the last is NULL. */
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

/* Whether a laid-out block, in the document of a side, is in the scope.  Linear in the
 * blocks back to its head. */
bool scoped_hits_shows(const struct scoped_hits *w, const struct doc *d, size_t block);

#endif
