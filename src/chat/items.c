/*
 * What a message and its items are (see parts.h): the walk through them, in the order of
 * "Content parts" in doc/formats.md.  By the document: tool uses (patterns 1 to 6, their
 * arguments and ids), results and where their content may stand; and reasoning and
 * refusals, which the document's texts leave out: items of a type, members beside the
 * content, thoughts whose text the vendor withholds.
 *
 * Beyond the document: calls and results of the AI SDK (model messages, and the parts of
 * its UI, which are call and result in one), Gemini, OpenAI's Responses and custom tools,
 * Anthropic's server tools, and of logs that name a function their own way.  They are
 * foreign: shown, paired, and not written by parts_write.
 */
#include "config.h"
#include "chat/parts.h"

#include <stdarg.h>

#include "base/map.h"
#include "base/work.h"
#include "chat/side.h"
#include "json/check.h"

/* ---- objects as nodes, and questions to them ----
 *
 * An object is walked once for every field that counts.  Objects are looked into to a
 * fixed depth: a message, the message or delta inside it, their items, and what an item
 * wraps.  Nothing here follows nesting further.
 */

/* The members that count, and how they are called (see jv_key_is). */
#define ITEM_FIELDS(X)                                                                   \
	X(TYPE, "type")                                                                  \
	X(ROLE, "role")                                                                  \
	X(TEXT, "text")                                                                  \
	X(CONTENT, "content")                                                            \
	X(MESSAGE, "message")                                                            \
	X(PARTS, "parts")                                                                \
	X(DELTA, "delta")                                                                \
	X(RESPONSE, "response")                                                          \
	X(TOOLS, "tools")                                                                \
	X(NAME, "name")                                                                  \
	X(DESCRIPTION, "description")                                                    \
	/* calls */                                                                      \
	/* before its other spelling, by the document */                                 \
	X(TOOL_USE_CAMEL, "toolUse")                                                     \
	X(TOOL_USE, "tool_use")                                                          \
	X(FUNCTION, "function")                                                          \
	X(TOOL_CALLS, "tool_calls")                                                      \
	X(FUNCTION_CALL, "function_call")                                                \
	X(INPUT, "input")                                                                \
	X(ARGUMENTS, "arguments")                                                        \
	X(PARAMETERS, "parameters")                                                      \
	X(ARGS, "args")                                                                  \
	X(TOOL_NAME, "tool_name")                                                        \
	X(FUNCTION_NAME, "function_name")                                                \
	X(CUSTOM, "custom")                                                              \
	X(EXECUTABLE_CODE, "executable_code")                                            \
	X(TOOL_INVOCATION, "tool_invocation")                                            \
	X(TOOL_INVOCATIONS, "tool_invocations")                                          \
	X(ADDITIONAL_KWARGS, "additional_kwargs")                                        \
	X(INVALID_CALLS, "invalid_tool_calls")                                           \
	X(STATE, "state")                                                                \
	/* results */                                                                    \
	X(TOOL_RESULT_CAMEL, "toolResult")                                               \
	X(TOOL_RESULT, "tool_result")                                                    \
	X(FUNCTION_RESPONSE, "function_response")                                        \
	X(CODE_RESULT, "code_execution_result")                                          \
	X(OUTPUT, "output")                                                              \
	X(RESULT, "result")                                                              \
	X(ERROR, "error")                                                                \
	X(ERROR_TEXT, "error_text")                                                      \
	X(IS_ERROR, "is_error")                                                          \
	X(STATUS, "status")                                                              \
	/* ids */                                                                        \
	X(ID, "id")                                                                      \
	X(TOOL_USE_ID_CAMEL, "toolUseId")                                                \
	X(TOOL_USE_ID, "tool_use_id")                                                    \
	X(CALL_ID, "call_id")                                                            \
	X(TOOL_CALL_ID, "tool_call_id")                                                  \
	/* definitions */                                                                \
	X(TOOL, "tool")                                                                  \
	X(DEFINITION, "definition")                                                      \
	/* thoughts and refusals */                                                      \
	X(REASONING_CONTENT, "reasoning_content")                                        \
	X(REASONING_TEXT, "reasoning_text")                                              \
	X(REASONING_DETAILS, "reasoning_details")                                        \
	X(REASONING, "reasoning")                                                        \
	X(REDACTED, "redacted_content")                                                  \
	X(THINKING, "thinking")                                                          \
	X(THINKING_BLOCKS, "thinking_blocks")                                            \
	X(THOUGHT, "thought")                                                            \
	X(THOUGHTS, "thoughts")                                                          \
	X(TOOL_PLAN, "tool_plan")                                                        \
	X(SUMMARY, "summary")                                                            \
	X(REFUSAL, "refusal")                                                            \
	/* beside the content of a message */                                            \
	X(IMAGES, "images")                                                              \
	X(ATTACHMENTS, "experimental_attachments")                                       \
	X(AUDIO, "audio")

enum item_field {
#define X(id, name) id,
	ITEM_FIELDS(X)
#undef X
		FIELD_COUNT
};

static const char *const item_names[] = {
#define X(id, name) name,
	ITEM_FIELDS(X)
#undef X
};

_Static_assert(FIELD_COUNT <= 64, "jv_members takes no more");

struct item_node {
	struct jv object;
	struct jv v[FIELD_COUNT];
};

struct item_reader {
	struct parts *parts;
	struct arena *arena;
	struct idmap calls; /* hash of name and id → index, to leave out the second */
	struct idmap outcomes; /* links of the results that calls bear */
	bool foreign;          /* where we read is beyond the document */
	bool thinking;         /* what would be a text here is a thought */
};

