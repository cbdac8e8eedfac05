/*
 * model_totals, in slices.  A chain is walked backwards, where every parent stands before
 * its children: what the children of steps that are still to come add up to waits on a
 * stack, the deepest on top.  So a parent finds the sum of its children there, and memory
 * goes with the number of open sums, not with the depth.
 */
#include "config.h"
#include "chain/tree.h"

#include <math.h>

#include "base/clock.h"
#include "base/mem.h"

const struct totals totals_unknown = {0, 0, NAN, NAN, NAN, NAN};

/* The figures of a step that has not all of its own, and children that have. */
struct rollup {
	uint32_t position;
	double input_tokens, output_tokens, cost, latency;
};

/* The sum of the steps of one depth that no parent has claimed yet. */
struct pending {
	uint32_t depth;
	struct totals sum;
};

struct summing {
	uint32_t arrangement, generation; /* of which the sums are */
	size_t count;
	size_t chain;    /* chains from here on have their sums; all: they are added up */
	size_t position; /* where the chain before stands */
	size_t added;
	bool inside; /* a chain */
	struct pending *stack;
	size_t depth, cap;
	struct rollup *rollups;
	size_t rollup_count, rollup_cap;
	struct totals all;
};

void totals_stop(struct model *m)
{
	struct summing *s = m->summing;

	if (!s)
		return;
	mem_free(s->stack);
	mem_free(s->rollups);
	mem_free(s);
	m->summing = NULL;
}

void totals_progress(const struct model *m, size_t *done, size_t *all)
{
	const struct summing *s = m->summing;

	*all = m->order_count + m->chain_count;
	*done = s->added + m->order_count - s->position;
}

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

static struct totals own_totals(const struct step *s)
{
	return (struct totals){1, !!(s->flags & STEP_ERROR), s->input_tokens,
		s->output_tokens, s->cost, s->latency};
}

/* The children's figure where there is none of its own; true when that tells something.
 */
static bool take(double *own, double children)
{
	if (!isnan(*own) || isnan(children))
		return false;
	*own = children;
	return true;
}

/* A step's totals: its own figures, its children's where it has none. */
static bool roll_up(struct totals *t, const struct totals *children)
{
	bool any = take(&t->input_tokens, children->input_tokens);

	any |= take(&t->output_tokens, children->output_tokens);
	any |= take(&t->cost, children->cost);
	any |= take(&t->latency, children->latency);
	t->steps += children->steps;
	t->errors += children->errors;
	return any;
}

static void add_rollup(struct summing *s, size_t position, const struct totals *t)
{
	s->rollups = mem_grow(
		s->rollups, &s->rollup_cap, s->rollup_count + 1, sizeof(*s->rollups));
	s->rollups[s->rollup_count++] = (struct rollup){(uint32_t)position,
		t->input_tokens, t->output_tokens, t->cost, t->latency};
}

static struct pending *top(const struct summing *s)
{
	return s->depth ? &s->stack[s->depth - 1] : NULL;
}

static void sum_step(const struct model *m, struct summing *s, size_t position)
{
	struct step step = store_get(&m->store, model_at(m, position));
	struct totals t = own_totals(&step);
	uint32_t depth = model_depth(m, position);

	if (s->depth && top(s)->depth > depth) {
		if (roll_up(&t, &top(s)->sum))
			add_rollup(s, position, &t);
		s->depth--;
	}
	if (!s->depth || top(s)->depth != depth) {
		s->stack = mem_grow(s->stack, &s->cap, s->depth + 1, sizeof(*s->stack));
		s->stack[s->depth++] = (struct pending){depth, totals_unknown};
	}
	totals_add(&top(s)->sum, &t);
}

/* ---- slices ---- */

static void begin(struct model *m)
{
	model_settle(m);
	m->summing = mem_zalloc(1, sizeof(*m->summing));
	m->summing->arrangement = m->arrangement;
	m->summing->generation = m->generation;
	m->summing->count = m->order_count;
	m->summing->chain = m->chain_count;
	m->summing->position = m->order_count;
	m->summing->all = totals_unknown;
}

static void end_chain(struct model *m, struct summing *s)
{
	m->chains[s->chain].totals = s->depth ? s->stack[0].sum : totals_unknown;
	s->depth = 0;
	s->inside = false;
}

/* One step, or one chain; true when that was the last. */
static bool sum_on(struct model *m, struct summing *s)
{
	if (s->inside && s->position > m->chains[s->chain].first) {
		sum_step(m, s, --s->position);
	} else if (s->inside) {
		end_chain(m, s);
	} else if (s->chain) {
		const struct chain *c = &m->chains[--s->chain];

		s->position = c->first + c->count;
		s->inside = true;
	} else if (s->added < m->chain_count) {
		totals_add(&s->all, &m->chains[s->added++].totals);
	} else {
		return true;
	}
	return false;
}

static void finish(struct model *m, struct summing *s)
{
	m->totals = s->all;
	mem_free(m->rollups);
	m->rollups = s->rollups;
	m->rollup_count = s->rollup_count;
	s->rollups = NULL;
	m->sums++;
	totals_stop(m);
}

static bool is_current(const struct model *m, const struct summing *s)
{
	return s->arrangement == m->arrangement && s->generation == m->generation &&
	       s->count == m->order_count;
}

bool model_totals_slice(struct model *m, uint64_t deadline)
{
	if (m->summing && !is_current(m, m->summing))
		totals_stop(m);
	if (!m->summing)
		begin(m);
	do
		for (int i = 0; i < PIECE; i++)
			if (sum_on(m, m->summing)) {
				finish(m, m->summing);
				return true;
			}
	while (!clock_passed(deadline));
	return false;
}

void model_totals(struct model *m)
{
	model_totals_slice(m, UINT64_MAX);
}

struct totals model_step_totals(const struct model *m, size_t position)
{
	struct step step = model_step(m, model_at(m, position));
	struct totals t = own_totals(&step);
	size_t low = 0, high = m->rollup_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct rollup *r = &m->rollups[middle];

		if (r->position == position)
			return (struct totals){t.steps, t.errors, r->input_tokens,
				r->output_tokens, r->cost, r->latency};
		if (r->position > position)
			low = middle + 1;
		else
			high = middle;
	}
	return t;
}
