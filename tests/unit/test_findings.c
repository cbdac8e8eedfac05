/*
 * The rules of `catena check`, on steps as small as they can be, and the findings as a
 * document.  A trace's findings are written down in short and compared with a table: a
 * line each, "STEP PATH severity rule".
 */
#include "config.h"
#include <criterion/criterion.h>

#include <stdlib.h>

#include "analysis/check.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/work.h"
#include "import/load.h"
#include "json/json.h"
#include "json/route.h"
#include "view/report.h"

#include "loaded.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* One step with its two sides, and other members of its properties before them. */
#define STEP(more, input, output)                                                        \
	"{\"event\":\"$ai_generation\",\"trace_id\":\"t\",\"properties\":{" more         \
	"\"$ai_input\":" input ",\"$ai_output_choices\":" output "}}\n"
#define SAYS(input, output) STEP("", "[" input "]", "[" output "]")
#define USER(text)          "{\"role\":\"user\",\"content\":\"" text "\"}"
#define MODEL(text)         "{\"role\":\"assistant\",\"content\":\"" text "\"}"
#define CALL(id, name, arguments)                                                        \
	"{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"" id         \
	"\",\"type\":\"function\",\"function\":{\"name\":\"" name                        \
	"\",\"arguments\":" arguments "}}]}"
#define RESULT(id, content)                                                              \
	"{\"role\":\"tool\",\"tool_call_id\":\"" id "\",\"content\":" content "}"
#define CALLED "output.messages[0].tool_calls[0]"

static struct registry *registry;

/* Beside what is built in: a tool of each kind, a page with an action. */
static const char *const definitions =
	"payload_types:\n"
	"  chart:\n"
	"    description: a chart\n"
	"    source: tool\n"
	"    schema: {type: object, required: [points]}\n"
	"tools:\n"
	"  draw: {description: draws, payload_type: chart,\n"
	"    input_schema: {type: object, required: [title],\n"
	"      properties: {title: {type: string}, deep: {type: array,\n"
	"        items: {type: integer}}}}}\n"
	"pages:\n"
	"  reports:\n"
	"    description: reports\n"
	"    payload_types: []\n"
	"    client_actions: {view_report: shows it}\n";

static size_t rule_count(void)
{
	size_t n = 0;

	while (check_rule_at(n))
		n++;
	return n;
}

static void set_up(void)
{
	struct err err = {.offset = ERR_NOWHERE};

	json_init();
	registry = registry_new();
	cr_assert(registry_add(registry, "test", str_of(definitions), &err), "%s",
		err.text);
	registry_link(registry);
}

static void tear_down(void)
{
	registry_free(registry);
}

TestSuite(findings, .init = set_up, .fini = tear_down);

static void write_findings(const struct findings *f, struct buf *out)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct finding *x = &f->items[i];

		if (x->step == NO_STEP)
			buf_text(out, "-");
		else
			buf_printf(out, "%zu", x->index);
		buf_printf(out, " %s %s %s\n", x->path, severity_names[x->severity],
			x->rule->name);
	}
}

/* The findings of a trace whose steps all have these flags; to be released. */
static char *check_flagged(struct str text, const char *page, uint32_t flags)
{
	struct loaded x = load_text(text);
	struct check *c = check_new(x.trace, registry, str_of(page));
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < x.trace->count; i++)
		trace_flag(x.trace, i, flags);
	cr_assert_eq(check_run(c, clock_deadline(UINT64_MAX)), TASK_DONE);
	buf_text(&out, "");
	write_findings(&c->findings, &out);
	check_free(c);
	unload(&x);
	return buf_take(&out);
}

/* The findings of a trace in short; to be released. */
static char *check_text(struct str text, const char *page)
{
	return check_flagged(text, page, 0);
}

struct expectation {
	const char *trace, *page, *want;
};

static void expect_all(const struct expectation *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *got = check_text(str_of(rows[i].trace), rows[i].page);

		cr_expect(strcmp(got, rows[i].want) == 0, "%s\ngives\n%snot\n%s",
			rows[i].trace, got, rows[i].want);
		mem_free(got);
	}
}

/* ---- the text of a step ---- */

Test(findings, steps)
{
	static const struct expectation rows[] = {
		{SAYS(USER("a"), MODEL("b")), NULL, ""},
		{SAYS(USER("a"), MODEL("b")) "{\"event\":\"x\" \"y\"}\n", NULL,
			"1 . error step-unreadable\n"},
		{STEP("\"n\":NaN,", "[]", "[]") SAYS(USER("a"), MODEL("b")), NULL,
			"0 . warning step-repaired\n"},
		{SAYS(USER("a"), MODEL("b")) "{\"event\":\"x\",\"properties\":{\"a\":\"b",
			NULL, "1 . warning step-repaired\n"},
		{"{\"a\":1}\n", NULL, ""},
		{"", NULL, ""},
	};

	expect_all(rows, COUNT(rows));
}

/* ---- arguments ---- */

#define OFFERS(tools) "\"$ai_tools\":[" tools "],"
#define CITY                                                                             \
	"{\"type\":\"object\",\"required\":[\"city\"],\"properties\":"                   \
	"{\"city\":{\"type\":\"string\"}}}"
#define ASKS(tools, call) STEP(OFFERS(tools), "[" USER("q") "]", "[" call "]")

