/*
 * The runs of the open trace by their tasks (analysis/runs), to pick from: how each task
 * ended, and where its runs part.  Enter goes to the step: of a call that some of the
 * runs make, of the beginning of a run.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include "base/mem.h"
#include "ui/control/picker.h"
#include "ui/core/step_view.h"
#include "view/report.h"

#define NAME_CELLS 60

struct runs_view {
	struct runs runs;
	struct run_rows rows; /* once all is done */
	bool done;
};

static void forget(struct app *app)
{
	struct runs_view *v = app->state.runs;

	runs_done(&v->runs);
	mem_free(v->rows.items);
	v->rows = (struct run_rows){0};
	v->done = false;
}

static void make(struct app *app, uint64_t deadline)
{
	struct runs_view *v = app->state.runs;

	if (v->done || runs_run(&v->runs, app->trace, deadline) == TASK_MORE)
		return;
	runs_compare(&v->runs);
	for (size_t i = 0; i < v->runs.task_count; i++)
		run_rows_add(&v->rows, &v->runs, i, true);
	v->done = true;
}

static size_t count(const struct app *app, bool *more)
{
	*more = !app->state.runs->done;
	return app->state.runs->rows.count;
}

static bool put(struct app *app, size_t item, struct buf *out)
{
	const struct runs_view *v = app->state.runs;
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

static void put_sums(const struct app *app, struct buf *out)
{
	if (app->state.runs->done)
		run_shares_put(&app->state.runs->runs, "  ", out);
}

static uint32_t step_of(struct app *app, size_t item)
{
	const struct runs_view *v = app->state.runs;

	return item < v->rows.count ? v->rows.items[item].step : NO_STEP;
}

unsigned run_runs(struct app *app, const struct invocation *call)
{
	static const struct picker_kind kind = {.name = "RUNS",
		.label = "run: ",
		.item = "row",
		.make = make,
		.count = count,
		.put = put,
		.sums = put_sums,
		.step = step_of};

	return app->trace->order_count ? picker_open(app, &kind) : REACT_NOTHING;
}

const struct controller_ops runs_controller = {
	.state = sizeof(struct runs_view),
	.end = forget,
	.on[EVENT_GROWN] = forget,
	.on[EVENT_FORGET] = forget,
};
