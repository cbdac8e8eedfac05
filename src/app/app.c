/*
 * The viewer's loop: wait for an event, let a pane or the application answer it, draw
 * when something changed, and read the file in slices of a few milliseconds in between.
 */
#include "config.h"
#include "app/app.h"

#include "app/find.h"
#include "app/frame.h"
#include "app/input.h"
#include "app/script.h"
#include "base/clock.h"
#include "term/term.h"
#include "text/report.h"

#define SLICE       3000        /* microseconds of work between two looks for a key */
#define REDRAW      150000      /* microseconds between two screens while reading */
#define CHECK_MOST  (64u << 20) /* bytes of a file whose steps are judged ahead */
#define OPEN_MOST   (4u << 20)  /* bytes of a step that is opened at once */

/* ---- the chosen step ---- */

enum pane_id app_focus(const struct app *app)
{
	return app->overlay == PANE_NONE ? app->focus : app->overlay;
}

uint32_t app_step(const struct app *app)
{
	const struct model *m = app->model;
	struct steps_row r;

	if (app->panes[PANE_STEPS].cursor >= app->steps.count || !m->order_count)
		return NO_STEP;
	r = steps_at(&app->steps, app->panes[PANE_STEPS].cursor);
	if (r.position >= m->order_count || (r.is_chain && !m->chains[r.chain].count))
		return NO_STEP;
	return model_at(m, r.position);
}

static void forget_side(struct pane *p)
{
	for (int i = 0; i < MODE_COUNT; i++) {
		doc_clear(&p->docs[i]);
		p->built[i] = false;
	}
	p->message = SIZE_MAX;
}

/* The document of a side in the mode it is in, made when it is first looked at. */
static void build_side(struct app *app, enum pane_id id)
{
	struct pane *p = &app->panes[id];

	if (!app->opened || p->built[p->mode])
		return;
	conversation_build(pane_doc(p), app->model, app->opened_step, app->reading,
		p->input, p->mode);
	p->built[p->mode] = true;
}

/* The documents of a side go with the visit to their step, and come with it. */
static void leave_side(struct pane *p, struct visit_side *s)
{
	memcpy(s->docs, p->docs, sizeof(s->docs));
	memcpy(s->built, p->built, sizeof(s->built));
	s->message = p->message;
	memset(p->docs, 0, sizeof(p->docs));
	forget_side(p);
}

static void enter_side(struct pane *p, struct visit_side *s)
{
	for (int i = 0; i < MODE_COUNT; i++)
		doc_done(&p->docs[i]);
	memcpy(p->docs, s->docs, sizeof(p->docs));
	memcpy(p->built, s->built, sizeof(p->built));
	p->message = s->message;
	memset(s->docs, 0, sizeof(s->docs));
}

void app_close_step(struct app *app)
{
	struct visit *v = app->visit;

	if (v) {
		leave_side(&app->panes[PANE_INPUT], &v->input);
		leave_side(&app->panes[PANE_OUTPUT], &v->output);
		shelf_put(&app->shelf, v);
	}
	opening_free(app->opening);
	app->opening = NULL;
	app->visit = NULL;
	app->reading = NULL;
	app->opened = NULL;
	app->opened_step = NO_STEP;
}

static void begin_visit(struct app *app, struct visit *v)
{
	app->visit = v;
	app->opened = v->opened;
	app->reading = v->reading;
	enter_side(&app->panes[PANE_INPUT], &v->input);
	enter_side(&app->panes[PANE_OUTPUT], &v->output);
}

static void visit_opened(struct app *app, struct opened *o)
{
	begin_visit(app, visit_new(app->model, app->opened_step, o, app->registry));
}

/* A long step is read in slices; moving on to another gives it up. */
static void choose_step(struct app *app, uint32_t step)
{
	struct visit *v = shelf_take(&app->shelf, app->model, step);

	app->opened_step = step;
	app->opened_length = model_step(app->model, step).length;
	if (v)
		begin_visit(app, v);
	else if (app->opened_length > OPEN_MOST)
		app->opening = opening_new(app->model, step);
	else
		visit_opened(app, opened_new(app->model, step));
}

