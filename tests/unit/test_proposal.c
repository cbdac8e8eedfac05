/*
 * Proposals and tables: what a trace knows of rows and columns, what the chosen
 * operations would give, and how it is all drawn.  Documents are compared line by line.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>

#include "base/mem.h"
#include "json/json.h"
#include "payload/payload.h"
#include "text/safe.h"
#include "view/elements.h"
#include "view/table.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))
#define TEXT(...)   #__VA_ARGS__

static void utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
}

TestSuite(known, .init = utf8);
TestSuite(proposal, .init = utf8);
TestSuite(result, .init = utf8);
TestSuite(table, .init = utf8);
TestSuite(payload, .init = utf8);

static struct known_ids *known_of(const char *json)
{
	struct known_ids *k = known_new();

	known_add(k, jv_parse(str_of(json)));
	return k;
}

static void assert_text(struct buf *text, const char *want, const char *what)
{
	cr_assert_str_eq(text->len ? text->data : "", want, "%s:\n%s", what, text->data);
	buf_done(text);
}

/* ---- what a trace knows ---- */

static const char context[] = TEXT([
	{
		"columns" : [
			{"id" : "col_1", "name" : "Company", "type" : "text"}, {
				"id" : "col_2",
				"name" : "Status",
				"type" : "select",
				"options" : [ "A", "B" ]
			},
			{"id" : "col_3", "name" : "Notes", "type" : "text"}
		]
	},
	{
		"rows" : [
			{"id" : 5, "Company" : "Globex", "Status" : "A"},
			{"row_id" : "12", "data" : {"col_1" : "Initech", "col_2" : "B"}},
			{"id" : 13, "values" : {"Company" : "Hooli", "Status" : "A"}}
		]
	}
]);

/* The context amid the words of a prompt, so many strings deep. */
static char *prompt; /* known_of_prompt's, until the next */

static struct known_ids *known_of_prompt(int layers)
{
	struct known_ids *k = known_new();
	struct buf text = BUF_INIT, json = BUF_INIT;

	buf_printf(&text, "You edit {tables} [1].\n%s\nThat is all}.", context);
	for (int i = 0; i < layers; i++) {
		buf_clear(&json);
		json_write_string(&json, buf_view(&text));
		buf_clear(&text);
		buf_str(&text, buf_view(&json));
	}
	known_add(k, jv_parse(buf_view(&json)));
	mem_free(prompt);
	prompt = buf_take(&json);
	buf_done(&text);
	return k;
}

Test(known, objects_are_found_by_their_ids)
{
	static const struct {
		const char *json;
		bool column;
		const char *id, *found;
	} cases[] = {
		{"{\"id\": 5, \"a\": 1}", false, "5", "{\"id\": 5, \"a\": 1}"},
		{"{\"id\": 5, \"a\": 1}", false, "\"5\"", "{\"id\": 5, \"a\": 1}"},
		{"{\"id\": \"5\", \"a\": 1}", false, "5", "{\"id\": \"5\", \"a\": 1}"},
		{"{\"id\": 5, \"a\": 1}", true, "5", ""},
		{"{\"id\": 5}", false, "5", ""},
		{"[[{\"x\": {\"rowId\": 7, \"a\": 1}}]]", false, "7",
			"{\"rowId\": 7, \"a\": 1}"},
		{"{\"row_id\": 7, \"id\": 8, \"a\": 1}", false, "8", ""},
		{"{\"column_id\": \"c\", \"name\": \"N\"}", true, "\"c\"",
			"{\"column_id\": \"c\", \"name\": \"N\"}"},
		{"{\"column_id\": \"c\", \"value\": 1}", true, "\"c\"", ""},
		{"{\"id\": 1, \"name\": \"N\", \"type\": \"text\"}", true, "1",
			"{\"id\": 1, \"name\": \"N\", \"type\": \"text\"}"},
		{"{\"id\": 1, \"name\": \"N\", \"type\": \"text\"}", false, "1", ""},
		{"{\"id\": 1, \"name\": \"N\"}", true, "1",
			"{\"id\": 1, \"name\": \"N\"}"},
		{"[{\"id\": 1, \"name\": \"N\", \"type\": \"date\"}, {\"id\": 1, "
		 "\"name\": \"other\"}]",
			true, "1", "{\"id\": 1, \"name\": \"N\", \"type\": \"date\"}"},
		{"[{\"id\": 1, \"a\": 1}, {\"id\": 1, \"a\": 2}]", false, "1",
			"{\"id\": 1, \"a\": 2}"},
		{"[{\"id\": 1, \"a\": 1, \"b\": 2, \"c\": 3}, {\"row_id\": 1, "
		 "\"ok\": true}]",
			false, "1", "{\"id\": 1, \"a\": 1, \"b\": 2, \"c\": 3}"},
		{"{\"action\": \"update\", \"row_id\": 1, \"changes\": {\"a\": 2}}",
			false, "1", ""},
		{"{\"action\": \"delete\", \"row_id\": 1}", false, "1", ""},
		{"{\"row_id\": 1, \"changes\": {\"a\": 2}}", false, "1", ""},
		{"\"{\\\"id\\\": 5, \\\"a\\\": 1}\"", false, "5",
			"{\"id\": 5, \"a\": 1}"},
		{"\"\\\"{\\\\\\\"id\\\\\\\": 5, \\\\\\\"a\\\\\\\": 1}\\\"\"", false, "5",
			"{\"id\": 5, \"a\": 1}"},
		{"\"see {\\\"id\\\": 5, {\\\"id\\\": 6, \\\"a\\\": 1} there\"", false,
			"6", "{\"id\": 6, \"a\": 1}"},
		{"{\"id\": 5, \"a\"", false, "5", "{\"id\": 5, \"a\""},
		{"{\"id\": null, \"a\": 1}", false, "null", ""},
		{"{\"id\": \"\", \"a\": 1}", false, "\"\"", ""},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct known_ids *k = known_of(cases[i].json);
		struct jv found =
			known_find(k, cases[i].column, jv_parse(str_of(cases[i].id)));
		struct buf text = BUF_INIT;

		buf_add(&text, found.p, found.n);
		assert_text(&text, cases[i].found, cases[i].json);
		known_free(k);
	}
}

