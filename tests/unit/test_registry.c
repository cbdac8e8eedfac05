/* The registry: what is built in, files over it and their mistakes, look-ups, the prompt.
 */
#include "config.h"
#include <criterion/criterion.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/mem.h"
#include "payload/payload.h"
#include "schema/yaml.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static struct registry *linked(const char *text)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct registry *r = registry_new();

	cr_assert(registry_add(r, "user.yaml", str_of(text), &err), "%s: %s", text,
		err.text);
	registry_link(r);
	return r;
}

static void expect_text(struct buf *out, const char *want)
{
	cr_expect_str_eq(out->data ? out->data : "", want);
	buf_done(out);
}

/* ---- built in ---- */

/* Read without being held to the schema at the start of the program; here it is. */
Test(registry, built_in, .init = json_init)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct registry *r = registry_new();
	struct str text = {(const char *)embedded_payloads.bytes, embedded_payloads.n};

	cr_expect_eq(r->type_count, 3);
	cr_expect_eq(r->page_count, 3);
	cr_expect_eq(r->tool_count, 1);
	cr_expect(registry_add(r, "again", text, &err), "%s", err.text);
	registry_link(r);
	cr_expect_eq(r->warning_count, 0);
	cr_expect_eq(r->type_count, 3);
	for (size_t i = 0; i < r->type_count; i++) {
		const struct payload_type *t = &r->types[i];

		cr_expect(t->schema && t->description.n && t->instructions.n);
		cr_expect(t->title.n && t->icon.n && t->summary.n && t->panel_width);
		cr_expect(str_equal(t->at.file, STR("again")));
	}
	cr_expect(registry_suggestions(r, false) && registry_suggestions(r, true));
	cr_expect_eq(registry_type(r, STR("pubmed_search_results"))->panel_width, 800);
	cr_expect(registry_tool(r, STR("search_pubmed"))->input_schema);
	registry_free(r);
}

/* The page availability matrix. */
Test(registry, matrix, .init = json_init)
{
	static const struct {
		const char *type, *page;
		bool there;
	} rows[] = {
		{"schema_proposal", "tables_list", true},
		{"schema_proposal", "table_edit", true},
		{"schema_proposal", "table_view", true},
		{"data_proposal", "tables_list", false},
		{"data_proposal", "table_edit", false},
		{"data_proposal", "table_view", true},
		{"pubmed_search_results", "tables_list", true},
	};
	struct registry *r = registry_new();

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct page *page = registry_page(r, str_of(rows[i].page));
		const struct payload_type *type = registry_type(r, str_of(rows[i].type));

		cr_expect_eq(registry_on_page(r, page, type), rows[i].there, "%s on %s",
			rows[i].type, rows[i].page);
	}
	cr_expect(registry_action(r, STR("table_view"), STR("close_chat")));
	cr_expect(registry_action(r, STR(""), STR("close_chat")));
	cr_expect(registry_action(r, STR("nowhere"), STR("close_chat")));
	cr_expect_not(registry_action(r, STR(""), STR("open_chat")));
	registry_free(r);
}

static bool valid(const struct schema *schema, const char *text)
{
	struct err err = {.offset = ERR_NOWHERE};
	json_t *value = json_read_strict(str_of(text), &err);
	bool ok;

	cr_assert(value, "%s: %s", text, err.text);
	ok = schema_check(schema, value, NULL, NULL);
	json_decref(value);
	return ok;
}

