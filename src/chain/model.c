/*
 * Steps and their arrangement (see model.h).  While a file is read, most are a
 * plain list: one chain, no parents, in time order; such steps are appended to
 * the order as they come.  The first step that is none of it ends that, and
 * model_arrange sorts everything anew.
 *
 * The step that was added last is written by pointer, so it is kept unpacked beside the
 * others; it is packed when it is complete, and again after it was asked for once more.
 */
#include "config.h"
#include "chain/model.h"

#include <math.h>

#include "base/mem.h"
#include "chain/tree.h"

struct model *model_new(struct inputs *inputs)
{
	struct model *m = mem_zalloc(1, sizeof(*m));

	m->inputs = inputs;
	m->plain = true;
	m->latest = NAN;
	m->last_name = NO_TEXT;
	return m;
}

struct model *model_of_source(struct source *source)
{
	struct inputs *inputs = inputs_new();

	inputs_take(inputs, source);
	return model_new(inputs);
}

void model_drop_arrangement(struct model *m)
{
	mem_free(m->order);
	mem_free(m->depths);
	mem_free(m->parents);
	mem_free(m->chain_of);
	mem_free(m->rollups);
	m->order = m->depths = m->parents = m->chain_of = NULL;
	m->rollups = NULL;
	m->chain_of_count = m->rollup_count = m->order_count = 0;
}

void model_free(struct model *m)
{
	if (!m)
		return;
	tree_stop(m);
	totals_stop(m);
	model_drop_arrangement(m);
	inputs_free(m->inputs);
	intern_done(&m->texts);
	store_done(&m->store);
	further_done(&m->further);
	attached_done(&m->attached);
	mem_free(m->scopes);
	mem_free(m->chains);
	mem_free(m);
}

void model_settle(struct model *m)
{
	if (m->unsettled)
		store_put(&m->store, m->count - 1, &m->last);
	m->unsettled = false;
}

struct step *model_add(struct model *m, uint32_t scope, uint64_t offset, uint64_t length)
{
	model_settle(m);
	store_push(&m->store);
	m->count++;
	m->unsettled = true;
	m->last = (struct step){
		.offset = offset,
		.length = length,
		.timestamp = NAN,
		.input_tokens = NAN,
		.output_tokens = NAN,
		.cost = NAN,
		.latency = NAN,
		.model = NO_TEXT,
		.event = NO_TEXT,
		.trace = NO_TEXT,
		.chain_name = NO_TEXT,
		.scope = scope,
		.parent = NO_STEP,
		.chain = NO_CHAIN,
	};
	return &m->last;
}

struct step *model_last(struct model *m)
{
	m->unsettled = true;
	return &m->last;
}

uint64_t model_key(struct str id)
{
	return map_hash(id) | 1;
}

void model_add_id(struct model *m, uint64_t key)
{
	store_add_id(&m->store, key);
}

uint32_t model_add_scope(struct model *m, uint64_t offset)
{
	m->scopes = mem_grow(
		m->scopes, &m->scope_cap, m->scope_count + 1, sizeof(*m->scopes));
	m->scopes[m->scope_count] = (struct scope){.trace = NO_TEXT,
		.name = NO_TEXT,
		.first_trace = NO_TEXT,
		.offset = offset};
	return (uint32_t)m->scope_count++;
}

void model_truncate(struct model *m, size_t steps, size_t scopes)
{
	m->generation++;
	tree_stop(m);
	totals_stop(m);
	model_settle(m);
	if (steps < m->count)
		m->count = steps;
	if (scopes < m->scope_count)
		m->scope_count = scopes;
	store_truncate(&m->store, m->count);
	if (m->count)
		m->last = store_get(&m->store, m->count - 1);
	if (m->count && m->arranged <= m->count && m->arranged_scopes <= m->scope_count)
		return;
	m->plain = m->count == 0;
	m->latest = NAN;
	m->last_name = NO_TEXT;
	m->arranged = m->arranged_scopes = m->chain_count = 0;
	model_drop_arrangement(m);
}

/* ---- steps ---- */

static bool is_last(const struct model *m, size_t step)
{
	return step + 1 == m->count;
}

static uint32_t chain_of(const struct model *m, size_t step)
{
	uint32_t kind = store_record(&m->store, step)->kind;

	if (step >= m->arranged)
		return NO_CHAIN;
	if (!m->chain_of)
		return 0;
	return kind < m->chain_of_count ? m->chain_of[kind] - 1 : NO_CHAIN;
}

