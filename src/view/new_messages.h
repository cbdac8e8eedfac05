/*
 * A conversation that shows only what is new since the step before (a history): unchanged
 * messages are in a fold of one line, a changed one shows its changes, and removed ones
 * are in a fold where they were.
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

/* What became of a single message, for other documents: adds nothing if it was shown
 * before, its changes, or itself.  True: something was added. */
bool new_messages_add_one(struct doc *d, const struct side_reading *side, size_t message);
/* Adds a fold of the messages that were removed before a message, or before the end. */
void new_messages_add_gone(struct doc *d, const struct side_reading *side, size_t at);

/* Whether only the new messages of a side are shown. */
bool new_messages_is_on(const struct side_reading *side);

/* Whether a block is a fold of unchanged or of removed messages. */
bool new_messages_is_fold(const struct block *b);

/* The messages of the side in a fold: [*first, *first + *count).  False: the block is not
 * a fold of unchanged messages. */
bool new_messages_run(const struct doc *d, size_t block, size_t *first, size_t *count);

/* Whether a head is that of a message that changed. */
bool new_messages_is_changed(const struct doc *d, size_t head);
/* Whether a head is that of removed messages, or of one of them. */
bool new_messages_is_gone(const struct doc *d, size_t head);

/* The closed fold that contains a message, or SIZE_MAX.  Linear in the blocks. */
size_t new_messages_fold(const struct doc *d, size_t message);

/* As conversation_answer: the i-th message in a closed fold. */
bool new_messages_answer(const struct doc *d, size_t block, size_t i, struct jv *answer);

#endif
