/*
 * Two lists of messages, aligned: which of the one is which of the other.  Messages are
 * the same when they say the same (chat/identity).
 *
 *   same      it stands on both sides, in the same order
 *   moved     it stands on both sides, elsewhere
 *   changed   it took the place of one of the same speaker that it resembles
 *   removed, added   what is left
 */
#ifndef CATENA_CHAT_COMPARE_H
#define CATENA_CHAT_COMPARE_H

#include "base/diff.h"
#include "chat/side.h"

struct said {
	struct jv value;  /* borrowed; a J_STRING: a text that its side's speaker says */
	enum prefer side; /* whose speaker it has, if it names none */
};

struct talk { /* all zero bits: nothing was said */
	struct said *items;
	size_t count, cap;
};

/* The messages of a side, or its one text or value (of a broken step J_BAD), and the
 * images beside it. */
void talk_add(struct talk *t, const struct side *side);
void talk_done(struct talk *t);

enum talk_fate {
	TALK_SAME,
	TALK_CHANGED,
	TALK_MOVED,
	TALK_REMOVED,
	TALK_ADDED,
	TALK_FATES
};

#define NOT_SAID SIZE_MAX

struct talk_pair {
	enum talk_fate fate;
	size_t was, is; /* messages, or NOT_SAID */
};

struct talk_pairs {
	struct talk_pair *items; /* in the order of the second list; what was removed
				    stands where it was */
	size_t count, cap;
	size_t fates[TALK_FATES]; /* how many have each */
};

void talk_pairs_done(struct talk_pairs *p);

/*
 * Aligns them in slices: `go` reads messages of about so many bytes more, and is true
 * when the pairs are there.  The lists are borrowed; talk_end may come at any time.  What
 * both begin and end with, byte for byte, is not read.
 */
struct talking;
struct talking *talk_begin(
	struct talk_pairs *out, const struct talk *was, const struct talk *is);
bool talk_go(struct talking *t, size_t bytes);
void talk_end(struct talking *t);

/* At once. */
void talk_compare(struct talk_pairs *out, const struct talk *was, const struct talk *is);

#endif
