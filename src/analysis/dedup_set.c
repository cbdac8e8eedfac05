/* Two generations of hashes: see dedup_set.h. */
#include "config.h"
#include "analysis/dedup_set.h"

void dedup_set_done(struct dedup_set *s)
{
	idmap_done(&s->young);
	idmap_done(&s->old);
}

bool dedup_set_has(const struct dedup_set *s, uint64_t key)
{
	return idmap_find(&s->young, key) != MAP_NONE ||
	       idmap_find(&s->old, key) != MAP_NONE;
}

bool dedup_set_add(struct dedup_set *s, uint64_t key)
{
	bool known = dedup_set_has(s, key);

	if (s->young.count == SEEN_MOST) {
		idmap_done(&s->old);
		s->old = s->young;
		s->young = (struct idmap){0};
	}
	idmap_add(&s->young, key, 0);
	return known;
}

uint64_t dedup_set_mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b >> 29) * 0x9E3779B97F4A7C15u + b;

	return (h ^ h >> 32) * 0xD6E8FEB86659FD93u;
}
