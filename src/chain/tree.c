/*
 * model_arrange, in slices: every step finds its chain by its trace id, its parent by an
 * id of the same chain, and its place by time.  Orphans become roots; a cycle is broken
 * at its first step in file order.  Nothing here recurses.
 *
 * The work is a row of phases, each in units so small that the clock can be looked at
 * between any few hundred of them: there is no loop over a list, a path or a cycle inside
 * a unit.  What it makes stands beside the arrangement that is in use, and takes its
 * place in one move at the end.
 */
#include "config.h"
#include "chain/tree.h"

#include <inttypes.h>
#include <math.h>

#include "base/clock.h"
#include "base/mem.h"

/* A step and by what it stands among its siblings. */
struct place {
	double time; /* its own, or that of the sibling before it */
	uint32_t step;
};

/* Children of one parent that do not stand in order of time: merged from below. */
struct sorting {
	struct place *places, *spare;
	size_t count, cap, spare_cap;
	size_t run;              /* places[n * run .. (n + 1) * run) are in order */
	size_t low, left, right; /* two runs that are merged, */
	size_t to;               /* up to there */
};

struct arranging {
	unsigned phase;
	size_t count, scope_count, kind_count; /* of the model when this was begun */
	size_t at;                             /* what the phase has done: steps, lists */
	bool nested;                           /* some step names a parent */

	/* chains */
	size_t origins;
	uint32_t *file_first; /* the first trace id of each origin */
	uint32_t scope;       /* the next that may be a chain without a step */
	struct chain *chains;
	size_t chain_count, chain_cap;
	uint32_t *chain_of;  /* chain + 1 by kind of step, */
	struct idmap by_key; /* and by what steps are gathered */
	uint32_t *traces;    /* of each chain the event of the trace itself, or NO_STEP */

	/* parents */
	uint32_t *slots; /* id + 1; 0 is free */
	size_t mask, id;
	uint32_t *owners; /* steps by id */
	uint32_t *parents;

	/* cycles */
	uint32_t *marks; /* step + 1 from which the walk came by */
	bool walking, circling;
	uint32_t hop, lowest, meeting; /* meeting: where a cycle was closed */

	/* order: lists of siblings, those of the roots behind those of the steps */
	uint32_t *first, *next; /* step + 1, by list and by step */
	size_t list_count;
	uint32_t item; /* of the list that is looked at, + 1 */
	double latest; /* time in that list */
	bool looking, collecting, climbing;
	struct sorting sorting;
	uint32_t *order, *depths;
	size_t order_count;
	uint32_t depth, chain;
};

/* ---- chains ---- */

/* FNV-1a; the id has to be the same in every run, so map_hash will not do. */
static uint64_t stable_hash(uint64_t h, const void *data, size_t n)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h;
}

/* A trace id for what has none: from the scope's first bytes and its place. */
static uint32_t generated_id(struct model *m, const struct scope *scope)
{
	char head[4096];
	size_t n = inputs_read(m->inputs, scope->offset, head, sizeof(head));
	uint64_t offset = inputs_offset(scope->offset);
	uint64_t h = stable_hash(0xcbf29ce484222325u, head, n);
	struct buf text = BUF_INIT;
	uint32_t id;

	h = stable_hash(h, &offset, sizeof(offset));
	buf_printf(&text, "generated-%016" PRIx64, h);
	id = intern_add(&m->texts, buf_view(&text));
	buf_done(&text);
	return id;
}

/* The file, or the followed files one after the other, in which a scope stands. */
static size_t origin_of(const struct model *m, uint32_t scope)
{
	return inputs_origin(m->inputs, m->scopes[scope].offset);
}

/* The trace id of a step, by the rules' order; NO_TEXT when one has to be generated.
 * `file_first`: the first of its file. */
static uint32_t trace_of(const struct model *m, const struct kind *k, uint32_t file_first)
{
	const struct scope *scope = &m->scopes[k->scope];

	if (scope->trace != NO_TEXT)
		return scope->trace;
	if (k->trace != NO_TEXT)
		return k->trace;
	if (scope->first_trace != NO_TEXT)
		return scope->first_trace;
	return scope->chain ? NO_TEXT : file_first;
}

