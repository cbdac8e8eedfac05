/*
 * One message and what became of it, as blocks: its parts (chat/parts) matched with those
 * of the other, texts by their words, arguments and results by their meaning.
 */
#ifndef CATENA_VIEW_MESSAGE_DIFF_H
#define CATENA_VIEW_MESSAGE_DIFF_H

#include "diff/messages.h"
#include "view/doc.h"

/* Each inserts at `at` and returns how many blocks that made; messages must outlive the
 * document. */
size_t message_diff_insert(struct doc *d, size_t at, const struct compared_message *was,
	const struct compared_message *is);
/* The whole, in a role: ROLE_DELETED, ROLE_ADDED, or ROLE_TEXT when it stayed. */
size_t message_diff_insert_whole(struct doc *d, size_t at,
	const struct compared_message *said, enum role role, uint32_t level);

/* How it begins, as one line of unsafe text. */
void message_diff_brief(struct buf *out, const struct compared_message *said);

#endif
