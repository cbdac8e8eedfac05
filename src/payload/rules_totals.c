/*
 * Figures that do not add up: tokens and cost of a parent that differ from the sum of its
 * children's.  Only of parents that make no calls of their own, spans and traces: what a
 * generation says is of its own call, whatever runs below it.
 *
 * Nothing is said of a figure of 0, which is how instrumentation writes "unknown", of
 * rounding, of parents that have more than children some of which say nothing, nor of
 * latency: children may run side by side.  All comes from the index, in one pass over a
 * chain, in slices, last step first (see chain/totals.c); what differs waits for its step
 * to be looked at.
 */
#include "config.h"
#include "payload/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

#define ROUNDING 0.01 /* of a cost */
#define PIECE    1024 /* steps between two looks at the clock */

struct totals_gap {
	size_t position;
	enum figure figure;
	double own, sum;
};

/* The children of a step so far, or steps of one depth that have no parent yet. */
struct children {
	bool any;
	struct figure_sum figures[FIGURE_COUNT];
};

static const struct children no_children = {
	false, {{NAN, false}, {NAN, false}, {NAN, false}}};

static double figure_of(const struct step *s, int figure)
{
	const double figures[] = {s->input_tokens, s->output_tokens, s->cost};

	return figures[figure];
}

static bool is_generation(const struct model *m, const struct step *s)
{
	static const char *const events[] = {"ai_generation", "$ai_generation",
		"generation", "ai_embedding", "$ai_embedding", "embedding"};
	struct str event = model_text(m, s->event);

	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (str_equal(event, str_of(events[i])))
			return true;
	return s->model != NO_TEXT;
}

/* Whether `own` is `sum` rounded to a few decimals, or nearly so; tokens are whole. */
static bool agrees(double own, double sum)
{
	double distance = fabs(own - sum);

	if (own == round(own) && sum == round(sum))
		return distance < 1;
	if (distance <= ROUNDING * fabs(sum))
		return true;
	for (double scale = 100; scale <= 1e6; scale *= 10)
		if (fabs(own * scale - round(sum * scale)) < 1e-6)
			return true;
	return false;
}

bool figure_differs(double stated, const struct figure_sum *f)
{
	return !isnan(stated) && stated != 0 && !isnan(f->sum) &&
	       !agrees(stated, f->sum) && (!f->silent || stated < f->sum);
}

static void add_gap(struct check *c, struct totals_gap gap)
{
	c->gaps = mem_grow(c->gaps, &c->gap_cap, c->gap_count + 1, sizeof(*c->gaps));
	c->gaps[c->gap_count++] = gap;
}

static void compare(struct check *c, size_t position, const struct step *s,
	const struct children *below)
{
	if (!below->any || is_generation(c->model, s))
		return;
	for (int i = FIGURE_COUNT; i-- > 0;) {
		const struct figure_sum *f = &below->figures[i];
		double own = figure_of(s, i);

		if (figure_differs(own, f))
			add_gap(c, (struct totals_gap){
					   position, (enum figure)i, own, f->sum});
	}
}

/* As in the totals of a chain: a child speaks by its own figures, else its children's. */
static void add_child(struct children *level, bool generation, const struct step *s,
	const struct children *below)
{
	level->any = true;
	for (int i = 0; i < FIGURE_COUNT; i++) {
		struct figure_sum *f = &level->figures[i];
		double value = figure_of(s, i);

		if (isnan(value) || value == 0) {
			f->silent = f->silent || generation || below->figures[i].silent;
			value = isnan(below->figures[i].sum) ? value
							     : below->figures[i].sum;
		}
		if (!isnan(value))
			f->sum = isnan(f->sum) ? value : f->sum + value;
	}
}

/* The sum of the steps of one depth that have no parent yet; the deepest on top. */
struct totals_level {
	uint32_t depth;
	struct children children;
};

static struct totals_level *top(const struct totals_walk *w)
{
	return w->depth ? &w->levels[w->depth - 1] : NULL;
}

static void push(struct totals_walk *w, uint32_t depth)
{
	w->levels = mem_grow(w->levels, &w->cap, w->depth + 1, sizeof(*w->levels));
	w->levels[w->depth++] = (struct totals_level){depth, no_children};
}

static void note_ends(struct totals_walk *w, uint32_t step, uint32_t scope)
{
	w->mixed |= scope != w->chain->scope;
	w->first = step < w->first ? step : w->first;
	w->last = step > w->last ? step : w->last;
}

static void walk_step(struct check *c, size_t position)
{
	uint32_t index = model_at(c->model, position);
	struct step step = model_step(c->model, index);
	uint32_t depth = model_depth(c->model, position);
	struct totals_walk *w = &c->walk;
	struct children below = no_children;

	note_ends(w, index, step.scope);
	if (w->depth && top(w)->depth > depth)
		below = w->levels[--w->depth].children;
	compare(c, position, &step, &below);
	if (!w->depth || top(w)->depth != depth)
		push(w, depth);
	add_child(&top(w)->children, is_generation(c->model, &step), &step, &below);
}

void rules_totals_begin(struct check *c, const struct chain *chain)
{
	c->gap_count = 0;
	c->walk.chain = chain;
	c->walk.at = chain->first + chain->count;
	c->walk.depth = 0;
	c->walk.mixed = false;
	c->walk.first = UINT32_MAX;
	c->walk.last = 0;
}

bool rules_totals_on(struct check *c)
{
	struct totals_walk *w = &c->walk;

	for (int i = 0; i < PIECE && w->at > w->chain->first; i++)
		walk_step(c, --w->at);
	if (w->at > w->chain->first)
		return false;
	if (w->depth)
		rules_stated(c, w, w->levels[0].children.figures);
	w->chain = NULL;
	return true;
}

/* Without what binary fractions add: 0.3, not 0.30000000000000004. */
static void add_figure(struct buf *out, double figure)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.12g", figure);
	json_write_number(out, strtod(digits, NULL));
}

void figure_message(
	struct buf *out, enum figure figure, double stated, double sum, const char *whose)
{
	static const char *const names[FIGURE_COUNT] = {
		"input tokens", "output tokens", "cost"};

	buf_printf(out, "%s: ", names[figure]);
	add_figure(out, stated);
	buf_printf(out, " is stated, but %s have ", whose);
	add_figure(out, sum);
	buf_text(out, " in all");
}

static void report_gap(struct visit *v, const struct totals_gap *g)
{
	static const char *const paths[FIGURE_COUNT] = {
		"input_tokens", "output_tokens", "cost_usd"};
	struct buf message = BUF_INIT;

	figure_message(&message, g->figure, g->own, g->sum, "its children");
	visit_add(v, RULE_TOTALS_DIFFER,
		(struct where){.inside = str_of(paths[g->figure])}, "%s", message.data);
	buf_done(&message);
}

void rules_gap(struct visit *v)
{
	struct check *c = v->check;

	while (c->gap_count && c->gaps[c->gap_count - 1].position <= v->position) {
		struct totals_gap gap = c->gaps[--c->gap_count];

		if (gap.position == v->position)
			report_gap(v, &gap);
	}
}
