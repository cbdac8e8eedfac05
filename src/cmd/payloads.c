/*
 * `catena payloads list`, `show` and `prompt`: the registry as text or JSON.
 *
 * Text is made of rows of cells, each through text/safe, and columns as wide as they
 * need to be.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/mem.h"
#include "text/safe.h"

/* ---- rows of cells ---- */

struct sheet_cell {
	size_t end; /* in the text */
	unsigned width;
};

struct print_sheet {
	size_t columns;
	struct buf text;
	struct sheet_cell *cells;
	size_t count, cap;
};

static void sheet_add(struct print_sheet *g, struct str raw)
{
	raw = raw.n ? raw : STR("-");
	MEM_ROOM(g->cells, g->cap, g->count + 1);
	safe_line(&g->text, raw);
	g->cells[g->count++] = (struct sheet_cell){g->text.len, safe_width(raw)};
}

/* Puts the rows, columns as wide as their widest cell, after an empty line; nothing when
 * there are only titles.  Frees the sheet. */
static void sheet_put(struct print_sheet *g, struct buf *out)
{
	AUTO_FREE unsigned *widths = mem_zalloc(g->columns, sizeof(*widths));
	size_t at = 0;

	for (size_t i = 0; i < g->count; i++)
		if (g->cells[i].width > widths[i % g->columns])
			widths[i % g->columns] = g->cells[i].width;
	if (g->count > g->columns)
		buf_text(out, out->len ? "\n" : "");
	for (size_t i = 0; i < g->count && g->count > g->columns; i++) {
		struct sheet_cell c = g->cells[i];
		size_t column = i % g->columns;

		buf_add(out, g->text.data + at, c.end - at);
		at = c.end;
		if (column + 1 < g->columns)
			buf_fill(out, ' ', widths[column] - c.width + 2);
		else
			buf_byte(out, '\n');
	}
	mem_free(g->cells);
	buf_done(&g->text);
}

/* With its row of titles, which end with NULL. */
static struct print_sheet sheet_of(const char *const *titles)
{
	struct print_sheet g = {0};

	while (titles[g.columns])
		sheet_add(&g, str_of(titles[g.columns++]));
	return g;
}

/* ---- the texts of cells ---- */

static void add_name(struct buf *out, struct str name)
{
	buf_text(out, out->len ? ", " : "");
	buf_str(out, name);
}

static void sheet_take(struct print_sheet *g, struct buf *text)
{
	sheet_add(g, buf_view(text));
	buf_done(text);
}

static void type_pages(
	const struct registry *r, const struct payload_type *t, struct buf *out)
{
	if (t->source == PAYLOAD_TOOL) {
		add_name(out, STR("all"));
		return;
	}
	for (size_t i = 0; i < r->page_count; i++)
		if (registry_on_page(r, &r->pages[i], t))
			add_name(out, r->pages[i].name);
}

static void page_types(const struct page *p, struct buf *out)
{
	for (size_t i = 0; i < p->payload_count; i++)
		add_name(out, p->payloads[i]);
}

static void defined_text(const struct defined *at, struct buf *out)
{
	buf_str(out, at->file);
	if (at->line)
		buf_printf(out, ":%" PRIu64, at->line);
}

static void add_defined(struct print_sheet *g, const struct defined *at)
{
	struct buf text = BUF_INIT;

	defined_text(at, &text);
	sheet_take(g, &text);
}

static struct str source_text(const struct payload_type *t)
{
	return t->source == PAYLOAD_LLM ? STR("llm") : STR("tool");
}

/* ---- list ---- */

static void list_types(const struct registry *r, struct buf *out)
{
	static const char *const titles[] = {
		"PAYLOAD TYPE", "SOURCE", "MARKER", "PAGES", "TITLE", "DEFINED", NULL};
	struct print_sheet g = sheet_of(titles);

	for (size_t i = 0; i < r->type_count; i++) {
		const struct payload_type *t = &r->types[i];
		struct buf pages = BUF_INIT;

		sheet_add(&g, t->name);
		sheet_add(&g, source_text(t));
		sheet_add(&g, t->marker);
		type_pages(r, t, &pages);
		sheet_take(&g, &pages);
		sheet_add(&g, t->title);
		add_defined(&g, &t->at);
	}
	sheet_put(&g, out);
}

