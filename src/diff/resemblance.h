/*
 * Whether one message may be another, changed: the same speaker, and half of the words of
 * the longer are in both, in any order.
 */
#ifndef CATENA_DIFF_RESEMBLANCE_H
#define CATENA_DIFF_RESEMBLANCE_H

#include "chat/side.h"

/* The sides lend their speakers.  Of long messages the first 16 KB of text count. */
bool message_resembles(
	struct jv a, enum prefer side_of_a, struct jv b, enum prefer side_of_b);

#endif
