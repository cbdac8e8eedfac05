/*
 * See overview.h.  A sheet is one of the tables: its columns, and the cells of the row
 * that is made; the same rows become blocks on the screen and lines on paper.
 */
#include "config.h"
#include "view/overview.h"

#include <inttypes.h>

#include "view/facts.h"
#include "view/pieces.h"
#include "view/table.h"

#define FLUSH (1u << 16)

enum { COLUMN_MOST = 9 };

enum sheet_kind { SHEET_CHAINS, SHEET_MODELS, SHEET_TOOLS, SHEET_PAYLOADS, SHEET_COUNT };

struct sheet {
	enum sheet_kind kind;
	const struct survey *survey;
	bool many; /* chains: payloads say which is theirs */
	struct table_column columns[COLUMN_MOST];
	struct table_cell cells[COLUMN_MOST];
	struct buf texts[COLUMN_MOST];
	size_t count;
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
	static const char *const names[] = {"chain", "model", "tool"};

	add_column(sh, names[sh->kind], false,
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
}

static void add_payload_columns(struct sheet *sh)
{
	if (sh->many)
		add_column(sh, "chain", false, ROLE_TEXT);
	add_column(sh, "step", true, ROLE_TEXT);
	add_column(sh, "payload", false, ROLE_TEXT);
	add_column(sh, "", false, ROLE_TEXT);
}

static void sheet_begin(struct sheet *sh, enum sheet_kind kind, const struct survey *s)
{
	size_t chains = 0;

	*sh = (struct sheet){.kind = kind, .survey = s};
	for (size_t i = 0; i < s->count && chains < 2; i++)
		chains += s->groups[i].kind == GROUP_CHAIN;
	sh->many = chains > 1;
	if (kind == SHEET_PAYLOADS)
		add_payload_columns(sh);
	else
		add_group_columns(sh);
}

static void sheet_done(struct sheet *sh)
{
	for (size_t i = 0; i < COLUMN_MOST; i++)
		buf_done(&sh->texts[i]);
}

/* ---- rows ---- */

/* The number of the first row from `at` on, or SIZE_MAX. */
static size_t next_row(const struct sheet *sh, size_t at)
{
	const struct survey *s = sh->survey;

	if (sh->kind == SHEET_PAYLOADS)
		return at < s->payload_count ? at : SIZE_MAX;
	for (; at < s->count; at++)
		if (s->groups[at].kind == kinds[sh->kind])
			return at;
	return SIZE_MAX;
}

static void put_count(struct buf *out, uint64_t n)
{
	buf_printf(out, "%" PRIu64, n);
}

static void put_group(struct sheet *sh, const struct group *g)
{
	const struct totals *t = &g->totals;
	struct buf *out = sh->texts;

	buf_str(out++, g->name);
	put_count(out++, g->kind == GROUP_TOOL ? g->calls : t->steps);
	if (t->errors)
		put_count(out, t->errors);
	out++;
	if (g->kind == GROUP_TOOL)
		put_count(out++, t->steps);
	facts_flow(out++, t->input_tokens, t->output_tokens);
	facts_cost(out++, t->cost);
	facts_latency(out++, t->latency);
	facts_latency(out++, g->latency_median);
	facts_latency(out, g->latency_p95);
}

static void put_payload(struct sheet *sh, const struct survey_payload *p)
{
	struct buf *out = sh->texts;

	if (sh->many)
		buf_str(out++, sh->survey->groups[p->chain].name);
	put_count(out++, p->step + 1);
	buf_str(out++, p->type);
	buf_str(out, p->summary);
}

/* Makes the cells of a row; the position that it leads to. */
static uint64_t make_row(struct sheet *sh, size_t row)
{
	const struct survey *s = sh->survey;
	size_t position;

	for (size_t i = 0; i < sh->count; i++)
		buf_clear(&sh->texts[i]);
	if (sh->kind == SHEET_PAYLOADS) {
		put_payload(sh, &s->payloads[row]);
		position = s->payloads[row].position;
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

	piece_text(d, at, &piece_line, text, role, 0);
	d->blocks[at].index = UINT64_MAX;
	buf_done(words);
}

static void add_rest(struct doc *d, struct sheet *sh, size_t row)
{
	struct buf words = BUF_INIT;
	size_t rest = 0;

	for (; row != SIZE_MAX; row = next_row(sh, row + 1))
		rest++;
	if (!rest)
		return;
	buf_printf(&words, "%zu more; `catena stats` lists them all", rest);
	add_line(d, ROLE_DIM, &words);
}

static void add_sheet(struct doc *d, enum sheet_kind kind, const struct survey *s)
{
	struct sheet sh;
	struct table *t;
	struct buf nothing = BUF_INIT;
	size_t row, rows = 0;

	sheet_begin(&sh, kind, s);
	row = next_row(&sh, 0);
	if (row != SIZE_MAX) {
		add_line(d, ROLE_TEXT, &nothing);
		t = table_begin(d, sh.columns, sh.count, 0);
		for (; row != SIZE_MAX && rows < OVERVIEW_MOST; rows++) {
			uint64_t position = make_row(&sh, row);

			table_row(t, sh.cells, position);
			row = next_row(&sh, row + 1);
		}
		table_end(t, d->count);
		add_rest(d, &sh, row);
	}
	sheet_done(&sh);
}

static void put_all(struct buf *out, const struct survey *s)
{
	facts_totals_text(out, &s->totals);
	facts_latency_text(out, s->latency_median, s->latency_p95);
}

void overview_build(struct doc *d, const struct survey *s, const struct model *m)
{
	struct buf words = BUF_INIT;

	doc_clear(d);
	put_all(&words, s);
	add_line(d, ROLE_TITLE, &words);
	if (!survey_done(s)) {
		buf_printf(&words, "reading step %zu of %zu", survey_done_steps(s),
			m->order_count);
		add_line(d, ROLE_DIM, &words);
	}
	for (enum sheet_kind kind = 0; kind < SHEET_COUNT; kind++)
		add_sheet(d, kind, s);
}

/* ---- on paper ---- */

static void print_lines(struct buf *out, const struct lines *ls)
{
	for (size_t i = 0; i < ls->count; i++) {
		lines_plain(ls, i, out);
		while (out->len && out->data[out->len - 1] == ' ')
			out->len--;
		buf_byte(out, '\n');
	}
}

static void print_sheet(struct buf *out, enum sheet_kind kind, const struct survey *s,
	void (*flush)(struct buf *out))
{
	struct doc d = {.print = true};
	struct lines line = {0};
	struct sheet sh;
	struct table *t;
	size_t first;

	sheet_begin(&sh, kind, s);
	first = next_row(&sh, 0);
	t = table_new(&d, sh.columns, sh.count, 0);
	for (size_t row = first; row != SIZE_MAX; row = next_row(&sh, row + 1)) {
		make_row(&sh, row);
		table_measure(t, sh.cells);
	}
	table_insert_header(&d, 0, t, 0);
	if (first != SIZE_MAX)
		print_lines(out, doc_layout(&d, 0));
	for (size_t row = first; row != SIZE_MAX; row = next_row(&sh, row + 1)) {
		make_row(&sh, row);
		lines_clear(&line);
		table_layout(&d, t, sh.cells, &line, 0);
		print_lines(out, &line);
		if (out->len > FLUSH)
			flush(out);
	}
	if (first != SIZE_MAX)
		buf_byte(out, '\n');
	lines_done(&line);
	sheet_done(&sh);
	doc_done(&d);
}

void overview_print(
	struct buf *out, const struct survey *s, void (*flush)(struct buf *out))
{
	for (enum sheet_kind kind = 0; kind < SHEET_COUNT; kind++)
		print_sheet(out, kind, s, flush);
	buf_text(out, "all  ");
	put_all(out, s);
	buf_byte(out, '\n');
}
