/* See job.h. */
#include "config.h"
#include "ui/job.h"

#include "base/clock.h"
#include "ui/pane.h"

#define FIRST_SLICE 5000   /* microseconds: what is short is done at once */
#define REDRAW      150000 /* microseconds between two looks at how far it is */

void job_free(struct app *app)
{
	if (app->job)
		app->job->free(app->job);
	app->job = NULL;
}

void job_start(struct app *app, struct job *job)
{
	job_free(app);
	app->job = job;
	job_slice(app, clock_deadline(FIRST_SLICE));
}

bool job_slice(struct app *app, uint64_t deadline)
{
	if (!app->job)
		return false;
	if (app->job->go(app, app->job, deadline)) {
		job_free(app);
		app->dirty = true;
	} else if (clock_us() - app->drawn_at > REDRAW) {
		app->dirty = true;
	}
	return true;
}

bool job_cancel(struct app *app)
{
	if (!app->job)
		return false;
	buf_printf(&app->said, "%s: given up", app->job->label);
	job_free(app);
	return true;
}

void job_put(const struct app *app, struct buf *out)
{
	if (app->job)
		buf_printf(out, "%s %u%%  ", app->job->label,
			app->job->percent(app, app->job));
}