static struct chain make_chain(struct model *m, uint32_t trace, uint32_t scope)
{
	return (struct chain){
		.trace = trace == NO_TEXT ? generated_id(m, &m->scopes[scope]) : trace,
		.generated = trace == NO_TEXT,
		.name = m->scopes[scope].name,
		.scope = scope,
	};
}

void tree_first_chain(struct model *m)
{
	const struct kind *k = store_kind(&m->store, 0);

	m->chains = mem_grow(m->chains, &m->chain_cap, 1, sizeof(*m->chains));
	m->chains[0] = make_chain(m, trace_of(m, k, k->trace), k->scope);
	m->chain_count = 1;
}

/* Of each origin. */
static void begin_first_traces(struct model *m, struct arranging *a)
{
	a->origins = inputs_count(m->inputs);
	a->file_first = mem_alloc(a->origins * sizeof(*a->file_first));
	for (size_t i = 0; i < a->origins; i++)
		a->file_first[i] = NO_TEXT;
}

static bool find_first_traces(struct model *m, struct arranging *a)
{
	const struct kind *k;
	uint32_t *first;

	if (a->at == a->count)
		return true;
	k = store_kind(&m->store, a->at++);
	first = &a->file_first[origin_of(m, k->scope)];
	if (*first == NO_TEXT)
		*first = k->trace;
	return a->origins == 1 && *first != NO_TEXT;
}

static void begin_chains(struct model *m, struct arranging *a)
{
	a->chain_of = mem_zalloc(a->kind_count, sizeof(*a->chain_of));
	(void)m;
}

/* By what the steps of an origin are gathered: a trace id; without one, the chain object,
 * else the file. */
static uint64_t group_key(const struct model *m, uint32_t trace, uint32_t scope)
{
	uint64_t origin = (uint64_t)origin_of(m, scope) << 33;

	if (trace != NO_TEXT)
		return origin | trace;
	return origin | (uint64_t)1 << 32 | (m->scopes[scope].chain ? scope : UINT32_MAX);
}

static uint32_t find_chain(
	struct model *m, struct arranging *a, uint32_t trace, uint32_t scope)
{
	uint64_t key = group_key(m, trace, scope);
	uint32_t chain = idmap_find(&a->by_key, key);

	if (chain != MAP_NONE)
		return chain;
	a->chains = mem_grow(
		a->chains, &a->chain_cap, a->chain_count + 1, sizeof(*a->chains));
	a->chains[a->chain_count++] = make_chain(m, trace, scope);
	idmap_add(&a->by_key, key, (uint32_t)a->chain_count);
	return (uint32_t)a->chain_count;
}

/* A chain that has no name of its own takes the last that its steps give it. */
static void name_chain(const struct model *m, struct chain *c, const struct kind *k)
{
	if (m->scopes[k->scope].name != NO_TEXT)
		c->name = m->scopes[k->scope].name;
	else if (k->chain_name != NO_TEXT && m->scopes[c->scope].name == NO_TEXT)
		c->name = k->chain_name;
}

static void group_step(struct model *m, struct arranging *a, const struct record *r)
{
	const struct kind *k = &m->store.kinds[r->kind];
	uint32_t *chain = &a->chain_of[r->kind];

	if (!*chain)
		*chain = find_chain(m, a,
			trace_of(m, k, a->file_first[origin_of(m, k->scope)]), k->scope);
	a->chains[*chain - 1].count++;
	name_chain(m, &a->chains[*chain - 1], k);
}

/*
 * Chains in order of first appearance.  Scopes that are chains without a step come where
 * they stand among the steps.
 */
static bool group(struct model *m, struct arranging *a)
{
	const struct record *r = a->at < a->count ? store_record(&m->store, a->at) : NULL;
	const struct scope *scope =
		a->scope < a->scope_count ? &m->scopes[a->scope] : NULL;

	if (scope && (!r || scope->offset <= r->offset)) {
		if (scope->chain && (!r || m->store.kinds[r->kind].scope != a->scope))
			find_chain(m, a, scope->trace, a->scope);
		a->scope++;
		return false;
	}
	if (!r)
		return true;
	group_step(m, a, r);
	a->at++;
	return false;
}

