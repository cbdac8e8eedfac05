/*
 * Totals that differ: tokens and cost of a parent that are not the sum of its children's.
 * Only spans and traces are checked, which make no calls of their own: the figures of a
 * generation are those of its own call, whatever runs below it.
 *
 * Not reported are a figure of 0, by which instrumentation means "unknown", differences
 * of rounding, a parent with more than the sum of its children if some of them have no
 * figure, and latency, since children may run in parallel.  All comes from the index, in
 * one pass over a chain, last step first (see trace/totals.c).  A difference
 * is reported when its step is checked.
 */
#include "config.h"
#include "analysis/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/work.h"
#include "import/fields.h"

#define STEP_WORK 64           /* bytes that cost as much as looking at a step */
#define AROUND    (16u * 1024) /* bytes that are read before, and after, the steps */

static const struct check_rule rule_totals_differ = {"totals-differ", SEVERITY_WARNING,
	"a parent's own figures are not the sum of its children's"};

const struct check_rule *const totals_rules[] = {&rule_totals_differ, NULL};

struct totals_gap {
	size_t position;
	enum total_figure figure;
	double own, sum;
};

/* The children of a step so far, or steps of one depth that have no parent yet. */
struct children {
	struct below below;
	bool silent[TOTAL_STATED]; /* a generation among them lacks the figure */
};

/* Whether a figure stated for all of some steps is not their sum. */
static bool figure_differs(double stated, const struct children *c, int figure)
{
	double sum = c->below.sum.figures[figure];

	return !isnan(stated) && stated != 0 && !isnan(sum) &&
	       !totals_agree(stated, sum) && (!c->silent[figure] || stated < sum);
}

/* Over the steps of a chain, the last first. */
struct totals_walk {
	const struct chain *chain;
	/* the sums of the steps of one depth whose parent has not come yet; the deepest
	 * is on top of the stack */
	struct totals_level {
		uint32_t depth;
		struct children children;
	} * levels;
	size_t depth, cap;
	uint32_t first, last; /* of its steps, by their number */
	bool mixed;           /* some are of other objects */
};

static void walk_step(struct check *c, struct totals_walk *w, size_t position)
{
	uint32_t index = trace_at(c->trace, position);
	struct step step = trace_step(c->trace, index), parent;
	uint32_t depth = trace_depth(c->trace, position);
	struct children below = {.below = below_nothing}, *level;
	struct totals own = totals_own(&step), above;
	bool generation = step.flags & STEP_CALL || step.model != NO_TEXT;
	struct counted counted;

	w->mixed |= step.scope != w->chain->scope;
	w->first = index < w->first ? index : w->first;
	w->last = index > w->last ? index : w->last;
	if (w->depth && w->levels[w->depth - 1].depth > depth)
		below = w->levels[--w->depth].children;
	for (int i = TOTAL_STATED; i-- > 0;) {
		double stated = own.figures[i];

		if (below.below.sum.steps && !generation &&
			figure_differs(stated, &below, i))
			*MEM_ADD(c->gaps, c->gap_count, c->gap_cap) =
				(struct totals_gap){position, (enum total_figure)i,
					stated, below.below.sum.figures[i]};
	}
	if (!w->depth || w->levels[w->depth - 1].depth != depth)
		*MEM_ADD(w->levels, w->depth, w->cap) =
			(struct totals_level){depth, {.below = below_nothing}};
	/* it is a child: added to its level's sums as the totals of a chain count it */
	level = &w->levels[w->depth - 1].children;
	counted = totals_count(&own, step.flags, &below.below);
	for (int i = 0; i < TOTAL_STATED; i++) {
		double counts = counted.own.figures[i];
		bool says = !isnan(counts) && counts != 0;

		level->silent[i] |= !says && (generation || below.silent[i]);
	}
	if (step.parent != NO_STEP) {
		parent = trace_step(c->trace, step.parent);
		above = totals_own(&parent);
	}
	below_add(&level->below, step.parent != NO_STEP ? &above : NULL, &own,
		&counted.whole);
}

/* Writes a figure rounded to 12 digits: 0.3, not 0.30000000000000004. */
static void add_figure(struct buf *out, double figure)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.12g", figure);
	json_write_number(out, strtod(digits, NULL));
}

/* "cost: 5 is stated, but its children have 6 in all" */
static void figure_message(struct buf *out, enum total_figure figure, double stated,
	double sum, const char *whose)
{
	static const char *const names[TOTAL_STATED] = {
		"input tokens", "output tokens", "cost"};

	buf_printf(out, "%s: ", names[figure]);
	add_figure(out, stated);
	buf_printf(out, " is stated, but %s have ", whose);
	add_figure(out, sum);
	buf_text(out, " in all");
}

/* ---- totals of the object around the steps ----
 *
 * {"total_cost": 1.2, "events": […]}: the trace does not keep them.  They are before or
 * after the array of steps, so a few kilobytes on either side are read again.  They are
 * compared only if the chain has all steps of that object and no others, since else they
 * are totals of something else.
 */

