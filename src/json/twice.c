/* See twice.h. */
#include "config.h"
#include "json/twice.h"

#include "base/map.h"
#include "base/mem.h"

#define FEW 16 /* keys that are compared one by one */

struct twice_level {
	size_t first;       /* of its keys */
	struct idmap table; /* of them, once they are more than a few */
};

void twice_done(struct twice *t)
{
	while (t->depth)
		twice_close(t);
	mem_free(t->keys);
	mem_free(t->levels);
	*t = (struct twice){0};
}

void twice_open(struct twice *t)
{
	if (t->depth++ >= TWICE_DEPTH)
		return;
	t->levels = mem_grow(t->levels, &t->level_cap, t->depth, sizeof(*t->levels));
	t->levels[t->depth - 1] = (struct twice_level){.first = t->count};
}

void twice_close(struct twice *t)
{
	struct twice_level *level;

	if (--t->depth >= TWICE_DEPTH)
		return;
	level = &t->levels[t->depth];
	t->count = level->first;
	idmap_done(&level->table);
}

/* As many keys as can be compared one by one, or the table of all. */
static bool is_known(const struct twice *t, struct twice_level *level, uint64_t key)
{
	size_t count = t->count - level->first;

	if (count > FEW)
		return idmap_find(&level->table, key) != MAP_NONE;
	for (size_t i = level->first; i < t->count; i++)
		if (t->keys[i] == key)
			return true;
	return false;
}

bool twice_has(struct twice *t, struct jv key)
{
	struct twice_level *level;
	uint64_t hash;

	if (t->depth > TWICE_DEPTH)
		return false;
	level = &t->levels[t->depth - 1];
	hash = jv_hash(key);
	if (is_known(t, level, hash))
		return true;
	*MEM_ADD(t->keys, t->count, t->cap) = hash;
	if (t->count - level->first > FEW)
		for (size_t i = level->table.count ? t->count - 1 : level->first;
			i < t->count; i++)
			idmap_add(&level->table, t->keys[i], 0);
	return false;
}
