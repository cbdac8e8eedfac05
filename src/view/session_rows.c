/* See session_rows.h. */
#include "config.h"
#include "view/session_rows.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/effort.h"
#include "base/home.h"
#include "text/glyph.h"
#include "text/safe.h"
#include "view/cells.h"
#include "view/facts.h"
#include "view/steps.h"

#define EDGE        3  /* the cursor's sign, the mark of a live one, a blank */
#define GAP         2  /* blanks between columns */
#define TITLE_LEAST 24 /* cells that no other column may take */
#define TITLE_ROOMY 60 /* ... or folders beyond their least */
#define FOLDER_MOST 36
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
} rows[SESSION_COLUMNS] = {
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

static bool local(double at, struct tm *tm)
{
	time_t t;

	if (!isfinite(at) || fabs(at) >= 1e11)
		return false;
	t = (time_t)at;
	return localtime_r(&t, tm);
}

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

	if (!local(at, &then) || !local(now, &today))
		return;
	days = day_of(&today) - day_of(&then);
	if (days == 1) {
		buf_text(out, "yesterday");
		return;
	}
	form = days == 0                       ? "%H:%M"
	       : days > 0 && days < 7          ? "%a %H:%M"
	       : then.tm_year == today.tm_year ? "%b %e"
					       : "%Y-%m-%d";
	strftime(text, sizeof(text), form, &then);
	buf_text(out, text);
}

/* The end of a path is what tells it from others. */
static void put_folder(struct lines *out, struct str folder, uint32_t width)
{
	AUTO_BUF path = BUF_INIT;

	home_shorten(folder, &path);
	cells_put(out, ROLE_DIM, buf_view(&path), width, false);
}

/* ---- which columns ---- */

static unsigned bit(enum session_column c)
{
	return 1u << c;
}

unsigned session_rows_known(const struct sessions *s)
{
	unsigned known = bit(SESSION_WHEN) | bit(SESSION_TITLE);

	effort(EFFORT_STEPS, sessions_count(s));
	for (size_t i = 0; i < sessions_count(s) && known + 1 != 1u << SESSION_COLUMNS;
		i++) {
		const struct session *x = sessions_at(s, i);
		const struct totals *t = &x->totals;

		if (x->tool.n || x->format)
			known |= bit(SESSION_TOOL);
		if (!x->read)
			continue;
		known |= bit(SESSION_STEPS);
		if (x->folder.n)
			known |= bit(SESSION_FOLDER);
		if (totals_tokens(t) > 0)
			known |= bit(SESSION_TOKENS);
		if (x->spent.cost > 0)
			known |= bit(SESSION_COST);
		if (t->errors)
			known |= bit(SESSION_ERRORS);
	}
	return known;
}

/* Of those that are left the one worth most; SESSION_COLUMNS: none is. */
static enum session_column next_worth(unsigned left)
{
	enum session_column best = SESSION_COLUMNS;

	for (int i = 0; i < SESSION_COLUMNS; i++)
		if (left >> i & 1 && rows[i].worth &&
			(best == SESSION_COLUMNS || rows[i].worth > rows[best].worth))
			best = (enum session_column)i;
	return best;
}

struct session_layout session_rows_lay_out(unsigned known, uint32_t width)
{
	uint32_t when = rows[SESSION_WHEN].cells,
		 room = width > EDGE + when + GAP ? width - EDGE - when - GAP : 0;
	struct session_layout l = {.width = {[SESSION_WHEN] = when}};
	enum session_column c;

	while ((c = next_worth(known)) != SESSION_COLUMNS) {
		known &= ~bit(c);
		if (room < TITLE_LEAST + GAP + rows[c].cells)
			continue;
		l.width[c] = rows[c].cells;
		room -= GAP + rows[c].cells;
	}
	if (l.width[SESSION_FOLDER] && room > TITLE_ROOMY) {
		uint32_t more = room - TITLE_ROOMY,
			 most = FOLDER_MOST - rows[SESSION_FOLDER].cells;

		more = more < most ? more : most;
		l.width[SESSION_FOLDER] += more;
		room -= more;
	}
	l.width[SESSION_TITLE] = room;
	return l;
}

