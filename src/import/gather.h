/*
 * The texts that stand anywhere in a value, under some names, as one text: of a tree
 * that an editor drew, only what is read.  Private to format/.
 */
#ifndef CATENA_IMPORT_GATHER_H
#define CATENA_IMPORT_GATHER_H

#include "base/arena.h"
#include "json/cursor.h"

/*
 * A string of the arena, or J_NONE where no such text stands.  A text beside which
 * `lineBreakBefore` is true begins a line.  Cost: linear in the value, times its depth,
 * of which 128 levels are followed.
 */
struct jv gather_texts(
	struct jv value, const struct str *names, size_t count, struct arena *arena);

#endif
