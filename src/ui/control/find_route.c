/*
 * The way to the next hit, or to the one before: a row of stages, each of which ends with
 * a hit or leads to the next (see find.c).  The stage of the search through the list
 * waits for query/search where it has not come so far: a hit is gone to when it is known
 * that none is nearer.
 */
#include "config.h"
#include "ui/control/find_state.h"

#include "base/work.h"
#include "ui/control/controllers.h"

#define STAGES 6

static const enum route_stage onward[STAGES] = {
	STAGE_INPUT, STAGE_OUTPUT, STAGE_EVENT, STAGE_WHOLE, STAGE_RAW, STAGE_STEP};
static const enum route_stage backward[STAGES] = {
	STAGE_EVENT, STAGE_OUTPUT, STAGE_INPUT, STAGE_WHOLE, STAGE_RAW, STAGE_STEP};

static void enter(struct app *app, enum route_stage stage)
{
	struct find_way *w = &app->state.find->way;

	w->stage = stage;
	w->step = app->step.index;
	w->begun = false;
}

static void stop(struct app *app, const char *note)
{
	app->state.find->way.stage = STAGE_NONE;
	app->state.find->note = note;
	app->screen.dirty = true;
}

/* ---- views that were changed for a hit ---- */

static void switch_view(struct app *app, enum side_mode mode)
{
	struct find *f = app->state.find;
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
	struct find *f = app->state.find;

	if (f->switched && app->screen.panes[PANE_INPUT].mode == f->mode_now)
		step_view_set_mode(app, PANE_INPUT, f->mode_was);
	f->switched = false;
}

/* ---- from stage to stage ---- */

static bool is_new(const struct app *app)
{
	return app->state.find->visited != app->step.index;
}

static void go_on(struct app *app)
{
	struct find_way *w = &app->state.find->way;

	w->place += w->back ? -(size_t)1 : 1;
	enter(app, STAGE_STEP);
}

/* Keys are seen in the tree of the whole step, names and errors in no tree. */
static bool goes_through(const struct find *f, enum route_stage stage)
{
	switch (f->scope.kind) {
	case WITHIN_ANY:
	case WITHIN_KEY:
		return f->scope.kind == WITHIN_ANY || stage == STAGE_WHOLE;
	case WITHIN_NAME:
		return false;
	default:
		return stage == STAGE_INPUT || stage == STAGE_OUTPUT;
	}
}

/* The first that the way goes through from number i of its stages on, or the next step.
 */
static void enter_from(struct app *app, size_t i)
{
	struct find *f = app->state.find;
	const enum route_stage *order = f->way.back ? backward : onward;

	while (order[i] != STAGE_STEP && !goes_through(f, order[i]))
		i++;
	if (order[i] == STAGE_STEP && f->way.within) {
		stop(app, NULL);
		return;
	}
	if (order[i] != STAGE_STEP) {
		enter(app, order[i]);
	} else if (!is_new(app)) {
		go_on(app);
	} else {
		f->visited = app->step.index;
		stop(app, f->scope.kind == WITHIN_NAME
				  ? "in its name"
				  : "its hits stand in no view of this step");
	}
}

static void next_stage(struct app *app)
{
	struct find_way *w = &app->state.find->way;
	const enum route_stage *order = w->back ? backward : onward;
	size_t i = 0;

	while (order[i] != w->stage)
		i++;
	enter_from(app, i + 1);
}

/* ---- where a walk sets out ---- */

bool find_is_at_hit(const struct app *app)
{
	const struct find_hit *h = &app->state.find->hit;
	const struct pane *p = &app->screen.panes[h->pane];
	const struct doc *d = &p->shown.docs[h->mode];

	return h->on && h->step == app->step.index && p->mode == h->mode &&
	       d->places[0].block == d->places[DOC_HIT].block &&
	       (d->places[0].row == h->row || d->width != h->width);
}

/* Whether there is something to go through in a stage. */
static bool has_something(const struct app *app)
{
	const struct find *f = app->state.find;
	const struct step_content *o = app->step.opened;

	switch (f->way.stage) {
	case STAGE_OUTPUT:
		return !step_view_shows_once(app);
	case STAGE_EVENT:
		/* what is on neither side is among the input where the step has no sides
		 * at all, or its value is shown as a tree */
		return (f->way.from_cursor || f->known.rest) &&
		       !step_content_is_empty(o) &&
		       !(o->bare && app->screen.panes[PANE_INPUT].mode == MODE_TREE);
	case STAGE_WHOLE:
	case STAGE_RAW:
		return is_new(app) || f->way.from_cursor; /* else a hit was seen */
	default:
		return true;
	}
}

