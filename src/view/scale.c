/*
 * See scale.h.  The walk goes in pre-order with the steps above the next one on a stack;
 * what a step is found to be goes to the step above it when it is left.  A parent gets
 * its place in the table when its first child comes, so the table is in order.
 */
#include "config.h"
#include "view/scale.h"

#include <math.h>

#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"

#define PIECE     512 /* steps between two looks at the clock */
#define NO_PARENT SIZE_MAX

/* A step that is open, and what its children are so far. */
struct scale_level {
	uint32_t position, depth;
	struct dated_period when;
	uint32_t flags;
	struct totals own;
	struct below below;
	size_t parent; /* its place in the table, or NO_PARENT */
};

const enum role measure_roles[MEASURE_COUNT] = {
	ROLE_TEXT, ROLE_TIME, ROLE_COST, ROLE_TOKENS};

static const struct dated_period dated_unknown = {{NAN, NAN}, false};
static const struct chain_scale chain_unknown = {{{NAN, NAN}, false}, NAN, NAN};

void scale_done(struct scale *s)
{
	mem_free(s->chains);
	mem_free(s->parents);
	mem_free(s->levels);
	*s = (struct scale){0};
}

void scale_stamps(struct scale *s, bool at_end)
{
	if (s->stamped_at_end == at_end)
		return;
	s->stamped_at_end = at_end;
	s->at = 0; /* begin again */
}

/* ---- a step ---- */

static struct dated_period period_of_step(const struct scale *scale, const struct step *s)
{
	struct period p = {s->timestamp, s->timestamp};

	if (!isfinite(p.start))
		return dated_unknown;
	if (scale->stamped_at_end)
		p.start -= step_lasted(s);
	else
		p.end += step_lasted(s);
	return (struct dated_period){p, step_is_dated(p.start, p.end)};
}

/* The shortest period that contains both; an unknown one adds nothing. */
static struct dated_period dated_join(struct dated_period a, struct dated_period b)
{
	if (a.dated != b.dated)
		return a.dated ? a : b;
	if (!period_is_known(a.period))
		return b;
	if (b.period.start < a.period.start)
		a.period.start = b.period.start;
	if (b.period.end > a.period.end)
		a.period.end = b.period.end;
	return a;
}

static void raise_to(double *most, double value)
{
	if (!isnan(value) && !(value <= *most))
		*most = value;
}

double measure_of_totals(const struct totals *t, enum measure by)
{
	return by == MEASURE_TIME     ? t->latency
	       : by == MEASURE_COST   ? t->cost
	       : by == MEASURE_TOKENS ? totals_tokens(t)
				      : (double)NAN;
}

/* ---- the walk ---- */

/* Leaves the steps from a depth on: what is known of each goes to the one above it, or to
 * its chain. */
static void leave_to(struct scale *s, struct chain_scale *c, uint32_t depth)
{
	while (s->level_count && s->levels[s->level_count - 1].depth >= depth) {
		const struct scale_level *l = &s->levels[--s->level_count];
		struct counted t = totals_count(&l->own, l->flags, &l->below);
		struct scale_level *above;

		if (l->parent != NO_PARENT)
			s->parents[l->parent].when = l->when;
		raise_to(&c->cost, t.shown.cost);
		raise_to(&c->tokens, totals_tokens(&t.shown));
		if (!s->level_count) {
			totals_add(&s->sum, &t.whole);
			continue;
		}
		above = &s->levels[s->level_count - 1];
		below_add(&above->below, &above->own, &l->own, &t.whole);
		above->when = dated_join(above->when, l->when);
	}
}

static void enter(struct scale *s, const struct trace *trace, struct chain_scale *c)
{
	struct step step = trace_step(trace, trace_at(trace, s->at));
	uint32_t depth = trace_depth(trace, s->at);
	struct scale_level *above;

	leave_to(s, c, depth);
	above = s->level_count ? &s->levels[s->level_count - 1] : NULL;
	if (above && above->parent == NO_PARENT) { /* its first child gives it a place */
		above->parent = s->parent_count;
		*MEM_ADD(s->parents, s->parent_count, s->parent_cap) =
			(struct parent_scale){above->position, above->when};
	}
	*MEM_ADD(s->levels, s->level_count, s->level_cap) = (struct scale_level){
		.position = (uint32_t)s->at,
		.depth = depth,
		.when = period_of_step(s, &step),
		.flags = step.flags,
		.own = totals_own(&step),
		.below = below_nothing,
		.parent = NO_PARENT,
	};
	c->when = dated_join(c->when, s->levels[s->level_count - 1].when);
	s->at++;
}