/* The rest of a long step; the deadline may be none. */
static void opening_slice(struct app *app, uint64_t deadline)
{
	if (!opening_go(app->opening, app->model, deadline))
		return;
	visit_opened(app, opened_take(app->opening, app->model));
	app->opening = NULL;
	app->dirty = true;
}

/* Opens the step under the cursor, and both its sides. */
static void open_step(struct app *app)
{
	uint32_t step = app_step(app);

	if (step != app->opened_step) {
		app_close_step(app);
		if (step != NO_STEP)
			choose_step(app, step);
	}
	build_side(app, PANE_INPUT);
	build_side(app, PANE_OUTPUT);
	if (!app->error.text) /* a file that shrank: what is not there looks like an empty
				 step */
		inputs_failed(app->model->inputs, &app->error);
}

/* ---- layout ---- */

bool app_is_shared(const struct app *app)
{
	const struct opened *o = app->opened;

	if (!o || !o->bare)
		return false;
	return o->shared || o->facts.value.kind == J_NONE; /* raw text, once */
}

static void lay_out(struct app *app)
{
	struct layout_wish wish = {
		.focus = app_focus(app),
		.side = app->side,
		.zoomed = app->zoomed,
		.shared = app_is_shared(app),
		.list = steps_best_width(&app->steps),
	};

	if (wish.shared && app->focus == PANE_OUTPUT)
		app->focus = PANE_INPUT;
	if (wish.shared)
		app->side = wish.side = PANE_INPUT;
	wish.focus = app_focus(app);
	term_size(&wish.columns, &wish.rows);
	layout_compute(&app->layout, &wish);
	for (int i = 0; i < PANE_COUNT; i++) {
		struct rect r = app->layout.pane[i];

		if (app->layout.titles && r.rows) {
			r.row++;
			r.rows--;
		}
		app->panes[i].area = r;
	}
}

/* ---- drawing ---- */

/* So that not all moves when the whole file is read; what was expected stays until then,
 * lest it moves more often. */
static void expect_steps(struct app *app)
{
	uint64_t done = load_progress(app->load), size = inputs_size(app->model->inputs);
	double expected = done ? (double)app->model->count * (double)size / (double)done : 0;

	if (app->loading != LOAD_MORE)
		app->steps.expected = 0;
	else if (expected > (double)app->steps.expected && expected < NO_STEP)
		app->steps.expected = (size_t)expected;
}

/* Brings everything up to date: before it is drawn, and before a key typed ahead is
 * answered. */
void app_settle(struct app *app)
{
	struct pane *list = &app->panes[PANE_STEPS];

	steps_update(&app->steps);
	expect_steps(app);
	if (list->cursor >= app->steps.count)
		list->cursor = app->steps.count ? app->steps.count - 1 : 0;
	open_step(app);
	lay_out(app);
}

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

/* ---- commands ---- */

static void focus(struct app *app, enum pane_id id)
{
	app->focus = id;
	if (id == PANE_INPUT || id == PANE_OUTPUT)
		app->side = id;
}

static enum pane_id neighbour(const struct app *app, int step)
{
	int count = app_is_shared(app) ? PANE_OUTPUT : PANE_HELP;

	return (enum pane_id)(((int)app->focus + step + count) % count);
}

static unsigned cancel(struct app *app)
{
	if (app->overlay != PANE_NONE)
		app->overlay = PANE_NONE;
	else if (!find_cancel(app))
		app->zoomed = false;
	return REACT_DRAW;
}

/* Shows what lies over the panes, or takes it away again. */
static unsigned toggle_overlay(struct app *app, enum pane_id id)
{
	app->overlay = app->overlay == id ? PANE_NONE : id;
	return REACT_DRAW;
}

/* Chat, tree, raw; without the tree where it is what the first view shows. */
static enum side_mode next_mode(
	const struct app *app, enum side_mode mode, bool input, bool output)
{
	const struct opened *o = app->opened;
	bool tree = o && (!input || o->input.view == SIDE_JSON) &&
		    (!output || o->output.view == SIDE_JSON);

	mode = (mode + 1) % MODE_COUNT;
	return tree && mode == MODE_TREE ? MODE_RAW : mode;
}

/* The message under a side's cursor, unless it never left the first row. */
static size_t message_of(const struct side *s, struct pane *p)
{
	struct place at = pane_doc(p)->places[0];

	if (!at.block && !at.row)
		return SIZE_MAX;
	return conversation_message(s, pane_doc(p), at.block);
}

