/* See session_rows.h. */
#include "config.h"
#include "view/session_rows.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/work.h"
#include "base/file.h"
#include "chat/brief.h"
#include "text/safe.h"
#include "view/cells.h"
#include "view/facts.h"

#define EDGE        3  /* the cursor's sign, the mark of a live one, a blank */
#define GAP         2  /* blanks between columns */
#define TITLE_LEAST 24 /* cells that no other column may take */
#define TITLE_ROOMY 60 /* ... or folders beyond their least */
#define FOLDER_MOST 36
#define WORTH_MOST  6 /* of a column */
#define DAY         86400.0
#define STATE_WORDS 14    /* cells of "running " and how long */
#define LEAST_COST  0.001 /* of less a row says "less than" */
#define WAITS       600   /* seconds after an answer in which it waits for the person */

static const struct session_column_row {
	const char *title;
	uint32_t cells;
	enum role role;
	bool right;
	unsigned worth; /* a higher one gets its cells first */
	enum sort_column sort;
} columns[SESSION_COLUMNS] = {
	[SESSION_WHEN] = {"when", 10, ROLE_TIME, false, 0, SORT_TIME},
	[SESSION_TOOL] = {"tool", 12, ROLE_MODEL, false, 6, SORT_MODEL},
	[SESSION_TITLE] = {"session", 0, ROLE_TEXT, false, 0, SORT_NAME},
	[SESSION_FOLDER] = {"folder", 16, ROLE_DIM, false, 1, SORT_FILE},
	[SESSION_STEPS] = {"steps", 5, ROLE_TEXT, true, 5, SORT_FILE},
	[SESSION_TOKENS] = {"tokens", 12, ROLE_TOKENS, true, 2, SORT_TOKENS},
	[SESSION_COST] = {"cost", 7, ROLE_COST, true, 4, SORT_COST},
	[SESSION_ERRORS] = {"err", 4, ROLE_ERROR, true, 3, SORT_FILE},
};

/* ---- texts ---- */

/* Days since some day, by the calendar of the place. */
static long day_of(const struct tm *tm)
{
	return lround((tm->tm_year * 365.0) + floor((tm->tm_year + 3) / 4.0)) +
	       tm->tm_yday;
}

void session_when(double at, double now, struct buf *out)
{
	struct tm then, today;
	char text[32] = "";
	const char *form;
	long days;

	if (!usage_calendar(at, &then) || !usage_calendar(now, &today))
		return;
	days = day_of(&today) - day_of(&then);
	form = days == 0                       ? "%H:%M"
	       : days == 1                     ? "yesterday"
	       : days > 0 && days < 7          ? "%a %H:%M"
	       : then.tm_year == today.tm_year ? "%b %e"
					       : "%Y-%m-%d";
	strftime(text, sizeof(text), form, &then);
	buf_text(out, text);
}

/* ---- which columns ---- */

#define BIT(column) (1u << (column))

unsigned session_rows_known(const struct sessions *s)
{
	unsigned known = BIT(SESSION_WHEN) | BIT(SESSION_TITLE);

	count_work(WORK_STEPS, sessions_count(s));
	for (size_t i = 0; i < sessions_count(s) && known + 1 != 1u << SESSION_COLUMNS;
		i++) {
		const struct session *x = sessions_at(s, i);
		const struct totals *t = &x->totals;

		if (x->tool.n || x->format)
			known |= BIT(SESSION_TOOL);
		if (!x->read)
			continue;
		known |= BIT(SESSION_STEPS);
		if (x->folder.n)
			known |= BIT(SESSION_FOLDER);
		if (totals_tokens(t) > 0)
			known |= BIT(SESSION_TOKENS);
		if (x->spent.cost > 0)
			known |= BIT(SESSION_COST);
		if (t->errors)
			known |= BIT(SESSION_ERRORS);
	}
	return known;
}

