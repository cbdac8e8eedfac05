/* Telling the controllers what has happened, and running their tasks: see app.h. */
#include "config.h"
#include "ui/core/app.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/work.h"

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
	for (int id = 0; id < CONTROLLER_COUNT; id++) {
		const struct controller_ops *ops = all_ops[id];

		if (ops->begin)
			ops->begin(app);
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
