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

struct steps_run {
	struct buf out;
	struct row_limit limit;
};

/* What a step is called, and, where that does not tell it, what it did; of one that is
 * very long, its name alone. */
static void put_names(
	struct trace *trace, uint32_t step, struct buf *name, struct buf *did)
{
	struct step_action action = {0};
	struct opened *o = trace_step(trace, step).length <= OPENED_AT_ONCE
				   ? opened_new(trace, step)
				   : NULL;

	step_call(trace, step, o, name);
	if (o && !(trace_flags(trace, step) & STEP_BROKEN))
		action_read(&action, o);
	if (!str_equal(buf_view(name), buf_view(&action.text)))
		buf_str(did, buf_view(&action.text));
	action_done(&action);
	opened_free(o);
}

static void write_step(struct steps_run *run, struct trace *trace, size_t position)
{
	uint32_t step = trace_at(trace, position);
	struct step s = trace_step(trace, step);
	struct totals t = trace_step_totals(trace, position);
	struct buf *out = &run->out;
	AUTO_BUF name = BUF_INIT, did = BUF_INIT;

	put_names(trace, step, &name, &did);
	buf_text(out, run->limit.shown > 1 ? ",\n{\"path\":" : "\n{\"path\":");
	json_write_string(out, cmd_file_name(trace, s.chain));
	buf_printf(out, ",\"chain\":%zu,\"step\":%zu,\"depth\":%u", (size_t)s.chain + 1,
		trace_number_at(trace, position), trace_depth(trace, position));
	json_write_text(out, "name", buf_view(&name));
	cmd_write_text(out, "did", buf_view(&did));
	if (labels_of(trace, &s)) {
		json_write_text(out, "label", buf_view(&labels_of(trace, &s)->text));
		json_write_text(out, "note", buf_view(&labels_of(trace, &s)->note));
	}
	json_write_text(out, "model", trace_text(trace, s.model));
	cmd_write_moment(out, "time", s.timestamp);
	facts_write_figure(out, "input_tokens", t.input_tokens);
	facts_write_figure(out, "output_tokens", t.output_tokens);
	facts_write_figure(out, "cache_read_tokens", t.cache_read);
	facts_write_figure(out, "cost_usd", t.cost);
	facts_write_figure(out, "latency_s", s.latency);
	buf_printf(out, ",\"failed\":%s,\"bytes\":%llu}",
		trace_flags(trace, step) & STEP_FAILED ? "true" : "false",
		(unsigned long long)s.length);
}

static void print_step(struct steps_run *run, struct trace *trace, size_t position)
{
	uint32_t step = trace_at(trace, position);
	struct totals t = trace_step_totals(trace, position);
	struct buf *out = &run->out;
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
	buf_byte(out, '\n');
}

static int add_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct steps_run *run = ctx;
	struct judging *judging = cmd_judge(o, f->trace);
	AUTO(failure_walk_done) struct failure_walk failures = {0};

	(void)failure_walk_run(&failures, f->trace, f->trace->count, UINT64_MAX);
	for (size_t i = 0; i < f->trace->order_count; i++) {
		if (judging && !judging_passes(judging, trace_at(f->trace, i)))
			continue;
		if (!row_limit_take(&run->limit))
			continue;
		if (o->json)
			write_step(run, f->trace, i);
		else
			print_step(run, f->trace, i);
		cmd_write_long(&run->out);
	}
	judging_free(judging);
	return STATUS_DONE;
}

int cmd_steps(const struct options *o)
{
	struct steps_run run = {.limit.most = o->limit};
	int status;

	buf_text(&run.out, o->json ? "{\"steps\":[" : "");
	status = cmd_each(o, add_file, &run);
	if (o->json)
		buf_printf(&run.out, "\n],\"left_out\":%zu}\n", run.limit.left_out);
	else if (run.limit.left_out)
		buf_printf(&run.out, "%zu more\n", run.limit.left_out);
	cmd_write(&run.out);
	buf_done(&run.out);
	return status;
}