struct session_layout session_rows_lay_out(unsigned known, uint32_t width)
{
	uint32_t when = columns[SESSION_WHEN].cells,
		 room = width > EDGE + when + GAP ? width - EDGE - when - GAP : 0;
	struct session_layout l = {.width = {[SESSION_WHEN] = when}};

	for (unsigned worth = WORTH_MOST; worth; worth--)
		for (int c = 0; c < SESSION_COLUMNS; c++) {
			uint32_t cells = columns[c].cells;

			if (columns[c].worth != worth || !(known >> c & 1) ||
				room < TITLE_LEAST + GAP + cells)
				continue;
			l.width[c] = cells;
			room -= GAP + cells;
		}
	if (l.width[SESSION_FOLDER] && room > TITLE_ROOMY) {
		uint32_t more = room - TITLE_ROOMY,
			 most = FOLDER_MOST - columns[SESSION_FOLDER].cells;

		more = more < most ? more : most;
		l.width[SESSION_FOLDER] += more;
		room -= more;
	}
	l.width[SESSION_TITLE] = room;
	return l;
}

/* ---- rows ---- */

void session_rows_titles(const struct session_layout *l, enum sort_column sorted,
	bool down, struct lines *out)
{
	AUTO_BUF title = BUF_INIT;

	lines_clear(out);
	cells_blank(out, EDGE);
	for (int i = 0; i < SESSION_COLUMNS; i++) {
		if (!l->width[i])
			continue;
		cells_blank(out, i ? GAP : 0);
		buf_clear(&title);
		buf_text(&title, columns[i].title);
		if (sorted != SORT_FILE && columns[i].sort == sorted)
			buf_printf(&title, " %s", glyph(down ? GLYPH_DOWN : GLYPH_UP).p);
		cells_put(
			out, ROLE_TITLE, buf_view(&title), l->width[i], columns[i].right);
	}
}

bool session_put_state(
	const struct session *s, double now, uint32_t most, struct buf *out)
{
	double seconds = floor(now - s->since);
	uint32_t cells = most > STATE_WORDS ? most - STATE_WORDS : 1;
	size_t n = safe_beginning(s->doing, cells);

	if (s->state == STATE_UNKNOWN || seconds > STATE_RECENT)
		return false;
	if (s->state == STATE_WAITING) {
		buf_text(out, seconds < WAITS ? "waiting for you" : "done");
		return false;
	}
	buf_text(out, s->state == STATE_RUNNING ? "running " : "thinking");
	if (n < s->doing.n) /* a sign says that this is not all of it */
		n = safe_beginning(s->doing, cells - 1);
	safe_line(out, (struct str){s->doing.p, n});
	if (n < s->doing.n)
		buf_str(out, glyph(GLYPH_ELLIPSIS));
	if (seconds < 60)
		buf_printf(out, " %.0fs", fmax(seconds, 0));
	else if (seconds < 600)
		buf_printf(out, " %.0fm%02.0fs", floor(seconds / 60), fmod(seconds, 60));
	else
		buf_printf(out, " %.0fm", floor(seconds / 60));
	return true;
}

/* "12 hits  the line with the first of them", after what the session is called, in a
 * third of the room: the hit stands in the first half. */
