/*
 * The page in memory as a picture: see headless.h.  Cells of one style in a row become
 * one text, which is stretched to the cells that it has: fonts differ in the width of
 * their letters.
 */
#include "config.h"
#include "term/headless.h"

#include "text/style.h"

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

static void put_ground(const struct run *r, struct buf *out)
{
	bool reverse = r->style.attributes & STYLE_REVERSE;
	uint32_t ground =
		reverse ? color_of(r->style.fg, LETTER) : color_of(r->style.bg, GROUND);

	if (ground == GROUND)
		return;
	buf_printf(out,
		"<rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%u\" "
		"fill=\"#%06x\"/>\n",
		r->column * WIDTH, r->row * HEIGHT, (r->end - r->column) * WIDTH, HEIGHT,
		ground);
}

static void put_letters(const struct run *r, struct buf *out)
{
	unsigned has = r->style.attributes;
	uint32_t letter = has & STYLE_REVERSE ? color_of(r->style.bg, GROUND)
					      : color_of(r->style.fg, LETTER);

	if (r->blank)
		return;
	buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" textLength=\"%.1f\"",
		r->column * WIDTH, r->row * HEIGHT + BASE, (r->end - r->column) * WIDTH);
	if (letter != LETTER)
		buf_printf(out, " fill=\"#%06x\"", letter);
	buf_text(out, has & STYLE_BOLD ? " font-weight=\"bold\"" : "");
	buf_text(out, has & STYLE_ITALIC ? " font-style=\"italic\"" : "");
	buf_text(out, has & STYLE_UNDERLINE ? " text-decoration=\"underline\"" : "");
	buf_text(out, has & STYLE_DIM ? " opacity=\"0.6\"" : "");
	buf_byte(out, '>');
	put_escaped(out, buf_view(&r->text));
	buf_text(out, "</text>\n");
}

static void end_run(struct run *r, struct buf *out)
{
	if (r->end > r->column) {
		put_ground(r, out);
		put_letters(r, out);
	}
	r->column = r->end;
	r->blank = true;
	buf_clear(&r->text);
}

static void put_row(struct headless_area area, unsigned row, struct buf *out)
{
	struct run r = {.row = row, .text = BUF_INIT, .blank = true};

	for (unsigned i = 0; i < area.columns; i++) {
		AUTO_BUF text = BUF_INIT;
		struct style style;
		bool blank;

		if (!headless_read_cell(area.row + row, area.column + i, &text, &style)) {
			r.end = i + 1; /* the right half of a wide character */
			continue;
		}
		blank = text.len == 1 && *text.data == ' ';
		/* blanks at the ends of a text would be stretched */
		if (style.fg != r.style.fg || style.bg != r.style.bg ||
			style.attributes != r.style.attributes || blank != r.blank)
			end_run(&r, out);
		r.style = style;
		r.blank = blank;
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
