/*
 * The transcript: the chain as one document (view/scroll) over the panes.  It begins at
 * the step under the cursor of the list, and reads on as it is scrolled; leaving it takes
 * the list to the step where its cursor is.  What is opened over it (help, marks ...)
 * leads back to it.  Here are its window, its cursor and its pane.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include "base/work.h"
#include "text/safe.h"
#include "ui/control/transcript_state.h"
#include "view/tree.h"

#define AT_ONCE 20000 /* microseconds before what is there is drawn */
#define BELOW   2     /* screens below the top that are read ahead, beside its own */
#define MEASURE 120   /* cells of a line: longer ones are hard to read */
#define ABOVE   1     /* ... above it */

static unsigned rows_of(const struct app *app)
{
	unsigned rows = transcript_pane(app)->area.rows;

	return rows ? rows : 1;
}

/* ---- the window ---- */

static bool has_rows(struct doc *d, struct place from, uint64_t rows, bool back)
{
	if (!d->count)
		return false;
	return back ? doc_up(d, &from, rows) : doc_down(d, &from, rows);
}

static bool lacks_rows(const struct app *app, bool back)
{
	const struct transcript_view *t = app->state.transcript;
	struct doc *d = pane_doc(transcript_pane(app));

	if (scroll_is_at_end(t->scroll, back))
		return false;
	return !has_rows(d, d->places[1],
		(back ? ABOVE : BELOW + 1) * (uint64_t)rows_of(app), back);
}

enum task_state transcript_extend(struct app *app, bool back)
{
	struct transcript_view *t = app->state.transcript;
	struct doc *d = pane_doc(transcript_pane(app));
	enum task_state state = scroll_run(t->scroll, back);
	struct place first, last;

	if (state != TASK_DONE)
		return state;
	app->screen.dirty = true;
	if (!d->count)
		return state;
	/* what is near the top stays, or near what is looked for */
	first = last = d->places[t->seek.kind ? SEEK_PLACE : 1];
	doc_up(d, &first, (ABOVE + 1) * (uint64_t)rows_of(app));
	doc_down(d, &last, (BELOW + 2) * (uint64_t)rows_of(app));
	/* what is on its way needs what was read just now, however far that is from the
	 * top: dropped, it would be read again and again */
	if (t->seek.kind || t->waiting.command != COMMAND_NONE) {
		if (t->seek.kind ? t->seek.back : t->back)
			first = (struct place){0, 0};
		else
			last = (struct place){d->count - 1, 0};
	}
	scroll_trim(t->scroll, app->settings.cache, first.block, last.block);
	return state;
}

void transcript_begin_at(struct app *app, size_t position)
{
	struct transcript_view *t = app->state.transcript;
	struct pane *p = transcript_pane(app);

	if (!t->scroll)
		t->scroll = scroll_new(app->trace, app->options.registry, pane_doc(p));
	pane_doc(p)->signs = app->options.no_color;
	scroll_begin(t->scroll, position);
	t->goal = GOAL_STEP;
	t->position = position;
	t->waiting.command = t->later.command = COMMAND_NONE;
}

/* ---- the cursor ---- */

static void put_cursor(struct app *app, struct place at, bool top)
{
	struct doc *d = pane_doc(transcript_pane(app));

	d->places[0] = at;
	if (top)
		d->places[1] = at;
	app->screen.dirty = true;
}

/* The rule of a step, below its blank row. */
static bool go_to_rule(struct app *app, size_t position)
{
	struct doc *d = pane_doc(transcript_pane(app));
	size_t at = scroll_block(app->state.transcript->scroll, position);
	uint32_t rows;

	if (at == SIZE_MAX)
		return false;
	rows = doc_rows(d, at);
	put_cursor(app, (struct place){at, rows ? rows - 1 : 0}, true);
	return true;
}

