/*
 * Lists of messages, and which message of one is which of an earlier one.  Messages are
 * equal by their bytes, or by what they say (chat/identity).
 *
 *   shown    the earlier list had it in the same order, or it moved and no other message
 *            on either side is equal to it
 *   changed  it replaces a message that it resembles
 *   new      all other messages; in doubt a message is new, so that nothing is hidden
 *
 * A message of the earlier list that is neither shown nor changed is gone: cut off, or
 * replaced by a summary.  An answer that was not taken into the history is gone only if
 * the message before it is gone too: a step that is tried again loses nothing.
 */
#ifndef CATENA_DIFF_MESSAGES_H
#define CATENA_DIFF_MESSAGES_H

#include "chat/side.h"

/* ---- by keys: equal keys mean equal messages ---- */

/* MOVED and GONE are of rows alone. */
enum message_change {
	CHANGE_NEW,
	CHANGE_SHOWN,
	CHANGE_EDITED,
	CHANGE_MOVED,
	CHANGE_GONE
};

struct history_now {
	enum message_change change;
	bool moved; /* CHANGE_SHOWN, but at another place among the others */
	size_t was; /* CHANGE_SHOWN, CHANGE_EDITED: its number in the earlier list */
};

struct history_gone {
	size_t was; /* its number in the earlier list */
	size_t at;  /* it stood before this message */
};

struct history { /* all zero bits: of no message */
	struct history_now *now;
	size_t count;
	struct history_gone *gone; /* ascending in both numbers */
	size_t gone_count, gone_cap;
	size_t shown, changed; /* how many messages have that change */
	size_t moved;          /* of those that are shown */
};

struct history_question {
	const uint64_t
		*before; /* keys of the earlier list: of what was sent, then answered */
	size_t before_count;
	size_t sent; /* the first so many of `before` were sent */
	const uint64_t *now;
	size_t now_count;
	/* Whether a message may be another one, changed; called at most `tries` times. */
	bool (*resembles)(void *ctx, size_t before, size_t now);
	void *ctx;
	size_t tries;
	size_t least; /* with fewer shown messages nobody asks which ones have changed:
			 those are new, or gone */
};

/* Fills an empty history.  Linear in the messages, whatever the keys. */
void history_compare(struct history *h, const struct history_question *q);
void history_done(struct history *h);

#define NO_MESSAGE SIZE_MAX

/* What became of a message of either list. */
struct history_row {
	enum message_change change;
	size_t was, is; /* numbers in the earlier list and in this one, or NO_MESSAGE */
};

/* The messages of the list, and those that are gone where they were: count + gone_count
 * rows.  A binary search. */
struct history_row history_row(const struct history *h, size_t row);

/* The first of the gone messages that stood before message `at` or before a later one.
 * A binary search. */
size_t history_gone_at(const struct history *h, size_t at);

/* ---- by messages ---- */

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
 * messages.  `least`: as in history_question.  Linear in the messages that were not looked
 * at before, but for the bounded work of their differences.  Where the work is to stop (base/work.h) nothing is filled.
 */
void messages_compare(struct history *h, struct message_list *before,
	struct message_list *now, bool thorough, size_t least);

#endif
