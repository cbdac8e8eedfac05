/*
 * Messages written as JSON text, in the form in which the extractor and the parts know
 * them: what a stream or an envelope says, as a conversation.
 */
#ifndef CATENA_IMPORT_MESSAGES_H
#define CATENA_IMPORT_MESSAGES_H

#include "base/arena.h"
#include "chat/side.h"

struct messages { /* all zero bits: none */
	struct buf out;
	size_t count;
	/* private */
	bool open;  /* a message is being written, */
	bool calls; /* and has calls: no more text goes before them */
	bool ours;  /* the message is the assistant's */
};

/* By what a call and its result are paired: an id of the file, or a made-up one. */
struct message_id {
	struct jv id;     /* a string or number; else the made-up one is written: */
	const char *kind; /* "tool_start" gives "tool_start[0]" */
	size_t number;
};

/* A message that is JSON already. */
void messages_add(struct messages *m, struct jv message);
/* A message of a role: `body` is the inside of a JSON string, escapes and all. */
void messages_say(struct messages *m, const char *role, struct str body);
/* The assistant's calls and their results; absent values are left out. */
void messages_call(struct messages *m, const struct message_id *id, struct jv name,
	struct jv arguments);
void messages_result(struct messages *m, const struct message_id *id, struct jv name,
	struct jv content, bool error);

/* The array; the messages are empty again. */
struct jv messages_take(struct messages *m, struct arena *arena);

/* A side that shows them, and `value` as its JSON. */
void messages_side(
	struct side *side, struct jv messages, struct jv value, enum prefer prefer);

#endif