static void put_found(
	const struct session *s, struct str name, uint32_t width, struct lines *out)
{
	const struct session_hits *f = &s->found;
	struct str before = {f->line.p, f->from},
		   hit = {f->line.p + f->from, f->to - f->from},
		   after = {f->line.p + f->to, f->line.n - f->to};
	AUTO_BUF count = BUF_INIT;
	uint32_t taken, room;

	if (name.n && width >= TITLE_LEAST + TITLE_LEAST / 2) {
		cells_put_beginning(out, ROLE_DIM, name, width / 3);
		cells_blank(out, GAP);
		width -= width / 3 + GAP;
	}
	facts_tokens(&count, (double)f->hits);
	buf_text(&count, f->more ? "+ hits  " : f->hits == 1 ? " hit  " : " hits  ");
	taken = cells_put_cut(out, ROLE_DIM, buf_view(&count), width);
	room = width - taken;
	if (safe_width(f->line) > room && safe_width(before) > room / 3) {
		while (before.n && safe_width(before) > room / 3)
			do /* whole characters */
				before = str_skip(before, 1);
			while (before.n && ((unsigned char)*before.p & 0xC0) == 0x80);
		taken += cells_put_cut(out, ROLE_DIM, glyph(GLYPH_ELLIPSIS), room);
	}
	taken += cells_put_cut(out, ROLE_TEXT, before, width - taken);
	taken += cells_put_cut(out, ROLE_HIT, hit, width - taken);
	taken += cells_put_cut(out, ROLE_TEXT, after, width - taken);
	cells_blank(out, width - taken);
}

static void put_title(
	const struct session *s, uint32_t width, double now, struct lines *out)
{
	AUTO_BUF name = BUF_INIT, more = BUF_INIT, state = BUF_INIT;
	size_t below = s->members ? s->members : s->parts;
	uint32_t taken, indent = 2 * s->depth < width ? 2 * s->depth : 0;
	bool known = s->read || s->glanced, both;

	cells_blank(out, indent);
	width -= indent;
	if (below) /* what belongs below it may be folded away */
		buf_str(&name, glyph(glyph_fold(!s->folded)));
	if (s->members)
		home_shorten(s->title, &name);
	else
		buf_str(&name, known || below ? session_name(s) : glyph(GLYPH_ELLIPSIS));
	if (s->found.hits) {
		put_found(s, known ? buf_view(&name) : STR(""), width, out);
		return;
	}
	/* what goes on stands before what it is about, as long as both have room */
	session_put_state(s, now, width * 3 / 5, &state);
	taken = safe_width(buf_view(&state)) + GAP;
	if (state.len && taken + TITLE_LEAST / 2 <= width) {
		cells_put(out, s->state == STATE_WAITING ? ROLE_USER : ROLE_TOOL,
			buf_view(&state), taken, false);
		width -= taken;
	}
	session_more(s, &more);
	taken = safe_width(buf_view(&name));
	both = known && more.len && taken + GAP < width;
	cells_put_beginning(
		out, known ? ROLE_TEXT : ROLE_DIM, buf_view(&name), both ? taken : width);
	if (both) {
		cells_blank(out, GAP);
		cells_put_beginning(out, ROLE_DIM, buf_view(&more), width - taken - GAP);
	}
}

static void put_cell(const struct session *s, enum session_column c, uint32_t width,
	double now, struct lines *out)
{
	const struct usage_sum *spent = &s->spent;
	AUTO_BUF text = BUF_INIT;

	switch (c) {
	case SESSION_TITLE:
		put_title(s, width, now, out);
		return;
	case SESSION_WHEN:
		session_when(s->at, now, &text);
		break;
	case SESSION_TOOL:
		buf_str(&text, s->tool.n ? s->tool : str_of(s->format));
		break;
	case SESSION_FOLDER: /* the end of a path is what tells it from others */
		home_shorten(s->members ? STR("") : s->folder, &text);
		break;
	case SESSION_STEPS:
		if (s->read)
			facts_tokens_in(&text, (double)s->totals.steps, width);
		break;
	case SESSION_TOKENS:
		facts_flow_in(&text, &s->totals, width);
		break;
	case SESSION_COST:
		if (!(spent->cost > 0))
			break;
		if (spent->estimated && spent->cost >= LEAST_COST)
			buf_str(&text, glyph(GLYPH_ABOUT));
		facts_cost_in(&text, spent->cost, facts_cost_decimals(spent->cost),
			width - spent->estimated);
		break;
	case SESSION_ERRORS:
		if (s->totals.errors)
			facts_tokens_in(&text, (double)s->totals.errors, width);
		break;
	case SESSION_COLUMNS:
		break;
	}
	cells_put(out, columns[c].role, buf_view(&text), width, columns[c].right);
}

