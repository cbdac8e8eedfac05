/*
 * The messages of a step as one list: what it was sent, then what it answered, without
 * what the answer only repeats of the input.  Two such lists are compared by what their
 * messages say (chat/identity), and where their bytes are equal by those.  Of a list that
 * has many more messages than the other that do not stand there byte for byte, only those
 * near its ends are read: most of what was cut off, or came new, is not sought in other
 * words.
 */
#ifndef CATENA_DIFF_TRANSCRIPT_H
#define CATENA_DIFF_TRANSCRIPT_H

#include "base/map.h"
#include "base/task.h"
#include "chat/side.h"
#include "diff/history.h"

struct transcript_message {
	struct jv value;  /* borrowed; a J_STRING: a text that its side's speaker says */
	enum prefer side; /* whose speaker it has, if it names none */
	/* private */
	uint64_t raw, key; /* of its bytes, of what it says, */
	bool hashed, read; /* when these are known */
};

struct transcript { /* all zero bits: nothing */
	struct transcript_message *items;
	size_t count, cap;
	size_t sent; /* the first so many are of the input */
};

/* The messages of a side that is a chat or a text; of others none. */
void transcript_add(struct transcript *t, const struct side *side);
/* Takes `count` of its messages out, from number `from` on. */
void transcript_cut(struct transcript *t, size_t from, size_t count);
void transcript_done(struct transcript *t);
/* Whether it begins with what the system says. */
bool transcript_is_led(const struct transcript *t);

/*
 * Fills a history with what became of `before` in `now`, in slices: `run` looks at about
 * so many bytes of messages more.  Both lists are borrowed, and keep what was found out
 * about their messages for another comparison.
 */
struct transcript_diff {
	struct transcript *before, *now;
	struct history *history;
	enum transcript_diff_at {
		TELLING_PREFIX,
		TELLING_BYTES,
		TELLING_APART,
		TELLING_MEANING,
		TELLING_OVER
	} at;
	size_t next;          /* message of both, or of `before` and then of `now` */
	size_t prefix;        /* messages whose bytes are equal, from the first on */
	struct idmap raws[2]; /* the bytes of the others of `before` and `now` */
	size_t apart[2];      /* how many of them stand on one side only, */
	size_t seen[2];       /* and have been come by when they are read */
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
