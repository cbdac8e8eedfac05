/* See pane.h: panes that are lists. */
#include "config.h"
#include "ui/core/app.h"

#include "base/work.h"
#include "term/term.h"

#define OPENING 2000 /* microseconds of opening steps while a screen is drawn */
#define CTRL(c) ((c)&0x1F)

bool list_pane_is_on(struct app *app, struct pane *p)
{
	return p->ops->list && pane_is_ready(app, p) && !pane_doc(p)->count;
}

static bool has_legend(const struct pane *p)
{
	return p->ops->list->legend && p->area.rows > 2;
}

static size_t rows_of(const struct pane *p)
{
	return p->area.rows > 1 ? p->area.rows - has_legend(p) : 1;
}

size_t list_pane_above(const struct pane *p)
{
	return p->cursor > p->top ? p->cursor - p->top : 0;
}

void list_pane_show_above(struct pane *p, size_t rows)
{
	p->top = p->cursor > rows ? p->cursor - rows : 0;
}

unsigned list_pane_go(struct app *app, struct pane *p, size_t row)
{
	const struct list_ops *l = p->ops->list;
	size_t count = l->count(app), before = p->cursor;

	if (row >= count)
		row = count ? count - 1 : 0;
	p->cursor = row;
	if (l->go)
		l->go(app, row);
	return before == row ? REACT_NOTHING : REACT_DRAW;
}

unsigned list_pane_command(struct app *app, struct pane *p, const struct invocation *call)
{
	size_t count = p->ops->list->count(app), rows = rows_of(p);
	size_t above = command_rows_above(call, rows);
	size_t left = count > p->top ? count - p->top : 1;
	size_t last = (left < rows ? left : rows) - 1;
	bool up;
	uint64_t moved = command_moves(call, rows, &up);

	if (moved)
		return list_pane_go(app, p,
			!up                 ? p->cursor + (size_t)moved
			: p->cursor > moved ? p->cursor - (size_t)moved
					    : 0);
	switch (call->command) {
	case COMMAND_FIRST:
		return list_pane_go(app, p, call->count ? call->count - 1 : 0);
	case COMMAND_LAST:
		return list_pane_go(app, p, call->count ? call->count - 1 : SIZE_MAX);
	case COMMAND_SCREEN_TOP:
		return list_pane_go(app, p, p->top);
	case COMMAND_SCREEN_MIDDLE:
		return list_pane_go(app, p, p->top + last / 2);
	case COMMAND_SCREEN_BOTTOM:
		return list_pane_go(app, p, p->top + last);
	case COMMAND_SCROLL_TO:
		list_pane_show_above(p, above);
		return REACT_DRAW;
	default:
		return REACT_BUBBLE;
	}
}

bool list_pane_key(struct app *app, uint32_t key)
{
	struct invocation call = {.command = COMMAND_NONE};

	if (key == TERM_UP || key == CTRL('P'))
		call.command = COMMAND_UP;
	else if (key == TERM_DOWN || key == CTRL('N'))
		call.command = COMMAND_DOWN;
	else if (key == TERM_PGUP || key == TERM_PGDN)
		call.command = key == TERM_PGUP ? COMMAND_PAGE_UP : COMMAND_PAGE_DOWN;
	else
		return false;
	list_pane_command(app, screen_focused(app), &call);
	app->screen.dirty = true;
	return true;
}

/* ---- the mouse ---- */

bool list_pane_click(struct app *app, struct pane *p, size_t row)
{
	size_t legend = has_legend(p), at = p->top + row - legend;

	if (row < legend || at >= p->ops->list->count(app))
		return false;
	list_pane_go(app, p, at);
	return true;
}

void list_pane_scroll(struct app *app, struct pane *p, size_t by, bool up)
{
	size_t rows = rows_of(p), count = p->ops->list->count(app);
	size_t most = count > rows ? count - rows : 0;

	if (up)
		p->top -= p->top < by ? p->top : by;
	else
		p->top = p->top + by < most ? p->top + by : most;
	if (p->cursor < p->top)
		list_pane_go(app, p, p->top);
	else if (p->cursor >= p->top + rows)
		list_pane_go(app, p, p->top + rows - 1);
}

/* ---- drawing ---- */

static void draw_line(struct app *app, const struct pane *p, unsigned row, enum role fill,
	enum role over)
{
	term_draw_line(row, p->area.column, p->area.columns, 0, &app->screen.line, 0,
		fill, over);
}

void list_pane_draw(struct app *app, struct pane *p)
{
	const struct list_ops *l = p->ops->list;
	bool keys = screen_focused(app) == p;
	unsigned row = p->area.row, end = p->area.row + p->area.rows;
	uint64_t deadline = clock_deadline(OPENING);
	size_t count = l->count(app), rows = rows_of(p), at, cursor = p->cursor;

	if (l->cursor)
		p->cursor = l->cursor(app, p);
	/* The cursor's row is among those that are shown, and none stays empty that need
	 * not be. */
	if (p->cursor >= count)
		p->cursor = count ? count - 1 : 0;
	if (p->cursor < p->top)
		p->top = p->cursor;
	if (p->cursor >= p->top + rows)
		p->top = p->cursor - rows + 1;
	if (p->top + rows > count)
		p->top = count > rows ? count - rows : 0;
	if (l->show)
		l->show(app, p->top, rows);
	if (l->titles && app->screen.layout.titles) {
		l->titles(app, p, &app->screen.line);
		draw_line(app, p, row - 1, ROLE_TITLE, ROLE_TEXT);
	}
	if (has_legend(p)) {
		l->legend(app, p, &app->screen.line);
		draw_line(app, p, row++, ROLE_TEXT, ROLE_TEXT);
	}
	count = l->count(app);
	for (at = p->top; row < end && at < count; at++, row++) {
		l->line(app, p, at, deadline, &app->screen.line);
		draw_line(app, p, row, ROLE_TEXT,
			at != p->cursor ? ROLE_TEXT
			: keys          ? ROLE_SELECTED
					: ROLE_CURRENT);
		if (l->edge && at == p->cursor)
			term_draw_text(row, p->area.column, 1, ROLE_TITLE,
				glyph(GLYPH_CURSOR_EDGE));
	}
	if (l->cursor)
		p->cursor = cursor;
}
