/*
 * Jumping over the list: to the next step that failed, that is slow, that calls the same
 * tool, that a speaker or a model has part in, and from a call to its result in another
 * step.  What the list knows is found at once; where steps must be opened to know it,
 * that is done in slices beside drawing, and any other command, or Esc, gives it up.
 * Those are opened in whose bytes a search finds the name or id.
 *
 * A way goes round the ends of the list, once; with a count it goes on over so many, and
 * stops at the last there is.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include "analysis/latency.h"
#include "base/mem.h"
#include "base/work.h"
#include "ui/control/find_state.h"

struct jump;

enum jump_answer { JUMP_NO, JUMP_YES, JUMP_MORE /* ask again */ };

struct jump_kind {
	enum command next, previous;
	const char *what; /* "error": no other error */
	/* What is looked for, from where the cursor is, or NULL.  False, with what is to
	 * be said of it: nothing, or it was gone to already. */
	bool (*begin)(struct app *app, struct jump *j);
	/* Whether a position has it: told by the list, or by the step, opened, with the
	 * part of it that is gone to. */
	enum jump_answer (*decide)(
		struct app *app, struct jump *j, size_t place, uint64_t deadline);
	bool (*holds)(const struct jump *j, const struct step_content *o,
		struct step_part *part);
};

struct jump {
	const struct jump_kind *kind; /* NULL: none is on its way */
	bool back, wrapped;
	bool waits;           /* for more to be read */
	unsigned more;        /* after the next one */
	size_t origin, place; /* of the list: steps_places */
	size_t looked_at;     /* places so far */
	size_t found;         /* the last place that fits, or SIZE_MAX */
	uint32_t arrangement, generation;
	struct step_part part; /* ... of its step; no step: the step as a whole */
	struct buf name;       /* of the tool, the speaker, the id that is looked for */
	struct query *query;   /* ... and what finds it, or NULL */
	struct step_finder *finder;
	uint32_t model; /* interned */
	bool call;      /* a call is looked for */
	struct slow slow;
};

static void stop(struct app *app)
{
	struct jump *j = app->state.jump;

	step_finder_free(j->finder);
	query_free(j->query);
	j->finder = NULL;
	j->query = NULL;
	j->kind = NULL;
}

static void forget(struct app *app)
{
	stop(app);
	slow_done(&app->state.jump->slow);
}

static void end(struct app *app)
{
	forget(app);
	buf_done(&app->state.jump->name);
}

/* More steps may come, or the filter has yet to say which are shown. */
static bool is_early(const struct app *app)
{
	return !input_is_settled(app) || list_filter_is_running(app);
}

bool jump_is_busy(const struct app *app)
{
	return app->state.jump->kind && (!app->state.jump->waits || !is_early(app));
}

/* ---- opening ---- */

static enum jump_answer decide_opened(
	struct app *app, struct jump *j, size_t place, uint64_t deadline)
{
	uint32_t step = trace_at(app->trace, place);
	struct step_part part = {.step = step, .part = SIZE_MAX};
	struct found found = {.hits = 1};
	struct step_content *o;
	bool yes;

	/* events say it in parts */
	if (j->finder && !(trace_flags(app->trace, step) & (STEP_SSE | STEP_LINES)) &&
		step_finder_run(j->finder, step, deadline, &found) == TASK_MORE)
		return JUMP_MORE;
	if (!found.hits && !found.gave_up)
		return JUMP_NO;
	o = step_content_try(app->trace, step, false);
	if (!o)
		return JUMP_MORE;
	yes = j->kind->holds(j, o, &part);
	step_content_free(o);
	if (yes)
		j->part = part;
	return yes ? JUMP_YES : JUMP_NO;
}

/* ---- parts ---- */

/* Whether a side has a call of that name, or the call or result with that id. */
static bool side_holds(
	const struct jump *j, const struct side *s, bool by_name, struct step_part *at)
{
	enum part_kind kind = j->call ? PART_CALL : PART_RESULT;

	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count; i++) {
		AUTO_ARENA arena = {0};
		AUTO(parts_done)
		struct parts parts = parts_read(s->chat.items[i], &arena);

		for (size_t k = 0; k < parts.count; k++) {
			const struct part *p = PART_AT(&parts, k);

			if (p->kind != kind ||
				!jv_says(by_name ? p->name : p->link, buf_view(&j->name)))
				continue;
			at->message = i;
			at->part = k;
			return true;
		}
	}
	return false;
}

