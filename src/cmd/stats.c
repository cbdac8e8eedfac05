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
#include "text/safe.h"
#include "trace/labels.h"
#include "view/facts.h"
#include "view/report.h"

/* The name of a chain; it may be empty where it has one. */
static void put_name(struct buf *out, bool named, struct str name)
{
	if (named)
		json_put_text(out, "name", name);
	else
		json_put_null(out, "name");
}

/* ---- totals alone ---- */

/* Rows of all files; each is printed or written as it comes, the sum of all at the end.
 */
struct stats {
	struct report report; /* of chains */
	struct totals sum;
};

static struct report begin_report(const struct options *o, const char *head)
{
	struct report r = report_of(o);

	r.first = "";
	r.between = ",";
	buf_text(&r.out, o->json ? head : "");
	return r;
}

static void print_totals(struct buf *out, struct str name, const struct totals *t)
{
	safe_column(out, name, 40);
	buf_byte(out, ' ');
	facts_totals_text(out, t, TOTALS_ALL);
}

static int add_file_totals(struct cmd_file *f, const struct options *o, void *stats)
{
	struct stats *s = stats;
	struct buf *out = &s->report.out;
	const struct trace *trace = f->trace;
	AUTO(failure_walk_done) struct failure_walk failures = {0};

	(void)failure_walk_run(&failures, f->trace, trace->count, UINT64_MAX);
	for (size_t i = 0; i < trace->chain_count; i++) {
		const struct chain *c = &trace->chains[i];

		if (!report_row(&s->report))
			continue;
		if (o->json) {
			json_put_text(out, "trace_id", trace_text(trace, c->trace_id));
			put_name(out, c->name != NO_TEXT, trace_text(trace, c->name));
			facts_put_totals(out, &c->totals);
		} else {
			print_totals(out, trace_chain_title(trace, c), &c->totals);
		}
		report_row_end(&s->report);
	}
	totals_add(&s->sum, &trace->totals);
	return STATUS_DONE;
}

static int stats_totals(const struct options *o)
{
	struct stats s = {begin_report(o, "{\"chains\":["), totals_unknown};
	struct buf *out = &s.report.out;
	int status = cmd_each(o, add_file_totals, &s);

	if (o->json) {
		buf_byte(out, ']');
		facts_put_totals(out, &s.sum);
		buf_text(out, "}\n");
	} else if (s.report.shown + s.report.left_out > 1) {
		print_totals(out, STR("all"), &s.sum);
		buf_byte(out, '\n');
	}
	if (!s.report.shown && status == STATUS_ERROR)
		buf_clear(out);
	return report_end(&s.report, status, "trace");
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
		uint32_t n = intern_add(&s->names, l ? l->text : STR(""));

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
	struct report r = begin_report(o, "{\"labels\":[");
	int status = cmd_each(o, add_labels, &s);

	for (size_t i = 0; i < s.names.count; i++) {
		struct str name = intern_get(&s.names, (uint32_t)i);

		if (!report_row(&r))
			continue;
		if (o->json) {
			json_put_known(&r.out, "label", name);
			facts_put_totals(&r.out, &s.sums[i]);
		} else {
			print_totals(&r.out, name.n ? name : STR("(no label)"),
				&s.sums[i]);
		}
		report_row_end(&r);
	}
	buf_text(&r.out, o->json ? "]}\n" : "");
	mem_free(s.sums);
	intern_done(&s.names);
	return report_end(&r, status, "label");
}

/* ---- with every step opened ---- */

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
	struct report r = begin_report(o, "");
	int status = STATUS_ERROR;

	if (s.registry)
		status = cmd_each(o, add_survey, &s);
	if (s.survey) {
		survey_finish(s.survey);
		(o->json ? overview_put : overview_print)(&r, s.survey);
	}
	survey_free(s.survey);
	registry_free(s.registry);
	return report_end(&r, status, "row");
}

/* ---- --context: what each step was sent, chain by chain ---- */

#define FIGURE 12 /* cells of a column */

struct context_stats {
	struct report report; /* of steps */
	size_t chains;
};

