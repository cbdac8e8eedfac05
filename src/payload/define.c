/*
 * YAML text to definitions: see define_read.
 *
 * The document is first made whole (schemas that stand as JSON in a text are decoded and
 * put in its place), then checked against data/payloads.schema.yaml, then read without
 * further questions.  Every mistake is reported with the line of its key.
 */
#include "config.h"
#include "payload/registry.h"

#include <stdlib.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/mem.h"
#include "schema/yaml.h"

struct definition_reading {
	struct registry *r, *part;
	struct yaml yaml;
	struct str file; /* its name, in the arena */
	bool built_in;
	struct err *err;
};

/* Empty for what is no string. */
static struct str text_of(const json_t *string)
{
	return (struct str){json_string_value(string), json_string_length(string)};
}

/* A key in the document; the last ones may be NULL. */
struct spot {
	const char *section, *name, *key;
};

/* ---- places and mistakes ---- */

static void spot_pointer(struct spot s, struct buf *out)
{
	json_write_segment(out, s.section);
	if (s.name)
		json_write_segment(out, s.name);
	if (s.key)
		json_write_segment(out, s.key);
}

static bool refuse(struct definition_reading *g, struct str pointer, const char *text)
{
	err_set(g->err, "%s", text);
	yaml_place(&g->yaml, pointer, &g->err->line, &g->err->column);
	return false;
}

static bool refuse_spot(struct definition_reading *g, struct spot s, const char *text)
{
	AUTO_BUF pointer = BUF_INIT, whole = BUF_INIT;

	spot_pointer(s, &pointer);
	buf_printf(&whole, "%s.%s.%s: %s", s.section, s.name, s.key, text);
	return refuse(g, buf_view(&pointer), whole.data);
}

/* ---- making it whole ---- */

/* A schema that stands as JSON in a text takes its place. */
static bool decode_schema(struct definition_reading *g, struct spot s, json_t *definition)
{
	const json_t *text = json_object_get(definition, s.key);
	AUTO(err_done) struct err json = {.offset = ERR_NOWHERE};
	AUTO_BUF pointer = BUF_INIT, words = BUF_INIT;
	json_t *value;

	if (!json_is_string(text))
		return true;
	value = json_read_strict(text_of(text), &json);
	if (value) {
		json_object_set_new_nocheck(definition, s.key, value);
		return true;
	}
	buf_printf(&words, "is not JSON: %s", json.text);
	refuse_spot(g, s, words.data);
	spot_pointer(s, &pointer);
	yaml_place_within(&g->yaml, buf_view(&pointer), &json.line, &json.column);
	g->err->line = json.line;
	g->err->column = json.column;
	return false;
}

static bool decode_schemas(struct definition_reading *g)
{
	static const struct {
		const char *section, *key;
	} rows[] = {
		{"payload_types", "schema"},
		{"tools", "input_schema"},
		{"suggestions", "schema"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct spot s = {rows[i].section, NULL, rows[i].key};
		json_t *definitions = json_object_get(g->yaml.root, s.section), *value;

		json_object_foreach(definitions, s.name, value)
			if (!decode_schema(g, s, value))
				return false;
	}
	return true;
}

/* ---- holding it against the schema of such files ---- */

/* The schema of an object at a pointer: by the name of its key, else that of all others.
 */
static const json_t *format_at(const json_t *format, struct str pointer)
{
	const json_t *at = format;
	AUTO_BUF name = BUF_INIT;
	size_t end;

	for (size_t i = 0; i < pointer.n; i = end) {
		const char *slash = memchr(pointer.p + i + 1, '/', pointer.n - i - 1);
		const json_t *next;
		const char *ref;

		end = slash ? (size_t)(slash - pointer.p) : pointer.n;
		buf_clear(&name);
		buf_add(&name, pointer.p + i + 1, end - i - 1);
		next = json_object_get(json_object_get(at, "properties"), name.data);
		at = next ? next : json_object_get(at, "additionalProperties");
		ref = json_string_value(json_object_get(at, "$ref"));
		if (ref)
			at = json_object_get(json_object_get(format, "definitions"),
				ref + strlen("#/definitions/"));
	}
	return at;
}

static bool refuse_finding(const struct schema_finding *f, void *ctx)
{
	struct definition_reading *g = ctx;
	struct str object = f->pointer; /* that has the key, if it is one */
	AUTO_BUF text = BUF_INIT;
	const char *key, *between = "";
	json_t *keys, *value;

	buf_str(&text, f->path);
	buf_text(&text, f->path.n ? ": " : "");
	if (strcmp(f->rule, "additionalProperties") != 0) {
		buf_str(&text, f->message);
	} else {
		buf_text(&text, "no such key; there are: ");
		while (object.n && object.p[--object.n] != '/')
			continue;
		keys = json_object_get(
			format_at(g->r->format_value, object), "properties");
		json_object_foreach(keys, key, value) {
			buf_printf(&text, "%s%s", between, key);
			between = ", ";
		}
	}
	return refuse(g, f->pointer, text.data);
}

static bool is_valid(struct definition_reading *g)
{
	struct str text = {
		(const char *)embedded_payloads_schema.bytes, embedded_payloads_schema.n};
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct registry *r = g->r;
	struct yaml y;

	if (!r->format && yaml_read(&y, text, &err)) {
		r->format = schema_new(y.root, &err);
		r->format_value = json_incref(y.root);
		yaml_done(&y);
	}
	return schema_check(r->format, g->yaml.root, refuse_finding, g);
}

/* ---- reading the parts ---- */

static struct str text_at(const json_t *object, const char *key)
{
	return text_of(json_object_get(object, key));
}

static struct defined defined_at(const struct definition_reading *g, struct spot s)
{
	struct defined at = {.file = g->file};
	AUTO_BUF pointer = BUF_INIT;
	uint64_t column;

	spot_pointer(s, &pointer);
	if (!g->built_in)
		yaml_place(&g->yaml, buf_view(&pointer), &at.line, &column);
	return at;
}

/* An absent schema is fine. */
static bool compile(struct definition_reading *g, struct spot s, const json_t *definition,
	const json_t **value, struct schema **schema)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	*value = json_object_get(definition, s.key);
	*schema = *value ? schema_new(*value, &err) : NULL;
	if (*value && !*schema)
		refuse_spot(g, s, err.text);
	return !*value || *schema;
}

