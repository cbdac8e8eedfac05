/* The waterfall: a cursor over the steps of one chain, on view/waterfall.  Before it is
 * drawn ui/control/charts brings it up to date. */
#include "config.h"
#include "ui/panes/waterfall.h"

#include "base/clock.h"
#include "config/settings.h"
#include "term/term.h"
#include "ui/control/charts.h"
#include "ui/control/previews.h"
#include "ui/core/step_view.h"
#include "ui/panes/panes.h"

#define SCROLL 0.25 /* of the time that is shown */

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	(void)p;
	buf_text(out, "WATERFALL  ");
	waterfall_title(charts_waterfall(app), out);
}

/* A row of ticks above those of the steps. */
static bool has_axis(const struct pane *p)
{
	return p->area.rows > 2;
}

/* The first row shown, so that the cursor's is among them. */
static size_t top_row(const struct waterfall *w, const struct pane *p, size_t rows)
{
	size_t cursor = w->position - waterfall_first(w);
	size_t count = waterfall_end(w) - waterfall_first(w), top = p->top;

	if (cursor < top)
		top = cursor;
	if (cursor >= top + rows)
		top = cursor - rows + 1;
	if (top + rows > count)
		top = count > rows ? count - rows : 0;
	return top;
}

static void draw_row(struct app *app, const struct pane *p, size_t position, unsigned row,
	uint64_t deadline)
{
	const struct waterfall *w = charts_waterfall(app);
	struct str did = previews_action(app, trace_at(app->trace, position), deadline);

	waterfall_line(w, position, did, &app->screen.line, p->area.columns);
	term_draw_line(row, p->area.column, p->area.columns, 0, &app->screen.line, 0,
		ROLE_TEXT, position == w->position ? ROLE_SELECTED : ROLE_TEXT);
}

static void draw(struct app *app, struct pane *p)
{
	struct waterfall *w = charts_waterfall(app);
	unsigned row = p->area.row, end = p->area.row + p->area.rows;
	uint64_t deadline = clock_deadline(PREVIEW_TIME);
	size_t position;

	if (has_axis(p)) {
		waterfall_axis(w, &app->screen.line, p->area.columns);
		term_draw_line(row++, p->area.column, p->area.columns, 0,
			&app->screen.line, 0, ROLE_TEXT, ROLE_TEXT);
	}
	p->top = top_row(w, p, end - row);
	position = waterfall_first(w) + p->top;
	for (; row < end; row++, position++)
		if (position < waterfall_end(w))
			draw_row(app, p, position, row, deadline);
		else
			term_draw_text(
				row, p->area.column, p->area.columns, ROLE_TEXT, STR(""));
}

static unsigned go(struct waterfall *w, size_t position)
{
	size_t before = w->position;

	waterfall_go(w, position);
	return before == w->position ? REACT_NOTHING : REACT_DRAW;
}

static unsigned go_back(struct waterfall *w, size_t rows)
{
	size_t first = waterfall_first(w);

	return go(w, w->position - first > rows ? w->position - rows : first);
}

bool waterfall_pane_go_to_row(struct app *app, size_t row)
{
	const struct pane *p = &app->screen.panes[PANE_WATERFALL];
	struct waterfall *w = charts_waterfall(app);
	size_t axis = has_axis(p), position;

	if (row < axis || !charts_update_waterfall(app))
		return false;
	position = waterfall_first(w) + p->top + row - axis;
	if (position >= waterfall_end(w))
		return false;
	waterfall_go(w, position);
	return true;
}

static unsigned leave_to(struct app *app, const struct waterfall *w)
{
	step_view_go(app, w->step, false, SIZE_MAX);
	return REACT_DRAW;
}