static void end_chains(struct arranging *a)
{
	idmap_done(&a->by_key);
	mem_free(a->file_first);
	a->file_first = NULL;
}

/* ---- parents ---- */

static uint32_t chain_of(const struct model *m, const struct arranging *a, uint32_t step)
{
	return a->chain_of[store_record(&m->store, step)->kind] - 1;
}

static void begin_ids(struct model *m, struct arranging *a)
{
	size_t size = 64;

	end_chains(a);
	if (!a->nested)
		return;
	while (size < 2 * m->store.id_count)
		size *= 2;
	a->slots = mem_zalloc(size, sizeof(*a->slots));
	a->mask = size - 1;
	a->owners = mem_alloc(m->store.id_count * sizeof(*a->owners));
	a->traces = mem_alloc(a->chain_count * sizeof(*a->traces));
	for (size_t i = 0; i < a->chain_count; i++)
		a->traces[i] = NO_STEP;
}

/* The slot of an id in a chain: of its first owner, or free. */
static size_t slot_of(
	const struct model *m, const struct arranging *a, uint64_t key, uint32_t chain)
{
	uint64_t hash =
		(key ^ ((uint64_t)chain + 1) * 0x9E3779B97F4A7C15u) * 0x9E3779B97F4A7C15u;
	size_t i = (size_t)(hash >> 20) & a->mask;

	for (; a->slots[i]; i = (i + 1) & a->mask)
		if (store_id(&m->store, a->slots[i] - 1) == key &&
			chain_of(m, a, a->owners[a->slots[i] - 1]) == chain)
			break;
	return i;
}

static bool note_ids(struct model *m, struct arranging *a)
{
	uint32_t chain;

	if (!a->nested || a->at == a->count)
		return true;
	chain = chain_of(m, a, (uint32_t)a->at);
	if (store_record(&m->store, a->at)->flags & STEP_TRACE &&
		a->traces[chain] == NO_STEP)
		a->traces[chain] = (uint32_t)a->at;
	for (uint32_t i = store_record(&m->store, a->at)->ids; i; i--) {
		size_t slot = slot_of(m, a, store_id(&m->store, a->id), chain);

		a->owners[a->id++] = (uint32_t)a->at;
		if (!a->slots[slot])
			a->slots[slot] = (uint32_t)a->id;
	}
	a->at++;
	return false;
}

static void begin_parents(struct model *m, struct arranging *a)
{
	(void)m;
	if (a->nested)
		a->parents = mem_alloc(a->count * sizeof(*a->parents));
}

static bool is_key_of(const struct model *m, uint64_t key, uint32_t text)
{
	return text != NO_TEXT && key == model_key(model_text(m, text));
}

/* What names the trace as its parent is a child of the trace's event, without one a root.
 */
static uint32_t parent_of(const struct model *m, const struct arranging *a, uint32_t step)
{
	uint64_t key = store_parent(&m->store, step);
	uint32_t chain = chain_of(m, a, step), id;

	if (!key)
		return NO_STEP;
	id = a->slots[slot_of(m, a, key, chain)];
	if (id)
		return a->owners[id - 1];
	if (is_key_of(m, key, a->chains[chain].trace) ||
		is_key_of(m, key, store_kind(&m->store, step)->trace))
		return a->traces[chain] == step ? NO_STEP : a->traces[chain];
	return ROOT_ORPHAN;
}

static bool find_parents(struct model *m, struct arranging *a)
{
	if (!a->nested || a->at == a->count)
		return true;
	a->parents[a->at] = parent_of(m, a, (uint32_t)a->at);
	a->at++;
	return false;
}

static void end_parents(struct arranging *a)
{
	mem_free(a->slots);
	mem_free(a->owners);
	mem_free(a->traces);
	a->slots = a->owners = a->traces = NULL;
}