Test(findings, arguments)
{
	static const struct expectation rows[] = {
		/* no JSON */
		{SAYS(USER("q"), CALL("1", "t", "\"{]\"")), NULL,
			CALLED ".function.arguments error arguments-not-json\n"},
		{SAYS(USER("q"), CALL("1", "t", "\"{\\\"a\\\": NaN}\"")), NULL,
			CALLED ".function.arguments error arguments-not-json\n"},
		{SAYS(USER("q"), CALL("1", "t", "\"{\\\"a\\\": 1}\"")), NULL, ""},
		{SAYS(USER("q"), CALL("1", "t", "\"\"")), NULL, ""},
		{SAYS(USER("q"), CALL("1", "t", "null")), NULL, ""},
		{SAYS(USER("q"), CALL("1", "t", "{\"a\":1}")), NULL, ""},
		{SAYS(USER("q"), "{\"type\":\"custom_tool_call\",\"call_id\":\"1\","
				 "\"name\":\"t\",\"input\":\"any text\"}"),
			NULL, ""},
		/* registered */
		{SAYS(USER("q"), CALL("1", "draw", "\"{\\\"title\\\": 5}\"")), NULL,
			CALLED ".function.arguments.title error arguments-schema\n"},
		{SAYS(USER("q"), CALL("1", "draw", "{}")), NULL,
			CALLED " error arguments-schema\n"},
		{SAYS(USER("q"),
			 CALL("1", "draw", "{\"title\":\"a\",\"deep\":[1,\"b\",2]}")),
			NULL,
			CALLED ".function.arguments.deep[1] error arguments-schema\n"},
		/* offered in the step, in the forms of vendors */
		{ASKS("{\"name\":\"w\",\"input_schema\":" CITY "}",
			 CALL("1", "w", "{\"a\":1}")),
			NULL, CALLED ".function.arguments error arguments-schema\n"},
		{ASKS("{\"type\":\"function\",\"function\":{\"name\":\"w\","
		      "\"parameters\":" CITY "}}",
			 CALL("1", "w", "{\"a\":1}")),
			NULL, CALLED ".function.arguments error arguments-schema\n"},
		{ASKS("{\"toolSpec\":{\"name\":\"w\",\"inputSchema\":{\"json\":" CITY
		      "}}}",
			 CALL("1", "w", "{\"a\":1}")),
			NULL, CALLED ".function.arguments error arguments-schema\n"},
		{ASKS("{\"functionDeclarations\":[{\"name\":\"w\",\"parameters\":" CITY
		      "}]}",
			 CALL("1", "w", "{\"a\":1}")),
			NULL, CALLED ".function.arguments error arguments-schema\n"},
		{ASKS("{\"name\":\"w\",\"input_schema\":" CITY "}",
			 CALL("1", "w", "{\"city\":\"a\"}")),
			NULL, ""},
		{ASKS("{\"name\":\"other\",\"input_schema\":" CITY "}",
			 CALL("1", "w", "{\"a\":1}")),
			NULL, ""},
		/* a schema that is none */
		{ASKS("{\"name\":\"w\",\"input_schema\":{\"type\":\"OBJECT\"}}",
			 CALL("1", "w", "{\"a\":1}")),
			NULL, ""},
		/* the registry's comes first */
		{ASKS("{\"name\":\"draw\",\"input_schema\":" CITY "}",
			 CALL("1", "draw", "{\"title\":\"a\"}")),
			NULL, ""},
		/* a request as it is sent */
		{"{\"messages\":[" USER("q") "," CALL("1", "w",
			 "{\"a\":1}") "],"
				      "\"tools\":[{\"name\":\"w\",\"input_schema\":" CITY
				      "}]}",
			NULL,
			"0 input.messages[1].tool_calls[0].function.arguments error "
			"arguments-schema\n"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		bool plain = !rows[i].want[0] || rows[i].want[0] == '0';
		struct buf want = BUF_INIT;

		buf_printf(&want, "%s%s", plain ? "" : "0 ", rows[i].want);
		expect_all(&(struct expectation){rows[i].trace, NULL, want.data}, 1);
		buf_done(&want);
	}
}

/* A value with a thousand mistakes does not give a thousand findings. */
Test(findings, many_mistakes_in_one_value)
{
	struct buf text = BUF_INIT;
	size_t lines = 0;
	char *got;

	buf_text(&text,
		"{\"event\":\"$ai_generation\",\"properties\":{\"$ai_input\":\"q\","
		"\"$ai_output_choices\":[{\"role\":\"assistant\",\"content\":[{"
		"\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"draw\",\"input\":"
		"{\"title\":\"t\",\"deep\":[0");
	for (int i = 0; i < 1000; i++)
		buf_text(&text, ",\"x\"");
	buf_text(&text, "]}}]}]}}");
	got = check_text(buf_view(&text), NULL);
	for (const char *p = got; *p; p++)
		lines += *p == '\n';
	cr_expect_eq(lines, 11, "%zu findings", lines);
	mem_free(got);
	buf_done(&text);
}

/* JSON, but too deep to be decoded: no pass, and not called no JSON. */
Test(findings, deep_arguments)
{
	struct buf text = BUF_INIT;
	char *got;

	buf_text(&text, "{\"messages\":[" USER(
				"q") ",{\"role\":\"assistant\",\"tool_calls\":"
				     "[{\"id\":\"1\",\"name\":\"draw\",\"input\":\"");
	buf_fill(&text, '[', 5000);
	buf_fill(&text, ']', 5000);
	buf_text(&text, "\"}]}]}");
	got = check_text(buf_view(&text), NULL);
	cr_expect_str_eq(
		got, "0 input.messages[1].tool_calls[0].input error arguments-schema\n");
	mem_free(got);
	buf_done(&text);
}

/* ---- calls and results ---- */

Test(findings, pairs)
{
	static const struct expectation rows[] = {
		{SAYS(USER("q") "," CALL("1", "t", "{}") "," RESULT("1", "\"r\""),
			 MODEL("b")),
			NULL, ""},
		/* open: nothing could have answered yet */
		{SAYS(USER("q"), CALL("1", "t", "{}")), NULL, ""},
		{SAYS(USER("q") "," CALL("1", "t", "{}"), MODEL("b")), NULL, ""},
		{SAYS(USER("q") "," CALL("1", "t", "{}") "," MODEL("wait"), MODEL("b")),
			NULL, ""},
		{SAYS(USER("q") "," CALL("1", "t", "{}") "," USER("w"), MODEL("b")), NULL,
			"0 input.messages[1].tool_calls[0] warning "
			"call-without-result\n"},
		/* one of two answered */
		{SAYS(USER("q") ",{\"role\":\"assistant\",\"content\":["
				"{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"t\","
				"\"input\":{}},"
				"{\"type\":\"tool_use\",\"id\":\"2\",\"name\":\"t\","
				"\"input\":{}}]},"
				"{\"role\":\"user\",\"content\":[{\"type\":\"tool_"
				"result\","
				"\"tool_use_id\":\"1\",\"content\":\"r\"}]}",
			 MODEL("b")),
			NULL,
			"0 input.messages[1].content[1] warning call-without-result\n"},
		/* run by the provider */
		{SAYS(USER("q") ",{\"role\":\"assistant\",\"content\":[{\"type\":"
				"\"server_tool_use\",\"id\":\"1\",\"name\":\"t\","
				"\"input\":{}}]}," USER("w"),
			 MODEL("b")),
			NULL, ""},
		/* by a result that names no call */
		{SAYS(USER("q") "," CALL(
			      "1", "t", "{}") ",{\"role\":\"tool\",\"content\":"
					      "\"r\"}," USER("w"),
			 MODEL("b")),
			NULL, ""},
		/* by a tool in a role of old */
		{SAYS(USER("q") "," CALL("1", "t", "{}") ",{\"role\":\"function\","
							 "\"name\":\"t\",\"content\":"
							 "\"r\"}," USER("w"),
			 MODEL("b")),
			NULL, ""},
		{SAYS(USER("q") "," RESULT("1", "\"r\""), MODEL("b")), NULL,
			"0 input.messages[1] warning result-without-call\n"},
		/* its call came in the step before */
		{SAYS(USER("q"), CALL("1", "t", "{}"))
				SAYS(RESULT("1", "\"r\""), MODEL("b")),
			NULL, ""},
		{SAYS(USER("q"), CALL("1", "t", "{}"))
				SAYS(RESULT("2", "\"r\""), MODEL("b")),
			NULL, "1 input.messages[0] warning result-without-call\n"},
	};

	expect_all(rows, COUNT(rows));
}

/* Of a run of values the results of its calls stand in the next one. */
Test(findings, pairs_of_turns)
{
	static const char *const traces[] = {
		SAYS(USER("q") "," CALL("1", "t", "{}") "," USER("w"), MODEL("b")),
		SAYS(USER("q") "," RESULT("1", "\"r\""), MODEL("b")),
	};

	for (size_t i = 0; i < COUNT(traces); i++) {
		char *got = check_flagged(str_of(traces[i]), NULL, STEP_TURN);

		cr_expect_str_eq(got, "", "%s\ngives\n%s", traces[i], got);
		mem_free(got);
	}
}

#define SYSTEM "{\"role\":\"system\",\"content\":\"s\"}"

Test(findings, order_of_roles)
{
	static const struct expectation rows[] = {
		{SAYS(SYSTEM "," SYSTEM "," USER("q") "," USER("q"), MODEL("b")), NULL,
			""},
		{SAYS(USER("q") ",{\"role\":\"developer\",\"content\":\"d\"}," USER("q"),
			 MODEL("b")),
			NULL, ""},
		{SAYS(SYSTEM "," MODEL("hello") "," USER("q"), MODEL("b")), NULL, ""},
		{SAYS(USER("q") "," SYSTEM "," USER("q"), MODEL("b")), NULL,
			"0 input.messages[1] warning role-order\n"},
		{SAYS(CALL("1", "t", "{}") "," USER("w") "," RESULT("1", "\"r\""),
			 MODEL("b")),
			NULL, "0 input.messages[2] warning role-order\n"},
		{SAYS(CALL("1", "t", "{}") "," MODEL("w") "," RESULT("1", "\"r\""),
			 MODEL("b")),
			NULL, ""},
		{SAYS(CALL("1", "t", "{}") "," CALL("2", "t", "{}") "," RESULT(
			      "1", "\"r\"") "," RESULT("2", "\"r\""),
			 MODEL("b")),
			NULL, ""},
		{SAYS(RESULT("1", "\"r\"") "," CALL("1", "t", "{}"), MODEL("b")), NULL,
			"0 input.messages[0] warning role-order\n"},
	};

	expect_all(rows, COUNT(rows));
}

/* ---- each mistake once ---- */

Test(findings, history_repeats)
{
	static const struct expectation rows[] = {
		{SAYS(USER("q"), CALL("1", "t", "\"{]\"")) SAYS(
			 USER("q") "," CALL("1", "t", "\"{]\"") "," RESULT("1", "\"r\""),
			 MODEL("b")),
			NULL,
			"0 " CALLED ".function.arguments error arguments-not-json\n"},
		/* the same call, written in another way */
		{SAYS(USER("q"), CALL("1", "t", "\"{]\""))
				SAYS(USER("q") ",{\"role\":\"assistant\",\"tool_calls\":["
					       "{\"id\":\"1\","
					       "\"function\":{\"arguments\":\"{]\","
					       "\"name\":\"t\"}}]}," RESULT("1", "\"r\""),
					MODEL("b")),
			NULL,
			"0 " CALLED ".function.arguments error arguments-not-json\n"},
		/* another call */
		{SAYS(USER("q"), CALL("1", "t", "\"{]\""))
				SAYS(USER("q"), CALL("2", "t", "\"{]\"")),
			NULL,
			"0 " CALLED ".function.arguments error arguments-not-json\n"
			"1 " CALLED ".function.arguments error arguments-not-json\n"},
		{SAYS(USER("q") "," CALL("1", "t", "{}") "," USER("w"), MODEL("b"))
				SAYS(USER("q") "," CALL("1", "t", "{}") "," USER(
					     "w") "," MODEL("b") "," USER("x"),
					MODEL("c")),
			NULL,
			"0 input.messages[1].tool_calls[0] warning "
			"call-without-result\n"},
		{SAYS(USER("q"), MODEL("SUGGESTED_VALUES: none")) SAYS(
			 USER("q") "," MODEL("SUGGESTED_VALUES: none") "," USER("x"),
			 MODEL("c")),
			NULL,
			"0 output.messages[0].content warning marker-without-json\n"},
		{SAYS(USER("q") "," SYSTEM, MODEL("b")) SAYS(
			 USER("q") "," SYSTEM "," MODEL("b") "," USER("x"), MODEL("c")),
			NULL, "0 input.messages[1] warning role-order\n"},
	};

	expect_all(rows, COUNT(rows));
}

Test(findings, another_trace_begins_anew)
{
	static const char one[] = "{\"event\":\"$ai_generation\",\"trace_id\":\"%s\","
				  "\"properties\":{\"$ai_input\":\"q\","
				  "\"$ai_output_choices\":\"SUGGESTED_VALUES: x\"}}\n";
	struct buf text = BUF_INIT;

	buf_printf(&text, one, "a");
	buf_printf(&text, one, "b");
	buf_printf(&text, one, "a");
	expect_all(&(struct expectation){text.data, NULL,
			   "0 output.text warning marker-without-json\n"
			   "0 output.text warning marker-without-json\n"},
		1);
	buf_done(&text);
}

/* ---- responses ---- */

#define ANSWER(text) SAYS(USER("q"), MODEL(text))
#define HERE         "0 output.messages[0].content "
#define VALUE(label) "{\\\"label\\\":\\\"" label "\\\",\\\"value\\\":\\\"v\\\"}"
#define VALUES(list) "SUGGESTED_VALUES: [" list "]"
#define TWO          VALUES(VALUE("one two") "," VALUE("three four"))
#define ACTION(action, handler)                                                          \
	"SUGGESTED_ACTIONS: [{\\\"label\\\":\\\"Go\\\",\\\"action\\\":\\\"" action       \
	"\\\",\\\"handler\\\":\\\"" handler "\\\"}]"
#define UPDATE                                                                           \
	"SCHEMA_PROPOSAL: {\\\"mode\\\":\\\"update\\\",\\\"operations\\\":["             \
	"{\\\"action\\\":\\\"remove\\\",\\\"column_id\\\":\\\"c\\\"}]}"
#define ROWS                                                                             \
	"DATA_PROPOSAL: {\\\"operations\\\":[{\\\"action\\\":\\\"delete\\\","            \
	"\\\"row_id\\\":1}]}"

Test(findings, responses)
{
	static const struct expectation rows[] = {
		{ANSWER("Hello. " TWO), NULL, ""},
		{ANSWER("**SUGGESTED_ACTIONS**: none"), NULL,
			HERE "warning marker-without-json\n"},
		{ANSWER(UPDATE), NULL, ""},
		{ANSWER(UPDATE " " ROWS), NULL, HERE "warning second-payload\n"},
		{ANSWER(UPDATE " " UPDATE " " UPDATE), NULL,
			HERE "warning second-payload\n" HERE "warning second-payload\n"},
		{ANSWER(UPDATE " " TWO), NULL,
			HERE "warning suggestions-beside-payload\n"},
		{ANSWER(VALUES(VALUE("one two"))), NULL,
			HERE "warning suggestion-count\n"},
		{ANSWER(VALUES("")), NULL, HERE "warning suggestion-count\n"},
		{ANSWER(VALUES(VALUE("a b") "," VALUE("a b") "," VALUE("a b") "," VALUE(
			 "a b") "," VALUE("a b"))),
			NULL, HERE "warning suggestion-count\n"},
		{ANSWER(VALUES(VALUE("one") "," VALUE("a b c d e f g"))), NULL,
			HERE "warning suggestion-count\n" HERE
			     "warning suggestion-count\n"},
		{ANSWER(VALUES(VALUE("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E") "," VALUE(
			 "one two"))),
			NULL, ""},
		{ANSWER(VALUES("{\\\"label\\\":\\\"one two\\\"}," VALUE("one two"))),
			NULL, HERE "error suggestion-schema\n"},
		{ANSWER(ACTION("close_chat", "client")), NULL, ""},
		{ANSWER(ACTION("close_chat", "server")), NULL,
			HERE "warning action-handler\n"},
		{ANSWER(ACTION("fly", "client")), NULL, HERE "error action-unknown\n"},
		/* a page's own action: on that page, and when no page is known */
		{ANSWER(ACTION("view_report", "client")), NULL, ""},
		{ANSWER(ACTION("view_report", "client")), "reports", ""},
		{ANSWER(ACTION("view_report", "client")), "table_view",
			HERE "error action-unknown\n"},
		/* texts are joined: the marker in one part, its value in the next */
		{SAYS(USER("q"),
			 "{\"role\":\"assistant\",\"content\":["
			 "{\"type\":\"text\",\"text\":\"Well. SUGGESTED_VALUES:\"},"
			 "{\"type\":\"text\",\"text\":\"[]\"},"
			 "{\"type\":\"text\",\"text\":\" SUGGESTED_ACTIONS: \"}]}"),
			NULL,
			"0 output.messages[0].content[2].text warning "
			"marker-without-json\n"
			"0 output.messages[0].content[0].text warning "
			"suggestion-count\n"},
		/* only models answer so */
		{SAYS(USER("SUGGESTED_VALUES: x"), MODEL("b")), NULL, ""},
		{STEP("", "\"SUGGESTED_VALUES: x\"", "\"SUGGESTED_VALUES: y\""), NULL,
			"0 output.text warning marker-without-json\n"},
	};

	expect_all(rows, COUNT(rows));
}

Test(findings, pages)
{
	static const struct expectation rows[] = {
		{ANSWER(ROWS), "table_view", ""},
		{ANSWER(ROWS), NULL, ""},
		{ANSWER(ROWS), "table_edit", HERE "warning payload-off-page\n"},
		{ANSWER(ROWS), "nowhere", HERE "warning payload-off-page\n"},
		/* no second payload: the page has only one of them */
		{ANSWER(UPDATE " " ROWS), "table_edit",
			HERE "warning payload-off-page\n"},
		/* a tool's payload is on every page */
		{SAYS(CALL("1", "draw", "{\"title\":\"a\"}") "," RESULT("1",
			      "{\"payload\":{\"type\":\"chart\",\"data\":{"
			      "\"points\":[]}}}"),
			 MODEL("b")),
			"table_edit", ""},
	};

	expect_all(rows, COUNT(rows));
}

/* ---- payloads ---- */

#define DRAWN(content)                                                                   \
	SAYS(CALL("1", "draw", "{\"title\":\"a\"}") "," RESULT("1", content), MODEL("b"))
#define AT "0 input.messages[1].content"

Test(findings, tool_payloads)
{
	static const struct expectation rows[] = {
		{DRAWN("{\"payload\":{\"type\":\"chart\",\"data\":{\"points\":[]}}}"),
			NULL, ""},
		{DRAWN("{\"payload\":{\"type\":\"chart\",\"data\":{}}}"), NULL,
			AT ".payload.data error payload-schema\n"},
		/* as JSON in a string, and in an item */
		{DRAWN("\"{\\\"payload\\\":{\\\"type\\\":\\\"chart\\\",\\\"data\\\":{}}}"
		       "\""),
			NULL, AT ".payload.data error payload-schema\n"},
		{DRAWN("[{\"type\":\"text\",\"text\":\"{\\\"payload\\\":{\\\"type\\\":"
		       "\\\"chart\\\",\\\"data\\\":{}}}\"}]"),
			NULL, AT "[0].text.payload.data error payload-schema\n"},
		{DRAWN("{\"payload\":{\"type\":\"sea_map\",\"data\":{}}}"), NULL,
			AT ".payload.type error payload-type-mismatch\n" AT
			   ".payload.data note payload-unknown\n"},
		{DRAWN("{\"payload\":{\"type\":\"chart\"}}"), NULL,
			AT ".payload.data error payload-schema\n"},
		/* nothing of ours */
		{DRAWN("{\"payload\":\"x\"}"), NULL, ""},
		{DRAWN("{\"payload\":{\"type\":5,\"data\":{}}}"), NULL, ""},
		{SAYS(CALL("1", "other", "{}") "," RESULT(
			      "1", "{\"payload\":{\"type\":\"x\"}}"),
			 MODEL("b")),
			NULL, ""},
	};

	expect_all(rows, COUNT(rows));
}

#define SCHEMA(mode, more, operations)                                                   \
	ANSWER("SCHEMA_PROPOSAL: {\\\"mode\\\":\\\"" mode "\\\"," more                   \
	       "\\\"operations\\\":[" operations "]}")
#define NAMED         "\\\"table_name\\\":\\\"T\\\",\\\"table_description\\\":\\\"D\\\","
#define SAMPLES(rows) "\\\"sample_rows\\\":[" rows "],"
#define ADD(column, more)                                                                \
	"{\\\"action\\\":\\\"add\\\",\\\"column\\\":{\\\"name\\\":\\\"A\\\"," column     \
	"}" more "}"
#define TEXT    "\\\"type\\\":\\\"text\\\""
#define SELECT  "\\\"type\\\":\\\"select\\\""
#define OPTIONS ",\\\"options\\\":[\\\"x\\\"]"
#define MODIFY(changes)                                                                  \
	"{\\\"action\\\":\\\"modify\\\",\\\"column_id\\\":\\\"c\\\",\\\"changes\\\":"    \
	"{" changes "}}"

Test(findings, proposals)
{
	static const struct expectation rows[] = {
		{SCHEMA("create", NAMED SAMPLES("{},{}"), ADD(TEXT, "")), NULL, ""},
		{SCHEMA("create", SAMPLES("{},{}"), ADD(TEXT, "")), NULL,
			HERE "error proposal-mode\n" HERE "error proposal-mode\n"},
		{SCHEMA("create", NAMED, ADD(TEXT, "")), NULL,
			HERE "error proposal-mode\n"},
		{SCHEMA("create", NAMED SAMPLES("{}"), ADD(TEXT, "")), NULL,
			HERE "warning proposal-mode\n"},
		{SCHEMA("create", NAMED SAMPLES("{},{},{},{},{}"), ADD(TEXT, "")), NULL,
			HERE "warning proposal-mode\n"},
		{SCHEMA("create", NAMED SAMPLES("{},{},{},{},{},{}"), ADD(TEXT, "")),
			NULL, HERE "error payload-schema\n"},
		/* the wrong type is one mistake, not two */
		{SCHEMA("create", NAMED "\\\"sample_rows\\\":{},", ADD(TEXT, "")), NULL,
			HERE "error payload-schema\n"},
		{SCHEMA("create", NAMED SAMPLES("{},{}"), MODIFY("")), NULL,
			HERE "error proposal-mode\n"},
		{SCHEMA("create", NAMED SAMPLES("{},{}"),
			 ADD(TEXT, "") "," ADD(
				 TEXT, ",\\\"after_column_id\\\":\\\"A\\\"")),
			NULL, ""},
		{SCHEMA("create", NAMED SAMPLES("{},{}"),
			 ADD(TEXT, ",\\\"after_column_id\\\":\\\"col_1\\\"")),
			NULL, HERE "error proposal-mode\n"},
		{SCHEMA("update", "",
			 ADD(TEXT, ",\\\"after_column_id\\\":\\\"col_1\\\"")),
			NULL, ""},
		{SCHEMA("update", SAMPLES("{},{}"), ADD(TEXT, "")), NULL,
			HERE "error proposal-mode\n"},
		{SCHEMA("update", "",
			 "{\\\"action\\\":\\\"remove\\\",\\\"name\\\":\\\"A\\\"}"),
			NULL, HERE "error payload-schema\n" HERE "error proposal-mode\n"},
		{SCHEMA("update", "", ADD(SELECT OPTIONS, "")), NULL, ""},
		{SCHEMA("update", "", ADD(SELECT, "")), NULL,
			HERE "error proposal-options\n"},
		{SCHEMA("update", "", MODIFY(SELECT)), NULL,
			HERE "error proposal-options\n"},
		{SCHEMA("update", "", MODIFY(SELECT OPTIONS)), NULL, ""},
		{SCHEMA("update", "", MODIFY("\\\"required\\\":true")), NULL, ""},
		{SCHEMA("update", "", ADD(TEXT OPTIONS, "")), NULL,
			HERE "warning proposal-options\n"},
		{SCHEMA("update", "", ADD(TEXT ",\\\"filterDisplay\\\":\\\"tab\\\"", "")),
			NULL, HERE "error proposal-options\n"},
		/* without a type nothing can be said */
		{SCHEMA("update", "", MODIFY("\\\"filterDisplay\\\":\\\"tab\\\"")), NULL,
			""},
	};

	expect_all(rows, COUNT(rows));
}

/* ---- totals ---- */

#define SPAN(id, parent, event, figures)                                                 \
	"{\"event\":\"" event "\",\"trace_id\":\"t\",\"id\":\"" id                       \
	"\",\"parent_id\":\"" parent "\"," figures "\"properties\":{}}\n"
#define TOKENS(n) "\"input_tokens\":" n ","
#define COST(n)   "\"total_cost\":" n ","
#define GEN       "$ai_generation"

Test(findings, totals)
{
	static const struct expectation rows[] = {
		{SPAN("a", "t", "$ai_span", TOKENS("5")) SPAN("b", "a", GEN, TOKENS("2"))
				SPAN("c", "a", GEN, TOKENS("3")),
			NULL, ""},
		{SPAN("a", "t", "$ai_span", TOKENS("6")) SPAN("b", "a", GEN, TOKENS("2"))
				SPAN("c", "a", GEN, TOKENS("3")),
			NULL, "0 input_tokens warning totals-differ\n"},
		{SPAN("a", "t", "$ai_span", TOKENS("1000"))
				SPAN("b", "a", GEN, TOKENS("999")),
			NULL, "0 input_tokens warning totals-differ\n"},
		{SPAN("a", "t", "$ai_span", TOKENS("4")) SPAN("b", "a", GEN, TOKENS("2"))
				SPAN("c", "a", GEN, TOKENS("3")),
			NULL, "0 input_tokens warning totals-differ\n"},
		/* a generation speaks of its own call */
		{SPAN("a", "t", GEN, TOKENS("6")) SPAN("b", "a", GEN, TOKENS("2")), NULL,
			""},
		/* one child says nothing: more is possible, less is not */
		{SPAN("a", "t", "$ai_span", TOKENS("6")) SPAN("b", "a", GEN, TOKENS("2"))
				SPAN("c", "a", GEN, ""),
			NULL, ""},
		{SPAN("a", "t", "$ai_span", TOKENS("1")) SPAN("b", "a", GEN, TOKENS("2"))
				SPAN("c", "a", GEN, ""),
			NULL, "0 input_tokens warning totals-differ\n"},
		/* through a span without figures */
		{SPAN("a", "t", "$ai_trace", TOKENS("9")) SPAN("b", "a", "$ai_span", "")
				SPAN("c", "b", GEN, TOKENS("3")),
			NULL, "0 input_tokens warning totals-differ\n"},
		/* 0 stands for unknown */
		{SPAN("a", "t", "$ai_span", TOKENS("0")) SPAN("b", "a", GEN, TOKENS("2")),
			NULL, ""},
		/* rounding */
		{SPAN("a", "t", "$ai_span", COST("0.01"))
				SPAN("b", "a", GEN, COST("0.0123")),
			NULL, ""},
		{SPAN("a", "t", "$ai_span", COST("0.02"))
				SPAN("b", "a", GEN, COST("0.0123")),
			NULL, "0 cost_usd warning totals-differ\n"},
		/* inner before outer in the file, each reported where it is */
		{SPAN("a", "t", "$ai_span", TOKENS("9")) SPAN("b", "a", "$ai_span",
			 TOKENS("5")) SPAN("c", "b", GEN, TOKENS("3")),
			NULL,
			"0 input_tokens warning totals-differ\n"
			"1 input_tokens warning totals-differ\n"},
	};

	expect_all(rows, COUNT(rows));
}

/* Of the members beside the steps only some kilobytes are read; one that is cut there is
 * not taken for a smaller figure. */
Test(findings, stated_totals_cut)
{
	for (int padding = 16320; padding < 16400; padding++) {
		struct buf text = BUF_INIT;
		char *got;

		buf_text(&text, "{\"trace_id\":\"t\",\"events\":[{\"event\":\"" GEN
				"\",\"input_tokens\":123456,\"properties\":{}}],"
				"\"about\":\"");
		buf_fill(&text, 'x', (size_t)padding);
		buf_text(&text, "\",\"total_input_tokens\":123456}");
		got = check_text(buf_view(&text), NULL);
		cr_expect_str_eq(got, "", "%d bytes of padding", padding);
		mem_free(got);
		buf_done(&text);
	}
}

/* ---- the registry ---- */

/* The sample that breaks every rule breaks each of them once. */
Test(findings, sample_of_all_rules)
{
	static const char sample[] = "/data/samples/broken-rules.jsonl",
			  types[] = "/data/samples/broken-rules.payloads.yaml";
	size_t errors;
	const char *dir = getenv("CATENA_SRCDIR");
	struct buf path = BUF_INIT;
	struct err err = {.offset = ERR_NOWHERE};
	struct loaded x = {0};
	struct check *c;

	dir = dir ? dir : TEST_SRCDIR;
	buf_printf(&path, "%s%s", dir, types);
	cr_assert(registry_add_file(registry, path.data, &err));
	buf_clear(&path);
	buf_printf(&path, "%s%s", dir, sample);
	x.trace = trace_of_source(source_open(path.data, &err));
	x.loader = load_begin(x.trace, NULL);
	cr_assert_eq(load_all(x.loader, &err), TASK_DONE);
	c = check_new(x.trace, registry, STR(""));
	cr_assert_eq(check_run(c, clock_deadline(UINT64_MAX)), TASK_DONE);
	for (size_t rule = 0; rule < rule_count(); rule++) {
		size_t count = 0;

		for (size_t i = 0; i < c->findings.count; i++)
			count += c->findings.items[i].rule == check_rule_at(rule);
		cr_expect_eq(count, 1, "%s: %zu", check_rule_at(rule)->name, count);
	}
	errors = c->findings.errors;
	check_free(c);
	c = check_new(x.trace, registry, STR("")); /* the same, with little room */
	c->keep = 3;
	cr_assert_eq(check_run(c, clock_deadline(UINT64_MAX)), TASK_DONE);
	cr_expect(c->findings.count == 3 && c->findings.all == rule_count());
	cr_expect_eq(c->findings.errors, errors);
	check_free(c);
	unload(&x);
	buf_done(&path);
	err_done(&err);
}

Test(findings, registered_without_type)
{
	static const char more[] =
		"tools:\n  lost: {description: x, payload_type: nobody}\n";
	struct err err = {.offset = ERR_NOWHERE};

	cr_assert(registry_add(registry, "more", str_of(more), &err));
	expect_all(&(struct expectation){ANSWER("a") ANSWER("b"), NULL,
			   "- tools.lost warning tool-unregistered-type\n"},
		1);
}

/* ---- the work in slices ---- */

Test(findings, slices)
{
	struct loaded x = load_text(STR(SAYS(USER("q"), CALL("1", "t", "\"{]\""))
			SAYS(USER("q"), CALL("2", "t", "\"{]\"")) ANSWER("b")));
	struct check *c = check_new(x.trace, registry, STR(""));

	cr_expect_eq(check_run(c, 0), TASK_MORE);
	cr_expect_eq(c->next, 1);
	cr_expect_eq(c->findings.count, 1);
	findings_cut(&c->findings, 0);
	cr_expect_eq(c->findings.count, 0);
	cr_expect_eq(check_run(c, 0), TASK_MORE);
	cr_expect_eq(c->findings.count, 1);
	cr_expect_eq(c->findings.items[0].position, 1);
	cr_expect_eq(check_run(c, 0), TASK_DONE);
	cr_expect_eq(check_run(c, 0), TASK_DONE, "nothing is left to do");
	cr_expect_eq(c->findings.errors, 2);
	check_free(c);
	unload(&x);
}

/* ---- what file texts may do ---- */

/* A NUL is shown, a long name is cut between characters. */
Test(findings, texts_of_the_file)
{
	struct loaded x = load_text(STR(SAYS(USER("q"),
		CALL("1",
			"a\\u0000b\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3"
			"\xA4"
			"\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"
			"\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"
			"\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3"
			"\xA4",
			"\"{]\""))));
	struct check *c = check_new(x.trace, registry, STR(""));
	const char *message;

	cr_assert_eq(check_run(c, clock_deadline(UINT64_MAX)), TASK_DONE);
	cr_assert_eq(c->findings.count, 1);
	message = c->findings.items[0].message;
	cr_expect(strstr(message, "\"a\xE2\x90\x80"
				  "b"),
		"%s", message);
	cr_expect(strstr(message, "\xC3\xA4...\""), "%s", message);
	check_free(c);
	unload(&x);
}

Test(findings, rules_are_told_apart)
{
	for (size_t i = 0; i < rule_count(); i++) {
		cr_expect(*check_rule_at(i)->about);
		for (size_t j = 0; j < i; j++)
			cr_expect(strcmp(check_rule_at(i)->name, check_rule_at(j)->name) != 0);
	}
	cr_expect_eq(rule_count(), 25);
}

/* ---- paths ---- */

Test(paths, found)
{
	static const char text[] =
		"{\"a\":[1,{\"b c\":{\"x\":\"s\"}},[[2]]],\"d\":{\"e\":null},\"\":7}";
	static const struct {
		const char *at; /* the first occurrence of this text */
		const char *want;
	} rows[] = {
		{"{\"a\"", ""},
		{"[1", "a"},
		{"1", "a[0]"},
		{"{\"b c\"", "a[1]"},
		{"{\"x\"", "a[1][\"b c\"]"},
		{"\"s\"", "a[1][\"b c\"].x"},
		{"2", "a[2][0][0]"},
		{"null", "d.e"},
		{"7", "[\"\"]"},
		/* and back again */
		{"\"s\"", "a[1][\"b c\"].x"},
		{"1", "a[0]"},
	};
	struct jv root = jv_parse(STR(text));
	struct path_finder f = {0};
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *p = strstr(text, rows[i].at);
		struct jv target = jv_parse((struct str){p, strlen(p)});

		buf_clear(&out);
		buf_text(&out, "");
		cr_expect(path_find(&f, root, target, &out), "%s", rows[i].at);
		cr_expect(str_equal(buf_view(&out), str_of(rows[i].want)),
			"%s: %s, not %s", rows[i].at, out.data, rows[i].want);
	}
	buf_done(&out);
}

