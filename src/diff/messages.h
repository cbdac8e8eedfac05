/*
 * Two lists of messages, aligned: which message of the first is which of the second.
 * Messages are equal by what they say (chat/identity).
 *
 *   same      both lists have it, in equal order
 *   moved     both lists have it, at another place
 *   changed   it replaces a message of the same speaker that it resembles
 *   removed   only the first list has it
 *   added     only the second list has it
 */
#ifndef CATENA_DIFF_MESSAGES_H
#define CATENA_DIFF_MESSAGES_H

#include "chat/side.h"
#include "diff/sequence.h"

struct compared_message {
	struct jv value;  /* borrowed; a J_STRING is a text by the speaker of its side */
	enum prefer side; /* gives the speaker, if the message does not */
};

struct message_list { /* all zero bits: empty */
	struct compared_message *items;
	size_t count, cap;
};

/* Adds the messages of a side, or its one text or value (of a broken step J_BAD), and its
 * images. */
void message_list_add(struct message_list *t, const struct side *side);
void message_list_done(struct message_list *t);

enum message_fate {
	MESSAGE_SAME,
	MESSAGE_CHANGED,
	MESSAGE_MOVED,
	MESSAGE_REMOVED,
	MESSAGE_ADDED,
	MESSAGE_FATES
};

#define NO_MESSAGE SIZE_MAX

struct message_pair {
	enum message_fate fate;
	size_t was, is; /* numbers in the first and second list, or NO_MESSAGE */
};

struct message_pairs {
	struct message_pair *items; /* in the order of the second list; a removed message
				       is where it was in the first */
	size_t count, cap;
	size_t fates[MESSAGE_FATES]; /* how many pairs have each fate */
};

void message_pairs_done(struct message_pairs *p);

/*
 * Aligns two lists, which are borrowed.  Messages at both ends that are equal byte for
 * byte are not read.  Linear in the messages between, but for the bounded work of their
 * differences.  Where the work is to stop (base/stop.h) the pairs are not whole.
 */
void messages_align(struct message_pairs *out, const struct message_list *was,
	const struct message_list *is);

/*
 * Whether a message may be another one, changed: both have the same speaker, and half of
 * the words of the longer one are in both, in any order.
 */
/* The sides give the speaker of a message that has none.  Of a long message the first
 * 16 KB of text count.  n log n in the words. */
bool message_resembles(
	struct jv a, enum prefer side_of_a, struct jv b, enum prefer side_of_b);

#endif
