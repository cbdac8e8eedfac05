/*
 * The configuration: settings and keys.  It is written in YAML, the built-in one as the
 * user's own, which is read over it by the same code.  A key is a text here; the viewer
 * gives it a meaning (ui/keys/keymap).
 */
#ifndef CATENA_CONFIG_CONFIGURATION_H
#define CATENA_CONFIG_CONFIGURATION_H

#include "base/err.h"
#include "json/json.h"
#include "text/style.h"

/* ---- settings: settings.c ----
 *
 * The settings: what a user may choose in the configuration for good, or with `:set` for
 * now.  One table gives the struct, reading, writing and the manual page; the default
 * values are in data/catena.yaml.
 *
 * SETTING(field, "name", TYPE, choices, "sentence"):
 *
 *   FLAG    bool      on, off, true, false, yes, no
 *   SIZE    size_t    a number, perhaps followed by K, M or G
 *   CHOICE  unsigned  the index of a word in `choices`, an array that ends with NULL
 *   TEXT    char *    any text, owned, never NULL
 *   LIST    char *    owned, never NULL: different words of `choices` and blanks
 */

/*
 * The columns of the list of steps by the names that the configuration gives them:
 * COLUMN(NAME, "name", "sentence").  How they are written is view/columns' matter.
 */
#define COLUMNS(COLUMN)                                                                  \
	COLUMN(NUMBER, "number", "the step's number in its chain")                       \
	COLUMN(MARK, "mark", "a sign for errors and damage")                             \
	COLUMN(NAME, "name", "the step's name in the tree of steps")                     \
	COLUMN(LABEL, "label", "the label that you gave it")                             \
	COLUMN(MODEL, "model", "the model that answered")                                \
	COLUMN(TOKENS, "tokens", "tokens of input and output")                           \
	COLUMN(INPUT, "input", "tokens of input")                                        \
	COLUMN(CACHE, "cache", "tokens of input from a cache")                           \
	COLUMN(OUTPUT, "output", "tokens of output")                                     \
	COLUMN(COST, "cost", "the cost of the step")                                     \
	COLUMN(TIME, "time", "the duration of the step")                                 \
	COLUMN(START, "start", "the time of day of its start, in UTC")                   \
	COLUMN(EVENT, "event", "the kind of event")                                      \
	COLUMN(SIZE, "size", "its size in the file, in bytes")                           \
	COLUMN(BAR, "bar", "its time, cost or tokens as a bar, if bar is on")

enum column {
#define COLUMN(id, name, about) COLUMN_##id,
	COLUMNS(COLUMN)
#undef COLUMN
		COLUMN_COUNT
};

extern const char *const column_names[]; /* up to NULL */

enum setting_background { GROUND_AUTO, GROUND_DARK, GROUND_LIGHT };
enum setting_mouse { POINTER_AUTO, POINTER_ON, POINTER_OFF };
enum setting_link { LINKS_AUTO, LINKS_ON, LINKS_OFF };
enum setting_notice { NOTICE_OFF, NOTICE_BELL, NOTICE_TEXT };
enum setting_fold { FOLD_AUTO, FOLD_CLOSED, FOLD_OPEN };
enum setting_new_only { NEW_ONLY_AUTO, NEW_ONLY_ON, NEW_ONLY_OFF };