/* ---- rows ---- */

static void put_gap(struct lines *out, uint32_t cells)
{
	cells_put(out, ROLE_TEXT, STR(""), cells, false);
}

void session_rows_titles(const struct session_layout *l, enum sort_column sorted,
	bool down, struct lines *out)
{
	AUTO_BUF title = BUF_INIT;

	lines_clear(out);
	lines_begin(out);
	put_gap(out, EDGE);
	for (int i = 0; i < SESSION_COLUMNS; i++) {
		if (!l->width[i])
			continue;
		if (i)
			put_gap(out, GAP);
		buf_clear(&title);
		buf_text(&title, rows[i].title);
		if (sorted != SORT_FILE && rows[i].sort == sorted)
			buf_printf(&title, " %s", steps_sort_arrow(down));
		cells_put(out, ROLE_TITLE, buf_view(&title), l->width[i], rows[i].right);
	}
}

/* What belongs below it, where it is folded: "▸ 12 sessions", "▸ 2 agents". */
static void put_fold(const struct session *s, struct buf *out)
{
	size_t below = s->members ? s->members : s->parts;

	if (!below)
		return;
	buf_printf(out, "%s", glyph(s->folded ? GLYPH_FOLD_CLOSED : GLYPH_FOLD_OPEN).p);
	if (s->members)
		home_shorten(s->title, out);
	else
		buf_str(out, session_name(s));
}

static void put_seconds(double seconds, struct buf *out)
{
	if (seconds < 60)
		buf_printf(out, " %.0fs", fmax(seconds, 0));
	else if (seconds < 600)
		buf_printf(out, " %.0fm%02.0fs", floor(seconds / 60), fmod(seconds, 60));
	else
		buf_printf(out, " %.0fm", floor(seconds / 60));
}

/* So many cells of a text; with a sign where that is not all of it. */
static void put_beginning(struct str text, uint32_t cells, struct buf *out)
{
	size_t n = safe_beginning(text, cells);

	if (n < text.n)
		n = safe_beginning(text, cells - 1);
	safe_line(out, (struct str){text.p, n});
	if (n < text.n)
		buf_str(out, glyph(GLYPH_ELLIPSIS));
}

void session_put_state(
	const struct session *s, double now, uint32_t most, struct buf *out, bool *ticks)
{
	double seconds = floor(now - s->since);

	*ticks = false;
	if (s->state == STATE_UNKNOWN || seconds > STATE_RECENT)
		return;
	if (s->state == STATE_WAITING) {
		buf_text(out, seconds < WAITS ? "waiting for you" : "done");
		return;
	}
	*ticks = true;
	buf_text(out, s->state == STATE_RUNNING ? "running " : "thinking");
	put_beginning(s->doing, most > STATE_WORDS ? most - STATE_WORDS : 1, out);
	put_seconds(seconds, out);
}

/* What goes on stands before what it is about, as long as both have room. */
static uint32_t put_state(
	const struct session *s, uint32_t width, double now, struct lines *out)
{
	AUTO_BUF text = BUF_INIT;
	uint32_t taken = 0;
	bool ticks;

	session_put_state(s, now, width * 3 / 5, &text, &ticks);
	if (text.len && safe_width(buf_view(&text)) + GAP + TITLE_LEAST / 2 <= width) {
		taken = safe_width(buf_view(&text)) + GAP;
		cells_put(out, s->state == STATE_WAITING ? ROLE_USER : ROLE_TOOL,
			buf_view(&text), taken, false);
	}
	return taken;
}