/* Another view of a side: at its own place, or at the message where the view before it
 * stood. */
static void set_mode(struct app *app, enum pane_id id, enum side_mode mode)
{
	struct pane *p = &app->panes[id];
	const struct side *s;

	if (!app->opened) {
		p->mode = mode;
		return;
	}
	s = p->input ? &app->opened->input : &app->opened->output;
	if (p->mode != MODE_RAW)
		p->message = message_of(s, p);
	p->mode = mode;
	build_side(app, id);
	if (mode != MODE_RAW && p->message != SIZE_MAX && message_of(s, p) != p->message)
		conversation_go(s, pane_doc(p), p->message);
}

void app_go(struct app *app, uint32_t step, bool input, size_t message)
{
	enum pane_id id;
	struct pane *p;

	app->overlay = PANE_NONE;
	app->panes[PANE_STEPS].cursor = steps_find(&app->steps, step);
	app_settle(app);
	if (app->opening)
		opening_slice(app, UINT64_MAX);
	id = input || app_is_shared(app) ? PANE_INPUT : PANE_OUTPUT;
	p = &app->panes[id];
	if (message == SIZE_MAX || app->opened_step != step) {
		focus(app, PANE_STEPS);
		return;
	}
	focus(app, id);
	set_mode(app, id, MODE_CHAT);
	conversation_go(p->input ? &app->opened->input : &app->opened->output,
		pane_doc(p), message);
}

void app_show_row(struct app *app, size_t row)
{
	app->overlay = PANE_NONE;
	app->panes[PANE_STEPS].cursor = row;
	app_settle(app);
}

void app_show_side(struct app *app, enum pane_id id)
{
	app->side = id;
	if (app->focus != PANE_STEPS)
		focus(app, id);
	lay_out(app);
	if (app->panes[id].area.rows && app->panes[id].area.columns)
		return;
	focus(app, id);
	lay_out(app);
}

void app_set_mode(struct app *app, enum pane_id id, enum side_mode mode)
{
	set_mode(app, id, mode);
}

/* The next view of the side that has the keys; of both on the list, or where they are
 * one. */
static unsigned next_view(struct app *app)
{
	bool both = app->focus == PANE_STEPS || app_is_shared(app);
	bool input = both || app->focus == PANE_INPUT,
	     output = both || app->focus == PANE_OUTPUT;
	struct pane *p = &app->panes[input ? PANE_INPUT : PANE_OUTPUT];
	enum side_mode mode = next_mode(app, p->mode, input, output);

	if (input)
		set_mode(app, PANE_INPUT, mode);
	if (output)
		set_mode(app, PANE_OUTPUT, mode);
	return REACT_DRAW;
}

/* What is done to what is read, searched for, and taken away. */
static unsigned file_command(struct app *app, enum command c)
{
	switch (c) {
	case COMMAND_COPY:
		take_copy(app, &app->panes[app_focus(app)]);
		return REACT_DRAW;
	case COMMAND_SAVE:
		take_save(app, &app->panes[app_focus(app)]);
		return REACT_DRAW;
	case COMMAND_SEARCH:
	case COMMAND_SEARCH_BACK:
		find_ask(app, c == COMMAND_SEARCH_BACK);
		return REACT_DRAW;
	case COMMAND_NEXT_HIT:
	case COMMAND_PREVIOUS_HIT:
		find_again(app, c == COMMAND_PREVIOUS_HIT);
		return REACT_DRAW;
	case COMMAND_FOLLOW:
		input_follow(app);
		return REACT_DRAW;
	case COMMAND_RELOAD:
		input_reload(app);
		return REACT_DRAW;
	default:
		return REACT_NOTHING;
	}
}

