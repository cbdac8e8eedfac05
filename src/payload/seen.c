/* Two generations of hashes: see seen.h. */
#include "config.h"
#include "payload/seen.h"

void seen_done(struct seen *s)
{
	idmap_done(&s->young);
	idmap_done(&s->old);
}

bool seen_has(const struct seen *s, uint64_t key)
{
	return idmap_find(&s->young, key) != MAP_NONE ||
	       idmap_find(&s->old, key) != MAP_NONE;
}

bool seen_add(struct seen *s, uint64_t key)
{
	bool known = seen_has(s, key);

	if (s->young.count == SEEN_MOST) {
		idmap_done(&s->old);
		s->old = s->young;
		s->young = (struct idmap){0};
	}
	idmap_add(&s->young, key, 0);
	return known;
}

uint64_t seen_mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b >> 29) * 0x9E3779B97F4A7C15u + b;

	return (h ^ h >> 32) * 0xD6E8FEB86659FD93u;
}
