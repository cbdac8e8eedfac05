/*
 * A chain as one document, of which only a window of steps is there: steps are opened,
 * compared with what went before them, and added at the end or in front; what is
 * far away is dropped as soon as all together take more memory than the budget.  Opening
 * a chain anywhere costs the steps that are shown.
 *
 * What is new in a step is known from its predecessor in the thread, so the step before
 * the first one that is shown is open, too.
 */
#ifndef CATENA_VIEW_SCROLL_H
#define CATENA_VIEW_SCROLL_H

#include "base/work.h"
#include "payload/payload.h"
#include "trace/trace.h"
#include "view/doc.h"
#include "view/reading.h"

struct scroll;

/* Borrows all: the document is only changed by this, and by folding in it. */
struct scroll *scroll_new(
	struct trace *trace, const struct registry *registry, struct doc *doc);
void scroll_free(struct scroll *s); /* clears the document; NULL is fine */

/* Begins again at a position of the trace, which gives the chain; nothing is shown yet.
 */
void scroll_begin(struct scroll *s, size_t position);
uint32_t scroll_chain(const struct scroll *s); /* NO_CHAIN: not begun */

/* The positions of the steps that are shown: [*first, *end); empty at first. */
void scroll_shown(const struct scroll *s, size_t *first, size_t *end);
/* Whether the chain's last step is shown, or, with `start`, its first. */
bool scroll_is_at_end(const struct scroll *s, bool start);

/* Adds a step after the last one, or before the first one (back), until a deadline of
 * base/work.  TASK_DONE: it was added; TASK_IDLE: there is none. */
enum task_state scroll_run(struct scroll *s, bool back);

/* If all take more than `budget` bytes: drops steps until they take three quarters of it,
 * first at the end that is farther away, but none of those that the blocks from `first`
 * to `last` belong to.  Linear in the steps and blocks that are there. */
void scroll_trim(struct scroll *s, size_t budget, size_t first, size_t last);
size_t scroll_bytes(const struct scroll *s);

/* The position of the step that a block belongs to; SIZE_MAX: none.  Linear in the steps
 * that are there. */
size_t scroll_position(const struct scroll *s, size_t block);
/* The block with which the step at a position begins; SIZE_MAX: it is not shown.  Linear
 * in the blocks. */
size_t scroll_block(const struct scroll *s, size_t position);

/* Follows the trace after it has grown or was laid out anew; false: the steps that are
 * there are no longer neighbors, and it must be begun again. */
bool scroll_renew(struct scroll *s);

/* ---- one step ---- */

/*
 * A step as a piece of a transcript: the results that answer the calls above it, a thin
 * rule with its number and figures, what else is new in its input, and its output.  What
 * only wraps other steps, and tools and retrievers without a conversation, are one dim
 * line that opens into their input and output; below the line of a tool stands its
 * result, and where a model above made the call, the line only names that.
 *
 * Each message stands once: what the previous step of the thread showed
 * (reading.earlier) is left out, and results that a tool's step above has; of a changed
 * history a line says so.
 */

#define SCROLL_BEFORE 8 /* steps before, at most, in which calls are looked for */

struct scroll_step {
	struct trace *trace;
	size_t position;
	struct reading *reading; /* with `earlier`, if it is known, and new_only */
	/* readings of the steps right before it, the nearest first */
	struct reading *before[SCROLL_BEFORE];
	size_t before_count;
	bool top;     /* nothing stands above it */
	bool follows; /* the step right before it stands above it */
};

/*
 * Fills two empty documents: what belongs to the input of the step, its rule among it,
 * and what belongs to its output.  They borrow from the reading.  Linear in the messages
 * of the step and in the parts of the new ones.
 */
void scroll_step_build(
	const struct scroll_step *s, struct doc *input, struct doc *output);

/* How many vertical bars stand before the step at a position: how deep it is nested,
 * without the wrappers around the whole chain.  Linear in the depth, up to 64. */
uint32_t scroll_step_depth(const struct trace *trace, size_t position);

/* Whether a block is the rule of a step, or the line of one without a conversation. */
bool scroll_step_begins(const struct block *b);

#endif