#define SETTINGS(SETTING)                                                                \
	SETTING(theme, "theme", TEXT, NULL,                                              \
		"the theme; auto is dark or light if the background is known")           \
	SETTING(background, "background", CHOICE, setting_backgrounds,                   \
		"the terminal's background; auto asks the terminal, after the first "    \
		"screen")                                                                \
	SETTING(layout, "layout", CHOICE, setting_layouts,                               \
		"the place of the list: side is beside input and output, top is above "  \
		"them, auto depends on the width")                                       \
	SETTING(ascii, "ascii", FLAG, NULL,                                              \
		"draw with ASCII only, as in a locale without UTF-8")                    \
	SETTING(columns, "columns", LIST, column_names,                                  \
		"the columns of the list, in their order")                               \
	SETTING(cache, "cache", SIZE, NULL,                                              \
		"bytes of memory for viewed steps, so that they open at once again")     \
	SETTING(images, "images", CHOICE, setting_images,                                \
		"show images as thumbnails, with the program chafa")                     \
	SETTING(new_only, "new-only", CHOICE, setting_new_only,                          \
		"fold the messages of the previous step; auto: only in steps of up to "  \
		"4 MB")                                                                  \
	SETTING(fold, "fold", CHOICE, setting_folds,                                     \
		"the folds of an opened step; auto opens those that fit into the pane")  \
	SETTING(sort_keys, "sort-keys", FLAG, NULL,                                      \
		"sort the members of JSON objects by key")                               \
	SETTING(bar, "bar", CHOICE, setting_bars,                                        \
		"the figure that the list shows as a bar beside each step")              \
	SETTING(timestamps, "timestamps", CHOICE, setting_timestamps,                    \
		"the meaning of a step's timestamp: its start or its end")               \
	SETTING(mouse, "mouse", CHOICE, setting_mice,                                    \
		"click and scroll with the mouse; selecting text in the terminal then "  \
		"needs Shift; auto: on in terminals where Shift does that")              \
	SETTING(links, "links", CHOICE, setting_links,                                   \
		"names of existing files on the screen are links that the terminal "     \
		"opens; auto: in terminals that are known to have links")                \
	SETTING(places, "places", FLAG, NULL,                                            \
		"remember place, folds, bookmarks and typed text for each file")         \
	SETTING(preview, "preview", FLAG, NULL,                                          \
		"show a preview of the session under the cursor in the list of "         \
		"sessions, and a card above an open session where there are many rows")  \
	SETTING(prices, "prices", TEXT, NULL,                                            \
		"a file with prices of models, in the form of LiteLLM's table; empty: "  \
		"the built-in ones")                                                     \
	SETTING(notice, "notice", CHOICE, setting_notices,                               \
		"tell when a session in the list waits for you: bell rings, text is a "  \
		"notice of the terminal (OSC 9)")                                        \
	SETTING(wrap, "wrap", FLAG, NULL, "wrap long lines; off cuts them at the edge")

extern const char *const setting_layouts[]; /* as enum layout_choice counts them, */
extern const char *const setting_bars[];    /* ... and enum measure of view/scale.h */
enum setting_timestamp { STAMP_BEGIN, STAMP_END };

enum setting_type {
	SETTING_FLAG,
	SETTING_SIZE,
	SETTING_CHOICE,
	SETTING_TEXT,
	SETTING_LIST
};

typedef bool setting_FLAG;
typedef size_t setting_SIZE;
typedef unsigned setting_CHOICE;
typedef char *setting_TEXT;
typedef char *setting_LIST;

struct settings {
#define SETTING(field, name, type, choices, about) setting_##type field;
	SETTINGS(SETTING)
#undef SETTING
};

struct setting {
	const char *name;
	enum setting_type type;
	const char *const *choices; /* of a CHOICE or LIST, up to NULL */
	const char *about;          /* a sentence without its full stop */
	size_t offset;              /* of the field */
};

extern const struct setting setting_rows[]; /* a row with name NULL ends it */

void settings_begin(struct settings *s); /* every field off, 0 or "" */
void settings_done(struct settings *s);
void settings_copy(struct settings *to, const struct settings *from); /* `to` is begun */

const struct setting *setting_find(struct str name); /* NULL: there is none */
/* False with err, and the field as it was, when the text does not fit. */
bool setting_set(
	struct settings *s, const struct setting *row, struct str text, struct err *err);
/* Appends the value as setting_set takes it. */
void setting_put(const struct settings *s, const struct setting *row, struct buf *out);

/* Takes the next word of a list's text; false: there is none. */
bool setting_word(struct str *list, struct str *word);

/* ---- all of it: configuration.c ---- */

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

/*
 * The theme of that name, with `colors` (or NULL) over all of it.  False when there
 * is none or it is based on itself; then the theme is only `colors`.
 */
bool themes_make(const json_t *themes, const json_t *colors, const char *name,
	struct theme *theme);

#endif