static void put_parts(
	struct buf *out, const char *key, const struct context_parts *p, bool all)
{
	json_open(out, key, '{');
	for (int i = 0; i < (all ? CONTEXT_KINDS : CONTEXT_RECORDED); i++)
		if (p->part[i] > 0)
			json_put_whole(out, context_kind_names[i], p->part[i]);
	buf_byte(out, '}');
}

static void put_chain(struct report *r, const struct context *c)
{
	const struct chain *chain = &c->trace->chains[c->chain];
	struct buf *out = &r->out;

	json_open(out, NULL, '{');
	json_put_text(out, "trace_id", trace_text(c->trace, chain->trace_id));
	put_name(out, chain->name != NO_TEXT, trace_text(c->trace, chain->name));
	json_open(out, "steps", '[');
	for (size_t i = 0; i < c->count; i++) {
		struct context_parts tokens, bytes;
		AUTO_BUF name = BUF_INIT;

		if (!report_row(r))
			continue;
		context_row_parts(c, i, true, &tokens);
		context_row_parts(c, i, false, &bytes);
		step_call(c->trace, c->rows[i].step, NULL, &name);
		json_put_count(out, "step", i + 1);
		json_put_text(out, "name", buf_view(&name));
		put_parts(out, "bytes", &bytes, false);
		if (tokens.tokens) {
			json_put_whole(out, "tokens", tokens.total);
			json_put_flag(out, "estimated", tokens.guessed);
			put_parts(out, "split", &tokens, true);
		}
		if (c->rows[i].resets)
			json_put_flag(out, "compacted", true);
		report_row_end(r);
	}
	buf_text(out, "]}");
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

static void print_chain(struct context_stats *s, const struct context *c)
{
	const struct chain *chain = &c->trace->chains[c->chain];
	bool shown[CONTEXT_KINDS] = {0}; /* the columns that some row has something for */
	struct buf *out = &s->report.out;
	struct context_parts p;

	for (size_t row = 0; row < c->count; row++) {
		context_row_parts(c, row, true, &p);
		for (int i = 0; i < CONTEXT_KINDS; i++)
			shown[i] |= p.part[i] >= 1;
	}
	if (s->chains)
		buf_byte(out, '\n');
	safe_line(out, trace_chain_title(c->trace, chain));
	buf_text(out, "\n  step");
	safe_right(out, c->says_tokens ? STR("tokens") : STR("bytes"), FIGURE);
	for (int i = 0; i < CONTEXT_KINDS; i++)
		if (shown[i])
			safe_right(out, str_of(context_kind_names[i]), FIGURE);
	buf_byte(out, '\n');
	for (size_t row = 0; row < c->count; row++) {
		AUTO_BUF name = BUF_INIT;

		if (!report_row(&s->report))
			continue;
		context_row_parts(c, row, true, &p);
		buf_printf(out, "%6zu", row + 1);
		put_size(out, p.total, p.tokens, p.guessed);
		for (int i = 0; i < CONTEXT_KINDS; i++)
			if (shown[i])
				put_size(out, p.part[i], p.tokens, p.tokens);
		buf_text(out, "  ");
		buf_fill(out, ' ', 2 * (size_t)trace_depth(c->trace, chain->first + row));
		step_call(c->trace, c->rows[row].step, NULL, &name);
		safe_line(out, buf_view(&name));
		buf_text(out, c->rows[row].resets ? "  (compacted)" : "");
		report_row_end(&s->report);
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
			put_chain(&s->report, &c);
		else
			print_chain(s, &c);
		s->chains++;
		context_done(&c);
	}
	return STATUS_DONE;
}

static int stats_context(const struct options *o)
{
	struct context_stats s = {begin_report(o, "{\"chains\":["), 0};
	int status = cmd_each(o, add_context, &s);

	buf_text(&s.report.out, o->json ? "]}\n" : "");
	if (!s.chains && status != STATUS_DONE)
		buf_clear(&s.report.out);
	return report_end(&s.report, status, "step");
}

int cmd_stats(const struct options *o)
{
	if (o->context)
		return stats_context(o);
	if (o->by)
		return stats_by_label(o);
	return o->totals ? stats_totals(o) : stats_full(o);
}
