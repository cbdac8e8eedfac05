/* See curl.h.  The request is made by export/request, in slices. */
#include "config.h"
#include "ui/actions/curl.h"

#include "base/mem.h"
#include "export/request.h"
#include "ui/actions/clipping.h"
#include "ui/control/job.h"
#include "ui/control/target.h"

struct curl_job {
	struct job job;
	struct request_maker *request;
	uint32_t generation, arrangement; /* of the trace when it was begun */
};

static void free_curl(struct job *job)
{
	struct curl_job *c = (struct curl_job *)job;

	request_free(c->request);
	mem_free(c);
}

static uint32_t progress(const struct task *t)
{
	return request_percent(((const struct curl_job *)t)->request);
}

/* The first of the notes, and how many more there are: the command tells all. */
static void say_notes(struct app *app, struct str notes)
{
	const char *end = notes.n ? memchr(notes.p, '\n', notes.n) : NULL;
	size_t more = 0;

	if (!end)
		return;
	for (const char *p = end + 1; p < notes.p + notes.n; p++)
		more += *p == '\n';
	buf_text(&app->said, "; ");
	buf_add(&app->said, notes.p, (size_t)(end - notes.p));
	if (more)
		buf_printf(&app->said, " (and %zu more)", more);
}

static void finish(struct app *app, struct curl_job *c)
{
	struct buf text = BUF_INIT, notes = BUF_INIT;
	struct err err = {.offset = ERR_NOWHERE};

	if (request_write(c->request, REQUEST_CURL, &text, &notes, &err)) {
		clip(app, buf_view(&text));
		say_notes(app, buf_view(&notes));
	} else {
		err_format(&err, &app->said);
	}
	buf_done(&text);
	buf_done(&notes);
	err_done(&err);
}

static enum task_state run(struct task *t, uint64_t deadline)
{
	struct curl_job *c = (struct curl_job *)t;
	struct app *app = c->job.app;

	if (c->generation != app->trace->generation ||
		c->arrangement != app->trace->arrangement) {
		buf_text(&app->said, "the file has changed meanwhile: nothing copied");
		return TASK_FAILED;
	}
	if (request_run(c->request, deadline) == TASK_MORE)
		return TASK_MORE;
	finish(app, c);
	return TASK_DONE;
}

static const struct task_ops curl_task = {.run = run, .progress = progress};

void copy_curl(struct app *app)
{
	uint32_t step = target_step(app);
	struct curl_job *c;

	if (step == NO_STEP) {
		buf_text(&app->said, "no step here");
		return;
	}
	c = mem_zalloc(1, sizeof(*c));
	c->job = (struct job){{&curl_task}, app, "making the request", free_curl};
	c->generation = app->trace->generation;
	c->arrangement = app->trace->arrangement;
	c->request = request_new(app->trace, trace_position(app->trace, step));
	job_start(app, &c->job);
}
