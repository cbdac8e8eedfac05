/* See titles.h. */
#include "config.h"
#include "ui/control/titles.h"

#include "import/known.h"
#include "sessions/summary.h"
#include "ui/core/input.h"

#define SCOPES_MOST 100 /* sessions of one view that are looked at */

struct titles {
	size_t next;                /* scope */
	struct summing_up *reading; /* the beginning of its file, or NULL */
};

static struct titles *titles_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_TITLES);
}

/* A session's file has one chain; its program is known. */
static bool wants_title(const struct trace *trace, size_t scope)
{
	const struct scope *s = &trace->scopes[scope];
	const char *format = s->format ? s->format : trace->format;
	const struct description *d = format ? known_named(str_of(format)) : NULL;

	return s->name == NO_TEXT && s->asked == NO_TEXT && d && *d->tool &&
	       (trace->scope_count > 1 || trace->chain_count == 1);
}

static void take_title(struct app *app, size_t scope)
{
	struct summary found;

	summing_up_take(titles_of(app)->reading, &found);
	titles_of(app)->reading = NULL;
	if (found.title.len)
		app->trace->scopes[scope].asked =
			intern_add(&app->trace->texts, buf_view(&found.title));
	app->screen.dirty |= found.title.len > 0;
	summary_done(&found);
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct titles *t = titles_of(app);
	struct trace *trace = app->trace;

	if (!input_is_settled(app))
		return TASK_IDLE;
	for (; t->next < trace->scope_count && t->next < SCOPES_MOST; t->next++) {
		if (!wants_title(trace, t->next))
			continue;
		if (!t->reading)
			t->reading =
				summing_up_new(inputs_name_at(trace->inputs,
						       trace->scopes[t->next].offset),
					NULL, true);
		if (summing_up_run(t->reading, deadline) == TASK_MORE)
			return TASK_MORE;
		take_title(app, t->next);
	}
	return TASK_IDLE;
}

static void forget(struct app *app)
{
	struct titles *t = titles_of(app);

	summing_up_free(t->reading);
	*t = (struct titles){0};
}

const struct controller_ops titles_controller = {
	.state = sizeof(struct titles),
	.end = forget,
	.run = run,
	.level = LEVEL_CHARTS,
	.forget = forget,
};
