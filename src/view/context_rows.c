/* See chain_bars.h. */
#include "config.h"
#include "view/chain_bars.h"

#include <math.h>

#include "import/open.h"
#include "text/safe.h"
#include "view/cells.h"
#include "view/facts.h"

#define NAME_LEAST   8  /* cells of a name, */
#define NAME_MOST    28 /* at most, and not more than a quarter of the row */
#define BARS_LEAST   8  /* cells; where there are fewer there are figures alone */
#define TOTAL        8  /* cells of a figure, */
#define GROWTH       9  /* and of what it is more, */
#define GROWTH_WIDTH 70 /* in rows of that many */
#define TITLE_MOST   36

/* Letters are what tells parts apart without colors. */
static const struct {
	char letter;
	enum role role;
	const char *single; /* what one item is called */
} signs[CONTEXT_KINDS] = {
	[CONTEXT_SYSTEM] = {'S', ROLE_SYSTEM, "system"},
	[CONTEXT_TOOLS] = {'T', ROLE_MODEL, "tool"},
	[CONTEXT_USER] = {'U', ROLE_USER, "user"},
	[CONTEXT_ASSISTANT] = {'A', ROLE_ASSISTANT, "assistant"},
	[CONTEXT_CALLS] = {'C', ROLE_TIME, "call"},
	[CONTEXT_RESULTS] = {'R', ROLE_TOOL, "result"},
	[CONTEXT_REASONING] = {'H', ROLE_DIM, "thought"},
	[CONTEXT_MEDIA] = {'M', ROLE_LINK, "media"},
	[CONTEXT_OTHER] = {'O', ROLE_TEXT, "other"},
	[CONTEXT_UNRECORDED] = {'?', ROLE_DIM, NULL},
};

/* ---- the chain ---- */

/* Tokens that fit into the window of a step's model; 0: the table does not say. */
static double window_of(struct context_view *v, struct trace *trace, uint32_t step)
{
	uint32_t model = trace_step(trace, step).model;
	struct err err = {.offset = ERR_NOWHERE};
	double window;

	if (!v->prices)
		v->prices = prices_new(STR(""), &err);
	err_done(&err);
	if (!v->prices || model == NO_TEXT)
		return 0;
	window = prices_window(v->prices, trace_text(trace, model));
	return window > 0 ? window : 0;
}

/* The window of the chain is that of the first model that has one. */
static void find_window(struct context_view *v)
{
	for (; !(v->window > 0) && v->asked < v->context.count; v->asked++)
		v->window =
			window_of(v, v->context.trace, v->context.rows[v->asked].step);
}

void context_view_begin(struct context_view *v, struct trace *trace, size_t position)
{
	uint32_t chain = trace_chain_at(trace, position);

	context_view_done(v);
	context_begin(&v->context, trace, chain);
	find_window(v);
	context_view_go(v, position - trace->chains[chain].first);
}

void context_view_done(struct context_view *v)
{
	context_view_close(v);
	context_done(&v->context);
	prices_free(v->prices);
	*v = (struct context_view){.bytes = v->bytes, .signs = v->signs};
}

void context_view_go(struct context_view *v, size_t row)
{
	size_t count = v->context.count;

	v->row = row < count ? row : count - 1;
	v->step = v->context.rows[v->row].step;
	v->at_end = v->row + 1 == count;
}

bool context_view_update(struct context_view *v, bool stay_at_end)
{
	if (!context_update(&v->context))
		return false;
	find_window(v);
	context_view_go(v, v->at_end && stay_at_end ? v->context.count - 1 : v->row);
	return true;
}

/* What the figures are: tokens, where some step says them and bytes are not wanted. */
static bool context_view_tokens(const struct context_view *v)
{
	return v->context.says_tokens && !v->bytes;
}

/* False: the row is not read yet. */
static bool parts_of(const struct context_view *v, size_t row, struct context_parts *p)
{
	return context_row_parts(&v->context, row, context_view_tokens(v), p);
}

/* ---- figures ---- */

/* 850, 1.2k, 12k, 1.2M of tokens, or bytes */
static void put_size(struct buf *out, double n, bool tokens)
{
	if (!tokens)
		facts_bytes(out, n > 0 ? (uint64_t)n : 0);
	else if (n < 999.5)
		buf_printf(out, "%.0f", n);
	else if (n < 9950)
		buf_printf(out, "%.1fk", n / 1000);
	else if (n < 999500)
		buf_printf(out, "%.0fk", n / 1000);
	else
		buf_printf(out, "%.1fM", n / 1e6);
}

