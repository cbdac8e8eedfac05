/*
 * Lists of messages, and what became of one in another (diff/history).  Messages are
 * equal by their bytes, or by what they say (chat/identity).
 */
#ifndef CATENA_DIFF_MESSAGES_H
#define CATENA_DIFF_MESSAGES_H

#include "chat/side.h"
#include "diff/history.h"

struct compared_message {
	struct jv value;  /* borrowed; a J_STRING is a text by the speaker of its side */
	enum prefer side; /* gives the speaker, if the message does not */
	/* private */
	uint64_t raw; /* a hash of its bytes, if `hashed` */
	uint64_t key; /* a hash of what it says, if `read` */
	bool hashed, read;
};

struct message_list { /* all zero bits: empty */
	struct compared_message *items;
	size_t count, cap;
	size_t sent; /* the first so many are of inputs */
};

/* Adds the messages of a side that is a chat or a text; nothing of other sides. */
void message_list_add(struct message_list *t, const struct side *side);
void message_list_add_value(struct message_list *t, struct jv value, enum prefer side);
void message_list_done(struct message_list *t);
/* Whether it begins with a system message that was sent. */
bool message_list_is_led(const struct message_list *t);

/*
 * Fills a history with what became of `before` in `now`.  Messages have changed when both
 * have the same speaker, and half of the words of the longer one are in both, in any
 * order.  If many messages of one list are not in the other byte for byte, only those
 * near its ends are read, unless `thorough`: most messages that were cut off or added
 * have no counterpart in other words.  Both lists keep what was found out about their
 * messages.  Linear in the messages that were not looked at before, but for the bounded
 * work of their differences.  Where the work is to stop (base/stop.h) nothing is filled.
 */
void messages_compare(struct history *h, struct message_list *before,
	struct message_list *now, bool thorough);

#endif
