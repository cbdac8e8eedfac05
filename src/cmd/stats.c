/*
 * `catena stats`: figures per chain, model and tool, and every payload; each step is
 * opened for it.  With --totals the totals of chains alone: of the steps those alone are
 * opened that may have a failed result; with --context
 * what each step was sent (analysis/context).
 */
#include "config.h"
#include "cmd/cmd.h"

#include <math.h>

#include "analysis/context.h"
#include "analysis/survey.h"
#include "base/map.h"
#include "base/mem.h"
#include "import/action.h"
#include "import/failure.h"
#include "json/json.h"
#include "text/glyph.h"
#include "text/safe.h"
#include "trace/labels.h"
#include "view/facts.h"
#include "view/overview.h"

static void write_name(struct buf *out, bool named, struct str name)
{
	if (named)
		json_write_text(out, "name", name);
	else
		json_write_null(out, "name");
}

static void write_totals(struct buf *out, const struct totals *t)
{
	json_write_key(out, "totals");
	facts_write_totals(out, t);
}

/* ---- totals alone ---- */

/* Rows of all files; each is printed or written as it comes, the sum of all at the end.
 */
struct stats {
	struct buf out;
	struct totals sum;
	struct row_limit limit; /* of chains */
};

static void print_row(struct buf *out, struct str name, const struct totals *t)
{
	safe_column(out, name, 40);
	buf_byte(out, ' ');
	facts_totals_text(out, t);
	buf_byte(out, '\n');
}

static int add_file_totals(struct cmd_file *f, const struct options *o, void *stats)
{
	struct stats *s = stats;
	const struct trace *trace = f->trace;
	AUTO(failure_walk_done) struct failure_walk failures = {0};

	(void)failure_walk_run(&failures, f->trace, trace->count, UINT64_MAX);
	for (size_t i = 0; i < trace->chain_count; i++) {
		const struct chain *c = &trace->chains[i];

		if (!row_limit_take(&s->limit))
			continue;
		if (!o->json) {
			print_row(&s->out, trace_chain_title(trace, c), &c->totals);
		} else {
			buf_text(&s->out,
				s->limit.shown > 1 ? ",{\"trace_id\":" : "{\"trace_id\":");
			json_write_string(&s->out, trace_text(trace, c->trace_id));
			write_name(
				&s->out, c->name != NO_TEXT, trace_text(trace, c->name));
			write_totals(&s->out, &c->totals);
			buf_byte(&s->out, '}');
		}
		cmd_write_long(&s->out);
	}
	totals_add(&s->sum, &trace->totals);
	return STATUS_DONE;
}

static int stats_totals(const struct options *o)
{
	struct stats s = {.sum = totals_unknown, .limit.most = o->limit};
	int status;

	if (o->json)
		buf_text(&s.out, "{\"chains\":[");
	status = cmd_each(o, add_file_totals, &s);
	if (o->json) {
		buf_byte(&s.out, ']');
		write_totals(&s.out, &s.sum);
		buf_text(&s.out, "}\n");
	} else if (s.limit.shown + s.limit.left_out > 1) {
		print_row(&s.out, STR("all"), &s.sum);
	}
	if (s.limit.shown || status != STATUS_ERROR)
		cmd_write(&s.out);
	cmd_note_left_out(s.limit.left_out, "trace");
	buf_done(&s.out);
	return status;
}

/* ---- by label ---- */

/* What the steps of each label add to the totals; "": those without one. */
struct label_stats {
	struct intern names;
	struct totals *sums; /* by number in `names` */
	size_t cap;
};

static int add_labels(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct label_stats *s = ctx;
	AUTO(failure_walk_done) struct failure_walk failures = {0};

	(void)failure_walk_run(&failures, f->trace, f->trace->count, UINT64_MAX);
	for (size_t i = 0; i < f->trace->order_count; i++) {
		struct step step = trace_step(f->trace, trace_at(f->trace, i));
		const struct label *l = labels_of(f->trace, &step);
		struct totals own = trace_step_counted(f->trace, i);
		size_t before = s->names.count;
		uint32_t n = intern_add(&s->names, l ? buf_view(&l->text) : STR(""));

		MEM_ROOM(s->sums, s->cap, (size_t)n + 1);
		if (n == before)
			s->sums[n] = totals_unknown;
		totals_add(&s->sums[n], &own);
	}
	return STATUS_DONE;
}

