/*
 * Memory that is released all at once: texts decoded from one step live as
 * long as the step is open.  Nothing in an arena moves.
 */
#ifndef CATENA_BASE_ARENA_H
#define CATENA_BASE_ARENA_H

#include "base/mem.h"
#include "base/str.h"

struct buf;

struct arena { /* all zero bits: empty */
	struct arena_chunk *chunks;
	size_t bytes; /* of all chunks, for budgets */
};

void arena_done(struct arena *a);
/* A local arena that is released where its block ends: AUTO_ARENA arena = {0}; */
#define AUTO_ARENA AUTO(arena_done) struct arena
void *arena_alloc(struct arena *a, size_t size);        /* aligned for any type */
struct str arena_dup(struct arena *a, struct str text); /* a NUL follows the copy */
/* The text of a buffer, which is empty again. */
struct str arena_keep(struct arena *a, struct buf *text);
/* Takes ownership of `size` bytes that mem_* allocated. */
struct str arena_take(struct arena *a, char *data, size_t size);

#endif
