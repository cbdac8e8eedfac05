/*
 * A page in memory: see term.h.
 *
 * The script is asked for more with TERM_SYNC, as the tests in a real terminal do: the
 * key is given after all others, and answered by term_sync when the page is complete.
 */
#include "config.h"
#include "term/term.h"

#include <poll.h>

#include "base/map.h"
#include "base/mem.h"
#include "term/backend.h"

#define COLORS 256

struct screen_cell {
	struct term_cell cell;
	bool right; /* it is the right half of the character to its left */
};

static struct {
	struct headless options;
	struct screen_cell *cells;
	struct term_event *events; /* given, not taken */
	size_t first, count, cap;
	bool asked; /* TERM_SYNC was given */
	bool ready; /* TERM_SYNC was answered */
	struct buf copied;
} state;

/* ---- the page ---- */

static const struct screen_cell blank = {
	.cell = {.text = L" ", .width = 1, .role = ROLE_TEXT}};

static struct screen_cell *row_at(unsigned row)
{
	return state.cells + (size_t)row * state.options.columns;
}

static void erase(void)
{
	size_t n = (size_t)state.options.columns * state.options.rows;

	for (size_t i = 0; i < n; i++)
		state.cells[i] = blank;
}

static void read_row(unsigned row, unsigned column, unsigned width, struct buf *out)
{
	const struct screen_cell *cells = row < state.options.rows ? row_at(row) : NULL;

	for (unsigned i = column;
		cells && i < state.options.columns && i < column + width; i++)
		for (const wchar_t *c = cells[i].cell.text; *c && !cells[i].right; c++)
			buf_utf8(out, (unsigned)*c);
}

static void make_page(unsigned columns, unsigned rows)
{
	state.options.columns = columns;
	state.options.rows = rows;
	mem_free(state.cells);
	state.cells = mem_zalloc((size_t)columns * rows, sizeof(*state.cells));
	erase();
}

/* Blanks both halves of a wide character that would be cut before a column. */
static void split_wide(struct screen_cell *row, unsigned column)
{
	if (column < state.options.columns && row[column].right) {
		row[column] = blank;
		row[column - 1].cell.text[0] = L' ';
		row[column - 1].cell.text[1] = L'\0';
		row[column - 1].cell.width = 1;
	}
}

static void put(
	unsigned row, unsigned column, const struct term_cell *cells, size_t count)
{
	struct screen_cell *at = row_at(row);

	for (size_t i = 0; i < count; i++) {
		unsigned width = cells[i].width;

		if (column + width > state.options.columns)
			break;
		split_wide(at, column);
		split_wide(at, column + width);
		for (unsigned k = 0; k < width; k++)
			at[column + k] = (struct screen_cell){cells[i], k > 0};
		column += width;
	}
}

/* ---- events ---- */

void headless_give(struct term_event event)
{
	*MEM_ADD(state.events, state.count, state.cap) = event;
}

void headless_resize(unsigned columns, unsigned rows)
{
	make_page(columns, rows);
	headless_give((struct term_event){.type = TERM_RESIZE});
}

static bool is_pending(void)
{
	return state.first < state.count;
}

static void wait_event(int timeout_ms, int watch, struct term_event *event)
{
	struct pollfd fd = {.fd = watch, .events = POLLIN};

	*event = (struct term_event){.type = TERM_NOTHING};
	if (state.ready) {
		state.ready = state.asked = false;
		if (!state.options.next(state.options.context))
			headless_give((struct term_event){.type = TERM_HANGUP});
	}
	if (is_pending()) {
		*event = state.events[state.first++];
		if (!is_pending())
			state.first = state.count = 0;
	} else if (!state.asked) {
		state.asked = true;
		event->type = TERM_KEY;
		event->key = TERM_SYNC;
	} else if (poll(&fd, watch >= 0, timeout_ms) > 0) {
		event->type = TERM_READABLE;
	}
}

static void answer_sync(void)
{
	state.ready = state.asked;
}