/* What a session with hits is called, in a third of the room. */
static uint32_t put_found_title(
	const struct session *s, uint32_t width, struct lines *out)
{
	uint32_t cells = width / 3;
	AUTO_BUF name = BUF_INIT;

	if (width < TITLE_LEAST + TITLE_LEAST / 2 || !(s->read || s->glanced))
		return 0;
	put_fold(s, &name);
	if (!name.len)
		buf_str(&name, session_name(s));
	cells_put_beginning(out, ROLE_DIM, buf_view(&name), cells);
	put_gap(out, GAP);
	return cells + GAP;
}

/* The last so many cells of a text, whole characters of it. */
static struct str ending_of(struct str text, uint32_t cells)
{
	while (text.n && safe_width(text) > cells)
		do {
			text.p++;
			text.n--;
		} while (text.n && ((unsigned char)*text.p & 0xC0) == 0x80);
	return text;
}

/* "12 hits  the line with the first of them": the hit stands in the first half. */
static void put_found(const struct session *s, uint32_t width, struct lines *out)
{
	const struct session_hits *f = &s->found;
	struct str before = {f->line.p, f->from},
		   hit = {f->line.p + f->from, f->to - f->from},
		   after = {f->line.p + f->to, f->line.n - f->to};
	struct buf count = BUF_INIT;
	uint32_t taken, room;

	facts_tokens(&count, (double)f->hits);
	buf_text(&count, f->more ? "+ hits  " : f->hits == 1 ? " hit  " : " hits  ");
	taken = cells_put_cut(out, ROLE_DIM, buf_view(&count), width);
	buf_done(&count);
	room = width - taken;
	if (safe_width(f->line) > room && safe_width(before) > room / 3) {
		before = ending_of(before, room / 3);
		taken += cells_put_cut(out, ROLE_DIM, glyph(GLYPH_ELLIPSIS), room);
	}
	taken += cells_put_cut(out, ROLE_TEXT, before, width - taken);
	taken += cells_put_cut(out, ROLE_HIT, hit, width - taken);
	taken += cells_put_cut(out, ROLE_TEXT, after, width - taken);
	put_gap(out, width - taken);
}

static void put_title(
	const struct session *s, uint32_t width, double now, struct lines *out)
{
	AUTO_BUF name = BUF_INIT, more = BUF_INIT;
	uint32_t taken, indent = 2 * s->depth < width ? 2 * s->depth : 0;
	bool known = s->read || s->glanced;

	put_gap(out, indent);
	width -= indent;
	width -= s->found.hits ? 0 : put_state(s, width, now, out);
	if (s->found.hits) {
		width -= put_found_title(s, width, out);
		put_found(s, width, out);
		return;
	}
	put_fold(s, &name);
	if (!name.len)
		buf_str(&name, known ? session_name(s) : glyph(GLYPH_ELLIPSIS));
	session_more(s, &more);
	taken = safe_width(buf_view(&name));
	if (!known || !more.len || taken + GAP >= width) {
		cells_put_beginning(
			out, known ? ROLE_TEXT : ROLE_DIM, buf_view(&name), width);
	} else {
		cells_put_beginning(out, ROLE_TEXT, buf_view(&name), taken);
		put_gap(out, GAP);
		cells_put_beginning(out, ROLE_DIM, buf_view(&more), width - taken - GAP);
	}
}

static void put_cost(const struct usage_sum *spent, uint32_t width, struct buf *out)
{
	uint32_t sign = spent->estimated;

	if (!(spent->cost > 0))
		return;
	if (sign && spent->cost >= LEAST_COST)
		buf_str(out, glyph(GLYPH_ABOUT));
	facts_cost_in(out, spent->cost, facts_cost_decimals(spent->cost), width - sign);
}

