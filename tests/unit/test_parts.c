/*
 * Content parts: what scripts get (parts_write) and what the screen gets (the list
 * itself), as tables of a message and what must come out.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "chat/parts.h"
#include "json/json.h"

struct row {
	const char *message;
	const char *expected;
};

/* Texts, calls, results and tools, abbreviated: W("text", "calls", "results", "tools").
 */
#define W(text, use, result, tools)                                                      \
	"{\"text\":[" text "],\"tool_use\":[" use "],\"tool_result\":[" result           \
	"],\"tools\":[" tools "]}"

/* As scripts get it. */
static char *written(struct str message)
{
	struct arena arena = {0};
	struct parts parts;
	struct buf out = BUF_INIT;

	parts = parts_read(jv_parse(message), &arena);
	parts_write(&out, &parts, false);
	parts_done(&parts);
	arena_done(&arena);
	return buf_take(&out);
}

static void check_written(const struct row rows[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *got = written(str_of(rows[i].message));

		cr_expect_str_eq(got, rows[i].expected, "%s\n gives %s\n  not  %s",
			rows[i].message, got, rows[i].expected);
		mem_free(got);
	}
}

#define CHECK_WRITTEN(rows) check_written(rows, sizeof(rows) / sizeof(*rows))

/* A list of images may hold other media, and what is none. */
Test(parts, images)
{
	static const char list[] =
		"[\"https://example.com/"
		"a.png\",{\"type\":\"file\",\"file\":{\"file_data\":"
		"\"data:application/pdf;base64,JVBERi0=\"}},{\"x\":1}]";
	static const enum part_kind kinds[] = {PART_IMAGE, PART_FILE, PART_JSON};
	struct arena arena = {0};
	struct parts parts = {0};

	parts = parts_read_images(jv_parse(STR(list)), &arena);
	cr_assert_eq(parts.count, 3);
	for (size_t i = 0; i < 3; i++)
		cr_expect_eq(PART_AT(&parts, i)->kind, kinds[i], "image %zu", i);
	parts_done(&parts);
	arena_done(&arena);
}

Test(parts_write, texts)
{
	static const struct row rows[] = {
		{"\"its own text\"", W("\"its own text\"", "", "", "")},
		{"\"\"", W("", "", "", "")},
		{"\"data:image/gif;base64,R0lG\"",
			W("\"data:image/gif;base64,R0lG\"", "", "", "")},
		{"null", W("", "", "", "")},
		{"17", W("", "", "", "")},
		{"[\"no\",{\"text\":\"no\"}]", W("", "", "", "")},
		{"", W("", "", "", "")},
		{"{}", W("", "", "", "")},
		{"{\"text\":\"t\"}", W("\"t\"", "", "", "")},
		{"{\"content\":\"c\"}", W("\"c\"", "", "", "")},
		{"{\"content\":\"c\",\"text\":\"t\"}", W("\"t\",\"c\"", "", "", "")},
		/* blocks as JSON in a string, of a message in a message */
		{"{\"message\":{\"role\":\"user\",\"content\":\"[]\"}}",
			W("", "", "", "")},
		{"{\"message\":{\"role\":\"user\",\"content\":"
		 "\"[{\\\"type\\\":\\\"text\\\",\\\"text\\\":\\\"b\\\"}]\"}}",
			W("\"b\"", "", "", "")},
		{"{\"content\":[\"a\",\"b\"]}", W("\"a\",\"b\"", "", "", "")},
		{"{\"content\":[{\"text\":\"a\"},{\"other\":\"x\"},\"b\",3,null]}",
			W("\"a\",\"b\"", "", "", "")},
		{"{\"content\":[{\"type\":\"output_text\",\"text\":\"o\"}]}",
			W("\"o\"", "", "", "")},
		{"{\"content\":[{\"type\":\"text\",\"content\":\"otel\"}]}",
			W("\"otel\"", "", "", "")},
		{"{\"content\":[{\"type\":\"note\",\"content\":\"x\"}]}",
			W("", "", "", "")},
		{"{\"parts\":[{\"type\":\"text\",\"content\":\"p\"}]}",
			W("\"p\"", "", "", "")},
		{"{\"message\":{\"content\":\"m\"}}", W("\"m\"", "", "", "")},
		{"{\"message\":{\"content\":[\"m\",{\"text\":\"n\"}]},\"content\":\"c\"}",
			W("\"c\",\"m\",\"n\"", "", "", "")},
		{"{\"content\":\"\",\"text\":\"\"}", W("", "", "", "")},
		{"{\"content\":[\"\",{\"text\":\"\"}]}", W("", "", "", "")},
		{"{\"content\":null,\"text\":5}", W("", "", "", "")},
		{"{\"content\":{\"text\":\"an object is no array\"}}", W("", "", "", "")},
		{"{\"content\":[{\"type\":\"thinking\",\"text\":\"x\"}]}",
			W("", "", "", "")},
		{"{\"content\":[{\"type\":\"reasoning\",\"text\":\"x\"}]}",
			W("", "", "", "")},
		{"{\"content\":[{\"type\":\"thinking\",\"thinking\":\"x\"}]}",
			W("", "", "", "")},
		{"{\"content\":\"\\u00e9\\ud83d\\ude00\\u202e\\\"\"}",
			W("\"\xC3\xA9\xF0\x9F\x98\x80\\u202e\\\"\"", "", "", "")},
		{"{\"role\":\"user\",\"message\":\"not where the document looks\"}",
			W("", "", "", "")},
	};

	CHECK_WRITTEN(rows);
}

#define CALL(name, input, id) "{\"name\":\"" name "\",\"input\":" input ",\"id\":" id "}"

Test(parts_write, calls)
{
	static const struct row rows[] = {
		{"{\"content\":[{\"toolUse\":{\"name\":\"f\",\"input\":{\"q\": 1}}}]}",
			W("", CALL("f", "{\"q\":1}", "null"), "", "")},
		{"{\"content\":[{\"tool_use\":{\"name\":\"f\",\"input\":{\"q\":1}}}]}",
			W("", CALL("f", "{\"q\":1}", "null"), "", "")},
		{"{\"content\":[{\"tool_use\":{\"name\":\"b\"},\"toolUse\":{\"name\":"
		 "\"a\"}}]}",
			W("", CALL("a", "{}", "null"), "", "")},
		{"{\"content\":[{\"type\":\"tool_use\",\"name\":\"f\"}]}",
			W("", CALL("f", "{}", "null"), "", "")},
		{"{\"content\":[{\"type\":\"function\",\"name\":\"f\"}]}",
			W("", CALL("f", "{}", "null"), "", "")},
		{"{\"content\":[{\"type\":\"tool_call\",\"name\":\"f\"}]}",
			W("", CALL("f", "{}", "null"), "", "")},
		{"{\"content\":[{\"type\":\"tool_used\",\"name\":\"f\"}]}",
			W("", "", "", "")},
		{"{\"content\":[{\"type\":\"tool_use\"},{\"toolUse\":{\"input\":{}}}]}",
			W("", "", "", "")},
		{"{\"content\":[{\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}",
			W("", CALL("f", "{}", "null"), "", "")},
		{"{\"content\":[{\"toolUse\":{\"function\":{\"name\":\"f\"},\"id\":\"x\"}"
		 "}]}",
			W("", CALL("f", "{}", "\"x\""), "", "")},
		{"{\"content\":[{\"name\":\"f\",\"input\":{}}]}",
			W("", CALL("f", "{}", "null"), "", "")},
		{"{\"content\":[{\"name\":\"f\",\"parameters\":{\"a\":true}}]}",
			W("", CALL("f", "{\"a\":true}", "null"), "", "")},
		{"{\"content\":[{\"name\":\"f\"},{\"name\":5,\"input\":{}}]}",
			W("", "", "", "")},
		{"{\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\",\"function\":{"
		 "\"name\":\"f\","
		 "\"arguments\":\"{\\\"a\\\": [1, 2]}\"}}]}",
			W("", CALL("f", "{\"a\":[1,2]}", "\"c\""), "", "")},
		{"{\"toolCalls\":[{\"function\":{\"name\":\"f\"}}]}",
			W("", CALL("f", "{}", "null"), "", "")},
		{"{\"function_call\":{\"name\":\"f\",\"arguments\":\"{}\"}}",
			W("", CALL("f", "{}", "null"), "", "")},
		{"{\"function_call\":null,\"tool_calls\":null}", W("", "", "", "")},
		{"{\"type\":\"tool_use\",\"id\":\"i\",\"name\":\"f\",\"input\":{\"t\":"
		 "\"x\"}}",
			W("", CALL("f", "{\"t\":\"x\"}", "\"i\""), "", "")},
		/* the order of the places */
		{"{\"name\":\"d\",\"input\":{},\"function_call\":{\"name\":\"c\","
		 "\"arguments\":\"\"},"
		 "\"tool_calls\":[{\"type\":\"function\",\"name\":\"b\"}],"
		 "\"content\":[{\"type\":\"tool_use\",\"name\":\"a\"}]}",
			W("",
				CALL("a", "{}", "null") "," CALL(
					"b", "{}", "null") "," CALL("c", "{}",
					"null") "," CALL("d", "{}", "null"),
				"", "")},
		{"{\"content\":[\"hi\",{\"text\":\"and\",\"name\":\"f\",\"input\":{\"x\":"
		 "1}}]}",
			W("\"hi\",\"and\"", CALL("f", "{\"x\":1}", "null"), "", "")},
	};

	CHECK_WRITTEN(rows);
}

