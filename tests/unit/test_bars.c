/*
 * Bars, the axis of time, and the scale they are drawn by: geometry for figures that make
 * sense and for those that do not, ticks as a table, and traces with the periods that
 * must come out of them.
 */
#include "config.h"
#include <criterion/criterion.h>

#include <inttypes.h>
#include <locale.h>
#include <math.h>

#include "base/mem.h"
#include "base/sort.h"
#include "import/load.h"
#include "text/safe.h"
#include "view/cells.h"
#include "view/facts.h"
#include "view/steps.h"
#include "view/chain_bars.h"

#include "loaded.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static void utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
}

static void ascii(void)
{
	setlocale(LC_ALL, "C");
	safe_init();
}

TestSuite(bars, .init = utf8);
TestSuite(ascii, .init = ascii);

/* ---- geometry ---- */

static void expect_bar(struct bar b, const char *expected, uint32_t cells)
{
	struct lines out = {0};
	struct buf text = BUF_INIT;

	lines_begin(&out);
	bar_put(&out, ROLE_TIME, BAR_SOLID, b, 0, cells);
	lines_plain(&out, 0, &text);
	cr_expect_eq(out.lines[0].width, cells);
	cr_expect_eq(safe_width(buf_view(&text)), cells);
	cr_expect_str_eq(text.data ? text.data : "", expected);
	buf_done(&text);
	lines_done(&out);
}