/* Goes on to where the cursor shall be; false: the chain ends before. */
static bool reach_goal(struct app *app)
{
	struct transcript_view *t = app->state.transcript;
	struct doc *d = pane_doc(transcript_pane(app));
	size_t first, end;

	if (t->goal == GOAL_END && scroll_is_at_end(t->scroll, false)) {
		t->goal = GOAL_NONE;
		put_cursor(app, doc_end(d), false);
		return true;
	}
	if (t->goal == GOAL_STEP && go_to_rule(app, t->position)) {
		/* as far below it as before the step was opened again */
		struct place at = {d->places[0].block + t->below.block, t->below.row};

		t->goal = GOAL_NONE;
		if (t->below.block || t->below.row) {
			doc_settle(d, &at);
			put_cursor(app, at, false);
		}
		t->below = (struct place){0, 0};
		return true;
	}
	scroll_shown(t->scroll, &first, &end);
	if (transcript_extend(app, t->goal == GOAL_STEP && t->position < first) !=
		TASK_IDLE)
		return true;
	t->goal = GOAL_NONE;
	return false;
}

bool transcript_is_ready(const struct app *app)
{
	return app->state.transcript->goal == GOAL_NONE &&
	       pane_doc(transcript_pane(app))->count;
}

/* ---- slices ---- */

/* One piece of work, the most urgent first; false: there is none. */
static bool work(struct app *app, uint64_t deadline)
{
	struct transcript_view *t = app->state.transcript;
	struct doc *d = pane_doc(transcript_pane(app));

	if (t->goal == GOAL_NONE && t->later.command != COMMAND_NONE) {
		struct invocation call = t->later;

		t->later.command = COMMAND_NONE;
		transcript_seek(app, &call);
		return true;
	}
	if (t->goal != GOAL_NONE)
		return reach_goal(app);
	if (t->seek.kind)
		return transcript_seek_run(app, deadline) != TASK_IDLE;
	if (t->waiting.command != COMMAND_NONE) {
		struct invocation call = t->waiting;

		if (!scroll_is_at_end(t->scroll, t->back) &&
			!has_rows(d, d->places[0], t->rows, t->back))
			return transcript_extend(app, t->back) != TASK_IDLE;
		t->waiting.command = COMMAND_NONE; /* its rows are there by now */
		doc_pane_command(transcript_pane(app), &call);
		app->screen.dirty = true;
		return true;
	}
	if (lacks_rows(app, false))
		return transcript_extend(app, false) != TASK_IDLE;
	return lacks_rows(app, true) && transcript_extend(app, true) != TASK_IDLE;
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	bool more, worked = false;

	if (app->screen.overlay != PANE_TRANSCRIPT || !transcript_pane(app)->area.rows)
		return TASK_IDLE;
	doc_pane_fit(transcript_pane(app));
	do {
		more = work(app, deadline);
		worked |= more;
	} while (more && !clock_passed(deadline));
	return more ? TASK_MORE : worked ? TASK_DONE : TASK_IDLE;
}

/* So that what takes no time is there when the screen is drawn. */
static void hurry(struct app *app)
{
	uint64_t deadline = clock_deadline(AT_ONCE);

	step_view_settle(app);
	stop_at(deadline);
	run(app, deadline);
	stop_at(0);
}

/* ---- opening and leaving ---- */

uint32_t transcript_step(const struct app *app)
{
	const struct transcript_view *t = app->state.transcript;
	size_t position = SIZE_MAX;

	if (t->scroll)
		position = scroll_position(
			t->scroll, pane_cursor(transcript_pane(app))->block);
	if (position == SIZE_MAX && t->goal == GOAL_STEP)
		position = t->position;
	return position < app->trace->order_count ? trace_at(app->trace, position)
						  : NO_STEP;
}

/* To the rule of a step, where that is in the window; else begins there. */
static void go_to_position(struct app *app, size_t position)
{
	struct transcript_view *t = app->state.transcript;
	size_t first = 0, end = 0;

	if (t->scroll)
		scroll_shown(t->scroll, &first, &end);
	if (position >= first && position < end)
		go_to_rule(app, position);
	else
		transcript_begin_at(app, position);
}

/* The step under the list's cursor; stays where it is in it. */
static bool show(struct app *app)
{
	uint32_t step = step_at_cursor(app);
	size_t position;

	app->state.transcript->covered = false;
	if (step == NO_STEP)
		return false;
	app->state.transcript->on = true;
	app->screen.overlay = PANE_TRANSCRIPT;
	position = trace_position(app->trace, step);
	if (position < app->trace->order_count && transcript_step(app) != step)
		go_to_position(app, position);
	return true;
}

