/*
 * `catena files`: the files that the tool calls of each chain touch, as the viewer shows
 * them, or as JSON: an object for each touch, in order; or as a patch.  Steps count
 * from 1.
 */
#include "config.h"
#include "cmd/cmd.h"
#include "cmd/patch.h"

#include <unistd.h>

#include "analysis/touched.h"
#include "import/open.h"
#include "json/json.h"
#include "text/safe.h"
#include "view/doc.h"
#include "view/facts.h"
#include "view/touched_files.h"

#define TITLE_CELLS 60

struct files_run {
	struct buf out;
	size_t written; /* objects, or chains that were printed */
};

/* ---- JSON ---- */

static void write_time(struct buf *out, double seconds)
{
	struct buf moment = BUF_INIT;

	facts_moment(&moment, seconds);
	if (!moment.len) {
		json_write_null(out, "time");
	} else {
		moment.data[10] = 'T';
		buf_byte(&moment, 'Z');
		json_write_text(out, "time", buf_view(&moment));
	}
	buf_done(&moment);
}

static void write_touch(struct buf *out, const struct trace *trace, const struct chain *c,
	struct touched *t, size_t i)
{
	const struct file_touch *x = &t->touches[i];
	const struct touched_call *call = &t->calls[x->call];
	struct arena texts = {0};
	struct touch read;

	buf_text(out, "{\"file\":");
	json_write_string(out, t->files[x->file].path);
	json_write_text(out, "kind", str_of(touch_kind_name(x->kind)));
	if ((x->kind == TOUCH_RENAME || x->kind == TOUCH_PATCH) &&
		touched_read(t, i, &read, &texts) && read.to.n)
		json_write_text(out, "to", read.to);
	arena_done(&texts); /* its path may not be kept */
	json_write_text(out, "trace_id", trace_text(trace, c->trace_id));
	buf_printf(out, ",\"step\":%zu,\"added\":%zu,\"removed\":%zu",
		touched_view_step(t, call), x->added, x->removed);
	json_write_text(out, "call", call->tool);
	buf_printf(out, ",\"failed\":%s", call->failed ? "true" : "false");
	write_time(out, trace_step(trace, call->step).timestamp);
	buf_byte(out, '}');
}

/* ---- text ---- */

/* "TITLE  6 changed  +120 -31  9 only read  in /home/x/", then the files */
static void print_chain(struct files_run *run, const struct trace *trace,
	const struct chain *c, struct touched *t, const struct options *o)
{
	struct doc d = {.print = true, .colored = cmd_colors(o)};
	struct touched_view v = {0};
	struct buf *out = &run->out;
	struct str folder;

	if (!t->count)
		return;
	if (run->written++)
		buf_byte(out, '\n');
	doc_width(&d, cmd_print_width(o));
	touched_view_build(&d, &v, t, trace, 0);
	safe_fit(out, trace_chain_title(trace, c), TITLE_CELLS);
	buf_text(out, "  ");
	touched_view_summary(out, v.touched);
	folder = touched_view_folder(&v);
	if (folder.n) {
		buf_text(out, "  in ");
		safe_line(out, folder);
	}
	buf_byte(out, '\n');
	cmd_print_doc(out, &d);
	doc_done(&d);
	touched_view_done(&v);
}

/* ---- a patch ---- */

/* As it is; on a terminal only its safe characters.  Paths begin in the working directory
 * of the chain's first step. */
static void print_patch(struct files_run *run, struct trace *trace, struct touched *t)
{
	struct buf patch = BUF_INIT, folder = BUF_INIT;
	struct str rest, line;

	if (t->changed) {
		struct opened *o =
			opened_new(trace, trace_at(trace, touched_first_step(t)));

		jv_text(o->facts.v[FACT_CWD], &folder);
		if (folder.len && folder.data[folder.len - 1] != '/')
			buf_byte(&folder, '/');
		opened_free(o);
		patch_write(&patch, t, buf_view(&folder));
	}
	run->written += patch.len > 0;
	rest = buf_view(&patch);
	while (isatty(STDOUT_FILENO) && str_next_line(&rest, &line)) {
		safe_line(&run->out, line);
		buf_byte(&run->out, '\n');
	}
	buf_str(&run->out, rest);
	cmd_write(&run->out);
	buf_done(&patch);
	buf_done(&folder);
}

static int add_files(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct files_run *run = ctx;

	for (size_t i = 0; i < f->trace->chain_count; i++) {
		const struct chain *c = &f->trace->chains[i];
		struct touched *t = touched_new(f->trace, i);

		touched_run(t, UINT64_MAX);
		if (o->patch)
			print_patch(run, f->trace, t);
		else if (!o->json)
			print_chain(run, f->trace, c, t, o);
		for (size_t k = 0; o->json && !o->patch && k < t->count; k++) {
			if (run->written++)
				buf_text(&run->out, ",\n");
			write_touch(&run->out, f->trace, c, t, k);
			cmd_write_long(&run->out);
		}
		touched_free(t);
	}
	return STATUS_DONE;
}

int cmd_files(const struct options *o)
{
	struct files_run run = {0};
	int status;

	if (o->json && !o->patch)
		buf_byte(&run.out, '[');
	status = cmd_each(o, add_files, &run);
	if (o->json && !o->patch)
		buf_text(&run.out, "]\n");
	else if (!o->patch && !run.written && status != STATUS_ERROR)
		buf_text(&run.out, "no tool call touches a file\n");
	cmd_write(&run.out);
	buf_done(&run.out);
	return status;
}
