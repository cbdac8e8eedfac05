/*
 * The way to the next hit, or to the one before: a row of stages, each of which ends with
 * a hit or leads to the next (see find.h).  The stage of the search through the list
 * waits for query/search where it has not come so far: a hit is gone to when it is known
 * that none is nearer.
 */
#include "config.h"
#include "ui/control/find_route.h"

#include "base/clock.h"
#include "ui/control/find_state.h"
#include "ui/control/list_filter.h"
#include "ui/core/doc_pane.h"
#include "ui/core/screen.h"
#include "ui/core/step_view.h"

#define STAGES 7

static const enum route_stage onward[STAGES] = {STAGE_INPUT, STAGE_OUTPUT, STAGE_COUNT,
	STAGE_EVENT, STAGE_WHOLE, STAGE_RAW, STAGE_STEP};
static const enum route_stage backward[STAGES] = {STAGE_COUNT, STAGE_EVENT, STAGE_OUTPUT,
	STAGE_INPUT, STAGE_WHOLE, STAGE_RAW, STAGE_STEP};

static struct doc *doc_of(struct app *app, enum pane_id id)
{
	return pane_doc(&app->screen.panes[id]);
}

static void enter(struct app *app, enum route_stage stage)
{
	struct find_way *w = &find_of(app)->way;

	w->stage = stage;
	w->step = app->step.index;
	hit_walk_stop(&find_of(app)->seek);
	w->begun = false;
	w->item = w->fed = 0;
	w->item_hits = 0;
	if (stage == STAGE_COUNT)
		w->shown = 0;
}

static void stop(struct app *app, const char *note)
{
	find_of(app)->way.stage = STAGE_NONE;
	find_of(app)->note = note;
	app->screen.dirty = true;
}

/* ---- views that were changed for a hit ---- */

static void switch_view(struct app *app, enum side_mode mode)
{
	struct find *f = find_of(app);
	struct pane *p = &app->screen.panes[PANE_INPUT];

	if (p->mode == mode)
		return;
	if (!f->switched)
		f->mode_was = p->mode;
	f->switched = true;
	f->mode_now = mode;
	step_view_set_mode(app, PANE_INPUT, mode);
}

static void switch_back(struct app *app)
{
	struct find *f = find_of(app);

	if (f->switched && app->screen.panes[PANE_INPUT].mode == f->mode_now)
		step_view_set_mode(app, PANE_INPUT, f->mode_was);
	f->switched = false;
}

/* ---- from stage to stage ---- */

static bool is_new(const struct app *app)
{
	return find_of(app)->visited != app->step.index;
}

static void go_on(struct app *app)
{
	struct find_way *w = &find_of(app)->way;

	w->place += w->back ? -(size_t)1 : 1;
	enter(app, STAGE_STEP);
}

static void leave_step(struct app *app)
{
	struct find *f = find_of(app);

	if (!is_new(app)) {
		go_on(app);
		return;
	}
	f->visited = app->step.index;
	stop(app, f->within.kind == WITHIN_NAME
			  ? "in its name"
			  : "its hits stand in no view of this step");
}

/* Keys are seen in the tree of the whole step, names and errors in no tree. */
static bool goes_through(const struct find *f, enum route_stage stage)
{
	switch (f->within.kind) {
	case WITHIN_ALL:
	case WITHIN_KEY:
		return f->within.kind == WITHIN_ALL || stage == STAGE_WHOLE;
	case WITHIN_NAME:
		return false;
	default:
		return stage == STAGE_INPUT || stage == STAGE_OUTPUT;
	}
}

/* The first that the way goes through from number i of its stages on. */
static void enter_from(struct app *app, size_t i)
{
	const enum route_stage *order = find_of(app)->way.back ? backward : onward;

	while (order[i] != STAGE_STEP && !goes_through(find_of(app), order[i]))
		i++;
	if (order[i] == STAGE_STEP)
		leave_step(app);
	else
		enter(app, order[i]);
}

static void next_stage(struct app *app)
{
	struct find_way *w = &find_of(app)->way;
	const enum route_stage *order = w->back ? backward : onward;
	size_t i = 0;

	while (order[i] != w->stage)
		i++;
	enter_from(app, i + 1);
}

/* ---- where a walk sets out ---- */

static bool is_at_hit(const struct app *app)
{
	const struct find_hit *h = &find_of(app)->hit;
	const struct pane *p = &app->screen.panes[h->pane];
	const struct doc *d = &p->docs[h->mode];

	return h->on && h->step == app->step.index && p->mode == h->mode &&
	       d->places[0].block == d->places[DOC_HIT].block &&
	       (d->places[0].row == h->row || d->width != h->width);
}