/* Another chain, at its first step; what the bars show stays. */
static unsigned go_to_chain(struct app *app, struct waterfall *w, bool next)
{
	const struct trace *trace = app->trace;
	enum measure wanted = w->wanted;
	size_t chain = w->chain;

	do
		chain = next ? chain + 1
			     : chain - 1; /* before the first: wraps to after the last */
	while (chain < trace->chain_count && !trace->chains[chain].count);
	if (chain >= trace->chain_count) {
		buf_printf(&app->said, "this is the %s chain", next ? "last" : "first");
		return REACT_DRAW;
	}
	waterfall_begin(w, app->trace, &app->steps.scale, trace->chains[chain].first);
	w->wanted = wanted;
	return REACT_DRAW;
}

/* What it was asked for, else the next; "off" is for the list. */
static unsigned show_measure(struct waterfall *w, struct str name)
{
	if (!name.n)
		waterfall_next_measure(w);
	for (unsigned i = MEASURE_TIME; i < MEASURE_COUNT; i++)
		if (str_equal(str_of(setting_bars[i]), name)) {
			w->wanted = (enum measure)i;
			return REACT_DRAW;
		}
	return name.n ? REACT_BUBBLE : REACT_DRAW;
}

static unsigned react(bool changed)
{
	return changed ? REACT_DRAW : REACT_NOTHING;
}

static unsigned look(struct app *app, struct waterfall *w, const struct invocation *call)
{
	switch (call->command) {
	case COMMAND_ENTER:
	case COMMAND_FOLD:
		return leave_to(app, w);
	case COMMAND_BAR:
		return show_measure(w, call->argument);
	case COMMAND_ZOOM_IN:
	case COMMAND_ZOOM_OUT:
		return react(waterfall_zoom(w, call->command == COMMAND_ZOOM_IN));
	case COMMAND_LEFT:
	case COMMAND_SCROLL_LEFT:
		return react(waterfall_scroll(w, -SCROLL));
	case COMMAND_RIGHT:
	case COMMAND_SCROLL_RIGHT:
		return react(waterfall_scroll(w, SCROLL));
	case COMMAND_NEXT_CHAIN:
	case COMMAND_PREVIOUS_CHAIN:
		return go_to_chain(app, w, call->command == COMMAND_NEXT_CHAIN);
	default:
		return REACT_BUBBLE;
	}
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	struct waterfall *w = charts_waterfall(app);
	size_t times = call->count ? call->count : 1;
	size_t page = p->area.rows > 2 ? p->area.rows - 2 : 1;

	if (!charts_update_waterfall(app))
		return REACT_BUBBLE;
	switch (call->command) {
	case COMMAND_UP:
		return go_back(w, times);
	case COMMAND_DOWN:
		return go(w, w->position + times);
	case COMMAND_PAGE_UP:
		return go_back(w, page * times);
	case COMMAND_PAGE_DOWN:
		return go(w, w->position + page * times);
	case COMMAND_HALF_PAGE_UP:
		return go_back(w, (page + 1) / 2 * times);
	case COMMAND_HALF_PAGE_DOWN:
		return go(w, w->position + (page + 1) / 2 * times);
	case COMMAND_FIRST:
		return go(w, waterfall_first(w) + times - 1);
	case COMMAND_LAST:
		return go(w, call->count ? waterfall_first(w) + times - 1 : SIZE_MAX);
	default:
		return look(app, w, call);
	}
}

static void status(struct app *app, struct pane *p, struct buf *out)
{
	(void)p;
	waterfall_status(charts_waterfall(app), out);
}

static const struct hint *hints(struct pane *p)
{
	static const struct hint rows[] = {{COMMAND_CANCEL, "leave"},
		{COMMAND_ENTER, "go there"}, {COMMAND_ZOOM_IN, "nearer"},
		{COMMAND_ZOOM_OUT, "farther"}, {COMMAND_BAR, "cost, tokens"},
		{COMMAND_HELP, "help"}, {COMMAND_NONE, NULL}};

	(void)p;
	return rows;
}

const struct pane_ops pane_waterfall_ops = {
	.title = title,
	.draw = draw,
	.command = command,
	.status = status,
	.hints = hints,
};
