/* `catena steps`: the list of steps, as the viewer shows it, or as JSON. */
#include "config.h"
#include "cmd/cmd.h"

#include "import/action.h"
#include "import/failure.h"
#include "json/json.h"
#include "query/filter.h"
#include "text/safe.h"
#include "trace/labels.h"
#include "view/facts.h"

#define NAME_CELLS 80

/* What a step is called, and, where that does not tell it, what it did; of one that is
 * very long, its name alone. */
static void put_names(
	struct trace *trace, uint32_t step, struct buf *name, struct buf *did)
{
	struct step_action action = {0};
	struct step_content *o = trace_step(trace, step).length <= OPENED_AT_ONCE
					 ? step_content_new(trace, step)
					 : NULL;

	step_call(trace, step, o, name);
	if (o && !(trace_flags(trace, step) & STEP_BROKEN))
		action_read(&action, o);
	if (!str_equal(buf_view(name), buf_view(&action.text)))
		buf_str(did, buf_view(&action.text));
	action_done(&action);
	step_content_free(o);
}

static void put_step(struct buf *out, struct trace *trace, size_t position)
{
	uint32_t step = trace_at(trace, position);
	struct step s = trace_step(trace, step);
	struct totals t = trace_step_totals(trace, position);
	const struct label *label = labels_of(trace, &s);
	AUTO_BUF name = BUF_INIT, did = BUF_INIT;

	put_names(trace, step, &name, &did);
	json_put_text(out, "path", cmd_file_name(trace, s.chain));
	json_put_count(out, "chain", (uint64_t)s.chain + 1);
	json_put_count(out, "step", trace_number_at(trace, position));
	json_put_count(out, "depth", trace_depth(trace, position));
	json_put_text(out, "name", buf_view(&name));
	json_put_known(out, "did", buf_view(&did));
	if (label) {
		json_put_text(out, "label", label->text);
		json_put_text(out, "note", label->note);
	}
	json_put_text(out, "model", trace_text(trace, s.model));
	cmd_put_moment(out, "time", s.timestamp);
	facts_put_figure(out, "input_tokens", t.input_tokens);
	facts_put_figure(out, "output_tokens", t.output_tokens);
	facts_put_figure(out, "cache_read_tokens", t.cache_read);
	facts_put_figure(out, "cost_usd", t.cost);
	facts_put_figure(out, "latency_s", s.latency);
	json_put_flag(out, "failed", trace_flags(trace, step) & STEP_FAILED);
	json_put_count(out, "bytes", s.length);
}

static void print_step(struct buf *out, struct trace *trace, size_t position)
{
	uint32_t step = trace_at(trace, position);
	struct totals t = trace_step_totals(trace, position);
	AUTO_BUF name = BUF_INIT, did = BUF_INIT;

	buf_printf(out, "%6zu%s ", trace_number_at(trace, position),
		trace_flags(trace, step) & STEP_FAILED ? "!" : " ");
	buf_fill(out, ' ', 2 * (size_t)trace_depth(trace, position));
	put_names(trace, step, &name, &did);
	if (did.len) {
		buf_text(&name, "  ");
		buf_str(&name, buf_view(&did));
	}
	safe_fit(out, buf_view(&name), NAME_CELLS);
	buf_text(out, "  ");
	facts_flow(out, &t);
	buf_text(out, "  ");
	facts_latency(out, trace_step(trace, step).latency);
}

static int add_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct report *r = ctx;
	struct filter_run *filter_run = cmd_filter(o, f->trace);
	AUTO(failure_walk_done) struct failure_walk failures = {0};

	(void)failure_walk_run(&failures, f->trace, f->trace->count, UINT64_MAX);
	for (size_t i = 0; i < f->trace->order_count; i++) {
		if (filter_run && !filter_run_passes(filter_run, trace_at(f->trace, i)))
			continue;
		if (!report_row(r))
			continue;
		(o->json ? put_step : print_step)(&r->out, f->trace, i);
		report_row_end(r);
	}
	filter_run_free(filter_run);
	return STATUS_DONE;
}

int cmd_steps(const struct options *o)
{
	struct report r = report_of(o);
	int status;

	buf_text(&r.out, o->json ? "{\"steps\":[" : "");
	status = cmd_each(o, add_file, &r);
	if (o->json)
		buf_printf(&r.out, "\n],\"left_out\":%zu}\n", r.left_out);
	else if (r.left_out)
		buf_printf(&r.out, "%zu more\n", r.left_out);
	return report_end(&r, status, NULL);
}