/* The keys stay on the list. */
static void go_to_part(struct app *app, const struct step_part *to)
{
	bool keys = screen_focus_below(app) != PANE_STEPS;

	step_part_go(app, to);
	if (!keys)
		screen_give_keys(app, PANE_STEPS);
}

/* ---- steps that call a tool ---- */

static size_t end_under_cursor(struct app *app)
{
	if (screen_focus_below(app) == PANE_STEPS || !app->step.opened)
		return NO_PAIR;
	return conversation_end(pane_doc(&app->screen.panes[screen_focus_below(app)]),
		pane_doc(&app->screen.panes[screen_focus_below(app)])->places[0].block);
}

/* The last call that this step makes. */
static size_t last_call(const struct app *app, const struct pairs *pairs)
{
	for (size_t i = pairs->count; i-- > 0;)
		if (pairs->ends[i].call &&
			(!pairs->ends[i].input || app->step.opened->shared))
			return i;
	return NO_PAIR;
}

static bool begin_call(struct app *app, struct jump *j)
{
	const struct pairs *pairs =
		app->step.opened ? reading_pairs(app->step.reading) : NULL;
	size_t end = pairs ? end_under_cursor(app) : NO_PAIR;

	if (end != NO_PAIR && !pairs->ends[end].call)
		end = pairs->ends[end].other;
	if (pairs && end == NO_PAIR)
		end = last_call(app, pairs);
	buf_clear(&j->name);
	if (end != NO_PAIR)
		jv_text(pairs->ends[end].what->name, &j->name);
	j->call = true;
	if (!j->name.len)
		buf_text(&app->said, "no tool is called here");
	return j->name.len > 0;
}

static bool calls_tool(
	const struct jump *j, const struct step_content *o, struct step_part *at)
{
	at->input = o->shared;
	return side_holds(j, o->shared ? &o->input : &o->output, true, at);
}

/* ---- messages of a speaker ---- */

/* The next of their messages on a side after, or before, one; SIZE_MAX: from the edge,
 * and: there is none. */
static size_t next_message(const struct jump *j, const struct side *s, size_t from)
{
	size_t count = s->view == SIDE_CHAT ? s->chat.count : 0;
	size_t at = from == SIZE_MAX && j->back ? count : from;

	while (j->back ? at-- > 0 : ++at < count) {
		AUTO_ARENA arena = {0};

		if (s->chat.items[at].kind == J_OBJECT &&
			str_equal(
				message_role(s->chat.items[at], s->prefer, NULL, &arena),
				buf_view(&j->name)))
			return at;
	}
	return SIZE_MAX;
}

/* Moves a place in a step on, through its other side; message SIZE_MAX: from its edge. */
static bool find_message(
	const struct jump *j, const struct step_content *o, struct step_part *at)
{
	const struct side *sides[] = {&o->output, &o->input};

	at->message = next_message(j, sides[at->input], at->message);
	if (at->message == SIZE_MAX && at->input == !j->back && !o->shared) {
		at->input = !at->input;
		at->message = next_message(j, sides[at->input], SIZE_MAX);
	}
	return at->message != SIZE_MAX;
}

static bool has_speaker(
	const struct jump *j, const struct step_content *o, struct step_part *at)
{
	at->input = o->shared || !j->back;
	at->message = SIZE_MAX;
	return find_message(j, o, at);
}

/* ---- a call and its result ---- */

static bool holds_end(
	const struct jump *j, const struct step_content *o, struct step_part *at)
{
	at->input = side_holds(j, &o->input, false, at);
	return at->input || side_holds(j, &o->output, false, at);
}

static bool begin_partner(struct app *app, struct jump *j)
{
	const struct pairs *pairs =
		app->step.opened ? reading_pairs(app->step.reading) : NULL;
	size_t end = pairs ? end_under_cursor(app) : NO_PAIR;
	const struct pair_end *e;

	if (pairs && end == NO_PAIR && screen_focus_below(app) == PANE_STEPS)
		end = last_call(app, pairs);
	buf_clear(&j->name);
	if (end == NO_PAIR) {
		buf_text(&app->said, "no call and no result here");
		return false;
	}
	e = &pairs->ends[end];
	if (e->other != NO_PAIR) {
		e = &pairs->ends[e->other];
		go_to_part(app, &(struct step_part){
					app->step.index, e->input, e->message, e->part});
		return false;
	}
	jv_text(e->what->link, &j->name);
	j->call = !e->call;
	j->back = j->call;
	j->more = 0;
	if (!j->name.len)
		buf_text(
			&app->said, "it has no id by which the other end could be known");
	return j->name.len > 0;
}