void session_rows_line(const struct session_layout *l, const struct session *s,
	double now, struct lines *out)
{
	lines_clear(out);
	cells_blank(out, 1);
	cells_put(out, ROLE_USER,
		session_is_live(s, now) ? glyph(GLYPH_SPEAKER) : STR(""), EDGE - 1,
		false);
	for (int i = 0; i < SESSION_COLUMNS; i++) {
		if (!l->width[i])
			continue;
		cells_blank(out, i ? GAP : 0);
		put_cell(s, (enum session_column)i, l->width[i], now, out);
	}
}

/* ---- as text ---- */

#define PRINT_TITLE 60 /* cells, where lines stay whole */

/* A row that stays whole has its file at the end. */
static void print_line(
	struct report *r, const struct lines *line, bool whole, const char *path)
{
	if (!whole) {
		report_row_line(r, line);
		return;
	}
	lines_plain(line, 0, &r->out);
	buf_text(&r->out, "  ");
	safe_line(&r->out, str_of(path));
	report_row_end(r);
}

void session_rows_print(
	struct report *r, const struct sessions *s, uint32_t width, double now)
{
	unsigned known = session_rows_known(s);
	bool whole = width == WRAP_NEVER;
	struct session_layout l = session_rows_lay_out(known, whole ? 1000 : width);
	uint32_t title = 7, folder = 6, cells;
	AUTO(lines_done) struct lines line = {0};
	AUTO_BUF text = BUF_INIT, more = BUF_INIT;

	/* where there is no edge, each column has what it needs */
	for (size_t i = 0; whole && i < sessions_count(s); i++) {
		const struct session *x = sessions_at(s, i);

		buf_clear(&more);
		session_more(x, &more);
		cells = safe_width(session_name(x)) + (more.len ? GAP : 0) +
			safe_width(buf_view(&more));
		title = cells > title ? cells : title;
		buf_clear(&text);
		home_shorten(x->folder, &text);
		cells = safe_width(buf_view(&text));
		folder = cells > folder ? cells : folder;
	}
	if (whole)
		l.width[SESSION_TITLE] = title < PRINT_TITLE ? title : PRINT_TITLE;
	if (whole && l.width[SESSION_FOLDER])
		l.width[SESSION_FOLDER] = folder;
	session_rows_titles(&l, SORT_FILE, true, &line);
	print_line(r, &line, whole, "file");
	for (size_t i = 0; i < sessions_count(s); i++) {
		if (!report_row(r))
			continue;
		session_rows_line(&l, sessions_at(s, i), now, &line);
		print_line(r, &line, whole, sessions_at(s, i)->path);
	}
}

/* ---- a card ---- */

#define LABEL     7 /* cells of "asked  " */
#define OWN_LINES 6 /* rows of a text that keeps its own lines */
#define NEEDS     6 /* rows besides those of what was asked and said */

static void put_row(struct lines *out, const char *label, enum role role, struct str text,
	uint32_t width, size_t rows)
{
	AUTO_BUF first = BUF_INIT;
	size_t end = out->count + rows;
	struct wrap w;

	if (!text.n || !rows)
		return;
	buf_printf(&first, "%-*s", LABEL, label);
	out->limit = end + 1;
	wrap_begin(&w, out, width > 1 ? width - 1 : 1);
	wrap_indent(&w, buf_view(&first), STR("       "), ROLE_DIM);
	wrap_add(&w, role, str_trim(text));
	wrap_end(&w);
	if (out->count > end) {
		lines_truncate(out, end);
		lines_put(out, ROLE_DIM, glyph(GLYPH_ELLIPSIS), 1);
	}
}

