/*
 * ChatRequest and ChatResponsePayload of the "Chat System Architecture" document, as
 * conversations.
 */
#ifndef CATENA_IMPORT_ENVELOPE_H
#define CATENA_IMPORT_ENVELOPE_H

#include "base/arena.h"
#include "chat/side.h"
#include "dialect/talk.h"

/* The history and then the message: an array of messages in the arena. */
struct jv envelope_request(struct jv request, struct arena *arena);
/* `context` of a request, or J_NONE, and the page it names. */
struct jv envelope_context(struct jv request, struct arena *arena);
struct str envelope_page(struct jv context, struct arena *arena);

/* The tool history as calls and results, then the message. */
struct jv envelope_response(struct jv response, struct arena *arena);

/* An entry of `tool_history`. */
struct tool_use {
	struct jv name, input, output; /* J_NONE: not said */
	struct jv id;
	bool error;
};
/* Reads one entry, whose values it borrows. */
struct tool_use tool_use_read(struct jv entry);
/* Writes its call, and its result if there is one; `number`: its place in the history. */
void tool_use_write(struct talk *t, const struct tool_use *use, size_t number);
/* By what a call and its result are paired: an id of the file, or else a made-up one,
 * kind[number]. */
struct jv tool_use_id(struct jv id, const char *kind, size_t number, struct arena *arena);

#endif
