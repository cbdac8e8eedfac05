/*
 * See report.h.  A sheet is one of the tables: its columns, and the cells of the row
 * that is made; the same rows become blocks on the screen and lines on paper.
 */
#include "config.h"
#include "view/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "json/json.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/facts.h"
#include "view/pieces.h"
#include "view/table.h"

#define DECIMALS_MOST 6  /* of a cost in a table */
#define SIGNS         12 /* of runs */
#define DEEPEST       12 /* forks below one another */

bool report_row(struct report *r)
{
	bool first = !r->shown || (r->out.len && r->out.data[r->out.len - 1] == '[');

	if (r->most && r->shown == r->most) {
		r->left_out++;
		return false;
	}
	r->shown++;
	if (r->json) {
		buf_text(&r->out, first ? r->first : r->between);
		buf_byte(&r->out, '{');
	}
	return true;
}

void report_row_end(struct report *r)
{
	buf_byte(&r->out, r->json ? '}' : '\n');
	r->write(&r->out);
}

void report_row_line(struct report *r, const struct lines *line)
{
	lines_print(line, 0, &r->out);
	r->write(&r->out);
}

/* ---- a survey ---- */

enum {
	COLUMN_MOST = 10,
	SHARE_CELLS = 10,
	NAME_LEAST = 12,
	TITLE_CELLS = 40,
	CHAIN_CELLS = 58
};

enum sheet_kind {
	SHEET_CHAINS = OVERVIEW_CHAINS, /* groups first, by their kinds */
	SHEET_MODELS = GROUP_MODEL,
	SHEET_TOOLS = GROUP_TOOL,
	SHEET_ERRORS,
	SHEET_SLOWEST,
	SHEET_COSTLIEST,
	SHEET_PAYLOADS,
	SHEET_COUNT
};

/* What a column says of a group, a step or a payload. */
enum cell_kind {
	CELL_END,
	CELL_NAME,
	CELL_CHAIN, /* where there are several */
	CELL_STEP,
	CELL_CALLS,
	CELL_STEPS,
	CELL_ERRORS,
	CELL_TOKENS,
	CELL_COST,
	CELL_TIME,
	CELL_MEDIAN,
	CELL_P95,
	CELL_SHARE, /* not on paper */
	CELL_MESSAGE,
	CELL_PAYLOAD,
	CELL_SUMMARY,
	CELL_KINDS
};

static const struct {
	const char *title; /* NULL: the sheet's */
	bool right;
	enum role role;
} cells[CELL_KINDS] = {
	[CELL_CHAIN] = {"chain", false, ROLE_TEXT},
	[CELL_STEP] = {"step", true, ROLE_TEXT},
	[CELL_CALLS] = {"calls", true, ROLE_TEXT},
	[CELL_STEPS] = {"steps", true, ROLE_TEXT},
	[CELL_ERRORS] = {"errors", true, ROLE_ERROR},
	[CELL_TOKENS] = {"tokens", true, ROLE_TOKENS},
	[CELL_COST] = {"cost", true, ROLE_COST},
	[CELL_TIME] = {"time", true, ROLE_TIME},
	[CELL_MEDIAN] = {"median", true, ROLE_TIME},
	[CELL_P95] = {"p95", true, ROLE_TIME},
	[CELL_MESSAGE] = {"error", false, ROLE_TEXT},
	[CELL_PAYLOAD] = {"payload", false, ROLE_TEXT},
	[CELL_SUMMARY] = {"", false, ROLE_TEXT},
};

#define FIGURES                                                                          \
	CELL_TOKENS, CELL_COST, CELL_TIME, CELL_MEDIAN, CELL_P95, CELL_SHARE, CELL_END