Test(parts_write, arguments)
{
	static const struct row rows[] = {
		{"{\"name\":\"f\",\"input\":{\"a\" : 1.50}}",
			W("", CALL("f", "{\"a\":1.50}", "null"), "", "")},
		{"{\"name\":\"f\",\"input\":{},\"arguments\":\"\",\"parameters\":{\"p\":"
		 "0}}",
			W("", CALL("f", "{\"p\":0}", "null"), "", "")},
		{"{\"name\":\"f\",\"arguments\":\"[1, 2]\"}",
			W("", CALL("f", "[1,2]", "null"), "", "")},
		{"{\"name\":\"f\",\"arguments\":\" 7 \"}",
			W("", CALL("f", "7", "null"), "", "")},
		{"{\"name\":\"f\",\"arguments\":\"not valid json {\"}",
			W("",
				CALL("f", "{\"raw_arguments\":\"not valid json {\"}",
					"null"),
				"", "")},
		{"{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":NaN}\"}",
			W("",
				CALL("f", "{\"raw_arguments\":\"{\\\"a\\\":NaN}\"}",
					"null"),
				"", "")},
		{"{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1,}\"}",
			W("", CALL("f", "{\"raw_arguments\":\"{\\\"a\\\":1,}\"}", "null"),
				"", "")},
		{"{\"name\":\"f\",\"input\":[1,2,{\"a\":\"b,c:d\\\",\"}]}",
			W("",
				CALL("f",
					"{\"value\":\"[1, 2, {\\\"a\\\": "
					"\\\"b,c:d\\\\\\\",\\\"}]\"}",
					"null"),
				"", "")},
		{"{\"name\":\"f\",\"input\":12.50}",
			W("", CALL("f", "{\"value\":\"12.50\"}", "null"), "", "")},
		{"{\"name\":\"f\",\"input\":true}",
			W("", CALL("f", "{\"value\":\"true\"}", "null"), "", "")},
		{"{\"name\":\"f\",\"input\":0}", W("", CALL("f", "{}", "null"), "", "")},
		{"{\"name\":\"f\",\"input\":[],\"arguments\":false}",
			W("", CALL("f", "{}", "null"), "", "")},
		{"{\"name\":\"f\",\"input\":null}", W("", "", "", "")},
		{"{\"type\":\"tool_call\",\"name\":\"f\",\"args\":{\"a\":1}}",
			W("", CALL("f", "{}", "null"), "", "")},
	};

	CHECK_WRITTEN(rows);
}

Test(parts_write, ids)
{
	static const struct row rows[] = {
		{"{\"name\":\"f\",\"input\":{},\"id\":7}",
			W("", CALL("f", "{}", "\"7\""), "", "")},
		{"{\"name\":\"f\",\"input\":{},\"id\":null,\"call_id\":\"c\"}",
			W("", CALL("f", "{}", "\"c\""), "", "")},
		{"{\"name\":\"f\",\"input\":{},\"id\":\"\",\"toolUseId\":\"t\"}",
			W("", CALL("f", "{}", "\"t\""), "", "")},
		{"{\"toolUse\":{\"name\":\"f\",\"id\":\"in\"},\"id\":\"out\"}",
			W("", CALL("f", "{}", "\"out\""), "", "")},
		{"{\"toolUse\":{\"name\":\"f\",\"id\":\"in\"},\"toolUseId\":\"out\"}",
			W("", CALL("f", "{}", "\"in\""), "", "")},
		{"{\"toolUse\":{\"name\":\"f\",\"toolUseId\":\"in\"},\"toolUseId\":"
		 "\"out\"}",
			W("", CALL("f", "{}", "\"out\""), "", "")},
		{"{\"toolUse\":{\"name\":\"f\",\"tool_call_id\":\"d\",\"call_id\":\"c\","
		 "\"tool_use_id\":\"b\",\"toolUseId\":\"a\"}}",
			W("", CALL("f", "{}", "\"a\""), "", "")},
		{"{\"toolUse\":{\"name\":\"f\",\"tool_call_id\":\"d\",\"callId\":\"c\"}}",
			W("", CALL("f", "{}", "\"c\""), "", "")},
		{"{\"type\":\"tool_use\",\"name\":\"f\",\"tool_call_id\":\"t\"}",
			W("", CALL("f", "{}", "\"t\""), "", "")},
		/* told twice */
		{"{\"content\":[{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"f\","
		 "\"input\":{\"a\":1}}],"
		 "\"tool_calls\":[{\"id\":1,\"function\":{\"name\":\"f\",\"arguments\":"
		 "\"{}\"}},"
		 "{\"id\":\"1\",\"function\":{\"name\":\"g\"}},"
		 "{\"id\":\"2\",\"function\":{\"name\":\"f\"}}]}",
			W("",
				CALL("f", "{\"a\":1}", "\"1\"") "," CALL(
					"g", "{}", "\"1\"") "," CALL("f", "{}", "\"2\""),
				"", "")},
		{"{\"content\":[{\"type\":\"tool_use\",\"name\":\"f\"},"
		 "{\"type\":\"tool_use\",\"name\":\"f\"}]}",
			W("", CALL("f", "{}", "null") "," CALL("f", "{}", "null"), "",
				"")},
		/* and the first without arguments */
		{"{\"content\":[{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"f\","
		 "\"input\":{}}],"
		 "\"tool_calls\":[{\"id\":\"1\",\"function\":{\"name\":\"f\","
		 "\"arguments\":\"{\\\"a\\\":1}\"}}]}",
			W("", CALL("f", "{\"a\":1}", "\"1\""), "", "")},
	};

	CHECK_WRITTEN(rows);
}

#define RESULT(id, content) "{\"id\":" id ",\"content\":" content "}"

Test(parts_write, results)
{
	static const struct row rows[] = {
		{"{\"toolResult\":{\"id\":\"123\",\"content\":\"R\"}}",
			W("", "", RESULT("\"123\"", "\"R\""), "")},
		{"{\"tool_result\":{\"content\":[1, 2]}}",
			W("", "", RESULT("null", "[1,2]"), "")},
		{"{\"type\":\"tool_result\",\"id\":\"1\",\"content\":\"R\"}",
			W("", "", RESULT("\"1\"", "\"R\""), "")},
		{"{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":\"R\"}",
			W("", "", RESULT("\"1\"", "\"R\""), "")},
		{"{\"role\":\"tool\",\"content\":[{\"type\":\"text\",\"text\":\"R\"}]}",
			W("", "", RESULT("null", "[{\"type\":\"text\",\"text\":\"R\"}]"),
				"")},
		{"{\"role\":\"user\",\"toolCallId\":\"1\",\"content\":\"R\"}",
			W("", "", RESULT("\"1\"", "\"R\""), "")},
		{"{\"role\":\"user\",\"tool_call_id\":null,\"content\":\"R\"}",
			W("\"R\"", "", "", "")},
		{"{\"content\":[{\"type\":\"tool_result\",\"content\":\"R\"},\"after\"]}",
			W("\"after\"", "", RESULT("null", "\"R\""), "")},
		{"{\"content\":[{\"toolResult\":{\"toolUseId\":\"n\"},\"id\":\"i\"}]}",
			W("", "", RESULT("\"n\"", "\"\""), "")},
		{"{\"content\":[{\"toolResult\":{\"content\":0},\"tool_use_id\":8}]}",
			W("", "", RESULT("\"8\"", "0"), "")},
		{"{\"type\":\"tool_result\",\"id\":\"d\",\"tool_use_id\":\"c\","
		 "\"toolUseId\":\"b\","
		 "\"tool_call_id\":\"a\"}",
			W("", "", RESULT("\"a\"", "\"\""), "")},
		{"{\"type\":\"tool_result\",\"id\":\"d\",\"tool_use_id\":\"c\","
		 "\"content\":null}",
			W("", "", RESULT("\"c\"", "\"\""), "")},
		{"{\"toolResult\":{},\"content\":\"c\"}", W("\"c\"", "", "", "")},
		{"{\"toolResult\":{\"content\":\"R\"},\"content\":\"c\"}",
			W("\"c\"", "", RESULT("null", "\"R\""), "")},
		{"{\"role\":\"tool\",\"tool_call_id\":\"1\",\"text\":\"beside\"}",
			W("\"beside\"", "", RESULT("\"1\"", "\"\""), "")},
		{"{\"type\":\"function\",\"tool_call_id\":\"1\",\"content\":\"no name, "
		 "no call\"}",
			W("", "", RESULT("\"1\"", "\"no name, no call\""), "")},
		/* a function's, of old, is to the document a text */
		{"{\"role\":\"function\",\"name\":\"f\",\"content\":\"R\"}",
			W("\"R\"", "", "", "")},
		{"{\"role\":\"function\",\"name\":\"f\",\"content\":\"\"}",
			W("", "", "", "")},
		{"{\"role\":\"function\",\"name\":\"f\",\"content\":\"[{\\\"type\\\":"
		 "\\\"text\\\",\\\"text\\\":\\\"R\\\"}]\"}",
			W("\"R\"", "", "", "")},
		{"{\"role\":\"tool\",\"tool_call_ids\":[\"1\"],\"content\":\"R\"}",
			W("", "", RESULT("null", "\"R\""), "")},
		/* a tool's message that is a list of results */
		{"{\"role\":\"tool\",\"content\":[{\"type\":\"tool_result\",\"tool_use_"
		 "id\":\"1\","
		 "\"content\":\"a\"},{\"type\":\"tool_result\",\"tool_use_id\":\"2\","
		 "\"content\":\"b\"}]}",
			W("", "", RESULT("\"1\"", "\"a\"") "," RESULT("\"2\"", "\"b\""),
				"")},
		{"{\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"1\",\"result\":{"
		 "\"t\": 2}}]}",
			W("", "", RESULT("\"1\"", "{\"t\":2}"), "")},
		{"{\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"1\",\"response\":"
		 "\"r\"}]}",
			W("", "", RESULT("\"1\"", "\"r\""), "")},
		{"{\"content\":[{\"type\":\"tool-result\",\"toolCallId\":\"v\","
		 "\"output\":1}]}",
			W("", "", RESULT("\"v\"", "\"\""), "")},
		{"{\"content\":[{\"type\":\"tool-call\",\"toolCallId\":\"v\","
		 "\"toolName\":\"f\"}]}",
			W("", "", "", "")},
	};

	CHECK_WRITTEN(rows);
}

