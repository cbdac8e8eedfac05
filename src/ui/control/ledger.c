/*
 * The cache ledger of the chain (analysis/ledger), to pick from: a row for each request,
 * and why it did not read what it could.  Enter goes to the step; of a request that
 * changed, to the difference from the one before.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include "text/glyph.h"
#include "ui/control/picker.h"
#include "ui/core/step_view.h"
#include "view/facts.h"

struct ledger_view {
	struct context context;
	struct ledger ledger;
	struct prices *prices; /* while it is made */
	uint32_t chain;
	bool begun, done;
};

static void forget(struct app *app)
{
	struct ledger_view *v = app->state.ledger;

	if (v->begun)
		context_done(&v->context);
	ledger_done(&v->ledger);
	prices_free(v->prices);
	v->prices = NULL;
	v->begun = v->done = false;
}

static void make(struct app *app, uint64_t deadline)
{
	struct ledger_view *v = app->state.ledger;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (v->done)
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

/* ---- the rows ---- */

static size_t count(const struct app *app, bool *more)
{
	*more = !app->state.ledger->done;
	return app->state.ledger->done ? app->state.ledger->ledger.count : 0;
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
static bool put(struct app *app, size_t item, struct buf *out)
{
	const struct ledger_row *row = &app->state.ledger->ledger.rows[item];

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

static void put_sums(const struct app *app, struct buf *out)
{
	if (app->state.ledger->done)
		facts_ledger(&app->state.ledger->ledger.sums, out);
}

static uint32_t step_of(struct app *app, size_t item)
{
	const struct ledger_view *v = app->state.ledger;

	return v->done && item < v->ledger.count ? v->ledger.rows[item].step : NO_STEP;
}

static void take(struct app *app, size_t item)
{
	uint32_t step = step_of(app, item);
	const struct ledger_row *row;

	if (step >= app->trace->count)
		return;
	row = &app->state.ledger->ledger.rows[item];
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
		.make = make,
		.count = count,
		.put = put,
		.sums = put_sums,
		.step = step_of,
		.take = take};
	struct ledger_view *v = app->state.ledger;
	uint32_t chain;

	if (!app->steps.count)
		return REACT_NOTHING;
	chain = steps_at(&app->steps, app->screen.panes[PANE_STEPS].cursor).chain;
	if (chain != v->chain)
		forget(app);
	v->chain = chain;
	return picker_open(app, &kind);
}

const struct controller_ops ledger_controller = {
	.state = sizeof(struct ledger_view),
	.end = forget,
	.on[EVENT_GROWN] = forget,
	.on[EVENT_FORGET] = forget,
};
