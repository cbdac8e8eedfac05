/*
 * Dialects of frameworks and spans: the Vercel AI SDK, LangChain, OpenTelemetry's
 * conventions, OpenInference, OpenLLMetry; and the attributes that carry them.  What a
 * value says is written a line for each part, so that a table holds value and lines.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "base/mem.h"
#include "chat/parts.h"
#include "chat/side.h"
#include "dialect/attributes.h"
#include "dialect/dialect.h"
#include "json/json.h"

/* ---- what a conversation says ---- */

static void put(struct buf *out, const char *name, struct jv value)
{
	struct buf text = BUF_INIT;

	if (value.kind == J_NONE)
		return;
	jv_text(value, &text);
	buf_printf(out, " %s=%.*s", name, (int)text.len, text.data ? text.data : "");
	buf_done(&text);
}

static void put_part(struct buf *out, const struct part *p, struct arena *arena)
{
	static const char *const kinds[] = {[PART_TEXT] = "text",
		[PART_CALL] = "call",
		[PART_RESULT] = "result",
		[PART_TOOL] = "tool",
		[PART_IMAGE] = "image",
		[PART_REASONING] = "thought",
		[PART_REFUSAL] = "refusal",
		[PART_FILE] = "file",
		[PART_JSON] = "json"};

	buf_printf(out, "%s%s", kinds[p->kind], p->error ? "!" : "");
	put(out, "id", p->id);
	put(out, "name", p->name);
	if (p->kind == PART_IMAGE)
		buf_printf(out, " %.*s %u bytes", (int)p->media.n,
			p->media.p ? p->media.p : "", (unsigned)p->bytes);
	else
		put(out, "says",
			p->kind == PART_JSON ? p->raw : side_open_string(p->body, arena));
	buf_byte(out, '\n');
}

static void put_message(struct buf *out, struct jv message, struct arena *arena)
{
	struct parts parts;
	bool given;
	struct str role = message_role(message, PREFER_NONE, &given, arena);

	parts = parts_read(message, arena);
	buf_printf(out, "%.*s:\n", (int)role.n, role.p);
	for (size_t i = 0; i < parts.count; i++)
		put_part(out, PART_AT(&parts, i), arena);
	parts_done(&parts);
}

/* Who speaks is left out where `roles` is false. */
static void strip_roles(struct buf *out)
{
	struct buf kept = BUF_INIT;
	char *line = out->data;

	for (char *end; line && (end = strchr(line, '\n')); line = end + 1)
		if (end[-1] != ':')
			buf_add(&kept, line, (size_t)(end + 1 - line));
	buf_done(out);
	*out = kept;
}

/* By one dialect, which must know the value without being named; with NULL by any. */
static bool read(struct message_writer *t, const struct dialect *dialect, struct jv value,
	enum prefer side)
{
	return dialect ? dialect->read(t, value, side)
		       : dialect_read(t, NULL, value, side);
}

static char *said_by(
	const struct dialect *dialect, const char *value, enum prefer side, bool roles)
{
	struct arena arena = {0};
	struct message_writer t = {.arena = &arena};
	struct buf out = BUF_INIT;

	buf_text(&out, "");
	if (!read(&t, dialect, jv_parse(str_of(value)), side)) {
		cr_expect_eq(t.count, 0, "%s adds though it is not known", value);
		buf_text(&out, "unknown");
	} else {
		struct jv tools = t.tools, parameters = t.parameters, error = t.error;

		JV_EACH(message, emit_take(&t))
			put_message(&out, message, &arena);
		if (!roles)
			strip_roles(&out);
		if (tools.kind != J_NONE)
			put(&out, "tools", tools);
		if (parameters.kind != J_NONE)
			put(&out, "parameters", parameters);
		if (error.kind != J_NONE)
			put(&out, "error", error);
	}
	emit_done(&t);
	arena_done(&arena);
	return buf_take(&out);
}

struct row {
	const char *value;
	const char *says;
};

static void check(const struct dialect *dialect, enum prefer side,
	const struct row rows[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *got = said_by(dialect, rows[i].value, side, true);

		cr_expect_str_eq(got, rows[i].says, "%s\n-- gives\n%s\n-- not\n%s",
			rows[i].value, got, rows[i].says);
		mem_free(got);
	}
}

#define CHECK(dialect, side, rows)                                                       \
	check(dialect, side, rows, sizeof(rows) / sizeof(*rows))

/* ---- one conversation in all dialects, that of test_dialect ---- */

#define GIF "R0lGODlhAQABAAAAACw="

static const char conversation[] = "text says=Be brief.\n"
				   "text says=Rome or Oslo?\n"
				   "image image/gif 14 bytes\n"
				   "thought says=I ask twice.\n"
				   "call id=c1 name=weather says={\"city\":\"Rome\"}\n"
				   "call id=c2 name=weather says={\"city\":\"Oslo\"}\n"
				   "result id=c1 says=sun\n"
				   "result id=c2 says=snow\n"
				   "text says=Rome.\n";

/* Where each call bears its result. */
static const char in_pairs[] = "text says=Be brief.\n"
			       "text says=Rome or Oslo?\n"
			       "image image/gif 14 bytes\n"
			       "thought says=I ask twice.\n"
			       "call id=c1 name=weather says={\"city\":\"Rome\"}\n"
			       "result id=c1 says=sun\n"
			       "call id=c2 name=weather says={\"city\":\"Oslo\"}\n"
			       "result id=c2 says=snow\n"
			       "text says=Rome.\n";

static const char vercel[] = "[{\"role\":\"system\",\"content\":\"Be brief.\"},{"
			     "\"role\":\"user\",\"content\":[{\"type\":\"text\","
			     "\"text\":\"Rome or Oslo?\"},{\"type\":\"image\","
			     "\"image\":\"" GIF "\","
			     "\"mediaType\":\"image/gif\"}]},{\"role\":\"assistant\","
			     "\"content\":[{\"type\":\"reasoning\","
			     "\"text\":\"I ask twice.\"},{\"type\":\"tool-call\","
			     "\"toolCallId\":\"c1\",\"toolName\":\"weather\",\"input\":{"
			     "\"city\":\"Rome\"}},{\"type\":\"tool-call\","
			     "\"toolCallId\":\"c2\",\"toolName\":\"weather\",\"args\":{"
			     "\"city\":\"Oslo\"}}]},{\"role\":\"tool\",\"content\":[{"
			     "\"type\":\"tool-result\",\"toolCallId\":\"c1\","
			     "\"toolName\":\"weather\",\"output\":{\"type\":\"text\","
			     "\"value\":\"sun\"}},{\"type\":\"tool-result\","
			     "\"toolCallId\":\"c2\",\"toolName\":\"weather\","
			     "\"result\":\"snow\"}]},{\"role\":\"assistant\","
			     "\"content\":\"Rome.\"}]";

