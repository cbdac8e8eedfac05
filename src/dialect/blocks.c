/*
 * The customs of blocks (see blocks.h).  Blocks with a `type` stand in a table; those of
 * Gemini and Bedrock have none and are known by the key of what they hold.
 */
#include "config.h"
#include "dialect/blocks.h"

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

static bool has_failed(struct jv item)
{
	struct jv status = jv_member(item, "status");

	return jv_is(status, STR("failed")) || jv_is(status, STR("error")) ||
	       !jv_empty(jv_member(item, "error"));
}

/* ---- thoughts ---- */

bool block_write_thoughts(struct talk *t, struct jv thoughts)
{
	struct jv item;
	bool any = false;

	if (is_text(thoughts)) {
		talk_thinking(t, thoughts);
		return true;
	}
	if (thoughts.kind != J_ARRAY)
		return false;
	for (struct jwalk w = jwalk_of(thoughts); jwalk_next(&w, NULL, &item);) {
		struct jv text = item.kind == J_STRING
					 ? item
					 : FIRST_OF(item, "text", "thinking", "summary");

		if (!is_text(text))
			continue;
		talk_thinking(t, text);
		any = true;
	}
	return any;
}

/* Reasoning of the Responses API; what is encrypted alone is a thought withheld. */
static void write_reasoning(struct talk *t, struct jv item)
{
	enum { SUMMARY, CONTENT, WORDS, REASONING, N };
	static const char *const names[N] = {"summary", "content", "text", "reasoning"};
	struct jv v[N];
	bool any = false;

	jv_members(item, names, v, N);
	for (int i = 0; i < N; i++)
		any = block_write_thoughts(t, v[i]) || any;
	if (!any)
		talk_thinking(t, JV_WORD(""));
}

static void write_reasoning_text(struct talk *t, struct jv block)
{
	talk_thinking(t, jv_member(block, "text"));
}

/* ---- calls and results of the Responses API ---- */

static struct jv item_id(struct jv item)
{
	return FIRST_OF(item, "call_id", "id");
}

/* What came of a call, where its item tells that too. */
static void write_outcome(struct talk *t, struct jv item, struct jv id, struct jv name)
{
	struct jv out = FIRST_OF(item, "output", "outputs", "result", "results");
	struct jv error = jv_member(item, "error");

	if (jv_is(jv_member(item, "type"), STR("image_generation_call")) && is_text(out))
		talk_image_data(t, JV_NONE, out);
	else if (out.kind != J_NONE)
		talk_result(t, id, name, out, has_failed(item));
	else if (!jv_empty(error))
		talk_result(t, id, name, error, true);
}

static void write_item_call(struct talk *t, struct jv item)
{
	struct jv id = item_id(item), name = FIRST_OF(item, "name", "type");
	struct jv type = jv_member(item, "type");
	bool text = jv_is(type, STR("custom_tool_call")) || jv_is(type, STR("program"));

	(text ? talk_text_call : talk_call)(t, id, name,
		FIRST_OF(item, "arguments", "input", "action", "operation", "code",
			"queries"));
	write_outcome(t, item, id, name);
}

static void write_item_output(struct talk *t, struct jv item)
{
	enum { OUTPUT, CONTENT, RESULT, TOOLS, NAME, N };
	static const char *const names[N] = {
		"output", "content", "result", "tools", "name"};
	struct jv v[N], body = JV_NONE;

	jv_members(item, names, v, N);
	for (int i = OUTPUT; i <= TOOLS && body.kind == J_NONE; i++)
		if (!jv_null(v[i]))
			body = v[i];
	if (body.kind == J_OBJECT && jv_is(jv_member(body, "type"), STR("text")))
		body = jv_member(body, "text"); /* one block, without a list around it */
	talk_result(t, item_id(item), v[NAME], body, has_failed(item));
}

/* ---- others with a type ---- */

/* Results of the tools that Anthropic runs: an error is an object that says so. */
static void write_server_result(struct talk *t, struct jv block)
{
	enum { ID, CONTENT, FAILED, N };
	static const char *const names[N] = {"tool_use_id", "content", "is_error"};
	struct jv v[N];
	bool failed;

	jv_members(block, names, v, N);
	failed = v[FAILED].kind == J_TRUE ||
		 ends_with(jv_member(v[CONTENT], "type"), STR("_error"));
	talk_result(t, v[ID], JV_NONE, v[CONTENT], failed);
}

/* Some leave the arguments out where there are none. */
static void write_call_block(struct talk *t, struct jv block)
{
	static const char *const names[] = {"id", "name", "input"};
	struct jv v[3];

	jv_members(block, names, v, 3);
	if (v[2].kind != J_NONE && !jv_null(v[2]))
		talk_block(t, block);
	else
		talk_call(t, v[0], v[1], JV_NONE);
}

