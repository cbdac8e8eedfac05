/*
 * What a chain adds up to: each shape of the rule by itself, then all of them together,
 * for random trees, against the rule as it is written down.
 */
#include "config.h"
#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>

#include "base/mem.h"
#include "import/load.h"
#include "json/json.h"
#include "trace/trace.h"

#include "loaded.h"

#define U         NAN
#define CALL      STEP_CALL
#define CONTAINER STEP_CONTAINER
#define TRACE     (STEP_CONTAINER | STEP_TRACE)
#define TIMED     STEP_TIMED

/* ---- models made by hand ---- */

struct row {
	const char *id, *parent; /* NULL: none */
	uint32_t flags;
	double input, output, cost, latency;
	double time; /* when it began, or was written; 0: in order */
};

#define ROWS_MOST 8

struct sample {
	const char *name;
	struct row rows[ROWS_MOST]; /* up to one without an id */
	double input, output, cost, latency;
};

static struct trace *new_model(void)
{
	struct trace *trace = trace_of_source(source_open_text("test", STR("{}")));

	trace_add_scope(trace, 0);
	return trace;
}

static void add_row(struct trace *trace, const struct row *r)
{
	struct step *s = trace_add(trace, 0, 10 * trace->count + 1, 5);

	s->timestamp = r->time > 0 ? r->time : (double)trace->count;
	s->trace_id = intern_add(&trace->texts, STR("t"));
	trace->scopes[0].first_trace_id = s->trace_id;
	s->parent_key = r->parent ? trace_key(str_of(r->parent)) : 0;
	s->flags = r->flags;
	s->input_tokens = r->input;
	s->output_tokens = r->output;
	s->cost = r->cost;
	s->latency = r->latency;
	trace_add_id(trace, trace_key(str_of(r->id)));
	trace_append(trace);
}

static struct trace *model_of_rows(const struct row *rows)
{
	struct trace *trace = new_model();

	for (size_t i = 0; i < ROWS_MOST && rows[i].id; i++)
		add_row(trace, &rows[i]);
	trace_arrange_run(trace, UINT64_MAX);
	trace_totals_run(trace, UINT64_MAX);
	return trace;
}

static bool is_same(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) < 1e-9;
}

static void expect_figures(const char *name, const struct totals *t, double input,
	double output, double cost, double latency)
{
	cr_expect(is_same(t->input_tokens, input) && is_same(t->output_tokens, output) &&
			  is_same(t->cost, cost) && is_same(t->latency, latency),
		"%s: %g>%g $%g %gs, not %g>%g $%g %gs", name, t->input_tokens,
		t->output_tokens, t->cost, t->latency, input, output, cost, latency);
}

/* What the steps add themselves is what the chain has. */
static void expect_parts(const char *name, const struct trace *trace)
{
	struct totals sum = totals_unknown;

	for (size_t i = 0; i < trace->order_count; i++) {
		struct totals t = trace_step_counted(trace, i);

		t.latency = NAN;
		totals_add(&sum, &t);
	}
	cr_expect_eq(sum.steps, trace->totals.steps, "%s", name);
	cr_expect_eq(sum.errors, trace->totals.errors, "%s", name);
	expect_figures(name, &trace->totals, sum.input_tokens, sum.output_tokens,
		sum.cost, trace->totals.latency);
}

static void expect_shapes(const struct sample *shapes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct sample *s = &shapes[i];
		struct trace *trace = model_of_rows(s->rows);

		cr_assert_eq(trace->chain_count, 1);
		expect_figures(s->name, &trace->chains[0].totals, s->input, s->output,
			s->cost, s->latency);
		expect_parts(s->name, trace);
		trace_free(trace);
	}
}

#define EXPECT_SHAPES(shapes) expect_shapes(shapes, sizeof(shapes) / sizeof(*(shapes)))