static void put_text(const struct session *s, enum session_column c, uint32_t width,
	double now, struct buf *out)
{
	const struct totals *t = &s->totals;

	switch (c) {
	case SESSION_WHEN:
		session_when(s->at, now, out);
		break;
	case SESSION_TOOL:
		buf_str(out, s->tool.n ? s->tool : str_of(s->format));
		break;
	case SESSION_STEPS:
		if (s->read)
			facts_tokens_in(out, (double)t->steps, width);
		break;
	case SESSION_TOKENS:
		facts_flow_in(out, t, width);
		break;
	case SESSION_COST:
		put_cost(&s->spent, width, out);
		break;
	case SESSION_ERRORS:
		if (t->errors)
			facts_tokens_in(out, (double)t->errors, width);
		break;
	default:
		break;
	}
}

static void put_cell(const struct session *s, enum session_column c, uint32_t width,
	double now, struct lines *out)
{
	AUTO_BUF text = BUF_INIT;

	if (c == SESSION_TITLE) {
		put_title(s, width, now, out);
		return;
	}
	if (c == SESSION_FOLDER) {
		put_folder(out, s->members ? STR("") : s->folder, width);
		return;
	}
	put_text(s, c, width, now, &text);
	cells_put(out, rows[c].role, buf_view(&text), width, rows[c].right);
}

void session_rows_line(const struct session_layout *l, const struct session *s,
	double now, struct lines *out)
{
	lines_clear(out);
	lines_begin(out);
	put_gap(out, 1);
	cells_put(out, ROLE_USER,
		session_is_live(s, now) ? glyph(GLYPH_SPEAKER) : STR(""), EDGE - 1,
		false);
	for (int i = 0; i < SESSION_COLUMNS; i++) {
		if (!l->width[i])
			continue;
		if (i)
			put_gap(out, GAP);
		put_cell(s, (enum session_column)i, l->width[i], now, out);
	}
}

/* ---- as text ---- */

#define PRINT_TITLE 60 /* cells, where lines stay whole */
#define PRINT_FLUSH (1u << 16)

static uint32_t most(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* What each column needs, where there is no edge. */
static struct session_layout lay_out_whole(const struct sessions *s, unsigned known)
{
	struct session_layout l = session_rows_lay_out(known, 1000);
	AUTO_BUF text = BUF_INIT, more = BUF_INIT;
	uint32_t title = 7, folder = 6;

	for (size_t i = 0; i < sessions_count(s); i++) {
		const struct session *x = sessions_at(s, i);

		buf_clear(&text);
		buf_clear(&more);
		buf_str(&text, session_name(x));
		session_more(x, &more);
		title = most(title, safe_width(buf_view(&text)) + (more.len ? GAP : 0) +
					    safe_width(buf_view(&more)));
		buf_clear(&text);
		home_shorten(x->folder, &text);
		folder = most(folder, safe_width(buf_view(&text)));
	}
	l.width[SESSION_TITLE] = title < PRINT_TITLE ? title : PRINT_TITLE;
	if (l.width[SESSION_FOLDER])
		l.width[SESSION_FOLDER] = folder;
	return l;
}

static void print_line(const struct lines *line, struct str path, struct buf *out)
{
	if (!path.n) {
		lines_print(line, 0, out);
		return;
	}
	lines_plain(line, 0, out);
	buf_text(out, "  ");
	safe_line(out, path);
	buf_byte(out, '\n');
}

void session_rows_print(const struct sessions *s, uint32_t width, double now,
	struct buf *out, void (*write)(struct buf *out))
{
	unsigned known = session_rows_known(s);
	bool whole = width == WRAP_NEVER;
	struct session_layout l =
		whole ? lay_out_whole(s, known) : session_rows_lay_out(known, width);
	AUTO(lines_done) struct lines line = {0};

	session_rows_titles(&l, SORT_FILE, true, &line);
	print_line(&line, whole ? STR("file") : STR(""), out);
	for (size_t i = 0; i < sessions_count(s); i++) {
		const struct session *x = sessions_at(s, i);

		session_rows_line(&l, x, now, &line);
		print_line(&line, whole ? str_of(x->path) : STR(""), out);
		if (out->len > PRINT_FLUSH)
			write(out);
	}
}
