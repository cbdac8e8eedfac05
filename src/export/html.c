/*
 * Chains as one HTML file: the waterfall as SVG, then the steps as a transcript shows
 * them, with folds as <details> and the roles of spans as classes (data/page.css).  The
 * results of a step's calls stand in it, though the next step has them; where messages
 * are not written again, the whole input follows in a fold.  It has no script and loads
 * nothing from the network; a policy in its head tells the browser to enforce that.
 *
 * The only data of a trace in an attribute is that of images, which is copied character
 * by character as far as it is base64.  Only raster types are shown, recognized by their
 * bytes: an SVG is a document of its own.  Everything else is text that passed text/safe
 * and is escaped.
 */
#include "config.h"
#include "export/write.h"

#include <math.h>
#include <string.h>

#include "base/embedded.h"
#include "base/mem.h"
#include "base/work.h"
#include "chat/parts.h"
#include "import/action.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/conversation.h"
#include "view/facts.h"
#include "view/pieces.h"
#include "view/scroll.h"
#include "view/session_rows.h"

#define INDENTED_MOST 12   /* cells that data/page.css has a class for */
#define FOLD_OPEN     2000 /* bytes of a fold that is open at first */

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"img-src data:; style-src 'unsafe-inline'\">\n"
	"<meta name=\"referrer\" content=\"no-referrer\">\n";

/* What the style shows as long as a box is checked. */
static const char boxes[] =
	"<nav><label><input type=\"checkbox\" id=\"steps\">all steps</label>"
	"<label><input type=\"checkbox\" id=\"folds\">everything</label>"
	"<label><input type=\"checkbox\" id=\"failed\">only what failed</label></nav>\n";

/* ---- text ---- */

static void put_escaped(struct buf *out, struct str text, const char *which)
{
	size_t from = 0;

	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if (c > '>' || !c || !strchr(which, c))
			continue;
		buf_add(out, text.p + from, i - from);
		buf_text(out, c == '"'    ? "&quot;"
			      : c == '&'  ? "&amp;"
			      : c == '\'' ? "&#39;"
			      : c == '<'  ? "&lt;"
					  : "&gt;");
		from = i + 1;
	}
	if (from < text.n)
		buf_add(out, text.p + from, text.n - from);
}

void html_put_escaped(struct buf *out, struct str text)
{
	put_escaped(out, text, "\"&'<>");
}

/* Between tags quotes are like other characters. */
static void put_text(struct buf *out, struct str text)
{
	put_escaped(out, text, "&<>");
}

/* Text of a trace, on one line. */
static void put_safe(struct buf *out, struct str raw)
{
	AUTO_BUF safe = BUF_INIT;

	safe_line(&safe, raw);
	put_text(out, buf_view(&safe));
}

/* Changes the open <i> to another role, whose name is its class.  Pages have a great many
 * of them: the shortest element, and no quotes where a value needs none. */
static void put_role(struct buf *out, enum role *now, enum role role)
{
	if (role == *now)
		return;
	if (*now != ROLE_TEXT)
		buf_text(out, "</i>");
	if (role != ROLE_TEXT)
		buf_printf(out, "<i class=%s>", role_name(role));
	*now = role;
}

/* A line without its first blanks and without the glyph of a fold: the browser has its
 * own.  *now is the role that is open before and after it. */
static void put_line(struct buf *out, const struct lines *ls, size_t line, uint32_t skip,
	enum role *now)
{
	const struct line *l = &ls->lines[line];

	for (uint32_t i = l->first; i < l->first + l->count; i++) {
		struct str text = lines_text(ls, &ls->spans[i]);

		for (; skip && text.n && *text.p == ' '; skip--, text.p++)
			text.n--;
		if (!text.n || ls->spans[i].fold)
			continue;
		skip = 0;
		put_role(out, now, ls->spans[i].role);
		put_text(out, text);
	}
}

