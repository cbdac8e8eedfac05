/*
 * model_arrange: every step finds its chain by its trace id, its parent by an id of
 * the same chain, and its place by time.  Orphans become roots; a cycle is broken
 * at its first step in file order.  Nothing here recurses.
 */
#include "config.h"
#include "chain/tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

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
static uint32_t step_trace(
	const struct model *m, const struct step *s, uint32_t file_first)
{
	const struct scope *scope = &m->scopes[s->scope];

	if (scope->trace != NO_TEXT)
		return scope->trace;
	if (s->trace != NO_TEXT)
		return s->trace;
	if (scope->first_trace != NO_TEXT)
		return scope->first_trace;
	return scope->chain ? NO_TEXT : file_first;
}

static uint32_t add_chain(struct model *m, uint32_t trace, uint32_t scope)
{
	bool generated = trace == NO_TEXT;

	if (generated)
		trace = generated_id(m, &m->scopes[scope]);
	m->chains = mem_grow(
		m->chains, &m->chain_cap, m->chain_count + 1, sizeof(*m->chains));
	m->chains[m->chain_count] = (struct chain){.trace = trace,
		.generated = generated,
		.name = m->scopes[scope].name,
		.scope = scope};
	return (uint32_t)m->chain_count++;
}

void tree_first_chain(struct model *m)
{
	struct step *s = &m->steps[0];

	m->chain_count = 0;
	add_chain(m, step_trace(m, s, s->trace), s->scope);
}

/* Of each origin. */
static uint32_t *first_traces(const struct model *m)
{
	size_t count = inputs_count(m->inputs);
	uint32_t *first = mem_alloc(count * sizeof(*first));

	for (size_t i = 0; i < count; i++)
		first[i] = NO_TEXT;
	for (size_t i = 0; i < m->count; i++) {
		uint32_t *f = &first[origin_of(m, m->steps[i].scope)];

		if (*f == NO_TEXT)
			*f = m->steps[i].trace;
	}
	return first;
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

/*
 * Chains in order of first appearance.  by_key: trace id, or the scope for a generated
 * one. Scopes that are chains without a step come where they stand among the steps.
 */
static void group(struct model *m)
{
	uint32_t *first = first_traces(m), scope = 0;
	struct idmap by_key = {0};

	m->chain_count = 0;
	for (size_t i = 0; i <= m->count; i++) {
		struct step *s = i < m->count ? &m->steps[i] : NULL;

		for (; scope < m->scope_count &&
			(!s || m->scopes[scope].offset <= s->offset);
			scope++) {
			const struct scope *sc = &m->scopes[scope];
			bool used = s && s->scope == scope;
			uint64_t key = group_key(m, sc->trace, scope);

			if (sc->chain && !used && idmap_find(&by_key, key) == MAP_NONE)
				idmap_add(&by_key, key, add_chain(m, sc->trace, scope));
		}
		if (s) {
			uint32_t trace =
				step_trace(m, s, first[origin_of(m, s->scope)]);
			uint64_t key = group_key(m, trace, s->scope);

			s->chain = idmap_find(&by_key, key);
			if (s->chain == MAP_NONE) {
				s->chain = add_chain(m, trace, s->scope);
				idmap_add(&by_key, key, s->chain);
			}
		}
	}
	idmap_done(&by_key);
	mem_free(first);
}

/* A chain that has no name of its own takes the last that its steps give it. */
static void name_chains(struct model *m)
{
	for (size_t i = 0; i < m->count; i++) {
		const struct step *s = &m->steps[i];
		struct chain *c = &m->chains[s->chain];

		if (m->scopes[s->scope].name != NO_TEXT)
			c->name = m->scopes[s->scope].name;
		else if (s->chain_name != NO_TEXT && m->scopes[c->scope].name == NO_TEXT)
			c->name = s->chain_name;
	}
}

/* ---- parents ---- */

static uint64_t chain_key(uint64_t key, uint32_t chain)
{
	return key ^ ((uint64_t)chain + 1) * 0x9E3779B97F4A7C15u;
}

static void find_parents(struct model *m)
{
	struct idmap ids = {0};
	bool any = false;

	for (size_t i = 0; i < m->count; i++)
		any |= m->steps[i].parent_key != 0;
	for (size_t i = 0; any && i < m->id_count; i++)
		idmap_add(&ids, chain_key(m->ids[i].key, m->steps[m->ids[i].step].chain),
			m->ids[i].step);
	for (size_t i = 0; i < m->count; i++) {
		struct step *s = &m->steps[i];

		s->parent = NO_STEP;
		s->flags &= ~(uint32_t)(STEP_ORPHAN | STEP_CYCLE);
		if (!s->parent_key)
			continue;
		s->parent = idmap_find(&ids, chain_key(s->parent_key, s->chain));
		if (s->parent == MAP_NONE &&
			s->parent_key !=
				model_key(model_text(m, m->chains[s->chain].trace)))
			s->flags |= STEP_ORPHAN;
	}
	idmap_done(&ids);
}

/*
 * Walks up from every step, marking the path with the step's number.  Meeting one's own
 * mark closes a cycle, which is broken at its first step in file order.
 */
static void break_cycles(struct model *m)
{
	uint32_t *mark = mem_zalloc(m->count, sizeof(*mark));

	for (uint32_t i = 0; i < m->count; i++) {
		uint32_t at = i, lowest;

		while (at != NO_STEP && !mark[at]) {
			mark[at] = i + 1;
			at = m->steps[at].parent;
		}
		if (at == NO_STEP || mark[at] != i + 1)
			continue;
		lowest = at;
		for (uint32_t j = m->steps[at].parent; j != at; j = m->steps[j].parent)
			if (j < lowest)
				lowest = j;
		m->steps[lowest].parent = NO_STEP;
		m->steps[lowest].flags |= STEP_CYCLE;
	}
	mem_free(mark);
}

/* ---- order ---- */

struct place {
	double time; /* its own, or that of the step before it */
	uint32_t step;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->time < y->time)
		return -1;
	if (x->time > y->time)
		return 1;
	return x->step < y->step ? -1 : x->step > y->step;
}

