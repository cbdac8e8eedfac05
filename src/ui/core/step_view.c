/*
 * The step that is shown: opening it, its two sides and their views, laying the panes
 * out, and going to another place.
 */
#include "config.h"
#include "ui/core/app.h"

#include "base/work.h"
#include "query/filter.h"
#include "term/term.h"
#include "view/step_cache.h"

#define EVERYTHING 1000000 /* levels */

uint32_t step_at_cursor(const struct app *app)
{
	const struct trace *trace = app->trace;
	struct steps_row r;

	if (app->screen.panes[PANE_STEPS].cursor >= app->steps.count ||
		!trace->order_count)
		return NO_STEP;
	r = step_row_at_cursor(app);
	if (r.position >= trace->order_count ||
		(r.is_chain && !trace->chains[r.chain].count))
		return NO_STEP;
	return trace_at(trace, r.position);
}

static void forget_side(struct pane *p)
{
	for (int i = 0; i < MODE_COUNT; i++) {
		doc_clear(&p->shown.docs[i]);
		p->shown.built[i] = false;
		p->shown.fit[i] = 0;
	}
	p->shown.message = SIZE_MAX;
}

void step_view_forget(struct app *app)
{
	forget_side(&app->screen.panes[PANE_INPUT]);
	forget_side(&app->screen.panes[PANE_OUTPUT]);
}

/* What a pane shows of the step in the mode it is in, made when it is first looked at. */
static void build(struct app *app, enum pane_id id)
{
	struct pane *p = &app->screen.panes[id];

	if (!app->step.opened || p->shown.built[p->mode])
		return;
	doc_clear(pane_doc(p));
	pane_doc(p)->signs = app->options.no_color;
	pane_doc(p)->sorted_keys = app->settings.sort_keys;
	if (app->settings.fold == FOLD_OPEN)
		pane_doc(p)->levels = EVERYTHING;
	p->shown.blank[p->mode] = !p->ops->build(app, p);
	p->shown.built[p->mode] = true;
	p->shown.fit[p->mode] = 0;
	if (app->settings.fold == FOLD_OPEN)
		doc_limit(pane_doc(p), DOC_ALL);
}

void step_view_rebuild_side(struct app *app, enum pane_id id)
{
	app->screen.panes[id].shown.built[app->screen.panes[id].mode] = false;
	build(app, id);
}

/* What stands beside the side that is shown is of that. */
static void build_beside(struct app *app)
{
	bool input = app->screen.side == PANE_INPUT;

	for (enum pane_id id = 0; id < PANE_COUNT; id++) {
		struct pane *p = &app->screen.panes[id];

		if (pane_rows[id].area != AREA_BESIDE)
			continue;
		if (p->input != input)
			forget_side(p);
		p->input = input;
		if (app->screen.beside == id)
			build(app, id);
	}
}

/* The documents of a side go with the viewed step, and come with it. */
static void leave_side(struct pane *p, struct viewed_step_side *s)
{
	*s = p->shown;
	memset(&p->shown, 0, sizeof(p->shown));
	p->shown.message = SIZE_MAX;
}

static void enter_side(struct pane *p, struct viewed_step_side *s)
{
	for (int i = 0; i < MODE_COUNT; i++)
		doc_done(&p->shown.docs[i]);
	p->shown = *s;
	memset(s->docs, 0, sizeof(s->docs));
}

void step_view_close(struct app *app)
{
	struct viewed_step *v = app->step.viewed;

	notify(app, EVENT_CLOSING);
	if (v) {
		leave_side(&app->screen.panes[PANE_INPUT], &v->input);
		leave_side(&app->screen.panes[PANE_OUTPUT], &v->output);
		step_cache_put(&app->step.cache, v);
	}
	for (int i = 0; i < PANE_COUNT; i++)
		if (pane_rows[i].area == AREA_BESIDE)
			forget_side(&app->screen.panes[i]);
	pending_input_clear(&app->keys.pending);
	app->step.opening = false;
	app->step.viewed = NULL;
	app->step.reading = NULL;
	app->step.opened = NULL;
	app->step.index = NO_STEP;
}

#define BETWEEN 256 /* steps below one, such as of a sub-agent, before the next */

/* Where calls have no result in their step the next one on its level is opened, too, if
 * it is not long: true. */
