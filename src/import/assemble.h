/*
 * The events of one response, joined into what an assistant said and did: text deltas
 * joined, calls with their results, all in the order in which it happened.  The eight
 * events are those of the "Chat System Architecture" document; chunks of other vendors
 * are joined by their own rules (dialect/chunks).
 */
#ifndef CATENA_IMPORT_ASSEMBLE_H
#define CATENA_IMPORT_ASSEMBLE_H

#include "import/stream.h"

struct assembled {
	struct jv messages; /* an array; J_NONE: nothing was said */
	struct jv response; /* the elements of the response: an object, or J_NONE */
};

/* Both are kept in the arena or borrow the stream's text.  Cost: linear in the stream. */
void assemble(struct assembled *a, const struct stream *s, struct arena *arena);

#endif
