/* See place.h. */
#include "config.h"
#include "ui/control/place.h"

#include "base/clock.h"
#include "ui/control/list_filter.h"
#include "ui/control/session_state.h"
#include "ui/core/input.h"
#include "ui/core/step_view.h"

#define PATIENCE 500000 /* microseconds that keys wait for the place */

static void keep_place(struct app *app)
{
	struct kept_place *kept = &app->input.kept;

	if (kept->wanted) /* it has not been reached yet */
		return;
	kept->step = step_at_cursor(app);
	kept->chain =
		app->steps.count &&
		steps_at(&app->steps, app->screen.panes[PANE_STEPS].cursor).is_chain;
	kept->wanted = kept->step != NO_STEP;
	kept->since = clock_us();
	session_state_keep_sides(app);
}

/* Once the step is there; what is gone by then leaves the cursor at the end. */
static void restore_place(struct app *app)
{
	struct kept_place *kept = &app->input.kept;
	const struct trace *trace = app->trace;

	if (!kept->wanted || (!input_is_settled(app) && kept->step >= trace->arranged))
		return;
	if (list_filter_is_at_work(app))
		return; /* what a side unfolds depends on the rows of the list */
	kept->wanted = false;
	app->screen.dirty = true;
	if (kept->step >= trace->arranged) {
		app->screen.panes[PANE_STEPS].cursor =
			app->steps.count ? app->steps.count - 1 : 0;
		return;
	}
	app->screen.panes[PANE_STEPS].cursor =
		kept->chain ? steps_chain_row(
				      &app->steps, trace_step(trace, kept->step).chain)
			    : steps_reveal(&app->steps, kept->step);
	step_view_settle(app);
	session_state_show_again(app);
}

static void lay_out_again(struct app *app)
{
	if (!app->trace)
		return;
	keep_place(app);
	step_view_close(app);
	shelf_clear(&app->step.shelf);
	restore_place(app);
}

static void come_back(struct app *app)
{
	restore_place(app);
	session_state_go_on(app);
}

bool place_is_near(const struct app *app)
{
	const struct kept_place *kept = &app->input.kept;

	return kept->wanted &&
	       (app->input.status == TASK_MORE || input_is_settled(app)) &&
	       clock_us() - kept->since < PATIENCE;
}

void place_stay(struct app *app)
{
	session_state_stay(app);
	if (input_is_settled(app))
		app->input.kept.wanted = false;
}

/* ---- the controller ---- */

static void read(struct app *app, bool grown)
{
	const struct trace *trace = app->trace;

	/* the step that is open has grown: it is opened again */
	if (app->step.opened && app->step.index < trace->count &&
		trace_step(trace, app->step.index).length != app->step.length) {
		keep_place(app);
		step_view_close(app);
		restore_place(app);
	}
	come_back(app);
}

/* The filter may have said by now whether the step is shown. */
static enum task_state run(struct app *app, uint64_t deadline)
{
	come_back(app);
	return TASK_IDLE;
}

const struct controller_ops place_controller = {
	.run = run,
	.level = LEVEL_WORK,
	.characters = lay_out_again,
	.keep = keep_place,
	.read = read,
};