Test(known, columns_of_one_list_in_its_order)
{
	struct known_ids *k = known_of_prompt(1);
	struct str ids[] = {STR("col_3")}, none[] = {STR("col_9")};
	struct jv *columns;

	known_add(k, jv_parse(STR("[{\"id\":\"x\",\"name\":\"X\",\"type\":\"date\"}]")));
	cr_assert_eq(known_columns(k, ids, 1, &columns), 3);
	cr_assert(jv_is(jv_member(columns[0], "name"), STR("Company")));
	cr_assert(jv_is(jv_member(columns[2], "name"), STR("Notes")));
	mem_free(columns);
	cr_assert_eq(known_columns(k, none, 1, &columns), 0);
	mem_free(columns);
	cr_assert_eq(known_columns(k, NULL, 0, &columns), 1, "the latest list");
	mem_free(columns);
	cr_assert_eq(known_row_count(k), 3);
	known_free(k);
	mem_free(prompt);
}

/* [A, "xxx…", B]: between A and B stands more than what counts. */
static struct known_ids *known_around(
	struct buf *json, const char *before, const char *after)
{
	struct known_ids *k = known_new();

	buf_printf(json, "[%s,\"", before);
	buf_fill(json, 'x', KNOWN_MOST);
	buf_printf(json, "\",%s]", after);
	known_add(k, jv_parse(buf_view(json)));
	return k;
}

Test(known, the_end_of_a_long_value_counts)
{
	struct buf json = BUF_INIT;
	struct known_ids *k = known_around(&json,
		"{\"row_id\":1,\"a\":1}, \"{\\\"row_id\\\":2,\\\"a\\\":1}\"",
		"[{\"row_id\":3,\"a\":1}], \"{\\\"row_id\\\":4,\\\"a\\\":1}\"");

	cr_assert_eq(known_row_count(k), 2);
	cr_assert_eq(known_find_text(k, false, STR("1")).kind, J_NONE);
	cr_assert_eq(known_find_text(k, false, STR("3")).kind, J_OBJECT);
	cr_assert_eq(known_find_text(k, false, STR("4")).kind, J_OBJECT);
	known_free(k);
	buf_done(&json);
}

/* What begins too early is no row itself, but rows stand in it. */
Test(known, a_container_that_begins_early)
{
	struct buf json = BUF_INIT;
	struct known_ids *k =
		known_around(&json, "{\"row_id\":1,\"a\":[0", "{\"row_id\":2,\"a\":1}]}");

	cr_assert_eq(known_row_count(k), 1);
	cr_assert_eq(known_find_text(k, false, STR("2")).kind, J_OBJECT);
	known_free(k);
	buf_done(&json);
}

Test(known, strings_are_opened_so_often)
{
	for (int layers = 1; layers < 6; layers++) {
		struct known_ids *k = known_of_prompt(layers);

		cr_expect_eq(known_row_count(k), layers <= 3 ? 3 : 0, "%d", layers);
		known_free(k);
	}
	mem_free(prompt);
}

/* Nothing of this may take long or much. */
Test(known, hostile_texts)
{
	static const char *const pieces[] = {"[", "{\"a\":", "{\"id\":1,\"a\":[", "\"{",
		"{\"id\":\"\\u0000\",\"b\":1} ", "{\\\"id\\\":1,", "[{"};

	for (size_t i = 0; i < COUNT(pieces); i++)
		for (int quoted = 0; quoted < 2; quoted++) {
			struct known_ids *k = known_new();
			struct buf text = BUF_INIT, json = BUF_INIT;

			for (int n = 0; n < 50000; n++)
				buf_text(&text, pieces[i]);
			if (quoted) {
				buf_byte(&json, '"');
				for (size_t c = 0; c < text.len; c++) {
					if (text.data[c] == '"' || text.data[c] == '\\')
						buf_byte(&json, '\\');
					buf_byte(&json, text.data[c]);
				}
				buf_byte(&json, '"');
			} else {
				buf_str(&json, buf_view(&text));
			}
			known_add(k, jv_parse(buf_view(&json)));
			cr_assert_leq(known_row_count(k), 1);
			known_free(k);
			buf_done(&text);
			buf_done(&json);
		}
}

/* ---- reading ---- */

static const char rows[] = TEXT({
	"reasoning" : "Moving **on**",
	"operations" : [
		{"action" : "update", "row_id" : 5, "changes" : {"Status" : "B"}},
		{"action" : "delete", "row_id" : "12"}, {
			"action" : "add",
			"data" : {
				"Company" : "Acme",
				"Status" : "A",
				"n" : 12345678901234567890
			}
		}
	]
});

static const char columns[] = TEXT({
	"mode" : "update",
	"operations" : [
		{
			"action" : "add",
			"column" : {
				"name" : "Rank",
				"type" : "select",
				"options" : [ "x", "y" ],
				"filterDisplay" : "tab"
			},
			"after_column_id" : "col_1"
		},
		{
			"action" : "modify",
			"column_id" : "col_2",
			"changes" : {"name" : "State", "required" : true}
		},
		{"action" : "remove", "column_id" : "col_3"},
		{"action" : "reorder", "column_id" : "col_2"}
	]
});

static const char created[] = TEXT({
	"mode" : "create",
	"table_name" : "Jobs",
	"table_description" : "Applications",
	"operations" : [
		{"action" : "add", "column" : {"name" : "Name", "type" : "text"}},
		{"action" : "add", "column" : {"name" : "Done", "type" : "boolean"}}
	],
	"sample_rows" : [ {"Name" : "a", "Done" : true}, {"Name" : "b", "Done" : false} ]
});