bool parts_read_member(struct jv key)
{
	return JV_KEY_AMONG(key, item_names);
}

static void node_read(
	struct item_node *n, struct jv object) /* of no object all is J_NONE */
{
	n->object = object;
	jv_members(object, item_names, n->v, FIELD_COUNT);
}

/* The first of some fields, closed by FIELD_COUNT, that a test passes; or J_NONE. */
static struct jv node_first(const struct item_node *n, bool (*test)(struct jv), ...)
{
	struct jv found = JV_NONE;
	va_list fields;
	int field;

	va_start(fields, test);
	while (found.kind == J_NONE && (field = va_arg(fields, int)) != FIELD_COUNT)
		if (test(n->v[field]))
			found = n->v[field];
	va_end(fields);
	return found;
}

static bool node_is_type(const struct item_node *n, struct str type)
{
	return jv_is(n->v[TYPE], type);
}

static void reader_add(struct item_reader *r, struct part part)
{
	part.foreign = part.foreign || r->foreign;
	parts_add(r->parts, &part);
}

static void reader_add_body(
	struct item_reader *r, enum part_kind kind, struct jv raw, struct jv body)
{
	reader_add(r, (struct part){.kind = kind, .raw = raw, .body = body});
}

static void reader_add_json(struct item_reader *r, struct jv value)
{
	reader_add_body(r, PART_JSON, value, JV_NONE);
}

/* Whether its type ends so, and is longer than that. */
static bool node_type_ends(const struct item_node *n, struct str tail)
{
	struct str type = jv_plain(n->v[TYPE]);

	return type.n > tail.n && str_ends(type, tail);
}

/* Tests: the document skips what is null, empty or of the wrong type. */
static bool is_id(struct jv v)
{
	return (v.kind == J_STRING || v.kind == J_NUMBER) && !jv_empty(v);
}

static bool is_there(struct jv v)
{
	return !jv_null(v);
}

/* Adds it, if it jv_is_text. */
static void reader_add_text(struct item_reader *r, struct jv string)
{
	struct part picture;

	if (!jv_is_text(string))
		return;
	/* a text that is nothing but the data of an image is shown as that */
	if (str_starts(jv_raw(string), STR("\"data:image/")) &&
		!memchr(string.p, ' ', string.n) &&
		part_image(&picture, string, r->arena) && picture.bytes) {
		picture.also_text = true;
		reader_add(r, picture);
		return;
	}
	reader_add_body(r, r->thinking ? PART_REASONING : PART_TEXT, string, string);
}

/* ---- what says call, or result ---- */

/* By its type a result, though by no sign of the document; and where that has what. */
static bool vendor_looks_like_result(const struct item_node *n)
{
	static const char *const types[] = {
		"tool-result", "tool-error", "program_output", "tool_search_output"};

	return (node_type_ends(n, STR("_call_output")) && is_there(n->v[OUTPUT])) ||
	       (node_type_ends(n, STR("_call_result")) && is_id(n->v[CALL_ID])) ||
	       (node_type_ends(n, STR("_tool_result")) && is_there(n->v[CONTENT])) ||
	       JV_AMONG(n->v[TYPE], types);
}

/* A part of the AI SDK's UI: a call that bears its result, once there is one. */
static bool is_ui_part(const struct item_node *n)
{
	struct str type = {n->v[TYPE].p, n->v[TYPE].n};

	return jv_is_text(n->v[STATE]) && is_id(n->v[TOOL_CALL_ID]) &&
	       !vendor_looks_like_result(n) &&
	       (node_is_type(n, STR("dynamic-tool")) || str_starts(type, STR("\"tool-")));
}

/* What the call of a tool that the vendor runs was given. */
static struct jv hosted_arguments(struct jv item)
{
	JV_MEMBERS(v, item, arguments, input, action, operation, code, queries);
	return JV_PICK(v.all, jv_is_filled);
}

/* Types of the calls of tools that vendors run, and of those that they define. */
bool part_is_vendor_call(struct jv type, bool *served)
{
	static const char *const run[] = {"web_search_call", "file_search_call",
		"code_interpreter_call", "image_generation_call", "mcp_call",
		"tool_search_call", "x_search_call", "server_tool_use", "mcp_tool_use"};
	static const char *const defined[] = {"computer_call", "local_shell_call",
		"shell_call", "apply_patch_call", "function_call", "custom_tool_call",
		"program"};

	*served = JV_AMONG(type, run);
	return *served || JV_AMONG(type, defined);
}

/* Of a call whose type is not known the id and the arguments tell. */
static bool is_hosted_call(const struct item_node *n)
{
	bool served;

	return part_is_vendor_call(n->v[TYPE], &served) ||
	       (node_type_ends(n, STR("_call")) && is_id(n->v[CALL_ID]) &&
		       hosted_arguments(n->object).kind != J_NONE);
}

static bool looks_like_call(const struct item_node *n)
{
	if (jv_has_members(n->v[TOOL_USE_CAMEL]) || jv_has_members(n->v[TOOL_USE]) ||
		jv_has_members(n->v[FUNCTION]))
		return true;
	if (node_is_type(n, STR("tool_use")) || node_is_type(n, STR("function")) ||
		node_is_type(n, STR("tool_call")))
		return true;
	return jv_is_text(n->v[NAME]) &&
	       node_first(n, is_there, INPUT, ARGUMENTS, PARAMETERS, FIELD_COUNT).kind !=
		       J_NONE;
}

/* OpenTelemetry's parts are read like the document's: their convention is as open. */
static bool is_otel(const struct item_node *n)
{
	return node_is_type(n, STR("tool_call_response"));
}

/* Whether its form says result; a tool_call_id alone is a weaker sign, which calls bear
 * too. */
