/*
 * What the viewer reads: see app.h.  The trace is made again whenever what was read is
 * no longer so: a file was rewritten, or the person asks.  The new one takes the place of
 * the old once it has something to show.
 */
#include "config.h"
#include "ui/core/app.h"

#include <poll.h>

#include "base/work.h"

#define FIRST_SLICE 20000   /* microseconds before the first screen */
#define RECOGNIZE   2000000 /* microseconds in which it is told what is no JSON, */
#define FIRST_BYTES 100     /* milliseconds in which a stream must bring more for that */
#define AHEAD       100     /* steps: more than a screen shows */

static void reload(struct app *app);

/* ---- reading on ---- */

bool input_is_settled(const struct app *app)
{
	return app->input.status == TASK_DONE || app->input.status == TASK_FAILED ||
	       (app->input.status == TASK_IDLE && load_follows(app->input.load));
}

bool input_is_reading(const struct app *app)
{
	return app->input.status == TASK_MORE && !app->input.stopped;
}

bool input_stop(struct app *app)
{
	if (app->input.stopped ||
		(app->input.status != TASK_MORE && app->input.status != TASK_IDLE) ||
		load_follows(app->input.load))
		return false;
	app->input.stopped = true;
	buf_text(&app->said, "stopped reading: R reads on");
	return true;
}

/* Steps of a stream that rests, which the trace has no place for yet. */
static bool has_unarranged(const struct app *app)
{
	const struct input *in = &app->input;

	return in->status == TASK_IDLE && !in->stopped && trace_unarranged(app->trace);
}

bool input_is_ahead(const struct app *app)
{
	return app->trace->order_count != app->input.drawn_count || has_unarranged(app);
}

static bool is_drawn_long_ago(const struct app *app)
{
	return clock_us() - app->screen.drawn_at > INPUT_REDRAW * 1000u;
}

/* What is to be read again may not be there, for the moment. */
bool input_is_polled(const struct app *app)
{
	return app->input.status == TASK_FAILED ||
	       (app->input.status == TASK_IDLE &&
		       (load_follows(app->input.load) || load_rests(app->input.load)));
}

/* What was wrong with the files, when they are read: a line for the status. */
static void say_notes(struct app *app)
{
	const struct inputs *in = app->trace->inputs;
	size_t count = inputs_note_count(in);
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (app->input.status != TASK_DONE || !count || app->said.len)
		return;
	inputs_note(in, 0, &err);
	err_format(&err, &app->said);
	if (count > 1)
		buf_printf(&app->said, " (and %zu more)", count - 1);
}

static bool is_following(const struct app *app)
{
	return app->options.follow || load_follows(app->input.load);
}

static void go_to_end(struct app *app)
{
	app->screen.panes[PANE_STEPS].cursor =
		app->steps.count ? app->steps.count - 1 : 0;
}

void input_read(struct app *app, uint64_t deadline)
{
	size_t before = app->trace->count, rows = app->steps.count;
	uint32_t step = step_at_cursor(app);
	struct pane *list = &app->screen.panes[PANE_STEPS];
	bool at_end = rows ? list->cursor + 1 == rows : is_following(app);
	struct input *in = &app->input;

	if (in->status == TASK_IDLE && !load_pump(in->load, &in->error))
		app->screen.dirty = true;
	in->looked_at = clock_us();
	in->status = load_run(in->load, deadline, SIZE_MAX);
	if (in->status == TASK_FAILED) {
		reload(app);
		return;
	}
	if (in->generation != app->trace->generation) {
		in->generation = app->trace->generation;
		notify(app, EVENT_FORGET); /* they are known by their indices */
	} else if (step != NO_STEP && list->cursor) {
		/* Steps that were read later may have moved the one that is shown: the
		 * cursor goes with it. */
		steps_update(&app->steps);
		if (step_at_cursor(app) != step)
			list->cursor = steps_find(&app->steps, step);
	}
	steps_update(&app->steps);
	/* who stands at the end of a growing list stays there; with -f it begins there */
	if (at_end && app->trace->count != before && is_following(app))
		go_to_end(app);
	if (app->trace->count != before)
		notify(app, EVENT_GROWN);
	notify(app, EVENT_READ);
	say_notes(app);
	if (app->trace->count != before &&
		(!before || is_drawn_long_ago(app) || input_is_settled(app)))
		app->screen.dirty = true;
	app->screen.dirty |= in->status == TASK_DONE;
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	if (input_is_reading(app)) {
		input_read(app, deadline);
		app->screen.dirty |= is_drawn_long_ago(app);
		return input_is_reading(app) ? TASK_MORE : TASK_DONE;
	}
	if (input_is_ahead(app) && is_drawn_long_ago(app)) {
		app->screen.dirty = true;
		if (has_unarranged(app))
			app->input.status = TASK_MORE; /* though nothing has come */
	}
	if (!input_is_polled(app) ||
		clock_us() - app->input.looked_at < LOAD_LOOK * 1000u)
		return TASK_IDLE;
	input_read(app, deadline);
	return TASK_DONE;
}

