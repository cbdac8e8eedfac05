/*
 * `catena payloads validate`: a JSON value against the schema of a payload type, or
 * against any JSON Schema in a file of JSON or YAML.  A finding is a line, `PATH rule
 * message`; the path of the value as a whole is a dot.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <inttypes.h>

#include "json/check.h"
#include "schema/yaml.h"
#include "text/safe.h"

struct validation {
	const struct options *o;
	struct buf out;
	bool wrapped; /* findings are about the member `data` of the value */
	size_t count;
};

/* ---- reading ---- */

/* The options for one of the two inputs. */
static struct options only(const struct options *o, const char **path)
{
	struct options one = *o;

	one.files = (struct operands){.items = path, .count = 1};
	return one;
}

/* Reads JSON and mends it; a value that is cut off is refused, since half a value would
 * give half a result.  A value that is only nested too deep is JSON, and is not called
 * otherwise. */
static json_t *read_json(struct str text, struct json_mends *mends, struct err *err)
{
	json_t *value = json_read(text, mends, err);
	struct json_report report;
	AUTO_BUF words = BUF_INIT;
	struct err where;

	if (value && mends->cut) {
		json_decref(value);
		value = json_read_strict(text, err);
	}
	if (value)
		return value;
	where = *err;
	json_check(text, &report);
	buf_text(&words, report.verdict == VERDICT_BROKEN ? "is not JSON: " : "");
	buf_text(&words, err->text);
	err_at(err, where.offset, "%s", words.data);
	err->line = where.line;
	err->column = where.column;
	return NULL;
}

static json_t *read_value(const struct options *o, const char *path)
{
	struct options one = only(o, &path);
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF text = BUF_INIT;
	struct json_mends mends;
	json_t *value;

	if (!cmd_read_text(&one, &text))
		return NULL;
	err_source(&err, cmd_input_name(&one));
	value = read_json(buf_view(&text), &mends, &err);
	if (!value) {
		report_error(&err);
	} else if (mends.count) {
		err_at(&err, mends.offset, "repaired here; %" PRIu64 " in all",
			mends.count);
		json_place(buf_view(&text), err.offset, &err.line, &err.column);
		report_note(&err);
	}
	return value;
}

/* Reads JSON or YAML.  The error for a text that is neither is that of the format it
 * looks like. */
static json_t *read_schema_value(struct str text, struct err *err)
{
	struct err yaml = {.offset = ERR_NOWHERE};
	struct str trimmed = str_trim(text);
	bool braces = trimmed.n && strchr("{[", trimmed.p[0]);
	struct json_mends mends;
	struct yaml y;
	json_t *value = read_json(text, &mends, err);

	if (value)
		return value;
	if (yaml_read(&y, text, &yaml) && !y.root)
		err_set(err, "is empty; a schema is an object, true or false");
	value = json_incref(y.root);
	yaml_done(&y);
	if (yaml.text && !braces) {
		err_done(err);
		*err = yaml;
		err->offset = ERR_NOWHERE; /* people look for lines */
	} else {
		err_done(&yaml);
	}
	return value;
}

static struct schema *read_schema(const struct options *o, const char *path)
{
	struct options one = only(o, &path);
	struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF text = BUF_INIT;
	struct schema *schema = NULL;
	json_t *value = NULL;

	if (cmd_read_text(&one, &text)) {
		value = read_schema_value(buf_view(&text), &err);
		if (value) {
			err_done(&err);
			schema = schema_new(value, &err);
		}
		if (!schema) {
			err_source(&err, cmd_input_name(&one));
			report_error(&err);
		}
	}
	json_decref(value);
	err_done(&err);
	return schema;
}

/* ---- findings ---- */

static void add_path(const struct validation *v, struct str path, struct buf *out)
{
	if (v->wrapped)
		buf_text(out, path.n && path.p[0] != '[' ? "data." : "data");
	buf_str(out, path);
	if (!out->len)
		buf_byte(out, '.');
}