/* Takes the list to the step of the cursor, and opens it. */
static void take_list(struct app *app)
{
	uint32_t step = transcript_step(app);

	if (step == NO_STEP || step == step_at_cursor(app))
		return;
	if (steps_shows(&app->steps, step)) {
		app->screen.panes[PANE_STEPS].cursor = steps_reveal(&app->steps, step);
		step_view_settle(app);
	}
}

void transcript_follow_list(struct app *app)
{
	if (show(app))
		hurry(app);
}

/* Back to the panes, with the list at the step where the cursor is. */
static void leave(struct app *app)
{
	struct transcript_view *t = app->state.transcript;
	uint32_t step = transcript_step(app);

	transcript_seek_end(t);
	t->on = t->covered = false;
	app->screen.overlay = PANE_NONE;
	if (step == NO_STEP)
		return;
	if (steps_shows(&app->steps, step))
		app->screen.panes[PANE_STEPS].cursor = steps_reveal(&app->steps, step);
	else
		buf_text(&app->said, "the list hides that step: & changes the filter");
}

unsigned run_transcript(struct app *app, const struct invocation *call)
{
	if (app->screen.overlay == PANE_TRANSCRIPT)
		leave(app);
	else if (show(app))
		hurry(app);
	return REACT_DRAW;
}

/* ---- going far ---- */

static const struct chain *chain_of(const struct app *app)
{
	return &app->trace->chains[scroll_chain(app->state.transcript->scroll)];
}

void transcript_go_to_step(struct app *app, size_t number)
{
	const struct chain *c = chain_of(app);

	if (!number || number > c->count)
		buf_printf(&app->said, "this chain has steps 1 to %zu", c->count);
	else
		go_to_position(app, c->first + number - 1);
}

static void go_to_edge(struct app *app, bool end)
{
	struct transcript_view *t = app->state.transcript;
	const struct chain *c = chain_of(app);

	if (!c->count)
		return;
	if (!scroll_is_at_end(t->scroll, !end))
		transcript_begin_at(app, end ? c->first + c->count - 1 : c->first);
	if (end)
		t->goal = GOAL_END;
	else if (t->goal == GOAL_NONE)
		put_cursor(app, (struct place){0, 0}, true);
}

/* To the next chain, or back to the beginning of this one, or to the one before. */
static void go_to_chain(struct app *app, bool back)
{
	uint32_t chain = scroll_chain(app->state.transcript->scroll);
	uint32_t step = transcript_step(app);
	bool begins = step != NO_STEP &&
		      trace_position(app->trace, step) == app->trace->chains[chain].first;

	if (!back)
		chain++;
	else if (begins)
		chain--;
	if (chain < app->trace->chain_count && app->trace->chains[chain].count)
		go_to_position(app, app->trace->chains[chain].first);
	else
		buf_text(&app->said,
			back ? "this is the first chain" : "this is the last chain");
}

/* ---- what is said of it ---- */

/* "step 12 of 300" */
static void put_place(const struct app *app, struct buf *out)
{
	uint32_t step = transcript_step(app);

	if (step != NO_STEP)
		buf_printf(out, "step %zu of %zu",
			trace_number_at(app->trace, trace_position(app->trace, step)),
			chain_of(app)->count);
}

/* Of the chain, not of the window. */
static unsigned percent(const struct app *app)
{
	uint32_t step = transcript_step(app);
	size_t count = step == NO_STEP ? 0 : chain_of(app)->count;

	return count < 2 ? 0
			 : (unsigned)(trace_number_at(app->trace,
					      trace_position(app->trace, step)) *
				      100 / count);
}

void transcript_put_status(const struct app *app, struct buf *out)
{
	const struct transcript_view *t = app->state.transcript;

	if (t->seek.kind && t->scroll && scroll_chain(t->scroll) != NO_CHAIN)
		buf_printf(out, "looking for the %s %s  ",
			t->seek.back ? "previous" : "next", t->seek.kind->what);
	put_place(app, out);
}

