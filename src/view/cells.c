/* Texts, bars and axes in the cells of a row: see cells.h. */
#include "config.h"
#include "view/cells.h"

#include <math.h>

#include "text/safe.h"

/* ---- texts ---- */

uint32_t cells_used(const struct lines *out)
{
	return out->lines[out->count - 1].width;
}

void cells_blank(struct lines *out, uint32_t n)
{
	if (n)
		lines_printf(out, ROLE_TEXT, "%*s", (int)n, "");
}

struct str cells_indent(uint32_t indent, uint32_t width)
{
	static const char blanks[] = "                                ";
	uint32_t n = !width || indent < width / 2 ? indent : width / 2;

	return (struct str){blanks, n < sizeof(blanks) - 1 ? n : sizeof(blanks) - 1};
}

void cells_begin(struct lines *out, uint32_t indent, uint32_t width)
{
	lines_begin(out);
	cells_blank(out, (uint32_t)cells_indent(indent, width).n);
}

void cells_put(
	struct lines *out, enum role role, struct str raw, uint32_t width, bool right)
{
	AUTO_BUF cut = BUF_INIT;
	uint32_t used;

	safe_fit(&cut, raw, width);
	used = safe_width(buf_view(&cut));
	if (used > width) /* not even the mark of the cut fits */
		used = width;
	cells_blank(out, right ? width - used : 0);
	lines_put(out, role, buf_view(&cut), used);
	cells_blank(out, right ? 0 : width - used);
}

void cells_put_fit(struct lines *out, enum role role, struct str raw, uint32_t width)
{
	AUTO_BUF fit = BUF_INIT;

	safe_fit(&fit, raw, width);
	lines_put(out, role, buf_view(&fit), safe_width(buf_view(&fit)));
}

uint32_t cells_put_cut(struct lines *out, enum role role, struct str raw, uint32_t width)
{
	uint32_t mark = glyph_cells(GLYPH_ELLIPSIS), before = cells_used(out);
	size_t n = raw.n, to = raw.n;

	if (safe_width(raw) > width && !safe_folders(raw, width, &n, &to))
		n = safe_beginning(raw, width > mark ? width - mark : 0);
	lines_put_raw(out, role, (struct str){raw.p, n});
	if (n < raw.n && width > mark)
		glyph_put(out, ROLE_DIM, GLYPH_ELLIPSIS);
	lines_put_raw(out, role, str_skip(raw, to));
	return cells_used(out) - before;
}

void cells_put_beginning(
	struct lines *out, enum role role, struct str raw, uint32_t width)
{
	uint32_t used = cells_put_cut(out, role, raw, width);

	cells_blank(out, used < width ? width - used : 0);
}

/* ---- periods ---- */

const struct period period_unknown = {NAN, NAN};

bool period_is_known(struct period p)
{
	return !isnan(p.start);
}

double period_length(struct period p)
{
	return p.end - p.start;
}

/* ---- geometry ---- */

/* A place in eighths of a row whose cells show [0, 1]. */
static uint32_t place_of(double part, uint32_t all)
{
	double at = round(part * all);

	if (!(at > 0)) /* NaN too */
		return 0;
	return at < all ? (uint32_t)at : all;
}

struct bar bar_of_share(double value, double most, uint32_t cells)
{
	uint32_t all = cells * BAR_CELL, to;

	if (!(value > 0) || !(most > 0) || !cells)
		return (struct bar){0, 0};
	to = value >= most ? all : place_of(value / most, all);
	return (struct bar){0, to ? to : 1};
}

struct bar bar_of_period(struct period p, struct period shown, uint32_t cells)
{
	uint32_t all = cells * BAR_CELL;
	double length = period_length(shown);
	struct bar b;

	if (!(p.end >= shown.start && p.start <= shown.end) || !cells)
		return (struct bar){0, 0};
	if (!(length > 0) || isinf(length)) /* a moment: nothing to measure by */
		return (struct bar){0, 1};
	b.from = place_of((p.start - shown.start) / length, all);
	b.to = place_of((p.end - shown.start) / length, all);
	if (b.from == all)
		b.from--;
	if (b.to <= b.from)
		b.to = b.from + 1;
	return b;
}

uint32_t bar_first(struct bar b)
{
	return b.from / BAR_CELL;
}

uint32_t bar_end(struct bar b)
{
	return b.to > b.from ? (b.to + BAR_CELL - 1) / BAR_CELL : bar_first(b);
}

/* ---- signs ---- */

/* Of a cell that is filled from one eighth to another: from the right there are only an
 * eighth, the half, and all of it. */
static const char *sign_in(struct bar b, enum bar_style style, uint32_t cell)
{
	static const enum glyph lines[] = {[BAR_LINE] = GLYPH_BAR_LINE,
		[BAR_TOOL] = GLYPH_BAR_TOOL,
		[BAR_WAIT] = GLYPH_BAR_WAIT};
	uint32_t begin = cell * BAR_CELL, from = b.from > begin ? b.from - begin : 0,
		 to = b.to - begin < BAR_CELL ? b.to - begin : BAR_CELL, n = to - from;

	if (style != BAR_SOLID)
		return glyph(lines[style]).p;
	if (safe_ascii())
		return 2 * n >= BAR_CELL ? "#" : "-";
	if (from == 0 || (to < BAR_CELL && from + to < BAR_CELL))
		return glyph_eighths[n];
	return n < 3 ? "▕" : n < 7 ? "▐" : glyph_eighths[BAR_CELL];
}

