/* Packing and unpacking of steps, and the tables beside them: see step.h. */
#include "config.h"
#include "trace/step.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"

#define BESIDE    UINT32_MAX /* tokens: unknown, or in a column */
#define WIDE      UINT32_MAX
#define WIDE_NAME 2047u
#define MOST_IDS  3u

static_assert(sizeof(struct record) == 40, "a step is to cost no more than that");
static_assert(
	offsetof(struct step, input_tokens) == offsetof(struct step, figures) &&
		offsetof(struct step, output_tokens) == offsetof(struct step, figures[1]),
	"the record's tokens");
static_assert(STEP_KEPT == (1 << 19) - 1, "the record's bits for flags");
static_assert((STEP_TURN & STEP_KEPT) && !(STEP_ORPHAN & STEP_KEPT), "flags kept");

void store_done(struct store *s)
{
	s->count = s->id_count = 0; /* which steps there were matters no more */
	store_truncate(s, 0);
	mem_free(s->slabs);
	mem_free(s->ids);
	mem_free(s->kinds);
	idmap_done(&s->kind_numbers);
	*s = (struct store){0};
}

void store_push(struct store *s)
{
	size_t at = s->count % SLAB;
	struct slab *slab;

	if (s->count / SLAB == s->slab_count) {
		slab = mem_zalloc(1, sizeof(*slab));
		*MEM_ADD(s->slabs, s->slab_count, s->slab_cap) = slab;
	}
	slab = s->slabs[s->count / SLAB];
	if (slab->parents) /* of a step that was forgotten */
		slab->parents[at] = 0;
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
		*MEM_ADD(s->ids, s->id_slabs, s->id_cap) =
			mem_array(SLAB, sizeof(**s->ids));
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

/* ---- packing ---- */

/* A column is there once one of its steps needs it. */
static void put_figure(double **column, size_t at, double value)
{
	if (!*column && isnan(value))
		return;
	if (!*column) {
		*column = mem_array(SLAB, sizeof(**column));
		for (size_t i = 0; i < SLAB; i++)
			(*column)[i] = NAN;
	}
	(*column)[at] = value;
}

static void put_number(uint64_t **column, size_t at, uint64_t value)
{
	if (!*column && value)
		*column = mem_zalloc(SLAB, sizeof(**column));
	if (*column)
		(*column)[at] = value;
}

void store_put(struct store *s, size_t step, const struct step *what)
{
	struct step_kind kind = {.scope = what->scope};
	struct record *r = store_record(s, step);
	struct slab *slab = s->slabs[step / SLAB];
	bool wide = what->length >= WIDE, wide_name = what->name_len >= WIDE_NAME;
	size_t at = step % SLAB;

	memcpy(kind.texts, what->texts, sizeof(kind.texts));
	*r = (struct record){
		.offset = what->offset,
		.timestamp = what->timestamp,
		.length = wide ? WIDE : (uint32_t)what->length,
		.name_at = what->name_at,
		.kind = find_kind(s, &kind),
		.flags = what->flags & STEP_KEPT,
		.ids = r->ids,
		.name_len = wide_name ? WIDE_NAME : what->name_len & WIDE_NAME,
	};
	for (int i = 0; i < TOKEN_FIGURES; i++) {
		double tokens = what->figures[i];
		bool fits = tokens >= 0 && tokens < BESIDE && !signbit(tokens) &&
			    tokens == (uint32_t)tokens;

		r->tokens[i] = fits ? (uint32_t)tokens : BESIDE;
	}
	for (int i = 0; i < STEP_FIGURES; i++) {
		bool packed = i < TOKEN_FIGURES && r->tokens[i] != BESIDE;

		put_figure(
			&slab->figures[i], at, packed ? (double)NAN : what->figures[i]);
	}
	s->parent_count -= store_parent(s, step) != 0;
	s->parent_count += what->parent_key != 0;
	put_number(&slab->parents, at, what->parent_key);
	put_number(&slab->requests, at, what->request);
	put_number(&slab->lengths, at, wide ? what->length : 0);
	put_number(&slab->names, at, wide_name ? what->name_len : 0);
}

struct step store_get(const struct store *s, size_t step)
{
	const struct record *r = store_record(s, step);
	const struct step_kind *k = &s->kinds[r->kind];
	const struct slab *slab = s->slabs[step / SLAB];
	size_t at = step % SLAB;
	struct step out = {
		.offset = r->offset,
		.length = r->length == WIDE ? slab->lengths[at] : r->length,
		.timestamp = r->timestamp,
		.parent_key = store_parent(s, step),
		.request = slab->requests ? slab->requests[at] : 0,
		.name_at = r->name_at,
		.name_len = r->name_len == WIDE_NAME ? (uint32_t)slab->names[at]
						     : r->name_len,
		.scope = k->scope,
		.flags = r->flags,
		.parent = NO_STEP,
		.chain = NO_CHAIN,
	};

	memcpy(out.texts, k->texts, sizeof(out.texts));
	for (int i = 0; i < STEP_FIGURES; i++)
		out.figures[i] = slab->figures[i] ? slab->figures[i][at] : (double)NAN;
	for (int i = 0; i < TOKEN_FIGURES; i++)
		if (r->tokens[i] != BESIDE)
			out.figures[i] = r->tokens[i];
	return out;
}

void store_truncate(struct store *s, size_t count)
{
	while (s->count > count) {
		const struct record *r = store_record(s, --s->count);

		s->id_count -= r->ids;
		s->parent_count -= store_parent(s, s->count) != 0;
	}
	while (s->slab_count > (count + SLAB - 1) / SLAB) {
		struct slab *slab = s->slabs[--s->slab_count];

		for (int i = 0; i < STEP_FIGURES; i++)
			mem_free(slab->figures[i]);
		mem_free(slab->parents);
		mem_free(slab->requests);
		mem_free(slab->lengths);
		mem_free(slab->names);
		mem_free(slab);
	}
	while (s->id_slabs > (s->id_count + SLAB - 1) / SLAB)
		mem_free(s->ids[--s->id_slabs]);
}