static const char vercel_ui[] =
	"[{\"id\":\"m0\",\"role\":\"system\",\"parts\":[{\"type\":\"text\","
	"\"text\":\"Be brief.\"}]},{\"id\":\"m1\",\"role\":\"user\","
	"\"parts\":[{\"type\":\"text\",\"text\":\"Rome or Oslo?\"},{"
	"\"type\":\"file\",\"mediaType\":\"image/gif\","
	"\"url\":\"data:image/gif;base64,"
	"" GIF "\"}]},{\"id\":\"m2\","
	"\"role\":\"assistant\",\"parts\":[{\"type\":\"step-start\"},{"
	"\"type\":\"reasoning\",\"text\":\"I ask twice.\","
	"\"state\":\"done\"},{\"type\":\"tool-weather\","
	"\"toolCallId\":\"c1\",\"state\":\"output-available\","
	"\"input\":{\"city\":\"Rome\"},\"output\":\"sun\"},{"
	"\"type\":\"dynamic-tool\",\"toolName\":\"weather\","
	"\"toolCallId\":\"c2\",\"state\":\"output-available\","
	"\"input\":{\"city\":\"Oslo\"},\"output\":\"snow\"},{"
	"\"type\":\"step-start\"},{\"type\":\"text\",\"text\":\"Rome.\","
	"\"state\":\"done\"}]}]";

static const char langchain[] =
	"[[{\"lc\":1,\"type\":\"constructor\","
	"\"id\":[\"langchain_core\",\"messages\",\"SystemMessage\"],"
	"\"kwargs\":{\"content\":\"Be brief.\"}},{\"type\":\"human\","
	"\"data\":{\"content\":[{\"type\":\"text\","
	"\"text\":\"Rome or Oslo?\"},{\"type\":\"image_url\","
	"\"image_url\":{\"url\":\"data:image/gif;base64,"
	"" GIF "\"}}]}},{\"type\":\"ai\","
	"\"content\":\"\",\"additional_kwargs\":{"
	"\"reasoning_content\":\"I ask twice.\"},\"tool_calls\":[{"
	"\"name\":\"weather\",\"args\":{\"city\":\"Rome\"},\"id\":\"c1\","
	"\"type\":\"tool_call\"},{\"name\":\"weather\",\"args\":{"
	"\"city\":\"Oslo\"},\"id\":\"c2\",\"type\":\"tool_call\"}]},{"
	"\"type\":\"tool\",\"content\":\"sun\",\"tool_call_id\":\"c1\","
	"\"status\":\"success\"},{\"type\":\"tool\",\"data\":{"
	"\"content\":\"snow\",\"tool_call_id\":\"c2\"}},{\"lc\":1,"
	"\"type\":\"constructor\",\"id\":[\"langchain\",\"schema\","
	"\"AIMessage\"],\"kwargs\":{\"content\":\"Rome.\"}}]]";

static const char genai[] =
	"[{\"role\":\"system\",\"parts\":[{\"type\":\"text\","
	"\"content\":\"Be brief.\"}]},{\"role\":\"user\",\"parts\":[{"
	"\"type\":\"text\",\"content\":\"Rome or Oslo?\"},{"
	"\"type\":\"blob\",\"modality\":\"image\","
	"\"mime_type\":\"image/gif\","
	"\"content\":\"" GIF "\"}]},{"
	"\"role\":\"assistant\",\"parts\":[{\"type\":\"reasoning\","
	"\"content\":\"I ask twice.\"},{\"type\":\"tool_call\","
	"\"id\":\"c1\",\"name\":\"weather\",\"arguments\":{"
	"\"city\":\"Rome\"}},{\"type\":\"tool_call\",\"id\":\"c2\","
	"\"name\":\"weather\",\"arguments\":\"{"
	"\\\"city\\\":\\\"Oslo\\\"}\"}]},{\"role\":\"tool\",\"parts\":[{"
	"\"type\":\"tool_call_response\",\"id\":\"c1\","
	"\"response\":\"sun\"},{\"type\":\"tool_call_response\","
	"\"id\":\"c2\",\"result\":\"snow\"}]},{\"role\":\"assistant\","
	"\"parts\":[{\"type\":\"text\",\"content\":\"Rome.\"}],"
	"\"finish_reason\":\"stop\"}]";

static const char pydantic[] =
	"[{\"kind\":\"request\",\"parts\":[{"
	"\"part_kind\":\"system-prompt\",\"content\":\"Be brief.\"},{"
	"\"part_kind\":\"user-prompt\","
	"\"content\":[\"Rome or Oslo?\",{\"kind\":\"binary\","
	"\"media_type\":\"image/gif\","
	"\"data\":\"" GIF "\"}]}]},{"
	"\"kind\":\"response\",\"parts\":[{\"part_kind\":\"thinking\","
	"\"content\":\"I ask twice.\"},{\"part_kind\":\"tool-call\","
	"\"tool_name\":\"weather\",\"args\":\"{\\\"city\\\":\\\"Rome\\\"}\","
	"\"tool_call_id\":\"c1\"},{\"part_kind\":\"tool-call\","
	"\"tool_name\":\"weather\",\"args\":{\"city\":\"Oslo\"},"
	"\"tool_call_id\":\"c2\"}]},{\"kind\":\"request\",\"parts\":[{"
	"\"part_kind\":\"tool-return\",\"tool_name\":\"weather\","
	"\"content\":\"sun\",\"tool_call_id\":\"c1\"},{"
	"\"part_kind\":\"tool-return\",\"tool_name\":\"weather\","
	"\"content\":\"snow\",\"tool_call_id\":\"c2\"}]},{"
	"\"kind\":\"response\",\"parts\":[{\"part_kind\":\"text\","
	"\"content\":\"Rome.\"}]}]";

static const char openinference[] =
	"{\"llm.input_messages.0.message.role\":\"system\","
	"\"llm.input_messages.0.message.content\":\"Be brief.\","
	"\"llm.input_messages.1.message.contents.0.message_content.text\":\"Rome or "
	"Oslo?\","
	"\"llm.input_messages.1.message.contents.0.message_content.type\":\"text\","
	"\"llm.input_messages.1.message.contents.1.message_content.image.image.url\":"
	"\"data:image/gif;base64,"
	"" GIF "\","
	"\"llm.input_messages.1.message.contents.1.message_content.type\":\"image\","
	"\"llm.input_messages.1.message.role\":\"user\","
	"\"llm.input_messages.10.message.content\":\"Rome.\","
	"\"llm.input_messages.10.message.role\":\"assistant\","
	"\"llm.input_messages.2.message.contents.0.message_content.text\":\"I ask "
	"twice.\","
	"\"llm.input_messages.2.message.contents.0.message_content.type\":\"reasoning\","
	"\"llm.input_messages.2.message.role\":\"assistant\","
	"\"llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments\":\"{"
	"\\\"city\\\":\\\"Rome\\\"}\","
	"\"llm.input_messages.2.message.tool_calls.0.tool_call.function.name\":"
	"\"weather\","
	"\"llm.input_messages.2.message.tool_calls.0.tool_call.id\":\"c1\","
	"\"llm.input_messages.2.message.tool_calls.1.tool_call.function.arguments\":\"{"
	"\\\"city\\\":\\\"Oslo\\\"}\","
	"\"llm.input_messages.2.message.tool_calls.1.tool_call.function.name\":"
	"\"weather\","
	"\"llm.input_messages.2.message.tool_calls.1.tool_call.id\":\"c2\","
	"\"llm.input_messages.4.message.content\":\"sun\","
	"\"llm.input_messages.4.message.role\":\"tool\","
	"\"llm.input_messages.4.message.tool_call_id\":\"c1\","
	"\"llm.input_messages.5.message.content\":\"snow\","
	"\"llm.input_messages.5.message.role\":\"tool\","
	"\"llm.input_messages.5.message.tool_call_id\":\"c2\"}";