static bool result_looks(const struct item_node *n)
{
	return jv_has_members(n->v[TOOL_RESULT_CAMEL]) ||
	       jv_has_members(n->v[TOOL_RESULT]) || node_is_type(n, STR("tool_result")) ||
	       is_otel(n) || jv_is(n->v[ROLE], STR("tool"));
}

/* OpenAI's results before they had ids, which to the document are texts. */
static bool result_of_function(const struct item_node *n)
{
	return jv_is(n->v[ROLE], STR("function")) && jv_is_text(n->v[NAME]) &&
	       (n->v[CONTENT].kind == J_STRING ||
		       (n->v[CONTENT].kind == J_NONE && is_there(n->v[RESULT]))) &&
	       !is_id(n->v[TOOL_CALL_ID]);
}

/* Whether content is a list of results, which then speak for themselves. */
static bool results_in(struct jv content)
{
	struct item_node n;

	if (content.kind != J_ARRAY)
		return false;
	JV_EACH(item, content) {
		node_read(&n, item);
		if (result_looks(&n) || is_id(n.v[TOOL_CALL_ID]) ||
			vendor_looks_like_result(&n))
			return true;
	}
	return false;
}

/* ---- results ---- */

static struct jv result_id(const struct item_node *n)
{
	return node_first(
		n, is_id, TOOL_CALL_ID, TOOL_USE_ID_CAMEL, TOOL_USE_ID, ID, FIELD_COUNT);
}

/* The content, or what vendors have in its place; `data` is the item or what it wraps. */
static void result_body(struct part *result, const struct item_node *data)
{
	struct jv other;

	result->body = node_first(data, is_there, CONTENT, FIELD_COUNT);
	if (result->body.kind != J_NONE &&
		(result->body.kind != J_STRING || jv_is_filled(result->body)))
		return;
	other = node_first(data, is_there, OUTPUT, RESULT, RESPONSE, FIELD_COUNT);
	if (other.kind == J_NONE)
		other = node_first(data, jv_is_filled, ERROR_TEXT, ERROR, FIELD_COUNT);
	if (other.kind == J_NONE || other.kind == J_TRUE)
		return;
	result->foreign_body = result->body.kind != J_NONE || !is_otel(data);
	result->body = other;
	if (other.kind != J_OBJECT || !node_is_type(data, STR("tool-result")))
		return;
	/* the AI SDK wraps what a tool gave: {"type":"json","value":…} */
	JV_MEMBERS(v, other, type, value, reason);
	if (jv_is(v.type, STR("execution-denied")) && v.value.kind == J_NONE)
		v.value = v.reason;
	if (v.type.kind == J_STRING && v.value.kind != J_NONE)
		result->body = v.value;
}

static bool is_failure(struct jv status)
{
	static const char *const words[] = {
		"error", "failed", "output-error", "output-denied"};

	return JV_AMONG(status, words);
}

/* Also by what the AI SDK and Anthropic's servers put where the result would stand. */
static bool result_failed(const struct item_node *n)
{
	struct jv kind = jv_member(n->v[OUTPUT], "type");
	struct str plain = jv_plain(kind);

	if (n->v[IS_ERROR].kind == J_TRUE || is_failure(n->v[STATUS]) ||
		is_failure(n->v[STATE]) || jv_is_filled(n->v[ERROR]) ||
		jv_is_filled(n->v[ERROR_TEXT]))
		return true;
	if (str_starts(plain, STR("error-")) || str_equal(plain, STR("execution-denied")))
		return true;
	plain = jv_plain(jv_member(n->v[CONTENT], "type"));
	return plain.n > 6 && str_ends(plain, STR("_error"));
}

/* Adds it; false when not the item itself but an object in it had the content. */
static bool result_read(struct item_reader *r, const struct item_node *item)
{
	struct part result = {.kind = PART_RESULT, .raw = item->object};
	struct jv wrapped = node_first(
		item, jv_has_members, TOOL_RESULT_CAMEL, TOOL_RESULT, FIELD_COUNT);
	struct item_node data = *item;
	struct jv ids;

	if (wrapped.kind != J_NONE)
		node_read(&data, wrapped);
	result_body(&result, &data);
	result.id = result_id(&data);
	if (result.id.kind == J_NONE)
		result.id = result_id(item);
	result.link = result.id;
	if (result.id.kind == J_NONE) {
		/* SWE-agent lists the calls that it answers, of which there is but one */
		ids = jv_member(item->object, "tool_call_ids");
		if (jv_count(ids, 2) == 1 && is_id(jv_first(ids)))
			result.link = jv_first(ids);
	}
	result.also_text = result_of_function(item) && jv_is_filled(result.body);
	result.foreign = result_of_function(item) && !result.also_text;
	result.name =
		node_first(item, jv_is_text, NAME, TOOL_NAME, FUNCTION, FIELD_COUNT);
	result.error = result_failed(&data) || result_failed(item);
	reader_add(r, result);
	return wrapped.kind == J_NONE;
}

static void read_images(struct item_reader *r, struct jv images)
{
	struct part image;

	JV_ITEMS(entry, images)
		if (part_image(&image, entry, r->arena) ||
			media_read(&image, entry, r->arena))
			reader_add(r, image);
}

