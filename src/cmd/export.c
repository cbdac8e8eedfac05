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

#include "base/mem.h"
#include "base/outfile.h"
#include "export/export.h"
#include "export/redact.h"
#include "import/open.h"
#include "json/json.h"
#include "text/report.h"
#include "text/wrap.h"

#define REPORTED 20 /* stand-ins that are told one by one */

struct target {
	struct outfile files[EXPORT_TABLES];
	size_t count; /* of the files that are open; 0: standard output */
	struct export *export;
	struct secrets *secrets; /* NULL: nothing is hidden */
	struct redactor *redactors[EXPORT_TABLES];
	struct sink {
		struct target *target;
		size_t table;
	} sinks[EXPORT_TABLES];
	char **paths; /* of the traces that were looked through, by number */
	size_t path_count, path_cap;
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

static void put(struct target *t, size_t table, struct str bytes)
{
	if (t->count)
		outfile_write(&t->files[table], bytes);
	else
		cmd_write_all(bytes);
}

static void take_rows(void *ctx, size_t table, struct str bytes)
{
	struct target *t = ctx;

	if (t->redactors[table])
		redactor_write(t->redactors[table], bytes);
	else
		put(t, table, bytes);
}

static void take(void *ctx, struct str bytes)
{
	take_rows(ctx, 0, bytes);
}

static void put_redacted(void *ctx, struct str bytes)
{
	const struct sink *sink = ctx;

	put(sink->target, sink->table, bytes);
}

/* ---- secrets ---- */

static void keep(void *ctx, struct str bytes)
{
	buf_str(ctx, bytes);
}

/* What is known of a step, as it is written in the file and as an export shows it, where
 * pieces of a stream are joined. */
static void scan_step(struct target *t, struct trace *trace, size_t position)
{
	AUTO_ARENA arena = {0};
	AUTO_BUF whole = BUF_INIT;
	struct str raw = step_text(trace, trace_at(trace, position), &arena);
	struct export_options options = {.format = export_format_named(STR("json")),
		.write = keep,
		.ctx = &whole};
	struct export *e = export_begin(&options);
	struct jv value;

	export_trace(e, trace,
		(struct export_part){trace_chain_at(trace, position), position, NULL});
	export_run(e, UINT64_MAX);
	export_end(e);
	secrets_scan_value(t->secrets, jv_parse(buf_view(&whole)));
	for (size_t at = 0; at < raw.n;) {
		value = jv_next(raw, &at);
		if (value.kind == J_NONE)
			break;
		secrets_scan_value(t->secrets, value);
	}
	if (trace_flags(trace, trace_at(trace, position)) & STEP_BROKEN)
		secrets_scan(t->secrets, raw);
}

static int scan_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct target *t = ctx;
	const char *path = inputs_name(f->trace->inputs);

	t->secrets->at = (struct secret_place){.file = (uint32_t)t->path_count};
	*(char **)MEM_ADD(t->paths, t->path_count, t->path_cap) = mem_dup(path, strlen(path));
	secrets_scan(t->secrets, str_of(path));
	for (size_t i = 0; i < f->trace->chain_count; i++) {
		const struct chain *c = &f->trace->chains[i];

		secrets_scan(t->secrets, trace_chain_title(f->trace, c));
		for (size_t k = 0; k < c->count; k++) {
			t->secrets->at.chain = i + 1;
			t->secrets->at.step = k + 1;
			scan_step(t, f->trace, c->first + k);
		}
	}
	return STATUS_DONE;
}

static bool find_secrets(struct target *t, const struct options *o)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct options twice = *o;

	bool piped = !o->files.count;

	for (size_t i = 0; i < o->files.count; i++)
		piped |= !strcmp(o->files.items[i], "-");
	if (piped) {
		cmd_fail("--redact reads its files twice: name a file");
		return false;
	}
	t->secrets = secrets_new(o->redact_patterns.items, o->redact_patterns.count, &err);
	if (!t->secrets) {
		cmd_fail("--redact-pattern: %s", err.text);
		return false;
	}
	twice.filter = NULL;
	return cmd_each(&twice, scan_file, t) != STATUS_ERROR;
}

static void begin_hiding(struct target *t, bool html)
{
	for (size_t i = 0; t->secrets && i < EXPORT_TABLES; i++) {
		t->sinks[i] = (struct sink){t, i};
		t->redactors[i] =
			redactor_new(t->secrets, html, put_redacted, &t->sinks[i]);
	}
}

static void end_hiding(struct target *t)
{
	for (size_t i = 0; t->secrets && i < EXPORT_TABLES; i++)
		redactor_end(t->redactors[i]);
}

static void write_report(const struct target *t, struct buf *out)
{
	bool any = false;

	buf_text(out, "[");
	for (size_t i = 0; i < t->secrets->count; i++) {
		const struct secret *x = &t->secrets->items[i];

		if (!x->hidden)
			continue;
		buf_text(out, any ? ",\n{\"stand_in\":" : "\n{\"stand_in\":");
		any = true;
		json_write_string(out, buf_view(&x->stand_in));
		json_write_text(out, "kind", x->kind);
		buf_printf(out, ",\"hidden\":%" PRIu64 ",\"steps\":%zu", x->hidden, x->steps);
		json_write_text(out, "path", str_of(t->paths[x->first.file]));
		buf_printf(out, ",\"chain\":%zu,\"step\":%zu}", x->first.chain, x->first.step);
	}
	buf_text(out, "\n]\n");
}

/* "hidden: 3 github-token, 1 email; 5 stand-ins"; where, is in the report. */
static bool report_hidden(const struct target *t, const struct options *o)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF report = BUF_INIT;
	uint64_t places = 0, kinds = 0;

	for (size_t i = 0; i < t->secrets->count; i++) {
		places += t->secrets->items[i].hidden;
		kinds += t->secrets->items[i].hidden > 0;
	}
	cmd_note(NULL, "%" PRIu64 " places hidden, by %" PRIu64 " stand-in%s", places, kinds,
		kinds == 1 ? "" : "s");
	for (size_t i = 0; i < t->secrets->count && kinds <= REPORTED; i++) {
		const struct secret *x = &t->secrets->items[i];

		if (x->hidden)
			cmd_note(NULL, "%s: %" PRIu64 " times, in %zu step%s, first in %s:%zu.%zu",
				x->stand_in.data, x->hidden, x->steps,
				x->steps == 1 ? "" : "s", t->paths[x->first.file],
				x->first.chain, x->first.step);
	}
	if (!o->redact_report)
		return true;
	write_report(t, &report);
	if (outfile_save(o->redact_report, buf_view(&report), o->force, &err))
		return true;
	(void)cmd_fail("%s: %s", o->redact_report, err.text);
	return false;
}

static void secrets_done(struct target *t)
{
	for (size_t i = 0; i < t->path_count; i++)
		mem_free(t->paths[i]);
	mem_free(t->paths);
	secrets_free(t->secrets);
}

/* ---- exporting ---- */

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
	bool open = registry && (!o->redact || find_secrets(&t, o));

	if (open && o->output && strcmp(o->output, "-") != 0)
		open = export_ending(format) ? open_file(&t, o->output, o->force)
					     : open_tables(&t, o->output, o->force);
	if (open) {
		if (t.count > 1)
			options.write_rows = take_rows;
		begin_hiding(&t, format == export_format_named(STR("html")));
		t.export = export_begin(&options);
		status = cmd_each(o, export_file, &t);
		export_end(t.export);
		end_hiding(&t);
		if (t.secrets && !report_hidden(&t, o))
			status = STATUS_ERROR;
	}
	status = finish(&t, status);
	secrets_done(&t);
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