static const char openllmetry[] =
	"{\"gen_ai.prompt.0.role\":\"system\","
	"\"gen_ai.prompt.0.content\":\"Be brief.\","
	"\"gen_ai.prompt.1.role\":\"user\","
	"\"gen_ai.prompt.1.content\":\"[{\\\"type\\\":\\\"text\\\","
	"\\\"text\\\":\\\"Rome or Oslo?\\\"},{\\\"type\\\":\\\"image_url\\\","
	"\\\"image_url\\\":{\\\"url\\\":\\\"data:image/gif;base64,"
	"" GIF "\\\"}}]\","
	"\"gen_ai.prompt.10.role\":\"assistant\","
	"\"gen_ai.prompt.10.content\":\"Rome.\","
	"\"gen_ai.prompt.2.role\":\"assistant\","
	"\"gen_ai.prompt.2.reasoning\":\"I ask twice.\","
	"\"gen_ai.prompt.2.tool_calls.0.id\":\"c1\","
	"\"gen_ai.prompt.2.tool_calls.0.name\":\"weather\","
	"\"gen_ai.prompt.2.tool_calls.0.arguments\":\"{"
	"\\\"city\\\":\\\"Rome\\\"}\","
	"\"gen_ai.prompt.2.tool_calls.1.id\":\"c2\","
	"\"gen_ai.prompt.2.tool_calls.1.name\":\"weather\","
	"\"gen_ai.prompt.2.tool_calls.1.arguments\":\"{"
	"\\\"city\\\":\\\"Oslo\\\"}\",\"gen_ai.prompt.3.role\":\"tool\","
	"\"gen_ai.prompt.3.tool_call_id\":\"c1\","
	"\"gen_ai.prompt.3.content\":\"sun\","
	"\"gen_ai.prompt.7.role\":\"tool\","
	"\"gen_ai.prompt.7.tool_call_id\":\"c2\","
	"\"gen_ai.prompt.7.content\":\"snow\"}";

/* The names of tools beside their results are of some dialects only. */
static void strip_result_names(char *lines)
{
	static const char name[] = " name=weather";

	for (char *at = lines; (at = strstr(at, "result id=")); at++) {
		char *here = at + strlen("result id=c1");

		if (!strncmp(here, name, strlen(name)))
			memmove(here, here + strlen(name),
				strlen(here + strlen(name)) + 1);
	}
}