/* Sets out; false: there is nothing to go through. */
static bool begin_walk(struct app *app)
{
	struct find *f = app->state.find;
	struct find_way *w = &f->way;
	const struct step_content *o = app->step.opened;
	enum pane_id id = w->stage == STAGE_OUTPUT ? PANE_OUTPUT : PANE_INPUT;
	struct pane *p = &app->screen.panes[id];
	bool keys = f->scope.kind == WITHIN_KEY, tree, at_hit;
	struct doc *d;

	if (!has_something(app))
		return false;
	if (w->stage >= STAGE_EVENT)
		switch_view(app, w->stage == STAGE_RAW ? MODE_RAW : MODE_TREE);
	at_hit = w->from_cursor && find_is_at_hit(app);
	d = pane_doc(p);
	/* where the whole step may stand as a tree below the input */
	tree = id == PANE_INPUT && !o->bare &&
	       (p->mode == MODE_TREE || o->input.view == SIDE_JSON);
	f->seek.back = w->back;
	f->seek.in_event = tree && (keys || w->stage == STAGE_EVENT);
	f->seek.event = (struct jv)JV_NONE;
	if (tree && (keys || (w->stage != STAGE_WHOLE && w->stage != STAGE_RAW)))
		f->seek.event = o->facts.value;
	if (w->from_cursor && d->count)
		hit_walk_from_place(&f->seek, d, d->places[at_hit ? DOC_HIT : 0],
			at_hit ? f->hit.number : HIT_WALK_ROW);
	else
		hit_walk_from_edge(&f->seek, d);
	if (f->seek.in_event && f->seek.block >= d->count && keys) {
		f->seek.event = (struct jv)JV_NONE; /* the step alone is the tree */
		f->seek.in_event = false;
		hit_walk_from_edge(&f->seek, d);
	}
	w->from_cursor = false;
	w->begun = true;
	return true;
}

void find_way_forget(struct app *app)
{
	struct find *f = app->state.find;

	hit_count_end(&f->known);
	f->knows = false;
}

/* ---- the number of a hit in its step ---- */

#define NO_RANK INT64_MIN

/* Of one that was not come to from the one before: those of the messages before it, and
 * those of its own message. */
static uint64_t rank_of_hit(struct app *app, struct doc *d, bool input)
{
	struct find *f = app->state.find;
	struct find_way *w = &f->way;
	int64_t all = (int64_t)search_hits(f->search, app->step.index), rank;

	if (w->rank != NO_RANK) {
		rank = w->rank + (w->back ? -1 : 1);
	} else if (f->seek.known && !f->seek.rest) {
		const struct side_reading *side = d->context;
		size_t head = doc_head(d, f->seek.block),
		       message = conversation_message(side->side, d, f->seek.block);

		rank = (int64_t)(hit_walk_count(&f->seek, head == SIZE_MAX ? 0 : head) +
				 f->seek.hit + 1);
		if (message != SIZE_MAX)
			rank += (int64_t)hit_count_before(&f->known, input, message);
	} else {
		rank = all - (int64_t)f->known.rest + 1;
	}
	if (rank < 1)
		rank = 1;
	return (uint64_t)(rank > all ? all : rank);
}

/* ---- arriving ---- */

/* Makes the hit the cursor's place, and sees to it that it is seen. */
static void arrive(struct app *app)
{
	static const char *const notes[][3] = {
		{NULL, "in neither side: shown as JSON", "shown as raw text"},
		{"on from the start", "on from the start, shown as JSON",
			"on from the start, shown as raw text"},
		{"on from the end", "on from the end, shown as JSON",
			"on from the end, shown as raw text"},
	};
	struct find *f = app->state.find;
	struct find_way *w = &f->way;
	enum pane_id id = w->stage == STAGE_OUTPUT ? PANE_OUTPUT : PANE_INPUT;
	struct pane *p = &app->screen.panes[id];
	struct doc *d = pane_doc(p);
	struct place *hit = &d->places[DOC_HIT];
	bool json = (w->stage == STAGE_EVENT || w->stage == STAGE_WHOLE) &&
		    f->scope.kind != WITHIN_KEY;
	unsigned more = w->more;

	*hit = (struct place){f->seek.block, 0};
	step_view_show_side(app, id);
	if (app->screen.focus == PANE_STEPS && !w->within) {
		f->from_list = true;
		screen_give_keys(app, id);
	}
	doc_pane_fit(p);
	doc_unfold(d, hit->block);
	f->hit = (struct find_hit){.on = true,
		.step = app->step.index,
		.pane = id,
		.mode = p->mode,
		.stage = w->stage,
		.number = f->seek.hit,
		.rank = rank_of_hit(app, d, w->stage != STAGE_OUTPUT),
		.width = d->width};
	highlights_find_in(&f->seek.marks, d, hit->block, f->scope.query);
	f->hit.row = highlights_line_of(&f->seek.marks, f->seek.hit);
	d->places[0] = (struct place){hit->block, f->hit.row};
	f->visited = app->step.index;
	f->note = notes[w->wrapped ? 1 + w->back : 0][json                    ? 1
						      : w->stage == STAGE_RAW ? 2
									      : 0];
	app->screen.dirty = true;
	w->stage = STAGE_NONE;
	if (more) {
		find_way_begin(app, w->back, false);
		w->more = more - 1;
	}
}

