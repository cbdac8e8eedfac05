/*
 * What analysis says of many steps, to pick from: what fails in the trace, by its shape
 * (analysis/shapes); the cache ledger of the chain (analysis/ledger), a row for each
 * request and why it did not read what it could; and the runs by their tasks
 * (analysis/runs), how each ended and where they part.  Each is made when it is opened,
 * and stays until there are other steps.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include <inttypes.h>

#include "analysis/shapes.h"
#include "base/mem.h"
#include "import/action.h"
#include "view/facts.h"
#include "view/report.h"

#define NAME_CELLS 60

struct analyses {
	struct failure_list {
		struct failure_shapes shapes;
		bool done;
		uint32_t *hits; /* of the shape that was chosen: its steps */
		size_t hit_count, hit_cap;
	} failures;
	struct ledger_list {
		struct context context;
		struct ledger ledger;
		struct prices *prices;
		uint32_t chain;
		bool begun, done;
	} ledger;
	struct run_list {
		struct runs runs;
		struct run_rows rows; /* once all is done */
		bool done;
	} runs;
};

/* ---- the steps of a shape ---- */

static size_t count_hits(const struct app *app, bool *more)
{
	return app->state.analyses->failures.hit_count;
}

static uint32_t hit_step(struct app *app, size_t hit)
{
	struct failure_list *v = &app->state.analyses->failures;

	return hit < v->hit_count ? v->hits[hit] : NO_STEP;
}

static bool put_hit(struct app *app, size_t hit, struct buf *out)
{
	uint32_t step = hit_step(app, hit);

	buf_printf(out, "%zu  ",
		trace_number_at(app->trace, trace_position(app->trace, step)));
	step_call(app->trace, step, NULL, out);
	return true;
}

/* ---- what fails ---- */

static void make_failures(struct app *app, uint64_t deadline)
{
	struct failure_list *v = &app->state.analyses->failures;

	v->shapes.keeps = true;
	if (v->done || shapes_run(&v->shapes, app->trace, deadline) == TASK_MORE)
		return;
	shapes_sort(&v->shapes);
	v->done = true;
}

static size_t count_failures(const struct app *app, bool *more)
{
	const struct failure_list *v = &app->state.analyses->failures;

	*more = !v->done;
	return v->done ? v->shapes.count : 0;
}

static bool put_failure(struct app *app, size_t shape, struct buf *out)
{
	const struct failure_shape *x =
		&app->state.analyses->failures.shapes.items[shape];

	buf_printf(out, "%5" PRIu64 "  ", x->count);
	if (x->kind != SHAPE_FAILED)
		buf_printf(out, "%s  ", shape_kind_names[x->kind]);
	if (x->tool.n) {
		buf_str(out, x->tool);
		buf_text(out, "  ");
	}
	buf_str(out, x->words.n ? x->words : STR("(no words)"));
	return true;
}

/* The first of its steps. */
static uint32_t step_of_failure(struct app *app, size_t shape)
{
	const struct failure_shapes *s = &app->state.analyses->failures.shapes;

	for (size_t i = 0; app->state.analyses->failures.done && i < s->hit_count; i++)
		if (s->hits[i].shape == shape && s->hits[i].step < app->trace->count)
			return s->hits[i].step;
	return NO_STEP;
}

/* To the step, or to a choice of the steps where there are several. */
static void take_failure(struct app *app, size_t shape)
{
	static const struct picker_kind kind = {.name = "STEPS",
		.label = "go to: ",
		.item = "step",
		.count = count_hits,
		.put = put_hit,
		.step = hit_step};
	struct failure_list *v = &app->state.analyses->failures;

	v->hit_count = 0;
	for (size_t i = 0; v->done && i < v->shapes.hit_count; i++)
		if (v->shapes.hits[i].shape == shape)
			*(uint32_t *)MEM_ADD(v->hits, v->hit_count, v->hit_cap) =
				v->shapes.hits[i].step;
	if (v->hit_count == 1)
		step_view_go_to_step(app, v->hits[0]);
	else if (v->hit_count)
		picker_open(app, &kind);
}

unsigned run_failures(struct app *app, const struct invocation *call)
{
	static const struct picker_kind kind = {.name = "FAILURES",
		.label = "what failed: ",
		.item = "failure",
		.make = make_failures,
		.count = count_failures,
		.put = put_failure,
		.step = step_of_failure,
		.take = take_failure};

	return app->trace->order_count ? picker_open(app, &kind) : REACT_NOTHING;
}

/* ---- the cache ledger ---- */

static void forget_ledger(struct app *app)
{
	struct ledger_list *v = &app->state.analyses->ledger;

	if (v->begun)
		context_done(&v->context);
	ledger_done(&v->ledger);
	prices_free(v->prices);
	v->prices = NULL;
	v->begun = v->done = false;
}

static void make_ledger(struct app *app, uint64_t deadline)
{
	struct ledger_list *v = &app->state.analyses->ledger;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (v->done || v->chain >= app->trace->chain_count)
		return;
	if (!v->begun)
		context_begin(&v->context, app->trace, v->chain);
	v->begun = true;
	if (context_run(&v->context, deadline) == TASK_MORE)
		return;
	if (!v->prices)
		v->prices = prices_new(STR(""), &err);
	v->done = ledger_run(&v->ledger, &v->context, v->prices, deadline) != TASK_MORE;
}

static size_t count_requests(const struct app *app, bool *more)
{
	const struct ledger_list *v = &app->state.analyses->ledger;

	*more = !v->done && v->chain < app->trace->chain_count;
	return v->done ? v->ledger.count : 0;
}

