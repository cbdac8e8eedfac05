/*
 * A list of chunks; large requests get one of their own: see arena.h.  The first chunk is
 * the one with room, so that a large request, or memory taken over, does not end it.
 */
#include "config.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/mem.h"

#include <stdint.h>

#define CHUNK 16384

struct arena_chunk {
	struct arena_chunk *next;
	char *data; /* what this chunk holds */
	size_t used, size;
};

/* Adds a chunk.  The first one stays first while it has more room than the new one. */
static struct arena_chunk *add_chunk(
	struct arena *a, char *data, size_t used, size_t size)
{
	struct arena_chunk *c = mem_alloc(sizeof(*c)), *first = a->chunks;
	bool second = first && first->size - first->used > size - used;
	struct arena_chunk **at = second ? &first->next : &a->chunks;

	*c = (struct arena_chunk){*at, data, used, size};
	*at = c;
	a->bytes += size + sizeof(*c);
	return c;
}

void arena_done(struct arena *a)
{
	while (a->chunks) {
		struct arena_chunk *next = a->chunks->next;

		mem_free(a->chunks->data);
		mem_free(a->chunks);
		a->chunks = next;
	}
	a->bytes = 0;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_chunk *c = a->chunks;
	size_t rounded = (size + 15) & ~(size_t)15;

	if (rounded < size)
		rounded = SIZE_MAX; /* the allocator says no */
	if (!c || c->size - c->used < rounded) {
		size_t fresh = rounded > CHUNK / 4 ? rounded : CHUNK;

		return add_chunk(a, mem_alloc(fresh), rounded, fresh)->data;
	}
	c->used += rounded;
	return c->data + c->used - rounded;
}

struct str arena_dup(struct arena *a, struct str text)
{
	char *p = arena_alloc(a, text.n + 1);

	if (text.n)
		memcpy(p, text.p, text.n);
	p[text.n] = '\0';
	return (struct str){p, text.n};
}

struct str arena_keep(struct arena *a, struct buf *text)
{
	struct str kept = arena_dup(a, buf_view(text));

	buf_done(text);
	return kept;
}

struct str arena_take(struct arena *a, char *data, size_t size)
{
	add_chunk(a, data, size, size);
	return (struct str){data, size};
}
