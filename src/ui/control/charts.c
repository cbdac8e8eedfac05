/*
 * Seeing the whole: the bar of the list, the scale of bars, many chains as a list of
 * chains, and the waterfall, a pane that lists the steps of one chain (view/waterfall).
 */
#include "config.h"
#include "ui/control/controllers.h"

#include "base/work.h"
#include "config/configuration.h"
#include "term/term.h"
#include "view/chain_bars.h"

#define SCROLL        0.25 /* of the time that the waterfall shows */
#define WHILE_READING 2000 /* microseconds for figures before a screen is drawn */

struct charts {
	struct waterfall waterfall;
	bool agents_judged; /* what sub-agents did was folded, or is not to be */
	bool chains_judged; /* whether many chains are folded was decided */
};

void charts_keep_chains(struct app *app)
{
	app->state.charts->chains_judged = app->state.charts->agents_judged = true;
}

/* ---- figures ---- */

/* Bars are drawn by the scale; chains say by it when they were, which can come later. */
static bool shows_bars(const struct app *app)
{
	return app->steps.bar != MEASURE_OFF || app->screen.overlay == PANE_WATERFALL;
}

/* Something that is shown waits for figures. */
static bool is_busy(const struct app *app)
{
	return ((shows_bars(app) || app->trace->chain_count > 1) &&
		       !scale_is_ready(&app->steps.scale, app->trace)) ||
	       (app->screen.overlay == PANE_WATERFALL &&
		       !waterfall_is_ready(&app->state.charts->waterfall));
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct waterfall *w = &app->state.charts->waterfall;

	if (!input_is_settled(app) || !is_busy(app))
		return TASK_IDLE;
	if (scale_run(&app->steps.scale, app->trace, deadline) == TASK_DONE &&
		!waterfall_is_ready(w))
		waterfall_run(w, deadline);
	if (is_busy(app))
		return TASK_MORE;
	app->screen.dirty = true;
	return TASK_DONE;
}

/* ---- chains ---- */

/* A trace that is read again has other steps: the chain of the list's cursor is shown. */
static bool update_waterfall(struct app *app)
{
	struct waterfall *w = &app->state.charts->waterfall;
	uint32_t step = step_at_cursor(app);

	if (!waterfall_update(w, load_follows(app->input.load))) {
		if (step == NO_STEP || step >= app->trace->arranged)
			return false;
		waterfall_begin(w, app->trace, &app->steps.scale,
			trace_position(app->trace, step));
	}
	app->screen.panes[PANE_WATERFALL].cursor = w->position - waterfall_first(w);
	return true;
}

static void settle(struct app *app)
{
	struct charts *c = app->state.charts;
	unsigned columns, rows;

	app->steps.bar = (enum measure)app->settings.bar;
	scale_stamps(&app->steps.scale, app->settings.timestamps == STAMP_END);
	/* many chains that do not fit on the screen are a list of chains at first; who
	 * has begun to move in them keeps what there is */
	if (!c->chains_judged && steps_has_many_chains(&app->steps)) {
		term_size(&columns, &rows);
		if (app->steps.count > rows && !app->screen.panes[PANE_STEPS].cursor)
			steps_fold_chains(&app->steps, true);
		c->chains_judged = app->steps.count > rows || app->steps.chains_closed ||
				   input_is_settled(app);
	}
	/* what sub-agents did is below the calls that started them, folded at first */
	if (!c->agents_judged && input_is_settled(app)) {
		c->agents_judged = true;
		if (!app->screen.panes[PANE_STEPS].cursor)
			steps_fold_agents(&app->steps);
	}
	if (shows_bars(app))
		scale_run(&app->steps.scale, app->trace, clock_deadline(WHILE_READING));
}

/* The chain under the cursor; false when there is none. */
static bool chain_at_cursor(const struct app *app, struct steps_row *r)
{
	if (!app->steps.count)
		return false;
	*r = step_row_at_cursor(app);
	return true;
}

