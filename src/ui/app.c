/*
 * The viewer's loop: wait for an event, let a pane or the application answer it, draw
 * when something changed, and read the file in slices of a few milliseconds in between.
 */
#include "config.h"
#include "ui/app.h"

#include "base/clock.h"
#include "term/term.h"
#include "text/report.h"
#include "ui/appearance.h"
#include "ui/charts.h"
#include "ui/compare.h"
#include "ui/copy.h"
#include "ui/find.h"
#include "ui/frame.h"
#include "ui/go_to.h"
#include "ui/input.h"
#include "ui/job.h"
#include "ui/jump.h"
#include "ui/line.h"
#include "ui/list_filter.h"
#include "ui/pictures.h"
#include "ui/pointer.h"
#include "ui/script.h"

#define PICTURES   10     /* milliseconds between looks at a thumbnail being made */
#define SLICE      3000   /* microseconds of work between two looks for a key */
#define REDRAW     150000 /* microseconds between two screens while reading */
#define CTRL(c)    ((c)&0x1F)
#define ESCAPE     0x1B
#define CHECK_MOST (64u << 20) /* bytes of a file whose steps are judged ahead */

/* ---- drawing ---- */

static void draw(struct app *app)
{
	app_settle(app);
	term_erase();
	frame_borders(&app->layout);
	for (int i = 0; i < PANE_COUNT; i++)
		frame_pane(app, (enum pane_id)i);
	if (app->layout.header)
		frame_header(app);
	if (app->layout.footer)
		frame_footer(app);
	term_flush();
	app->dirty = app->previews.behind;
	app->drawn_at = clock_us();
}

/* ---- work in slices ---- */

/* Judges steps that nobody has opened yet, so that the list can mark what is broken. */
static bool judge_slice(struct app *app, uint64_t deadline)
{
	struct trace *trace = app->trace;

	if (inputs_size(trace->inputs) > CHECK_MOST)
		app->checked = trace->count;
	while (app->checked < trace->count) {
		size_t step = app->checked++;
		uint32_t before = trace_flags(trace, step);

		if (!(before & STEP_CHECKED)) {
			step_check(trace, (uint32_t)step);
			app->dirty |= trace_flags(trace, step) != (before | STEP_CHECKED);
		}
		if (clock_passed(deadline))
			return true;
	}
	return false;
}

/* The model forgot steps: what is remembered by their indices is of others. */
void app_forget_steps(struct app *app)
{
	app->generation = app->trace->generation;
	app_close_step(app);
	shelf_clear(&app->shelf);
	report_forget(app);
	compare_forget(app);
	find_forget(app);
	jump_forget(app);
	go_forget(app);
	app->checked = 0;
	job_cancel(app);
	previews_forget(app);
	waterfall_forget(&app->waterfall);
}

static bool answer_key(struct app *app, uint32_t key);

/* What waited for a step; a key may lead to the next one that is long. */
static void let_go(struct app *app)
{
	struct pending_input held = app->held;

	if (app->opening || app->finding || held.call.command == COMMAND_NONE)
		return;
	app->held = (struct pending_input){0};
	app_settle(app);
	app->leaving |= app_call(app, &held.call);
	for (size_t i = 0; i < held.count; i++)
		app->leaving |= answer_key(app, held.keys[i]);
	pending_input_done(&held);
}

static void open_on(struct app *app)
{
	app_opening_slice(app, clock_deadline(SLICE));
	app->dirty |= clock_us() - app->drawn_at > REDRAW; /* the progress */
}

/* One slice of whatever is left to do; false when there is nothing. */
static bool work(struct app *app)
{
	bool searched, narrowed;

	pictures_slice(app);
	let_go(app);
	if (app->opening) {
		open_on(app);
		return true;
	}
	if (only_new_slice(app, clock_deadline(SLICE)) ||
		compare_slice(app, clock_deadline(SLICE)))
		return true;
	narrowed = list_filter_slice(app, clock_deadline(SLICE));
	if (narrowed)
		input_come_back(app);
	if (job_slice(app, clock_deadline(SLICE)))
		return true;
	searched = find_slice(app, clock_deadline(SLICE)) || narrowed;
	searched |= jump_slice(app, clock_deadline(SLICE));
	searched |= go_slice(app, clock_deadline(SLICE));
	if (input_is_reading(app)) {
		input_slice(app, SLICE, SIZE_MAX);
		if (!app->dirty && clock_us() - app->drawn_at > REDRAW)
			app->dirty = true; /* the progress */
		return true;
	}
	if (input_is_due(app)) {
		input_slice(app, SLICE, SIZE_MAX);
		return true;
	}
	if (searched ||
		(input_is_settled(app) && charts_slice(app, clock_deadline(SLICE))))
		return true;
	if (input_is_settled(app) && !previews_are_ahead(app)) {
		previews_ahead(app, clock_deadline(SLICE));
		return true;
	}
	return input_is_settled(app) && (report_slice(app, clock_deadline(SLICE)) ||
						judge_slice(app, clock_deadline(SLICE)));
}