struct step model_step(const struct model *m, size_t step)
{
	struct step s = is_last(m, step) ? m->last : store_get(&m->store, step);
	uint32_t parent = m->parents && step < m->arranged ? m->parents[step] : NO_STEP;

	s.chain = chain_of(m, step);
	if (parent < LEAST_ROOT)
		s.parent = parent;
	if (parent == ROOT_ORPHAN)
		s.flags |= STEP_ORPHAN;
	if (parent == ROOT_CYCLE)
		s.flags |= STEP_CYCLE;
	return s;
}

uint32_t model_flags(const struct model *m, size_t step)
{
	return is_last(m, step) ? m->last.flags : store_record(&m->store, step)->flags;
}

void model_put(struct model *m, size_t step, const struct step *what)
{
	if (is_last(m, step))
		m->last = *what;
	if (what->chain_name != NO_TEXT)
		m->last_name = what->chain_name;
	store_put(&m->store, step, what);
}

void model_flag(struct model *m, size_t step, uint32_t flags)
{
	if (is_last(m, step))
		model_last(m)->flags |= flags;
	else
		store_record(&m->store, step)->flags |= flags & STEP_KEPT;
}

/* ---- plain lists ---- */

/* Whether the step fits behind a plain list. */
static bool is_plain(const struct model *m, const struct step *s)
{
	const struct kind *first = store_kind(&m->store, 0);

	if (s->parent_key || s->scope != first->scope || s->trace != first->trace)
		return false;
	return isnan(s->timestamp) || isnan(m->latest) || s->timestamp >= m->latest;
}

void model_renest(struct model *m)
{
	m->plain = false;
}

void model_append(struct model *m)
{
	const struct step *s = &m->last;

	model_settle(m);
	if (!m->plain || m->arranged != m->count - 1 || !is_plain(m, s)) {
		m->plain = false;
		return;
	}
	if (m->count == 1)
		tree_first_chain(m);
	if (!isnan(s->timestamp))
		m->latest = s->timestamp;
	if (s->chain_name != NO_TEXT)
		m->last_name = s->chain_name;
	m->chains[0].count = m->order_count = m->arranged = m->count;
}

bool model_unarranged(const struct model *m)
{
	return m->arranged != m->count;
}

/* ---- positions ---- */

struct str model_text(const struct model *m, uint32_t text)
{
	return intern_get(&m->texts, text);
}

struct str model_chain_title(const struct model *m, const struct chain *c)
{
	const char *path, *slash;

	if (c->name != NO_TEXT)
		return model_text(m, c->name);
	if (!c->generated || (m->chain_count > 1 && inputs_count(m->inputs) < 2))
		return model_text(m, c->trace);
	path = inputs_name_at(m->inputs, m->scopes[c->scope].offset);
	slash = strrchr(path, '/');
	return str_of(slash && slash[1] ? slash + 1 : path);
}

const char *model_chain_format(const struct model *m, const struct chain *c)
{
	const char *own = m->scopes[c->scope].format;

	return own ? own : m->format;
}

uint32_t model_chain_at(const struct model *m, size_t position)
{
	return chain_of(m, model_at(m, position));
}

size_t model_position(const struct model *m, uint32_t step)
{
	uint32_t chain = step < m->arranged ? chain_of(m, step) : NO_CHAIN;
	size_t i, end;

	if (chain == NO_CHAIN)
		return m->order_count;
	if (!m->order)
		return step;
	end = m->chains[chain].first + m->chains[chain].count;
	for (i = m->chains[chain].first; i < end && m->order[i] != step;)
		i++;
	return i;
}

size_t model_parent_position(const struct model *m, size_t position)
{
	uint32_t depth = model_depth(m, position);
	size_t i = position;

	while (depth && m->depths[i] >= depth)
		i--;
	return i;
}

size_t model_subtree_end(const struct model *m, size_t position)
{
	const struct chain *c = &m->chains[model_chain_at(m, position)];
	uint32_t depth = model_depth(m, position);
	size_t i = position + 1, end = c->first + c->count;

	while (m->depths && i < end && m->depths[i] > depth)
		i++;
	return i;
}

static unsigned percent_of(size_t done, size_t all)
{
	return all ? (unsigned)(done * 100 / all) : 100;
}

unsigned model_progress(const struct model *m)
{
	size_t done = 0, all = 0;

	if (m->arranging)
		tree_progress(m, &done, &all);
	else if (m->summing)
		totals_progress(m, &done, &all);
	return percent_of(done, all);
}
