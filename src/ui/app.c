/*
 * The viewer's loop: wait for an event, let a pane or a controller answer it, draw when
 * something changed, and let the tasks of controllers work in slices of a few
 * milliseconds in between.
 */
#include "config.h"
#include "ui/core/app.h"

#include "base/mem.h"
#include "base/work.h"
#include "sessions/sessions.h"
#include "term/term.h"
#include "text/safe.h"
#include "ui/control/controllers.h"
#include "ui/script.h"

#define PAUSE    500    /* milliseconds after which a key that begins others is alone */
#define PICTURES 10     /* milliseconds between looks at a thumbnail being made */
#define SLICE    3000   /* microseconds of one task between two looks for a key */
#define REDRAW   100000 /* ... between two screens while tasks work: how far they are */
#define CTRL(c)  ((c)&0x1F)
#define ESCAPE   0x1B

/* What the loop keeps for itself. */
struct loop {
	struct app *app;
	uint64_t typed_at; /* microseconds: when the last key came */
	bool syncing;      /* whoever drives the viewer waits until all is done */
	bool over;  /* the terminal is gone, or somebody asks the program to end, */
	int signal; /* ... by this signal, or 0 */
	bool empty; /* there is nothing to show */
};

/* ---- keys ---- */

/* A key goes to who asked for text, else it is a command, or the beginning of one.  True
 * when it is time to leave. */
static bool answer_key(struct app *app, uint32_t key)
{
	struct keys *keys = &app->keys;
	struct pending_input *pending = &keys->pending;
	struct invocation call;
	enum typed_state state;
	uint32_t left;

	if (pending->call.command != COMMAND_NONE) {
		if (key == ESCAPE || key == CTRL('C')) /* takes back what waits */
			pending_input_clear(pending);
		else if (pending->count < PENDING_MOST)
			*MEM_ADD(pending->keys, pending->count, pending->cap) = key;
		return false;
	}
	app->screen.dirty |=
		app->said.len || app->prompt.kind || typed_is_begun(&keys->typed);
	buf_clear(&app->said);
	if (app->prompt.kind) {
		notify_key(app, COMMAND_NONE);
		prompt_key(app, key);
		return app->screen.leaving;
	}
	state = typed_key(&keys->typed, &keys->map, key, &call);
	if (state == TYPED_UNKNOWN) {
		buf_str(&app->said, buf_view(&keys->typed.text));
		buf_text(&app->said, " does nothing");
	}
	if (state != TYPED_CALL) {
		app->screen.dirty |= typed_is_begun(&keys->typed) || app->said.len;
		return false;
	}
	left = keys->typed.left;
	notify_key(app, call.command);
	return call_command(app, &call) ||
	       (left != TERM_KEY_NONE && answer_key(app, left));
}

/* What waited for a step; a key may lead to the next one that is long. */
static void answer_pending(struct app *app)
{
	struct pending_input pending = app->keys.pending;

	if (app->step.opening || app->step.comparing ||
		pending.call.command == COMMAND_NONE)
		return;
	app->keys.pending = (struct pending_input){0};
	step_view_settle(app);
	app->screen.leaving |= call_command(app, &pending.call);
	for (size_t i = 0; i < pending.count; i++)
		app->screen.leaving |= answer_key(app, pending.keys[i]);
	pending_input_done(&pending);
}

/* ---- events ---- */

/* Returns true to leave. */
static bool handle(struct loop *loop, const struct term_event *e)
{
	struct app *app = loop->app;

	switch (e->type) {
	case TERM_KEY:
		if (e->key == TERM_SYNC) {
			loop->syncing = true;
			if (load_follows(app->input.load)) /* now, not when it is due */
				input_read(app, clock_deadline(SLICE));
			if (session_list_is_on(app))
				session_list_look(app);
			return false;
		}
		session_state_stay(app);
		loop->typed_at = clock_us();
		return answer_key(app, e->key);
	case TERM_RESIZE:
	case TERM_RESUMED:
		app->screen.dirty = true;
		return false;
	case TERM_READABLE:
		input_read(app, clock_deadline(SLICE));
		return false;
	case TERM_HANGUP:
		loop->signal = e->signal;
		loop->over = true;
		return true;
	case TERM_BACKGROUND:
		appearance_told(app, e->background);
		return false;
	case TERM_LINE:
		app->screen.dirty = true;
		buf_clear(&app->said);
		line_call(app, e->line);
		return app->screen.leaving;
	case TERM_MOUSE:
		session_state_stay(app);
		return pointer_event(app, e);
	case TERM_NOTHING:
		break;
	}
	return false;
}

static bool is_busy(const struct app *app)
{
	return app->keys.pending.call.command != COMMAND_NONE || !app->controllers.idle;
}