/* ---- cycles ---- */

static void begin_cycles(struct model *m, struct arranging *a)
{
	(void)m;
	end_parents(a);
	if (a->nested)
		a->marks = mem_zalloc(a->count, sizeof(*a->marks));
}

static void leave_path(struct arranging *a)
{
	a->walking = a->circling = false;
	a->at++;
}

/* Once round the cycle, for its first step in file order. */
static void go_round(struct arranging *a)
{
	if (a->hop < a->lowest)
		a->lowest = a->hop;
	a->hop = a->parents[a->hop];
	if (a->hop != a->meeting)
		return;
	a->parents[a->lowest] = ROOT_CYCLE;
	leave_path(a);
}

/*
 * Walks up from every step, marking the path with the step's number.  Meeting one's own
 * mark closes a cycle, which is broken at its first step in file order.
 */
static bool break_cycles(struct model *m, struct arranging *a)
{
	uint32_t mark = (uint32_t)a->at + 1;

	(void)m;
	if (!a->nested || a->at == a->count)
		return true;
	if (a->circling) {
		go_round(a);
		return false;
	}
	if (!a->walking)
		a->hop = (uint32_t)a->at;
	a->walking = true;
	if (a->hop < LEAST_ROOT && !a->marks[a->hop]) {
		a->marks[a->hop] = mark;
		a->hop = a->parents[a->hop];
	} else if (a->hop < LEAST_ROOT && a->marks[a->hop] == mark) {
		a->meeting = a->lowest = a->hop;
		a->circling = true;
	} else {
		leave_path(a);
	}
	return false;
}

/* ---- siblings ---- */

static void begin_lists(struct model *m, struct arranging *a)
{
	(void)m;
	mem_free(a->marks);
	a->marks = NULL;
	a->list_count = (a->nested ? a->count : 0) + a->chain_count;
	a->first = mem_zalloc(a->list_count, sizeof(*a->first));
	a->next = mem_alloc(a->count * sizeof(*a->next));
}

static size_t list_of(const struct model *m, const struct arranging *a, uint32_t step)
{
	if (a->nested && a->parents[step] < LEAST_ROOT)
		return a->parents[step];
	return (a->nested ? a->count : 0) + chain_of(m, a, step);
}

/* The last step first, so that every list is in file order. */
static bool link_siblings(struct model *m, struct arranging *a)
{
	uint32_t step, *first;

	if (a->at == a->count)
		return true;
	step = (uint32_t)(a->count - ++a->at);
	first = &a->first[list_of(m, a, step)];
	a->next[step] = *first;
	*first = step + 1;
	return false;
}

/* The time of the next item of the list: a step without one takes the one before. */
static double next_time(const struct model *m, struct arranging *a)
{
	double t = store_record(&m->store, a->item - 1)->timestamp;

	a->item = a->next[a->item - 1];
	return isnan(t) ? a->latest : t;
}

static void begin_list(struct arranging *a)
{
	a->item = a->first[a->at];
	a->latest = -INFINITY;
	a->looking = true;
}

/* One more item is known to stand in order of time; one that does not has all sorted. */
static void look_at_item(const struct model *m, struct arranging *a)
{
	double time = next_time(m, a);

	if (time < a->latest) {
		begin_list(a);
		a->collecting = true;
		a->sorting.count = 0;
	} else {
		a->latest = time;
	}
}

