/*
 * `catena cache`: the cache ledger (analysis/ledger) of files, or of all sessions of this
 * machine or of folders.  A table has each request of files, and of sessions those with a
 * break; JSON has each.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <inttypes.h>
#include <math.h>

#include "json/json.h"
#include "query/filter.h"
#include "text/safe.h"
#include "view/facts.h"

#define TITLE_CELLS 60

struct cache_run {
	struct ledger ledger;
	struct prices *prices;
	struct report report;
	struct passing passing;
	bool whole; /* requests without a break are printed, too */
};

/* ---- JSON ---- */

static void put_sums(struct buf *out, const struct ledger_sums *s)
{
	json_open(out, "totals", '{');
	json_put_count(out, "requests", s->requests);
	json_put_whole(out, "read", s->read);
	json_put_whole(out, "written", s->written);
	json_put_whole(out, "fresh", s->fresh);
	json_open(out, "breaks", '{');
	for (int i = LEDGER_KEPT + 1; i < LEDGER_CAUSES; i++)
		json_put_count(out, ledger_cause_names[i], s->breaks[i]);
	buf_byte(out, '}');
	json_put_whole(out, "lost_tokens", s->lost);
	facts_put_figure(out, "cost_usd", s->cost);
	json_put_flag(out, "complete", !s->unpriced);
	buf_byte(out, '}');
}

static void put_row(struct buf *out, const struct trace *trace, const struct chain *c,
	const struct ledger_row *row)
{
	uint32_t chain = (uint32_t)(c - trace->chains);
	struct step s = trace_step(trace, row->step);
	AUTO_BUF cause = BUF_INIT;

	json_put_text(out, "path", cmd_file_name(trace, chain));
	json_put_count(out, "chain", (uint64_t)chain + 1);
	json_put_count(out, "step", row->position - c->first + 1);
	json_put_text(out, "model", trace_text(trace, s.model));
	cmd_put_moment(out, "time", s.timestamp);
	json_put_whole(out, "read", row->read);
	json_put_whole(out, "written", row->written);
	json_put_whole(out, "fresh", row->fresh);
	facts_put_figure(out, "prefix", row->prefix);
	facts_put_figure(out, "idle_seconds", row->idle);
	if (row->cause == LEDGER_KEPT) {
		json_put_null(out, "break");
		return;
	}
	ledger_put_cause(trace, row, &cause);
	json_open(out, "break", '{');
	json_put_text(out, "cause", str_of(ledger_cause_names[row->cause]));
	json_put_text(out, "words", buf_view(&cause));
	json_put_whole(out, "lost_tokens", row->lost);
	facts_put_figure(out, "cost_usd", row->cost);
	buf_byte(out, '}');
}

/* ---- text ---- */

static void print_tokens(struct buf *out, double n)
{
	AUTO_BUF text = BUF_INIT;

	if (n > 0)
		facts_tokens(&text, n);
	safe_right(out, buf_view(&text), 9);
}

static void print_row(struct buf *out, const struct trace *trace, const struct chain *c,
	const struct ledger_row *row)
{
	AUTO_BUF idle = BUF_INIT, share = BUF_INIT, cause = BUF_INIT;

	buf_printf(out, "%6zu", row->position - c->first + 1);
	print_tokens(out, row->read);
	print_tokens(out, row->written);
	print_tokens(out, row->fresh);
	if (row->idle > 0)
		facts_latency(&idle, row->idle);
	safe_right(out, buf_view(&idle), 9);
	if (row->prefix > 0)
		buf_printf(&share, "%.0f %%",
			fmin(100, floor(100 * row->read / row->prefix)));
	safe_right(out, buf_view(&share), 8);
	facts_break(trace, row, &cause);
	buf_text(out, cause.len ? "  " : "");
	safe_line(out, buf_view(&cause));
}

/* ---- the command ---- */

static void put_chain(
	struct cache_run *run, const struct trace *trace, const struct chain *c)
{
	struct report *r = &run->report;
	bool titled = r->json;

	for (size_t i = 0; i < run->ledger.count; i++) {
		const struct ledger_row *row = &run->ledger.rows[i];

		if ((!r->json && !run->whole && row->cause == LEDGER_KEPT) ||
			!report_row(r))
			continue;
		if (!titled) { /* above the first row that is shown */
			buf_text(&r->out, r->shown > 1 ? "\n" : "");
			safe_fit(&r->out, trace_chain_title(trace, c), TITLE_CELLS);
			if (!run->whole) {
				uint32_t chain = (uint32_t)(c - trace->chains);

				buf_text(&r->out, "  ");
				safe_line(&r->out, cmd_file_name(trace, chain));
			}
			buf_text(&r->out, "\n  step     read  written    fresh     idle"
					  "   share  break\n");
			titled = true;
		}
		(r->json ? put_row : print_row)(&r->out, trace, c, row);
		report_row_end(r);
	}
}

static int add_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct cache_run *run = ctx;

	run->passing.filter_run = cmd_filter(o, f->trace);
	for (size_t i = 0; i < f->trace->chain_count; i++) {
		const struct chain *c = &f->trace->chains[i];
		struct context context;

		if (!c->count)
			continue;
		context_begin(&context, f->trace, (uint32_t)i);
		context_run(&context, UINT64_MAX);
		ledger_next(&run->ledger);
		ledger_run(&run->ledger, &context, run->prices, UINT64_MAX);
		put_chain(run, f->trace, c);
		context_done(&context);
	}
	filter_run_free(run->passing.filter_run);
	return STATUS_DONE;
}

int cmd_cache(const struct options *o)
{
	struct cache_run run = {
		.report = report_of(o), .whole = !cmd_takes_sessions(o)};
	const struct ledger_sums *sums = &run.ledger.sums;
	struct buf *out = &run.report.out;
	AUTO_BUF table = BUF_INIT;
	int status = STATUS_ERROR;

	run.ledger.passes = passing_holds;
	run.ledger.ctx = &run.passing;
	run.prices = cmd_read_prices(o, &table);
	if (run.prices && cmd_read_span(o, &run.passing.since, &run.passing.until)) {
		buf_text(out, o->json ? "{\"rows\":[" : "");
		status = cmd_each_input(o, add_file, &run);
		if (o->json) {
			buf_text(out, "\n]");
			put_sums(out, sums);
			buf_text(out, "}\n");
		} else if (sums->requests) {
			buf_printf(out, "\n%" PRIu64 " request%s: ", sums->requests,
				plural(sums->requests));
			facts_ledger(sums, out);
			buf_byte(out, '\n');
		} else {
			buf_text(out, "no step says what it read from a cache\n");
		}
	}
	prices_free(run.prices);
	ledger_done(&run.ledger);
	return report_end(&run.report, status, "request");
}
