/*
 * What a model was asked, apart from how it is written: messages of parts, calls and
 * results with ids, offered tools, settings.  Any dialect's messages are read into it.
 *
 * Wires are the interfaces that a request can be sent to: each writes what was asked as
 * the body of a request.  There is one file and one row of a table for each.  What a wire
 * cannot say is noted, never dropped in silence.
 */
#ifndef CATENA_DIALECT_WIRE_H
#define CATENA_DIALECT_WIRE_H

#include "base/map.h"
#include "chat/parts.h"
#include "chat/role.h"
#include "chat/side.h"

/* ---- what was asked ---- */

enum asked_setting {
	ASKED_TEMPERATURE,
	ASKED_TOP_P,
	ASKED_TOP_K,
	ASKED_MOST, /* tokens of the answer */
	ASKED_STOP,
	ASKED_SEED,
	ASKED_FREQUENCY,
	ASKED_PRESENCE,
	ASKED_ANSWERS, /* how many */
	ASKED_CHOICE,  /* of a tool */
	ASKED_PARALLEL,
	ASKED_FORMAT, /* of the answer */
	ASKED_EFFORT,
	ASKED_COUNT
};

/* By which id a call and its result are paired; both texts are empty for other parts. */
struct asked_link {
	struct str
		id; /* of the trace, or made up; a result without a call has one, too */
	struct str name; /* of the tool, where it is known */
};

struct asked_message {
	struct str role;
	enum speaker speaker;
	struct parts parts;
	struct asked_link *links; /* of each part; in the arena */
};

struct asked {               /* all zero bits but for the arena: nothing */
	struct arena *arena; /* borrowed; must outlive it */
	struct asked_message *messages;
	size_t count, cap;
	struct parts tools;
	struct str model;
	struct jv settings[ASKED_COUNT];
	struct asked_parameter {
		struct jv key, value;
	} * others; /* that are none of these */
	size_t other_count, other_cap;
	struct buf notes; /* sentences, a line each */
	/* private */
	struct jv most_key; /* what the trace calls ASKED_MOST */
	struct asked_call { /* so far, in order */
		struct asked_link link;
		bool answered;
	} * calls;
	size_t call_count, call_cap;
	size_t next_call; /* the first that may wait for a result without an id */
	struct idmap call_by_link;
	enum speaker open; /* wires that join messages: whose is being written */
};

void asked_done(struct asked *a);

/* Adds a message, which is borrowed; `side` lends it a speaker.  Linear in it. */
void asked_add(struct asked *a, struct jv message, enum prefer side);
/* Adds a text that one side says. */
void asked_add_text(struct asked *a, struct str text, enum prefer side);
/* Parameters: an object, or JSON in a string; of other values nothing. */
void asked_set_parameters(struct asked *a, struct jv parameters);
/* A setting that is known from elsewhere; what the parameters say stays. */
void asked_set(struct asked *a, enum asked_setting setting, struct jv value);

