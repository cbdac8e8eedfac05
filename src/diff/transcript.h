/*
 * The messages of a step as one list: its input, then its output without what only
 * repeats the input.  Two transcripts are compared by the bytes of their messages, and
 * where these differ by what the messages say (chat/identity).  If many messages of one
 * transcript are not in the other byte for byte, only those near its ends are read: most
 * messages that were cut off or added have no counterpart in other words.
 */
#ifndef CATENA_DIFF_TRANSCRIPT_H
#define CATENA_DIFF_TRANSCRIPT_H

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
 * Fills a history with what became of `before` in `now`.  Both lists keep what was found
 * out about their messages for other comparisons.  Linear in the messages that were not
 * looked at before.
 */
void transcript_compare(
	struct history *h, struct transcript *before, struct transcript *now);

#endif
