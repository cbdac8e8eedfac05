/*
 * Themes, from the configuration's `themes` and `colors` (data/catena.yaml
 * describes them) to what the terminal draws with.  What cannot be read is skipped;
 * configuration.c warns of it.
 */
#ifndef CATENA_CONFIG_THEMES_H
#define CATENA_CONFIG_THEMES_H

#include "json/json.h"
#include "text/style.h"

#define THEMES_BASED "based on"
#define THEMES_FEWER "fewer colors"

/*
 * The theme of that name, with `colors` (or NULL) over all of it.  False when there
 * is none or it is based on itself; then the theme is only `colors`.
 */
bool themes_make(const json_t *themes, const json_t *colors, const char *name,
	struct theme *theme);

/* Whether a theme exists, and the chain of themes that it is based on ends. */
bool themes_end(const json_t *themes, const char *name);

#endif
