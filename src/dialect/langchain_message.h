/* One message of LangChain, in any of its spellings: what the dialect "langchain" shares
 * among its files. */
#ifndef CATENA_DIALECT_LANGCHAIN_MESSAGE_H
#define CATENA_DIALECT_LANGCHAIN_MESSAGE_H

#include "dialect/joint.h"
#include "dialect/talk.h"

/*
 *   {"lc": 1, "type": "constructor", "id": […, "AIMessage"], "kwargs": {…}}
 *   {"type": "ai", "data": {…}}
 *   {"type": "ai", "content": …}
 *   {"role": "assistant", "content": …, "additional_kwargs": {…}}
 */
struct langchain_message {
	struct jv body;   /* the object with content and calls */
	const char *role; /* static; NULL: what the body says under `role` */
	bool chunk;       /* a piece of a message that streams */
	bool sure;        /* only LangChain has this form */
};

/* False when the value is no message. */
bool langchain_message(struct langchain_message *m, struct jv value);

/* The last name of the class of an lc constructor: "AIMessage"; else .p is NULL. */
struct str langchain_class(struct jv value);

void langchain_add(struct talk *t, const struct langchain_message *m);

/* ---- langchain_chunks.c ---- */

/* Pieces of messages that stream, joined by the messages' ids; all zero bits: none. */
struct langchain_pieces {
	struct joining joining;
	struct intern ids; /* of messages */
};

void langchain_piece(struct langchain_pieces *p, const struct langchain_message *m);
/* Adds what the pieces say; there are none afterwards. */
void langchain_join(struct langchain_pieces *p, struct talk *t);

#endif
