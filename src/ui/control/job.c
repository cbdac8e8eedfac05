/* See controllers.h. */
#include "config.h"
#include "ui/control/controllers.h"

#include "base/work.h"

#define FIRST_SLICE 5000 /* microseconds: what is short is done at once */

struct job_slot {
	struct job *job; /* that runs, or NULL */
};

static void drop(struct app *app)
{
	struct job *job = app->state.job->job;

	if (job)
		job->free(job);
	app->state.job->job = NULL;
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct job *job = app->state.job->job;
	enum task_state state = TASK_FAILED;

	if (!job)
		return TASK_IDLE;
	if (job->outdated && job->arrangement != app->trace->arrangement)
		buf_printf(
			&app->said, "the file has changed meanwhile: %s", job->outdated);
	else
		state = job->run(job, deadline);
	if (state != TASK_MORE)
		drop(app);
	app->screen.dirty |= state != TASK_MORE;
	return state;
}

void job_start(struct app *app, struct job *job)
{
	drop(app);
	job->arrangement = app->trace->arrangement;
	app->state.job->job = job;
	run(app, clock_deadline(FIRST_SLICE));
}

bool job_cancel(struct app *app)
{
	const struct job *job = app->state.job->job;

	if (!job)
		return false;
	buf_printf(&app->said, "%s: given up", job->label);
	drop(app);
	return true;
}

void job_put(const struct app *app, struct buf *out)
{
	const struct job *job = app->state.job->job;

	if (job)
		buf_printf(out, "%s %u%%  ", job->label, job->percent(job));
}

static void forget(struct app *app)
{
	job_cancel(app);
}

const struct controller_ops job_controller = {
	.state = sizeof(struct job_slot),
	.end = drop,
	.run = run,
	.level = LEVEL_WORK,
	.on[EVENT_FORGET] = forget,
};