/* ---- the rest of a terminal ---- */

static void get_size(unsigned *columns, unsigned *rows)
{
	*columns = state.options.columns;
	*rows = state.options.rows;
}

void headless_keep(struct str copied)
{
	buf_set(&state.copied, copied);
}

static bool set_mouse(bool on)
{
	return true;
}

void headless_begin(const struct headless *options)
{
	state.options = *options;
	state.first = state.count = 0;
	state.asked = state.ready = false;
	make_page(options->columns, options->rows);
}

static void end(void)
{
	mem_free(state.cells);
	mem_free(state.events);
	buf_done(&state.copied);
	state.cells = NULL;
	state.events = NULL;
	state.cap = 0;
}

static int count_colors(void)
{
	return COLORS;
}

const struct term_ops headless_ops = {
	.close = end,
	.size = get_size,
	.wait = wait_event,
	.pending = is_pending,
	.erase = erase,
	.put = put,
	.read = read_row,
	.sync = answer_sync,
	.mouse = set_mouse,
	.colors = count_colors,
};

/* ---- what it shows ---- */

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static struct headless_area on_page(struct headless_area a)
{
	a.row = least(a.row, state.options.rows);
	a.column = least(a.column, state.options.columns);
	a.rows = least(a.rows, state.options.rows - a.row);
	a.columns = least(a.columns, state.options.columns - a.column);
	return a;
}

bool headless_shows(struct headless_area area, struct str text)
{
	AUTO_BUF row = BUF_INIT;
	bool found = false;

	area = on_page(area);
	for (unsigned i = 0; i < area.rows && !found; i++) {
		buf_clear(&row);
		read_row(area.row + i, area.column, area.columns, &row);
		found = !text.n || memmem(row.data, row.len, text.p, text.n);
	}
	return found;
}

void headless_print(struct headless_area area, struct buf *out)
{
	area = on_page(area);
	for (unsigned i = 0; i < area.rows; i++) {
		read_row(area.row + i, area.column, area.columns, out);
		while (out->len && out->data[out->len - 1] == ' ')
			out->len--;
		buf_byte(out, '\n');
	}
}

struct str headless_copied(void)
{
	return buf_view(&state.copied);
}

/* The style of a cell; of a blank only what can be seen. */
static struct style style_of(const struct screen_cell *cell)
{
	int colors = term_is_colorless() ? 0 : COLORS;
	struct style style = theme_style((enum role)cell->cell.role, colors);

	if (cell->cell.over != ROLE_TEXT && !(cell->cell.role & ROLE_PAINT))
		style = theme_laid_over(
			style, theme_style((enum role)cell->cell.over, colors));

	if (cell->cell.text[0] == L' ' && !cell->cell.text[1] &&
		!(style.attributes & (STYLE_REVERSE | STYLE_UNDERLINE))) {
		style.fg = COLOR_DEFAULT;
		style.attributes = 0;
	}
	return style;
}

/* " fg=2 bold"; nothing for the plain style.  Dim text is printed in a block of its own:
 * not every terminal shows it. */
static void print_style(struct style style, struct buf *out)
{
	static const struct {
		unsigned attr;
		const char *name;
	} names[] = {{STYLE_BOLD, " bold"}, {STYLE_UNDERLINE, " underline"},
		{STYLE_ITALIC, " italic"}, {STYLE_REVERSE, " reverse"}};

	if (style.fg != COLOR_DEFAULT)
		buf_printf(out, " fg=%d", style.fg);
	if (style.bg != COLOR_DEFAULT)
		buf_printf(out, " bg=%d", style.bg);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (style.attributes & names[i].attr)
			buf_text(out, names[i].name);
}

/* a to z, A to Z, 0 to 9, then letters of Latin Extended: enough for any page. */
static void print_letter(uint32_t number, struct buf *out)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	if (number < sizeof(letters) - 1)
		buf_byte(out, letters[number]);
	else
		buf_utf8(out, 0x100 + number - (uint32_t)(sizeof(letters) - 1));
}