Test(totals, of_calls)
{
	static const struct sample shapes[] = {
		{"a sub-agent's call below a call",
			{{"a", NULL, CALL, 100, 10, 1, 5, 0},
				{"b", "a", CONTAINER, U, U, U, 3, 0},
				{"c", "b", CALL, 20, 2, 0.25, 3, 0}},
			120, 12, 1.25, 5},
		{"a call that says the sum of those below it",
			{{"a", NULL, CALL, 70, 7, 0.7, 5, 0},
				{"b", "a", CALL, 40, 4, 0.4, 3, 0},
				{"c", "a", CALL, 30, 3, 0.3, 3, 0}},
			70, 7, 0.7, 5},
		{"a sub-agent's call with the tokens of the turn above it",
			{{"a", NULL, CALL | STEP_TURN, 100, 10, 1, 5, 0},
				{"b", "a", CALL | STEP_TURN, 100, 10, 1, 3, 0}},
			200, 20, 2, 5},
		{"the call below says the tokens of the one above",
			{{"a", NULL, CALL, 100, 10, 1, 5, 0},
				{"b", "a", CALL, 100, 10, 1, 3, 0}},
			100, 10, 1, 5},
		{"a call without figures above one that has them",
			{{"a", NULL, CALL, U, U, U, U, 0},
				{"b", "a", CALL, 7, 1, 0.5, 2, 0}},
			7, 1, 0.5, 2},
		{"nobody says anything",
			{{"a", NULL, CALL, U, U, U, U, 0},
				{"b", "a", CALL, U, U, U, U, 0}},
			U, U, U, U},
	};

	EXPECT_SHAPES(shapes);
}

Test(totals, of_containers)
{
	static const struct sample shapes[] = {
		{"generateText around its doGenerate",
			{{"a", NULL, CONTAINER, 41, 9, 0.5, 2, 0},
				{"b", "a", CALL, 41, 9, 0.5, 1.5, 0}},
			41, 9, 0.5, 2},
		{"what is said of two calls is a little less than they are",
			{{"a", NULL, CONTAINER, 90, 9, 0.5, 2, 0},
				{"b", "a", CALL, 41, 4, 0.3, 1, 0},
				{"c", "a", CALL, 50, 6, 0.4, 1, 0}},
			91, 10, 0.7, 2},
		{"children without figures",
			{{"a", NULL, CONTAINER, 90, 9, 0.5, 2, 0},
				{"b", "a", CALL, U, U, U, 1, 0},
				{"c", "a", 0, U, U, U, 1, 0}},
			90, 9, 0.5, 2},
		{"the cost is known of the whole alone",
			{{"a", NULL, CONTAINER, U, U, 0.5, U, 0},
				{"b", "a", CALL, 41, 4, U, 1, 0},
				{"c", "a", CALL, 50, 6, U, 1, 0}},
			91, 10, 0.5, 2},
		{"a turn with a sub-agent below it, whose own call says nothing",
			{{"a", NULL, CONTAINER, 90, 9, 0.5, 2, 0},
				{"b", "a", CALL, U, U, U, 1, 0},
				{"c", "a", CONTAINER, 50, 6, 0.25, 1, 0},
				{"d", "c", CALL, U, U, U, 1, 0}},
			90, 9, 0.5, 2},
		{"0 is no figure",
			{{"a", NULL, CONTAINER, 90, 0, 0.5, 0, 0},
				{"b", "a", CALL, 0, 4, 0, 1, 0}},
			90, 4, 0.5, 1},
		{"a container in a container",
			{{"a", NULL, CONTAINER, 41, 9, 0.5, 2, 0},
				{"b", "a", CONTAINER, 41, 9, U, 2, 0},
				{"c", "b", CALL, 41, 9, U, 1, 0}},
			41, 9, 0.5, 2},
	};

	EXPECT_SHAPES(shapes);
}

