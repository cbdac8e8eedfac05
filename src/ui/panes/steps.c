/* The list of steps: a cursor over the rows of view/steps. */
#include "config.h"
#include "ui/panes/panes.h"

#include "base/clock.h"
#include "term/term.h"
#include "text/safe.h"
#include "view/facts.h"
#include "ui/control/bookmarks.h"
#include "ui/control/compare.h"
#include "ui/control/find.h"
#include "ui/control/previews.h"
#include "ui/core/screen.h"
#include "ui/core/step_view.h"


static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	(void)app;
	(void)p;
	buf_text(out, "STEPS");
}

static void keep_in_view(const struct app *app, struct pane *p)
{
	size_t rows = p->area.rows ? p->area.rows : 1;

	if (p->cursor >= app->steps.count)
		p->cursor = app->steps.count ? app->steps.count - 1 : 0;
	if (p->cursor < p->top)
		p->top = p->cursor;
	if (p->cursor >= p->top + rows)
		p->top = p->cursor - rows + 1;
	if (p->top + rows > app->steps.count)
		p->top = app->steps.count > rows ? app->steps.count - rows : 0;
}

static void draw_step(
	struct app *app, struct pane *p, size_t i, unsigned row, uint64_t deadline)
{
	bool current = i == p->cursor;
	struct row_action action = previews_row(app, i, deadline);

	steps_line(&app->steps, i, &app->screen.line, p->area.columns, &action, current);
	bookmarks_mark_row(app, i, &app->screen.line);
	find_mark_row(app, i, &app->screen.line);
	compare_mark_row(app, i, &app->screen.line);
	term_draw_line(row, p->area.column, p->area.columns, 0, &app->screen.line, 0,
		ROLE_TEXT,
		!current                                ? ROLE_TEXT
		: screen_focus_below(app) == PANE_STEPS ? ROLE_SELECTED
							: ROLE_CURRENT);
}

/* A row after the last: in a list from which all is filtered out, how to get it back. */
static void draw_rest(struct app *app, struct pane *p, size_t i, unsigned row)
{
	struct buf text = BUF_INIT, key = BUF_INIT;

	if (app->steps.judging && !app->steps.count && i < 2) {
		if (!keymap_put(&app->keys.map, COMMAND_FILTER, &key))
			buf_text(&key, ":filter");
		if (i)
			buf_printf(&text, " an empty %s shows all", key.data);
		else
			buf_text(&text, " no step passes");
	}
	term_draw_text(row, p->area.column, p->area.columns, ROLE_DIM, buf_view(&text));
	buf_done(&key);
	buf_done(&text);
}

static void draw(struct app *app, struct pane *p)
{
	uint64_t deadline = clock_deadline(PREVIEW_TIME);
	unsigned row = p->area.row;

	keep_in_view(app, p);
	previews_begin(app);
	if (app->screen.layout.titles) {
		steps_titles(&app->steps, &app->screen.line, p->area.columns);
		term_draw_line(row - 1, p->area.column, p->area.columns, 0,
			&app->screen.line, 0, ROLE_TITLE, ROLE_TEXT);
	}
	for (size_t i = p->top; row < p->area.row + p->area.rows; i++, row++) {
		if (i < app->steps.count)
			draw_step(app, p, i, row, deadline);
		else
			draw_rest(app, p, i, row);
	}
}

static unsigned move(struct app *app, struct pane *p, size_t to)
{
	size_t before = p->cursor;

	if (to >= app->steps.count)
		to = app->steps.count ? app->steps.count - 1 : 0;
	p->cursor = to;
	return before == to ? REACT_NOTHING : REACT_DRAW;
}

static unsigned move_up(struct app *app, struct pane *p, size_t rows)
{
	return move(app, p, p->cursor > rows ? p->cursor - rows : 0);
}

static unsigned fold(struct app *app, struct pane *p)
{
	return steps_toggle(&app->steps, p->cursor) ? REACT_DRAW : REACT_NOTHING;
}

static unsigned go_left(struct app *app, struct pane *p)
{
	if (steps_has_children(&app->steps, p->cursor) &&
		!steps_is_closed(&app->steps, p->cursor))
		return fold(app, p);
	return move(app, p, steps_parent(&app->steps, p->cursor));
}

static unsigned go_right(struct app *app, struct pane *p)
{
	if (steps_is_closed(&app->steps, p->cursor))
		return fold(app, p);
	return REACT_BUBBLE;
}

/* What is not a step's own row opens as a fold does. */
static unsigned enter(struct app *app, struct pane *p)
{
	return steps_at(&app->steps, p->cursor).is_chain ? fold(app, p) : REACT_BUBBLE;
}

static unsigned move_in_screen(struct app *app, struct pane *p, enum command c)
{
	size_t rows = p->area.rows ? p->area.rows : 1, left = app->steps.count - p->top;
	size_t shown = left < rows ? left : rows;

	if (!shown)
		return REACT_NOTHING;
	return move(app, p,
		p->top + (c == COMMAND_SCREEN_TOP             ? 0
				 : c == COMMAND_SCREEN_MIDDLE ? (shown - 1) / 2
							      : shown - 1));
}

static unsigned scroll_to(struct pane *p, struct str where)
{
	size_t rows = p->area.rows ? p->area.rows : 1,
	       above = str_equal(where, STR("top"))      ? 0
		       : str_equal(where, STR("bottom")) ? rows - 1
							 : (rows - 1) / 2;

	p->top = p->cursor > above ? p->cursor - above : 0;
	return REACT_DRAW;
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	size_t times = call->count ? call->count : 1;
	size_t page = p->area.rows > 1 ? p->area.rows - 1 : 1;

	if (!app->steps.count)
		return REACT_BUBBLE;
	switch (call->command) {
	case COMMAND_UP:
		return move_up(app, p, times);
	case COMMAND_DOWN:
		return move(app, p, p->cursor + times);
	case COMMAND_PAGE_UP:
		return move_up(app, p, page * times);
	case COMMAND_PAGE_DOWN:
		return move(app, p, p->cursor + page * times);
	case COMMAND_HALF_PAGE_UP:
		return move_up(app, p, (page + 1) / 2 * times);
	case COMMAND_HALF_PAGE_DOWN:
		return move(app, p, p->cursor + (page + 1) / 2 * times);
	case COMMAND_FIRST:
		return call->count ? REACT_BUBBLE : move(app, p, 0);
	case COMMAND_LAST:
		return call->count ? REACT_BUBBLE : move(app, p, app->steps.count - 1);
	case COMMAND_LEFT:
		return go_left(app, p);
	case COMMAND_RIGHT:
		return go_right(app, p);
	case COMMAND_FOLD:
		return fold(app, p);
	case COMMAND_ENTER:
		return enter(app, p);
	case COMMAND_SCREEN_TOP:
	case COMMAND_SCREEN_MIDDLE:
	case COMMAND_SCREEN_BOTTOM:
		return move_in_screen(app, p, call->command);
	case COMMAND_SCROLL_TO:
		return scroll_to(p, call->argument);
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
	.title = title,
	.draw = draw,
	.command = command,
	.status = status,
};
