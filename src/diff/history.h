/*
 * Which message of a list is which of an earlier one.  Messages are given as keys; equal
 * keys mean equal messages.
 *
 *   shown    the earlier list had it in the same order, or it moved and no other message
 *            on either side has its key
 *   changed  it replaces a message that it resembles
 *   new      all other messages; in doubt a message is new, so that nothing is hidden
 *
 * A message of the earlier list that is neither shown nor changed is gone: cut off, or
 * replaced by a summary.  An answer that was not taken into the history is gone only if
 * the message before it is gone too: a step that is tried again loses nothing.
 */
#ifndef CATENA_DIFF_HISTORY_H
#define CATENA_DIFF_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fate { FATE_NEW, FATE_SHOWN, FATE_CHANGED };

struct history_now {
	enum fate fate;
	bool moved; /* FATE_SHOWN, but at another place among the others */
	size_t was; /* FATE_SHOWN, FATE_CHANGED: its number in the earlier list */
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
	size_t shown, changed; /* how many messages have that fate */
};

struct history_question {
	const uint64_t *before; /* keys of the earlier list: of what was sent, then answered */
	size_t before_count;
	size_t sent; /* the first so many of `before` were sent */
	const uint64_t *now;
	size_t now_count;
	/* Whether a message may be another one, changed; called at most `tries` times. */
	bool (*resembles)(void *ctx, size_t before, size_t now);
	void *ctx;
	size_t tries;
};

/* Fills an empty history.  About n log n in the messages, whatever the keys. */
void history_compare(struct history *h, const struct history_question *q);
void history_done(struct history *h);

/* The first of the gone messages that stood before message `at` or before a later one.
 * A binary search. */
size_t history_gone_at(const struct history *h, size_t at);

#endif
