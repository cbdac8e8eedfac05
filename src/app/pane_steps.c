/* The list of steps: a cursor over the rows of view/steps. */
#include "config.h"
#include "app/pane.h"

#include <inttypes.h>

#include "base/clock.h"
#include "term/term.h"
#include "text/safe.h"
#include "view/facts.h"

#define PREVIEW      480        /* bytes of a message that can be shown on one row */
#define PREVIEW_STEP (4u << 20) /* of a step that is opened for it */
#define PREVIEW_TIME 5000       /* microseconds of opening steps at a time */

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

/* What was found for a step before, or a free place for it. */
static struct preview *preview_of(struct app *app, uint32_t step)
{
	struct preview *v = &app->previews[step % PREVIEWS];

	if (v->step != step || v->offset != app->model->steps[step].offset)
		v->known = false;
	v->step = step;
	v->offset = app->model->steps[step].offset;
	return v;
}

static void find_preview(struct app *app, uint32_t step, struct preview *v)
{
	bool current = app->opened && step == app->opened_step;
	struct opened *o = current ? app->opened : opened_new(app->model, step);

	buf_clear(&v->text);
	conversation_preview(o, &v->text, PREVIEW);
	v->known = true;
	if (!current)
		opened_free(o);
}

/*
 * The last user message of a step, where the row has room for it.  Steps are opened for
 * it until the deadline; the other rows wait for the next time.
 */
static struct str preview(
	struct app *app, const struct pane *p, size_t row, uint64_t deadline)
{
	struct steps_row r = steps_at(&app->steps, row);
	const struct model *m = app->model;
	struct preview *v;
	uint32_t step;

	if (r.is_chain)
		return STR("");
	step = m->order[r.position];
	if (m->steps[step].length > PREVIEW_STEP)
		return STR("");
	if (m->steps[step].name_at && !steps_preview_width(&app->steps, p->area.columns))
		return STR("");
	v = preview_of(app, step);
	if (!v->known && clock_us() >= deadline) {
		app->behind = true;
		return STR("");
	}
	if (!v->known)
		find_preview(app, step, v);
	return buf_view(&v->text);
}

/* The bar of the cursor ends where the message begins: less to send when it moves. */
static unsigned bar_width(const struct app *app, const struct pane *p, size_t row)
{
	if (steps_at(&app->steps, row).is_chain)
		return p->area.columns;
	return p->area.columns - steps_preview_width(&app->steps, p->area.columns);
}

static void draw_step(
	struct app *app, struct pane *p, size_t i, unsigned row, uint64_t deadline)
{
	bool current = i == p->cursor;
	unsigned bar = bar_width(app, p, i), left = p->area.column;

	steps_line(&app->steps, i, &app->line, p->area.columns,
		preview(app, p, i, deadline), current);
	term_draw_line(row, left, bar, 0, &app->line, 0, ROLE_TEXT,
		!current                   ? ROLE_TEXT
		: app->focus == PANE_STEPS ? ROLE_SELECTED
					   : ROLE_CURRENT);
	term_draw_line(row, left + bar, p->area.columns - bar, bar, &app->line, 0,
		ROLE_TEXT, ROLE_TEXT);
}

static void draw(struct app *app, struct pane *p)
{
	uint64_t deadline = clock_deadline(PREVIEW_TIME);
	unsigned row = p->area.row;

	app->behind = false;
	keep_in_view(app, p);
	if (app->layout.titles) {
		steps_titles(&app->steps, &app->line, p->area.columns);
		term_draw_line(row - 1, p->area.column, p->area.columns, 0, &app->line, 0,
			ROLE_TITLE, ROLE_TEXT);
	}
	for (size_t i = p->top; row < p->area.row + p->area.rows; i++, row++) {
		if (i < app->steps.count)
			draw_step(app, p, i, row, deadline);
		else
			term_draw_text(
				row, p->area.column, p->area.columns, ROLE_TEXT, STR(""));
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
	struct str event;

	if (!app->steps.count || step == NO_STEP)
		return;
	s = &app->model->steps[step];
	(void)p;
	event = model_text(app->model, s->event);
	safe_line(out, event);
	if (event.n)
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
