/*
 * What a model was asked, apart from how it is written: messages of parts, calls and
 * results with ids, offered tools, settings.  Any dialect's messages are read into it.
 *
 * APIs are the interfaces that a request can be sent to: what was asked is written as the
 * body of a request for each.  What an API cannot say is noted, never dropped in silence.
 */
#ifndef CATENA_DIALECT_API_H
#define CATENA_DIALECT_API_H

#include "base/map.h"
#include "chat/parts.h"
#include "chat/side.h"

/* ---- what was asked ---- */

enum request_setting {
	REQUEST_TEMPERATURE,
	REQUEST_TOP_P,
	REQUEST_TOP_K,
	REQUEST_MOST, /* tokens of the answer */
	REQUEST_STOP,
	REQUEST_SEED,
	REQUEST_FREQUENCY,
	REQUEST_PRESENCE,
	REQUEST_ANSWERS, /* how many */
	REQUEST_CHOICE,  /* of a tool */
	REQUEST_PARALLEL,
	REQUEST_FORMAT, /* of the answer */
	REQUEST_EFFORT,
	REQUEST_COUNT
};

/* The names that a setting has in any dialect, in snake_case: see jv_key_is. */
extern const char *const request_setting_names[REQUEST_COUNT][6];

/* By which id a call and its result are paired; both texts are empty for other parts. */
struct request_link {
	struct str
		id; /* of the trace, or made up; a result without a call has one, too */
	struct str name; /* of the tool, where it is known */
};

struct request_message {
	struct str role;
	enum speaker speaker;
	struct parts parts;
	struct request_link *links; /* of each part; in the arena */
};

struct request {             /* all zero bits but for the arena: nothing */
	struct arena *arena; /* borrowed; must outlive it */
	struct request_message *messages;
	size_t count, cap;
	struct parts tools;
	struct str model;
	struct jv settings[REQUEST_COUNT];
	struct request_parameter {
		struct jv key, value;
	} * others; /* that are none of these */
	size_t other_count, other_cap;
	struct buf notes; /* sentences, a line each */
	/* private */
	struct jv most_key;   /* what the trace calls REQUEST_MOST */
	struct request_call { /* so far, in order */
		struct request_link link;
		bool answered;
	} * calls;
	size_t call_count, call_cap;
	size_t next_call; /* the first that may wait for a result without an id */
	struct idmap call_by_link;
};

void request_done(struct request *a);

/* Adds a message, which is borrowed; `side` lends it a speaker.  Linear in it. */
void request_add(struct request *a, struct jv message, enum prefer side);
/* Adds a text that one side says. */
void request_add_text(struct request *a, struct str text, enum prefer side);
/* Parameters: an object, or JSON in a string; of other values nothing. */
void request_set_parameters(struct request *a, struct jv parameters);
/* A setting that is known from elsewhere; what the parameters say stays. */
void request_set(struct request *a, enum request_setting setting, struct jv value);

/* Notes a sentence once. */
void request_note(struct request *a, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Which tool may or must be called. */
struct request_choice {
	enum { CHOICE_NONE_SAID, CHOICE_AUTO, CHOICE_NONE, CHOICE_ANY, CHOICE_TOOL } kind;
	struct str name; /* TOOL */
};
struct request_choice request_read_choice(const struct request *a);

/* The form that the answer must have. */
struct request_format {
	enum { FORMAT_NONE_SAID, FORMAT_TEXT, FORMAT_JSON, FORMAT_SCHEMA } kind;
	struct jv schema, name, strict; /* SCHEMA; J_NONE: not said */
};
struct request_format request_read_format(const struct request *a);

/* A parameter that is no setting, by its name in any spelling; or J_NONE. */
struct jv request_other(const struct request *a, const char *name);

/* ---- APIs ---- */

enum api {
	API_CHAT, /* Chat Completions, by whatever vendor */
	API_RESPONSES,
	API_ANTHROPIC,
	API_GEMINI,      /* generateContent */
	API_COMPLETIONS, /* of a prompt; written only as it was recorded */
	API_OLLAMA,      /* Ollama's own chat; also only as it was recorded */
	API_COUNT
};

extern const char *const api_names[API_COUNT]; /* "Chat Completions" */

/* Writes the body; false: it was stopped (base/work.h).  What cannot be said is noted.
 * Linear in what is written. */
bool api_write(enum api api, struct buf *out, struct request *a);

/*
 * Of which API a recorded body is; API_COUNT: it is no request.  `path`: where it was
 * sent to, or empty.  `model` decides where both OpenAI and Anthropic write it so. Linear
 * in the body.
 */
enum api api_of_body(struct jv body, struct str path, struct str model);

#endif
