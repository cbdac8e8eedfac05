/*
 * Whether a message may be another one, changed: both have the same speaker, and half of
 * the words of the longer one are in both, in any order.
 */
#ifndef CATENA_DIFF_RESEMBLANCE_H
#define CATENA_DIFF_RESEMBLANCE_H

#include "chat/side.h"

/* The sides give the speaker of a message that has none.  Of a long message the first
 * 16 KB of text count.  n log n in the words. */
bool message_resembles(
	struct jv a, enum prefer side_of_a, struct jv b, enum prefer side_of_b);

#endif
