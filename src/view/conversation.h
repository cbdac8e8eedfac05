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
 * Clears the document and builds it.  It borrows from the reading and its opened step,
 * which must outlive it.  `input`: which side; both sides of a shared step are the input.
 * Linear in the messages; parts of a message are read only when it is laid out.  False:
 * all it says is that there is nothing to show.
 */
bool conversation_build(struct doc *d, struct trace *trace, uint32_t step,
	struct reading *r, bool input, enum side_mode mode);

/* Pieces of it, for other documents: what is wrong with the text of a step, the error
 * that the trace says it had, the note below its output.  Each adds what there is to say.
 */
void conversation_add_problem(
	struct doc *d, struct trace *trace, uint32_t step, const struct step_content *o);
void conversation_add_error(struct doc *d, const struct step_content *o);
void conversation_add_end(struct doc *d, const struct trace *trace, uint32_t step);
/* Notes about a step and, of a reading, what is known of its request besides messages. */
void conversation_add_facts(
	struct doc *d, const struct trace *trace, uint32_t step, struct reading *r);
/* A side that is a text, as the message of who speaks there; and images beside it. */
void conversation_add_text(struct doc *d, const struct side *s);
void conversation_add_images(struct doc *d, const struct side *s);

/* The i-th note about a step above its input, by its flags; NULL after the last. */
const char *conversation_note(uint32_t flags, size_t i);
/* The note below its output, or NULL. */
const char *conversation_end_note(const struct trace *trace, uint32_t step);

/* "chat", "text", "json", "raw": what the mode shows of this side. */
const char *conversation_view_name(
	const struct step_content *o, bool input, enum side_mode mode);

/* The number of the message that a block of the chat or of the tree belongs to, or
 * SIZE_MAX.  In the tree the cost is linear in the messages. */
size_t conversation_message(const struct side *s, struct doc *d, size_t block);
/* Moves the cursor and the top row to a message, in the chat or in the tree; does nothing
 * when the document does not show it.  Linear in the blocks. */
void conversation_go(const struct side *s, struct doc *d, size_t message);

/* The call or result that a block shows, as an index of the reading's pairs; for any
 * other block of a message the first one of that message.  NO_PAIR: it has none. */
size_t conversation_end(struct doc *d, size_t block);
/* Moves the cursor of the chat to the block of a call or result: a result below its call,
 * else in its own message.  False: the document does not show it; then the cursor goes to
 * its message.  Opens folds that hide it. */
bool conversation_go_end(const struct side *s, struct doc *d, size_t end);

/*
 * The i-th value that is shown with a message without being part of it: for i = 0 the
 * response that came beside the output's messages, then the result of each call that is
 * shown with the call; J_NONE where there is no such value.  False: `i` is too large.
 */
bool conversation_answer(struct doc *d, size_t head, size_t i, struct jv *answer);

/* ---- a message ---- */

/*
 * As blocks of a document, whose context is the side_reading it belongs to (or NULL:
 * calls and results are not paired).
 */

/* The role in which a speaker is drawn. */
enum role message_speaker_role(enum speaker speaker);

/* Adds a message of the side. */
void message_add(struct doc *d, const struct side *s, size_t message);

/*
 * Adds a head alone, with the speaker's name.  The caller may set its value, and in
 * `data` a struct str that is shown dim after the name, both in the document's arena.
 */
extern const struct block_ops message_head;
struct block *message_add_head(
	struct doc *d, const struct block_ops *ops, struct str speaker, size_t index);
/* Sets a head's name and role from its value, or from the side where it names none. */
void message_set_speaker(struct doc *d, size_t at, enum prefer side);
void message_layout_head(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width);

/* In a transcript: how much of a message is shown, and with which bar, by who speaks. */
void message_set_brief(struct doc *d, size_t at);

bool message_is(const struct block *b); /* the head of a message of a side */
/* Whether a result, by its number among the pairs, is shown below its call. */
bool message_shows_with_call(const struct side_reading *side, size_t result);

/* ---- what is new since the step before ---- */

/*
 * A conversation that shows only what is new since the step before (a history): unchanged
 * messages are in a fold of one line, a changed one shows its changes, and removed ones
 * are in a fold where they were.
 */

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

#endif
