/*
 * Dialects of providers: what values of every form say, as tables; one conversation in
 * all of them, which must come out with the same parts; and what is not recognized.
 */
#include "config.h"

#include <criterion/criterion.h>

#include "base/mem.h"
#include "chat/parts.h"
#include "dialect/dialect.h"

/* ---- what is said, on one line ---- */

/* The text of a string, of blocks of text, or of a value as it stands. */
static void put_body(struct buf *out, struct jv body, struct arena *arena)
{
	struct parts parts = {0};

	if (body.kind != J_ARRAY) {
		jv_text(body, out);
		return;
	}
	parts = parts_read_content(body, arena);
	for (size_t i = 0; i < parts.count; i++)
		jv_text(PART_AT(&parts, i)->body.kind == J_NONE ? PART_AT(&parts, i)->raw
							   : PART_AT(&parts, i)->body,
			out);
	parts_done(&parts);
}

/* T text, C name#id{arguments}, R name#id=content, I bytes, Z thought, X refusal, F file,
 * J other; ? behind a failure. */
static void put_part(struct buf *out, const struct part *p, struct arena *arena)
{
	static const char signs[] = "TCROIZXFJ";

	buf_printf(out, "%s%c", out->len ? " " : "", signs[p->kind]);
	if (p->error)
		buf_byte(out, '?');
	buf_byte(out, ':');
	if (p->kind == PART_CALL || p->kind == PART_RESULT) {
		jv_text(p->name, out);
		buf_byte(out, '#');
		jv_text(p->link, out);
		buf_byte(out, p->kind == PART_RESULT ? '=' : ' ');
	}
	if (p->kind == PART_IMAGE && p->bytes)
		buf_printf(out, "%u", (unsigned)p->bytes);
	else if (p->kind == PART_JSON)
		jv_text(p->raw, out);
	else
		put_body(out, p->body, arena);
}

static void put_message(
	struct buf *out, struct jv message, bool speakers, struct arena *arena)
{
	struct parts parts = {0};

	if (speakers) {
		buf_text(out, out->len ? " | " : "");
		jv_text(jv_member(message, "role"), out);
	}
	parts = parts_read(message, arena);
	for (size_t i = 0; i < parts.count; i++)
		put_part(out, PART_AT(&parts, i), arena);
	parts_done(&parts);
}

static void put_beside(struct buf *out, const char *name, struct jv value)
{
	if (value.kind == J_NONE)
		return;
	buf_printf(out, "%s%s ", out->len ? " | " : "", name);
	jv_text(value, out);
}

static char *put_talk(struct message_writer *t, bool speakers)
{
	struct buf out = BUF_INIT;
	struct jv all = emit_take(t);

	cr_expect_eq(all.kind, J_ARRAY);
	JV_EACH(message, all)
		put_message(&out, message, speakers, t->arena);
	if (speakers) {
		put_beside(&out, "tools", t->tools);
		put_beside(&out, "parameters", t->parameters);
		put_beside(&out, "error", t->error);
	}
	buf_text(&out, "");
	return buf_take(&out);
}

/* NULL: the value is not of the dialect, or with no name of none. */
static char *said(const char *name, const char *text, enum prefer side, bool speakers)
{
	const struct dialect *dialect = name ? dialect_named(str_of(name)) : NULL;
	struct arena arena = {0};
	struct message_writer t = {.arena = &arena};
	char *got = NULL;

	cr_assert_eq(name == NULL, dialect == NULL);
	if (dialect_read(&t, dialect, jv_parse(str_of(text)), side))
		got = put_talk(&t, speakers);
	else
		cr_expect_eq(t.count, 0, "%s adds something and is false", text);
	emit_done(&t);
	arena_done(&arena);
	return got;
}

struct row {
	const char *value, *expected;
	enum prefer side;
};

/* By the dialect's name, and without. */
static void check(const char *name, const struct row rows[], size_t count)
{
	for (size_t i = 0; i < 2 * count; i++) {
		const struct row *row = &rows[i / 2];
		char *got = said(i % 2 ? NULL : name, row->value, row->side, true);

		cr_expect_not_null(got, "%s: %s", i % 2 ? "nobody" : name, row->value);
		if (got)
			cr_expect_str_eq(got, row->expected, "%s\n gives %s\n  not  %s",
				row->value, got, row->expected);
		mem_free(got);
	}
}

#define CHECK(name, rows) check(name, rows, sizeof(rows) / sizeof(*rows))
#define OUT               PREFER_OUTPUT

/* ---- the one form ---- */

Test(writer, blocks)
{
	struct arena arena = {0};
	struct message_writer t = {.arena = &arena};
	struct jv all;

	emit_begin(&t, JV_NONE, "user");
	emit_end(&t);
	emit_begin(&t, JV_WORD("assistant"), "user");
	emit_text(&t, JV_WORD("a\\n\\u0001"));
	emit_text(&t, jv_parse(STR("7")));
	emit_thinking(&t, JV_WORD("b"));
	emit_refusal(&t, JV_WORD("c"));
	emit_call(&t, JV_WORD("1"), JV_WORD("f"), jv_parse(STR("{\"x\": 1}")));
	emit_result(&t, jv_parse(STR("5")), JV_NONE, jv_parse(STR("[]")), true);
	emit_image_data(&t, JV_WORD("AAAA"));
	emit_image_url(&t, JV_WORD("http://x/"));
	emit_block(&t, jv_parse(STR("{\"odd\":true}")));
	emit_add_raw(&t, jv_parse(STR("{\"role\":\"user\",\"content\":\"x\"}")));
	cr_expect_eq(t.count, 3);
	all = emit_take(&t);
	cr_expect(jv_is(jv_member(jv_parse((struct str){all.p + 1, all.n - 1}), "role"),
		STR("user")));
	cr_expect_eq(strncmp(all.p,
			     "[{\"role\":\"user\",\"content\":[]},"
			     "{\"role\":\"assistant\",\"content\":["
			     "{\"type\":\"text\",\"text\":\"a\\n\\u0001\"},"
			     "{\"type\":\"thinking\",\"thinking\":\"b\"},"
			     "{\"type\":\"refusal\",\"refusal\":\"c\"},"
			     "{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"f\","
			     "\"input\":{\"x\": 1}},"
			     "{\"type\":\"tool_result\",\"tool_use_id\":5,"
			     "\"content\":[],\"is_error\":true},"
			     "{\"type\":\"image\",\"source\":{\"type\":\"base64\","
			     "\"data\":\"AAAA\"}},"
			     "{\"type\":\"image_url\",\"image_url\":{\"url\":"
			     "\"http://x/\"}},{\"odd\":true}]},"
			     "{\"role\":\"user\",\"content\":\"x\"}]",
			     all.n),
		0, "%.*s", (int)all.n, all.p);
	cr_expect_eq(t.count, 0);
	emit_done(&t);
	arena_done(&arena);
}

