/*
 * Steps and their arrangement (see model.h).  While a file is read, most are a
 * plain list: one chain, no parents, in time order; such steps are appended to
 * `order` as they come.  The first step that is none of it ends that, and
 * model_arrange sorts everything anew.
 */
#include "config.h"
#include "chain/model.h"

#include <math.h>
#include <stdlib.h>

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

void model_free(struct model *m)
{
	if (!m)
		return;
	inputs_free(m->inputs);
	intern_done(&m->texts);
	mem_free(m->steps);
	mem_free(m->scopes);
	mem_free(m->chains);
	mem_free(m->order);
	mem_free(m->ids);
	mem_free(m->rollups);
	mem_free(m);
}

struct step *model_add(struct model *m, uint32_t scope, uint64_t offset, uint64_t length)
{
	struct step *s;

	m->steps = mem_grow(m->steps, &m->cap, m->count + 1, sizeof(*m->steps));
	s = &m->steps[m->count++];
	*s = (struct step){
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
	return s;
}

uint64_t model_key(struct str id)
{
	return map_hash(id) | 1;
}

void model_add_id(struct model *m, uint32_t step, uint64_t key)
{
	m->ids = mem_grow(m->ids, &m->id_cap, m->id_count + 1, sizeof(*m->ids));
	m->ids[m->id_count++] = (struct step_id){key, step};
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
	if (steps < m->count)
		m->count = steps;
	if (scopes < m->scope_count)
		m->scope_count = scopes;
	while (m->id_count && m->ids[m->id_count - 1].step >= m->count)
		m->id_count--;
	if (m->count && m->arranged <= m->count && m->arranged_scopes <= m->scope_count)
		return;
	m->plain = m->count == 0;
	m->latest = NAN;
	m->last_name = NO_TEXT;
	m->arranged = m->arranged_scopes = m->order_count = m->chain_count = 0;
}

/* Whether the step fits behind a plain list. */
static bool is_plain(const struct model *m, const struct step *s)
{
	const struct step *first = &m->steps[0];

	if (s->parent_key || s->scope != first->scope || s->trace != first->trace)
		return false;
	return isnan(s->timestamp) || isnan(m->latest) || s->timestamp >= m->latest;
}

void model_append(struct model *m)
{
	struct step *s = &m->steps[m->count - 1];

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
	s->chain = 0;
	m->order = mem_grow(m->order, &m->order_cap, m->count, sizeof(*m->order));
	m->order[m->order_count++] = (uint32_t)m->count - 1;
	m->chains[0].count = m->order_count;
	m->arranged = m->count;
}

bool model_unarranged(const struct model *m)
{
	return m->arranged != m->count;
}

struct str model_text(const struct model *m, uint32_t text)
{
	return intern_get(&m->texts, text);
}

struct str model_chain_title(const struct model *m, const struct chain *c)
{
	const char *path, *slash;

	if (c->name != NO_TEXT)
		return model_text(m, c->name);
	if (!c->generated || inputs_count(m->inputs) < 2)
		return model_text(m, c->trace);
	path = inputs_name_at(m->inputs, m->scopes[c->scope].offset);
	slash = strrchr(path, '/');
	return str_of(slash && slash[1] ? slash + 1 : path);
}

uint32_t model_chain_at(const struct model *m, size_t position)
{
	return m->steps[m->order[position]].chain;
}

size_t model_subtree_end(const struct model *m, size_t position)
{
	const struct step *top = &m->steps[m->order[position]];
	size_t i = position + 1;

	while (i < m->order_count && m->steps[m->order[i]].depth > top->depth &&
		m->steps[m->order[i]].chain == top->chain)
		i++;
	return i;
}

/* ---- totals ---- */

static void add(double *sum, double value)
{
	if (!isnan(value))
		*sum = isnan(*sum) ? value : *sum + value;
}

void totals_add(struct totals *sum, const struct totals *t)
{
	sum->steps += t->steps;
	sum->errors += t->errors;
	add(&sum->input_tokens, t->input_tokens);
	add(&sum->output_tokens, t->output_tokens);
	add(&sum->cost, t->cost);
	add(&sum->latency, t->latency);
}

const struct totals totals_unknown = {0, 0, NAN, NAN, NAN, NAN};

struct rollup {
	size_t position;
	struct totals totals;
};

static void add_rollup(struct model *m, size_t position, const struct totals *t)
{
	m->rollups = mem_grow(
		m->rollups, &m->rollup_cap, m->rollup_count + 1, sizeof(*m->rollups));
	m->rollups[m->rollup_count++] = (struct rollup){position, *t};
}

static struct totals own_totals(const struct step *s)
{
	return (struct totals){1, !!(s->flags & STEP_ERROR), s->input_tokens,
		s->output_tokens, s->cost, s->latency};
}

/* A step's totals: its own figures, its children's where it has none. */
static struct totals roll_up(const struct step *s, const struct totals *children)
{
	struct totals t = own_totals(s);

	t.steps += children->steps;
	t.errors += children->errors;
	if (isnan(t.input_tokens))
		t.input_tokens = children->input_tokens;
	if (isnan(t.output_tokens))
		t.output_tokens = children->output_tokens;
	if (isnan(t.cost))
		t.cost = children->cost;
	if (isnan(t.latency))
		t.latency = children->latency;
	return t;
}

/*
 * Walks the chain backwards, where every parent stands before its children: levels[d]
 * gathers the steps of depth d that have not been claimed by a parent yet.
 */
static struct totals sum_chain(struct model *m, size_t from, size_t to)
{
	struct totals *levels = NULL, sum;
	size_t cap = 0, used = 0, i;

	for (i = to; i-- > from;) {
		const struct step *s = &m->steps[m->order[i]];
		size_t d = s->depth;
		struct totals t;

		levels = mem_grow(levels, &cap, d + 2, sizeof(*levels));
		while (used < d + 2)
			levels[used++] = totals_unknown;
		t = roll_up(s, &levels[d + 1]);
		if (levels[d + 1].steps)
			add_rollup(m, i, &t);
		levels[d + 1] = totals_unknown;
		totals_add(&levels[d], &t);
	}
	sum = used ? levels[0] : totals_unknown;
	mem_free(levels);
	return sum;
}

void model_totals(struct model *m)
{
	m->totals = totals_unknown;
	m->rollup_count = 0;
	for (size_t i = m->chain_count; i-- > 0;) {
		struct chain *c = &m->chains[i];

		c->totals = sum_chain(m, c->first, c->first + c->count);
	}
	for (size_t i = 0; i < m->chain_count; i++)
		totals_add(&m->totals, &m->chains[i].totals);
}

struct totals model_step_totals(const struct model *m, size_t position)
{
	size_t low = 0, high = m->rollup_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->rollups[middle].position == position)
			return m->rollups[middle].totals;
		if (m->rollups[middle].position > position)
			low = middle + 1;
		else
			high = middle;
	}
	return own_totals(&m->steps[m->order[position]]);
}
