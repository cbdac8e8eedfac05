/*
 * See overview.h.  A sheet is one of the tables: its columns, and the cells of the row
 * that is made; the same rows become blocks on the screen and lines on paper.
 */
#include "config.h"
#include "view/overview.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "text/glyph.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/facts.h"
#include "view/pieces.h"
#include "view/table.h"

#define DECIMALS_MOST 6 /* of a cost in a table */
#define FLUSH         (1u << 16)

enum {
	COLUMN_MOST = 10,
	SHARE_CELLS = 10,
	NAME_LEAST = 12,
	TITLE_CELLS = 40,
	CHAIN_CELLS = 58
};

enum sheet_kind {
	SHEET_CHAINS = OVERVIEW_CHAINS,
	SHEET_MODELS,
	SHEET_TOOLS,
	SHEET_ERRORS,
	SHEET_SLOWEST,
	SHEET_COSTLIEST,
	SHEET_PAYLOADS,
	SHEET_COUNT
};

struct sheet {
	enum sheet_kind kind;
	const struct survey *survey;
	bool many;          /* chains: steps say which is theirs */
	unsigned decimals;  /* of costs */
	enum measure share; /* what the bars of groups are of; off on paper */
	struct table_column columns[COLUMN_MOST];
	struct table_cell cells[COLUMN_MOST];
	struct buf texts[COLUMN_MOST];
	size_t count;
};

static const struct {
	const char *title;  /* of its first column */
	const char *plural; /* what a folded one counts */
} sections[SHEET_COUNT] = {
	[SHEET_CHAINS] = {"chain", "chains"},
	[SHEET_MODELS] = {"model", "models"},
	[SHEET_TOOLS] = {"tool", "tools"},
	[SHEET_ERRORS] = {"failed", "failed"},
	[SHEET_SLOWEST] = {"slowest", "slowest"},
	[SHEET_COSTLIEST] = {"costliest", "costliest"},
	[SHEET_PAYLOADS] = {"payload", "payloads"},
};

/* ---- columns ---- */

static const enum group_kind kinds[] = {
	[SHEET_CHAINS] = GROUP_CHAIN,
	[SHEET_MODELS] = GROUP_MODEL,
	[SHEET_TOOLS] = GROUP_TOOL,
};

static void add_column(struct sheet *sh, const char *title, bool right, enum role role)
{
	sh->columns[sh->count] = (struct table_column){
		.title = str_of(title), .right = right, .fixed = right};
	sh->cells[sh->count++].role = role;
}

static void add_group_columns(struct sheet *sh)
{
	static const char *const of[] = {"", "of time", "of cost", "of tokens"};
	static const enum role roles[] = {ROLE_TEXT, ROLE_TIME, ROLE_COST, ROLE_TOKENS};

	add_column(sh, sections[sh->kind].title, false,
		sh->kind == SHEET_MODELS ? ROLE_MODEL : ROLE_TEXT);
	if (sh->kind == SHEET_TOOLS)
		add_column(sh, "calls", true, ROLE_TEXT);
	else
		add_column(sh, "steps", true, ROLE_TEXT);
	add_column(sh, "errors", true, ROLE_ERROR);
	if (sh->kind == SHEET_TOOLS)
		add_column(sh, "steps", true, ROLE_TEXT);
	add_column(sh, "tokens", true, ROLE_TOKENS);
	add_column(sh, "cost", true, ROLE_COST);
	add_column(sh, "time", true, ROLE_TIME);
	add_column(sh, "median", true, ROLE_TIME);
	add_column(sh, "p95", true, ROLE_TIME);
	if (sh->share != MEASURE_OFF)
		add_column(sh, of[sh->share], false, roles[sh->share]);
	sh->columns[sh->count - 1].fixed = true;
	sh->columns[0].least = NAME_LEAST; /* a name before the share */
}

