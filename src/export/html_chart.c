/*
 * The waterfall in HTML: see write.h.  Places are shares of the page's width, so that it
 * fits any; heights are pixels.
 */
#include "config.h"
#include "export/write.h"

#include <math.h>

#include "base/stop.h"
#include "import/action.h"
#include "text/safe.h"
#include "view/cells.h"
#include "view/facts.h"

#define ROW      18  /* pixels */
#define HEAD     20  /* of the axis */
#define ROWS     200 /* at most */
#define TICKS    8   /* at most */
#define LABELS   28  /* per cent of the width; the bars follow, */
#define BARS     60  /* then how long it took */
#define SHORTEST 1e-6
#define BUCKETS  256 /* for lengths of steps */
#define LOOKED   64 /* bytes that a step which is looked at stands for: see base/stop.h */

/* Which steps have a row. */
struct chart {
	struct period all;       /* of the chain */
	size_t lengths[BUCKETS]; /* how many steps are so long */
	size_t least;            /* of this bucket and later ones all have a row, */
	size_t spare;            /* and so many of the one before */
	size_t rows, left_out;   /* steps with one and without */
};

/* ---- which steps ---- */

/* The time of a step that is written; false: it is not known. */
static bool period_of(const struct export *e, size_t position, struct period *p)
{
	*p = scale_step_period(&e->scale, e->trace, position);
	return period_is_known(*p) && export_writes(e, position);
}

/* Lengths are sorted into buckets, each of which is an eighth longer than the one before.
 */
static size_t bucket_of(double length)
{
	double eighths = log2(length < SHORTEST ? 1 : length / SHORTEST) * 6;

	return eighths < BUCKETS - 1 ? (size_t)eighths : BUCKETS - 1;
}

/* As many of the longest as have room. */
static void choose_rows(
	struct chart *chart, const struct export *e, const struct chain *c)
{
	size_t all = 0;
	struct period p;

	for (size_t i = c->first; i < c->first + c->count && !stop_wanted(LOOKED); i++)
		if (period_of(e, i, &p)) {
			chart->lengths[bucket_of(period_length(p))]++;
			all++;
		}
	chart->least = BUCKETS;
	while (chart->least && chart->rows + chart->lengths[chart->least - 1] <= ROWS)
		chart->rows += chart->lengths[--chart->least];
	chart->spare = chart->least ? ROWS - chart->rows : 0;
	chart->rows += chart->spare;
	chart->left_out = all - chart->rows;
}

/* Of the shortest that have room the first ones; each step is asked once, in order. */
static bool has_row(struct chart *chart, struct period p)
{
	size_t bucket = bucket_of(period_length(p));

	if (bucket + 1 == chart->least && chart->spare) {
		chart->spare--;
		return true;
	}
	return bucket >= chart->least;
}

/* ---- drawing ---- */

/* What share of the chain's time has passed at a moment, in per cent. */
static double share(struct period all, double moment)
{
	double length = period_length(all);

	return length > 0 ? (moment - all.start) / length * 100 : 0;
}

static void put_ticks(struct buf *out, struct period all, size_t rows)
{
	double length = period_length(all), step;

	buf_printf(out,
		"<svg x=\"%d%%\" width=\"%d%%\" height=\"%zu\" aria-hidden=\"true\">\n",
		LABELS + 1, BARS, HEAD + rows * ROW);
	step = length > 0 ? axis_step(length, TICKS) : 1;
	for (double at = 0; at <= length && step > 0; at += step) {
		double x = share(all, all.start + at);
		AUTO_BUF label = BUF_INIT;

		if (x > 97)
			break;
		axis_label(&label, at, step);
		buf_printf(out,
			"<line class=\"tick\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" "
			"y2=\"100%%\"/><text class=\"tick\" x=\"%.2f%%\" dx=\"3\" "
			"y=\"12\">",
			x, x, x);
		html_put_escaped(out, buf_view(&label));
		buf_text(out, "</text>\n");
	}
	buf_text(out, "</svg>\n");
}