/* A blank with a background takes the style of a neighbor with which it would look the
 * same, so that a bar has few styles. */
static void take_style(const struct screen_cell *cell, struct style *s, struct style from)
{
	bool bare = cell->cell.text[0] == L' ' && !cell->cell.text[1];

	if (bare && s->bg != COLOR_DEFAULT && s->fg == COLOR_DEFAULT && !s->attributes &&
		!(from.attributes & (STYLE_REVERSE | STYLE_UNDERLINE)) &&
		from.bg == s->bg)
		*s = from;
}

/* A letter for each cell's style; false: all are plain. */
static bool print_letters(const struct screen_cell *cells, unsigned columns,
	struct intern *styles, struct buf *out)
{
	AUTO_FREE struct style *found = mem_array(columns, sizeof(*found));
	AUTO_BUF style = BUF_INIT;

	for (unsigned i = 0; i < columns; i++)
		found[i] = style_of(&cells[i]);
	for (unsigned i = 1; i < columns; i++)
		take_style(&cells[i], &found[i], found[i - 1]);
	for (unsigned i = columns; i-- > 1;)
		take_style(&cells[i - 1], &found[i - 1], found[i]);
	for (unsigned i = 0; i < columns; i++) {
		buf_clear(&style);
		print_style(found[i], &style);
		if (style.len)
			print_letter(intern_add(styles, buf_view(&style)), out);
		else
			buf_byte(out, '.');
	}
	return strspn(out->data, ".") < out->len;
}

static bool print_dim(const struct screen_cell *cells, unsigned columns,
	struct intern *styles, struct buf *out)
{
	for (unsigned i = 0; i < columns; i++)
		buf_byte(out, style_of(&cells[i]).attributes & STYLE_DIM ? 'd' : '.');
	return strspn(out->data, ".") < out->len;
}

/* The rows that are not plain, after a title. */
static void print_block(struct headless_area area, const char *title,
	struct intern *styles,
	bool (*print)(const struct screen_cell *cells, unsigned columns,
		struct intern *styles, struct buf *out),
	struct buf *out)
{
	AUTO_BUF letters = BUF_INIT;
	bool begun = false;

	for (unsigned row = area.row; row < area.row + area.rows; row++) {
		buf_clear(&letters);
		if (!area.columns ||
			!print(row_at(row) + area.column, area.columns, styles, &letters))
			continue;
		buf_text(out, begun ? "" : title);
		buf_printf(out, "%3u\xE2\x94\x82%s\xE2\x94\x82\n", row + 1, letters.data);
		begun = true;
	}
}

void headless_print_styles(struct headless_area area, struct buf *out)
{
	AUTO(intern_done) struct intern styles = {0};

	area = on_page(area);
	buf_printf(out, "%ux%u, cursor hidden\n", area.columns, area.rows);
	for (unsigned row = area.row; row < area.row + area.rows; row++) {
		buf_printf(out, "%3u\xE2\x94\x82", row + 1);
		read_row(row, area.column, area.columns, out);
		buf_text(out, "\xE2\x94\x82\n");
	}
	print_block(area, "styles\n", &styles, print_letters, out);
	print_block(area, "dim\n", &styles, print_dim, out);
	buf_text(out, styles.count ? "legend\n" : "");
	for (uint32_t i = 0; i < styles.count; i++) {
		print_letter(i, out);
		buf_str(out, intern_get(&styles, i));
		buf_byte(out, '\n');
	}
}

/* ---- as a picture ----
 *
 * Cells of one style in a row become one text, which is stretched to the cells that it
 * has: fonts differ in the width of their letters.
 */

#define WIDTH  8.4 /* of a cell, in pixels */
#define HEIGHT 18
#define BASE   13.5 /* of the letters, below the top of their cell */
#define SIZE   14   /* of the letters */
#define MARGIN 12
#define GROUND 0x1E1E1E
#define LETTER 0xD4D4D4

