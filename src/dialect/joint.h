/*
 * The parts of messages that come in pieces, while they are joined.  What belongs
 * together has a key; each key is one part, in order of first appearance.
 */
#ifndef CATENA_DIALECT_JOINT_H
#define CATENA_DIALECT_JOINT_H

#include "base/map.h"
#include "dialect/dialect.h"

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

/* A part without a key; valid until the next. */
struct joint *joint_add(struct joining *j, enum joint_kind kind, uint32_t message);
/* The part with a key, perhaps new. */
struct joint *joint_keyed(
	struct joining *j, enum joint_kind kind, uint32_t message, uint32_t index);
/* Puts the text of a string to the part with a key. */
void joint_append(struct joining *j, enum joint_kind kind, uint32_t message,
	uint32_t index, struct jv text);
/* Another message begins: its indices are its own. */
void joint_begin(struct joining *j);
/* Forgets the parts of this message with an index, of whatever kind; or all. */
void joint_forget(struct joining *j, uint32_t index);
void joint_forget_all(struct joining *j);

/* Says the messages, and forgets them. */
void joint_say(struct joining *j, struct talk *t);

#endif