Test(paths, not_found)
{
	static const char text[] = "[[[[[[[[[[[[[[1]]]]]]]]]]]]]]", other[] = "1";
	struct jv root = jv_parse(STR(text));
	struct path_finder f = {0};
	struct buf out = BUF_INIT;

	buf_text(&out, "x");
	cr_expect_not(path_find(&f, root, jv_parse(STR(other)), &out), "other bytes");
	cr_expect_not(path_find(&f, root, JV_NONE, &out), "none");
	cr_expect_not(path_find(&f, root, jv_parse((struct str){text + 14, 1}), &out),
		"too deep");
	cr_expect(str_equal(buf_view(&out), STR("x")), "nothing is left behind");
	buf_done(&out);
}

/* ---- memory of what was seen ---- */

Test(seen, the_latest_are_remembered)
{
	struct dedup_set s = {0};

	cr_expect_not(dedup_set_add(&s, 1));
	cr_expect(dedup_set_add(&s, 1));
	for (uint64_t i = 0; i < 2 * SEEN_MOST; i++) {
		dedup_set_add(&s, 1000 + i);
		if (i % (SEEN_MOST / 2) == 0)
			cr_expect(dedup_set_add(&s, 1), "what is met again stays");
	}
	cr_expect(dedup_set_has(&s, 1000 + 2 * SEEN_MOST - 1));
	cr_expect_not(dedup_set_has(&s, 1000), "the oldest is gone");
	cr_expect(s.young.count <= SEEN_MOST && s.old.count <= SEEN_MOST);
	dedup_set_done(&s);
}

