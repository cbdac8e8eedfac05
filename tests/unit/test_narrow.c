/*
 * The rows of a list that is filtered, folded and sorted, against the rules written down
 * once more as plainly as possible, for random forests of several chains.
 */
#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>

#include "base/mem.h"
#include "import/load.h"
#include "view/steps.h"

#define MOST 120u

static uint32_t state;

static uint32_t below(uint32_t n)
{
	state = state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

/* ---- random traces ---- */

static void write_step(struct buf *out, uint32_t i, uint32_t chains, uint32_t errors)
{
	buf_printf(out,
		"{\"event\":\"$ai_span\",\"timestamp\":\"2026-01-01T00:%02u:00Z\","
		"\"properties\":{\"$ai_trace_id\":\"t%u\",\"$ai_span_id\":\"s%u\",",
		below(60), i % chains, i);
	if (i >= chains && below(3))
		buf_printf(out, "\"$ai_parent_id\":\"s%u\",",
			i % chains + chains * below(i / chains));
	if (below(errors) == 0)
		buf_text(out, "\"$ai_is_error\":true,");
	if (below(3))
		buf_printf(out, "\"$ai_total_cost_usd\":%u,", below(5));
	buf_printf(out, "\"$ai_span_name\":\"%s\",\"$ai_model\":\"M%u\"}}\n",
		below(2) ? "alpha" : "Beta", below(3));
}

static struct trace *some_model(uint32_t chains, uint32_t errors)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct buf text = BUF_INIT;
	uint32_t count = 1 + below(MOST);
	struct trace *trace;
	struct load *l;

	for (uint32_t i = 0; i < count; i++)
		write_step(&text, i, chains, errors);
	trace = trace_of_source(source_open_text("trace.jsonl", buf_view(&text)));
	l = load_begin(trace, NULL);
	cr_assert_eq(load_all(l, &err), TASK_DONE, "%s", err.text);
	cr_assert_eq(trace->count, count);
	load_free(l);
	buf_done(&text);
	return trace;
}

/* ---- the rules ---- */

static bool fails(const struct trace *trace, size_t position)
{
	return trace_flags(trace, trace_at(trace, position)) & STEP_ERROR;
}

static bool is_kept(const struct trace *trace, size_t position)
{
	for (size_t i = position; i < trace_subtree_end(trace, position); i++)
		if (fails(trace, i))
			return true;
	return false;
}

/* Whether a step, or chain, is closed in the list. */
static bool is_folded(const struct folds *f, uint32_t index)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->items[i].index == index)
			return true;
	return false;
}

static bool is_below_fold(
	const struct steps_view *v, const struct chain *c, size_t position)
{
	const struct trace *trace = v->trace;
	size_t i = position;

	if (trace->chain_count > 1 &&
		v->chains_closed !=
			is_folded(&v->turned_chains, (uint32_t)(c - trace->chains)))
		return true;
	while (trace_depth(trace, i)) {
		i = trace_parent_position(trace, i);
		if (is_folded(&v->closed, trace_at(trace, i)))
			return true;
	}
	return false;
}

static size_t expect_chain(const struct steps_view *v, uint32_t chain, size_t row)
{
	const struct trace *trace = v->trace;
	const struct chain *c = &trace->chains[chain];
	bool any = false;

	for (size_t i = c->first; i < c->first + c->count; i++)
		any |= is_kept(trace, i);
	if (any && trace->chain_count > 1) {
		struct steps_row r = steps_at(v, row++);

		cr_assert(r.is_chain && r.chain == chain, "row %zu", row - 1);
	}
	for (size_t i = c->first; i < c->first + c->count; i++) {
		struct steps_row r;

		if (!is_kept(trace, i) || is_below_fold(v, c, i))
			continue;
		r = steps_at(v, row);
		cr_assert(!r.is_chain && r.position == i && r.chain == chain, "row %zu",
			row);
		cr_assert_eq(steps_find(v, trace_at(trace, i)), row);
		cr_assert_eq(steps_shows(v, trace_at(trace, i)), fails(trace, i));
		row++;
	}
	return row;
}