/* ' class=i4', or an attribute that says how far it is indented. */
static void put_indent(struct buf *out, uint32_t indent)
{
	if (indent && indent <= INDENTED_MOST && indent % 2 == 0)
		buf_printf(out, " class=i%u", indent);
	else if (indent)
		buf_printf(out, " style=padding-left:%uch", indent);
}

/* ---- blocks ---- */

#define DEEPEST 48 /* folds in folds: browsers nest some 500 elements */

struct html_step {
	struct export *e;
	struct export_step *step;
	uint32_t folds[DEEPEST]; /* levels of the blocks with open folds */
	size_t fold_count;
	bool begun; /* its <details> */
};

static void close_folds(struct html_step *p, uint32_t level)
{
	for (; p->fold_count && p->folds[p->fold_count - 1] >= level; p->fold_count--)
		buf_text(&p->e->out, "</details>\n");
}

/* What a block says, on lines from the first that is no blank row above it (`skip`), or
 * from all. */
static void put_lines(struct export *e, struct buf *out, const struct lines *ls,
	uint32_t indent, bool skip)
{
	enum role now = ROLE_TEXT;
	size_t first = 0;

	while (skip && first + 1 < ls->count && !ls->lines[first].width)
		first++;
	for (size_t i = first; i < ls->count; i++) {
		buf_text(out, i > first ? "\n" : "");
		put_line(out, ls, i, indent, &now);
		if (out == &e->out)
			export_flush(e);
	}
	put_role(out, &now, ROLE_TEXT);
}

/* Of the data the characters of base64 and no others, padded to groups of four. */
static void put_image(struct html_step *p, const struct part *part)
{
	struct buf *out = &p->e->out;
	AUTO_BUF text = BUF_INIT;
	struct image_data data;
	size_t count = 0;

	if (part->kind != PART_IMAGE || part->remote || part->body.kind != J_STRING ||
		!image_data_find(&data, jv_str(part->body, &text)) || !data.media.n)
		return;
	buf_printf(out, "<img alt=\"\" src=\"data:%.*s;base64,", (int)data.media.n,
		data.media.p);
	for (size_t i = 0; i < data.base64.n && data.base64.p[i] != '='; i++) {
		char c = data.base64.p[i];

		c = c == '-' ? '+' : c == '_' ? '/' : c;
		if (str_is_plain(c) || c == '+' || c == '/') {
			buf_byte(out, c);
			count++;
		}
		export_flush(p->e);
	}
	buf_fill(out, '=', (4 - count % 4) % 4);
	buf_text(out, "\">\n");
}

/* ' class=said-user': the style draws the bar of who said it. */
static void put_class(struct buf *out, struct block *message)
{
	if (message->edge != ROLE_TEXT)
		buf_printf(out, " class=said-%s", role_name(message->edge));
	message->edge = ROLE_TEXT;
}

/* Appends the words of lines, without blanks. */
static void put_words(struct buf *out, const struct lines *ls)
{
	AUTO_BUF plain = BUF_INIT;

	for (size_t i = 0; i < ls->count; i++)
		lines_plain(ls, i, &plain);
	for (size_t i = 0; i < plain.len; i++)
		if (plain.data[i] != ' ')
			buf_byte(out, plain.data[i]);
}

/* Opens the fold of a block, if there is more in it than the block says while it is
 * closed. */
static bool open_fold(struct doc *d, size_t fold)
{
	uint32_t level = d->blocks[fold].level;
	struct place at = {fold, 0};
	AUTO_BUF closed = BUF_INIT, words = BUF_INIT;
	size_t i = fold + 1;

	put_words(&closed, doc_layout(d, fold));
	if (!doc_open(d, fold)) {
		doc_fold(d, &at, false);
		return false;
	}
	for (; i < d->count && d->blocks[i].level > level; i++) {
		if (words.len > closed.len || piece_media(&d->blocks[i]))
			break;
		put_words(&words, doc_layout(d, i));
	}
	if ((i < d->count && d->blocks[i].level > level) || words.len > closed.len ||
		!str_ends(buf_view(&closed), buf_view(&words)))
		return true;
	doc_fold(d, &at, false);
	return false;
}

