/*
 * The jq path of a value: .messages[3].content[0]["a b"].  What is written leads to the
 * value and nowhere else, or nothing is written: jq finds the last of duplicate keys, and
 * a member without a key has no path.
 */
#ifndef CATENA_JSON_ROUTE_H
#define CATENA_JSON_ROUTE_H

#include <stdint.h>

#include "base/buf.h"
#include "json/cursor.h"

/* Appends .name or ["any key"]; `key` is a J_STRING with its quotes. */
void route_put_key(struct buf *out, struct jv key);

/* The path from a value to the one inside it that begins at `at`; empty for the value
 * itself.  False when none begins there, or no path leads to it.  Linear in the text
 * before `at`. */
bool route_put(struct buf *out, struct jv root, const char *at);

/*
 * The path to a value that was decoded from a string inside `root`, or from a string in
 * that JSON, up to three deep: `.input | fromjson | .messages[2]`.  `around` is a piece
 * of the decoded JSON, the longer the better, and the value begins `offset` bytes into
 * it. False when the piece is in no string, or in more than one.  Decodes and searches
 * every string that may hold JSON.
 */
bool route_put_nested(struct buf *out, struct jv root, struct str around, size_t offset);

/*
 * The jq path of a byte of a file, found by reading the file from its beginning: which of
 * the values of the file the byte is in, and the keys and indices down to the value that
 * begins there.  The bytes are given in pieces of any size; memory grows with the nesting
 * and the keys on the path alone.
 */

struct locate;

struct locate *locate_new(void);
void locate_free(struct locate *l);
/* The next bytes of the file, up to the byte in question and not beyond. */
void locate_add(struct locate *l, struct str bytes);
/*
 * When all bytes before it were given: appends the jq path (nothing for a value of the
 * file itself) and sets which of the values of the file it is in, from 0.  False when the
 * brackets do not tell: text that is no JSON, a broken file.
 */
bool locate_put(const struct locate *l, struct buf *out, uint64_t *value);
/* How many values have begun so far; 0 when the brackets do not tell. */
uint64_t locate_count(const struct locate *l);

/*
 * Where a value stands in another, as people write it: content[0].tool_use.input.  The
 * value is found by its place in the text, so both must borrow the same bytes.
 */

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
/* ... by the key of a member, which stands in brackets as it is written if it is no name;
 * J_NONE: by the index. */
void path_add_member(struct buf *out, struct jv key, uint64_t index);
/* Appends a path to a path: with a dot between, unless it begins with a bracket. */
void path_add(struct buf *out, struct str more);

#endif
