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
/* "12 y", for the status line. */
void typed_put(const struct typed *t, struct buf *out);
void typed_clear(struct typed *t); /* keeps the memory */
void typed_done(struct typed *t);

#endif
