/*
 * A format that takes over what another says (`include:` in its file): the facts, kinds,
 * conditions of failure and pieces of sides that several formats have in common are in
 * one file.  Private to import/.
 */
#ifndef CATENA_IMPORT_INCLUDE_H
#define CATENA_IMPORT_INCLUDE_H

#include "base/arena.h"
#include "json/cursor.h"

/*
 * The format `own` with what it takes over of `base`, as JSON in the arena.  What is a
 * list of places, texts, groups or pieces is its own first and that of the base after it;
 * `attributes`, `dialect` and `cumulative` are the base's where it has none.  Nothing
 * else is taken over.
 */
struct jv include_base(struct jv own, struct jv base, struct arena *arena);

#endif
