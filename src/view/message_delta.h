/*
 * One message and what became of it, as blocks: its parts (chat/parts) matched with those
 * of the other, texts by their words, arguments and results by their meaning.
 */
#ifndef CATENA_VIEW_MESSAGE_DELTA_H
#define CATENA_VIEW_MESSAGE_DELTA_H

#include "chat/compare.h"
#include "view/doc.h"

/* Each inserts at `at` and returns how many blocks that made; messages must outlive the
 * document. */
size_t message_delta_insert(
	struct doc *d, size_t at, const struct said *was, const struct said *is);
/* The whole, in a role: ROLE_DELETED, ROLE_ADDED, or ROLE_TEXT when it stayed. */
size_t message_delta_insert_whole(struct doc *d, size_t at, const struct said *said,
	enum role role, uint32_t level);

/* How it begins, as one line of unsafe text. */
void message_delta_brief(struct buf *out, const struct said *said);

#endif
