/* Bars: see bar.h. */
#include "config.h"
#include "view/bar.h"

#include <math.h>

#include "text/glyph.h"
#include "text/safe.h"

const struct period period_unknown = {NAN, NAN};

/* ---- periods ---- */

bool period_is_known(struct period p)
{
	return !isnan(p.start);
}

double period_length(struct period p)
{
	return p.end - p.start;
}

struct period period_join(struct period a, struct period b)
{
	if (!period_is_known(a))
		return b;
	if (!period_is_known(b))
		return a;
	return (struct period){
		a.start < b.start ? a.start : b.start, a.end > b.end ? a.end : b.end};
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

/* Filled from the right there are only an eighth, the half, and all of it. */
static const char *right_sign(uint32_t eighths)
{
	if (eighths < 3)
		return "▕";
	return eighths < 7 ? "▐" : glyph_eighths[BAR_CELL];
}

/* Of a cell that is filled from one eighth to another. */
static const char *sign(uint32_t from, uint32_t to)
{
	if (safe_ascii())
		return 2 * (to - from) >= BAR_CELL ? "#" : "-";
	if (from == 0 || (to < BAR_CELL && from + to < BAR_CELL))
		return glyph_eighths[to - from];
	return right_sign(to - from);
}

static const char *sign_in(struct bar b, enum bar_style style, uint32_t cell)
{
	uint32_t begin = cell * BAR_CELL, from = b.from > begin ? b.from - begin : 0,
		 to = b.to - begin < BAR_CELL ? b.to - begin : BAR_CELL;

	if (style == BAR_LINE)
		return glyph(GLYPH_BAR_LINE).p;
	return sign(from, to);
}

static void put_blanks(struct lines *out, uint32_t from, uint32_t to)
{
	if (to > from)
		lines_printf(out, ROLE_TEXT, "%*s", (int)(to - from), "");
}

void bar_text(struct buf *out, enum bar_style style, struct bar b)
{
	buf_fill(out, ' ', bar_first(b));
	for (uint32_t cell = bar_first(b); cell < bar_end(b); cell++)
		buf_text(out, sign_in(b, style, cell));
}

void bar_put(struct lines *out, enum role role, enum bar_style style, struct bar b,
	uint32_t first, uint32_t end)
{
	uint32_t from = bar_first(b), to = bar_end(b);
	struct buf text = BUF_INIT;

	from = from < first ? first : from > end ? end : from;
	to = to < from ? from : to > end ? end : to;
	put_blanks(out, first, from);
	for (uint32_t cell = from; cell < to; cell++)
		buf_text(&text, sign_in(b, style, cell));
	if (to > from)
		lines_put_own(out, role, buf_view(&text), to - from);
	put_blanks(out, to, end);
	buf_done(&text);
}