static int stats_by_label(const struct options *o)
{
	struct label_stats s = {0};
	struct row_limit limit = {.most = o->limit};
	int status = cmd_each(o, add_labels, &s);
	AUTO_BUF out = BUF_INIT;

	buf_text(&out, o->json ? "{\"labels\":[" : "");
	for (size_t i = 0; i < s.names.count; i++) {
		struct str name = intern_get(&s.names, (uint32_t)i);

		if (!row_limit_take(&limit))
			continue;
		if (!o->json) {
			print_row(&out, name.n ? name : STR("(no label)"), &s.sums[i]);
			continue;
		}
		buf_text(&out, i ? ",{\"label\":" : "{\"label\":");
		if (name.n)
			json_write_string(&out, name);
		else
			buf_text(&out, "null");
		write_totals(&out, &s.sums[i]);
		buf_byte(&out, '}');
	}
	buf_text(&out, o->json ? "]}\n" : "");
	cmd_write(&out);
	cmd_note_left_out(limit.left_out, "label");
	mem_free(s.sums);
	intern_done(&s.names);
	return status;
}

/* ---- with every step opened ---- */

static void write_groups(struct buf *out, const char *key, const struct survey *s,
	enum group_kind kind, struct row_limit *limit)
{
	static const char *const keys[] = {"trace_id", "model", "tool"};

	limit->shown = 0;
	buf_printf(out, "\"%s\":[", key);
	for (size_t i = 0; i < s->count; i++) {
		const struct survey_group *g = &s->groups[i];

		if (g->kind != kind || !row_limit_take(limit))
			continue;
		buf_printf(out, "%s{\"%s\":", limit->shown > 1 ? "," : "", keys[kind]);
		json_write_string(out, kind == GROUP_CHAIN ? g->trace : g->name);
		if (kind == GROUP_CHAIN)
			write_name(out, g->named, g->name);
		if (kind == GROUP_TOOL)
			buf_printf(out, ",\"calls\":%llu", (unsigned long long)g->calls);
		write_totals(out, &g->totals);
		facts_write_latency(out, g->latency_median, g->latency_p95);
		buf_byte(out, '}');
		cmd_write_long(out);
	}
	buf_text(out, "],");
}

static void write_payloads(
	struct buf *out, const struct survey *s, struct row_limit *limit)
{
	limit->shown = 0;
	buf_text(out, "\"payloads\":[");
	for (size_t i = 0; i < s->payload_count; i++) {
		const struct survey_payload *p = &s->payloads[i];

		if (!row_limit_take(limit))
			continue;
		buf_text(out, i ? ",{\"trace_id\":" : "{\"trace_id\":");
		json_write_string(out, s->groups[p->chain].trace);
		buf_printf(out, ",\"step\":%zu,\"side\":\"%s\"", p->step + 1,
			p->input ? "input" : "output");
		if (p->message == SIZE_MAX)
			json_write_null(out, "message");
		else
			buf_printf(out, ",\"message\":%zu", p->message);
		json_write_text(out, "type", p->type);
		json_write_text(out, "summary", p->summary);
		buf_byte(out, '}');
		cmd_write_long(out);
	}
	buf_byte(out, ']');
}

/* ,"slowest":[{"trace_id","step","name","latency_s"}]: steps that the survey names; a
 * failed one has a "message". */
static void write_steps(struct buf *out, const char *key, const struct survey *s,
	const struct notable_steps *list, const char *value,
	void (*write)(struct buf *, double), struct row_limit *limit)
{
	limit->shown = 0;
	buf_printf(out, ",\"%s\":[", key);
	for (size_t i = 0; i < list->count; i++) {
		const struct notable_step *step = &list->items[i];

		if (!row_limit_take(limit))
			continue;
		buf_text(out, i ? ",{\"trace_id\":" : "{\"trace_id\":");
		json_write_string(out, s->groups[step->chain].trace);
		buf_printf(out, ",\"step\":%zu", step->step + 1);
		json_write_text(out, "name", step->name);
		if (!value) {
			json_write_text(out, "message", step->message);
		} else {
			json_write_key(out, value);
			write(out, step->value);
		}
		buf_byte(out, '}');
		cmd_write_long(out);
	}
	buf_byte(out, ']');
}