static void end_summary(struct html_step *p, const struct block *b)
{
	buf_text(&p->e->out, "</summary>\n");
	p->folds[p->fold_count++] = b->head ? 0 : b->level;
}

static void begin_fold(struct html_step *p, const struct block *b, bool open)
{
	struct buf *out = &p->e->out;

	buf_printf(out, "%s>\n<summary", open ? " open" : "");
	put_indent(out, b->indent);
	buf_byte(out, '>');
}

/* A block that opens: what it says while it is closed, and what while it is open, where
 * that is not the beginning of it. */
static bool put_fold(struct html_step *p, struct doc *d, size_t i)
{
	AUTO_BUF closed = BUF_INIT;
	AUTO_BUF opened = BUF_INIT;
	struct block b = d->blocks[i];
	bool alone;

	put_lines(p->e, &closed, doc_layout(d, i), b.indent, true);
	if (!open_fold(d, i))
		return false;
	put_lines(p->e, &opened, doc_layout(d, i), b.indent, true);
	alone = (!closed.len || !memchr(closed.data, '\n', closed.len)) &&
		str_starts(buf_view(&closed), buf_view(&opened));
	buf_text(&p->e->out, "<details");
	begin_fold(p, &b, false);
	buf_text(&p->e->out, alone ? "<span>" : "<span class=closed>");
	buf_str(&p->e->out, buf_view(&closed));
	if (!alone) {
		buf_text(&p->e->out, "</span><span class=opened>");
		buf_str(&p->e->out, buf_view(&opened));
	}
	buf_text(&p->e->out, "</span>");
	end_summary(p, &b);
	return true;
}

/* A message, or a block that is open already: with what follows it, which belongs to it.
 */
static bool put_opened(struct html_step *p, struct doc *d, size_t i)
{
	struct block *b = &d->blocks[i];

	if (i + 1 == d->count || (!b->head && d->blocks[i + 1].level <= b->level))
		return false;
	buf_text(&p->e->out, "<details");
	if (b->head)
		put_class(&p->e->out, b);
	begin_fold(p, b, b->head ? b->limit != 0 : b->value.n + b->text.n <= FOLD_OPEN);
	buf_text(&p->e->out, "<span>");
	put_lines(p->e, &p->e->out, doc_layout(d, i), b->indent, true);
	buf_text(&p->e->out, "</span>");
	end_summary(p, b);
	return true;
}

static void put_block(struct html_step *p, struct doc *d, size_t i)
{
	struct buf *out = &p->e->out;
	bool words = doc_layout(d, i)->count, closed;

	close_folds(p, d->blocks[i].head ? 0 : d->blocks[i].level);
	closed = !d->blocks[i].head && !d->blocks[i].open;
	/* the fold of what the step before showed stays closed */
	if (!words || new_messages_is_fold(&d->blocks[i]) || p->fold_count == DEEPEST ||
		!(closed ? put_fold(p, d, i) : put_opened(p, d, i))) {
		const struct lines *ls = doc_layout(d, i);

		if (ls->count) {
			buf_text(out, "<p");
			put_indent(out, d->blocks[i].indent);
			buf_byte(out, '>');
			put_lines(p->e, out, ls, d->blocks[i].indent, false);
			buf_text(out, "</p>\n");
		}
	}
	if (piece_media(&d->blocks[i]))
		put_image(p, piece_media(&d->blocks[i]));
}

/* ---- a step ---- */

static void put_anchor(struct export *e, size_t number)
{
	buf_printf(&e->out, "t%zu-c%zu-s%zu", e->traces, e->chain + 1, number);
}

