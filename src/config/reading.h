/*
 * A configuration file while it is read, with the place of the entry for warnings.
 * Private to config/.
 */
#ifndef CATENA_CONFIG_READING_H
#define CATENA_CONFIG_READING_H

#include "base/suggest.h"
#include "config/configuration.h"
#include "schema/yaml.h"

#define READING_DEPTH 4 /* themes, a theme, a role, a part of its style */

struct config_reading {
	struct config *config;
	struct yaml yaml;
	const char *source; /* NULL: built in */
	const char
		*names[READING_DEPTH]; /* of the entry that is read, from the root on */
	size_t depth;
};

/* Enters the member of that name, and leaves it again. */
void reading_enter(struct config_reading *r, const char *name);
void reading_leave(struct config_reading *r);


/* False after so many warnings that reading on is of no use. */
bool reading_goes_on(const struct config_reading *r);

/* A warning that names the entry, its line and column. */
void reading_warn(struct config_reading *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "there is no WHAT of this name", with the nearest name if there is one. */
void reading_warn_name(
	struct config_reading *r, const char *what, const struct suggest *nearest);

/* ---- read_themes.c ---- */

void reading_theme(struct config_reading *r, const char *name, const json_t *value);
void reading_color(struct config_reading *r, const char *name, const json_t *value);
/* Checks the themes on which others are based, when all themes of the file are known. */
void reading_end_themes(struct config_reading *r, const json_t *themes);

#endif
