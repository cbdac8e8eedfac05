/*
 * `catena export` and `catena print`: chains as documents, to standard output or to a file
 * that is there whole or not at all; tables to a folder, with a file for each.  A signal
 * that ends the program removes the unfinished files.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "export/export.h"
#include "export/secrets.h"
#include "json/json.h"
#include "text/safe.h"
#include "text/wrap.h"

#define REPORTED 20 /* stand-ins that are told one by one, */
#define PLACES   5  /* ... with so many places */

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
	struct looked_through {
		char *path;
		uint64_t size;
	} * looked; /* traces, by number */
	size_t looked_count, looked_cap;
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

static int scan_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct target *t = ctx;
	const char *path = inputs_name(f->trace->inputs);
	struct looking *l = looking_new(t->secrets, f->trace, (uint32_t)t->looked_count);

	*(struct looked_through *)MEM_ADD(t->looked, t->looked_count, t->looked_cap) =
		(struct looked_through){
			mem_dup(path, strlen(path)), inputs_size(f->trace->inputs)};
	looking_run(l, UINT64_MAX);
	looking_free(l);
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
	t->secrets =
		secrets_new(o->redact_patterns.items, o->redact_patterns.count, &err);
	if (!t->secrets) {
		cmd_fail("--redact-pattern: %s", err.text);
		return false;
	}
	twice.filter = NULL;
	if (cmd_each(&twice, scan_file, t) == STATUS_ERROR)
		return false;
	if (t->secrets->given_up)
		cmd_fail("--redact: a pattern runs too long at %" PRIu64
			 " places; nothing is written",
			t->secrets->given_up);
	return !t->secrets->given_up;
}

static void write_report(const struct target *t, struct buf *out)
{
	buf_byte(out, '[');
	for (size_t i = 0; i < t->secrets->count; i++) {
		const struct secret *x = &t->secrets->items[i];

		if (!x->hidden)
			continue;
		buf_text(out, out->len > 1 ? ",\n{" : "\n{");
		json_put_text(out, "stand_in", buf_view(&x->stand_in));
		json_put_text(out, "kind", x->kind);
		json_put_count(out, "hidden", x->hidden);
		json_open(out, "places", '[');
		for (size_t k = 0; k < x->place_count; k++) {
			const struct secret_place *p = &x->places[k];

			json_open(out, NULL, '{');
			json_put_text(out, "path", str_of(t->looked[p->file].path));
			json_put_count(out, "chain", p->chain);
			json_put_count(out, "step", p->step);
			buf_byte(out, '}');
		}
		buf_text(out, "]}");
	}
	buf_text(out, "\n]\n");
}

static bool report_hidden(const struct target *t, const struct options *o)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF report = BUF_INIT, summary = BUF_INIT;
	size_t kinds = secrets_put(t->secrets);

	secrets_summary(t->secrets, &summary);
	cmd_note(NULL, "%s", summary.data);
	for (size_t i = 0; i < t->secrets->count && kinds <= REPORTED; i++) {
		const struct secret *x = &t->secrets->items[i];
		AUTO_BUF where = BUF_INIT;

		if (!x->hidden)
			continue;
		/* "shop.jsonl:1.2 1.5 …": of a chain as such its number, of a file its
		 * name */
		for (size_t k = 0; k < x->place_count && k < PLACES; k++) {
			const struct secret_place *p = &x->places[k];

			buf_byte(&where, ' ');
			if (!k || p->file != x->places[k - 1].file)
				buf_printf(&where, "%s%s", t->looked[p->file].path,
					p->chain ? ":" : "");
			if (p->chain)
				buf_printf(&where, "%zu", p->chain);
			if (p->step)
				buf_printf(&where, ".%zu", p->step);
		}
		if (x->place_count > PLACES)
			buf_printf(&where, " and %zu more", x->place_count - PLACES);
		cmd_note(NULL, "%s: %" PRIu64 " time%s:%s", x->stand_in.data, x->hidden,
			plural(x->hidden), where.len ? where.data : "");
	}
	if (!o->redact_report)
		return true;
	write_report(t, &report);
	if (outfile_save(o->redact_report, buf_view(&report), o->force, &err))
		return true;
	(void)cmd_fail("%s: %s", o->redact_report, err.text);
	return false;
}

/* ---- exporting ---- */

static int export_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct target *t = ctx;
	struct filter_run *passing;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	const struct inputs *in = f->trace->inputs;
	bool same = !t->secrets;
	uint64_t far;

	/* what was looked through: a session may go on meanwhile */
	for (size_t i = 0; i < t->looked_count && !same; i++)
		same = t->looked[i].size == inputs_size(in) &&
		       !strcmp(t->looked[i].path, inputs_name(in));
	if (!same) {
		t->broken = true;
		cmd_fail("%s: grew while it was looked through: export it again",
			inputs_name(f->trace->inputs));
		return STATUS_ERROR;
	}
	passing = cmd_filter(o, f->trace);
	export_trace(t->export, f->trace,
		(struct export_part){EXPORT_ALL, EXPORT_ALL, passing});
	export_run(t->export, UINT64_MAX);
	far = export_far_times(t->export);
	if (far)
		cmd_note(inputs_name(f->trace->inputs),
			"%" PRIu64 " steps began before 1677-09-21 or after 2262-04-11: "
			"a timestamp in nanoseconds cannot hold that",
			far);
	filter_run_free(passing);
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

static int export_as(
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
	bool hides = o->redact || o->redact_patterns.count || o->redact_report;
	bool open = registry && (!hides || find_secrets(&t, o));

	if (open && o->output && strcmp(o->output, "-") != 0)
		open = export_ending(format) ? open_file(&t, o->output, o->force)
					     : open_tables(&t, o->output, o->force);
	if (open) {
		if (t.count > 1)
			options.write_rows = take_rows;
		for (size_t i = 0; t.secrets && i < EXPORT_TABLES; i++) {
			t.sinks[i] = (struct sink){&t, i};
			t.redactors[i] = redactor_new(
				t.secrets, format, put_redacted, &t.sinks[i]);
		}
		t.export = export_begin(&options);
		status = cmd_each(o, export_file, &t);
		export_end(t.export);
		for (size_t i = 0; t.secrets && i < EXPORT_TABLES; i++)
			redactor_end(t.redactors[i]);
		if (t.secrets && !report_hidden(&t, o))
			status = STATUS_ERROR;
	}
	status = finish(&t, status);
	for (size_t i = 0; i < t.looked_count; i++)
		mem_free(t.looked[i].path);
	mem_free(t.looked);
	secrets_free(t.secrets);
	registry_free(registry);
	return status;
}

int cmd_export(const struct options *o)
{
	const struct export_format *format = export_format_named(STR("json"));
	struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF endings = BUF_INIT;

	if (o->format.n)
		format = export_format_named(o->format);
	else if (o->output && strcmp(o->output, "-") != 0)
		format = export_format_of_file(str_of(o->output));
	if (format)
		return export_as(o, format, o->width ? o->width : WRAP_NEVER);
	for (size_t i = 0; export_format_name(i); i++) {
		const char *ending =
			export_ending(export_format_named(str_of(export_format_name(i))));

		if (ending)
			buf_printf(&endings, "%s%s", i ? ", " : "", ending);
	}
	err_source(&err, o->output);
	err_set(&err, "this ending is not known: use one of %s, or --format",
		endings.data);
	return fail(&err);
}

/* ---- `catena print`: the lines of the viewer, one step after another ---- */

int cmd_print(const struct options *o)
{
	return export_as(o,
		o->transcript ? &export_transcript : export_format_named(STR("text")),
		cmd_print_width(o));
}
