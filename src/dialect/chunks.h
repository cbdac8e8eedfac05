/*
 * Joining what vendors stream: choices of OpenAI and its look-alikes, blocks of
 * Anthropic, Bedrock and Cohere, items of the Responses API, candidates of Gemini, lines
 * of Ollama, as parts of a message (joint.h).
 */
#ifndef CATENA_DIALECT_CHUNKS_H
#define CATENA_DIALECT_CHUNKS_H

#include "dialect/joint.h"
#include "dialect/chunk.h"

/*
 * One event more.  `type` is what it calls itself, or what the SSE calls it; or empty.
 * An event that is of no vendor's, or says nothing, adds nothing.
 */
void chunks_add(struct joining *j, struct str type, struct jv event);

#endif