static void write_survey(
	struct buf *out, const struct survey *s, struct row_limit *limit)
{
	const struct notable *n = &s->notable;

	buf_byte(out, '{');
	write_groups(out, "chains", s, GROUP_CHAIN, limit);
	write_groups(out, "models", s, GROUP_MODEL, limit);
	write_groups(out, "tools", s, GROUP_TOOL, limit);
	write_payloads(out, s, limit);
	write_steps(out, "failed", s, &n->errors, NULL, NULL, limit);
	write_steps(out, "slowest", s, &n->slowest, "latency_s", json_write_seconds, limit);
	write_steps(out, "costliest", s, &n->costliest, "cost_usd", json_write_number, limit);
	write_totals(out, &s->totals);
	facts_write_latency(out, s->latency_median, s->latency_p95);
	buf_text(out, "}\n");
}

/* One survey goes through all files. */
struct surveyed {
	struct survey *survey; /* NULL: no file could be read */
	struct registry *registry;
};

static int add_survey(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct surveyed *s = ctx;

	if (s->survey)
		survey_add(s->survey, f->trace);
	else
		s->survey = survey_new(f->trace, s->registry);
	survey_run(s->survey, UINT64_MAX);
	return STATUS_DONE;
}

static int stats_full(const struct options *o)
{
	struct surveyed s = {.registry = cmd_registry(o)};
	struct row_limit limit = {.most = o->limit};
	AUTO_BUF out = BUF_INIT;
	int status = STATUS_ERROR;

	if (s.registry)
		status = cmd_each(o, add_survey, &s);
	if (s.survey) {
		survey_finish(s.survey);
		if (o->json)
			write_survey(&out, s.survey, &limit);
		else
			limit.left_out = overview_print(&out, s.survey, limit.most, cmd_write);
		cmd_write(&out);
		cmd_note_left_out(limit.left_out, "row");
	}
	survey_free(s.survey);
	registry_free(s.registry);
	return status;
}

/* ---- --context: what each step was sent, chain by chain ---- */

#define FIGURE 12 /* cells of a column */

struct context_stats {
	struct buf out;
	size_t chains;
	struct row_limit limit; /* of steps */
};

static void write_parts(
	struct buf *out, const char *key, const struct context_parts *p, bool all)
{
	bool first = true;

	buf_printf(out, ",\"%s\":{", key);
	for (int i = 0; i < (all ? CONTEXT_KINDS : CONTEXT_RECORDED); i++) {
		if (!(p->part[i] > 0))
			continue;
		buf_printf(out, "%s\"%s\":%.0f", first ? "" : ",", context_kind_names[i],
			p->part[i]);
		first = false;
	}
	buf_byte(out, '}');
}

static void write_context_row(struct buf *out, const struct context *c, size_t row)
{
	struct context_parts tokens, bytes;
	AUTO_BUF name = BUF_INIT;

	context_row_parts(c, row, true, &tokens);
	context_row_parts(c, row, false, &bytes);
	step_call(c->trace, c->rows[row].step, NULL, &name);
	buf_printf(out, "%s{\"step\":%zu,\"name\":", row ? "," : "", row + 1);
	json_write_string(out, buf_view(&name));
	write_parts(out, "bytes", &bytes, false);
	if (tokens.tokens) {
		buf_printf(out, ",\"tokens\":%.0f,\"estimated\":%s", tokens.total,
			tokens.guessed ? "true" : "false");
		write_parts(out, "split", &tokens, true);
	}
	if (c->rows[row].resets)
		buf_text(out, ",\"compacted\":true");
	buf_byte(out, '}');
}

