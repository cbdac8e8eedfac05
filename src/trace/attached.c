/* See attached.h. */
#include "config.h"
#include "trace/attached.h"

#include <string.h>

#include "base/mem.h"

void attached_done(struct attached *a)
{
	idmap_done(&a->by_name);
	mem_free(a->ranges);
	*a = (struct attached){0};
}

void attached_add(struct attached *a, uint64_t name, struct file_range range)
{
	if (a->count == MAP_NONE - 1)
		return;
	a->ranges = mem_grow(a->ranges, &a->cap, a->count + 1, sizeof(*a->ranges));
	idmap_add(&a->by_name, name, (uint32_t)a->count);
	a->ranges[a->count++] = range;
}

const struct file_range *attached_find(const struct attached *a, uint64_t name)
{
	uint32_t at = idmap_find(&a->by_name, name);

	return at == MAP_NONE ? NULL : &a->ranges[at];
}

void attached_take(struct attached *a, struct attached *from)
{
	memcpy(from->bare, a->bare, sizeof(a->bare));
	attached_done(a);
	*a = *from;
	*from = (struct attached){0};
}

/* The number of a step among those without texts, or ATTACHED_BARE. */
static size_t bare_at(const struct attached *a, struct file_range step)
{
	size_t i = 0;

	while (i < ATTACHED_BARE &&
		(a->bare[i].offset != step.offset || a->bare[i].length != step.length))
		i++;
	return i;
}

static void move_to_front(struct attached *a, size_t at, struct file_range step)
{
	memmove(a->bare + 1, a->bare, at * sizeof(*a->bare));
	a->bare[0] = step;
}

void attached_note_bare(struct attached *a, struct file_range step)
{
	size_t at = bare_at(a, step);

	move_to_front(a, at < ATTACHED_BARE ? at : ATTACHED_BARE - 1, step);
}

bool attached_is_bare(struct attached *a, struct file_range step)
{
	size_t at = bare_at(a, step);

	if (at == ATTACHED_BARE || !step.length)
		return false;
	move_to_front(a, at, step);
	return true;
}
