/*
 * Private to the files that read parts: an object walked once for
 * every field that counts (struct item_node), questions to it, and the list that is
 * filled (struct item_reader).
 *
 * Objects are looked into to a fixed depth: a message, the message or delta inside it,
 * their items, and what an item wraps.  Nothing here follows nesting further.
 */
#ifndef CATENA_CHAT_READER_H
#define CATENA_CHAT_READER_H

#include "base/map.h"
#include "chat/parts.h"

/* The members that count, and how they are called (see jv_key_is). */
#define ITEM_FIELDS(X)                                                                   \
	X(TYPE, "type")                                                                  \
	X(ROLE, "role")                                                                  \
	X(TEXT, "text")                                                                  \
	X(CONTENT, "content")                                                            \
	X(MESSAGE, "message")                                                            \
	X(PARTS, "parts")                                                                \
	X(DELTA, "delta")                                                                \
	X(RESPONSE, "response")                                                          \
	X(TOOLS, "tools")                                                                \
	X(NAME, "name")                                                                  \
	X(DESCRIPTION, "description")                                                    \
	/* calls */                                                                      \
	/* before its other spelling, by the document */                                 \
	X(TOOL_USE_CAMEL, "toolUse")                                                     \
	X(TOOL_USE, "tool_use")                                                          \
	X(FUNCTION, "function")                                                          \
	X(TOOL_CALLS, "tool_calls")                                                      \
	X(FUNCTION_CALL, "function_call")                                                \
	X(INPUT, "input")                                                                \
	X(ARGUMENTS, "arguments")                                                        \
	X(PARAMETERS, "parameters")                                                      \
	X(ARGS, "args")                                                                  \
	X(TOOL_NAME, "tool_name")                                                        \
	X(FUNCTION_NAME, "function_name")                                                \
	X(CUSTOM, "custom")                                                              \
	X(EXECUTABLE_CODE, "executable_code")                                            \
	X(TOOL_INVOCATION, "tool_invocation")                                            \
	X(TOOL_INVOCATIONS, "tool_invocations")                                          \
	X(ADDITIONAL_KWARGS, "additional_kwargs")                                        \
	X(INVALID_CALLS, "invalid_tool_calls")                                           \
	X(STATE, "state")                                                                \
	/* results */                                                                    \
	X(TOOL_RESULT_CAMEL, "toolResult")                                               \
	X(TOOL_RESULT, "tool_result")                                                    \
	X(FUNCTION_RESPONSE, "function_response")                                        \
	X(CODE_RESULT, "code_execution_result")                                          \
	X(OUTPUT, "output")                                                              \
	X(RESULT, "result")                                                              \
	X(ERROR, "error")                                                                \
	X(ERROR_TEXT, "error_text")                                                      \
	X(IS_ERROR, "is_error")                                                          \
	X(STATUS, "status")                                                              \
	/* ids */                                                                        \
	X(ID, "id")                                                                      \
	X(TOOL_USE_ID_CAMEL, "toolUseId")                                                \
	X(TOOL_USE_ID, "tool_use_id")                                                    \
	X(CALL_ID, "call_id")                                                            \
	X(TOOL_CALL_ID, "tool_call_id")                                                  \
	/* definitions */                                                                \
	X(TOOL, "tool")                                                                  \
	X(DEFINITION, "definition")                                                      \
	/* thoughts and refusals */                                                      \
	X(REASONING_CONTENT, "reasoning_content")                                        \
	X(REASONING_TEXT, "reasoning_text")                                              \
	X(REASONING_DETAILS, "reasoning_details")                                        \
	X(REASONING, "reasoning")                                                        \
	X(REDACTED, "redacted_content")                                                  \
	X(THINKING, "thinking")                                                          \
	X(THINKING_BLOCKS, "thinking_blocks")                                            \
	X(THOUGHT, "thought")                                                            \
	X(THOUGHTS, "thoughts")                                                          \
	X(TOOL_PLAN, "tool_plan")                                                        \
	X(SUMMARY, "summary")                                                            \
	X(REFUSAL, "refusal")                                                            \
	/* beside the content of a message */                                            \
	X(IMAGES, "images")                                                              \
	X(ATTACHMENTS, "experimental_attachments")                                       \
	X(AUDIO, "audio")

enum item_field {
#define X(id, name) id,
	ITEM_FIELDS(X)
#undef X
		FIELD_COUNT
};

struct item_node {
	struct jv object;
	struct jv v[FIELD_COUNT];
};

struct item_reader {
	struct parts *parts;
	struct arena *arena;
	struct idmap calls; /* hash of name and id → index, to leave out the second */
	struct idmap outcomes; /* links of the results that calls bear */
	bool foreign;          /* where we read is beyond the document */
	bool thinking;         /* what would be a text here is a thought */
};

void node_read(struct item_node *n, struct jv object); /* of no object all is J_NONE */
/* The first of some fields, closed by FIELD_COUNT, that a test passes; or J_NONE. */
struct jv node_first(const struct item_node *n, bool (*test)(struct jv), ...);
bool node_is_type(const struct item_node *n, struct str type);

bool is_object(struct jv v); /* not empty; another test is jv_is_text */

void reader_add(struct item_reader *r, struct part part);
void reader_add_body(
	struct item_reader *r, enum part_kind kind, struct jv raw, struct jv body);
void reader_add_json(struct item_reader *r, struct jv value);

/* Adds the definitions under `tools`. */
void tools_read(struct item_reader *r, struct jv tools);

#endif