/* How long to wait for a key, in milliseconds. */
static int time_left(const struct app *app)
{
	if (app->screen.dirty || is_busy(app))
		return 0;
	if (typed_may_be_alone(&app->keys.typed, &app->keys.map))
		return PAUSE;
	if (pictures_are_made(app))
		return PICTURES;
	if (input_is_ahead(app))
		return INPUT_REDRAW;
	return input_is_polled(app) ? LOAD_LOOK : session_list_timeout(app);
}

/* One event, or, when none comes, a slice of each task that has work. */
static bool turn(struct loop *loop)
{
	struct app *app = loop->app;
	struct keys *keys = &app->keys;
	const struct input *in = &app->input;
	int watch = in->status == TASK_IDLE && !in->stopped ? load_watch(in->load) : -1;
	int wait = time_left(app);
	struct term_event e = {.type = TERM_NOTHING};
	struct invocation call;
	bool leave;

	if (!session_state_is_near(app)) /* what is typed is for that place */
		term_wait(wait, watch, &e);
	leave = handle(loop, &e);
	/* What was typed stands alone when nothing followed for a while, or nothing will:
	 * not while a key that was typed in time waits to be read. */
	if (!leave && (e.type == TERM_NOTHING || loop->syncing) &&
		typed_may_be_alone(&keys->typed, &keys->map) &&
		(loop->syncing || clock_us() >= loop->typed_at + PAUSE * 1000) &&
		typed_alone(&keys->typed, &keys->map, &call)) {
		app->screen.dirty = true;
		notify_key(app, call.command);
		leave = call_command(app, &call);
	}
	if (wait || e.type != TERM_NOTHING)
		app->controllers.idle = false;
	if (e.type == TERM_NOTHING) {
		answer_pending(app);
		controllers_run(app, SLICE);
		app->screen.dirty |=
			is_busy(app) && clock_us() - app->screen.drawn_at > REDRAW;
	}
	return leave || app->screen.leaving;
}

/* ---- from start to end ---- */

/* Why there is nothing to show, after what was wrong with compressed input. */
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

/* Until the person leaves, or there is nothing to show.  `syncing`: somebody waits since
 * the loop before. */
static struct loop run(struct app *app, bool syncing)
{
	struct loop loop = {.app = app, .syncing = syncing};
	const struct input *in = &app->input;
	bool leave = false, idle;

	while (!leave && !loop.empty) {
		if (app->screen.dirty && !term_pending()) {
			frame_draw(app);
			appearance_ask(app);
		}
		/* All that was asked for is done, and all is read: a script waits for the
		 * end of a pipe. */
		idle = loop.syncing && !app->screen.dirty && !input_is_ahead(app) &&
		       !is_busy(app) && !pictures_are_made(app) &&
		       (!app->options.script || in->status != TASK_IDLE || in->stopped ||
			       load_follows(in->load));
		if (idle) {
			loop.syncing = false;
			term_sync();
		}
		leave = turn(&loop);
		loop.empty = input_is_empty(app) && !session_list_is_on(app);
	}
	loop.over |= app->screen.ending;
	return loop;
}

static const struct controller_ops *const controllers[CONTROLLER_COUNT] = {
#define CONTROLLER(id, name, type) [CONTROLLER_##id] = &name##_controller,
	CONTROLLERS(CONTROLLER)
#undef CONTROLLER
};

static const struct pane_ops *const panes[PANE_COUNT] = {
#define PANE(id, name, area, share) [PANE_##id] = &pane_##name##_ops,
	PANES(PANE)
#undef PANE
};

static void begin(struct app *app)
{
	struct config *config = app->options.config;
	struct screen *s = &app->screen;

	for (int i = 0; i < PANE_COUNT; i++)
		s->panes[i].ops = panes[i];
	s->panes[PANE_INPUT].input = true;
	s->panes[PANE_JSON].mode = MODE_TREE;
	s->side = PANE_INPUT;
	s->under = s->left = s->beside = PANE_NONE;
	s->overlay = s->home = PANE_NONE;
	s->peek = app->step.index = NO_STEP;
	s->dirty = true;
	settings_begin(&app->settings);
	settings_copy(&app->settings, &config->settings);
	keymap_begin(&app->keys.map, config);
	controllers_begin(app, controllers);
}

static void end(struct app *app)
{
	controllers_end(app);
	for (int i = 0; i < PANE_COUNT * MODE_COUNT; i++)
		doc_done(&app->screen.panes[i / MODE_COUNT].shown.docs[i % MODE_COUNT]);
	lines_done(&app->screen.line);
	prompt_done(&app->prompt);
	typed_done(&app->keys.typed);
	pending_input_done(&app->keys.pending);
	keymap_done(&app->keys.map);
	settings_done(&app->settings);
	buf_done(&app->said);
	input_close(app);
}

