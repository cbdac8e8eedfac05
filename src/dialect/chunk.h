/*
 * The pieces in which vendors stream a response, as objects by themselves: what tells
 * them from anything else that may stand on a line of JSON.  One alone tells little; two
 * of a kind in a row are a stream.
 */
#ifndef CATENA_DIALECT_CHUNK_H
#define CATENA_DIALECT_CHUNK_H

#include "base/map.h"
#include "dialect/dialect.h"

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

/* ---- joining ---- */

/*
 * The parts of messages that come in pieces, while they are joined.  What belongs
 * together has a key; each key is one part, in order of first appearance.
 */

enum joint_kind {
	JOINT_TEXT,
	JOINT_THINKING,
	JOINT_REFUSAL,
	JOINT_CALL,
	JOINT_RESULT,
	JOINT_ITEM, /* a part that came whole */
	JOINT_GONE, /* what came whole later takes its place */
};

struct joint {
	enum joint_kind kind;
	uint32_t message;         /* which of several choices */
	struct jv role;           /* of the first of a message: who says it; J_NONE: the
				     assistant, of a RESULT alone the tool */
	struct jv type, id, name; /* CALL; RESULT but for the type */
	struct jv value;          /* ITEM: itself; RESULT: what came out; CALL: arguments
				     that came whole */
	bool failed;              /* RESULT */
	struct buf body; /* the inside of a JSON string; of a CALL with a `path` the
			    arguments that came one by one: an object, not closed */
	struct jv path;  /* CALL: of the argument that came last */
	bool open;       /* ... which is a string and may go on */
};

struct joining {
	struct joint *items;
	size_t count, cap;
	struct idmap keys;
	size_t call;       /* Gemini: the number of the last call, from 1; 0: none */
	uint32_t messages; /* choices seen */
	uint32_t round;    /* raised with each message that begins, */
	size_t first;      /* whose parts are those from here on */
};

/* The number of an id, be it text or number; `kind` tells ids of several kinds apart. */
uint32_t joint_id(struct intern *ids, const char *kind, struct jv id);
/* The number that a member says, of a place in a list; `otherwise` where it says none. */
uint32_t joint_number(struct jv object, const char *member, uint32_t otherwise);
/* A part without a key; valid until the next. */
struct joint *joint_add(struct joining *j, enum joint_kind kind, uint32_t message);
/* The part with a key, perhaps new. */
struct joint *joint_keyed(
	struct joining *j, enum joint_kind kind, uint32_t message, uint32_t index);
/* Puts the text of a string to the part with a key. */
void joint_append(struct joining *j, enum joint_kind kind, uint32_t message,
	uint32_t index, struct jv text);

/* Says the messages, and forgets them. */
void joint_say(struct joining *j, struct message_writer *t);

/*
 * Joins chunks as parts of a message: choices of OpenAI and its look-alikes, blocks of
 * Anthropic, Bedrock and Cohere, items of the Responses API, candidates of Gemini, lines
 * of Ollama.  One event more.  `type` is what it calls itself, or what the SSE calls it;
 * or empty.  An event that is of no vendor's, or says nothing, adds nothing.
 */
void chunks_add(struct joining *j, struct str type, struct jv event);

/*
 * An array of events of a stream, or one event, of which the first that counts is an
 * event by the test: what they say, joined.  Events may be wrapped as {event, data}.
 */
bool body_join(
	struct message_writer *t, struct jv value, bool (*is_event)(struct jv event));

/*
 * The events of a stream that stand as text in a string, as recordings keep the body of a
 * response: server-sent events ("data: {…}"), or a JSON object on each line.
 */

/* What the events say, as an array in the arena; J_NONE: the text is no such stream.
 * Cost: linear in the string. */
struct jv streamed_events(struct jv string, struct arena *arena);

#endif
