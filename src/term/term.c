/*
 * The terminal that was opened answers: see term.h and backend.h.  A line of spans is
 * composed in an array of cells and put on the page as a whole.  And the current theme:
 * roles to attributes, for the colors that the terminal has.
 */
#include "config.h"
#include "term/term.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/str.h"
#include "base/work.h"
#include "term/backend.h"
#include "text/safe.h"

#define NOTICE_MOST   80     /* cells of a notice */
#define VTE_LINKS     5000   /* 0.50 */
#define KONSOLE_LINKS 201200 /* 20.12 */

static const struct term_ops *ops; /* NULL: closed */
static bool colorless;

static struct {
	struct term_cell *at; /* the line being composed */
	size_t cap;
} cells;

bool term_open(struct err *err)
{
	if (!ops)
		ops = curses_open(err);
	return ops;
}

void term_open_headless(const struct headless *options)
{
	term_close();
	headless_begin(options);
	ops = &headless_ops;
}

void term_close(void)
{
	if (!ops)
		return;
	ops->close();
	ops = NULL;
	mem_free(cells.at);
	cells.at = NULL;
	cells.cap = 0;
}

bool term_is_present(void)
{
	return ops && ops != &headless_ops;
}

void term_size(unsigned *columns, unsigned *rows)
{
	*columns = *rows = 1;
	if (ops)
		ops->size(columns, rows);
}

void term_wait(int timeout_ms, int watch, struct term_event *event)
{
	*event = (struct term_event){.type = TERM_HANGUP};
	if (ops)
		ops->wait(timeout_ms, watch, event);
}

bool term_pending(void)
{
	return ops && ops->pending();
}

void term_erase(void)
{
	if (ops)
		ops->erase();
}

void term_read_row(unsigned row, unsigned column, unsigned width, struct buf *out)
{
	size_t before = out->len;

	if (ops)
		ops->read(row, column, width, out);
	while (out->len > before && out->data[out->len - 1] == ' ')
		out->len--;
}

void term_ring(void)
{
	term_send(STR("\a"));
}

/* tmux passes on what is wrapped, with each escape twice. */
void term_notice(struct str text)
{
	const char *tmux = getenv("TMUX");
	AUTO_BUF sequence = BUF_INIT;

	buf_text(&sequence, tmux && *tmux ? "\033Ptmux;\033\033]9;" : "\033]9;");
	safe_fit(&sequence, text, NOTICE_MOST);
	buf_text(&sequence, tmux && *tmux ? "\a\033\\" : "\a");
	term_send(buf_view(&sequence));
}

bool term_mouse(bool on)
{
	return ops && ops->mouse(on);
}

int term_colors(void)
{
	return ops ? ops->colors() : 0;
}

void term_sync(void)
{
	if (ops)
		ops->sync();
}

void term_no_color(void)
{
	colorless = true;
}

bool term_is_colorless(void)
{
	return colorless;
}

/* ---- lines of spans ---- */

_Static_assert(ROLE_COUNT <= 256, "term_cell.over is a byte");

/* A line being composed: cells [from, to) of it are visible, `at` is where the next
 * character goes. */
struct strip {
	uint64_t from, to, at;
	size_t count; /* among the cells */
};

/* The role of a span, and of what it lies over. */
struct paint {
	enum role role, over;
};

static void add_cell(
	struct strip *s, const wchar_t *text, unsigned width, struct paint paint)
{
	struct term_cell *cell = MEM_ADD(cells.at, s->count, cells.cap);

	wmemcpy(cell->text, text, wcslen(text) + 1);
	cell->width = (unsigned char)width;
	cell->role = (uint32_t)paint.role;
	cell->over = (unsigned char)paint.over;
}

static void add_spaces(struct strip *s, uint64_t end, struct paint paint)
{
	if (end > s->to)
		end = s->to;
	if (s->at < s->from)
		s->at = end < s->from ? end : s->from;
	for (; s->at < end; s->at++)
		add_cell(s, L" ", 1, paint);
}

/* The width of a code point in cells, 0 for a combining character; *code becomes a
 * replacement when it cannot be shown. */
static unsigned cells_of(unsigned *code)
{
	int n = *code ? wcwidth((wchar_t)*code) : -1;

	if (n >= 0)
		return (unsigned)n;
	*code = safe_ascii() ? '?' : UTF8_REPLACEMENT;
	return 1;
}

/*
 * Terminals disagree on the cells of an emoji that is made of several: some join a family
 * or a tone of skin into two cells, where curses counts two for each.  One that counted
 * otherwise would shift the rest of the row, so joiners are not sent: each part is a
 * character by itself, and a tone is blanks.
 */
enum { JOINER = 0x200D, EMOJI_STYLE = 0xFE0F, TONE_FIRST = 0x1F3FB, TONE_LAST = 0x1F3FF };

/*
 * One spacing character and the combining ones after it, of which a cell holds
 * CELL_CHARS - 1; returns the bytes taken.  Those without a base stand on a space.
 */
