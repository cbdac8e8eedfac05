/* See body.h. */
#include "config.h"
#include "dialect/body.h"

#include "chat/parts.h"
#include "chat/side.h"
#include "json/json.h"

/* ---- blocks ----
 *
 * Those with a `type` stand in a table; those of Gemini and Bedrock have none and are
 * known by the key of what they hold.
 */

static bool ends_with(struct jv string, struct str tail)
{
	struct str s = jv_plain(string);

	return s.n > tail.n && str_ends(s, tail);
}

static const struct custom {
	const char *type;
	unsigned conventions;
	const char *needs; /* a member that must be there */
} typed[] = {
	{"text", BLOCK_OPENAI | BLOCK_ANTHROPIC, "text"},
	{"image_url", BLOCK_OPENAI, "image_url"},
	{"input_audio", BLOCK_OPENAI | BLOCK_RESPONSES, "input_audio"},
	{"audio", BLOCK_OPENAI, "audio"},
	{"video_url", BLOCK_OPENAI, "video_url"},
	{"file", BLOCK_OPENAI, "file"},
	{"refusal", BLOCK_OPENAI | BLOCK_RESPONSES, "refusal"},
	{"thinking", BLOCK_OPENAI | BLOCK_ANTHROPIC, "thinking"},
	{"redacted_thinking", BLOCK_ANTHROPIC, "data"},
	{"tool_use", BLOCK_ANTHROPIC, "name"},
	{"server_tool_use", BLOCK_ANTHROPIC, "name"},
	{"mcp_tool_use", BLOCK_ANTHROPIC, "name"},
	{"tool_result", BLOCK_ANTHROPIC, "tool_use_id"},
	{"image", BLOCK_ANTHROPIC, "source"},
	{"document", BLOCK_ANTHROPIC, "source"},
	{"search_result", BLOCK_ANTHROPIC, "content"},
	{"container_upload", BLOCK_ANTHROPIC, "file_id"},
	{"input_text", BLOCK_RESPONSES, "text"},
	{"output_text", BLOCK_RESPONSES, "text"},
	{"input_image", BLOCK_RESPONSES, "image_url"},
	{"input_image", BLOCK_RESPONSES, "file_id"},
	{"input_file", BLOCK_RESPONSES, "file_data"},
	{"input_file", BLOCK_RESPONSES, "file_id"},
	{"input_file", BLOCK_RESPONSES, "file_url"},
	{"reasoning_text", BLOCK_RESPONSES, "text"},
	{"summary_text", BLOCK_RESPONSES, "text"},
	{"reasoning", BLOCK_RESPONSES | BLOCK_ITEM, "summary"},
	{"reasoning", BLOCK_RESPONSES | BLOCK_ITEM, "content"},
	{"reasoning", BLOCK_RESPONSES | BLOCK_ITEM, "encrypted_content"},
	{"mcp_list_tools", BLOCK_RESPONSES | BLOCK_ITEM, "tools"},
	{"mcp_approval_request", BLOCK_RESPONSES | BLOCK_ITEM, "arguments"},
	{"mcp_approval_response", BLOCK_RESPONSES | BLOCK_ITEM, "approval_request_id"},
	{"item_reference", BLOCK_RESPONSES | BLOCK_ITEM, "id"},
	{"compaction", BLOCK_RESPONSES | BLOCK_ITEM, "encrypted_content"},
	{"program", BLOCK_RESPONSES | BLOCK_ITEM, "call_id"},
	{"program_output", BLOCK_RESPONSES | BLOCK_ITEM | BLOCK_RESULT, "call_id"},
	{"tool_search_output", BLOCK_RESPONSES | BLOCK_ITEM | BLOCK_RESULT, "tools"},
	{"function", BLOCK_OPENAI, "function"},
	{"custom", BLOCK_OPENAI, "custom"},
};

/* Families of types. */
static const struct custom families[] = {
	{"_tool_result", BLOCK_ANTHROPIC, "tool_use_id"},
	{"_call_output", BLOCK_RESPONSES | BLOCK_ITEM | BLOCK_RESULT, "call_id"},
	{"_call_result", BLOCK_RESPONSES | BLOCK_ITEM | BLOCK_RESULT, "call_id"},
};

