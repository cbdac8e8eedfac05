/*
 * A comparison of two steps (diff/steps) as a document: their names and figures, the
 * settings that differ, then the messages; unchanged ones are folded into a line.  Below
 * each changed message are the words that were deleted and added.
 */
#ifndef CATENA_VIEW_STEP_DIFF_H
#define CATENA_VIEW_STEP_DIFF_H

#include "diff/steps.h"
#include "view/doc.h"

/* Clears the document and builds it; the comparison must be done, and outlive it. */
void step_diff_build(struct doc *d, const struct comparison *c);

/* Moves a place to the next difference, or the one before; false when there is none. */
bool step_diff_next(struct doc *d, struct place *p);
bool step_diff_previous(struct doc *d, struct place *p);

/* The message that a block shows or belongs to: that of the second step, or of the first
 * when it was removed.  False when it belongs to no message. */
struct step_diff_message {
	bool was, input;
	size_t message; /* in its side */
};
bool step_diff_message(struct doc *d, size_t block, struct step_diff_message *out);

/* "1,200 -> 1,450 (+250)", as `put` writes figures; nothing when both are unknown. */
void step_diff_figure(struct buf *out, double was, double is,
	void (*put)(struct buf *out, double value));

/* "2 changed, 1 added", or "no difference": ASCII. */
void step_diff_summary(struct buf *out, const struct comparison *c);

#endif
