/*
 * The only place that calls malloc.  Failure is final (see mem.h): no caller
 * can do anything sensible without memory, and half-built values are how
 * wrong data comes to the screen.
 */
#include "config.h"
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/buf.h"

#define HOOKS_MOST 4

static void (*failure_hooks[HOOKS_MOST])(void);

void mem_begin(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 4 << 20);
#endif
}

void mem_on_failure(void (*hook)(void))
{
	for (size_t i = 0; i < HOOKS_MOST && failure_hooks[i] != hook; i++)
		if (!failure_hooks[i]) {
			failure_hooks[i] = hook;
			return;
		}
}

_Noreturn void mem_fail(void)
{
	static const char text[] = "catena: out of memory\n";

	for (size_t i = 0; i < HOOKS_MOST && failure_hooks[i]; i++) {
		void (*hook)(void) = failure_hooks[i];

		failure_hooks[i] = NULL;
		hook();
	}
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(3);
	_exit(3);
}

void *mem_realloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p)
		mem_fail();
	return p;
}

void *mem_alloc(size_t size)
{
	return mem_realloc(NULL, size);
}

void *mem_try_alloc(size_t size)
{
	return malloc(size ? size : 1);
}

void *mem_resize(void *array, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		mem_fail();
	return mem_realloc(array, count * size);
}

void *mem_array(size_t count, size_t size)
{
	return mem_resize(NULL, count, size);
}

void *mem_zalloc(size_t count, size_t size)
{
	void *p = size && count > SIZE_MAX / size
			  ? NULL
			  : calloc(count ? count : 1, size ? size : 1);

	if (!p)
		mem_fail();
	return p;
}

void *mem_dup(const void *data, size_t size)
{
	char *p;

	if (size == SIZE_MAX)
		mem_fail();
	p = mem_alloc(size + 1);
	if (size)
		memcpy(p, data, size);
	p[size] = '\0';
	return p;
}

void mem_free(void *p)
{
	free(p);
}

void *mem_grow(void *array, size_t *cap, size_t need, size_t size)
{
	size_t n = *cap ? *cap : 8;

	if (need <= *cap)
		return array;
	while (n < need) {
		if (n > SIZE_MAX / 2)
			mem_fail();
		n *= 2;
	}
	array = mem_resize(array, n, size);
	*cap = n;
	return array;
}

/* ---- arenas: see mem.h ----
 *
 * A list of chunks; large requests get one of their own.  The first chunk is the one with
 * room, so that a large request, or memory taken over, does not end it.
 */

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

void *arena_copy(struct arena *a, const void *data, size_t size)
{
	return memcpy(arena_alloc(a, size), data, size);
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