static size_t next_cell(struct str text, wchar_t cell[CELL_CHARS + 1], unsigned *width)
{
	unsigned code, n = 0;
	bool valid;
	size_t step, taken = utf8_decode(text.p, text.n, &code, &valid);

	*width = cells_of(&code);
	if (*width == 0) {
		cell[n++] = L' ';
		*width = 1;
	}
	cell[n++] = (wchar_t)code;
	while (taken < text.n && (unsigned char)text.p[taken] >= 0x80) {
		step = utf8_decode(text.p + taken, text.n - taken, &code, &valid);
		if (cells_of(&code) != 0)
			break;
		if (n < CELL_CHARS && code != JOINER && code != EMOJI_STYLE)
			cell[n++] = (wchar_t)code;
		taken += step;
	}
	cell[n] = L'\0';
	return taken;
}

/* Adds text up to the cell `end` of the line, and fills what is left with spaces. */
static void add_text(struct strip *s, struct str text, uint64_t end, struct paint paint)
{
	wchar_t cell[CELL_CHARS + 1];
	unsigned width;
	bool tone;

	if (end <= s->from) {
		s->at = end;
		return;
	}
	while (text.n && s->at < end && s->at < s->to) {
		size_t taken = next_cell(text, cell, &width);

		if (s->at + width > end)
			break;
		tone = cell[0] >= TONE_FIRST && cell[0] <= TONE_LAST;
		if (s->at >= s->from && s->at + width <= s->to && !tone) {
			add_cell(s, cell, width, paint);
			s->at += width;
		} else {
			add_spaces(s, s->at + width, paint);
		}
		text = str_skip(text, taken);
	}
	add_spaces(s, end, paint);
}

/* Begins a line; false when nothing of it would be on the page. */
static bool begin_strip(
	struct strip *s, unsigned row, unsigned column, unsigned width, unsigned skip)
{
	unsigned columns, rows;

	term_size(&columns, &rows);
	if (row >= rows || column >= columns || !width)
		return false;
	if (width > columns - column)
		width = columns - column;
	*s = (struct strip){.from = skip, .to = (uint64_t)skip + width};
	return true;
}

void term_draw_line(unsigned row, unsigned column, unsigned width, unsigned skip,
	const struct lines *ls, size_t line, enum role fill, enum role over)
{
	struct strip s;

	if (!begin_strip(&s, row, column, width, skip))
		return;
	if (line < ls->count) {
		const struct line *l = &ls->lines[line];

		for (uint32_t i = 0; i < l->count && s.at < s.to; i++) {
			const struct span *span = &ls->spans[l->first + i];

			add_text(&s, lines_text(ls, span), s.at + span->width,
				(struct paint){span->role, over});
		}
	}
	add_spaces(&s, s.to, (struct paint){fill, over});
	if (ops)
		ops->put(row, column, cells.at, s.count);
}

void term_draw_text(
	unsigned row, unsigned column, unsigned width, enum role role, struct str safe)
{
	struct strip s;

	if (!begin_strip(&s, row, column, width, 0))
		return;
	add_text(&s, safe, s.to, (struct paint){role, ROLE_TEXT});
	if (ops)
		ops->put(row, column, cells.at, s.count);
}

/* ---- the theme ---- */

static struct {
	bool set;
	struct theme theme;
} current;

void term_set_theme(const struct theme *theme)
{
	current.theme = *theme;
	current.set = true;
	curses_recolor();
}

struct style theme_style(enum role role, int colors)
{
	enum role known = (unsigned)role < ROLE_COUNT ? role : ROLE_TEXT;
	enum theme_depth depth = colors < 8     ? THEME_NONE
				 : colors < 256 ? THEME_FEW
						: THEME_MANY;
	struct style style = {COLOR_DEFAULT, COLOR_DEFAULT, 0};

	if ((unsigned)role & ROLE_PAINT)
		return (struct style){
			theme_paint((int)((unsigned)role >> 8 & 255), colors),
			theme_paint((int)((unsigned)role & 255), colors), 0};
	if (current.set)
		style = current.theme.styles[depth][known];
	style.fg = color_nearest(style.fg, colors);
	style.bg = color_nearest(style.bg, colors);
	return style;
}

struct style theme_laid_over(struct style span, struct style over)
{
	struct style s = span;

	s.bg = over.bg;
	if (over.fg != COLOR_DEFAULT)
		s.fg = over.fg;
	s.attributes |= over.attributes & ~(unsigned)STYLE_REVERSE;
	s.attributes ^= over.attributes & STYLE_REVERSE;
	if (over.attributes & STYLE_REVERSE)
		s.attributes &= ~(unsigned)STYLE_DIM;
	return s;
}

int theme_paint(int color, int colors)
{
	return colors >= 256 && color ? color_nearest(color, colors) : COLOR_DEFAULT;
}

/* ---- what it is known to do ---- */

