/*
 * What the dialects of providers share: lists of messages, whole bodies of requests and
 * responses, errors, and what tells blocks apart.
 */
#ifndef CATENA_DIALECT_BODY_H
#define CATENA_DIALECT_BODY_H

#include "base/mem.h"
#include "chat/side.h"
#include "dialect/dialect.h"
#include "json/cursor.h"

/* ---- lists ---- */

/* What stands in an array, so that a dialect may tell whether it is its own. */
struct census {
	size_t items;     /* that are not null */
	size_t messages;  /* objects with a role that is known, and something said */
	size_t blocks;    /* of a known custom */
	size_t calls;     /* entries as those of tool_calls */
	bool first;       /* is the first a message? */
	unsigned conventions; /* of all blocks that are the items, */
	unsigned inner;   /* ... and of all that stand in the content of messages */
};

#define CENSUS_MOST 256 /* items that are looked at: they tell of the others */

void census_take(struct census *c, struct jv array); /* of no array all is 0 */

/* ---- messages ---- */

/* {role, content} with calls, thoughts, a refusal beside the content. */
bool body_is_message(struct jv message);
/* Whether its content has a block of one custom (see below) and not of another; 0:
 * of no other. */
bool body_is_message_of(struct jv message, unsigned custom, unsigned other);
/* Adds one: as it stands, where the parts read it so, else rewritten.  Without a role
 * it is said by `otherwise`. */
void body_add_message(struct message_writer *t, struct jv message, const char *otherwise);
void body_add_messages(struct message_writer *t, struct jv array, enum prefer side);
/* Whether an array is mostly messages, beginning with one, and some block of theirs of a
 * custom (0: of any or none); adding them, if it is; and of one. */
bool body_are_messages(struct jv array, unsigned custom);
bool body_read_messages(
	struct message_writer *t, struct jv array, unsigned custom, enum prefer side);
bool body_read_message(struct message_writer *t, struct jv message, enum prefer side);
/* One message of a role, with what content holds: a text, blocks, a block. */
void body_say(struct message_writer *t, const char *role, struct jv content);
/* The role of what names none. */
const char *side_speaker(enum prefer side);
/* Blocks, a block or entries of calls, as a message that the side says. */
bool body_say_blocks(
	struct message_writer *t, struct jv value, unsigned custom, enum prefer side);

/* ---- bodies ---- */

/*
 * Gives the writer its parameters: of some objects the members with these names (closed
 * by NULL), or all others.  What is null is none.
 */
void parameters_say(struct message_writer *t, const struct jv *objects, size_t count,
	const char *const names[], bool these);
/*
 * Those of a request body and of its `options`: all but the members with these names; of
 * what does not name a model, and may be anything that holds messages, only what is known
 * to be a parameter.
 */
void parameters_of_request(
	struct message_writer *t, struct jv body, const char *const names[]);

/* {"error": …} and perhaps what belongs to it, and nothing else: the writer has the
 * error.
 */
bool body_is_error(struct message_writer *t, struct jv body);
/* The error that a body has besides what it says. */
void body_add_error(struct message_writer *t, struct jv body);

/* ---- blocks that several dialects write alike ---- */

/* The blocks that stand as JSON in a string, an array of objects that have a type, or
 * that are Bedrock's; else the content as it is. */
struct jv content_open(struct jv content, struct arena *arena);

/* Whether each member of the object has one of the names. */
bool content_only(struct jv object, const char *const names[], size_t count);

/* ---- blocks ----
 *
 * Blocks of content as OpenAI (both APIs), Anthropic, Gemini, Bedrock and their
 * look-alikes write them: by whose custom a block is written.  Their types and keys do
 * not collide, so that any of them may stand anywhere.  What a block says the parts read
 * as it stands (chat/parts.h).
 */

enum {
	BLOCK_OPENAI = 1,
	BLOCK_ANTHROPIC = 2,
	BLOCK_RESPONSES = 4,
	BLOCK_GEMINI = 8,
	BLOCK_BEDROCK = 16,
	BLOCK_ITEM = 32,   /* of the Responses API: an item beside messages, no content */
	BLOCK_RESULT = 64, /* an item that a tool says */
};

/* Whose custom it is, a set of the above; 0: unknown.  Strict: a type alone is
 * no sign, the member that bears its content must be there. */
unsigned block_conventions(struct jv block);

#endif
