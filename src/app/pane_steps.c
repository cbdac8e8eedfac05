/* The list of steps: a cursor over the rows of view/steps. */
#include "config.h"
#include "app/pane.h"

#include <inttypes.h>

#include "text/safe.h"
#include "term/term.h"
#include "view/facts.h"

#define PREVIEW 240 /* bytes of a message that can be shown on one row */

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

/* The last user message of a step, where the row has room for it. */
static void preview(struct app *app, const struct pane *p, size_t row, struct buf *out)
{
	struct steps_row r = steps_at(&app->steps, row);
	struct model *m = app->model;
	bool room = steps_preview_width(&app->steps, p->area.columns) > 0;
	struct opened *o;
	uint32_t step;

	buf_clear(out);
	if (r.is_chain)
		return;
	step = m->order[r.position];
	if (!room && (m->steps[step].name_at || m->steps[step].length > 1u << 20))
		return;
	o = step == app->opened_step && app->opened ? app->opened : opened_new(m, step);
	conversation_preview(o, out, PREVIEW);
	if (o != app->opened)
		opened_free(o);
}

static void draw(struct app *app, struct pane *p)
{
	struct buf text = BUF_INIT;
	unsigned row = p->area.row;

	keep_in_view(app, p);
	if (app->layout.titles) {
		steps_titles(&app->steps, &app->line, p->area.columns);
		term_draw_line(row - 1, p->area.column, p->area.columns, 0, &app->line, 0,
			ROLE_TITLE, ROLE_TEXT);
	}
	for (size_t i = p->top; row < p->area.row + p->area.rows; i++, row++) {
		bool current = i == p->cursor;

		if (i >= app->steps.count) {
			term_draw_text(row, p->area.column, p->area.columns, ROLE_TEXT, STR(""));
			continue;
		}
		preview(app, p, i, &text);
		steps_line(&app->steps, i, &app->line, p->area.columns, buf_view(&text), current);
		term_draw_line(row, p->area.column, p->area.columns, 0, &app->line, 0, ROLE_TEXT,
			!current			  ? ROLE_TEXT
				: app->focus == PANE_STEPS ? ROLE_SELECTED
							   : ROLE_CURRENT);
	}
	buf_done(&text);
}

static unsigned move(struct app *app, struct pane *p, size_t to)
{
	size_t before = p->cursor;

	if (to >= app->steps.count)
		to = app->steps.count ? app->steps.count - 1 : 0;
	p->cursor = to;
	return before == to ? REACT_NOTHING : REACT_DRAW | REACT_STEP;
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

static unsigned command(struct app *app, struct pane *p, enum command c)
{
	size_t page = p->area.rows > 1 ? p->area.rows - 1 : 1;

	if (!app->steps.count)
		return REACT_BUBBLE;
	switch (c) {
	case COMMAND_UP:
		return move(app, p, p->cursor ? p->cursor - 1 : 0);
	case COMMAND_DOWN:
		return move(app, p, p->cursor + 1);
	case COMMAND_PAGE_UP:
		return move(app, p, p->cursor > page ? p->cursor - page : 0);
	case COMMAND_PAGE_DOWN:
		return move(app, p, p->cursor + page);
	case COMMAND_FIRST:
		return move(app, p, 0);
	case COMMAND_LAST:
		return move(app, p, app->steps.count - 1);
	case COMMAND_LEFT:
		return go_left(app, p);
	case COMMAND_RIGHT:
		return go_right(app, p);
	case COMMAND_FOLD:
		return fold(app, p);
	default:
		return REACT_BUBBLE;
	}
}

static void status(struct app *app, struct pane *p, struct buf *out)
{
	uint32_t step = app_step(app);
	const struct step *s;

	if (!app->steps.count || step == NO_STEP)
		return;
	s = &app->model->steps[step];
	(void)p;
	safe_line(out, model_text(app->model, s->event));
	if (out->len)
		buf_text(out, "  ");
	facts_bytes(out, s->length);
	buf_printf(out, " at byte %" PRIu64, s->offset);
}

const struct pane_ops pane_steps_ops = {
	.title = title,
	.draw = draw,
	.command = command,
	.status = status,
};
