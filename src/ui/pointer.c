/* The mouse: see frame.h.  A pane's area is that of its last drawing, so is what was
 * clicked on.
 */
#include "config.h"
#include "ui/frame.h"

#include <ctype.h>

#include "term/term.h"
#include "text/safe.h"
#include "ui/control/controllers.h"
#include "ui/core/list_pane.h"

#define WHEEL 3 /* rows */

struct pointer_state {
	bool told; /* how text is selected now */
};

/* ---- on and off ---- */

static bool is_wanted(const struct app *app)
{
	return app->settings.mouse == POINTER_ON ||
	       (app->settings.mouse == POINTER_AUTO && term_shift_selects());
}

static void apply(struct app *app)
{
	bool asked = app->settings.mouse == POINTER_ON && app->screen.drawn_at;

	if (!term_mouse(is_wanted(app)) && asked) {
		app->settings.mouse = POINTER_OFF;
		buf_clear(&app->said);
		buf_text(&app->said, "this terminal reports no mouse");
	}
}

static void say_on(struct app *app)
{
	buf_text(&app->said, "mouse on: Shift and the mouse select text");
	app->state.pointer->told = true;
}

unsigned run_mouse(struct app *app, const struct invocation *call)
{
	app->settings.mouse = is_wanted(app) ? POINTER_OFF : POINTER_ON;
	apply(app);
	if (!app->said.len && is_wanted(app))
		say_on(app);
	else if (!app->said.len)
		buf_text(&app->said, "mouse off: it is the terminal's again");
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

static bool is_on_step_sign(struct app *app, struct pane *p, unsigned column)
{
	bool folds = steps_at(&app->steps, p->cursor).is_chain ||
		     steps_has_children(&app->steps, p->cursor);

	steps_line(
		&app->steps, p->cursor, &app->screen.line, p->area.columns, NULL, true);
	return folds && column && has_sign(&app->screen.line, 0, column);
}

/* ---- titles of columns ---- */

/* Titles that are not called as what they sort by. */
static const struct {
	const char *title, *sort;
} sorts[] = {{"#", "file"}, {"step", "name"}, {"chain", "name"}, {"session", "name"},
	{"when", "file"}, {"tool", "model"}, {"steps", "size"}};

/* The word at a cell of a line, or the nearest one after it; else the last. */
static struct str word_at(struct str line, unsigned cell)
{
	struct str word = {line.p, 0};
	size_t from = 0;

	while (from < line.n &&
		!(word.n && safe_width((struct str){line.p, from}) > cell)) {
		size_t to;

		while (from < line.n && line.p[from] == ' ')
			from++;
		for (to = from; to < line.n && line.p[to] != ' '; to++)
			;
		if (to > from &&
			(isalpha((unsigned char)line.p[from]) || line.p[from] == '#'))
			word = (struct str){line.p + from, to - from};
		if (word.n && safe_width((struct str){line.p, to}) > cell)
			break;
		from = to;
	}
	return word;
}

/* Sorts by the column whose title was clicked on; twice: the other way round. */
static bool click_title(struct app *app, struct pane *p, unsigned column)
{
	struct invocation call = {.command = COMMAND_SORT};
	struct lines titles = {0};
	AUTO_BUF plain = BUF_INIT;
	struct str word;
	bool quits;

	p->ops->list->titles(app, p, &titles);
	lines_plain(&titles, 0, &plain);
	word = word_at(buf_view(&plain), column);
	while (word.n && word.p[word.n - 1] == ',')
		word.n--;
	call.argument = word;
	for (size_t i = 0; i < sizeof(sorts) / sizeof(*sorts); i++)
		if (str_equal(word, str_of(sorts[i].title)))
			call.argument = str_of(sorts[i].sort);
	quits = word.n && call_command(app, &call);
	lines_done(&titles);
	return quits;
}

/* ---- events ---- */

static bool call(struct app *app, enum command c)
{
	return call_command(app, &(struct invocation){.command = c});
}

/* Takes the cursor to what was clicked on, if something is there. */
static bool click_pane(struct app *app, enum pane_id id, const struct term_event *e)
{
	struct pane *p = &app->screen.panes[id];
	unsigned column = e->column - p->area.column;
	struct doc *d = pane_doc(p);
	const struct lines *ls;
	struct place at;
	bool map = id == PANE_STEPS && app->screen.overlay == PANE_TRANSCRIPT;
	bool sign = false;
	size_t line;

	if (pane_rows[id].area == AREA_ABREAST && !map)
		screen_give_keys(app, id);
	step_view_settle(app);
	if (!is_inside(p->area, e)) /* its title */
		return p->ops->list && p->ops->list->titles && list_pane_is_on(app, p) &&
		       click_title(app, p, column);
	if (list_pane_is_on(app, p)) {
		if (!list_pane_click(app, p, e->row - p->area.row))
			return false;
		if (map) { /* the transcript goes there */
			transcript_follow_list(app);
			return false;
		}
		sign = id == PANE_STEPS && is_on_step_sign(app, p, column);
	} else {
		at = d->places[1];
		if (!d->count || !doc_down(d, &at, e->row - p->area.row))
			return false;
		d->places[0] = at;
		ls = doc_line(d, at, &line);
		sign = column && has_sign(ls, line, column - 1); /* after the cursor's */
	}
	if (sign)
		return call(app, COMMAND_FOLD);
	return e->mouse == MOUSE_DOUBLE && call(app, COMMAND_ENTER);
}

/* Who is asked for a text answers with keys. */
bool pointer_event(struct app *app, const struct term_event *e)
{
	bool up, click = e->mouse == MOUSE_CLICK || e->mouse == MOUSE_DOUBLE;
	enum pane_id id = PANE_STEPS;
	struct pane *p;

	while (id < PANE_COUNT && !is_inside(app->screen.layout.pane[id], e))
		id++;
	if (id < PANE_COUNT && pane_rows[id].area == AREA_BESIDE) /* it follows */
		id = app->screen.side;
	if (app->prompt.kind || app->keys.pending.call.command != COMMAND_NONE)
		return false;
	typed_clear(&app->keys.typed);
	if (click && e->row + 1 == app->screen.layout.rows) {
		buf_clear(&app->said);
		app->screen.dirty = true;
		for (unsigned i = 0; i < app->screen.hint_count; i++) {
			struct hint_area h =
				app->screen.hints[i]; /* the call changes it */

			if (e->column >= h.from && e->column < h.to)
				return call_command(app, &h.call);
		}
		return false;
	}
	if (id == PANE_NONE)
		return false;
	buf_clear(&app->said);
	if (app->settings.mouse == POINTER_AUTO && !app->state.pointer->told)
		say_on(app);
	notify_key(app, COMMAND_UP); /* it moves a cursor, as that does */
	app->screen.dirty = true;
	if (click)
		return click_pane(app, id, e);
	step_view_settle(app);
	p = &app->screen.panes[id];
	up = e->mouse == MOUSE_WHEEL_UP;
	if (id == PANE_STEPS && app->screen.overlay == PANE_TRANSCRIPT)
		p = &app->screen.panes[PANE_TRANSCRIPT];
	if (p == &app->screen.panes[PANE_STEPS])
		list_pane_scroll(app, p, WHEEL, up);
	else if (list_pane_is_on(app, p))
		call_command(app,
			&(struct invocation){.command = up ? COMMAND_UP : COMMAND_DOWN,
				.count = WHEEL});
	else
		doc_pane_scroll(p, WHEEL, up);
	return false;
}

const struct controller_ops pointer_controller = {
	.state = sizeof(struct pointer_state),
	.on[EVENT_SETTINGS] = apply,
};
