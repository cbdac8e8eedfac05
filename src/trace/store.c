/* Packing and unpacking of steps, and the tables beside them: see store.h. */
#include "config.h"
#include "trace/store.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/sort.h"

#define UNKNOWN   UINT32_MAX       /* tokens */
#define WIDE      (UINT32_MAX - 1) /* see the table */
#define WIDE_NAME 2047u
#define MOST_IDS  3u

static_assert(sizeof(struct record) == 56, "a step is to cost no more than that");
static_assert(STEP_KEPT == (1 << 19) - 1, "the record's bits for flags");
static_assert((STEP_TURN & STEP_KEPT) && !(STEP_ORPHAN & STEP_KEPT), "flags kept");

/* All of a step that may not fit into its record. */
struct wide {
	uint32_t step;
	uint32_t name_len;
	uint64_t length;
	double input_tokens, output_tokens;
};

static void free_slabs(struct store *s, size_t keep)
{
	while (s->slab_count > keep) {
		struct slab *slab = s->slabs[--s->slab_count];

		mem_free(slab->parents);
		mem_free(slab->requests);
		mem_free(slab->cached);
		mem_free(slab);
	}
}

static void free_ids(struct store *s, size_t keep)
{
	while (s->id_slabs > keep)
		mem_free(s->ids[--s->id_slabs]);
}

void store_done(struct store *s)
{
	free_slabs(s, 0);
	free_ids(s, 0);
	mem_free(s->slabs);
	mem_free(s->ids);
	mem_free(s->kinds);
	mem_free(s->kind_slots);
	mem_free(s->wides);
	*s = (struct store){0};
}

void store_push(struct store *s)
{
	size_t slab = s->count / SLAB;

	if (slab == s->slab_count) {
		MEM_ROOM(s->slabs, s->slab_cap, slab + 1);
		s->slabs[slab] = mem_alloc(sizeof(**s->slabs));
		s->slabs[slab]->parents = NULL;
		s->slabs[slab]->requests = NULL;
		s->slabs[slab]->cached = NULL;
		s->slab_count++;
	}
	if (s->slabs[slab]->parents)
		s->slabs[slab]->parents[s->count % SLAB] = 0;
	if (s->slabs[slab]->requests)
		s->slabs[slab]->requests[s->count % SLAB] = 0;
	if (s->slabs[slab]->cached)
		s->slabs[slab]->cached[s->count % SLAB] = (struct cached){NAN, NAN, NAN};
	*store_record(s, s->count++) = (struct record){0};
}

void store_add_id(struct store *s, uint64_t key)
{
	struct record *r = store_record(s, s->count - 1);
	size_t slab = s->id_count / SLAB;

	for (size_t i = 1; i <= r->ids; i++)
		if (store_id(s, s->id_count - i) == key)
			return;
	if (r->ids == MOST_IDS)
		return;
	if (slab == s->id_slabs) {
		MEM_ROOM(s->ids, s->id_cap, slab + 1);
		s->ids[s->id_slabs++] = mem_array(SLAB, sizeof(**s->ids));
	}
	s->ids[slab][s->id_count++ % SLAB] = key;
	r->ids++;
}

/* ---- kinds ---- */

static size_t kind_slot(const struct store *s, const struct step_kind *k)
{
	size_t i = (size_t)map_hash((struct str){(const char *)k, sizeof(*k)}) &
		   s->kind_mask;

	while (s->kind_slots[i] &&
		memcmp(&s->kinds[s->kind_slots[i] - 1], k, sizeof(*k)) != 0)
		i = (i + 1) & s->kind_mask;
	return i;
}

/* Steps that follow each other are mostly of one kind. */
static uint32_t find_kind(struct store *s, const struct step_kind *k)
{
	size_t slot;

	if (s->kind_count && memcmp(&s->kinds[s->last_kind], k, sizeof(*k)) == 0)
		return s->last_kind;
	if (!s->kind_slots || 2 * (s->kind_count + 1) > s->kind_mask) {
		size_t size = s->kind_slots ? 2 * (s->kind_mask + 1) : 32;

		mem_free(s->kind_slots);
		s->kind_slots = mem_zalloc(size, sizeof(*s->kind_slots));
		s->kind_mask = size - 1;
		for (size_t i = 0; i < s->kind_count; i++)
			s->kind_slots[kind_slot(s, &s->kinds[i])] = (uint32_t)i + 1;
	}
	slot = kind_slot(s, k);
	if (!s->kind_slots[slot]) {
		*MEM_ADD(s->kinds, s->kind_count, s->kind_cap) = *k;
		s->kind_slots[slot] = (uint32_t)s->kind_count;
	}
	s->last_kind = s->kind_slots[slot] - 1;
	return s->last_kind;
}

/* ---- what does not fit ---- */

static uint64_t wide_step(const void *items, size_t i)
{
	return ((const struct wide *)items)[i].step;
}

/* The place of a step in the table, or where it would be. */
static size_t wide_place(const struct store *s, size_t step)
{
	size_t n = s->wide_count;

	if (n && s->wides[n - 1].step < step)
		return n;
	return sorted_below(s->wides, n, step, wide_step);
}

static bool is_wide(const struct record *r)
{
	return r->length == WIDE || r->input_tokens == WIDE || r->output_tokens == WIDE ||
	       r->name_len == WIDE_NAME;
}

