/* See jump.h: the way over the list, and what the list itself knows. */
#include "config.h"
#include "ui/control/jump.h"

#include "base/clock.h"
#include "base/effort.h"
#include "base/mem.h"
#include "ui/control/find_state.h"
#include "ui/control/judge.h"
#include "ui/control/jump_open.h"
#include "ui/control/jump_state.h"
#include "ui/control/list_filter.h"
#include "ui/control/reports.h"
#include "ui/core/input.h"
#include "ui/core/screen.h"
#include "ui/core/step_view.h"
#include "ui/keys/run.h"

#define REDRAW 100000 /* microseconds between two screens while it runs */

static void stop(struct jump *j)
{
	j->kind = NULL;
}

static void end(struct app *app)
{
	struct jump *j = jump_of(app);

	stop(j);
	slow_done(&j->slow);
	buf_done(&j->name);
}

/* More steps may come, or the filter has yet to say which are shown. */
static bool is_early(const struct app *app)
{
	return !input_is_settled(app) || list_filter_is_judging(app);
}

bool jump_is_busy(const struct app *app)
{
	return jump_of(app)->kind && (!jump_of(app)->waits || !is_early(app));
}

/* ---- what is looked for ---- */

static bool begin_always(struct app *app, struct jump *j)
{
	return true;
}

/* A failure of the step (import/failure.h), or an error that a check has found; what
 * the step's text says is asked for where nobody has yet. */
static enum jump_answer judge_error(
	struct app *app, struct jump *j, size_t place, uint64_t deadline)
{
	uint32_t step = trace_at(app->trace, place);

	if (judge_failure(app, step, deadline) == TASK_MORE)
		return JUMP_MORE;
	return trace_flags(app->trace, step) & (STEP_FAILED | STEP_BROKEN) ||
			       reports_has_error(app, step)
		       ? JUMP_YES
		       : JUMP_NO;
}

static enum jump_answer judge_slow(
	struct app *app, struct jump *j, size_t place, uint64_t deadline)
{
	if (slow_run(&j->slow, app->trace, place, deadline) == TASK_MORE)
		return JUMP_MORE;
	return slow_is(&j->slow, app->trace, place) ? JUMP_YES : JUMP_NO;
}

/* In a side it is a speaker that is looked for, in the list a model. */
static bool begin_alike(struct app *app, struct jump *j)
{
	uint32_t step = step_at_cursor(app);

	if (screen_focus_below(app) != PANE_STEPS)
		return jump_begin_speaker(app, j);
	buf_clear(&j->name);
	j->model = step == NO_STEP ? NO_TEXT : trace_step(app->trace, step).model;
	if (j->model == NO_TEXT)
		buf_text(&app->said, "this step names no model");
	return j->model != NO_TEXT;
}

static enum jump_answer judge_alike(
	struct app *app, struct jump *j, size_t place, uint64_t deadline)
{
	uint32_t step = trace_at(app->trace, place);

	if (j->name.len)
		return jump_judge_speaker(app, j, place, deadline);
	return trace_step(app->trace, step).model == j->model ? JUMP_YES : JUMP_NO;
}

static const struct jump_kind kinds[] = {
	{COMMAND_NEXT_ERROR, COMMAND_PREVIOUS_ERROR, begin_always, judge_error, NULL,
		"error"},
	{COMMAND_NEXT_SLOW, COMMAND_PREVIOUS_SLOW, begin_always, judge_slow, NULL,
		"slow step"},
	{COMMAND_NEXT_CALL, COMMAND_PREVIOUS_CALL, jump_begin_call, jump_judge_call,
		jump_arrive_message, "step that calls this tool"},
	{COMMAND_NEXT_SPEAKER, COMMAND_PREVIOUS_SPEAKER, begin_alike, judge_alike,
		jump_arrive_message, "step of the same"},
	{COMMAND_PARTNER, COMMAND_PARTNER, jump_begin_partner, jump_judge_partner,
		jump_arrive_partner, "step with the other end"},
};

static const struct jump_kind *kind_of(enum command c)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].next == c || kinds[i].previous == c)
			return &kinds[i];
	return NULL;
}

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
	struct jump *j = jump_of(app);
	const struct jump_kind *kind = kind_of(call->command);

	stop(j);
	if (find_origin(app) == SIZE_MAX)
		return REACT_NOTHING;
	if (command_rows[call->command].flags & IN_STEP)
		step_view_finish(app);
	j->back = call->command != kind->next;
	j->more = call->count ? call->count - 1 : 0;
	j->message = SIZE_MAX;
	j->call = false;
	if (!kind->begin(app, j))
		return REACT_DRAW;
	j->kind = kind;
	set_out(app, j);
	return REACT_DRAW;
}