/* ---- the pane ---- */

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	uint32_t step = transcript_step(app);
	struct str name;

	if (step == NO_STEP)
		return;
	buf_text(out, "  ");
	put_place(app, out);
	name = trace_chain_title(app->trace, chain_of(app));
	if (name.n) {
		buf_text(out, "  ");
		safe_line(out, name);
	}
}

static void status(struct app *app, struct pane *p, struct buf *out)
{
	AUTO_BUF path = BUF_INIT;

	transcript_put_status(app, out);
	if (app->state.transcript->seek.kind ||
		pane_cursor(p)->block >= pane_doc(p)->count)
		return;
	tree_path(pane_doc(p), pane_cursor(p)->block, &path);
	if (path.len)
		buf_text(out, "  ");
	safe_line(out, buf_view(&path));
}

/* Waits with a command until the rows that it moves over are there; false: they are. */
static bool waits(
	struct app *app, const struct invocation *call, uint64_t rows, bool back)
{
	struct transcript_view *t = app->state.transcript;
	struct doc *d = pane_doc(transcript_pane(app));
	unsigned times = call->count ? call->count : 1;

	if (t->waiting.command == COMMAND_NONE &&
		(scroll_is_at_end(t->scroll, back) ||
			has_rows(d, d->places[0], rows, back)))
		return false;
	if (t->waiting.command == call->command) {
		t->waiting.count += times;
		t->rows += rows;
		return true;
	}
	t->waiting = *call;
	t->waiting.count = times;
	t->rows = rows;
	t->back = back;
	return true;
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	struct doc *d = pane_doc(p);
	uint64_t rows;
	unsigned r;
	bool back;

	if (call->command != COMMAND_CANCEL && transcript_seek(app, call))
		return REACT_DRAW;
	switch (call->command) {
	case COMMAND_CANCEL:
		if (app->state.transcript->seek.kind) {
			transcript_seek_end(app->state.transcript);
			return app_say(app, "stopped");
		}
		leave(app);
		return REACT_DRAW;
	case COMMAND_QUIT:
	case COMMAND_LEAVE:
	case COMMAND_TRANSCRIPT:
		leave(app);
		return REACT_DRAW;
	case COMMAND_ENTER: /* the fold of the row itself: words stay as they are read */
		return doc_press(d, pane_cursor(p))
			       ? REACT_DRAW
			       : app_say(app, "nothing to open here");
	case COMMAND_FOLD:
		return doc_toggle(d, pane_cursor(p)) ? REACT_DRAW : REACT_NOTHING;
	case COMMAND_LEFT:
	case COMMAND_RIGHT:
		return doc_pane_fold(p, call->command == COMMAND_RIGHT) ? REACT_DRAW
									: REACT_NOTHING;
	case COMMAND_FIRST:
	case COMMAND_LAST:
		if (call->count)
			transcript_go_to_step(app, call->count);
		else
			go_to_edge(app, call->command == COMMAND_LAST);
		return REACT_DRAW;
	case COMMAND_ORIGIN: /* it comes back to the step of this row */
		take_list(app);
		notify(app, EVENT_LEAVING);
		return run_origin(app, call);
	case COMMAND_STEP:
	case COMMAND_GO_MARK:
	case COMMAND_BACK:
	case COMMAND_MARK:
	case COMMAND_MARKS:
	case COMMAND_GO:
	case COMMAND_EXPORT:
	case COMMAND_COPY:
	case COMMAND_NEXT_SLOW:
	case COMMAND_PREVIOUS_SLOW:
		/* they are about a step: the list goes there first, and the transcript to
		 * where the command leads */
		take_list(app);
		r = command_rows[call->command].run(app, call);
		if (app->screen.overlay == PANE_NONE)
			transcript_follow_list(app);
		return r;
	case COMMAND_NEXT_CHAIN:
	case COMMAND_PREVIOUS_CHAIN:
		go_to_chain(app, call->command == COMMAND_PREVIOUS_CHAIN);
		return REACT_DRAW;
	default:
		rows = command_moves(call, p->area.rows, &back);
		doc_pane_fit(p);
		return rows && waits(app, call, rows, back) ? REACT_DRAW : REACT_BUBBLE;
	}
}

