/*
 * A configuration file while it is read: where in it, for what there is to say.  Private
 * to config/.
 */
#ifndef CATENA_CONFIG_READING_H
#define CATENA_CONFIG_READING_H

#include "base/near.h"
#include "config/configuration.h"
#include "json/yaml.h"

struct reading {
	struct config *config;
	struct yaml yaml;
	const char *source; /* NULL: built in */
	struct buf pointer; /* of the entry that is read: RFC 6901 */
	struct buf path;    /* the same as people write it: keys."g g" */
};

struct spot {
	size_t pointer, path;
};

/* Into the member of that name, and back. */
struct spot reading_enter(struct reading *r, const char *name);
void reading_leave(struct reading *r, struct spot spot);

/* False when there were so many warnings that more would help nobody. */
bool reading_goes_on(const struct reading *r);

/* A warning that names the entry, its line and column. */
void reading_warn(struct reading *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "there is no WHAT of this name", with the nearest name if there is one. */
void reading_warn_name(struct reading *r, const char *what, const struct near *near);

/* ---- looks.c ---- */

void reading_theme(struct reading *r, const char *name, const json_t *value);
void reading_color(struct reading *r, const char *name, const json_t *value);
/* What can be told only when all themes of the file are known: what they lead to. */
void reading_end_themes(struct reading *r, const json_t *themes);

#endif
