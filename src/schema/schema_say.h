/*
 * Words about values and places, for people; for the files schema/schema*.c only.  All of
 * it is unsafe text.
 */
#ifndef CATENA_SCHEMA_SCHEMA_SAY_H
#define CATENA_SCHEMA_SCHEMA_SAY_H

#include "schema/schema_node.h"

/* operations[0].column["odd key"]; continues a way that is in `out` already. */
void say_way(struct buf *out, const struct crumb *way, size_t count);
void say_pointer(struct buf *out, const struct crumb *way, size_t count); /* RFC 6901 */

/* JSON on one line, shortened: no longer than a line's half or so, whatever the value. */
void say_value(struct buf *out, const json_t *value);
/* A text in quotes, shortened. */
void say_text(struct buf *out, struct str text);
void say_pattern(struct buf *out, struct str text); /* without quotes and escapes */
/* Values with commas, the first few. */
void say_values(struct buf *out, const json_t *array);
void say_kinds(struct buf *out, unsigned kinds); /* "string or null" */
/* "is a string", `"x" is a string`: with the value where that is short and says more. */
void say_is(struct buf *out, const json_t *value);

#endif
