/* See judge.h. */
#include "config.h"
#include "ui/control/judge.h"

#include "analysis/failure.h"
#include "base/clock.h"
#include "import/open.h"
#include "ui/core/input.h"

#define CHECK_MOST (64u << 20) /* bytes of files whose steps are judged ahead of time */

struct judge_ahead {
	size_t next; /* the step that comes next */
	struct failures failures;
	struct opening *opening; /* of a long step */
};

static struct judge_ahead *judge_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_JUDGE);
}

static bool may_fail(struct app *app, uint32_t step)
{
	struct arena arena = {0};
	bool may = failures_may_be(step_text(app->trace, step, &arena));

	arena_done(&arena);
	return may;
}

/* Opens a step that may have a result that is marked as an error. */
static enum task_state open_step(struct app *app, uint32_t step, uint64_t deadline)
{
	struct judge_ahead *j = judge_of(app);
	struct opened *o;

	if (!j->opening && !may_fail(app, step))
		return TASK_DONE;
	if (!j->opening)
		j->opening = opening_new(app->trace, step, true);
	if (opening_run(j->opening, app->trace, deadline) == TASK_MORE)
		return TASK_MORE;
	o = opened_take(j->opening, app->trace);
	j->opening = NULL;
	failures_judge(&j->failures, app->trace, step, o);
	opened_free(o);
	return TASK_DONE;
}

static enum task_state judge_step(struct app *app, uint32_t step, uint64_t deadline)
{
	struct trace *trace = app->trace;
	uint32_t before = trace_flags(trace, step);

	if (!(before & STEP_CHECKED))
		step_check(trace, step);
	if (open_step(app, step, deadline) == TASK_MORE)
		return TASK_MORE;
	app->screen.dirty |= trace_flags(trace, step) != (before | STEP_CHECKED);
	return TASK_DONE;
}

/* In the order of the file: a result is new where it stands first. */
static enum task_state judge_until(struct app *app, size_t end, uint64_t deadline)
{
	struct judge_ahead *j = judge_of(app);

	while (j->next < end) {
		if (judge_step(app, (uint32_t)j->next, deadline) == TASK_MORE)
			return TASK_MORE;
		j->next++;
		if (clock_passed(deadline) && j->next < end)
			return TASK_MORE;
	}
	return TASK_DONE;
}

enum task_state judge_failure(struct app *app, uint32_t step, uint64_t deadline)
{
	return judge_until(app, (size_t)step + 1, deadline);
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct judge_ahead *j = judge_of(app);

	if (!input_is_settled(app) || inputs_size(app->trace->inputs) > CHECK_MOST ||
		j->next >= app->trace->count)
		return TASK_IDLE;
	return judge_until(app, app->trace->count, deadline);
}

static void forget(struct app *app)
{
	struct judge_ahead *j = judge_of(app);

	failures_done(&j->failures);
	opening_free(j->opening);
	*j = (struct judge_ahead){0};
}

const struct controller_ops judge_controller = {
	.state = sizeof(struct judge_ahead),
	.end = forget,
	.run = run,
	.level = LEVEL_JUDGE,
	.forget = forget,
};
