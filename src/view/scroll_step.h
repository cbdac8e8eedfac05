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
#ifndef CATENA_VIEW_SCROLL_STEP_H
#define CATENA_VIEW_SCROLL_STEP_H

#include "trace/trace.h"
#include "view/doc.h"
#include "view/reading.h"

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
