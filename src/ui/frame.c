/* The header, the footer, the borders and the panes' titles: see app.h. */
#include "config.h"
#include "ui/core/app.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/work.h"
#include "term/term.h"
#include "text/safe.h"
#include "ui/control/controllers.h"
#include "view/cells.h"
#include "view/facts.h"

#define BAR 8 /* cells */

static void put_state(const struct app *app, struct buf *out, unsigned terse)
{
	uint64_t size = inputs_size(app->trace->inputs), done;
	bool stopped = app->input.stopped;
	unsigned filled;

	if (app->step.opening) {
		buf_text(out, "opening ");
		facts_bytes(out, app->step.length);
		buf_text(out, "  ");
	}
	job_put(app, out);
	if (app->input.status == TASK_DONE)
		return;
	if (app->input.status == TASK_IDLE) {
		buf_text(out, load_follows(app->input.load)   ? "following  "
			      : load_unpacks(app->input.load) ? "unpacking  "
							      : "waiting for input  ");
	} else if (load_is_arranging(app->input.load) &&
		   trace_progress(app->trace) < 100) {
		buf_printf(out, "arranging %u%%  ", trace_progress(app->trace));
	} else if (size) {
		done = load_progress(app->input.load);
		filled = done < size ? (unsigned)((double)done / (double)size * BAR * 8)
				     : BAR * 8;
		buf_text(out, stopped ? "stopped at " : "reading ");
		/* filled up to a part of the whole, in eighths of a cell */
		for (unsigned cell = 0; !terse && !stopped && cell < BAR; cell++) {
			unsigned here = filled > cell * 8 ? filled - cell * 8 : 0;

			if (safe_ascii())
				buf_byte(out, here >= 4 ? '#' : '.');
			else
				buf_text(out, glyph_eighths[here < 8 ? here : 8]);
		}
		buf_printf(out, " %" PRIu64 "%%  ", done * 100 / size);
		if (!terse) {
			facts_bytes(out, done);
			buf_text(out, "  ");
		}
	}
}

/* What the header says on its right; at a higher `terse` less of it. */
static void put_figures(struct app *app, struct buf *out, unsigned terse)
{
	const struct trace *trace = app->trace;
	uint32_t model = list_names_model(&app->steps.names);
	const struct totals *totals;

	if (session_list_is_on(app)) {
		session_list_put_figures(app, out, terse);
		return;
	}
	if (terse < 5)
		put_state(app, out, terse ? terse - 1 : 0);
	list_filter_put(app, out, terse ? terse - 1 : 0);
	if (terse < 4)
		context_put_gauge(app, out);
	if (!trace->chain_count || terse > 2)
		return;
	totals = trace->chain_count == 1 ? &trace->chains[0].totals : &trace->totals;
	if (terse == 2 && input_is_settled(app)) {
		facts_totals_text(
			out, totals, TOTALS_STEPS | TOTALS_COST | TOTALS_ERRORS);
		return;
	}
	if (!terse && model != NO_TEXT) {
		safe_line(out, trace_text(trace, model));
		buf_text(out, "  ");
	}
	if (input_is_settled(app))
		facts_totals_text(out, totals, TOTALS_ALL);
	else
		buf_printf(out, "%zu step%s", trace->count, plural(trace->count));
	if (trace->chain_count > 1)
		buf_printf(out, "  %zu chains", trace->chain_count);
	if (trace->format && !terse)
		buf_printf(out, "  %s", trace->format);
}

#define FILE_LEAST 12 /* cells of a file's name that are kept before a chain's */
#define ROOMY      80 /* columns of a screen; with fewer none are, if need be */

/* File ▸ chain, in so many cells if the file's name can give way, 0: the least; an id
 * that was made up says nothing. */