/* Of OpenAI's Assistants the text is an object. */
static void write_text(struct talk *t, struct jv block)
{
	struct jv text = jv_member(block, "text");

	if (text.kind == J_OBJECT)
		talk_text(t, jv_member(text, "value"));
	else
		talk_block(t, block);
}

static void write_entry(struct talk *t, struct jv block)
{
	block_write_call(t, block);
}

static const struct custom {
	const char *type;
	unsigned customs;
	const char *needs;                              /* a member that must be there */
	void (*write)(struct talk *t, struct jv block); /* NULL: as it stands */
} typed[] = {
	{"text", BLOCK_OPENAI | BLOCK_ANTHROPIC, "text", write_text},
	{"image_url", BLOCK_OPENAI, "image_url", NULL},
	{"input_audio", BLOCK_OPENAI | BLOCK_RESPONSES, "input_audio", NULL},
	{"audio", BLOCK_OPENAI, "audio", NULL},
	{"video_url", BLOCK_OPENAI, "video_url", NULL},
	{"file", BLOCK_OPENAI, "file", NULL},
	{"refusal", BLOCK_OPENAI | BLOCK_RESPONSES, "refusal", NULL},
	{"thinking", BLOCK_OPENAI | BLOCK_ANTHROPIC, "thinking", NULL},
	{"redacted_thinking", BLOCK_ANTHROPIC, "data", NULL},
	{"tool_use", BLOCK_ANTHROPIC, "name", write_call_block},
	{"server_tool_use", BLOCK_ANTHROPIC, "name", write_call_block},
	{"mcp_tool_use", BLOCK_ANTHROPIC, "name", write_call_block},
	{"tool_result", BLOCK_ANTHROPIC, "tool_use_id", NULL},
	{"image", BLOCK_ANTHROPIC, "source", NULL},
	{"document", BLOCK_ANTHROPIC, "source", NULL},
	{"search_result", BLOCK_ANTHROPIC, "content", NULL},
	{"container_upload", BLOCK_ANTHROPIC, "file_id", NULL},
	{"input_text", BLOCK_RESPONSES, "text", NULL},
	{"output_text", BLOCK_RESPONSES, "text", NULL},
	{"input_image", BLOCK_RESPONSES, "image_url", NULL},
	{"input_image", BLOCK_RESPONSES, "file_id", NULL},
	{"input_file", BLOCK_RESPONSES, "file_data", NULL},
	{"input_file", BLOCK_RESPONSES, "file_id", NULL},
	{"input_file", BLOCK_RESPONSES, "file_url", NULL},
	{"reasoning_text", BLOCK_RESPONSES, "text", write_reasoning_text},
	{"summary_text", BLOCK_RESPONSES, "text", write_reasoning_text},
	{"reasoning", BLOCK_RESPONSES | BLOCK_ITEM, "summary", write_reasoning},
	{"reasoning", BLOCK_RESPONSES | BLOCK_ITEM, "content", write_reasoning},
	{"reasoning", BLOCK_RESPONSES | BLOCK_ITEM, "encrypted_content", write_reasoning},
	{"mcp_list_tools", BLOCK_RESPONSES | BLOCK_ITEM, "tools", NULL},
	{"mcp_approval_request", BLOCK_RESPONSES | BLOCK_ITEM, "arguments", NULL},
	{"mcp_approval_response", BLOCK_RESPONSES | BLOCK_ITEM, "approval_request_id",
		NULL},
	{"item_reference", BLOCK_RESPONSES | BLOCK_ITEM, "id", NULL},
	{"compaction", BLOCK_RESPONSES | BLOCK_ITEM, "encrypted_content", NULL},
	{"program", BLOCK_RESPONSES | BLOCK_ITEM, "call_id", write_item_call},
	{"program_output", BLOCK_RESPONSES | BLOCK_ITEM | BLOCK_RESULT, "call_id",
		write_item_output},
	{"tool_search_output", BLOCK_RESPONSES | BLOCK_ITEM | BLOCK_RESULT, "tools",
		write_item_output},
	{"function", BLOCK_OPENAI, "function", write_entry},
	{"custom", BLOCK_OPENAI, "custom", write_entry},
};