static bool open_screen(struct app *app, struct err *err)
{
	const struct config *c = app->options.config;
	struct headless headless;

	if (app->options.script) {
		headless = script_stage(app->options.script, &app->screen.layout);
		term_open_headless(&headless);
	} else if (!term_open(err)) {
		return false;
	}
	stop_ask(term_pending);
	appearance_begin(app);
	notify(app, EVENT_SETTINGS);
	if (c->warning_count && !app->said.len) { /* said again at the end: main.c */
		err_format(&c->warnings[0], &app->said);
		if (c->warning_count > 1)
			buf_printf(&app->said, " (and %zu more)", c->warning_count - 1);
	}
	if (term_stands_in() && !app->said.len)
		buf_printf(&app->said,
			"TERM=%s is not described on this machine: taken for "
			"xterm-256color",
			getenv("TERM"));
	return true;
}

/* ---- a trace ---- */

/* Remembers where the person is; what is wrong with that is told, on the session list
 * where there is one. */
static void save(struct app *app, struct app *session_list)
{
	AUTO(err_done)
	struct err err = {.offset = ERR_NOWHERE}, all = {.offset = ERR_NOWHERE};

	if (!session_state_write(app, &err)) {
		err_set(&all, "your place and marks are not saved: %s", err.text);
		if (session_list)
			err_format(&all, &session_list->said);
		else
			report_note(&all);
	}
}

static int run_trace(const struct app_options *options)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct app app = {.options = *options};
	struct loop loop;
	int status = 2;

	begin(&app);
	if (!input_open(&app, &err)) {
		report_empty(&app, &err);
	} else {
		list_filter_filter(&app, options->filter, &err); /* it was read before */
		if (open_screen(&app, &err)) {
			session_state_begin(&app);
			loop = run(&app, false);
			status = loop.empty ? 2 : loop.signal ? 128 + loop.signal : 0;
			term_close();
			if (loop.empty && load_unreadable(app.input.load, &err))
				report_empty(&app, &err);
		} else {
			report_error(&err);
		}
	}
	save(&app, NULL);
	end(&app);
	return status;
}

/* ---- the session list, and traces that are opened from it ---- */

/* The trace that was chosen, on the screen that is open.  Settings that are changed are
 * so on the session list, too.  What is wrong with it is said there. */
static struct loop run_chosen(struct app *session_list, bool syncing)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct app app = {.options = session_list->options};
	const struct session *chosen = session_list_at_cursor(session_list);
	const char *path = session_list_chosen(session_list);
	struct loop loop = {.app = NULL};

	app.options.sessions = NULL;
	app.options.from_list = true;
	app.options.paths = &path;
	app.options.count = 1;
	app.options.follow = session_list_follows(session_list);
	begin(&app);
	settings_copy(&app.settings, &session_list->settings);
	appearance_inherit(&app, session_list);
	if (input_open(&app, &err)) {
		list_filter_filter(&app, app.options.filter, &err);
		notify(&app, EVENT_SETTINGS);
		script_look_at(app.options.script, &app.screen.layout);
		session_state_begin(&app);
		/* it has hits of what the list is searched for, or may have some */
		if (chosen && !app.options.follow &&
			(chosen->found.hits || session_find_is_busy(session_list)))
			find_from(&app, session_find_pattern(session_list),
				chosen->found.address);
		loop = run(&app, syncing);
		if (loop.empty)
			load_unreadable(app.input.load, &err);
		script_look_at(
			session_list->options.script, &session_list->screen.layout);
	}
	if (err.text)
		err_format(&err, &session_list->said);
	save(&app, session_list);
	settings_copy(&session_list->settings, &app.settings);
	appearance_inherit(session_list, &app);
	end(&app);
	return loop;
}

static int run_session_list(const struct app_options *options)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct app app = {.options = *options};
	struct loop loop;
	int status = 2;

	app.options.count = 0; /* no trace */
	begin(&app);
	input_open(&app, &err);
	session_list_begin(&app);
	if (open_screen(&app, &err)) {
		for (loop = run(&app, false); !loop.over && session_list_chosen(&app);
			loop = run(&app, loop.syncing)) {
			loop = run_chosen(&app, loop.syncing);
			if (loop.over)
				break;
			notify(&app, EVENT_SETTINGS);
			session_list_return(&app);
		}
		status = loop.signal ? 128 + loop.signal : 0;
		term_close();
	} else {
		report_error(&err);
	}
	end(&app);
	return status;
}

int app_run(const struct app_options *options)
{
	if (options->no_color)
		term_no_color();
	return options->sessions ? run_session_list(options) : run_trace(options);
}
