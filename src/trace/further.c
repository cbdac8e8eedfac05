/* See further.h. */
#include "config.h"
#include "trace/further.h"

#include <string.h>

#include "base/mem.h"

struct further_range {
	struct file_range range;
	uint32_t next;        /* of the same record, or MAP_NONE */
	uint32_t last, count; /* of the first: the last one, and how many there are */
};

void further_done(struct further *f)
{
	mem_free(f->ranges);
	idmap_done(&f->first);
	*f = (struct further){0};
}

/* Offsets are alike in their low bits. */
static uint64_t key_of(uint64_t offset)
{
	uint64_t mixed = (offset + 1) * 0x9E3779B97F4A7C15u;

	return mixed >> 32 | mixed << 32;
}

static uint32_t first_of(const struct further *f, uint64_t of)
{
	return f->count ? idmap_find(&f->first, key_of(of)) : MAP_NONE;
}

void further_add(struct further *f, uint64_t of, struct file_range range)
{
	uint32_t first = first_of(f, of), added = (uint32_t)f->count;

	if (f->count == MAP_NONE - 1)
		return;
	if (first != MAP_NONE &&
		range.offset <= f->ranges[f->ranges[first].last].range.offset)
		for (uint32_t i = first; i != MAP_NONE; i = f->ranges[i].next)
			if (f->ranges[i].range.offset == range.offset) {
				f->ranges[i].range = range; /* it is read again */
				return;
			}
	*MEM_ADD(f->ranges, f->count, f->cap) =
		(struct further_range){range, MAP_NONE, added, 0};
	if (first == MAP_NONE) {
		idmap_add(&f->first, key_of(of), added);
		first = added;
	} else {
		f->ranges[f->ranges[first].last].next = added;
	}
	f->ranges[first].last = added;
	f->ranges[first].count++;
}

size_t further_count(const struct further *f, uint64_t of)
{
	uint32_t first = first_of(f, of);

	return first == MAP_NONE ? 0 : f->ranges[first].count;
}

void further_get(const struct further *f, uint64_t of, struct file_range *out)
{
	for (uint32_t i = first_of(f, of); i != MAP_NONE; i = f->ranges[i].next)
		*out++ = f->ranges[i].range;
}

/* ---- texts beside a step ---- */

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
	idmap_add(&a->by_name, name, (uint32_t)a->count);
	*MEM_ADD(a->ranges, a->count, a->cap) = range;
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