/* In a fold: what is known of a step besides its messages, or the whole input, where
 * messages of it are not written again; not where every message is written once, as in a
 * transcript. */
static void put_facts(struct html_step *p)
{
	struct export *e = p->e;
	struct reading *r = p->step->reading;
	bool whole = export_left_out(p->step, true);
	struct doc facts = {.print = true, .context = &r->input};
	struct export_blocks b;

	conversation_add_facts(&facts, e->trace, p->step->step, r);
	if (facts.count || whole)
		buf_printf(&e->out,
			"<details class=\"sent\"><summary class=\"dim\">%s</summary>\n",
			whole ? "the whole input" : "more about this step");
	if (whole) {
		r->new_only = false;
		export_blocks_begin(&b, e, p->step, true, WRAP_NEVER);
		while (export_blocks_next(&b)) {
			if (!b.block)
				close_folds(p, 0);
			put_block(p, &b.one, b.block);
		}
		r->new_only = true;
	}
	for (size_t i = 0; i < facts.count && !whole; i++)
		put_block(p, &facts, i);
	close_folds(p, 0);
	buf_text(&e->out, facts.count || whole ? "</details>\n" : "");
	doc_done(&facts);
}

/* Begins the <details> of a step, after the one before: results that answer its calls
 * stand in that. */
static void begin_step(struct html_step *p)
{
	struct export *e = p->e;
	struct export_step *s = p->step;
	struct trace *t = e->trace;
	uint32_t depth = trace_depth(t, s->position);
	bool failed = trace_flags(t, s->step) & (STEP_FAILED | STEP_BROKEN);
	AUTO_BUF raw = BUF_INIT, figures = BUF_INIT;
	struct str model;

	p->begun = true;
	export_know_tools(e, s);
	buf_printf(&e->out, "%s<details class=%s%s id=", e->steps ? "</details>\n" : "",
		failed ? "\"step failed\"" : "step", !e->steps ? " open" : "");
	put_anchor(e, s->number);
	if (depth)
		buf_printf(&e->out, " style=margin-left:%uch",
			2 * (depth < 10 ? depth : 10));
	model = export_call(e, s, &raw);
	buf_printf(&e->out, ">\n<summary><b>%zu</b><span>", s->number);
	put_safe(&e->out, buf_view(&raw));
	buf_text(&e->out, "</span><small>");
	/* the model is named where it changes */
	if (!e->steps || s->number == 1 ||
		trace_step(t, trace_at(t, s->position - 1)).model !=
			trace_step(t, s->step).model)
		put_safe(&e->out, model);
	export_figures(e, s, &figures);
	put_text(&e->out, buf_view(&figures));
	buf_text(&e->out, "</small></summary>\n");
	if (!e->options.new_only)
		put_facts(p);
}

/* A message as a transcript has it; the rule of a step is its <summary> here. */
static void put_message(void *ctx, struct doc *d)
{
	struct html_step *p = ctx;
	size_t first = 0;
	const struct lines *ls = doc_layout(d, 0); /* it may stand for more */
	bool said = d->count > 1 && d->blocks[0].head;

	for (size_t i = 0; i < ls->count; i++)
		said &= !ls->lines[i].width;
	if (scroll_step_begins(&d->blocks[0])) {
		if (!p->begun)
			begin_step(p);
		doc_open(d, 0);
		first = 1;
	} else if (said) {
		buf_text(&p->e->out, "<div");
		put_class(&p->e->out, &d->blocks[0]);
		buf_text(&p->e->out, ">\n");
		first = 1;
	}
	for (size_t i = first; i < d->count; i++) {
		put_block(p, d, i);
		doc_release(d, i);
		i = export_drop_written(d, i + 1) - 1;
	}
	close_folds(p, 0);
	buf_text(&p->e->out, said ? "</div>\n" : "");
}

