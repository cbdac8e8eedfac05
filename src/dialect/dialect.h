/*
 * Dialects: how a value says messages.  There is one file and one row of a table for
 * each; a dialect recognizes itself from the value, unless the reader names it.
 *
 * A value may be one message, an array of messages or items, one content block or an
 * array of blocks (spoken by the side's role), a whole request body (with system text,
 * offered tools and parameters), a whole response body, an error body, an array of the
 * events of a stream, or any of these as JSON in a string.  Of flat attributes it is the
 * object that has them.  What a dialect does not know is kept as it stands.
 */
#ifndef CATENA_DIALECT_DIALECT_H
#define CATENA_DIALECT_DIALECT_H

#include "base/mem.h"
#include "chat/side.h"

struct message_writer;

struct dialect {
	const char *name; /* as a format file names it: "anthropic" */
	/*
	 * Adds the messages of a value to the writer and is true; or adds nothing and is
	 * false: the value is not of this dialect.  `side` chooses where a value has both
	 * (flat attributes), and is the role of what has none.  Cost: linear in the
	 * value.
	 */
	bool (*read)(struct message_writer *t, struct jv value, enum prefer side);
};

extern const struct dialect dialect_openai;    /* Chat Completions, Cohere, Ollama, … */
extern const struct dialect dialect_responses; /* OpenAI's Responses */
extern const struct dialect dialect_anthropic;
extern const struct dialect dialect_gemini;
extern const struct dialect dialect_bedrock; /* Converse */
extern const struct dialect dialect_vercel;  /* the AI SDK */
extern const struct dialect dialect_langchain;
extern const struct dialect dialect_genai; /* OpenTelemetry, Pydantic AI */
extern const struct dialect dialect_openinference;
extern const struct dialect dialect_openllmetry;
extern const struct dialect dialect_agui; /* events of AG-UI */

/* In order of recognition, specific before general; NULL at the end. */
extern const struct dialect *const dialects[];

const struct dialect *dialect_named(struct str name); /* or NULL */

/* By the dialect given, which then takes what it would leave to others for want of signs
 * of its own; or with NULL by the first that knows the value. */
bool dialect_read(struct message_writer *t, const struct dialect *dialect,
	struct jv value, enum prefer side);

/* ---- what they say ---- */

/*
 * Messages that a dialect finds in a value, as one list that the parts
 * (chat/parts.h) read.  A message stands in it as in the file wherever it is one object
 * there, and so does a block; the parts know the blocks of all vendors.  What is put
 * together (system texts, attributes, pieces of a stream) is written as
 * {"role": R, "content": [BLOCK, …]}, with blocks
 *   {"type":"text","text":S}
 *   {"type":"thinking","thinking":S}
 *   {"type":"tool_use","id":ID,"name":S,"input":VALUE}, of free form with "format":"text"
 *   {"type":"tool_result","tool_use_id":ID,"name":S,"content":VALUE,"is_error":true}
 *   {"type":"image","source":{"type":"base64","data":S}}
 *   {"type":"image_url","image_url":{"url":S}}
 *   {"type":"refusal","refusal":S}
 * Absent members are left out.  Strings are copied with the escapes that they have in the
 * file.
 */

struct message_writer {       /* all zero bits: nothing said; `arena` must be set */
	struct arena *arena;  /* where what had to be decoded is kept; not owned */
	struct buf out;       /* the messages, with commas between them */
	size_t count;         /* of messages */
	struct jv tools;      /* offered tools as they stand, or J_NONE */
	struct jv parameters; /* an object: temperature, max_tokens, …, or J_NONE */
	struct jv error;      /* what an error body says, or J_NONE */
	bool named;           /* the caller chose the dialect: weak signs are enough */
	struct jv body;       /* the body of a request, as it stands, that all messages
				 were read from; or J_NONE */
	const struct dialect *by; /* which read a value last, or NULL */
	/* private */
	bool open;   /* a message is being written, */
	size_t text; /* whose last block is a text that ends here */
	size_t ours; /* the assistant's message of emit_said ends here, */
	bool calls;    /* with its calls */
	size_t start, bodies, of_body; /* messages before the value that is read; bodies
					  read, and messages up to the end of one */
};

void emit_done(struct message_writer *t);

/* A message as it stands in the file: an object that the parts know. */
void emit_add_raw(struct message_writer *t, struct jv message);
/* A message of that kind whose role is not there, or is said by its type: who says it. */
void emit_add_said_by(struct message_writer *t, const char *role, struct jv message);

/* What another writer in the same arena says, after what this one said. */
void emit_add(struct message_writer *t, const struct message_writer *more);

