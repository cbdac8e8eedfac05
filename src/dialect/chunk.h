/*
 * The pieces in which vendors stream a response, as objects by themselves: what tells
 * them from anything else that may stand on a line of JSON.  One alone tells little; two
 * of a kind in a row are a stream.
 */
#ifndef CATENA_DIALECT_CHUNK_H
#define CATENA_DIALECT_CHUNK_H

#include "dialect/joint.h"

enum chunk_kind {
	CHUNK_NONE,
	CHUNK_OPENAI,    /* chat.completion.chunk */
	CHUNK_ANTHROPIC, /* message_start, content_block_delta, … */
	CHUNK_RESPONSES, /* response.created, … of OpenAI's Responses API */
	CHUNK_GEMINI,    /* candidates with a responseId */
	CHUNK_BEDROCK,   /* {"contentBlockDelta": …} of Converse */
	CHUNK_COHERE,    /* content-delta, tool-call-start, … */
	CHUNK_OLLAMA,    /* lines with `done`, of which the last is */
};

enum chunk_kind chunk_kind(struct jv object);

/* Whether a member makes it worth asking what its object is. */
bool chunk_is_sign(struct str key, struct jv value);

/* Whether what is no chunk by itself stands in a response of the kind: pings, ends,
 * errors. */
bool chunk_goes_on(enum chunk_kind kind, struct jv object);

/* The only key of an event of Bedrock's, decoded, and the object under it; else .p is
 * NULL. */
struct str chunk_bedrock(struct jv object, struct jv *body);
/* … when it is that of an error, such as throttlingException. */
bool chunk_is_exception(struct jv object);

/* Why Gemini withheld a candidate, or the rest of it: a string, or J_NONE. */
struct jv chunk_withheld(struct jv candidate);

/*
 * Joins them as parts of a message (joint.h): choices of OpenAI and its look-alikes,
 * blocks of Anthropic, Bedrock and Cohere, items of the Responses API, candidates of
 * Gemini, lines of Ollama.  One event more.  `type` is what it calls itself, or what the
 * SSE calls it; or empty.  An event that is of no vendor's, or says nothing, adds
 * nothing.
 */
void chunks_add(struct joining *j, struct str type, struct jv event);

#endif