/* ---- what is looked for ---- */

/* A failure of the step (import/failure.h), or an error that a check has found; what
 * the step's text says is decided first where it was not yet. */
static enum jump_answer decide_error(
	struct app *app, struct jump *j, size_t place, uint64_t deadline)
{
	uint32_t step = trace_at(app->trace, place);

	if (!scan_failure(app, step, deadline))
		return JUMP_MORE;
	return trace_flags(app->trace, step) & (STEP_FAILED | STEP_BROKEN) ||
			       reports_has_error(app, step)
		       ? JUMP_YES
		       : JUMP_NO;
}

static enum jump_answer decide_slow(
	struct app *app, struct jump *j, size_t place, uint64_t deadline)
{
	if (!slow_look(&j->slow, app->trace, place))
		return JUMP_MORE;
	return slow_is(&j->slow, app->trace, place) ? JUMP_YES : JUMP_NO;
}

/* In a side it is a speaker that is looked for, in the list a model.  What this step has
 * of a speaker is gone to at once. */
static bool begin_alike(struct app *app, struct jump *j)
{
	enum pane_id focus = screen_focus_below(app);
	const struct step_content *o = app->step.opened;
	uint32_t step = step_at_cursor(app);
	size_t at = SIZE_MAX;
	AUTO_ARENA arena = {0};
	const struct side *s;
	struct step_part to;
	struct pane *p = &app->screen.panes[focus];

	buf_clear(&j->name);
	if (focus == PANE_STEPS) {
		j->model = step == NO_STEP ? NO_TEXT : trace_step(app->trace, step).model;
		if (j->model == NO_TEXT)
			buf_text(&app->said, "this step names no model");
		return j->model != NO_TEXT;
	}
	s = o ? step_side(app, p) : NULL;
	if (s)
		at = conversation_message(s, pane_doc(p), pane_doc(p)->places[0].block);
	if (at == SIZE_MAX || s->view != SIDE_CHAT || at >= s->chat.count) {
		buf_text(&app->said, "no message here");
		return false;
	}
	buf_str(&j->name, message_role(s->chat.items[at], s->prefer, NULL, &arena));
	to = (struct step_part){app->step.index, p->input, at, SIZE_MAX};
	for (; find_message(j, o, &to); j->more--)
		if (!j->more) {
			step_part_go(app, &to);
			return false;
		}
	j->more -= j->more > 0;
	return true;
}

static enum jump_answer decide_alike(
	struct app *app, struct jump *j, size_t place, uint64_t deadline)
{
	uint32_t step = trace_at(app->trace, place);

	if (j->name.len)
		return decide_opened(app, j, place, deadline);
	return trace_step(app->trace, step).model == j->model ? JUMP_YES : JUMP_NO;
}

static const struct jump_kind kinds[] = {
	{COMMAND_NEXT_ERROR, COMMAND_PREVIOUS_ERROR, "error", .decide = decide_error},
	{COMMAND_NEXT_SLOW, COMMAND_PREVIOUS_SLOW, "slow step", .decide = decide_slow},
	{COMMAND_NEXT_CALL, COMMAND_PREVIOUS_CALL, "step that calls this tool",
		begin_call, decide_opened, calls_tool},
	{COMMAND_NEXT_SPEAKER, COMMAND_PREVIOUS_SPEAKER, "step of the same", begin_alike,
		decide_alike, has_speaker},
	{COMMAND_PARTNER, COMMAND_PARTNER, "step with the other end", begin_partner,
		decide_opened, holds_end},
};

/* ---- the way ---- */

static void set_out(struct app *app, struct jump *j)
{
	j->origin = j->place = find_origin(app);
	j->arrangement = find_arrangement(app);
	j->generation = app->trace->generation;
	j->wrapped = false;
	j->looked_at = 0;
	j->found = SIZE_MAX;
	j->place += j->back ? -(size_t)1 : 1;
}