static void put_names(const struct app *app, unsigned cells, struct buf *out)
{
	const struct trace *trace = app->trace;
	const struct inputs *in = trace->inputs;
	uint32_t step = step_at_cursor(app); /* of several files its is named */
	const char *path = inputs_wholes(in) < 2 || step == NO_STEP
				   ? inputs_name(in)
				   : inputs_name_at(in, trace_step(trace, step).offset);
	const char *slash = strrchr(path, '/'),
		   *file = slash && slash[1] ? slash + 1 : path;
	const struct chain *c;
	AUTO_BUF chain = BUF_INIT;
	unsigned rest,
		least = cells && app->screen.layout.columns < ROOMY ? 0 : FILE_LEAST;
	struct str title;

	buf_clear(out);
	safe_line(out, str_of(file));
	if (!app->steps.count)
		return;
	c = &trace->chains[step_row_at_cursor(app).chain];
	title = trace_chain_title(trace, c);
	if ((c->name == NO_TEXT && c->generated &&
		    trace->scopes[c->scope].asked == NO_TEXT) ||
		str_starts(str_of(file), title))
		return; /* it says nothing, or nothing new */
	buf_str(&chain, glyph(GLYPH_WITHIN));
	safe_line(&chain, title);
	rest = safe_width(buf_view(&chain));
	rest = cells >= rest + FILE_LEAST ? cells - rest : least;
	if (safe_width(buf_view(out)) > rest) {
		buf_clear(out);
		safe_fit(out, str_of(file), rest);
	}
	if (!rest)
		safe_line(out, title);
	else
		buf_str(out, buf_view(&chain));
}

/* A text on the left of a bar, cut where it meets the `right` cells that are taken. */
static void draw_left(
	unsigned row, unsigned columns, unsigned right, enum role role, struct str text)
{
	struct lines line = {0};
	unsigned room = columns > right + 2 ? columns - right - 2
			: columns > 1       ? columns - 1
					    : 1;

	lines_begin(&line);
	cells_put_beginning(&line, role, text, room);
	term_draw_line(row, columns > 1, room, 0, &line, 0, role, ROLE_STATUS);
	lines_done(&line);
}

/* The file's name gives way first, then model and format, then the chain's name down to
 * half of the row, and figures last. */
static void draw_header(struct app *app)
{
	AUTO_BUF left = BUF_INIT, right = BUF_INIT;
	unsigned columns = app->screen.layout.columns, names, need, width = 0;

	if (session_list_is_on(app))
		session_list_put_name(app, &left);
	else
		put_names(app, 0, &left);
	names = safe_width(buf_view(&left));
	for (unsigned terse = 0; terse < 6; terse++) {
		need = terse < 2 || names < columns / 2 ? names : columns / 2;
		buf_clear(&right);
		put_figures(app, &right, terse);
		width = safe_width(buf_view(&right));
		if (width + need + 4 <= columns)
			break;
	}
	if (width + 4 > columns)
		width = 0;
	if (!session_list_is_on(app) && columns > width + 4)
		put_names(app, columns - width - (width ? 4 : 2), &left);
	term_draw_text(0, 0, columns, ROLE_STATUS, STR(""));
	draw_left(0, columns, width ? width + 2 : 0, ROLE_TEXT, buf_view(&left));
	if (width)
		term_draw_text(
			0, columns - width - 1, width, ROLE_STATUS, buf_view(&right));
}

static const struct hint *hints_of(const struct app *app, struct pane *p)
{
	static const struct hint
		of_list[] = {{COMMAND_HELP, "help"}, {COMMAND_ENTER, "open"},
			{COMMAND_QUIT, "quit"}, {COMMAND_SEARCH, "search"},
			{COMMAND_TRANSCRIPT, "read"}, {COMMAND_FINDINGS, "errors"},
			{COMMAND_FILTER, "filter"}, {COMMAND_NONE, NULL}},
		of_some[] = {{COMMAND_HELP, "help"}, {COMMAND_ENTER, "open"},
			{COMMAND_CANCEL, "all steps"}, {COMMAND_SEARCH, "search"},
			{COMMAND_QUIT, "quit"}, {COMMAND_NONE, NULL}},
		usual[] = {{COMMAND_HELP, "help"}, {COMMAND_CANCEL, "back"},
			{COMMAND_SEARCH, "search"}, {COMMAND_FOLD_OR_PAGE, NULL},
			{COMMAND_NEXT_STEP, "next step"}, {COMMAND_VIEW, "view"},
			{COMMAND_ZOOM, "zoom"}, {COMMAND_NONE, NULL}},
		only[] = {{COMMAND_HELP, "help"}, {COMMAND_QUIT, "quit"},
			{COMMAND_SEARCH, "search"}, {COMMAND_NEXT_PANE, "pane"},
			{COMMAND_FOLD_OR_PAGE, NULL}, {COMMAND_VIEW, "view"},
			{COMMAND_ZOOM, "zoom"}, {COMMAND_NONE, NULL}};
	const struct hint *own = p->ops->hints_now ? p->ops->hints_now(p) : p->ops->hints;

	if (find_is_seen(app))
		return find_hints(app);
	if (own)
		return own;
	if (p == &app->screen.panes[PANE_STEPS])
		return list_filter_is_on(app) ? of_some : of_list;
	return screen_has_list(app) ? usual : only;
}

