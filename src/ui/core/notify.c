/* See notify.h. */
#include "config.h"
#include "ui/core/notify.h"

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

static void add_task(struct app *app, enum controller_id id)
{
	struct controllers *all = &app->controllers;
	const struct controller_ops *ops = all->ops[id];

	if (!ops->run)
		return;
	all->tasks[id] = (struct controller_task){{&task_ops}, app, ops};
	scheduler_add(&all->scheduler, &all->tasks[id].task, ops->level);
}

/* ---- from beginning to end ---- */

void controllers_begin(struct app *app, const struct controller_ops *const *ops)
{
	struct controllers *all = &app->controllers;

	all->ops = ops;
	for (int id = 0; id < CONTROLLER_COUNT; id++)
		if (ops[id]->state)
			all->state[id] = mem_zalloc(1, ops[id]->state);
	for (int id = 0; id < CONTROLLER_COUNT; id++) {
		if (ops[id]->begin)
			ops[id]->begin(app);
		add_task(app, (enum controller_id)id);
	}
}

void controllers_end(struct app *app)
{
	struct controllers *all = &app->controllers;

	for (int id = 0; id < CONTROLLER_COUNT; id++)
		if (all->ops[id]->end)
			all->ops[id]->end(app);
	for (int id = 0; id < CONTROLLER_COUNT; id++)
		mem_free(all->state[id]);
	scheduler_done(&all->scheduler);
}

/* ---- events ---- */

/* notify_key, notify_settings and all others of notify.h. */
/* clang-format off */
#define NOTIFY(event, parameters, ...)                                                   \
	void notify_##event parameters                                                   \
	{                                                                                \
		for (int id = 0; id < CONTROLLER_COUNT; id++)                            \
			if (app->controllers.ops[id]->event)                             \
				app->controllers.ops[id]->event(__VA_ARGS__);            \
	}

NOTIFY(key, (struct app *app, enum command c), app, c)
NOTIFY(settings, (struct app *app), app)
NOTIFY(characters, (struct app *app), app)
NOTIFY(settle, (struct app *app), app)
NOTIFY(opened, (struct app *app), app)
NOTIFY(shown, (struct app *app), app)
NOTIFY(rebuilt, (struct app *app), app)
NOTIFY(closing, (struct app *app), app)
NOTIFY(leaving, (struct app *app), app)
NOTIFY(read, (struct app *app, bool grown), app, grown)
NOTIFY(keep, (struct app *app), app)
NOTIFY(forget, (struct app *app), app)
NOTIFY(renew, (struct app *app), app)
NOTIFY(list_begun, (struct app *app), app)
/* clang-format on */