static bool read_response(struct item_reader *r, struct jv item, struct jv link)
{
	struct part result = {.kind = PART_RESULT, .raw = item, .foreign = true};
	static const char *const names[] = {"output", "result", "content", "error"};
	struct jv response = jv_member(item, "function_response");
	struct item_node data;

	if (!jv_has_members(response))
		return false;
	node_read(&data, response);
	result.body = node_first(&data, is_there, RESPONSE, FIELD_COUNT);
	/* an object with nothing but what came out, or went wrong, stands for that */
	if (jv_count(result.body, 2) == 1)
		JV_PAIRS(key, value, result.body)
			if (JV_AMONG(key, names) && !jv_empty(value))
				result.body = value;
	result.foreign_body = true;
	result.id = node_first(&data, is_id, ID, FIELD_COUNT);
	result.link = link.kind == J_NONE ? result.id : link;
	result.name = node_first(&data, jv_is_text, NAME, FIELD_COUNT);
	result.error = jv_is_filled(jv_member(data.v[RESPONSE], "error"));
	reader_add(r, result);
	read_images(r, data.v[PARTS]);
	return true;
}

static bool vendor_read_result(struct item_reader *r, const struct item_node *item)
{
	struct part result = {.kind = PART_RESULT, .raw = item->object, .foreign = true};
	struct jv code = item->v[CODE_RESULT], outcome;

	if (read_response(r, item->object, JV_NONE))
		return true;
	if (jv_has_members(code)) {
		outcome = jv_member(code, "outcome");
		result.name = JV_WORD("executable_code");
		result.id = result.link = jv_member(code, "id");
		result.body = jv_member(code, "output");
		if (jv_null(result.body))
			result.body = outcome;
		result.foreign_body = true;
		result.error = jv_is_text(outcome) && !jv_is(outcome, STR("OUTCOME_OK"));
		reader_add(r, result);
		return true;
	}
	if (!vendor_looks_like_result(item))
		return false;
	result_body(&result, item);
	if (result.body.kind == J_NONE)
		result.body = jv_member(item->object, "tools");
	if (jv_is(jv_member(result.body, "type"), STR("text"))) /* one, without a list */
		result.body = jv_member(result.body, "text");
	result.id = node_first(
		item, is_id, CALL_ID, TOOL_CALL_ID, TOOL_USE_ID, ID, FIELD_COUNT);
	result.link = result.id;
	result.name = node_first(item, jv_is_text, NAME, TOOL_NAME, FIELD_COUNT);
	result.error = result_failed(item);
	reader_add(r, result);
	return true;
}

/* What came out of a call, by the names that vendors have for it; or why nothing did. */
static struct jv outcome_of(const struct item_node *item)
{
	struct jv body = node_first(item, is_there, OUTPUT, RESULT, FIELD_COUNT);

	if (body.kind != J_NONE)
		return body;
	if (is_hosted_call(item)) {
		JV_MEMBERS(v, item->object, outputs, results, tools);
		body = JV_PICK(v.all, jv_is_filled);
	}
	if (body.kind != J_NONE)
		return body;
	body = node_first(item, jv_is_filled, ERROR_TEXT, ERROR, FIELD_COUNT);
	if (body.kind != J_NONE || !jv_is(item->v[STATE], STR("output-denied")))
		return body;
	body = jv_member(jv_member(item->object, "approval"), "reason");
	return body.kind == J_NONE ? item->v[STATE] : body;
}

/* What a call's item says of its result; `link` and `name` are the call's.  With a
 * tool_call_id the document takes the item for a result, if one without content. */
static void read_outcome(struct item_reader *r, const struct item_node *item,
	struct jv link, struct jv name)
{
	struct part result = {.kind = PART_RESULT,
		.raw = item->object,
		.body = outcome_of(item),
		.name = name,
		.id = link,
		.link = link,
		.foreign = !is_id(item->v[TOOL_CALL_ID]),
		.foreign_body = true,
		.error = result_failed(item)};
	struct part image;
	bool any = false;

	if (node_is_type(item, STR("image_generation_call")) &&
		part_image(&image, item->v[RESULT], r->arena)) {
		image.raw = item->object;
		image.foreign = true;
		reader_add(r, image);
		return;
	}
	/* a result that is a list of responses: each is one */
	JV_ITEMS(response, item->v[RESULT])
		any = read_response(r, response, link) || any;
	if (any || result.body.kind == J_NONE)
		return;
	if (link.kind != J_NONE) { /* a call that is repeated repeats its result */
		uint64_t hash = jv_hash(link);

		if (idmap_find(&r->outcomes, hash) != MAP_NONE)
			return;
		idmap_add(&r->outcomes, hash, 0);
	}
	reader_add(r, result);
}

/* ---- calls ---- */

/*
 * A second call with the name and id of a first repeats that call; the
 * first stays, and only arguments that it does not have are taken over.
 */
static void call_add(struct item_reader *r, struct part call)
{
	struct part *old;
	uint64_t hash;
	uint32_t at;

	call.kind = PART_CALL;
	if (call.link.kind == J_NONE)
		call.link = call.id;
	if (call.link.kind == J_NONE) {
		reader_add(r, call);
		return;
	}
	/* the call that has this one's name, and the id by which its result is found */
	hash = jv_hash_pair(call.name, call.link);
	at = idmap_find(&r->calls, hash);
	if (at == MAP_NONE) {
		idmap_add(&r->calls, hash, (uint32_t)r->parts->whole_count);
		reader_add(r, call);
		return;
	}
	old = &r->parts->whole[at];
	if (old->body.kind == J_NONE || (old->foreign_body && !call.foreign_body)) {
		old->body = call.body;
		old->foreign_body = call.foreign_body;
	}
	old->foreign = old->foreign && (call.foreign || r->foreign);
}

static void call_arguments(struct part *call, const struct item_node *data)
{
	call->body =
		node_first(data, jv_is_filled, INPUT, ARGUMENTS, PARAMETERS, FIELD_COUNT);
	if (call->body.kind != J_NONE)
		return;
	call->body = node_first(data, jv_is_filled, ARGS, FIELD_COUNT);
	call->foreign_body = call->body.kind != J_NONE;
}