Test(writer, cut_values_are_closed)
{
	struct arena arena = {0};
	struct message_writer t = {.arena = &arena};
	struct jv all;

	emit_begin(&t, jv_parse(STR("\"us")), "user");
	emit_text(&t, jv_parse(STR("\"half")));
	emit_block(&t, jv_parse(STR("{\"a\":[1,")));
	all = emit_take(&t);
	cr_expect_eq(strncmp(all.p,
			     "[{\"role\":\"us\",\"content\":[{\"type\":\"text\","
			     "\"text\":\"half\"},{\"a\":[1]}]}]",
			     all.n),
		0, "%.*s", (int)all.n, all.p);
	emit_done(&t);
	arena_done(&arena);
}

Test(dialects, by_name)
{
	cr_expect_null(dialect_named(STR("no such dialect")));
	for (size_t i = 0; dialects[i]; i++)
		cr_expect_eq(dialect_named(str_of(dialects[i]->name)), dialects[i]);
}

/* ---- each ---- */

Test(openai, messages)
{
	static const struct row rows[] = {
		{"{\"role\":\"user\",\"content\":\"hi\"}", "user T:hi", 0},
		{"[{\"role\":\"developer\",\"content\":[{\"type\":\"text\",\"text\":"
		 "\"a\"}]},"
		 "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c\","
		 "\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}"
		 "\"}}]},"
		 "{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"r\"}]",
			"developer T:a | assistant C:f#c {} | tool R:#c=r", 0},
		{"{\"role\":\"assistant\",\"reasoning_content\":\"z\",\"content\":\"a\"}",
			"assistant Z:z T:a", 0},
		{"{\"role\":\"assistant\",\"reasoning\":\"z\",\"content\":\"a\"}",
			"assistant Z:z T:a", 0},
		{"{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\","
		 "\"thinking\":"
		 "[{\"type\":\"text\",\"text\":\"z\"}]},{\"type\":\"text\",\"text\":"
		 "\"a\"}]}",
			"assistant Z:z T:a", 0},
		{"{\"role\":\"assistant\",\"content\":null,\"refusal\":\"no\"}",
			"assistant X:no", 0},
		{"{\"role\":\"assistant\",\"content\":[{\"type\":\"refusal\",\"refusal\":"
		 "\"no\"}]}",
			"assistant X:no", 0},
		{"{\"role\":\"assistant\",\"content\":null,\"function_call\":{\"name\":"
		 "\"f\","
		 "\"arguments\":\"{\\\"a\\\":1}\"}}",
			"assistant C:f# {\"a\":1}", 0},
		{"{\"role\":\"function\",\"name\":\"f\",\"content\":\"r\"}",
			"function R:f#=r", 0},
		{"{\"role\":\"assistant\",\"content\":null,\"audio\":{\"id\":\"x\","
		 "\"data\":"
		 "\"AAAA\",\"transcript\":\"spoken\"}}",
			"assistant T:spoken F:AAAA", 0},
		{"{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c\","
		 "\"type\":\"custom\",\"custom\":{\"name\":\"f\",\"input\":\"select\"}}]"
		 "}",
			"assistant C:f#c select", 0},
		{"{\"role\":\"assistant\",\"tool_plan\":\"plan\",\"tool_calls\":[{\"id\":"
		 "\"c\","
		 "\"function\":{\"name\":\"f\",\"arguments\":\"null\"}}]}",
			"assistant Z:plan C:f#c null", 0},
		{"{\"role\":\"assistant\",\"content\":\"\",\"thinking\":\"z\",\"tool_"
		 "calls\":"
		 "[{\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}}]}",
			"assistant Z:z C:f# {\"a\":1}", 0},
		{"{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":"
		 "{\"url\":\"http://x/y.png\"}},{\"type\":\"odd\",\"a\":1}]}",
			"user I:http://x/y.png J:{\"type\":\"odd\",\"a\":1}", 0},
		{"{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"id\":\"c\","
		 "\"function\":\"f\",\"arguments\":{\"a\":1}}]}",
			"assistant C:f#c {\"a\":1}", 0},
		{"{\"role\":\"toolResult\",\"toolCallId\":\"c\",\"content\":\"r\"}",
			"toolResult R:#c=r", 0},
		{"{\"role\":\"user\",\"type\":\"text\",\"content\":\"q\"}", "user T:q",
			0},
		{"[{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"f\","
		 "\"arguments\":\"{}\"}}]",
			"assistant C:f#c {}", OUT},
	};

	CHECK("openai", rows);
}

Test(openai, bodies)
{
	static const struct row rows[] = {
		{"{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"q\"}],"
		 "\"temperature\":0,\"stop\":null,\"tools\":[{\"type\":\"function\"}]}",
			"user T:q | tools [{\"type\":\"function\"}] | parameters "
			"{\"temperature\":0}",
			0},
		{"{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}],\"top_p\":1,"
		 "\"next\":2}",
			"user T:q | parameters {\"top_p\":1}", 0},
		{"{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"q\"}],"
		 "\"functions\":[{\"name\":\"f\"}]}",
			"user T:q | tools [{\"name\":\"f\"}]", 0},
		{"{\"model\":\"m\",\"prompt\":\"q\",\"max_tokens\":5}",
			"user T:q | parameters {\"max_tokens\":5}", 0},
		{"{\"model\":\"m\",\"prompt\":[\"a\",\"b\"]}", "user T:a | user T:b", 0},
		{"{\"model\":\"m\",\"system\":\"s\",\"prompt\":\"q\",\"images\":["
		 "\"R0lGODlh\"],"
		 "\"options\":{\"seed\":1},\"stream\":false}",
			"system T:s | user T:q I:6 | parameters {\"seed\":1,"
			"\"stream\":false}",
			0},
		{"{\"id\":\"x\",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,"
		 "\"message\":{\"role\":\"assistant\",\"content\":\"a\"},\"finish_"
		 "reason\":"
		 "\"stop\"},{\"index\":1,\"message\":{\"role\":\"assistant\",\"content\":"
		 "\"b\"}}]}",
			"assistant T:a | assistant T:b", OUT},
		{"{\"choices\":[{\"index\":0,\"message\":{\"content\":\"a\"}}]}",
			"assistant T:a", 0},
		{"{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
		 "\"content\":"
		 "null},\"finish_reason\":\"content_filter\"}]}",
			"assistant X:content_filter", OUT},
		{"{\"object\":\"text_completion\",\"choices\":[{\"text\":\"a\",\"index\":"
		 "0}]}",
			"assistant T:a", 0},
		{"[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"a\"},"
		 "\"finish_reason\":\"stop\"}]",
			"assistant T:a", OUT},
		{"{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}],\"choices\":[{"
		 "\"index\":"
		 "0,\"message\":{\"role\":\"assistant\",\"content\":\"a\"}}]}",
			"user T:q | assistant T:a", 0},
		{"{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}],\"choices\":[{"
		 "\"index\":"
		 "0,\"message\":{\"role\":\"assistant\",\"content\":\"a\"}}]}",
			"assistant T:a", OUT},
		{"{\"id\":\"x\",\"finish_reason\":\"COMPLETE\",\"message\":{\"role\":"
		 "\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}]},"
		 "\"usage\":{}}",
			"assistant T:a", OUT},
		{"{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"a\"}"
		 ","
		 "\"done\":true}",
			"assistant T:a", OUT},
		{"{\"model\":\"m\",\"response\":\"a\",\"thinking\":\"z\",\"done\":true}",
			"assistant Z:z T:a", OUT},
		{"{\"error\":{\"message\":\"m\",\"type\":\"t\",\"code\":null}}",
			"error {\"message\":\"m\",\"type\":\"t\",\"code\":null}", OUT},
		{"{\"error\":\"model not found\"}", "error model not found", OUT},
	};

	CHECK("openai", rows);
}