/* Siblings come one after another here, in file order: a step without a time takes the
 * one before. */
static void sort_siblings(const struct model *m, struct place *places, size_t n)
{
	double last = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		double t = m->steps[places[i].step].timestamp;

		places[i].time = last = isnan(t) ? last : t;
	}
	qsort(places, n, sizeof(*places), compare_places);
}

/* Lists of children as slices of one array, by counting; the roots of chain c are list
 * count + c. */
struct children {
	struct place *places;
	size_t *first; /* list i is places[first[i] .. first[i + 1]) */
};

static size_t list_of(const struct model *m, size_t step)
{
	const struct step *s = &m->steps[step];

	return s->parent == NO_STEP ? m->count + s->chain : s->parent;
}

static struct children gather(const struct model *m)
{
	size_t lists = m->count + m->chain_count;
	struct children c = {mem_zalloc(m->count, sizeof(*c.places)),
		mem_zalloc(lists + 2, sizeof(*c.first))};

	for (size_t i = 0; i < m->count; i++)
		c.first[list_of(m, i) + 2]++;
	for (size_t i = 2; i < lists + 2; i++)
		c.first[i] += c.first[i - 1];
	for (size_t i = 0; i < m->count; i++)
		c.places[c.first[list_of(m, i) + 1]++].step = (uint32_t)i;
	for (size_t i = 0; i < lists; i++)
		if (c.first[i + 1] - c.first[i] > 0)
			sort_siblings(
				m, c.places + c.first[i], c.first[i + 1] - c.first[i]);
	return c;
}

/* Pre-order with an explicit stack: of each open list, the place that comes next. */
static void walk_chain(struct model *m, const struct children *c, uint32_t chain)
{
	struct open_list {
		size_t next, end;
	} *stack = NULL;
	size_t cap = 0, depth = 0, list = m->count + chain;

	stack = mem_grow(stack, &cap, 1, sizeof(*stack));
	stack[0] = (struct open_list){c->first[list], c->first[list + 1]};
	for (;;) {
		uint32_t step;

		if (stack[depth].next == stack[depth].end) {
			if (depth-- == 0)
				break;
			continue;
		}
		step = c->places[stack[depth].next++].step;
		m->steps[step].depth = (uint32_t)depth;
		m->order[m->order_count++] = step;
		stack = mem_grow(stack, &cap, depth + 2, sizeof(*stack));
		stack[++depth] = (struct open_list){c->first[step], c->first[step + 1]};
	}
	mem_free(stack);
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
		if (m->scopes[i].chain && i != m->steps[0].scope)
			return false;
	return true;
}

void model_arrange(struct model *m)
{
	struct children children;

	if (is_plain(m)) {
		refresh_plain(m);
		return;
	}
	m->arrangement++;
	m->rollup_count = 0;
	group(m);
	name_chains(m);
	find_parents(m);
	break_cycles(m);
	children = gather(m);
	m->order = mem_grow(m->order, &m->order_cap, m->count + 1, sizeof(*m->order));
	m->order_count = 0;
	for (uint32_t i = 0; i < m->chain_count; i++) {
		m->chains[i].first = m->order_count;
		walk_chain(m, &children, i);
		m->chains[i].count = m->order_count - m->chains[i].first;
	}
	mem_free(children.places);
	mem_free(children.first);
	m->arranged = m->count;
	m->arranged_scopes = m->scope_count;
}
