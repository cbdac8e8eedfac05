/*
 * The customs of blocks (see blocks.h).  Blocks with a `type` stand in a table; those of
 * Gemini and Bedrock have none and are known by the key of what they hold.
 */
#include "config.h"
#include "dialect/blocks.h"

#include "chat/parts.h"

static bool is_text(struct jv v)
{
	return v.kind == J_STRING && !jv_empty(v);
}

static bool ends_with(struct jv string, struct str tail)
{
	struct str s = jv_plain(string);

	return s.n > tail.n && str_ends(s, tail);
}

/* The first of some members that is neither null nor empty. */
static struct jv first_of(struct jv object, const char *const names[], size_t count)
{
	struct jv v[8];

	jv_members(object, names, v, count);
	for (size_t i = 0; i < count; i++)
		if (!jv_empty(v[i]))
			return v[i];
	return JV_NONE;
}

#define FIRST_OF(object, ...)                                                            \
	first_of(object, (const char *const[]){__VA_ARGS__},                             \
		sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

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
	bool served, known = part_is_vendor_call(type, &served);

	if (!ends_with(type, STR("_call")))
		return false;
	if (known && !jv_empty(jv_member(block, "id")))
		return true;
	/* of a call that is not known by its name the arguments are */
	return !jv_empty(jv_member(block, "call_id")) &&
	       FIRST_OF(block, "arguments", "input", "action", "operation", "status")
			       .kind != J_NONE;
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

/* ---- Gemini ---- */

enum gemini {
	G_TEXT,
	G_CALL,
	G_RESPONSE,
	G_INLINE,
	G_FILE,
	G_CODE,
	G_CODE_RESULT,
	G_THOUGHT,
	G_SIGNATURE,
	G_METADATA,
	G_VIDEO,
	G_RESOLUTION,
	G_FIELDS
};

static const char *const gemini_names[G_FIELDS] = {
	[G_TEXT] = "text",
	[G_CALL] = "function_call",
	[G_RESPONSE] = "function_response",
	[G_INLINE] = "inline_data",
	[G_FILE] = "file_data",
	[G_CODE] = "executable_code",
	[G_CODE_RESULT] = "code_execution_result",
	[G_THOUGHT] = "thought",
	[G_SIGNATURE] = "thought_signature",
	[G_METADATA] = "part_metadata",
	[G_VIDEO] = "video_metadata",
	[G_RESOLUTION] = "media_resolution",
};

static bool is_gemini_name(struct jv key)
{
	for (int i = 0; i < G_FIELDS; i++)
		if (jv_key_is(key, str_of(gemini_names[i])))
			return true;
	return false;
}

/* A text or a signature alone, with nothing beside it that a part does not have. */
static bool is_gemini_text(struct jv part, const struct jv v[G_FIELDS])
{
	struct jv key, value;

	if (v[G_TEXT].kind != J_STRING && v[G_SIGNATURE].kind != J_STRING)
		return false;
	for (struct jwalk w = jwalk_of(part); jwalk_next(&w, &key, &value);)
		if (!is_gemini_name(key) && !jv_null(value))
			return false;
	return true;
}

/* Nulls are absent members: some write all that a part could have. */
static bool is_gemini(struct jv part, struct jv v[G_FIELDS])
{
	jv_members(part, gemini_names, v, G_FIELDS);
	for (int i = G_CALL; i <= G_CODE_RESULT; i++)
		if (v[i].kind == J_OBJECT)
			return true;
	return is_gemini_text(part, v);
}

/* ---- Bedrock ---- */

enum bedrock {
	B_USE,
	B_RESULT,
	B_THOUGHT,
	B_CACHE,
	B_GUARD,
	B_CITED,
	B_IMAGE,
	B_DOCUMENT,
	B_VIDEO,
	B_AUDIO,
	B_FIELDS
};

static void read_bedrock(struct jv block, struct jv v[B_FIELDS])
{
	static const char *const names[B_FIELDS] = {
		[B_USE] = "tool_use",
		[B_RESULT] = "tool_result",
		[B_THOUGHT] = "reasoning_content",
		[B_CACHE] = "cache_point",
		[B_GUARD] = "guard_content",
		[B_CITED] = "citations_content",
		[B_IMAGE] = "image",
		[B_DOCUMENT] = "document",
		[B_VIDEO] = "video",
		[B_AUDIO] = "audio",
	};

	jv_members(block, names, v, B_FIELDS);
}

static bool is_bedrock(const struct jv v[B_FIELDS])
{
	if (v[B_USE].kind == J_OBJECT)
		return jv_member(v[B_USE], "name").kind == J_STRING;
	if (v[B_RESULT].kind == J_OBJECT)
		return jv_member(v[B_RESULT], "tool_use_id").kind == J_STRING;
	for (int i = B_THOUGHT; i <= B_CITED; i++)
		if (v[i].kind == J_OBJECT)
			return true;
	for (int i = B_IMAGE; i <= B_AUDIO; i++)
		if (jv_member(v[i], "source").kind == J_OBJECT)
			return true;
	return false;
}

/* ---- all ---- */

/* {"text": …} and nothing else is a text to both whose blocks have no type. */
static bool is_mere_text(struct jv block)
{
	return jv_member(block, "text").kind == J_STRING && jv_count(block, 2) == 1;
}

/* {"name": …, "arguments": …}, perhaps with an id, and nothing else: a call as small
 * models and fine-tuning data write it. */
static bool is_mere_call(struct jv block)
{
	enum { NAME, ARGUMENTS, ID, CALL_ID, N };
	static const char *const names[N] = {"name", "arguments", "id", "call_id"};
	struct jv v[N];
	size_t known = 0;

	jv_members(block, names, v, N);
	for (int i = 0; i < N; i++)
		known += v[i].kind != J_NONE;
	return v[NAME].kind == J_STRING &&
	       (v[ARGUMENTS].kind == J_OBJECT ||
		       str_starts(jv_plain(v[ARGUMENTS]), STR("{"))) &&
	       jv_count(block, N + 1) == known;
}

unsigned block_customs(struct jv block)
{
	struct jv type = jv_member(block, "type"), g[G_FIELDS], b[B_FIELDS];

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
	if (is_gemini(block, g))
		return BLOCK_GEMINI;
	read_bedrock(block, b);
	return is_bedrock(b) ? BLOCK_BEDROCK : 0;
}

/* ---- calls beside a content ---- */

/* Where name and arguments stand: in the function, in what a custom tool has, or here. */
static struct jv called(struct jv entry)
{
	static const char *const names[] = {"function", "custom"};
	struct jv v[2];

	jv_members(entry, names, v, 2);
	for (size_t i = 0; i < 2; i++)
		if (v[i].kind == J_OBJECT)
			return v[i];
	return entry;
}

bool block_is_call(struct jv entry)
{
	struct jv inner = called(entry);

	return inner.p != entry.p && is_text(jv_member(inner, "name"));
}