static bool is_busy(const struct app *app)
{
	return app->opening || app->held.call.command != COMMAND_NONE || app->job ||
	       app->finding || compare_is_busy(app) || input_is_reading(app) ||
	       find_is_busy(app) || list_filter_is_busy(app) || jump_is_busy(app) ||
	       go_is_busy(app) ||
	       (input_is_settled(app) &&
		       (charts_is_busy(app) || !previews_are_ahead(app) ||
			       report_is_busy(app) || app->checked < app->trace->count));
}

/* Esc takes back what waits. */
static bool is_held(struct app *app, uint32_t key)
{
	if (!pending_input_key(&app->held, key))
		return false;
	if (key == ESCAPE || key == CTRL('C'))
		pending_input_clear(&app->held);
	return true;
}

/* A key goes to who asked for text, else it is a command, or the beginning of one. */
static bool answer_key(struct app *app, uint32_t key)
{
	struct invocation call;
	enum typed_state state;

	if (is_held(app, key))
		return false;
	app->dirty |= app->said.len || app->prompt.kind || typed_is_begun(&app->typed);
	buf_clear(&app->said);
	if (app->prompt.kind) {
		find_key(app, COMMAND_NONE);
		prompt_key(app, &app->prompt, key);
		return app->leaving;
	}
	state = typed_key(&app->typed, &app->keymap, key, &call);
	if (state == TYPED_UNKNOWN) {
		buf_str(&app->said, buf_view(&app->typed.text));
		buf_text(&app->said, " does nothing");
	}
	if (state != TYPED_CALL) {
		app->dirty |= typed_is_begun(&app->typed) || app->said.len;
		return false;
	}
	find_key(app, call.command);
	jump_key(app, call.command);
	return app_call(app, &call);
}

/* Returns true to leave. */
static bool handle(struct app *app, const struct term_event *e, int *signal)
{
	switch (e->type) {
	case TERM_KEY:
		if (e->key == TERM_SYNC) {
			app->syncing = true;
			if (load_follows(app->load)) /* now, not when it is due */
				input_slice(app, SLICE, SIZE_MAX);
			return false;
		}
		input_stay(app);
		return answer_key(app, e->key);
	case TERM_RESIZE:
	case TERM_RESUMED:
		app->dirty = true;
		return false;
	case TERM_READABLE:
		input_slice(app, SLICE, SIZE_MAX);
		return false;
	case TERM_HANGUP:
		*signal = e->signal;
		return true;
	case TERM_LINE:
		app->dirty = true;
		buf_clear(&app->said);
		return line_call(app, e->line);
	case TERM_MOUSE:
		input_stay(app);
		return pointer_event(app, e);
	case TERM_NOTHING:
		break;
	}
	return false;
}

/* All that was asked for is done, and all is read: a script waits for the end of a pipe.
 */
static bool is_idle(const struct app *app)
{
	return !app->dirty && !is_busy(app) && !pictures_are_made(app) &&
	       (!app->wish.script || app->loading != LOAD_WAIT || app->stopped ||
		       load_follows(app->load));
}

/* Why there is nothing to show, behind what was wrong with compressed input. */
static void report_empty(const struct app *app, const struct err *err)
{
	struct err note = {.offset = ERR_NOWHERE};

	if (inputs_note_count(app->trace->inputs) && app->said.len) {
		err_set(&note, "%s", app->said.data);
		report_note(&note);
		err_done(&note);
	}
	report_error(err);
}

/* How long to wait for a key, in milliseconds. */
static int patience(const struct app *app)
{
	if (app->dirty || is_busy(app))
		return 0;
	if (pictures_are_made(app))
		return PICTURES;
	return input_is_polled(app) ? LOAD_LOOK : -1;
}

static int run(struct app *app)
{
	struct err err = {.offset = ERR_NOWHERE};
	bool leave = false, empty = false;
	int signal = 0;

	while (!leave && !empty) {
		struct term_event e;
		int watch = app->loading == LOAD_WAIT && !app->stopped
				    ? load_watch(app->load)
				    : -1;

		if (app->dirty && !term_pending())
			draw(app);
		if (app->syncing && is_idle(app)) {
			app->syncing = false;
			term_sync();
		}
		term_wait(patience(app), watch, &e);
		leave = handle(app, &e, &signal);
		if (e.type == TERM_NOTHING)
			work(app);
		leave |= app->leaving;
		empty = app->loading == LOAD_DONE && !app->trace->chain_count;
	}
	term_close();
	if (empty && load_unreadable(app->load, &err))
		report_empty(app, &err);
	err_done(&err);
	return empty ? 2 : signal ? 128 + signal : 0;
}

