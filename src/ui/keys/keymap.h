/*
 * What keys mean: sequences of keys and the commands they call, made from the
 * configuration.  Names of keys are read and written here and nowhere else.
 */
#ifndef CATENA_UI_KEYS_KEYMAP_H
#define CATENA_UI_KEYS_KEYMAP_H

#include "config/configuration.h"
#include "ui/keys/command.h"

#define KEYS_MOST 4 /* of a sequence */

struct key_row {
	uint32_t keys[KEYS_MOST]; /* code points or enum term_key */
	unsigned count;
	struct invocation call; /* the argument borrows from the configuration */
	size_t of;              /* the configuration's key that says so */
};

struct keymap {
	struct key_row *rows; /* in the configuration's order */
	size_t count, cap;
};

/* What cannot be used becomes a warning of the configuration, which must outlive the map.
 */
void keymap_begin(struct keymap *map, struct config *config);
void keymap_done(struct keymap *map);

/* The first row from *next on that begins with these keys and is longer; NULL: no more.
 */
const struct key_row *keymap_next(
	const struct keymap *map, const uint32_t *keys, unsigned count, size_t *next);

/* The first keys for a command ("yy"), appended; false: it has none.  Without an
 * argument: those that give it none, else any. */
bool keymap_put(const struct keymap *map, enum command c, struct buf *out);

/* The first keys that call a command with that argument. */
void keymap_put_for(
	const struct keymap *map, enum command c, struct str argument, struct buf *out);

/* Whether a key's own name is the argument that it gives, as of "f 1". */
bool keymap_says_itself(const struct key_row *row);
/* The names of all keys for a command, with commas between, but of those below. */
void keymap_put_all(const struct keymap *map, enum command c, struct buf *out);
/* The first row from *next on of a key that gives a command an argument which its own
 * name does not say, as "f 1" does; NULL: no more. */
const struct key_row *keymap_given(
	const struct keymap *map, enum command c, size_t *next);

/* "q", "Tab", "Ctrl-L" */
void key_put_name(uint32_t key, struct buf *out);
void keys_put_names(const uint32_t *keys, unsigned count, struct buf *out);
/* TERM_KEY_NONE: it is no key's name. */
uint32_t key_of_name(struct str name);

/*
 * What was typed and is no command yet: a count, the beginning of a sequence, a command
 * that waits for one more character.
 */
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

/* ---- the configuration as text, with sentences, and the schema of such files ---- */

/* What is in force; what cannot be used is left out, and added to the warnings. */
void config_text_put(struct config *c, struct buf *out);

/* The schema, for json_decref. */
json_t *config_schema(void);
/* As JSON, for editors. */
void config_schema_put(struct buf *out);

/*
 * What waits until a long step is opened, or until it is known what is new in it, so that
 * nothing blocks and nothing that was typed is lost or goes elsewhere: a command that
 * acts in its documents with all keys after it, and the message that is gone to.
 */
#define PENDING_MOST 4096 /* keys; those typed after them are lost */

struct pending_input {          /* all zero bits: nothing */
	struct invocation call; /* COMMAND_NONE: none; its argument is in the buffer */
	struct buf argument;
	uint32_t *keys;
	size_t count, cap;
	bool going; /* to that message */
	bool input;
	size_t message;
};

void pending_input_call(struct pending_input *h, const struct invocation *call);
void pending_input_clear(struct pending_input *h); /* keeps the memory */
void pending_input_done(struct pending_input *h);

#endif