static void write_chain(struct context_stats *s, const struct context *c)
{
	const struct chain *chain = &c->trace->chains[c->chain];

	buf_text(&s->out, s->chains ? ",{\"trace_id\":" : "{\"trace_id\":");
	json_write_string(&s->out, trace_text(c->trace, chain->trace_id));
	if (chain->name == NO_TEXT)
		json_write_null(&s->out, "name");
	else
		json_write_text(&s->out, "name", trace_text(c->trace, chain->name));
	buf_text(&s->out, ",\"steps\":[");
	for (size_t i = 0; i < c->count; i++) {
		if (!row_limit_take(&s->limit))
			continue;
		write_context_row(&s->out, c, i);
		cmd_write_long(&s->out);
	}
	buf_text(&s->out, "]}");
}

/* An estimate, but for a total that the step says. */
static void put_size(struct buf *out, double n, bool tokens, bool about)
{
	AUTO_BUF text = BUF_INIT;

	if (about && n > 0)
		buf_str(&text, glyph(GLYPH_ABOUT));
	if (tokens)
		facts_tokens(&text, round(n));
	else
		facts_bytes(&text, n > 0 ? (uint64_t)n : 0);
	safe_right(out, buf_view(&text), FIGURE);
}

static void print_context_row(struct buf *out, const struct context *c, size_t row,
	const bool shown[CONTEXT_KINDS])
{
	size_t first = c->trace->chains[c->chain].first;
	struct context_parts p;
	AUTO_BUF name = BUF_INIT;

	context_row_parts(c, row, true, &p);
	buf_printf(out, "%6zu", row + 1);
	put_size(out, p.total, p.tokens, p.guessed);
	for (int i = 0; i < CONTEXT_KINDS; i++)
		if (shown[i])
			put_size(out, p.part[i], p.tokens, p.tokens);
	buf_text(out, "  ");
	buf_fill(out, ' ', 2 * (size_t)trace_depth(c->trace, first + row));
	step_call(c->trace, c->rows[row].step, NULL, &name);
	safe_line(out, buf_view(&name));
	buf_text(out, c->rows[row].resets ? "  (compacted)\n" : "\n");
}

static void print_chain(struct context_stats *s, const struct context *c)
{
	bool shown[CONTEXT_KINDS] = {0}; /* the columns that some row has something for */
	struct buf *out = &s->out;
	struct context_parts p;

	for (size_t row = 0; row < c->count; row++) {
		context_row_parts(c, row, true, &p);
		for (int i = 0; i < CONTEXT_KINDS; i++)
			shown[i] |= p.part[i] >= 1;
	}
	if (s->chains)
		buf_byte(out, '\n');
	safe_line(out, trace_chain_title(c->trace, &c->trace->chains[c->chain]));
	buf_text(out, "\n  step");
	safe_right(out, c->says_tokens ? STR("tokens") : STR("bytes"), FIGURE);
	for (int i = 0; i < CONTEXT_KINDS; i++)
		if (shown[i])
			safe_right(out, str_of(context_kind_names[i]), FIGURE);
	buf_byte(out, '\n');
	for (size_t row = 0; row < c->count; row++) {
		if (!row_limit_take(&s->limit))
			continue;
		print_context_row(out, c, row, shown);
		cmd_write_long(out);
	}
}

static int add_context(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct context_stats *s = ctx;

	for (size_t i = 0; i < f->trace->chain_count; i++) {
		struct context c;

		if (!f->trace->chains[i].count)
			continue;
		context_begin(&c, f->trace, (uint32_t)i);
		context_run(&c, UINT64_MAX);
		if (o->json)
			write_chain(s, &c);
		else
			print_chain(s, &c);
		s->chains++;
		context_done(&c);
	}
	return STATUS_DONE;
}

static int stats_context(const struct options *o)
{
	struct context_stats s = {.limit.most = o->limit};
	int status;

	if (o->json)
		buf_text(&s.out, "{\"chains\":[");
	status = cmd_each(o, add_context, &s);
	if (o->json)
		buf_text(&s.out, "]}\n");
	if (s.chains || status == STATUS_DONE)
		cmd_write(&s.out);
	cmd_note_left_out(s.limit.left_out, "step");
	buf_done(&s.out);
	return status;
}

int cmd_stats(const struct options *o)
{
	if (o->context)
		return stats_context(o);
	if (o->by)
		return stats_by_label(o);
	return o->totals ? stats_totals(o) : stats_full(o);
}