Test(openai, streams)
{
	static const struct row rows[] = {
		{"[{\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,"
		 "\"delta\":"
		 "{\"role\":\"assistant\",\"content\":\"a\"}}]},{\"object\":"
		 "\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{"
		 "\"content\":"
		 "\"b\",\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":"
		 "\"f\","
		 "\"arguments\":\"{\\\"x\\\"\"}}]}}]},{\"object\":\"chat.completion."
		 "chunk\","
		 "\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,"
		 "\"function\":{\"arguments\":\":1}\"}}]}}]}]",
			"assistant T:ab C:f#c {\"x\":1}", OUT},
		{"\"data: "
		 "{\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":"
		 "\\\"a\\\"}}]}\\r\\n\\r\\ndata: {\\\"choices\\\":[{\\\"index\\\":0,"
		 "\\\"delta\\\":{\\\"content\\\":\\\"b\\\"}}]}\\n\\ndata: [DONE]\\n\\n\"",
			"assistant T:ab", OUT},
		{"[{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]},"
		 "{\"error\":{\"message\":\"m\"}}]",
			"assistant T:a | error {\"message\":\"m\"}", OUT},
		{"[{\"type\":\"message-start\",\"id\":\"x\",\"delta\":{\"message\":{"
		 "\"role\":"
		 "\"assistant\"}}},{\"type\":\"tool-plan-delta\",\"delta\":{\"message\":"
		 "{\"tool_plan\":\"p\"}}},{\"type\":\"tool-call-start\",\"index\":0,"
		 "\"delta\":"
		 "{\"message\":{\"tool_calls\":{\"id\":\"c\",\"type\":\"function\","
		 "\"function\":{\"name\":\"f\",\"arguments\":\"\"}}}}},{\"type\":"
		 "\"tool-call-delta\",\"index\":0,\"delta\":{\"message\":{\"tool_calls\":"
		 "{\"function\":{\"arguments\":\"{}\"}}}}},{\"type\":\"content-delta\","
		 "\"index\":0,\"delta\":{\"message\":{\"content\":{\"text\":\"a\"}}}}]",
			"assistant Z:p C:f#c {} T:a", OUT},
		{"\"{\\\"model\\\":\\\"m\\\",\\\"message\\\":{\\\"role\\\":"
		 "\\\"assistant\\\","
		 "\\\"content\\\":\\\"a\\\"},\\\"done\\\":false}\\n{\\\"model\\\":"
		 "\\\"m\\\","
		 "\\\"message\\\":{\\\"role\\\":\\\"assistant\\\",\\\"content\\\":"
		 "\\\"b\\\"},"
		 "\\\"done\\\":true}\\n\"",
			"assistant T:ab", OUT},
	};

	CHECK("openai", rows);
}