static size_t row_position(const struct steps_view *v, size_t row)
{
	return steps_at(v, row).position;
}

/* What has no row is taken for the last before it that has. */
static void expect_hidden(const struct steps_view *v)
{
	const struct trace *trace = v->trace;

	for (size_t i = 0; i < trace->order_count && v->count; i++) {
		size_t row = steps_find(v, trace_at(trace, i));

		cr_assert_lt(row, v->count);
		cr_assert(row_position(v, row) <= i || row == 0);
		if (row + 1 < v->count)
			cr_assert(row_position(v, row + 1) > i ||
				  (steps_at(v, row + 1).is_chain &&
					  row_position(v, row + 1) >= i));
	}
}

static void expect_rows(const struct steps_view *v)
{
	size_t row = 0;

	for (uint32_t i = 0; i < v->trace->chain_count; i++)
		row = expect_chain(v, i, row);
	cr_assert_eq(v->count, row, "%zu rows, not %zu", v->count, row);
	expect_hidden(v);
	for (size_t i = 0; i < v->count; i++) {
		size_t parent = steps_parent(v, i);

		cr_assert_leq(parent, i);
		cr_assert(parent == i || steps_has_children(v, parent));
	}
}

static struct filter_run *errors_of(struct trace *trace, struct filter **f)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct filter_run *j;

	*f = filter_new(&filter_steps, STR("error"), &err);
	j = filter_run_new(trace, *f);
	filter_run_go(j, UINT64_MAX, true);
	return j;
}

Test(narrow, filtered_and_folded)
{
	for (uint32_t seed = 0; seed < 150; seed++) {
		struct trace *trace;
		struct steps_view v;
		struct filter *f;
		struct filter_run *j;

		state = seed;
		trace = some_model(1 + below(4), 2 + below(20));
		j = errors_of(trace, &f);
		steps_begin(&v, trace);
		steps_update(&v);
		steps_filter(&v, j);
		expect_rows(&v);
		for (int i = 0; i < 12 && v.count; i++) {
			size_t row = below((uint32_t)v.count);
			bool closed = steps_is_closed(&v, row);

			bool toggled = steps_toggle(&v, row);

			cr_assert(toggled || !closed, "what is closed can be opened");
			if (toggled)
				cr_assert_neq(steps_is_closed(&v, row), closed);
			expect_rows(&v);
		}
		steps_filter(&v, NULL);
		cr_assert_eq(v.filtered.on, false);
		steps_done(&v);
		filter_run_free(j);
		filter_free(f);
		trace_free(trace);
	}
}

/* ---- sorted ---- */

static double figure(const struct trace *trace, size_t position, enum column column)
{
	struct totals t = trace_step_totals(trace, position);

	if (column == COLUMN_SIZE)
		return (double)trace_step(trace, trace_at(trace, position)).length;
	return column == COLUMN_COST ? t.cost : t.latency;
}

static void title(
	struct trace *trace, size_t position, enum column column, struct buf *out)
{
	if (column == COLUMN_NAME)
		step_title(trace, trace_at(trace, position), out);
	else
		buf_str(out, trace_text(trace,
				     trace_step(trace, trace_at(trace, position)).model));
	for (size_t i = 0; i < out->len; i++)
		if (out->data[i] >= 'A' && out->data[i] <= 'Z')
			out->data[i] = (char)(out->data[i] + 32);
}

/* Less than 0: the left one stands first by its column alone. */
static int compare(
	struct trace *trace, size_t a, size_t b, enum column column, bool down)
{
	double left = figure(trace, a, column), right = figure(trace, b, column);
	struct buf first = BUF_INIT, second = BUF_INIT;
	int order;

	if (column_rows[column].figure) {
		if (isnan(left) || isnan(right))
			return isnan(left) - isnan(right);
		order = (left > right) - (left < right);
		return down ? -order : order;
	}
	title(trace, a, column, &first);
	title(trace, b, column, &second);
	order = strcmp(first.data, second.data);
	buf_done(&first);
	buf_done(&second);
	return down ? -order : order;
}