Test(proposal, is_told_by_its_type_or_its_shape)
{
	static const struct {
		const char *type, *data;
		bool is;
	} cases[] = {
		{"schema_proposal", "{}", true},
		{"data_proposal", "null", true},
		{"x", rows, true},
		{"x", columns, true},
		{"x", "{\"operations\": []}", false},
		{"x", "{\"operations\": [{\"action\": \"deploy\"}]}", false},
		{"x", "{\"operations\": [{\"action\": \"delete\", \"row_id\": 1}]}",
			true},
		{"x", "{\"operations\": {\"action\": \"add\"}}", false},
		{"x", "[]", false},
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		cr_expect_eq(proposal_is(str_of(cases[i].type),
				     jv_parse(str_of(cases[i].data))),
			cases[i].is, "case %zu", i);
}

Test(proposal, operations_that_lack_something_are_others)
{
	static const struct {
		const char *type, *op;
		enum op_kind kind;
	} cases[] = {
		{"schema_proposal", "{\"action\":\"add\",\"column\":{}}", OP_ADD},
		{"schema_proposal", "{\"action\":\"add\"}", OP_OTHER},
		{"schema_proposal", "{\"action\":\"add\",\"data\":{}}", OP_OTHER},
		{"schema_proposal", "{\"action\":\"modify\",\"column_id\":\"c\"}",
			OP_OTHER},
		{"schema_proposal",
			"{\"action\":\"modify\",\"column_id\":\"c\",\"changes\":{}}",
			OP_UPDATE},
		{"schema_proposal", "{\"action\":\"remove\",\"column_id\":\"c\"}",
			OP_DELETE},
		{"schema_proposal", "{\"action\":\"remove\",\"column_id\":{}}", OP_OTHER},
		{"schema_proposal", "{\"action\":\"reorder\",\"columnId\":3}",
			OP_REORDER},
		{"schema_proposal", "{\"action\":\"delete\",\"row_id\":3}", OP_OTHER},
		{"data_proposal", "{\"action\":\"delete\",\"row_id\":3}", OP_DELETE},
		{"data_proposal", "{\"action\":\"delete\"}", OP_OTHER},
		{"data_proposal", "{\"action\":\"add\",\"data\":[]}", OP_OTHER},
		{"data_proposal", "7", OP_OTHER},
		{"data_proposal", "{\"action\":\"add\",\"data\":{\"a", OP_ADD},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct arena arena = {0};
		struct proposal p;
		char text[200];

		snprintf(text, sizeof(text), "{\"operations\":[%s]}", cases[i].op);
		cr_assert(proposal_read(
			&p, str_of(cases[i].type), jv_parse(str_of(text)), NULL, &arena));
		cr_assert_eq(p.count, 1);
		cr_expect_eq(p.ops[0].kind, cases[i].kind, "case %zu: %s", i, text);
		cr_assert(p.ops[0].chosen);
		arena_done(&arena);
	}
}

Test(proposal, columns_come_from_new_rows_first)
{
	struct known_ids *k = known_of(context);
	struct arena arena = {0};
	struct proposal p;

	cr_assert(proposal_read(
		&p, STR("data_proposal"), jv_parse(str_of(rows)), k, &arena));
	cr_assert_eq(p.column_count, 3);
	cr_assert(str_equal(p.columns[0], STR("Company")));
	cr_assert(
		str_equal(p.columns[1], STR("Status")), "col_2 has no column of its own");
	cr_assert(str_equal(p.columns[2], STR("n")));
	cr_assert(str_equal(p.reasoning, STR("Moving **on**")));
	arena_done(&arena);
	known_free(k);
}

Test(proposal, written_with_what_is_chosen)
{
	struct arena arena = {0};
	struct buf out = BUF_INIT;
	struct proposal p;
	struct jv data =
		jv_parse(STR("{\"n\": 1.50, \"operations\": [{\"action\": \"x\", "
			     "\"deep\": [1e5, {}, []]}, 2, \"a\\u001b\"], \"z\": "
			     "\"cut"));

	cr_assert(proposal_read(&p, STR("data_proposal"), data, NULL, &arena));
	p.ops[1].chosen = false;
	proposal_write(&p, STR("data_proposal"), data, &out);
	assert_text(&out,
		"{\n  \"type\": \"data_proposal\",\n  \"data\": {\n    \"n\": 1.50,\n"
		"    \"operations\": [\n      {\n        \"action\": \"x\",\n"
		"        \"deep\": [\n          1e5,\n          {},\n          []\n"
		"        ]\n      },\n      \"a\\u001b\"\n    ],\n    \"z\": \"cut\"\n"
		"  }\n}\n",
		"some");
	p.ops[0].chosen = p.ops[2].chosen = false;
	proposal_write(&p, STR(""), data, &out);
	assert_text(&out,
		"{\n  \"n\": 1.50,\n  \"operations\": [],\n  \"z\": \"cut\"\n}\n",
		"none");
	arena_done(&arena);
}

/* ---- the result ---- */

/* "id:first op" of the items, or the name of a column added. */
static void assert_result(const struct proposal_result *r, const char *want)
{
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < r->count; i++) {
		const struct result_item *item = result_at(r, i);

		if (i)
			buf_byte(&text, ' ');
		if (item->id.n)
			buf_str(&text, item->id);
		else
			jv_text(r->proposal->ops[item->first_op].raw, &text);
		if (item->id.n && item->first_op != RESULT_NONE)
			buf_byte(&text, '*');
	}
	assert_text(&text, want, "result");
}

struct resulting {
	struct known_ids *known;
	struct arena arena;
	struct proposal p;
	struct proposal_result *result;
};

static struct resulting *resulting_new(
	const char *type, const char *data, const char *known)
{
	struct resulting *r = mem_zalloc(1, sizeof(*r));

	r->known = known_of(known);
	cr_assert(proposal_read(
		&r->p, str_of(type), jv_parse(str_of(data)), r->known, &r->arena));
	r->result = result_new(&r->p, &r->arena);
	return r;
}

static void resulting_free(struct resulting *r)
{
	arena_done(&r->arena);
	known_free(r->known);
	mem_free(r);
}

Test(result, rows_added_first_deleted_gone)
{
	struct resulting *r = resulting_new("data_proposal",
		"{\"operations\":[{\"action\":\"update\",\"row_id\":5,\"changes\":{"
		"\"Status\":\"x\"}},{\"action\":\"delete\",\"row_id\":12},{\"action\":"
		"\"add\",\"data\":{}},{\"action\":\"update\",\"row_id\":77,\"changes\":{"
		"\"Status\":\"y\"}},{\"action\":\"delete\",\"row_id\":78}]}",
		context);

	assert_result(r->result, "{\"action\":\"add\",\"data\":{}} 5* 13 77*");
	r->p.ops[0].chosen = r->p.ops[1].chosen = r->p.ops[2].chosen =
		r->p.ops[3].chosen = false;
	result_update(r->result);
	assert_result(r->result, "5 12 13");
	r->p.ops[1].chosen = true;
	result_update(r->result);
	assert_result(r->result, "5 13");
	resulting_free(r);
}

#define OPS(...)   "{\"mode\":\"update\",\"operations\":[" TEXT(__VA_ARGS__) "]}"
#define ADD(id)    "{\"action\":\"add\",\"column\":{\"name\":\"" id "\"}}"
#define COLUMN(id) "{\"column_id\":\"" id "\",\"name\":\"" id "\"}"
#define THREE      "[" COLUMN("a") "," COLUMN("b") "," COLUMN("c") "]"

