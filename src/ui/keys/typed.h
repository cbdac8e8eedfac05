/*
 * What was typed and is no command yet: a count, the beginning of a sequence, a command
 * that waits for one more character.
 */
#ifndef CATENA_UI_KEYS_TYPED_H
#define CATENA_UI_KEYS_TYPED_H

#include "ui/keys/keymap.h"

struct typed {           /* all zero bits: nothing */
	unsigned number; /* 0: none */
	uint32_t keys[KEYS_MOST];
	unsigned count;
	enum command waits; /* for its argument, or COMMAND_NONE */
	uint32_t left;      /* a key after a sequence to which it does not belong, or
			       TERM_KEY_NONE: it is to be typed again */
	struct buf text;    /* an argument that was typed, or what means nothing */
};

enum typed_state {
	TYPED_CALL,    /* a command is to be called */
	TYPED_MORE,    /* more is to be typed */
	TYPED_NOTHING, /* what was typed was taken back */
	TYPED_UNKNOWN  /* it means nothing; `text` names it, until the next key */
};

/* The call's argument is valid until the next key. */
enum typed_state typed_key(
	struct typed *t, const struct keymap *map, uint32_t key, struct invocation *call);
bool typed_is_begun(const struct typed *t);
/* Keys that begin a longer sequence may mean something alone: when nothing followed for a
 * while, the call of what was typed.  False: it is none. */
bool typed_alone(struct typed *t, const struct keymap *map, struct invocation *call);
/* Whether typed_alone would give one. */
bool typed_may_be_alone(const struct typed *t, const struct keymap *map);
/* "12 y", for the status line. */
void typed_put(const struct typed *t, struct buf *out);
void typed_clear(struct typed *t); /* keeps the memory */
void typed_done(struct typed *t);

#endif