/* A key with what it does; where it stands is kept for the mouse.  False: it has no room.
 */
static bool put_key(struct app *app, const struct invocation *call, struct str key,
	struct str brief, unsigned room)
{
	struct screen *screen = &app->screen;
	struct lines *out = &screen->line;
	unsigned from = out->lines[0].width + 2;

	if (from + safe_width(key) + brief.n + 2 > room)
		return false;
	lines_put(out, ROLE_TEXT, STR("  "), 2);
	lines_put(out, ROLE_KEYS, key, safe_width(key));
	lines_printf(out, ROLE_TEXT, " %.*s", (int)brief.n, brief.p);
	if (screen->hint_count < SCREEN_HINTS)
		screen->hints[screen->hint_count++] =
			(struct hint_area){from, out->lines[0].width, *call};
	return true;
}

/* What may follow the keys that were typed. */
static void put_next_keys(struct app *app, unsigned room)
{
	const struct typed *t = &app->keys.typed;
	const struct keymap *map = &app->keys.map;
	const struct key_row *row, *last, *other;
	AUTO_BUF key = BUF_INIT;
	size_t next = 0, ahead;

	while ((row = keymap_next(map, t->keys, t->count, &next))) {
		struct str brief = row->call.argument;
		bool itself = brief.n && keymap_says_itself(row);

		if (!call_applies(app, &row->call))
			continue;
		if (!brief.n || itself)
			brief = str_of(command_rows[row->call.command].name);
		buf_clear(&key);
		keys_put_names(row->keys + t->count, row->count - t->count, &key);
		/* of keys that say their argument themselves the last in a row is named,
		 * too: "1-9" */
		last = row;
		for (ahead = next; itself; next = ahead) {
			other = keymap_next(map, t->keys, t->count, &ahead);
			if (!other || other->call.command != row->call.command ||
				!keymap_says_itself(other))
				break;
			last = other;
		}
		if (last != row) {
			buf_byte(&key, '-');
			keys_put_names(
				last->keys + t->count, last->count - t->count, &key);
		}
		if (!put_key(app, &row->call, buf_view(&key), brief, room))
			break;
	}
}

/* The keys worth most come first; as many as there is room for. */
static void put_keys(struct app *app, const struct hint *hint, unsigned room)
{
	struct lines *out = &app->screen.line;
	AUTO_BUF key = BUF_INIT;

	for (; hint->command != COMMAND_NONE; hint++) {
		struct invocation call = {.command = hint->command};
		const char *brief = hint->brief;

		if (hint->command == COMMAND_QUIT && app->options.from_list &&
			app->screen.overlay == PANE_NONE)
			brief = "sessions"; /* leaving leads back to them */
		if (!brief)                 /* of Space */
			brief = doc_pane_folds(screen_focused(app)) ? "open" : "page";
		buf_clear(&key);
		if (!keymap_put(&app->keys.map, hint->command, &key))
			continue;
		if (!put_key(app, &call, buf_view(&key), str_of(brief), room))
			break;
	}
	if (out->lines[0].width)
		lines_put(out, ROLE_TEXT, STR(" "), 1);
}

