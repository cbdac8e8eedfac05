/* The messages of Pydantic AI, a part of the dialect "genai". */
#ifndef CATENA_DIALECT_PYDANTIC_H
#define CATENA_DIALECT_PYDANTIC_H

#include "dialect/talk.h"

/* Adds the messages of a value and is true, or nothing and is false: one message
 * ({"kind": "request", "parts": [{"part_kind": …}]}) or an array of them. */
bool pydantic_read(struct talk *t, struct jv value);

#endif
