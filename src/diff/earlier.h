/*
 * What the step before in the same thread showed already, found by opening the few steps
 * that may be it (trace/thread).  It is the one of which most messages stand in this
 * step's input, and of several the one that lost fewest; the first that lost none, and of
 * which half of the input consists, is taken without opening more.  One of which no
 * message stands there any more is none, nor one of another agent: both begin with what
 * the system says, and that was not changed but replaced.
 *
 * What a step answers is compared with its own input: a graph's node may give back the
 * whole conversation.  It repeats its input when it begins with it, with or without the
 * system's message, up to the last one.
 */
#ifndef CATENA_DIFF_EARLIER_H
#define CATENA_DIFF_EARLIER_H

#include "base/task.h"
#include "diff/history.h"
#include "diff/messages.h"
#include "import/open.h"

/* A message of the step before. */
struct earlier_message {
	size_t now; /* the message that it became, or in front of which it stood */
	struct compared_message said; /* in the arena */
};

struct earlier {
	uint32_t step;         /* NO_STEP: nothing goes before */
	bool skipped;          /* a step was too long to be looked at unasked */
	struct history input;  /* of the input's messages, against those of that step */
	struct history output; /* of the output's, against the input's */
	struct earlier_message *gone;    /* as input.gone */
	struct earlier_message *changed; /* what the changed ones were, input.changed */
	struct arena arena;              /* has their text */
};

/* Bytes and messages of a step that is compared unasked. */
#define EARLIER_MOST     (4u << 20)
#define EARLIER_MESSAGES 65536

/* A step that is open anyway, or NULL; true until the finding goes on. */
typedef const struct opened *earlier_look_fn(void *ctx, uint32_t step);

/*
 * Finds it, in slices; finding_take does what is left.  `now`, the opened
 * step at a position of the model, must outlive the finding, not what is found.  `large`:
 * of steps of any size, not only up to EARLIER_MOST.  `look` may be NULL.
 */
struct earlier_search;
struct earlier_search *finding_new(struct trace *trace, size_t position,
	const struct opened *now, bool large, earlier_look_fn *look, void *ctx);
enum task_state finding_run(struct earlier_search *f, uint64_t deadline);
/* What was found, never NULL; consumes the finding, and does first what is left. */
struct earlier *finding_take(struct earlier_search *f);
void finding_free(struct earlier_search *f);

void earlier_free(struct earlier *e);
size_t earlier_bytes(const struct earlier *e); /* held in all */
/* What a changed message was, or NULL when it is none. */
const struct earlier_message *earlier_changed(const struct earlier *e, size_t now);

#endif