/* The colon at the end is part of the spelling. */
static bool read_marker(
	struct definition_reading *g, struct spot s, struct str marker, struct str *out)
{
	if (marker.n && marker.p[marker.n - 1] == ':')
		marker.n--;
	if (!marker.n)
		return refuse_spot(g, s, "the marker is empty; leave the key out");
	for (size_t i = 0; i < marker.n; i++)
		if ((unsigned char)marker.p[i] <= ' ' || strchr("*:\x7F", marker.p[i]))
			return refuse_spot(g, s,
				"a marker is one word without a * and with a colon at "
				"its "
				"end only");
	if (str_equal(marker, STR("SUGGESTED_VALUES")) ||
		str_equal(marker, STR("SUGGESTED_ACTIONS")))
		return refuse_spot(g, s, "this marker is that of suggestions");
	*out = marker;
	return true;
}

static bool read_type(
	struct definition_reading *g, const char *name, const json_t *definition)
{
	struct registry *p = g->part;
	const json_t *config = json_object_get(definition, "frontend_config");
	const json_t *width = json_object_get(config, "panel_width"); /* also "480px" */
	struct payload_type *t;
	struct spot s = {"payload_types", name, NULL};

	t = MEM_ADD(p->types, p->type_count, p->type_cap);
	*t = (struct payload_type){.name = str_of(name),
		.description = text_at(definition, "description"),
		.source = str_equal(text_at(definition, "source"), STR("llm"))
				  ? PAYLOAD_LLM
				  : PAYLOAD_TOOL,
		.instructions = text_at(definition, "llm_instructions"),
		.title = text_at(config, "title"),
		.icon = text_at(config, "icon"),
		.panel_width = (unsigned)json_integer_value(width),
		.summary = text_at(definition, "summary"),
		.at = defined_at(g, s)};
	if (json_is_string(width))
		t->panel_width = (unsigned)strtoul(json_string_value(width), NULL, 10);
	s.key = "parse_marker";
	if (json_object_get(definition, s.key) &&
		!read_marker(g, s, text_at(definition, s.key), &t->marker))
		return false;
	s.key = "schema";
	return compile(g, s, definition, &t->schema_value, &t->schema);
}

static bool read_tool(
	struct definition_reading *g, const char *name, const json_t *definition)
{
	struct registry *p = g->part;
	struct tool_config *t;
	struct spot s = {"tools", name, NULL};

	t = MEM_ADD(p->tools, p->tool_count, p->tool_cap);
	*t = (struct tool_config){.name = str_of(name),
		.description = text_at(definition, "description"),
		.payload_type = text_at(definition, "payload_type"),
		.at = defined_at(g, s)};
	s.key = "input_schema";
	return compile(g, s, definition, &t->input_schema_value, &t->input_schema);
}

static bool read_suggestion(
	struct definition_reading *g, const char *name, const json_t *definition)
{
	bool actions = strcmp(name, "SUGGESTED_ACTIONS") == 0;
	struct suggestion *t = &g->part->suggestions[actions];
	struct spot s = {"suggestions", name, NULL};

	*t = (struct suggestion){.name = str_of(name),
		.description = text_at(definition, "description"),
		.instructions = text_at(definition, "llm_instructions"),
		.at = defined_at(g, s)};
	s.key = "schema";
	return compile(g, s, definition, &t->schema_value, &t->schema);
}

static struct str *read_names(
	struct definition_reading *g, const json_t *names, size_t *count)
{
	struct str *out = NULL;

