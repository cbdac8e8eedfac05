/*
 * The step that is shown: opening it, its two sides and their views, laying the panes
 * out, and going to another place.
 */
#include "config.h"
#include "ui/pane.h"

#include "term/term.h"
#include "ui/charts.h"
#include "ui/input.h"
#include "ui/pictures.h"

#define OPEN_MOST (4u << 20) /* bytes of a step that is opened at once */

enum pane_id app_focus(const struct app *app)
{
	return app->overlay == PANE_NONE ? app->focus : app->overlay;
}

uint32_t app_step(const struct app *app)
{
	const struct trace *trace = app->trace;
	struct steps_row r;

	if (app->panes[PANE_STEPS].cursor >= app->steps.count || !trace->order_count)
		return NO_STEP;
	r = steps_at(&app->steps, app->panes[PANE_STEPS].cursor);
	if (r.position >= trace->order_count ||
		(r.is_chain && !trace->chains[r.chain].count))
		return NO_STEP;
	return trace_at(trace, r.position);
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
	pane_doc(p)->signs = app->wish.no_color;
	conversation_build(pane_doc(p), app->trace, app->opened_step, app->reading,
		p->input, p->mode);
	p->built[p->mode] = true;
}

void app_rebuild_side(struct app *app, enum pane_id id)
{
	app->panes[id].built[app->panes[id].mode] = false;
	build_side(app, id);
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
	only_new_stop(app);
	opening_free(app->opening);
	pending_input_clear(&app->held);
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
	app->reading->picture = pictures_get;
	app->reading->picture_context = app;
	enter_side(&app->panes[PANE_INPUT], &v->input);
	enter_side(&app->panes[PANE_OUTPUT], &v->output);
	pictures_renew(app); /* it may have been laid out with others */
	only_new_begin(app);
}

/* Above a message's speaker is a blank row, which is no place for a cursor. */
static void stand_on_head(struct pane *p)
{
	struct doc *d = pane_doc(p);
	unsigned rows;

	pane_doc_fit(p);
	if (p->mode != MODE_CHAT || d->places[0].block >= d->count ||
		doc_head(d, d->places[0].block) != d->places[0].block)
		return;
	rows = doc_rows(d, d->places[0].block);
	d->places[0].row = rows ? rows - 1 : 0;
	d->places[1] = d->places[0];
}

static void go_to_message(struct app *app, bool input, size_t message)
{
	enum pane_id id = input || app_is_shared(app) ? PANE_INPUT : PANE_OUTPUT;
	struct pane *p = &app->panes[id];

	app_give_keys(app, id);
	app_set_mode(app, id, MODE_CHAT);
	conversation_go(p->input ? &app->opened->input : &app->opened->output,
		pane_doc(p), message);
	stand_on_head(p);
}

static void visit_opened(struct app *app, struct opened *o)
{
	begin_visit(app, visit_new(app->trace, app->opened_step, o, app->registry));
}

/* A long step is read in slices; moving on to another gives it up. */
static void choose_step(struct app *app, uint32_t step)
{
	struct visit *v = shelf_take(&app->shelf, app->trace, step);

	app->opened_step = step;
	app->opened_length = trace_step(app->trace, step).length;
	if (v)
		begin_visit(app, v);
	else if (app->opened_length > OPEN_MOST)
		app->opening = opening_new(app->trace, step);
	else
		visit_opened(app, opened_new(app->trace, step));
}

void app_opening_slice(struct app *app, uint64_t deadline)
{
	if (!opening_go(app->opening, app->trace, deadline))
		return;
	visit_opened(app, opened_take(app->opening, app->trace));
	app->opening = NULL;
	app->dirty = true;
	if (app->held.going)
		go_to_message(app, app->held.input, app->held.message);
	app->held.going = false;
	session_state_show_sides(app);
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
		inputs_failed(app->trace->inputs, &app->error);
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
		.bar = steps_best_bar(&app->steps),
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

/* So that not all moves when the whole file is read; what was expected stays until then,
 * lest it moves more often. */
static void expect_steps(struct app *app)
{
	uint64_t done = load_progress(app->load), size = inputs_size(app->trace->inputs);
	double expected =
		done ? (double)app->trace->count * (double)size / (double)done : 0;

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
	charts_settle(app);
	expect_steps(app);
	if (list->cursor >= app->steps.count)
		list->cursor = app->steps.count ? app->steps.count - 1 : 0;
	open_step(app);
	lay_out(app);
}

/* ---- going there ---- */

void app_give_keys(struct app *app, enum pane_id id)
{
	app->focus = id;
	if (id == PANE_INPUT || id == PANE_OUTPUT)
		app->side = id;
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
void app_set_mode(struct app *app, enum pane_id id, enum side_mode mode)
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
	if (!steps_shows(&app->steps, step)) {
		buf_text(&app->said, "that step is hidden: & changes the filter");
		return;
	}
	jumps_note(app);
	app->overlay = PANE_NONE;
	app->panes[PANE_STEPS].cursor = steps_reveal(&app->steps, step);
	app_settle(app);
	app_give_keys(app, PANE_STEPS);
	if (message == SIZE_MAX || app->opened_step != step)
		return;
	if (!app->opening) {
		go_to_message(app, input, message);
		return;
	}
	app->held.going = true;
	app->held.input = input;
	app->held.message = message;
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
		app_give_keys(app, id);
	lay_out(app);
	if (app->panes[id].area.rows && app->panes[id].area.columns)
		return;
	app_give_keys(app, id);
	lay_out(app);
}
