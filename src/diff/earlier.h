/*
 * The previous step of a thread, and which messages of a step it showed already.
 *
 * A few candidates (thread_candidates) are opened.  The previous step is the one with
 * most of its messages in this step's input; among equals, the one that lost the fewest.
 * A candidate that lost none and makes up half of the input is taken at once.  A
 * candidate without a message in the input is not the previous step, nor is one of
 * another agent: then both begin with a system message, and the second replaces the
 * first.
 *
 * A step of a session log has only what is new: it is compared with none.
 *
 * The output of a step is compared with its own input, since a graph's node may give back
 * the whole conversation.  An output repeats the input if it begins with all of it, with
 * or without the system message.
 */
#ifndef CATENA_DIFF_EARLIER_H
#define CATENA_DIFF_EARLIER_H

#include "diff/messages.h"
#include "import/open.h"
#include "trace/trace.h"

/*
 * Which steps a step may go on from.  In an agent's trace the history that a step is sent
 * is what the step before it was sent and answered, and some messages more; but the step
 * before it in its thread need not be the one before it in the list: sub-agents and other
 * branches run in between, steps are tried again.
 *
 * This finds the few steps that are worth opening, by what the trace knows without
 * opening a step.  A thread stays within one chain, and within one kind of event (spans
 * go on from spans, generations from generations; a chat's request from a request). First
 * come the steps with the same parent, the nearest first, those of the same model before
 * others; then those as deep in the tree below another parent, since a turn is often
 * wrapped into a span of its own; then the nearest of any depth.  Which of them is the
 * one before, their messages say.
 *
 * Fills `steps` with candidates for the step at a position, the likeliest first; how
 * many. A step looks back over no more than some thousands of others.
 */
#define THREAD_MOST 6
size_t thread_candidates(
	const struct trace *trace, size_t position, uint32_t steps[THREAD_MOST]);

/* A message of the previous step. */
struct earlier_message {
	size_t now; /* the message that it became, or that it stood before */
	struct compared_message message; /* in the arena */
};

struct earlier {
	uint32_t step;         /* the previous step, or NO_STEP */
	bool skipped;          /* a step was too large to be compared without a request */
	struct history input;  /* the input, compared with the previous step */
	struct history output; /* the output, compared with the input */
	struct earlier_message *gone;    /* by input.gone */
	struct earlier_message *changed; /* old messages, input.changed, by `now` */
	struct arena arena;              /* owns the text of both */
};

/* At most so many bytes and messages of a step are compared without a request. */
#define EARLIER_MOST     (4u << 20)
#define EARLIER_MESSAGES 65536

/* Returns a step if it is open already, else NULL.  It stays open until the search is
 * over. */
typedef const struct step_content *earlier_look_fn(void *ctx, uint32_t step);

/*
 * Finds the previous step, never NULL.  `now` is the opened step at a position of the
 * trace.  `large`: steps of any size are compared, not only up to EARLIER_MOST.  `look`
 * may be NULL.  Cost: that of opening some candidates, and linear in their messages.
 */
struct earlier *earlier_find(struct trace *trace, size_t position,
	const struct step_content *now, bool large, earlier_look_fn *look, void *ctx);
/* earlier_find while a key may stop it, then NULL (base/work.h). */
struct earlier *earlier_try(struct trace *trace, size_t position,
	const struct step_content *now, bool large, earlier_look_fn *look, void *ctx);

void earlier_free(struct earlier *e);
size_t earlier_bytes(const struct earlier *e); /* the memory that it takes */
/* What a changed message was before, or NULL: it did not change.  A binary search. */
const struct earlier_message *earlier_changed(const struct earlier *e, size_t now);

#endif