static unsigned app_command(struct app *app, enum command c)
{
	switch (c) {
	case COMMAND_NEXT_PANE:
	case COMMAND_RIGHT:
		if (c == COMMAND_NEXT_PANE ||
			app->focus + 1 < (app_is_shared(app) ? 2 : 3))
			focus(app, neighbour(app, 1));
		return REACT_DRAW;
	case COMMAND_PREVIOUS_PANE:
	case COMMAND_LEFT:
		if (c == COMMAND_PREVIOUS_PANE || app->focus > PANE_STEPS)
			focus(app, neighbour(app, -1));
		return REACT_DRAW;
	case COMMAND_ZOOM:
		app->zoomed = !app->zoomed;
		return REACT_DRAW;
	case COMMAND_HELP:
		return toggle_overlay(app, PANE_HELP);
	case COMMAND_FINDINGS:
		return toggle_overlay(app, PANE_FINDINGS);
	case COMMAND_OVERVIEW:
		return toggle_overlay(app, PANE_OVERVIEW);
	case COMMAND_VIEW:
		return next_view(app);
	case COMMAND_CANCEL:
		return cancel(app);
	case COMMAND_REDRAW:
		term_repaint();
		return REACT_DRAW;
	case COMMAND_SUSPEND:
		term_suspend();
		return REACT_DRAW;
	case COMMAND_QUIT:
		return app->overlay == PANE_NONE ? REACT_QUIT : cancel(app);
	default:
		return file_command(app, c);
	}
}

/* What would change the panes that are covered. */
static bool is_covered(enum command c)
{
	return c == COMMAND_NEXT_PANE || c == COMMAND_PREVIOUS_PANE ||
	       c == COMMAND_LEFT || c == COMMAND_RIGHT || c == COMMAND_ZOOM ||
	       c == COMMAND_VIEW || c == COMMAND_NEXT_HIT || c == COMMAND_PREVIOUS_HIT;
}

/* What moves in a document must not be lost while its step is being opened. */
static bool waits_for_step(const struct app *app, enum command c)
{
	static const enum command moves[] = {COMMAND_UP, COMMAND_DOWN, COMMAND_PAGE_UP,
		COMMAND_PAGE_DOWN, COMMAND_FIRST, COMMAND_LAST, COMMAND_FOLD,
		COMMAND_APPLY, COMMAND_DISMISS, COMMAND_COPY, COMMAND_SAVE};
	enum pane_id focus = app_focus(app);

	if (!app->opening || (focus != PANE_INPUT && focus != PANE_OUTPUT))
		return false;
	for (size_t i = 0; i < sizeof(moves) / sizeof(*moves); i++)
		if (c == moves[i])
			return true;
	return false;
}

/* True when it is time to leave. */
static bool perform(struct app *app, enum command c)
{
	struct pane *p = &app->panes[app_focus(app)];
	unsigned r;

	steps_update(&app->steps);
	if (app->focus != PANE_STEPS) /* moving in the list opens no step on the way */
		app_settle(app);
	if (waits_for_step(app, c)) {
		opening_slice(app, UINT64_MAX);
		app_settle(app);
	}
	r = c == COMMAND_NONE ? REACT_NOTHING : p->ops->command(app, p, c);
	if (r & REACT_BUBBLE) {
		app_settle(app);
		r = app->overlay != PANE_NONE && is_covered(c) ? REACT_NOTHING
							       : app_command(app, c);
	}
	app->dirty |= r != REACT_NOTHING;
	return r & REACT_QUIT;
}

/* ---- work in slices ---- */

/* Judges steps that nobody has opened yet, so that the list can mark what is broken. */
static bool judge_slice(struct app *app, uint64_t deadline)
{
	struct model *m = app->model;

	if (inputs_size(m->inputs) > CHECK_MOST)
		app->checked = m->count;
	while (app->checked < m->count) {
		size_t step = app->checked++;
		uint32_t before = model_flags(m, step);

		if (!(before & STEP_CHECKED)) {
			step_check(m, (uint32_t)step);
			app->dirty |= model_flags(m, step) != (before | STEP_CHECKED);
		}
		if (clock_passed(deadline))
			return true;
	}
	return false;
}

/* The model forgot steps: what is remembered by their indices is of others. */
void app_forget_steps(struct app *app)
{
	app->generation = app->model->generation;
	app_close_step(app);
	shelf_clear(&app->shelf);
	report_forget(app);
	find_forget(app);
	app->checked = 0;
	previews_forget(app);
}