Test(responses, items)
{
	static const struct row rows[] = {
		{"[{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":"
		 "\"input_text\",\"text\":\"q\"},{\"type\":\"input_image\",\"image_url\":"
		 "\"http://x/i\"},{\"type\":\"input_file\",\"file_id\":\"f1\"}]}]",
			"user T:q I:http://x/i F:f1", 0},
		{"[{\"type\":\"reasoning\",\"id\":\"r\",\"summary\":[{\"type\":"
		 "\"summary_text\",\"text\":\"z\"}],\"encrypted_content\":\"secret\"},"
		 "{\"type\":\"function_call\",\"id\":\"i\",\"call_id\":\"c\",\"name\":"
		 "\"f\","
		 "\"arguments\":\"{}\"},{\"type\":\"function_call_output\",\"call_id\":"
		 "\"c\","
		 "\"output\":\"r\"},{\"type\":\"message\",\"role\":\"assistant\","
		 "\"content\":"
		 "[{\"type\":\"output_text\",\"text\":\"a\",\"annotations\":[]}]}]",
			"assistant Z:z C:f#c {} | tool R:#c=r | assistant T:a", OUT},
		{"[{\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":"
		 "\"secret\"},"
		 "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":"
		 "\"refusal\",\"refusal\":\"no\"}]}]",
			"assistant Z: X:no", OUT},
		{"[{\"type\":\"reasoning\",\"summary\":[],\"content\":[{\"type\":"
		 "\"reasoning_text\",\"text\":\"z\"}]}]",
			"assistant Z:z", OUT},
		{"[{\"type\":\"web_search_call\",\"id\":\"w\",\"status\":\"completed\","
		 "\"action\":{\"query\":\"q\"}},{\"type\":\"message\",\"role\":"
		 "\"assistant\","
		 "\"content\":[{\"type\":\"output_text\",\"text\":\"a\"}]}]",
			"assistant C:web_search_call#w {\"query\":\"q\"} T:a", OUT},
		{"[{\"type\":\"mcp_call\",\"id\":\"m\",\"name\":\"f\",\"arguments\":\"{}"
		 "\","
		 "\"output\":\"r\",\"error\":null}]",
			"assistant C:f#m {} R:f#m=r", OUT},
		{"[{\"type\":\"mcp_call\",\"id\":\"m\",\"name\":\"f\",\"arguments\":\"{}"
		 "\","
		 "\"output\":null,\"error\":\"bad\"}]",
			"assistant C:f#m {} R?:f#m=bad", OUT},
		{"[{\"type\":\"code_interpreter_call\",\"id\":\"i\",\"code\":\"1+1\","
		 "\"outputs\":[{\"type\":\"logs\",\"logs\":\"2\"}]}]",
			"assistant C:code_interpreter_call#i 1+1 "
			"R:code_interpreter_call#i={\"type\":\"logs\",\"logs\":\"2\"}",
			OUT},
		{"[{\"type\":\"file_search_call\",\"id\":\"i\",\"queries\":[\"q\"],"
		 "\"results\":null}]",
			"assistant C:file_search_call#i q", OUT},
		{"[{\"type\":\"image_generation_call\",\"id\":\"i\",\"result\":"
		 "\"R0lGODlh\"}]",
			"assistant C:image_generation_call#i  I:6", OUT},
		{"[{\"type\":\"custom_tool_call\",\"call_id\":\"c\",\"name\":\"f\","
		 "\"input\":"
		 "\"x\"},{\"type\":\"custom_tool_call_output\",\"call_id\":\"c\","
		 "\"output\":"
		 "\"r\"}]",
			"assistant C:f#c x | tool R:#c=r", OUT},
		{"[{\"type\":\"shell_call\",\"call_id\":\"c\",\"action\":{\"commands\":["
		 "\"ls\"]}"
		 "},{\"type\":\"shell_call_output\",\"call_id\":\"c\",\"output\":[{"
		 "\"stdout\":"
		 "\"x\"}]}]",
			"assistant C:shell_call#c {\"commands\":[\"ls\"]} | tool "
			"R:#c={\"stdout\":\"x\"}",
			OUT},
		{"[{\"type\":\"dance_call\",\"call_id\":\"c\",\"arguments\":\"{}\"},"
		 "{\"type\":\"odd_item\",\"a\":1}]",
			"assistant C:dance_call#c {} J:{\"type\":\"odd_item\",\"a\":1}",
			OUT},
		{"[{\"type\":\"mcp_list_tools\",\"id\":\"m\",\"tools\":[]}]",
			"assistant "
			"J:{\"type\":\"mcp_list_tools\",\"id\":\"m\",\"tools\":[]}",
			OUT},
		{"[{\"role\":\"assistant\",\"content\":\"a\",\"tool_calls\":[{\"id\":"
		 "\"c\","
		 "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},{\"type\":"
		 "\"function_call_output\",\"call_id\":\"c\",\"output\":\"r\"}]",
			"assistant T:a C:f#c {} | tool R:#c=r", 0},
		{"{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"f\","
		 "\"arguments\":"
		 "\"{}\"}",
			"assistant C:f#c {}", OUT},
	};

	CHECK("responses", rows);
}

Test(responses, bodies)
{
	static const struct row rows[] = {
		{"{\"model\":\"m\",\"instructions\":\"s\",\"input\":\"q\","
		 "\"temperature\":1,"
		 "\"tools\":[{\"type\":\"web_search\"}]}",
			"system T:s | user T:q | tools [{\"type\":\"web_search\"}] | "
			"parameters {\"temperature\":1}",
			0},
		{"{\"model\":\"m\",\"input\":[{\"role\":\"user\",\"content\":\"q\"},{"
		 "\"type\":"
		 "\"function_call_output\",\"call_id\":\"c\",\"output\":[{\"type\":"
		 "\"input_text\",\"text\":\"r\"}]}]}",
			"user T:q | tool R:#c=r", 0},
		{"{\"id\":\"x\",\"object\":\"response\",\"instructions\":\"s\","
		 "\"output\":"
		 "[{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":"
		 "\"output_text\",\"text\":\"a\"}]}],\"top_p\":1,\"usage\":{},\"error\":"
		 "null}",
			"assistant T:a | parameters {\"top_p\":1}", OUT},
		{"{\"object\":\"response\",\"instructions\":\"s\",\"output\":[]}",
			"system T:s", 0},
		{"{\"object\":\"response\",\"output\":[],\"error\":{\"code\":\"c\","
		 "\"message\":"
		 "\"m\"}}",
			"error {\"code\":\"c\",\"message\":\"m\"}", OUT},
	};

	CHECK("responses", rows);
}

Test(responses, streams)
{
	static const struct row rows[] = {
		{"[{\"type\":\"response.created\",\"response\":{\"object\":\"response\","
		 "\"output\":[]}},{\"type\":\"response.output_item.added\",\"output_"
		 "index\":0,"
		 "\"item\":{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"f\"}}"
		 ","
		 "{\"type\":\"response.function_call_arguments.delta\",\"output_index\":"
		 "0,"
		 "\"delta\":\"{}\"},{\"type\":\"response.output_text.delta\","
		 "\"output_index\":1,\"delta\":\"a\"}]",
			"assistant C:f#c {} T:a", OUT},
		{"[{\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":"
		 "\"x\"},{\"type\":\"response.completed\",\"response\":{\"object\":"
		 "\"response\",\"output\":[{\"type\":\"web_search_call\",\"id\":\"w\"},"
		 "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":"
		 "\"output_text\",\"text\":\"whole\"}]}],\"tools\":[{\"type\":\"t\"}]}}]",
			"assistant C:web_search_call#w  T:whole | tools "
			"[{\"type\":\"t\"}]",
			OUT},
		{"[{\"type\":\"response.created\",\"response\":{\"object\":\"response\"}}"
		 ","
		 "{\"type\":\"error\",\"code\":\"c\",\"message\":\"m\"}]",
			"error {\"type\":\"error\",\"code\":\"c\",\"message\":\"m\"}",
			OUT},
	};

	CHECK("responses", rows);
}

