/* See attached.h. */
#include "config.h"
#include "chain/attached.h"

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
