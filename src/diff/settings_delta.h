/*
 * What two steps were asked with beside their messages: parameters, the tools that were
 * offered, the schema of the answer.  Names are those of the field map where it knows the
 * fact, so that steps of two formats can be compared; what else stands in a step counts
 * by its key.  Ids, times and figures do not.
 */
#ifndef CATENA_DIFF_SETTINGS_DELTA_H
#define CATENA_DIFF_SETTINGS_DELTA_H

#include "import/open.h"

enum setting_group { SETTING_PARAMETER, SETTING_TOOL, SETTING_SCHEMA, SETTING_GROUPS };

struct setting_change {
	enum setting_group group;
	struct str name;   /* unsafe text, in the arena: temperature, or a tool's name */
	struct jv was, is; /* J_NONE: not there */
};

struct settings_delta {               /* all zero bits: none */
	struct setting_change *items; /* group by group */
	size_t count, cap;
};

/* Fills an empty list; it borrows from both steps and the arena. */
void settings_delta_read(struct settings_delta *d, struct opened *was, struct opened *is,
	struct arena *arena);
void settings_delta_done(struct settings_delta *d);

#endif
