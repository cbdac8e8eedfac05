/*
 * Steps in few bytes: 40 each, 8 more for an id, and 8 for each of what not all have: a
 * figure other than tokens (cost, latency, what a cache gave), the key of a parent or of
 * a request.  What many steps have in common (model, event, trace, chain name, scope) is
 * kept once; what does not fit into a record (tokens that are no whole number of 32 bits,
 * steps of 4 GB, names of 2 KB) is kept beside it, too, so that nothing is ever rounded.
 *
 * Steps lie in slabs of a fixed size: a record never moves, and growing touches no
 * byte twice.  Private to trace/.
 */
#ifndef CATENA_TRACE_STORE_H
#define CATENA_TRACE_STORE_H

#include "base/map.h"
#include "trace/step.h"

#define SLAB          4096u /* steps, or ids, of one */
#define TOKEN_FIGURES 2     /* the first figures, which are whole numbers mostly */

struct record {
	uint64_t offset;
	double timestamp;
	uint32_t length;                /* or WIDE */
	uint32_t tokens[TOKEN_FIGURES]; /* or BESIDE */
	uint32_t name_at;
	uint32_t kind;
	uint32_t flags : 19;
	uint32_t ids : 2;       /* of its own */
	uint32_t name_len : 11; /* or WIDE_NAME */
};

/* What steps have in common. */
struct step_kind {
	TEXT_MEMBERS;
	uint32_t scope;
};

/* Steps, and columns of what some of them have; NULL: none has it. */
struct slab {
	struct record records[SLAB];
	double *figures[STEP_FIGURES]; /* NaN: a step has none, or the record has it */
	uint64_t *parents, *requests;  /* keys; 0: a step has none */
	uint64_t *lengths, *names;     /* of steps, of names, where they are WIDE */
};

struct store {
	struct slab **slabs;
	size_t slab_count, slab_cap;
	size_t count;        /* of steps */
	size_t parent_count; /* of steps that name a parent */
	uint64_t **ids; /* keys by which others may call a step their parent, by step */
	size_t id_count, id_slabs, id_cap;
	struct step_kind *kinds;
	size_t kind_count, kind_cap;
	struct idmap kind_numbers; /* by the hash of what they have */
	uint32_t last_kind;
};

void store_done(struct store *s);
void store_push(struct store *s); /* a step that is about to be put */
void store_put(struct store *s, size_t step, const struct step *what);
struct step store_get(const struct store *s, size_t step); /* nothing of it arranged */
/* Forgets the steps from `count` on, and their ids.  Cost: linear in those. */
void store_truncate(struct store *s, size_t count);
/* An id of the last step; an id twice, or more than three, are not kept. */
void store_add_id(struct store *s, uint64_t key);

static inline struct record *store_record(const struct store *s, size_t step)
{
	return &s->slabs[step / SLAB]->records[step % SLAB];
}

static inline const struct step_kind *store_kind(const struct store *s, size_t step)
{
	return &s->kinds[store_record(s, step)->kind];
}

static inline uint64_t store_parent(const struct store *s, size_t step)
{
	const uint64_t *parents = s->slabs[step / SLAB]->parents;

	return parents ? parents[step % SLAB] : 0;
}

static inline uint64_t store_id(const struct store *s, size_t id)
{
	return s->ids[id / SLAB][id % SLAB];
}

#endif
