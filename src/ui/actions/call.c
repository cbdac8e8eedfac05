/* See call.h. */
#include "config.h"
#include "ui/actions/call.h"

#include "ui/core/doc_pane.h"
#include "ui/core/notify.h"
#include "ui/core/screen.h"
#include "ui/core/step_view.h"

/* What moves in a document must not be lost while its step is being opened. */
static bool waits_for_step(const struct app *app, enum command c)
{
	enum pane_id focus = screen_focus(app);

	return (app->step.opening || app->step.comparing) &&
	       (focus == PANE_INPUT || focus == PANE_OUTPUT) &&
	       command_rows[c].flags & IN_STEP;
}

/* Space opens what is folded, and pages elsewhere, as in the list. */
static struct invocation chosen(struct app *app, const struct invocation *call)
{
	struct pane *p = screen_focused(app);
	struct invocation as = *call;

	if (call->command == COMMAND_FOLD_OR_PAGE)
		as.command = doc_pane_folds(p) ? COMMAND_FOLD : COMMAND_PAGE_DOWN;
	return as;
}

/* No key is silently dead. */
static void say_dead(struct app *app, enum command c)
{
	static const struct {
		enum command command;
		const char *says;
	} rows[] = {{COMMAND_FOLD, "nothing to fold here"},
		{COMMAND_ZOOM_IN, "only the waterfall shows more or less of the time"},
		{COMMAND_ZOOM_OUT, "only the waterfall shows more or less of the time"},
		{COMMAND_APPLY, "no proposal here"},
		{COMMAND_DISMISS, "no proposal here"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].command == c && !app->said.len) {
			buf_text(&app->said, rows[i].says);
			app->screen.dirty = true;
		}
}

bool call_command(struct app *app, const struct invocation *asked)
{
	struct invocation as = chosen(app, asked), *call = &as;
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
	r = p->ops->command ? p->ops->command(app, p, call) : doc_pane_command(p, call);
	if (r & REACT_BUBBLE) {
		step_view_settle(app);
		if (app->screen.overlay != PANE_NONE && row->flags & BELOW) {
			buf_printf(&app->said,
				"%s is for what lies below: Esc leads there", row->name);
			r = REACT_DRAW;
		} else {
			r = app->keys.ops[call->command].run(app, call);
		}
	}
	if (r == REACT_NOTHING)
		say_dead(app, call->command);
	app->screen.dirty |= r != REACT_NOTHING;
	return r & REACT_QUIT;
}
