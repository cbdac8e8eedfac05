/*
 * Hooks that format files name (`hook: NAME`): what a step says where that takes a
 * program, made of its value and of the values that carry it before its pieces are read.
 */
#ifndef CATENA_FORMAT_HOOK_H
#define CATENA_FORMAT_HOOK_H

#include "base/arena.h"
#include "json/cursor.h"

struct hook {
	const char *name;
	/* Whether a value needs what stands in those around it. */
	bool (*needs)(struct jv value);
	/* Whether one around it has that. */
	bool (*has)(struct jv holder);
	/* The value with it, in the arena; or as it was. */
	struct jv (*apply)(struct jv value, struct jv holder, struct arena *arena);
};

/* Inspect AI: long texts stand once in the sample, and events refer to them. */
extern const struct hook hook_inspect;

const struct hook *hook_named(struct str name); /* or NULL */

#endif
