/*
 * `catena check`: the findings of every step, in one of the forms of
 * cmd/check_report, written as they come.  A step is called by its index in its chain, as in `export`; where a file
 * holds several chains, the message names the trace.  The rules see all steps,
 * since they compare a step with those before it; findings are printed of those that pass
 * --filter.
 */
#include "config.h"
#include "cmd/cmd.h"

#include "base/clock.h"
#include "cmd/check_report.h"

#define SLICE 100000 /* microseconds of work between two writes */

struct check_run {
	const struct registry *registry;
	struct check_report report;
	const struct judging *judging; /* of the file, or NULL */
	size_t files, errors;
	struct row_limit limit; /* of findings */
};

static void put_findings(struct check_run *k, struct check *c)
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
		if (row_limit_take(&k->limit))
			check_report_add(&k->report, &f->items[i]);
	}
	check_forget(c);
	cmd_write(&k->report.out);
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
	check_report_file(&k->report, f->trace);
	do {
		done = check_run(c, clock_deadline(SLICE)) == TASK_DONE;
		put_findings(k, c);
	} while (!done);
	check_report_file_end(&k->report);
	k->files++;
	check_free(c);
	judging_free(judging);
	return STATUS_DONE;
}

int cmd_check(const struct options *o)
{
	struct registry *registry = cmd_registry(o);
	struct check_run k = {.registry = registry, .limit.most = o->limit};
	int status;

	if (!registry)
		return STATUS_ERROR;
	k.report.format = o->format.n ? o->format : o->json ? STR("json") : STR("text");
	cmd_note_page(registry, o->page);
	check_report_begin(&k.report);
	status = cmd_each(o, check_file, &k);
	check_report_end(&k.report);
	cmd_write(&k.report.out);
	cmd_note_left_out(k.limit.left_out, "finding");
	check_report_done(&k.report);
	registry_free(registry);
	if (status != STATUS_ERROR && k.errors)
		return STATUS_FINDINGS;
	return status;
}