static void write_step(struct export *e, struct export_step *s)
{
	struct html_step page = {.e = e, .step = s};
	struct doc input = {0}, output = {0};

	export_new_build(e, s, &input, &output);
	if (!e->steps || trace_depth(e->trace, s->position) <
				 trace_depth(e->trace, s->position - 1))
		begin_step(&page);
	export_new_write(e, &input, 0, put_message, &page);
	export_new_write(e, &output, 0, put_message, &page);
}

/* ---- the waterfall ----
 *
 * Of a chain as SVG: a row for each step, a bar for its time, a link to it.  It needs no
 * script, and its colors are those of the page.  Of a chain with very many steps the
 * longest have a row.  Nothing is written where no two steps have times.  Places are
 * shares of the page's width, so that it fits any; heights are pixels.
 */

#define ROW      18  /* pixels */
#define AXIS     20  /* of the axis */
#define ROWS     200 /* at most */
#define TICKS    8   /* at most */
#define LABELS   28  /* per cent of the width; the bars follow, */
#define BARS     60  /* then how long it took */
#define SHORTEST 1e-6
#define BUCKETS  256 /* for lengths of steps */
#define LOOKED   64 /* bytes that a step which is looked at stands for: see base/work.h */

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
		LABELS + 1, BARS, AXIS + rows * ROW);
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

static void put_row(struct export *e, size_t position, size_t number, size_t y,
	struct period p, struct period all)
{
	uint32_t step = trace_at(e->trace, position);
	uint32_t flags = trace_flags(e->trace, step);
	uint32_t depth = trace_depth(e->trace, position);
	bool failed = flags & (STEP_FAILED | STEP_BROKEN);
	struct buf *out = &e->out;
	AUTO_BUF raw = BUF_INIT, name = BUF_INIT, begin = BUF_INIT, length = BUF_INIT;
	double x = share(all, p.start), width = share(all, p.end) - x;

	step_call(e->trace, step, NULL, &raw);
	safe_line(&name, buf_view(&raw));
	facts_latency(&begin, p.start - all.start);
	facts_latency(&length, period_length(p));
	buf_printf(out, "<g role=listitem transform=translate(0,%zu)><a href=#", y);
	put_anchor(e, number);
	/* "3 search: at 1.2s for 0.5s, failed" */
	buf_printf(out, "><title>%zu ", number);
	html_put_escaped(out, buf_view(&name));
	buf_text(out, ": at ");
	html_put_escaped(out, buf_view(&begin));
	buf_text(out, " for ");
	html_put_escaped(out, buf_view(&length));
	buf_printf(out,
		"%s</title><rect class=row width=100%% height=%d />"
		"<svg width=%d%% height=%d><text x=%u y=13%s>%zu ",
		failed ? ", failed" : "", ROW, LABELS, ROW,
		10 * (depth < 10 ? depth : 10), failed ? " class=bad" : "", number);
	html_put_escaped(out, buf_view(&name));
	buf_printf(out,
		"</text></svg><svg x=%d%% width=%d%% height=%d>"
		"<rect class=\"bar%s%s\" x=%.2f%% y=4 width=%.2f%% height=%d /></svg>"
		"<text class=length x=100%% y=13>",
		LABELS + 1, BARS, ROW,
		scale_is_parent(&e->scale, position) ? " outer" : "",
		failed ? " bad" : "", x < 99.8 ? x : 99.8, width < 0.2 ? 0.2 : width,
		ROW - 8);
	html_put_escaped(out, buf_view(&length));
	buf_text(out, "</text></a></g>\n");
}