#define TOOL(name, text) "{\"name\":\"" name "\",\"description\":\"" text "\"}"

Test(parts_write, definitions)
{
	static const struct row rows[] = {
		{"{\"tools\":[{\"name\":\"f\",\"description\":\"d\"}]}",
			W("", "", "", TOOL("f", "d"))},
		{"{\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\","
		 "\"description\":\"d\"}},{\"tool\":{\"name\":\"g\"}},"
		 "{\"definition\":{\"name\":\"h\",\"description\":null}}]}",
			W("", "", "",
				TOOL("f", "d") "," TOOL("g", "") "," TOOL("h", ""))},
		{"{\"tools\":[{\"name\":\"f\",\"parameters\":{\"a\":1}}]}",
			W("", "", "", TOOL("f", ""))},
		{"{\"tools\":[null,\"f\",{},{\"name\":\"\"},{\"function\":{}}]}",
			W("", "", "", "")},
		{"{\"tools\":{\"name\":\"f\"}}", W("", "", "", "")},
	};

	CHECK_WRITTEN(rows);
}

/* What the screen gets: one letter a part, its body or name, [id], a sign for the rest.
 */

static void describe_string(struct buf *out, struct jv v)
{
	if (v.kind != J_NONE)
		jv_text(v, out);
}

static void describe(struct buf *out, const struct part *p)
{
	static const char letters[] = {
		[PART_TEXT] = 'T',
		[PART_CALL] = 'C',
		[PART_RESULT] = 'R',
		[PART_TOOL] = 'D',
		[PART_IMAGE] = 'I',
		[PART_REASONING] = 'M',
		[PART_REFUSAL] = 'N',
		[PART_FILE] = 'F',
		[PART_JSON] = 'J',
	};

	buf_byte(out, letters[p->kind]);
	buf_byte(out, ' ');
	describe_string(out, p->kind == PART_JSON ? p->raw : p->name);
	if (p->name.kind != J_NONE && p->body.kind != J_NONE)
		buf_byte(out, '=');
	if (p->kind != PART_IMAGE && p->kind != PART_FILE)
		describe_string(out, p->body);
	if (p->id.kind != J_NONE) {
		buf_byte(out, '[');
		describe_string(out, p->id);
		buf_byte(out, ']');
	}
	if (p->error)
		buf_byte(out, '!');
	if (p->kind == PART_IMAGE || p->kind == PART_FILE)
		buf_printf(out, "%.*s %llu %ux%u%s", (int)p->media.n,
			p->media.p ? p->media.p : "", (unsigned long long)p->bytes,
			p->width, p->height, p->remote ? " remote" : "");
	buf_byte(out, '\n');
}

static char *described(struct str message)
{
	struct arena arena = {0};
	struct parts parts;
	struct buf out = BUF_INIT;

	parts = parts_read(jv_parse(message), &arena);
	for (size_t i = 0; i < parts.count; i++)
		describe(&out, PART_AT(&parts, i));
	parts_done(&parts);
	arena_done(&arena);
	return buf_take(&out);
}

static void check_described(const struct row rows[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *got = described(str_of(rows[i].message));

		cr_expect_str_eq(got, rows[i].expected, "%s\ngives\n%s\nnot\n%s",
			rows[i].message, got, rows[i].expected);
		mem_free(got);
	}
}

#define CHECK_DESCRIBED(rows) check_described(rows, sizeof(rows) / sizeof(*rows))

Test(parts_read, reading_order)
{
	static const struct row rows[] = {
		{"{\"role\":\"assistant\",\"reasoning_content\":\"hm\",\"content\":"
		 "\"hi\","
		 "\"refusal\":null,\"tool_calls\":[{\"id\":\"1\",\"function\":{\"name\":"
		 "\"f\"}}]}",
			"M hm\nT hi\nC f[1]\n"},
		{"{\"reasoning\":\"hm\",\"content\":\"\",\"refusal\":\"no\"}",
			"M hm\nN no\n"},
		{"{\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":"
		 "\"s\"},"
		 "{\"type\":\"text\",\"text\":\"hi\"},{\"type\":\"redacted_thinking\","
		 "\"data\":\"x\"},"
		 "{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"f\",\"input\":{}},"
		 "{\"type\":\"refusal\",\"refusal\":\"no\"}]}",
			"M hm\nT hi\nM \nC f[1]\nN no\n"},
		{"{\"content\":[{\"type\":\"reasoning\",\"summary\":[{\"text\":\"a\"},{"
		 "\"text\":\"b\"}]},"
		 "{\"type\":\"reasoning\",\"text\":\"c\"},{\"type\":\"reasoning\","
		 "\"content\":\"d\"},"
		 "{\"type\":\"reasoning\",\"id\":\"e\"}]}",
			"M a\nM b\nM c\nM d\nM \n"},
		{"{\"content\":[{\"reasoningContent\":{\"reasoningText\":{\"text\":"
		 "\"hm\"}}}]}",
			"M hm\n"},
		{"{\"type\":\"reasoning\",\"summary\":[{\"text\":\"alone\"}]}",
			"M alone\n"},
		{"{\"content\":[3,true,[1],{\"type\":\"server_note\"},null]}",
			"J 3\nJ true\nJ [1]\nJ {\"type\":\"server_note\"}\n"},
		{"{\"content\":{\"lat\":54.5}}", "J {\"lat\":54.5}\n"},
		{"{\"content\":{\"type\":\"text\",\"text\":\"hi\"}}", "T hi\n"},
		{"{\"content\":7}", "J 7\n"},
		{"{\"content\":{}}", ""},
		{"{\"author\":\"bob\",\"message\":\"ping\"}", "T ping\n"},
		{"{\"role\":\"assistant\",\"delta\":{\"content\":\"Ti\"}}", "T Ti\n"},
		{"{\"role\":\"assistant\",\"response\":\"r\"}", "T r\n"},
		{"{\"role\":\"assistant\",\"content\":\"c\",\"message\":\"m\","
		 "\"response\":\"r\"}",
			"T c\n"},
		{"{\"message\":{\"content\":null,\"tool_calls\":[{\"id\":\"1\","
		 "\"function\":"
		 "{\"name\":\"f\"}}]}}",
			"C f[1]\n"},
		{"{\"type\":\"text\",\"text\":\"\"}", ""},
		{"{\"tools\":[{\"name\":\"f\",\"description\":\"d\"},\"odd\"],"
		 "\"content\":\"c\"}",
			"T c\nD f=d\nJ odd\n"},
	};

	CHECK_DESCRIBED(rows);
}

