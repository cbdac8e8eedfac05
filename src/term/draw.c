/*
 * Lines of spans as cells of the page: see term.h.  A line is composed in an array of
 * cells and put with one mvadd_wchnstr, which never wraps or scrolls, so the last cell of
 * the screen is like any other.
 */
#include "config.h"
#include "term/curses.h"

#include <wchar.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "term/term.h"
#include "text/safe.h"

static struct {
	cchar_t *at; /* the line being composed */
	size_t cap;
} cells;

void draw_end(void)
{
	mem_free(cells.at);
	cells.at = NULL;
	cells.cap = 0;
}

/* A line being composed: cells [from, to) of it are seen, `at` is where the next
 * character goes. */
struct strip {
	uint64_t from, to, at;
	size_t count; /* among the cells */
};

static void add_cell(struct strip *s, const wchar_t *text, struct ink ink)
{
	cells.at = mem_grow(cells.at, &cells.cap, s->count + 1, sizeof(cchar_t));
	setcchar(&cells.at[s->count++], text, ink.attr, ink.pair, NULL);
}

static void add_spaces(struct strip *s, uint64_t end, struct ink ink)
{
	if (end > s->to)
		end = s->to;
	if (s->at < s->from)
		s->at = end < s->from ? end : s->from;
	for (; s->at < end; s->at++)
		add_cell(s, L" ", ink);
}

/* What curses can take for a code point, and its cells: 0 for a combining character. */
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
 * otherwise would shift the rest of the row, so what joins is not sent: each stands by
 * itself, a tone as blanks.
 */
static bool is_joiner(unsigned code)
{
	return code == 0x200D || code == 0xFE0F;
}

static bool is_tone(wchar_t code)
{
	return code >= 0x1F3FB && code <= 0x1F3FF;
}

/*
 * One spacing character and the combining ones behind it, of which a cell holds
 * CCHARW_MAX - 1; returns the bytes taken.  Those without a base stand on a space.
 */
static size_t next_cell(struct str text, wchar_t cell[CCHARW_MAX + 1], unsigned *width)
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
		if (n < CCHARW_MAX && !is_joiner(code))
			cell[n++] = (wchar_t)code;
		taken += step;
	}
	cell[n] = L'\0';
	return taken;
}

/* Text up to the cell `end` of the line; what is left of that is filled. */
static void add_text(struct strip *s, struct str text, uint64_t end, struct ink ink)
{
	wchar_t cell[CCHARW_MAX + 1];
	unsigned width;

	if (end <= s->from) {
		s->at = end;
		return;
	}
	while (text.n && s->at < end && s->at < s->to) {
		size_t taken = next_cell(text, cell, &width);

		if (s->at + width > end)
			break;
		if (s->at >= s->from && s->at + width <= s->to && !is_tone(cell[0])) {
			add_cell(s, cell, ink);
			s->at += width;
		} else {
			add_spaces(s, s->at + width, ink);
		}
		text.p += taken;
		text.n -= taken;
	}
	add_spaces(s, end, ink);
}

/* False when nothing of it would be on the page. */
static bool begin_strip(
	struct strip *s, unsigned row, unsigned column, unsigned width, unsigned skip)
{
	if (!curses_is_open() || row >= (unsigned)LINES || column >= (unsigned)COLS || !width)
		return false;
	if (width > (unsigned)COLS - column)
		width = (unsigned)COLS - column;
	*s = (struct strip){.from = skip, .to = (uint64_t)skip + width};
	return true;
}

static void put_strip(const struct strip *s, unsigned row, unsigned column)
{
	mvadd_wchnstr((int)row, (int)column, cells.at, (int)s->count);
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
				ink_over(span->role, over));
		}
	}
	add_spaces(&s, s.to, ink_over(fill, over));
	put_strip(&s, row, column);
}

void term_draw_text(
	unsigned row, unsigned column, unsigned width, enum role role, struct str safe)
{
	struct strip s;

	if (!begin_strip(&s, row, column, width, 0))
		return;
	add_text(&s, safe, s.to, ink_over(role, ROLE_TEXT));
	put_strip(&s, row, column);
}

void term_draw_glyph(unsigned row, unsigned column, enum role role, enum term_glyph glyph)
{
	static const struct {
		char unicode[4], ascii[2];
	} glyphs[] = {
		[GLYPH_VLINE] = {"\xE2\x94\x82", "|"},
		[GLYPH_HLINE] = {"\xE2\x94\x80", "-"},
		[GLYPH_TEE_DOWN] = {"\xE2\x94\xAC", "+"},
		[GLYPH_TEE_UP] = {"\xE2\x94\xB4", "+"},
		[GLYPH_CROSS] = {"\xE2\x94\xBC", "+"},
	};

	term_draw_text(row, column, 1, role,
		str_of(safe_ascii() ? glyphs[glyph].ascii : glyphs[glyph].unicode));
}

void term_erase(void)
{
	if (curses_is_open())
		erase();
}

/* The characters of a cell; its width. */
static unsigned put_cell(struct buf *out, const cchar_t *cell)
{
	wchar_t text[CCHARW_MAX + 1] = {0};
	attr_t attr;
	short pair;
	int width;

	if (getcchar(cell, text, &attr, &pair, NULL) == ERR || !*text)
		return 1;
	for (size_t i = 0; i < CCHARW_MAX && text[i]; i++)
		buf_utf8(out, (unsigned)text[i]);
	width = wcwidth(text[0]);
	return width > 1 ? (unsigned)width : 1;
}

void term_read_row(unsigned row, unsigned column, unsigned width, struct buf *out)
{
	size_t before = out->len;
	cchar_t cell;

	if (!curses_is_open())
		return;
	for (unsigned at = 0; at < width;) {
		if (mvin_wch((int)row, (int)(column + at), &cell) == ERR)
			break;
		at += put_cell(out, &cell);
	}
	while (out->len > before && out->data[out->len - 1] == ' ')
		out->len--;
}