/* Fills what the document calls a tool use; false when the item is none. */
static bool call_find(struct part *call, const struct item_node *item)
{
	static const unsigned char ids[] = {
		ID, TOOL_USE_ID_CAMEL, TOOL_USE_ID, CALL_ID, TOOL_CALL_ID};
	/* where the facts stand: the item, what it wraps, and the function in either */
	struct item_node nodes[3];
	struct jv wrapped, function;
	size_t count = 1;

	if (!looks_like_call(item))
		return false;
	nodes[0] = *item;
	wrapped = node_first(item, jv_has_members, TOOL_USE_CAMEL, TOOL_USE, FIELD_COUNT);
	if (jv_has_members(wrapped))
		node_read(&nodes[count++], wrapped);
	function = jv_has_members(item->v[FUNCTION]) ? item->v[FUNCTION]
						     : nodes[count - 1].v[FUNCTION];
	if (jv_has_members(function))
		node_read(&nodes[count++], function);
	*call = (struct part){.kind = PART_CALL, .raw = item->object};
	call->name = nodes[count - 1].v[NAME];
	if (!jv_is_text(call->name))
		return false;
	for (size_t i = 0; i < sizeof(ids); i++)
		for (size_t k = 0; k < count && call->id.kind == J_NONE; k++)
			if (is_id(nodes[k].v[ids[i]]))
				call->id = nodes[k].v[ids[i]];
	call->link = node_first(item, is_id, CALL_ID, FIELD_COUNT);
	call_arguments(call, &nodes[count - 1]);
	return true;
}

static bool call_read(struct item_reader *r, const struct item_node *item)
{
	struct part call;

	if (!call_find(&call, item))
		return false;
	call_add(r, call);
	if (!result_looks(item))
		read_outcome(r, item, call.link.kind == J_NONE ? call.id : call.link,
			call.name);
	return true;
}

/* Where only calls stand, a name is enough to be one. */
static bool read_named(struct item_reader *r, const struct item_node *item)
{
	struct part call = {.raw = item->object, .foreign = true};

	call.name = node_first(
		item, jv_is_text, NAME, TOOL_NAME, FUNCTION_NAME, FUNCTION, FIELD_COUNT);
	if (call.name.kind == J_NONE)
		return false;
	call.id = node_first(item, is_id, TOOL_CALL_ID, CALL_ID, ID, FIELD_COUNT);
	call_arguments(&call, item);
	call_add(r, call);
	read_outcome(r, item, call.id, call.name);
	return true;
}

/* A call inside an item, which may have the id. */
static bool read_inner(
	struct item_reader *r, const struct item_node *item, struct jv object)
{
	struct item_node inner;

	if (!jv_has_members(object))
		return false;
	node_read(&inner, object);
	if (!is_id(inner.v[ID]))
		inner.v[ID] = item->v[ID];
	inner.object = item->object;
	return read_named(r, &inner);
}

static bool read_ui_part(struct item_reader *r, const struct item_node *item)
{
	static const size_t skip = sizeof("\"tool-") - 1;
	struct jv type = item->v[TYPE];
	struct item_node part = *item;
	struct buf name = BUF_INIT;
	struct str kept;

	if (!is_ui_part(item))
		return false;
	part.v[NAME] = part.v[FUNCTION_NAME] = part.v[FUNCTION] = JV_NONE;
	if (!node_is_type(item, STR("dynamic-tool"))) { /* the NAME of "tool-NAME" */
		part.v[TOOL_NAME] = JV_NONE;
		if (type.n > skip + !type.cut) {
			buf_byte(&name, '"');
			buf_add(&name, type.p + skip, type.n - skip);
			kept = arena_keep(r->arena, &name);
			part.v[TOOL_NAME] =
				(struct jv){kept.p, kept.n, J_STRING, type.cut, NULL};
		}
	}
	return read_named(r, &part);
}

static bool read_hosted(struct item_reader *r, const struct item_node *item)
{
	struct part call = {.raw = item->object, .foreign = true, .foreign_body = true};

	if (!is_hosted_call(item))
		return false;
	call.id = node_first(item, is_id, ID, CALL_ID, FIELD_COUNT);
	if (call.id.kind == J_NONE)
		return false;
	call.link = node_first(item, is_id, CALL_ID, ID, FIELD_COUNT);
	call.name = node_first(item, jv_is_text, NAME, TYPE, FIELD_COUNT);
	call.body = hosted_arguments(item->object);
	call_add(r, call);
	read_outcome(r, item, call.link, call.name);
	return true;
}

static bool vendor_read_call(struct item_reader *r, const struct item_node *item)
{
	struct part code = {.raw = item->object, .foreign = true, .foreign_body = true};

	if ((node_is_type(item, STR("tool-call")) ||
		    node_is_type(item, STR("tool_call_chunk"))) &&
		read_named(r, item))
		return true;
	if (read_inner(r, item, item->v[FUNCTION_CALL]) ||
		read_inner(r, item, item->v[TOOL_INVOCATION]) ||
		(node_is_type(item, STR("custom")) &&
			read_inner(r, item, item->v[CUSTOM])) ||
		read_ui_part(r, item) || read_hosted(r, item))
		return true;
	/* Gemini's code, which is a call without a name */
	if (!jv_has_members(item->v[EXECUTABLE_CODE]))
		return false;
	code.id = code.link = jv_member(item->v[EXECUTABLE_CODE], "id");
	code.name = JV_WORD("executable_code");
	code.body = item->v[EXECUTABLE_CODE];
	call_add(r, code);
	return true;
}

