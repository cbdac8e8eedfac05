/*
 * Where a value stands, as jq has it: .messages[3].content[0]["a b"].  What is written
 * leads to the value and nowhere else, or nothing is written: a key that stands twice
 * leads to the last, and what has no key cannot be named.
 */
#ifndef CATENA_JSON_ROUTE_H
#define CATENA_JSON_ROUTE_H

#include "json/cursor.h"

/* Appends .name or ["any key"]; `key` is a J_STRING with its quotes. */
void route_put_key(struct buf *out, struct jv key);

/* From a value to the one inside it that begins at `at`; nothing for the value itself.
 * False when none begins there, or no way leads to it. */
bool route_put(struct buf *out, struct jv root, const char *at);

/*
 * To a value that was decoded from a string inside `root`, or from one in that, up to
 * three deep: `.input | fromjson | .messages[2]`.  `around` is a piece of the decoded
 * JSON, the longer the better, and the value begins `offset` bytes into it.  False when
 * the piece stands in no string, or in more than one.
 */
bool route_put_nested(struct buf *out, struct jv root, struct str around, size_t offset);

#endif