/* ---- slices ---- */

static bool is_current(const struct scale *s, const struct trace *trace)
{
	return s->generation == trace->generation &&
	       s->arrangement == trace->arrangement && s->at <= trace->order_count;
}

bool scale_is_ready(const struct scale *s, const struct trace *trace)
{
	return is_current(s, trace) && s->at == trace->order_count;
}

enum task_state scale_run(struct scale *s, const struct trace *trace, uint64_t deadline)
{
	if (!is_current(s, trace) || !s->at) {
		s->chain_count = s->parent_count = s->level_count = s->at = 0;
		for (int i = 0; i < MEASURE_COUNT; i++)
			s->most[i] = NAN;
		s->when = dated_unknown;
		s->generation = trace->generation;
		s->arrangement = trace->arrangement;
	}
	while (s->at < trace->order_count) { /* some steps of a chain, or its end */
		uint32_t chain = trace_chain_at(trace, s->at);
		size_t first = trace->chains[chain].first,
		       end = first + trace->chains[chain].count, piece = s->at + PIECE;
		struct chain_scale *c;

		MEM_ROOM(s->chains, s->chain_cap, chain + 1);
		while (s->chain_count <= chain)
			s->chains[s->chain_count++] = chain_unknown;
		c = &s->chains[chain];
		if (s->at == first)
			s->sum = totals_unknown;
		while (s->at < end && s->at < piece)
			enter(s, trace, c);
		if (s->at >= end) {
			leave_to(s, c, 0);
			s->when = dated_join(s->when, c->when);
			raise_to(&s->most[MEASURE_TIME],
				period_length(scale_chain_period(s, chain)));
			raise_to(&s->most[MEASURE_COST], s->sum.cost);
			raise_to(&s->most[MEASURE_TOKENS], totals_tokens(&s->sum));
		}
		if (clock_passed(deadline))
			break;
	}
	return s->at == trace->order_count ? TASK_DONE : TASK_MORE;
}

/* ---- what is known ---- */

struct period scale_period(const struct scale *s)
{
	return s->at ? s->when.period : period_unknown;
}

struct period scale_chain_period(const struct scale *s, uint32_t chain)
{
	return chain < s->chain_count ? s->chains[chain].when.period : period_unknown;
}

static const struct parent_scale *find_parent(const struct scale *s, size_t position)
{
	size_t at = SORTED_BELOW(s->parents, s->parent_count, position, position);

	return at < s->parent_count && s->parents[at].position == position
		       ? &s->parents[at]
		       : NULL;
}

bool scale_is_parent(const struct scale *s, size_t position)
{
	return find_parent(s, position);
}

struct period scale_step_period(
	const struct scale *s, const struct trace *trace, size_t position)
{
	uint32_t chain = trace_chain_at(trace, position);
	const struct parent_scale *parent = find_parent(s, position);
	struct step step;
	struct dated_period when;

	if (parent) {
		when = parent->when;
	} else {
		step = trace_step(trace, trace_at(trace, position));
		when = period_of_step(s, &step);
	}
	if (chain < s->chain_count && s->chains[chain].when.dated && !when.dated)
		return period_unknown;
	return when.period;
}

struct bar scale_step_bar(const struct scale *s, const struct trace *trace,
	size_t position, enum measure by, uint32_t cells)
{
	uint32_t chain = trace_chain_at(trace, position);
	struct totals t;

	if (chain >= s->chain_count || by == MEASURE_OFF)
		return (struct bar){0, 0};
	if (by == MEASURE_TIME)
		return bar_of_period(scale_step_period(s, trace, position),
			scale_chain_period(s, chain), cells);
	t = trace_step_totals(trace, position);
	return bar_of_share(measure_of_totals(&t, by),
		by == MEASURE_COST ? s->chains[chain].cost : s->chains[chain].tokens,
		cells);
}

struct bar scale_chain_bar(const struct scale *s, const struct trace *trace,
	uint32_t chain, enum measure by, uint32_t cells)
{
	double value = by == MEASURE_TIME
			       ? period_length(scale_chain_period(s, chain))
			       : measure_of_totals(&trace->chains[chain].totals, by);

	return bar_of_share(value, s->most[by], cells);
}
