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

/* The row of exactly these keys; NULL: there is none.  *more: they begin a longer one. */
const struct key_row *keymap_find(
	const struct keymap *map, const uint32_t *keys, unsigned count, bool *more);
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

#endif