Test(registry, built_in_schemas, .init = json_init)
{
	static const struct {
		const char *type, *data;
		bool valid;
	} rows[] = {
		{"pubmed_search_results", "{\"query\":\"q\",\"articles\":[]}", true},
		{"pubmed_search_results", "{\"query\":\"q\"}", false},
		{"pubmed_search_results",
			"{\"query\":\"q\",\"total_results\":2,\"articles\":[{\"pmid\":"
			"\"1\","
			"\"title\":\"t\",\"authors\":[\"a\"],\"year\":2020}]}",
			true},
		{"pubmed_search_results",
			"{\"query\":\"q\",\"articles\":[{\"title\":1}]}", false},
		{"pubmed_search_results",
			"{\"query\":\"q\",\"total_results\":\"2\",\"articles\":[]}",
			false},
		{"schema_proposal",
			"{\"mode\":\"create\",\"operations\":[{\"action\":\"add\","
			"\"column\":{\"name\":\"n\",\"type\":\"text\"}}]}",
			true},
		{"schema_proposal", "{\"mode\":\"create\",\"operations\":[]}", false},
		{"schema_proposal", "{\"mode\":\"replace\",\"operations\":[{}]}", false},
		{"schema_proposal",
			"{\"mode\":\"update\",\"operations\":[{\"action\":\"modify\","
			"\"column_id\":\"c\",\"changes\":{\"filterDisplay\":\"tab\"}},"
			"{\"action\":\"remove\",\"column_id\":\"c\"},"
			"{\"action\":\"reorder\",\"column_id\":\"c\"}]}",
			true},
		{"schema_proposal",
			"{\"mode\":\"update\",\"operations\":[{\"action\":\"modify\","
			"\"column_id\":\"c\",\"changes\":{\"type\":\"money\"}}]}",
			false},
		{"schema_proposal",
			"{\"mode\":\"update\",\"operations\":[{\"action\":\"drop\","
			"\"column_id\":\"c\"}]}",
			false},
		{"schema_proposal",
			"{\"mode\":\"create\",\"operations\":[{\"action\":\"remove\","
			"\"column_id\":\"c\"}],\"sample_rows\":[{},{},{},{},{},{}]}",
			false},
		{"data_proposal",
			"{\"operations\":[{\"action\":\"add\",\"data\":{}},"
			"{\"action\":\"update\",\"row_id\":5,\"changes\":{}},"
			"{\"action\":\"delete\",\"row_id\":\"r1\"}]}",
			true},
		{"data_proposal", "{\"operations\":[{\"action\":\"delete\"}]}", false},
		{"data_proposal", "{\"operations\":[{\"action\":\"add\",\"data\":[]}]}",
			false},
	};
	struct registry *r = registry_new();

	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect_eq(valid(registry_type(r, str_of(rows[i].type))->schema,
				     rows[i].data),
			rows[i].valid, "%s %s", rows[i].type, rows[i].data);
	cr_expect(valid(
		registry_suggestions(r, false), "[{\"label\":\"a\",\"value\":\"b\"}]"));
	cr_expect_not(valid(registry_suggestions(r, false), "[{\"label\":\"a\"}]"));
	cr_expect(valid(registry_suggestions(r, true),
		"[{\"label\":\"a\",\"action\":\"b\",\"handler\":\"client\"}]"));
	cr_expect_not(valid(registry_suggestions(r, true),
		"[{\"label\":\"a\",\"action\":\"b\",\"handler\":\"server\"}]"));
	registry_free(r);
}

/* ---- files over it ---- */

static const char over[] = "payload_types:\n"
			   "  schema_proposal:\n"
			   "    description: mine\n"
			   "    source: llm\n"
			   "    parse_marker: MINE\n"
			   "  report:\n"
			   "    description: a report\n"
			   "    source: llm\n"
			   "    parse_marker: 'RE.PORT:'\n"
			   "    schema: |\n"
			   "      {\"type\": \"object\",\n"
			   "       \"required\": [\"a\"]}\n"
			   "    frontend_config: {panel_width: 320}\n"
			   "pages:\n"
			   "  table_view:\n"
			   "    description: other\n"
			   "    payload_types: [report]\n"
			   "    client_actions: {print: Print it}\n"
			   "  fresh: {description: A new one}\n"
			   "tools:\n"
			   "  get: {description: Gets, payload_type: report}\n"
			   "payload_types_everywhere: [report]\n"
			   "client_actions:\n"
			   "  close_chat: Shut it\n"
			   "suggestions:\n"
			   "  SUGGESTED_VALUES: {schema: false}\n";

