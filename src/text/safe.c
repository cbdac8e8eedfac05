/*
 * The filter of safe.h.  A cluster grows code point by code point along the
 * boundaries of UAX #29 and ends early before anything that must be shown as
 * a mark.  So every decision is about one character, and no state is kept
 * between calls.  A second pass does not change the output.
 */
#include "config.h"
#include "text/safe.h"

#include <langinfo.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "text/line.h"
#include "text/width.h"

#define MARKS_MAX     8     /* combining marks a cell may carry */
#define CLUSTER_MAX   16    /* code points; the longest emoji of Unicode 15 has 10 */
#define PIECE_MAX     65536 /* bytes of one run of safe_piece */
#define DOTTED_CIRCLE 0x25CCu
#define BLACK_FLAG    0x1F3F4u
#define TONE_FIRST    0x1F3FBu /* skin tones of emoji */
#define TONE_LAST     0x1F3FFu

/* ASCII until safe_init has read the locale: a program starts in the C locale. */
static bool ascii_only = true;
static bool ascii_locale = true;

/* A reader of code points: `at` is the start of `code`, `next` its end. */
struct cursor {
	const char *p;
	size_t n, at, next;
	unsigned code;
	bool valid;
};

void safe_init(void)
{
	const char *set = nl_langinfo(CODESET);

	ascii_locale = strcmp(set, "UTF-8") != 0 && strcmp(set, "utf8") != 0;
	ascii_only = ascii_locale;
}

void safe_only_ascii(bool on)
{
	ascii_only = ascii_locale || on;
}

bool safe_ascii(void)
{
	return ascii_only;
}

/* Moves to the next code point; false at the end and before bytes that are not UTF-8. */
static bool advance(struct cursor *in)
{
	in->at = in->next;
	in->valid = false;
	if (in->at == in->n)
		return false;
	in->next += utf8_decode(in->p + in->at, in->n - in->at, &in->code, &in->valid);
	return in->valid;
}

static void show_plain(struct safe_cluster *c, const char *p, size_t n, unsigned width)
{
	c->taken = n;
	c->text = (struct str){p, n};
	c->width = width;
	c->kind = SAFE_PLAIN;
}

/* A mark of ASCII text. */
PRINTF_LIKE(3, 4)
static void show_mark(struct safe_cluster *c, size_t taken, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(c->shown, sizeof(c->shown), fmt, ap);
	va_end(ap);
	c->taken = taken;
	c->text = (struct str){c->shown, n > 0 ? (size_t)n : 0};
	c->width = n > 0 ? (unsigned)n : 0;
	c->kind = SAFE_MARK;
}

/* A mark that is one symbol of one cell. */
static void show_symbol(struct safe_cluster *c, size_t taken, unsigned code)
{
	c->taken = taken;
	c->text = (struct str){c->shown, utf8_put(code, c->shown)};
	c->width = 1;
	c->kind = SAFE_MARK;
}

static void show_code(struct safe_cluster *c, size_t taken, unsigned code)
{
	show_mark(c, taken, code < 0xA0 ? "<%02X>" : "<%04X>", code);
}

static void show_blank(struct safe_cluster *c, size_t taken, enum safe_kind kind)
{
	c->taken = taken;
	c->text = kind == SAFE_TAB ? STR(" ") : STR("");
	c->width = kind == SAFE_TAB;
	c->kind = kind;
}

/* A run of tags, from the cursor on: <tag:hello>, cut to the room there is. */
static void take_tags(struct cursor *in, struct safe_cluster *c)
{
	char text[UTF8_SHOWN_MAX - 24]; /* leaves room for "<tag:...>" and a flag */
	unsigned first = in->code;
	size_t count = 0, n = 0;

	do {
		if (in->code >= 0xE0020 && in->code <= 0xE007E) {
			if (n < sizeof(text))
				text[n] = (char)(in->code - 0xE0000);
			n++;
		}
		count++;
	} while (advance(in) && char_class(in->code) == CHAR_TAG);
	if (n == 0 && count == 1)
		show_code(c, in->at, first);
	else if (n <= sizeof(text))
		show_mark(c, in->at, "<tag:%.*s>", (int)n, text);
	else
		show_mark(c, in->at, "<tag:%.*s...>", (int)sizeof(text), text);
}