unsigned run_jump(struct app *app, const struct invocation *call)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct jump *j = app->state.jump;
	const struct jump_kind *kind = kinds;
	struct found found;

	while (kind->next != call->command && kind->previous != call->command)
		kind++;
	stop(app);
	if (find_origin(app) == SIZE_MAX)
		return REACT_NOTHING;
	if (command_rows[call->command].flags & IN_STEP)
		step_view_finish(app);
	j->back = call->command != kind->next;
	j->more = call->count ? call->count - 1 : 0;
	j->part.step = NO_STEP;
	j->call = false;
	if (kind->begin && !kind->begin(app, j))
		return REACT_DRAW;
	j->kind = kind;
	/* a role may stand nowhere: without one a message has that of its side */
	if (kind->decide == decide_opened)
		j->query = query_new(buf_view(&j->name), QUERY_EXACT, &err);
	if (j->query)
		j->finder = step_finder_new(app->trace, j->query);
	/* it is to find the name in the bytes of the step where it stands: readers make
	 * up names of calls for some vendors */
	if (j->finder && (step_finder_run(j->finder, app->step.index, UINT64_MAX,
				  &found) != TASK_DONE ||
				 (!found.hits && !found.gave_up))) {
		step_finder_free(j->finder);
		j->finder = NULL;
	}
	set_out(app, j);
	return REACT_DRAW;
}

static void go_there(struct app *app, struct jump *j)
{
	stop(app);
	step_view_go_to_step(app, steps_place_step(&app->steps, j->found));
	if (j->part.step != NO_STEP) {
		step_view_finish(app);
		step_view_settle(app);
		if (app->step.opened)
			go_to_part(app, &j->part);
	}
	if (!app->said.len && j->wrapped)
		buf_text(&app->said, j->back ? "on from the end" : "on from the start");
	app->screen.dirty = true;
}

/* All places were looked at: the last that fits will do. */
static void end_round(struct app *app, struct jump *j)
{
	if (j->found != SIZE_MAX) {
		buf_text(&app->said, "there are no more than that");
		go_there(app, j);
		return;
	}
	buf_printf(&app->said, "no other %s", j->kind->what);
	stop(app);
	app->screen.dirty = true;
}

/* One place, in the order of the list, round its ends; what its filter hides is no place
 * to go to.  False: nothing more to do in this slice. */
static bool look(struct app *app, struct jump *j, uint64_t deadline)
{
	enum jump_answer answer = JUMP_NO;
	uint32_t step;
	size_t at;

	if (j->place >= steps_places(&app->steps)) {
		j->waits = is_early(app);
		if (!j->waits && j->wrapped)
			end_round(app, j);
		if (j->waits || !j->kind)
			return false;
		j->wrapped = true;
		j->place = j->back ? steps_places(&app->steps) - 1 : 0;
	}
	if (j->wrapped && (j->back ? j->place <= j->origin : j->place >= j->origin)) {
		end_round(app, j);
		return false;
	}
	step = steps_place_step(&app->steps, j->place);
	count_work(WORK_STEPS, 1);
	at = trace_position(app->trace, step);
	if (steps_shows(&app->steps, step))
		answer = j->kind->decide(app, j, at, deadline);
	if (answer == JUMP_YES) {
		j->found = j->place;
		if (!j->more) {
			go_there(app, j);
			return false;
		}
		j->more--;
	}
	if (answer != JUMP_MORE) {
		j->place += j->back ? -(size_t)1 : 1;
		j->looked_at++;
	}
	return true;
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct jump *j = app->state.jump;

	if (!j->kind)
		return TASK_IDLE;
	if (j->arrangement != find_arrangement(app) ||
		j->generation != app->trace->generation)
		set_out(app, j); /* places mean other steps now */
	j->waits = false;
	while (look(app, j, deadline) && !clock_passed(deadline))
		;
	if (j->waits)
		return TASK_IDLE;
	return j->kind ? TASK_MORE : TASK_DONE;
}

bool jump_cancel(struct app *app)
{
	if (!app->state.jump->kind)
		return false;
	stop(app);
	buf_text(&app->said, "stopped");
	return true;
}

void jump_put_status(const struct app *app, struct buf *out)
{
	const struct jump *j = app->state.jump;
	size_t all = steps_places(&app->steps);

	buf_printf(out, "looking for the %s %s  %zu %%", j->back ? "previous" : "next",
		j->kind->what, all ? j->looked_at * 100 / all : 0);
}

const struct controller_ops jump_controller = {
	.state = sizeof(struct jump),
	.end = end,
	.run = run,
	.level = LEVEL_WORK,
	.moved = stop,
	.on[EVENT_FORGET] = forget,
};
