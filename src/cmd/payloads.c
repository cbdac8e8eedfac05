/*
 * `catena payloads list`, `show` and `prompt`: the registry as JSON, or as text, which is
 * made of that JSON; and `validate`: a JSON value against the schema of a payload type,
 * or against any JSON Schema in a file of JSON or YAML.
 *
 * Text is made of rows of cells, each through text/safe, and columns as wide as they
 * need to be.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/mem.h"
#include "json/check.h"
#include "schema/yaml.h"
#include "text/safe.h"

/* ---- as JSON: each property is a key, null where it is not given ---- */

static json_t *text_or_null(struct str text)
{
	return text.n ? json_stringn_nocheck(text.p, text.n) : json_null();
}

static json_t *value_or_null(const json_t *value)
{
	return value ? json_incref((json_t *)value) : json_null();
}

/* What every definition has, and more, which is released. */
static json_t *definition(const char *kind, struct str name, struct str description,
	const struct defined *at, json_t *more)
{
	json_t *line = at->line ? json_integer((json_int_t)at->line) : json_null();
	json_t *object = json_pack("{s:s, s:o, s:o, s:{s:o, s:o}}", "kind", kind, "name",
		text_or_null(name), "description", text_or_null(description), "defined",
		"file", text_or_null(at->file), "line", line);

	json_object_update(object, more);
	json_decref(more);
	return object;
}

static json_t *names_json(const struct str *names, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, text_or_null(names[i]));
	return array;
}

static json_t *type_json(const struct registry *r, const struct payload_type *t)
{
	json_t *pages = json_array();
	json_t *width = t->panel_width ? json_integer(t->panel_width) : json_null();

	for (size_t i = 0; i < r->page_count; i++)
		if (registry_on_page(r, &r->pages[i], t))
			json_array_append_new(pages, text_or_null(r->pages[i].name));
	return definition("payload_type", t->name, t->description, &t->at,
		json_pack("{s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o}, s:o, s:o}", "source",
			json_string(t->source == PAYLOAD_LLM ? "llm" : "tool"), "schema",
			value_or_null(t->schema_value), "llm_instructions",
			text_or_null(t->instructions), "parse_marker",
			text_or_null(t->marker), "frontend_config", "panel_width", width,
			"title", text_or_null(t->title), "icon", text_or_null(t->icon),
			"summary", text_or_null(t->summary), "pages", pages));
}

static json_t *actions_json(const struct client_action *actions, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(
			array, definition("client_action", actions[i].name,
				       actions[i].description, &actions[i].at, NULL));
	return array;
}

static json_t *suggestion_json(const struct suggestion *s)
{
	return definition("suggestion", s->name, s->description, &s->at,
		json_pack("{s:o, s:o}", "schema", value_or_null(s->schema_value),
			"llm_instructions", text_or_null(s->instructions)));
}

static json_t *registry_json(const struct registry *r)
{
	json_t *types = json_array(), *tools = json_array(), *pages = json_array();

	for (size_t i = 0; i < r->type_count; i++)
		json_array_append_new(types, type_json(r, &r->types[i]));
	for (size_t i = 0; i < r->tool_count; i++)
		json_array_append_new(tools,
			definition("tool", r->tools[i].name, r->tools[i].description,
				&r->tools[i].at,
				json_pack("{s:o, s:o}", "payload_type",
					text_or_null(r->tools[i].payload_type),
					"input_schema",
					value_or_null(r->tools[i].input_schema_value))));
	for (size_t i = 0; i < r->page_count; i++)
		json_array_append_new(
			pages, definition("page", r->pages[i].name,
				       r->pages[i].description, &r->pages[i].at,
				       json_pack("{s:o, s:o}", "payload_types",
					       names_json(r->pages[i].payloads,
						       r->pages[i].payload_count),
					       "client_actions",
					       actions_json(r->pages[i].actions,
						       r->pages[i].action_count))));
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:[o, o]}", "payload_types", types,
		"payload_types_everywhere",
		names_json(r->global_payloads, r->global_payload_count), "tools", tools,
		"pages", pages, "client_actions",
		actions_json(r->actions, r->action_count), "suggestions",
		suggestion_json(&r->suggestions[0]), suggestion_json(&r->suggestions[1]));
}

