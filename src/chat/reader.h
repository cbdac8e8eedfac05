/*
 * Private to the files that read parts: an object walked once for
 * every field that counts (struct item_node), questions to it, and the list that is
 * filled (struct item_reader).  calls.c, results.c, tools.c and thoughts.c know what the
 * "Robust Observability Patterns" document says, vendors.c what goes beyond it, parts.c
 * walks.
 *
 * Objects are looked into to a fixed depth: a message, the message or delta inside it,
 * their items, and what an item wraps.  Nothing here follows nesting further.
 */
#ifndef CATENA_CHAT_READER_H
#define CATENA_CHAT_READER_H

#include "base/map.h"
#include "chat/parts.h"

enum item_field {
	TYPE,
	ROLE,
	TEXT,
	CONTENT,
	MESSAGE,
	PARTS,
	DELTA,
	RESPONSE,
	TOOLS,
	NAME,
	DESCRIPTION,
	/* calls */
	TOOL_USE_CAMEL, /* before its other spelling, by the document */
	TOOL_USE,
	FUNCTION,
	TOOL_CALLS,
	FUNCTION_CALL,
	INPUT,
	ARGUMENTS,
	PARAMETERS,
	ARGS,
	TOOL_NAME,
	FUNCTION_NAME,
	CUSTOM,
	EXECUTABLE_CODE,
	TOOL_INVOCATION,
	TOOL_INVOCATIONS,
	ADDITIONAL_KWARGS,
	INVALID_CALLS,
	STATE,
	/* results */
	TOOL_RESULT_CAMEL,
	TOOL_RESULT,
	FUNCTION_RESPONSE,
	CODE_RESULT,
	OUTPUT,
	RESULT,
	ERROR,
	ERROR_TEXT,
	IS_ERROR,
	STATUS,
	/* ids */
	ID,
	TOOL_USE_ID_CAMEL,
	TOOL_USE_ID,
	CALL_ID,
	TOOL_CALL_ID,
	/* definitions */
	TOOL,
	DEFINITION,
	/* thoughts and refusals */
	REASONING_CONTENT,
	REASONING_TEXT,
	REASONING_DETAILS,
	REASONING,
	REDACTED,
	THINKING,
	THINKING_BLOCKS,
	THOUGHT,
	THOUGHTS,
	TOOL_PLAN,
	SUMMARY,
	REFUSAL,
	/* beside the content of a message */
	IMAGES,
	ATTACHMENTS,
	AUDIO,
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

void reader_done(struct item_reader *r); /* its parts stay */

void node_read(struct item_node *n, struct jv object); /* of no object all is J_NONE */
/* The first of some fields, closed by FIELD_COUNT, that a test passes; or J_NONE. */
struct jv node_first(const struct item_node *n, bool (*test)(struct jv), ...);
bool node_is_type(const struct item_node *n, struct str type);
bool node_type_ends(
	const struct item_node *n, struct str tail); /* and is longer than it */

/* The tests: the document skips what is null, empty or of the wrong type. */
bool is_text(struct jv v);   /* a string, not empty */
bool is_object(struct jv v); /* not empty */
bool is_id(struct jv v);     /* a string or number, not empty */
bool is_filled(struct jv v);
bool is_there(struct jv v); /* not null */

void reader_add(struct item_reader *r, struct part part);
void reader_add_body(
	struct item_reader *r, enum part_kind kind, struct jv raw, struct jv body);
void reader_add_text(struct item_reader *r, struct jv string); /* if it is_text */
void reader_add_json(struct item_reader *r, struct jv value);

/* Fills what the document calls a tool use; false when the item is none. */
bool call_find(struct part *call, const struct item_node *item);
void call_arguments(struct part *call, const struct item_node *data);
/*
 * A second call with the name and id of a first repeats that call; the
 * first stays, and only arguments that it does not have are taken over.
 */
void call_add(struct item_reader *r, struct part call);
bool call_read(struct item_reader *r, const struct item_node *item);
/* What stands among the `tool_calls` of a message, or is its `function_call`. */
void call_read_entry(struct item_reader *r, struct jv entry);
/* `tool_calls` and `function_call` of a message. */
void calls_read(struct item_reader *r, const struct item_node *message);

/* Whether its form says result; a tool_call_id alone is a weaker sign, which calls bear
 * too. */
bool result_looks(const struct item_node *n);
/* OpenAI's results before they had ids, which to the document are texts. */
bool result_of_function(const struct item_node *n);
struct jv result_id(const struct item_node *n);
/* The content, or what vendors have in its place; `data` is the item or what it wraps. */
void result_body(struct part *result, const struct item_node *data);
bool result_failed(const struct item_node *n);
/* Adds it; false when not the item itself but an object in it had the content. */
bool result_read(struct item_reader *r, const struct item_node *item);
/* Whether content is a list of results, which then speak for themselves. */
bool results_in(struct jv content);

/* The definitions under `tools`. */
void tools_read(struct item_reader *r, struct jv tools);

/* Items and messages whose type is thinking or reasoning; what they say is no text. */
bool thought_looks(const struct item_node *n);
/* Adds what it holds, be it withheld; the field that had it, or FIELD_COUNT. */
enum item_field thought_read(struct item_reader *r, const struct item_node *n);
/* Thoughts that stand beside the content of a message or item, whatever its type. */
bool thought_read_beside(struct item_reader *r, const struct item_node *n);
/* A text that a sign beside it calls a thought. */
bool thought_read_marked(struct item_reader *r, const struct item_node *n);
bool refusal_read(struct item_reader *r, const struct item_node *n);

/* Where only calls stand, a name is enough to be one. */
bool vendor_read_named(struct item_reader *r, const struct item_node *item);
/* Though it has a tool_call_id, which for the document is the sign of a result. */
bool vendor_looks_like_call(const struct item_node *n);
/* By its type a result, though by no sign of the document; and it has what came out. */
bool vendor_looks_like_result(const struct item_node *n);
bool vendor_read_call(struct item_reader *r, const struct item_node *item);
bool vendor_read_result(struct item_reader *r, const struct item_node *item);
/* What a call's item says of its result; `link` and `name` are the call's. */
void vendor_read_outcome(struct item_reader *r, const struct item_node *item,
	struct jv link, struct jv name);
/* Texts that Bedrock wraps once more, and what says nothing: its marks for caches, pieces
 * of arguments. */
bool vendor_read_block(struct item_reader *r, struct jv block);
/* What a message has beside its content: calls elsewhere, images, attachments, audio. */
void vendor_read_beside(struct item_reader *r, const struct item_node *message);

#endif