static void go_there(struct app *app, struct jump *j)
{
	const struct jump_kind *kind = j->kind;

	stop(j);
	step_view_go_to_row(
		app, steps_reveal(&app->steps, steps_place_step(&app->steps, j->found)));
	if (kind->arrive)
		kind->arrive(app, j);
	if (!app->said.len && j->wrapped)
		buf_text(&app->said, j->back ? "on from the end" : "on from the start");
	app->screen.dirty = true;
}

/* All places were looked at. */
static void end_round(struct app *app, struct jump *j)
{
	if (j->found != SIZE_MAX) {
		buf_printf(&app->said, "there are no more than that");
		go_there(app, j);
		return;
	}
	buf_printf(&app->said, "no other %s", j->kind->what);
	stop(j);
	app->screen.dirty = true;
}

/* Round the ends; false: it must wait, or it is over. */
static bool go_round(struct app *app, struct jump *j)
{
	if (is_early(app)) {
		j->waits = true;
		return false;
	}
	if (j->wrapped) {
		end_round(app, j);
		return false;
	}
	j->wrapped = true;
	j->place = j->back ? steps_places(&app->steps) - 1 : 0;
	return true;
}

static bool is_round(const struct jump *j)
{
	return j->wrapped && (j->back ? j->place <= j->origin : j->place >= j->origin);
}

static void take_answer(struct app *app, struct jump *j, enum jump_answer answer)
{
	if (answer == JUMP_YES) {
		j->found = j->place;
		if (!j->more) {
			go_there(app, j);
			return;
		}
		j->more--;
	}
	if (answer != JUMP_MORE) {
		j->place += j->back ? -(size_t)1 : 1;
		j->looked_at++;
	}
}

/* In the order of the list; what its filter hides is no place to go to. */
static enum jump_answer judge(struct app *app, struct jump *j, uint64_t deadline)
{
	uint32_t step = steps_place_step(&app->steps, j->place);

	effort(EFFORT_STEPS, 1);
	if (!steps_shows(&app->steps, step))
		return JUMP_NO;
	return j->kind->judge(app, j, trace_position(app->trace, step), deadline);
}

/* One place; false: nothing more to do in this slice. */
static bool look(struct app *app, struct jump *j, uint64_t deadline)
{
	if (j->place >= steps_places(&app->steps) && !go_round(app, j))
		return false;
	if (is_round(j)) {
		end_round(app, j);
		return false;
	}
	take_answer(app, j, judge(app, j, deadline));
	return j->kind != NULL;
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct jump *j = jump_of(app);

	if (!j->kind)
		return TASK_IDLE;
	if (j->arrangement != find_arrangement(app) ||
		j->generation != app->trace->generation)
		set_out(app, j); /* places mean other steps now */
	j->waits = false;
	while (look(app, j, deadline) && !clock_passed(deadline))
		;
	app->screen.dirty |= clock_us() - app->screen.drawn_at > REDRAW;
	if (j->waits)
		return TASK_IDLE;
	return j->kind ? TASK_MORE : TASK_DONE;
}

static void forget(struct app *app)
{
	stop(jump_of(app));
	slow_done(&jump_of(app)->slow);
}

bool jump_cancel(struct app *app)
{
	if (!jump_of(app)->kind)
		return false;
	stop(jump_of(app));
	buf_text(&app->said, "stopped");
	return true;
}

static void key(struct app *app, enum command c)
{
	if (c != COMMAND_NONE && c != COMMAND_CANCEL && !(command_rows[c].flags & STILL))
		stop(jump_of(app));
}

void jump_put_status(const struct app *app, struct buf *out)
{
	const struct jump *j = jump_of(app);
	size_t all = steps_places(&app->steps);

	buf_printf(out, "looking for the %s %s  %zu %%", j->back ? "previous" : "next",
		j->kind->what, all ? j->looked_at * 100 / all : 0);
}

const struct controller_ops jump_controller = {
	.state = sizeof(struct jump),
	.end = end,
	.run = run,
	.level = LEVEL_WORK,
	.key = key,
	.forget = forget,
};
