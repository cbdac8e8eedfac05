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
	struct buf out;
	const struct options *options;
	struct passing passing;
	struct row_limit limit;
	bool whole; /* requests without a break are printed, too */
};

/* ---- JSON ---- */

static void write_sums(struct buf *out, const struct ledger_sums *s)
{
	buf_printf(out,
		"\"requests\":%" PRIu64 ",\"read\":%.0f,\"written\":%.0f,\"fresh\":%.0f,"
		"\"breaks\":{",
		s->requests, s->read, s->written, s->fresh);
	for (int i = LEDGER_KEPT + 1; i < LEDGER_CAUSES; i++)
		buf_printf(out, "%s\"%s\":%" PRIu64, i > LEDGER_KEPT + 1 ? "," : "",
			ledger_cause_names[i], s->breaks[i]);
	buf_printf(out, "},\"lost_tokens\":%.0f", s->lost);
	facts_write_figure(out, "cost_usd", s->cost);
	buf_printf(out, ",\"complete\":%s", s->unpriced ? "false" : "true");
}

static void write_row(struct cache_run *run, const struct trace *trace,
	const struct chain *c, const struct ledger_row *row)
{
	struct buf *out = &run->out;
	struct step s = trace_step(trace, row->step);
	AUTO_BUF cause = BUF_INIT;

	buf_text(out, run->limit.shown > 1 ? ",\n{\"path\":" : "\n{\"path\":");
	json_write_string(out, cmd_file_name(trace, (uint32_t)(c - trace->chains)));
	buf_printf(out, ",\"chain\":%zu,\"step\":%zu", (size_t)(c - trace->chains) + 1,
		row->position - c->first + 1);
	json_write_text(out, "model", trace_text(trace, s.model));
	cmd_write_moment(out, "time", s.timestamp);
	buf_printf(out, ",\"read\":%.0f,\"written\":%.0f,\"fresh\":%.0f", row->read,
		row->written, row->fresh);
	facts_write_figure(out, "prefix", row->prefix);
	facts_write_figure(out, "idle_seconds", row->idle);
	if (row->cause == LEDGER_KEPT) {
		buf_text(out, ",\"break\":null}");
		return;
	}
	ledger_put_cause(trace, row, &cause);
	buf_printf(out, ",\"break\":{\"cause\":\"%s\"", ledger_cause_names[row->cause]);
	json_write_text(out, "words", buf_view(&cause));
	buf_printf(out, ",\"lost_tokens\":%.0f", row->lost);
	facts_write_figure(out, "cost_usd", row->cost);
	buf_text(out, "}}");
}

/* ---- text ---- */

static void put_tokens(struct buf *out, double n, unsigned width)
{
	AUTO_BUF text = BUF_INIT;

	if (n > 0)
		facts_tokens(&text, n);
	safe_right(out, buf_view(&text), width);
}

static void print_row(struct cache_run *run, const struct trace *trace,
	const struct chain *c, const struct ledger_row *row)
{
	struct buf *out = &run->out;
	AUTO_BUF idle = BUF_INIT, share = BUF_INIT, cause = BUF_INIT;

	buf_printf(out, "%6zu", row->position - c->first + 1);
	put_tokens(out, row->read, 9);
	put_tokens(out, row->written, 9);
	put_tokens(out, row->fresh, 9);
	if (row->idle > 0)
		facts_latency(&idle, row->idle);
	safe_right(out, buf_view(&idle), 9);
	if (row->prefix > 0)
		buf_printf(&share, "%.0f %%",
			fmin(100, floor(100 * row->read / row->prefix)));
	safe_right(out, buf_view(&share), 8);
	facts_break(trace, row, &cause);
	if (cause.len) {
		buf_text(out, "  ");
		safe_line(out, buf_view(&cause));
	}
	buf_byte(out, '\n');
}

static void print_title(
	struct cache_run *run, const struct trace *trace, const struct chain *c)
{
	if (run->limit.shown > 1)
		buf_byte(&run->out, '\n');
	safe_fit(&run->out, trace_chain_title(trace, c), TITLE_CELLS);
	if (!run->whole) {
		buf_text(&run->out, "  ");
		safe_line(&run->out, cmd_file_name(trace, (uint32_t)(c - trace->chains)));
	}
	buf_text(&run->out,
		"\n  step     read  written    fresh     idle   share  break\n");
}

/* ---- the command ---- */

static void write_chain(
	struct cache_run *run, const struct trace *trace, const struct chain *c)
{
	bool titled = false;

	for (size_t i = 0; i < run->ledger.count; i++) {
		const struct ledger_row *row = &run->ledger.rows[i];

		if ((!run->options->json && !run->whole && row->cause == LEDGER_KEPT) ||
			!row_limit_take(&run->limit))
			continue;
		if (run->options->json) {
			write_row(run, trace, c, row);
		} else {
			if (!titled)
				print_title(run, trace, c);
			titled = true;
			print_row(run, trace, c, row);
		}
		cmd_write_long(&run->out);
	}
}

static int add_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct cache_run *run = ctx;

	run->passing.judging = cmd_judge(o, f->trace);
	for (size_t i = 0; i < f->trace->chain_count; i++) {
		const struct chain *c = &f->trace->chains[i];
		struct context context;

		if (!c->count)
			continue;
		context_begin(&context, f->trace, (uint32_t)i);
		context_run(&context, UINT64_MAX);
		ledger_next(&run->ledger);
		ledger_run(&run->ledger, &context, run->prices, UINT64_MAX);
		write_chain(run, f->trace, c);
		context_done(&context);
	}
	judging_free(run->passing.judging);
	return STATUS_DONE;
}

int cmd_cache(const struct options *o)
{
	struct cache_run run = {
		.options = o, .whole = !cmd_takes_sessions(o), .limit.most = o->limit};
	AUTO_BUF table = BUF_INIT;
	int status = STATUS_ERROR;

	run.ledger.passes = passing_holds;
	run.ledger.ctx = &run.passing;
	run.prices = cmd_read_prices(o, &table);
	if (run.prices && cmd_read_span(o, &run.passing.since, &run.passing.until)) {
		buf_text(&run.out, o->json ? "{\"rows\":[" : "");
		status = cmd_each_input(o, add_file, &run);
		if (o->json) {
			buf_text(&run.out, "\n],\"totals\":{");
			write_sums(&run.out, &run.ledger.sums);
			buf_text(&run.out, "}}\n");
		} else if (run.ledger.sums.requests) {
			buf_printf(&run.out,
				"\n%" PRIu64 " request%s: ", run.ledger.sums.requests,
				run.ledger.sums.requests == 1 ? "" : "s");
			facts_ledger(&run.ledger.sums, &run.out);
			buf_byte(&run.out, '\n');
		} else {
			buf_text(&run.out, "no step says what it read from a cache\n");
		}
		cmd_write(&run.out);
		cmd_note_left_out(run.limit.left_out, "request");
	}
	prices_free(run.prices);
	ledger_done(&run.ledger);
	buf_done(&run.out);
	return status;
}
