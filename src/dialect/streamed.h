/*
 * The events of a stream that stand as text in a string, as recordings keep the body of a
 * response: server-sent events ("data: {…}"), or a JSON object on each line.
 */
#ifndef CATENA_DIALECT_STREAMED_H
#define CATENA_DIALECT_STREAMED_H

#include "base/arena.h"
#include "json/cursor.h"

/* What the events say, as an array in the arena; J_NONE: the text is no such stream.
 * Cost: linear in the string. */
struct jv streamed_events(struct jv string, struct arena *arena);

#endif
