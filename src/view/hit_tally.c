/* See hit_tally.h. */
#include "config.h"
#include "view/hit_tally.h"

#include "base/mem.h"

void hit_tally_done(struct hit_tally *t)
{
	idmap_done(&t->index);
	mem_free(t->items);
	*t = (struct hit_tally){0};
}

static struct hit_tally_item *find(const struct hit_tally *t, uint64_t key)
{
	uint32_t at = t->count ? idmap_find(&t->index, key) : MAP_NONE;

	return at == MAP_NONE ? NULL : &t->items[at];
}

void hit_tally_add(struct hit_tally *t, uint64_t key, uint64_t hits)
{
	struct hit_tally_item *item = find(t, key);

	if (item) {
		item->hits += hits;
		return;
	}
	t->items = mem_grow(t->items, &t->cap, t->count + 1, sizeof(*t->items));
	t->items[t->count] = (struct hit_tally_item){key, hits};
	idmap_add(&t->index, key, (uint32_t)t->count++);
}

uint64_t hit_tally_of(const struct hit_tally *t, uint64_t key)
{
	const struct hit_tally_item *item = find(t, key);

	return item ? item->hits : 0;
}

uint64_t hit_tally_take(struct hit_tally *t, uint64_t key)
{
	struct hit_tally_item *item = find(t, key);

	return item && item->hits ? item->hits-- : 0;
}
