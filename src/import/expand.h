/*
 * What words of a format file stand for: `include`, which takes over what another format
 * says (the facts, kinds, conditions of failure and pieces of sides that several have in
 * common are in one file), and `match_steps`, which is `match` with each group once for
 * each place of `steps`, its paths below that place.  Private to import/.
 */
#ifndef CATENA_IMPORT_EXPAND_H
#define CATENA_IMPORT_EXPAND_H

#include "base/arena.h"
#include "json/cursor.h"
#include "json/json.h"

/*
 * The format `own` with what it takes over of `base`, as JSON in the arena.  What is a
 * list of places, texts, groups or pieces is its own first and that of the base after it;
 * `attributes`, `dialect` and `cumulative` are the base's where it has none.  Nothing
 * else is taken over.
 */
struct jv include_base(struct jv own, struct jv base, struct arena *arena);

/* Changes the file as it was read; what is no group does not change. */
void match_expand(json_t *format);

#endif