Test(registry, replaced, .init = json_init)
{
	struct registry *r = linked(over);
	const struct payload_type *t = registry_type(r, STR("schema_proposal"));

	cr_expect_eq(r->warning_count, 0);
	cr_expect_eq(t, &r->types[1], "it keeps its place");
	cr_expect(str_equal(t->description, STR("mine")));
	cr_expect(str_equal(t->at.file, STR("user.yaml")) && t->at.line == 2);
	cr_expect(
		!t->schema && !t->instructions.n && !t->title.n, "all of it is replaced");
	t = registry_type(r, STR("report"));
	cr_expect_eq(t, &r->types[3]);
	cr_expect(str_equal(t->marker, STR("RE.PORT")));
	cr_expect_eq(t->panel_width, 320);
	cr_expect(valid(t->schema, "{\"a\":1}") && !valid(t->schema, "{}"));
	cr_expect_eq(registry_page(r, STR("table_view"))->payload_count, 1);
	cr_expect_eq(r->page_count, 4);
	cr_expect(registry_action(r, STR("table_view"), STR("print")));
	cr_expect(registry_action(r, STR(""), STR("print")));
	cr_expect_not(registry_action(r, STR("fresh"), STR("print")));
	cr_expect(registry_on_page(r, registry_page(r, STR("fresh")), t));
	cr_expect_eq(r->action_count, 1);
	cr_expect(str_equal(r->actions[0].description, STR("Shut it")));
	cr_expect_not(valid(registry_suggestions(r, false), "[]"));
	cr_expect(valid(registry_suggestions(r, true), "[]"));
	registry_free(r);
}

/* Each is refused with its place, and nothing of the file is taken. */
Test(registry, mistakes, .init = json_init)
{
	static const struct {
		const char *text;
		uint64_t line, column;
		const char *says;
	} rows[] = {
		{"payload_types:\n  x:\n    description: d\n    source: llmm\n", 4, 5,
			"payload_types.x.source: "},
		{"payload_types:\n  x:\n    source: llm\n", 2, 3, "description"},
		{"payload_types:\n  x:\n    description: d\n    source: llm\n    sumary: "
		 "s\n",
			5, 5,
			"payload_types.x.sumary: no such key; there are: description, "
			"source, "},
		{"payload_typs: {}\n", 1, 1,
			"payload_typs: no such key; there are: payload_types, "},
		{"tools:\n  t: {description: d, input: {}}\n", 2, 23,
			"tools.t.input: no such key; there are: description, "},
		{"pages:\n  p: {description: d, payload_types: x}\n", 2, 23,
			"pages.p.payload_types: "},
		{"client_actions: {a: [1]}\n", 1, 18, "client_actions.a: "},
		{"suggestions:\n  OTHER: {schema: {}}\n", 2, 3,
			"there are: SUGGESTED_VALUES, SUGGESTED_ACTIONS"},
		{"payload_types:\n  x:\n    description: d\n    source: tool\n"
		 "    frontend_config: {panel_width: wide}\n",
			5, 23, "panel_width"},
		{"payload_types:\n  x:\n    description: d\n    source: tool\n"
		 "    frontend_config: {panel_width: 0}\n",
			5, 23, "panel_width"},
		{"payload_types:\n  x:\n    description: d\n    source: tool\n"
		 "    schema: {type: objekt}\n",
			5, 5, "payload_types.x.schema: "},
		{"payload_types:\n  x:\n    description: d\n    source: tool\n"
		 "    schema: |\n      {\"type\":\n        object}\n",
			7, 9, "payload_types.x.schema: is not JSON"},
		{"tools:\n  t:\n    description: d\n    input_schema: '{'\n", 4, 19,
			"tools.t.input_schema: is not JSON"},
		{"payload_types:\n  x: {description: d, source: llm, parse_marker: 'A "
		 "B'}\n",
			2, 36, "payload_types.x.parse_marker: a marker is one word"},
		{"payload_types:\n  x: {description: d, source: llm, parse_marker: "
		 "'A::'}\n",
			2, 36, "a marker is one word"},
		{"payload_types:\n  x: {description: d, source: llm, parse_marker: "
		 "'*A*'}\n",
			2, 36, "a marker is one word"},
		{"payload_types:\n  x: {description: d, source: llm, parse_marker: "
		 "':'}\n",
			2, 36, "the marker is empty"},
		{"payload_types:\n  x: {description: d, source: llm,\n"
		 "    parse_marker: 'SUGGESTED_VALUES:'}\n",
			3, 5, "that of suggestions"},
		{"payload_types:\n  'a/b': {description: d, source: tool,\n"
		 "    frontend_config: {color: red}}\n",
			3, 23, "no such key; there are: panel_width, title, icon"},
		{"- a\n", 1, 1, "array"},
		{"text\n", 1, 1, "string"},
		{"payload_types: {x: {source: tool, source: llm}}\n", 1, 35,
			"payload_types.x.source: the key is used twice"},
		{"payload_types: {'': {description: d, source: tool}}\n", 1, 1, ""},
	};
	struct registry *r = registry_new();

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = {.offset = ERR_NOWHERE};
		struct buf shown = BUF_INIT;

		cr_assert_not(registry_add(r, "u.yaml", str_of(rows[i].text), &err),
			"%s taken", rows[i].text);
		cr_expect(strstr(err.text, rows[i].says), "%s: \"%s\" lacks \"%s\"",
			rows[i].text, err.text, rows[i].says);
		cr_expect(err.line == rows[i].line && err.column == rows[i].column,
			"%s: %" PRIu64 ":%" PRIu64, rows[i].text, err.line, err.column);
		err_format(&err, &shown);
		cr_expect(str_starts(buf_view(&shown), STR("u.yaml:")), "%s", shown.data);
		buf_done(&shown);
		err_done(&err);
	}
	cr_expect(r->type_count == 3 && r->tool_count == 1 && r->page_count == 3);
	registry_free(r);
}