static const struct {
	const char *title; /* of its first column */
	const char *name;  /* what a folded one counts; its key in JSON */
	enum role role;    /* of names */
	enum cell_kind cells[COLUMN_MOST + 1];
} sections[SHEET_COUNT] = {
	[SHEET_CHAINS] = {"chain", "chains", ROLE_TEXT,
		{CELL_NAME, CELL_STEPS, CELL_ERRORS, FIGURES}},
	[SHEET_MODELS] = {"model", "models", ROLE_MODEL,
		{CELL_NAME, CELL_STEPS, CELL_ERRORS, FIGURES}},
	[SHEET_TOOLS] = {"tool", "tools", ROLE_TEXT,
		{CELL_NAME, CELL_CALLS, CELL_ERRORS, CELL_STEPS, FIGURES}},
	[SHEET_ERRORS] = {"failed", "failed", ROLE_ERROR,
		{CELL_NAME, CELL_CHAIN, CELL_STEP, CELL_MESSAGE}},
	[SHEET_SLOWEST] = {"slowest", "slowest", ROLE_TEXT,
		{CELL_NAME, CELL_CHAIN, CELL_STEP, CELL_TIME}},
	[SHEET_COSTLIEST] = {"costliest", "costliest", ROLE_TEXT,
		{CELL_NAME, CELL_CHAIN, CELL_STEP, CELL_COST}},
	[SHEET_PAYLOADS] = {"payload", "payloads", ROLE_TEXT,
		{CELL_CHAIN, CELL_STEP, CELL_PAYLOAD, CELL_SUMMARY}},
};

/* What a row says of a group, a step or a payload. */
struct sheet_row {
	const struct survey_group *group;     /* or NULL, */
	const struct survey_payload *payload; /* ... too */
	struct str name, words;               /* words: an error, what is in a payload */
	size_t chain, step, position;         /* position: SIZE_MAX: none */
	double cost, time;
};

struct sheet {
	enum sheet_kind kind;
	const struct survey *survey;
	unsigned decimals;  /* of costs */
	enum measure share; /* what the bars of groups are of; off on paper */
	enum cell_kind kinds[COLUMN_MOST];
	struct table_column columns[COLUMN_MOST];
	struct table_cell cells[COLUMN_MOST]; /* of the row that is made */
	struct buf texts[COLUMN_MOST];
	size_t count;
	struct sheet_row *rows;
	size_t row_count, row_cap;
};

/* ---- rows ---- */

static void add_row(struct sheet *sh, struct sheet_row row)
{
	unsigned decimals = facts_cost_decimals(row.cost);

	if (decimals > sh->decimals)
		sh->decimals = decimals < DECIMALS_MOST ? decimals : DECIMALS_MOST;
	*MEM_ADD(sh->rows, sh->row_count, sh->row_cap) = row;
}

static void add_rows(struct sheet *sh)
{
	const struct survey *s = sh->survey;
	const struct notable_steps *steps = &s->notable.costliest;
	bool cost = sh->kind == SHEET_COSTLIEST;

	for (size_t i = 0; sh->kind <= SHEET_TOOLS && i < s->count; i++) {
		const struct survey_group *g = &s->groups[i];
		const struct totals *t = &g->totals;

		if ((unsigned)g->kind == sh->kind)
			add_row(sh, (struct sheet_row){.group = g,
					    .name = g->name,
					    .position = g->first,
					    .cost = facts_says_cost(t) ? t->cost : NAN,
					    .time = t->latency});
	}
	for (size_t i = 0; sh->kind == SHEET_PAYLOADS && i < s->payload_count; i++) {
		const struct survey_payload *x = &s->payloads[i];

		add_row(sh, (struct sheet_row){.payload = x,
				    .name = x->type,
				    .words = x->summary,
				    .chain = x->chain,
				    .step = x->step,
				    .position = x->position,
				    .cost = NAN,
				    .time = NAN});
	}
	if (sh->kind <= SHEET_TOOLS || sh->kind == SHEET_PAYLOADS)
		return;
	if (sh->kind == SHEET_ERRORS)
		steps = &s->notable.errors;
	else if (sh->kind == SHEET_SLOWEST)
		steps = &s->notable.slowest;
	for (size_t i = 0; i < steps->count; i++) {
		const struct notable_step *x = &steps->items[i];

		add_row(sh, (struct sheet_row){.name = x->name,
				    .words = x->message,
				    .chain = x->chain,
				    .step = x->step,
				    .position = x->position,
				    .cost = cost ? x->value : NAN,
				    .time = cost ? NAN : x->value});
	}
}

/* "████▌      46%" */
static void put_share(struct buf *out, double value, double all)
{
	if (isnan(value))
		return;
	bar_text(out, BAR_SOLID, bar_of_share(value, all, SHARE_CELLS), SHARE_CELLS);
	buf_printf(out, " %3.0f%%", value <= all ? 100 * value / all : 100);
}

