/*
 * One side of an opened step as a document: as a conversation, a text, a JSON tree or its
 * raw bytes, with notes on top about what is wrong with it.
 */
#ifndef CATENA_VIEW_CONVERSATION_H
#define CATENA_VIEW_CONVERSATION_H

#include "view/doc.h"
#include "view/reading.h"

enum side_mode { MODE_CHAT, MODE_TREE, MODE_RAW, MODE_COUNT };

/*
 * Builds the document anew.  It borrows from the reading and its opened step, which must
 * outlive it.  `input`: which side; of a shared step both are the input.
 */
void conversation_build(struct doc *d, struct trace *trace, uint32_t step,
	struct reading *r, bool input, enum side_mode mode);

/* The i-th note about a step above its input, by its flags; NULL behind the last. */
const char *conversation_note(uint32_t flags, size_t i);
/* The note below its output, or NULL. */
const char *conversation_end_note(const struct trace *trace, uint32_t step);

/* "chat", "text", "json", "raw": what the mode shows of this side. */
const char *conversation_view_name(
	const struct opened *o, bool input, enum side_mode mode);

/* The message that a block of the chat or of the tree belongs to, by its number, or
 * SIZE_MAX. */
size_t conversation_message(const struct side *s, struct doc *d, size_t block);
/* Takes the cursor to a message, in the chat or in the tree. */
void conversation_go(const struct side *s, struct doc *d, size_t message);

/* The call or result on which a block stands, as an end of the reading's pairs; in a
 * message's other lines its first one.  NO_PAIR: there is none. */
size_t conversation_end(struct doc *d, size_t block);
/* Takes the cursor of the chat to where a call or result is shown: below its call, else
 * in its own message.  False: the document does not show it. */
bool conversation_go_end(const struct side *s, struct doc *d, size_t end);

/*
 * What stands in a message's place though it is no part of it: what came beside the
 * output's messages, and the result of each call that is shown with it; J_NONE where
 * there is none.  False: there are no more than `i`.
 */
bool conversation_answer(struct doc *d, size_t head, size_t i, struct jv *answer);

/* The text of the last user message, for the list: raw, at most `most` bytes. */
void conversation_preview(struct opened *o, struct buf *out, size_t most);

#endif