const struct pane_ops pane_transcript_ops = {
	.name = "TRANSCRIPT",
	.title = title,
	.percent = percent,
	.measure = MEASURE,
	.command = command,
	.folds = true,
	.status = status,
	.hints = (const struct hint[]){{COMMAND_TRANSCRIPT, "to the step"},
		{COMMAND_SEARCH, "search"}, {COMMAND_FOLD_OR_PAGE, NULL},
		{COMMAND_NEXT_STEP, "next step"}, {COMMAND_NEXT_MESSAGE, "next message"},
		{COMMAND_HELP, "help"}, {COMMAND_COPY, "copy"}, {COMMAND_NONE, NULL}},
};

/* ---- the controller ---- */

static void end(struct app *app)
{
	struct transcript_view *t = app->state.transcript;

	transcript_seek_end(t);
	buf_done(&t->seek.name);
	scroll_free(t->scroll);
	t->scroll = NULL;
}

/* The steps are others. */
static void forget(struct app *app)
{
	struct transcript_view *t = app->state.transcript;

	end(app);
	if (app->screen.overlay == PANE_TRANSCRIPT)
		app->screen.overlay = PANE_NONE;
	t->on = t->covered = false;
	t->goal = GOAL_NONE;
	t->waiting.command = t->later.command = COMMAND_NONE;
}

/* What lies over it leads back to it: to where it was, or to where the list went. */
static void settle(struct app *app)
{
	struct transcript_view *t = app->state.transcript;

	t->complete = t->scroll && scroll_is_at_end(t->scroll, false);
	if (!t->on || app->screen.overlay == PANE_TRANSCRIPT)
		return;
	if (app->screen.overlay != PANE_NONE) {
		if (!t->covered)
			t->listed = step_at_cursor(app);
		t->covered = true;
	} else if (!t->covered) {
		t->on = false;
	} else if (step_at_cursor(app) != t->listed) {
		show(app);
	} else {
		t->covered = false;
		app->screen.overlay = PANE_TRANSCRIPT;
	}
}

/* The last step may have grown, and is opened again; who follows the end stays there. */
static void more_read(struct app *app)
{
	struct transcript_view *t = app->state.transcript;
	struct doc *d = pane_doc(transcript_pane(app));
	struct place next = d->places[0];
	uint32_t step;
	size_t position, rule;
	bool end;

	if (!t->scroll || scroll_chain(t->scroll) == NO_CHAIN)
		return;
	step = transcript_step(app);
	if (step == NO_STEP ||
		trace_position(app->trace, step) >= app->trace->order_count)
		return;
	position = trace_position(app->trace, step);
	rule = scroll_block(t->scroll, position);
	/* on the last row of the chain, as it was before it has grown */
	end = t->complete && t->goal == GOAL_NONE && d->count && !doc_down(d, &next, 1) &&
	      load_follows(app->input.load);
	/* where the cursor is, to come back when its step was dropped */
	t->below = (struct place){0, 0};
	if (rule != SIZE_MAX && d->places[0].block > rule)
		t->below = (struct place){d->places[0].block - rule, d->places[0].row};
	if (!scroll_renew(t->scroll)) {
		transcript_begin_at(app, position);
	} else if (transcript_step(app) != step) {
		t->goal = GOAL_STEP;
		t->position = position;
	}
	if (end)
		t->goal = GOAL_END;
	if (t->goal == GOAL_NONE)
		t->below = (struct place){0, 0};
	app->screen.dirty |= t->goal != GOAL_NONE;
}

/* Other characters are drawn. */
static void lay_out_again(struct app *app)
{
	struct transcript_view *t = app->state.transcript;
	uint32_t step = app->trace ? transcript_step(app) : NO_STEP;

	if (t->scroll && step != NO_STEP)
		transcript_begin_at(app, trace_position(app->trace, step));
}

const struct controller_ops transcript_controller = {
	.state = sizeof(struct transcript_view),
	.end = end,
	.run = run,
	.level = LEVEL_COMPARE,
	.on[EVENT_READ] = more_read,
	.on[EVENT_SETTLE] = settle,
	.on[EVENT_CHARACTERS] = lay_out_again,
	.on[EVENT_FORGET] = forget,
};