Test(registry, empty_files, .init = json_init)
{
	static const char *const texts[] = {
		"", "# nothing\n", "---\n", "{}", "payload_types:\ntools:\npages:\n"};

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct registry *r = linked(texts[i]);

		cr_expect(r->type_count == 3 && r->warning_count == 0);
		registry_free(r);
	}
}

static void expect_warning(const char *text, size_t line, const char *says)
{
	struct registry *r = linked(text);

	cr_assert_eq(r->warning_count, 1, "%s: %zu", text, r->warning_count);
	cr_expect(strstr(r->warnings[0].text, says), "\"%s\" lacks \"%s\"",
		r->warnings[0].text, says);
	cr_expect_str_eq(r->warnings[0].source, "user.yaml");
	cr_expect_eq(r->warnings[0].line, line);
	registry_free(r);
}

Test(registry, links, .init = json_init)
{
	expect_warning("\ntools:\n  t: {description: d, payload_type: none_such}\n", 3,
		"tools.t.payload_type: no payload type is called none_such");
	expect_warning(
		"pages:\n  p: {description: d, payload_types: [schema_proposal, gone]}\n",
		2, "pages.p.payload_types: no payload type is called gone");
	expect_warning("payload_types_everywhere: [gone]\n", 1,
		"payload_types_everywhere: no payload type is called gone");
	expect_warning("payload_types:\n  x: {description: d, source: llm}\n", 2,
		"payload_types.x: no answer can have one without a parse_marker");
	expect_warning("payload_types:\n  x: {description: d, source: llm,"
		       " parse_marker: DATA_PROPOSAL}\n",
		2, "payload_types.x.parse_marker: data_proposal has the same");
	expect_warning(
		"payload_types:\n  x: {description: d, source: tool, parse_marker: X}\n",
		2, "payload_types.x.parse_marker: of no use, the source is tool");
}

/* ---- the user's folder ---- */

static void write_file(const char *folder, const char *name, const char *text)
{
	struct buf path = BUF_INIT;
	FILE *f;

	buf_printf(&path, "%s/%s", folder, name);
	f = fopen(path.data, "w");
	cr_assert(f);
	fputs(text, f);
	fclose(f);
	buf_done(&path);
}

static void make_folder(const char *folder, const char *name, struct buf *out)
{
	buf_clear(out);
	buf_printf(out, "%s/%s", folder, name);
	cr_assert_eq(mkdir(out->data, 0700), 0);
}

