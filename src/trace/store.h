/*
 * Steps in few bytes: 56 each, 8 more for an id, 8 for a parent's where the file nests
 * its steps, 8 for a request where the file names it, and 24 for figures of a cache where
 * it states them.  What many steps have in common (model, event, trace, chain name,
 * scope) is kept once; what does not fit into a record (tokens that are no whole number
 * of 32 bits, steps of 4 GB, names of 4 KB) is kept in a table of its own, so that
 * nothing is ever rounded.
 *
 * Steps lie in slabs of a fixed size: a record never moves, and growing touches no
 * byte twice.  Private to trace/.
 */
#ifndef CATENA_TRACE_STORE_H
#define CATENA_TRACE_STORE_H

#include "base/map.h"
#include "trace/step.h"

#define SLAB 4096u /* steps, or ids, of one */

struct record {
	uint64_t offset;
	double timestamp, cost, latency;
	uint32_t length;                      /* or WIDE */
	uint32_t input_tokens, output_tokens; /* or WIDE, or UNKNOWN */
	uint32_t name_at;
	uint32_t kind;
	uint32_t flags : 19;
	uint32_t ids : 2;       /* of its own */
	uint32_t name_len : 11; /* or WIDE_NAME */
};

/* What steps have in common. */
struct step_kind {
	uint32_t model, event, trace_id, chain_name, scope;
};

/* Input tokens that a cache gave and took; NaN: not known. */
struct cached {
	double read, write, hour;
};

struct slab {
	struct record records[SLAB];
	uint64_t *parents; /* keys of the parents, 0: none; NULL: of all */
	uint64_t *requests; /* keys of the requests, likewise */
	struct cached *cached; /* NULL: of none is anything known */
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
	struct wide *wides; /* by step */
	size_t wide_count, wide_cap;
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