Test(bars, shares)
{
	static const struct {
		double value, most;
		uint32_t cells;
		const char *bar;
	} rows[] = {
		{1, 1, 4, "████"},
		{2, 1, 4, "████"},
		{1, 2, 4, "██  "},
		{1, 16, 4, "▎   "},
		{1, 1e9, 4, "▏   "},
		{1e-300, 1e300, 4, "▏   "},
		{5, 32, 4, "▋   "},
		{31, 32, 4, "███▉"},
		{0, 1, 4, "    "},
		{-3, 1, 4, "    "},
		{NAN, 1, 4, "    "},
		{1, NAN, 4, "    "},
		{1, 0, 4, "    "},
		{1, -1, 4, "    "},
		{INFINITY, INFINITY, 4, "████"},
		{1, INFINITY, 4, "▏   "},
		{1, 1, 1, "█"},
		{1, 9, 1, "▏"},
		{1, 1, 0, ""},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		expect_bar(bar_of_share(rows[i].value, rows[i].most, rows[i].cells),
			rows[i].bar, rows[i].cells);
}

Test(bars, periods)
{
	static const struct {
		struct period p, shown;
		const char *bar; /* eight cells */
	} rows[] = {
		{{0, 8}, {0, 8}, "████████"},
		{{0, 1}, {0, 8}, "█       "},
		{{7, 8}, {0, 8}, "       █"},
		{{2, 4}, {0, 8}, "  ██    "},
		{{2.5, 4}, {0, 8}, "  ▐█    "},
		{{2.875, 4}, {0, 8}, "  ▕█    "},
		{{2.125, 4}, {0, 8}, "  ██    "},
		{{2, 3.25}, {0, 8}, "  █▎    "},
		{{2.25, 2.375}, {0, 8}, "  ▏     "},
		{{2.75, 2.875}, {0, 8}, "  ▕     "},
		{{3, 3}, {0, 8}, "   ▏    "},
		{{8, 8}, {0, 8}, "       ▕"},
		{{0, 0}, {0, 8}, "▏       "},
		{{3, 3.0000001}, {0, 8}, "   ▏    "},
		{{-4, 2}, {0, 8}, "██      "},
		{{6, 400}, {0, 8}, "      ██"},
		{{-5, 99}, {0, 8}, "████████"},
		{{-5, -1}, {0, 8}, "        "},
		{{9, 10}, {0, 8}, "        "},
		{{NAN, NAN}, {0, 8}, "        "},
		{{1, 2}, {NAN, NAN}, "        "},
		{{5, 5}, {5, 5}, "▏       "},
		{{1756e6, 1756e6}, {0, 253402300799.0}, "▏       "},
		{{-1e300, 1e300}, {-1e300, 1e300}, "████████"},
		{{-1e308, 1e308}, {-1e308, 1e308}, "▏       "},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		expect_bar(bar_of_period(rows[i].p, rows[i].shown, 8), rows[i].bar, 8);
}

/* Whatever the figures, a bar lies in its cells and something of it is seen. */
Test(bars, never_wider)
{
	static const double odd[] = {-1e308, -4e9, -1, -0.0, 0, 1e-300, 1e-9, 0.5, 1, 7,
		1e9, 1756e6, 253402300799.0, 1e300, 1e308, INFINITY};

	for (uint32_t cells = 1; cells < 70; cells += 3)
		for (size_t i = 0; i < COUNT(odd) * COUNT(odd); i++) {
			struct period p = {0, odd[i % COUNT(odd)]};
			struct period shown = {0, odd[i / COUNT(odd)]};
			struct bar b = bar_of_period(p, shown, cells);

			cr_assert(b.from <= b.to && b.to <= cells * BAR_CELL);
			cr_assert(bar_end(b) <= cells);
			if (p.end >= 0 && shown.end >= 0)
				cr_assert(b.to > b.from, "%g of %g", p.end, shown.end);
			b = bar_of_share(p.end, shown.end, cells);
			cr_assert(bar_end(b) <= cells);
			cr_assert_eq(b.to > 0, p.end > 0 && shown.end > 0);
		}
}

Test(bars, a_part_of_the_row)
{
	struct lines out = {0};
	struct buf text = BUF_INIT;

	bar_put(&out, ROLE_TIME, BAR_SOLID, (struct bar){8, 40}, 3, 8);
	bar_put(&out, ROLE_TIME, BAR_LINE, (struct bar){0, 12}, 0, 4);
	bar_put(&out, ROLE_TIME, BAR_SOLID, (struct bar){40, 48}, 0, 2);
	lines_plain(&out, 0, &text);
	cr_expect_str_eq(text.data, "██   ━━    ");
	cr_expect_eq(out.lines[0].width, 11);
	buf_done(&text);
	lines_done(&out);
}

Test(ascii, signs)
{
	expect_bar(bar_of_period((struct period){2, 4.5}, (struct period){0, 8}, 8),
		"  ### ", 6);
	expect_bar(bar_of_period((struct period){2.75, 3.125}, (struct period){0, 8}, 8),
		"  --", 4);
	expect_bar(bar_of_share(1, 100, 3), "-  ", 3);
}

/* ---- the axis ---- */

Test(bars, ticks)
{
	static const struct {
		double seconds, most, step;
	} rows[] = {
		{1, 10, 0.1},
		{1, 4, 0.5},
		{1.2, 10, 0.2},
		{0.003, 10, 0.0005},
		{10, 10, 1},
		{10.5, 10, 2},
		{47, 10, 5},
		{60, 10, 10},
		{100, 8, 15},
		{120, 5, 30},
		{300, 5, 60},
		{3600, 6, 600},
		{3600, 4, 900},
		{7200, 5, 1800},
		{86400, 10, 10800},
		{86400, 2, 43200},
		{86400 * 7, 10, 86400},
		{86400 * 30, 10, 86400 * 5},
		{86400 * 365, 10, 86400 * 50},
		{86400 * 3652425.0, 10, 86400 * 500000.0},
		{8, 0, 10},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		double step = axis_step(rows[i].seconds, rows[i].most);

		cr_expect(
			fabs(step - rows[i].step) < 1e-9 * step, "row %zu: %g", i, step);
	}
}

Test(bars, labels)
{
	static const struct {
		double seconds, step;
		const char *label;
	} rows[] = {
		{0, 1, "0"},
		{3, 1, "3s"},
		{0.5, 0.5, "500ms"},
		{1.5, 0.5, "1.5s"},
		{0.0015, 0.0005, "1.5ms"},
		{2.25, 0.05, "2.25s"},
		{60, 30, "1m00s"},
		{90, 30, "1m30s"},
		{120, 60, "2m"},
		{61.5, 0.5, "1m01.5s"},
		{3600, 1800, "1h00m"},
		{5400, 1800, "1h30m"},
		{7200, 3600, "2h"},
		{86400, 3600, "1d00h"},
		{90000, 3600, "1d01h"},
		{86400 * 3, 86400, "3d"},
		{-2, 1, "-2s"},
		{86400 * 5e7, 86400 * 1e7, "5e+07d"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf text = BUF_INIT;

		axis_label(&text, rows[i].seconds, rows[i].step);
		cr_expect_str_eq(text.data, rows[i].label);
		buf_done(&text);
	}
}

static void expect_axis(struct period shown, double zero, uint32_t cells, const char *row)
{
	struct lines out = {0};
	struct buf text = BUF_INIT;

	lines_begin(&out);
	axis_put(&out, shown, zero, cells);
	lines_plain(&out, 0, &text);
	cr_expect_eq(out.lines[0].width, cells);
	cr_expect_str_eq(text.data ? text.data : "", row);
	buf_done(&text);
	lines_done(&out);
}

Test(bars, axis)
{
	expect_axis((struct period){100, 104}, 100, 40,
		"│0        │1s       │2s       │3s       ");
	expect_axis((struct period){101.5, 103.5}, 100, 40,
		"│1.5s     │2.0s     │2.5s     │3.0s     ");
	expect_axis((struct period){5, 5}, 5, 12, "│0          ");
	expect_axis((struct period){-1e308, 1e308}, 0, 12, "│0          ");
	expect_axis((struct period){0, 4}, 0, 1, "│");
	expect_axis((struct period){0, 4}, 0, 0, "");
}

/* ---- the scale ---- */

/* Events, one a line, with ' for ". */
static struct trace *events(const char *lines)
{
	struct buf text = BUF_INIT;
	struct trace *trace;

	buf_text(&text, lines);
	for (size_t i = 0; i < text.len; i++)
		if (text.data[i] == '\'')
			text.data[i] = '"';
	trace = model_of(buf_view(&text));
	buf_done(&text);
	return trace;
}

#define EVENT(rest) "{'event':'$ai_generation','input_tokens':1," rest "}\n"

/* "start..end" relative to a time; "-" for an unknown one. */
static void expect_period(struct period p, double zero, const char *expected)
{
	struct buf text = BUF_INIT;

	if (period_is_known(p))
		buf_printf(&text, "%g..%g", p.start - zero, p.end - zero);
	else
		buf_byte(&text, '-');
	cr_expect_str_eq(text.data, expected);
	buf_done(&text);
}

struct scale_row {
	const char *events;
	double zero;
	const char *chain;
	const char *steps[4]; /* by position */
};

static void expect_scale(const struct scale_row *row)
{
	struct trace *trace = events(row->events);
	struct scale s = {0};

	cr_expect_eq(scale_run(&s, trace, UINT64_MAX), TASK_DONE);
	cr_expect(scale_is_ready(&s, trace));
	expect_period(scale_chain_period(&s, 0), row->zero, row->chain);
	for (size_t i = 0; i < 4 && row->steps[i]; i++)
		expect_period(scale_step_period(&s, trace, i), row->zero, row->steps[i]);
	scale_done(&s);
	trace_free(trace);
}

Test(scale, periods)
{
	static const struct scale_row rows[] = {
		/* in a row, and beside each other */
		{EVENT("'timestamp':1700000000,'latency':2")
				EVENT("'timestamp':1700000001,'latency':'500ms'")
					EVENT("'timestamp':1700000004"),
			1700000000, "0..4", {"0..2", "1..1.5", "4..4"}},
		/* no time, or not of all */
		{EVENT("'latency':2"), 0, "-", {"-"}},
		{EVENT("'latency':2") EVENT("'timestamp':1700000001,'latency':2"),
			1700000000, "1..3", {"-", "1..3"}},
		/* zero, year 9999 and skew: no dates beside one */
		{EVENT("'timestamp':0,'latency':1")
				EVENT("'timestamp':1700000003,'latency':1")
					EVENT("'timestamp':'9999-12-31T00:00:00Z'"),
			1700000000, "3..4", {"-", "3..4", "-"}},
		/* without any date they are what there is */
		{EVENT("'timestamp':0,'latency':1") EVENT("'timestamp':3"), 0, "0..3",
			{"0..1", "3..3"}},
		/* the end before the start; a life */
		{EVENT("'timestamp':1700000001,'latency':-5")
				EVENT("'timestamp':1700000002,'latency':1e300"),
			1700000000, "1..2", {"1..1", "2..2"}},
		/* a parent holds itself and its children, be they outside */
		{EVENT("'id':'a','timestamp':1700000001,'latency':1")
				EVENT("'id':'b','parent_id':'a','timestamp':1700000000,"
				      "'latency':'500ms'")
					EVENT("'id':'c','parent_id':'a','timestamp':"
					      "1700000003,'latency':4"),
			1700000000, "0..7", {"0..7", "0..0.5", "3..7"}},
		/* a parent without a time has its children's, at any depth */
		{EVENT("'id':'a'") EVENT("'id':'b','parent_id':'a'")
				EVENT("'id':'c','parent_id':'b','timestamp':1700000003,"
				      "'latency':4"),
			1700000000, "3..7", {"3..7", "3..7", "3..7"}},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		expect_scale(&rows[i]);
}

/* Where they are written when a step is over. */
Test(scale, timestamps_at_the_end)
{
	struct trace *trace = events(EVENT("'timestamp':1700000005,'latency':2")
			EVENT("'timestamp':1700000009,'latency':3") EVENT("'timestamp':"
									  "1700000011"));
	struct scale s = {0};

	cr_expect_eq(scale_run(&s, trace, UINT64_MAX), TASK_DONE);
	scale_stamps(&s, true);
	cr_expect_not(scale_is_ready(&s, trace));
	cr_expect_eq(scale_run(&s, trace, UINT64_MAX), TASK_DONE);
	expect_period(scale_chain_period(&s, 0), 1700000000, "3..11");
	expect_period(scale_step_period(&s, trace, 1), 1700000000, "6..9");
	expect_period(scale_step_period(&s, trace, 2), 1700000000, "11..11");
	scale_done(&s);
	trace_free(trace);
}

Test(scale, most_of_steps_and_chains)
{
	struct trace *trace = events(
		EVENT("'id':'a','trace_id':'x','timestamp':1700000000,'latency':9")
			EVENT("'id':'b','parent_id':'a','trace_id':'x','total_cost':2")
				EVENT("'id':'c','parent_id':'a','trace_id':'x',"
				      "'total_cost':3")
					EVENT("'trace_id':'y','timestamp':1700000000,"
					      "'total_cost':10,'output_tokens':7"));
	struct scale s = {0};

	trace_totals_run(trace, UINT64_MAX);
	cr_expect_eq(scale_run(&s, trace, UINT64_MAX), TASK_DONE);
	cr_assert_eq(s.chain_count, 2);
	cr_expect_eq(s.chains[0].cost, 5); /* of the parent: what its children cost */
	cr_expect_eq(s.most[MEASURE_COST], 10);
	cr_expect_eq(s.most[MEASURE_TIME], 9);
	cr_expect_eq(s.most[MEASURE_TOKENS], 8);
	cr_expect(scale_is_parent(&s, 0));
	cr_expect_not(scale_is_parent(&s, 1));
	cr_expect_eq(scale_chain_bar(&s, trace, 0, MEASURE_COST, 4).to, 16);
	cr_expect_eq(scale_chain_bar(&s, trace, 1, MEASURE_COST, 4).to, 32);
	cr_expect_eq(scale_step_bar(&s, trace, 1, MEASURE_COST, 10).to, 32);
	cr_expect_eq(scale_step_bar(&s, trace, 0, MEASURE_COST, 10).to, 80);
	cr_expect_eq(scale_step_bar(&s, trace, 0, MEASURE_OFF, 10).to, 0);
	scale_done(&s);
	trace_free(trace);
}

#define MANY 1000000u

static struct step *add_step(struct trace *trace, double at)
{
	struct step *s = trace_add(trace, 0, 0, 1);

	s->timestamp = 1700000000 + at;
	s->latency = 0.5;
	return s;
}

/* A list that grows: the walk goes on where it was, and a slice is only a slice. */
Test(scale, a_million_steps_that_grow)
{
	struct trace *trace = trace_of_source(source_open_text("test", STR("[]")));
	struct scale s = {0};
	size_t slices = 0, before = 0;

	trace_add_scope(trace, 0);
	for (size_t i = 0; i < MANY; i++) {
		add_step(trace, (double)i);
		trace_append(trace);
	}
	cr_assert_eq(trace->order_count, MANY);
	while (scale_run(&s, trace, 0) == TASK_MORE) {
		cr_assert(s.at > before && s.at - before <= 1024);
		before = s.at;
		slices++;
	}
	cr_expect(slices > 100);
	expect_period(scale_chain_period(&s, 0), 1700000000, "0..1e+06");
	cr_expect_eq(s.parent_count, 0);
	add_step(trace, MANY + 9.5);
	trace_append(trace);
	cr_expect_not(scale_is_ready(&s, trace));
	cr_expect_eq(scale_run(&s, trace, 0), TASK_DONE); /* one step, not a million */
	cr_expect_eq(scale_chain_period(&s, 0).end, 1700000000.0 + MANY + 10);
	scale_done(&s);
	trace_free(trace);
}

/* ---- the few greatest ---- */

Test(top, keeps_the_first_of_equals)
{
	static const double values[] = {1, 5, NAN, 3, 5, 2, 9, 0, 5, -1, 4};
	static const size_t order[] = {6, 1, 4, 8, 10};
	struct top_n t = {0};

	for (size_t i = 0; i < COUNT(values); i++)
		top_n_add(&t, values[i], i);
	cr_assert_eq(t.count, TOP_MOST);
	for (size_t i = 0; i < COUNT(order); i++)
		cr_expect_eq(t.items[i].number, order[i]);
	cr_expect(top_n_has(&t, 8));
	cr_expect_not(top_n_has(&t, 3));
}

/* ---- moments ---- */

Test(facts, moments)
{
	static const struct {
		struct period p;
		const char *text;
	} rows[] = {
		{{0, 0}, "1970-01-01 00:00:00"},
		{{951782400, 951782402.5}, "2000-02-29 00:00:00  2.5s"},
		{{253402300799.5, 253402300799.5}, "9999-12-31 23:59:59"},
		{{253402300800, 253402300801}, "1.0s"},
		{{-62135596800, -62135596800}, "0001-01-01 00:00:00"},
		{{-1, -0.5}, "1969-12-31 23:59:59  500ms"},
		{{1e300, 1e300}, ""},
		{{NAN, NAN}, ""},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf text = BUF_INIT;

		facts_period(&text, rows[i].p);
		cr_expect_str_eq(text.data ? text.data : "", rows[i].text);
		buf_done(&text);
	}
}

/* ---- the list ---- */

static void expect_rows(const struct steps_view *v, uint32_t width, const char *expected)
{
	struct lines line = {0};
	struct buf text = BUF_INIT;

	steps_titles(v, &line, width);
	lines_plain(&line, 0, &text);
	for (size_t i = 0; i < v->count; i++) {
		steps_line(v, i, &line, width, NULL, false);
		cr_expect(line.lines[0].width <= width, "row %zu is too wide", i);
		buf_byte(&text, '\n');
		lines_plain(&line, 0, &text);
	}
	cr_expect_str_eq(text.data, expected);
	buf_done(&text);
	lines_done(&line);
}

/* Whatever columns are wanted, with and without a bar: no row is wider than it may be. */
static void expect_widths(struct steps_view *v)
{
	static const char *const wanted[] = {"", "cost name time model", "time bar",
		"bar start size name", "model", "name"};
	static const struct row_action hello = {{"hello", 5}, true, 1, false};
	struct lines line = {0};

	for (uint32_t i = 0; i < COUNT(wanted) * MEASURE_COUNT; i++) {
		columns_read(&v->columns, str_of(wanted[i / MEASURE_COUNT]));
		v->bar = i % MEASURE_COUNT;
		for (uint32_t width = 12; width < 150; width += 3)
			for (size_t row = 0; row < v->count; row++) {
				steps_line(v, row, &line, width, &hello, false);
				cr_assert(line.lines[0].width <= width, "%u for %u: %s",
					line.lines[0].width, width,
					wanted[i / MEASURE_COUNT]);
			}
	}
	lines_done(&line);
}

/* Chains fold all at once, and each the other way round. */
Test(bars, chains_folded)
{
	struct buf text = BUF_INIT;
	struct steps_view v;
	struct trace *trace;

	for (int i = 0; i < 12; i++)
		buf_printf(&text,
			"{\"event\":\"x\",\"trace_id\":\"t%02d\",\"total_cost\":%d}\n"
			"{\"event\":\"x\",\"trace_id\":\"t%02d\"}\n",
			i, i, i);
	trace = model_of(buf_view(&text));
	trace_totals_run(trace, UINT64_MAX);
	steps_begin(&v, trace);
	steps_update(&v);
	cr_expect(steps_has_many_chains(&v));
	cr_expect_eq(v.count, 36);
	steps_fold_chains(&v, true);
	cr_expect_eq(v.count, 12);
	cr_expect(steps_is_closed(&v, 3));
	cr_expect(steps_toggle(&v, 3));
	cr_expect_eq(v.count, 14);
	cr_expect_eq(steps_at(&v, 3).chain, 3);
	cr_expect_not(steps_at(&v, 5).is_chain);
	cr_expect_eq(steps_chain_row(&v, 4), 6);
	cr_expect_eq(steps_chain_row(&v, 11), 13);
	cr_expect(steps_toggle(&v, 13));
	cr_expect_eq(v.count, 16);
	cr_expect(steps_toggle(&v, 3));
	cr_expect_eq(v.count, 14);
	steps_fold_chains(&v, false);
	cr_expect_eq(v.count, 36);
	cr_expect(steps_toggle(&v, 0));
	cr_expect_eq(v.count, 34);
	expect_widths(&v);
	buf_done(&text);
	steps_done(&v);
	trace_free(trace);
}

/* Every row leads to a step or chain behind the one before it, and back. */
static void expect_rows_in_order(const struct steps_view *v)
{
	size_t next = 0;

	for (size_t row = 0; row < v->count; row++) {
		struct steps_row r = steps_at(v, row);

		if (r.is_chain) {
			cr_assert_eq(steps_chain_row(v, r.chain), row);
			continue;
		}
		cr_assert(r.position >= next, "row %zu", row);
		next = r.position + 1;
		cr_assert_eq(steps_find(v, trace_at(v->trace, r.position)), row);
	}
}

/* Folds of steps and chains in any order; what is revealed has a row of its own. */
Test(bars, folds_of_all_kinds)
{
	struct buf text = BUF_INIT;
	struct steps_view v;
	struct trace *trace;
	uint32_t random = 7;

	for (int i = 0; i < 60; i++)
		buf_printf(&text,
			"{\"event\":\"x\",\"trace_id\":\"t%d\",\"id\":\"%d\","
			"\"parent_id\":\"%d\"}\n",
			i / 5, i, i % 5 ? i - 1 - i % 2 : -1);
	trace = model_of(buf_view(&text));
	steps_begin(&v, trace);
	steps_update(&v);
	for (int i = 0; i < 2000; i++) {
		random = random * 1664525u + 1013904223u;
		steps_toggle(&v, (random >> 8) % v.count);
		if (i % 500 == 250)
			steps_fold_chains(&v, i % 1000 == 250);
		expect_rows_in_order(&v);
	}
	for (uint32_t step = 0; step < 60; step += 7) {
		struct steps_row r = steps_at(&v, steps_reveal(&v, step));

		cr_expect(!r.is_chain);
		cr_expect_eq(trace_at(trace, r.position), step);
		expect_rows_in_order(&v);
	}
	buf_done(&text);
	steps_done(&v);
	trace_free(trace);
}

Test(bars, in_the_list)
{
	struct trace *trace = events(
		EVENT("'name':'root','id':'a','timestamp':1700000000,'"
		      "latency':8,'trace_id':'t'")
			EVENT("'name':'one','id':'b','parent_id':'a','timestamp':"
			      "1700000000,'latency':2,'total_cost':1,'trace_id':'t'")
				EVENT("'name':'two','parent_id':'a','timestamp':"
				      "1700000002,"
				      "'latency':6,'total_cost':3,'trace_id':'t'")
					EVENT("'name':'none','parent_id':'a','trace_id':"
					      "'t'"));
	struct steps_view v;

	trace_totals_run(trace, UINT64_MAX);
	steps_begin(&v, trace);
	steps_update(&v);
	v.bar = MEASURE_TIME;
	cr_expect_eq(scale_run(&v.scale, trace, UINT64_MAX), TASK_DONE);
	expect_rows(&v, 40,
		" # step                    cost when    \n"
		" 1 ▾ root               $4.0000 ━━━━━━━━\n"
		" 2   one                $1.0000 ██      \n"
		" 3   two                $3.0000   ██████\n"
		" 4   none                               ");
	v.bar = MEASURE_COST;
	expect_rows(&v, 40,
		" # step                    cost cost    \n"
		" 1 ▾ root               $4.0000 ━━━━━━━━\n"
		" 2   one                $1.0000 ██      \n"
		" 3   two                $3.0000 ██████  \n"
		" 4   none                               ");
	steps_done(&v);
	trace_free(trace);
}

/* ---- the waterfall ---- */

struct fall {
	struct trace *trace;
	struct scale scale;
	struct waterfall w;
};

static void fall_begin(struct fall *f, struct trace *trace, size_t position)
{
	*f = (struct fall){.trace = trace};
	trace_totals_run(trace, UINT64_MAX);
	scale_run(&f->scale, trace, UINT64_MAX);
	waterfall_begin(&f->w, trace, &f->scale, position);
	waterfall_run(&f->w, UINT64_MAX);
}

static void fall_end(struct fall *f)
{
	scale_done(&f->scale);
	trace_free(f->trace);
}

static void expect_fall(const struct fall *f, uint32_t width, const char *expected)
{
	struct lines line = {0};
	struct buf text = BUF_INIT;

	waterfall_axis(&f->w, &line, width);
	lines_plain(&line, 0, &text);
	for (size_t i = waterfall_first(&f->w); i < waterfall_end(&f->w); i++) {
		waterfall_line(&f->w, i, STR(""), PAUSE_UNKNOWN, &line, width);
		cr_expect_eq(line.lines[0].width, width);
		buf_byte(&text, '\n');
		lines_plain(&line, 0, &text);
	}
	cr_expect_str_eq(text.data, expected);
	buf_done(&text);
	lines_done(&line);
}

/* Steps beside each other, and one that waits. */
static const char *const beside = EVENT("'name':'one','timestamp':1700000000,'latency':4")
	EVENT("'name':'two','timestamp':1700000001,'latency':1,'error':'no'")
		EVENT("'name':'three','timestamp':1700000006,'latency':2")
			EVENT("'name':'lost','latency':2");

Test(bars, waterfall_of_time)
{
	struct fall f;

	fall_begin(&f, events(beside), 0);
	expect_fall(&f, 40,
		"                 │0            │5s      \n"
		"▸1 one           ███████████▌ ◆ 4.0s    \n"
		" 2!two             ▕██▊ 1.0s            \n"
		" 3 three                   ◆ 2.0s ▐█████\n"
		" 4 lost                                 ");
	fall_end(&f);
}

/* Nearer about the cursor's step as far as there is something to see, and back. */
Test(bars, waterfall_nearer_and_farther)
{
	struct fall f;
	int in = 0, out = 0;

	fall_begin(&f, events(beside), 1);
	cr_expect_not(waterfall_zoom(&f.w, false));
	cr_expect_not(waterfall_scroll(&f.w, 1));
	cr_expect(waterfall_zoom(&f.w, true));
	expect_period(f.w.part, 1700000000, "0.5..4.5");
	cr_expect(waterfall_scroll(&f.w, 1));
	expect_period(f.w.part, 1700000000, "4..8");
	cr_expect_not(waterfall_scroll(&f.w, 1)); /* there is no more */
	cr_expect(waterfall_scroll(&f.w, -9));
	expect_period(f.w.part, 1700000000, "0..4");
	while (waterfall_zoom(&f.w, true))
		in++;
	cr_expect(period_length(f.w.part) >= 0.001 && in < 20);
	while (waterfall_zoom(&f.w, false))
		out++;
	cr_expect_eq(out, in + 1);
	cr_expect_not(f.w.zoomed);
	fall_end(&f);
}

/* Whatever a file says of times: rows are as wide as they are to be. */
Test(bars, waterfall_of_nonsense)
{
	struct fall f;

	fall_begin(&f,
		events(EVENT("'name':'a','timestamp':0,'latency':1e308")
				EVENT("'name':'b','timestamp':1e300") EVENT(
					"'name':'c','timestamp':-1e300,'latency':-1e300")
					EVENT("'name':'d','timestamp':'9999-12-31',"
					      "'total_cost':1e308")
						EVENT("'name':'e','total_cost':-5,"
						      "'input_tokens':1e300")),
		2);
	for (int i = 0; i < 60; i++) {
		struct lines line = {0};
		struct buf words = BUF_INIT;

		for (uint32_t width = 14; width < 120; width += 7)
			for (size_t row = 0; row < 5; row++) {
				waterfall_axis(&f.w, &line, width);
				cr_assert_eq(line.lines[0].width, width);
				waterfall_line(&f.w, row, STR(""), PAUSE_TOOLS, &line, width);
				cr_assert_eq(line.lines[0].width, width);
			}
		waterfall_title(&f.w, &words);
		waterfall_status(&f.w, PAUSE_UNKNOWN, &words);
		if (i % 20 == 19)
			f.w.wanted = i < 20 ? MEASURE_COST : MEASURE_TOKENS;
		waterfall_zoom(&f.w, i % 4 != 3);
		waterfall_scroll(&f.w, i % 3 ? 0.25 : -0.25);
		waterfall_go(&f.w, (size_t)i % 5);
		waterfall_run(&f.w, UINT64_MAX);
		buf_done(&words);
		lines_done(&line);
	}
	fall_end(&f);
}

/* The longest of a million are found in slices; the last one is a row like any. */
Test(bars, waterfall_of_a_million)
{
	struct trace *trace = trace_of_source(source_open_text("test", STR("[]")));
	struct lines line = {0};
	struct buf text = BUF_INIT;
	struct fall f;
	size_t slices = 0;

	trace_add_scope(trace, 0);
	for (size_t i = 0; i < MANY; i++) {
		add_step(trace, (double)i)->latency = i == 777777 ? 5000 : 1;
		trace_append(trace);
	}
	f = (struct fall){.trace = trace};
	scale_run(&f.scale, trace, UINT64_MAX);
	waterfall_begin(&f.w, trace, &f.scale, MANY - 1);
	for (; !waterfall_is_ready(&f.w); slices++)
		waterfall_run(&f.w, 0);
	cr_expect(slices > 100);
	cr_expect_eq(f.w.longest.items[0].number, 777777);
	cr_expect(f.w.at_end);
	waterfall_line(&f.w, MANY - 1, STR(""), PAUSE_PERSON, &line, 60);
	lines_plain(&line, 0, &text);
	cr_expect(strstr(text.data, "1000000") && strstr(text.data, "1.0s ▕"), "%s",
		text.data);
	add_step(trace, MANY);
	trace_append(trace);
	cr_expect(waterfall_update(&f.w, true));
	cr_expect_eq(f.w.position, MANY); /* stays at the end */
	cr_expect_not(waterfall_is_ready(&f.w));
	waterfall_run(&f.w, 0);
	cr_expect(waterfall_is_ready(&f.w)); /* one step, not a million */
	buf_done(&text);
	lines_done(&line);
	fall_end(&f);
}
