/* See controllers.h. */
#include "config.h"
#include "ui/control/controllers.h"

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

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct titles *t = titles_of(app);
	struct trace *trace = app->trace;

	if (!input_is_settled(app))
		return TASK_IDLE;
	for (; t->next < trace->scope_count && t->next < SCOPES_MOST; t->next++) {
		if (!t->reading)
			t->reading = summing_up_untitled(trace, t->next);
		if (!t->reading)
			continue;
		if (summing_up_run(t->reading, deadline) == TASK_MORE)
			return TASK_MORE;
		app->screen.dirty |= summing_up_entitle(t->reading, trace, t->next);
		t->reading = NULL;
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
	.on[EVENT_FORGET] = forget,
};