static void begin_chart(struct buf *out, const struct chart *chart)
{
	AUTO_BUF words = BUF_INIT;

	buf_text(out, "<figure>\n<figcaption>");
	facts_period(&words, chart->all);
	html_put_escaped(out, buf_view(&words));
	if (chart->left_out)
		buf_printf(out, "  the %zu longest steps of %zu", chart->rows,
			chart->rows + chart->left_out);
	buf_printf(out,
		"</figcaption>\n<svg class=\"chart\" width=\"100%%\" height=\"%zu\" "
		"role=\"list\" aria-label=\"steps over time\">\n",
		HEAD + chart->rows * ROW);
	put_ticks(out, chart->all, chart->rows);
}

/* "3 search: at 1.2s for 0.5s, failed" */
static void put_row_title(struct export *e, struct str name, size_t number,
	struct period p, struct period all, bool failed)
{
	struct buf *out = &e->out, text = BUF_INIT;

	buf_printf(out, "<title>%zu ", number);
	html_put_escaped(out, name);
	buf_text(out, ": at ");
	facts_latency(&text, p.start - all.start);
	buf_text(&text, " for ");
	facts_latency(&text, period_length(p));
	html_put_escaped(out, buf_view(&text));
	buf_text(out, failed ? ", failed</title>" : "</title>");
	buf_done(&text);
}

static void put_row(struct export *e, size_t position, size_t number, size_t y,
	struct period p, struct period all)
{
	uint32_t step = trace_at(e->trace, position);
	uint32_t flags = trace_flags(e->trace, step);
	uint32_t depth = trace_depth(e->trace, position);
	bool failed = flags & (STEP_FAILED | STEP_BROKEN);
	struct buf *out = &e->out, raw = BUF_INIT, name = BUF_INIT, length = BUF_INIT;
	double x = share(all, p.start), width = share(all, p.end) - x;

	step_call(e->trace, step, NULL, &raw);
	safe_line(&name, buf_view(&raw));
	facts_latency(&length, period_length(p));
	buf_printf(out, "<g role=listitem transform=translate(0,%zu)><a href=#", y);
	html_put_anchor(e, number);
	buf_byte(out, '>');
	put_row_title(e, buf_view(&name), number, p, all, failed);
	buf_printf(out,
		"<rect class=row width=100%% height=%d /><svg width=%d%% height=%d>"
		"<text x=%u y=13%s>%zu ",
		ROW, LABELS, ROW, 10 * (depth < 10 ? depth : 10),
		failed ? " class=bad" : "", number);
	html_put_escaped(out, buf_view(&name));
	buf_printf(out,
		"</text></svg><svg x=%d%% width=%d%% height=%d>"
		"<rect class=\"bar%s%s\" x=%.2f%% y=4 width=%.2f%% height=%d /></svg>"
		"<text class=length x=100%% y=13>",
		LABELS + 1, BARS, ROW, scale_is_parent(&e->scale, position) ? " outer" : "",
		failed ? " bad" : "", x < 99.8 ? x : 99.8, width < 0.2 ? 0.2 : width,
		ROW - 8);
	html_put_escaped(out, buf_view(&length));
	buf_text(out, "</text></a></g>\n");
	buf_done(&raw);
	buf_done(&name);
	buf_done(&length);
}

void html_draw_chart(struct export *e, const struct chain *c)
{
	struct chart chart = {
		.all = scale_chain_period(&e->scale, (uint32_t)(c - e->trace->chains))};
	size_t y = HEAD;
	struct period p;

	if (!period_is_known(chart.all) || period_length(chart.all) <= 0 || c->count < 2)
		return;
	choose_rows(&chart, e, c);
	if (chart.rows < 2)
		return;
	begin_chart(&e->out, &chart);
	for (size_t i = c->first; i < c->first + c->count && !stop_wanted(LOOKED); i++)
		if (period_of(e, i, &p) && has_row(&chart, p)) {
			put_row(e, i, i - c->first + 1, y, p, chart.all);
			y += ROW;
		}
	buf_text(&e->out, "</svg>\n</figure>\n");
}