/* ---- schemas of offered tools ---- */

static struct jv schema_text_of(struct buf *text, int number, int size)
{
	buf_clear(text);
	buf_printf(text, "{\"title\":\"%d\",\"allOf\":[{}", number);
	for (int i = 0; i < size; i++)
		buf_text(text, ",{}");
	buf_text(text, "]}");
	return jv_parse(buf_view(text));
}

Test(compiled, the_latest_in_little_memory)
{
	struct compiled c = {0};
	struct buf text = BUF_INIT;
	const struct schema *s;

	json_init();
	s = compiled_get(&c, schema_text_of(&text, 0, 1));
	cr_expect_not_null(s);
	cr_expect_eq(compiled_get(&c, schema_text_of(&text, 0, 1)), s, "it is kept");
	cr_expect_null(compiled_get(&c, jv_parse(STR("{\"type\":\"OBJECT\"}"))));
	for (int i = 1; i < 12; i++) {
		size_t latest;

		cr_assert_not_null(compiled_get(&c, schema_text_of(&text, i, 50000)));
		latest = c.items[(c.next + COMPILED_MOST - 1) % COMPILED_MOST].bytes;
		cr_expect_gt(latest, 50000);
		cr_expect_leq(c.bytes - latest, COMPILED_BYTES);
	}
	compiled_done(&c);
	cr_expect_eq(c.bytes, 0);
	buf_done(&text);
}