static bool look_ahead(struct app *app, struct viewed_step *v)
{
	struct trace *trace = app->trace;
	struct reading *r = v->reading;
	size_t position = trace_position(trace, v->step), at = position + 1, end;
	const struct chain *c;
	struct period own, later;
	uint32_t next, depth;

	if (r->next || position >= trace->order_count)
		return false;
	c = &trace->chains[trace_chain_at(trace, position)];
	end = c->first + c->count;
	if (end - position > BETWEEN)
		end = position + BETWEEN;
	depth = trace_depth(trace, position);
	while (at < end && trace_depth(trace, at) > depth)
		at++;
	if (at >= end || trace_depth(trace, at) != depth)
		return false;
	next = trace_at(trace, at);
	if (trace_step(trace, next).length > OPENED_AT_ONCE || !reading_waiting(r))
		return false;
	r->next = step_content_new(trace, next);
	own = scale_step_period(&app->steps.scale, trace, position);
	later = scale_step_period(&app->steps.scale, trace, trace_position(trace, next));
	if (reading_waiting(r) == 1 && later.start >= own.end &&
		trace_flags(trace, v->step) & STEP_TURN)
		r->pause = later.start - own.end;
	return true;
}

static void begin_visit(struct app *app, struct viewed_step *v)
{
	look_ahead(app, v);
	app->step.viewed = v;
	app->step.opened = v->opened;
	app->step.reading = v->reading;
	enter_side(&app->screen.panes[PANE_INPUT], &v->input);
	enter_side(&app->screen.panes[PANE_OUTPUT], &v->output);
	notify(app, EVENT_OPENED);
}

static void go_to_message(struct app *app, bool input, size_t message)
{
	enum pane_id id = input || step_view_is_shared(app) ? PANE_INPUT : PANE_OUTPUT;
	struct pane *p = &app->screen.panes[id];
	struct doc *d;
	unsigned rows;

	screen_give_keys(app, id);
	step_view_set_mode(app, id, MODE_CHAT);
	d = pane_doc(p);
	conversation_go(step_side(app, p), d, message);
	doc_pane_fit(p);
	if (d->places[0].block >= d->count ||
		doc_head(d, d->places[0].block) != d->places[0].block)
		return;
	/* above a message's speaker is a blank row, which is no place for a cursor */
	rows = doc_rows(d, d->places[0].block);
	d->places[0].row = rows ? rows - 1 : 0;
	d->places[1] = d->places[0];
}

/* A long step is opened when no key waits; moving on to another gives it up. */
static void choose_step(struct app *app, uint32_t step)
{
	struct viewed_step *v = step_cache_take(&app->step.cache, app->trace, step);

	app->step.index = step;
	app->step.length = trace_step(app->trace, step).length;
	if (!v && app->step.length > OPENED_AT_ONCE) {
		app->step.opening = true;
		return;
	}
	if (!v)
		v = viewed_step_new(app->trace, step, step_content_new(app->trace, step),
			app->options.registry);
	begin_visit(app, v);
}

static void show_opened(struct app *app, struct step_content *o)
{
	app->step.opening = false;
	begin_visit(app,
		viewed_step_new(app->trace, app->step.index, o, app->options.registry));
	app->screen.dirty = true;
	if (app->keys.pending.going)
		go_to_message(app, app->keys.pending.input, app->keys.pending.message);
	app->keys.pending.going = false;
	notify(app, EVENT_SHOWN);
}

static enum task_state open_on(struct app *app, uint64_t deadline)
{
	struct step_content *o;

	if (!app->step.opening)
		return TASK_IDLE;
	o = step_content_try(app->trace, app->step.index, true);
	if (!o)
		return TASK_MORE;
	show_opened(app, o);
	return TASK_DONE;
}

void step_view_finish(struct app *app)
{
	if (app->step.opening)
		show_opened(app, step_content_new(app->trace, app->step.index));
}

/* ---- layout ---- */

bool step_view_is_shared(const struct app *app)
{
	const struct step_content *o = app->step.opened;

	if (!o || !o->bare)
		return false;
	return o->shared || o->facts.value.kind == J_NONE; /* raw text, once */
}

bool step_view_is_event(const struct app *app)
{
	const struct step_content *o = app->step.opened;

	return o && step_content_is_empty(o) && o->facts.value.kind != J_NONE &&
	       pane_is_blank(&app->screen.panes[PANE_OUTPUT]);
}

