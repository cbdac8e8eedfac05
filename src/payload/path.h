/*
 * Where a value stands in another, as people write it: content[0].tool_use.input.  The
 * value is found by its place in the text, so both must borrow the same bytes.
 */
#ifndef CATENA_PAYLOAD_PATH_H
#define CATENA_PAYLOAD_PATH_H

#include "json/cursor.h"

#define PATH_DEPTH 12 /* parts of a message never lie deeper */

/*
 * Remembers where the last search went, so that values asked for in the order of the text
 * cost one walk in all.  All zero bits: nothing yet.
 */
struct path_finder {
	struct {
		const char *container; /* its first byte */
		struct jwalk walk;
		struct jv key, value; /* that the walk gave last */
	} levels[PATH_DEPTH];
};

/*
 * Appends the steps from `root` down to `target`, none when they are the same.  False,
 * and nothing is appended, when the target is not in it or lies deeper than PATH_DEPTH.
 */
bool path_find(struct path_finder *f, struct jv root, struct jv target, struct buf *out);

/* Appends one step: [3]. */
void path_add_index(struct buf *out, uint64_t index);
/* Appends a path to a path: with a dot between, unless it begins with a bracket. */
void path_add(struct buf *out, struct str more);

#endif
