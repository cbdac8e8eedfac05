/*
 * The registry: see payload.h.
 *
 * A file is first made whole (schemas that stand as JSON in a text are decoded and put in
 * its place), then checked, against data/payloads.schema.yaml and for what that cannot
 * say; then its definitions are read without further questions, each into the place of
 * an earlier one of its name or to the end.  Every mistake is reported with the line of
 * its key.  Replaced documents stay until the end: texts are borrowed from them.
 *
 * Every definition begins with its name, so one search serves all lists.  They are short
 * (the format allows a thousand of a kind in a file), so it is a walk.
 */
#include "config.h"
#include "payload/payload.h"

#include <stdlib.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "chat/side.h"
#include "schema/yaml.h"

/* ---- lists of things with names ---- */

/* The index of the item of that name, or `count`. */
static size_t find(const void *items, size_t count, size_t size, struct str name)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const void *item = (const char *)items + i * size;

		if (str_equal(*(const struct str *)item, name))
			break;
	}
	return i;
}

static bool has_name(const struct str *names, size_t count, struct str name)
{
	return find(names, count, sizeof(*names), name) < count;
}

struct definition_reading {
	struct registry *r;
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

static struct str text_at(const json_t *object, const char *key)
{
	return text_of(json_object_get(object, key));
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

/* Where definitions have schemas. */
static const struct {
	const char *section, *key;
} schemas[] = {
	{"payload_types", "schema"},
	{"tools", "input_schema"},
	{"suggestions", "schema"},
};

/* For each definition that may have a schema; false: a mistake was reported. */
static bool each_definition(struct definition_reading *g,
	bool (*each)(struct definition_reading *g, struct spot s, json_t *definition))
{
	for (size_t i = 0; i < sizeof(schemas) / sizeof(*schemas); i++) {
		struct spot s = {schemas[i].section, NULL, schemas[i].key};
		json_t *definitions = json_object_get(g->yaml.root, s.section), *value;

		json_object_foreach(definitions, s.name, value)
			if (!each(g, s, value))
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

/* The colon at the end is part of the spelling. */
static struct str marker_of(const json_t *definition)
{
	struct str marker = text_at(definition, "parse_marker");

	marker.n -= marker.n && marker.p[marker.n - 1] == ':';
	return marker;
}

/* What a schema of files cannot say: which markers are good, and that a schema is one. */
static bool check_definition(
	struct definition_reading *g, struct spot s, json_t *definition)
{
	const json_t *value = json_object_get(definition, s.key);
	struct spot spelled = {s.section, s.name, "parse_marker"};
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct str marker = marker_of(definition);
	struct schema *schema;

	if (json_object_get(definition, spelled.key) && !marker.n)
		return refuse_spot(g, spelled, "the marker is empty; leave the key out");
	for (size_t i = 0; i < marker.n; i++)
		if ((unsigned char)marker.p[i] <= ' ' || strchr("*:\x7F", marker.p[i]))
			return refuse_spot(g, spelled,
				"a marker is one word without a * and with a colon at "
				"its end only");
	if (str_equal(marker, STR("SUGGESTED_VALUES")) ||
		str_equal(marker, STR("SUGGESTED_ACTIONS")))
		return refuse_spot(g, spelled, "this marker is that of suggestions");
	schema = value ? schema_new(value, &err) : NULL;
	if (value && !schema)
		return refuse_spot(g, s, err.text);
	schema_free(schema);
	return true;
}

/* ---- reading the parts ---- */

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

static struct schema *compile(const json_t *value)
{
	return value ? schema_new(value, NULL) : NULL;
}

static void read_type(
	struct definition_reading *g, const char *name, const json_t *definition)
{
	struct registry *r = g->r;
	const json_t *config = json_object_get(definition, "frontend_config");
	const json_t *width = json_object_get(config, "panel_width"); /* also "480px" */
	const json_t *schema = json_object_get(definition, "schema");
	size_t i = find(r->types, r->type_count, sizeof(*r->types), str_of(name));

	if (i == r->type_count)
		*MEM_ADD(r->types, r->type_count, r->type_cap) = (struct payload_type){0};
	schema_free(r->types[i].schema);
	r->types[i] = (struct payload_type){.name = str_of(name),
		.description = text_at(definition, "description"),
		.source = str_equal(text_at(definition, "source"), STR("llm"))
				  ? PAYLOAD_LLM
				  : PAYLOAD_TOOL,
		.schema_value = schema,
		.schema = compile(schema),
		.instructions = text_at(definition, "llm_instructions"),
		.marker = marker_of(definition),
		.title = text_at(config, "title"),
		.icon = text_at(config, "icon"),
		.panel_width =
			json_is_string(width)
				? (unsigned)strtoul(json_string_value(width), NULL, 10)
				: (unsigned)json_integer_value(width),
		.summary = text_at(definition, "summary"),
		.at = defined_at(g, (struct spot){"payload_types", name, NULL})};
}

static void read_tool(
	struct definition_reading *g, const char *name, const json_t *definition)
{
	struct registry *r = g->r;
	const json_t *schema = json_object_get(definition, "input_schema");
	size_t i = find(r->tools, r->tool_count, sizeof(*r->tools), str_of(name));

	if (i == r->tool_count)
		*MEM_ADD(r->tools, r->tool_count, r->tool_cap) = (struct tool_config){0};
	schema_free(r->tools[i].input_schema);
	r->tools[i] = (struct tool_config){.name = str_of(name),
		.description = text_at(definition, "description"),
		.payload_type = text_at(definition, "payload_type"),
		.input_schema_value = schema,
		.input_schema = compile(schema),
		.at = defined_at(g, (struct spot){"tools", name, NULL})};
}

static void read_suggestion(
	struct definition_reading *g, const char *name, const json_t *definition)
{
	struct suggestion *t = &g->r->suggestions[strcmp(name, "SUGGESTED_ACTIONS") == 0];
	const json_t *schema = json_object_get(definition, "schema");

	schema_free(t->schema);
	*t = (struct suggestion){.name = str_of(name),
		.description = text_at(definition, "description"),
		.schema_value = schema,
		.schema = compile(schema),
		.instructions = text_at(definition, "llm_instructions"),
		.at = defined_at(g, (struct spot){"suggestions", name, NULL})};
}

static void read_page(
	struct definition_reading *g, const char *name, const json_t *definition)
{
	const json_t *names = json_object_get(definition, "payload_types"), *item;
	json_t *actions = json_object_get(definition, "client_actions");
	struct registry *r = g->r;
	size_t i = find(r->pages, r->page_count, sizeof(*r->pages), str_of(name)), k;
	struct page page = {.name = str_of(name),
		.description = text_at(definition, "description"),
		.payloads = arena_alloc(
			&r->arena, json_array_size(names) * sizeof(*page.payloads)),
		.actions = arena_alloc(
			&r->arena, json_object_size(actions) * sizeof(*page.actions)),
		.at = defined_at(g, (struct spot){"pages", name, NULL})};
	const char *action;

	json_array_foreach(names, k, item)
		page.payloads[page.payload_count++] = text_of(item);
	json_object_foreach(actions, action, item)
		page.actions[page.action_count++] =
			(struct client_action){str_of(action), text_of(item), page.at};
	if (i == r->page_count)
		(void)MEM_ADD(r->pages, r->page_count, r->page_cap);
	r->pages[i] = page;
}

/* An action of all pages. */
static void read_action(
	struct definition_reading *g, const char *name, const json_t *about)
{
	struct registry *r = g->r;
	size_t i = find(r->actions, r->action_count, sizeof(*r->actions), str_of(name));

	if (i == r->action_count)
		(void)MEM_ADD(r->actions, r->action_count, r->action_cap);
	r->actions[i] = (struct client_action){str_of(name), text_of(about),
		defined_at(g, (struct spot){"client_actions", name, NULL})};
}

static void read_sections(struct definition_reading *g)
{
	static const struct {
		const char *name;
		void (*read)(struct definition_reading *g, const char *name,
			const json_t *definition);
	} sections[] = {
		{"payload_types", read_type},
		{"tools", read_tool},
		{"pages", read_page},
		{"suggestions", read_suggestion},
		{"client_actions", read_action},
	};
	const char *everywhere = "payload_types_everywhere", *name;
	const json_t *names = json_object_get(g->yaml.root, everywhere);
	struct registry *r = g->r;
	json_t *item;
	size_t k;

	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		json_object_foreach(
			json_object_get(g->yaml.root, sections[i].name), name, item)
			sections[i].read(g, name, item);
	json_array_foreach(names, k, item)
		if (!has_name(r->global_payloads, r->global_payload_count, text_of(item)))
			*MEM_ADD(r->global_payloads, r->global_payload_count,
				r->global_payload_cap) = text_of(item);
	if (json_array_size(names))
		r->global_at = defined_at(g, (struct spot){everywhere, NULL, NULL});
}

/* All of a text or nothing.  `built_in`: that file, which tests hold to its schema. */
static bool define(struct registry *r, const char *name, struct str text, bool built_in,
	struct err *err)
{
	struct definition_reading g = {.r = r, .built_in = built_in, .err = err};
	bool ok = true;

	if (built_in) /* JSON already */
		g.yaml.root = json_read_strict(text, err);
	else
		ok = yaml_read(&g.yaml, text, err);
	if (ok && g.yaml.root && !json_is_null(g.yaml.root)) {
		ok = each_definition(&g, decode_schema) &&
		     (built_in ||
			     (is_valid(&g) && each_definition(&g, check_definition)));
		if (ok) {
			g.file = arena_dup(&r->arena, str_of(name));
			json_array_append(r->files, g.yaml.root);
			read_sections(&g);
		}
	}
	if (!ok) {
		err->offset = ERR_NOWHERE; /* people look for lines in such a file */
		err_source(err, name);
	}
	yaml_done(&g.yaml);
	return ok;
}

bool registry_add(struct registry *r, const char *name, struct str text, struct err *err)
{
	return define(r, name, text, false, err);
}

struct registry *registry_new(void)
{
	struct str text = {(const char *)embedded_payloads.bytes, embedded_payloads.n};
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct registry *r = mem_zalloc(1, sizeof(*r));

	r->files = json_array();
	(void)define(r, "built in", text, true, &err);
	return r;
}

void registry_free(struct registry *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->warning_count; i++)
		err_done(&r->warnings[i]);
	for (size_t i = 0; i < r->type_count; i++)
		schema_free(r->types[i].schema);
	for (size_t i = 0; i < r->tool_count; i++)
		schema_free(r->tools[i].input_schema);
	for (int i = 0; i < 2; i++)
		schema_free(r->suggestions[i].schema);
	mem_free(r->warnings);
	mem_free(r->types);
	mem_free(r->tools);
	mem_free(r->pages);
	mem_free(r->global_payloads);
	mem_free(r->actions);
	schema_free(r->format);
	json_decref(r->format_value);
	json_decref(r->files);
	arena_done(&r->arena);
	mem_free(r);
}

/* ---- files and folders ---- */

/* Makes an error one of the warnings, taking it. */
static void take_warning(struct registry *r, struct err *err)
{
	*MEM_ADD(r->warnings, r->warning_count, r->warning_cap) = *err;
	*err = (struct err){.offset = ERR_NOWHERE};
}

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
		take_warning(r, &err);
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
		take_warning(r, &err);
	for (size_t i = 0; i < count; i++) {
		add_users(r, paths[i]);
		mem_free(paths[i]);
	}
	mem_free(paths);
}

/* ---- names that lead nowhere ---- */

static void warn_at(struct registry *r, const struct defined *at, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
static void warn_at(struct registry *r, const struct defined *at, const char *fmt, ...)
{
	struct err err = {.offset = ERR_NOWHERE};
	va_list ap;

	va_start(ap, fmt);
	err_setv(&err, fmt, ap);
	va_end(ap);
	err_source(&err, at->file.p);
	err.line = at->line;
	take_warning(r, &err);
}

/* Warns of a marker that is missing, of no use, or an earlier type's. */
static void link_type(struct registry *r, const struct payload_type *t)
{
	const struct payload_type *first = r->types;

	if (t->source != PAYLOAD_LLM && t->marker.n)
		warn_at(r, &t->at,
			"payload_types.%s.parse_marker: of no use, the source is tool",
			t->name.p);
	if (t->source != PAYLOAD_LLM)
		return;
	if (!t->marker.n) {
		warn_at(r, &t->at,
			"payload_types.%s: no answer can have one without a parse_marker",
			t->name.p);
		return;
	}
	while (first->source != PAYLOAD_LLM || !str_equal(first->marker, t->marker))
		first++;
	if (first != t)
		warn_at(r, &t->at,
			"payload_types.%s.parse_marker: %s has the same, and comes first",
			t->name.p, first->name.p);
}

void registry_link(struct registry *r)
{
	for (size_t i = 0; i < r->type_count; i++)
		link_type(r, &r->types[i]);
	for (size_t i = 0; i < r->tool_count; i++) {
		const struct tool_config *t = &r->tools[i];

		if (t->payload_type.n && !registry_type(r, t->payload_type))
			warn_at(r, &t->at,
				"tools.%s.payload_type: no payload type is called %s",
				t->name.p, t->payload_type.p);
	}
	for (size_t i = 0; i < r->page_count; i++) {
		const struct page *p = &r->pages[i];

		for (size_t k = 0; k < p->payload_count; k++)
			if (!registry_type(r, p->payloads[k]))
				warn_at(r, &p->at,
					"pages.%s.payload_types: no payload type is "
					"called %s",
					p->name.p, p->payloads[k].p);
	}
	for (size_t i = 0; i < r->global_payload_count; i++)
		if (!registry_type(r, r->global_payloads[i]))
			warn_at(r, &r->global_at,
				"payload_types_everywhere: no payload type is called %s",
				r->global_payloads[i].p);
}

/* ---- look-ups ---- */

const struct payload_type *registry_type(const struct registry *r, struct str name)
{
	size_t i = find(r->types, r->type_count, sizeof(*r->types), name);

	return i < r->type_count ? &r->types[i] : NULL;
}

const struct tool_config *registry_tool(const struct registry *r, struct str name)
{
	size_t i = find(r->tools, r->tool_count, sizeof(*r->tools), name);

	return i < r->tool_count ? &r->tools[i] : NULL;
}

const struct page *registry_page(const struct registry *r, struct str name)
{
	size_t i = find(r->pages, r->page_count, sizeof(*r->pages), name);

	return i < r->page_count ? &r->pages[i] : NULL;
}

const struct schema *registry_suggestions(const struct registry *r, bool actions)
{
	return r->suggestions[actions].schema;
}

bool registry_action(const struct registry *r, struct str page, struct str action)
{
	size_t size = sizeof(*r->actions);

	if (find(r->actions, r->action_count, size, action) < r->action_count)
		return true;
	for (size_t i = 0; i < r->page_count; i++) {
		const struct page *p = &r->pages[i];

		if ((!page.n || str_equal(p->name, page)) &&
			find(p->actions, p->action_count, size, action) < p->action_count)
			return true;
	}
	return false;
}

bool registry_on_page(const struct registry *r, const struct page *page,
	const struct payload_type *type)
{
	return type->source == PAYLOAD_TOOL ||
	       has_name(page->payloads, page->payload_count, type->name) ||
	       has_name(r->global_payloads, r->global_payload_count, type->name);
}

bool registry_markers(const struct registry *r, struct str page,
	struct response_type **out, size_t *count)
{
	const struct page *on = page.n ? registry_page(r, page) : NULL;
	bool known = !page.n || on;

	*out = mem_zalloc(r->type_count + 1, sizeof(**out));
	*count = 0;
	for (size_t i = 0; known && i < r->type_count; i++) {
		const struct payload_type *t = &r->types[i];

		if (t->source == PAYLOAD_LLM && t->marker.n &&
			(!on || registry_on_page(r, on, t)))
			(*out)[(*count)++] = (struct response_type){t->name, t->marker};
	}
	return known;
}

/* ---- the system prompt ---- */

/*
 * What a system prompt says about payloads: the sections Capabilities and Format Rules of
 * the "LLM Response Output Schema" document, put together from the registry.
 */

/* A text of its own paragraph, without white space at its ends. */
static void add_paragraph(struct buf *out, struct str text)
{
	text = str_trim(text);
	if (!text.n)
		return;
	if (out->len)
		buf_text(out, "\n");
	buf_str(out, text);
	buf_byte(out, '\n');
}

/* A title and what is under it; nothing where there is nothing.  Frees the text. */
static void add_section(struct buf *out, struct str title, struct buf *text)
{
	if (text->len) {
		add_paragraph(out, title);
		add_paragraph(out, buf_view(text));
	}
	buf_done(text);
}

static void add_responses(const struct registry *r, struct str page,
	const struct str *tools, size_t tool_count, struct buf *out)
{
	const struct page *on = registry_page(r, page);
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < r->type_count; i++) {
		const struct payload_type *t = &r->types[i];
		bool wanted = t->source == PAYLOAD_LLM &&
			      (!page.n || (on && registry_on_page(r, on, t)));

		for (size_t k = 0; k < tool_count && !wanted; k++) {
			const struct tool_config *tool = registry_tool(r, tools[k]);

			wanted = tool && str_equal(tool->payload_type, t->name);
		}
		if (wanted)
			add_paragraph(&text, t->instructions);
	}
	add_section(out, STR("## STRUCTURED RESPONSES"), &text);
}

static void add_item(struct buf *out, struct str name, struct str about)
{
	buf_text(out, "- ");
	buf_str(out, name);
	if (about.n)
		buf_text(out, ": ");
	buf_str(out, str_trim(about));
	buf_byte(out, '\n');
}

void registry_prompt(const struct registry *r, struct str page, const struct str *tools,
	size_t tool_count, struct buf *out)
{
	AUTO_BUF text = BUF_INIT;
	struct buf list = BUF_INIT;

	add_paragraph(&text, STR("# Capabilities"));
	for (size_t i = 0; i < tool_count; i++) {
		const struct tool_config *tool = registry_tool(r, tools[i]);

		if (tool && !has_name(tools, i, tools[i]))
			add_item(&list, tool->name, tool->description);
	}
	add_section(&text, STR("## TOOLS"), &list);
	add_responses(r, page, tools, tool_count, &text);
	for (size_t i = 0; i < r->action_count; i++)
		add_item(&list, r->actions[i].name, r->actions[i].description);
	for (size_t i = 0; i < r->page_count; i++) {
		const struct page *p = &r->pages[i];

		for (size_t k = 0; k < p->action_count; k++)
			if (!page.n || str_equal(page, p->name))
				add_item(&list, p->actions[k].name,
					p->actions[k].description);
	}
	add_section(&text, STR("## CLIENT ACTIONS"), &list);
	add_paragraph(&text, STR("# Format Rules"));
	for (size_t i = 0; i < 2; i++)
		add_paragraph(&text, r->suggestions[i].instructions);
	buf_str(out, buf_view(&text));
}

/* ---- summaries ---- */

/*
 * One line about a payload by the template of its type: see registry_summary.  It reads
 * the raw text; a long value costs what is shown of it.
 */

#define SHOWN 120 /* bytes of a value */

static void add_cut(struct buf *out, struct str text)
{
	size_t n = utf8_cut(text.p, text.n, SHOWN);

	buf_add(out, text.p, n);
	if (n < text.n)
		buf_text(out, "…");
}

/* False when there is nothing to show. */
static bool add_value(struct buf *out, struct jv v)
{
	size_t most = 8 * SHOWN; /* an escape is at most 6 bytes */
	struct buf text = BUF_INIT;

	if (jv_null(v) || v.kind == J_BAD)
		return false;
	if (v.kind == J_ARRAY || v.kind == J_OBJECT) {
		size_t n = jv_count(v, SIZE_MAX);

		buf_printf(out, "%zu %s%s", n, v.kind == J_ARRAY ? "item" : "member",
			plural(n));
	} else if (v.kind == J_STRING) {
		v.cut |= v.n > most;
		v.n = v.n > most ? most : v.n;
		jv_decode(v, &text);
		add_cut(out, buf_view(&text));
		buf_done(&text);
	} else {
		add_cut(out, jv_raw(v));
	}
	return true;
}

/* ---- walking a path ---- */

static struct jv member_of(struct jv v, struct str name)
{
	AUTO_BUF text = BUF_INIT;

