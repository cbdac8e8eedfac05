/*
 * What a model was asked, apart from how it is written: messages of parts, calls and
 * results with ids, offered tools, settings.  Any dialect's messages are read into it.
 *
 * Wires are the interfaces that a request can be sent to: what was asked is written as the
 * body of a request for each.  What a wire cannot say is noted, never dropped in silence.
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

/* The names that a setting has in any dialect, in snake_case: see jv_key_is. */
extern const char *const asked_setting_names[ASKED_COUNT][6];

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

#endif
