/*
 * What the dialects of spans and frameworks share in writing blocks, beside what those of
 * providers do (body.h, blocks.h).
 */
#ifndef CATENA_DIALECT_CONTENT_H
#define CATENA_DIALECT_CONTENT_H

#include "dialect/body.h"

/* The blocks that stand as JSON in a string, an array of objects that have a type, or
 * that are Bedrock's; else the content as it is. */
struct jv content_open(struct jv content, struct arena *arena);

/* A container that may stand as JSON in a string, of which it is opened. */
struct jv content_value(struct jv value, struct arena *arena);

/* A text that was put together as a J_STRING; `inside` has its escapes. */
struct jv content_string(struct str inside, struct arena *arena);

/* Whether each member of the object has one of the names. */
bool content_only(struct jv object, const char *const names[], size_t count);

#endif
