/*
 * A message of a conversation as blocks of a document, whose context is the side_reading
 * it belongs to (or NULL: calls and results are not paired).
 */
#ifndef CATENA_VIEW_MESSAGE_H
#define CATENA_VIEW_MESSAGE_H

#include "view/doc.h"
#include "view/reading.h"

/* The role in which a speaker is drawn. */
enum role message_speaker_role(struct str speaker);

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

/* See conversation_answer. */
bool message_answer(struct doc *d, size_t head, size_t i, struct jv *answer);

#endif