static void list_tools(const struct registry *r, struct buf *out)
{
	static const char *const titles[] = {
		"TOOL", "PAYLOAD TYPE", "DESCRIPTION", "DEFINED", NULL};
	struct print_sheet g = sheet_of(titles);

	for (size_t i = 0; i < r->tool_count; i++) {
		const struct tool_config *t = &r->tools[i];

		sheet_add(&g, t->name);
		sheet_add(&g, t->payload_type);
		sheet_add(&g, t->description);
		add_defined(&g, &t->at);
	}
	sheet_put(&g, out);
}

static void list_pages(const struct registry *r, struct buf *out)
{
	static const char *const titles[] = {"PAGE", "PAYLOAD TYPES", "CLIENT ACTIONS",
		"DESCRIPTION", "DEFINED", NULL};
	struct print_sheet g = sheet_of(titles);

	for (size_t i = 0; i < r->page_count; i++) {
		const struct page *p = &r->pages[i];
		struct buf types = BUF_INIT, actions = BUF_INIT;

		sheet_add(&g, p->name);
		page_types(p, &types);
		sheet_take(&g, &types);
		for (size_t k = 0; k < p->action_count; k++)
			add_name(&actions, p->actions[k].name);
		sheet_take(&g, &actions);
		sheet_add(&g, p->description);
		add_defined(&g, &p->at);
	}
	sheet_put(&g, out);
}

static void list_action(
	struct print_sheet *g, const struct client_action *a, struct str page)
{
	sheet_add(g, a->name);
	sheet_add(g, page);
	sheet_add(g, a->description);
	add_defined(g, &a->at);
}

static void list_actions(const struct registry *r, struct buf *out)
{
	static const char *const titles[] = {
		"CLIENT ACTION", "PAGE", "DESCRIPTION", "DEFINED", NULL};
	struct print_sheet g = sheet_of(titles);

	for (size_t i = 0; i < r->action_count; i++)
		list_action(&g, &r->actions[i], STR("all"));
	for (size_t i = 0; i < r->page_count; i++)
		for (size_t k = 0; k < r->pages[i].action_count; k++)
			list_action(&g, &r->pages[i].actions[k], r->pages[i].name);
	sheet_put(&g, out);
}

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
			text_or_null(source_text(t)), "schema",
			value_or_null(t->schema_value), "llm_instructions",
			text_or_null(t->instructions), "parse_marker",
			text_or_null(t->marker), "frontend_config", "panel_width", width,
			"title", text_or_null(t->title), "icon", text_or_null(t->icon),
			"summary", text_or_null(t->summary), "pages", pages));
}

static json_t *tool_json(const struct tool_config *t)
{
	return definition("tool", t->name, t->description, &t->at,
		json_pack("{s:o, s:o}", "payload_type", text_or_null(t->payload_type),
			"input_schema", value_or_null(t->input_schema_value)));
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

static json_t *page_json(const struct page *p)
{
	return definition("page", p->name, p->description, &p->at,
		json_pack("{s:o, s:o}", "payload_types",
			names_json(p->payloads, p->payload_count), "client_actions",
			actions_json(p->actions, p->action_count)));
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
		json_array_append_new(tools, tool_json(&r->tools[i]));
	for (size_t i = 0; i < r->page_count; i++)
		json_array_append_new(pages, page_json(&r->pages[i]));
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:[o, o]}", "payload_types", types,
		"payload_types_everywhere",
		names_json(r->global_payloads, r->global_payload_count), "tools", tools,
		"pages", pages, "client_actions",
		actions_json(r->actions, r->action_count), "suggestions",
		suggestion_json(&r->suggestions[0]), suggestion_json(&r->suggestions[1]));
}

static void put_json(struct buf *out, json_t *value)
{
	json_write(out, value, JSON_LINE);
	buf_byte(out, '\n');
	json_decref(value);
}