bool term_is_named(const char *variable, const char *const names[])
{
	const char *value = getenv(variable);

	for (size_t i = 0; value && names[i]; i++)
		if (!strncmp(value, names[i], strlen(names[i])))
			return true;
	return false;
}

static bool is_from(const char *variable, long version)
{
	const char *value = getenv(variable);

	return value && strtol(value, NULL, 10) >= version;
}

bool term_shift_selects(void)
{
	static const char *const types[] = {"xterm", "tmux", "screen", "rxvt",
		"alacritty", "foot", "kitty", "wezterm", "vte", "gnome", "konsole", "st-",
		"ghostty", "contour", "mintty", NULL};
	static const char *const others[] = {"Apple_Terminal", "iTerm.app", NULL};

	return term_is_named("TERM", types) && !term_is_named("TERM_PROGRAM", others);
}

bool term_draws_at_once(void)
{
	static const char *const types[] = {"xterm-kitty", "xterm-ghostty", "alacritty",
		"foot", "contour", "wezterm", "mintty", NULL};
	static const char *const programs[] = {
		"WezTerm", "iTerm.app", "ghostty", "vscode", "mintty", "contour", NULL};

	return term_is_named("TERM", types) || term_is_named("TERM_PROGRAM", programs) ||
	       getenv("WT_SESSION"); /* Windows Terminal */
}

/* A multiplexer inherits the variables of the terminal around it. */
bool term_knows_links(void)
{
	static const char *const multiplexers[] = {"tmux", "screen", NULL};
	static const char *const linking[] = {
		"3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "4", NULL};

	if (term_is_named("TERM", multiplexers))
		return term_is_named("TERM_PROGRAM", multiplexers) &&
		       term_is_named("TERM_PROGRAM_VERSION", linking);
	return term_draws_at_once() || is_from("VTE_VERSION", VTE_LINKS) ||
	       is_from("KONSOLE_VERSION", KONSOLE_LINKS);
}

/* ---- ways out for a text ---- */

#define TIME_LIMIT 2000000 /* microseconds for tmux to take a text */

/* ---- files ---- */

/* Writes a file in the state folder, which the next copy replaces. */
static bool copy_to_file(struct str text, const char *why, struct buf *message)
{
	AUTO_BUF path = BUF_INIT;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (!home_state(&path)) {
		buf_text(message, "not copied: no HOME for a file");
		return false;
	}
	buf_text(&path, "/copied");
	if (outfile_save_private(path.data, text, true, &err)) {
		buf_printf(message, "%s: %zu bytes are in %s", why, text.n, path.data);
		return true;
	}
	buf_text(message, "not copied: ");
	err_format(&err, message);
	return false;
}

/* ---- tmux ---- */

/* True when the command took all of the text and ended well, and soon: a server may
 * hang. */
static bool pipe_to(const char *const argv[], struct str text)
{
	struct spawn spawn = {
		.argv = argv, .streams = {SPAWN_PIPE, SPAWN_NULL, SPAWN_NULL}};
	uint64_t deadline = clock_deadline(TIME_LIMIT);
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	pid_t pid;
	bool ok;

	if (!spawn_start(&spawn, &pid, &err))
		return false;
	ok = spawn_feed(spawn.ends[0], text, deadline);
	return spawn_wait(pid, deadline) == 0 && ok;
}

static bool copy_to_tmux(struct str text, struct buf *message)
{
	static const char *const both[] = {"tmux", "load-buffer", "-w", "-", NULL};
	static const char *const own[] = {"tmux", "load-buffer", "-", NULL};
	const char *tmux = getenv("TMUX");

	if (!tmux || !*tmux)
		return false;
	if (pipe_to(both, text)) /* -w is of tmux 3.2 */
		buf_printf(message, "%zu bytes copied by tmux", text.n);
	else if (pipe_to(own, text))
		buf_printf(message, "%zu bytes copied into tmux's buffer", text.n);
	else
		return false;
	return true;
}

/* ---- all ways ---- */

bool clipboard_copy(struct str text, struct buf *message)
{
	const char *name = getenv("TERM");
	AUTO_BUF sequence = BUF_INIT;

	if (!term_is_present()) {
		headless_keep(text);
		buf_printf(message, "%zu bytes copied", text.n);
		return true;
	}
	if (copy_to_tmux(text, message))
		return true;
	/* the Linux console and real VT terminals have none, and may print the sequence
	 */
	if (!name || strncmp(name, "linux", 5) == 0 || strncmp(name, "vt", 2) == 0 ||
		strcmp(name, "ansi") == 0)
		return copy_to_file(text, "this terminal has no clipboard", message);
	if (text.n > CLIPBOARD_MOST)
		return copy_to_file(
			text, "too long for the terminal's clipboard", message);
	buf_text(&sequence, "\033]52;c;");
	base64_put(&sequence, text);
	buf_text(&sequence, "\033\\");
	term_send(buf_view(&sequence));
	buf_printf(
		message, "%zu bytes sent to the terminal's clipboard (OSC 52)", text.n);
	return true;
}