static void put_status(struct app *app, struct buf *out)
{
	struct pane *p = &app->screen.panes[screen_focus(app)];
	AUTO_BUF raw = BUF_INIT;
	const struct typed *t = &app->keys.typed;

	if (typed_is_begun(t)) {
		typed_put(t, out);
		if (t->waits)
			buf_printf(out, "  %s: %s?", command_rows[t->waits].name,
				command_rows[t->waits].argument->name);
	} else if (app->said.len) {
		safe_line(out, buf_view(&app->said));
	} else if (app->input.error.text) {
		err_format(&app->input.error, &raw);
		safe_line(out, buf_view(&raw));
	} else if (jump_is_busy(app)) {
		jump_put_status(app, out);
	} else if (origin_is_busy(app)) {
		origin_put_status(app, out);
	} else if (find_is_seen(app)) {
		find_put_status(app, out);
	} else {
		const struct trace *trace = app->trace;

		/* the step among those of its chain, or the chain among the chains */
		if (app->steps.count && app->screen.overlay == PANE_NONE) {
			size_t row = app->screen.panes[PANE_STEPS].cursor;
			struct steps_row r = steps_at(&app->steps, row);

			if (r.is_chain)
				buf_printf(out, "chain %u/%zu  ", r.chain + 1,
					trace->chain_count);
			else
				buf_printf(out, "%zu/%zu  ",
					trace_number_at(trace, r.position),
					trace->chains[r.chain].count);
		}
		if (p->ops->status)
			p->ops->status(app, p, out);
	}
}

/* Where the cursor is, or an error; the keys. */
static void draw_footer(struct app *app)
{
	unsigned row = app->screen.layout.rows - 1, columns = app->screen.layout.columns,
		 need, keys;
	unsigned most = pane_rows[screen_focus(app)].area == AREA_ABREAST
				? columns / 2
				: columns * 2 / 3;
	AUTO_BUF text = BUF_INIT;

	if (app->prompt.kind) {
		prompt_draw(&app->prompt, row, columns);
		return;
	}
	/* What could not be read, by the panes that were just drawn too, looks as if it
	 * were not there. */
	if (!app->input.error.text)
		inputs_failed(app->trace->inputs, &app->input.error);
	put_status(app, &text);
	need = safe_width(buf_view(&text)) + 2;
	if (!app->said.len && !find_is_on(app))
		need = need < most ? need : most;
	lines_clear(&app->screen.line);
	lines_begin(&app->screen.line);
	need = columns > need ? columns - need : 0;
	app->screen.hint_count = 0;
	if (app->keys.typed.count && !app->keys.typed.waits)
		put_next_keys(app, need);
	else
		put_keys(app, hints_of(app, &app->screen.panes[screen_focus(app)]), need);
	keys = app->screen.line.lines[0].width;
	for (unsigned i = 0; i < app->screen.hint_count; i++) {
		app->screen.hints[i].from += columns - keys;
		app->screen.hints[i].to += columns - keys;
	}
	term_draw_text(row, 0, columns, ROLE_STATUS, STR(""));
	if (keys)
		term_draw_line(row, columns - keys, keys, 0, &app->screen.line, 0,
			ROLE_TEXT, ROLE_STATUS);
	if (text.len)
		draw_left(row, columns, keys,
			app->input.error.text && !app->said.len ? ROLE_ERROR : ROLE_TEXT,
			buf_view(&text));
}

/* The title, and on the right how much of a long document lies above the last row. */
static void draw_title(struct app *app, struct pane *p, enum pane_id id)
{
	const struct layout *l = &app->screen.layout;
	struct rect area = l->pane[id];
	enum role role = id == screen_focus(app) ? ROLE_TITLE : ROLE_DIM;
	bool ruled = l->ruled && pane_rows[id].area != AREA_OVER;
	AUTO_BUF title = BUF_INIT, far = BUF_INIT;
	unsigned room = area.columns, used, wide, percent;

	if (p->ops->name)
		buf_text(&title, p->ops->name);
	if (p->ops->title)
		p->ops->title(app, p, &title);
	percent = p->ops->percent ? p->ops->percent(app) : p->percent;
	if (percent)
		buf_printf(&far, "%u%%", percent);
	used = far.len && room > 3 * far.len ? (unsigned)far.len + 2 : 0;
	if (!ruled)
		term_draw_text(area.row, area.column, area.columns, role, STR(""));
	for (unsigned i = 0; ruled && i <= area.columns; i++) /* on to the next pane */
		term_draw_text(
			area.row, area.column + i, 1, ROLE_BORDER, glyph(GLYPH_HLINE));
	wide = safe_width(buf_view(&title)) + 1;
	room = room > used + ruled + 1 ? room - used - ruled - 1 : 1;
	term_draw_text(area.row, area.column + ruled, 1, role,
		role == ROLE_TITLE ? glyph(GLYPH_CURSOR_EDGE) : STR(" "));
	term_draw_text(area.row, area.column + ruled + 1, wide < room ? wide : room, role,
		buf_view(&title));
	if (used) {
		buf_text(&far, " ");
		term_draw_text(area.row, area.column + area.columns - used - 1, 1, role,
			STR(" "));
		term_draw_text(area.row, area.column + area.columns - used, used - 1,
			ROLE_DIM, buf_view(&far));
	}
}

