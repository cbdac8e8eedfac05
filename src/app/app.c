/*
 * The viewer's loop: wait for an event, let a pane or the application answer it, draw when
 * something changed, and read the file in slices of a few milliseconds in between.
 */
#include "config.h"
#include "app/app.h"

#include <inttypes.h>
#include <stdio.h>

#include "app/pane.h"
#include "base/clock.h"
#include "base/mem.h"
#include "term/term.h"
#include "text/safe.h"
#include "view/facts.h"

#define SLICE       5000      /* microseconds of work between two looks for a key */
#define FIRST_SLICE 20000     /* ... before the first screen */
#define REDRAW      150000    /* microseconds between two screens while reading */
#define CHECK_MOST  (64u << 20) /* bytes of a file whose steps are judged ahead */

/* ---- the chosen step ---- */

uint32_t app_step(const struct app *app)
{
	struct steps_row r;

	if (app->panes[PANE_STEPS].cursor >= app->steps.count)
		return NO_STEP;
	r = steps_at(&app->steps, app->panes[PANE_STEPS].cursor);
	if (r.is_chain && !app->model->chains[r.chain].count)
		return NO_STEP;
	return app->model->order[r.position];
}

static void build_side(struct app *app, enum pane_id id)
{
	struct pane *p = &app->panes[id];

	doc_clear(&p->doc);
	if (app->opened)
		conversation_build(&p->doc, app->model, app->opened_step, app->opened,
			p->input, p->mode);
}

/* Opens the step under the cursor, and both its sides. */
static void open_step(struct app *app)
{
	uint32_t step = app_step(app);

	if (app->opened && step == app->opened_step)
		return;
	for (int i = PANE_INPUT; i <= PANE_OUTPUT; i++)
		doc_clear(&app->panes[i].doc);
	opened_free(app->opened);
	app->opened = step == NO_STEP ? NULL : opened_new(app->model, step);
	app->opened_step = step;
	build_side(app, PANE_INPUT);
	build_side(app, PANE_OUTPUT);
}

/* ---- layout ---- */

static bool is_shared(const struct app *app)
{
	return app->opened && app->opened->shared &&
		app->panes[PANE_INPUT].mode == MODE_CHAT;
}

static void lay_out(struct app *app)
{
	struct layout_wish wish = {
		.focus = app->helping ? PANE_HELP : app->focus,
		.side = app->side,
		.zoomed = app->zoomed,
		.shared = is_shared(app),
	};

	if (wish.shared && app->focus == PANE_OUTPUT)
		app->focus = wish.focus = app->helping ? PANE_HELP : PANE_INPUT;
	if (wish.shared)
		app->side = wish.side = PANE_INPUT;
	term_size(&wish.columns, &wish.rows);
	layout_compute(&app->layout, &wish);
	for (int i = 0; i < PANE_COUNT; i++) {
		struct rect r = app->layout.pane[i];

		if (app->layout.titles && r.rows) {
			r.row++;
			r.rows--;
		}
		app->panes[i].area = r;
	}
}

/* ---- drawing ---- */

static void put_state(struct app *app, struct buf *out)
{
	uint64_t size = source_size(app->model->source);

	if (app->loading == LOAD_DONE)
		return;
	if (app->loading == LOAD_WAIT)
		buf_text(out, "waiting for input  ");
	else if (size)
		buf_printf(out, "reading %" PRIu64 "%%  ", load_progress(app->loader) * 100 / size);
}

/* File ▸ chain, and on the right its totals and the format. */
static void draw_header(struct app *app)
{
	struct steps_row r = {0};
	struct buf left = BUF_INIT, right = BUF_INIT;
	const struct model *m = app->model;
	unsigned columns = app->layout.columns, width;

	put_state(app, &right);
	safe_line(&left, str_of(source_name(m->source)));
	if (app->steps.count) {
		const struct chain *c;

		r = steps_at(&app->steps, app->panes[PANE_STEPS].cursor);
		c = &m->chains[r.chain];
		buf_text(&left, safe_ascii() ? " > " : " \xE2\x96\xB8 ");
		safe_line(&left, model_text(m, c->name == NO_TEXT ? c->trace : c->name));
		if (app->loading == LOAD_DONE)
			facts_totals_text(&right, m->chain_count == 1 ? &c->totals : &m->totals);
		else
			buf_printf(&right, "%zu steps", m->count);
	}
	if (m->chain_count > 1)
		buf_printf(&right, "  %zu chains", m->chain_count);
	if (m->format)
		buf_printf(&right, "  %s ", m->format);
	width = safe_width(buf_view(&right));
	if (width + 20 > columns)
		width = 0;
	lines_clear(&app->line);
	lines_begin(&app->line);
	lines_put(&app->line, ROLE_TITLE, STR(" "), 1);
	term_draw_text(0, 0, columns, ROLE_STATUS, STR(""));
	{
		struct buf fit = BUF_INIT;

		safe_fit(&fit, buf_view(&left), columns > width + 2 ? columns - width - 2 : columns);
		term_draw_text(0, 1, columns > width + 1 ? columns - width - 1 : columns,
			ROLE_STATUS, buf_view(&fit));
		buf_done(&fit);
	}
	if (width)
		term_draw_text(0, columns - width, width, ROLE_STATUS, buf_view(&right));
	buf_done(&left);
	buf_done(&right);
}