/* A value without sides is the same tree, and the same raw text, on both. */
bool step_view_shows_once(const struct app *app)
{
	const struct step_content *o = app->step.opened;
	enum side_mode input = app->screen.panes[PANE_INPUT].mode,
		       output = app->screen.panes[PANE_OUTPUT].mode;

	if (step_view_is_event(app))
		return true;
	if (step_view_is_shared(app) || !o || !o->bare)
		return step_view_is_shared(app);
	if (o->input.view == SIDE_JSON && o->output.view == SIDE_EMPTY)
		return true;
	if (input != output || input == MODE_CHAT)
		return false;
	return input == MODE_RAW || (o->input.value.p == o->output.value.p &&
					    o->input.value.n == o->output.value.n);
}

/* Where the panes' documents are: below their titles. */
static void place_panes(struct app *app, const struct layout_request *request)
{
	layout_compute(&app->screen.layout, request);
	for (int i = 0; i < PANE_COUNT; i++) {
		struct rect r = app->screen.layout.pane[i];

		if (app->screen.layout.titles && r.rows) {
			r.row++;
			r.rows--;
		}
		app->screen.panes[i].area = r;
	}
}

static unsigned rows_needed(struct pane *p, unsigned most)
{
	unsigned rows;

	doc_pane_fit(p);
	rows = fit_rows(pane_doc(p), most);
	return rows ? rows : 1;
}

/* Of two sides above each other each has the rows that it needs, if there are so many. */
static void share_rows(struct app *app, struct layout_request *request)
{
	struct pane *panes = app->screen.panes;

	if (!app->screen.layout.stacked)
		return;
	request->need[0] = rows_needed(&panes[PANE_INPUT], request->rows);
	request->need[1] = rows_needed(&panes[PANE_OUTPUT], request->rows);
	place_panes(app, request);
}

/* What was unfolded when there were more rows is folded again, so that what is seen does
 * not depend on what went before: on the size of a list that grows, or of the window.  A
 * side where something was moved or folded by hand stays. */
static void fold_again(struct app *app)
{
	struct pane *panes = app->screen.panes;
	unsigned input = panes[PANE_INPUT].area.rows,
		 output = panes[PANE_OUTPUT].area.rows, rows;
	bool changed = false;

	rows = app->screen.layout.stacked ? input + output
	       : input > output           ? input
					  : output;
	for (enum pane_id id = PANE_INPUT; id <= PANE_OUTPUT; id++) {
		struct pane *p = &panes[id];
		struct place at = *pane_cursor(p), top = *pane_top(p);
		unsigned fit = p->shown.fit[p->mode];

		if (rows >= app->step.room || app->settings.fold != FOLD_AUTO ||
			!p->shown.built[p->mode] || !fit || fit == PANE_FOLDED ||
			at.block || at.row || top.block || top.row)
			continue;
		step_view_rebuild_side(app, id);
		changed = true;
	}
	app->step.room = rows;
	if (changed)
		notify(app, EVENT_REBUILT);
}

/* Unfolds what fits into the rows of each side; again when they are more.  The rows of
 * two sides above each other are for both: what one does not need, when it is folded as
 * it is, the other may have.  True: the rows that the sides share are to be shared again.
 */
static bool fit_sides(struct app *app)
{
	struct pane *panes = app->screen.panes;
	bool stacked = app->screen.layout.stacked, changed = false;
	unsigned both = panes[PANE_INPUT].area.rows + panes[PANE_OUTPUT].area.rows;

	for (enum pane_id id = PANE_INPUT; id <= PANE_OUTPUT; id++) {
		struct pane *p = &panes[id];
		unsigned *fit = &p->shown.fit[p->mode], rows = p->area.rows, need;

		if (app->settings.fold != FOLD_AUTO)
			break;
		if (stacked) {
			need = rows_needed(
				&panes[id == PANE_INPUT ? PANE_OUTPUT : PANE_INPUT],
				both);
			rows = need < both / 2   ? both - need
			       : rows < both / 2 ? both / 2
						 : rows;
		}
		if (!p->area.rows || !p->shown.built[p->mode] || p->mode == MODE_RAW ||
			*fit >= rows)
			continue;
		*fit = rows;
		doc_pane_fit(p);
		fit_unfold(pane_doc(p), rows);
		changed = true;
	}
	return changed && stacked;
}