static void put_tokens(struct buf *out, double n, const char *what)
{
	if (!(n > 0))
		return;
	buf_text(out, "  ");
	facts_tokens(out, n);
	buf_printf(out, " %s", what);
}

/* "12 ✗ idle: 14.2k not read +$0.04  0 read  14.9k written  12 fresh  after 6m24s" */
static bool put_request(struct app *app, size_t item, struct buf *out)
{
	const struct ledger_row *row = &app->state.analyses->ledger.ledger.rows[item];

	buf_printf(out, "%zu ", trace_number_at(app->trace, row->position));
	if (row->cause != LEDGER_KEPT) {
		buf_str(out, glyph(GLYPH_FAILED));
		buf_byte(out, ' ');
		facts_break(app->trace, row, out);
	}
	put_tokens(out, row->read, "read");
	put_tokens(out, row->written, "written");
	put_tokens(out, row->fresh, "fresh");
	if (row->idle > 0) {
		buf_text(out, "  after ");
		facts_latency(out, row->idle);
	}
	return true;
}

static void put_ledger_sums(const struct app *app, struct buf *out)
{
	facts_ledger(&app->state.analyses->ledger.ledger.sums, out);
}

static uint32_t step_of_request(struct app *app, size_t item)
{
	const struct ledger_list *v = &app->state.analyses->ledger;

	return v->done && item < v->ledger.count ? v->ledger.rows[item].step : NO_STEP;
}

/* To the step; of a request that changed, to the difference from the one before. */
static void take_request(struct app *app, size_t item)
{
	uint32_t step = step_of_request(app, item);
	const struct ledger_row *row;

	if (step >= app->trace->count)
		return;
	row = &app->state.analyses->ledger.ledger.rows[item];
	step_view_go_to_step(app, step);
	if (row->cause >= LEDGER_TOOLS && row->cause <= LEDGER_MESSAGE &&
		row->was != NO_STEP)
		compare_steps(app, row->was, step);
}

unsigned run_cache(struct app *app, const struct invocation *call)
{
	static const struct picker_kind kind = {.name = "CACHE",
		.label = "request: ",
		.item = "request",
		.make = make_ledger,
		.count = count_requests,
		.put = put_request,
		.sums = put_ledger_sums,
		.step = step_of_request,
		.take = take_request};
	struct ledger_list *v = &app->state.analyses->ledger;
	uint32_t chain;

	if (!app->steps.count)
		return REACT_NOTHING;
	chain = steps_at(&app->steps, app->screen.panes[PANE_STEPS].cursor).chain;
	if (chain != v->chain)
		forget_ledger(app);
	v->chain = chain;
	return picker_open(app, &kind);
}

/* ---- runs ---- */

static void make_runs(struct app *app, uint64_t deadline)
{
	struct run_list *v = &app->state.analyses->runs;

	if (v->done || runs_run(&v->runs, app->trace, deadline) == TASK_MORE)
		return;
	runs_compare(&v->runs);
	for (size_t i = 0; i < v->runs.task_count; i++)
		run_rows_add(&v->rows, &v->runs, i, true);
	v->done = true;
}

static size_t count_run_rows(const struct app *app, bool *more)
{
	*more = !app->state.analyses->runs.done;
	return app->state.analyses->runs.rows.count;
}

static bool put_run_row(struct app *app, size_t item, struct buf *out)
{
	const struct run_list *v = &app->state.analyses->runs;
	const struct run_row *row = &v->rows.items[item];
	uint32_t chain;

	run_row_put(&v->runs, row, NAME_CELLS, out);
	if (row->kind == ROW_RUN) {
		chain = trace_step(app->trace, row->step).chain;
		buf_printf(out, "  step %zu  ", v->runs.items[row->index].number);
		buf_str(out, trace_chain_title(app->trace, &app->trace->chains[chain]));
	}
	return true;
}

static void put_run_sums(const struct app *app, struct buf *out)
{
	run_shares_put(&app->state.analyses->runs.runs, "  ", out);
}

/* Of a call that some of the runs make; of the beginning of a run. */
static uint32_t step_of_run_row(struct app *app, size_t item)
{
	const struct run_rows *rows = &app->state.analyses->runs.rows;

	return item < rows->count ? rows->items[item].step : NO_STEP;
}

unsigned run_runs(struct app *app, const struct invocation *call)
{
	static const struct picker_kind kind = {.name = "RUNS",
		.label = "run: ",
		.item = "row",
		.make = make_runs,
		.count = count_run_rows,
		.put = put_run_row,
		.sums = put_run_sums,
		.step = step_of_run_row};

	return app->trace->order_count ? picker_open(app, &kind) : REACT_NOTHING;
}

/* ---- the controller ---- */

static void forget(struct app *app)
{
	struct run_list *v = &app->state.analyses->runs;

	shapes_done(&app->state.analyses->failures.shapes);
	app->state.analyses->failures.done = false;
	app->state.analyses->failures.hit_count = 0;
	forget_ledger(app);
	runs_done(&v->runs);
	mem_free(v->rows.items);
	v->rows = (struct run_rows){0};
	v->done = false;
}

static void end(struct app *app)
{
	forget(app);
	mem_free(app->state.analyses->failures.hits);
}

const struct controller_ops analyses_controller = {
	.state = sizeof(struct analyses),
	.end = end,
	.on[EVENT_GROWN] = forget,
	.on[EVENT_FORGET] = forget,
};