static void put_keys(struct lines *out)
{
	static const enum command shown[] = {COMMAND_HELP, COMMAND_NEXT_PANE, COMMAND_ZOOM,
		COMMAND_VIEW, COMMAND_FOLD, COMMAND_QUIT};

	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		const struct command_row *row = &command_rows[shown[i]];
		struct buf key = BUF_INIT;

		command_key_name(row->keys[0], &key);
		lines_put(out, ROLE_STATUS, STR("  "), 2);
		lines_put(out, ROLE_KEYS, buf_view(&key), (uint32_t)key.len);
		lines_printf(out, ROLE_STATUS, " %s", row->brief);
		buf_done(&key);
	}
	lines_put(out, ROLE_STATUS, STR(" "), 1);
}

static void draw_footer(struct app *app)
{
	struct pane *p = &app->panes[app->helping ? PANE_HELP : app->focus];
	unsigned row = app->layout.rows - 1, columns = app->layout.columns, keys;
	struct buf text = BUF_INIT;

	if (app->error.text) {
		struct buf raw = BUF_INIT;

		err_format(&app->error, &raw);
		safe_line(&text, buf_view(&raw));
		buf_done(&raw);
	} else {
		if (app->steps.count)
			buf_printf(&text, "%zu/%zu  ", app->panes[PANE_STEPS].cursor + 1,
				app->steps.count);
		p->ops->status(app, p, &text);
	}
	lines_clear(&app->line);
	lines_begin(&app->line);
	put_keys(&app->line);
	keys = app->line.lines[0].width;
	term_draw_text(row, 0, columns, ROLE_STATUS, STR(""));
	if (columns > keys + 12)
		term_draw_line(row, columns - keys, keys, 0, &app->line, 0, ROLE_STATUS, ROLE_TEXT);
	else
		keys = 0;
	lines_clear(&app->line);
	lines_begin(&app->line);
	{
		struct buf fit = BUF_INIT;

		safe_fit(&fit, buf_view(&text), columns > keys + 2 ? columns - keys - 2 : columns);
		term_draw_text(row, 1, columns > keys + 1 ? columns - keys - 1 : columns,
			app->error.text ? ROLE_ERROR : ROLE_STATUS, buf_view(&fit));
		buf_done(&fit);
	}
	buf_done(&text);
}

static void draw_borders(const struct layout *l)
{
	for (size_t i = 0; i < 2; i++)
		for (unsigned row = l->header; l->borders[i] && row + l->footer < l->rows; row++)
			term_draw_glyph(row, l->borders[i], ROLE_BORDER, GLYPH_VLINE);
	for (unsigned column = 0; l->divider && column < l->columns; column++)
		term_draw_glyph(l->divider, column, ROLE_BORDER, GLYPH_HLINE);
}

static void draw_pane(struct app *app, enum pane_id id)
{
	struct pane *p = &app->panes[id];
	struct rect area = app->layout.pane[id];
	struct buf title = BUF_INIT;
	bool focused = app->helping ? id == PANE_HELP : id == app->focus;

	if (!area.rows || !area.columns)
		return;
	if (app->layout.titles && id != PANE_STEPS) {
		buf_byte(&title, ' ');
		p->ops->title(app, p, &title);
		term_draw_text(area.row, area.column, area.columns,
			focused ? ROLE_TITLE : ROLE_DIM, buf_view(&title));
	}
	if (p->area.rows)
		p->ops->draw(app, p);
	buf_done(&title);
}