Test(result, columns_go_where_they_are_sent)
{
	static const struct {
		const char *ops, *want;
	} cases[] = {
		{OPS({"action" : "reorder", "column_id" : "c"}), "c* a b"},
		{OPS({"action" : "reorder", "column_id" : "a", "after_column_id" : "c"}),
			"b c a*"},
		{OPS({"action" : "reorder", "column_id" : "b", "after_column_id" : "b"}),
			"a b* c"},
		{OPS({
			 "action" : "reorder",
			 "column_id" : "a",
			 "after_column_id" : "none"
		 }),
			"b c a*"},
		{OPS({"action" : "remove", "column_id" : "b"}), "a c"},
		{OPS({"action" : "remove", "column_id" : "b"}, {
			 "action" : "reorder",
			 "column_id" : "a",
			 "after_column_id" : "b"
		 }),
			"a* c"},
		{OPS({"action" : "modify", "column_id" : "b", "changes" : {"name" : "B"}},
			 {"action" : "reorder", "column_id" : "b"}),
			"b* a c"},
		{OPS({"action" : "modify", "column_id" : "zz", "changes" : {}}), "zz*"},
		{OPS({"action" : "remove", "column_id" : "zz"},
			 {"action" : "remove", "column_id" : "a"}),
			"b c"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct resulting *r =
			resulting_new("schema_proposal", cases[i].ops, THREE);

		assert_result(r->result, cases[i].want);
		resulting_free(r);
	}
}

Test(result, columns_added_stand_behind_others_by_id_or_name)
{
	struct resulting *r = resulting_new("schema_proposal",
		"{\"operations\":[" ADD("x") "," ADD(
			"y") ",{\"action\":\"reorder\","
			     "\"column_id\":\"a\",\"after_column_id\":\"x\"}]}",
		THREE);

	assert_result(r->result, "b c " ADD("x") " a* " ADD("y"));
	r->p.ops[0].chosen = false;
	result_update(r->result);
	assert_result(r->result, "b c " ADD("y") " a*");
	resulting_free(r);
	r = resulting_new("schema_proposal",
		"{\"mode\":\"create\",\"operations\":[" ADD("x") "]}", THREE);
	assert_result(r->result, ADD("x"));
	resulting_free(r);
}

/* ---- documents ---- */

/* Without the blanks at its end, and the size of JSON that is written in this file. */
static void add_line(struct buf *out, const struct lines *ls, size_t line)
{
	size_t start = out->len;
	const char *size;

	lines_plain(ls, line, out);
	size = out->len > start ? strstr(out->data + start, "json, ") : NULL;
	if (size)
		out->len = (size_t)(size - out->data) + 4;
	while (out->len > start && out->data[out->len - 1] == ' ')
		out->len--;
	buf_byte(out, '\n');
}

static char *text_of(struct doc *d)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < d->count; i++) {
		const struct lines *ls = doc_layout(d, i);

		for (size_t j = 0; j < ls->count; j++)
			add_line(&out, ls, j);
	}
	return buf_take(&out);
}

static void assert_doc(struct doc *d, const char *want)
{
	char *text = text_of(d);

	cr_assert_str_eq(text ? text : "", want, "got:\n%s\nwant:\n%s", text, want);
	mem_free(text);
}

static struct doc doc_of(const char *type, const char *data, const struct known_ids *k,
	uint32_t width, bool print)
{
	struct doc d = {.print = print};

	doc_width(&d, width);
	payload_add(&d, str_of(type), NULL, jv_parse(str_of(data)), k);
	return d;
}

/* Toggles the block whose first line holds a text, with the document's own cursor. */
static void toggle(struct doc *d, const char *words)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct lines *ls = doc_layout(d, i);
		struct buf line = BUF_INIT;
		bool found;

		if (ls->count)
			lines_plain(ls, 0, &line);
		found = line.len && strstr(line.data, words);
		buf_done(&line);
		if (!found)
			continue;
		d->places[0] = (struct place){i, 0};
		cr_assert(doc_toggle(d, &d->places[0]), "%s", words);
		cr_assert_lt(d->places[0].block, d->count);
		return;
	}
	cr_assert_fail("no line with %s", words);
}

Test(proposal, rows_and_what_they_would_give)
{
	struct known_ids *k = known_of(context);
	struct doc d = doc_of("data_proposal", rows, k, 70, false);

	assert_doc(&d, "  ▾ data_proposal  3 operations\n"
		       "    Moving on\n"
		       "          row  Company  Status  n\n"
		       "          ───  ───────  ──────  ────────────────────\n"
		       "    [x] +      Acme     A       12345678901234567890\n"
		       "    [x] ~ 5    Globex   A → B\n"
		       "    [x] - 12   Initech  B\n"
		       "    ▸ [Apply: preview]  3 of 3 chosen\n"
		       "      [Dismiss]\n"
		       "    ▸ json\n");
	toggle(&d, "[Apply");
	toggle(&d, "[x] - 12");
	assert_doc(&d, "  ▾ data_proposal  3 operations, 2 chosen\n"
		       "    Moving on\n"
		       "          row  Company  Status  n\n"
		       "          ───  ───────  ──────  ────────────────────\n"
		       "    [x] +      Acme     A       12345678901234567890\n"
		       "    [x] ~ 5    Globex   A → B\n"
		       "    [ ] - 12   Initech  B\n"
		       "    ▾ [Apply: preview]  2 of 3 chosen\n"
		       "      the resulting table: 4 rows\n"
		       "        row  Company  Status  n\n"
		       "        ───  ───────  ──────  ────────────────────\n"
		       "      +      Acme     A       12345678901234567890\n"
		       "      ~ 5    Globex   B\n"
		       "        12   Initech  B\n"
		       "        13   Hooli    A\n"
		       "      [Dismiss]\n"
		       "    ▸ json\n");
	doc_done(&d);
	known_free(k);
}

Test(proposal, rows_copy_as_they_stand)
{
	struct known_ids *k = known_of(context);
	struct doc d = doc_of("data_proposal",
		"{\"operations\":[{\"action\":\"add\",\"data\":{\"a\":1}},{\"action\":"
		"\"update\",\"row_id\":78,\"changes\":{\"b\":2}}]}",
		k, 70, false);
	struct buf text = BUF_INIT;

	doc_copy_text(&d, 2, &text);
	assert_text(&text, "{\"action\":\"add\",\"data\":{\"a\":1}}", "operation");
	toggle(&d, "[Apply");
	doc_copy_text(&d, 7, &text);
	assert_text(&text, "{\"a\":1}", "row added");
	doc_copy_text(&d, 8, &text);
	assert_text(&text, "{\"b\":2}", "row that nobody knows");
	doc_done(&d);
	known_free(k);
}