	buf_str(&text, name);
	buf_byte(&text, '\0');
	return v.kind == J_OBJECT ? jv_member(v, text.data) : JV_NONE;
}

/* Takes "[12]" off a path; false when it does not begin with that. */
static bool take_index(struct str *path, size_t *index)
{
	size_t i = 1;

	if (!path->n || path->p[0] != '[')
		return false;
	for (*index = 0; i < path->n && str_is_digit(path->p[i]); i++)
		if (*index < SIZE_MAX / 16)
			*index = *index * 10 + (size_t)(path->p[i] - '0');
	if (i == 1 || i == path->n || path->p[i] != ']')
		return false;
	*path = str_skip(*path, i + 1);
	return true;
}

static bool add_path(struct buf *out, struct jv v, struct str path)
{
	while (path.n && v.kind != J_NONE) {
		struct str name;
		size_t index;

		if (take_index(&path, &index)) {
			struct jv found = JV_NONE;

			JV_ITEMS(item, v)
				if (item_walk.index == index)
					found = item;
			v = found;
			continue;
		}
		if (path.p[0] == '[')
			return false;
		path = str_skip(path, (path.p[0] == '.'));
		name = (struct str){path.p, 0};
		while (name.n < path.n && path.p[name.n] != '.' && path.p[name.n] != '[')
			name.n++;
		path = str_skip(path, name.n);
		if (!path.n && str_equal(name, STR("length")) &&
			(v.kind == J_ARRAY ||
				(v.kind == J_OBJECT &&
					member_of(v, name).kind == J_NONE))) {
			buf_printf(out, "%zu", jv_count(v, SIZE_MAX));
			return true;
		}
		v = member_of(v, name);
	}
	return add_value(out, v);
}

/* ---- the template: "{a.b[0].length|none}" is a path, and the text for nothing ---- */

static void fill(struct buf *out, struct str template, struct jv data)
{
	size_t i = 0;

	while (i < template.n) {
		const char *p = template.p + i;
		const char *end = *p == '{' ? memchr(p, '}', template.n - i) : NULL;
		const char *bar = end ? memchr(p, '|', (size_t)(end - p)) : NULL;
		size_t n;

		if (!end) {
			buf_byte(out, *p);
			i++;
			continue;
		}
		n = (size_t)((bar ? bar : end) - p) - 1;
		if (!add_path(out, data, (struct str){p + 1, n}))
			buf_str(out, bar ? (struct str){bar + 1, (size_t)(end - bar) - 1}
					 : STR("?"));
		i = (size_t)(end - template.p) + 1;
	}
}

void registry_summary(
	const struct registry *r, struct str type, struct jv data, struct buf *out)
{
	const struct payload_type *t = registry_type(r, type);

	if (t && t->summary.n) {
		fill(out, t->summary, data);
		return;
	}
	buf_str(out, t && t->title.n ? t->title : type);
	buf_text(out, ": ");
	if (!add_value(out, data))
		buf_text(out, "nothing");
}

/* ---- payloads in what tools gave ---- */

void content_begin(struct content_walk *w, struct jv content, struct arena *arena)
{
	*w = (struct content_walk){
		.content = content, .items = jwalk_of(content), .arena = arena};
}

bool content_next(struct content_walk *w)
{
	struct jv text;

	if (w->content.kind == J_ARRAY) {
		if (!jwalk_next(&w->items, NULL, &w->at))
			return false;
		text = jv_member(w->at, "text");
		w->at = text.kind == J_STRING ? text : w->at;
	} else if (w->ended) {
		return false;
	} else {
		w->ended = true;
		w->at = w->content;
	}
	w->value = side_open_string(w->at, w->arena);
	return true;
}

struct jv content_payload(struct jv value)
{
	struct jv payload = jv_member(value, "payload");

	if (jv_member(payload, "type").kind != J_STRING ||
		jv_member(payload, "data").kind == J_NONE)
		return JV_NONE;
	return payload;
}