/* Families of types. */
static const struct family {
	struct str tail;
	struct custom custom;
} families[] = {
	{{"_tool_result", 12},
		{NULL, BLOCK_ANTHROPIC, "tool_use_id", write_server_result}},
	{{"_call_output", 12}, {NULL, BLOCK_RESPONSES | BLOCK_ITEM | BLOCK_RESULT,
				       "call_id", write_item_output}},
	{{"_call_result", 12}, {NULL, BLOCK_RESPONSES | BLOCK_ITEM | BLOCK_RESULT,
				       "call_id", write_item_output}},
	{{"_call", 5}, {NULL, BLOCK_RESPONSES | BLOCK_ITEM, "call_id", write_item_call}},
};

/* Calls that the server answers itself, which have an id and no call_id. */
static const struct custom hosted = {
	NULL, BLOCK_RESPONSES | BLOCK_ITEM, "id", write_item_call};

static bool is_hosted(struct jv block, struct jv type)
{
	static const char *const types[] = {"web_search_call", "file_search_call",
		"code_interpreter_call", "computer_call", "image_generation_call",
		"mcp_call", "local_shell_call", "shell_call", "apply_patch_call",
		"tool_search_call", "x_search_call", "function_call", "custom_tool_call"};

	return JV_AMONG(type, types) && !jv_empty(jv_member(block, hosted.needs));
}

/* Of a call that is not known by its name the arguments are. */
static bool is_family(const struct family *f, struct jv block, struct jv type)
{
	if (!ends_with(type, f->tail) || jv_empty(jv_member(block, f->custom.needs)))
		return false;
	return f->custom.write != write_item_call ||
	       FIRST_OF(block, "arguments", "input", "action", "operation", "status")
			       .kind != J_NONE;
}