Test(parts_read, vendors)
{
	static const struct row rows[] = {
		{"{\"content\":[{\"type\":\"tool-call\",\"toolCallId\":\"1\","
		 "\"toolName\":\"f\","
		 "\"input\":{\"a\":1}},{\"type\":\"tool-call\",\"toolCallId\":\"2\","
		 "\"toolName\":\"f\",\"args\":{\"a\":2}}]}",
			"C f={\"a\":1}[1]\nC f={\"a\":2}[2]\n"},
		{"{\"role\":\"tool\",\"content\":[{\"type\":\"tool-result\","
		 "\"toolCallId\":\"1\","
		 "\"toolName\":\"f\",\"output\":{\"t\":2}}]}",
			"R f={\"t\":2}[1]\n"},
		{"{\"type\":\"tool-call\",\"toolCallId\":\"1\",\"toolName\":\"f\"}",
			"C f[1]\n"},
		{"{\"type\":\"function_call\",\"id\":\"fc\",\"call_id\":\"1\",\"name\":"
		 "\"f\","
		 "\"arguments\":\"{}\"}",
			"C f={}[fc]\n"},
		{"{\"type\":\"function_call_output\",\"call_id\":\"1\",\"output\":\"o\"}",
			"R o[1]\n"},
		{"{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"name\":\"f\","
		 "\"args\":{\"a\":1}}},"
		 "{\"functionResponse\":{\"name\":\"f\",\"response\":{\"b\":2}}}]}",
			"C f={\"a\":1}\nR f={\"b\":2}\n"},
		{"{\"tool_calls\":[{\"name\":\"f\",\"args\":{\"a\":1},\"id\":\"1\","
		 "\"type\":\"tool_call\"},"
		 "{\"name\":\"g\"},{\"odd\":1}]}",
			"C f={\"a\":1}[1]\nC g\nJ {\"odd\":1}\n"},
		{"{\"content\":[{\"toolResult\":{\"toolUseId\":\"1\",\"content\":[{"
		 "\"text\":\"x\"}],"
		 "\"status\":\"error\"}}]}",
			"R [{\"text\":\"x\"}][1]!\n"},
		{"{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"1\","
		 "\"content\":\"x\","
		 "\"is_error\":true}]}",
			"R x[1]!\n"},
		{"{\"role\":\"tool\",\"name\":\"f\",\"tool_call_id\":\"1\",\"content\":"
		 "\"x\"}",
			"R f=x[1]\n"},
		/* before there were ids; no call of its own, no text of somebody's */
		{"{\"role\":\"function\",\"name\":\"f\",\"content\":\"x\"}", "R f=x\n"},
		{"{\"role\":\"function\",\"name\":\"f\",\"content\":\"\"}", "R f=\n"},
		{"{\"role\":\"function\",\"name\":\"f\",\"content\":null}", ""},
		{"{\"role\":\"function\",\"content\":\"x\"}", "T x\n"},
		{"{\"role\":\"function\",\"name\":\"f\",\"content\":[{\"type\":\"text\","
		 "\"text\":\"x\"}]}",
			"T x\n"},
		{"{\"role\":\"user\",\"name\":\"f\",\"content\":\"x\"}", "T x\n"},
		{"{\"role\":\"function\",\"parts\":[{\"functionResponse\":{\"name\":"
		 "\"f\","
		 "\"response\":{\"b\":2}}}]}",
			"R f={\"b\":2}\n"},
	};

	CHECK_DESCRIBED(rows);
}