static void remove_all(const char *folder)
{
	struct buf command = BUF_INIT;

	buf_printf(&command, "rm -r '%s'", folder);
	cr_expect_eq(system(command.data), 0);
	buf_done(&command);
}

Test(registry, user_folder, .init = json_init)
{
	char root[] = "/tmp/catena-registry-XXXXXX";
	struct buf folder = BUF_INIT, inner = BUF_INIT;
	struct registry *r = registry_new();

	cr_assert(mkdtemp(root));
	setenv("XDG_CONFIG_HOME", root, 1);
	registry_add_user(r);
	cr_expect_eq(r->warning_count, 0, "an absent folder is fine");
	make_folder(root, "catena", &folder);
	write_file(folder.data, "payloads.yaml",
		"client_actions: {one: first, two: first, three: first}\n");
	make_folder(folder.data, "payloads", &inner);
	write_file(inner.data, "b.yaml", "client_actions: {three: b}\n");
	write_file(inner.data, "a.yaml", "client_actions: {two: a, three: a}\n");
	write_file(inner.data, "bad.yaml", "client_actions: [\n");
	write_file(inner.data, ".hidden.yaml", "client_actions: {hidden: x}\n");
	write_file(inner.data, "c.yml", "client_actions: {yml: x}\n");
	make_folder(inner.data, "folder.yaml", &folder);
	make_folder(inner.data, "fifo", &folder);
	cr_assert_eq(rmdir(folder.data), 0);
	buf_text(&folder, ".yaml");
	cr_assert_eq(mkfifo(folder.data, 0600), 0);
	registry_add_user(r);
	cr_assert_eq(r->action_count, 4);
	cr_expect(str_equal(r->actions[1].description, STR("first")));
	cr_expect(str_equal(r->actions[2].description, STR("a")));
	cr_expect(str_equal(r->actions[3].description, STR("b")));
	cr_assert_eq(r->warning_count, 3);
	cr_expect(strstr(r->warnings[0].source, "bad.yaml") && r->warnings[0].line == 2);
	cr_expect(strstr(r->warnings[1].text, "no file of text"), "the FIFO");
	cr_expect(strstr(r->warnings[2].text, "is a directory"));
	registry_free(r);
	remove_all(root);
	buf_done(&folder);
	buf_done(&inner);
}

Test(registry, home, .init = json_init)
{
	char root[] = "/tmp/catena-registry-XXXXXX";
	struct buf folder = BUF_INIT;
	struct registry *r = registry_new();

	cr_assert(mkdtemp(root));
	setenv("XDG_CONFIG_HOME", "relative", 1);
	setenv("HOME", root, 1);
	make_folder(root, ".config", &folder);
	make_folder(root, ".config/catena", &folder);
	write_file(folder.data, "payloads.yaml", "client_actions: {one: first}\n");
	registry_add_user(r);
	cr_expect_eq(r->action_count, 2);
	unsetenv("HOME");
	registry_add_user(r);
	cr_expect_eq(r->warning_count, 0);
	registry_free(r);
	remove_all(root);
	buf_done(&folder);
}

/* A pipe that somebody writes to is a file; one that nobody writes to does not hang. */
Test(registry, pipes, .init = json_init, .timeout = 20)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct registry *r = registry_new();
	struct buf path = BUF_INIT;
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	cr_assert_eq(write(ends[1], "client_actions: {one: x}\n", 25), 25);
	close(ends[1]);
	buf_printf(&path, "/dev/fd/%d", ends[0]);
	cr_expect(registry_add_file(r, path.data, &err), "%s", err.text);
	cr_expect(registry_action(r, STR(""), STR("one")));
	cr_expect_not(registry_add_file(r, path.data, &err));
	cr_expect(strstr(err.text, "nothing came out of the pipe"), "%s", err.text);
	err_done(&err);
	cr_expect_not(registry_add_file(r, "/dev/zero", &err));
	err_done(&err);
	cr_expect_not(registry_add_file(r, "/no/such/file", &err));
	cr_expect(strstr(err.text, "cannot be opened") && err.source);
	err_done(&err);
	close(ends[0]);
	buf_done(&path);
	registry_free(r);
}