static void lay_out(struct app *app)
{
	const struct pane *panes = app->screen.panes;
	struct layout_request request = {
		.choice = app->settings.layout,
		.zoomed = app->screen.zoomed,
		.preview = panes[PANE_PREVIEW].ops->wanted(app),
		.shared = step_view_shows_once(app),
		.blank = {pane_is_blank(&panes[PANE_INPUT]),
			pane_is_blank(&panes[PANE_OUTPUT])},
		.need = {UINT_MAX / 2, UINT_MAX / 2},
		.list = steps_best_width(&app->steps),
		/* of these, with its gap */
		.bar = app->steps.bar == MEASURE_OFF ? 0 : COLUMNS_BAR + 1,
	};

	if (request.shared && app->screen.focus == PANE_OUTPUT)
		app->screen.focus = PANE_INPUT;
	if (request.shared)
		app->screen.side = PANE_INPUT;
	if (app->screen.beside != PANE_NONE && app->step.opened) {
		request.beside = app->screen.beside;
		request.share = pane_rows[request.beside].share;
		request.shared = request.blank[0] = request.blank[1] = false;
	}
	request.side = app->screen.side;
	request.focus = screen_focus(app);
	if (screen_has_list(app))
		request.list_rows = app->steps.count > app->steps.expected
					    ? app->steps.count
					    : app->steps.expected;
	if (screen_has_list(app) && request.list_rows < 2)
		request.list_rows = 2;
	if (app->screen.overlay == PANE_PICKER && app->step.index != NO_STEP) {
		request.picks = true;
		request.focus = PANE_STEPS;
		request.zoomed = false;
		request.list_rows = SIZE_MAX / 2;
	}
	term_size(&request.columns, &request.rows);
	place_panes(app, &request);
	fold_again(app);
	share_rows(app, &request);
	if (fit_sides(app))
		share_rows(app, &request);
}

/* Brings everything up to date: before it is drawn, and before a key typed ahead is
 * answered. */
void step_view_settle(struct app *app)
{
	struct pane *list = &app->screen.panes[PANE_STEPS];
	const struct filter_run *filter_run;
	bool read = app->input.status != TASK_MORE;
	uint64_t done;
	double expected;
	uint32_t step;

	steps_update(&app->steps);
	if (!pane_is_ready(app, screen_focused(app)))
		app->screen.overlay = PANE_NONE;
	notify(app, EVENT_SETTLE);
	filter_run = app->steps.filter_run;
	/* so that not all moves when the whole file is read; what was expected stays
	 * until it is, and is judged by the filter, lest it moves more often */
	done = load_progress(app->input.load);
	expected = done ? (double)app->trace->count *
				   (double)inputs_size(app->trace->inputs) / (double)done
			: 0;
	if (read && (!filter_run || filter_run_is_idle(filter_run, true)))
		app->steps.expected = 0;
	else if (!read && expected > (double)app->steps.expected && expected < NO_STEP)
		app->steps.expected = (size_t)expected;
	if (list->cursor >= app->steps.count)
		list->cursor = app->steps.count ? app->steps.count - 1 : 0;
	step = app->screen.peek != NO_STEP ? app->screen.peek : step_at_cursor(app);
	if (step != app->step.index) {
		step_view_close(app);
		if (step != NO_STEP)
			choose_step(app, step);
	}
	if (app->step.viewed && app->input.status != TASK_DONE &&
		look_ahead(app, app->step.viewed))
		step_view_rebuild_side(app, PANE_OUTPUT); /* the results have come */
	build(app, PANE_INPUT);
	build(app, PANE_OUTPUT);
	lay_out(app);
	build_beside(app);
}

/* ---- going there ---- */

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
void step_view_set_mode(struct app *app, enum pane_id id, enum side_mode mode)
{
	struct pane *p = &app->screen.panes[id];
	const struct side *s;

	if (!app->step.opened) {
		p->mode = mode;
		return;
	}
	s = step_side(app, p);
	if (p->mode != MODE_RAW)
		p->shown.message = message_of(s, p);
	p->mode = mode;
	build(app, id);
	if (mode != MODE_RAW && p->shown.message != SIZE_MAX &&
		message_of(s, p) != p->shown.message)
		conversation_go(s, pane_doc(p), p->shown.message);
}