static void walk(struct app *app, uint64_t deadline)
{
	struct find *f = app->state.find;
	struct find_way *w = &f->way;

	if (!w->begun && !begin_walk(app)) {
		next_stage(app);
		return;
	}
	f->seek.rest = w->stage == STAGE_EVENT;
	f->seek.known = f->knows && w->stage <= STAGE_EVENT ? &f->known : NULL;
	switch (hit_walk_run(&f->seek, deadline)) {
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
	struct find *f = app->state.find;
	struct find_way *w = &f->way;
	bool at_hit = find_is_at_hit(app);

	w->from_cursor = at_hit || screen_focus_below(app) != PANE_STEPS;
	if (w->from_cursor)
		w->rank = at_hit ? (int64_t)f->hit.rank : NO_RANK;
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
	struct find *f = app->state.find;
	struct find_way *w = &f->way;
	bool here = w->place == w->origin && !w->wrapped;
	uint32_t step = steps_place_step(&app->steps, w->place);

	w->rank = w->back ? (int64_t)search_hits(f->search, step) + 1 : 0;
	if (here && app->step.opened && step == app->step.index) {
		enter_at_cursor(app);
		return;
	}
	switch_back(app);
	f->visited = NO_STEP;
	step_view_go_to_step(app, step);
	app->screen.dirty = true;
	if (!app->step.opened || app->step.index != step) {
		stop(app, NULL);
		return;
	}
	enter_from(app, 0);
}

/* The step at the way's place: waits for the search where it has not come so far, and
 * goes round the ends of the list, once. */
static void look_at_step(struct app *app)
{
	struct find *f = app->state.find;
	struct find_way *w = &f->way;
	size_t places = steps_places(&app->steps);
	uint32_t step;

	w->waits = list_filter_is_running(app) ||
		   (w->place >= places && !find_is_complete(app));
	if (w->waits)
		return;
	if (w->place >= places) {
		if (w->wrapped || !places) {
			stop(app, NULL);
			return;
		}
		w->wrapped = true;
		w->place = w->back ? places - 1 : 0;
	}
	if (w->wrapped && (w->back ? w->place < w->origin : w->place > w->origin)) {
		stop(app, NULL); /* it is where it began */
		return;
	}
	step = steps_place_step(&app->steps, w->place);
	if (step >= search_totals(f->search).searched && !find_is_complete(app))
		w->waits = true;
	else if (search_hits(f->search, step) && steps_shows(&app->steps, step))
		enter_step(app);
	else
		w->place += w->back ? -(size_t)1 : 1;
}

void find_way_begin(struct app *app, bool back, bool inclusive)
{
	struct find_way *w = &app->state.find->way;
	size_t origin = find_origin(app);

	*w = (struct find_way){.stage = STAGE_STEP,
		.back = back,
		.inclusive = inclusive,
		.arrangement = find_arrangement(app)};
	w->origin = w->place = origin == SIZE_MAX ? 0 : origin;
	app->screen.dirty = true;
}

void find_way_within(struct app *app)
{
	struct find *f = app->state.find;

	f->visited = NO_STEP;
	f->way = (struct find_way){.within = true, .arrangement = find_arrangement(app)};
	enter_from(app, 0);
}

/* Another step stands where the way went through one, or the list was arranged again: its
 * places mean others, and the way sets out again from the cursor, which stayed with its
 * step. */
static void keep_up(struct app *app)
{
	struct find_way *w = &app->state.find->way;
	struct find_way before = *w;
	bool inside = w->stage != STAGE_STEP;
	bool lost = inside && (!app->step.opened || app->step.index != w->step);

	if (w->arrangement == find_arrangement(app) && !lost)
		return;
	if (before.within) {
		stop(app, NULL);
		return;
	}
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
	struct find *f = app->state.find;
	struct find_way *w = &f->way;
	unsigned passed = 0;

	do {
		keep_up(app);
		if (w->stage == STAGE_STEP) {
			look_at_step(app);
			continue;
		}
		/* what counts in the step that is shown; a key may stop that */
		if (!f->knows && app->step.opened && f->scope.kind != WITHIN_NAME &&
			f->scope.kind != WITHIN_KEY) {
			f->knows = hit_count_try(&f->known, &f->scope, app->trace,
				app->step.index, app->step.opened,
				search_hits(f->search, app->step.index));
			if (!f->knows)
				continue;
		}
		walk(app, deadline);
	} while (w->stage != STAGE_NONE && !w->waits && !app->step.comparing &&
		 ((w->stage == STAGE_STEP && ++passed % 16) || !clock_passed(deadline)));
}