static void put_json(struct buf *out, const json_t *value)
{
	json_write(out, value, JSON_LINE);
	buf_byte(out, '\n');
}

/* ---- as text ---- */

/* A column of a list, or a fact of a definition, and the member that has it. */
struct payload_fact {
	const char *label, *member;
};

static void add_name(struct buf *out, struct str name)
{
	buf_text(out, out->len ? ", " : "");
	buf_str(out, name);
}

/* Appends a member as a text: names with commas between, "FILE:LINE", pixels. */
static void put_member(const json_t *of, const char *name, struct buf *out)
{
	const json_t *value = json_object_get(of, name), *item, *line;
	const char *source = json_string_value(json_object_get(of, "source"));
	bool everywhere =
		strcmp(name, "pages") == 0 && source && strcmp(source, "tool") == 0;
	size_t i;

	if (!value)
		value = json_object_get(json_object_get(of, "frontend_config"), name);
	line = json_object_get(value, "line");
	if (json_is_string(value))
		buf_add(out, json_string_value(value), json_string_length(value));
	else if (json_is_integer(value))
		buf_printf(out, "%" JSON_INTEGER_FORMAT " pixels",
			json_integer_value(value));
	else if (json_is_object(value))
		put_member(value, "file", out);
	if (line && json_is_integer(line))
		buf_printf(out, ":%" JSON_INTEGER_FORMAT, json_integer_value(line));
	if (everywhere)
		add_name(out, STR("all"));
	json_array_foreach(value, i, item) {
		const json_t *text =
			json_is_object(item) ? json_object_get(item, "name") : item;

		if (!everywhere)
			add_name(out, (struct str){json_string_value(text),
					      json_string_length(text)});
	}
}

/* The titles and rows of a list after an empty line, columns as wide as their widest
 * cell; nothing when there are no rows. */
static void put_list(
	const json_t *items, const struct payload_fact *columns, struct buf *out)
{
	struct sheet_cell {
		size_t end; /* in the text */
		unsigned width;
	};
	AUTO_FREE struct sheet_cell *cells = NULL;
	AUTO_FREE unsigned *widths = NULL;
	AUTO_BUF text = BUF_INIT, raw = BUF_INIT;
	size_t n = 0, count, at = 0;

	while (columns[n].label)
		n++;
	count = (json_array_size(items) + 1) * n;
	if (count == n)
		return;
	cells = mem_array(count, sizeof(*cells));
	widths = mem_zalloc(n, sizeof(*widths));
	for (size_t i = 0; i < count; i++) {
		const struct payload_fact *column = &columns[i % n];

		buf_clear(&raw);
		if (i < n)
			buf_text(&raw, column->label);
		else
			put_member(
				json_array_get(items, i / n - 1), column->member, &raw);
		if (!raw.len)
			buf_byte(&raw, '-');
		safe_line(&text, buf_view(&raw));
		cells[i] = (struct sheet_cell){text.len, safe_width(buf_view(&raw))};
		if (cells[i].width > widths[i % n])
			widths[i % n] = cells[i].width;
	}
	buf_text(out, out->len ? "\n" : "");
	for (size_t i = 0; i < count; i++) {
		buf_add(out, text.data + at, cells[i].end - at);
		at = cells[i].end;
		if ((i + 1) % n)
			buf_fill(out, ' ', widths[i % n] - cells[i].width + 2);
		else
			buf_byte(out, '\n');
	}
}

/* Adds the actions of a page, or of all, with its name. */
static void add_actions(json_t *to, const json_t *actions, json_t *page)
{
	json_t *item;
	size_t i;

	json_array_foreach(actions, i, item) {
		json_object_set(item, "page", page);
		json_array_append(to, item);
	}
}