static void expect_sorted(
	const struct steps_view *v, enum column column, bool down, size_t count)
{
	cr_assert_eq(v->count, count);
	cr_assert_eq(steps_places(v), count);
	for (size_t i = 0; i < v->count; i++) {
		struct steps_row r = steps_at(v, i);
		uint32_t step = trace_at(v->trace, r.position);

		cr_assert(!r.is_chain && steps_shows(v, step));
		cr_assert_eq(r.chain, trace_chain_at(v->trace, r.position));
		cr_assert_eq(steps_find(v, step), i);
		cr_assert_eq(steps_place_step(v, i), step);
		cr_assert_eq(steps_parent(v, i), i);
		cr_assert_not(steps_has_children(v, i));
		if (i) {
			size_t before = row_position(v, i - 1);
			int order = compare(v->trace, before, r.position, column, down);

			cr_assert(order < 0 || (order == 0 && before < r.position),
				"by %s: row %zu", column_names[column], i);
		}
	}
}

static void sort(struct steps_view *v, enum column column, bool down)
{
	struct step_sort *s = sorting_new(v->trace, column, down);
	struct sorted sorted;

	while (sorting_run(s, 0) == TASK_MORE)
		continue;
	sorted = sorting_take(s);
	cr_assert_not(sorted_is_old(&sorted, v->trace));
	steps_sort(v, &sorted);
}

Test(narrow, sorted)
{
	static const enum column columns[] = {
		COLUMN_NAME, COLUMN_MODEL, COLUMN_COST, COLUMN_SIZE, COLUMN_TIME};

	for (uint32_t seed = 0; seed < 60; seed++) {
		struct sorted none = {0};
		struct trace *trace;
		struct steps_view v;
		struct filter *f;
		struct filter_run *j;

		state = seed;
		trace = some_model(1 + below(4), 2 + below(4));
		j = errors_of(trace, &f);
		steps_begin(&v, trace);
		steps_update(&v);
		for (size_t i = 0; i < 10; i++) {
			steps_filter(&v, NULL);
			sort(&v, columns[i / 2], i % 2);
			expect_sorted(&v, columns[i / 2], i % 2, trace->count);
			steps_filter(&v, j);
			expect_sorted(
				&v, columns[i / 2], i % 2, filter_run_state(j).passed);
		}
		steps_sort(&v, &none);
		expect_rows(&v);
		steps_done(&v);
		filter_run_free(j);
		filter_free(f);
		trace_free(trace);
	}
}

/* Texts of which the first eight bytes are equal, and one that ends there. */
Test(narrow, long_names)
{
	static const char *const names[] = {"turn number 2", "turn num", "Turn number 10",
		"turn number 2", "turn numbeR 1", "turn number 01x", "turn number 1x",
		"turn number 10000000000"};
	static const uint32_t order[] = {1, 4, 5, 6, 0, 3, 2, 7};
	struct buf text = BUF_INIT;
	struct err err = {.offset = ERR_NOWHERE};
	struct steps_view v;
	struct trace *trace;
	struct load *l;

	for (size_t i = 0; i < 8; i++)
		buf_printf(&text,
			"{\"event\":\"$ai_span\",\"properties\":{\"$ai_trace_id\":\"t\","
			"\"$ai_span_name\":\"%s\"}}\n",
			names[i]);
	trace = trace_of_source(source_open_text("trace.jsonl", buf_view(&text)));
	l = load_begin(trace, NULL);
	cr_assert_eq(load_all(l, &err), TASK_DONE);
	steps_begin(&v, trace);
	steps_update(&v);
	sort(&v, COLUMN_NAME, false);
	for (size_t i = 0; i < 8; i++)
		cr_expect_eq(steps_place_step(&v, i), order[i], "%zu", i);
	steps_done(&v);
	load_free(l);
	trace_free(trace);
	buf_done(&text);
}
