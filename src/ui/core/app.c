/* The panes on the screen, and which of them has the keys; telling the controllers what
 * has happened, and running their tasks; jobs: see app.h. */
#include "config.h"
#include "ui/core/app.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/work.h"

#define FIRST_SLICE 5000 /* microseconds of a job: what is short is done at once */

/* ---- the panes ---- */

bool screen_has_list(const struct app *app)
{
	return app->steps.count != 1 || app->steps.filter_run ||
	       app->input.status != TASK_DONE;
}

enum pane_id screen_focus_below(const struct app *app)
{
	const struct screen *s = &app->screen;

	return s->focus == PANE_STEPS && !screen_has_list(app) ? s->side : s->focus;
}

enum pane_id screen_focus(const struct app *app)
{
	const struct screen *s = &app->screen;

	if (s->overlay != PANE_NONE)
		return s->overlay;
	return s->home != PANE_NONE ? s->home : screen_focus_below(app);
}

struct pane *screen_focused(struct app *app)
{
	return &app->screen.panes[screen_focus(app)];
}

struct pane *screen_moving_pane(struct app *app)
{
	enum pane_id id = screen_focus(app);

	return &app->screen.panes[id == PANE_STEPS ? app->screen.side : id];
}

void screen_give_keys(struct app *app, enum pane_id id)
{
	app->screen.focus = id;
	if (id == PANE_INPUT || id == PANE_OUTPUT)
		app->screen.side = id;
}

void screen_uncover(struct app *app)
{
	struct screen *s = &app->screen;

	s->overlay = s->overlay == PANE_HELP ? s->under : PANE_NONE;
	s->under = PANE_NONE;
}

unsigned screen_toggle(struct app *app, enum pane_id id)
{
	struct screen *s = &app->screen;

	if (s->overlay == id) {
		screen_uncover(app);
	} else {
		s->under = id == PANE_HELP && s->overlay != PANE_TRANSCRIPT
				   ? s->overlay
				   : PANE_NONE; /* a transcript comes back by itself */
		s->overlay = id;
	}
	s->left = PANE_NONE;
	return REACT_DRAW;
}

/* ---- tasks ---- */

static const char *const task_names[CONTROLLER_COUNT] = {
	[CONTROLLER_STEP_VIEW] = "opening a step",
	[CONTROLLER_COMPARE] = "comparing",
	[CONTROLLER_LIST_FILTER] = "filtering",
	[CONTROLLER_FIND] = "searching",
	[CONTROLLER_INPUT] = "reading",
	[CONTROLLER_REPORTS] = "a report",
	[CONTROLLER_TRANSCRIPT] = "the transcript",
	[CONTROLLER_SESSION_LIST] = "the list of sessions",
};

void controllers_run(struct app *app, uint64_t slice)
{
	struct controllers *all = &app->controllers;
	bool worked = false, more = false;

	for (int level = 0; level < LEVEL_COUNT && !all->idle && !more; level++)
		for (int id = 0; id < CONTROLLER_COUNT; id++) {
			const struct controller_ops *ops = all->ops[id];
			uint64_t begun = clock_us();
			enum task_state state;

			if (!ops->run || ops->level != (enum task_level)level)
				continue;
			state = ops->run(app, clock_deadline(slice));
			log_time(task_names[id] ? task_names[id] : "another task", begun);
			worked |= state != TASK_IDLE;
			more |= state == TASK_MORE;
		}
	all->idle = !worked;
}

/* ---- from beginning to end ---- */

void controllers_begin(struct app *app, const struct controller_ops *const *all_ops)
{
	struct controllers *all = &app->controllers;

	all->ops = all_ops;
	for (int id = 0; id < CONTROLLER_COUNT; id++)
		if (all_ops[id]->state)
			app->state.of[id] = mem_zalloc(1, all_ops[id]->state);
	for (int id = 0; id < CONTROLLER_COUNT; id++)
		if (all_ops[id]->begin)
			all_ops[id]->begin(app);
}

void controllers_end(struct app *app)
{
	struct controllers *all = &app->controllers;

	for (int id = 0; id < CONTROLLER_COUNT; id++)
		if (all->ops[id]->end)
			all->ops[id]->end(app);
	for (int id = 0; id < CONTROLLER_COUNT; id++)
		mem_free(app->state.of[id]);
}

/* ---- events ---- */

void notify(struct app *app, enum app_event event)
{
	for (int id = 0; id < CONTROLLER_COUNT; id++)
		if (app->controllers.ops[id]->on[event])
			app->controllers.ops[id]->on[event](app);
}

void notify_key(struct app *app, enum command c)
{
	bool moves = c != COMMAND_NONE && !(command_rows[c].flags & STILL);

	for (int id = 0; id < CONTROLLER_COUNT; id++) {
		const struct controller_ops *ops = app->controllers.ops[id];

		if (ops->key)
			ops->key(app, c);
		if (ops->moved && moves)
			ops->moved(app);
	}
}

/* ---- jobs ---- */

static void drop_job(struct app *app)
{
	if (app->job)
		app->job->free(app->job);
	app->job = NULL;
}

static enum task_state run_job(struct app *app, uint64_t deadline)
{
	struct job *job = app->job;
	enum task_state state = TASK_FAILED;

	if (!job)
		return TASK_IDLE;
	if (job->outdated && job->arrangement != app->trace->arrangement)
		buf_printf(
			&app->said, "the file has changed meanwhile: %s", job->outdated);
	else
		state = job->run(job, deadline);
	if (state != TASK_MORE)
		drop_job(app);
	app->screen.dirty |= state != TASK_MORE;
	return state;
}

void job_start(struct app *app, struct job *job)
{
	drop_job(app);
	job->app = app;
	job->arrangement = app->trace->arrangement;
	app->job = job;
	run_job(app, clock_deadline(FIRST_SLICE));
}

bool job_cancel(struct app *app)
{
	if (!app->job)
		return false;
	buf_printf(&app->said, "%s: given up", app->job->label);
	drop_job(app);
	return true;
}

void job_put(const struct app *app, struct buf *out)
{
	if (app->job)
		buf_printf(
			out, "%s %u%%  ", app->job->label, app->job->percent(app->job));
}

static void forget_job(struct app *app)
{
	job_cancel(app);
}

const struct controller_ops job_controller = {
	.end = drop_job,
	.run = run_job,
	.level = LEVEL_WORK,
	.on[EVENT_FORGET] = forget_job,
};