	*count = json_array_size(names);
	if (*count)
		out = arena_alloc(&g->r->arena, *count * sizeof(*out));
	for (size_t i = 0; i < *count; i++)
		out[i] = text_of(json_array_get(names, i));
	return out;
}

/* Those of a page, or of all pages when it is NULL. */
static struct client_action *read_actions(
	struct definition_reading *g, const char *page, json_t *actions, size_t *count)
{
	struct client_action *out = NULL;
	const char *name;
	json_t *about;
	size_t n = 0;

	*count = json_object_size(actions);
	if (*count)
		out = arena_alloc(&g->r->arena, *count * sizeof(*out));
	json_object_foreach(actions, name, about) {
		struct spot s = {
			page ? "pages" : "client_actions", page ? page : name, NULL};

		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): has *count */
		out[n++] = (struct client_action){
			str_of(name), text_of(about), defined_at(g, s)};
	}
	return out;
}

static bool read_page(
	struct definition_reading *g, const char *name, const json_t *definition)
{
	struct registry *p = g->part;
	struct spot s = {"pages", name, NULL};
	struct page *page;

	page = MEM_ADD(p->pages, p->page_count, p->page_cap);
	*page = (struct page){.name = str_of(name),
		.description = text_at(definition, "description"),
		.at = defined_at(g, s)};
	page->payloads = read_names(
		g, json_object_get(definition, "payload_types"), &page->payload_count);
	page->actions = read_actions(g, name,
		json_object_get(definition, "client_actions"), &page->action_count);
	return true;
}

static const struct {
	const char *name;
	bool (*read)(
		struct definition_reading *g, const char *name, const json_t *definition);
} sections[] = {
	{"payload_types", read_type},
	{"tools", read_tool},
	{"pages", read_page},
	{"suggestions", read_suggestion},
};

static bool read_sections(struct definition_reading *g)
{
	json_t *root = g->yaml.root;

	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
		json_t *section = json_object_get(root, sections[i].name), *definition;
		const char *name;

		json_object_foreach(section, name, definition)
			if (!sections[i].read(g, name, definition))
				return false;
	}
	g->part->global_payloads =
		read_names(g, json_object_get(root, "payload_types_everywhere"),
			&g->part->global_payload_count);
	g->part->global_at =
		defined_at(g, (struct spot){"payload_types_everywhere", NULL, NULL});
	g->part->actions = read_actions(
		g, NULL, json_object_get(root, "client_actions"), &g->part->action_count);
	return true;
}

bool define_read(struct registry *r, struct registry *part, const char *name,
	struct str text, bool built_in, struct err *err)
{
	struct definition_reading g = {
		.r = r, .part = part, .built_in = built_in, .err = err};
	bool ok = true;

	if (built_in) /* JSON already */
		g.yaml.root = json_read_strict(text, err);
	else
		ok = yaml_read(&g.yaml, text, err);
	if (ok && g.yaml.root && !json_is_null(g.yaml.root)) {
		g.file = arena_dup(&r->arena, str_of(name));
		part->files = json_incref(g.yaml.root);
		ok = decode_schemas(&g) && (built_in || is_valid(&g)) &&
		     read_sections(&g);
	}
	if (!ok) {
		err->offset = ERR_NOWHERE; /* people look for lines in such a file */
		err_source(err, name);
		define_done(part);
	}
	yaml_done(&g.yaml);
	return ok;
}

void define_done(struct registry *part)
{
	for (size_t i = 0; i < part->type_count; i++)
		schema_free(part->types[i].schema);
	for (size_t i = 0; i < part->tool_count; i++)
		schema_free(part->tools[i].input_schema);
	for (int i = 0; i < 2; i++)
		schema_free(part->suggestions[i].schema);
	mem_free(part->types);
	mem_free(part->tools);
	mem_free(part->pages);
	json_decref(part->files);
	*part = (struct registry){0};
}

/* ---- files and folders ---- */

bool registry_add_file(struct registry *r, const char *path, struct err *err)
{
	AUTO_BUF text = BUF_INIT;

	return yaml_file_read(path, YAML_PIPE, &text, err) &&
	       registry_add(r, path, buf_view(&text), err);
}

static void add_users(struct registry *r, const char *path)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF text = BUF_INIT;

	if (!yaml_file_read(path, YAML_ANY, &text, &err) ||
		!registry_add(r, path, buf_view(&text), &err))
		registry_warn(r, &err);
}

void registry_add_user(struct registry *r)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF path = BUF_INIT;
	size_t count;
	char **paths;

	if (home_config(&path)) {
		buf_text(&path, "/payloads.yaml");
		if (!yaml_file_is_absent(path.data))
			add_users(r, path.data);
	}
	paths = home_config_files("payloads", &count, &err);
	if (err.text)
		registry_warn(r, &err);
	for (size_t i = 0; i < count; i++) {
		add_users(r, paths[i]);
		mem_free(paths[i]);
	}
	mem_free(paths);
}