/* The flags of England, Scotland and Wales are a black flag and tags: one cluster, its
 * tags as a mark after the flag. */
static bool take_flag(const struct cursor *start, struct safe_cluster *c)
{
	struct cursor in = *start;
	char flag[UTF8_MAX];
	size_t n;

	if (in.code != BLACK_FLAG || !advance(&in) || char_class(in.code) != CHAR_TAG)
		return false;
	take_tags(&in, c);
	n = utf8_put(BLACK_FLAG, flag);
	memmove(c->shown + n, c->shown, c->text.n);
	memcpy(c->shown, flag, n);
	c->text.n += n;
	c->width += char_cells(BLACK_FLAG);
	return true;
}

/* Combining marks with nothing before them are shown on a dotted circle; of many only the
 * number is shown. */
static void take_orphans(struct cursor *in, struct safe_cluster *c)
{
	unsigned count = 0, previous = DOTTED_CIRCLE, first = in->code;
	size_t first_end = in->next, base;
	int state = 0;

	while (in->valid && char_class(in->code) == CHAR_COMBINING &&
		!char_breaks(previous, in->code, &state)) {
		previous = in->code;
		count++;
		advance(in);
	}
	if (count == 0) {
		show_code(c, first_end, first);
	} else if (count > MARKS_MAX) {
		show_mark(c, in->at, "<+%u marks>", count);
	} else {
		base = utf8_put(DOTTED_CIRCLE, c->shown);
		memcpy(c->shown + base, in->p, in->at);
		c->taken = in->at;
		c->text = (struct str){c->shown, base + in->at};
		c->width = char_cells(DOTTED_CIRCLE);
		c->kind = SAFE_MARK;
	}
}

/* A cluster that grows. */
struct growth {
	unsigned base, previous; /* first and last code point */
	unsigned count, marks;   /* code points; combining marks of the last cell */
	int state;               /* of the boundary rules */
};

/* Whether the code point at the cursor, which UAX #29 joins to the cluster, is shown in
 * it. */
static bool joins(const struct growth *g, const struct cursor *in)
{
	struct cursor ahead = *in;
	unsigned last = g->previous;
	int state = g->state;

	switch (char_class(in->code)) {
	case CHAR_PLAIN:
		return true;
	case CHAR_COMBINING:
		return g->marks < MARKS_MAX;
	case CHAR_VARIANT:
		return char_pictographic(last) || /* or they begin a keycap emoji */
		       (((last >= '0' && last <= '9') || last == '#' || last == '*') &&
			       advance(&ahead) && ahead.code == 0x20E3);
	case CHAR_ZWJ: /* it may join another emoji to this one */
		return char_pictographic(g->base) && g->count + 2 <= CLUSTER_MAX &&
		       advance(&ahead) && char_class(ahead.code) == CHAR_PLAIN &&
		       char_pictographic(ahead.code) &&
		       !char_breaks(in->code, ahead.code, &state);
	default:
		return false;
	}
}

static void take_cluster(struct cursor *in, struct safe_cluster *c)
{
	struct growth g = {.base = in->code, .previous = in->code, .count = 1};
	unsigned width = char_cells(in->code), cells;

	if (take_flag(in, c))
		return;
	while (advance(in) && g.count < CLUSTER_MAX) {
		if (char_breaks(g.previous, in->code, &g.state) || !joins(&g, in))
			break;
		cells = char_cells(in->code);
		width += cells;
		g.marks = cells ? 0 : g.marks + (char_class(in->code) == CHAR_COMBINING);
		g.previous = in->code;
		g.count++;
	}
	show_plain(c, in->p, in->at, width);
}