Test(totals, of_what_is_not_known)
{
	static const struct sample shapes[] = {
		{"the sum of its children",
			{{"a", NULL, 0, 91, 10, 0.7, 2, 0},
				{"b", "a", 0, 41, 4, 0.3, 1, 0},
				{"c", "a", 0, 50, 6, 0.4, 1, 0}},
			91, 10, 0.7, 2},
		{"their sum but for rounding",
			{{"a", NULL, 0, 91, 10, 0.33, 2, 0},
				{"b", "a", 0, 41, 4, 0.1111, 1, 0},
				{"c", "a", 0, 50, 6, 0.2222, 1, 0}},
			91, 10, 0.3333, 2},
		{"one token more than their sum is its own",
			{{"a", NULL, 0, 92, 10, U, 2, 0}, {"b", "a", 0, 41, 4, U, 1, 0},
				{"c", "a", 0, 50, 6, U, 1, 0}},
			183, 20, U, 2},
		{"the usage of one child",
			{{"a", NULL, 0, 50, 6, U, 2, 0}, {"b", "a", 0, 41, 4, 0.3, 1, 0},
				{"c", "a", 0, 50, 6, 0.4, 1, 0}},
			91, 10, 0.7, 2},
		{"the usage of what holds a child",
			{{"a", NULL, 0, 50, 6, U, 2, 0}, {"b", "a", 0, U, U, U, 1, 0},
				{"c", "b", CALL, 50, 6, U, 1, 0},
				{"d", "a", CALL, 3, 1, U, 1, 0}},
			53, 7, U, 2},
		{"the usage of a child that has calls below it",
			{{"a", NULL, 0, 50, 6, U, 2, 0}, {"b", "a", CALL, 50, 6, U, 1, 0},
				{"c", "b", CALL, 3, 1, U, 1, 0}},
			53, 7, U, 2},
		{"half the usage of a child is not that",
			{{"a", NULL, 0, 50, 6, U, 2, 0},
				{"b", "a", CALL, 50, 7, U, 1, 0}},
			100, 13, U, 2},
		{"no tokens are no usage",
			{{"a", NULL, 0, U, U, 0.5, 2, 0},
				{"b", "a", CALL, U, U, 0.25, 1, 0}},
			U, U, 0.75, 2},
		{"usage of its own",
			{{"a", NULL, 0, 100, 10, 1, 5, 0},
				{"b", "a", 0, 20, 2, 0.25, 3, 0}},
			120, 12, 1.25, 5},
		{"figures that no child has",
			{{"a", NULL, 0, 100, 10, 1, 5, 0}, {"b", "a", 0, U, U, U, 3, 0}},
			100, 10, 1, 5},
	};

	EXPECT_SHAPES(shapes);
}

Test(totals, with_a_trace_event)
{
	static const struct sample shapes[] = {
		{"the trace is the parent, its event comes later",
			{{"a", "t", CALL, 41, 9, 0.5, 3, 0},
				{"x", NULL, TRACE, U, U, U, 4, 0}},
			41, 9, 0.5, 4},
		{"the trace is the parent, and has no event",
			{{"a", "t", CALL, 41, 9, 0.5, 3, 0},
				{"b", "t", CALL, 1, 1, 0.5, 3, 0}},
			42, 10, 1, 6},
		{"without a parent",
			{{"a", NULL, CALL, 41, 9, 0.5, 3, 0},
				{"x", NULL, TRACE, 41, 9, 0.5, 4, 0},
				{"b", NULL, CALL, 2, 1, 0.5, 3, 0}},
			43, 10, 1, 4},
		{"an orphan is not the trace's",
			{{"a", "t", CALL, 41, 9, 0.5, 3, 0},
				{"x", NULL, TRACE, 41, 9, 0.5, 4, 0},
				{"b", "nobody", CALL, 2, 1, 0.5, 3, 0}},
			43, 10, 1, 7},
		{"it names itself",
			{{"a", "t", CALL, 41, 9, 0.5, 3, 0},
				{"x", "t", TRACE, 41, 9, 0.5, 4, 0}},
			41, 9, 0.5, 4},
		{"all that is known", {{"x", NULL, TRACE, 41, 9, 0.5, 4, 0}}, 41, 9, 0.5,
			4},
	};

	EXPECT_SHAPES(shapes);
}

