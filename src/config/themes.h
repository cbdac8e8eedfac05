/*
 * Themes, from the configuration's `themes` and `colors` (data/catena.yaml tells what
 * stands in them) to what the terminal draws with.  What cannot be read is skipped: that
 * it is said is config/check's matter.
 */
#ifndef CATENA_CONFIG_THEMES_H
#define CATENA_CONFIG_THEMES_H

#include "json/json.h"
#include "text/style.h"

#define THEMES_BASED "based on"
#define THEMES_FEWER "fewer colors"

/*
 * The theme of that name, with `colors` (or NULL) over all of it.  False, with nothing
 * but these, when there is none or it is based on itself.
 */
bool themes_make(const json_t *themes, const json_t *colors, const char *name,
	struct theme *theme);

/* Whether a theme's bases end, as those do that are based on no other. */
bool themes_end(const json_t *themes, const char *name);

#endif