Test(anthropic, messages)
{
	static const struct row rows[] = {
		{"[{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\","
		 "\"thinking\":"
		 "\"z\",\"signature\":\"s\"},{\"type\":\"redacted_thinking\",\"data\":"
		 "\"d\"},"
		 "{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"tool_use\",\"id\":\"c\","
		 "\"name\":\"f\",\"input\":{\"x\":1}}]},{\"role\":\"user\",\"content\":[{"
		 "\"type\":\"tool_result\",\"tool_use_id\":\"c\",\"content\":[{\"type\":"
		 "\"text\",\"text\":\"r\"}],\"is_error\":true},{\"type\":\"text\","
		 "\"text\":"
		 "\"q\"}]}]",
			"assistant Z:z Z: T:a C:f#c {\"x\":1} | user R?:#c=r T:q", 0},
		{"[{\"role\":\"assistant\",\"content\":[{\"type\":\"server_tool_use\","
		 "\"id\":"
		 "\"c\",\"name\":\"web_search\",\"input\":{\"q\":1}},{\"type\":"
		 "\"web_search_tool_result\",\"tool_use_id\":\"c\",\"content\":\"r\"}]}]",
			"assistant C:web_search#c {\"q\":1} R:#c=r", OUT},
		{"[{\"role\":\"assistant\",\"content\":[{\"type\":\"mcp_tool_use\","
		 "\"id\":"
		 "\"c\",\"name\":\"f\"},{\"type\":\"mcp_tool_result\",\"tool_use_id\":"
		 "\"c\","
		 "\"is_error\":true,\"content\":\"r\"}]}]",
			"assistant C:f#c  R?:#c=r", OUT},
		{"[{\"type\":\"code_execution_tool_result\",\"tool_use_id\":\"c\","
		 "\"content\":"
		 "{\"type\":\"code_execution_tool_result_error\"}}]",
			"assistant R?:#c={\"type\":\"code_execution_tool_result_error\"}",
			OUT},
		{"[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image\",\"source\":{"
		 "\"type\":"
		 "\"base64\",\"media_type\":\"image/"
		 "gif\",\"data\":\"R0lGODlh\"}},{\"type\":"
		 "\"document\",\"source\":{\"type\":\"url\",\"url\":\"http://x/"
		 "d.pdf\"}}]",
			"user T:a I:6 F:http://x/d.pdf", 0},
		{"{\"type\":\"tool_use\",\"id\":\"c\",\"name\":\"f\",\"input\":{}}",
			"assistant C:f#c ", OUT},
	};

	CHECK("anthropic", rows);
}

Test(anthropic, bodies)
{
	static const struct row rows[] = {
		{"{\"model\":\"m\",\"max_tokens\":5,\"system\":\"s\",\"messages\":[{"
		 "\"role\":"
		 "\"user\",\"content\":\"q\"}],\"tools\":[{\"name\":\"f\",\"input_"
		 "schema\":{}}]}",
			"system T:s | user T:q | tools [{\"name\":\"f\","
			"\"input_schema\":{}}] | parameters {\"max_tokens\":5}",
			0},
		{"{\"model\":\"m\",\"max_tokens\":5,\"system\":[{\"type\":\"text\","
		 "\"text\":"
		 "\"s\",\"cache_control\":{}},{\"type\":\"text\",\"text\":\"t\"}],"
		 "\"messages\":"
		 "[{\"role\":\"user\",\"content\":\"q\"}]}",
			"system T:s T:t | user T:q | parameters {\"max_tokens\":5}", 0},
		{"{\"id\":\"x\",\"type\":\"message\",\"role\":\"assistant\",\"content\":["
		 "{"
		 "\"type\":\"text\",\"text\":\"a\"}],\"stop_reason\":\"end_turn\","
		 "\"usage\":{}}",
			"assistant T:a", OUT},
		{"{\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"stop_"
		 "reason\":"
		 "\"refusal\"}",
			"assistant X:refusal", OUT},
		{"{\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"stop_"
		 "reason\":"
		 "\"refusal\",\"stop_details\":{\"type\":\"refusal\",\"explanation\":"
		 "\"why\"}}",
			"assistant X:why", OUT},
		{"{\"type\":\"error\",\"error\":{\"type\":\"t\",\"message\":\"m\"},"
		 "\"request_id\":\"r\"}",
			"error {\"type\":\"t\",\"message\":\"m\"}", OUT},
		{"{\"prompt\":\"q\",\"max_tokens_to_sample\":5,\"temperature\":1}",
			"user T:q | parameters {\"temperature\":1}", 0},
		{"{\"completion\":\"a\",\"stop_reason\":\"stop_sequence\"}",
			"assistant T:a", OUT},
	};

	CHECK("anthropic", rows);
}

Test(anthropic, streams)
{
	static const struct row rows[] = {
		{"[{\"type\":\"message_start\",\"message\":{\"id\":\"x\"}},{\"type\":"
		 "\"ping\"},"
		 "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{"
		 "\"type\":"
		 "\"thinking\",\"thinking\":\"\"}},{\"type\":\"content_block_delta\","
		 "\"index\":"
		 "0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"z\"}},{"
		 "\"type\":"
		 "\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_"
		 "use\","
		 "\"id\":\"c\",\"name\":\"f\",\"input\":{}}},{\"type\":\"content_block_"
		 "delta\","
		 "\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":"
		 "\"{\\\"x\\\":1}\"}},{\"type\":\"content_block_start\",\"index\":2,"
		 "\"content_block\":{\"type\":\"web_search_tool_result\",\"tool_use_id\":"
		 "\"c\","
		 "\"content\":\"r\"}}]",
			"assistant Z:z C:f#c {\"x\":1} R:#c=r", OUT},
		{"[{\"type\":\"message_start\",\"message\":{}},{\"type\":\"message_"
		 "delta\","
		 "\"delta\":{\"stop_reason\":\"refusal\"}}]",
			"assistant X:refusal", OUT},
		{"[{\"event\":\"message_start\",\"data\":{\"type\":\"message_start\","
		 "\"message\":{\"id\":\"x\"}}},{\"event\":\"content_block_delta\","
		 "\"data\":"
		 "\"{\\\"type\\\":\\\"content_block_delta\\\",\\\"index\\\":0,"
		 "\\\"delta\\\":"
		 "{\\\"text\\\":\\\"a\\\"}}\"}]",
			"assistant T:a", OUT},
		{"\"event: message_start\\ndata: {\\\"type\\\":\\\"message_start\\\","
		 "\\\"message\\\":{\\\"id\\\":\\\"x\\\"}}\\n\\nevent: "
		 "content_block_delta\\n"
		 "data: {\\\"type\\\":\\\"content_block_delta\\\",\\\"index\\\":0,\\n"
		 "data: \\\"delta\\\":{\\\"text\\\":\\\"a\\\"}}\\n\\nevent: error\\n"
		 "data: "
		 "{\\\"type\\\":\\\"error\\\",\\\"error\\\":{\\\"message\\\":\\\"m\\\"}}"
		 "\"",
			"assistant T:a | error {\"message\":\"m\"}", OUT},
	};

	CHECK("anthropic", rows);
}

