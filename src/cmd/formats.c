/* `catena formats`: the table of formats, in order of detection; one of them; why a file
 * is of which. */
#include "config.h"
#include "cmd/cmd.h"

#include "base/embedded.h"
#include "import/known.h"
#include "io/source.h"
#include "schema/yaml.h"
#include "text/safe.h"

/* ---- one format ---- */

/* The file of a built-in format; empty: there is none. */
static struct str built_in_file(struct str name)
{
	struct str rest = {
		(const char *)embedded_format_files.bytes, embedded_format_files.n};
	AUTO_BUF line = BUF_INIT;
	struct str found = {0};

	buf_printf(&line, "name: %.*s\n", (int)name.n, name.p);
	while (rest.n && !found.n) {
		const char *end = memmem(rest.p + 4, rest.n - 4, "\n---\n", 5);
		size_t n = end ? (size_t)(end + 1 - rest.p) : rest.n;
		struct str file = {rest.p + 4, n - 4};

		if (memmem(file.p, file.n, line.data, line.len))
			found = file;
		rest = str_skip(rest, n);
	}
	return found;
}

static int show_format(const char *name, struct buf *out)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	for (size_t i = 0; i < known_count(); i++) {
		if (!jv_is(jv_member(jv_whole(known_text(i)), "name"), str_of(name)))
			continue;
		if (!known_file(i))
			buf_str(out, built_in_file(str_of(name)));
		else if (!yaml_file_read(known_file(i), YAML_PIPE, out, &err))
			report_error(&err);
		return err.text ? STATUS_ERROR : STATUS_DONE;
	}
	for (size_t i = 0; formats[i]; i++)
		if (strcmp(formats[i]->name, name) == 0) {
			buf_printf(out,
				"# part of the program\nname: %s\ntitle: %s\nsteps: %s\n",
				name, formats[i]->recognized_by, formats[i]->steps);
			return STATUS_DONE;
		}
	return cmd_fail("--show %s: no such format; `catena formats` lists them", name);
}

/* ---- why ---- */

/* The conditions on the first value of a file, after the format that it was read as. */
static int explain_file(const char *path, const struct options *o, struct buf *out)
{
	struct cmd_file f;
	struct source *source;
	AUTO_BUF head = BUF_INIT;

	if (!cmd_open(&f, path, o))
		return STATUS_ERROR;
	buf_printf(out, "%s: %s\n", path, f.trace->format ? f.trace->format : "empty");
	source = inputs_source(f.trace->inputs, 0);
	if (source) {
		buf_reserve(&head, PROBE);
		head.len = source_read(source, 0, head.data, PROBE);
		buf_text(out, "first value, compared with the most similar formats:\n");
		known_explain(jv_parse(buf_view(&head)), out);
	}
	cmd_close(&f);
	return STATUS_DONE;
}

int cmd_formats(const struct options *o)
{
	AUTO_BUF out = BUF_INIT;
	int status = STATUS_DONE;

	if (o->explain) {
		status = explain_file(o->explain, o, &out);
	} else if (o->show) {
		status = show_format(o->show, &out);
	} else if (o->json) {
		for (size_t i = 0; i < known_count(); i++) {
			buf_text(&out, i ? ",\n" : "[");
			buf_str(&out, known_text(i));
		}
		buf_text(&out, "]\n");
	} else {
		for (size_t i = 0; i < known_count(); i++) {
			const struct format *f = &known_at(i)->format;
			const char *file = known_file(i);

			buf_printf(&out, "%-24s %s%s%s\n", f->name, f->recognized_by,
				file ? "; from " : "", file ? file : "");
		}
		for (size_t i = 0; formats[i]; i++)
			buf_printf(&out, "%-24s %s\n", formats[i]->name,
				formats[i]->recognized_by);
	}
	cmd_write(&out);
	return status;
}