/* By what a result and its call refer to each other, whatever the id of the item. */
Test(parts_read, link)
{
	static const struct {
		const char *message, *id, *link;
	} rows[] = {
		{"{\"type\":\"function_call\",\"id\":\"fc\",\"call_id\":\"c\",\"name\":"
		 "\"f\",\"arguments\":\"{}\"}",
			"fc", "c"},
		{"{\"role\":\"tool\",\"tool_call_ids\":[\"c\"],\"content\":\"x\"}", "",
			"c"},
		{"{\"role\":\"tool\",\"tool_call_ids\":[\"c\",\"d\"],\"content\":\"x\"}",
			"", ""},
		{"{\"role\":\"tool\",\"tool_call_ids\":[\"c\"],\"id\":\"i\",\"content\":"
		 "\"x\"}",
			"i", "i"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena arena = {0};
		struct parts parts;

		parts = parts_read(jv_parse(str_of(rows[i].message)), &arena);
		cr_assert_eq(parts.count, 1);
		cr_expect(str_equal(jv_plain(PART_AT(&parts, 0)->id), str_of(rows[i].id)));
		cr_expect(str_equal(jv_plain(PART_AT(&parts, 0)->link), str_of(rows[i].link)));
		parts_done(&parts);
		arena_done(&arena);
	}
}

/* Made by hand from the formats: 3x5 in all that fit it. */
#define PNG                                                                              \
	"iVBORw0KGgoAAAANSUhEUgAAAAMAAAAFCAYAAACAcVaiAAAAEUlEQVR42mNkYPhfz0AEYBxVSF+"    \
	"FAP1wBAE8lWkAAAAASUVORK5CYII="
#define GIF  "R0lGODlhAwAFAIAAAP///wAAACwAAAAAAwAFAAACA4SPVgA7"
#define JPEG "/9j/4AAQSkZJRgABAQAAAQABAAD/wAARCAAFAAMDASIAAhEBAxEB/9k="

Test(parts_read, images)
{
	static const struct row rows[] = {
		/* a text that is one */
		{"{\"content\":\"data:image/png;base64," PNG "\"}",
			"I image/png 77 3x5\n"},
		{"{\"content\":[\"data:image/gif;base64," GIF
		 "\",\"data:image/gif;base64,"
		 "R0lG and words\",\"data:image/png\"]}",
			"I image/gif 36 3x5\nT data:image/gif;base64,R0lG and words\nT "
			"data:image/png\n"},
		{"{\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":"
		 "\"data:image/png;base64," PNG "\"}}]}",
			"I image/png 77 3x5\n"},
		{"{\"content\":[{\"type\":\"image_url\",\"image_url\":\"data:image\\/"
		 "gif;base64," GIF "\"}]}",
			"I image/gif 36 3x5\n"},
		{"{\"content\":[{\"type\":\"image_url\",\"url\":\"https://x.org/a.png\"},"
		 "{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://x.org/"
		 "a.png\"}}]}",
			"I  0 0x0 remote\n"
			"I  0 0x0 remote\n"},
		{"{\"content\":[{\"type\":\"image\",\"source\":{\"type\":\"base64\","
		 "\"media_type\":\"image/jpeg\",\"data\":\"" JPEG "\"}}]}",
			"I image/jpeg 41 3x5\n"},
		{"{\"content\":[{\"type\":\"image\",\"source\":{\"type\":\"url\","
		 "\"url\":\"https://x.org/a\"}}]}",
			"I  0 0x0 remote\n"},
		{"{\"content\":[{\"type\":\"input_image\",\"image_url\":\"data:image/"
		 "png;base64," PNG "\"}]}",
			"I image/png 77 3x5\n"},
		{"{\"parts\":[{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"" PNG
		 "\"}},{\"inline_data\":{\"mime_type\":\"audio/"
		 "wav\",\"data\":\"AAAA\"}}]}",
			"I image/png 77 3x5\nF audio/wav 3 0x0\n"},
		{"{\"content\":[{\"image\":{\"format\":\"png\",\"source\":{\"bytes\":"
		 "\"" PNG "\"}}}]}",
			"I image/png 77 3x5\n"},
		{"{\"content\":[{\"type\":\"image\",\"image\":\"" GIF "\"}]}",
			"I image/gif 36 3x5\n"},
		{"{\"content\":[{\"type\":\"image\",\"data\":\"" GIF
		 "\",\"mimeType\":\"image/gif\"}]}",
			"I image/gif 36 3x5\n"},
		{"{\"content\":[{\"type\":\"image\"}]}", "J {\"type\":\"image\"}\n"},
		{"{\"content\":[{\"text\":\"caption\",\"image_url\":\"https://x.org/"
		 "a\"}]}",
			"T caption\nI  0 0x0 remote\n"},
		{"{\"content\":[{\"type\":\"file\",\"file\":{\"filename\":\"a.pdf\","
		 "\"file_data\":\"data:application/pdf;base64,AAAA\"}}]}",
			"F a.pdf=application/pdf 3 0x0\n"},
		{"{\"content\":[{\"type\":\"input_file\",\"filename\":\"a.pdf\",\"file_"
		 "id\":\"f1\"}]}",
			"F a.pdf= 0 0x0 remote\n"},
		{"{\"content\":[{\"document\":{\"format\":\"pdf\",\"name\":\"a\","
		 "\"source\":{\"bytes\":\"AAAA\"}}}]}",
			"F a=application/pdf 3 0x0\n"},
		{"{\"content\":[{\"type\":\"document\",\"source\":{\"type\":\"text\","
		 "\"media_type\":\"text/plain\",\"data\":\"words\"}}]}",
			"F text/plain 5 0x0\n"},
		{"{\"content\":[{\"type\":\"file\",\"data\":\"" PNG
		 "\",\"mediaType\":\"image/png\"}]}",
			"I image/png 77 3x5\n"},
	};

	CHECK_DESCRIBED(rows);
}

/* Rows whose JSON is written with ' in place of ". */
static void check_quoted(const struct row rows[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *text = mem_dup(rows[i].message, strlen(rows[i].message)), *got;

		for (char *p = text; *p; p++)
			if (*p == '\'')
				*p = '"';
		got = described(str_of(text));
		for (char *p = got; *p; p++)
			if (*p == '"')
				*p = '\'';
		cr_expect_str_eq(got, rows[i].expected, "%s\ngives\n%s\nnot\n%s", text,
			got, rows[i].expected);
		mem_free(text);
		mem_free(got);
	}
}

#define CHECK_QUOTED(rows) check_quoted(rows, sizeof(rows) / sizeof(*rows))

Test(parts_read, ai_sdk)
{
	static const struct row rows[] = {
		/* a part of the UI is the call, and the result once there is one */
		{"{'role':'assistant','parts':[{'type':'step-start'},{'type':'tool-tides'"
		 ","
		 "'toolCallId':'1','state':'input-available','input':{'at':'Rye'}}]}",
			"J {'type':'step-start'}\nC tides={'at':'Rye'}[1]\n"},
		{"{'parts':[{'type':'tool-sea_level','toolCallId':'1','state':"
		 "'output-available','input':{'at':'Rye'},'output':{'m':3}}]}",
			"C sea_level={'at':'Rye'}[1]\nR sea_level={'m':3}[1]\n"},
		{"{'parts':[{'type':'tool-tides','toolCallId':'1','state':'output-error',"
		 "'input':{},'errorText':'no such harbour'}]}",
			"C tides[1]\nR tides=no such harbour[1]!\n"},
		{"{'parts':[{'type':'dynamic-tool','toolName':'tides','toolCallId':'1',"
		 "'state':'output-available','input':'Rye','output':''}]}",
			"C tides=Rye[1]\nR tides=[1]\n"},
		{"{'parts':[{'type':'tool-invocation','toolInvocation':{'state':'result',"
		 "'toolCallId':'1','toolName':'tides','args':{'at':1},'result':[2]}}]}",
			"C tides={'at':1}[1]\nR tides=[2][1]\n"},
		{"{'role':'assistant','content':'','toolInvocations':[{'state':'call',"
		 "'toolCallId':'1','toolName':'tides','args':{'at':1}},7]}",
			"C tides={'at':1}[1]\nJ 7\n"},
		{"{'role':'tool','content':[{'type':'tool-result','toolCallId':'1',"
		 "'toolName':'tides','output':{'type':'json','value':{'m':3}}},"
		 "{'type':'tool-result','toolCallId':'2','toolName':'tides','output':"
		 "{'type':'error-text','value':'closed'}},{'type':'tool-result',"
		 "'toolCallId':'3','toolName':'tides','result':4},{'type':'tool-error',"
		 "'toolCallId':'4','toolName':'tides','error':'lost'}]}",
			"R tides={'m':3}[1]\nR tides=closed[2]!\nR tides=4[3]\n"
			"R tides=lost[4]!\n"},
		{"{'role':'user','content':'see','experimental_attachments':[{'name':"
		 "'map.gif','contentType':'image/gif','url':'data:image/gif;base64," GIF
		 "'},{'name':'log','contentType':'text/plain','url':'https://x.org'}]}",
			"T see\nI map.gif=image/gif 36 3x5\n"
			"F log=text/plain 0 0x0 remote\n"},
		{"{'parts':[{'type':'source-url','sourceId':'s','url':'https://x.org',"
		 "'title':'X'},{'type':'file','mediaType':'image/gif','filename':'a.gif',"
		 "'url':'data:image/gif;base64," GIF
		 "'},{'type':'reasoning','text':''}]}",
			"F X= 0 0x0 remote\nI a.gif=image/gif 36 3x5\nM \n"},
		{"{'parts':[{'type':'tool-f','toolCallId':'1','state':'input-available'},"
		 "{'type':'tool-\\u0066','toolCallId':'2','state':'input-available'}]}",
			"C f[1]\nC f[2]\n"},
		{"{'type':'tool-f','toolCallId':'1','state':'output-available','output':"
		 "2}",
			"C f[1]\nR f=2[1]\n"},
		/* told in two places */
		{"{'parts':[{'type':'tool-invocation','toolInvocation':{'toolCallId':'1',"
		 "'toolName':'f','args':{'a':1},'result':2}}],'toolInvocations':[{"
		 "'toolCallId':'1','toolName':'f','args':{'a':1},'result':2}]}",
			"C f={'a':1}[1]\nR f=2[1]\n"},
		/* no part without a state, no call without a name */
		{"{'parts':[{'type':'tool-','toolCallId':'1','state':'output-available',"
		 "'output':'o'}]}",
			"R o[1]\n"},
		{"{'parts':[{'type':'tool-input-start','toolName':'tides'}]}",
			"J {'type':'tool-input-start','toolName':'tides'}\n"},
	};

	CHECK_QUOTED(rows);
}

Test(parts_read, gemini)
{
	static const struct row rows[] = {
		{"{'role':'model','parts':[{'text':'hm','thought':true},{'text':'So.',"
		 "'thoughtSignature':'c2ln'},{'functionCall':{'id':'1','name':'tides',"
		 "'args':{'at':'Rye'}},'thoughtSignature':'c2ln'}]}",
			"M hm\nT So.\nC tides={'at':'Rye'}[1]\n"},
		{"{'parts':[{'functionResponse':{'id':'1','name':'tides','response':"
		 "{'output':'High'}}},{'functionResponse':{'name':'tides','response':"
		 "{'error':'closed'}}},{'functionResponse':{'name':'f'}}]}",
			"R tides=High[1]\nR tides=closed!\nR f\n"},
		{"{'parts':[{'executableCode':{'language':'PYTHON','code':'print(2)'}},"
		 "{'codeExecutionResult':{'outcome':'OUTCOME_OK','output':'2'}},"
		 "{'codeExecutionResult':{'outcome':'OUTCOME_FAILED'}}]}",
			"C executable_code={'language':'PYTHON','code':'print(2)'}\n"
			"R executable_code=2\nR executable_code=OUTCOME_FAILED!\n"},
		{"{'parts':[{'functionCall':{'partialArgs':[]}},{'fileData':{'mimeType':"
		 "'video/mp4','fileUri':'gs://b/v'}}]}",
			"J {'functionCall':{'partialArgs':[]}}\n"
			"F video/mp4 0 0x0 remote\n"},
	};

	CHECK_QUOTED(rows);
}

Test(parts_read, responses)
{
	static const struct row rows[] = {
		{"{'type':'web_search_call','id':'ws','status':'completed'}",
			"C web_search_call[ws]\n"},
		{"{'type':'web_search_call','id':'ws','action':{'type':'search','query':"
		 "'tides'}}",
			"C web_search_call={'type':'search','query':'tides'}[ws]\n"},
		{"{'type':'code_interpreter_call','id':'ci','code':'print(2)','outputs':"
		 "[{'type':'logs','logs':'2'}]}",
			"C code_interpreter_call=print(2)[ci]\n"
			"R code_interpreter_call=[{'type':'logs','logs':'2'}][ci]\n"},
		{"{'type':'file_search_call','id':'fs','queries':['tide'],'results':"
		 "null}",
			"C file_search_call=['tide'][fs]\n"},
		{"{'type':'mcp_call','id':'m','name':'tides','arguments':'{}','output':"
		 "'High','error':null,'server_label':'sea'}",
			"C tides={}[m]\nR tides=High[m]\n"},
		{"{'type':'mcp_call','id':'m','name':'tides','arguments':'{}','output':"
		 "null,'error':'closed'}",
			"C tides={}[m]\nR tides=closed[m]!\n"},
		{"{'type':'custom_tool_call','id':'ct','call_id':'c','name':'sql','input'"
		 ":"
		 "'SELECT 1'}",
			"C sql=SELECT 1[ct]\n"},
		{"{'type':'custom_tool_call_output','call_id':'c','output':'1'}",
			"R 1[c]\n"},
		{"{'type':'local_shell_call','id':'l','call_id':'c','action':{'command':"
		 "['ls']}}",
			"C local_shell_call={'command':['ls']}[l]\n"},
		{"{'type':'local_shell_call_output','id':'lo','call_id':'c','output':'a'"
		 "}",
			"R a[c]\n"},
		{"{'type':'image_generation_call','id':'ig','status':'completed','result'"
		 ":"
		 "'" PNG "'}",
			"C image_generation_call[ig]\nI image/png 77 3x5\n"},
		{"{'type':'reasoning','id':'r','summary':[],'encrypted_content':'gAAA'}",
			"M \n"},
		{"{'type':'reasoning','id':'r','summary':[{'type':'summary_text','text':"
		 "'a'}],'content':[{'type':'reasoning_text','text':'b'}]}",
			"M a\nM b\n"},
		{"{'type':'mcp_list_tools','id':'l','tools':[{'name':'tides',"
		 "'description':'d'}]}",
			"D tides=d\n"},
		{"{'type':'function_call','call_id':'c','name':'f'}", "C f[c]\n"},
		{"{'role':'assistant','content':[{'type':'input_image','image_url':null,"
		 "'file_id':'file-1'}]}",
			"I  0 0x0 remote\n"},
	};

	CHECK_QUOTED(rows);
}

Test(parts_read, logs_of_others)
{
	static const struct row rows[] = {
		{"{'content':[{'type':'server_tool_use','id':'1','name':'web_search',"
		 "'input':{'q':1}},{'type':'web_search_tool_result','tool_use_id':'1',"
		 "'content':[]},{'type':'web_search_tool_result','tool_use_id':'2',"
		 "'content':{'type':'web_search_tool_result_error','error_code':'x'}}]}",
			"C web_search={'q':1}[1]\nR [][1]\n"
			"R "
			"{'type':'web_search_tool_result_error','error_code':'x'}[2]!\n"},
		/* Inspect names the function in a string, and so does its result */
		{"{'role':'assistant','content':'','tool_calls':[{'id':'1','function':"
		 "'tides','arguments':{'at':1}}]}",
			"C tides={'at':1}[1]\n"},
		{"{'role':'tool','content':'','tool_call_id':'1','function':'tides','"
		 "error':"
		 "{'type':'timeout','message':'late'}}",
			"R tides={'type':'timeout','message':'late'}[1]!\n"},
		{"{'tool_calls':[{'tool_call_id':'1','function_name':'tides','arguments':"
		 "{'at':1}}]}",
			"C tides={'at':1}[1]\n"},
		{"{'tool_calls':[{'id':'1','type':'custom','custom':{'name':'sql','input'"
		 ":"
		 "'SELECT 1'}}]}",
			"C sql=SELECT 1[1]\n"},
		/* Gemini CLI: thoughts beside, results in the calls */
		{"{'type':'gemini','content':'So.','thoughts':[{'subject':'s','"
		 "description':"
		 "'hm'}],'toolCalls':[{'id':'1','name':'ls','args':{'d':'.'},'status':"
		 "'error','result':[{'functionResponse':{'id':'1','name':'ls','response':"
		 "{'output':'a'}}}]}]}",
			"M hm\nT So.\nC ls={'d':'.'}[1]\nR ls=a[1]\n"},
		{"{'role':'assistant','content':'','additional_kwargs':{'tool_calls':[{'"
		 "id':"
		 "'1','function':{'name':'tides','arguments':'{}'}}]}}",
			"C tides={}[1]\n"},
		{"{'role':'assistant','reasoning_details':[{'type':'reasoning.text','"
		 "text':"
		 "'a'},{'type':'reasoning.summary','summary':'b'}],'content':'So.'}",
			"M a\nM b\nT So.\n"},
		{"{'content':[{'reasoningContent':{'redactedContent':'AAAA'}}]}", "M \n"},
		{"{'role':'user','content':'what is it','images':['" GIF "','a.png',3]}",
			"T what is it\nI image/gif 36 3x5\nI  0 0x0 remote\n"},
		{"{'role':'assistant','content':null,'audio':{'id':'a','data':'AAAA',"
		 "'transcript':'spoken'}}",
			"T spoken\nF  3 0x0\n"},
	};

	CHECK_QUOTED(rows);
}

Test(parts_read, definitions_of_others)
{
	static const struct row rows[] = {
		{"{'tools':[{'toolSpec':{'name':'a','description':'d','inputSchema':{}}},"
		 "{'functionDeclarations':[{'name':'b','description':'e'},{'name':'c'}]},"
		 "{'type':'web_search'},{'type':'function','function':{}}]}",
			"D a=d\nD b=e\nD c\nD web_search\n"
			"J {'type':'function','function':{}}\n"},
		{"{'tools':{'a':{'name':'a','description':'d'},'b':{'name':'b'}}}",
			"D a=d\nD b\n"},
		{"{'tools':{'name':'a'}}", "D a\n"},
	};

	CHECK_QUOTED(rows);
}

/* Blocks that were logged as a string, and what only looks so. */
Test(parts_read, blocks_in_a_string)
{
	static const struct row rows[] = {
		{"{'content':' [ {\\'type\\':\\'text\\',\\'text\\':\\'a\\'},{\\'type\\':"
		 "\\'thinking\\',\\'thinking\\':\\'b\\'}]\\n'}",
			"T a\nM b\n"},
		{"{'content':'[\\n  {\\'type\\':\\'image\\'}]'}", "J {'type':'image'}\n"},
		{"{'content':'[]'}", "J []\n"},
		{"{'content':'[{\\'type\\':\\'text\\',\\'text\\':\\'a\\'},{}]'}",
			"T [{'type':'text','text':'a'},{}]\n"},
		{"{'content':'[{\\'type\\':\\'text\\',\\'text\\':\\'a\\'}'}",
			"T [{'type':'text','text':'a'}\n"},
		{"{'content':'[{\\'type\\':\\'text\\',\\'text\\':\\'a\\'}] [1]'}",
			"T [{'type':'text','text':'a'}] [1]\n"},
		{"{'content':'[not JSON]'}", "T [not JSON]\n"},
		{"{'content':'['}", "T [\n"},
		{"{'role':'tool','content':'[]'}", "R []\n"},
		{"'[]'", "T []\n"},
	};

	CHECK_QUOTED(rows);
}

Test(parts_read, media_of_others)
{
	static const struct row rows[] = {
		{"{'content':[{'type':'image','format':'gif','data':'" GIF "'}]}",
			"I image/gif 36 3x5\n"},
		{"{'content':[{'image':{'format':'png','source':{'s3Location':{'uri':"
		 "'s3://b/"
		 "a.png'}}}},{'video':{'format':'mp4','source':{'bytes':'AAAA'}}}]}",
			"I image/png 0 0x0 remote\nF video/mp4 3 0x0\n"},
		{"{'content':[{'type':'audio','audio':'data:audio/"
		 "wav;base64,AAAA','format':"
		 "'wav'},{'type':'input_audio','input_audio':{'data':'AAAA','format':'"
		 "mp3'}},"
		 "{'type':'audio','data':'AAAA','mimeType':'audio/ogg'}]}",
			"F audio/wav 3 0x0\nF audio/mp3 3 0x0\nF audio/ogg 3 0x0\n"},
		{"{'parts':[{'type':'blob','mime_type':'image/png','modality':'image',"
		 "'content':'" PNG "'},{'type':'uri','modality':'image','uri':"
		 "'https://x.org/"
		 "a'},{'type':'blob','modality':'audio','content':'AAAA'}]}",
			"I image/png 77 3x5\nI  0 0x0 remote\nF  3 0x0\n"},
		{"{'content':[{'type':'resource','resource':{'uri':'file:///"
		 "a','mimeType':"
		 "'text/plain','blob':'AAAA'}},{'type':'resource_link','uri':'file:///b',"
		 "'name':'b'}]}",
			"F text/plain 3 0x0\nF b= 0 0x0 remote\n"},
		{"{'content':[{'type':'resource','resource':{'uri':'file:///a','text':"
		 "'words'}}]}",
			"J "
			"{'type':'resource','resource':{'uri':'file:///"
			"a','text':'words'}}\n"},
		{"{'content':[{'type':'computer_screenshot','image_url':'data:image/gif;"
		 "base64," GIF "'},{'type':'media','mime_type':'image/gif','data':'" GIF
		 "'}]}",
			"I image/gif 36 3x5\nI image/gif 36 3x5\n"},
		{"{'content':[{'type':'web_search_result','title':'Tides','url':"
		 "'https://x.org','encrypted_content':'RXNj'}]}",
			"F Tides= 0 0x0 remote\n"},
		{"{'content':[{'type':'note','url':'https://x.org'}]}",
			"J {'type':'note','url':'https://x.org'}\n"},
	};

	CHECK_QUOTED(rows);
}

/* What is neither message nor block is kept as JSON, not hidden. */
Test(parts_read, strangers)
{
	static const struct row rows[] = {
		{"{'role':'assistant'}", "J {'role':'assistant'}\n"},
		{"{'kind':'note','value':1}", "J {'kind':'note','value':1}\n"},
		{"{'text':5,'content':[{'text':6}]}", "J 5\nJ {'text':6}\n"},
		{"{'role':'user','text':['a',{'text':'b'}]}", "T a\nT b\n"},
		{"{'role':'user','content':[{'type':'text','text':{'value':'a',"
		 "'annotations':[]}}]}",
			"T a\n"},
		{"{'content':[{'type':'phone_call','id':'1','number':'555'}]}",
			"J {'type':'phone_call','id':'1','number':'555'}\n"},
		{"{'type':'text','text':''}", ""},
		{"{'content':null}", "J {'content':null}\n"},
		{"{'role':'assistant','content':null}", ""},
		{"{}", ""},
	};

	CHECK_QUOTED(rows);
}

Test(part_image, addresses)
{
	static const struct {
		const char *text;
		const char *media;
		unsigned bytes, width;
		bool remote, is;
	} rows[] = {
		{"\"https://x.org/a.png\"", "", 0, 0, true, true},
		{"\"data:image/png;base64," PNG "\"", "image/png", 77, 3, false, true},
		{"\"DATA:image/png;charset=x;BASE64," PNG "\"", "image/png", 77, 3, false,
			true},
		{"\"" PNG "\"", "image/png", 77, 3, false, true},
		{"\"data:image/svg+xml,%3Csvg%3E\"", "image/svg+xml", 5, 0, false, true},
		{"\"data:;base64,AAA=\"", "", 2, 0, false, true},
		{"\"data:nothing\"", "", 0, 0, false, true},
		{"\"data:,\"", "", 0, 0, false, true},
		{"\"data:image/png;base64,AA\\nAA\\r\\nAA==\\n\"", "image/png", 4, 0,
			false, true},
		{"\"\"", "", 0, 0, false, false},
		{"17", "", 0, 0, false, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena arena = {0};
		struct part p = {0};
		bool is = part_image(&p, jv_parse(str_of(rows[i].text)), &arena);

		cr_expect_eq(is, rows[i].is, "%s", rows[i].text);
		cr_expect(str_equal(p.media, str_of(rows[i].media)), "%s", rows[i].text);
		cr_expect_eq(p.bytes, rows[i].bytes, "%s: %u", rows[i].text,
			(unsigned)p.bytes);
		cr_expect_eq(p.width, rows[i].width, "%s: %u", rows[i].text, p.width);
		cr_expect_eq(p.remote, rows[i].remote, "%s", rows[i].text);
		arena_done(&arena);
	}
}

/* Data of a kind that nobody here knows is no address to be shown. */
Test(part_image, unknown_base64)
{
	for (size_t n = 400; n <= 600; n += 200) {
		struct buf text = BUF_INIT;
		struct arena arena = {0};
		struct part part;

		buf_byte(&text, '"');
		buf_fill(&text, 'Q', n);
		buf_byte(&text, '"');
		cr_assert(part_image(&part, jv_parse(buf_view(&text)), &arena));
		cr_expect_eq(part.remote, n == 400);
		cr_expect_eq(part.bytes, n == 400 ? 0 : n / 4 * 3);
		arena_done(&arena);
		buf_done(&text);
	}
}

/* Headers as bytes, so that they can be varied and cut. */

static char *base64(struct str bytes)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < bytes.n; i += 3) {
		unsigned bits = 0;

		for (size_t k = 0; k < 3; k++)
			bits = bits << 8 |
			       (i + k < bytes.n ? (unsigned char)bytes.p[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			buf_byte(&out, i + k > bytes.n
					       ? '='
					       : digits[bits >> (18 - 6 * k) & 63]);
	}
	return buf_take(&out);
}

static const struct header {
	const char *name;
	struct str bytes;
	size_t needs; /* bytes, before it says anything */
	unsigned width, height;
} headers[] = {
	{"png", {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\1\0\2\0\0\4\0\x8\x2", 26}, 24, 65538,
		1024},
	{"gif", {"GIF87a\x03\x01\x05\x02zz", 12}, 10, 259, 517},
	{"jpeg", {"\xff\xd8\xff\xe0\0\4ab\xff\xff\xc2\0\x11\x8\2\0\1\0\3", 19}, 18, 256,
		512},
	{"webp lossy",
		{"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x03\x40\x05\x80", 30},
		30, 3, 5},
	{"webp lossless", {"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x02\0\1\0zzzzzz", 31}, 30, 3,
		5},
	{"webp extended", {"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\2\0\1\4\0\0zz", 32}, 30,
		65539, 5},
};

/* What is too long and too even to be read. */
Test(image, data)
{
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/-_"
#define LONG    LETTERS LETTERS LETTERS LETTERS
	static const struct {
		const char *text;
		uint64_t bytes; /* 0: no data */
	} rows[] = {
		{"data:image/png;base64," PNG, 77},
		{"DATA:application/octet-stream;base64," LETTERS, 49},
		{"data:image/svg+xml,%3Csvg%20xmlns%3D%22http%3A%2F%2Fwww.w3.org%2F2000"
		 "%2Fsvg%22%2F%3E",
			41},
		{LONG, 198},
		{LONG "==", 198},
		{LONG "\r\n" LONG, 396},
		{"data:image/png;base64,short", 0},
		{"data:image/png;base64," LETTERS " and words behind it", 0},
		{"data: " LONG, 0},
		{LETTERS LETTERS, 0},
		{LONG " ", 0},
		{LONG ".", 0},
		{"https://" LONG, 0},
		{"", 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena arena = {0};
		struct part image;
		bool is = image_read_data(&image, str_of(rows[i].text), &arena);

		cr_expect(is == (rows[i].bytes > 0) && image.bytes == rows[i].bytes,
			"%s: %llu", rows[i].text, (unsigned long long)image.bytes);
		arena_done(&arena);
	}
}

/* What a data: URL with this base64 is known to be. */
static struct part image_of(const char *base64)
{
	AUTO_ARENA arena = {0};
	AUTO_BUF url = BUF_INIT;
	struct part image = {0};

	buf_printf(&url, "\"data:;base64,%s\"", base64);
	cr_expect(part_image(&image, jv_parse(buf_view(&url)), &arena));
	return image;
}

Test(image, headers)
{
	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
		const struct header *h = &headers[i];

		for (size_t n = 0; n <= h->bytes.n; n++) {
			char *text = base64((struct str){h->bytes.p, n});
			struct part image = image_of(text);

			cr_expect_eq(image.bytes, n, "%s of %zu bytes", h->name, n);
			cr_expect_eq(image.width, n < h->needs ? 0 : h->width,
				"%s of %zu bytes: %u", h->name, n, image.width);
			cr_expect_eq(image.height, n < h->needs ? 0 : h->height,
				"%s of %zu bytes: %u", h->name, n, image.height);
			mem_free(text);
		}
	}
}

/* A frame header behind more than 64 KB is not looked for. */
Test(image, jpeg_with_much_before)
{
	for (unsigned segments = 1; segments <= 2; segments++) {
		struct buf bytes = BUF_INIT;
		struct part image;
		char *text;

		buf_add(&bytes, "\xff\xd8", 2);
		for (unsigned i = 0; i < segments; i++) {
			buf_add(&bytes, "\xff\xe1\xee\x00", 4);
			buf_fill(&bytes, 'x', 0xEE00 - 2);
		}
		buf_add(&bytes, "\xff\xc0\0\x11\x8\0\5\0\3", 9);
		text = base64(buf_view(&bytes));
		image = image_of(text);
		cr_expect_eq(image.width, segments == 1 ? 3 : 0);
		mem_free(text);
		buf_done(&bytes);
	}
}

/* Any value gives some list, and what is written of it is JSON. */

static void check_total(struct str text)
{
	char *copy = mem_dup(text.p, text.n), *exact = malloc(text.n + 1), *got;
	json_t *value;

	memcpy(exact + 1, text.p,
		text.n); /* the end of the text is the end of the memory */
	got = written((struct str){exact + 1, text.n});
	value = json_loads(got, 0, NULL);
	cr_assert(value && json_object_size(value) == 4, "%s\ngives\n%s", copy, got);
	json_decref(value);
	mem_free(got);
	got = described((struct str){exact + 1, text.n});
	mem_free(got);
	free(exact);
	mem_free(copy);
}

static const char sample[] =
	"{\"role\":\"tool\",\"type\":\"reasoning\",\"reasoning\":\"r\",\"text\":"
	"\"\\u00e9\\n\","
	"\"content\":[\"a\",{\"type\":\"text\",\"text\":\"b\"},{\"toolUse\":{\"name\":"
	"\"f\","
	"\"input\":{\"q\":[1,2.5e3]},\"toolUseId\":\"1\"}},{\"type\":\"tool_result\","
	"\"tool_use_id\":7,\"content\":[{\"text\":\"x\"}]},{\"type\":\"image_url\","
	"\"image_url\":"
	"{\"url\":\"data:image/png;base64," PNG
	"\"}},{\"type\":\"thinking\",\"thinking\":\"t\"}],"
	"\"parts\":[{\"inlineData\":{\"mimeType\":\"image/gif\",\"data\":\"" GIF "\"}}],"
	"\"message\":{\"content\":\"m\"},\"tool_calls\":[{\"id\":\"1\",\"function\":{"
	"\"name\":"
	"\"f\",\"arguments\":\"{\\\"a\\\": 1}\"}}],\"function_call\":{\"name\":\"g\","
	"\"arguments\":[1,null]},\"tools\":[{\"function\":{\"name\":\"f\"}}]}";

/* What vendors add, in one message. */
static const char foreign_sample[] =
	"{\"role\":\"assistant\",\"thinking_blocks\":[{\"thinking\":\"a\"}],\"content\":"
	"\"[{"
	"\\\"type\\\":\\\"text\\\",\\\"text\\\":\\\"b\\\"}]\",\"parts\":[{\"type\":"
	"\"tool-f\","
	"\"toolCallId\":\"1\",\"state\":\"output-error\",\"errorText\":\"c\"},{\"text\":"
	"\"d\","
	"\"thought\":true},{\"functionCall\":{\"name\":\"g\",\"args\":{}}},{"
	"\"functionResponse\":{"
	"\"name\":\"g\",\"response\":{\"output\":1}}},{\"executableCode\":{\"code\":"
	"\"2\"}},{"
	"\"codeExecutionResult\":{\"outcome\":\"x\"}},{\"type\":\"x_search_call\",\"id\":"
	"\"h\","
	"\"results\":[3]},{\"type\":\"tool-result\",\"toolCallId\":\"1\",\"output\":{"
	"\"type\":"
	"\"error-json\",\"value\":4}},{\"video\":{\"source\":{\"s3Location\":{\"uri\":"
	"\"s3://a\""
	"}}}},{\"type\":\"blob\",\"content\":\"AAAA\",\"modality\":\"image\"}],"
	"\"images\":[\"" GIF
	"\"],\"audio\":{\"data\":\"AAAA\",\"transcript\":\"i\"},\"toolInvocations\":[{"
	"\"toolName\":\"j\",\"result\":[{\"functionResponse\":{\"name\":\"j\"}}]}],"
	"\"additional_kwargs\":{\"tool_calls\":[{\"function\":\"k\",\"arguments\":\"{\"}]"
	"},"
	"\"tools\":[{\"toolSpec\":{\"name\":\"l\"}},{\"functionDeclarations\":[{\"name\":"
	"\"m\"}]}]"
	"}";

static void check_prefixes(struct str text)
{
	for (size_t n = 0; n <= text.n; n++)
		check_total((struct str){text.p, n});
}

Test(parts_read, every_prefix)
{
	check_prefixes((struct str){sample, sizeof(sample) - 1});
	check_prefixes((struct str){foreign_sample, sizeof(foreign_sample) - 1});
}

static void check_mutations(struct str text, unsigned seed)
{
	static const char bytes[] = "{}[]\",:\\0a \xff";

	for (unsigned round = 0; round < 3000; round++) {
		char *copy = mem_dup(text.p, text.n);

		for (unsigned i = 0; i < 1 + round % 4; i++) {
			seed = seed * 1103515245u + 12345u;
			copy[(seed >> 8) % text.n] =
				bytes[(seed >> 4) % (sizeof(bytes) - 1)];
		}
		check_total((struct str){copy, text.n});
		mem_free(copy);
	}
}

Test(parts_read, mutations)
{
	check_mutations((struct str){sample, sizeof(sample) - 1}, 1);
	check_mutations((struct str){foreign_sample, sizeof(foreign_sample) - 1}, 2);
}

/* Calls of equal name and id are found without comparing each with each. */
Test(parts_read, many_calls)
{
	struct buf text = BUF_INIT;
	struct arena arena = {0};
	struct parts parts;

	buf_text(&text, "{\"tool_calls\":[");
	for (unsigned i = 0; i < 40000; i++)
		buf_printf(&text, "%s{\"id\":%u,\"function\":{\"name\":\"f\"}}",
			i ? "," : "", 1 + i / 2);
	buf_text(&text, "]}");
	parts = parts_read(jv_parse(buf_view(&text)), &arena);
	cr_expect_eq(parts.count, 20000);
	parts_done(&parts);
	arena_done(&arena);
	buf_done(&text);
}

Test(parts_read, nested_deeply)
{
	struct buf text = BUF_INIT;
	char *got;

	buf_text(&text, "{\"content\":");
	buf_fill(&text, '[', 100000);
	buf_fill(&text, ']', 100000);
	buf_text(&text, ",\"text\":\"t\"}");
	got = written(buf_view(&text));
	cr_expect_str_eq(got, W("\"t\"", "", "", ""));
	mem_free(got);
	buf_done(&text);
}

Test(parts_read_content, of_a_result)
{
	struct arena arena = {0};
	struct parts parts;

	parts = parts_read_content(
		jv_parse(STR("[{\"type\":\"text\",\"text\":\"a\"},"
			     "{\"type\":\"image_url\",\"image_url\":\"https://"
			     "x.org\"},{\"k\":1}]")),
		&arena);
	cr_assert_eq(parts.count, 3);
	cr_expect_eq(PART_AT(&parts, 0)->kind, PART_TEXT);
	cr_expect_eq(PART_AT(&parts, 1)->kind, PART_IMAGE);
	cr_expect_eq(PART_AT(&parts, 2)->kind, PART_JSON);
	parts_done(&parts);
	arena_done(&arena);
}

/* ---- offered tools ---- */

static char *offered(struct str tools)
{
	struct arena arena = {0};
	struct parts parts;
	struct buf out = BUF_INIT;

	buf_text(&out, "");
	parts = parts_read_tools(jv_parse(tools), &arena);
	for (size_t i = 0; i < parts.count; i++) {
		const struct part *p = PART_AT(&parts, i);
		bool tool = p->kind == PART_TOOL;

		describe(&out, p);
		out.len--; /* the line goes on */
		buf_byte(&out, ' ');
		describe_string(&out, tool ? part_schema(p) : (struct jv)JV_NONE);
		buf_byte(&out, ' ');
		describe_string(&out, tool ? part_definition(p) : (struct jv)JV_NONE);
		buf_byte(&out, '\n');
	}
	parts_done(&parts);
	arena_done(&arena);
	return buf_take(&out);
}

#define SCHEMA "{\"type\":\"object\"}"
#define PLAIN  "{\"name\":\"f\",\"description\":\"d\",\"parameters\":" SCHEMA "}"
#define FOUND  "D f=d " SCHEMA " \n"

/* One tool with a name, a description and a schema, as vendors write it. */
Test(parts_read_tools, offered_tools_of_vendors)
{
	static const char *const rows[] = {
		"[" PLAIN "]",
		"[{\"type\":\"function\",\"function\":" PLAIN "}]",
		"[{\"type\":\"function\",\"name\":\"f\",\"description\":\"d\","
		"\"parameters\":" SCHEMA ",\"strict\":true}]",
		"[{\"name\":\"f\",\"description\":\"d\",\"input_schema\":" SCHEMA "}]",
		"[{\"name\":\"f\",\"description\":\"d\",\"inputSchema\":" SCHEMA "}]",
		"[{\"functionDeclarations\":[" PLAIN "]}]",
		"[{\"function_declarations\":[{\"name\":\"f\",\"description\":\"d\","
		"\"parametersJsonSchema\":" SCHEMA "}]}]",
		"{\"functionDeclarations\":[" PLAIN "]}",
		"{\"tools\":[{\"toolSpec\":{\"name\":\"f\",\"description\":\"d\","
		"\"inputSchema\":{\"json\":" SCHEMA "}}}]}",
		"[{\"toolSpec\":{\"name\":\"f\",\"description\":\"d\","
		"\"inputSchema\":{\"json\":" SCHEMA "}}}]",
		"{\"f\":{\"description\":\"d\",\"inputSchema\":" SCHEMA "}}",
		PLAIN,
		"{\"functions\":[" PLAIN "]}",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf quoted = BUF_INIT;
		char *got = offered(str_of(rows[i]));

		cr_expect_str_eq(got, FOUND, "%s of %s", got, rows[i]);
		mem_free(got);
		json_write_string(&quoted, str_of(rows[i])); /* all of it in a string */
		got = offered(buf_view(&quoted));
		cr_expect_str_eq(got, FOUND, "%s of %s", got, quoted.data);
		mem_free(got);
		buf_done(&quoted);
	}
}

Test(parts_read_tools, offered_tools_of_other_forms)
{
	static const struct row rows[] = {
		{"[\"f\",\"g\"]", "D f  \nD g  \n"},
		{"[\"{\\\"name\\\":\\\"f\\\",\\\"parameters\\\":{\\\"a\\\":1}}\"]",
			"D f {\"a\":1} \n"},
		{"[{\"tool\":{\"json_schema\":\"{\\\"name\\\":\\\"f\\\"}\"}}]",
			"D f  \n"},
		{"[{\"type\":\"web_search\",\"max_uses\":5}]",
			"D web_search  {\"type\":\"web_search\",\"max_uses\":5}\n"},
		{"[{\"type\":\"custom\",\"custom\":{\"name\":\"f\",\"format\":{}}}]",
			"D f  {\"type\":\"custom\",\"custom\":{\"name\":\"f\","
			"\"format\":{}}}\n"},
		{"[{\"googleSearch\":{}},7]", "J {\"googleSearch\":{}}  \nJ 7  \n"},
		{"[{\"name\":\"f\",\"parameters\":\"{\\\"a\\\":1}\"}]",
			"D f {\"a\":1} \n"},
		{"[]", ""},
		{"null", ""},
		{"\"search\"", ""},
		{"7", ""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *got = offered(str_of(rows[i].message));

		cr_expect_str_eq(got, rows[i].expected, "%s of %s", got, rows[i].message);
		mem_free(got);
	}
}

/* A message may have a million of them. */
Test(parts, a_text_takes_no_more_than_its_string)
{
	struct buf message = BUF_INIT;
	struct arena arena = {0};
	struct parts parts;

	buf_text(&message, "{\"role\":\"user\",\"content\":[");
	for (int i = 0; i < 1000; i++)
		buf_printf(&message, "{\"type\":\"text\",\"text\":\"part %d\"},", i);
	buf_text(&message,
		"{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"ls\",\"input\":{}}]}");
	parts = parts_read(jv_parse(buf_view(&message)), &arena);
	cr_expect_eq(parts.count, 1001);
	cr_expect_eq(parts.whole_count, 1);
	cr_expect(jv_is(PART_AT(&parts, 999)->body, STR("part 999")));
	cr_expect_eq(PART_AT(&parts, 1000)->kind, PART_CALL);
	parts_done(&parts);
	arena_done(&arena);
	buf_done(&message);
}
