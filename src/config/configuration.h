/*
 * The configuration: settings and keys.  It is written in YAML, the built-in one as the
 * user's own, which is read over it by the same code.  A key is a text here; the viewer
 * gives it a meaning (ui/keys/keymap).
 */
#ifndef CATENA_CONFIG_CONFIGURATION_H
#define CATENA_CONFIG_CONFIGURATION_H

#include "config/settings.h"
#include "json/json.h"
#include "text/style.h"

struct config_key {
	char *keys;    /* names with blanks between, as they are written: "y m" */
	char *command; /* and its argument: "copy message"; "none": not bound; NULL: it
			  was refused, and there was no other before it */
	char *source;  /* name of its file; NULL: built in */
	uint64_t line, column;
	char *before; /* the built-in command in whose place this one is, or NULL */
};

struct config {
	struct settings settings;
	struct config_key *keys; /* in the order they were read, a later one of the same
				    text in the place of the earlier */
	size_t key_count, key_cap;
	json_t *themes;       /* name: role: style, as themes_make takes them; owned */
	json_t *colors;       /* role: style, over all themes */
	struct err *warnings; /* what was left out of the user's file; owned */
	size_t warning_count, warning_cap;
};

/* The built-in configuration. */
struct config *config_new(void);
void config_free(struct config *c);

/*
 * Reads a text over what there is.  An entry that cannot be used is left out, with a
 * warning that has line and column.  False with err when the text is no YAML.
 */
bool config_add(struct config *c, const char *source, struct str text, struct err *err);

/*
 * Reads the user's file over it: `path`, or when that is NULL $CATENA_CONFIG, or
 * $XDG_CONFIG_HOME/catena/catena.yaml, which need not be there.  One that cannot be read,
 * or that others may have written, is left out with a warning.
 */
void config_add_user(struct config *c, const char *path);

/* As setting_set, but of a theme the name must be one of this configuration. */
bool config_set(const struct config *c, struct settings *s, const struct setting *row,
	struct str text, struct err *err);

/* The n-th, from 0, of the values that a setting may have, but for what is a number or
 * any text; NULL: there are no more.  Linear in n. */
const char *config_value(const struct config *c, const struct setting *row, size_t n);

/*
 * Appends all of it in YAML, with sentences: read over the built-in one, it gives the
 * same again.  `about` gives a command's sentence, or NULL; it may be NULL.
 */
void config_dump(const struct config *c, const char *(*about)(struct str command),
	struct buf *out);

/* Notes that a key cannot be used, and why.  True: the built-in one holds again. */
bool config_refuse_key(struct config *c, size_t key, const char *why);

/* Notes that something in the configuration cannot be used. */
void config_warn(struct config *c, const char *source, uint64_t line, uint64_t column,
	const char *fmt, ...) PRINTF_LIKE(5, 6);

/* ---- themes ----
 *
 * From `themes` and `colors` (data/catena.yaml describes them) to what the terminal draws
 * with.  What cannot be read is skipped; reading the configuration warns of it.
 */

#define THEMES_BASED "based on"
#define THEMES_FEWER "fewer colors"

/*
 * The theme of that name, with `colors` (or NULL) over all of it.  False when there
 * is none or it is based on itself; then the theme is only `colors`.
 */
bool themes_make(const json_t *themes, const json_t *colors, const char *name,
	struct theme *theme);

#endif