static void add_payload_columns(struct sheet *sh)
{
	if (sh->many)
		add_column(sh, "chain", false, ROLE_TEXT);
	add_column(sh, "step", true, ROLE_TEXT);
	add_column(sh, "payload", false, ROLE_TEXT);
	add_column(sh, "", false, ROLE_TEXT);
}

static void add_step_columns(struct sheet *sh)
{
	add_column(sh, sections[sh->kind].title, false,
		sh->kind == SHEET_ERRORS ? ROLE_ERROR : ROLE_TEXT);
	if (sh->many)
		add_column(sh, "chain", false, ROLE_TEXT);
	add_column(sh, "step", true, ROLE_TEXT);
	if (sh->kind == SHEET_SLOWEST)
		add_column(sh, "time", true, ROLE_TIME);
	if (sh->kind == SHEET_COSTLIEST)
		add_column(sh, "cost", true, ROLE_COST);
	if (sh->kind == SHEET_ERRORS)
		add_column(sh, "error", false, ROLE_TEXT);
}

/* The steps that the survey names; NULL for the other sheets. */
static const struct notable_steps *notable_of(const struct sheet *sh)
{
	const struct notable *n = &sh->survey->notable;

	switch (sh->kind) {
	case SHEET_ERRORS:
		return &n->errors;
	case SHEET_SLOWEST:
		return &n->slowest;
	case SHEET_COSTLIEST:
		return &n->costliest;
	default:
		return NULL;
	}
}

/* The measure of the shares: cost, else tokens, else time, the first that is known. */
static enum measure measure_of(const struct survey *s)
{
	static const enum measure order[] = {MEASURE_COST, MEASURE_TOKENS, MEASURE_TIME};

	for (size_t i = 0; i < 3; i++)
		if (measure_of_totals(&s->totals, order[i]) > 0)
			return order[i];
	return MEASURE_OFF;
}

static void want_decimals(struct sheet *sh, double usd)
{
	unsigned n = facts_cost_decimals(usd);

	n = n < DECIMALS_MOST ? n : DECIMALS_MOST;
	if (n > sh->decimals)
		sh->decimals = n;
}

/* Linear in the groups. */
static void choose_decimals(struct sheet *sh)
{
	const struct survey *s = sh->survey;
	const struct notable_steps *steps = notable_of(sh);

	for (size_t i = 0; steps && sh->kind == SHEET_COSTLIEST && i < steps->count; i++)
		want_decimals(sh, steps->items[i].value);
	for (size_t i = 0; !steps && sh->kind != SHEET_PAYLOADS && i < s->count; i++)
		if (s->groups[i].kind == kinds[sh->kind])
			want_decimals(sh, s->groups[i].totals.cost);
}

static void sheet_begin(
	struct sheet *sh, enum sheet_kind kind, const struct survey *s, bool paper)
{
	size_t chains = 0;

	*sh = (struct sheet){.kind = kind, .survey = s};
	sh->share = paper ? MEASURE_OFF : measure_of(s);
	for (size_t i = 0; i < s->count && chains < 2; i++)
		chains += s->groups[i].kind == GROUP_CHAIN;
	sh->many = chains > 1;
	if (kind == SHEET_PAYLOADS)
		add_payload_columns(sh);
	else if (notable_of(sh))
		add_step_columns(sh);
	else
		add_group_columns(sh);
	choose_decimals(sh);
}

static void sheet_done(struct sheet *sh)
{
	for (size_t i = 0; i < COLUMN_MOST; i++)
		buf_done(&sh->texts[i]);
}

/* ---- rows ---- */

/* Of a few steps the list itself tells which is the slowest. */
static bool is_worth(const struct sheet *sh)
{
	return sh->kind == SHEET_ERRORS || sh->survey->totals.steps > TOP_MOST;
}

