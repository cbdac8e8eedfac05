/* Commands that belong to no other subject: panes, views, the program itself. */
#include "config.h"

#include <inttypes.h>

#include "term/term.h"
#include "ui/control/controllers.h"
#include "view/facts.h"
#include "view/tree.h"

/* ---- panes ---- */

/* Of those that lie side by side, [first, end); to the left and to the right not round
 * the ends. */
unsigned run_other_pane(struct app *app, const struct invocation *call)
{
	int first = screen_has_list(app) ? PANE_STEPS : PANE_INPUT,
	    end = step_view_shows_once(app) ? PANE_OUTPUT : PANE_OUTPUT + 1;
	bool back =
		call->command == COMMAND_PREVIOUS_PANE || call->command == COMMAND_LEFT;
	int to = (int)screen_focus_below(app) + (back ? -1 : 1);

	if (call->command == COMMAND_NEXT_PANE || call->command == COMMAND_PREVIOUS_PANE)
		to = to < first ? end - 1 : to >= end ? first : to;
	if (to >= first && to < end)
		screen_give_keys(app, (enum pane_id)to);
	return REACT_DRAW;
}

unsigned run_zoom(struct app *app, const struct invocation *call)
{
	app->screen.zoomed = !app->screen.zoomed;
	return REACT_DRAW;
}

/* Shows the pane whose command it is, or takes it away.  What stands beside a side shows
 * more of it than the chat does. */
unsigned run_pane(struct app *app, const struct invocation *call)
{
	struct screen *s = &app->screen;
	enum pane_id id = 0;

	while (id < PANE_COUNT && s->panes[id].ops->toggle != call->command)
		id++;
	if (id == PANE_COUNT)
		return REACT_NOTHING;
	if (pane_rows[id].area != AREA_BESIDE)
		return s->overlay != id && s->panes[id].ops->open &&
				       !s->panes[id].ops->open(app)
			       ? REACT_NOTHING
			       : screen_toggle(app, id);
	if (!app->step.opened)
		return app_say(app, "no step is open");
	if (s->beside != id &&
		(s->zoomed ? screen_focus_below(app) != s->side
			   : layout_is_small(s->layout.rows, s->layout.columns)))
		return app_say(app, "no room here: zoom the input or output first");
	s->beside = s->beside == id ? PANE_NONE : id;
	if (s->beside != PANE_NONE)
		step_view_set_mode(app, s->side, MODE_CHAT);
	return REACT_DRAW;
}

/* The next choice that the layout has, or the one of that name. */
unsigned run_layout(struct app *app, const struct invocation *call)
{
	const struct setting *row = setting_find(STR("layout"));
	struct str name = call->argument;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (!name.n)
		name = str_of(row->choices[app->settings.layout + 1]
				      ? row->choices[app->settings.layout + 1]
				      : row->choices[0]);
	if (setting_set(&app->settings, row, name, &err)) {
		notify(app, EVENT_SETTINGS);
		buf_printf(&app->said, "layout: %s", row->choices[app->settings.layout]);
	} else {
		buf_text(&app->said, err.text);
	}
	return REACT_DRAW;
}

/* Back one level; false: there is none. */
static bool leave(struct app *app)
{
	struct screen *s = &app->screen;

	if (s->overlay != PANE_NONE)
		screen_uncover(app);
	else if (s->zoomed)
		s->zoomed = false;
	else if (screen_focus_below(app) != PANE_STEPS && screen_has_list(app))
		screen_give_keys(app, PANE_STEPS);
	else
		return false;
	return true;
}

unsigned run_cancel(struct app *app, const struct invocation *call)
{
	if (jump_cancel(app) || origin_cancel(app))
		return REACT_DRAW;
	if (app->screen.overlay != PANE_NONE)
		leave(app);
	else if (!job_cancel(app) && !find_cancel(app) && !leave(app) &&
		 !input_stop(app) && !list_filter_leave(app) && app->options.from_list)
		return REACT_QUIT; /* back to the list of sessions */
	return REACT_DRAW;
}

/* To the report that led here, if one did. */
unsigned run_leave_level(struct app *app, const struct invocation *call)
{
	return screen_return(app) || leave(app) ? REACT_DRAW : run_back(app, call);
}

/* To the side of the step; the other one, where it has nothing to show. */
unsigned run_enter_here(struct app *app, const struct invocation *call)
{
	enum pane_id id = app->screen.side;

	if (screen_focus_below(app) != PANE_STEPS)
		return app_say(app, "nothing to open here");
	if (pane_is_blank(&app->screen.panes[id]))
		id = id == PANE_INPUT && !step_view_is_shared(app) ? PANE_OUTPUT
								   : PANE_INPUT;
	screen_give_keys(app, id);
	return REACT_DRAW;
}

/* ---- views ---- */