/* The n-th of the chains that have a row. */
static unsigned go_to_chain(struct app *app, size_t n)
{
	step_view_go_to_row(app, steps_nth_chain_row(&app->steps, n));
	return REACT_DRAW;
}

/* Back to its own beginning first. */
unsigned run_other_chain(struct app *app, const struct invocation *call)
{
	bool back = call->command == COMMAND_PREVIOUS_CHAIN;
	size_t times = call->count ? call->count : 1, n,
	       count = steps_chain_count(&app->steps),
	       row = app->screen.panes[PANE_STEPS].cursor;
	struct steps_row r;

	if (!chain_at_cursor(app, &r))
		return REACT_NOTHING;
	n = steps_nth_of_chain(&app->steps, r.chain);
	if (back && count && row) {
		n += row > steps_nth_chain_row(&app->steps, n);
		return go_to_chain(app, times < n ? n - times : 0);
	}
	if (!back && n + 1 < count)
		return go_to_chain(app, times < count - 1 - n ? n + times : count - 1);
	return app_say(app, back ? "this is the first chain" : "this is the last chain");
}

/* The cursor stays at its step, or goes to the chain that it is folded into. */
unsigned run_chains(struct app *app, const struct invocation *call)
{
	struct steps_row r;

	if (!steps_chain_count(&app->steps))
		return app_say(app, "the list shows no chains");
	if (!chain_at_cursor(app, &r))
		return REACT_NOTHING;
	steps_fold_chains(&app->steps, !app->steps.chains_closed);
	app->state.charts->chains_judged = true;
	if (r.is_chain || app->steps.chains_closed)
		return go_to_chain(app, steps_nth_of_chain(&app->steps, r.chain));
	step_view_go_to_row(
		app, steps_find(&app->steps, trace_at(app->trace, r.position)));
	return REACT_DRAW;
}

/* ---- the bar ---- */

unsigned run_bar(struct app *app, const struct invocation *call)
{
	const struct setting *row = setting_find(STR("bar"));
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (!call->argument.n)
		app->settings.bar = (app->settings.bar + 1) % MEASURE_COUNT;
	else if (!setting_set(&app->settings, row, call->argument, &err))
		err_format(&err, &app->said);
	if (!app->said.len)
		buf_printf(&app->said, "bars: %s", setting_bars[app->settings.bar]);
	return REACT_DRAW;
}

/* ---- the waterfall ---- */

static bool open_waterfall(struct app *app)
{
	struct steps_row r;

	if (!chain_at_cursor(app, &r) || !app->trace->chains[r.chain].count)
		return false;
	waterfall_begin(
		&app->state.charts->waterfall, app->trace, &app->steps.scale, r.position);
	return true;
}

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	buf_text(out, "  ");
	waterfall_title(&app->state.charts->waterfall, out);
}

static size_t count(const struct app *app)
{
	const struct waterfall *w = &app->state.charts->waterfall;

	return waterfall_end(w) - waterfall_first(w);
}

static void go(struct app *app, size_t row)
{
	waterfall_go(&app->state.charts->waterfall,
		waterfall_first(&app->state.charts->waterfall) + row);
}

/* A row of ticks above those of the steps. */
static void axis(const struct app *app, const struct pane *p, struct lines *out)
{
	waterfall_axis(&app->state.charts->waterfall, out, p->area.columns);
}

/* What the time up to the next step went into. */
static enum pause_kind pause_after(
	const struct app *app, size_t position, uint64_t deadline)
{
	bool known, calls = previews_calls(
			    app, trace_at(app->trace, position), deadline, &known);

	return calls ? PAUSE_TOOLS : known ? PAUSE_PERSON : PAUSE_UNKNOWN;
}

static void line(struct app *app, const struct pane *p, size_t row, uint64_t deadline,
	struct lines *out)
{
	const struct waterfall *w = &app->state.charts->waterfall;
	size_t position = waterfall_first(w) + row;
	uint32_t step = trace_at(app->trace, position);
	struct str did = previews_action(app, step, deadline);