/* The number of the first row from `at` on, or SIZE_MAX. */
static size_t next_row(const struct sheet *sh, size_t at)
{
	const struct survey *s = sh->survey;
	const struct notable_steps *steps = notable_of(sh);

	if (steps)
		return at < steps->count && is_worth(sh) ? at : SIZE_MAX;
	if (sh->kind == SHEET_PAYLOADS)
		return at < s->payload_count ? at : SIZE_MAX;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): every sheet has one */
	for (; at < s->count; at++)
		if (s->groups[at].kind == kinds[sh->kind])
			return at;
	return SIZE_MAX;
}

static void put_count(struct buf *out, uint64_t n)
{
	buf_printf(out, "%" PRIu64, n);
}

/* "████▌      46%" */
static void put_share(struct buf *out, double value, double all)
{
	struct bar bar = bar_of_share(value, all, SHARE_CELLS);

	if (isnan(value))
		return;
	bar_text(out, BAR_SOLID, bar);
	buf_fill(out, ' ', SHARE_CELLS - bar_end(bar));
	buf_printf(out, " %3.0f%%", value <= all ? 100 * value / all : 100);
}

/* What a person asked may be long; a row keeps its columns. */
static void put_chain(struct buf *out, const struct survey_group *chain)
{
	safe_fit(out, chain->name, CHAIN_CELLS);
}

static void put_group(struct sheet *sh, const struct survey_group *g)
{
	const struct totals *t = &g->totals;
	struct buf *out = sh->texts;

	if (g->kind == GROUP_CHAIN)
		put_chain(out++, g);
	else
		buf_str(out++, g->name);
	put_count(out++, g->kind == GROUP_TOOL ? g->calls : t->steps);
	if (t->errors)
		put_count(out, t->errors);
	out++;
	if (g->kind == GROUP_TOOL)
		put_count(out++, t->steps);
	facts_flow(out++, t);
	if (facts_says_cost(t))
		facts_cost_fixed(out, t->cost, sh->decimals);
	out++;
	facts_latency(out++, t->latency);
	facts_latency(out++, g->latency_median);
	facts_latency(out++, g->latency_p95);
	if (sh->share != MEASURE_OFF)
		put_share(out, measure_of_totals(t, sh->share),
			measure_of_totals(&sh->survey->totals, sh->share));
}

static void put_step(struct sheet *sh, const struct notable_step *s)
{
	struct buf *out = sh->texts;

	buf_str(out++, s->name);
	if (sh->many)
		put_chain(out++, &sh->survey->groups[s->chain]);
	put_count(out++, s->step + 1);
	if (sh->kind == SHEET_SLOWEST)
		facts_latency(out, s->value);
	else if (sh->kind == SHEET_COSTLIEST)
		facts_cost_fixed(out, s->value, sh->decimals);
	else
		buf_str(out, s->message);
}

static void put_payload(struct sheet *sh, const struct survey_payload *p)
{
	struct buf *out = sh->texts;

	if (sh->many)
		put_chain(out++, &sh->survey->groups[p->chain]);
	put_count(out++, p->step + 1);
	buf_str(out++, p->type);
	buf_str(out, p->summary);
}

/* Makes the cells of a row; returns the position that it leads to. */
static uint64_t make_row(struct sheet *sh, size_t row)
{
	const struct survey *s = sh->survey;
	const struct notable_steps *steps = notable_of(sh);
	size_t position;

	for (size_t i = 0; i < sh->count; i++)
		buf_clear(&sh->texts[i]);
	if (sh->kind == SHEET_PAYLOADS) {
		put_payload(sh, &s->payloads[row]);
		position = s->payloads[row].position;
	} else if (steps) {
		put_step(sh, &steps->items[row]);
		position = steps->items[row].position;
	} else {
		put_group(sh, &s->groups[row]);
		position = s->groups[row].first;
	}
	for (size_t i = 0; i < sh->count; i++)
		sh->cells[i].text = buf_view(&sh->texts[i]);
	return position == SIZE_MAX ? UINT64_MAX : position;
}

/* ---- on the screen ---- */