static void draw(struct app *app)
{
	steps_update(&app->steps);
	open_step(app);
	lay_out(app);
	term_erase();
	draw_borders(&app->layout);
	for (int i = 0; i < PANE_COUNT; i++)
		draw_pane(app, (enum pane_id)i);
	if (app->layout.header)
		draw_header(app);
	if (app->layout.footer)
		draw_footer(app);
	term_flush();
	app->dirty = false;
	app->drawn_at = clock_us();
}

/* ---- commands ---- */

static void focus(struct app *app, enum pane_id id)
{
	app->focus = id;
	if (id == PANE_INPUT || id == PANE_OUTPUT)
		app->side = id;
}

static enum pane_id neighbour(const struct app *app, int step)
{
	int count = is_shared(app) ? PANE_OUTPUT : PANE_HELP;

	return (enum pane_id)(((int)app->focus + step + count) % count);
}

static unsigned cancel(struct app *app)
{
	if (app->helping)
		app->helping = false;
	else
		app->zoomed = false;
	return REACT_DRAW;
}

static unsigned app_command(struct app *app, enum command c)
{
	switch (c) {
	case COMMAND_NEXT_PANE:
	case COMMAND_RIGHT:
		if (c == COMMAND_NEXT_PANE || app->focus + 1 < (is_shared(app) ? 2 : 3))
			focus(app, neighbour(app, 1));
		return REACT_DRAW;
	case COMMAND_PREVIOUS_PANE:
	case COMMAND_LEFT:
		if (c == COMMAND_PREVIOUS_PANE || app->focus > PANE_STEPS)
			focus(app, neighbour(app, -1));
		return REACT_DRAW;
	case COMMAND_ZOOM:
		app->zoomed = !app->zoomed;
		return REACT_DRAW;
	case COMMAND_HELP:
		app->helping = !app->helping;
		return REACT_DRAW;
	case COMMAND_VIEW: /* on the list: both sides */
		app->panes[PANE_INPUT].ops->command(app, &app->panes[PANE_INPUT], c);
		app->panes[PANE_OUTPUT].mode = app->panes[PANE_INPUT].mode;
		return REACT_DRAW | REACT_STEP;
	case COMMAND_CANCEL:
		return cancel(app);
	case COMMAND_REDRAW:
		term_repaint();
		return REACT_DRAW;
	case COMMAND_SUSPEND:
		term_suspend();
		return REACT_DRAW;
	case COMMAND_QUIT:
		if (app->helping)
			return cancel(app);
		return REACT_QUIT;
	default:
		return REACT_NOTHING;
	}
}

/* True when it is time to leave. */
static bool perform(struct app *app, enum command c)
{
	struct pane *p = &app->panes[app->helping ? PANE_HELP : app->focus];
	unsigned r = c == COMMAND_NONE ? REACT_NOTHING : p->ops->command(app, p, c);

	if (r & REACT_BUBBLE)
		r = app->helping && (c == COMMAND_NEXT_PANE || c == COMMAND_PREVIOUS_PANE ||
					    c == COMMAND_LEFT || c == COMMAND_RIGHT)
			? REACT_NOTHING
			: app_command(app, c);
	if (r & REACT_STEP && c == COMMAND_VIEW) {
		build_side(app, PANE_INPUT);
		build_side(app, PANE_OUTPUT);
	}
	app->dirty |= r != REACT_NOTHING;
	return r & REACT_QUIT;
}

/* ---- work in slices ---- */

/* Judges steps that nobody has opened yet, so that the list can mark what is broken. */
static bool check_slice(struct app *app, uint64_t deadline)
{
	struct model *m = app->model;

	if (source_size(m->source) > CHECK_MOST)
		app->checked = m->count;
	while (app->checked < m->count) {
		struct step *s = &m->steps[app->checked++];
		uint32_t before = s->flags;

		if (!(before & STEP_CHECKED)) {
			step_check(m, (uint32_t)app->checked - 1);
			app->dirty |= (s->flags & ~(uint32_t)STEP_CHECKED) != before;
		}
		if (clock_passed(deadline))
			return true;
	}
	return false;
}

static void load_slice(struct app *app, uint64_t microseconds, size_t enough)
{
	size_t before = app->model->count;

	if (app->loading == LOAD_WAIT && !source_pump(app->model->source, &app->error))
		app->dirty = true;
	app->loading = load_step(app->loader, clock_deadline(microseconds), enough);
	if (app->loading == LOAD_DONE ||
		(app->model->count != before && clock_us() - app->drawn_at > REDRAW) ||
		(before == 0 && app->model->count))
		app->dirty = true;
}

