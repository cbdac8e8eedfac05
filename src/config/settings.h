/*
 * The settings: what a person may choose once and for all in the configuration, or with
 * `:set` for now.  One table gives the struct, reading, writing and the manual page; what
 * each is when nobody says anything stands in data/catena.yaml.
 *
 * SETTING(field, "name", TYPE, choices, "sentence"):
 *
 *   FLAG    bool      on, off, true, false, yes, no
 *   SIZE    size_t    a number, with K, M or G behind it: bytes or whatever it counts
 *   CHOICE  unsigned  the index of a word in `choices`, an array that ends with NULL
 *   TEXT    char *    any text, owned, never NULL; of a list its words with blanks between
 */
#ifndef CATENA_CONFIG_SETTINGS_H
#define CATENA_CONFIG_SETTINGS_H

#include "base/err.h"

#define SETTINGS(SETTING)                                                                \
	SETTING(cache, "cache", SIZE, NULL,                                              \
		"bytes of steps kept as they were left, so that going back costs nothing")            \
	SETTING(wrap, "wrap", FLAG, NULL,                                                \
		"long lines go on below; off: they are cut at the edge")

enum setting_type { SETTING_FLAG, SETTING_SIZE, SETTING_CHOICE, SETTING_TEXT };

typedef bool setting_FLAG;
typedef size_t setting_SIZE;
typedef unsigned setting_CHOICE;
typedef char *setting_TEXT;

struct settings {
#define SETTING(field, name, type, choices, about) setting_##type field;
	SETTINGS(SETTING)
#undef SETTING
};

struct setting {
	const char *name;
	enum setting_type type;
	const char *const *choices; /* of a CHOICE, up to NULL */
	const char *about;          /* a sentence without its full stop */
	size_t offset;              /* of the field */
};

extern const struct setting setting_rows[]; /* a row with name NULL ends it */

void settings_begin(struct settings *s); /* every field off, 0 or "" */
void settings_done(struct settings *s);
void settings_copy(struct settings *to, const struct settings *from); /* `to` is begun */

const struct setting *setting_find(struct str name); /* NULL: there is none */
/* False with err, and the field as it was, when the text does not fit. */
bool setting_set(struct settings *s, const struct setting *row, struct str text,
	struct err *err);
/* Appends the value as setting_set takes it. */
void setting_put(const struct settings *s, const struct setting *row, struct buf *out);

#endif
