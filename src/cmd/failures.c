/*
 * `catena failures`: what fails, by its shape (analysis/shapes), in files, or in all
 * sessions of this machine or of folders; as a table or as JSON.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <inttypes.h>

#include "analysis/shapes.h"
#include "base/file.h"
#include "base/mem.h"
#include "json/json.h"
#include "query/filter.h"
#include "text/safe.h"

#define WORDS_CELLS 100
#define TOOL_CELLS  20

struct failures_run {
	struct failure_shapes shapes;
	char **paths; /* of the traces, by number */
	size_t count, cap;
	struct passing passing;
};

static int add_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct failures_run *run = ctx;
	const char *path = inputs_name(f->trace->inputs);

	run->passing.filter_run = cmd_filter(o, f->trace);
	shapes_run(&run->shapes, f->trace, UINT64_MAX);
	filter_run_free(run->passing.filter_run);
	*(char **)MEM_ADD(run->paths, run->count, run->cap) = mem_dup(path, strlen(path));
	return STATUS_DONE;
}

static void put_shape(
	struct buf *out, const struct failures_run *run, const struct failure_shape *x)
{
	json_put_text(out, "kind", str_of(shape_kind_names[x->kind]));
	json_put_known(out, "tool", x->tool);
	json_put_count(out, "count", x->count);
	json_put_count(out, "sessions", x->traces);
	json_put_text(out, "words", x->words);
	json_put_text(out, "example", x->example);
	json_put_text(out, "path", str_of(run->paths[x->trace]));
	json_put_count(out, "chain", x->chain);
	json_put_count(out, "step", x->number);
}

static void print_shape(
	struct buf *out, const struct failures_run *run, const struct failure_shape *x)
{
	AUTO_BUF path = BUF_INIT;

	buf_printf(out, "%6" PRIu64 " %8" PRIu64 "  %-7s ", x->count, x->traces,
		shape_kind_names[x->kind]);
	safe_column(out, x->tool.n ? x->tool : STR("-"), TOOL_CELLS);
	buf_text(out, "  ");
	safe_fit(out, x->words.n ? x->words : STR("(no words)"), WORDS_CELLS);
	buf_byte(out, '\n');
	home_shorten(str_of(run->paths[x->trace]), &path);
	buf_fill(out, ' ', 47);
	safe_line(out, buf_view(&path));
	if (x->chain > 1)
		buf_printf(out, ":%zu.%zu", x->chain, x->number);
	else
		buf_printf(out, ":%zu", x->number);
	if (!str_equal(x->example, x->words)) {
		buf_text(out, "  ");
		safe_fit(out, x->example, WORDS_CELLS);
	}
}

static void put_all(struct failures_run *run, struct report *r)
{
	const struct failure_shapes *s = &run->shapes;
	struct buf *out = &r->out;

	if (r->json) {
		buf_byte(out, '{');
		json_put_count(out, "traces", run->count);
		json_put_count(out, "failed", s->total[SHAPE_FAILED]);
		json_put_count(out, "refused", s->total[SHAPE_REFUSED]);
		json_put_count(out, "errors", s->total[SHAPE_ERROR]);
		json_put_count(out, "shapes", s->count);
		json_open(out, "rows", '[');
	} else if (s->count) {
		buf_text(out, " count sessions  kind    tool                  failure\n");
	} else {
		buf_printf(out, "nothing failed in %zu trace%s\n", run->count,
			plural(run->count));
	}
	for (size_t i = 0; i < s->count; i++) {
		if (!report_row(r))
			continue;
		(r->json ? put_shape : print_shape)(out, run, &s->items[i]);
		report_row_end(r);
	}
	if (r->json)
		buf_text(out, "\n]}\n");
	else if (s->count)
		buf_printf(out,
			"\n%" PRIu64 " failed results, %" PRIu64 " refused, %" PRIu64
			" errors of steps in %zu trace%s: %zu shape%s%s\n",
			s->total[SHAPE_FAILED], s->total[SHAPE_REFUSED],
			s->total[SHAPE_ERROR], run->count, plural(run->count), s->count,
			plural(s->count),
			r->left_out ? ", of which --limit shows the largest" : "");
}

int cmd_failures(const struct options *o)
{
	struct failures_run run = {0};
	struct report r = report_of(o);
	int status = STATUS_ERROR;

	run.shapes.passes = passing_holds;
	run.shapes.ctx = &run.passing;
	if (cmd_read_span(o, &run.passing.since, &run.passing.until)) {
		status = cmd_each_input(o, add_file, &run);
		shapes_sort(&run.shapes);
		if (status != STATUS_ERROR || run.count)
			put_all(&run, &r);
	}
	for (size_t i = 0; i < run.count; i++)
		mem_free(run.paths[i]);
	mem_free(run.paths);
	shapes_done(&run.shapes);
	return report_end(&r, status, NULL);
}