int cmd_payloads_list(const struct options *o)
{
	AUTO_BUF out = BUF_INIT;
	struct registry *r;

	if (o->files.count)
		return cmd_fail("%s: `payloads list` lists everything; use "
				"`catena payloads show %s`",
			o->files.items[0], o->files.items[0]);
	r = cmd_registry(o);
	if (!r)
		return STATUS_ERROR;
	if (o->json) {
		put_json(&out, registry_json(r));
	} else {
		list_types(r, &out);
		list_tools(r, &out);
		list_pages(r, &out);
		list_actions(r, &out);
	}
	cmd_write(&out);
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

static void put_facts(struct buf *out, const char *label, struct buf *text)
{
	put_fact(out, label, buf_view(text));
	buf_done(text);
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

static void put_schema(struct buf *out, const char *label, const json_t *schema)
{
	AUTO_BUF text = BUF_INIT;

	if (!schema)
		return;
	json_write(&text, schema, JSON_PRETTY);
	put_lines(out, label, buf_view(&text));
}

static void put_head(struct buf *out, const char *kind, struct str name,
	struct str description, const struct defined *at)
{
	struct buf text = BUF_INIT;

	buf_text(out, out->len ? "\n" : "");
	put_fact(out, kind, name);
	put_fact(out, "description", description);
	defined_text(at, &text);
	put_facts(out, "defined", &text);
}

static void show_type(
	struct buf *out, const struct registry *r, const struct payload_type *t)
{
	struct buf pages = BUF_INIT, width = BUF_INIT;

	put_head(out, "payload type", t->name, t->description, &t->at);
	put_fact(out, "source", source_text(t));
	put_fact(out, "marker", t->marker);
	type_pages(r, t, &pages);
	put_facts(out, "pages", &pages);
	put_fact(out, "title", t->title);
	put_fact(out, "icon", t->icon);
	if (t->panel_width)
		buf_printf(&width, "%u pixels", t->panel_width);
	put_facts(out, "panel width", &width);
	put_fact(out, "summary", t->summary);
	put_schema(out, "schema", t->schema_value);
	put_lines(out, "instructions", t->instructions);
}

static void show_page(struct buf *out, const struct registry *r, const struct page *p)
{
	struct buf types = BUF_INIT;

	put_head(out, "page", p->name, p->description, &p->at);
	page_types(p, &types);
	for (size_t i = 0; i < r->global_payload_count; i++)
		add_name(&types, r->global_payloads[i]);
	put_facts(out, "payload types", &types);
	for (size_t i = 0; i < r->action_count + p->action_count; i++) {
		const struct client_action *a =
			i < r->action_count ? &r->actions[i]
					    : &p->actions[i - r->action_count];
		struct buf text = BUF_INIT;

		buf_str(&text, a->name);
		buf_text(&text, a->description.n ? ": " : "");
		buf_str(&text, a->description);
		put_facts(out, "client action", &text);
	}
}

/* Everything of that name: a tool may be called like a page. */
static void show(struct buf *out, const struct registry *r, struct str name)
{
	const struct payload_type *type = registry_type(r, name);
	const struct tool_config *tool = registry_tool(r, name);
	const struct page *page = registry_page(r, name);

	if (type)
		show_type(out, r, type);
	if (tool) {
		put_head(out, "tool", tool->name, tool->description, &tool->at);
		put_fact(out, "payload type", tool->payload_type);
		put_schema(out, "arguments", tool->input_schema_value);
	}
	if (page)
		show_page(out, r, page);
	for (size_t i = 0; i < 2; i++) {
		const struct suggestion *s = &r->suggestions[i];

		if (!str_equal(s->name, name))
			continue;
		put_head(out, "suggestion", s->name, s->description, &s->at);
		put_schema(out, "schema", s->schema_value);
		put_lines(out, "instructions", s->instructions);
	}
}

static void show_json(struct buf *out, const struct registry *r, struct str name)
{
	const struct payload_type *type = registry_type(r, name);
	const struct tool_config *tool = registry_tool(r, name);
	const struct page *page = registry_page(r, name);

	if (type)
		put_json(out, type_json(r, type));
	if (tool)
		put_json(out, tool_json(tool));
	if (page)
		put_json(out, page_json(page));
	for (size_t i = 0; i < 2; i++)
		if (str_equal(r->suggestions[i].name, name))
			put_json(out, suggestion_json(&r->suggestions[i]));
}

int cmd_payloads_show(const struct options *o)
{
	const char *name = o->files.count ? o->files.items[0] : NULL;
	AUTO_BUF out = BUF_INIT;
	struct registry *r;
	int status = STATUS_DONE;

	if (!name)
		return cmd_fail("name a payload type, tool or page; `catena payloads "
				"list` lists the names");
	if (o->files.count > 1)
		return cmd_fail("%s: one name at a time", o->files.items[1]);
	r = cmd_registry(o);
	if (!r)
		return STATUS_ERROR;
	(o->json ? show_json : show)(&out, r, str_of(name));
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
