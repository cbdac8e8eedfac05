/*
 * Images and files among the items of a message, in the forms of OpenAI (Chat and
 * Responses), Anthropic, Bedrock Converse, Gemini, MCP, OpenTelemetry and the AI SDK.
 */
#ifndef CATENA_CHAT_MEDIA_H
#define CATENA_CHAT_MEDIA_H

#include "chat/parts.h"

/* Fills an IMAGE or FILE part, or returns false and leaves it. */
bool media_read(struct part *part, struct jv item, struct arena *arena);

#endif
