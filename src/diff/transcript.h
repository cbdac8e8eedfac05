/*
 * The messages of a step as one list: its input, then its output without what only
 * repeats the input.  Two transcripts are compared by the bytes of their messages, and
 * where these differ by what the messages say (chat/identity).  If many messages of one
 * transcript are not in the other byte for byte, only those near its ends are read: most
 * messages that were cut off or added have no counterpart in other words.
 */
#ifndef CATENA_DIFF_TRANSCRIPT_H
#define CATENA_DIFF_TRANSCRIPT_H

#include "base/map.h"
#include "base/task.h"
#include "chat/side.h"
#include "diff/history.h"

struct transcript_message {
	struct jv value;  /* borrowed; a J_STRING is a text by the speaker of its side */
	enum prefer side; /* gives the speaker, if the message does not */
	/* private */
	uint64_t raw; /* a hash of its bytes, if `hashed` */
	uint64_t key; /* a hash of what it says, if `read` */
	bool hashed, read;
};

struct transcript { /* all zero bits: empty */
	struct transcript_message *items;
	size_t count, cap;
	size_t sent; /* the first so many are the input */
};

/* Adds the messages of a side that is a chat or a text; nothing of other sides. */
void transcript_add(struct transcript *t, const struct side *side);
/* Removes `count` messages from number `from` on. */
void transcript_cut(struct transcript *t, size_t from, size_t count);
void transcript_done(struct transcript *t);
/* Whether it begins with a system message. */
bool transcript_is_led(const struct transcript *t);

/*
 * Fills a history with what became of `before` in `now`, in slices: each run looks at
 * about `bytes` more of the messages.  Both lists are borrowed, and keep what was found
 * out about their messages for other comparisons.
 */
struct transcript_diff {
	struct transcript *before, *now;
	struct history *history;
	enum transcript_diff_at {
		COMPARE_PREFIX,
		COMPARE_BYTES,
		COMPARE_APART,
		COMPARE_MEANING,
		COMPARE_DONE
	} at;
	size_t next;          /* message of both, or of `before` and then of `now` */
	size_t prefix;        /* the first so many messages have equal bytes */
	struct idmap raws[2]; /* hashes of the other messages of `before` and `now` */
	size_t apart[2];      /* how many messages only one side has */
	size_t seen[2];       /* how many of these were passed while reading */
	uint64_t *keys;       /* of `before`, then of `now` */
};

void transcript_diff_begin(struct transcript_diff *g, struct history *h,
	struct transcript *before, struct transcript *now);
enum task_state transcript_diff_run(struct transcript_diff *g, size_t bytes);
void transcript_diff_end(struct transcript_diff *g); /* at any time */

/* At once. */
void transcript_compare(
	struct history *h, struct transcript *before, struct transcript *now);

#endif