/* What of a side is not shown again among the rest of the step. */
static void skip(struct hit_walk *s, struct jv first, struct jv last)
{
	if (first.p && last.p && last.p >= first.p)
		s->skip[s->skip_count++] =
			(struct str){first.p, (size_t)(last.p - first.p) + last.n};
}

static void skip_side(
	struct hit_walk *s, const struct opened *o, const struct side *side, bool input)
{
	struct jv raw = o->facts.v[input ? FACT_INPUT : FACT_OUTPUT];

	if (side->view == SIDE_CHAT && side->chat.count && !side->opened)
		skip(s, side->chat.items[0], side->chat.items[side->chat.count - 1]);
	else if (side->view != SIDE_EMPTY && !o->bare)
		skip(s, raw, raw);
}

/* What stands above the sides as trees is found among the rest, as it is written. */
static void skip_head(struct find *f, const struct opened *o)
{
	const struct jv *v = o->facts.v;

	skip(&f->seek, v[FACT_TOOLS], v[FACT_TOOLS]);
	skip(&f->seek, v[FACT_PARAMETERS], v[FACT_PARAMETERS]);
	if (f->within.kind != WITHIN_ERROR)
		skip(&f->seek, v[FACT_ERROR], v[FACT_ERROR]);
}

static void prepare_seek(struct app *app, enum pane_id id)
{
	struct find *f = find_of(app);
	const struct opened *o = app->step.opened;
	bool tree =
		app->screen.panes[id].mode == MODE_TREE && id == PANE_INPUT && !o->bare;

	f->seek.back = f->way.back;
	f->seek.skip_count = 0;
	f->seek.event = (struct jv)JV_NONE;
	f->seek.in_event = false;
	if (f->within.kind == WITHIN_KEY && tree) {
		f->seek.event = o->facts.value;
		f->seek.in_event = true;
	}
	if (f->way.stage == STAGE_WHOLE || f->way.stage == STAGE_RAW)
		return;
	if (tree)
		f->seek.event = o->facts.value;
	if (f->way.stage != STAGE_EVENT) {
		if (app->screen.panes[id].mode == MODE_CHAT)
			skip_head(f, o);
		return;
	}
	f->seek.in_event = tree;
	skip_side(&f->seek, o, &o->input, true);
	if (!o->shared)
		skip_side(&f->seek, o, &o->output, false);
}

/* The pane a stage goes through, in the view it needs; PANE_NONE: there is nothing. */
static enum pane_id stage_pane(struct app *app)
{
	const struct opened *o = app->step.opened;
	const struct find_way *w = &find_of(app)->way;
	bool tree = app->screen.panes[PANE_INPUT].mode == MODE_TREE;

	switch (w->stage) {
	case STAGE_INPUT:
		return PANE_INPUT;
	case STAGE_OUTPUT:
		return step_view_shows_once(app) ? PANE_NONE : PANE_OUTPUT;
	case STAGE_EVENT:
		if ((!w->beside && !w->from_cursor) || (o->bare && tree))
			return PANE_NONE;
		switch_view(app, MODE_TREE);
		return PANE_INPUT;
	case STAGE_WHOLE:
	case STAGE_RAW:
		if (!is_new(app) && !w->from_cursor)
			return PANE_NONE; /* a hit was seen */
		switch_view(app, w->stage == STAGE_RAW ? MODE_RAW : MODE_TREE);
		return PANE_INPUT;
	default:
		return PANE_NONE;
	}
}

/* Sets out; false: there is nothing to go through. */
static bool begin_walk(struct app *app)
{
	struct find *f = find_of(app);
	struct find_way *w = &f->way;
	enum pane_id id = stage_pane(app);
	struct doc *d;
	bool at_hit = w->from_cursor && is_at_hit(app);

	if (id == PANE_NONE)
		return false;
	d = doc_of(app, id);
	prepare_seek(app, id);
	if (w->from_cursor && d->count)
		hit_walk_from_place(&f->seek, d, d->places[at_hit ? DOC_HIT : 0],
			at_hit ? f->hit.number : HIT_WALK_ROW);
	else
		hit_walk_from_edge(&f->seek, d);
	if (f->seek.in_event && f->seek.block >= d->count &&
		f->within.kind == WITHIN_KEY) {
		f->seek.event = (struct jv)JV_NONE; /* the step alone is the tree */
		f->seek.in_event = false;
		hit_walk_from_edge(&f->seek, d);
	}
	w->from_cursor = false;
	w->begun = true;
	return true;
}

/* ---- hits that no side shows ---- */

