/* See pointer.h.  A pane's area is that of its last drawing, so is what was clicked on.
 */
#include "config.h"
#include "ui/pointer.h"

#include "ui/actions/call.h"
#include "ui/core/doc_pane.h"
#include "ui/core/list_pane.h"
#include "ui/core/notify.h"
#include "ui/core/screen.h"
#include "ui/core/step_view.h"
#include "ui/keys/run.h"

#define WHEEL 3 /* rows */

/* ---- on and off ---- */

static void apply(struct app *app)
{
	if (!term_mouse(app->settings.mouse) && app->settings.mouse &&
		app->screen.drawn_at) {
		app->settings.mouse = false;
		buf_clear(&app->said);
		buf_text(&app->said, "this terminal reports no mouse");
	}
}

unsigned run_mouse(struct app *app, const struct invocation *call)
{
	app->settings.mouse = !app->settings.mouse;
	apply(app);
	if (!app->said.len)
		buf_text(&app->said, app->settings.mouse
					     ? "mouse on: Shift and the mouse select text"
					     : "mouse off: it is the terminal's again");
	return REACT_DRAW;
}

/* ---- what is there ---- */

static bool is_inside(struct rect r, const struct term_event *e)
{
	return e->row >= r.row && e->row - r.row < r.rows && e->column >= r.column &&
	       e->column - r.column < r.columns;
}

/* Whether the sign of a fold is at a cell of a line, or the blank after one. */
static bool has_sign(const struct lines *ls, size_t line, unsigned column)
{
	const struct line *l = &ls->lines[line];
	unsigned at = 0;

	for (uint32_t i = l->first; i < l->first + l->count; i++) {
		if (ls->spans[i].fold && (column == at || column == at + 1))
			return true;
		at += ls->spans[i].width;
	}
	return false;
}

/* ---- the list ---- */

static bool is_on_step_sign(struct app *app, struct pane *p, unsigned column)
{
	bool folds = steps_at(&app->steps, p->cursor).is_chain ||
		     steps_has_children(&app->steps, p->cursor);

	steps_line(
		&app->steps, p->cursor, &app->screen.line, p->area.columns, NULL, true);
	return folds && column && has_sign(&app->screen.line, 0, column);
}

/* ---- documents ---- */

/* The first column is that of the cursor's mark. */
static bool go_to_line(struct pane *p, const struct term_event *e)
{
	struct doc *d = pane_doc(p);
	struct place at = d->places[1];

	if (!d->count || !doc_down(d, &at, e->row - p->area.row))
		return false;
	d->places[0] = at;
	return true;
}

/* ---- events ---- */

static bool call(struct app *app, enum command c)
{
	return call_command(app, &(struct invocation){.command = c});
}

/* Takes the cursor to what was clicked on, if something is there. */
static bool click(struct app *app, enum pane_id id, const struct term_event *e)
{
	struct pane *p = &app->screen.panes[id];
	unsigned column = e->column - p->area.column;
	const struct lines *ls;
	bool sign = false;
	size_t line;

	if (id < PANE_HELP)
		screen_give_keys(app, id);
	step_view_settle(app);
	if (!is_inside(p->area, e)) /* its title */
		return false;
	if (list_pane_is_on(app, p)) {
		if (!list_pane_click(app, p, e->row - p->area.row))
			return false;
		sign = id == PANE_STEPS && is_on_step_sign(app, p, column);
	} else {
		if (!go_to_line(p, e))
			return false;
		ls = doc_line(pane_doc(p), *pane_cursor(p), &line);
		sign = column && has_sign(ls, line, column - 1);
	}
	if (sign)
		return call(app, COMMAND_FOLD);
	return e->mouse == MOUSE_DOUBLE && call(app, COMMAND_ENTER);
}

/* Who is asked for a text answers with keys. */
bool pointer_event(struct app *app, const struct term_event *e)
{
	enum pane_id id = PANE_STEPS;
	struct pane *p;
	bool up;

	while (id < PANE_COUNT && !is_inside(app->screen.layout.pane[id], e))
		id++;
	if (app->prompt.kind || app->keys.pending.call.command != COMMAND_NONE ||
		id == PANE_NONE)
		return false;
	typed_clear(&app->keys.typed);
	buf_clear(&app->said);
	notify_key(app, COMMAND_UP); /* it moves a cursor, as that does */
	app->screen.dirty = true;
	if (e->mouse == MOUSE_CLICK || e->mouse == MOUSE_DOUBLE)
		return click(app, id, e);
	step_view_settle(app);
	p = &app->screen.panes[id];
	up = e->mouse == MOUSE_WHEEL_UP;
	if (id == PANE_STEPS)
		list_pane_scroll(app, p, WHEEL, up);
	else if (list_pane_is_on(app, p))
		call_command(app,
			&(struct invocation){.command = up ? COMMAND_UP : COMMAND_DOWN,
				.count = WHEEL});
	else
		doc_pane_scroll(p, WHEEL, up);
	return false;
}

const struct controller_ops pointer_controller = {.settings = apply};
