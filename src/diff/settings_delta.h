/*
 * How the requests of two steps differ apart from their messages: in parameters, in the
 * tools offered, in the schema of the answer.  Facts have the names of the field map, so
 * that steps of two formats can be compared; other members of a step have their keys as
 * names.  Ids, times and figures do not count.
 */
#ifndef CATENA_DIFF_SETTINGS_DELTA_H
#define CATENA_DIFF_SETTINGS_DELTA_H

#include "import/open.h"

enum setting_group { SETTING_PARAMETER, SETTING_TOOL, SETTING_SCHEMA, SETTING_GROUPS };

struct setting_change {
	enum setting_group group;
	struct str name;   /* unsafe text, in the arena: temperature, or a tool's name */
	struct jv was, is; /* J_NONE: the step does not have it */
};

struct settings_delta {               /* all zero bits: no change */
	struct setting_change *items; /* group by group */
	size_t count, cap;
};

/* Fills an empty list, which borrows from both steps and the arena.  Linear in the text
 * of the steps; strings with JSON are opened. */
void settings_delta_read(struct settings_delta *d, struct opened *was, struct opened *is,
	struct arena *arena);
void settings_delta_done(struct settings_delta *d);

#endif