/* Calls, of which those that the server answers itself have an id and no call_id. */
static bool is_item_call(struct jv block, struct jv type)
{
	bool served, any = false;

	if (!ends_with(type, STR("_call")))
		return false;
	JV_MEMBERS(v, block, id, call_id, arguments, input, action, operation, status);
	if (part_is_vendor_call(type, &served) && !jv_empty(v.id))
		return true;
	/* of a call that is not known by its name the arguments are */
	for (const struct jv *given = &v.arguments; given <= &v.status; given++)
		any = any || !jv_empty(*given);
	return any && !jv_empty(v.call_id);
}

/* Without a type. */

/* All that a part of Gemini may have: first what holds an object. */
static const char *const gemini_names[] = {"function_call", "function_response",
	"inline_data", "file_data", "executable_code", "code_execution_result", "text",
	"thought_signature", "thought", "part_metadata", "video_metadata",
	"media_resolution"};
enum { GEMINI_OBJECTS = 6, GEMINI_TEXT = 6, GEMINI_SIGNATURE, GEMINI_NAMES = 12 };

/* What holds an object; or a text or a signature alone, with nothing beside it that a
 * part does not have.  Nulls are absent members: some write all that there could be. */
static bool is_gemini(struct jv part)
{
	struct jv v[GEMINI_NAMES];

	jv_members(part, gemini_names, v, GEMINI_NAMES);
	for (int i = 0; i < GEMINI_OBJECTS; i++)
		if (v[i].kind == J_OBJECT)
			return true;
	if (v[GEMINI_TEXT].kind != J_STRING && v[GEMINI_SIGNATURE].kind != J_STRING)
		return false;
	JV_PAIRS(key, value, part) {
		if (!jv_null(value) && !JV_KEY_AMONG(key, gemini_names))
			return false;
	}
	return true;
}

static bool is_bedrock(struct jv block)
{
	JV_MEMBERS(v, block, tool_use, tool_result, reasoning_content, cache_point,
		guard_content, citations_content, image, document, video, audio);
	if (v.tool_use.kind == J_OBJECT)
		return jv_member(v.tool_use, "name").kind == J_STRING;
	if (v.tool_result.kind == J_OBJECT)
		return jv_member(v.tool_result, "tool_use_id").kind == J_STRING;
	for (const struct jv *b = &v.reasoning_content; b <= &v.audio; b++)
		if ((b < &v.image ? *b : jv_member(*b, "source")).kind == J_OBJECT)
			return true;
	return false;
}

/* {"name": …, "arguments": …}, perhaps with an id, and nothing else: a call as small
 * models and fine-tuning data write it. */
static bool is_mere_call(struct jv block)
{
	size_t known = 0;

	JV_MEMBERS(v, block, name, arguments, id, call_id);
	for (int i = 0; i < 4; i++)
		known += v.all[i].kind != J_NONE;
	return v.name.kind == J_STRING &&
	       (v.arguments.kind == J_OBJECT ||
		       str_starts(jv_plain(v.arguments), STR("{"))) &&
	       jv_count(block, 5) == known;
}

unsigned block_conventions(struct jv block)
{
	struct jv type = jv_member(block, "type");

	if (block.kind != J_OBJECT)
		return 0;
	if (type.kind == J_STRING) {
		for (size_t i = 0; i < sizeof(typed) / sizeof(*typed); i++)
			if (jv_is(type, str_of(typed[i].type)) &&
				!jv_null(jv_member(block, typed[i].needs)))
				return typed[i].conventions;
		for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
			if (ends_with(type, str_of(families[i].type)) &&
				!jv_empty(jv_member(block, families[i].needs)))
				return families[i].conventions;
		return is_item_call(block, type) ? BLOCK_RESPONSES | BLOCK_ITEM : 0;
	}
	if (jv_member(block, "role").kind == J_STRING) /* a message, and no block */
		return 0;
	/* {"text": …} and nothing else is a text to both whose blocks have no type */
	if (jv_member(block, "text").kind == J_STRING && jv_count(block, 2) == 1)
		return BLOCK_GEMINI | BLOCK_BEDROCK;
	if (is_mere_call(block))
		return BLOCK_OPENAI;
	if (is_gemini(block))
		return BLOCK_GEMINI;
	return is_bedrock(block) ? BLOCK_BEDROCK : 0;
}

