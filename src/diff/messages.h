/*
 * Two lists of messages, aligned: which of the one is which of the other.  Messages are
 * the same when they say the same (chat/identity).
 *
 *   same      it stands on both sides, in the same order
 *   moved     it stands on both sides, elsewhere
 *   changed   it took the place of one of the same speaker that it resembles
 *   removed, added   what is left
 */
#ifndef CATENA_DIFF_MESSAGES_H
#define CATENA_DIFF_MESSAGES_H

#include "base/task.h"
#include "chat/side.h"
#include "diff/sequence.h"

struct compared_message {
	struct jv value;  /* borrowed; a J_STRING: a text that its side's speaker says */
	enum prefer side; /* whose speaker it has, if it names none */
};

struct message_list { /* all zero bits: nothing was said */
	struct compared_message *items;
	size_t count, cap;
};

/* The messages of a side, or its one text or value (of a broken step J_BAD), and the
 * images beside it. */
void said_add(struct message_list *t, const struct side *side);
void said_done(struct message_list *t);

enum message_fate {
	SAID_SAME,
	SAID_CHANGED,
	SAID_MOVED,
	SAID_REMOVED,
	SAID_ADDED,
	SAID_FATES
};

#define NOT_SAID SIZE_MAX

struct message_pair {
	enum message_fate fate;
	size_t was, is; /* messages, or NOT_SAID */
};

struct message_pairs {
	struct message_pair *items; /* in the order of the second list; what was removed
				    stands where it was */
	size_t count, cap;
	size_t fates[SAID_FATES]; /* how many have each */
};

void said_pairs_done(struct message_pairs *p);

/*
 * Aligns them in slices: `run` reads messages of about so many bytes more.  The lists are
 * borrowed; said_end may come at any time.  What both begin and end with, byte for byte,
 * is not read.
 */
struct alignment;
struct alignment *said_begin(struct message_pairs *out, const struct message_list *was,
	const struct message_list *is);
enum task_state said_run(struct alignment *t, size_t bytes);
void said_end(struct alignment *t);

#endif