/* ---- the document ---- */

static void expect_lines(struct doc *d, const char *want)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < d->count; i++) {
		const struct lines *ls = doc_layout(d, i);

		for (size_t j = 0; j < ls->count; j++) {
			lines_plain(ls, j, &out);
			buf_byte(&out, '\n');
		}
	}
	cr_expect(str_equal(buf_view(&out), str_of(want)), "%snot\n%s", out.data, want);
	buf_done(&out);
}

static struct finding make_finding(const char *name, size_t index, char *path, char *text)
{
	const struct check_rule *rule;
	size_t i = 0;

	while ((rule = check_rule_at(i)) && strcmp(rule->name, name) != 0)
		i++;
	cr_assert(rule, "%s", name);
	return (struct finding){.rule = rule,
		.severity = rule->severity,
		.step = (uint32_t)index,
		.index = index,
		.path = path,
		.message = text};
}

Test(view, rows)
{
	struct finding items[] = {
		make_finding("arguments-not-json", 3, "output.text", "no JSON"),
		make_finding("role-order", 12, "input.messages[1]",
			"escape \x1b[2J and a long sentence that wraps"),
		make_finding("payload-unknown", 0, ".", "a type"),
	};
	struct findings f = {.items = items, .count = 1, .cap = 3};
	struct doc d = {0};

	items[2].step = NO_STEP;
	findings_add(&d, &f, 0);
	f.count = 3;
	findings_add(&d, &f, 1);
	cr_assert_eq(d.count, 3);
	cr_expect_eq(d.blocks[0].index, 0);
	cr_expect_eq(d.blocks[2].index, 2);
	cr_expect_eq(d.blocks[0].role, ROLE_ERROR);
	cr_expect_eq(d.blocks[1].role, ROLE_WARNING);
	items[0] = items[1] = items[2] = (struct finding){0}; /* the texts are copied */
	expect_lines(&d, "E 4 arguments-not-json  no JSON  output.text\n"
			 "W 13 role-order  escape ^[[2J and a long sentence that wraps  "
			 "input.messages[1]\n"
			 "N - payload-unknown  a type\n");
	doc_width(&d, 30);
	expect_lines(&d, "E 4 arguments-not-json  no\n"
			 "  JSON  output.text\n"
			 "W 13 role-order  escape ^[[2J\n"
			 "  and a long sentence that\n"
			 "  wraps  input.messages[1]\n"
			 "N - payload-unknown  a type\n");
	doc_done(&d);
}