/* ---- messages ---- */

/* A type, where there is one, may not be that of something else; the role of an answer to
 * a call may be any name; what is said may be null beside calls. */
bool body_is_message(struct jv message)
{
	bool says;

	if (message.kind != J_OBJECT)
		return false;
	JV_MEMBERS(v, message, role, type, tool_call_id, content, reasoning_content,
		reasoning, tool_plan, refusal, tool_calls, function_call, audio);
	if (v.type.kind == J_STRING && !jv_is(v.type, STR("message")) &&
		!jv_is(v.type, STR("text")))
		return false;
	says = v.content.kind == J_STRING || v.content.kind == J_ARRAY ||
	       v.content.kind == J_OBJECT || v.content.kind == J_NULL ||
	       v.reasoning_content.kind == J_STRING || v.reasoning.kind == J_STRING ||
	       v.tool_plan.kind == J_STRING || v.refusal.kind == J_STRING ||
	       v.tool_calls.kind == J_ARRAY || v.function_call.kind == J_OBJECT ||
	       v.audio.kind == J_OBJECT;
	return says && v.role.kind == J_STRING &&
	       (role_speaker(jv_plain(v.role)) != SPEAKER_OTHER ||
		       !jv_empty(v.tool_call_id));
}

bool body_is_message_of(struct jv message, unsigned custom, unsigned other)
{
	if (!body_is_message(message))
		return false;
	JV_ITEMS(block, jv_member(message, "content"))
		if ((block_conventions(block) & (custom | other)) == custom)
			return true;
	return false;
}

void body_add_message(struct message_writer *t, struct jv message, const char *otherwise)
{
	if (message.kind != J_OBJECT)
		body_say(t, otherwise, message);
	else if (jv_member(message, "role").kind == J_STRING)
		emit_add_raw(t, message);
	else
		emit_add_said_by(t, otherwise, message);
}

const char *side_speaker(enum prefer side)
{
	return side == PREFER_OUTPUT ? "assistant" : "user";
}

void body_add_messages(struct message_writer *t, struct jv array, enum prefer side)
{
	JV_EACH(message, array)
		if (!jv_null(message))
			body_add_message(t, message, side_speaker(side));
}

void body_say(struct message_writer *t, const char *role, struct jv content)
{
	if (jv_empty(content))
		return;
	emit_begin(t, JV_NONE, role);
	emit_content(t, content);
	emit_end(t);
}

/* ---- lists ---- */

void census_take(struct census *c, struct jv array)
{
	*c = (struct census){0};
	JV_ITEMS(item, array) {
		unsigned conventions = block_conventions(item);
		struct jv name;

		if (c->items == CENSUS_MOST)
			break;
		if (jv_null(item))
			continue;
		if (body_is_message(item)) {
			c->first = c->first || c->items == 0;
			c->messages++;
			JV_ITEMS(block, jv_member(item, "content"))
				c->inner |= block_conventions(block);
		} else {
			c->blocks += conventions != 0;
			c->conventions |= conventions;
			/* entries of `tool_calls`: the name stands in the function, or in
			 * what a custom tool has */
			JV_MEMBERS(v, item, function, custom);
			name = jv_member(
				v.function.kind == J_OBJECT ? v.function : v.custom,
				"name");
			c->calls += jv_is_text(name);
		}
		c->items++;
	}
}

bool body_are_messages(struct jv array, unsigned custom)
{
	struct census c;

	census_take(&c, array);
	return c.first && c.messages * 2 >= c.items && (!custom || c.inner & custom);
}

bool body_read_messages(
	struct message_writer *t, struct jv array, unsigned custom, enum prefer side)
{
	if (!body_are_messages(array, custom))
		return false;
	body_add_messages(t, array, side);
	return true;
}