/* Puts what does not fit of a step, or nothing (NULL), in place of what is there. */
static void put_wide(struct store *s, size_t step, bool there, const struct step *what)
{
	size_t at = wide_place(s, step), after = s->wide_count - at - there;

	MEM_ROOM(s->wides, s->wide_cap, s->wide_count + 1);
	memmove(&s->wides[at + (what != NULL)], &s->wides[at + there],
		after * sizeof(*s->wides));
	s->wide_count = at + (what != NULL) + after;
	if (what)
		s->wides[at] = (struct wide){(uint32_t)step, what->name_len, what->length,
			what->input_tokens, what->output_tokens};
}

/* ---- packing ---- */

static uint32_t pack_tokens(double tokens)
{
	if (isnan(tokens))
		return UNKNOWN;
	if (signbit(tokens) || tokens >= WIDE || tokens != (uint32_t)tokens)
		return WIDE;
	return (uint32_t)tokens;
}

static double unpack_tokens(uint32_t tokens)
{
	return tokens == UNKNOWN ? (double)NAN : (double)tokens;
}

static void put_parent(struct store *s, size_t step, uint64_t key)
{
	struct slab *slab = s->slabs[step / SLAB];

	if (!slab->parents && !key)
		return;
	if (!slab->parents)
		slab->parents = mem_zalloc(SLAB, sizeof(*slab->parents));
	s->parent_count -= slab->parents[step % SLAB] != 0;
	s->parent_count += key != 0;
	slab->parents[step % SLAB] = key;
}

static void put_request(struct slab *slab, size_t step, uint64_t key)
{
	if (!slab->requests && key)
		slab->requests = mem_zalloc(SLAB, sizeof(*slab->requests));
	if (slab->requests)
		slab->requests[step % SLAB] = key;
}

static void put_cached(struct store *s, size_t step, struct cached figures)
{
	struct slab *slab = s->slabs[step / SLAB];

	if (!slab->cached && isnan(figures.read) && isnan(figures.write))
		return;
	if (!slab->cached) {
		slab->cached = mem_array(SLAB, sizeof(*slab->cached));
		for (size_t i = 0; i < SLAB; i++)
			slab->cached[i] = (struct cached){NAN, NAN, NAN};
	}
	slab->cached[step % SLAB] = figures;
}

void store_put(struct store *s, size_t step, const struct step *what)
{
	struct step_kind kind = {
		what->model, what->event, what->trace_id, what->chain_name, what->scope};
	struct record *r = store_record(s, step);
	struct record packed = {
		.offset = what->offset,
		.timestamp = what->timestamp,
		.cost = what->cost,
		.latency = what->latency,
		.length = what->length < WIDE ? (uint32_t)what->length : WIDE,
		.input_tokens = pack_tokens(what->input_tokens),
		.output_tokens = pack_tokens(what->output_tokens),
		.name_at = what->name_at,
		.kind = find_kind(s, &kind),
		.flags = what->flags & STEP_KEPT,
		.ids = r->ids,
		.name_len = (what->name_len < WIDE_NAME ? what->name_len : WIDE_NAME) &
			    WIDE_NAME,
	};

	if (is_wide(r) || is_wide(&packed))
		put_wide(s, step, is_wide(r), is_wide(&packed) ? what : NULL);
	*r = packed;
	put_parent(s, step, what->parent_key);
	put_request(s->slabs[step / SLAB], step, what->request);
	put_cached(s, step,
		(struct cached){what->cache_read, what->cache_write, what->cache_hour});
}

struct step store_get(const struct store *s, size_t step)
{
	const struct record *r = store_record(s, step);
	const struct step_kind *k = &s->kinds[r->kind];
	const struct slab *slab = s->slabs[step / SLAB];
	const struct cached *cached = slab->cached;
	struct step out = {
		.offset = r->offset,
		.length = r->length,
		.timestamp = r->timestamp,
		.input_tokens = unpack_tokens(r->input_tokens),
		.output_tokens = unpack_tokens(r->output_tokens),
		.cache_read = cached ? cached[step % SLAB].read : (double)NAN,
		.cache_write = cached ? cached[step % SLAB].write : (double)NAN,
		.cache_hour = cached ? cached[step % SLAB].hour : (double)NAN,
		.cost = r->cost,
		.latency = r->latency,
		.parent_key = store_parent(s, step),
		.request = slab->requests ? slab->requests[step % SLAB] : 0,
		.name_at = r->name_at,
		.name_len = r->name_len,
		.model = k->model,
		.event = k->event,
		.trace_id = k->trace_id,
		.chain_name = k->chain_name,
		.scope = k->scope,
		.flags = r->flags,
		.parent = NO_STEP,
		.chain = NO_CHAIN,
	};

	if (is_wide(r)) {
		const struct wide *w = &s->wides[wide_place(s, step)];

		out.length = w->length;
		out.name_len = w->name_len;
		out.input_tokens = w->input_tokens;
		out.output_tokens = w->output_tokens;
	}
	return out;
}

void store_truncate(struct store *s, size_t count)
{
	while (s->count > count) {
		const struct record *r = store_record(s, --s->count);

		s->id_count -= r->ids;
		s->parent_count -= store_parent(s, s->count) != 0;
	}
	while (s->wide_count && s->wides[s->wide_count - 1].step >= count)
		s->wide_count--;
	free_slabs(s, count / SLAB + 1);
	free_ids(s, s->id_count / SLAB + 1);
}
