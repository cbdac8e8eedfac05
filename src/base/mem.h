/*
 * Memory that is always there.  Every function but one returns usable memory or
 * does not return: when the system has none left, the hooks of mem_on_failure
 * run (they put the terminal back and remove unfinished files), one line goes to
 * standard error and the program ends with status 3.  Release everything with mem_free.
 */
#ifndef CATENA_BASE_MEM_H
#define CATENA_BASE_MEM_H

#include "base/str.h"

#include <stddef.h>
#include <string.h>

#define NEVER_NULL __attribute__((returns_nonnull))

/*
 * Call once, before anything else.  With the GNU C library each block of a megabyte or
 * more is a mapping of its own from then on: it grows without a copy, and goes back to
 * the system when it is released.
 */
void mem_begin(void);

NEVER_NULL void *mem_alloc(size_t size); /* size 0 gives a valid pointer */
void *mem_try_alloc(size_t size);        /* NULL when there is none */
NEVER_NULL void *mem_realloc(void *old, size_t size);
/* Arrays: a product that is too large fails as memory does. */
NEVER_NULL void *mem_array(size_t count, size_t size);
NEVER_NULL void *mem_zalloc(size_t count, size_t size); /* zeroed */
NEVER_NULL void *mem_resize(void *array, size_t count, size_t size);
NEVER_NULL void *mem_dup(const void *data, size_t size); /* a NUL follows the copy */
void mem_free(void *p);

/*
 * Grows an array for at least `need` items of `size` bytes; *cap counts items.
 * Returns the array, perhaps moved; NULL stays NULL where nothing is needed.  Capacity
 * doubles, so pushing is amortised.
 */
void *mem_grow(void *array, size_t *cap, size_t need, size_t size);

/* A local that is released where its block ends: AUTO(emit_done) struct message_writer t
 * = {0}; AUTO_FREE is for one that mem_free releases. */
#define AUTO(done) __attribute__((cleanup(done)))
#define AUTO_FREE  AUTO(mem_free_local)
static inline void mem_free_local(void *pointer)
{
	void *p;

	memcpy(&p, pointer, sizeof(p));
	mem_free(p);
}

/* Room for `need` items in an array that grows. */
#define MEM_ROOM(items, cap, need)                                                       \
	((items) = mem_grow((items), &(cap), (need), sizeof(*(items))))
/* A new last item of an array that grows, as an lvalue: *MEM_ADD(l->items, l->count,
 * l->cap) = item.  The item's value must not change the array. */
#define MEM_ADD(items, count, cap)                                                       \
	(MEM_ROOM(items, cap, (size_t)(count) + 1), &(items)[(count)++])

/* Ends the program as described above; for a library whose own allocator has failed. */
_Noreturn void mem_fail(void);

/* What also runs before the program ends because memory is used up.  It needs none
 * itself, and does nothing where there is nothing to do: it is never taken back.  At most
 * four. */
void mem_on_failure(void (*hook)(void));

/* ---- arenas ---- */

/*
 * Memory that is released all at once: texts decoded from one step live as
 * long as the step is open.  Nothing in an arena moves.
 */
struct buf;

struct arena { /* all zero bits: empty */
	struct arena_chunk *chunks;
	size_t bytes; /* of all chunks, for budgets */
};

void arena_done(struct arena *a);
/* A local arena that is released where its block ends: AUTO_ARENA arena = {0}; */
#define AUTO_ARENA AUTO(arena_done) struct arena
void *arena_alloc(struct arena *a, size_t size); /* aligned for any type */
/* A copy of `size` bytes, aligned for any type. */
void *arena_copy(struct arena *a, const void *data, size_t size);
struct str arena_dup(struct arena *a, struct str text); /* a NUL follows the copy */
/* The text of a buffer, which is empty again. */
struct str arena_keep(struct arena *a, struct buf *text);
/* Takes ownership of `size` bytes that mem_* allocated. */
struct str arena_take(struct arena *a, char *data, size_t size);

#endif