/* The view of that name, or the next, of the side that has the keys; of both on the list,
 * or where they are one.  Chat, tree, raw; without the tree where it is what the first
 * view shows. */
unsigned run_view(struct app *app, const struct invocation *call)
{
	const struct step_content *o = app->step.opened;
	enum pane_id focus = screen_focus_below(app);
	bool both = focus == PANE_STEPS || step_view_shows_once(app);
	bool input = both || focus == PANE_INPUT, output = both || focus == PANE_OUTPUT;
	bool once = o && o->bare && o->input.view == SIDE_JSON;
	bool tree = o && (!input || o->input.view == SIDE_JSON) &&
		    (!output || once || o->output.view == SIDE_JSON);
	struct pane *p = &app->screen.panes[input ? PANE_INPUT : PANE_OUTPUT];
	enum side_mode mode = (p->mode + 1) % MODE_COUNT;
	int named = 0;

	if (tree && mode == MODE_TREE)
		mode = MODE_RAW;
	if (call->argument.n) {
		while (named < MODE_COUNT &&
			!str_equal(str_of(argument_view.words[named]), call->argument))
			named++;
		if (named == MODE_COUNT)
			return app_say(app, "views are chat, tree and raw");
		mode = (enum side_mode)named;
	}
	if (input)
		step_view_set_mode(app, PANE_INPUT, mode);
	if (output)
		step_view_set_mode(app, PANE_OUTPUT, mode);
	return REACT_DRAW;
}

/* ---- steps ---- */

/* Steps are numbered in their chain, as the list shows them. */
static unsigned go_to_number(struct app *app, size_t number)
{
	struct steps_row r = step_row_at_cursor(app);
	const struct chain *c = &app->trace->chains[r.chain];

	if (!number || number > c->count) {
		buf_printf(&app->said, "this chain has steps 1 to %zu", c->count);
		return REACT_DRAW;
	}
	step_view_go(app, trace_at(app->trace, c->first + number - 1), false, SIZE_MAX);
	return REACT_DRAW;
}

unsigned run_step(struct app *app, const struct invocation *call)
{
	size_t number = call->count;

	for (size_t i = 0; i < call->argument.n; i++) {
		char c = call->argument.p[i];

		if (c < '0' || c > '9' || number > SIZE_MAX / 16)
			return app_say(app, "a step is named by its number");
		number = number * 10 + (size_t)(c - '0');
	}
	return app->steps.count ? go_to_number(app, number) : REACT_NOTHING;
}

/* The first or last row are the panes'; a number is a step's. */
unsigned run_edge(struct app *app, const struct invocation *call)
{
	return call->count && app->screen.overlay == PANE_NONE && app->steps.count
		       ? go_to_number(app, call->count)
		       : REACT_NOTHING;
}

/* ---- where the cursor is: `=` ---- */

/* "ai_generation, 2.1 KB at byte 4711 of b.jsonl; .messages[0]; 1.2 KB" */
unsigned run_information(struct app *app, const struct invocation *call)
{
	const struct trace *trace = app->trace;
	uint32_t index = step_at_cursor(app);
	enum pane_id focus = screen_focus(app);
	struct doc *d = pane_doc(screen_focused(app));
	size_t at = d->places[0].block;
	struct buf *out = &app->said;
	AUTO_BUF path = BUF_INIT;
	struct str event;
	struct step s;

	if (index == NO_STEP)
		return app_say(app, "no step here");
	s = trace_step(trace, index);
	event = trace_text(trace, s.event);
	buf_str(out, event);
	buf_text(out, event.n ? ", " : "");
	facts_bytes(out, s.length);
	buf_printf(out, " at byte %" PRIu64, inputs_offset(s.offset));
	if (inputs_wholes(trace->inputs) > 1)
		buf_printf(out, " of %s", inputs_name_at(trace->inputs, s.offset));
	if ((focus != PANE_INPUT && focus != PANE_OUTPUT) || at >= d->count)
		return REACT_DRAW;
	tree_path(d, at, &path);
	if (path.len)
		buf_printf(out, "; %.*s", (int)path.len, path.data);
	if (d->blocks[at].value.n) {
		buf_text(out, "; ");
		facts_bytes(out, d->blocks[at].value.n);
	}
	return REACT_DRAW;
}

/* ---- the program ---- */

unsigned run_redraw(struct app *app, const struct invocation *call)
{
	term_repaint();
	return REACT_DRAW;
}

unsigned run_suspend(struct app *app, const struct invocation *call)
{
	if (!term_is_present())
		return app_say(app, "there is no terminal to go back to");
	term_suspend();
	return REACT_DRAW;
}

unsigned run_quit(struct app *app, const struct invocation *call)
{
	return leave(app) ? REACT_DRAW : REACT_QUIT;
}

unsigned run_exit(struct app *app, const struct invocation *call)
{
	app->screen.ending = true;
	return REACT_QUIT;
}