static void take_special(struct cursor *in, struct safe_cluster *c)
{
	enum char_class class = char_class(in->code);
	unsigned char byte = (unsigned char)in->p[0];
	bool pictographic;

	c->bidi = class == CHAR_BIDI;
	switch (class) {
	case CHAR_CONTROL:
		if (byte == '\n')
			show_blank(c, 1, SAFE_NEWLINE);
		else if (byte == '\r' && in->n > 1 && in->p[1] == '\n')
			show_blank(c, 2, SAFE_NEWLINE);
		else if (byte == '\t')
			show_blank(c, 1, SAFE_TAB);
		else if (ascii_only)
			show_mark(c, 1, "^%c", byte ^ 0x40);
		else
			show_symbol(c, 1, byte == 0x7F ? 0x2421 : 0x2400u + byte);
		break;
	case CHAR_TAG:
		take_tags(in, c);
		break;
	case CHAR_COMBINING:
		take_orphans(in, c);
		break;
	case CHAR_UNKNOWN:
		/* one the locale cannot print keeps the skin tone that belongs to it */
		pictographic = char_pictographic(in->code);
		show_code(c, in->next, in->code);
		if (!pictographic || !advance(in) || in->code < TONE_FIRST ||
			in->code > TONE_LAST)
			break;
		c->text.n += utf8_put(in->code, c->shown + c->text.n);
		c->width += char_cells(in->code);
		c->taken = in->next;
		break;
	case CHAR_PLAIN:
		take_cluster(in, c);
		break;
	default:
		show_code(c, in->next, in->code);
	}
}

void safe_next(const char *p, size_t n, struct safe_cluster *c)
{
	struct cursor in = {.p = p, .n = n};
	bool printable = p[0] >= 0x20 && p[0] < 0x7F;
	unsigned char byte = (unsigned char)p[0];

	c->bidi = false;
	if (printable && (ascii_only || n == 1 || !(p[1] & 0x80))) {
		show_plain(c, p, 1, 1);
		return;
	}
	if (advance(&in)) {
		if (!ascii_only || in.code <= 0x7F || char_class(in.code) == CHAR_TAG) {
			take_special(&in, c);
			return;
		}
		show_code(c, in.next, in.code);
		c->bidi = char_class(in.code) == CHAR_BIDI;
	} else if (in.next == 1 && byte >= 0x80 && byte < 0xA0) {
		show_code(c, 1, byte);
	} else if (ascii_only) {
		show_mark(c, in.next, "?");
	} else {
		show_symbol(c, in.next, UTF8_REPLACEMENT);
	}
}

void safe_piece(const char *p, size_t n, struct safe_cluster *c)
{
	size_t run = char_ascii_run(p, n < PIECE_MAX ? n : PIECE_MAX);

	c->bidi = false;
	if (run) {
		show_plain(c, p, run, (unsigned)run);
		return;
	}
	safe_next(p, n, c);
	if (c->kind == SAFE_TAB)
		c->kind = SAFE_PLAIN;
	if (c->kind != SAFE_NEWLINE)
		return;
	if (ascii_only)
		show_mark(c, c->taken, "^J");
	else
		show_symbol(c, c->taken, 0x240A);
}

void safe_line(struct buf *out, struct str text)
{
	struct safe_cluster c;

	for (size_t at = 0; at < text.n; at += c.taken) {
		safe_piece(text.p + at, text.n - at, &c);
		buf_str(out, c.text);
	}
}

void safe_lines(struct buf *out, struct str text)
{
	struct safe_cluster c;
	unsigned long long column = 0;
	size_t at, run, fill;

	for (at = 0; at < text.n; at += c.taken) {
		run = char_ascii_run(text.p + at, text.n - at);
		if (run)
			show_plain(&c, text.p + at, run, 0);
		else
			safe_next(text.p + at, text.n - at, &c);
		column += run ? run : c.width;
		buf_str(out, c.text);
		if (c.kind == SAFE_NEWLINE) {
			buf_byte(out, '\n');
			column = 0;
		} else if (c.kind == SAFE_TAB) {
			fill = (size_t)((8 - column % 8) % 8);
			buf_fill(out, ' ', fill);
			column += fill;
		}
	}
}

static unsigned long long cells_of(struct str text)
{
	struct safe_cluster c;
	unsigned long long cells = 0;

	for (size_t at = 0; at < text.n; at += c.taken) {
		safe_piece(text.p + at, text.n - at, &c);
		cells += c.width;
	}
	return cells;
}

unsigned safe_width(struct str text)
{
	unsigned long long cells = cells_of(text);

	return cells < UINT_MAX ? (unsigned)cells : UINT_MAX;
}

/* Appends the cells [from, to) of a text on one line, without characters that would be
 * cut.  A run of ASCII may be cut at any byte: only such runs have as many cells as
 * bytes. */
static void put_cells(
	struct buf *out, struct str text, unsigned long long from, unsigned long long to)
{
	unsigned long long cell = 0, first, last;
	struct safe_cluster c;