/* As the step says it, or about. */
static void put_total(struct buf *out, const struct context_parts *p)
{
	if (p->guessed)
		buf_str(out, glyph(GLYPH_ABOUT));
	if (p->tokens && !p->guessed)
		facts_tokens(out, p->total);
	else
		put_size(out, p->total, p->tokens);
}

static void put_growth(struct buf *out, const struct context_view *v, size_t row)
{
	double more = context_row_growth(&v->context, row, context_view_tokens(v));

	if (!(fabs(more) >= 1)) /* NaN too */
		return;
	buf_byte(out, more < 0 ? '-' : '+');
	put_size(out, fabs(more), context_view_tokens(v));
}

/* ---- rows ---- */

struct context_layout {
	uint32_t number, name, bars, growth;
};

static struct context_layout lay_row(const struct context_view *v, uint32_t width)
{
	struct context_layout l = {.number = facts_digits(v->context.count)};
	uint32_t left = width > l.number + 2 ? width - l.number - 2 : 0;

	l.growth = width < GROWTH_WIDTH ? 0 : GROWTH;
	l.name = width / 4 < NAME_LEAST ? NAME_LEAST : width / 4;
	l.name = l.name > NAME_MOST ? NAME_MOST : l.name;
	if (left < l.name + 2 + TOTAL + BARS_LEAST) {
		l.growth = 0;
		l.name = left > TOTAL ? left - TOTAL : 0;
		return l;
	}
	l.bars = left - l.name - 2 - TOTAL - l.growth;
	return l;
}

#define WINDOW_SHARE 5 /* of the window at least one in so many is used */

/* Whether bars are measured by the window. */
static bool by_window(const struct context_view *v)
{
	double most = context_most(&v->context, context_view_tokens(v));

	return context_view_tokens(v) && most <= v->window &&
	       WINDOW_SHARE * most >= v->window && most > 0;
}

struct context_bar {
	uint32_t cells;   /* of all parts, */
	uint32_t cached;  /* of those from the left: from a cache */
	uint32_t eighths; /* of the last one, 1 to 8 */
	bool letters;
};

/* The cells of a part: hatched as far as it came from a cache; letters where there are no
 * colors, as on the row of the cursor. */
static void put_part(struct lines *out, int kind, const struct context_bar *b,
	uint32_t from, uint32_t to)
{
	AUTO_BUF text = BUF_INIT;

	for (uint32_t i = from; i < to; i++)
		if (kind == CONTEXT_UNRECORDED)
			buf_str(&text, glyph(GLYPH_BAR_REST));
		else if (b->letters)
			buf_byte(&text, signs[kind].letter);
		else if (i < b->cached)
			buf_str(&text, glyph(GLYPH_BAR_CACHE));
		else if (i + 1 == b->cells && !safe_ascii())
			buf_text(&text, glyph_eighths[b->eighths]);
		else
			buf_str(&text, glyph(GLYPH_BAR_PART));
	lines_put_own(out, signs[kind].role, buf_view(&text), to - from);
}

/* What is not recorded comes first: it was there before all else.  After the bar a sign
 * says that the history was made shorter, and a line where the window ends. */
static void put_bar(const struct context_view *v, size_t row,
	const struct context_parts *p, struct lines *out, uint32_t cells)
{
	bool line = by_window(v), shorter = v->context.rows[row].resets;
	bool tokens = context_view_tokens(v);
	struct step step = trace_step(v->context.trace, v->context.rows[row].step);
	double most = line ? v->window : context_most(&v->context, tokens);
	double cached = tokens && !p->guessed ? step.cache_read / p->total : 0;
	struct bar bar = bar_of_share(p->total, most, cells - line);
	struct context_bar b = {
		.cells = bar_end(bar), .letters = v->signs || row == v->row};
	uint32_t part[CONTEXT_KINDS], at;

	b.eighths = b.cells ? bar.to - (b.cells - 1) * BAR_CELL : 0;
	if (cached > 0)
		b.cached = (uint32_t)round(fmin(cached, 1) * b.cells);
	context_cells(p->part, b.cells, part);
	at = part[CONTEXT_UNRECORDED];
	put_part(out, CONTEXT_UNRECORDED, &b, 0, at);
	for (int i = 0; i < CONTEXT_RECORDED; at += part[i++])
		put_part(out, i, &b, at, at + part[i]);
	shorter = shorter && b.cells < cells - line;
	if (shorter)
		glyph_put_own(out, ROLE_WARNING, GLYPH_COMPACTED);
	cells_blank(out, cells - line - b.cells - shorter);
	if (line)
		glyph_put_own(out, ROLE_BORDER, GLYPH_VLINE);
}