/* In few rows the text's own lines are not kept. */
static void put_told(struct lines *out, const char *label, struct str text,
	uint32_t width, size_t rows)
{
	AUTO_BUF flowing = BUF_INIT;

	buf_str(&flowing, text);
	if (rows < OWN_LINES)
		brief_squeeze(&flowing, PREVIEW_TEXT);
	put_row(out, label, ROLE_TEXT, buf_view(&flowing), width, rows);
}

struct session_card session_card_of(
	const struct session *s, const struct session_preview *read)
{
	struct session_card c = {.tool = s->tool.n ? s->tool : str_of(s->format),
		.model = usage_main_model(&s->usage),
		.folder = s->folder,
		.totals = s->totals,
		.spent = s->spent,
		.window = s->window,
		.read = read};

	c.models =
		s->usage.models.count > 2 || (s->usage.models.count == 2 && !c.model.n);
	if (!s->read)
		c.totals.steps = 0;
	return c;
}

/* ---- rows ---- */

static void put_between(struct buf *out, struct str raw)
{
	if (raw.n && out->len)
		buf_str(out, glyph(GLYPH_SEPARATOR));
	safe_line(out, raw);
}

void session_card_origin(const struct session_card *c, struct buf *safe)
{
	AUTO_BUF folder = BUF_INIT;

	home_shorten(c->folder, &folder);
	put_between(safe, c->tool);
	put_between(safe, c->model);
	if (c->models)
		buf_text(safe, c->model.n ? " and others" : "several models");
	put_between(safe, buf_view(&folder));
	if (c->read)
		put_between(safe, buf_view(&c->read->branch));
}

/* "16 steps · 1 sub-agent · 4 files +17 -4 · tests ✗→✓ · 1 error" */
static void put_done(const struct session_card *c, struct lines *out, uint32_t width)
{
	const struct session_preview *p = c->read;
	const char *between = glyph(GLYPH_SEPARATOR).p;
	size_t added = 0, removed = 0;
	AUTO_BUF text = BUF_INIT;

	if (!c->totals.steps)
		return;
	facts_totals_text(&text, &c->totals, TOTALS_STEPS);
	if (p && p->agents)
		buf_printf(&text, "%s%zu sub-agent%s", between, p->agents,
			plural(p->agents));
	for (size_t i = 0; p && i < p->file_count; i++) {
		added += p->files[i].added;
		removed += p->files[i].removed;
	}
	if (p && p->file_count)
		buf_printf(&text, "%s%zu file%s +%zu -%zu", between, p->file_count,
			plural(p->file_count), added, removed);
	if (p && p->judged) {
		buf_printf(&text, "%stests ", between);
		if (p->failed_first && !p->failed) {
			buf_str(&text, glyph(GLYPH_FAILED));
			buf_str(&text, str_trim(glyph(GLYPH_BECOMES)));
		}
		buf_str(&text, glyph(p->failed ? GLYPH_FAILED : GLYPH_PASSED));
	}
	if (c->totals.errors)
		buf_printf(&text, "%s%" PRIu64 " error%s", between, c->totals.errors,
			plural(c->totals.errors));
	put_row(out, "did", ROLE_TEXT, buf_view(&text), width, 1);
}

#define ROOMY 90 /* cells of a row that says where the context began */

/* " · context 14.0k ▂▃▃▄▄▅ 18.2k, 9 % of 200k"; in a narrow row the share alone. */
static void put_context(const struct session_card *c, struct buf *out, bool roomy)
{
	static const char *const heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	const struct session_preview *p = c->read;
	size_t n = p ? p->growth_count : 0;
	double most = 0, least = INFINITY, height;

	if (!n)
		return;
	buf_printf(out, "%scontext ", out->len ? glyph(GLYPH_SEPARATOR).p : "");
	if (n > 1 && roomy) {
		facts_tokens(out, p->growth[0]);
		buf_text(out, safe_ascii() ? " to " : " ");
	}
	/* between the most and a little below the least */
	for (size_t i = 0; i < n; i++) {
		most = fmax(most, p->growth[i]);
		least = fmin(least, p->growth[i]);
	}
	least *= 0.9;
	for (size_t i = 0; i < n && n > 1 && !safe_ascii(); i++) {
		height = (p->growth[i] - least) / (most - least) * 7.99;
		buf_text(out, heights[height > 0 && height < 8 ? (size_t)height : 0]);
		buf_text(out, i + 1 == n ? " " : "");
	}
	if (roomy || !(c->window > 0)) {
		facts_tokens(out, p->growth[n - 1]);
		buf_text(out, c->window > 0 ? ", " : "");
	}
	if (c->window > 0) {
		buf_printf(out, "%.0f %% of ", 100 * p->growth[n - 1] / c->window);
		facts_tokens_in(out, c->window, 4);
	}
}