static void list_all(const json_t *all, struct buf *out)
{
	static const struct payload_fact
		types[] = {{"PAYLOAD TYPE", "name"}, {"SOURCE", "source"},
			{"MARKER", "parse_marker"}, {"PAGES", "pages"},
			{"TITLE", "title"}, {"DEFINED", "defined"}, {0}},
		tools[] = {{"TOOL", "name"}, {"PAYLOAD TYPE", "payload_type"},
			{"DESCRIPTION", "description"}, {"DEFINED", "defined"}, {0}},
		pages[] = {{"PAGE", "name"}, {"PAYLOAD TYPES", "payload_types"},
			{"CLIENT ACTIONS", "client_actions"},
			{"DESCRIPTION", "description"}, {"DEFINED", "defined"}, {0}},
		actions[] = {{"CLIENT ACTION", "name"}, {"PAGE", "page"},
			{"DESCRIPTION", "description"}, {"DEFINED", "defined"}, {0}};
	const json_t *page, *list = json_object_get(all, "pages");
	json_t *every = json_array(), *anywhere = json_string("all");
	size_t i;

	add_actions(every, json_object_get(all, "client_actions"), anywhere);
	json_array_foreach(list, i, page)
		add_actions(every, json_object_get(page, "client_actions"),
			json_object_get(page, "name"));
	put_list(json_object_get(all, "payload_types"), types, out);
	put_list(json_object_get(all, "tools"), tools, out);
	put_list(list, pages, out);
	put_list(every, actions, out);
	json_decref(every);
	json_decref(anywhere);
}

int cmd_payloads_list(const struct options *o)
{
	AUTO_BUF out = BUF_INIT;
	struct registry *r;
	json_t *all;

	if (o->files.count)
		return cmd_fail("%s: `payloads list` lists everything; use "
				"`catena payloads show %s`",
			o->files.items[0], o->files.items[0]);
	r = cmd_registry(o);
	if (!r)
		return STATUS_ERROR;
	all = registry_json(r);
	if (o->json)
		put_json(&out, all);
	else
		list_all(all, &out);
	cmd_write(&out);
	json_decref(all);
	registry_free(r);
	return STATUS_DONE;
}

/* ---- show ---- */

static void put_fact(struct buf *out, const char *label, struct str text)
{
	size_t start = out->len;

	if (!text.n)
		return;
	buf_text(out, label);
	buf_fill(out, ' ', 16 - (out->len - start));
	safe_line(out, text);
	buf_byte(out, '\n');
}

/* Lines of text, indented under their title. */
static void put_lines(struct buf *out, const char *label, struct str text)
{
	AUTO_BUF lines = BUF_INIT;
	struct str rest, line;

	if (!text.n)
		return;
	buf_printf(out, "\n%s:\n", label);
	safe_lines(&lines, str_trim(text));
	rest = buf_view(&lines);
	while (str_next_line(&rest, &line)) {
		buf_text(out, line.n ? "  " : "");
		buf_str(out, line);
		buf_byte(out, '\n');
	}
}