/* ---- opening ---- */

static void begin_reading(struct app *app, struct trace **trace, struct load **load)
{
	struct inputs *inputs = inputs_new();

	for (size_t i = 0; i < app->options.count; i++)
		inputs_add(inputs, app->options.paths[i]);
	inputs_follow(inputs, app->options.follow);
	if (app->trace)
		inputs_share(inputs, app->trace->inputs);
	*trace = trace_new(inputs);
	*load = load_begin(*trace, app->options.from);
}

static void begin_list(struct app *app)
{
	steps_begin(&app->steps, app->trace);
	columns_read(&app->steps.columns, str_of(app->settings.columns));
}

/* Reads on while it may come out that nothing can be shown: then no screen is drawn.  A
 * stream has a while to deliver something. */
bool input_open(struct app *app, struct err *err)
{
	uint64_t until = clock_deadline(RECOGNIZE);
	struct input *in = &app->input;

	in->error.offset = ERR_NOWHERE;
	begin_reading(app, &app->trace, &in->load);
	in->status = load_run(in->load, clock_deadline(FIRST_SLICE), AHEAD);
	while (in->status != TASK_DONE && in->status != TASK_FAILED &&
		!app->options.follow && load_may_be_foreign(in->load) &&
		!clock_passed(until)) {
		struct pollfd p = {.fd = load_watch(in->load), .events = POLLIN};

		if (in->status == TASK_IDLE) {
			if (p.fd < 0 || poll(&p, 1, FIRST_BYTES) <= 0)
				break;
			/* what fails has ended: reading on tells what that means */
			load_pump(in->load, &in->error);
		}
		in->status = load_run(in->load, clock_deadline(FIRST_SLICE), SIZE_MAX);
	}
	begin_list(app);
	if (app->options.follow) {
		steps_update(&app->steps);
		go_to_end(app);
	}
	say_notes(app);
	return app->options.sessions || !input_is_empty(app) ||
	       !load_unreadable(in->load, err);
}

bool input_is_empty(const struct app *app)
{
	return app->input.status == TASK_DONE &&
	       (!app->trace->chain_count || load_is_foreign(app->input.load));
}

/* Everything again, from the files as they are now; an error leaves what there was. */
static void reload(struct app *app)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct input *in = &app->input;
	struct trace *trace, *old = app->trace;
	size_t rows;
	bool closed;
	enum task_state status;
	struct load *load;

	notify(app, EVENT_KEEP);
	begin_reading(app, &trace, &load);
	status = load_run(load, clock_deadline(FIRST_SLICE), in->kept.step + AHEAD);
	app->screen.dirty = true;
	if (status == TASK_DONE && load_unreadable(load, &err)) {
		buf_clear(&app->said);
		err_format(&err, &app->said);
		load_free(load);
		trace_free(trace);
		in->kept.wanted = false;
		return;
	}
	/* Steps that were folded are so again once they are known: see the session's
	 * state. */
	closed = app->steps.chains_closed;
	rows = app->steps.count;
	notify(app, EVENT_FORGET);
	steps_done(&app->steps);
	app->trace = trace;
	notify(app, EVENT_RENEW);
	load_free(in->load);
	trace_free(old);
	in->load = load;
	in->generation = trace->generation;
	in->status = status == TASK_FAILED ? TASK_MORE : status; /* soon */
	begin_list(app);
	app->steps.chains_closed = closed;
	app->steps.expected = rows; /* so that no pane is larger while it reads */
	err_done(&in->error);
	app->screen.panes[PANE_STEPS].cursor = app->screen.panes[PANE_STEPS].top = 0;
	notify(app, EVENT_LIST_BEGUN);
	steps_update(&app->steps);
	notify(app, EVENT_READ);
}

unsigned run_follow(struct app *app, const struct invocation *call)
{
	app->input.stopped = false;
	app->options.follow = !app->options.follow;
	buf_clear(&app->said);
	if (app->input.status != TASK_DONE)
		load_follow(app->input.load, app->options.follow);
	else if (app->options.follow)
		reload(app);
	if (app->input.status == TASK_IDLE)
		app->input.status = TASK_MORE;
	return app_say(app, app->options.follow ? "following: what is written shows here"
						: "no longer following");
}

unsigned run_reload(struct app *app, const struct invocation *call)
{
	if (app->input.stopped)
		app->input.stopped = false;
	else
		reload(app);
	return REACT_DRAW;
}

/* ---- the controller ---- */

void input_close(struct app *app)
{
	steps_done(&app->steps);
	load_free(app->input.load);
	trace_free(app->trace);
	err_done(&app->input.error);
}

static void settings(struct app *app)
{
	columns_read(&app->steps.columns, str_of(app->settings.columns));
}

const struct controller_ops input_controller = {
	.run = run,
	.level = LEVEL_WORK,
	.on[EVENT_SETTINGS] = settings,
};
