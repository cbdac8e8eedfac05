/*
 * `catena export`: chains as documents, to standard output or to a file that is there
 * whole or not at all.  A signal that ends the program removes the unfinished file.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/outfile.h"
#include "export/export.h"
#include "text/report.h"
#include "text/wrap.h"

struct target {
	struct outfile file; /* closed: standard output */
	struct export *export;
	bool written; /* something was */
	bool broken;  /* a source failed meanwhile: what is written lacks something */
};

/* ---- when the program is ended ---- */

static char *volatile unfinished; /* the name of the file in the making, or NULL */

static void remove_unfinished(void)
{
	if (unfinished)
		unlink(unfinished);
}

static void on_end(int number)
{
	remove_unfinished();
	signal(number, SIG_DFL);
	raise(number);
}

/* Removes this file when the program is ended, until NULL is given. */
static void guard(const char *temporary)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	char *before = unfinished;

	if (temporary)
		unfinished = mem_dup(temporary, strlen(temporary));
	mem_on_failure(temporary ? remove_unfinished : NULL);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		void (*was)(int) = signal(ends[i], temporary ? on_end : SIG_DFL);

		if (was == SIG_IGN)
			signal(ends[i], SIG_IGN);
	}
	if (temporary)
		return;
	unfinished = NULL;
	mem_free(before);
}

/* ---- the command ---- */

static void take(void *ctx, struct str bytes)
{
	struct target *t = ctx;

	if (t->file.path)
		outfile_write(&t->file, bytes);
	else
		cmd_write_all(bytes);
}

static int export_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct target *t = ctx;
	struct judging *passing = cmd_judge(o, f->trace);
	struct err err = {.offset = ERR_NOWHERE};

	export_trace(t->export, f->trace,
		(struct export_part){EXPORT_ALL, EXPORT_ALL, passing});
	export_run(t->export, UINT64_MAX);
	judging_free(passing);
	t->written = true;
	t->broken |= inputs_failed(f->trace->inputs, &err); /* cmd_each reports it */
	err_done(&err);
	return STATUS_DONE;
}

static int fail(struct err *err)
{
	report_error(err);
	err_done(err);
	return STATUS_ERROR;
}

/* Gives the file its name when there is something in it, and all of it. */
static int finish(struct target *t, int status)
{
	struct err err = {.offset = ERR_NOWHERE};
	bool done = true;

	if (!t->file.path)
		return status;
	if (t->written && !t->broken)
		done = outfile_commit(&t->file, &err);
	else
		outfile_abandon(&t->file);
	guard(NULL);
	return done ? status : fail(&err);
}

static bool begin(struct target *t, const struct options *o)
{
	struct err err = {.offset = ERR_NOWHERE};

	if (!o->output || strcmp(o->output, "-") == 0)
		return true;
	if (!outfile_open(&t->file, o->output, o->force, &err)) {
		if (!o->force && outfile_is_taken(o->output))
			err_set(&err, "is there already: --force replaces it");
		fail(&err);
		return false;
	}
	guard(t->file.temporary);
	return true;
}

int cmd_export_as(
	const struct options *o, const struct export_format *format, unsigned width)
{
	struct registry *registry = cmd_registry(o);
	struct target t = {0};
	struct export_options options = {.format = format,
		.registry = registry,
		.width = width,
		.new_only = o->new_only || o->transcript,
		.several = o->files.count > 1,
		.write = take,
		.ctx = &t};
	int status = STATUS_ERROR;

	if (registry && begin(&t, o)) {
		t.export = export_begin(&options);
		status = cmd_each(o, export_file, &t);
		export_end(t.export);
		status = finish(&t, status);
	}
	registry_free(registry);
	return status;
}

/* The endings that choose a format: ".json, .md, .text, .html". */
static void put_endings(struct buf *out)
{
	for (size_t i = 0; export_format_name(i); i++)
		buf_printf(out, "%s%s", i ? ", " : "",
			export_ending(
				export_format_named(str_of(export_format_name(i)))));
}

static int refuse_ending(const char *path)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct buf endings = BUF_INIT;

	put_endings(&endings);
	err_source(&err, path);
	err_set(&err, "no format of export ends so: end it in one of %s, or say --format",
		endings.data);
	buf_done(&endings);
	return fail(&err);
}

int cmd_export(const struct options *o)
{
	const struct export_format *format = export_format_named(STR("json"));

	if (o->format.n)
		format = export_format_named(o->format);
	else if (o->output && strcmp(o->output, "-") != 0)
		format = export_format_of_file(str_of(o->output));
	if (!format)
		return refuse_ending(o->output);
	return cmd_export_as(o, format, o->width ? o->width : WRAP_NEVER);
}
