/*
 * The customs of blocks (see body.h).  Blocks with a `type` stand in a table; those of
 * Gemini and Bedrock have none and are known by the key of what they hold.
 */
#include "config.h"
#include "dialect/body.h"

#include "chat/parts.h"

static bool ends_with(struct jv string, struct str tail)
{
	struct str s = jv_plain(string);

	return s.n > tail.n && str_ends(s, tail);
}

static const struct custom {
	const char *type;
	unsigned customs;
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

static unsigned customs_by_type(struct jv block, struct jv type)
{
	for (size_t i = 0; i < sizeof(typed) / sizeof(*typed); i++)
		if (jv_is(type, str_of(typed[i].type)) &&
			!jv_null(jv_member(block, typed[i].needs)))
			return typed[i].customs;
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (ends_with(type, str_of(families[i].type)) &&
			!jv_empty(jv_member(block, families[i].needs)))
			return families[i].customs;
	return is_item_call(block, type) ? BLOCK_RESPONSES | BLOCK_ITEM : 0;
}

/* ---- blocks without a type ---- */

/* All that a part of Gemini may have: first what holds an object. */
static const char *const gemini_names[] = {"function_call", "function_response",
	"inline_data", "file_data", "executable_code", "code_execution_result", "text",
	"thought_signature", "thought", "part_metadata", "video_metadata",
	"media_resolution"};
enum { GEMINI_OBJECTS = 6, GEMINI_TEXT = 6, GEMINI_SIGNATURE, GEMINI_NAMES = 12 };

static bool is_gemini_name(struct jv key)
{
	for (int i = 0; i < GEMINI_NAMES; i++)
		if (jv_key_is(key, str_of(gemini_names[i])))
			return true;
	return false;
}

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
	JV_PAIRS(key, value, part)
		if (!is_gemini_name(key) && !jv_null(value))
			return false;
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

/* {"text": …} and nothing else is a text to both whose blocks have no type. */
static bool is_mere_text(struct jv block)
{
	return jv_member(block, "text").kind == J_STRING && jv_count(block, 2) == 1;
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

unsigned block_customs(struct jv block)
{
	struct jv type = jv_member(block, "type");

	if (block.kind != J_OBJECT)
		return 0;
	if (type.kind == J_STRING)
		return customs_by_type(block, type);
	if (jv_member(block, "role").kind == J_STRING) /* a message, and no block */
		return 0;
	if (is_mere_text(block))
		return BLOCK_GEMINI | BLOCK_BEDROCK;
	if (is_mere_call(block))
		return BLOCK_OPENAI;
	if (is_gemini(block))
		return BLOCK_GEMINI;
	return is_bedrock(block) ? BLOCK_BEDROCK : 0;
}

/* ---- calls beside a content ---- */

/* Its name stands in the function, or in what a custom tool has. */
bool block_is_call(struct jv entry)
{
	struct jv name;

	JV_MEMBERS(v, entry, function, custom);
	name = jv_member(v.function.kind == J_OBJECT ? v.function : v.custom, "name");
	return name.kind == J_STRING && !jv_empty(name);
}
