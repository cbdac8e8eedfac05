/* The chunks of the AI SDK's streams, a part of the dialect "vercel". */
#ifndef CATENA_DIALECT_VERCEL_H
#define CATENA_DIALECT_VERCEL_H

#include "dialect/talk.h"

/* Adds what an array of chunks says as one message and is true; or adds nothing and is
 * false: it is no such array. */
bool vercel_stream_read(struct talk *t, struct jv chunks);

#endif
