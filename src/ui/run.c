/* What commands do that belong to no other subject: panes, views, the program itself. */
#include "config.h"
#include "ui/run.h"

#include "term/term.h"
#include "ui/find.h"
#include "ui/input.h"
#include "ui/job.h"
#include "ui/jump.h"
#include "ui/pane.h"

/* ---- panes ---- */

static enum pane_id neighbour(const struct app *app, int step)
{
	int count = app_is_shared(app) ? PANE_OUTPUT : PANE_HELP;

	return (enum pane_id)(((int)app->focus + step + count) % count);
}

unsigned run_next_pane(struct app *app, const struct invocation *call)
{
	(void)call;
	app_give_keys(app, neighbour(app, 1));
	return REACT_DRAW;
}

unsigned run_previous_pane(struct app *app, const struct invocation *call)
{
	(void)call;
	app_give_keys(app, neighbour(app, -1));
	return REACT_DRAW;
}

/* To the neighbour as well, but not round the ends. */
unsigned run_right(struct app *app, const struct invocation *call)
{
	if (app->focus + 1 < (app_is_shared(app) ? 2 : 3))
		return run_next_pane(app, call);
	return REACT_DRAW;
}

unsigned run_left(struct app *app, const struct invocation *call)
{
	if (app->focus > PANE_STEPS)
		return run_previous_pane(app, call);
	return REACT_DRAW;
}

unsigned run_zoom(struct app *app, const struct invocation *call)
{
	(void)call;
	app->zoomed = !app->zoomed;
	return REACT_DRAW;
}

/* Shows what lies over the panes, or takes it away again. */
unsigned app_toggle(struct app *app, enum pane_id id)
{
	app->overlay = app->overlay == id ? PANE_NONE : id;
	return REACT_DRAW;
}

unsigned run_help(struct app *app, const struct invocation *call)
{
	(void)call;
	return app_toggle(app, PANE_HELP);
}

unsigned run_findings(struct app *app, const struct invocation *call)
{
	(void)call;
	return app_toggle(app, PANE_FINDINGS);
}

unsigned run_overview(struct app *app, const struct invocation *call)
{
	(void)call;
	return app_toggle(app, PANE_OVERVIEW);
}

unsigned run_cancel(struct app *app, const struct invocation *call)
{
	(void)call;
	if (jump_cancel(app))
		return REACT_DRAW;
	if (app->overlay != PANE_NONE)
		app->overlay = PANE_NONE;
	else if (!job_cancel(app) && !find_cancel(app) && !input_stop(app))
		app->zoomed = false;
	return REACT_DRAW;
}

/* ---- views ---- */

/* Chat, tree, raw; without the tree where it is what the first view shows. */
static enum side_mode next_mode(
	const struct app *app, enum side_mode mode, bool input, bool output)
{
	const struct opened *o = app->opened;
	bool once = o && o->bare && o->input.view == SIDE_JSON;
	bool tree = o && (!input || o->input.view == SIDE_JSON) &&
		    (!output || once || o->output.view == SIDE_JSON);

	mode = (mode + 1) % MODE_COUNT;
	return tree && mode == MODE_TREE ? MODE_RAW : mode;
}

static bool mode_of_name(struct str name, enum side_mode *mode)
{
	for (int i = 0; i < MODE_COUNT; i++)
		if (str_equal(str_of(argument_view.words[i]), name)) {
			*mode = (enum side_mode)i;
			return true;
		}
	return false;
}

/* The view of that name, or the next, of the side that has the keys; of both on the list,
 * or where they are one. */
unsigned run_view(struct app *app, const struct invocation *call)
{
	bool both = app->focus == PANE_STEPS || app_is_shared(app);
	bool input = both || app->focus == PANE_INPUT,
	     output = both || app->focus == PANE_OUTPUT;
	struct pane *p = &app->panes[input ? PANE_INPUT : PANE_OUTPUT];
	enum side_mode mode = next_mode(app, p->mode, input, output);

	if (call->argument.n && !mode_of_name(call->argument, &mode)) {
		buf_text(&app->said, "views are chat, tree and raw");
		return REACT_DRAW;
	}
	if (input)
		app_set_mode(app, PANE_INPUT, mode);
	if (output)
		app_set_mode(app, PANE_OUTPUT, mode);
	return REACT_DRAW;
}

/* ---- steps ---- */

/* Steps are numbered in their chain, as the list shows them. */
unsigned app_go_number(struct app *app, size_t number)
{
	struct steps_row r = steps_at(&app->steps, app->panes[PANE_STEPS].cursor);
	const struct chain *c = &app->trace->chains[r.chain];

	if (!number || number > c->count) {
		buf_printf(&app->said, "this chain has steps 1 to %zu", c->count);
		return REACT_DRAW;
	}
	app_go(app, trace_at(app->trace, c->first + number - 1), false, SIZE_MAX);
	return REACT_DRAW;
}

unsigned run_step(struct app *app, const struct invocation *call)
{
	size_t number = call->count;

	for (size_t i = 0; i < call->argument.n; i++) {
		char c = call->argument.p[i];

		if (c < '0' || c > '9' || number > SIZE_MAX / 16) {
			buf_text(&app->said, "a step is named by its number");
			return REACT_DRAW;
		}
		number = number * 10 + (size_t)(c - '0');
	}
	return app->steps.count ? app_go_number(app, number) : REACT_NOTHING;
}

/* The first or last row are the panes'; a number is a step's. */
unsigned run_edge(struct app *app, const struct invocation *call)
{
	return call->count && app->overlay == PANE_NONE && app->steps.count
		       ? app_go_number(app, call->count)
		       : REACT_NOTHING;
}

/* ---- the program ---- */

unsigned run_redraw(struct app *app, const struct invocation *call)
{
	(void)app;
	(void)call;
	term_repaint();
	return REACT_DRAW;
}

unsigned run_suspend(struct app *app, const struct invocation *call)
{
	(void)call;
	if (term_is_present())
		term_suspend();
	else
		buf_text(&app->said, "there is no terminal to go back to");
	return REACT_DRAW;
}

unsigned run_quit(struct app *app, const struct invocation *call)
{
	return app->overlay == PANE_NONE ? REACT_QUIT : run_cancel(app, call);
}

/* ---- calling them ---- */

/* What moves in a document must not be lost while its step is being opened. */
static bool waits_for_step(const struct app *app, enum command c)
{
	enum pane_id focus = app_focus(app);

	return (app->opening || app->finding) &&
	       (focus == PANE_INPUT || focus == PANE_OUTPUT) &&
	       command_rows[c].flags & IN_STEP;
}

bool app_call(struct app *app, const struct invocation *call)
{
	const struct command_row *row = &command_rows[call->command];
	struct pane *p = &app->panes[app_focus(app)];
	unsigned r;

	steps_update(&app->steps);
	if (app->focus != PANE_STEPS) /* moving in the list opens no step on the way */
		app_settle(app);
	if (waits_for_step(app, call->command)) {
		pending_input_call(&app->held, call);
		return false;
	}
	if (row->flags & JUMP && app->overlay == PANE_NONE)
		jumps_note(app);
	r = p->ops->command(app, p, call);
	if (r & REACT_BUBBLE) {
		app_settle(app);
		r = app->overlay != PANE_NONE && row->flags & BELOW ? REACT_NOTHING
								    : row->run(app, call);
	}
	app->dirty |= r != REACT_NOTHING;
	return r & REACT_QUIT;
}
