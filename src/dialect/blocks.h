/*
 * Blocks of content as OpenAI (both APIs), Anthropic, Gemini, Bedrock and their
 * look-alikes write them: by whose custom a block is written.  Their types and keys do
 * not collide, so that any of them may stand anywhere.  What a block says the parts read
 * as it stands (chat/parts.h).
 */
#ifndef CATENA_DIALECT_BLOCKS_H
#define CATENA_DIALECT_BLOCKS_H

#include "dialect/talk.h"

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
unsigned block_customs(struct jv block);

/* Whether it is an entry of `tool_calls`, by what it has in its function. */
bool block_is_call(struct jv entry);

#endif
