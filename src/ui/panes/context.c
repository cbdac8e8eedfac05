/* The pane of the context: a cursor over the steps of one chain, on view/context_rows,
 * and below it the largest items of a step, as a document. */
#include "config.h"
#include "ui/panes/context.h"

#include "base/clock.h"
#include "term/term.h"
#include "ui/control/context.h"
#include "ui/control/previews.h"
#include "ui/core/doc_pane.h"
#include "ui/core/screen.h"
#include "ui/panes/draw_doc.h"
#include "ui/panes/panes.h"


static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct context_view *v = context_shown(app);

	buf_text(out, "CONTEXT  ");
	if (v->largest)
		context_view_largest_title(v, out);
	else
		context_view_title(v, p->area.columns, out);
}

/* ---- the bars ---- */

static bool has_legend(const struct pane *p)
{
	return p->area.rows > 2;
}

/* The first row shown, so that the cursor's is among them. */
static size_t top_row(const struct context_view *v, const struct pane *p, size_t rows)
{
	size_t top = p->top;

	if (v->row < top)
		top = v->row;
	if (v->row >= top + rows)
		top = v->row - rows + 1;
	if (top + rows > v->context.count)
		top = v->context.count > rows ? v->context.count - rows : 0;
	return top;
}

static void draw_row(
	struct app *app, const struct pane *p, size_t at, unsigned row, uint64_t deadline)
{
	const struct context_view *v = context_shown(app);

	context_view_line(v, at, previews_action(app, v->context.rows[at].step, deadline),
		&app->screen.line, p->area.columns);
	term_draw_line(row, p->area.column, p->area.columns, 0, &app->screen.line, 0,
		ROLE_TEXT, at == v->row ? ROLE_SELECTED : ROLE_TEXT);
}

static void draw_bars(struct app *app, struct pane *p)
{
	struct context_view *v = context_shown(app);
	unsigned row = p->area.row, end = p->area.row + p->area.rows;
	uint64_t deadline = clock_deadline(PREVIEW_TIME);
	size_t at;

	if (has_legend(p)) {
		context_view_legend(v, &app->screen.line, p->area.columns);
		term_draw_line(row++, p->area.column, p->area.columns, 0,
			&app->screen.line, 0, ROLE_TEXT, ROLE_TEXT);
	}
	at = p->top = top_row(v, p, end - row);
	context_look(&v->context, at, at + end - row);
	for (; row < end; row++, at++)
		if (at < v->context.count)
			draw_row(app, p, at, row, deadline);
		else
			term_draw_text(
				row, p->area.column, p->area.columns, ROLE_TEXT, STR(""));
}

static void draw(struct app *app, struct pane *p)
{
	if (context_shown(app)->largest)
		draw_doc(app, p, true);
	else
		draw_bars(app, p);
}

bool context_pane_shows_bars(const struct app *app)
{
	return !context_shown(app)->largest;
}

bool context_pane_go_to_row(struct app *app, size_t row)
{
	const struct pane *p = &app->screen.panes[PANE_CONTEXT];
	struct context_view *v = context_shown(app);
	size_t legend = has_legend(p), at = p->top + row - legend;

	if (row < legend || !context_show(app) || at >= v->context.count)
		return false;
	context_view_go(v, at);
	return true;
}

static unsigned go(struct context_view *v, size_t row)
{
	size_t before = v->row;

	context_view_go(v, row);
	return before == v->row ? REACT_NOTHING : REACT_DRAW;
}

static unsigned go_back(struct context_view *v, size_t rows)
{
	return go(v, v->row > rows ? v->row - rows : 0);
}

static unsigned on_bars(struct app *app, struct pane *p, const struct invocation *call)
{
	struct context_view *v = context_shown(app);
	size_t times = call->count ? call->count : 1;
	size_t page = p->area.rows > 2 ? p->area.rows - 2 : 1;

	switch (call->command) {
	case COMMAND_UP:
		return go_back(v, times);
	case COMMAND_DOWN:
		return go(v, v->row + times);
	case COMMAND_PAGE_UP:
		return go_back(v, page * times);
	case COMMAND_PAGE_DOWN:
		return go(v, v->row + page * times);
	case COMMAND_HALF_PAGE_UP:
		return go_back(v, (page + 1) / 2 * times);
	case COMMAND_HALF_PAGE_DOWN:
		return go(v, v->row + (page + 1) / 2 * times);
	case COMMAND_FIRST:
		return go(v, times - 1);
	case COMMAND_LAST:
		return go(v, call->count ? times - 1 : SIZE_MAX);
	case COMMAND_ENTER:
	case COMMAND_FOLD:
	case COMMAND_RIGHT:
		context_open_step(app);
		return REACT_DRAW;
	case COMMAND_BAR:
		context_next_measure(app);
		return REACT_DRAW;
	default:
		return REACT_BUBBLE;
	}
}

/* ---- the largest items ---- */

static unsigned on_items(struct app *app, struct pane *p, const struct invocation *call)
{
	switch (call->command) {
	case COMMAND_ENTER:
	case COMMAND_FOLD:
	case COMMAND_RIGHT:
		return context_go_to_item(app);
	case COMMAND_CANCEL:
	case COMMAND_QUIT:
	case COMMAND_LEAVE:
	case COMMAND_LEFT:
		context_close_step(app);
		return REACT_DRAW;
	case COMMAND_BAR:
		context_next_measure(app);
		return REACT_DRAW;
	default:
		return doc_pane_command(p, call);
	}
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	if (!context_show(app))
		return REACT_BUBBLE;
	return context_shown(app)->largest ? on_items(app, p, call)
					   : on_bars(app, p, call);
}

static void status(struct app *app, struct pane *p, struct buf *out)
{
	(void)p;
	if (!context_shown(app)->largest)
		context_view_status(context_shown(app), out);
}

static const struct hint *hints(struct pane *p)
{
	static const struct hint of_bars[] = {{COMMAND_CANCEL, "leave"},
		{COMMAND_ENTER, "what is large"}, {COMMAND_BAR, "bytes, tokens"},
		{COMMAND_HELP, "help"}, {COMMAND_NONE, NULL}};
	static const struct hint of_items[] = {{COMMAND_CANCEL, "back"},
		{COMMAND_ENTER, "go there"}, {COMMAND_BAR, "bytes, tokens"},
		{COMMAND_SEARCH, "search"}, {COMMAND_HELP, "help"}, {COMMAND_NONE, NULL}};

	return pane_doc(p)->count ? of_items : of_bars;
}

const struct pane_ops pane_context_ops = {
	.title = title,
	.draw = draw,
	.command = command,
	.status = status,
	.hints = hints,
};