bool body_read_message(struct message_writer *t, struct jv message, enum prefer side)
{
	if (!body_is_message(message))
		return false;
	body_add_message(t, message, side_speaker(side));
	return true;
}

bool body_say_blocks(
	struct message_writer *t, struct jv value, unsigned custom, enum prefer side)
{
	struct census c;

	census_take(&c, value);
	if (value.kind == J_OBJECT)
		c = (struct census){
			1, .blocks = 1, .conventions = block_conventions(value)};
	if (!c.items || c.blocks != c.items || !(c.conventions & custom))
		return false;
	body_say(t, side_speaker(side), value);
	return true;
}

/* ---- bodies ---- */

static void add_members(
	struct buf *out, struct jv object, const char *const names[], bool these)
{
	JV_FIELDS(key, value, object)
		if (!jv_null(value) && key.kind == J_STRING && !key.cut && !value.cut &&
			jv_key_is_among(key, names, SIZE_MAX) == these)
			json_put_pair(out, key, value);
}

static void end_parameters(struct message_writer *t, struct buf *members)
{
	if (members->len == 1)
		return;
	buf_byte(members, '}');
	t->parameters = json_kept(members, t->arena);
}

void parameters_say(struct message_writer *t, const struct jv *objects, size_t count,
	const char *const names[], bool these)
{
	AUTO_BUF out = BUF_INIT;

	buf_byte(&out, '{');
	for (size_t i = 0; i < count; i++)
		add_members(&out, objects[i], names, these);
	end_parameters(t, &out);
}

void parameters_of_request(
	struct message_writer *t, struct jv body, const char *const names[])
{
	static const char *const known[] = {"temperature", "top_p", "top_k", "max_tokens",
		"max_completion_tokens", "max_output_tokens", "stop", "stop_sequences",
		"seed", "frequency_penalty", "presence_penalty", "tool_choice",
		"response_format", "reasoning_effort", "thinking", "parallel_tool_calls",
		"n", "logprobs", "service_tier", NULL};
	static const char *const none[] = {NULL};
	bool named = jv_member(body, "model").kind == J_STRING;
	AUTO_BUF out = BUF_INIT;

	buf_byte(&out, '{');
	add_members(&out, jv_member(body, "options"), none, false);
	add_members(&out, body, named ? names : known, !named);
	end_parameters(t, &out);
}

bool body_is_error(struct message_writer *t, struct jv body)
{
	static const char *const beside[] = {"error", "type", "request_id", "event_id",
		"sequence_number", "status", "status_code", "code", "timestamp", "path",
		NULL};
	struct jv error = jv_member(body, "error");
	bool says;

	JV_MEMBERS(v, error, message, type, code);
	/* an object that says what went wrong, or a text alone */
	says = v.message.kind == J_STRING ||
	       (v.type.kind == J_STRING &&
		       (v.code.kind == J_STRING || v.code.kind == J_NUMBER)) ||
	       (jv_is_text(error) && jv_count(body, 2) == 1);
	if (!says || !content_only(body, beside, SIZE_MAX))
		return false;
	t->error = error;
	return true;
}

void body_add_error(struct message_writer *t, struct jv body)
{
	struct jv error = jv_member(body, "error");

	if ((error.kind == J_STRING || error.kind == J_OBJECT) && !jv_empty(error))
		t->error = error;
}

/* ---- blocks that several dialects write alike ---- */

struct jv content_open(struct jv content, struct arena *arena)
{
	struct jv inner = side_open_string(content, arena);

	if (content.kind != J_STRING || inner.kind != J_ARRAY || jv_empty(inner))
		return content;
	JV_EACH(item, inner)
		if (jv_member(item, "type").kind != J_STRING &&
			!(block_conventions(item) & BLOCK_BEDROCK))
			return content;
	return inner;
}

bool content_only(struct jv object, const char *const names[], size_t count)
{
	JV_PAIRS(key, value, object)
		if (!jv_key_is_among(key, names, count))
			return false;
	return object.kind == J_OBJECT;
}
