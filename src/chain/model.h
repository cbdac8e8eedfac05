/*
 * The chain model of what is read together: steps, the chains they belong to, their tree
 * and totals.  Steps are fixed-size records; their bodies stay in the file.
 * Everything refers to steps, chains and scopes by index; indices of steps never
 * change meaning while the model only grows.
 *
 * Steps are added in file order.  A chain never spans two origins (inputs_origin).  model_arrange then groups them into chains,
 * nests them and puts them in pre-order; until it is called again the arrangement
 * stands as it was (new steps of a plain list are appended at once).
 */
#ifndef CATENA_CHAIN_MODEL_H
#define CATENA_CHAIN_MODEL_H

#include "base/map.h"
#include "source/inputs.h"

#define NO_STEP  UINT32_MAX
#define NO_TEXT  UINT32_MAX /* no interned text */
#define NO_CHAIN UINT32_MAX

enum step_flag {
	STEP_ERROR = 1 << 0,    /* the trace says that this step failed */
	STEP_BROKEN = 1 << 1,   /* its text is no JSON: shown raw */
	STEP_CUT = 1 << 2,      /* the file ends inside it */
	STEP_REPAIRED = 1 << 3, /* read after mending */
	STEP_CHECKED = 1 << 4, /* BROKEN, CUT and REPAIRED are known for its whole text */
	STEP_STRANGER = 1 << 5, /* no event: shown as JSON, with a note */
	STEP_SHORT = 1 << 6,    /* a row of fewer than 13 positions */
	STEP_ROW = 1 << 7,      /* facts by position */
	STEP_BARE = 1 << 8,     /* no sides of its own: both look at the whole value */
	STEP_ORPHAN = 1 << 9,   /* its parent is not in the file */
	STEP_CYCLE = 1 << 10,   /* its parent was one of its children */
	STEP_SSE = 1 << 11,     /* events of a stream: joined when it is opened */
	STEP_LINES = 1 << 12,   /* the same, as lines of JSON */
	STEP_REQUEST = 1 << 13, /* what a chat was asked, with its history */
	STEP_RESPONSE = 1 << 14, /* what it answered */
};

struct step {
	uint64_t offset; /* [offset, offset + length): an address of the inputs */
	uint64_t length;
	double timestamp; /* seconds since 1970, UTC; NaN: unknown, as the four below */
	double input_tokens, output_tokens;
	double cost;         /* USD */
	double latency;      /* seconds */
	uint64_t parent_key; /* map_hash of the parent's id, 0: none */
	uint32_t name_at;    /* the name's value, counted from `offset`; 0: none */
	uint32_t name_len;
	uint32_t model;      /* interned */
	uint32_t event;      /* interned */
	uint32_t trace;      /* interned: its own trace id */
	uint32_t chain_name; /* interned: what it says its chain is called */
	uint32_t scope;      /* index of the scope it was found in */
	uint32_t parent;     /* arranged: index of a step, or NO_STEP */
	uint32_t chain;      /* arranged */
	uint32_t depth;      /* arranged: 0 for a root */
	uint32_t flags;      /* of enum step_flag */
};

/* Where steps were found together: a file of lines, an events array, a row object. */
struct scope {
	uint32_t trace; /* interned trace id that wins over the steps' own, or NO_TEXT */
	uint32_t name;  /* interned chain_name, or NO_TEXT */
	uint32_t first_trace; /* the first id among its steps, or NO_TEXT */
	bool chain;           /* it is a chain even without a step */
	uint64_t offset;      /* of the value: an address */
	const void *plan;     /* how its steps are read: owned by format/ */
};

struct totals {
	uint64_t steps, errors;
	double input_tokens, output_tokens, cost, latency; /* NaN: no step knows */
};

struct chain {
	uint32_t trace; /* interned trace id */
	bool generated; /* the id was made up from the file's bytes */
	uint32_t name;  /* interned, or NO_TEXT */
	uint32_t scope;
	size_t first; /* its steps are order[first .. first + count) */
	size_t count;
	struct totals totals;
};

struct model {
	struct inputs *inputs; /* owned */
	const char *format;    /* name of the format, static; NULL while unknown */
	struct step *steps;    /* in file order */
	size_t count, cap;
	struct scope *scopes;
	size_t scope_count, scope_cap;
	struct chain *chains;
	size_t chain_count, chain_cap;
	uint32_t *order; /* steps chain by chain, each in pre-order */
	size_t order_count, order_cap;
	struct intern texts;  /* trace ids, chain names, models, events */
	struct totals totals; /* of all chains */
	uint32_t generation;  /* raised when steps are forgotten: indices mean others */
	uint32_t arrangement; /* raised when the order is made anew */
	/* private */
	struct rollup *rollups; /* of steps with children, the last in the order first */
	size_t rollup_count, rollup_cap;
	struct step_id *ids; /* what children may name as their parent */
	size_t id_count, id_cap;
	size_t arranged,
		arranged_scopes; /* steps and scopes that the arrangement knows */
	bool plain;              /* so far one chain, no parents, in time order */
	double latest;           /* timestamp of the last step of a plain list */
	uint32_t last_name; /* chain_name of the last step of a plain list that has one */
};

struct model *model_new(struct inputs *inputs); /* takes them */
struct model *model_of_source(struct source *source); /* of one; takes it */
void model_free(struct model *m);

/* A step with nothing known; valid until the next is added. */
struct step *model_add(struct model *m, uint32_t scope, uint64_t offset, uint64_t length);
/* The key of an id: a hash, never 0. */
uint64_t model_key(struct str id);
/* An id by which other steps may call `step` their parent. */
void model_add_id(struct model *m, uint32_t step, uint64_t key);
uint32_t model_add_scope(struct model *m, uint64_t offset);
/*
 * Forgets the steps and scopes from these indices on; the generation goes up.  The
 * arrangement stands if it knew none of them; else it is gone until model_arrange is
 * called.
 */
void model_truncate(struct model *m, size_t steps, size_t scopes);

/* Call after a step is complete: puts it at the end of a plain list. */
void model_append(struct model *m);
/* Whether model_arrange has something to do. */
bool model_unarranged(const struct model *m);
void model_arrange(struct model *m);

extern const struct totals totals_unknown; /* no step, nothing known */
void totals_add(struct totals *sum, const struct totals *t);

/* Sums by the rule: a parent's figures come from its children only where it has none. */
void model_totals(struct model *m);
/*
 * What the list shows for a step: its own figures, or, once model_totals was called,
 * those of its children where it has none.
 */
struct totals model_step_totals(const struct model *m, size_t position);

struct str model_text(const struct model *m, uint32_t text); /* empty for NO_TEXT */
/* What a chain is called: its name, else its trace id; of several files the one without
 * either is called by its file's name, valid as long as the inputs. */
struct str model_chain_title(const struct model *m, const struct chain *c);
/* The place in `order` of the first step behind the subtree at `position`. */
size_t model_subtree_end(const struct model *m, size_t position);
/* The chain in which a place of `order` stands. */
uint32_t model_chain_at(const struct model *m, size_t position);

#endif