static void collect_item(const struct model *m, struct arranging *a)
{
	struct sorting *s = &a->sorting;
	uint32_t step = a->item - 1;

	a->latest = next_time(m, a);
	s->places = mem_grow(s->places, &s->cap, s->count + 1, sizeof(*s->places));
	s->places[s->count++] = (struct place){a->latest, step};
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void begin_merge(struct sorting *s, size_t low)
{
	s->low = s->left = s->to = low;
	s->right = least(low + s->run, s->count);
}

static void begin_sort(struct sorting *s)
{
	s->spare = mem_grow(s->spare, &s->spare_cap, s->count, sizeof(*s->spare));
	s->run = 1;
	begin_merge(s, 0);
}

/* Moves one place to where it belongs in the merged run; of equal times the left one. */
static void merge_place(struct sorting *s)
{
	size_t middle = least(s->low + s->run, s->count);
	size_t end = least(middle + s->run, s->count);
	bool left = s->left < middle;

	if (left && s->right < end && s->places[s->right].time < s->places[s->left].time)
		left = false;
	s->spare[s->to++] = s->places[left ? s->left++ : s->right++];
	if (s->to == end)
		begin_merge(s, end);
}

/* One place; true when all are in order. */
static bool sort_on(struct sorting *s)
{
	struct place *merged = s->spare;
	size_t cap = s->spare_cap;

	if (s->run >= s->count)
		return true;
	merge_place(s);
	if (s->to < s->count)
		return false;
	s->spare = s->places;
	s->spare_cap = s->cap;
	s->places = merged;
	s->cap = cap;
	s->run *= 2;
	begin_merge(s, 0);
	return false;
}

/* The list anew, the last of it first. */
static bool relink_place(struct arranging *a)
{
	struct sorting *s = &a->sorting;
	uint32_t step;

	if (!s->count) {
		s->run = 0;
		return true;
	}
	step = s->places[--s->count].step;
	a->next[step] = a->item;
	a->item = a->first[a->at] = step + 1;
	return false;
}

static bool sort_list(const struct model *m, struct arranging *a)
{
	if (a->item && !a->sorting.run) {
		(a->collecting ? collect_item : look_at_item)(m, a);
		return false;
	}
	if (!a->collecting)
		return true;
	if (!a->sorting.run)
		begin_sort(&a->sorting);
	else if (sort_on(&a->sorting))
		return relink_place(a);
	return false;
}

static bool sort_siblings(struct model *m, struct arranging *a)
{
	if (a->at == a->list_count)
		return true;
	if (!a->looking)
		begin_list(a);
	if (!sort_list(m, a))
		return false;
	a->looking = a->collecting = false;
	a->at++;
	return false;
}

/* ---- order ---- */

static void begin_order(struct model *m, struct arranging *a)
{
	(void)m;
	mem_free(a->sorting.places);
	mem_free(a->sorting.spare);
	a->sorting = (struct sorting){0};
	a->item = 0;
	a->order = mem_alloc(a->count * sizeof(*a->order));
	if (a->nested)
		a->depths = mem_alloc(a->count * sizeof(*a->depths));
}

static void begin_roots(struct arranging *a)
{
	size_t roots = a->nested ? a->count : 0;

	a->chains[a->chain].first = a->order_count;
	a->item = a->first[roots + a->chain];
	a->depth = 0;
	if (!a->item)
		a->chain++;
}

/* To the next sibling; without one, up to the parent. */
static void climb(struct arranging *a)
{
	uint32_t step = a->item - 1;

	a->climbing = !a->next[step] && a->depth;
	if (a->climbing) {
		a->depth--;
		a->item = a->parents[step] + 1;
		return;
	}
	a->item = a->next[step];
	if (!a->item)
		a->chain++;
}

/* Pre-order along parents, children and siblings. */
static bool walk(struct model *m, struct arranging *a)
{
	(void)m;
	if (!a->item && a->chain == a->chain_count)
		return true;
	if (!a->item) {
		begin_roots(a);
		return false;
	}
	if (!a->climbing) {
		uint32_t step = a->item - 1;

		a->order[a->order_count] = step;
		if (a->nested)
			a->depths[a->order_count] = a->depth;
		a->order_count++;
		if (a->nested && a->first[step]) {
			a->item = a->first[step];
			a->depth++;
			return false;
		}
	}
	climb(a);
	return false;
}

/* ---- the row of phases ---- */

static void begin_first(struct model *m, struct arranging *a)
{
	a->count = m->count;
	a->scope_count = m->scope_count;
	a->kind_count = m->store.kind_count;
	a->nested = m->store.parent_count > 0;
	begin_first_traces(m, a);
}

static const struct {
	void (*begin)(struct model *m, struct arranging *a);
	bool (*unit)(struct model *m, struct arranging *a); /* true: the phase is over */
} phases[] = {
	{begin_first, find_first_traces},
	{begin_chains, group},
	{begin_ids, note_ids},
	{begin_parents, find_parents},
	{begin_cycles, break_cycles},
	{begin_lists, link_siblings},
	{NULL, sort_siblings},
	{begin_order, walk},
};

#define PHASES (sizeof(phases) / sizeof(*phases))

static void begin_phase(struct model *m, struct arranging *a)
{
	a->at = 0;
	if (phases[a->phase].begin)
		phases[a->phase].begin(m, a);
}

void tree_stop(struct model *m)
{
	struct arranging *a = m->arranging;

	if (!a)
		return;
	end_chains(a);
	end_parents(a);
	mem_free(a->chains);
	mem_free(a->chain_of);
	mem_free(a->parents);
	mem_free(a->marks);
	mem_free(a->first);
	mem_free(a->next);
	mem_free(a->sorting.places);
	mem_free(a->sorting.spare);
	mem_free(a->order);
	mem_free(a->depths);
	mem_free(a);
	m->arranging = NULL;
}

void tree_progress(const struct model *m, size_t *done, size_t *all)
{
	const struct arranging *a = m->arranging;
	size_t in = a->phase + 1 == PHASES ? a->order_count : a->at;

	*all = PHASES * a->count;
	*done = a->phase * a->count + least(in, a->count);
}

/* What was made takes the place of the arrangement before. */
static void take_over(struct model *m, struct arranging *a)
{
	model_drop_arrangement(m);
	mem_free(m->chains);
	m->chains = a->chains;
	m->chain_count = a->chain_count;
	m->chain_cap = a->chain_cap;
	m->order = a->order;
	m->depths = a->depths;
	m->parents = a->parents;
	m->chain_of = a->chain_of;
	m->chain_of_count = a->kind_count;
	m->order_count = m->arranged = a->count;
	m->arranged_scopes = a->scope_count;
	m->arrangement++;
	m->plain &= !m->count;
	a->chains = NULL;
	a->order = a->depths = a->parents = a->chain_of = NULL;
	tree_stop(m);
	if (!m->count)
		model_drop_arrangement(m);
}

/* Some units; true when the last phase is over. */
static bool work(struct model *m, struct arranging *a)
{
	for (int i = 0; i < PIECE; i++) {
		if (!phases[a->phase].unit(m, a))
			continue;
		if (++a->phase == PHASES)
			return true;
		begin_phase(m, a);
	}
	return false;
}

/* The scope of a plain list may have learnt its name and trace id behind its steps. */
static void refresh_plain(struct model *m)
{
	size_t count = m->chains[0].count;

	tree_first_chain(m);
	m->chains[0].count = count;
	if (m->chains[0].name == NO_TEXT)
		m->chains[0].name = m->last_name;
}

static bool is_plain(const struct model *m)
{
	if (!m->plain || !m->count || m->arranged != m->count)
		return false;
	for (uint32_t i = 0; i < m->scope_count; i++)
		if (m->scopes[i].chain && i != store_kind(&m->store, 0)->scope)
			return false;
	return true;
}

/* Begins, or begins anew when the model is another; false: there is nothing to do. */
static bool begin(struct model *m)
{
	const struct arranging *a = m->arranging;

	if (a && a->count == m->count && a->scope_count == m->scope_count &&
		a->kind_count == m->store.kind_count)
		return true;
	tree_stop(m);
	if (is_plain(m)) {
		refresh_plain(m);
		return false;
	}
	m->arranging = mem_zalloc(1, sizeof(*m->arranging));
	begin_phase(m, m->arranging);
	return true;
}

bool model_arrange_slice(struct model *m, uint64_t deadline)
{
	model_settle(m);
	if (!begin(m))
		return true;
	do
		if (work(m, m->arranging)) {
			take_over(m, m->arranging);
			return true;
		}
	while (!clock_passed(deadline));
	return false;
}

void model_arrange(struct model *m)
{
	model_arrange_slice(m, UINT64_MAX);
}
