/*
 * The difference of two messages as blocks: the parts (chat/parts) of one are matched
 * with those of the other, texts compared by words, arguments and results as JSON.
 */
#ifndef CATENA_VIEW_MESSAGE_DIFF_H
#define CATENA_VIEW_MESSAGE_DIFF_H

#include "diff/messages.h"
#include "view/doc.h"

/* Each inserts at `at` and returns how many blocks that made; messages must outlive the
 * document. */
size_t message_diff_insert(struct doc *d, size_t at, const struct compared_message *was,
	const struct compared_message *is);
/* Inserts a whole message, in ROLE_DELETED, ROLE_ADDED, or ROLE_TEXT when it stayed. */
size_t message_diff_insert_whole(struct doc *d, size_t at,
	const struct compared_message *message, enum role role, uint32_t level);

/* Appends the beginning of a message, as one line of unsafe text. */
void message_diff_brief(struct buf *out, const struct compared_message *message);

#endif
