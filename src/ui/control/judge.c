/* See judge.h. */
#include "config.h"
#include "ui/control/controllers.h"

#include "base/clock.h"
#include "import/failure.h"
#include "ui/core/input.h"

#define CHECK_MOST (64u << 20) /* bytes of files whose steps are judged ahead of time */

/* Steps after one in which the results of its calls are looked for before it is said not
 * to have failed: a call that takes longer is marked when its result is come to. */
#define ANSWER_STEPS 256

static struct failure_walk *judge_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_JUDGE);
}

static enum task_state judge_until(struct app *app, size_t end, uint64_t deadline)
{
	struct failure_walk *w = judge_of(app);
	struct trace *trace = app->trace;

	do {
		uint32_t step = (uint32_t)(w->next < end ? w->next : end - 1);
		uint32_t failures = trace->failures, flags = trace_flags(trace, step);

		if (!(flags & STEP_CHECKED))
			step_check(trace, step);
		if (failure_walk_run(w, trace, step + 1, deadline) == TASK_MORE)
			return TASK_MORE;
		app->screen.dirty |= trace->failures != failures ||
				     trace_flags(trace, step) != (flags | STEP_CHECKED);
		if (clock_passed(deadline) && w->next < end)
			return TASK_MORE;
	} while (w->next < end);
	return TASK_DONE;
}

enum task_state judge_failure(struct app *app, uint32_t step, uint64_t deadline)
{
	size_t end = (size_t)step + 1 + ANSWER_STEPS;

	return judge_until(
		app, end < app->trace->count ? end : app->trace->count, deadline);
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	if (!input_is_settled(app) || inputs_size(app->trace->inputs) > CHECK_MOST ||
		failure_walk_is_over(judge_of(app), app->trace, app->trace->count))
		return TASK_IDLE;
	return judge_until(app, app->trace->count, deadline);
}

static void forget(struct app *app)
{
	failure_walk_done(judge_of(app));
}

const struct controller_ops judge_controller = {
	.state = sizeof(struct failure_walk),
	.end = forget,
	.run = run,
	.level = LEVEL_JUDGE,
	.on[EVENT_FORGET] = forget,
};