/* A definition; of a page also what every page has. */
static void show(struct buf *out, const json_t *d, const json_t *all)
{
	static const struct payload_fact facts[] = {{"description", "description"},
		{"defined", "defined"}, {"source", "source"}, {"marker", "parse_marker"},
		{"pages", "pages"}, {"title", "title"}, {"icon", "icon"},
		{"panel width", "panel_width"}, {"summary", "summary"},
		{"payload type", "payload_type"}, {"payload types", "payload_types"}},
					 schemas[] = {{"schema", "schema"},
						 {"arguments", "input_schema"}};
	const json_t *own = json_object_get(d, "client_actions"), *lists[] = {own, own};
	const char *kind = json_string_value(json_object_get(d, "kind"));
	AUTO_BUF text = BUF_INIT;
	const json_t *action;
	size_t i;

	buf_text(out, out->len ? "\n" : "");
	put_member(d, "name", &text);
	put_fact(out, strcmp(kind, "payload_type") ? kind : "payload type",
		buf_view(&text));
	if (own) {
		lists[0] = json_object_get(all, "client_actions");
		json_array_extend(json_object_get(d, "payload_types"),
			json_object_get(all, "payload_types_everywhere"));
	}
	for (i = 0; i < sizeof(facts) / sizeof(*facts); i++) {
		buf_clear(&text);
		put_member(d, facts[i].member, &text);
		put_fact(out, facts[i].label, buf_view(&text));
	}
	for (size_t k = 0; k < 2; k++)
		json_array_foreach(lists[k], i, action) {
			buf_clear(&text);
			put_member(action, "name", &text);
			if (json_is_string(json_object_get(action, "description")))
				buf_text(&text, ": ");
			put_member(action, "description", &text);
			put_fact(out, "client action", buf_view(&text));
		}
	for (i = 0; i < sizeof(schemas) / sizeof(*schemas); i++) {
		const json_t *schema = json_object_get(d, schemas[i].member);

		buf_clear(&text);
		if (schema && !json_is_null(schema))
			json_write(&text, schema, JSON_PRETTY);
		put_lines(out, schemas[i].label, buf_view(&text));
	}
	buf_clear(&text);
	put_member(d, "llm_instructions", &text);
	put_lines(out, "instructions", buf_view(&text));
}

int cmd_payloads_show(const struct options *o)
{
	const char *name = o->files.count ? o->files.items[0] : NULL;
	static const char *const lists[] = {
		"payload_types", "tools", "pages", "suggestions"};
	AUTO_BUF out = BUF_INIT;
	struct registry *r;
	int status = STATUS_DONE;
	json_t *all, *item;
	size_t i;

	if (!name)
		return cmd_fail("name a payload type, tool or page; `catena payloads "
				"list` lists the names");
	if (o->files.count > 1)
		return cmd_fail("%s: one name at a time", o->files.items[1]);
	r = cmd_registry(o);
	if (!r)
		return STATUS_ERROR;
	all = registry_json(r);
	/* everything of that name: a tool may be called like a page */
	for (size_t k = 0; k < sizeof(lists) / sizeof(*lists); k++)
		json_array_foreach(json_object_get(all, lists[k]), i, item) {
			const json_t *text = json_object_get(item, "name");

			if (json_string_length(text) != strlen(name) ||
				strcmp(json_string_value(text), name) != 0)
				continue;
			if (o->json)
				put_json(&out, item);
			else
				show(&out, item, all);
		}
	json_decref(all);
	if (out.len)
		cmd_write(&out);
	else
		status = cmd_fail("%s: no such payload type, tool or page; "
				  "`catena payloads list` lists them",
			name);
	registry_free(r);
	return status;
}

/* ---- prompt ---- */

/* Fails with the names that there are. */
static int fail_known(const char *option, const char *name, struct buf *known)
{
	cmd_fail("--%s %s: no such %s; %s%s", option, name, option,
		known->len ? "there are: " : "there are none",
		known->len ? known->data : "");
	buf_done(known);
	return STATUS_ERROR;
}

static int check_names(const struct registry *r, const struct options *o)
{
	struct buf known = BUF_INIT;

	if (o->page && !registry_page(r, str_of(o->page))) {
		for (size_t i = 0; i < r->page_count; i++)
			add_name(&known, r->pages[i].name);
		return fail_known("page", o->page, &known);
	}
	for (size_t i = 0; i < o->tools.count; i++) {
		if (registry_tool(r, str_of(o->tools.items[i])))
			continue;
		for (size_t k = 0; k < r->tool_count; k++)
			add_name(&known, r->tools[k].name);
		return fail_known("tool", o->tools.items[i], &known);
	}
	return STATUS_DONE;
}

