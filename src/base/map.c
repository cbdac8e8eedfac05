/* Open addressing with linear probing, at most half full: see map.h. */
#include "config.h"
#include "base/map.h"
#include "base/work.h"
#include "base/mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct intern_text {
	char *p;
	size_t n;
	uint64_t hash;
};

struct idmap_entry {
	uint64_t key;
	uint32_t value;
	bool used;
};

static uint64_t hash_key[2];

void map_key_make(uint64_t key[2])
{
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, key, sizeof(hash_key)) != (ssize_t)sizeof(hash_key)) {
		key[0] = (uint64_t)time(NULL) * 0x9E3779B97F4A7C15u;
		key[1] = (uint64_t)getpid() * 0xC2B2AE3D27D4EB4Fu;
	}
	if (fd >= 0)
		close(fd);
	key[0] |= 1;
}

static uint64_t rotl(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64 - bits);
}

static void sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = rotl(v[1], 13) ^ v[0];
	v[0] = rotl(v[0], 32);
	v[2] += v[3];
	v[3] = rotl(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = rotl(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = rotl(v[1], 17) ^ v[2];
	v[2] = rotl(v[2], 32);
}

static void sip_word(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	sip_round(v);
	v[0] ^= word;
}

static uint64_t sip_end(uint64_t v[4])
{
	sip_round(v);
	sip_round(v);
	sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* SipHash-1-3 (Aumasson and Bernstein, 2012), in this machine's byte order, up to its
 * last rounds; `wide` sets the variant of 128 bits apart. */
static void sip_text(
	uint64_t v[4], const uint64_t key[2], struct str text, uint64_t wide)
{
	uint64_t word;
	size_t i;

	v[0] = key[0] ^ 0x736f6d6570736575u;
	v[1] = key[1] ^ 0x646f72616e646f6du ^ wide;
	v[2] = key[0] ^ 0x6c7967656e657261u;
	v[3] = key[1] ^ 0x7465646279746573u;
	for (i = 0; i + 8 <= text.n; i += 8) {
		memcpy(&word, text.p + i, 8);
		sip_word(v, word);
	}
	word = (uint64_t)text.n << 56;
	for (; i < text.n; i++)
		word |= (uint64_t)(unsigned char)text.p[i] << 8 * (i & 7);
	sip_word(v, word);
}

uint64_t map_hash_by(const uint64_t key[2], struct str text)
{
	uint64_t v[4];

	count_work(WORK_SCAN, text.n);
	sip_text(v, key, text, 0);
	v[2] ^= 0xff;
	return sip_end(v);
}

static const uint64_t *own_key(void)
{
	if (!hash_key[0])
		map_key_make(hash_key);
	return hash_key;
}

uint64_t map_hash(struct str text)
{
	return map_hash_by(own_key(), text);
}

void map_hash_wide(struct str text, uint64_t hash[2])
{
	uint64_t v[4];

	sip_text(v, own_key(), text, 0xee);
	v[2] ^= 0xee;
	hash[0] = sip_end(v);
	v[1] ^= 0xdd;
	hash[1] = sip_end(v);
}

void intern_done(struct intern *t)
{
	for (size_t i = 0; i < t->count; i++)
		mem_free(t->texts[i].p);
	mem_free(t->texts);
	mem_free(t->slots);
	*t = (struct intern){0};
}

static size_t intern_slot(const struct intern *t, struct str text, uint64_t hash)
{
	size_t i = (size_t)hash & t->mask;

	for (; t->slots[i]; i = (i + 1) & t->mask) {
		const struct intern_text *x = &t->texts[t->slots[i] - 1];

		if (x->hash == hash && str_equal((struct str){x->p, x->n}, text))
			break;
	}
	return i;
}

uint32_t intern_find(const struct intern *t, struct str text)
{
	if (!t->slots)
		return MAP_NONE;
	return t->slots[intern_slot(t, text, map_hash(text))] - 1;
}

uint32_t intern_add(struct intern *t, struct str text)
{
	/* one that was asked for a moment ago: a guess by its ends */
	size_t guess = text.n, i;
	uint32_t *recent;
	uint64_t hash;

	if (text.n)
		guess +=
			(unsigned char)text.p[text.n - 1] + 5u * (unsigned char)text.p[0];
	recent = &t->recent[guess % INTERN_RECENT];
	if (*recent && str_equal(intern_get(t, *recent - 1), text))
		return *recent - 1;
	hash = map_hash(text);
	if (!t->slots || 2 * (t->count + 1) > t->mask) {
		size_t size = t->slots ? 2 * (t->mask + 1) : 32;

		mem_free(t->slots);
		t->slots = mem_zalloc(size, sizeof(*t->slots));
		t->mask = size - 1;
		for (size_t n = 0; n < t->count; n++) {
			i = (size_t)t->texts[n].hash & t->mask;
			while (t->slots[i])
				i = (i + 1) & t->mask;
			t->slots[i] = (uint32_t)n + 1;
		}
	}
	i = intern_slot(t, text, hash);
	if (!t->slots[i]) {
		*MEM_ADD(t->texts, t->count, t->cap) =
			(struct intern_text){mem_dup(text.p, text.n), text.n, hash};
		t->slots[i] = (uint32_t)t->count;
	}
	*recent = t->slots[i];
	return *recent - 1;
}

struct str intern_get(const struct intern *t, uint32_t number)
{
	if (number >= t->count)
		return (struct str){"", 0};
	return (struct str){t->texts[number].p, t->texts[number].n};
}

void idmap_done(struct idmap *m)
{
	mem_free(m->slots);
	*m = (struct idmap){0};
}

static struct idmap_entry *idmap_slot(const struct idmap *m, uint64_t key)
{
	size_t i = (size_t)(key * 0x9E3779B97F4A7C15u >> 20) & m->mask;

	while (m->slots[i].used && m->slots[i].key != key)
		i = (i + 1) & m->mask;
	return &m->slots[i];
}

void idmap_add(struct idmap *m, uint64_t key, uint32_t value)
{
	struct idmap_entry *e;

	if (!m->slots || 2 * (m->count + 1) > m->mask) {
		struct idmap old = *m;
		size_t size = old.slots ? 2 * (old.mask + 1) : 64;

		m->slots = mem_zalloc(size, sizeof(*m->slots));
		m->mask = size - 1;
		for (size_t i = 0; old.slots && i <= old.mask; i++)
			if (old.slots[i].used)
				*idmap_slot(m, old.slots[i].key) = old.slots[i];
		mem_free(old.slots);
	}
	e = idmap_slot(m, key);
	if (e->used)
		return;
	*e = (struct idmap_entry){key, value, true};
	m->count++;
}

uint32_t idmap_find(const struct idmap *m, uint64_t key)
{
	const struct idmap_entry *e;

	if (!m->slots)
		return MAP_NONE;
	e = idmap_slot(m, key);
	return e->used ? e->value : MAP_NONE;
}

/* ---- a set that keeps the latest ---- */

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
