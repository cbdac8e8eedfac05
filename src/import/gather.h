/*
 * The texts of the members of some names, at any depth of a value, as one text: of the
 * tree of an editor only what is read.  Private to import/.
 */
#ifndef CATENA_IMPORT_GATHER_H
#define CATENA_IMPORT_GATHER_H

#include "base/arena.h"
#include "json/cursor.h"

/*
 * A string of the arena, or J_NONE where there is no such text.  A text beside which
 * `lineBreakBefore` is true begins a line.  Cost: linear in the value, times its depth,
 * of which 128 levels are followed.
 */
struct jv gather_texts(
	struct jv value, const struct str *names, size_t count, struct arena *arena);

#endif