	for (size_t at = 0; at < text.n && cell < to; at += c.taken, cell += c.width) {
		safe_piece(text.p + at, text.n - at, &c);
		first = from > cell ? from - cell : 0;
		last = to - cell < c.width ? to - cell : c.width;
		if (first == 0 && last == c.width)
			buf_str(out, c.text);
		else if (first < last && c.kind == SAFE_PLAIN && c.text.n == c.width)
			buf_add(out, c.text.p + first, (size_t)(last - first));
	}
}

size_t safe_beginning(struct str text, unsigned cells)
{
	struct safe_cluster c;
	unsigned used = 0;
	size_t n = 0;

	for (; n < text.n; n += c.taken) {
		safe_next(text.p + n, text.n - n, &c);
		used += c.width ? c.width : 1;
		if (used > cells)
			break;
	}
	return n;
}

bool safe_folders(struct str text, unsigned cells, size_t *from, size_t *to)
{
	unsigned long long need = cells_of(text) + glyph_cells(GLYPH_ELLIPSIS);
	struct str path = {text.p, 0}; /* the longest word with a slash in it */
	const char *slash, *before, *end;

	for (size_t at = 0, n; at < text.n; at += n + 1) {
		for (n = 0;
			at + n < text.n && !strchr(" \t\n\r\"'`()<>,;=", text.p[at + n]);)
			n++;
		if (n > path.n && memchr(text.p + at, '/', n))
			path = (struct str){text.p + at, n};
	}
	slash = before = path.p;
	end = path.p + path.n;
	while (slash < end && (slash = memchr(slash, '/', (size_t)(end - slash))) &&
		slash + 1 < end) {
		need -= cells_of((struct str){before, (size_t)(slash - before)});
		/* What stands on both sides of a cut may be wider than before: a mark
		 * above a letter stands alone then. */
		if (need <= cells && slash > path.p &&
			cells_of((struct str){text.p, (size_t)(path.p - text.p)}) +
					glyph_cells(GLYPH_ELLIPSIS) +
					cells_of(str_skip(
						text, (size_t)(slash - text.p))) <=
				cells) {
			*from = (size_t)(path.p - text.p);
			*to = (size_t)(slash - text.p);
			return true;
		}
		before = slash++;
	}
	return false;
}

void safe_fit(struct buf *out, struct str text, unsigned cells)
{
	unsigned long long all = cells_of(text);
	unsigned room, cut_cells = glyph_cells(GLYPH_ELLIPSIS);
	size_t from, to;

	if (all <= cells) {
		safe_line(out, text);
		return;
	}
	if (cells < cut_cells) {
		buf_fill(out, '.', cells);
		return;
	}
	if (safe_folders(text, cells, &from, &to)) {
		safe_line(out, (struct str){text.p, from});
		buf_str(out, glyph(GLYPH_ELLIPSIS));
		safe_line(out, str_skip(text, to));
		return;
	}
	room = cells - cut_cells;
	put_cells(out, text, 0, room - room / 2);
	buf_str(out, glyph(GLYPH_ELLIPSIS));
	put_cells(out, text, all - room / 2, ULLONG_MAX);
}

void safe_column(struct buf *out, struct str text, unsigned cells)
{
	size_t before = out->len;
	unsigned width;

	safe_fit(out, text, cells);
	width = safe_width((struct str){out->data + before, out->len - before});
	buf_fill(out, ' ', cells > width ? cells - width : 0);
}

void safe_right(struct buf *out, struct str safe, unsigned cells)
{
	unsigned width = safe_width(safe);

	buf_fill(out, ' ', width < cells ? cells - width : 1);
	buf_str(out, safe);
}

/* ---- messages on standard error ---- */

static void print_line(const char *head, const struct err *e)
{
	AUTO_BUF raw = BUF_INIT, line = BUF_INIT;

	err_format(e, &raw);
	buf_text(&line, head);
	safe_line(&line, buf_view(&raw));
	buf_byte(&line, '\n');
	fflush(stdout);
	fwrite(line.data, 1, line.len, stderr);
}

void report_error(const struct err *e)
{
	print_line("catena: ", e);
}

void report_note(const struct err *e)
{
	print_line("catena: note: ", e);
}
