/*
 * `catena export`: chains as documents, to standard output or to a file that is there
 * whole or not at all; tables to a folder, with a file for each.  A signal that ends the
 * program removes the unfinished files.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"
#include "export/export.h"
#include "text/report.h"
#include "text/wrap.h"

struct target {
	struct outfile files[EXPORT_TABLES];
	size_t count; /* of the files that are open; 0: standard output */
	struct export *export;
	bool written; /* something was */
	bool broken;  /* a source failed meanwhile: what is written lacks something */
};

/* ---- when the program is ended ---- */

static const char *volatile made_folder; /* for tables that are not written yet */

static void on_end(int number)
{
	outfile_remove_unfinished();
	if (made_folder)
		(void)rmdir(made_folder);
	signal(number, SIG_DFL);
	raise(number);
}

static void catch_ends(bool on)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		void (*was)(int) = signal(ends[i], on ? on_end : SIG_DFL);

		if (was == SIG_IGN)
			signal(ends[i], SIG_IGN);
	}
}

/* ---- the command ---- */

static void take(void *ctx, struct str bytes)
{
	struct target *t = ctx;

	if (t->count)
		outfile_write(&t->files[0], bytes);
	else
		cmd_write_all(bytes);
}

static void take_rows(void *ctx, size_t table, struct str bytes)
{
	struct target *t = ctx;

	outfile_write(&t->files[table], bytes);
}

static int export_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct target *t = ctx;
	struct judging *passing = cmd_judge(o, f->trace);
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	uint64_t far;

	export_trace(t->export, f->trace,
		(struct export_part){EXPORT_ALL, EXPORT_ALL, passing});
	export_run(t->export, UINT64_MAX);
	far = export_far_times(t->export);
	if (far)
		cmd_note(inputs_name(f->trace->inputs),
			"%" PRIu64 " steps began before 1677-09-21 or after 2262-04-11: "
			"a timestamp in nanoseconds cannot hold that",
			far);
	judging_free(passing);
	t->written = true;
	t->broken |= inputs_failed(f->trace->inputs, &err); /* cmd_each reports it */
	return STATUS_DONE;
}

static int fail(struct err *err)
{
	report_error(err);
	err_done(err);
	return STATUS_ERROR;
}

/* Gives the files their names when there is something in them, and all of it. */
static int finish(struct target *t, int status)
{
	struct err err = {.offset = ERR_NOWHERE};
	bool whole = t->written && !t->broken, done = true;

	for (size_t i = 0; i < t->count; i++)
		if (done && whole)
			done = outfile_commit(&t->files[i], &err);
		else
			outfile_abandon(&t->files[i]);
	if (made_folder && !(t->count && whole && done))
		(void)rmdir(made_folder); /* that was made for tables */
	made_folder = NULL;
	if (t->count)
		catch_ends(false);
	return done ? status : fail(&err);
}

static bool open_file(struct target *t, const char *path, bool force)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct outfile *file = &t->files[t->count];

	if (!outfile_open(file, path, force, &err)) {
		if (!force && outfile_is_taken(path))
			err_set(&err, "is there already: --force replaces it");
		fail(&err);
		return false;
	}
	t->count++;
	catch_ends(true);
	return true;
}

/* A file for each table, in a folder that is made where it is missing. */
static bool open_tables(struct target *t, const char *folder, bool force)
{
	size_t n = strlen(folder);
	bool ok = true;

	if (mkdir(folder, 0777) == 0) {
		made_folder = folder;
	} else if (errno != EEXIST) {
		cmd_fail("%s: %s", folder, strerror(errno));
		return false;
	}
	for (size_t i = 0; i < EXPORT_TABLES && ok; i++) {
		AUTO_BUF path = BUF_INIT;

		buf_printf(&path, "%s%s%s.jsonl", folder,
			n && folder[n - 1] == '/' ? "" : "/", export_table_names[i]);
		ok = open_file(t, path.data, force);
	}
	return ok;
}

int cmd_export_as(
	const struct options *o, const struct export_format *format, unsigned width)
{
	struct registry *registry = cmd_registry(o);
	struct target t = {0};
	struct export_options options = {.format = format,
		.registry = registry,
		.width = width,
		.new_only = o->new_only,
		.several = o->files.count > 1,
		.write = take,
		.ctx = &t};
	int status = STATUS_ERROR;
	bool open = registry;

	if (open && o->output && strcmp(o->output, "-") != 0)
		open = export_ending(format) ? open_file(&t, o->output, o->force)
					     : open_tables(&t, o->output, o->force);
	if (open) {
		if (t.count > 1)
			options.write_rows = take_rows;
		t.export = export_begin(&options);
		status = cmd_each(o, export_file, &t);
		export_end(t.export);
	}
	status = finish(&t, status);
	registry_free(registry);
	return status;
}

static int refuse_ending(const char *path)
{
	struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF endings = BUF_INIT;

	for (size_t i = 0; export_format_name(i); i++) {
		const char *ending =
			export_ending(export_format_named(str_of(export_format_name(i))));

		if (ending)
			buf_printf(&endings, "%s%s", i ? ", " : "", ending);
	}
	err_source(&err, path);
	err_set(&err, "this ending is not known: use one of %s, or --format",
		endings.data);
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