void step_view_go(struct app *app, uint32_t step, bool input, size_t message)
{
	struct screen *s = &app->screen;

	if (!steps_shows(&app->steps, step)) {
		buf_text(&app->said, "that step is hidden: & changes the filter");
		return;
	}
	notify(app, EVENT_LEAVING);
	if (s->overlay != PANE_NONE && s->panes[s->overlay].ops->returns)
		s->left = s->overlay;
	s->overlay = s->under = PANE_NONE;
	app->screen.panes[PANE_STEPS].cursor = steps_reveal(&app->steps, step);
	step_view_settle(app);
	screen_give_keys(app, PANE_STEPS);
	if (message == SIZE_MAX || app->step.index != step)
		return;
	app->keys.pending.going = app->step.opening;
	app->keys.pending.input = input;
	app->keys.pending.message = message;
	if (!app->step.opening)
		go_to_message(app, input, message);
}

/* Definitions stand in a fold above the messages: to the block that names one. */
static void go_to_definition(struct app *app, size_t part)
{
	struct pane *p = &app->screen.panes[PANE_INPUT];
	struct doc *d = pane_doc(p);
	struct jv tools = app->step.opened->facts.v[FACT_TOOLS];
	size_t fold = 0, at;

	doc_pane_fit(p);
	while (tools.p && fold < d->count && d->blocks[fold].value.p != tools.p)
		fold++;
	if (!tools.p || fold >= d->count)
		return;
	doc_open(d, fold);
	*pane_top(p) = *pane_cursor(p) = (struct place){fold, 0};
	for (at = fold + 1; at < d->count && d->blocks[at].part == PART_TOOL + 1; at++)
		if (d->blocks[at].key.kind == J_NONE && !part--) {
			*pane_cursor(p) = (struct place){at, 0};
			return;
		}
}

bool step_part_go(struct app *app, const struct step_part *to)
{
	enum pane_id id;
	bool input;
	struct pane *p;
	size_t end;

	step_view_go(app, to->step, to->input, to->message);
	if (app->step.index != to->step || !app->step.opened)
		return app->step.index == to->step;
	input = to->input || step_view_is_shared(app);
	id = input ? PANE_INPUT : PANE_OUTPUT;
	p = &app->screen.panes[id];
	if (to->message == SIZE_MAX) {
		screen_give_keys(app, id);
		step_view_set_mode(app, id, MODE_CHAT);
		*pane_cursor(p) = (struct place){0, 0};
		if (input)
			go_to_definition(app, to->part);
		return true;
	}
	end = pairs_find(reading_pairs(app->step.reading), input, to->message, to->part);
	if (end == NO_PAIR)
		return true;
	doc_pane_fit(p);
	conversation_go_end(step_side(app, p), pane_doc(p), end);
	return true;
}

void step_view_go_to_row(struct app *app, size_t row)
{
	app->screen.overlay = PANE_NONE;
	app->screen.panes[PANE_STEPS].cursor = row;
	step_view_settle(app);
}

void step_view_go_to_step(struct app *app, uint32_t step)
{
	if (step < app->trace->count)
		step_view_go_to_row(app, steps_reveal(&app->steps, step));
}

void step_view_show_side(struct app *app, enum pane_id id)
{
	app->screen.side = id;
	if (screen_focus_below(app) != PANE_STEPS)
		screen_give_keys(app, id);
	lay_out(app);
	if (app->screen.panes[id].area.rows && app->screen.panes[id].area.columns)
		return;
	screen_give_keys(app, id);
	lay_out(app);
}

/* ---- the controller ---- */

static void end(struct app *app)
{
	step_view_close(app);
	step_cache_clear(&app->step.cache);
}

static void settings(struct app *app)
{
	struct step_view *s = &app->step;

	s->cache.budget = app->settings.cache;
	for (int i = 0; i < PANE_COUNT; i++) {
		app->screen.panes[i].unwrapped = !app->settings.wrap;
		if (app->settings.wrap)
			app->screen.panes[i].shift = 0;
	}
	if (s->fold == app->settings.fold && s->sort_keys == app->settings.sort_keys)
		return;
	s->fold = app->settings.fold;
	s->sort_keys = app->settings.sort_keys;
	step_cache_clear(&s->cache);
	for (int i = 0; i < PANE_COUNT * MODE_COUNT; i++)
		if (app->screen.panes[i / MODE_COUNT].ops->build)
			app->screen.panes[i / MODE_COUNT].shown.built[i % MODE_COUNT] =
				false;
	if (s->opened)
		notify(app, EVENT_REBUILT);
}

const struct controller_ops step_view_controller = {
	.end = end,
	.run = open_on,
	.level = LEVEL_OPEN,
	.on[EVENT_SETTINGS] = settings,
	.on[EVENT_FORGET] = end,
};
