/*
 * A set of hashes of bounded size that keeps the latest.  It is made of two sets: when
 * the young one is full, it replaces the old one.  A key that is added again moves to the
 * young set.
 */
#ifndef CATENA_ANALYSIS_DEDUP_SET_H
#define CATENA_ANALYSIS_DEDUP_SET_H

#include "base/map.h"

/* Keys in each of the two sets: 8 MB in all, since a map is at most half full. */
#define SEEN_MOST ((1u << 17) - 1)

struct dedup_set { /* all zero bits: empty */
	struct idmap young, old;
};

void dedup_set_done(struct dedup_set *s);
bool dedup_set_has(const struct dedup_set *s, uint64_t key);
/* Remembers the key; true when it was known. */
bool dedup_set_add(struct dedup_set *s, uint64_t key);

/* A key for two things together; their order matters. */
uint64_t dedup_set_mix(uint64_t a, uint64_t b);

#endif
