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

void store_done(struct store *s)
{
	s->count = s->id_count = 0; /* which steps there were matters no more */
	store_truncate(s, 0);
	mem_free(s->slabs);
	mem_free(s->ids);
	mem_free(s->kinds);
	idmap_done(&s->kind_numbers);
	mem_free(s->wides);
	*s = (struct store){0};
}

void store_push(struct store *s)
{
	size_t at = s->count % SLAB;
	struct slab *slab;

	if (s->count / SLAB == s->slab_count) {
		slab = mem_alloc(sizeof(*slab));
		slab->parents = slab->requests = NULL;
		slab->cached = NULL;
		*MEM_ADD(s->slabs, s->slab_count, s->slab_cap) = slab;
	}
	slab = s->slabs[s->count / SLAB];
	if (slab->parents)
		slab->parents[at] = 0;
	if (slab->requests)
		slab->requests[at] = 0;
	if (slab->cached)
		slab->cached[at] = (struct cached){NAN, NAN, NAN};
	*store_record(s, s->count++) = (struct record){0};
}

void store_add_id(struct store *s, uint64_t key)
{
	struct record *r = store_record(s, s->count - 1);

	for (size_t i = 1; i <= r->ids; i++)
		if (store_id(s, s->id_count - i) == key)
			return;
	if (r->ids == MOST_IDS)
		return;
	if (s->id_count / SLAB == s->id_slabs)
		*MEM_ADD(s->ids, s->id_slabs, s->id_cap) = mem_array(SLAB, sizeof(**s->ids));
	s->ids[s->id_count / SLAB][s->id_count % SLAB] = key;
	s->id_count++;
	r->ids++;
}

/* ---- kinds ---- */

/* Steps that follow each other are mostly of one kind. */
static uint32_t find_kind(struct store *s, const struct step_kind *k)
{
	uint64_t hash;

	if (s->kind_count && memcmp(&s->kinds[s->last_kind], k, sizeof(*k)) == 0)
		return s->last_kind;
	hash = map_hash((struct str){(const char *)k, sizeof(*k)});
	s->last_kind = idmap_find(&s->kind_numbers, hash);
	if (s->last_kind == MAP_NONE) {
		s->last_kind = (uint32_t)s->kind_count;
		idmap_add(&s->kind_numbers, hash, s->last_kind);
		*MEM_ADD(s->kinds, s->kind_count, s->kind_cap) = *k;
	}
	return s->last_kind;
}

/* ---- what does not fit ---- */

/* The place of a step in the table, or where it would be. */
static size_t wide_place(const struct store *s, size_t step)
{
	size_t n = s->wide_count;

	if (n && s->wides[n - 1].step < step)
		return n;
	return SORTED_BELOW(s->wides, n, step, step);
}

static bool is_wide(const struct record *r)
{
	return r->length == WIDE || r->input_tokens == WIDE || r->output_tokens == WIDE ||
	       r->name_len == WIDE_NAME;
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

/* What few steps have: the slab has room for it once one of its steps does. */
static void put_beside(struct store *s, size_t step, const struct step *what)
{
	struct slab *slab = s->slabs[step / SLAB];
	size_t at = step % SLAB;

	if (!slab->parents && what->parent_key)
		slab->parents = mem_zalloc(SLAB, sizeof(*slab->parents));
	if (slab->parents) {
		s->parent_count -= slab->parents[at] != 0;
		s->parent_count += what->parent_key != 0;
		slab->parents[at] = what->parent_key;
	}
	if (!slab->requests && what->request)
		slab->requests = mem_zalloc(SLAB, sizeof(*slab->requests));
	if (slab->requests)
		slab->requests[at] = what->request;
	if (!slab->cached && !(isnan(what->cache_read) && isnan(what->cache_write))) {
		slab->cached = mem_array(SLAB, sizeof(*slab->cached));
		for (size_t i = 0; i < SLAB; i++)
			slab->cached[i] = (struct cached){NAN, NAN, NAN};
	}
	if (slab->cached)
		slab->cached[at] = (struct cached){
			what->cache_read, what->cache_write, what->cache_hour};
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
	put_beside(s, step, what);
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
	while (s->slab_count > (count + SLAB - 1) / SLAB) {
		struct slab *slab = s->slabs[--s->slab_count];

		mem_free(slab->parents);
		mem_free(slab->requests);
		mem_free(slab->cached);
		mem_free(slab);
	}
	while (s->id_slabs > (s->id_count + SLAB - 1) / SLAB)
		mem_free(s->ids[--s->id_slabs]);
}
