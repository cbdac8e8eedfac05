/*
 * Dialects of frameworks and spans: the Vercel AI SDK, LangChain, OpenTelemetry's
 * conventions, OpenInference, OpenLLMetry; and the attributes that carry them.  What a
 * value says is written a line for each part, so that a table holds value and lines.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "base/mem.h"
#include "chat/attributes.h"
#include "chat/dialect.h"
#include "chat/parts.h"
#include "chat/side.h"
#include "json/json.h"

/* ---- what a talk says ---- */

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
	unsigned opened;

	buf_printf(out, "%s%s%s", kinds[p->kind], p->error ? "!" : "",
		(p->kind == PART_CALL || p->kind == PART_RESULT) && p->foreign
			? "?"
			: "");
	put(out, "id", p->id);
	put(out, "name", p->name);
	if (p->kind == PART_IMAGE)
		buf_printf(out, " %.*s %u bytes", (int)p->media.n,
			p->media.p ? p->media.p : "", (unsigned)p->bytes);
	else
		put(out, "says",
			p->kind == PART_JSON ? p->raw
					     : side_open_string(p->body, &opened, arena));
	buf_byte(out, '\n');
}

static void put_message(struct buf *out, struct jv message, struct arena *arena)
{
	struct parts parts;
	bool given;
	struct str role = message_role(message, PREFER_NONE, &given, arena);

	parts_read(&parts, message, arena);
	buf_printf(out, "%.*s:\n", (int)role.n, role.p);
	for (size_t i = 0; i < parts.count; i++)
		put_part(out, &parts.items[i], arena);
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

static char *said_by(
	const struct dialect *dialect, const char *value, enum prefer side, bool roles)
{
	struct arena arena = {0};
	struct talk t = {.arena = &arena};
	struct buf out = BUF_INIT;
	struct jv key, message;
	struct jwalk w;

	buf_text(&out, "");
	if (!dialect_read(&t, dialect, jv_parse(str_of(value)), side)) {
		cr_expect_eq(t.count, 0, "%s adds though it is not known", value);
		buf_text(&out, "unknown");
	} else {
		struct jv tools = t.tools, parameters = t.parameters, error = t.error;

		jwalk_begin(&w, talk_take(&t));
		while (jwalk_next(&w, &key, &message))
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
	talk_done(&t);
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

/* ---- one conversation in all dialects ---- */

#define PNG                                                                              \
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9" \
	"awAAAABJRU5ErkJggg=="

static const char conversation[] = "text says=Answer briefly.\n"
				   "text says=How warm is it there?\n"
				   "image image/png 70 bytes\n"
				   "thought says=The picture shows Oslo.\n"
				   "call id=c1 name=weather says={\"city\":\"Oslo\"}\n"
				   "result id=c1 says=4 degrees\n"
				   "call id=c2 name=clock says={\"zone\":\"CET\"}\n"
				   "result id=c2 says=12:30\n"
				   "text says=4 degrees at half past twelve.\n";

static const char vercel[] =
	"[{\"role\":\"system\",\"content\":\"Answer briefly.\"},"
	"{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"How warm is it "
	"there?\"},{\"type\":\"image\",\"image\":\"" PNG
	"\",\"mediaType\":\"image/png\"}]},"
	"{\"role\":\"assistant\",\"content\":[{\"type\":\"reasoning\",\"text\":\"The "
	"picture shows Oslo.\"},{\"type\":\"tool-call\",\"toolCallId\":\"c1\","
	"\"toolName\":\"weather\",\"input\":{\"city\":\"Oslo\"}}]},"
	"{\"role\":\"tool\",\"content\":[{\"type\":\"tool-result\",\"toolCallId\":\"c1\","
	"\"toolName\":\"weather\",\"output\":{\"type\":\"text\",\"value\":\"4 "
	"degrees\"}}]},"
	"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool-call\",\"toolCallId\":"
	"\"c2\",\"toolName\":\"clock\",\"args\":{\"zone\":\"CET\"}}]},"
	"{\"role\":\"tool\",\"content\":[{\"type\":\"tool-result\",\"toolCallId\":\"c2\","
	"\"toolName\":\"clock\",\"result\":\"12:30\"}]},"
	"{\"role\":\"assistant\",\"content\":\"4 degrees at half past twelve.\"}]";

static const char vercel_ui[] =
	"[{\"id\":\"m0\",\"role\":\"system\",\"parts\":[{\"type\":\"text\",\"text\":"
	"\"Answer briefly.\"}]},"
	"{\"id\":\"m1\",\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"How "
	"warm is it there?\"},{\"type\":\"file\",\"mediaType\":\"image/png\",\"url\":"
	"\"data:image/png;base64," PNG "\"}]},"
	"{\"id\":\"m2\",\"role\":\"assistant\",\"parts\":[{\"type\":\"step-start\"},"
	"{\"type\":\"reasoning\",\"text\":\"The picture shows Oslo.\",\"state\":\"done\"}"
	",{\"type\":\"tool-weather\",\"toolCallId\":\"c1\",\"state\":\"output-available\""
	",\"input\":{\"city\":\"Oslo\"},\"output\":\"4 degrees\"},"
	"{\"type\":\"dynamic-tool\",\"toolName\":\"clock\",\"toolCallId\":\"c2\","
	"\"state\":\"output-available\",\"input\":{\"zone\":\"CET\"},\"output\":\"12:30\""
	"},{\"type\":\"text\",\"text\":\"4 degrees at half past twelve.\"}]}]";

static const char langchain[] =
	"[[{\"lc\":1,\"type\":\"constructor\",\"id\":[\"langchain_core\",\"messages\","
	"\"SystemMessage\"],\"kwargs\":{\"content\":\"Answer briefly.\"}},"
	"{\"type\":\"human\",\"data\":{\"content\":[{\"type\":\"text\",\"text\":\"How "
	"warm is it there?\"},{\"type\":\"image_url\",\"image_url\":{\"url\":"
	"\"data:image/png;base64," PNG "\"}}]}},"
	"{\"type\":\"ai\",\"content\":\"\",\"additional_kwargs\":{\"reasoning_content\":"
	"\"The picture shows Oslo.\"},\"tool_calls\":[{\"name\":\"weather\",\"args\":"
	"{\"city\":\"Oslo\"},\"id\":\"c1\",\"type\":\"tool_call\"}]},"
	"{\"type\":\"tool\",\"content\":\"4 degrees\",\"tool_call_id\":\"c1\",\"status\":"
	"\"success\"},"
	"{\"lc\":1,\"type\":\"constructor\",\"id\":[\"langchain\",\"schema\","
	"\"AIMessage\"],\"kwargs\":{\"content\":\"\",\"additional_kwargs\":{"
	"\"tool_calls\":[{\"id\":\"c2\",\"type\":\"function\",\"function\":{\"name\":"
	"\"clock\",\"arguments\":\"{\\\"zone\\\":\\\"CET\\\"}\"}}]}}},"
	"{\"type\":\"tool\",\"data\":{\"content\":\"12:30\",\"tool_call_id\":\"c2\"}},"
	"{\"type\":\"ai\",\"content\":\"4 degrees at half past twelve.\"}]]";

static const char genai[] =
	"[{\"role\":\"system\",\"parts\":[{\"type\":\"text\",\"content\":\"Answer "
	"briefly.\"}]},"
	"{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"How warm is it "
	"there?\"},{\"type\":\"blob\",\"modality\":\"image\",\"mime_type\":\"image/png\","
	"\"content\":\"" PNG "\"}]},"
	"{\"role\":\"assistant\",\"parts\":[{\"type\":\"reasoning\",\"content\":\"The "
	"picture shows Oslo.\"},{\"type\":\"tool_call\",\"id\":\"c1\",\"name\":"
	"\"weather\",\"arguments\":{\"city\":\"Oslo\"}}]},"
	"{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"c1\","
	"\"response\":\"4 degrees\"}]},"
	"{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"c2\","
	"\"name\":\"clock\",\"arguments\":\"{\\\"zone\\\":\\\"CET\\\"}\"}]},"
	"{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"c2\","
	"\"result\":\"12:30\"}]},"
	"{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"4 degrees "
	"at half past twelve.\"}],\"finish_reason\":\"stop\"}]";

static const char pydantic[] =
	"[{\"kind\":\"request\",\"parts\":[{\"part_kind\":\"system-prompt\",\"content\":"
	"\"Answer briefly.\"},{\"part_kind\":\"user-prompt\",\"content\":[\"How warm is "
	"it there?\",{\"kind\":\"binary\",\"media_type\":\"image/png\",\"data\":\"" PNG
	"\"}]}]},"
	"{\"kind\":\"response\",\"parts\":[{\"part_kind\":\"thinking\",\"content\":\"The "
	"picture shows Oslo.\"},{\"part_kind\":\"tool-call\",\"tool_name\":\"weather\","
	"\"args\":\"{\\\"city\\\":\\\"Oslo\\\"}\",\"tool_call_id\":\"c1\"}]},"
	"{\"kind\":\"request\",\"parts\":[{\"part_kind\":\"tool-return\",\"tool_name\":"
	"\"weather\",\"content\":\"4 degrees\",\"tool_call_id\":\"c1\"}]},"
	"{\"kind\":\"response\",\"parts\":[{\"part_kind\":\"tool-call\",\"tool_name\":"
	"\"clock\",\"args\":{\"zone\":\"CET\"},\"tool_call_id\":\"c2\"}]},"
	"{\"kind\":\"request\",\"parts\":[{\"part_kind\":\"tool-return\",\"tool_name\":"
	"\"clock\",\"content\":\"12:30\",\"tool_call_id\":\"c2\"}]},"
	"{\"kind\":\"response\",\"parts\":[{\"part_kind\":\"text\",\"content\":\"4 "
	"degrees at half past twelve.\"}]}]";

#define IN "\"llm.input_messages."
static const char openinference[] =
	"{" IN "0.message.role\":\"system\"," IN "0.message.content\":\"Answer briefly.\","
	IN "1.message.contents.0.message_content.text\":\"How warm is it there?\","
	IN "1.message.contents.0.message_content.type\":\"text\","
	IN "1.message.contents.1.message_content.image.image.url\":"
	"\"data:image/png;base64," PNG "\","
	IN "1.message.contents.1.message_content.type\":\"image\","
	IN "1.message.role\":\"user\","
	IN "10.message.content\":\"4 degrees at half past twelve.\","
	IN "10.message.role\":\"assistant\","
	IN "2.message.contents.0.message_content.text\":\"The picture shows Oslo.\","
	IN "2.message.contents.0.message_content.type\":\"reasoning\","
	IN "2.message.role\":\"assistant\","
	IN "2.message.tool_calls.0.tool_call.function.arguments\":"
	"\"{\\\"city\\\":\\\"Oslo\\\"}\","
	IN "2.message.tool_calls.0.tool_call.function.name\":\"weather\","
	IN "2.message.tool_calls.0.tool_call.id\":\"c1\","
	IN "4.message.content\":\"4 degrees\"," IN "4.message.role\":\"tool\","
	IN "4.message.tool_call_id\":\"c1\"," IN "5.message.role\":\"assistant\","
	IN "5.message.tool_calls.0.tool_call.function.arguments\":"
	"\"{\\\"zone\\\":\\\"CET\\\"}\","
	IN "5.message.tool_calls.0.tool_call.function.name\":\"clock\","
	IN "5.message.tool_calls.0.tool_call.id\":\"c2\","
	IN "6.message.content\":\"12:30\"," IN "6.message.role\":\"tool\","
	IN "6.message.tool_call_id\":\"c2\"}";

#define P "\"gen_ai.prompt."
static const char openllmetry[] =
	"{" P "0.role\":\"system\"," P "0.content\":\"Answer briefly.\","
	P "1.role\":\"user\"," P "1.content\":\"[{\\\"type\\\":\\\"text\\\",\\\"text\\\":"
	"\\\"How warm is it there?\\\"},{\\\"type\\\":\\\"image_url\\\",\\\"image_url\\\":"
	"{\\\"url\\\":\\\"data:image/png;base64," PNG "\\\"}}]\","
	P "10.role\":\"assistant\"," P "10.content\":\"4 degrees at half past twelve.\","
	P "2.role\":\"assistant\"," P "2.reasoning\":\"The picture shows Oslo.\","
	P "2.tool_calls.0.id\":\"c1\"," P "2.tool_calls.0.name\":\"weather\","
	P "2.tool_calls.0.arguments\":\"{\\\"city\\\":\\\"Oslo\\\"}\","
	P "3.role\":\"tool\"," P "3.tool_call_id\":\"c1\"," P "3.content\":\"4 degrees\","
	P "7.role\":\"assistant\"," P "7.tool_calls.0.id\":\"c2\","
	P "7.tool_calls.0.name\":\"clock\","
	P "7.tool_calls.0.arguments\":\"{\\\"zone\\\":\\\"CET\\\"}\","
	P "8.role\":\"tool\"," P "8.tool_call_id\":\"c2\"," P "8.content\":\"12:30\"}";

/* The names of tools beside their results are of some dialects only. */
static void strip_result_names(char *lines)
{
	static const char *const names[] = {" name=weather", " name=clock"};

	for (char *at = lines; (at = strstr(at, "result id=")); at++)
		for (size_t i = 0; i < 2; i++) {
			char *name = at + strlen("result id=c1");

			if (!strncmp(name, names[i], strlen(names[i])))
				memmove(name, name + strlen(names[i]),
					strlen(name + strlen(names[i])) + 1);
		}
}

Test(dialect_spans, one_conversation)
{
	static const struct {
		const struct dialect *dialect;
		const char *value;
	} all[] = {
		{&dialect_vercel, vercel},
		{&dialect_vercel, vercel_ui},
		{&dialect_langchain, langchain},
		{&dialect_genai, genai},
		{&dialect_genai, pydantic},
		{&dialect_openinference, openinference},
		{&dialect_openllmetry, openllmetry},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (int named = 0; named < 2; named++) {
			char *got = said_by(named ? all[i].dialect : NULL, all[i].value,
				PREFER_INPUT, false);

			strip_result_names(got);
			cr_expect_str_eq(got, conversation, "%s%s says\n%s",
				all[i].dialect->name, named ? "" : " (not named)", got);
			mem_free(got);
		}
}