static const struct custom *find_typed(struct jv block, struct jv type)
{
	for (size_t i = 0; i < sizeof(typed) / sizeof(*typed); i++)
		if (jv_is(type, str_of(typed[i].type)) &&
			!jv_null(jv_member(block, typed[i].needs)))
			return &typed[i];
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (is_family(&families[i], block, type))
			return &families[i].custom;
	return is_hosted(block, type) ? &hosted : NULL;
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

static void write_gemini_call(struct talk *t, struct jv call)
{
	static const char *const names[] = {"id", "name", "args"};
	struct jv v[3];

	jv_members(call, names, v, 3);
	talk_call(t, v[0], v[1], jv_null(v[2]) ? JV_NONE : v[2]);
}

/* One member that only says that this is what came out, or went wrong. */
static struct jv unwrap_response(struct jv response, bool *failed)
{
	struct jwalk w;
	struct jv key, value;

	*failed = !jv_empty(jv_member(response, "error"));
	if (jv_count(response, 2) != 1)
		return response;
	jwalk_begin(&w, response);
	jwalk_next(&w, &key, &value);
	if (jv_is(key, STR("output")) || jv_is(key, STR("result")) ||
		jv_is(key, STR("content")) || *failed)
		return value;
	return response;
}

static void write_inline(struct talk *t, struct jv part)
{
	static const char *const names[] = {"mime_type", "data"};
	struct jv v[2];

	jv_members(jv_member(part, "inline_data"), names, v, 2);
	if (str_starts(jv_plain(v[0]), STR("image/")) && is_text(v[1]))
		talk_image_data(t, v[0], v[1]);
	else
		talk_block(t, part);
}

static void write_gemini_response(struct talk *t, struct jv response)
{
	struct jv part;
	enum { ID, NAME, RESPONSE, PARTS, N };
	static const char *const names[N] = {"id", "name", "response", "parts"};
	struct jv v[N], body;
	bool failed;

	jv_members(response, names, v, N);
	body = unwrap_response(v[RESPONSE], &failed);
	talk_result(t, v[ID], v[NAME], body, failed);
	if (v[PARTS].kind != J_ARRAY)
		return;
	for (struct jwalk w = jwalk_of(v[PARTS]); jwalk_next(&w, NULL, &part);)
		write_inline(t, part);
}

#define CODE JV_WORD("executable_code")

static void write_code_result(struct talk *t, struct jv result)
{
	enum { OUTCOME, OUTPUT, ID, N };
	static const char *const names[N] = {"outcome", "output", "id"};
	struct jv v[N];

	jv_members(result, names, v, N);
	talk_result(t, v[ID], CODE, jv_null(v[OUTPUT]) ? v[OUTCOME] : v[OUTPUT],
		is_text(v[OUTCOME]) && !jv_is(v[OUTCOME], STR("OUTCOME_OK")));
}

static void write_gemini(struct talk *t, struct jv part, const struct jv v[G_FIELDS])
{
	if (v[G_TEXT].kind == J_STRING && v[G_THOUGHT].kind == J_TRUE)
		talk_thinking(t, v[G_TEXT]);
	else if (is_text(v[G_TEXT]))
		talk_text(t, v[G_TEXT]);
	if (v[G_CALL].kind == J_OBJECT)
		write_gemini_call(t, v[G_CALL]);
	if (v[G_RESPONSE].kind == J_OBJECT)
		write_gemini_response(t, v[G_RESPONSE]);
	if (v[G_INLINE].kind == J_OBJECT)
		write_inline(t, part);
	if (v[G_FILE].kind == J_OBJECT)
		talk_block(t, part);
	if (v[G_CODE].kind == J_OBJECT)
		talk_call(t, jv_member(v[G_CODE], "id"), CODE, v[G_CODE]);
	if (v[G_CODE_RESULT].kind == J_OBJECT)
		write_code_result(t, v[G_CODE_RESULT]);
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

/* What is cited stands beside the texts. */
static void write_cited(struct talk *t, struct jv content)
{
	struct jv item, text;

	for (struct jwalk w = jwalk_of(content); jwalk_next(&w, NULL, &item);) {
		text = jv_member(item, "text");
		if (text.kind == J_STRING)
			talk_text(t, text);
		else
			talk_block(t, item);
	}
}

/* A cache point says nothing. */
static void write_bedrock(struct talk *t, struct jv block, const struct jv v[B_FIELDS])
{
	struct jv guarded = jv_member(v[B_GUARD], "text");

	if (v[B_CITED].kind == J_OBJECT)
		write_cited(t, jv_member(v[B_CITED], "content"));
	else if (guarded.kind == J_OBJECT)
		talk_text(t, jv_member(guarded, "text"));
	else if (v[B_CACHE].kind != J_OBJECT)
		talk_block(t, block);
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
	const struct custom *custom;

	if (block.kind != J_OBJECT)
		return 0;
	if (type.kind == J_STRING) {
		custom = find_typed(block, type);
		return custom ? custom->customs : 0;
	}
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

/* Text, tool_use and the like may need writing, but seldom do. */
static bool is_plain_typed(const struct custom *custom, struct jv block)
{
	if (!custom || !custom->write)
		return true;
	if (custom->write == write_text)
		return jv_member(block, "text").kind == J_STRING;
	return custom->write == write_call_block && !jv_null(jv_member(block, "input"));
}

bool block_is_plain(struct jv block)
{
	struct jv type = jv_member(block, "type"), g[G_FIELDS], b[B_FIELDS];

	if (block.kind != J_OBJECT)
		return true;
	if (type.kind == J_STRING)
		return is_plain_typed(find_typed(block, type), block);
	if (is_mere_text(block))
		return true;
	if (is_gemini(block, g) || is_mere_call(block))
		return false;
	read_bedrock(block, b);
	return b[B_CACHE].kind == J_NONE && b[B_GUARD].kind == J_NONE &&
	       b[B_CITED].kind == J_NONE;
}

static void write_untyped(struct talk *t, struct jv block)
{
	struct jv g[G_FIELDS], b[B_FIELDS];

	read_bedrock(block, b);
	if (is_mere_call(block))
		block_write_call(t, block);
	else if (is_gemini(block, g))
		write_gemini(t, block, g);
	else if (is_bedrock(b))
		write_bedrock(t, block, b);
	else
		talk_block(t, block);
}

void block_write(struct talk *t, struct jv block)
{
	struct jv type = jv_member(block, "type");
	const struct custom *custom;

	if (block.kind == J_STRING) {
		talk_text(t, block);
	} else if (block.kind != J_OBJECT) {
		if (!jv_null(block))
			talk_block(t, block);
	} else if (type.kind != J_STRING) {
		write_untyped(t, block);
	} else {
		custom = find_typed(block, type);
		if (custom && custom->write)
			custom->write(t, block);
		else
			talk_block(t, block);
	}
}

void blocks_write(struct talk *t, struct jv content)
{
	struct jv block;

	if (content.kind == J_STRING && jv_empty(content))
		return;
	if (content.kind != J_ARRAY) {
		block_write(t, content);
		return;
	}
	for (struct jwalk w = jwalk_of(content); jwalk_next(&w, NULL, &block);)
		block_write(t, block);
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

void block_write_call(struct talk *t, struct jv entry)
{
	struct jv inner = called(entry), arguments;
	struct jv name =
		FIRST_OF(inner, "name", "function", "tool_name", "function_name");

	if (!is_text(name)) {
		talk_block(t, entry);
		return;
	}
	arguments = FIRST_OF(inner, "arguments", "input", "parameters", "args");
	(jv_is(jv_member(entry, "type"), STR("custom")) ? talk_text_call : talk_call)(
		t, FIRST_OF(entry, "id", "tool_call_id", "call_id"), name, arguments);
}
