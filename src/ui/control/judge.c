/* See judge.h. */
#include "config.h"
#include "ui/control/judge.h"

#include "base/clock.h"
#include "import/open.h"
#include "ui/core/input.h"

#define CHECK_MOST (64u << 20) /* bytes of files whose steps are judged ahead of time */

struct judge_ahead {
	size_t next; /* the step that comes next */
};

static struct judge_ahead *judge_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_JUDGE);
}

static void judge_step(struct app *app, size_t step)
{
	struct trace *trace = app->trace;
	uint32_t before = trace_flags(trace, step);

	if (before & STEP_CHECKED)
		return;
	step_check(trace, (uint32_t)step);
	app->screen.dirty |= trace_flags(trace, step) != (before | STEP_CHECKED);
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct judge_ahead *j = judge_of(app);

	if (inputs_size(app->trace->inputs) > CHECK_MOST)
		j->next = app->trace->count;
	if (!input_is_settled(app) || j->next >= app->trace->count)
		return TASK_IDLE;
	while (j->next < app->trace->count) {
		judge_step(app, j->next++);
		if (clock_passed(deadline))
			return TASK_MORE;
	}
	return TASK_DONE;
}

static void forget(struct app *app)
{
	judge_of(app)->next = 0;
}

const struct controller_ops judge_controller = {
	.state = sizeof(struct judge_ahead),
	.run = run,
	.level = LEVEL_JUDGE,
	.forget = forget,
};