static void draw_pane(struct app *app, enum pane_id id)
{
	struct pane *p = &app->screen.panes[id];
	struct rect area = app->screen.layout.pane[id];

	if (!area.rows || !area.columns)
		return;
	if (p->area.rows && p->ops->draw)
		p->ops->draw(app, p);
	else if (p->area.rows && list_pane_is_on(app, p))
		list_pane_draw(app, p);
	else if (p->area.rows)
		draw_doc(app, p, screen_focused(app) == p);
	if (app->screen.layout.titles && !(p->ops->list && p->ops->list->titles))
		draw_title(app, p, id);
}

void frame_draw(struct app *app)
{
	const struct layout *l = &app->screen.layout;
	bool links = app->settings.links == LINKS_ON ||
		     (app->settings.links == LINKS_AUTO && term_knows_links());

	step_view_settle(app);
	term_erase();
	for (size_t i = 0; i < 2; i++)
		for (unsigned row = 0; row < l->borders[i].rows; row++)
			term_draw_text(l->borders[i].row + row, l->borders[i].column, 1,
				ROLE_BORDER, glyph(GLYPH_VLINE));
	for (int i = 0; i < PANE_COUNT; i++)
		draw_pane(app, (enum pane_id)i);
	if (l->header)
		draw_header(app);
	if (l->footer)
		draw_footer(app);
	term_links(links,
		app->step.opened ? step_content_folder(app->step.opened) : STR(""));
	term_flush();
	app->screen.dirty = false;
	app->screen.drawn_at = clock_us();
	app->input.drawn_count = app->trace->order_count;
}

/* ---- the mouse ---- */

#define WHEEL 3 /* rows */

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
		buf_set(&app->said, STR("this terminal reports no mouse"));
	}
}

static void say_on(struct app *app)
{
	buf_text(&app->said, "mouse on: Shift and the mouse select text");
	app->screen.mouse_told = true;
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

/* Takes the cursor to what was clicked on, if something is there. */
static bool click_pane(struct app *app, enum pane_id id, const struct term_event *e)
{
	struct pane *p = &app->screen.panes[id];
	unsigned column = e->column - p->area.column;
	struct doc *d = pane_doc(p);
	const struct lines *ls;
	struct place at;
	bool map = id == PANE_STEPS && app->screen.overlay == PANE_TRANSCRIPT;
	struct invocation call = {.command = COMMAND_FOLD};
	bool sign = false, folds;
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
		folds = id == PANE_STEPS &&
			(steps_at(&app->steps, p->cursor).is_chain ||
				steps_has_children(&app->steps, p->cursor));
		if (folds)
			steps_line(&app->steps, p->cursor, &app->screen.line,
				p->area.columns, NULL, true);
		sign = folds && column && has_sign(&app->screen.line, 0, column);
	} else {
		at = d->places[1];
		if (!d->count || !doc_down(d, &at, e->row - p->area.row))
			return false;
		d->places[0] = at;
		ls = doc_line(d, at, &line);
		sign = column && has_sign(ls, line, column - 1); /* after the cursor's */
	}
	if (!sign)
		call.command = COMMAND_ENTER;
	return (sign || e->mouse == MOUSE_DOUBLE) && call_command(app, &call);
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
	if (app->settings.mouse == POINTER_AUTO && !app->screen.mouse_told)
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
	.on[EVENT_SETTINGS] = apply,
};