Test(view, none)
{
	struct finding item = make_finding("role-order", 1, ".", "m");
	struct findings f = {.items = &item, .cap = 1};
	struct doc d = {0};

	findings_add(&d, &f, 0);
	findings_add(&d, &f, 0);
	cr_assert_eq(d.count, 1);
	cr_expect_eq(d.blocks[0].index, NO_FINDING);
	expect_lines(&d, "no findings\n");
	f.count = 1;
	findings_add(&d, &f, 0);
	cr_assert_eq(d.count, 1);
	expect_lines(&d, "W 2 role-order  m\n");
	findings_add(&d, &f, 1);
	cr_expect_eq(d.count, 1, "nothing new");
	doc_done(&d);
}

/* Findings that were not kept are counted on a line of their own, which leads nowhere. */
Test(view, more_than_are_kept)
{
	struct finding item = make_finding("role-order", 1, ".", "m");
	struct findings f = {.items = &item, .count = 1, .cap = 1, .all = 1};
	struct doc d = {0};

	findings_add(&d, &f, 0);
	findings_end(&d, &f);
	cr_expect_eq(d.count, 1, "all are there");
	f.all = 12;
	findings_end(&d, &f);
	cr_assert_eq(d.count, 2);
	cr_expect(d.blocks[1].index == NO_FINDING &&
		  str_starts(d.blocks[1].text, STR("11 more")));
	doc_done(&d);
}