void context_view_line(const struct context_view *v, size_t row, struct str did,
	struct lines *out, uint32_t width)
{
	struct context_layout l = lay_row(v, width);
	struct trace *trace = v->context.trace;
	uint32_t step = v->context.rows[row].step, flags = trace_flags(trace, step),
		 depth = trace_depth(trace, trace->chains[v->context.chain].first + row);
	AUTO_BUF name = BUF_INIT, text = BUF_INIT;
	struct context_parts parts;

	lines_clear(out);
	lines_put_own(out, ROLE_TITLE, row == v->row ? glyph(GLYPH_CURSOR) : STR(" "), 1);
	lines_printf(out, ROLE_DIM, "%*zu", (int)l.number, row + 1);
	lines_printf(out, ROLE_ERROR, "%c", flags & STEP_FAILED ? '!' : ' ');
	buf_fill(&name, ' ', 2 * (size_t)(depth < 4 ? depth : 4));
	if (did.n)
		buf_str(&name, did);
	else
		step_title(trace, step, &name);
	cells_put_beginning(out,
		flags & (STEP_FAILED | STEP_BROKEN) ? ROLE_ERROR : ROLE_TEXT,
		buf_view(&name), l.name);
	if (!parts_of(v, row, &parts)) {
		if (l.bars)
			lines_printf(out, ROLE_TEXT, " ");
		glyph_put_own(out, ROLE_DIM, GLYPH_ELLIPSIS);
		return;
	}
	if (l.bars) {
		lines_printf(out, ROLE_TEXT, " ");
		put_bar(v, row, &parts, out, l.bars);
		lines_printf(out, ROLE_TEXT, " ");
	}
	if (parts.total > 0)
		put_total(&text, &parts);
	cells_put(
		out, parts.guessed ? ROLE_DIM : ROLE_TEXT, buf_view(&text), TOTAL, true);
	buf_clear(&text);
	put_growth(&text, v, row);
	if (l.growth)
		cells_put(out, ROLE_DIM, buf_view(&text), l.growth, true);
}

/* ---- the legend ---- */

enum legend { LEGEND_SHARES, LEGEND_NAMES, LEGEND_SIZES, LEGEND_LETTERS };

static bool is_in_legend(
	const struct context_view *v, const struct context_parts *p, int kind)
{
	return p->part[kind] > 0 || (kind < CONTEXT_RECORDED && v->context.has[kind]);
}

/* The fullest form that has room with the most that it takes, whatever the step, so that
 * it stays as it is from row to row. */
static enum legend form_of(
	const struct context_view *v, const struct context_parts *p, uint32_t width)
{
	enum legend form = LEGEND_SHARES;

	for (; form < LEGEND_LETTERS; form++) {
		size_t need = 1;
		size_t each = (p->tokens ? 8u : 10u) + (form == LEGEND_SHARES ? 4u : 0);

		for (int i = 0; i < CONTEXT_KINDS; i++)
			if (is_in_legend(v, p, i) && form <= LEGEND_NAMES)
				need += each + 1 + strlen(context_kind_names[i]);
			else if (is_in_legend(v, p, i))
				need += each;
		if (need <= width + (size_t)2)
			break;
	}
	return form;
}

void context_view_legend(const struct context_view *v, struct lines *out, uint32_t width)
{
	struct context_layout l = lay_row(v, width);
	uint32_t end = l.number + 2 + l.name + l.bars;
	AUTO_BUF words = BUF_INIT;
	struct context_parts p;
	enum legend form;

	parts_of(v, v->row, &p);
	form = form_of(v, &p, width);
	lines_clear(out);
	lines_printf(out, ROLE_TEXT, " ");
	for (int i = 0; i < CONTEXT_KINDS; i++) {
		if (!is_in_legend(v, &p, i))
			continue;
		buf_clear(&words);
		if (form <= LEGEND_NAMES)
			buf_printf(&words, " %s", context_kind_names[i]);
		if (form != LEGEND_LETTERS && p.part[i] >= 1) {
			buf_byte(&words, ' ');
			put_size(&words, p.part[i], p.tokens);
			if (form == LEGEND_SHARES)
				buf_printf(&words, " %.0f%%", 100 * p.part[i] / p.total);
		}
		lines_put_own(out, signs[i].role, (struct str){&signs[i].letter, 1}, 1);
		lines_put_own(
			out, ROLE_DIM, buf_view(&words), safe_width(buf_view(&words)));
		lines_printf(out, ROLE_TEXT, "  ");
	}
	if (!l.bars || !by_window(v) || cells_used(out) > end)
		return;
	/* "│200k" above the line where the window ends */
	cells_blank(out, end - cells_used(out));
	glyph_put_own(out, ROLE_BORDER, GLYPH_VLINE);
	buf_clear(&words);
	facts_tokens_in(&words, v->window, 4);
	cells_put(out, ROLE_DIM, buf_view(&words), TOTAL, false);
}