Test(totals, of_time)
{
	static const struct sample shapes[] = {
		{"roots after one another: what stands between them counts",
			{{"a", NULL, TIMED, U, U, U, 2, 1e9},
				{"b", NULL, TIMED, U, U, U, 3, 1e9 + 10}},
			U, U, U, 13},
		{"roots beside one another",
			{{"a", NULL, TIMED, U, U, U, 9, 1e9},
				{"b", NULL, TIMED, U, U, U, 3, 1e9 + 1}},
			U, U, U, 9},
		{"a child that ends behind its parent",
			{{"a", NULL, TIMED, U, U, U, 2, 1e9},
				{"b", "a", TIMED, U, U, U, 3, 1e9 + 1}},
			U, U, U, 4},
		{"a root that does not say when it began",
			{{"a", NULL, TIMED, U, U, U, 2, 1e9},
				{"b", NULL, 0, U, U, U, 3, 1e9 + 10}},
			U, U, U, 5},
		{"a child that does not say when it began",
			{{"a", NULL, TIMED, U, U, U, 2, 1e9},
				{"b", "a", 0, U, U, U, 1, 1e9},
				{"c", NULL, TIMED, U, U, U, 3, 1e9 + 10}},
			U, U, U, 13},
		{"a root that takes no time of its own",
			{{"a", NULL, CONTAINER, U, U, U, U, 1e9},
				{"b", "a", TIMED, U, U, U, 3, 1e9},
				{"c", "a", TIMED, U, U, U, 3, 1e9 + 1}},
			U, U, U, 4},
		{"timestamps that may be ends",
			{{"a", NULL, 0, U, U, U, 2, 1e9},
				{"b", NULL, 0, U, U, U, 3, 1e9 + 10}},
			U, U, U, 5},
		{"a clock at zero counts for nothing",
			{{"a", NULL, TIMED, U, U, U, 2, 5},
				{"b", NULL, TIMED, U, U, U, 3, 1e9 + 10}},
			U, U, U, 3},
		{"none has a date: they are of one clock",
			{{"a", NULL, TIMED, U, U, U, 2, 5},
				{"b", NULL, TIMED, U, U, U, 3, 7}},
			U, U, U, 5},
		{"nothing takes time",
			{{"a", NULL, TIMED, U, U, U, U, 1e9},
				{"b", NULL, TIMED, U, U, U, U, 1e9}},
			U, U, U, U},
	};

	EXPECT_SHAPES(shapes);
}

/* ---- what a list shows ---- */

Test(totals, shown_for_a_step)
{
	static const struct row rows[ROWS_MOST] = {
		{"a", NULL, CONTAINER, 90, U, 0.5, 2, 0},
		{"b", "a", CALL, 41, 4, U, 1, 0},
		{"c", "b", CALL, 50, 6, 0.25, 1, 0},
		{"d", NULL, 0, 7, U, U, U, 0},
		{"e", "d", 0, 7, 1, 0.5, 3, 0},
	};
	struct trace *trace = model_of_rows(rows);
	static const struct totals want[] = {
		{1, 0, {{91, 10, 0.5, 2, U, U}}}, /* all below it, and the rest */
		{1, 0,
			{{41, 4, 0.25, 1, U,
				U}}}, /* its own; the cost that it does not say */
		{1, 0, {{50, 6, 0.25, 1, U, U}}},
		{1, 0, {{7, 1, 0.5, 3, U, U}}},
		{1, 0, {{7, 1, 0.5, 3, U, U}}},
	};

	trace_flag(trace, 4, STEP_ERROR);
	trace_totals_run(trace, UINT64_MAX);
	cr_expect_eq(trace->totals.errors, 1);
	for (size_t i = 0; i < trace->order_count; i++) {
		struct totals t = trace_step_totals(trace, i);

		cr_expect(t.steps == 1 && t.errors == (i == 4));
		expect_figures(rows[i].id, &t, want[i].input_tokens,
			want[i].output_tokens, want[i].cost, want[i].latency);
	}
	trace_free(trace);
}