/* What the sides show, text by text; false: there is no more. */
static bool shown_text(
	const struct app *app, size_t item, struct str *text, enum texts_kind *kind)
{
	const struct opened *o = app->step.opened;
	const struct side *sides[] = {&o->input, o->shared ? NULL : &o->output};

	*kind = TEXTS_JSON;
	*text = (struct str){o->response.p, o->response.n};
	if (!item--)
		return true;
	for (size_t i = 0; i < 2; i++) {
		const struct side *s = sides[i];
		size_t n = !s || s->view == SIDE_EMPTY ? 0
			   : s->view == SIDE_CHAT      ? s->chat.count
						       : 1;

		if (item >= n) {
			item -= n;
			continue;
		}
		*text = s->view == SIDE_TEXT ? s->text
					     : (struct str){s->value.p, s->value.n};
		*kind = s->view == SIDE_TEXT ? TEXTS_RAW : TEXTS_JSON;
		if (s->view == SIDE_CHAT)
			*text = (struct str){
				s->chat.items[item].p, s->chat.items[item].n};
		return true;
	}
	return false;
}

static void count_shown(struct app *app, uint64_t deadline)
{
	struct find *f = find_of(app);
	struct find_way *w = &f->way;
	const struct opened *o = app->step.opened;
	enum texts_kind kind;
	struct str text;

	while (shown_text(app, w->item, &text, &kind)) {
		if (hit_walk_count_run(&f->seek, text, kind, &w->fed, &w->item_hits,
			    deadline) == TASK_MORE)
			return;
		w->shown += w->item_hits;
		w->item_hits = 0;
		w->fed = 0;
		w->item++;
		if (clock_passed(deadline))
			return;
	}
	w->beside = !(o->bare && o->facts.value.kind == J_NONE) &&
		    w->shown < search_hits(f->search, app->step.index);
	next_stage(app);
}

/* ---- arriving ---- */

static const char *arrival_note(const struct find *f)
{
	const struct find_way *w = &f->way;
	static const char *const notes[][3] = {
		{NULL, "in neither side: shown as JSON", "shown as raw text"},
		{"on from the start", "on from the start, shown as JSON",
			"on from the start, shown as raw text"},
		{"on from the end", "on from the end, shown as JSON",
			"on from the end, shown as raw text"},
	};
	bool json = (w->stage == STAGE_EVENT || w->stage == STAGE_WHOLE) &&
		    f->within.kind != WITHIN_KEY;

	return notes[w->wrapped ? 1 + w->back : 0][json                    ? 1
						   : w->stage == STAGE_RAW ? 2
									   : 0];
}

/* Makes the hit the cursor's place, and sees to it that it is seen. */
static void arrive(struct app *app)
{
	struct find *f = find_of(app);
	struct find_way *w = &f->way;
	enum pane_id id = w->stage == STAGE_OUTPUT ? PANE_OUTPUT : PANE_INPUT;
	struct pane *p = &app->screen.panes[id];
	struct doc *d = pane_doc(p);
	struct place *hit = &d->places[DOC_HIT];
	uint64_t patience = MARKS_PATIENCE;

	*hit = (struct place){f->seek.block, 0};
	step_view_show_side(app, id);
	doc_pane_fit(p);
	doc_unfold(d, hit->block);
	highlights_find(&f->seek.marks, doc_layout(d, hit->block), f->query, &patience);
	f->hit = (struct find_hit){.on = true,
		.step = app->step.index,
		.pane = id,
		.mode = p->mode,
		.stage = w->stage,
		.number = f->seek.hit,
		.width = d->width};
	if (f->hit.number < f->seek.marks.hits)
		f->hit.row = (uint32_t)highlights_line_of(&f->seek.marks, f->hit.number);
	d->places[0] = (struct place){hit->block, f->hit.row};
	f->visited = app->step.index;
	f->note = arrival_note(f);
	app->screen.dirty = true;
	if (w->more) {
		unsigned more = w->more - 1;

		find_way_begin(app, w->back, false);
		w->more = more;
	} else {
		w->stage = STAGE_NONE;
	}
}

static void walk(struct app *app, uint64_t deadline)
{
	struct find_way *w = &find_of(app)->way;

	if (!w->begun && !begin_walk(app)) {
		next_stage(app);
		return;
	}
	switch (hit_walk_run(&find_of(app)->seek, deadline)) {
	case TASK_DONE:
		arrive(app);
		break;
	case TASK_FAILED:
		if (w->stage >= STAGE_EVENT)
			switch_back(app);
		next_stage(app);
		break;
	case TASK_IDLE:
	case TASK_MORE:
		break;
	}
}

