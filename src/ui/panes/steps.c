/* The list of steps: the rows of view/steps. */
#include "config.h"

#include "term/term.h"
#include "trace/labels.h"
#include "view/facts.h"
#include "ui/control/controllers.h"

static size_t count(const struct app *app)
{
	return app->steps.count;
}

static void show(struct app *app, size_t first, size_t rows)
{
	if (labels_any()) /* another program may have added the first */
		app->steps.known |= 1u << COLUMN_LABEL;
	previews_begin(app);
}

static void titles(const struct app *app, const struct pane *p, struct lines *out)
{
	steps_titles(&app->steps, out, p->area.columns);
}

static void line(struct app *app, const struct pane *p, size_t row, uint64_t deadline,
	struct lines *out)
{
	struct row_action action = previews_row(app, row, deadline);

	steps_line(&app->steps, row, out, p->area.columns, &action, row == p->cursor);
	bookmarks_mark_row(app, row, out);
	find_mark_row(app, row, out);
	compare_mark_row(app, row, out);
}

/* Beside a transcript it shows where that is. */
static size_t cursor(const struct app *app, const struct pane *p)
{
	uint32_t step =
		app->screen.overlay == PANE_TRANSCRIPT ? transcript_step(app) : NO_STEP;

	return step == NO_STEP ? p->cursor : steps_find(&app->steps, step);
}

static const struct list_ops list = {
	.count = count,
	.cursor = cursor,
	.show = show,
	.titles = titles,
	.line = line,
};

/* In a list from which all is filtered out: how to get it back. */
static void draw(struct app *app, struct pane *p)
{
	AUTO_BUF key = BUF_INIT, text = BUF_INIT;

	list_pane_draw(app, p);
	if (app->steps.count || !app->steps.filter_run)
		return;
	if (!keymap_put(&app->keys.map, COMMAND_FILTER, &key))
		buf_text(&key, ":filter");
	buf_printf(&text, " an empty %s shows all", key.data);
	term_draw_text(p->area.row, p->area.column, p->area.columns, ROLE_DIM,
		STR(" no step passes"));
	if (p->area.rows > 1)
		term_draw_text(p->area.row + 1, p->area.column, p->area.columns, ROLE_DIM,
			buf_view(&text));
}

static unsigned fold(struct app *app, struct pane *p)
{
	return steps_toggle(&app->steps, p->cursor) ? REACT_DRAW : REACT_NOTHING;
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	if (!app->steps.count)
		return REACT_BUBBLE;
	switch (call->command) {
	case COMMAND_FIRST:
	case COMMAND_LAST: /* to a step of that number */
		return call->count ? run_edge(app, call) : REACT_BUBBLE;
	case COMMAND_LEFT:
		if (steps_has_children(&app->steps, p->cursor) &&
			!steps_is_closed(&app->steps, p->cursor))
			return fold(app, p);
		return list_pane_go(app, p, steps_parent(&app->steps, p->cursor));
	case COMMAND_RIGHT:
		return steps_is_closed(&app->steps, p->cursor) ? fold(app, p)
							       : REACT_BUBBLE;
	case COMMAND_FOLD:
		return fold(app, p);
	case COMMAND_ENTER: /* what is not a step's own row opens as a fold does */
		return steps_at(&app->steps, p->cursor).is_chain ? fold(app, p)
								 : REACT_BUBBLE;
	default:
		return REACT_BUBBLE;
	}
}

static void status(struct app *app, struct pane *p, struct buf *out)
{
	uint32_t step = step_at_cursor(app);

	if (!app->steps.count || step == NO_STEP)
		return;
	if (steps_at(&app->steps, p->cursor).is_chain &&
		steps_has_many_chains(&app->steps))
		facts_period(out, scale_chain_period(&app->steps.scale,
					  trace_step(app->trace, step).chain));
}

const struct pane_ops pane_steps_ops = {
	.list = &list,
	.draw = draw,
	.command = command,
	.status = status,
};