static double latency_shown(const struct row *rows, size_t position)
{
	struct trace *trace = model_of_rows(rows);
	struct totals t = trace_step_totals(trace, position);

	trace_free(trace);
	return t.latency;
}

/* A step that does not say what it took took what passed below it. */
Test(totals, time_of_children)
{
	static const struct row beside[ROWS_MOST] = {
		{"a", NULL, CONTAINER, U, U, U, U, 0},
		{"b", "a", CALL | TIMED, U, U, U, 5, 1e9},
		{"c", "a", CALL | TIMED, U, U, U, 3, 1e9 + 1},
		{"d", "a", CALL | TIMED, U, U, U, 1, 1e9 + 7},
	};
	static const struct row deeper[ROWS_MOST] = {
		{"a", NULL, CONTAINER, U, U, U, U, 0},
		{"b", "a", CONTAINER, U, U, U, U, 0},
		{"c", "b", CALL | TIMED, U, U, U, 3, 1e9},
		{"d", "b", CALL | TIMED, U, U, U, 3, 1e9},
		{"e", "a", CALL | TIMED, U, U, U, 2, 1e9 + 2},
	};
	static const struct row written[ROWS_MOST] = {
		{"a", NULL, CONTAINER, U, U, U, U, 0},
		{"b", "a", CALL, U, U, U, 5, 1e9},
		{"c", "a", CALL | TIMED, U, U, U, 3, 1e9},
	};

	cr_expect(is_same(latency_shown(beside, 0), 8));
	cr_expect(is_same(latency_shown(deeper, 0), 4));
	cr_expect(is_same(latency_shown(deeper, 1), 3));
	cr_expect(is_same(latency_shown(written, 0), 8), "when b began is not known");
}

/* ---- the tree ---- */

Test(totals, where_the_trace_is_the_parent)
{
	static const struct row rows[ROWS_MOST] = {
		{"a", "t", CALL, U, U, U, U, 0},
		{"b", "a", CONTAINER, U, U, U, U, 0},
		{"x", "t", TRACE, U, U, U, U, 0},
		{"y", "t", TRACE, U, U, U, U, 0},
	};
	struct trace *trace = model_of_rows(rows);

	cr_expect_eq(trace_step(trace, 0).parent, 2);
	cr_expect_eq(trace_step(trace, 1).parent, 0);
	cr_expect_eq(trace_step(trace, 2).parent, NO_STEP);
	cr_expect_eq(trace_step(trace, 3).parent, 2, "the first holds");
	for (size_t i = 0; i < trace->count; i++)
		cr_expect(!(trace_step(trace, i).flags & (STEP_ORPHAN | STEP_CYCLE)));
	trace_free(trace);
}

/* The chain is called otherwise than its steps call their trace. */
Test(totals, where_the_steps_own_trace_is_the_parent)
{
	static const struct row row = {"a", "t", CALL, U, U, U, U, 0};
	struct trace *trace = new_model();

	trace->scopes[0].trace_id = intern_add(&trace->texts, STR("other"));
	add_row(trace, &row);
	trace_arrange_run(trace, UINT64_MAX);
	cr_expect(!(trace_step(trace, 0).flags & STEP_ORPHAN));
	trace_free(trace);
}

/* ---- read from a file ---- */

Test(totals, kinds_by_event)
{
	static const char text[] =
		"[{'id':'a','event':'$ai_generation'},{'id':'b','event':'ai_generation'},"
		"{'id':'c','event':'$ai_embedding'},{'id':'d','event':'$ai_span'},"
		"{'id':'e','event':'ai_span'},{'id':'f','event':'$ai_trace'},"
		"{'id':'g','event':'$ai_metric'},{'id':'h','event':'sent'},{'id':'i'}]";
	static const uint32_t want[] = {
		CALL, CALL, CALL, CONTAINER, CONTAINER, TRACE, 0, 0, 0};
	struct loaded x = load_quoted(text);
	struct trace *trace = x.trace;

	cr_assert_eq(trace->count, sizeof(want) / sizeof(*want));
	for (size_t i = 0; i < trace->count; i++)
		cr_expect_eq(trace_flags(trace, i) & (CALL | TRACE | STEP_TIMED), want[i],
			"step %zu", i);
	unload(&x);
}