Test(gemini, all)
{
	static const struct row rows[] = {
		{"[{\"role\":\"user\",\"parts\":[{\"text\":\"q\"},{\"inlineData\":{"
		 "\"mimeType\":"
		 "\"image/gif\",\"data\":\"R0lGODlh\"}},{\"fileData\":{\"mimeType\":"
		 "\"application/pdf\",\"fileUri\":\"gs://"
		 "x\"}}]},{\"role\":\"model\",\"parts\":"
		 "[{\"text\":\"z\",\"thought\":true},{\"functionCall\":{\"id\":\"c\","
		 "\"name\":"
		 "\"f\",\"args\":{\"x\":1}},\"thoughtSignature\":\"s\"}]},{\"role\":"
		 "\"user\","
		 "\"parts\":[{\"functionResponse\":{\"id\":\"c\",\"name\":\"f\","
		 "\"response\":"
		 "{\"output\":\"r\"}}}]}]",
			"user T:q I:6 F:gs://x | assistant Z:z C:f#c {\"x\":1} | user "
			"R:f#c=r",
			0},
		{"[{\"role\":\"model\",\"parts\":[{\"text\":null,\"function_call\":{"
		 "\"name\":"
		 "\"f\",\"args\":{}},\"inline_data\":null}]},{\"role\":\"user\","
		 "\"parts\":[{"
		 "\"function_response\":{\"name\":\"f\",\"response\":{\"error\":\"bad\"}}"
		 "}]}]",
			"assistant C:f#  | user R?:f#=bad", 0},
		{"{\"role\":\"model\",\"parts\":[{\"executableCode\":{\"language\":"
		 "\"PYTHON\","
		 "\"code\":\"1+1\"}},{\"codeExecutionResult\":{\"outcome\":\"OUTCOME_"
		 "OK\","
		 "\"output\":\"2\"}}]}",
			"assistant C:executable_code# "
			"{\"language\":\"PYTHON\",\"code\":\"1+1\"} "
			"R:executable_code#=2",
			0},
		{"{\"contents\":[{\"parts\":[{\"text\":\"q\"}]}],\"systemInstruction\":{"
		 "\"parts\":[{\"text\":\"s\"}]},\"tools\":[{\"functionDeclarations\":[]}]"
		 ","
		 "\"generationConfig\":{\"temperature\":0},\"toolConfig\":{\"a\":1}}",
			"system T:s | user T:q | tools [{\"functionDeclarations\":[]}] | "
			"parameters {\"temperature\":0,\"toolConfig\":{\"a\":1}}",
			0},
		{"{\"model\":\"m\",\"contents\":\"q\",\"config\":{\"system_instruction\":"
		 "\"s\","
		 "\"temperature\":0}}",
			"system T:s | user T:q | parameters {\"temperature\":0}", 0},
		{"{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":"
		 "\"a\"}]"
		 "},\"finishReason\":\"STOP\",\"index\":0}],\"usageMetadata\":{}}",
			"assistant T:a", OUT},
		{"{\"candidates\":[{\"finishReason\":\"SAFETY\",\"index\":0}]}",
			"assistant X:SAFETY", OUT},
		{"{\"promptFeedback\":{\"blockReason\":\"OTHER\"}}", "assistant X:OTHER",
			OUT},
		{"{\"error\":{\"code\":429,\"message\":\"m\",\"status\":\"S\"}}",
			"error {\"code\":429,\"message\":\"m\",\"status\":\"S\"}", OUT},
		{"[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}],\"role\":"
		 "\"model\"}}]},{\"candidates\":[{\"content\":{\"parts\":[{\"text\":"
		 "\"b\"}]},"
		 "\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"totalTokenCount\":5}}"
		 "]",
			"assistant T:ab", OUT},
		{"{\"response\":{\"candidates\":[{\"content\":{\"role\":\"model\","
		 "\"parts\":"
		 "[{\"text\":\"a\"}]}}]},\"traceId\":\"x\"}",
			"assistant T:a", OUT},
		{"[{\"text\":\"a\"},{\"functionCall\":{\"name\":\"f\",\"args\":{\"x\":1}}"
		 "}]",
			"assistant T:a C:f# {\"x\":1}", OUT},
	};

	CHECK("gemini", rows);
}

Test(bedrock, all)
{
	static const struct row rows[] = {
		{"{\"modelId\":\"m\",\"system\":[{\"text\":\"s\"},{\"cachePoint\":{"
		 "\"type\":"
		 "\"default\"}}],\"messages\":[{\"role\":\"user\",\"content\":[{\"text\":"
		 "\"q\"},"
		 "{\"cachePoint\":{\"type\":\"default\"}},{\"guardContent\":{\"text\":{"
		 "\"text\":\"g\"}}}]}],\"inferenceConfig\":{\"maxTokens\":5},"
		 "\"toolConfig\":{"
		 "\"tools\":[{\"toolSpec\":{\"name\":\"f\"}}],\"toolChoice\":{\"auto\":{}"
		 "}}}",
			"system T:s | user T:q T:g | tools "
			"[{\"toolSpec\":{\"name\":\"f\"}}] | parameters "
			"{\"maxTokens\":5,\"toolChoice\":{\"auto\":{}}}",
			0},
		{"{\"output\":{\"message\":{\"role\":\"assistant\",\"content\":[{"
		 "\"reasoningContent\":{\"reasoningText\":{\"text\":\"z\",\"signature\":"
		 "\"s\"}}"
		 "},{\"toolUse\":{\"toolUseId\":\"c\",\"name\":\"f\",\"input\":{\"x\":1}}"
		 "}]}},"
		 "\"stopReason\":\"tool_use\"}",
			"assistant Z:z C:f#c {\"x\":1}", OUT},
		{"[{\"role\":\"user\",\"content\":[{\"toolResult\":{\"toolUseId\":\"c\","
		 "\"content\":[{\"text\":\"r\"}],\"status\":\"error\"}},{\"image\":{"
		 "\"format\":"
		 "\"gif\",\"source\":{\"bytes\":\"R0lGODlh\"}}}]}]",
			"user R?:#c=r I:6", 0},
		{"{\"output\":{\"message\":{\"role\":\"assistant\",\"content\":[]}},"
		 "\"stopReason\":\"content_filtered\"}",
			"assistant X:content_filtered", OUT},
		{"{\"output\":{\"message\":{\"role\":\"assistant\",\"content\":[{"
		 "\"citationsContent\":{\"content\":[{\"text\":\"a\"}],\"citations\":[]}}"
		 "]}},"
		 "\"stopReason\":\"end_turn\"}",
			"assistant T:a", OUT},
		{"[{\"messageStart\":{\"role\":\"assistant\"}},{\"contentBlockDelta\":{"
		 "\"contentBlockIndex\":0,\"delta\":{\"text\":\"a\"}}},{"
		 "\"contentBlockStart\":{"
		 "\"contentBlockIndex\":1,\"start\":{\"toolUse\":{\"toolUseId\":\"c\","
		 "\"name\":"
		 "\"f\"}}}},{\"contentBlockDelta\":{\"contentBlockIndex\":1,\"delta\":{"
		 "\"toolUse\":{\"input\":\"{}\"}}}},{\"messageStop\":{\"stopReason\":"
		 "\"tool_use\"}},{\"throttlingException\":{\"message\":\"m\"}}]",
			"assistant T:a C:f#c {} | error {\"message\":\"m\"}", OUT},
		{"{\"inputText\":\"q\",\"textGenerationConfig\":{\"topP\":1}}",
			"user T:q | parameters {\"topP\":1}", 0},
		{"{\"results\":[{\"outputText\":\"a\",\"completionReason\":\"FINISH\"}]}",
			"assistant T:a", OUT},
		{"{\"prompt\":\"q\",\"max_gen_len\":5}",
			"user T:q | parameters {\"max_gen_len\":5}", 0},
		{"{\"generation\":\"a\",\"stop_reason\":\"stop\"}", "assistant T:a", OUT},
		{"{\"outputs\":[{\"text\":\"a\",\"stop_reason\":\"stop\"}]}",
			"assistant T:a", OUT},
		{"{\"__type\":\"ValidationException\",\"message\":\"m\"}",
			"error {\"__type\":\"ValidationException\",\"message\":\"m\"}",
			OUT},
	};

	CHECK("bedrock", rows);
}