/* What stands among the `tool_calls` of a message, or is its `function_call`. */
static void read_entry(struct item_reader *r, struct jv entry)
{
	struct item_node n;

	node_read(&n, entry);
	if (!call_read(r, &n) && !read_named(r, &n) && !vendor_read_call(r, &n) &&
		!jv_null(entry))
		reader_add_json(r, entry);
}

/* `tool_calls` and `function_call` of a message. */
static void calls_read(struct item_reader *r, const struct item_node *message)
{
	struct jwalk w = jwalk_of(message->v[TOOL_CALLS]);
	struct jv entry;

	while (!w.object && jwalk_next(&w, NULL, &entry) && !stop_wanted(entry.n))
		read_entry(r, entry);
	if (jv_has_members(message->v[FUNCTION_CALL]))
		read_entry(r, message->v[FUNCTION_CALL]);
}

/* ---- thoughts and refusals ---- */

/* Items and messages whose type is thinking or reasoning; what they say is no text. */
static bool thought_looks(const struct item_node *n)
{
	static const char *const types[] = {"thinking", "reasoning", "redacted_thinking",
		"reasoning_text", "summary_text"};

	return JV_AMONG(n->v[TYPE], types);
}

static struct jv thought_text(struct jv item)
{
	if (item.kind == J_STRING)
		return item;
	JV_MEMBERS(v, item, text, thinking, summary, description);
	return JV_PICK(v.all, jv_is_text);
}

/* A string, or the texts of an array of objects that have one. */
static bool add_thoughts(struct item_reader *r, struct jv raw, struct jv value)
{
	bool any = false;

	if (jv_is_text(value)) {
		reader_add_body(r, PART_REASONING, raw, value);
		return true;
	}
	if (value.kind != J_ARRAY)
		return false;
	JV_EACH(item, value) {
		struct jv text = thought_text(item);

		if (!jv_is_text(text))
			continue;
		reader_add_body(r, PART_REASONING, raw, text);
		any = true;
	}
	return any;
}

/* Adds what it holds, be it withheld; the field that had it, or FIELD_COUNT. */
static enum item_field thought_read(struct item_reader *r, const struct item_node *n)
{
	static const unsigned char places[] = {THINKING, TEXT, REASONING};
	bool summary, content;

	for (size_t i = 0; i < sizeof(places); i++)
		if (add_thoughts(r, n->object, n->v[places[i]]))
			return (enum item_field)places[i];
	summary = add_thoughts(r, n->object, n->v[SUMMARY]);
	content = add_thoughts(r, n->object, n->v[CONTENT]);
	if (!summary && !content)
		reader_add_body(r, PART_REASONING, n->object, JV_NONE);
	return content ? CONTENT : summary ? SUMMARY : FIELD_COUNT;
}

/* Bedrock nests it twice. */
static bool read_nested(struct item_reader *r, const struct item_node *n)
{
	struct item_node inner, innermost;
	struct jv text;

	if (!jv_has_members(n->v[REASONING_CONTENT]))
		return false;
	node_read(&inner, n->v[REASONING_CONTENT]);
	node_read(&innermost, inner.v[REASONING_TEXT]);
	text = jv_is_text(innermost.v[TEXT]) ? innermost.v[TEXT]
					     : node_first(&inner, jv_is_text,
						       REASONING_TEXT, TEXT, FIELD_COUNT);
	if (text.kind == J_NONE && !jv_is_filled(inner.v[REDACTED]))
		return false;
	reader_add_body(r, PART_REASONING, n->object, text);
	return true;
}

/* Thoughts that stand beside the content of a message or item, whatever its type. */
static bool thought_read_beside(struct item_reader *r, const struct item_node *n)
{
	struct jv text = node_first(n, jv_is_text, REASONING_CONTENT, REASONING, THINKING,
		TOOL_PLAN, FIELD_COUNT);
	struct item_node kwargs;

	if (text.kind != J_NONE) {
		reader_add_body(r, PART_REASONING, n->object, text);
		return true;
	}
	if (read_nested(r, n) || add_thoughts(r, n->object, n->v[REASONING_DETAILS]) ||
		add_thoughts(r, n->object, n->v[THINKING_BLOCKS]) ||
		add_thoughts(r, n->object, n->v[THOUGHTS]) ||
		add_thoughts(r, n->object, jv_member(n->v[REASONING], "summary")))
		return true;
	/* what LangChain keeps beside the content of any vendor's message */
	if (!jv_has_members(n->v[ADDITIONAL_KWARGS]))
		return false;
	node_read(&kwargs, n->v[ADDITIONAL_KWARGS]);
	kwargs.v[ADDITIONAL_KWARGS] = JV_NONE;
	return thought_read_beside(r, &kwargs);
}

static bool refusal_read(struct item_reader *r, const struct item_node *n)
{
	if (!jv_is_text(n->v[REFUSAL]))
		return false;
	reader_add_body(r, PART_REFUSAL, n->object, n->v[REFUSAL]);
	return true;
}

/* ---- blocks that others do not have ---- */

/* Texts that Bedrock wraps once more, and what says nothing: its marks for caches, pieces
 * of arguments. */
static bool vendor_read_block(struct item_reader *r, struct jv block)
{
	struct jv text;

	JV_MEMBERS(v, block, cache_point, guard_content, citations_content, type);
	text = jv_member(jv_member(v.guard_content, "text"), "text");
	reader_add_text(r, text);
	/* what is cited stands beside the texts */
	JV_EACH(item, jv_member(v.citations_content, "content")) {
		text = jv_member(item, "text");
		if (text.kind == J_STRING)
			reader_add_text(r, text);
		else
			reader_add_json(r, item);
	}
	/* a cache point says nothing, nor does a piece of arguments that stand elsewhere
	 */
	return text.kind == J_STRING || jv_has_members(v.citations_content) ||
	       jv_has_members(v.cache_point) || jv_is(v.type, STR("input_json_delta"));
}

