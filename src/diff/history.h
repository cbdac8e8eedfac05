/*
 * What of a history is new: the messages that a step is sent, against those that the step
 * before it in its thread was sent and answered.  Messages are given as keys; those with
 * the same key say the same.
 *
 *   shown    it stood before, in the same order, or it is the only one of its key on both
 *            sides and moved
 *   changed  it took the place of one that resembles it
 *   new      all else: what cannot be told for sure is new, so that nothing is hidden
 *
 * Of the messages before, those that are neither are gone: cut off, or replaced by a
 * summary.  What was answered, and then not taken into the history, is not called gone
 * unless what was asked right before it is: a step that is tried again loses nothing.
 */
#ifndef CATENA_DIFF_HISTORY_H
#define CATENA_DIFF_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fate { FATE_NEW, FATE_SHOWN, FATE_CHANGED };

struct history_now {
	enum fate fate;
	size_t was; /* FATE_SHOWN, FATE_CHANGED: which one before */
};

struct history_gone {
	size_t was;
	size_t at; /* it stood in front of this message */
};

struct history { /* all zero bits: of no message */
	struct history_now *now;
	size_t count;
	struct history_gone *gone; /* in order of both */
	size_t gone_count, gone_cap;
	size_t shown, changed; /* how many are */
};

struct history_question {
	const uint64_t *before; /* what was sent, then what was answered */
	size_t before_count, sent;
	const uint64_t *now;
	size_t now_count;
	/* Whether one may be the other, changed; asked of few.  NULL: none is. */
	bool (*resembles)(void *ctx, size_t before, size_t now);
	void *ctx;
};

/* Fills an empty history.  The work is about linear, whatever the keys. */
void history_compare(struct history *h, const struct history_question *q);
void history_done(struct history *h);

/* The first of the gone that stood in front of message `at`, or behind it. */
size_t history_gone_at(const struct history *h, size_t at);

#endif