/* A line of the program's own; releases the words. */
static void add_line(struct doc *d, enum role role, struct buf *words)
{
	struct str text = arena_dup(&d->arena, buf_view(words));
	size_t at = d->count;

	piece_text(d, &piece_line, text, role, 0);
	d->blocks[at].index = UINT64_MAX;
	buf_done(words);
}

static size_t count_rows(const struct sheet *sh, size_t row)
{
	size_t n = 0;

	for (; row != SIZE_MAX; row = next_row(sh, row + 1))
		n++;
	return n;
}

static void add_rest(struct doc *d, struct sheet *sh, size_t row)
{
	struct buf words = BUF_INIT;
	size_t rest = count_rows(sh, row);

	if (!rest)
		return;
	buf_printf(&words, "%zu more; `catena stats` lists them all", rest);
	add_line(d, ROLE_DIM, &words);
}

/* Of very many failed steps not all are kept. */
static void put_lost(struct buf *out, const struct sheet *sh)
{
	const struct notable *n = &sh->survey->notable;

	if (sh->kind == SHEET_ERRORS && n->error_count > n->errors.count)
		buf_printf(
			out, "%" PRIu64 " more failed", n->error_count - n->errors.count);
}

static void add_rows(struct doc *d, struct sheet *sh, size_t row)
{
	size_t rows = 0, title = d->count;
	struct buf lost = BUF_INIT;
	struct table *t;

	sh->columns[0].sign = glyph(glyph_fold(true)); /* its title is the section's */
	t = table_begin(d, sh->columns, sh->count, 0);
	for (; row != SIZE_MAX && rows < OVERVIEW_MOST; rows++) {
		uint64_t position = make_row(sh, row);

		table_row(t, sh->cells, position);
		row = next_row(sh, row + 1);
	}
	table_end(t);
	d->blocks[title].index = OVERVIEW_SECTION + sh->kind;
	add_rest(d, sh, row);
	put_lost(&lost, sh);
	if (lost.len)
		add_line(d, ROLE_DIM, &lost);
}

static void layout_folded(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct wrap w;

	wrap_begin(&w, out, width);
	wrap_indent(&w, glyph(glyph_fold(false)), STR(""), b->role);
	w.fold = true;
	wrap_add(&w, b->role, b->text);
	wrap_end(&w);
}

static const struct block_ops folded_ops = {.layout = layout_folded};

static void add_folded(struct doc *d, struct sheet *sh, size_t row)
{
	struct buf words = BUF_INIT;

	buf_printf(&words, "%s  %zu", sections[sh->kind].plural, count_rows(sh, row));
	add_line(d, ROLE_TITLE, &words);
	d->blocks[d->count - 1].ops = &folded_ops;
	d->blocks[d->count - 1].index = OVERVIEW_SECTION + sh->kind;
}

static void add_sheet(
	struct doc *d, enum sheet_kind kind, const struct survey *s, bool folded)
{
	struct buf nothing = BUF_INIT;
	struct sheet sh;
	size_t row;

	sheet_begin(&sh, kind, s, false);
	row = next_row(&sh, 0);
	if (row != SIZE_MAX) {
		add_line(d, ROLE_TEXT, &nothing);
		if (folded)
			add_folded(d, &sh, row);
		else
			add_rows(d, &sh, row);
	}
	sheet_done(&sh);
}

static void put_all(struct buf *out, const struct survey *s)
{
	facts_totals_text(out, &s->totals);
	facts_latency_text(out, s->latency_median, s->latency_p95);
}

/* "began 2025-07-19 10:00:03, took 4m05s" */
static void put_period(struct buf *out, struct period p)
{
	size_t before = out->len;

	if (!period_is_known(p))
		return;
	buf_text(out, "began ");
	facts_moment(out, p.start);
	if (out->len == before + strlen("began "))
		out->len = before;
	if (!(p.end > p.start))
		return;
	buf_text(out, out->len > before ? ", took " : "took ");
	facts_latency(out, period_length(p));
}