/* One slice of whatever is left to do; false when there is nothing. */
static bool work(struct app *app)
{
	bool searched;

	if (app->opening) {
		opening_slice(app, clock_deadline(SLICE));
		app->dirty |= clock_us() - app->drawn_at > REDRAW; /* the progress */
		return true;
	}
	searched = find_slice(app, clock_deadline(SLICE));
	if (app->loading == LOAD_MORE) {
		input_slice(app, SLICE, SIZE_MAX);
		if (!app->dirty && clock_us() - app->drawn_at > REDRAW)
			app->dirty = true; /* the progress */
		return true;
	}
	if (input_is_due(app)) {
		input_slice(app, SLICE, SIZE_MAX);
		return true;
	}
	if (searched)
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
	return app->opening || app->loading == LOAD_MORE || find_is_busy(app) ||
	       (input_is_settled(app) &&
		       (!previews_are_ahead(app) || report_is_busy(app) ||
			       app->checked < app->model->count));
}

/* A key goes to who asked for text, else it is a command. */
static bool answer_key(struct app *app, uint32_t key)
{
	app->dirty |= app->said.len || app->prompt.label;
	buf_clear(&app->said);
	find_key(app, app->prompt.label ? COMMAND_NONE : command_of_key(key));
	if (!app->prompt.label)
		return perform(app, command_of_key(key));
	prompt_key(app, &app->prompt, key);
	return false;
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
	case TERM_MOUSE:
	case TERM_NOTHING:
		break;
	}
	return false;
}

/* Why there is nothing to show, behind what was wrong with compressed input. */
static void report_empty(const struct app *app, const struct err *err)
{
	struct err note = {.offset = ERR_NOWHERE};

	if (inputs_note_count(app->model->inputs) && app->said.len) {
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
	return input_is_polled(app) ? LOAD_LOOK : -1;
}

static int run(struct app *app)
{
	struct err err = {.offset = ERR_NOWHERE};
	bool leave = false, empty = false;
	int signal = 0;

	while (!leave && !empty) {
		struct term_event e;
		int watch = app->loading == LOAD_WAIT ? load_watch(app->load) : -1;

		if (app->dirty && !term_pending())
			draw(app);
		if (app->syncing && !app->dirty && !is_busy(app)) {
			app->syncing = false;
			term_sync();
		}
		term_wait(patience(app), watch, &e);
		leave = handle(app, &e, &signal);
		if (e.type == TERM_NOTHING)
			work(app);
		empty = app->loading == LOAD_DONE && !app->model->chain_count;
	}
	term_close();
	if (empty && load_unreadable(app->load, &err))
		report_empty(app, &err);
	err_done(&err);
	return empty ? 2 : signal ? 128 + signal : 0;
}

/* ---- from start to end ---- */

static void begin(struct app *app)
{
	static const struct pane_ops *const ops[PANE_COUNT] = {
		[PANE_STEPS] = &pane_steps_ops,
		[PANE_INPUT] = &pane_side_ops,
		[PANE_OUTPUT] = &pane_side_ops,
		[PANE_HELP] = &pane_help_ops,
		[PANE_FINDINGS] = &pane_findings_ops,
		[PANE_OVERVIEW] = &pane_overview_ops,
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
	pane_help_build(&app->panes[PANE_HELP]);
}

static void end(struct app *app)
{
	report_forget(app);
	find_free(app->find);
	app_close_step(app);
	shelf_clear(&app->shelf);
	for (int i = 0; i < PANE_COUNT * MODE_COUNT; i++)
		doc_done(&app->panes[i / MODE_COUNT].docs[i % MODE_COUNT]);
	previews_done(app);
	prompt_done(&app->prompt);
	buf_done(&app->said);
	steps_done(&app->steps);
	lines_done(&app->line);
	load_free(app->load);
	model_free(app->model);
	err_done(&app->error);
}

static bool open_screen(const struct app_wish *wish, struct err *err)
{
	struct stage stage;

	if (!wish->script)
		return term_open(err);
	stage = script_stage(wish->script);
	term_open_stage(&stage);
	return true;
}

int app_run(const struct app_wish *wish, const struct registry *registry)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct app app = {.wish = *wish, .registry = registry};
	int status = 2;

	app.shelf.budget = wish->cache;
	begin(&app);
	if (!input_open(&app, &err)) {
		report_empty(&app, &err);
	} else {
		if (wish->no_color)
			term_no_color();
		if (open_screen(wish, &err))
			status = run(&app);
		else
			report_error(&err);
	}
	end(&app);
	err_done(&err);
	return status;
}