Test(totals, of_a_trace_as_posthog_writes_it)
{
	static const char text[] =
		"[{'event':'$ai_generation','timestamp':'2026-01-01T00:00:03Z',"
		"'properties':{'$ai_trace_id':'t','$ai_span_id':'g','$ai_parent_id':'t',"
		"'$ai_latency':3,'$ai_input_tokens':10}},"
		"{'event':'$ai_span','timestamp':'2026-01-01T00:00:09Z',"
		"'properties':{'$ai_trace_id':'t','$ai_span_id':'s','$ai_parent_id':'g',"
		"'$ai_latency':0}},"
		"{'event':'$ai_trace','timestamp':'2026-01-01T00:00:09Z',"
		"'properties':{'$ai_trace_id':'t','$ai_latency':3.5}}]";
	struct loaded x = load_quoted(text);
	struct trace *trace = x.trace;

	expect_figures("trace", &trace->totals, 10, U, U, 3.5);
	cr_expect_eq(trace_step(trace, 0).parent, 2);
	cr_expect_eq(trace_step(trace, 1).parent, 0);
	unload(&x);
}

/* ---- random trees ---- */

#define STEPS 120u

static uint32_t state;

static uint32_t below_n(uint32_t n)
{
	state = state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

static double some_figure(uint32_t n)
{
	return below_n(3) ? (double)below_n(n) : U;
}

static struct trace *random_model(uint32_t seed)
{
	static const uint32_t kinds[] = {0, 0, CALL, CONTAINER};
	struct trace *trace = new_model();

	state = seed * 2654435761u + 1;
	while (trace->count < STEPS) {
		char id[16], parent[16];
		uint32_t n = (uint32_t)trace->count;
		struct row r = {id, n && below_n(8) ? parent : NULL, kinds[below_n(4)],
			some_figure(4), some_figure(3), some_figure(3) / 4,
			some_figure(5), 0};

		snprintf(id, sizeof(id), "i%u", n);
		snprintf(parent, sizeof(parent), "i%u", n ? below_n(n) : 0);
		add_row(trace, &r);
	}
	trace_arrange_run(trace, UINT64_MAX);
	return trace;
}

/* Recursively: what a step and all below it come to. */
static struct totals truth(const struct trace *trace, uint32_t step)
{
	struct step s = trace_step(trace, step);
	struct totals own = totals_own(&s), above = own;
	struct below b = below_nothing;

	for (uint32_t i = 0; i < trace->count; i++) {
		struct step child = trace_step(trace, i);
		struct totals said, whole;

		if (child.parent != step)
			continue;
		said = totals_own(&child);
		whole = truth(trace, i);
		below_add(&b, &above, &said, &whole);
	}
	return totals_count(&own, s.flags, &b).whole;
}

Test(totals, of_random_trees, .timeout = 120)
{
	for (uint32_t seed = 0; seed < 40; seed++) {
		struct trace *trace = random_model(seed);
		struct totals sum = totals_unknown;
		char name[32];

		snprintf(name, sizeof(name), "seed %u", seed);
		for (uint32_t i = 0; i < trace->count; i++)
			if (trace_step(trace, i).parent == NO_STEP) {
				struct totals t = truth(trace, i);

				totals_add(&sum, &t);
			}
		while (trace_totals_run(trace, 0) == TASK_MORE)
			;
		expect_figures(name, &trace->totals, sum.input_tokens, sum.output_tokens,
			sum.cost, sum.latency);
		expect_parts(name, trace);
		trace_free(trace);
	}
}