/* ---- look-ups ---- */

Test(registry, markers, .init = json_init)
{
	static const struct {
		const char *page;
		bool known;
		const char *want;
	} rows[] = {
		{"", true,
			"schema_proposal=MINE data_proposal=DATA_PROPOSAL "
			"report=RE.PORT "},
		{"tables_list", true, "schema_proposal=MINE report=RE.PORT "},
		{"table_view", true, "report=RE.PORT "},
		{"fresh", true, "report=RE.PORT "},
		{"nowhere", false, ""},
	};
	struct registry *r = linked(over);

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct response_type *types;
		struct buf out = BUF_INIT;
		size_t count;

		cr_expect_eq(registry_markers(r, str_of(rows[i].page), &types, &count),
			rows[i].known);
		for (size_t k = 0; k < count; k++)
			buf_printf(&out, "%.*s=%.*s ", (int)types[k].name.n,
				types[k].name.p, (int)types[k].marker.n,
				types[k].marker.p);
		expect_text(&out, rows[i].want);
		mem_free(types);
	}
	registry_free(r);
}

static void expect_order(struct str text, const char *const *words, size_t count)
{
	const char *at = text.p;

	for (size_t i = 0; i < count; i++) {
		at = strstr(at, words[i]);
		cr_assert(at, "%s is not there, or too early", words[i]);
	}
}

Test(registry, prompt, .init = json_init)
{
	static const char *const words[] = {"# Capabilities\n", "\n## TOOLS\n",
		"\n- search_pubmed: ", "\n## STRUCTURED RESPONSES\n",
		"\npubmed_search_results - ", "\nSCHEMA_PROPOSAL: {",
		"\nDATA_PROPOSAL: {", "\n## CLIENT ACTIONS\n",
		"\n- close_chat: ", "\n# Format Rules\n", "\nSUGGESTED_VALUES:\n",
		"\nSUGGESTED_ACTIONS:\n"};
	struct registry *r = registry_new();
	struct str tools[] = {STR("search_pubmed"), STR("unknown")};
	struct buf out = BUF_INIT;

	registry_prompt(r, STR("table_view"), tools, 2, &out);
	expect_order(buf_view(&out), words, COUNT(words));
	cr_expect_not(strstr(out.data, "unknown"));
	buf_clear(&out);
	registry_prompt(r, STR("table_edit"), NULL, 0, &out);
	cr_expect(strstr(out.data, "SCHEMA_PROPOSAL: {"));
	cr_expect_not(strstr(out.data, "DATA_PROPOSAL: {") || strstr(out.data, "TOOLS") ||
		      strstr(out.data, "pubmed"));
	buf_clear(&out);
	registry_prompt(r, STR(""), NULL, 0, &out);
	cr_expect(strstr(out.data, "DATA_PROPOSAL: {"));
	buf_clear(&out);
	registry_prompt(r, STR("nowhere"), NULL, 0, &out);
	cr_expect_not(strstr(out.data, "STRUCTURED"));
	buf_done(&out);
	registry_free(r);
}

/* What the prompt shows the model is what the schemas take. */
Test(registry, examples_are_valid, .init = json_init)
{
	struct registry *r = registry_new();

	for (size_t i = 0; i < r->type_count; i++) {
		const struct payload_type *t = &r->types[i];
		struct buf marker = BUF_INIT, text = BUF_INIT;
		const char *at;
		struct jv v;

		if (!t->marker.n)
			continue;
		buf_str(&text, t->instructions);
		buf_printf(&marker, "%.*s: {", (int)t->marker.n, t->marker.p);
		at = strstr(text.data, marker.data);
		cr_assert(at, "%s", marker.data);
		v = jv_parse(str_of(at + marker.len - 1));
		buf_clear(&marker);
		buf_add(&marker, v.p, v.n);
		cr_expect(valid(t->schema, marker.data), "%s", marker.data);
		buf_done(&marker);
		buf_done(&text);
	}
	for (int i = 0; i < 2; i++) {
		const char *at = strstr(r->suggestions[i].instructions.p, "\n[\n");
		struct jv v = jv_parse(str_of(at));
		struct buf text = BUF_INIT;

		buf_add(&text, v.p, v.n);
		cr_expect(valid(r->suggestions[i].schema, text.data));
		buf_done(&text);
	}
	registry_free(r);
}

