/*
 * Two small hash tables.  Adding and finding take constant time, besides the text
 * that is hashed.  An intern table gives every distinct text a number from
 * 0 in order of first appearance; an id map takes a 64-bit hash to a number.
 * Hashes are keyed with random bytes of this process, so a hostile file
 * cannot choose collisions.
 */
#ifndef CATENA_BASE_MAP_H
#define CATENA_BASE_MAP_H

#include "base/str.h"

#include <stdint.h>

#define MAP_NONE UINT32_MAX

uint64_t map_hash(struct str text); /* differs from run to run */
/* By a key of the caller's, for hashes that go to disk; map_key_make makes a random one,
 * the first word of which is never 0. */
uint64_t map_hash_by(const uint64_t key[2], struct str text);
void map_key_make(uint64_t key[2]);
/* 128 bits: for tables that keep hashes and no texts. */
void map_hash_wide(struct str text, uint64_t hash[2]);

#define INTERN_RECENT 16 /* texts added lately, which are found without hashing */

struct intern {
	struct intern_text *texts; /* by number */
	size_t count, cap;
	uint32_t *slots; /* number + 1; 0 is free */
	size_t mask;
	uint32_t recent[INTERN_RECENT]; /* number + 1; 0: none yet */
};

void intern_done(struct intern *t);
uint32_t intern_add(struct intern *t, struct str text);         /* copies a new text */
uint32_t intern_find(const struct intern *t, struct str text);  /* or MAP_NONE */
struct str intern_get(const struct intern *t, uint32_t number); /* lives as long as t */

struct idmap {
	struct idmap_entry *slots;
	size_t count, mask;
};

void idmap_done(struct idmap *m);
/* Keeps the first value of a key. */
void idmap_add(struct idmap *m, uint64_t key, uint32_t value);
uint32_t idmap_find(const struct idmap *m, uint64_t key); /* or MAP_NONE */

/*
 * A hash that does not change from run to run (FNV-1a, 64 bits): for names and
 * comparisons on disk.  A hostile file can choose texts of one hash: tables use map_hash.
 */
#define FNV_BEGIN 14695981039346656037u

static inline uint64_t fnv_add(uint64_t hash, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		hash = (hash ^ (unsigned char)text.p[i]) * 1099511628211u;
	return hash;
}

/* ---- a set of hashes of bounded size that keeps the latest ---- */

/* Made of two sets: when the young one is full, it replaces the old one.  A key that is
 * added again moves to the young set. */

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