/* "204k▒→2125 tok  ≈$0.31 · context … · 2m04s" */
static void put_spent(const struct session_card *c, struct lines *out, uint32_t width)
{
	const struct totals *t = &c->totals;
	AUTO_BUF text = BUF_INIT;

	if (!t->steps)
		return;
	facts_totals_text(&text, t, TOTALS_FLOW | (c->spent.cost > 0 ? 0 : TOTALS_COST));
	facts_spent(&text, &c->spent);
	put_context(c, &text, width >= ROOMY);
	if (!isnan(t->latency)) {
		buf_text(&text, text.len ? glyph(GLYPH_SEPARATOR).p : "");
		facts_latency(&text, t->latency);
	}
	put_row(out, "spent", ROLE_TEXT, buf_view(&text), width, 1);
}

/* The names of changed files, as many as there is room for. */
static void put_files(const struct session_preview *p, uint32_t width, struct lines *out)
{
	size_t shown = 0;
	AUTO_BUF text = BUF_INIT;

	for (; shown < p->file_count && text.len < width; shown++) {
		const struct preview_file *f = &p->files[shown];

		buf_text(&text, shown ? ", " : "");
		buf_str(&text, str_file_name(f->path));
		if (f->added || f->removed)
			buf_printf(&text, " +%zu -%zu", f->added, f->removed);
	}
	if (shown < p->file_count)
		buf_printf(&text, ", and %zu more", p->file_count - shown);
	if (p->read_files)
		buf_printf(&text, "%s%zu only read", text.len ? ", " : "", p->read_files);
	put_row(out, "files", ROLE_TEXT, buf_view(&text), width, 1);
}

/* The texts have the rows that the rest does not need; what is least comes last. */
void session_card_lay_out(
	const struct session_card *c, uint32_t width, size_t rows, struct lines *out)
{
	const struct session_preview *p = c->read;
	size_t texts = rows > NEEDS + 1 ? rows - NEEDS : 2, first;
	AUTO_BUF origin = BUF_INIT, tests = BUF_INIT;

	lines_clear(out);
	if (!c->titled) {
		session_card_origin(c, &origin);
		lines_begin(out);
		lines_put(
			out, ROLE_DIM, buf_view(&origin), safe_width(buf_view(&origin)));
	}
	first = out->count;
	if (p && p->read)
		put_told(out, "asked", buf_view(&p->asked), width, texts / 2);
	texts -= out->count - first;
	put_done(c, out, width);
	if (p && p->read) {
		put_told(out, "ended", buf_view(&p->said), width, texts);
		put_row(out, p->open ? "runs" : "then", ROLE_TEXT, buf_view(&p->did),
			width, 1);
	}
	put_spent(c, out, width);
	if (p && p->read) {
		put_files(p, width, out);
		buf_str(&tests, buf_view(&p->tests));
		if (tests.len && p->judged)
			buf_text(&tests, p->failed ? ": failed" : ": passed");
		put_row(out, "tests", p->failed ? ROLE_ERROR : ROLE_TEXT,
			buf_view(&tests), width, 1);
	} else {
		put_row(out, "", ROLE_DIM, STR("reading"), width, 1);
	}
	out->limit = 0;
	lines_truncate(out, rows);
}