static void draw_chart(struct export *e, const struct chain *c)
{
	struct chart chart = {
		.all = scale_chain_period(&e->scale, (uint32_t)(c - e->trace->chains))};
	struct buf *out = &e->out;
	AUTO_BUF words = BUF_INIT;
	size_t y = AXIS;
	struct period p;

	if (!period_is_known(chart.all) || period_length(chart.all) <= 0 || c->count < 2)
		return;
	choose_rows(&chart, e, c);
	if (chart.rows < 2)
		return;
	buf_text(out, "<figure>\n<figcaption>");
	facts_period(&words, chart.all);
	html_put_escaped(out, buf_view(&words));
	if (chart.left_out)
		buf_printf(out, "  the %zu longest steps of %zu", chart.rows,
			chart.rows + chart.left_out);
	buf_printf(out,
		"</figcaption>\n<svg class=\"chart\" width=\"100%%\" height=\"%zu\" "
		"role=\"list\" aria-label=\"steps over time\">\n",
		AXIS + chart.rows * ROW);
	put_ticks(out, chart.all, chart.rows);
	for (size_t i = c->first; i < c->first + c->count && !stop_wanted(LOOKED); i++) {
		size_t bucket;

		if (!period_of(e, i, &p))
			continue;
		bucket = bucket_of(period_length(p));
		/* of the shortest that have room the first ones */
		if (bucket + 1 == chart.least && chart.spare)
			chart.spare--;
		else if (bucket < chart.least)
			continue;
		put_row(e, i, i - c->first + 1, y, p, chart.all);
		y += ROW;
	}
	buf_text(out, "</svg>\n</figure>\n");
}

/* ---- the frame ---- */

static void begin_trace(struct export *e)
{
	if (e->traces > 1)
		return;
	buf_text(&e->out, head);
	buf_text(&e->out, "<title>");
	put_safe(&e->out, str_of(inputs_name(e->trace->inputs)));
	buf_text(&e->out, "</title>\n<style>\n");
	buf_add(&e->out, (const char *)embedded_page.bytes, embedded_page.n);
	buf_text(&e->out, "</style>\n</head>\n<body>\n");
	buf_text(&e->out, boxes);
}

static void begin_chain(struct export *e, const struct chain *c)
{
	AUTO_BUF raw = BUF_INIT, figures = BUF_INIT;

	export_heading(e, c, &raw);
	buf_text(&e->out, "<h1>");
	put_safe(&e->out, buf_view(&raw));
	facts_totals_text(&figures, &c->totals, TOTALS_ALL);
	buf_text(&e->out, "</h1>\n<p>");
	put_text(&e->out, buf_view(&figures));
	buf_printf(&e->out, "  %s</p>\n", trace_chain_format(e->trace, c));
}

#define CARD_CELLS 112
#define CARD_ROWS  9

/* What stands before the steps of a chain that is written whole: the card of a session,
 * as above its panes, and the waterfall. */
static void draw_chain(struct export *e, const struct chain *c)
{
	struct session_card card = {
		.titled = true, .totals = c->totals, .window = NAN, .read = e->session};
	AUTO(lines_done) struct lines lines = {0};
	enum role now = ROLE_TEXT;

	if (e->session) {
		session_card_lay_out(&card, CARD_CELLS, CARD_ROWS, &lines);
		buf_text(&e->out, "<div class=\"card\">\n");
		for (size_t i = 0; i < lines.count; i++) {
			buf_text(&e->out, "<p>");
			put_line(&e->out, &lines, i, 0, &now);
			put_role(&e->out, &now, ROLE_TEXT);
			buf_text(&e->out, "</p>\n");
		}
		buf_text(&e->out, "</div>\n");
	}
	draw_chart(e, c);
}

static void end_chain(struct export *e, const struct chain *c)
{
	buf_text(&e->out, e->steps ? "</details>\n" : "");
}

static void end(struct export *e)
{
	if (e->traces)
		buf_text(&e->out, "</body>\n</html>\n");
}

const struct export_format export_html = {
	.name = "html",
	.ending = ".html",
	.other = ".htm",
	.once = true,
	.pairs = true,
	.write_step = write_step,
	.begin_trace = begin_trace,
	.begin_chain = begin_chain,
	.draw_chain = draw_chain,
	.end_chain = end_chain,
	.end = end,
};