/* When it was, and what a cache spared. */
static void add_when(
	struct doc *d, const struct survey *s, const struct overview_options *options)
{
	AUTO_BUF words = BUF_INIT;

	if (options->scale)
		put_period(&words, scale_period(options->scale));
	if (s->totals.cache_read > 0) {
		buf_text(&words, words.len ? "  " : "");
		facts_tokens(&words, s->totals.cache_read);
		buf_text(&words, " input tokens came from a cache");
	}
	if (words.len)
		add_line(d, ROLE_DIM, &words);
}

/* The chain that is looked at, where it is one of several. */
static void add_chain(
	struct doc *d, const struct trace *trace, const struct overview_options *options)
{
	AUTO_BUF words = BUF_INIT;

	if (trace->chain_count < 2 || options->chain >= trace->chain_count)
		return;
	safe_fit(&words, trace_chain_title(trace, &trace->chains[options->chain]),
		TITLE_CELLS);
	buf_text(&words, ":  ");
	facts_totals_text(&words, &trace->chains[options->chain].totals);
	add_line(d, ROLE_HEADING, &words);
	if (options->scale)
		put_period(&words, scale_chain_period(options->scale, options->chain));
	if (words.len)
		add_line(d, ROLE_DIM, &words);
}

void overview_build(struct doc *d, const struct survey *s, const struct trace *trace,
	const struct overview_options *options)
{
	struct buf words = BUF_INIT;

	doc_clear(d);
	put_all(&words, s);
	add_line(d, ROLE_TITLE, &words);
	add_when(d, s, options);
	if (!survey_done(s)) {
		buf_printf(&words, "reading step %zu of %zu", survey_done_steps(s),
			trace->order_count);
		add_line(d, ROLE_DIM, &words);
	}
	add_chain(d, trace, options);
	for (enum sheet_kind kind = 0; kind < SHEET_COUNT; kind++)
		add_sheet(d, kind, s, options->folded >> kind & 1);
}

/* ---- on paper ---- */

static void print_lines(struct buf *out, const struct lines *ls)
{
	for (size_t i = 0; i < ls->count; i++)
		lines_print(ls, i, out);
}

/* Returns how many rows were left out. */
static size_t print_sheet(struct buf *out, enum sheet_kind kind, const struct survey *s,
	size_t most, void (*flush)(struct buf *out))
{
	struct doc d = {.print = true};
	AUTO(lines_done) struct lines line = {0};
	struct sheet sh;
	struct table *t;
	size_t first, end = SIZE_MAX, rows = 0, left_out = 0;

	sheet_begin(&sh, kind, s, true);
	first = next_row(&sh, 0);
	t = table_new(&d, sh.columns, sh.count, 0);
	for (size_t row = first; row != SIZE_MAX; row = next_row(&sh, row + 1)) {
		if (rows++ == most)
			end = row;
		left_out += rows > most;
		if (rows > most)
			continue;
		make_row(&sh, row);
		table_measure(t, sh.cells);
	}
	table_add_header(&d, t);
	if (first != SIZE_MAX)
		print_lines(out, doc_layout(&d, 0));
	for (size_t row = first; row != end; row = next_row(&sh, row + 1)) {
		make_row(&sh, row);
		lines_clear(&line);
		table_layout(&d, t, sh.cells, &line, 0);
		print_lines(out, &line);
		if (out->len > FLUSH)
			flush(out);
	}
	put_lost(out, &sh);
	if (first != SIZE_MAX)
		buf_byte(out, '\n');
	sheet_done(&sh);
	doc_done(&d);
	return left_out;
}

size_t overview_print(struct buf *out, const struct survey *s, size_t most,
	void (*flush)(struct buf *out))
{
	size_t left_out = 0;

	for (enum sheet_kind kind = 0; kind < SHEET_COUNT; kind++)
		left_out += print_sheet(out, kind, s, most ? most : SIZE_MAX, flush);
	buf_text(out, "all  ");
	put_all(out, s);
	buf_byte(out, '\n');
	return left_out;
}
