/*
 * The model is made anew whenever what was read is no longer so: a file was rewritten, or
 * the person asks.  The new one takes the place of the old once it has something to show
 * (see input.h).
 */
#include "config.h"
#include "ui/input.h"

#include "ui/find.h"
#include "ui/list_filter.h"
#include "ui/run.h"

#include "base/clock.h"

#define FIRST_SLICE 20000  /* microseconds before the first screen */
#define REDRAW      150000 /* microseconds between two screens while reading */
#define AHEAD       100    /* steps: more than a screen shows */

/* ---- the place ---- */

static void keep_place(struct app *app)
{
	struct kept_place *kept = &app->kept;

	if (kept->wanted) /* it has not been reached yet */
		return;
	kept->step = app_step(app);
	kept->chain = app->steps.count &&
		      steps_at(&app->steps, app->panes[PANE_STEPS].cursor).is_chain;
	kept->wanted = kept->step != NO_STEP;
	session_state_keep_sides(app);
}

/* Once the step is there; what is gone by then leaves the cursor at the end. */
static void restore_place(struct app *app)
{
	struct kept_place *kept = &app->kept;
	const struct trace *trace = app->trace;

	if (!kept->wanted || (!input_is_settled(app) && kept->step >= trace->arranged))
		return;
	if (list_filter_is_judging(app) && app_step(app) != kept->step)
		return; /* the filter brings the cursor there */
	kept->wanted = false;
	app->dirty = true;
	if (kept->step >= trace->arranged) {
		app->panes[PANE_STEPS].cursor =
			app->steps.count ? app->steps.count - 1 : 0;
		return;
	}
	app->panes[PANE_STEPS].cursor =
		kept->chain ? steps_chain_row(
				      &app->steps, trace_step(trace, kept->step).chain)
			    : steps_reveal(&app->steps, kept->step);
	app_settle(app);
	app->places.showing |= !app->places.going;
	session_state_show_sides(app);
}

/* The step that is open has grown: it is opened anew. */
static void renew_step(struct app *app)
{
	const struct trace *trace = app->trace;

	if (!app->opened || app->opened_step >= trace->count ||
		trace_step(trace, app->opened_step).length == app->opened_length)
		return;
	keep_place(app);
	app_close_step(app);
	restore_place(app);
}

void input_lay_out_anew(struct app *app)
{
	if (!app->trace)
		return;
	keep_place(app);
	app_close_step(app);
	shelf_clear(&app->shelf);
	restore_place(app);
}

void input_come_back(struct app *app)
{
	restore_place(app);
	session_state_slice(app);
}

void input_stay(struct app *app)
{
	session_state_stay(app);
	if (input_is_settled(app))
		app->kept.wanted = false;
}

/* ---- reading on ---- */

bool input_is_settled(const struct app *app)
{
	return app->loading == LOAD_DONE || app->loading == LOAD_AGAIN ||
	       (app->loading == LOAD_WAIT && load_follows(app->load));
}

bool input_is_reading(const struct app *app)
{
	return app->loading == LOAD_MORE && !app->stopped;
}

bool input_stop(struct app *app)
{
	if (app->stopped || (app->loading != LOAD_MORE && app->loading != LOAD_WAIT) ||
		load_follows(app->load))
		return false;
	app->stopped = true;
	buf_text(&app->said, "stopped reading: R reads on");
	return true;
}

/* What is to be read anew may not be there, for the moment. */
bool input_is_polled(const struct app *app)
{
	return app->loading == LOAD_AGAIN ||
	       (app->loading == LOAD_WAIT && load_follows(app->load));
}

bool input_is_due(const struct app *app)
{
	return input_is_polled(app) && clock_us() - app->looked_at >= LOAD_LOOK * 1000u;
}

/* Steps that were read later may have moved the one that is shown: the cursor goes with
 * it. */
static void follow_step(struct app *app, uint32_t step)
{
	struct pane *p = &app->panes[PANE_STEPS];

	if (step == NO_STEP || !p->cursor)
		return;
	steps_update(&app->steps);
	if (app_step(app) != step)
		p->cursor = steps_find(&app->steps, step);
}

void input_say_notes(struct app *app)
{
	const struct inputs *in = app->trace->inputs;
	size_t count = inputs_note_count(in);
	struct err err = {.offset = ERR_NOWHERE};

	if (app->loading != LOAD_DONE || !count || app->said.len)
		return;
	inputs_note(in, 0, &err);
	err_format(&err, &app->said);
	if (count > 1)
		buf_printf(&app->said, " (and %zu more)", count - 1);
	err_done(&err);
}

/* Who stands at the end of a growing list stays there. */
static void stay_at_end(struct app *app, bool at_end, size_t before)
{
	if (!at_end || app->trace->count == before || !load_follows(app->load))
		return;
	app->panes[PANE_STEPS].cursor = app->steps.count ? app->steps.count - 1 : 0;
}