/* Notes a sentence once. */
void asked_note(struct asked *a, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Which tool may or must be called. */
struct asked_choice {
	enum { CHOICE_NONE_SAID, CHOICE_AUTO, CHOICE_NONE, CHOICE_ANY, CHOICE_TOOL } kind;
	struct str name; /* TOOL */
};
struct asked_choice asked_read_choice(const struct asked *a);

/* The form that the answer must have. */
struct asked_format {
	enum { FORMAT_NONE_SAID, FORMAT_TEXT, FORMAT_JSON, FORMAT_SCHEMA } kind;
	struct jv schema, name, strict; /* SCHEMA; J_NONE: not said */
};
struct asked_format asked_read_format(const struct asked *a);

/* A parameter that is no setting, by its name in any spelling; or J_NONE. */
struct jv asked_other(const struct asked *a, const char *name);

/* ---- wires ---- */

enum wire {
	WIRE_CHAT, /* Chat Completions, by whatever vendor */
	WIRE_RESPONSES,
	WIRE_ANTHROPIC,
	WIRE_GEMINI,      /* generateContent */
	WIRE_COMPLETIONS, /* of a prompt; written only as it was recorded */
	WIRE_OLLAMA,      /* Ollama's own chat; also only as it was recorded */
	WIRE_COUNT
};

extern const char *const wire_names[WIRE_COUNT]; /* "Chat Completions" */

/* Writes the body; false: it was stopped (base/stop.h).  What cannot be said is noted.
 * Linear in what is written. */
bool wire_write(enum wire wire, struct buf *out, struct asked *a);

/*
 * Of which wire a recorded body is; WIRE_COUNT: it is no request.  `path`: where it was
 * sent to, or empty.  `model` decides where both OpenAI and Anthropic write it so. Linear
 * in the body.
 */
enum wire wire_of_body(struct jv body, struct str path, struct str model);

/* ---- what the writers share ---- */

struct wire_ops {
	void (*begin)(struct buf *out, struct asked *a);
	void (*message)(struct buf *out, struct asked *a, const struct asked_message *m);
	void (*end)(struct buf *out, struct asked *a);
};

extern const struct wire_ops wire_chat, wire_responses, wire_anthropic, wire_gemini;

/* A value as a JSON string: a string as it stands, other JSON as its text. */
void wire_string(struct buf *out, struct jv value);
/* The arguments of a call as a string of JSON, and as an object. */
void wire_arguments_string(struct buf *out, const struct part *call);
void wire_arguments_object(struct buf *out, struct asked *a, const struct part *call);
/* The address of an image or file: its own, or a data: URL; a JSON string. */
void wire_data_url(struct buf *out, const struct part *media);
/* Its base64 alone, a JSON string. */
void wire_base64(struct buf *out, const struct part *media);
/* Whether an image or file can be sent: its data, or an address on the web.  Else it is
 * noted. */
bool wire_has_media(struct asked *a, const struct part *media);
/* The texts of a tool's result as one JSON string; images and files are noted. */
void wire_result_string(struct buf *out, struct asked *a, const struct part *result);
/* Notes a part that the wire cannot say. */
void wire_note_part(struct asked *a, const struct part *part, enum wire wire);
/*
 * Turns, for wires that take user and model by turns: what speakers other than the
 * assistant say is the user's, and messages of one speaker in a row are one turn.
 * wire_turn opens {"role":...,CONTENT:[ unless such a turn is open (`a->open`; it begins
 * as SPEAKER_OTHER); wire_end_turns closes the last one and the list.
 */
void wire_turn(struct buf *out, struct asked *a, enum speaker speaker,
	const char *assistant, const char *content);
void wire_end_turns(struct buf *out, const struct asked *a);
/* "tools":[...], one by one; nothing where none are offered. */
void wire_tools(struct buf *out, struct asked *a,
	void (*put)(struct buf *out, struct asked *a, const struct part *tool));
/* "tool_choice" in OpenAI's words; false for a certain tool, which is written otherwise.
 */
bool wire_openai_choice(struct buf *out, struct asked_choice choice);
/* Who speaks in a message, as both of OpenAI's call it. */
struct str wire_openai_role(const struct asked_message *m);
/* The form of the answer, as both of OpenAI's have it; `inner`: what wraps the schema and
 * its name, or NULL. */
void wire_openai_format(struct buf *out, const struct asked_format *f, const char *inner);
/* The settings and the other parameters of a wire, as members. */
void wire_settings(struct buf *out, struct asked *a, enum wire wire);
/* The other parameters alone; and of Gemini's what stands in generationConfig. */
void wire_others(struct buf *out, struct asked *a, enum wire wire);
void wire_gemini_config(struct buf *out, struct asked *a);
/* The parameters of a tool's schema; an empty object schema where none is known. */
void wire_schema(
	struct buf *out, const char *key, const struct part *tool, struct arena *arena);

#endif