/* ---- beside the content ---- */

static void read_calls(struct item_reader *r, struct jv calls)
{
	struct item_node n;

	JV_ITEMS(entry, calls) {
		node_read(&n, entry);
		if (!read_named(r, &n))
			reader_add_json(r, entry);
	}
}

/* ---- items ---- */

struct parts parts_read_images(struct jv images, struct arena *arena)
{
	struct parts parts = {0};
	struct item_reader r = {.parts = &parts, .arena = arena};

	JV_EACH(value, images) {
		struct part part = {.kind = PART_JSON, .raw = value};

		if (!part_image(&part, value, arena))
			media_read(&part, value, arena);
		reader_add(&r, part);
	}
	return parts;
}

static bool read_media(struct item_reader *r, const struct item_node *n)
{
	struct part part;

	if (!media_read(&part, n->object, r->arena))
		return false;
	reader_add(r, part);
	return true;
}

/* The text of an item, and whether it has any, be it empty. */
static bool read_item_text(struct item_reader *r, const struct item_node *n)
{
	bool typed = node_is_type(n, STR("text")), before = r->foreign;
	struct jv value = jv_member(n->v[TEXT], "value");

	if (n->v[THOUGHT].kind == J_TRUE && jv_is_text(n->v[TEXT])) {
		/* a sign beside the text calls it a thought */
		reader_add(r, (struct part){.kind = PART_REASONING,
				      .raw = n->object,
				      .body = n->v[TEXT],
				      .also_text = true});
		return true;
	}
	if (typed &&
		jv_is_text(value)) { /* OpenAI's Assistants: {"text": {"value": "…"}} */
		r->foreign = true;
		reader_add_text(r, value);
		r->foreign = before;
		return true;
	}
	reader_add_text(r, n->v[TEXT]);
	if (typed)
		reader_add_text(r, n->v[CONTENT]);
	return n->v[TEXT].kind == J_STRING || (typed && n->v[CONTENT].kind == J_STRING);
}

static void read_item(struct item_reader *r, struct jv item)
{
	bool thought, known, tool;
	struct item_node n;

	if (item.kind == J_STRING) {
		reader_add_text(r, item);
		return;
	}
	if (item.kind != J_OBJECT) {
		if (!jv_null(item))
			reader_add_json(r, item);
		return;
	}
	node_read(&n, item);
	thought = thought_looks(&n);
	if (thought)
		thought_read(r, &n);
	known = !thought && read_item_text(r, &n);
	/* a call, a result, or both; no call is a result only for its tool_call_id */
	tool = call_read(r, &n) || vendor_read_call(r, &n);
	if (result_looks(&n) || (!tool && is_id(n.v[TOOL_CALL_ID]))) {
		result_read(r, &n);
		tool = true;
	}
	tool = tool || vendor_read_result(r, &n);
	known = tool || known || thought || thought_read_beside(r, &n) ||
		refusal_read(r, &n);
	if (!thought && !tool && !node_is_type(&n, STR("text")))
		known = read_media(r, &n) || known;
	if (!known && !vendor_read_block(r, item))
		reader_add_json(r, item);
}

static void read_items(struct item_reader *r, struct jv array)
{
	struct jv item;

	for (struct jwalk w = jwalk_of(array);
		jwalk_next(&w, NULL, &item) && !stop_wanted(item.n);)
		read_item(r, item);
}

/* What stands under `content`.  The document knows strings and arrays there. */
static void read_content(struct item_reader *r, struct jv content)
{
	bool before = r->foreign;

	if (content.kind == J_ARRAY) {
		read_items(r, content);
		return;
	}
	if (content.kind == J_OBJECT && jv_empty(content))
		return;
	r->foreign = before || content.kind != J_STRING;
	read_item(r, content);
	r->foreign = before;
}

/* ---- blocks in a string ---- */

/* The array that a text is, when it is JSON and holds nothing but blocks of known types.
 */
static bool open_blocks(struct item_reader *r, struct jv string, struct jv *array)
{
	static const char *const types[] = {"text", "input_text", "output_text",
		"thinking", "redacted_thinking", "reasoning", "tool_use", "tool_result",
		"tool_call", "tool-call", "tool-result", "function", "image", "image_url",
		"input_image", "file", "input_file", "document", "audio", "input_audio"};
	struct str text;

	if (string.kind != J_STRING)
		return false;
	/* spares other texts the decoding: it must begin as `[{`, or be `[]` */
	text = side_skip_blanks(
		(struct str){string.p + 1, string.n - (string.cut ? 1 : 2)});
	if (text.n < 2 || text.p[0] != '[')
		return false;
	text = side_skip_blanks(str_skip(text, 1));
	if (!text.n || (text.p[0] != '{' && text.p[0] != ']'))
		return false;
	text = jv_keep(string, r->arena);
	if (!json_is_whole(text, NULL))
		return false;
	*array = jv_whole(text);
	JV_EACH(item, *array)
		if (!JV_AMONG(jv_member(item, "type"), types))
			return false;
	return array->kind == J_ARRAY;
}

/*
 * The content of a message.  Some that log it write its blocks as JSON into a string:
 * they are read as the blocks they are, and a list of none is shown as that.
 */
static void read_words(struct item_reader *r, struct jv content)
{
	struct jv blocks;

	if (!open_blocks(r, content, &blocks))
		read_content(r, content);
	else if (jv_empty(blocks))
		reader_add_json(r, blocks);
	else
		read_items(r, blocks);
}