static void put_cell(struct buf *out, const struct sheet *sh, enum cell_kind kind,
	const struct sheet_row *r)
{
	const struct survey_group *g = r->group;

	switch (kind) {
	case CELL_NAME:
	case CELL_PAYLOAD: /* what a person asked may be long; a row keeps its columns */
		if (g && g->kind == GROUP_CHAIN)
			safe_fit(out, r->name, CHAIN_CELLS);
		else
			buf_str(out, r->name);
		break;
	case CELL_CHAIN:
		safe_fit(out, sh->survey->groups[r->chain].name, CHAIN_CELLS);
		break;
	case CELL_STEP:
		buf_printf(out, "%zu", r->step + 1);
		break;
	case CELL_CALLS:
		buf_printf(out, "%" PRIu64, g->calls);
		break;
	case CELL_STEPS:
		buf_printf(out, "%" PRIu64, g->totals.steps);
		break;
	case CELL_ERRORS:
		if (g->totals.errors)
			buf_printf(out, "%" PRIu64, g->totals.errors);
		break;
	case CELL_TOKENS:
		facts_flow(out, &g->totals);
		break;
	case CELL_COST:
		facts_cost_fixed(out, r->cost, sh->decimals);
		break;
	case CELL_TIME:
		facts_latency(out, r->time);
		break;
	case CELL_MEDIAN:
		facts_latency(out, g->latency_median);
		break;
	case CELL_P95:
		facts_latency(out, g->latency_p95);
		break;
	case CELL_SHARE:
		put_share(out, measure_of_totals(&g->totals, sh->share),
			measure_of_totals(&sh->survey->totals, sh->share));
		break;
	case CELL_MESSAGE:
	case CELL_SUMMARY:
		buf_str(out, r->words);
		break;
	case CELL_END:
	case CELL_KINDS:
		break;
	}
}

/* Makes the cells of a row; returns the position that it leads to. */
static uint64_t make_row(struct sheet *sh, size_t row)
{
	size_t position = sh->rows[row].position;

	for (size_t i = 0; i < sh->count; i++) {
		buf_clear(&sh->texts[i]);
		put_cell(&sh->texts[i], sh, sh->kinds[i], &sh->rows[row]);
		sh->cells[i].text = buf_view(&sh->texts[i]);
	}
	return position == SIZE_MAX ? UINT64_MAX : position;
}

/* ---- columns ---- */

/* Linear in the groups. */
static void sheet_begin(
	struct sheet *sh, enum sheet_kind kind, const struct survey *s, bool paper)
{
	static const enum measure order[] = {MEASURE_COST, MEASURE_TOKENS, MEASURE_TIME};
	static const char *const of[] = {"", "of time", "of cost", "of tokens"};
	size_t chains = 0;

	*sh = (struct sheet){.kind = kind, .survey = s};
	/* the first that is known */
	for (size_t i = 0; i < 3 && !paper && sh->share == MEASURE_OFF; i++)
		if (measure_of_totals(&s->totals, order[i]) > 0)
			sh->share = order[i];
	for (size_t i = 0; i < s->count && chains < 2; i++)
		chains += s->groups[i].kind == GROUP_CHAIN;
	for (const enum cell_kind *k = sections[kind].cells; *k != CELL_END; k++) {
		struct table_column *c = &sh->columns[sh->count];
		const char *title = cells[*k].title;
		enum role role = cells[*k].role;

		if ((*k == CELL_CHAIN && chains < 2) ||
			(*k == CELL_SHARE && sh->share == MEASURE_OFF))
			continue;
		if (*k == CELL_SHARE) {
			title = of[sh->share];
			role = measure_roles[sh->share];
		} else if (*k == CELL_NAME) {
			title = sections[kind].title;
			role = sections[kind].role;
		}
		*c = (struct table_column){.title = str_of(title),
			.right = cells[*k].right,
			.fixed = cells[*k].right || *k == CELL_SHARE};
		if (*k == CELL_NAME && kind <= SHEET_TOOLS)
			c->least = NAME_LEAST; /* a name before the share */
		sh->kinds[sh->count] = *k;
		sh->cells[sh->count++].role = role;
	}
	add_rows(sh);
}