/* ---- one conversation in all of them ---- */

#define GIF "R0lGODlhAQABAAAAACw="

static const struct {
	const char *name, *value;
} conversations[] = {
	{"openai",
		"{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\"Be "
		"brief.\"},"
		"{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Rome or "
		"Oslo?\"},"
		"{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/"
		"gif;base64," GIF
		"\"}}]},{\"role\":\"assistant\",\"content\":null,\"reasoning_content\":"
		"\"I ask twice.\",\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\","
		"\"function\":{\"name\":\"weather\",\"arguments\":\"{\\\"city\\\":"
		"\\\"Rome\\\"}\""
		"}},{\"id\":\"c2\",\"type\":\"function\",\"function\":{\"name\":"
		"\"weather\","
		"\"arguments\":\"{\\\"city\\\":\\\"Oslo\\\"}\"}}]},{\"role\":\"tool\","
		"\"tool_call_id\":\"c1\",\"content\":\"sun\"},{\"role\":\"tool\","
		"\"tool_call_id\":\"c2\",\"content\":\"snow\"},{\"role\":\"assistant\","
		"\"content\":\"Rome.\"}]}"},
	{"responses",
		"{\"model\":\"m\",\"instructions\":\"Be "
		"brief.\",\"input\":[{\"role\":\"user\","
		"\"content\":[{\"type\":\"input_text\",\"text\":\"Rome or "
		"Oslo?\"},{\"type\":"
		"\"input_image\",\"image_url\":\"data:image/gif;base64," GIF
		"\"}]},{\"type\":"
		"\"reasoning\",\"id\":\"r\",\"summary\":[{\"type\":\"summary_text\","
		"\"text\":"
		"\"I ask "
		"twice.\"}],\"encrypted_content\":\"x\"},{\"type\":\"function_call\","
		"\"id\":\"f1\",\"call_id\":\"c1\",\"name\":\"weather\",\"arguments\":"
		"\"{\\\"city\\\":\\\"Rome\\\"}\"},{\"type\":\"function_call\",\"id\":"
		"\"f2\","
		"\"call_id\":\"c2\",\"name\":\"weather\",\"arguments\":\"{\\\"city\\\":"
		"\\\"Oslo\\\"}\"},{\"type\":\"function_call_output\",\"call_id\":\"c1\","
		"\"output\":\"sun\"},{\"type\":\"function_call_output\",\"call_id\":"
		"\"c2\","
		"\"output\":[{\"type\":\"input_text\",\"text\":\"snow\"}]},{\"type\":"
		"\"message\","
		"\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":"
		"\"Rome.\"}]}]}"},
	{"anthropic",
		"{\"model\":\"m\",\"max_tokens\":9,\"system\":\"Be "
		"brief.\",\"messages\":[{"
		"\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Rome or "
		"Oslo?\"},"
		"{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":"
		"\"image/gif\",\"data\":\"" GIF
		"\"}}]},{\"role\":\"assistant\",\"content\":[{"
		"\"type\":\"thinking\",\"thinking\":\"I ask "
		"twice.\",\"signature\":\"x\"},{"
		"\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"weather\",\"input\":{"
		"\"city\":"
		"\"Rome\"}},{\"type\":\"tool_use\",\"id\":\"c2\",\"name\":\"weather\","
		"\"input\":{"
		"\"city\":\"Oslo\"}}]},{\"role\":\"user\",\"content\":[{\"type\":\"tool_"
		"result\","
		"\"tool_use_id\":\"c1\",\"content\":\"sun\"},{\"type\":\"tool_result\","
		"\"tool_use_id\":\"c2\",\"content\":[{\"type\":\"text\",\"text\":"
		"\"snow\"}]}]},{"
		"\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"Rome."
		"\"}]}]}"},
	{"gemini",
		"{\"systemInstruction\":{\"parts\":[{\"text\":\"Be "
		"brief.\"}]},\"contents\":[{"
		"\"role\":\"user\",\"parts\":[{\"text\":\"Rome or "
		"Oslo?\"},{\"inlineData\":{"
		"\"mimeType\":\"image/gif\",\"data\":\"" GIF "\"}}]},{\"role\":\"model\","
		"\"parts\":[{\"text\":\"I ask "
		"twice.\",\"thought\":true},{\"functionCall\":{"
		"\"id\":\"c1\",\"name\":\"weather\",\"args\":{\"city\":\"Rome\"}},"
		"\"thoughtSignature\":\"x\"},{\"functionCall\":{\"id\":\"c2\",\"name\":"
		"\"weather\",\"args\":{\"city\":\"Oslo\"}}}]},{\"role\":\"user\","
		"\"parts\":[{"
		"\"functionResponse\":{\"id\":\"c1\",\"name\":\"weather\",\"response\":{"
		"\"output\":\"sun\"}}},{\"functionResponse\":{\"id\":\"c2\",\"name\":"
		"\"weather\",\"response\":{\"result\":\"snow\"}}}]},{\"role\":\"model\","
		"\"parts\":[{\"text\":\"Rome.\"}]}]}"},
	{"bedrock",
		"{\"modelId\":\"m\",\"system\":[{\"text\":\"Be brief.\"}],\"messages\":[{"
		"\"role\":\"user\",\"content\":[{\"text\":\"Rome or Oslo?\"},{\"image\":{"
		"\"format\":\"gif\",\"source\":{\"bytes\":\"" GIF "\"}}}]},{\"role\":"
		"\"assistant\",\"content\":[{\"reasoningContent\":{\"reasoningText\":{"
		"\"text\":"
		"\"I ask "
		"twice.\",\"signature\":\"x\"}}},{\"toolUse\":{\"toolUseId\":\"c1\","
		"\"name\":\"weather\",\"input\":{\"city\":\"Rome\"}}},{\"toolUse\":{"
		"\"toolUseId\":\"c2\",\"name\":\"weather\",\"input\":{\"city\":\"Oslo\"}}"
		"}]},{"
		"\"role\":\"user\",\"content\":[{\"toolResult\":{\"toolUseId\":\"c1\","
		"\"content\":[{\"text\":\"sun\"}]}},{\"toolResult\":{\"toolUseId\":"
		"\"c2\","
		"\"content\":[{\"text\":\"snow\"}]}}]},{\"role\":\"assistant\","
		"\"content\":[{"
		"\"text\":\"Rome.\"}]}]}"},
};

