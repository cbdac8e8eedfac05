/* See call.h. */
#include "config.h"
#include "ui/actions/call.h"

#include "ui/core/notify.h"
#include "ui/core/screen.h"
#include "ui/core/step_view.h"

/* What moves in a document must not be lost while its step is being opened. */
static bool waits_for_step(const struct app *app, enum command c)
{
	enum pane_id focus = screen_focus(app);

	return (app->step.opening || app->step.earlier) &&
	       (focus == PANE_INPUT || focus == PANE_OUTPUT) &&
	       command_rows[c].flags & IN_STEP;
}

bool call_command(struct app *app, const struct invocation *call)
{
	const struct command_row *row = &command_rows[call->command];
	struct pane *p = &app->screen.panes[screen_focus(app)];
	unsigned r;

	steps_update(&app->steps);
	if (screen_focus_below(app) !=
		PANE_STEPS) /* moving in the list opens no step on the way */
		step_view_settle(app);
	if (waits_for_step(app, call->command)) {
		pending_input_call(&app->keys.pending, call);
		return false;
	}
	if (row->flags & JUMP && screen_focus(app) < PANE_HELP)
		notify_leaving(app);
	r = p->ops->command(app, p, call);
	if (r & REACT_BUBBLE) {
		step_view_settle(app);
		r = app->screen.overlay != PANE_NONE && row->flags & BELOW
			    ? REACT_NOTHING
			    : app->keys.ops[call->command].run(app, call);
	}
	app->screen.dirty |= r != REACT_NOTHING;
	return r & REACT_QUIT;
}