Test(proposal, dismissed_and_brought_back)
{
	struct doc d = doc_of("data_proposal", rows, NULL, 60, false);
	char *before = text_of(&d);

	toggle(&d, "[Dismiss]");
	cr_assert_eq(d.places[0].block, 0, "the cursor is on the title");
	assert_doc(&d, "  ▸ data proposal dismissed — 3 operations\n");
	toggle(&d, "dismissed");
	assert_doc(&d, before);
	toggle(&d, "[Apply");
	toggle(&d, "json,");
	toggle(&d, "data_proposal  3");
	assert_doc(&d, "  ▸ data proposal dismissed — 3 operations\n");
	mem_free(before);
	doc_done(&d);
}

Test(proposal, columns_and_what_they_would_give)
{
	struct known_ids *k = known_of(context);
	struct doc d = doc_of("schema_proposal", columns, k, 90, false);

	toggle(&d, "[Apply");
	assert_doc(&d,
		"  ▾ schema_proposal  update  4 operations\n"
		"                  column          type    required  options  filter  "
		"place\n"
		"                  ──────────────  ──────  ────────  ───────  ──────  "
		"─────────────\n"
		"    [x] + add     Rank            select            x, y     tab     "
		"after "
		"Company\n"
		"    [x] ~ modify  Status → State  select  true      A, B\n"
		"    [x] - remove  Notes           text\n"
		"    [x] > reorder Status          select            A, B             "
		"first\n"
		"    ▾ [Apply: preview]  4 of 4 chosen\n"
		"      the resulting table: 3 columns\n"
		"        column   type    required  options  filter\n"
		"        ───────  ──────  ────────  ───────  ──────\n"
		"      ~ State    select  true      A, B\n"
		"        Company  text\n"
		"      + Rank     select            x, y     tab\n"
		"      [Dismiss]\n"
		"    ▸ json\n");
	toggle(&d, "~ modify");
	toggle(&d, "+ add");
	toggle(&d, "> reorder");
	toggle(&d, "[Apply");
	toggle(&d, "[Apply");
	assert_doc(&d,
		"  ▾ schema_proposal  update  4 operations, 1 chosen\n"
		"                  column          type    required  options  filter  "
		"place\n"
		"                  ──────────────  ──────  ────────  ───────  ──────  "
		"─────────────\n"
		"    [ ] + add     Rank            select            x, y     tab     "
		"after "
		"Company\n"
		"    [ ] ~ modify  Status → State  select  true      A, B\n"
		"    [x] - remove  Notes           text\n"
		"    [ ] > reorder Status          select            A, B             "
		"first\n"
		"    ▾ [Apply: preview]  1 of 4 chosen\n"
		"      the resulting table: 2 columns\n"
		"        column   type    required  options  filter\n"
		"        ───────  ──────  ────────  ───────  ──────\n"
		"        Company  text\n"
		"        Status   select            A, B\n"
		"      [Dismiss]\n"
		"    ▸ json\n");
	doc_done(&d);
	known_free(k);
}

Test(proposal, nobody_knows_the_columns)
{
	struct doc d = doc_of("schema_proposal", columns, NULL, 60, false);

	doc_remove(&d, 6, d.count - 6);
	assert_doc(&d, "  ▾ schema_proposal  update  4 operations\n"
		       "                  column        type  req…  opt…  fil…  pla…\n"
		       "                  ────────────  ────  ────  ────  ────  ────\n"
		       "    [x] + add     Rank          sel…        x, y  tab   aft…\n"
		       "    [x] ~ modify  col_2 → Sta…        true\n"
		       "    [x] - remove  col_3\n"
		       "    [x] > reorder col_2                                 fir…\n");
	doc_done(&d);
}

Test(proposal, a_table_that_is_created)
{
	struct doc d = doc_of("schema_proposal", created, NULL, 60, false);

	toggle(&d, "+ add Name");
	toggle(&d, "[Apply");
	toggle(&d, "▸ b");
	assert_doc(&d, "  ▾ schema_proposal  create  2 operations, 1 chosen\n"
		       "    table: Jobs\n"
		       "    description: Applications\n"
		       "              column  type\n"
		       "              ──────  ───────\n"
		       "    [ ] + add Name    text\n"
		       "    [x] + add Done    boolean\n"
		       "    sample rows:\n"
		       "      Name  Done\n"
		       "      ────  ─────\n"
		       "    ▸ a     true\n"
		       "    ▾ b     false\n"
		       "        \"Name\": \"b\"\n"
		       "        \"Done\": false\n"
		       "    ▾ [Apply: preview]  1 of 2 chosen\n"
		       "      the resulting table: 1 column\n"
		       "        column  type\n"
		       "        ──────  ───────\n"
		       "      + Done    boolean\n"
		       "        Done\n"
		       "        ─────\n"
		       "        true\n"
		       "        false\n"
		       "      [Dismiss]\n"
		       "    ▸ json\n");
	doc_done(&d);
}

Test(proposal, in_ascii)
{
	struct known_ids *k = known_of(context);
	struct doc d;

	setlocale(LC_ALL, "C");
	safe_init();
	d = doc_of("data_proposal", rows, k, 50, false);
	toggle(&d, "[Apply");
	toggle(&d, "[Dismiss]");
	assert_doc(&d, "  + data proposal dismissed - 3 operations\n");
	toggle(&d, "dismissed");
	assert_doc(&d, "  - data_proposal  3 operations\n"
		       "    Moving on\n"
		       "          row  Company  Status  n\n"
		       "          ---  -------  ------  ------------------\n"
		       "    [x] +      Acme     A       123456789012345678\n"
		       "                                90\n"
		       "    [x] ~ 5    Globex   A -> B\n"
		       "    [x] - 12   Initech  B\n"
		       "    + [Apply: preview]  3 of 3 chosen\n"
		       "      [Dismiss]\n"
		       "    + json\n");
	doc_done(&d);
	known_free(k);
}

Test(proposal, on_paper)
{
	struct known_ids *k = known_of(context);
	struct doc d = doc_of("data_proposal", rows, k, 40, true);

	assert_doc(&d, "  data_proposal  3 operations\n"
		       "    Moving on\n"
		       "      row  Company  Status  n\n"
		       "      ───  ───────  ──────  ────────────\n"
		       "    +      Acme     A       123456789012\n"
		       "                            34567890\n"
		       "    ~ 5    Globex   A → B\n"
		       "    - 12   Initech  B\n"
		       "    the resulting table: 3 rows\n"
		       "      row  Company  Status  n\n"
		       "      ───  ───────  ──────  ────────────\n"
		       "    +      Acme     A       123456789012\n"
		       "                            34567890\n"
		       "    ~ 5    Globex   B\n"
		       "      13   Hooli    A\n");
	doc_done(&d);
	d = doc_of("schema_proposal", created, k, 0, true);
	assert_doc(&d, "  schema_proposal  create  2 operations\n"
		       "    table: Jobs\n"
		       "    description: Applications\n"
		       "          column  type\n"
		       "          ──────  ───────\n"
		       "    + add Name    text\n"
		       "    + add Done    boolean\n"
		       "    sample rows:\n"
		       "    Name  Done\n"
		       "    ────  ─────\n"
		       "    a     true\n"
		       "    b     false\n");
	doc_done(&d);
	known_free(k);
}