/* ---- messages ---- */

/* A message inside a message: the document knows its content; its other parts are shown.
 */
static void read_message_inside(struct item_reader *r, struct jv message, bool foreign)
{
	bool before = r->foreign;
	struct item_node n;

	node_read(&n, message);
	r->foreign = before || foreign;
	thought_read_beside(r, &n);
	read_words(r, n.v[CONTENT]);
	calls_read(r, &n);
	r->foreign = true;
	reader_add_text(r, n.v[TEXT]);
	refusal_read(r, &n);
	r->foreign = before;
}

/*
 * A result: its own content is shown as that and not again.  A tool's message may
 * also be a list of results, each with an id of its own, and is then none itself.
 */
static bool read_message_result(
	struct item_reader *r, const struct item_node *n, bool call)
{
	struct jv blocks;
	bool function =
		!call && result_of_function(n) && !open_blocks(r, n->v[CONTENT], &blocks);

	if (!result_looks(n) && !function && (call || !is_id(n->v[TOOL_CALL_ID])))
		return false;
	if (jv_is(n->v[ROLE], STR("tool")) && result_id(n).kind == J_NONE &&
		(results_in(n->v[CONTENT]) || results_in(n->v[PARTS])))
		return false;
	return result_read(r, n);
}

/* What stands beside the content of a message: parts elsewhere, and what vendors have
 * there, calls, images, attachments, audio. */
static void read_beside(struct item_reader *r, const struct item_node *n, bool result)
{
	struct jv message = n->v[MESSAGE];
	struct item_node kwargs;
	struct part audio;

	read_content(r, n->v[PARTS]);
	if (message.kind == J_OBJECT)
		read_message_inside(r, message, false);
	/* content where the document does not look for parts, shown when there is none
	 * before it */
	if (!result && jv_null(n->v[CONTENT]) && jv_null(n->v[TEXT])) {
		r->foreign = true;
		if (message.kind != J_OBJECT && !jv_null(message))
			read_content(r, message);
		else if (jv_null(message) && n->v[DELTA].kind == J_OBJECT)
			read_message_inside(r, n->v[DELTA], true);
		else if (jv_null(message))
			read_content(r, n->v[RESPONSE]);
		r->foreign = false;
	}
	refusal_read(r, n);
	r->foreign = true;
	read_images(r, n->v[IMAGES]);
	read_images(r, n->v[ATTACHMENTS]);
	if (jv_has_members(n->v[AUDIO])) {
		reader_add_text(r, jv_member(n->v[AUDIO], "transcript"));
		if (media_read(&audio, n->object, r->arena) && audio.kind == PART_FILE)
			reader_add(r, audio);
	}
	read_calls(r, n->v[TOOL_INVOCATIONS]);
	read_calls(r, n->v[INVALID_CALLS]);
	if (jv_has_members(n->v[ADDITIONAL_KWARGS])) {
		node_read(&kwargs, n->v[ADDITIONAL_KWARGS]);
		refusal_read(r, &kwargs);
		if (jv_empty(n->v[TOOL_CALLS]))
			calls_read(r, &kwargs);
	}
	r->foreign = false;
}

/* A block that stands alone, as if it were an item; what is no message either is JSON. */
static void read_lone(struct item_reader *r, const struct item_node *n)
{
	if (vendor_read_call(r, n) || vendor_read_result(r, n) || read_media(r, n))
		return;
	if (jv_has_members(n->object) && !chat_is_message(n->object) &&
		node_first(n, is_there, TEXT, CONTENT, MESSAGE, PARTS, DELTA, RESPONSE,
			TOOLS, TOOL_CALLS, FIELD_COUNT)
				.kind == J_NONE)
		reader_add_json(r, n->object);
}

static void read_message(struct item_reader *r, const struct item_node *n)
{
	struct part call;
	bool calls = call_find(&call, n), bears_id, result;
	enum item_field said = FIELD_COUNT; /* what had the thoughts */

	/* before its parts: thoughts, and a text that is none of them; what is no string
	 * there is no text, but is shown */
	r->thinking = thought_looks(n);
	if (r->thinking) {
		said = thought_read(r, n);
	} else {
		thought_read_beside(r, n);
		r->foreign = n->v[TEXT].kind != J_STRING;
		if (jv_is_filled(n->v[TEXT]))
			read_content(r, n->v[TEXT]);
		r->foreign = false;
	}
	/* the tool_call_id of these is not the document's sign of a result */
	bears_id = calls || node_is_type(n, STR("tool-call")) || is_ui_part(n);
	result = read_message_result(r, n, bears_id);
	if (!result && said != CONTENT)
		read_words(r, n->v[CONTENT]);
	read_beside(r, n, result);
	calls_read(r, n);
	if (calls)
		call_read(r, n);
	if (r->parts->count == 0)
		read_lone(r, n);
	parts_add_tools(r->parts, n->v[TOOLS]);
}

static void reader_done(struct item_reader *r) /* its parts stay */
{
	idmap_done(&r->calls);
	idmap_done(&r->outcomes);
}

struct parts parts_read(struct jv value, struct arena *arena)
{
	struct parts parts = {0};
	AUTO(reader_done) struct item_reader r = {.parts = &parts, .arena = arena};
	struct item_node n;

	if (value.kind == J_STRING) {
		reader_add_text(&r, value);
	} else if (value.kind == J_OBJECT) {
		node_read(&n, value);
		read_message(&r, &n);
	}
	return parts;
}

struct parts parts_read_content(struct jv content, struct arena *arena)
{
	struct parts parts = {0};
	AUTO(reader_done) struct item_reader r = {.parts = &parts, .arena = arena};

	read_content(&r, content);
	return parts;
}