/* A message that is a text alone. */
void emit_text_of(struct message_writer *t, const char *role, struct jv text);
/* A message of the assistant that is a refusal alone. */
void emit_refuse(struct message_writer *t, struct jv why);

/*
 * Begins a message; `role` is a string of the file or J_NONE, then it is `otherwise`.
 * Blocks follow, then emit_end.  A message that gets no block is written with no content.
 */
void emit_begin(struct message_writer *t, struct jv role, const char *otherwise);
void emit_text(
	struct message_writer *t, struct jv string); /* J_STRING; others are left out */
void emit_text_on(
	struct message_writer *t, struct jv string); /* the text before goes on */
void emit_thinking(struct message_writer *t, struct jv string);
void emit_refusal(struct message_writer *t, struct jv string);
/* `arguments`: a value as it stands; a string that holds JSON is written as it stands. */
void emit_call(
	struct message_writer *t, struct jv id, struct jv name, struct jv arguments);
/* … of a type that a vendor has for calls; J_NONE: of none. */
void emit_typed_call(struct message_writer *t, struct jv type, struct jv id,
	struct jv name, struct jv arguments);
/* A call of free form, whose input is any text. */
void emit_text_call(
	struct message_writer *t, struct jv id, struct jv name, struct jv input);
void emit_result(struct message_writer *t, struct jv id, struct jv name,
	struct jv content, bool failed);
void emit_image_data(struct message_writer *t, struct jv data); /* base64 */
void emit_image_url(struct message_writer *t, struct jv url);
void emit_block(struct message_writer *t, struct jv block); /* as it stands */
/* What stands under `content` or `parts`: a string, blocks, one block. */
void emit_content(struct message_writer *t, struct jv content);
void emit_end(struct message_writer *t);
/* Ends a message that has a list of calls beside the content, as it stands. */
void emit_end_calls(struct message_writer *t, struct jv calls);

/*
 * Messages in the form of chat completions, as streams and envelopes have it: what a role
 * says (`body`: the inside of a JSON string, escapes and all); the assistant's calls,
 * which go with what it said last; what a tool gave.  Absent values are left out; an id
 * is written as a string.
 */
void emit_said(struct message_writer *t, const char *role, struct str body);
void emit_tool_call(
	struct message_writer *t, struct jv id, struct jv name, struct jv arguments);
void emit_tool_result(struct message_writer *t, struct jv id, struct jv name,
	struct jv content, bool failed);

/* All messages of the value that is being read were those of this body of a request. */
void emit_of_body(struct message_writer *t, struct jv body);

/* The messages as an array in the arena; `t` has none afterwards, but keeps `body`. */
struct jv emit_take(struct message_writer *t);

/* ---- conversations at any depth ---- */

/*
 * Conversations at any depth of a value that no format fits.  A conversation is an array
 * of messages, as the extractor understands them; an array of objects of which at least
 * half name a speaker (role, from, sender, author, speaker, or a type like "user") and
 * say something (content, text, value, message, parts); or the body of a request or a
 * response that a dialect reads; or a lone message with a role that is known.  The
 * outermost is taken, unless it is a body and says less than what stands in it.  JSON in
 * strings is opened, but not that in strings inside it.
 *
 * Cost: each level goes over the bytes below it once or twice; CHATS_DEEPEST, CHATS_MOST
 * and CHATS_VALUES bound depth, conversations and values.  What is beyond is not found.
 */
#define CHATS_DEEPEST 8u /* containers around a conversation */
#define CHATS_MOST    64u
#define CHATS_VALUES  100000u /* looked at */

struct found_chat {
	struct str path;    /* result.steps[3].dialogue; empty: the value itself */
	struct jv value;    /* the array or object as it stands, */
	struct jv place;    /* or the string that it was found in */
	struct jv messages; /* an array: the value itself, or in the form of dialect.h */
	struct jv tools;    /* offered, or J_NONE */
};

struct found_chats { /* all zero bits: nothing found */
	struct found_chat *items;
	size_t count, cap;
};

/* Texts that had to be decoded or written live in the arena. */
void find_chats(struct found_chats *d, struct jv value, struct arena *arena);
/* Leaves out those of which another says every message; no more than CHATS_MOST. */
void found_chats_leave_out_repeats(struct found_chats *d);
void found_chats_done(struct found_chats *d);

/* Whether one of the first messages of an array has a list of calls beside its text, in
 * words that only this walk knows: usedTools. */
bool chat_has_calls(struct jv messages);

/* Whether a key is one of those by which conversations are found: role, content, system,
 * …; and whether what it names is an answer: output, response, completion, … */
bool chat_is_word(struct jv key);
bool chat_is_answer(struct jv key);

#endif
