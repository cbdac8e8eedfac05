/*
 * What a model was asked, apart from how it is written: messages of parts, calls and
 * results with ids, offered tools, settings.  Any dialect's messages are read into it,
 * and each wire (dialect/wire.h) writes it as the body of a request.
 *
 * What a wire cannot say is noted, never dropped in silence.
 */
#ifndef CATENA_DIALECT_ASKED_H
#define CATENA_DIALECT_ASKED_H

#include "chat/parts.h"
#include "chat/role.h"
#include "chat/side.h"

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

struct asked {
	struct arena *arena; /* borrowed */
	struct asked_message *messages;
	size_t count, cap;
	struct parts tools;
	struct str model;
	struct jv settings[ASKED_COUNT];
	struct jv *others, *other_keys; /* parameters that are none of these */
	size_t other_count, other_cap, key_cap;
	struct buf notes; /* sentences, a line each */
	/* private */
	struct jv most_key; /* what the trace calls ASKED_MOST */
	struct asked_calls *calls;
	enum speaker open; /* wires that join messages: whose is being written */
};

/* `arena` must outlive it. */
void asked_begin(struct asked *a, struct arena *arena);
void asked_done(struct asked *a);

/* Adds a message, which is borrowed; `side` lends it a speaker.  Linear in it. */
void asked_add(struct asked *a, struct jv message, enum prefer side);
/* Adds a text that one side says. */
void asked_add_text(struct asked *a, struct str text, enum prefer side);
/* Offered tools, as parts_read_tools has them. */
void asked_set_tools(struct asked *a, struct jv tools);
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

/* Whether nothing but texts and thoughts is in the message. */
bool asked_is_text(const struct asked_message *m);

/* A parameter that is no setting, by its name in any spelling; or J_NONE. */
struct jv asked_other(const struct asked *a, const char *name);

#endif
