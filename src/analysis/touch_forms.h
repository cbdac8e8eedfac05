/*
 * What the readers of touches share: private to touch.c, touch_patch.c and touch_shell.c.
 */
#ifndef CATENA_ANALYSIS_TOUCH_FORMS_H
#define CATENA_ANALYSIS_TOUCH_FORMS_H

#include "analysis/touch.h"

/* Bytes of a path, of a folder with cd after cd, too: what is longer names nothing. */
#define PATH_MOST 4096

struct touch_reader {
	struct touches *out;
	struct arena *arena;
	struct str tool;   /* the last part of its name, in small letters */
	struct str folder; /* where relative paths begin; empty: not known */
	unsigned shells;   /* how many shells are in each other: bash -c */
};

/* Appends a touch; false: its path cannot be one. */
bool touch_add(struct touch_reader *r, struct touch touch);

/*
 * A text that may be a patch, or blocks to search and replace; `path`: the file, where
 * the patch does not name one, or empty.  False when it is neither.
 */
bool touch_read_patch(struct touch_reader *r, struct str text, struct str path);

/* A shell's script; only what is clear of it: see touch_shell.c. */
void touch_read_script(struct touch_reader *r, struct str script);
/* A command and its arguments, as an array of strings. */
void touch_read_argv(struct touch_reader *r, struct jv array);

#endif