	waterfall_line(w, position, did, pause_after(app, position, deadline), out,
		p->area.columns);
}

static const struct list_ops list = {
	.count = count,
	.go = go,
	.legend = axis,
	.line = line,
};

/* Another chain, at its first step; what the bars show stays. */
static unsigned show_chain(struct app *app, bool next)
{
	const struct trace *trace = app->trace;
	struct waterfall *w = &app->state.charts->waterfall;
	enum measure wanted = w->wanted;
	size_t chain = w->chain;

	do
		chain = next ? chain + 1
			     : chain - 1; /* before the first: wraps to after the last */
	while (chain < trace->chain_count && !trace->chains[chain].count);
	if (chain >= trace->chain_count) {
		buf_printf(&app->said, "this is the %s chain", next ? "last" : "first");
		return REACT_DRAW;
	}
	waterfall_begin(w, app->trace, &app->steps.scale, trace->chains[chain].first);
	w->wanted = wanted;
	return REACT_DRAW;
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	struct waterfall *w = &app->state.charts->waterfall;
	bool left = call->command == COMMAND_LEFT || call->command == COMMAND_SCROLL_LEFT,
	     moved;

	switch (call->command) {
	case COMMAND_ENTER:
	case COMMAND_FOLD:
		step_view_go(app, w->step, false, SIZE_MAX);
		return REACT_DRAW;
	case COMMAND_BAR: /* what it was asked for, else the next; "off" is for the list
			   */
		if (!call->argument.n) {
			w->wanted = w->wanted == MEASURE_TOKENS ? MEASURE_TIME
								: w->wanted + 1;
			return REACT_DRAW;
		}
		for (unsigned i = MEASURE_TIME; i < MEASURE_COUNT; i++)
			if (str_equal(str_of(setting_bars[i]), call->argument)) {
				w->wanted = (enum measure)i;
				return REACT_DRAW;
			}
		return REACT_BUBBLE;
	case COMMAND_ZOOM_IN:
	case COMMAND_ZOOM_OUT:
		moved = waterfall_zoom(w, call->command == COMMAND_ZOOM_IN);
		return moved ? REACT_DRAW : REACT_NOTHING;
	case COMMAND_LEFT:
	case COMMAND_SCROLL_LEFT:
	case COMMAND_RIGHT:
	case COMMAND_SCROLL_RIGHT:
		moved = waterfall_scroll(w, left ? -SCROLL : SCROLL);
		return moved ? REACT_DRAW : REACT_NOTHING;
	case COMMAND_NEXT_CHAIN:
	case COMMAND_PREVIOUS_CHAIN:
		return show_chain(app, call->command == COMMAND_NEXT_CHAIN);
	default:
		return REACT_BUBBLE;
	}
}

static void status(struct app *app, struct pane *p, struct buf *out)
{
	const struct waterfall *w = &app->state.charts->waterfall;

	waterfall_status(w, pause_after(app, w->position, 0), out);
}

const struct pane_ops pane_waterfall_ops = {
	.toggle = COMMAND_WATERFALL,
	.open = open_waterfall,
	.ready = update_waterfall,
	.name = "WATERFALL",
	.title = title,
	.list = &list,
	.command = command,
	.status = status,
	.hints = (const struct hint[]){{COMMAND_CANCEL, "leave"},
		{COMMAND_ENTER, "go there"}, {COMMAND_ZOOM_IN, "nearer"},
		{COMMAND_ZOOM_OUT, "farther"}, {COMMAND_BAR, "cost, tokens"},
		{COMMAND_HELP, "help"}, {COMMAND_NONE, NULL}},
};

static void forget(struct app *app)
{
	app->state.charts->waterfall.trace = NULL;
}

const struct controller_ops charts_controller = {
	.state = sizeof(struct charts),
	.run = run,
	.level = LEVEL_CHARTS,
	.on[EVENT_SETTLE] = settle,
	.on[EVENT_FORGET] = forget,
};
