/*
 * The chat extractor: does this value hold a conversation, and which?  The
 * order of the search is that of the "Chat Extraction Algorithm" document,
 * which doc/formats.md repeats; a preference changes the order, never the rules.
 * Works on raw text, borrows it, and never recurses deeper than three wrappers.
 */
#ifndef CATENA_CHAT_EXTRACT_H
#define CATENA_CHAT_EXTRACT_H

#include "json/cursor.h"

enum prefer { PREFER_NONE, PREFER_INPUT, PREFER_OUTPUT };

struct chat {
	struct jv *items; /* messages, and whatever stood between them */
	size_t count, cap;
	struct jv array; /* where they stand as one array in the text; else J_NONE */
};

void chat_done(struct chat *c);
void chat_add(struct chat *c, struct jv item);

/* Fills an empty *out and returns true, or leaves it empty and returns false. */
bool chat_extract(struct jv value, enum prefer prefer, struct chat *out);
/* chat_extract without copying the items of an array: out->array has them. */
bool chat_find(struct jv value, enum prefer prefer, struct chat *out);

/* What of an object says whether it is a message (JV_READ), and whether it does. */
JV_RECORD(chat_fields, role, sender, author, content, text, message, function_call,
	tool_call_id, parts, tool_calls, delta);
bool chat_fields_speak(const struct chat_fields *v);

/* An object with a speaker and content, as the extractor understands it. */
bool chat_is_message(struct jv value);
/* An array with at least one element that is a message. */
bool chat_is_messages_array(struct jv value);
/* An array with objects, all of them messages without `properties` or `event`. */
bool chat_is_conversation(struct jv value);

#endif