/* Of a few steps the list itself tells which is the slowest. */
static bool is_shown(const struct sheet *sh)
{
	bool top = sh->kind == SHEET_SLOWEST || sh->kind == SHEET_COSTLIEST;

	return sh->row_count && (!top || sh->survey->totals.steps > TOP_MOST);
}

static void sheet_done(struct sheet *sh)
{
	for (size_t i = 0; i < COLUMN_MOST; i++)
		buf_done(&sh->texts[i]);
	mem_free(sh->rows);
}

/* ---- on the screen ---- */

/* A line of the program's own; releases the words. */
static void add_line(struct doc *d, enum role role, struct buf *words)
{
	piece_text(d, &piece_line, arena_keep(&d->arena, words), role, 0)->index =
		UINT64_MAX;
}

/* Of very many failed steps not all are kept. */
static void put_lost(struct buf *out, const struct sheet *sh)
{
	const struct notable *n = &sh->survey->notable;

	if (sh->kind == SHEET_ERRORS && n->error_count > n->errors.count)
		buf_printf(
			out, "%" PRIu64 " more failed", n->error_count - n->errors.count);
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

static void add_sheet(
	struct doc *d, enum sheet_kind kind, const struct survey *s, bool folded)
{
	struct buf words = BUF_INIT;
	AUTO(sheet_done) struct sheet sh;
	struct table *t;
	size_t title;

	sheet_begin(&sh, kind, s, false);
	if (!is_shown(&sh))
		return;
	add_line(d, ROLE_TEXT, &words);
	title = d->count;
	if (folded) {
		buf_printf(&words, "%s  %zu", sections[kind].name, sh.row_count);
		add_line(d, ROLE_TITLE, &words);
		d->blocks[title].ops = &folded_ops;
		d->blocks[title].index = OVERVIEW_SECTION + kind;
		return;
	}
	sh.columns[0].sign = glyph(glyph_fold(true)); /* its title is the section's */
	t = table_new(d, sh.columns, sh.count, 0, 0, false);
	table_add_header(d, t);
	d->blocks[title].index = OVERVIEW_SECTION + kind;
	for (size_t row = 0; row < sh.row_count && row < OVERVIEW_MOST; row++) {
		uint64_t position = make_row(&sh, row);

		table_add_row(d, t, sh.cells, position);
	}
	if (sh.row_count > OVERVIEW_MOST) {
		buf_printf(&words, "%zu more; `catena stats` lists them all",
			sh.row_count - OVERVIEW_MOST);
		add_line(d, ROLE_DIM, &words);
	}
	put_lost(&words, &sh);
	if (words.len)
		add_line(d, ROLE_DIM, &words);
}

static void put_all(struct buf *out, const struct survey *s)
{
	facts_totals_text(out, &s->totals, TOTALS_ALL);
	if (isnan(s->latency_median))
		return;
	buf_text(out, "  median ");
	facts_latency(out, s->latency_median);
	buf_text(out, "  p95 ");
	facts_latency(out, s->latency_p95);
}

/* "began 2025-07-19 10:00:03, took 4m05s" */
static void put_period(struct buf *out, struct period p)
{
	AUTO_BUF when = BUF_INIT;

	facts_moment(&when, p.start);
	if (when.len)
		buf_printf(out, "began %s", when.data);
	if (!(p.end > p.start))
		return;
	buf_text(out, when.len ? ", took " : "took ");
	facts_latency(out, period_length(p));
}

void overview_build(struct doc *d, const struct survey *s, const struct trace *trace,
	const struct overview_options *options)
{
	struct buf words = BUF_INIT;

	doc_clear(d);
	put_all(&words, s);
	add_line(d, ROLE_TITLE, &words);
	/* when it was, and what a cache spared */
	put_period(&words, scale_period(options->scale));
	if (s->totals.cache_read > 0) {
		buf_text(&words, words.len ? "  " : "");
		facts_tokens(&words, s->totals.cache_read);
		buf_text(&words, " input tokens came from a cache");
	}
	if (words.len)
		add_line(d, ROLE_DIM, &words);
	if (s->phase != PHASE_DONE) {
		buf_printf(&words, "reading step %zu of %zu", survey_done_steps(s),
			trace->order_count);
		add_line(d, ROLE_DIM, &words);
	}
	/* the chain that is looked at, where it is one of several */
	if (trace->chain_count > 1 && options->chain < trace->chain_count) {
		const struct chain *chain = &trace->chains[options->chain];

		safe_fit(&words, trace_chain_title(trace, chain), TITLE_CELLS);
		buf_text(&words, ":  ");
		facts_totals_text(&words, &chain->totals, TOTALS_ALL);
		add_line(d, ROLE_HEADING, &words);
		put_period(&words, scale_chain_period(options->scale, options->chain));
		if (words.len)
			add_line(d, ROLE_DIM, &words);
	}
	for (enum sheet_kind kind = 0; kind < SHEET_COUNT; kind++)
		add_sheet(d, kind, s, options->folded >> kind & 1);
}

/* ---- on paper ---- */

void overview_print(struct report *r, const struct survey *s)
{
	for (enum sheet_kind kind = 0; kind < SHEET_COUNT; kind++) {
		AUTO(doc_done) struct doc d = {.print = true};
		AUTO(lines_done) struct lines line = {0};
		AUTO(sheet_done) struct sheet sh;
		const struct lines *header;
		struct table *t;

		sheet_begin(&sh, kind, s, true);
		if (!is_shown(&sh))
			continue;
		t = table_new(&d, sh.columns, sh.count, 0, 0, false);
		for (size_t i = 0; i < sh.row_count && (!r->most || i < r->most); i++) {
			make_row(&sh, i);
			table_measure(t, sh.cells);
		}
		table_add_header(&d, t);
		header = doc_layout(&d, 0);
		for (size_t i = 0; i < header->count; i++)
			lines_print(header, i, &r->out);
		r->shown = 0;
		for (size_t i = 0; i < sh.row_count; i++) {
			if (!report_row(r))
				continue;
			make_row(&sh, i);
			lines_clear(&line);
			table_layout(&d, t, sh.cells, &line, 0);
			report_row_line(r, &line);
		}
		put_lost(&r->out, &sh);
		buf_byte(&r->out, '\n');
	}
	buf_text(&r->out, "all  ");
	put_all(&r->out, s);
	buf_byte(&r->out, '\n');
}

/* ---- as JSON ---- */

static void put_latency(struct buf *out, double median, double p95)
{
	json_put_seconds(out, "latency_median_s", median);
	json_put_seconds(out, "latency_p95_s", p95);
}

/* Of a group, or of a step that the survey names; a failed one has a message. */
static void put_members(
	struct buf *out, const struct sheet *sh, const struct sheet_row *row)
{
	static const char *const keys[] = {"trace_id", "model", "tool"};
	const struct survey_group *g = row->group;
	const struct survey_payload *p = row->payload;
	bool chain = g && g->kind == GROUP_CHAIN;

	if (g) {
		json_put_text(out, keys[g->kind], chain ? g->trace : g->name);
		if (chain && g->named)
			json_put_text(out, "name", g->name);
		else if (chain)
			json_put_null(out, "name");
		if (g->kind == GROUP_TOOL)
			json_put_count(out, "calls", g->calls);
		facts_put_totals(out, &g->totals);
		put_latency(out, g->latency_median, g->latency_p95);
		return;
	}
	json_put_text(out, "trace_id", sh->survey->groups[row->chain].trace);
	json_put_count(out, "step", row->step + 1);
	if (p) {
		json_put_text(out, "side", p->input ? STR("input") : STR("output"));
		if (p->message == SIZE_MAX)
			json_put_null(out, "message");
		else
			json_put_count(out, "message", p->message);
		json_put_text(out, "type", p->type);
		json_put_text(out, "summary", p->summary);
		return;
	}
	json_put_text(out, "name", row->name);
	if (sh->kind == SHEET_ERRORS)
		json_put_text(out, "message", row->words);
	else if (sh->kind == SHEET_SLOWEST)
		json_put_seconds(out, "latency_s", row->time);
	else
		json_put_number(out, "cost_usd", row->cost);
}

void overview_put(struct report *r, const struct survey *s)
{
	static const enum sheet_kind order[SHEET_COUNT] = {SHEET_CHAINS, SHEET_MODELS,
		SHEET_TOOLS, SHEET_PAYLOADS, SHEET_ERRORS, SHEET_SLOWEST,
		SHEET_COSTLIEST};

	buf_byte(&r->out, '{');
	for (size_t i = 0; i < SHEET_COUNT; i++) {
		AUTO(sheet_done) struct sheet sh;

		sheet_begin(&sh, order[i], s, true);
		json_open(&r->out, sections[order[i]].name, '[');
		r->shown = 0;
		for (size_t row = 0; row < sh.row_count; row++) {
			if (!report_row(r))
				continue;
			put_members(&r->out, &sh, &sh.rows[row]);
			report_row_end(r);
		}
		buf_byte(&r->out, ']');
	}
	facts_put_totals(&r->out, &s->totals);
	put_latency(&r->out, s->latency_median, s->latency_p95);
	buf_text(&r->out, "}\n");
}

/* ---- findings of a check ---- */

/* What a row shows, in the document's arena. */
struct finding_row {
	enum severity severity;
	struct str step; /* "3", or "-" for none */
	struct str rule, message;
	struct str path; /* in the step; empty: the step itself */
};

/* "E 3 arguments-schema  message  output.messages[0].content" */
static void layout_finding(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	static const char *const signs[] = {"N ", "W ", "E "};
	const struct finding_row *row = b->data;
	struct wrap w;

	wrap_begin(&w, out, width);
	wrap_indent(&w, STR(""), STR("  "), ROLE_TEXT);
	wrap_add(&w, b->role, str_of(signs[row->severity]));
	wrap_add(&w, ROLE_TEXT, row->step);
	wrap_add(&w, ROLE_TEXT, STR(" "));
	wrap_add(&w, b->role, row->rule);
	wrap_add(&w, ROLE_TEXT, STR("  "));
	wrap_add(&w, ROLE_TEXT, row->message);
	if (row->path.n) {
		wrap_add(&w, ROLE_TEXT, STR("  "));
		wrap_add(&w, ROLE_DIM, row->path);
	}
	wrap_end(&w);
}

static const struct block_ops finding_ops = {.layout = layout_finding};

static void add_note(struct doc *d, struct str words)
{
	struct block *b = doc_add(d, &piece_line);

	b->index = NO_FINDING;
	b->text = words;
	b->role = ROLE_DIM;
}

void findings_add(struct doc *d, const struct findings *f, size_t from)
{
	static const enum role roles[] = {
		[SEVERITY_NOTE] = ROLE_DIM,
		[SEVERITY_WARNING] = ROLE_WARNING,
		[SEVERITY_ERROR] = ROLE_ERROR,
	};
	bool empty = d->count == 1 && d->blocks[0].ops == &piece_line;

	if (from >= f->count) {
		if (d->count == 0)
			add_note(d, STR("no findings"));
		return;
	}
	if (empty)
		doc_remove(d, 0, 1);
	for (size_t i = from; i < f->count; i++) {
		const struct finding *x = &f->items[i];
		struct finding_row *row = arena_alloc(&d->arena, sizeof(*row));
		struct block *b = doc_add(d, &finding_ops);
		struct buf step = BUF_INIT; /* as the list of steps counts */

		if (x->step != NO_STEP)
			buf_printf(&step, "%zu", x->index + 1);
		*row = (struct finding_row){
			.severity = x->severity,
			.step = step.len ? arena_keep(&d->arena, &step) : STR("-"),
			.rule = str_of(x->rule->name),
			.message = arena_dup(&d->arena, str_of(x->message)),
			.path = strcmp(x->path, ".") == 0
					? STR("")
					: arena_dup(&d->arena, str_of(x->path)),
		};
		b->data = row;
		b->text = row->message;
		b->role = roles[x->severity];
		b->index = i;
	}
}

void findings_end(struct doc *d, const struct findings *f)
{
	struct buf text = BUF_INIT;

	if (f->all == f->count)
		return;
	buf_printf(&text, "%zu more: catena check tells all", f->all - f->count);
	add_note(d, arena_keep(&d->arena, &text));
}

/* ---- of runs ---- */

static void add(struct run_rows *rows, enum run_row_kind kind, size_t index,
	unsigned depth, uint32_t step)
{
	*(struct run_row *)MEM_ADD(rows->items, rows->count, rows->cap) =
		(struct run_row){.kind = kind, .index = index, .depth = depth, .step = step};
}

static void add_fork(
	struct run_rows *rows, const struct runs *r, size_t fork, unsigned depth)
{
	const struct run_fork *f = &r->forks[fork];

	add(rows, ROW_FORK, fork, depth, r->branches[f->first].step);
	for (size_t i = f->first; i < f->first + f->count; i++) {
		add(rows, ROW_BRANCH, i, depth + 1, r->branches[i].step);
		if (r->branches[i].fork != NO_FORK && depth < DEEPEST)
			add_fork(rows, r, r->branches[i].fork, depth + 2);
	}
}

void run_rows_add(struct run_rows *rows, const struct runs *r, size_t task, bool each)
{
	size_t head = rows->count;

	add(rows, ROW_TASK, task, 0, NO_STEP);
	if (r->tasks[task].fork != NO_FORK)
		add_fork(rows, r, r->tasks[task].fork, 1);
	for (size_t i = 0; i < r->count; i++) {
		if (r->items[i].task != task)
			continue;
		if (rows->items[head].step == NO_STEP)
			rows->items[head].step = r->items[i].step;
		if (each)
			add(rows, ROW_RUN, i, 1, r->items[i].step);
	}
}

/* One sign for each run, as far as there is room: passed, failed, unknown. */
static void put_signs(struct buf *out, size_t passed, size_t failed, size_t runs)
{
	for (size_t i = 0; i < runs && i < SIGNS; i++)
		if (i < passed)
			buf_str(out, glyph(GLYPH_PASSED));
		else
			buf_str(out, i < passed + failed ? glyph(GLYPH_FAILED) : STR("?"));
	buf_text(out, runs > SIGNS ? "+  " : "  ");
}

/* "12 calls  3.4k tok  $0.02  41s" */
static void put_figures(
	struct buf *out, double calls, double tokens, double cost, double latency)
{
	buf_printf(out, "%.4g call%s", calls, calls == 1 ? "" : "s");
	if (tokens > 0) {
		buf_text(out, "  ");
		facts_tokens(out, tokens);
		buf_text(out, " tok");
	}
	if (cost > 0) {
		buf_text(out, "  ");
		facts_cost(out, cost);
	}
	if (latency > 0) {
		buf_text(out, "  ");
		facts_latency(out, latency);
	}
}

void run_row_put(
	const struct runs *r, const struct run_row *row, unsigned width, struct buf *out)
{
	const struct run_task *t;
	const struct run_branch *b;
	const struct task_run *x;
	size_t after;

	buf_fill(out, ' ', 2 * row->depth);
	switch (row->kind) {
	case ROW_TASK:
		t = &r->tasks[row->index];
		put_signs(out, t->passed, t->failed, t->runs);
		safe_fit(out, t->name, width);
		buf_printf(out, "  %zu run%s", t->runs, plural(t->runs));
		if (t->passed + t->failed)
			buf_printf(out, ", %zu passed", t->passed);
		buf_text(out, "  ");
		put_figures(out, t->calls, t->tokens, t->cost, t->latency);
		break;
	case ROW_FORK:
		after = r->forks[row->index].after;
		buf_printf(out, "part after %zu call%s:", after, plural(after));
		break;
	case ROW_BRANCH:
		b = &r->branches[row->index];
		put_signs(out, b->passed, b->failed, b->runs);
		if (b->call == MAP_NONE)
			buf_text(out, "(no more calls)");
		else
			safe_fit(out, intern_get(&r->names, b->call), width);
		break;
	case ROW_RUN:
		x = &r->items[row->index];
		put_signs(out, x->outcome == RUN_PASSED, x->outcome == RUN_FAILED, 1);
		buf_printf(out, "run %zu  ", row->index + 1);
		put_figures(out, (double)x->calls, x->tokens, x->cost, x->latency);
		break;
	}
}

void run_shares_put(const struct runs *r, const char *between, struct buf *out)
{
	for (size_t k = 1; k <= RUN_SHARES && k <= runs_most(r); k++)
		buf_printf(out, "%spass@%zu %.2f  pass^%zu %.2f", k > 1 ? between : "", k,
			runs_pass(r, k, false), k, runs_pass(r, k, true));
}
