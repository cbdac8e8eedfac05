/*
 * Figures that do not add up: tokens and cost of a parent that differ from the sum of its
 * children's.  Only of parents that make no calls of their own, spans and traces: what a
 * generation says is of its own call, whatever runs below it.
 *
 * Nothing is said of a figure of 0, which is how instrumentation writes "unknown", of
 * rounding, of parents that have more than children some of which say nothing, nor of
 * latency: children may run side by side.  All comes from the index, in one pass over a
 * chain, last step first; what differs waits for its step to be looked at.
 */
#include "config.h"
#include "payload/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

#define ROUNDING 0.01 /* of a cost */

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

void rules_totals(struct check *c, const struct chain *chain)
{
	const struct model *m = c->model;
	struct children *levels = NULL;
	size_t cap = 0, used = 0;

	c->gap_count = 0;
	for (size_t i = chain->first + chain->count; i-- > chain->first;) {
		struct step step = model_step(m, model_at(m, i)), *s = &step;
		size_t depth = model_depth(m, i);

		levels = mem_grow(levels, &cap, depth + 2, sizeof(*levels));
		while (used < depth + 2)
			levels[used++] = no_children;
		compare(c, i, s, &levels[depth + 1]);
		add_child(&levels[depth], is_generation(m, s), s, &levels[depth + 1]);
		levels[depth + 1] = no_children;
	}
	if (used)
		rules_stated(c, chain, levels[0].figures);
	mem_free(levels);
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