/* What was computed over all steps is no longer of all. */
static void note_growth(struct app *app, size_t before)
{
	if (app->trace->count == before)
		return;
	if (load_follows(app->load))
		report_forget(app);
	if (!before || clock_us() - app->drawn_at > REDRAW || input_is_settled(app))
		app->dirty = true;
}

void input_slice(struct app *app, uint64_t microseconds, size_t enough)
{
	size_t before = app->trace->count, rows = app->steps.count;
	uint32_t step = app_step(app);
	bool at_end = rows && app->panes[PANE_STEPS].cursor + 1 == rows;

	if (app->loading == LOAD_WAIT && !load_pump(app->load, &app->error))
		app->dirty = true;
	app->looked_at = clock_us();
	app->loading = load_step(app->load, clock_deadline(microseconds), enough);
	if (app->loading == LOAD_AGAIN) {
		input_reload(app);
		return;
	}
	if (app->generation != app->trace->generation)
		app_forget_steps(app);
	else
		follow_step(app, step);
	steps_update(&app->steps);
	stay_at_end(app, at_end, before);
	renew_step(app);
	input_come_back(app);
	input_say_notes(app);
	note_growth(app, before);
	app->dirty |= app->loading == LOAD_DONE;
}

/* ---- opening ---- */

static void begin(struct app *app, struct trace **trace, struct load **load)
{
	struct inputs *inputs = inputs_new();

	for (size_t i = 0; i < app->wish.count; i++)
		inputs_add(inputs, app->wish.paths[i]);
	inputs_follow(inputs, app->wish.follow);
	if (app->trace)
		inputs_share(inputs, app->trace->inputs);
	*trace = trace_new(inputs);
	*load = load_begin(*trace, app->wish.from);
}

static void begin_list(struct app *app)
{
	steps_begin(&app->steps, app->trace);
	columns_read(&app->steps.columns, str_of(app->settings.columns));
}

bool input_open(struct app *app, struct err *err)
{
	begin(app, &app->trace, &app->load);
	app->loading = load_step(app->load, clock_deadline(FIRST_SLICE), AHEAD);
	begin_list(app);
	input_say_notes(app);
	return app->loading != LOAD_DONE || app->trace->chain_count ||
	       !load_unreadable(app->load, err);
}

static void replace(struct app *app, struct trace *trace, struct load *load)
{
	struct trace *old = app->trace;
	bool closed = app->steps.chains_closed;

	app_forget_steps(app);
	steps_done(&app->steps);
	app->trace = trace;
	find_renew(app);
	list_filter_renew(app);
	load_free(app->load);
	trace_free(old);
	app->load = load;
	app->generation = trace->generation;
	begin_list(app);
	app->steps.chains_closed = closed;
	list_filter_show(app);
	err_done(&app->error);
	app->panes[PANE_STEPS].cursor = app->panes[PANE_STEPS].top = 0;
}

void input_reload(struct app *app)
{
	struct err err = {.offset = ERR_NOWHERE};
	enum load_status status;
	struct trace *trace;
	struct load *load;

	keep_place(app);
	begin(app, &trace, &load);
	status = load_step(load, clock_deadline(FIRST_SLICE), app->kept.step + AHEAD);
	app->dirty = true;
	if (status == LOAD_DONE && load_unreadable(load, &err)) {
		buf_clear(&app->said);
		err_format(&err, &app->said);
		load_free(load);
		trace_free(trace);
		app->kept.wanted = false;
	} else {
		session_state_keep_folds(app);
		replace(app, trace, load);
		app->loading = status == LOAD_AGAIN ? LOAD_MORE : status; /* soon */
		steps_update(&app->steps);
		list_filter_slice(app, clock_deadline(FIRST_SLICE));
		input_come_back(app);
	}
	err_done(&err);
}

void input_follow(struct app *app)
{
	app->wish.follow = !app->wish.follow;
	buf_clear(&app->said);
	if (app->loading != LOAD_DONE)
		load_follow(app->load, app->wish.follow);
	else if (app->wish.follow)
		input_reload(app);
	if (app->loading == LOAD_WAIT)
		app->loading = LOAD_MORE;
	buf_text(&app->said, app->wish.follow ? "following: what is written shows here"
					      : "no longer following");
	app->dirty = true;
}

unsigned run_reload(struct app *app, const struct invocation *call)
{
	(void)call;
	if (app->stopped)
		app->stopped = false;
	else
		input_reload(app);
	return REACT_DRAW;
}

unsigned run_follow(struct app *app, const struct invocation *call)
{
	(void)call;
	app->stopped = false;
	input_follow(app);
	return REACT_DRAW;
}