void bar_text(struct buf *out, enum bar_style style, struct bar b, uint32_t cells)
{
	uint32_t end = bar_end(b);

	buf_fill(out, ' ', bar_first(b));
	for (uint32_t cell = bar_first(b); cell < end; cell++)
		buf_text(out, sign_in(b, style, cell));
	buf_fill(out, ' ', end < cells ? cells - end : 0);
}

void bar_put(struct lines *out, enum role role, enum bar_style style, struct bar b,
	uint32_t first, uint32_t end)
{
	uint32_t from = bar_first(b), to = bar_end(b);
	AUTO_BUF text = BUF_INIT;

	from = from < first ? first : from > end ? end : from;
	to = to < from ? from : to > end ? end : to;
	cells_blank(out, from - first);
	for (uint32_t cell = from; cell < to; cell++)
		buf_text(&text, sign_in(b, style, cell));
	lines_put_own(out, role, buf_view(&text), to - from);
	cells_blank(out, end - to);
}

/* ---- an axis of time ---- */

#define DAY        86400.0
#define LONGEST    (1e6 * DAY) /* whole numbers and units up to there */
#define TICK_CELLS 10          /* a label, and room after it */

/* Above a second and below a day, where people do not count by tens. */
static const double clock_steps[] = {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
	3600, 7200, 10800, 21600, 43200};

/* 1, 2 or 5 of a decimal place of `unit`, at least `least`. */
static double decimal_step(double least, double unit)
{
	double place = unit * pow(10, floor(log10(least / unit)));

	if (least <= place)
		return place;
	if (least <= 2 * place)
		return 2 * place;
	return least <= 5 * place ? 5 * place : 10 * place;
}

double axis_step(double seconds, double most)
{
	double least = seconds / (most >= 1 ? most : 1);

	if (least <= 0.5)
		return decimal_step(least, 1);
	for (size_t i = 0; i < sizeof(clock_steps) / sizeof(*clock_steps); i++)
		if (least <= clock_steps[i])
			return clock_steps[i];
	return decimal_step(least, DAY);
}

void axis_label(struct buf *out, double seconds, double step)
{
	static const struct {
		double seconds;
		char sign;
	} units[] = {{DAY, 'd'}, {3600, 'h'}, {60, 'm'}};
	double rest = fabs(seconds) + step / 1000; /* what division took away */
	int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
	bool more = false;

	if (fabs(seconds) < step / 2) {
		buf_byte(out, '0');
		return;
	}
	if (seconds < 0)
		buf_byte(out, '-');
	if (!(rest < LONGEST)) {
		buf_printf(out, "%.3gd", rest / DAY);
		return;
	}
	for (size_t i = 0; i < 3 && (!more || step < units[i - 1].seconds); i++) {
		double n = floor(rest / units[i].seconds);

		if (n > 0 || more)
			buf_printf(out, more ? "%02.0f%c" : "%.0f%c", n, units[i].sign);
		more |= n > 0;
		rest -= n * units[i].seconds;
	}
	if (more && step >= 60)
		return;
	/* below a minute: in milliseconds, or seconds with the decimals of the step */
	rest = rest - step / 1000 > 0 ? rest - step / 1000 : 0;
	if (more)
		buf_printf(out, "%0*.*fs", decimals ? 3 + decimals : 2, decimals, rest);
	else if (rest < 1 && decimals)
		buf_printf(out, "%.*fms", decimals > 3 ? decimals - 3 : 0, rest * 1000);
	else
		buf_printf(out, "%.*fs", decimals, rest);
}

void axis_put(struct lines *out, struct period shown, double zero, uint32_t cells)
{
	double length = period_length(shown), step, first;
	unsigned ticks = cells / TICK_CELLS;
	AUTO_BUF label = BUF_INIT;
	uint32_t at = 0, to;

	if (!(length > 0) || isinf(length))
		length = 0;
	step = length > 0 ? axis_step(length, ticks) : 1;
	first = length > 0 ? ceil((shown.start - zero) / step - 1e-9) : 0;
	for (uint32_t i = 0; i <= ticks; i++) {
		double seconds = (first + i) * step;
		double part = length > 0 ? (zero + seconds - shown.start) / length : i;

		if (!(part < 1))
			break;
		to = part > 0 ? (uint32_t)(part * cells) : 0;
		if (to < at || to >= cells)
			continue;
		/* a tick, and its label if there is room for it */
		lines_printf(out, ROLE_DIM, "%*s", (int)(to - at), "");
		glyph_put_own(out, ROLE_DIM, GLYPH_VLINE);
		at = to + 1;
		buf_clear(&label);
		axis_label(&label, seconds, step);
		if (at + label.len > cells)
			continue;
		lines_put_own(out, ROLE_DIM, buf_view(&label), (uint32_t)label.len);
		at += (uint32_t)label.len;
	}
	lines_printf(out, ROLE_DIM, "%*s", (int)(cells - at), "");
}
