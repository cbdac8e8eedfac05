/*
 * A conversation of which only what is new is shown, against what went before (a
 * history): messages that were shown then stand behind a fold of one line, a changed one
 * shows its changes, and those that are gone stand behind a line in their place.
 */
#ifndef CATENA_VIEW_NEW_MESSAGES_H
#define CATENA_VIEW_NEW_MESSAGES_H

#include "view/doc.h"
#include "view/reading.h"

/*
 * Adds the messages of a side, whose document has the side_reading as its context; false,
 * and nothing, when nothing of it was shown before.
 */
bool new_messages_add(struct doc *d, const struct side_reading *side);

/* Whether a side is shown so. */
bool new_messages_is_on(const struct side_reading *side);

/* The messages that a fold holds: of a run of the side, [*first, *first + *count). */
bool new_messages_run(const struct doc *d, size_t block, size_t *first, size_t *count);

/* The closed fold that holds a message, or SIZE_MAX. */
size_t new_messages_fold(const struct doc *d, size_t message);

/* As conversation_answer: the messages that a closed fold stands for. */
bool new_messages_answer(const struct doc *d, size_t block, size_t i, struct jv *answer);

#endif
