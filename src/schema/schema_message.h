/*
 * Values and paths as text for messages; for the files schema/schema*.c only.  All
 * functions append to `out`; the text is unsafe (text/safe).  Cost is bounded, whatever
 * the value.
 */
#ifndef CATENA_SCHEMA_SCHEMA_MESSAGE_H
#define CATENA_SCHEMA_SCHEMA_MESSAGE_H

#include "schema/schema_node.h"

/* operations[0].column["odd key"]; continues a path that is in `out` already. */
void message_add_path(struct buf *out, const struct path_part *parts, size_t count);
void message_add_pointer(
	struct buf *out, const struct path_part *parts, size_t count); /* RFC 6901 */

/* JSON on one line, shortened to about 60 bytes. */
void message_add_value(struct buf *out, const json_t *value);
/* A text in quotes, shortened. */
void message_add_text(struct buf *out, struct str text);
void message_add_pattern(
	struct buf *out, struct str text); /* without quotes and escapes */
/* The first few values of an array, with commas. */
void message_add_values(struct buf *out, const json_t *array);
void message_add_kinds(struct buf *out, unsigned kinds); /* "string or null" */
/* "is an object", `"x" is a string`: with the value unless it is a container or null. */
void message_add_is(struct buf *out, const json_t *value);

#endif