Test(proposal, what_is_none_is_shown_as_json)
{
	static const char *const cases[][2] = {
		{"{\"purpose\": \"p\"}",
			"  schema_proposal\n    ▾ { 1 key\n        \"purpose\": \"p\"\n"},
		{"[]", "  schema_proposal\n      []\n"},
		{"{\"operations\": {}}",
			"  schema_proposal\n    ▾ { 1 key\n        \"operations\": {}\n"},
		{"{\"operations\": []}", "  ▾ schema_proposal  0 operations\n"
					 "    ▸ [Apply: preview]  0 of 0 chosen\n"
					 "      [Dismiss]\n    ▸ json\n"},
		{"", "  schema_proposal\n"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct doc d = doc_of("schema_proposal", cases[i][0], NULL, 60, false);

		assert_doc(&d, cases[i][1]);
		doc_done(&d);
	}
}

Test(proposal, strangers_have_a_row)
{
	struct doc d = doc_of("data_proposal",
		"{\"operations\": [7, {\"action\": \"zap\", \"x\": [1]}, {\"action\": "
		"\"delete\", \"row_id\": 1}]}",
		NULL, 60, false);

	doc_remove(&d, 5, d.count - 5);
	assert_doc(&d, "  ▾ data_proposal  3 operations\n"
		       "          row\n"
		       "          ───\n"
		       "    [x] - 1\n"
		       "    [x] ? unknown 7\n"
		       "    [x] ? unknown {\"action\": \"zap\", \"x\": […]}\n");
	doc_done(&d);
}

Test(proposal, any_block_of_it_speaks_for_it)
{
	struct doc d = doc_of("data_proposal", rows, NULL, 60, false);
	size_t end = d.count;
	struct buf json = BUF_INIT;
	struct place p;

	payload_add(&d, STR("other"), NULL, jv_parse(STR("{\"a\": 1}")), NULL);
	payload_add(&d, STR("x"), NULL, jv_parse(str_of(columns)), NULL);
	for (size_t i = 0; i < end; i++) {
		cr_assert(proposal_at(&d, i, &json), "block %zu", i);
		cr_assert_not_null(strstr(json.data, "\"row_id\": 5"));
		cr_assert_eq(proposal_find(&d, i), 0);
		buf_clear(&json);
	}
	cr_assert_not(proposal_at(&d, end, &json));
	cr_assert_not(proposal_at(&d, end + 1, &json));
	cr_assert_not(proposal_at(&d, d.count, &json));
	cr_assert_eq(proposal_find(&d, end), end + 3, "the next one");
	cr_assert_eq(proposal_find(&d, d.count + 5), end + 3, "the last one");
	p = (struct place){2, 0};
	cr_assert(proposal_dismiss(&d, &p));
	cr_assert_eq(p.block, 0);
	cr_assert(proposal_apply(&d, &p), "comes back for it");
	cr_assert_gt(p.block, 3);
	cr_assert(d.blocks[p.block].open);
	p.block = d.count;
	cr_assert_not(proposal_apply(&d, &p));
	buf_done(&json);
	doc_done(&d);
}

/* Inside another fold its blocks lie higher, and what it opens too. */
Test(proposal, keeps_its_level)
{
	struct doc d = doc_of("data_proposal", rows, NULL, 60, false);

	for (size_t i = 0; i < d.count; i++)
		d.blocks[i].level += 3;
	toggle(&d, "[Apply");
	toggle(&d, "json,");
	toggle(&d, "[x] +");
	for (size_t i = 0; i < d.count; i++)
		cr_assert_geq(d.blocks[i].level, i ? 5 : 4, "block %zu", i);
	toggle(&d, "[Dismiss]");
	toggle(&d, "dismissed");
	for (size_t i = 0; i < d.count; i++)
		cr_assert_geq(d.blocks[i].level, i ? 5 : 4, "block %zu", i);
	doc_done(&d);
}

static size_t assert_lines(struct doc *d, size_t at)
{
	const struct lines *ls = doc_layout(d, at);

	for (size_t j = 0; j < ls->count && d->width > 20; j++)
		cr_assert_leq(ls->lines[j].width, d->width, "block %zu at %u: %u", at,
			d->width, ls->lines[j].width);
	return ls->count;
}

/* All lines but titles stay within any width that has room for the signs. */
static void assert_widths(const char *type, const char *data, const struct known_ids *k)
{
	size_t rows_seen = 0;

	for (int print = 0; print < 2; print++)
		for (uint32_t width = 1; width <= 100; width++) {
			struct doc d = doc_of(type, data, k, width, print);

			for (size_t i = 1; i < d.count; i++)
				if (d.blocks[i].data &&
					d.blocks[i].value.p != d.blocks[0].value.p)
					rows_seen += assert_lines(&d, i);
			doc_done(&d);
		}
	cr_assert_geq(rows_seen, 200);
}

static const char hostile[] = TEXT({
	"operations" : [
		{
			"action" : "add",
			"data" : {
				"漢字かな" : "交じり文と\u001b[31m",
				"e\u0301\u0301" : "a\nb\tc"
			}
		},
		{
			"action" : "add",
			"data" : {
				"\u202e" : "👩‍👩‍👧",
				"" : {"deep" : [ 1, 2, "x\u0000" ]}
			}
		},
		{
			"action" : "update",
			"row_id" : "\u001b]0;x\u0007 a very long id of a row",
			"changes" : {"漢字かな" : "\ud800"}
		},
		{"action" : "delete", "row_id" : 1e999}
	]
});

Test(proposal, hostile_cells_stay_within_their_columns)
{
	assert_widths("data_proposal", hostile, NULL);
	assert_widths("list",
		"[{\"漢字\": \"交じり文と交じり文と\", \"b\": \"\\u001b[2J\"},"
		"{\"c\": [{\"d\": \"x\\ny\"}], \"b\": null}, 7]",
		NULL);
}

static char *many(size_t count, bool same_row)
{
	struct buf json = BUF_INIT;

	buf_text(&json, "{\"operations\":[");
	for (size_t i = 0; i < count; i++)
		buf_printf(&json,
			"%s{\"action\":\"%s\",\"row_id\":%zu,\"data\":{\"a\":%zu,\"k%"
			"zu\":1},"
			"\"changes\":{\"b\":%zu}}",
			i ? "," : "", i % 3 ? "update" : "add", same_row ? 1 : i, i,
			i % 1000, i);
	buf_text(&json, "]}");
	return buf_take(&json);
}

Test(proposal, thousands_of_operations)
{
	for (int same = 0; same < 2; same++) {
		char *json = many(50000, same);
		struct known_ids *k = known_of(json);
		struct doc d = doc_of("data_proposal", json, k, 80, false);
		struct buf out = BUF_INIT;
		struct place p = {0, 0};

		cr_assert_eq(d.count, 1 + 1 + 50000 + 3);
		cr_assert(proposal_apply(&d, &p));
		cr_assert_eq(d.count, 50005 + 2 + 16667 + (same ? 1 : 33333));
		for (size_t i = 2; i < 12; i++) {
			d.places[0] = (struct place){i, 0};
			cr_assert(doc_toggle(&d, &d.places[0]));
		}
		cr_assert_eq(d.count, 50005 + 2 + 16657 + (same ? 1 : 33333));
		for (size_t i = 0; i < d.count; i += 997)
			doc_layout(&d, i);
		cr_assert(proposal_at(&d, 5, &out));
		cr_assert_gt(out.len, 50000 * 20);
		buf_done(&out);
		doc_done(&d);
		known_free(k);
		mem_free(json);
	}
}

static char *many_columns(size_t count)
{
	struct buf json = BUF_INIT;

	buf_text(&json, "{\"mode\":\"update\",\"operations\":[");
	for (size_t i = 0; i < count; i++)
		buf_printf(&json,
			"%s{\"action\":\"%s\",\"column_id\":\"c%zu\",\"after_column_id\":"
			"\"c%zu\",\"column\":{\"name\":\"n%zu\"}}",
			i ? "," : "", i % 2 ? "reorder" : "add", i % 100, (i * 7) % 100,
			i);
	buf_text(&json, "]}");
	return buf_take(&json);
}

Test(proposal, thousands_of_columns)
{
	char *json = many_columns(50000);
	struct doc d = doc_of("schema_proposal", json, NULL, 80, false);
	struct place p = {0, 0};

	cr_assert(proposal_apply(&d, &p));
	cr_assert_eq(d.count, 1 + 1 + 50000 + 3 + 2 + 25000 + 50);
	doc_done(&d);
	mem_free(json);
}

/* ---- tables ---- */

Test(table, columns_share_a_width)
{
	static const struct {
		uint32_t width;
		const char *text;
	} cases[] = {
		{60, "  name                tokens  cost\n"
		     "  ──────────────────  ──────  ─────\n"
		     "  a model of a world     150  $0.02\n"
		     "  b                     2500\n"},
		{34, "  name               tokens  cost\n"
		     "  ─────────────────  ──────  ─────\n"
		     "  a model of a wor…     150  $0.02\n"
		     "  b                    2500\n"},
		{20, "  name   tok…  cost\n"
		     "  ─────  ────  ─────\n"
		     "  a mo…   150  $0.02\n"
		     "  b      2500\n"},
		{17, "  name  tok…  …+1\n"
		     "  ────  ────\n"
		     "  a m…   150\n"
		     "  b     2500\n"},
		{16, "  name       …+2\n"
		     "  ─────────\n"
		     "  a model …\n"
		     "  b\n"},
		{6, "  name\n"
		    "  ────\n"
		    "  a m…\n"
		    "  b\n"},
		{0, "  name                tokens  cost\n"
		    "  ──────────────────  ──────  ─────\n"
		    "  a model of a world     150  $0.02\n"
		    "  b                     2500\n"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		static const struct table_column titles[] = {{.title = {"name", 4}},
			{.title = {"tokens", 6}, .right = true}, {.title = {"cost", 4}}};
		struct doc d = {0};
		struct table *t;

		doc_width(&d, cases[i].width);
		t = table_new(&d, titles, 3, 2, 0, false);
		table_add_header(&d, t);
		table_add_row(&d, t,
			(struct table_cell[]){{.text = STR("a model of a world")},
				{.text = STR("150")}, {.text = STR("$0.02")}},
			7);
		table_add_row(&d, t,
			(struct table_cell[]){{.text = STR("b")}, {.text = STR("2500")},
				{.role = ROLE_DIM}},
			9);
		cr_assert_eq(d.count, 3);
		cr_assert_eq(d.blocks[0].index, UINT64_MAX);
		cr_assert_eq(d.blocks[2].index, 9);
		assert_doc(&d, cases[i].text);
		doc_done(&d);
	}
}

Test(table, old_text_gives_way_to_the_new)
{
	static const struct {
		uint32_t width;
		const char *row;
	} cases[] = {{30, "Applied → Interview"}, {19, "Applied → Interview"},
		{18, "Appli… → Interview"}, {14, "A… → Interview"}, {13, "Interview"},
		{9, "Interview"}, {8, "Intervi…"}, {2, "I…"}, {1, "…"}};

	for (size_t i = 0; i < COUNT(cases); i++) {
		static const struct table_column title[] = {{.title = {"", 0}}};
		struct table_cell cell = {.text = STR("Interview"),
			.old = STR("Applied"),
			.role = ROLE_CHANGED};
		struct doc d = {0};
		struct table *t;
		struct buf text = BUF_INIT;

		doc_width(&d, cases[i].width);
		t = table_new(&d, title, 1, 0, 0, false);
		table_add_header(&d, t);
		table_add_row(&d, t, &cell, 0);
		lines_plain(doc_layout(&d, 1), 0, &text);
		assert_text(&text, cases[i].row, "row");
		doc_done(&d);
	}
}

Test(table, objects_open_to_their_json)
{
	struct doc d = {0};

	doc_width(&d, 40);
	table_add_objects(&d,
		jv_parse(STR(
			"[{\"a\":1,\"b\":\"x\"},{\"b\":{\"c\":[2]}},\"s\",{}]")),
		0, 0);
	cr_assert_eq(d.count, 5);
	toggle(&d, "▸    {\"c\"");
	assert_doc(&d, "  a  b\n"
		       "  ─  ─────────\n"
		       "▸ 1  x\n"
		       "▾    {\"c\":[2]}\n"
		       "  ▾ \"b\": { 1 key\n"
		       "    ▾ \"c\": [ 1 item\n"
		       "        0: 2\n"
		       "  \"s\"\n"
		       "▸\n");
	toggle(&d, "▾    {");
	cr_assert_eq(d.count, 5);
	d.places[0] = (struct place){4, 0};
	cr_assert_not(doc_toggle(&d, &d.places[0]), "nothing in it");
	doc_done(&d);
}

Test(table, values_on_one_line)
{
	static const struct {
		const char *json, *text;
		enum role role;
	} cases[] = {
		{"\"a\\nb\"", "a\nb", ROLE_TEXT},
		{"1.50", "1.50", ROLE_TEXT},
		{"null", "null", ROLE_LITERAL},
		{"[\"one\", \"two\"]", "one, two", ROLE_TEXT},
		{"[\"one\", 2]", "[\"one\",2]", ROLE_DIM},
		{"[]", "[]", ROLE_DIM},
		{"{ \"a\":\n [1, {}] }", "{\"a\":[1,{}]}", ROLE_DIM},
		{"{\"a\": \"cut", "{\"a\":\"cut\"}", ROLE_DIM},
		{"oops", "oops", ROLE_ERROR},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct arena arena = {0};
		struct doc d = {0};
		struct table_cell cell =
			table_value(&d, jv_parse(str_of(cases[i].json)), &arena);

		cr_expect(str_equal(cell.text, str_of(cases[i].text)), "case %zu: %.*s",
			i, (int)cell.text.n, cell.text.p);
		cr_expect_eq(cell.role, cases[i].role, "case %zu", i);
		arena_done(&arena);
	}
}

Test(table, thousands_of_rows_come_when_they_are_reached)
{
	struct buf json = BUF_INIT;
	struct doc d = {0};
	struct place end;

	buf_byte(&json, '[');
	for (int i = 0; i < 12345; i++)
		buf_printf(&json, "%s{\"n\":%d}", i ? "," : "", i);
	buf_byte(&json, ']');
	doc_width(&d, 40);
	table_add_objects(&d, jv_parse(buf_view(&json)), 0, 0);
	cr_assert_leq(d.count, 1002);
	end = doc_end(&d);
	cr_assert_eq(d.blocks[end.block].index, 12344);
	cr_assert(doc_up(&d, &end, 12344 + 2));
	cr_assert_eq(end.block, 0);
	doc_done(&d);
	buf_done(&json);
}

Test(table, a_panel_is_no_wider_than_it_says)
{
	struct payload_type type = {.name = STR("list"),
		.title = STR("A List"),
		.icon = STR("\xF0\x9F\x94\x8D"),
		.panel_width = 200};
	struct doc d = {0};
	struct jv data = jv_parse(STR("[{\"a\": \"some words that are long\"}]"));

	doc_width(&d, 80);
	payload_add(&d, type.name, &type, data, NULL);
	assert_doc(&d, "  🔍 A List  list\n"
		       "      a\n"
		       "      ───────────────────────\n"
		       "    ▸ some words that are lo…\n"
		       "    ▸ json\n");
	doc_done(&d);
}

/* ---- other payloads ---- */

static const char found[] = TEXT({
	"query" : "heart",
	"total" : 2,
	"ok" : true,
	"none" : null,
	"articles" : [
		{"pmid" : 1, "title" : "A long title about hearts"},
		{"pmid" : 20, "title" : "B"}
	],
	"page" : {"next" : 2}
});

Test(payload, facts_then_the_list_then_the_rest)
{
	struct doc d = doc_of("pubmed_search_results", found, NULL, 30, false);

	assert_doc(&d, "  pubmed_search_results\n"
		       "    query: heart\n"
		       "    total: 2\n"
		       "    ok: true\n"
		       "    none: null\n"
		       "    articles: 2\n"
		       "      pmid  title\n"
		       "      ────  ──────────────────\n"
		       "    ▸    1  A long title abou…\n"
		       "    ▸   20  B\n"
		       "    ▾ \"page\": { 1 key\n"
		       "        \"next\": 2\n"
		       "    ▸ json\n");
	toggle(&d, "json,");
	cr_assert_gt(d.count, 15);
	toggle(&d, "json,");
	cr_assert_eq(d.count, 12);
	doc_done(&d);
	d = doc_of("pubmed_search_results", found, NULL, 30, true);
	assert_doc(&d, "  pubmed_search_results\n"
		       "    query: heart\n"
		       "    total: 2\n"
		       "    ok: true\n"
		       "    none: null\n"
		       "    articles: 2\n"
		       "    pmid  title\n"
		       "    ────  ────────────────────\n"
		       "       1  A long title about\n"
		       "          hearts\n"
		       "      20  B\n"
		       "    ▾ \"page\": { 1 key\n"
		       "        \"next\": 2\n");
	doc_done(&d);
}

/* On paper nothing falls off: what is too wide for a table is a tree. */
Test(payload, too_wide_for_paper)
{
	struct doc d =
		doc_of("x", "[{\"aaaaa\":1,\"bbbbb\":2,\"ccccc\":3}]", NULL, 16, true);

	assert_doc(&d, "  x\n"
		       "    ▾ 0: { 3 keys\n"
		       "        \"aaaaa\":\n"
		       "        1\n"
		       "        \"bbbbb\":\n"
		       "        2\n"
		       "        \"ccccc\":\n"
		       "        3\n");
	doc_done(&d);
}

Test(payload, of_any_kind)
{
	static const char *const cases[][2] = {
		{"\"text\"", "  x\n      \"text\"\n"},
		{"{}", "  x\n    ▸ json\n"},
		{"[]", "  x\n      []\n"},
		{"[1]", "  x\n    ▾ [ 1 item\n        0: 1\n"},
		{"", "  x\n"},
		{"{\"a\": \"\\u001b[2J\", 7}", "  x\n    a: ␛[2J\n      7\n    ▸ json\n"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct doc d = doc_of("x", cases[i][0], NULL, 40, false);

		assert_doc(&d, cases[i][1]);
		doc_done(&d);
	}
}

Test(payload, an_icon_only_where_it_can_be_shown)
{
	static const struct {
		const char *icon, *title;
	} cases[] = {{"\xF0\x9F\x94\x8D", "  🔍 T  x\n"}, {"\xEE\x80\x80", "  T  x\n"},
		{"\x1b[", "  T  x\n"}, {"", "  T  x\n"}, {"\xF0\x9F", "  T  x\n"}};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct payload_type type = {
			.title = STR("T"), .icon = str_of(cases[i].icon)};
		struct doc d = {0};

		doc_width(&d, 40);
		payload_add(&d, STR("x"), &type, (struct jv)JV_NONE, NULL);
		assert_doc(&d, cases[i].title);
		doc_done(&d);
	}
}
