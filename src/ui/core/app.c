/* Telling the controllers what has happened, and running their tasks: see app.h. */
#include "config.h"
#include "ui/core/app.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"

/* ---- tasks ---- */

static enum task_state run(struct task *t, uint64_t deadline)
{
	static const char *const names[CONTROLLER_COUNT] = {
		[CONTROLLER_STEP_VIEW] = "opening a step",
		[CONTROLLER_COMPARE] = "comparing",
		[CONTROLLER_LIST_FILTER] = "filtering",
		[CONTROLLER_FIND] = "searching",
		[CONTROLLER_INPUT] = "reading",
		[CONTROLLER_REPORTS] = "a report",
		[CONTROLLER_TRANSCRIPT] = "the transcript",
		[CONTROLLER_BOARD] = "the list of sessions",
	};
	struct controller_task *c = (struct controller_task *)t;
	uint64_t begun = clock_us();
	enum task_state state = c->ops->run(c->app, deadline);
	size_t id = (size_t)(c - c->app->controllers.tasks);

	log_time(names[id] ? names[id] : "another task", begun);
	return state;
}

static const struct task_ops task_ops = {.run = run};

/* ---- from beginning to end ---- */

void controllers_begin(struct app *app, const struct controller_ops *const *all_ops)
{
	struct controllers *all = &app->controllers;

	all->ops = all_ops;
	for (int id = 0; id < CONTROLLER_COUNT; id++)
		if (all_ops[id]->state)
			app->state.of[id] = mem_zalloc(1, all_ops[id]->state);
	for (int id = 0; id < CONTROLLER_COUNT; id++) {
		const struct controller_ops *ops = all_ops[id];

		if (ops->begin)
			ops->begin(app);
		all->tasks[id] = (struct controller_task){{&task_ops}, app, ops};
		if (ops->run)
			scheduler_add(&all->scheduler, &all->tasks[id].task, ops->level);
	}
}

void controllers_end(struct app *app)
{
	struct controllers *all = &app->controllers;

	for (int id = 0; id < CONTROLLER_COUNT; id++)
		if (all->ops[id]->end)
			all->ops[id]->end(app);
	for (int id = 0; id < CONTROLLER_COUNT; id++)
		mem_free(app->state.of[id]);
	scheduler_done(&all->scheduler);
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
	for (int id = 0; id < CONTROLLER_COUNT; id++)
		if (app->controllers.ops[id]->key)
			app->controllers.ops[id]->key(app, c);
}