int cmd_payloads_prompt(const struct options *o)
{
	AUTO_BUF out = BUF_INIT, safe = BUF_INIT;
	struct registry *r;
	struct str *tools;
	int status;

	if (o->files.count)
		return cmd_fail("%s: name pages and tools with --page and --tool",
			o->files.items[0]);
	r = cmd_registry(o);
	status = r ? check_names(r, o) : STATUS_ERROR;
	if (status == STATUS_DONE) {
		tools = mem_zalloc(o->tools.count + 1, sizeof(*tools));
		for (size_t i = 0; i < o->tools.count; i++)
			tools[i] = str_of(o->tools.items[i]);
		registry_prompt(r, str_of(o->page), tools, o->tools.count, &out);
		mem_free(tools);
		/* unchanged for a program, safe on a terminal */
		if (isatty(STDOUT_FILENO))
			safe_lines(&safe, buf_view(&out));
		cmd_write(isatty(STDOUT_FILENO) ? &safe : &out);
	}
	registry_free(r);
	return status;
}

/* ---- validate: a finding is a line, `PATH rule message`; the path of the value as a
 * whole is a dot ---- */

struct validation {
	const struct options *o;
	struct buf out;
	bool wrapped; /* findings are about the member `data` of the value */
	size_t count;
};

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

static json_t *read_value(const char *path)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF text = BUF_INIT;
	struct json_mends mends;
	json_t *value;

	if (!cmd_read_file(path, &text))
		return NULL;
	err_source(&err, cmd_input_name(path));
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

static struct schema *read_schema(const char *path)
{
	struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF text = BUF_INIT;
	struct schema *schema = NULL;
	json_t *value = NULL;

	if (cmd_read_file(path, &text)) {
		value = read_schema_value(buf_view(&text), &err);
		if (value) {
			err_done(&err);
			schema = schema_new(value, &err);
		}
		if (!schema) {
			err_source(&err, cmd_input_name(path));
			report_error(&err);
		}
	}
	json_decref(value);
	err_done(&err);
	return schema;
}

static bool put_finding(const struct schema_finding *f, void *ctx)
{
	struct validation *v = ctx;
	AUTO_BUF path = BUF_INIT, pointer = BUF_INIT;

	if (v->wrapped)
		buf_text(&path, f->path.n && f->path.p[0] != '[' ? "data." : "data");
	buf_str(&path, f->path);
	if (!path.len)
		buf_byte(&path, '.');
	if (v->o->json) {
		buf_text(&pointer, v->wrapped ? "/data" : "");
		buf_str(&pointer, f->pointer);
		buf_text(&v->out, v->count ? ",{\"path\":" : "{\"path\":");
		json_write_string(&v->out, buf_view(&path));
		json_put_text(&v->out, "pointer", buf_view(&pointer));
		json_put_text(&v->out, "rule", str_of(f->rule));
		json_put_text(&v->out, "message", f->message);
		buf_byte(&v->out, '}');
	} else {
		buf_printf(&path, " %s ", f->rule);
		buf_str(&path, f->message);
		safe_line(&v->out, buf_view(&path));
		buf_byte(&v->out, '\n');
	}
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
	value = read_value(o->files.count > 1 ? o->files.items[1] : "-");
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
	struct schema *schema;
	json_t *value;
	int status = STATUS_ERROR;

	if (o->files.count > names + 1)
		return cmd_fail("%s: one file at a time", o->files.items[names + 1]);
	if (!o->schema) {
		if (!o->files.count)
			return cmd_fail("name a payload type, or use --schema FILE");
		r = cmd_registry(o);
		if (r)
			status = validate_by_name(o, r);
		registry_free(r);
		return status;
	}
	schema = read_schema(o->schema);
	if (!schema)
		return STATUS_ERROR;
	value = read_value(o->files.count ? o->files.items[0] : "-");
	if (value)
		status = print_findings(o, schema, value, false);
	json_decref(value);
	schema_free(schema);
	return status;
}