/* Cells [column, end) of a row that look alike. */
struct run {
	unsigned row, column, end;
	struct style style;
	struct buf text;
	bool blank;
};

static void put_escaped(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		switch (text.p[i]) {
		case '<':
			buf_text(out, "&lt;");
			break;
		case '&':
			buf_text(out, "&amp;");
			break;
		default:
			buf_byte(out, text.p[i]);
		}
}

static uint32_t color_of(int color, uint32_t usual)
{
	return color == COLOR_DEFAULT ? usual : color_rgb(color);
}

static void end_run(struct run *r, struct buf *out)
{
	unsigned has = r->style.attributes;
	bool reverse = has & STYLE_REVERSE;
	uint32_t fg = color_of(r->style.fg, LETTER), bg = color_of(r->style.bg, GROUND);
	uint32_t letter = reverse ? bg : fg, ground = reverse ? fg : bg;
	double x = r->column * WIDTH, width = (r->end - r->column) * WIDTH;

	if (r->end > r->column && ground != GROUND)
		buf_printf(out,
			"<rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%u\" "
			"fill=\"#%06x\"/>\n",
			x, r->row * HEIGHT, width, HEIGHT, ground);
	if (r->end > r->column && !r->blank) {
		buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" textLength=\"%.1f\"", x,
			r->row * HEIGHT + BASE, width);
		if (letter != LETTER)
			buf_printf(out, " fill=\"#%06x\"", letter);
		buf_text(out, has & STYLE_BOLD ? " font-weight=\"bold\"" : "");
		buf_text(out, has & STYLE_ITALIC ? " font-style=\"italic\"" : "");
		buf_text(out,
			has & STYLE_UNDERLINE ? " text-decoration=\"underline\"" : "");
		buf_text(out, has & STYLE_DIM ? " opacity=\"0.6\"" : "");
		buf_byte(out, '>');
		put_escaped(out, buf_view(&r->text));
		buf_text(out, "</text>\n");
	}
	r->column = r->end;
	r->blank = true;
	buf_clear(&r->text);
}

static void put_row(struct headless_area area, unsigned row, struct buf *out)
{
	struct run r = {.row = row, .text = BUF_INIT, .blank = true};

	for (unsigned i = 0; i < area.columns; i++) {
		unsigned y = area.row + row, x = area.column + i;
		const struct screen_cell *cell = NULL;
		AUTO_BUF text = BUF_INIT;
		struct style style;
		bool empty;

		if (y < state.options.rows && x < state.options.columns)
			cell = &row_at(y)[x];
		if (!cell || cell->right) { /* half of a wide character, or no cell */
			r.end = i + 1;
			continue;
		}
		read_row(y, x, 1, &text);
		style = style_of(cell);
		empty = text.len == 1 && *text.data == ' ';
		/* blanks at the ends of a text would be stretched */
		if (style.fg != r.style.fg || style.bg != r.style.bg ||
			style.attributes != r.style.attributes || empty != r.blank)
			end_run(&r, out);
		r.style = style;
		r.blank = empty;
		r.end = i + 1;
		buf_str(&r.text, buf_view(&text));
	}
	end_run(&r, out);
	buf_done(&r.text);
}

void headless_picture(struct headless_area area, struct buf *out)
{
	double width = area.columns * WIDTH + 2 * MARGIN;
	unsigned height = area.rows * HEIGHT + 2 * MARGIN;

	buf_printf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.1f %u\" "
		"width=\"%.1f\" height=\"%u\">\n"
		"<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"#%06x\"/>\n"
		"<g transform=\"translate(%u %u)\" fill=\"#%06x\" font-size=\"%u\" "
		"font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" "
		"xml:space=\"preserve\">\n",
		width, height, width, height, GROUND, MARGIN, MARGIN, LETTER, SIZE);
	for (unsigned row = 0; row < area.rows; row++)
		put_row(area, row, out);
	buf_text(out, "</g>\n</svg>\n");
}
