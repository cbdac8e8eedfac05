/*
 * Words about values and places, for people; for the files schema/schema*.c only.  All of
 * it is unsafe text.
 */
#ifndef CATENA_SCHEMA_SCHEMA_MESSAGE_H
#define CATENA_SCHEMA_SCHEMA_MESSAGE_H

#include "schema/schema_node.h"

/* operations[0].column["odd key"]; continues a way that is in `out` already. */
void message_add_path(struct buf *out, const struct path_part *parts, size_t count);
void message_add_pointer(
	struct buf *out, const struct path_part *parts, size_t count); /* RFC 6901 */

/* JSON on one line, shortened: no longer than a line's half or so, whatever the value. */
void message_add_value(struct buf *out, const json_t *value);
/* A text in quotes, shortened. */
void message_add_text(struct buf *out, struct str text);
void message_add_pattern(
	struct buf *out, struct str text); /* without quotes and escapes */
/* Values with commas, the first few. */
void message_add_values(struct buf *out, const json_t *array);
void message_add_kinds(struct buf *out, unsigned kinds); /* "string or null" */
/* "is a string", `"x" is a string`: with the value where that is short and says more. */
void message_add_is(struct buf *out, const json_t *value);

#endif