Test(dialect_spans, one_conversation)
{
	static const struct {
		const struct dialect *dialect;
		const char *value, *says;
	} all[] = {
		{&dialect_vercel, vercel, conversation},
		{&dialect_vercel, vercel_ui, in_pairs},
		{&dialect_langchain, langchain, conversation},
		{&dialect_genai, genai, conversation},
		{&dialect_genai, pydantic, conversation},
		{&dialect_openinference, openinference, conversation},
		{&dialect_openllmetry, openllmetry, conversation},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (int named = 0; named < 2; named++) {
			char *got = said_by(named ? all[i].dialect : NULL, all[i].value,
				PREFER_INPUT, false);

			strip_result_names(got);
			cr_expect_str_eq(got, all[i].says, "%s%s says\n%s",
				all[i].dialect->name, named ? "" : " (not named)", got);
			mem_free(got);
		}
}

#define PNG                                                                              \
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9"   \
	"awAAAABJRU5ErkJggg=="

/* ---- the Vercel AI SDK ---- */

Test(dialect_spans, vercel_messages)
{
	static const struct row rows[] = {
		{"{\"role\":\"assistant\",\"content\":\"Done.\",\"toolInvocations\":[{"
		 "\"state\":\"result\",\"toolCallId\":\"t\",\"toolName\":\"add\","
		 "\"args\":{"
		 "\"a\":1},\"result\":3},{\"state\":\"call\",\"toolCallId\":\"u\","
		 "\"toolName\":\"sub\",\"args\":{}}]}",
			"assistant:\ntext says=Done.\ncall id=t name=add says={\"a\":1}\n"
			"result id=t name=add says=3\ncall id=u name=sub\n"},
		{"{\"role\":\"assistant\",\"content\":\"ignored\",\"parts\":[{\"type\":"
		 "\"reasoning\",\"reasoning\":\"Hm\",\"details\":[]},{\"type\":"
		 "\"tool-invocation\",\"toolInvocation\":{\"state\":\"result\","
		 "\"toolCallId\":\"t\",\"toolName\":\"add\",\"args\":{\"a\":1},"
		 "\"result\":"
		 "3}}]}",
			"assistant:\nthought says=Hm\ncall id=t name=add "
			"says={\"a\":1}\nresult id=t name=add says=3\n"},
		{"{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool-get\","
		 "\"toolCallId\":"
		 "\"a\",\"state\":\"output-error\",\"input\":{\"q\":1},\"errorText\":"
		 "\"gone\"},{\"type\":\"tool-get\",\"toolCallId\":\"b\",\"state\":"
		 "\"input-streaming\"},{\"type\":\"tool-get\",\"toolCallId\":\"c\","
		 "\"state\":\"output-denied\",\"input\":{\"q\":2},\"approval\":{\"id\":"
		 "\"x\""
		 ",\"approved\":false,\"reason\":\"too dear\"}}]}",
			"assistant:\ncall id=a name=get says={\"q\":1}\n"
			"result! id=a name=get says=gone\ncall id=b name=get\n"
			"call id=c name=get says={\"q\":2}\n"
			"result! id=c name=get says=too dear\n"},
		{"{\"role\":\"assistant\",\"parts\":[{\"type\":\"source-url\","
		 "\"sourceId\":"
		 "\"s\",\"url\":\"https://"
		 "a.example\"},{\"type\":\"data-chart\",\"data\":{"
		 "\"x\":1}},{\"type\":\"file\",\"mediaType\":\"application/pdf\",\"url\":"
		 "\"https://a.example/b.pdf\"}]}",
			"assistant:\nfile says=https://a.example\n"
			"json says={\"type\":\"data-chart\",\"data\":{\"x\":1}}\n"
			"file says=https://a.example/b.pdf\n"},
		{"[{\"role\":\"tool\",\"content\":[{\"type\":\"tool-result\","
		 "\"toolCallId\":"
		 "\"a\",\"toolName\":\"f\",\"output\":{\"type\":\"error-text\",\"value\":"
		 "\"no\"}},{\"type\":\"tool-result\",\"toolCallId\":\"b\",\"toolName\":"
		 "\"f\","
		 "\"output\":{\"type\":\"json\",\"value\":{\"n\":1}}},{\"type\":"
		 "\"tool-error\",\"toolCallId\":\"c\",\"toolName\":\"f\",\"error\":"
		 "\"bad\"}"
		 "]}]",
			"tool:\nresult! id=a name=f says=no\n"
			"result id=b name=f says={\"n\":1}\n"
			"result! id=c name=f says=bad\n"},
		{"{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"f\","
		 "\"input\":"
		 "{\"n\":1}}",
			"user:\ncall id=a name=f says={\"n\":1}\n"},
		{"[{\"toolCallType\":\"function\",\"toolCallId\":\"a\",\"toolName\":"
		 "\"f\","
		 "\"args\":\"{\\\"n\\\":1}\"},{\"toolCallId\":\"b\",\"toolName\":\"g\","
		 "\"input\":{\"n\":2}}]",
			"assistant:\ncall id=a name=f says={\"n\":1}\n"
			"call id=b name=g says={\"n\":2}\n"},
		{"{\"system\":\"Rhyme.\",\"prompt\":\"Go\"}",
			"system:\ntext says=Rhyme.\nuser:\ntext says=Go\n"},
		{"{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}",
			"user:\ntext says=Hi\n"},
		{"{\"prompt\":\"Go\"}", "unknown"},
		{"{\"prompt\":[1,2,3]}", "unknown"},
		{"{\"prompt\":\"Go\",\"n\":2}", "unknown"},
		{"{\"system\":\"Rhyme.\"}", "unknown"},
		{"[{\"type\":\"file\",\"name\":\"a.txt\"}]", "unknown"},
		{"[{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":"
		 "\"a\","
		 "\"name\":\"f\",\"input\":{}}]}]",
			"unknown"},
		{"[{\"role\":\"user\",\"content\":\"Hi\"}]", "unknown"},
		{"[]", "unknown"},
		{"{}", "unknown"},
		{"7", "unknown"},
	};

	CHECK(&dialect_vercel, PREFER_INPUT, rows);
}

Test(dialect_spans, vercel_streams)
{
	static const struct row rows[] = {
		{"[{\"type\":\"start\"},{\"type\":\"start-step\"},{\"type\":"
		 "\"reasoning-start\",\"id\":\"0\"},{\"type\":\"reasoning-delta\",\"id\":"
		 "\"0\",\"delta\":\"H\"},{\"type\":\"reasoning-delta\",\"id\":\"0\","
		 "\"delta\":\"m\"},{\"type\":\"tool-input-start\",\"toolCallId\":\"a\","
		 "\"toolName\":\"f\"},{\"type\":\"tool-input-start\",\"toolCallId\":"
		 "\"b\","
		 "\"toolName\":\"g\"},{\"type\":\"tool-input-delta\",\"toolCallId\":"
		 "\"b\","
		 "\"inputTextDelta\":\"{\\\"n\\\"\"},{\"type\":\"tool-input-delta\","
		 "\"toolCallId\":\"b\",\"inputTextDelta\":\":1}\"},{\"type\":"
		 "\"tool-input-available\",\"toolCallId\":\"a\",\"toolName\":\"f\","
		 "\"input\":{\"q\":2}},{\"type\":\"tool-output-available\","
		 "\"toolCallId\":"
		 "\"a\",\"output\":\"part\",\"preliminary\":true},{\"type\":"
		 "\"tool-output-available\",\"toolCallId\":\"a\",\"output\":\"whole\"},{"
		 "\"type\":\"tool-output-error\",\"toolCallId\":\"b\",\"errorText\":"
		 "\"no\"},"
		 "{\"type\":\"finish-step\"},{\"type\":\"start-step\"},{\"type\":"
		 "\"text-start\",\"id\":\"0\"},{\"type\":\"text-delta\",\"id\":\"0\","
		 "\"delta\":\"Do\"},{\"type\":\"text-delta\",\"id\":\"0\",\"delta\":"
		 "\"ne\\n\"},{\"type\":\"text-end\",\"id\":\"0\"},{\"type\":\"text-"
		 "start\","
		 "\"id\":\"0\"},{\"type\":\"text-delta\",\"id\":\"0\",\"delta\":\"Next\"}"
		 ",{"
		 "\"type\":\"data-note\",\"data\":5},{\"type\":\"finish\"}]",
			"assistant:\nthought says=Hm\ncall id=a name=f says={\"q\":2}\n"
			"call id=b name=g says={\"n\":1}\n"
			"result id=a name=f says=whole\nresult! id=b name=g says=no\n"
			"text says=Done\n\ntext says=Next\n"
			"json says={\"type\":\"data-note\",\"data\":5}\n"},
		{"[{\"type\":\"text-delta\",\"textDelta\":\"A\"},{\"type\":\"text-"
		 "delta\","
		 "\"textDelta\":\"B\"},{\"type\":\"tool-call\",\"toolCallId\":\"a\","
		 "\"toolName\":\"f\",\"args\":{\"q\":2}},{\"type\":\"tool-result\","
		 "\"toolCallId\":\"a\",\"toolName\":\"f\",\"args\":{\"q\":2},\"result\":"
		 "3},{"
		 "\"type\":\"text-delta\",\"textDelta\":\"C\"},{\"type\":\"error\","
		 "\"error\":\"cut\"}]",
			"assistant:\ntext says=AB\ncall id=a name=f says={\"q\":2}\n"
			"result id=a name=f says=3\ntext says=C\n error=cut"},
		{"[{\"type\":\"tool-input-error\",\"toolCallId\":\"a\",\"toolName\":"
		 "\"f\","
		 "\"input\":\"{oops\",\"errorText\":\"no JSON\"}]",
			"assistant:\ncall id=a name=f says={oops\n"
			"result! id=a name=f says=no JSON\n"},
		{"[{\"type\":\"start\"},{\"type\":\"finish\"}]", "unknown"},
		{"[{\"type\":\"error\",\"error\":\"x\"}]", "unknown"},
		{"[{\"type\":\"content_block_delta\"},{\"type\":\"text-delta\"}]",
			"unknown"},
	};

	CHECK(&dialect_vercel, PREFER_OUTPUT, rows);
}

Test(dialect_spans, vercel_spans)
{
	static const char span[] =
		"{\"ai.prompt\":\"{\\\"system\\\":\\\"Rhyme.\\\",\\\"prompt\\\":"
		"\\\"Go\\\"}\","
		"\"ai.prompt.tools\":[\"{\\\"name\\\":\\\"f\\\"}\"],"
		"\"ai.settings.maxRetries\":2,\"ai.settings.temperature\":0.5,"
		"\"ai.response.text\":\"A rhyme.\",\"ai.response.toolCalls\":"
		"\"[{\\\"toolCallId\\\":\\\"a\\\",\\\"toolName\\\":\\\"f\\\","
		"\\\"args\\\":"
		"\\\"{}\\\"}]\",\"ai.response.finishReason\":\"stop\"}";
	static const struct row input[] = {
		{span, "system:\ntext says=Rhyme.\nuser:\ntext says=Go\n"
		       " tools=[{\"name\":\"f\"}]"
		       " parameters={\"maxRetries\":2,\"temperature\":0.5}"},
		{"[{\"key\":\"ai.prompt.messages\",\"value\":{\"stringValue\":"
		 "\"[{\\\"role\\\":\\\"user\\\",\\\"content\\\":[{\\\"type\\\":"
		 "\\\"text\\\","
		 "\\\"text\\\":\\\"Go\\\"}]}]\"}}]",
			"user:\ntext says=Go\n"},
		{"{\"ai.toolCall.name\":\"f\",\"ai.toolCall.id\":\"a\",\"ai.toolCall."
		 "args\":"
		 "\"{\\\"n\\\":1}\",\"ai.toolCall.result\":\"2\"}",
			"assistant:\ncall id=a name=f says={\"n\":1}\n"},
		{"{\"ai.response.text\":\"A rhyme.\"}", "unknown"},
	};
	static const struct row output[] = {
		{span, "assistant:\ntext says=A rhyme.\ncall id=a name=f says={}\n"},
		{"{\"ai.response.object\":\"{\\\"a\\\":1}\"}",
			"assistant:\njson says={\"a\":1}\n"},
		{"{\"ai.toolCall.name\":\"f\",\"ai.toolCall.id\":\"a\",\"ai.toolCall."
		 "args\":"
		 "\"{\\\"n\\\":1}\",\"ai.toolCall.result\":\"2\"}",
			"tool:\nresult id=a name=f says=2\n"},
	};

	CHECK(&dialect_vercel, PREFER_INPUT, input);
	CHECK(&dialect_vercel, PREFER_OUTPUT, output);
}

/* ---- LangChain ---- */

#define LC(class, kwargs)                                                                \
	"{\"lc\":1,\"type\":\"constructor\",\"id\":[\"langchain\",\"schema\",\"" class   \
		"\"],\"kwargs\":{" kwargs "}}"

Test(dialect_spans, langchain_forms)
{
	static const struct row rows[] = {
		{"[" LC("HumanMessage", "\"content\":\"Hi\"") "]",
			"user:\ntext says=Hi\n"},
		{LC("ChatMessage", "\"role\":\"critic\",\"content\":\"Bad\""),
			"critic:\ntext says=Bad\n"},
		{"{\"type\":\"ai\",\"content\":[{\"type\":\"text\",\"text\":\"Wait\"},{"
		 "\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\",\"input\":{}}],"
		 "\"tool_calls\":[{\"name\":\"f\",\"args\":{\"n\":1},\"id\":\"a\"}]}",
			"assistant:\ntext says=Wait\ncall id=a name=f says={\"n\":1}\n"},
		{"{\"type\":\"ai\",\"content\":\"\",\"invalid_tool_calls\":[{\"name\":"
		 "\"f\","
		 "\"args\":\"{oops\",\"id\":\"a\",\"error\":\"no JSON\"}]}",
			"assistant:\ncall id=a name=f says={oops\n"
			"result! id=a name=f says=no JSON\n"},
		{"{\"type\":\"ai\",\"content\":\"\",\"additional_kwargs\":{\"refusal\":"
		 "\"I must not\"}}",
			"assistant:\nrefusal says=I must not\n"},
		{"{\"type\":\"tool\",\"content\":\"broken\",\"tool_call_id\":\"a\","
		 "\"name\":"
		 "\"f\",\"status\":\"error\",\"additional_kwargs\":{}}",
			"tool:\nresult! id=a name=f says=broken\n"},
		{"[{\"role\":\"user\",\"content\":\"Hi\"},{\"role\":\"assistant\","
		 "\"content\":\"\",\"additional_kwargs\":{\"tool_calls\":[{\"id\":\"a\","
		 "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}}]",
			"user:\ntext says=Hi\nassistant:\ncall id=a name=f says={}\n"},
		{"{\"messages\":[[{\"type\":\"human\",\"content\":\"Hi\"}]]}",
			"user:\ntext says=Hi\n"},
		{"{\"inputs\":{\"messages\":[{\"type\":\"human\",\"content\":\"Hi\"}]},"
		 "\"outputs\":{\"output\":{\"type\":\"ai\",\"content\":\"Ho\"}}}",
			"user:\ntext says=Hi\n"},
		{LC("ChatPromptValue",
			 "\"messages\":[" LC("SystemMessage", "\"content\":\"S\"") "]"),
			"system:\ntext says=S\n"},
		{"{\"prompts\":[\"Once\"]}", "user:\ntext says=Once\n"},
		{"{\"type\":\"human\",\"content\":[{\"type\":\"image\",\"source_type\":"
		 "\"base64\",\"mime_type\":\"image/png\",\"data\":\"" PNG "\"}]}",
			"user:\nimage image/png 70 bytes\n"},
		{"[{\"type\":\"system\",\"content\":\"started\"}]", "unknown"},
		{"[{\"role\":\"user\",\"content\":\"Hi\"}]", "unknown"},
		{"{\"messages\":[{\"type\":\"human\",\"content\":\"Hi\"},{\"a\":1}]}",
			"unknown"},
		{"{\"type\":\"human\",\"name\":\"Ann\"}", "unknown"},
		{"{\"lc\":1,\"type\":\"constructor\",\"id\":[\"Tool\"],\"kwargs\":{}}",
			"unknown"},
		{"{\"prompts\":[{\"a\":1}]}", "unknown"},
		{"{\"inputs\":{\"question\":\"Why?\"}}", "unknown"},
	};

	CHECK(&dialect_langchain, PREFER_INPUT, rows);
}

Test(dialect_spans, langchain_generations)
{
	static const struct row rows[] = {
		{"{\"generations\":[[{\"text\":\"Ho\",\"message\":" LC("AIMessage",
			 "\"content\":\"Ho\",\"tool_calls\":[]") "}]],\"llm_output\":{}}",
			"assistant:\ntext says=Ho\n"},
		{"{\"outputs\":{\"generations\":[[{\"text\":\"Ho\",\"generation_info\":"
		 "null}]"
		 "]}}",
			"assistant:\ntext says=Ho\n"},
		{"{\"inputs\":{\"messages\":[{\"type\":\"human\",\"content\":\"Hi\"}]},"
		 "\"outputs\":{\"output\":{\"type\":\"ai\",\"content\":\"Ho\"}}}",
			"assistant:\ntext says=Ho\n"},
		{"{\"generations\":[[{\"image\":1}]]}", "unknown"},
	};

	CHECK(&dialect_langchain, PREFER_OUTPUT, rows);
}

#define CHUNK(id, rest)                                                                  \
	LC("AIMessageChunk", "\"id\":\"" id "\",\"additional_kwargs\":{}," rest)

Test(dialect_spans, langchain_chunks)
{
	static const struct row rows[] = {
		{"[" CHUNK("m", "\"content\":\"A\"") "," CHUNK(
			 "m", "\"content\":\"B\"") "," CHUNK("m",
			 "\"content\":\"\",\"tool_call_chunks\":[{\"name\":\"f\","
			 "\"args\":\"\",\"id\":\"a\",\"index\":0}]") "," CHUNK("m",
			 "\"content\":\"\",\"tool_call_chunks\":[{\"args\":"
			 "\"{\\\"n\\\":\",\"index\":0}]") "," CHUNK("m",
			 "\"content\":\"\",\"tool_call_chunks\":[{\"args\":\"1}\","
			 "\"index\":0}]") "," LC("ToolMessage",
			 "\"content\":\"2\",\"tool_call_id\":\"a\"") "," CHUNK("n",
			 "\"content\":\"Two\"") "]",
			"assistant:\ntext says=AB\ncall id=a name=f says={\"n\":1}\n"
			"tool:\nresult id=a says=2\nassistant:\ntext says=Two\n"},
		/* as LangGraph streams them, with graphs and facts */
		{"[[[\"agent:1\"],[" CHUNK("m",
			 "\"content\":\"A\"") ",{\"langgraph_node\":\"agent\"}]],[["
					      "\"agent:1\"],[" CHUNK("m",
						      "\"content\":\"B\"") ",{"
									   "\"langgraph_"
									   "node\":"
									   "\"agent\"}]]"
									   "]",
			"assistant:\ntext says=AB\n"},
		{"[" CHUNK("m", "\"content\":[{\"type\":\"thinking\",\"thinking\":\"H\","
				"\"index\":0}]") "," CHUNK("m",
			 "\"content\":[{\"type\":\"thinking\",\"thinking\":\"m\","
			 "\"index\":0}]") "," CHUNK("m",
			 "\"content\":[{\"type\":\"text\",\"text\":\"Ho\","
			 "\"index\":1}]") "]",
			"assistant:\nthought says=Hm\ntext says=Ho\n"},
	};

	CHECK(&dialect_langchain, PREFER_OUTPUT, rows);
}

/* ---- OpenTelemetry's conventions ---- */

Test(dialect_spans, genai_forms)
{
	static const struct row rows[] = {
		{"[{\"type\":\"text\",\"content\":\"Be kind.\"}]",
			"user:\ntext says=Be kind.\n"},
		{"{\"role\":\"user\",\"parts\":[{\"type\":\"uri\",\"modality\":\"image\","
		 "\"uri\":\"https://a.example/"
		 "b.png\"},{\"type\":\"mood\",\"content\":1},{"
		 "\"type\":\"text\",\"content\":\"Look\"}]}",
			"user:\nimage  0 bytes\n"
			"json says={\"type\":\"mood\",\"content\":1}\ntext says=Look\n"},
		{"[{\"role\":\"user\",\"content\":\"Hi\"},{\"role\":\"assistant\","
		 "\"parts\":[{\"type\":\"thinking\",\"content\":\"Hm\"}]}]",
			"user:\ntext says=Hi\nassistant:\nthought says=Hm\n"},
		{"{\"name\":\"gen_ai.user.message\",\"body\":{\"content\":\"Hi\"}}",
			"user:\ntext says=Hi\n"},
		{"[{\"eventName\":\"gen_ai.assistant.message\",\"body\":{\"kvlistValue\":"
		 "{"
		 "\"values\":[{\"key\":\"content\",\"value\":{\"stringValue\":\"Ho\"}}]}}"
		 "},{"
		 "\"name\":\"gen_ai.tool.message\",\"attributes\":{\"id\":\"a\","
		 "\"content\":"
		 "\"2\"}},{\"name\":\"exception\"},{\"event.name\":\"gen_ai.choice\","
		 "\"message\":{\"role\":\"assistant\",\"content\":\"Two\"}}]",
			"assistant:\ntext says=Ho\ntool:\nresult id=a says=2\n"},
		{"{\"gen_ai.system_instructions\":[{\"type\":\"text\",\"content\":\"S\"}]"
		 ","
		 "\"gen_ai.input.messages\":\"[{\\\"role\\\":\\\"user\\\",\\\"parts\\\":["
		 "{"
		 "\\\"type\\\":\\\"text\\\",\\\"content\\\":\\\"Hi\\\"}]}]\","
		 "\"gen_ai.request.temperature\":1,\"gen_ai.tool.definitions\":"
		 "\"[{\\\"name\\\":\\\"f\\\"}]\"}",
			"system:\ntext says=S\nuser:\ntext says=Hi\n"
			" tools=[{\"name\":\"f\"}] parameters={\"temperature\":1}"},
		{"{\"gen_ai.input.messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}",
			"user:\ntext says=Hi\n"},
		{"{\"gen_ai.tool.name\":\"f\",\"gen_ai.tool.call.id\":\"a\","
		 "\"gen_ai.tool.call.arguments\":{\"n\":1}}",
			"assistant:\ncall id=a name=f says={\"n\":1}\n"},
		{"[{\"kind\":\"request\",\"instructions\":\"S\",\"parts\":[{\"part_"
		 "kind\":"
		 "\"retry-prompt\",\"tool_name\":\"f\",\"tool_call_id\":\"a\","
		 "\"content\":"
		 "\"again\"},{\"part_kind\":\"retry-prompt\",\"tool_name\":null,"
		 "\"content\":\"well\"}]}]",
			"system:\ntext says=S\ntool:\nresult! id=a name=f says=again\n"
			"user:\ntext says=well\n"},
		{"{\"gen_ai.conversation.id\":\"c\",\"gen_ai.request.model\":\"m\"}",
			"unknown"},
		{"{\"gen_ai.tool.name\":\"f\"}", "unknown"},
		{"[{\"name\":\"exception\",\"attributes\":{}}]", "unknown"},
		{"{\"role\":\"user\",\"parts\":[{\"text\":\"Hi\"}]}", "unknown"},
		{"[{\"type\":\"text\",\"text\":\"Hi\"}]", "unknown"},
		{"{\"kind\":\"request\",\"parts\":[{\"kind\":\"text\"}]}", "unknown"},
		{"[{\"role\":\"user\",\"content\":\"Hi\"}]", "unknown"},
	};

	CHECK(&dialect_genai, PREFER_INPUT, rows);
}

Test(dialect_spans, genai_output)
{
	static const struct row rows[] = {
		{"{\"gen_ai.completion\":\"{\\\"text\\\":\\\"Ho\\\",\\\"finish_"
		 "reason\\\":"
		 "\\\"stop\\\"}\"}",
			"assistant:\ntext says=Ho\n"},
		{"{\"gen_ai.tool.name\":\"f\",\"gen_ai.tool.call.result\":\"2\"}",
			"tool:\nresult name=f says=2\n"},
		{"[{\"name\":\"gen_ai.user.message\",\"body\":{\"content\":\"Hi\"}},{"
		 "\"name\":\"gen_ai.choice\",\"body\":{\"index\":0,\"message\":{"
		 "\"content\":"
		 "null,\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\",\"function\":{"
		 "\"name\":\"f\",\"arguments\":\"{}\"}}]}}}]",
			"assistant:\ncall id=a name=f says={}\n"},
	};

	CHECK(&dialect_genai, PREFER_OUTPUT, rows);
}

/* ---- flat attributes ---- */

Test(dialect_spans, openinference_forms)
{
	static const char both[] =
		"{\"llm.input_messages.0.message.role\":\"user\","
		"\"llm.input_messages.0.message.content\":\"Hi\","
		"\"llm.output_messages.0.message.content\":\"Ho\","
		"\"llm.tools.0.tool.json_schema\":\"{\\\"name\\\":\\\"f\\\"}\","
		"\"llm.tools.10.tool.json_schema\":\"{\\\"name\\\":\\\"h\\\"}\","
		"\"llm.tools.2.tool.json_schema\":\"{\\\"name\\\":\\\"g\\\"}\","
		"\"llm.invocation_parameters\":\"{\\\"temperature\\\":0}\"}";
	static const struct row input[] = {
		{both, "user:\ntext says=Hi\n tools=[{\"name\":\"f\"},{\"name\":\"g\"},{"
		       "\"name\":\"h\"}] parameters={\"temperature\":0}"},
		{"{\"llm\":{\"input_messages\":[{\"message\":{\"role\":\"tool\","
		 "\"tool_call_id\":\"a\",\"contents\":[{\"message_content\":{\"type\":"
		 "\"text\",\"text\":\"2\"}}]}}]}}",
			"tool:\nresult id=a says=[\"2\"]\n"},
		{"{\"llm\":{\"input_messages\":[{\"message\":{\"role\":\"tool\","
		 "\"contents\":{\"0\":{\"message_content.text\":\"3\"}}}}]}}",
			"tool:\nresult says=[\"3\"]\n"},
		{"{\"llm.input_messages\":[{\"message.role\":\"user\",\"message."
		 "content\":"
		 "\"Hi\"},{\"message.role\":\"assistant\",\"message.tool_calls\":[{"
		 "\"tool_call.function.name\":\"f\",\"tool_call.function.arguments\":\"{}"
		 "\"}"
		 "]}]}",
			"user:\ntext says=Hi\nassistant:\ncall name=f says={}\n"},
		{"[{\"message\":{\"role\":\"user\",\"content\":\"Hi\"}}]",
			"user:\ntext says=Hi\n"},
		{"[{\"key\":\"llm.input_messages.0.message.content\",\"type\":\"string\","
		 "\"value\":\"Hi\"}]",
			"user:\ntext says=Hi\n"},
		{"{\"llm.input_messages.0.message.role\":\"assistant\","
		 "\"llm.input_messages.0.message.function_call_name\":\"f\","
		 "\"llm.input_messages.0.message.function_call_arguments_json\":\"{}\"}",
			"assistant:\ncall name=f says={}\n"},
		{"{\"llm.prompts.0.prompt.text\":\"Once\"}", "user:\ntext says=Once\n"},
		{"{\"llm.model_name\":\"m\",\"input.value\":\"Hi\"}", "unknown"},
		{"{\"llm.output_messages.0.message.content\":\"Ho\"}", "unknown"},
		{"{\"llm\":{\"input_messages\":[]}}", "unknown"},
		{"{\"llm.input_messages\":\"Hi\"}", "unknown"},
		{"[{\"message\":\"Hi\"}]", "unknown"},
	};
	static const struct row output[] = {{both, "assistant:\ntext says=Ho\n"}};

	CHECK(&dialect_openinference, PREFER_INPUT, input);
	CHECK(&dialect_openinference, PREFER_OUTPUT, output);
}

Test(dialect_spans, openllmetry_forms)
{
	static const char both[] =
		"[{\"key\":\"gen_ai.prompt.0.content\",\"value\":{\"string_value\":"
		"\"Hi\"}},"
		"{\"key\":\"gen_ai.completion.0.role\",\"value\":{\"string_value\":"
		"\"assistant\"}},{\"key\":\"gen_ai.completion.0.finish_reason\","
		"\"value\":{"
		"\"string_value\":\"tool_calls\"}},{\"key\":"
		"\"gen_ai.completion.0.tool_calls.0.name\",\"value\":{\"string_value\":"
		"\"f\"}"
		"},{\"key\":\"gen_ai.request.max_tokens\",\"value\":{\"int_value\":\"9\"}"
		"},{"
		"\"key\":\"llm.request.functions.0.name\",\"value\":{\"string_value\":"
		"\"f\"}}"
		",{\"key\":\"llm.request.functions.0.parameters\",\"value\":{"
		"\"string_value\":\"{\\\"type\\\":\\\"object\\\"}\"}}]";
	static const struct row input[] = {
		{both, "user:\ntext says=Hi\n tools=[{\"name\":\"f\",\"parameters\":{"
		       "\"type\":\"object\"}}] parameters={\"max_tokens\":9}"},
		{"{\"llm.prompts.0.user\":\"Once\"}", "user:\ntext says=Once\n"},
		{"{\"gen_ai.prompt.0.role\":\"user\",\"gen_ai.prompt.0.content\":"
		 "\"[1, 2]\"}",
			"user:\ntext says=[1, 2]\n"},
		{"{\"gen_ai.prompt\":\"Hi\"}", "unknown"},
		{"{\"gen_ai.prompt.tokens\":5}", "unknown"},
		{"{\"gen_ai.completion.0.content\":\"Ho\"}", "unknown"},
		{"[[\"gen_ai.prompt.0.content\"]]", "unknown"},
	};
	static const struct row output[] = {{both, "assistant:\ncall name=f\n"}};

	CHECK(&dialect_openllmetry, PREFER_INPUT, input);
	CHECK(&dialect_openllmetry, PREFER_OUTPUT, output);
}

/* ---- attributes ---- */

static char *attributes_text(const char *carrier, const char *below)
{
	struct arena arena = {0};
	struct buf out = BUF_INIT;
	static const char *const names[] = {"a", "b", "bc", "c", "d", "e", "f"};
	struct jv found[7];

	buf_text(&out, "");
	if (below) {
		jv_text(attributes_below(jv_parse(str_of(carrier)), below, &arena), &out);
	} else {
		attributes_get(jv_parse(str_of(carrier)), names, found, 7, &arena);
		for (size_t i = 0; i < 7; i++)
			if (found[i].kind != J_NONE)
				buf_printf(&out, "%s=%.*s;", names[i], (int)found[i].n,
					found[i].p);
	}
	arena_done(&arena);
	return buf_take(&out);
}

Test(attributes, carriers)
{
	static const struct row rows[] = {
		{"{\"a\":1,\"b\\u0063\":\"x\"}", "a=1;bc=\"x\";"},
		{"[{\"key\":\"a\",\"value\":{\"intValue\":\"12\"}},{\"key\":\"b\","
		 "\"value\":{"
		 "\"int_value\":-3}},{\"key\":\"c\",\"value\":{\"doubleValue\":\"NaN\"}},"
		 "{"
		 "\"key\":\"d\",\"value\":{\"boolValue\":true}},{\"key\":\"e\",\"value\":"
		 "{}},"
		 "{\"key\":\"f\"}]",
			"a=12;b=-3;c=\"NaN\";d=true;e={};"},
		{"[{\"key\":\"a\",\"value\":{\"arrayValue\":{\"values\":[{"
		 "\"stringValue\":"
		 "\"x\"},{\"kvlistValue\":{\"values\":[{\"key\":\"k\",\"value\":{"
		 "\"intValue\":\"1\"}},{\"key\":\"l\",\"value\":{\"array_value\":{}}}]}}]"
		 "}}}]",
			"a=[\"x\",{\"k\":1,\"l\":[]}];"},
		{"[{\"key\":\"a\",\"type\":\"int64\",\"value\":5},{\"key\":\"b\","
		 "\"value\":{"
		 "\"stringValue\":\"x\",\"more\":1}}]",
			"a=5;b={\"stringValue\":\"x\",\"more\":1};"},
		{"[]", ""},
		{"[{\"name\":\"a\"}]", ""},
		{"[{\"name\":\"a\"},{\"key\":\"a\",\"value\":1}]", ""},
		{"\"a\"", ""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *got = attributes_text(rows[i].value, NULL);

		cr_expect_str_eq(got, rows[i].says, "%s gives %s", rows[i].value, got);
		mem_free(got);
	}
}

Test(attributes, below)
{
	static const struct row rows[] = {
		{"{\"a.10.x\":1,\"a.2.x\":2,\"a.2.y\":3,\"b.0\":4,\"ab.1\":5,\"a\":6}",
			"[{\"x\":2,\"y\":3},{\"x\":1}]"},
		{"{\"a.x.1.z\":1,\"a.x.0\":2,\"a.w\":{\"q\":[]}}",
			"{\"w\":{\"q\":[]},\"x\":[2,{\"z\":1}]}"},
		/* a leaf that is a container as well, numbers among names */
		{"{\"a.x\":1,\"a.x.y\":2}", "{\"x\":1,\"x\":{\"y\":2}}"},
		{"{\"a.0\":1,\"a.n\":2,\"a.00\":3}", "[1,3,2]"},
		{"{\"a.q\\\"r.s\":1}", "{\"q\\\"r\":{\"s\":1}}"},
		{"{\"a.\":1,\"a\":2}", ""},
		{"{\"a..b\":1}", "{\"\":{\"b\":1}}"},
		{"{\"a.1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17\":1}",
			"[[[[[[[[[[[[[[[{\"16.17\":1}]]]]]]]]]]]]]]]"},
		{"{\"b\":1}", ""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *got = attributes_text(rows[i].value, "a");

		cr_expect_str_eq(got, rows[i].says, "%s gives %s", rows[i].value, got);
		mem_free(got);
	}
}

Test(attributes, paths)
{
	struct jv v = jv_parse(STR("{\"a\":{\"b.c\":1},\"a.b\":{\"c\":2,\"d\":[3]},"
				   "\"a.b.e\":4,\"f\":5}"));

	cr_expect(str_equal(
		(struct str){attributes_at(v, "a.b.c").p, 1}, STR("2"))); /* the last */
	cr_expect_eq(attributes_at(v, "a.b.d").kind, J_ARRAY);
	cr_expect(str_equal((struct str){attributes_at(v, "a.b.e").p, 1}, STR("4")));
	cr_expect_eq(attributes_at(v, "f.g").kind, J_NONE);
	cr_expect_eq(attributes_at(v, "a.b.x").kind, J_NONE);
	cr_expect_eq(attributes_at(JV_NONE, "a").kind, J_NONE);
}

Test(dialect_spans, named)
{
	static const struct {
		const char *name, *value;
	} rows[] = {
		{"vercel", "\"{\\\"prompt\\\":\\\"Hi\\\"}\""},
		{"vercel", "[{\"role\":\"user\",\"content\":\"Hi\"}]"},
		{"vercel", "{\"role\":\"user\",\"content\":\"Hi\"}"},
		{"genai", "[{\"role\":\"user\",\"content\":\"Hi\"}]"},
		{"langchain", "[{\"role\":\"user\",\"content\":\"Hi\"}]"},
		{"openinference", "{\"llm.prompts\":[\"Hi\"]}"},
		{"openllmetry", "{\"gen_ai.prompt.0.user\":\"Hi\"}"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena arena = {0};
		struct message_writer t = {.arena = &arena};
		struct buf out = BUF_INIT;

		cr_expect(dialect_read(&t, dialect_named(str_of(rows[i].name)),
				  jv_parse(str_of(rows[i].value)), PREFER_INPUT),
			"%s: %s", rows[i].name, rows[i].value);
		JV_EACH(message, emit_take(&t))
			put_message(&out, message, &arena);
		cr_expect_str_eq(out.data, "user:\ntext says=Hi\n", "%s: %s",
			rows[i].value, out.data);
		buf_done(&out);
		emit_done(&t);
		arena_done(&arena);
	}
}

/* A file may end anywhere. */
Test(dialect_spans, cut_short)
{
	static const char *const all[] = {vercel, vercel_ui, langchain, genai, pydantic,
		openinference, openllmetry};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (size_t n = 0; n < strlen(all[i]); n += 3) {
			char *cut = mem_dup(all[i], n);

			for (int side = PREFER_NONE; side <= PREFER_OUTPUT; side++)
				mem_free(said_by(NULL, cut, (enum prefer)side, true));
			mem_free(cut);
		}
}

/* What is deep or hostile costs no more than its size. */
Test(dialect_spans, deep_values)
{
	struct buf deep = BUF_INIT;

	for (int i = 0; i < 100000; i++)
		buf_text(&deep, i % 2 ? "[" : "{\"inputs\":{\"messages\":");
	for (size_t i = 0; i < 5; i++) {
		static const struct dialect *const all[] = {&dialect_vercel,
			&dialect_langchain, &dialect_genai, &dialect_openinference,
			&dialect_openllmetry};
		char *got = said_by(all[i], deep.data, PREFER_INPUT, true);

		cr_expect_str_eq(got, "unknown");
		mem_free(got);
	}
	buf_done(&deep);
}
