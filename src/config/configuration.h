/*
 * The configuration: settings and keys.  It is written in YAML, the built-in one as the
 * user's own, which is read over it by the same code.  What this room knows of a key is
 * its text; the viewer gives it a meaning (app/keymap).
 */
#ifndef CATENA_CONFIG_CONFIGURATION_H
#define CATENA_CONFIG_CONFIGURATION_H

#include "config/settings.h"

struct config_key {
	char *keys;     /* names with blanks between, as they are written: "y m" */
	char *command;  /* and its argument: "copy message"; "none": not bound */
	char *source;   /* the file it stands in; NULL: built in */
	uint64_t line, column;
};

struct config {
	struct settings settings;
	struct config_key *keys; /* in the order they were read, a later one of the same
				    text in the place of the earlier */
	size_t key_count, key_cap;
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

/* Notes that something in the configuration cannot be used. */
void config_warn(struct config *c, const char *source, uint64_t line, uint64_t column,
	const char *fmt, ...) PRINTF_LIKE(5, 6);

#endif