static const struct stated {
	enum total_figure figure;
	const char *key;
	const char *inner; /* the total is this member of the object at `key`; or NULL */
} stated[] = {
	{TOTAL_INPUT, "total_tokens_input", NULL},
	{TOTAL_INPUT, "total_input_tokens", NULL},
	{TOTAL_INPUT, "input_tokens", NULL},
	{TOTAL_INPUT, "total_tokens", "input"},
	{TOTAL_OUTPUT, "total_tokens_output", NULL},
	{TOTAL_OUTPUT, "total_output_tokens", NULL},
	{TOTAL_OUTPUT, "output_tokens", NULL},
	{TOTAL_OUTPUT, "total_tokens", "output"},
	{TOTAL_COST, "total_cost_usd", NULL},
	{TOTAL_COST, "total_cost", NULL},
};

static void read_bytes(struct trace *trace, uint64_t at, uint64_t n, struct buf *out)
{
	size_t most = n < AROUND ? (size_t)n : AROUND;

	buf_reserve(out, most);
	out->len += inputs_read(trace->inputs, at, out->data + out->len, most);
}

static size_t skip_space(const struct buf *text, size_t at)
{
	while (at < text->len && text->data[at] && strchr(" \t\r\n", text->data[at]))
		at++;
	return at;
}

static void compare_stated(struct check *c, const struct chain *chain, struct jv object,
	const struct children *steps)
{
	bool known[TOTAL_STATED] = {false};

	for (size_t i = 0; i < sizeof(stated) / sizeof(*stated); i++) {
		const struct stated *s = &stated[i];
		struct jv v = jv_member(object, s->key);
		struct buf path = BUF_INIT, message = BUF_INIT;
		double value;

		if (s->inner)
			v = jv_member(v, s->inner);
		value = fact_number(v);
		/* one that ends with the bytes that were read may be cut */
		if (isnan(value) || known[s->figure] ||
			(v.n && v.p + v.n == object.p + object.n))
			continue;
		known[s->figure] = true;
		if (!figure_differs(value, steps, (int)s->figure))
			continue;
		buf_text(&path, s->key);
		if (s->inner)
			buf_printf(&path, ".%s", s->inner);
		figure_message(&message, s->figure, value,
			steps->below.sum.figures[s->figure], "the steps");
		check_add(c,
			(struct finding){
				.rule = &rule_totals_differ,
				.severity = rule_totals_differ.severity,
				.step = NO_STEP,
				.chain = (uint32_t)(chain - c->trace->chains),
				.position = chain->first,
				.message_at = SIZE_MAX,
			},
			&path, &message);
	}
}

/* What the object around a chain's steps says of them, where the chain has all steps of
 * that object, and no others. */
static void check_stated(struct check *c, const struct totals_walk *w)
{
	const struct children *steps = &w->levels[0].children;
	struct trace *trace = c->trace;
	AUTO_BUF head = BUF_INIT, tail = BUF_INIT;
	uint32_t scope = w->chain->scope;
	uint64_t at = trace->scopes[scope].offset, first;
	size_t bracket, comma;
	struct step last;

	if (!trace->scopes[scope].chain || w->mixed ||
		w->last - w->first + 1 != w->chain->count ||
		(w->first && trace_step(trace, w->first - 1).scope == scope) ||
		(w->last + 1 < trace->count &&
			trace_step(trace, w->last + 1).scope == scope))
		return;
	first = trace_step(trace, w->first).offset;
	last = trace_step(trace, w->last);
	if (first <= at)
		return;
	read_bytes(trace, at, first - at, &head);
	compare_stated(c, w->chain, jv_parse(buf_view(&head)), steps);
	/* "]" and "," come before the members after the array of steps */
	read_bytes(trace, last.offset + last.length, AROUND, &tail);
	bracket = skip_space(&tail, 0);
	comma = skip_space(&tail, bracket + 1);
	if (comma >= tail.len || tail.data[bracket] != ']' || tail.data[comma] != ',')
		return;
	tail.data[comma] = '{';
	compare_stated(c, w->chain,
		jv_parse((struct str){tail.data + comma, tail.len - comma}), steps);
}

/* ---- the walk ---- */

bool rules_totals(struct check *c, const struct chain *chain)
{
	struct totals_walk w = {.chain = chain, .first = UINT32_MAX};
	bool stopped;

	c->gap_count = 0;
	stop_begin();
	for (size_t i = chain->first + chain->count;
		i > chain->first && !stop_wanted(STEP_WORK);)
		walk_step(c, &w, --i);
	stopped = stop_end();
	if (w.depth && !stopped)
		check_stated(c, &w);
	mem_free(w.levels);
	return !stopped;
}

void rules_gap(struct checked_step *v)
{
	static const char *const paths[TOTAL_STATED] = {
		"input_tokens", "output_tokens", "cost_usd"};
	struct check *c = v->check;

	while (c->gap_count && c->gaps[c->gap_count - 1].position <= v->position) {
		struct totals_gap gap = c->gaps[--c->gap_count];
		AUTO_BUF message = BUF_INIT;

		if (gap.position != v->position)
			continue;
		figure_message(&message, gap.figure, gap.own, gap.sum, "its children");
		finding_add(v, &rule_totals_differ,
			(struct finding_place){.inside = str_of(paths[gap.figure])}, "%s",
			message.data);
	}
}