/* ---- words ---- */

void context_view_status(struct context_view *v, struct buf *out)
{
	struct context_parts parts;
	double window;

	buf_printf(out, "%zu/%zu  ", v->row + 1, v->context.count);
	if (!parts_of(v, v->row, &parts))
		return;
	if (!(parts.total > 0)) {
		buf_text(out, "nothing was sent");
		return;
	}
	put_total(out, &parts);
	window = parts.tokens ? window_of(v, v->context.trace, v->step) : 0;
	if (window > 0) {
		buf_text(out, " of ");
		facts_tokens_in(out, window, 4);
	}
	buf_text(out, parts.tokens ? " tokens" : "");
	if (window > 0)
		buf_printf(out, ", %.0f %%", 100 * parts.total / window);
	buf_text(out, "  ");
	put_growth(out, v, v->row);
	if (v->context.rows[v->row].resets)
		buf_text(out, "  compacted");
}

void context_view_title(const struct context_view *v, uint32_t width, struct buf *out)
{
	const struct context *c = &v->context;
	struct context_parts parts;

	parts_of(v, v->row, &parts);
	if (form_of(v, &parts, width) > LEGEND_NAMES) {
		for (int i = 0; i < CONTEXT_KINDS; i++)
			if (is_in_legend(v, &parts, i))
				buf_printf(out, "%c %s  ", signs[i].letter,
					context_kind_names[i]);
	} else {
		if (c->trace->chain_count > 1) {
			safe_fit(out,
				trace_chain_title(c->trace, &c->trace->chains[c->chain]),
				TITLE_MOST);
			buf_text(out, "  ");
		}
		if (context_view_tokens(v))
			buf_printf(
				out, "tokens, split %s by bytes  ", glyph(GLYPH_ABOUT).p);
		else
			buf_text(out, "bytes  ");
	}
	if (!context_is_ready(c))
		buf_printf(out, "reading %zu of %zu", c->at, c->count);
}

#define GAUGE 8 /* cells */

void context_view_gauge(
	struct context_view *v, struct trace *trace, uint32_t chain, struct buf *out)
{
	const struct chain *c = &trace->chains[chain];
	size_t at = c->first + c->count;
	double tokens = NAN, window;

	for (size_t i = 0; i < GAUGE_STEPS && at > c->first && !(tokens > 0); i++) {
		struct totals t = trace_step_counted(trace, --at);

		if (!trace_depth(trace, at)) /* of a sub-agent it would be another */
			tokens = t.input_tokens;
	}
	window = tokens > 0 ? window_of(v, trace, trace_at(trace, at)) : 0;
	if (!(window > 0))
		return;
	buf_text(out, "context ");
	bar_text(out, BAR_SOLID, bar_of_share(tokens, window, GAUGE), GAUGE);
	buf_printf(out, "%3.0f %%", 100 * tokens / window);
}

/* ---- the largest items ---- */

void context_view_close(struct context_view *v)
{
	context_largest_free(v->largest);
	v->largest = NULL;
}

void context_view_open(struct context_view *v)
{
	context_view_close(v);
	v->largest = context_largest_new(&v->context, v->row, !context_view_tokens(v));
}

#define SIZE_CELLS  8
#define SHARE_CELLS 6
#define LABEL_LEAST 12
#define LABEL_MOST  44
#define STEP_WIDTH  60 /* cells of a row that says the step */

/* What an item takes of the whole. */
static double size_of(const struct context_parts *p, const struct context_row *row,
	uint64_t bytes, uint64_t weight)
{
	double all = (double)context_sizes_weight(&row->sizes);

	if (!p->tokens)
		return (double)bytes;
	return all > 0 ? (double)weight / all * (p->total - p->part[CONTEXT_UNRECORDED])
		       : 0;
}

static void put_sizes(struct lines *out, const struct context_parts *p, double size)
{
	AUTO_BUF text = BUF_INIT;

	put_size(&text, size, p->tokens);
	cells_put(out, ROLE_STRONG, buf_view(&text), SIZE_CELLS, true);
	buf_clear(&text);
	if (p->total > 0)
		buf_printf(&text, "%.0f%%", 100 * size / p->total);
	cells_put(out, ROLE_DIM, buf_view(&text), SHARE_CELLS, true);
}