Test(registry, summary, .init = json_init)
{
	static const struct {
		const char *template, *data, *want;
	} rows[] = {
		{"{a}", "{\"a\":\"x\\u00e9\"}", "x\xC3\xA9"},
		{"{a} of {b.c}", "{\"a\":1.50,\"b\":{\"c\":true}}", "1.50 of true"},
		{"{a[1].b}", "{\"a\":[{},{\"b\":\"second\"}]}", "second"},
		{"{a[0][1]}", "{\"a\":[[1,2]]}", "2"},
		{"{a.length}", "{\"a\":[1,2,3]}", "3"},
		{"{length}", "[1,2]", "2"},
		{"{a.length}", "{\"a\":{\"length\":9}}", "9"},
		{"{a.length}", "{\"a\":{\"b\":1}}", "1"},
		{"{a.length}", "{\"a\":\"text\"}", "?"},
		{"{a}", "{}", "?"},
		{"{a}", "{\"a\":null}", "?"},
		{"{a|none}, {b|}.", "{}", "none, ."},
		{"{a[9]}", "{\"a\":[1]}", "?"},
		{"{a[}{a[x]}{a[99999999999999999999999]}", "{\"a\":[1]}", "???"},
		{"{a.b.c}", "{\"a\":1}", "?"},
		{"{a}", "{\"a\":[1,2]}", "2 items"},
		{"{a}", "{\"a\":{\"b\":1}}", "1 member"},
		{"{}", "{}", "0 members"},
		{"{a", "{\"a\":1}", "{a"},
		{"a}b", "{}", "a}b"},
		{"{a}", "not json", "?"},
		{"{a}", "", "?"},
		{"{a}", "{\"a\":\"cut", "cut"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct registry *r = registry_new();
		struct buf out = BUF_INIT;

		r->types[0].summary = str_of(rows[i].template);
		registry_summary(
			r, r->types[0].name, jv_parse(str_of(rows[i].data)), &out);
		cr_expect_str_eq(out.data ? out.data : "", rows[i].want, "%s of %s: %s",
			rows[i].template, rows[i].data, out.data);
		buf_done(&out);
		registry_free(r);
	}
}

Test(registry, summary_built_in, .init = json_init)
{
	struct registry *r = registry_new();
	struct buf out = BUF_INIT;

	registry_summary(r, STR("pubmed_search_results"),
		jv_parse(STR("{\"query\":\"aspirin\",\"total_results\":40,\"articles\":[{"
			     "},{}]}")),
		&out);
	expect_text(&out, "aspirin: 2 of 40 articles");
	registry_summary(r, STR("schema_proposal"),
		jv_parse(STR("{\"mode\":\"update\",\"operations\":[1,2,3]}")), &out);
	expect_text(&out, "update table: 3 operations");
	registry_summary(r, STR("who"), jv_parse(STR("[1]")), &out);
	expect_text(&out, "who: 1 item");
	registry_summary(r, STR("who"), jv_parse(STR("null")), &out);
	expect_text(&out, "who: nothing");
	registry_free(r);
}

/* A long text costs what is shown of it, and is cut between characters. */
Test(registry, summary_long, .init = json_init)
{
	struct registry *r = registry_new();
	struct buf data = BUF_INIT, out = BUF_INIT;

	buf_text(&data, "{\"query\":\"");
	for (int i = 0; i < 100000; i++)
		buf_text(&data, "\xE4\xB8\xAD");
	buf_text(&data, "\"}");
	registry_summary(
		r, STR("pubmed_search_results"), jv_parse(buf_view(&data)), &out);
	cr_expect_lt(out.len, 200);
	cr_expect(strstr(out.data, "\xE4\xB8\xAD\xE2\x80\xA6: ? of ? articles"), "%s",
		out.data);
	buf_done(&data);
	buf_done(&out);
	registry_free(r);
}
