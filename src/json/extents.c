/*
 * Ends of large values (see extents.h), by pages of EXTENT_LEAST bytes: at most one large
 * string and EXTENT_DEPTH containers begin in a page, and in most pages there is none.
 */
#include "config.h"
#include "json/extents.h"

#include "base/mem.h"

struct extents {
	struct str text;
	const char *opened[EXTENT_DEPTH]; /* by depth: the open containers */
	struct extent {
		size_t from, to;
	} * items;
	size_t count, cap;
	size_t *first; /* by page: its first item; one more for their end */
	size_t pages;
};

struct extents *extents_new(struct str text)
{
	struct extents *e = mem_zalloc(1, sizeof(*e));

	e->text = text;
	return e;
}

void extents_free(struct extents *e)
{
	if (!e)
		return;
	mem_free(e->items);
	mem_free(e->first);
	mem_free(e);
}

size_t extents_bytes(const struct extents *e)
{
	return e ? sizeof(*e) + e->cap * sizeof(*e->items) +
			       (e->pages + 1) * sizeof(*e->first)
		 : 0;
}

void extents_open(struct extents *e, size_t depth, const char *p)
{
	if (depth < EXTENT_DEPTH)
		e->opened[depth] = p;
}

void extents_close(struct extents *e, size_t depth, const char *end)
{
	if (depth < EXTENT_DEPTH)
		extents_add(e, e->opened[depth], end);
}

void extents_add(struct extents *e, const char *p, const char *end)
{
	if ((size_t)(end - p) < EXTENT_LEAST)
		return;
	*MEM_ADD(e->items, e->count, e->cap) = 
		(struct extent){(size_t)(p - e->text.p), (size_t)(end - e->text.p)};
}

void extents_seal(struct extents *e)
{
	struct extent *sorted = mem_array(e->count + 1, sizeof(*sorted));

	e->pages = e->text.n / EXTENT_LEAST + 1;
	e->first = mem_zalloc(e->pages + 1, sizeof(*e->first));
	/* by the page where they begin; within a page in no order */
	for (size_t i = 0; i < e->count; i++)
		e->first[e->items[i].from / EXTENT_LEAST]++;
	for (size_t i = 1; i <= e->pages; i++)
		e->first[i] += e->first[i - 1];
	for (size_t i = 0; i < e->count; i++)
		sorted[--e->first[e->items[i].from / EXTENT_LEAST]] = e->items[i];
	mem_free(e->items);
	e->items = sorted;
	e->cap = e->count + 1;
}

const char *extents_end(const struct extents *e, const char *p)
{
	size_t from = (size_t)((uintptr_t)p - (uintptr_t)e->text.p);
	size_t page = from / EXTENT_LEAST;

	if (from >= e->text.n)
		return NULL;
	for (size_t i = e->first[page]; i < e->first[page + 1]; i++)
		if (e->items[i].from == from)
			return e->text.p + e->items[i].to;
	return NULL;
}
