/*
 * `catena check`: the findings of every step, a line each or as a JSON list, written as
 * they come.  A step is called by its index in its chain, as in `export`; where a file
 * holds several chains, the message names the trace.  The rules see all steps,
 * since they compare a step with those before it; findings are printed of those that pass
 * --filter.
 */
#include "config.h"
#include "cmd/cmd.h"

#include "analysis/check.h"
#include "base/clock.h"
#include "json/json.h"
#include "text/safe.h"

#define SLICE 100000 /* microseconds of work between two writes */

struct check_run {
	const struct registry *registry;
	struct buf out;
	const struct judging *judging; /* of the file, or NULL */
	size_t files, printed, errors;
};

static void add_message(
	struct buf *out, const struct trace *trace, const struct finding *f)
{
	buf_text(out, f->message);
	if (trace->chain_count < 2 || f->chain == NO_CHAIN)
		return;
	buf_text(out, " (trace ");
	buf_str(out, trace_text(trace, trace->chains[f->chain].trace_id));
	buf_byte(out, ')');
}

/* FILE:STEP PATH severity rule message */
static void print_finding(
	struct buf *out, const struct trace *trace, const struct finding *f)
{
	AUTO_BUF message = BUF_INIT;

	safe_line(out, cmd_file_name(trace, f->chain));
	if (f->step == NO_STEP)
		buf_text(out, ":- ");
	else
		buf_printf(out, ":%zu ", f->index + 1);
	safe_line(out, str_of(f->path));
	buf_printf(out, " %s %s ", severity_name(f->severity), f->rule->name);
	add_message(&message, trace, f);
	safe_line(out, buf_view(&message));
	buf_byte(out, '\n');
}

static void write_finding(
	struct buf *out, const struct trace *trace, const struct finding *f)
{
	AUTO_BUF message = BUF_INIT;

	buf_text(out, "{\"file\":");
	json_write_string(out, cmd_file_name(trace, f->chain));
	if (f->step == NO_STEP)
		json_write_null(out, "step");
	else
		buf_printf(out, ",\"step\":%zu", f->index + 1);
	json_write_text(out, "path", str_of(f->path));
	json_write_text(out, "severity", str_of(severity_name(f->severity)));
	json_write_text(out, "rule", str_of(f->rule->name));
	add_message(&message, trace, f);
	json_write_text(out, "message", buf_view(&message));
	buf_byte(out, '}');
}

static void put_findings(
	struct check_run *k, const struct trace *trace, struct check *c, bool json)
{
	const struct findings *f = check_findings(c);

	for (size_t i = 0; i < f->count; i++) {
		uint32_t step = f->items[i].step;

		/* one of no chain is about the registry: it is printed once */
		if (f->items[i].chain == NO_CHAIN
				? k->files > 0
				: step != NO_STEP && k->judging &&
					  !judging_passes(k->judging, step))
			continue;
		k->errors += f->items[i].severity == SEVERITY_ERROR;
		if (json)
			buf_text(&k->out, k->printed ? ",\n" : "");
		(json ? write_finding : print_finding)(&k->out, trace, &f->items[i]);
		k->printed++;
	}
	check_forget(c);
	cmd_write(&k->out);
}

static int check_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct check_run *k = ctx;
	struct judging *judging;
	struct check *c;
	bool done;

	if (load_is_words(f->load))
		return STATUS_ERROR; /* as a note has said */
	c = check_new(f->trace, k->registry, str_of(o->page));
	judging = cmd_judge(o, f->trace);
	k->judging = judging;
	do {
		done = check_run(c, clock_deadline(SLICE)) == TASK_DONE;
		put_findings(k, f->trace, c, o->json);
	} while (!done);
	k->files++;
	check_free(c);
	judging_free(judging);
	return STATUS_DONE;
}

int cmd_check(const struct options *o)
{
	struct registry *registry = cmd_registry(o);
	struct check_run k = {.registry = registry};
	int status;

	if (!registry)
		return STATUS_ERROR;
	cmd_note_page(registry, o->page);
	if (o->json)
		buf_byte(&k.out, '[');
	status = cmd_each(o, check_file, &k);
	if (o->json)
		buf_text(&k.out, "]\n");
	cmd_write(&k.out);
	buf_done(&k.out);
	registry_free(registry);
	if (status != STATUS_ERROR && k.errors)
		return STATUS_FINDINGS;
	return status;
}