/* Results may name their tool or not. */
static char *without_names(char *text)
{
	static const char name[] = "R:weather#";
	char *at;

	while ((at = strstr(text, name)))
		memmove(at + 2, at + sizeof(name) - 2, strlen(at + sizeof(name) - 2) + 1);
	return text;
}

Test(dialects, one_conversation)
{
	static const char expected[] = "T:Be brief. T:Rome or Oslo? I:14 Z:I ask twice. "
				       "C:weather#c1 {\"city\":\"Rome\"} "
				       "C:weather#c2 {\"city\":\"Oslo\"} "
				       "R:#c1=sun R:#c2=snow T:Rome.";

	for (size_t i = 0; i < 2 * sizeof(conversations) / sizeof(*conversations); i++) {
		const char *name = conversations[i / 2].name;
		char *got = said(i % 2 ? NULL : name, conversations[i / 2].value,
			PREFER_INPUT, false);

		cr_assert_not_null(got, "%s", name);
		without_names(got);
		cr_expect_str_eq(
			got, expected, "%s\n gives %s\n  not  %s", name, got, expected);
		mem_free(got);
	}
}

/* ---- what is no conversation ---- */

Test(dialects, strangers)
{
	static const char *const values[] = {
		"1",
		"null",
		"\"a text\"",
		"\"data: of the year\"",
		"\"[1,2]\"",
		"{}",
		"[]",
		"[1,2,3]",
		"[\"a\",\"b\"]",
		"{\"prompt\":[1,2,3]}",
		"{\"prompt\":\"q\"}",
		"{\"model\":\"m\",\"prompt\":[1,2,3]}",
		"{\"input\":\"x\"}",
		"{\"input\":[1,2]}",
		"{\"output\":[1,2]}",
		"{\"output\":{\"message\":\"done\"}}",
		"{\"text\":\"x\"}",
		"{\"content\":\"x\"}",
		"{\"contents\":\"x\"}",
		"{\"messages\":[]}",
		"{\"messages\":[1,2]}",
		"{\"messages\":[{\"id\":1,\"body\":\"x\"}]}",
		"{\"choices\":[\"a\",\"b\"]}",
		"{\"choices\":[{\"label\":\"a\",\"value\":1}]}",
		"{\"candidates\":[{\"name\":\"Ann\"},{\"name\":\"Bob\"}]}",
		"{\"parts\":[\"wheel\",\"door\"]}",
		"[{\"parts\":[{\"id\":1}]}]",
		"[{\"text\":\"a\"},{\"text\":\"b\"}]",
		"[{\"name\":\"a\",\"value\":1}]",
		"{\"role\":\"admin\",\"permissions\":[\"x\"]}",
		"[{\"role\":\"admin\",\"content\":\"x\"}]",
		"{\"role\":\"user\"}",
		"{\"error\":{\"message\":\"m\"},\"result\":5}",
		"{\"error\":\"m\",\"result\":null}",
		"{\"error\":{\"at\":5}}",
		"{\"error\":null}",
		"{\"error\":\"\"}",
		"{\"message\":\"m\"}",
		"{\"type\":\"error\"}",
		"{\"type\":\"message\",\"text\":\"x\"}",
		"{\"type\":\"text\"}",
		"{\"type\":\"image\",\"width\":5}",
		"{\"type\":\"file\",\"path\":\"x\"}",
		"{\"type\":\"reasoning\"}",
		"{\"type\":\"function\",\"name\":\"f\"}",
		"{\"type\":\"function_call\"}",
		"{\"type\":\"phone_call\",\"id\":\"7\",\"from\":\"Ann\"}",
		"[{\"type\":\"web_search_call\"}]",
		"{\"event\":\"x\",\"data\":{\"a\":1}}",
		"[{\"type\":\"ping\"}]",
		"{\"type\":\"response.created\"}",
		"{\"response\":\"x\",\"done\":true}",
		"{\"function\":{\"arguments\":\"x\"}}",
		"{\"document\":{\"title\":\"x\"}}",
		"{\"image\":{\"url\":\"x\"}}",
		"{\"tool_use\":{}}",
		"{\"inputText\":\"x\"}",
		"{\"generation\":\"x\"}",
		"{\"results\":[{\"text\":\"x\"}]}",
		"{\"outputs\":[{\"text\":\"x\"}]}",
		"{\"request\":{},\"response\":{}}",
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		char *got = said(NULL, values[i], PREFER_NONE, true);

		cr_expect_null(got, "%s gives %s", values[i], got);
		mem_free(got);
	}
}

/* Any value, to any dialect: nothing is added where it is not known. */
Test(dialects, nothing_of_strangers)
{
	static const char *const values[] = {"{\"messages\":", "[{\"role\":\"user\"",
		"{\"choices\":[{\"message\":{\"content\":\"a", "[[[[", "{\"a\":1}",
		"[null]", "{\"type\":5,\"role\":7,\"content\":{}}"};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		for (size_t k = 0; dialects[k]; k++)
			mem_free(said(dialects[k]->name, values[i], PREFER_NONE, true));
}