static void layout_item(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct context_view *v = d->context;
	const struct context_big *big = &v->largest->items[b->index];
	const struct context_row *row = &v->context.rows[v->largest->row];
	uint32_t cells = width * 2 / 5, used;
	AUTO_BUF label = BUF_INIT;
	struct context_parts p;

	parts_of(v, v->largest->row, &p);
	cells = cells < LABEL_LEAST  ? LABEL_LEAST
		: cells > LABEL_MOST ? LABEL_MOST
				     : cells;
	lines_begin(out);
	put_sizes(out, &p, size_of(&p, row, big->bytes, big->weight));
	buf_text(&label, signs[big->kind].single);
	if (big->name.n)
		buf_byte(&label, ' ');
	buf_str(&label, big->name);
	lines_printf(out, signs[big->kind].role, "  %c ", signs[big->kind].letter);
	cells_put_beginning(out, ROLE_TEXT, buf_view(&label), cells - 4);
	if (width >= STEP_WIDTH) {
		/* the step in which it came in: of a turn the one that says it */
		const struct context *c = &v->context;
		uint32_t digits = facts_digits(c->count), at = big->row;
		AUTO_BUF text = BUF_INIT;

		if (!c->rows[at].turn)
			at = c->at > at ? context_first_row(c, big->hash) : NO_ROW;
		if (at != NO_ROW)
			buf_printf(&text, "  step %*u", (int)digits, at + 1);
		cells_put(out, ROLE_DIM, buf_view(&text), digits + 7, false);
	}
	used = out->lines[0].width + 2;
	if (used + 4 > width)
		return;
	lines_printf(out, ROLE_TEXT, "  ");
	cells_put_beginning(out, ROLE_DIM, big->line, width - used);
}

static void layout_note(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct context_view *v = d->context;
	const struct context_largest *l = v->largest;
	const struct context_row *row = &v->context.rows[l->row];
	struct context_parts p;
	uint32_t used = SIZE_CELLS + SHARE_CELLS + 2;

	parts_of(v, l->row, &p);
	lines_begin(out);
	put_sizes(out, &p,
		b->role == ROLE_OTHER
			? p.part[CONTEXT_UNRECORDED]
			: size_of(&p, row, l->other_bytes, l->other_weight));
	lines_printf(out, ROLE_TEXT, "  ");
	if (used < width)
		cells_put_beginning(out, ROLE_DIM, b->text, width - used);
}

static void copy_item(const struct doc *d, const struct block *b, struct buf *out)
{
	const struct context_view *v = d->context;

	buf_str(out, v->largest->items[b->index].line);
}

static const struct block_ops item_ops = {.layout = layout_item, .copy = copy_item};
static const struct block_ops note_ops = {.layout = layout_note};

/* ROLE_OTHER: what is not recorded; ROLE_DIM: the rest. */
static void add_note(struct doc *d, enum role role, struct str words)
{
	struct block *b = doc_add(d, &note_ops);

	b->index = NO_CONTEXT_ITEM;
	b->role = role;
	b->text = words;
}

void context_view_build(struct context_view *v, struct doc *d)
{
	const struct context_largest *l = v->largest;
	struct context_parts p;
	struct buf words = BUF_INIT;
	bool said = false;

	doc_clear(d);
	d->context = v;
	parts_of(v, l->row, &p);
	for (size_t i = 0; i <= l->count; i++) {
		double size = 0; /* after the last nothing */

		if (i < l->count)
			size = size_of(&p, &v->context.rows[l->row], l->items[i].bytes,
				l->items[i].weight);
		if (!said && p.part[CONTEXT_UNRECORDED] > size) {
			add_note(d, ROLE_OTHER,
				STR("? not in the file: the system prompt, tools, or "
				    "what else is sent each time"));
			said = true;
		}
		if (i < l->count)
			doc_add(d, &item_ops)->index = i;
	}
	if (l->others) {
		buf_printf(&words, "%zu smaller ones", l->others);
		add_note(d, ROLE_DIM, arena_keep(&d->arena, &words));
	}
	if (!d->count)
		add_note(d, ROLE_DIM, STR("nothing was sent"));
}

void context_view_largest_title(const struct context_view *v, struct buf *out)
{
	struct context_parts parts;

	buf_printf(out, "step %zu", v->largest->row + 1);
	if (!parts_of(v, v->largest->row, &parts))
		return;
	buf_text(out, "  ");
	put_total(out, &parts);
	buf_text(out, parts.tokens ? " tokens" : "");
	if (v->largest->left)
		buf_printf(out, "  reading, %zu steps left", v->largest->left);
}