static void put_text(struct validation *v, const struct schema_finding *f)
{
	AUTO_BUF line = BUF_INIT;

	add_path(v, f->path, &line);
	buf_printf(&line, " %s ", f->rule);
	buf_str(&line, f->message);
	safe_line(&v->out, buf_view(&line));
	buf_byte(&v->out, '\n');
}

static void put_json(struct validation *v, const struct schema_finding *f)
{
	AUTO_BUF path = BUF_INIT, pointer = BUF_INIT;

	add_path(v, f->path, &path);
	buf_text(&pointer, v->wrapped ? "/data" : "");
	buf_str(&pointer, f->pointer);
	buf_text(&v->out, v->count ? ",{\"path\":" : "{\"path\":");
	json_write_string(&v->out, buf_view(&path));
	json_write_text(&v->out, "pointer", buf_view(&pointer));
	json_write_text(&v->out, "rule", str_of(f->rule));
	json_write_text(&v->out, "message", f->message);
	buf_byte(&v->out, '}');
}

static bool put_finding(const struct schema_finding *f, void *ctx)
{
	struct validation *v = ctx;

	(v->o->json ? put_json : put_text)(v, f);
	v->count++;
	cmd_write_long(&v->out);
	return true;
}

/* Validates; a type without a schema (NULL) takes anything. */
static int print_findings(const struct options *o, const struct schema *schema,
	const json_t *value, bool wrapped)
{
	struct validation v = {.o = o, .wrapped = wrapped};
	bool valid;

	if (o->json)
		buf_byte(&v.out, '[');
	valid = !schema || schema_check(schema, value, put_finding, &v);
	if (o->json)
		buf_text(&v.out, "]\n");
	cmd_write(&v.out);
	buf_done(&v.out);
	return valid ? STATUS_DONE : STATUS_FINDINGS;
}

/* ---- the command ---- */

static int validate_by_file(const struct options *o)
{
	struct schema *schema = read_schema(o, o->schema);
	json_t *value;
	int status = STATUS_ERROR;

	if (!schema)
		return STATUS_ERROR;
	value = read_value(o, o->files.count ? o->files.items[0] : "-");
	if (value)
		status = print_findings(o, schema, value, false);
	json_decref(value);
	schema_free(schema);
	return status;
}

static int validate_by_name(const struct options *o, const struct registry *r)
{
	struct str name = str_of(o->files.items[0]);
	const struct payload_type *named = registry_type(r, name);
	const struct schema *schema = named ? named->schema : NULL;
	bool known = named;
	const json_t *type, *data = NULL;
	json_t *value;
	int status;

	for (size_t i = 0; i < 2 && !known; i++) {
		known = str_equal(r->suggestions[i].name, name);
		schema = known ? r->suggestions[i].schema : NULL;
	}
	if (!known)
		return cmd_fail("%s: no such payload type; `catena payloads list` "
				"lists them",
			name.p);
	value = read_value(o, o->files.count > 1 ? o->files.items[1] : "-");
	if (!value)
		return STATUS_ERROR;
	type = json_object_get(value, "type");
	if (json_is_string(type) && strcmp(json_string_value(type), name.p) == 0)
		data = json_object_get(value, "data");
	status = print_findings(o, schema, data ? data : value, data != NULL);
	json_decref(value);
	return status;
}

int cmd_payloads_validate(const struct options *o)
{
	size_t names = o->schema ? 0 : 1;
	struct registry *r;
	int status;

	if (o->files.count > names + 1)
		return cmd_fail("%s: one file at a time", o->files.items[names + 1]);
	if (o->schema)
		return validate_by_file(o);
	if (!o->files.count)
		return cmd_fail("name a payload type, or use --schema FILE");
	r = cmd_registry(o);
	if (!r)
		return STATUS_ERROR;
	status = validate_by_name(o, r);
	registry_free(r);
	return status;
}