/* ---- from start to end ---- */

void app_apply_settings(struct app *app)
{
	app->shelf.budget = app->settings.cache;
	pictures_renew(app);
	only_new_begin(app);
	pointer_apply(app);
	columns_read(&app->steps.columns, str_of(app->settings.columns));
	appearance_apply(app);
	if (app->keymap.count)
		pane_help_build(app);
	for (int i = 0; i < PANE_COUNT; i++) {
		app->panes[i].unwrapped = !app->settings.wrap;
		if (app->settings.wrap)
			app->panes[i].shift = 0;
	}
}

static void begin(struct app *app)
{
	static const struct pane_ops *const ops[PANE_COUNT] = {
		[PANE_STEPS] = &pane_steps_ops,
		[PANE_INPUT] = &pane_side_ops,
		[PANE_OUTPUT] = &pane_side_ops,
		[PANE_HELP] = &pane_help_ops,
		[PANE_FINDINGS] = &pane_findings_ops,
		[PANE_OVERVIEW] = &pane_overview_ops,
		[PANE_WATERFALL] = &pane_waterfall_ops,
		[PANE_MARKS] = &pane_marks_ops,
		[PANE_DIFFERENCE] = &pane_difference_ops,
		[PANE_GO] = &pane_go_ops,
	};

	for (int i = 0; i < PANE_COUNT; i++)
		app->panes[i].ops = ops[i];
	app->panes[PANE_INPUT].input = true;
	app->side = PANE_INPUT;
	app->overlay = PANE_NONE;
	app->opened_step = NO_STEP;
	app->error.offset = ERR_NOWHERE;
	app->dirty = true;
	app->find = find_new();
	app->compare = compare_new();
	app->narrow = list_filter_new();
	app->jump = jump_new();
	app->go = go_new();
	settings_begin(&app->settings);
	settings_copy(&app->settings, &app->config->settings);
	app_apply_settings(app);
	keymap_begin(&app->keymap, app->config);
	pane_help_build(app);
}

static void end(struct app *app)
{
	job_free(app);
	copy_end(app);
	pictures_free(app);
	report_forget(app);
	find_free(app->find);
	compare_free(app);
	list_filter_free(app->narrow);
	jump_free(app->jump);
	go_free(app->go);
	app_close_step(app);
	shelf_clear(&app->shelf);
	for (int i = 0; i < PANE_COUNT * MODE_COUNT; i++)
		doc_done(&app->panes[i / MODE_COUNT].docs[i % MODE_COUNT]);
	previews_done(app);
	prompt_done(&app->prompt);
	prompt_history_done(&app->lines);
	prompt_history_done(&app->filters);
	prompt_history_done(&app->piped);
	typed_done(&app->typed);
	pending_input_done(&app->held);
	keymap_done(&app->keymap);
	settings_done(&app->settings);
	buf_done(&app->said);
	steps_done(&app->steps);
	lines_done(&app->line);
	load_free(app->load);
	trace_free(app->trace);
	err_done(&app->error);
}

/* What is wrong with the configuration; it is said again at the end (see main.c). */
static void say_warnings(struct app *app)
{
	const struct config *c = app->config;

	if (!c->warning_count || app->said.len)
		return;
	err_format(&c->warnings[0], &app->said);
	if (c->warning_count > 1)
		buf_printf(&app->said, " (and %zu more)", c->warning_count - 1);
}

static bool open_screen(struct app *app, struct err *err)
{
	struct headless stage;

	if (app->wish.script) {
		stage = script_stage(app->wish.script, &app->layout);
		term_open_stage(&stage);
	} else if (!term_open(err)) {
		return false;
	}
	appearance_begin(app);
	pointer_apply(app);
	say_warnings(app);
	return true;
}

int app_run(const struct app_options *wish, struct config *config,
	const struct registry *registry)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct app app = {.wish = *wish, .config = config, .registry = registry};
	int status = 2;

	begin(&app);
	if (!input_open(&app, &err)) {
		report_empty(&app, &err);
	} else {
		list_filter_filter(&app, wish->filter, &err); /* it was read before */
		if (wish->no_color)
			term_no_color();
		if (open_screen(&app, &err)) {
			session_state_begin(&app);
			status = run(&app);
		} else {
			report_error(&err);
		}
	}
	session_state_end(&app);
	end(&app);
	err_done(&err);
	return status;
}