/* ---- from step to step ---- */

/* Where a way from the cursor begins within its step. */
static void enter_at_cursor(struct app *app)
{
	struct find *f = find_of(app);
	struct find_way *w = &f->way;
	bool at_hit = is_at_hit(app);

	w->from_cursor = at_hit || screen_focus_below(app) != PANE_STEPS;
	if (at_hit)
		enter(app, f->hit.stage);
	else if (w->from_cursor && goes_through(f, STAGE_INPUT))
		enter(app, screen_focus_below(app) == PANE_OUTPUT ? STAGE_OUTPUT
								  : STAGE_INPUT);
	else if (w->back && !w->inclusive)
		go_on(app);
	else
		enter_from(app, 0);
	if (w->from_cursor) /* what stands on its other side comes when all is gone round
			     */
		f->visited = app->step.index;
}

static void enter_step(struct app *app)
{
	struct find *f = find_of(app);
	struct find_way *w = &f->way;
	bool here = w->place == w->origin && !w->wrapped;
	uint32_t step = steps_place_step(&app->steps, w->place);
	size_t row;

	if (here && app->step.opened && step == app->step.index) {
		enter_at_cursor(app);
		return;
	}
	switch_back(app);
	f->visited = NO_STEP;
	row = steps_reveal(&app->steps, step);
	step_view_go_to_row(app, row);
	app->screen.dirty = true;
	if (!app->step.opened || app->step.index != step) {
		stop(app, NULL);
		return;
	}
	enter_from(app, 0);
}

/* Behind the last place, or before the first: round to the other end, once; false: all
 * were looked at, or it must wait. */
static bool go_round(struct app *app)
{
	struct find_way *w = &find_of(app)->way;

	if (!find_is_complete(app)) {
		w->waits = true;
		return false;
	}
	if (w->wrapped || !steps_places(&app->steps)) {
		stop(app, NULL);
		return false;
	}
	w->wrapped = true;
	w->place = w->back ? steps_places(&app->steps) - 1 : 0;
	return true;
}

/* All of the list was looked at: the way is where it began. */
static bool is_round(const struct find_way *w)
{
	return w->wrapped && (w->back ? w->place < w->origin : w->place > w->origin);
}

static void look_at_step(struct app *app)
{
	struct find *f = find_of(app);
	struct find_way *w = &f->way;
	struct search_totals t = search_totals(f->search);
	uint32_t step;

	if (list_filter_is_judging(app)) {
		w->waits = true;
		return;
	}
	if (w->place >= steps_places(&app->steps) && !go_round(app))
		return;
	if (is_round(w)) {
		stop(app, NULL);
		return;
	}
	step = steps_place_step(&app->steps, w->place);
	if (step >= t.searched && !find_is_complete(app))
		w->waits = true;
	else if (search_hits(f->search, step) && steps_shows(&app->steps, step))
		enter_step(app);
	else
		w->place += w->back ? -(size_t)1 : 1;
}

void find_way_begin(struct app *app, bool back, bool inclusive)
{
	struct find_way *w = &find_of(app)->way;
	size_t origin = find_origin(app);

	*w = (struct find_way){.stage = STAGE_STEP,
		.back = back,
		.inclusive = inclusive,
		.arrangement = find_arrangement(app)};
	w->origin = w->place = origin == SIZE_MAX ? 0 : origin;
	app->screen.dirty = true;
}

/* Another step stands where the way went through one, or the list was arranged again: its
 * places mean others, and the way sets out again from the cursor, which stayed with its
 * step. */
static void keep_up(struct app *app)
{
	struct find_way *w = &find_of(app)->way;
	struct find_way before = *w;
	bool inside = w->stage != STAGE_STEP;
	bool lost = inside && (!app->step.opened || app->step.index != w->step);

	if (w->arrangement == find_arrangement(app) && !lost)
		return;
	find_way_begin(app, w->back, w->inclusive);
	w->more = before.more;
	if (!inside || lost)
		return;
	before.arrangement = w->arrangement;
	before.origin = before.place = w->origin;
	before.wrapped = false;
	*w = before;
}

void find_way_run(struct app *app, uint64_t deadline)
{
	struct find_way *w = &find_of(app)->way;
	unsigned passed = 0;

	do {
		keep_up(app);
		if (w->stage == STAGE_STEP)
			look_at_step(app);
		else if (w->stage == STAGE_COUNT)
			count_shown(app, deadline);
		else
			walk(app, deadline);
	} while (w->stage != STAGE_NONE && !w->waits && !app->step.earlier &&
		 ((w->stage == STAGE_STEP && ++passed % 16) || !clock_passed(deadline)));
}
