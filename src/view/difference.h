/*
 * A comparison of two steps (view/comparison) as a document: what they are and cost, the
 * settings that differ, then the messages, those that stayed folded into a line.  Below
 * each message that changed stand its words that went and came.
 */
#ifndef CATENA_VIEW_DIFFERENCE_H
#define CATENA_VIEW_DIFFERENCE_H

#include "view/comparison.h"
#include "view/doc.h"

/* Builds the document anew; the comparison must be done, and outlive it. */
void difference_build(struct doc *d, const struct comparison *c);

/* Takes a place to the next difference, or the one before; false when there is none. */
bool difference_next(struct doc *d, struct place *p);
bool difference_previous(struct doc *d, struct place *p);

/* The message that a block shows, or belongs to: that of the second step, of one that was
 * removed that of the first.  False when it is none. */
struct difference_message {
	bool was, input;
	size_t message; /* in its side */
};
bool difference_message(struct doc *d, size_t block, struct difference_message *out);

/* "1,200 -> 1,450 (+250)"; nothing when both are unknown. */
void difference_tokens(struct buf *out, double was, double is);
void difference_cost(struct buf *out, double was, double is);

/* "2 changed, 1 added", or "no difference": ASCII. */
void difference_summary(struct buf *out, const struct comparison *c);

#endif