/* One slice of whatever is left to do; false when there is nothing. */
static bool work(struct app *app)
{
	if (app->loading == LOAD_MORE) {
		load_slice(app, SLICE, SIZE_MAX);
		if (!app->dirty && clock_us() - app->drawn_at > REDRAW)
			app->dirty = true; /* the progress */
		return true;
	}
	return app->loading == LOAD_DONE && check_slice(app, clock_deadline(SLICE));
}

static bool is_busy(const struct app *app)
{
	return app->loading == LOAD_MORE ||
		(app->loading == LOAD_DONE && app->checked < app->model->count);
}

/* Returns true to leave. */
static bool handle(struct app *app, const struct term_event *e, int *signal)
{
	switch (e->type) {
	case TERM_KEY:
		if (e->key == TERM_SYNC) {
			app->syncing = true;
			return false;
		}
		return perform(app, command_of_key(e->key));
	case TERM_RESIZE:
	case TERM_RESUMED:
		app->dirty = true;
		return false;
	case TERM_READABLE:
		load_slice(app, SLICE, SIZE_MAX);
		return false;
	case TERM_HANGUP:
		*signal = e->signal;
		return true;
	case TERM_NOTHING:
		break;
	}
	return false;
}

static int run(struct app *app)
{
	struct err err = {.offset = ERR_NOWHERE};
	bool leave = false, empty = false;
	int signal = 0;

	while (!leave && !empty) {
		struct term_event e;
		int watch = app->loading == LOAD_WAIT ? source_watch(app->model->source) : -1;

		if (app->dirty && !term_pending())
			draw(app);
		if (app->syncing && !app->dirty && !is_busy(app)) {
			app->syncing = false;
			term_sync();
		}
		term_wait(app->dirty || is_busy(app) ? 0 : -1, watch, &e);
		leave = handle(app, &e, &signal);
		if (e.type == TERM_NOTHING)
			work(app);
		empty = app->loading == LOAD_DONE && !app->model->chain_count;
	}
	term_close();
	if (empty && load_unreadable(app->loader, &err))
		fprintf(stderr, "catena: %s: %s\n", err.source, err.text);
	err_done(&err);
	return empty ? 2 : signal ? 128 + signal : 0;
}

/* ---- from start to end ---- */

static void say(const struct err *err)
{
	struct buf raw = BUF_INIT, line = BUF_INIT;

	err_format(err, &raw);
	safe_line(&line, buf_view(&raw));
	fprintf(stderr, "catena: %.*s\n", (int)line.len, line.data);
	buf_done(&raw);
	buf_done(&line);
}

static void begin(struct app *app)
{
	static const struct pane_ops *const ops[PANE_COUNT] = {
		[PANE_STEPS] = &pane_steps_ops,
		[PANE_INPUT] = &pane_side_ops,
		[PANE_OUTPUT] = &pane_side_ops,
		[PANE_HELP] = &pane_help_ops,
	};

	for (int i = 0; i < PANE_COUNT; i++)
		app->panes[i].ops = ops[i];
	app->panes[PANE_INPUT].input = true;
	app->side = PANE_INPUT;
	app->opened_step = NO_STEP;
	app->error.offset = ERR_NOWHERE;
	app->dirty = true;
	pane_help_build(&app->panes[PANE_HELP]);
	steps_begin(&app->steps, app->model);
}

static void end(struct app *app)
{
	opened_free(app->opened);
	for (int i = 0; i < PANE_COUNT; i++)
		doc_done(&app->panes[i].doc);
	steps_done(&app->steps);
	lines_done(&app->line);
	load_free(app->loader);
	model_free(app->model);
	err_done(&app->error);
}

int app_run(const char *path, const struct format *from, bool no_color)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct source *source = source_open(path, &err);
	struct app app = {0};
	int status = 2;

	if (!source) {
		say(&err);
		err_done(&err);
		return status;
	}
	app.model = model_new(source);
	app.loader = load_begin(app.model, from);
	begin(&app);
	app.loading = load_step(app.loader, clock_deadline(FIRST_SLICE), 100);
	if (app.loading == LOAD_DONE && !app.model->chain_count && load_unreadable(app.loader, &err)) {
		say(&err);
	} else {
		if (no_color)
			term_no_color();
		if (term_open(&err))
			status = run(&app);
		else
			say(&err);
	}
	end(&app);
	err_done(&err);
	return status;
}
