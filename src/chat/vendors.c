/*
 * Calls and results that the document does not know (see reader.h): of the AI SDK (model
 * messages, and the parts of its UI, which are call and result in one), Gemini, OpenAI's
 * Responses and custom tools, Anthropic's server tools, and of logs that name a function
 * their own way.  They are foreign: shown, paired, and not written by parts_write.
 */
#include "config.h"
#include "chat/reader.h"

#include "chat/image.h"

/* By its type a result, though by no sign of the document; and where that has what. */
bool vendor_looks_like_result(const struct item_node *n)
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

	return is_text(n->v[STATE]) && is_id(n->v[TOOL_CALL_ID]) &&
	       !vendor_looks_like_result(n) &&
	       (node_is_type(n, STR("dynamic-tool")) || str_starts(type, STR("\"tool-")));
}

/* What the call of a tool that the vendor runs was given. */
static struct jv hosted_arguments(struct jv item)
{
	JV_MEMBERS(v, item, arguments, input, action, operation, code, queries);
	for (size_t i = 0; i < 6; i++)
		if (is_filled(v.all[i]))
			return v.all[i];
	return JV_NONE;
}

/* Types of the calls of tools that vendors run or define. */
static const struct vendor_call {
	const char *type;
	bool served; /* the vendor runs it */
} vendor_calls[] = {
	{"web_search_call", true},
	{"file_search_call", true},
	{"code_interpreter_call", true},
	{"image_generation_call", true},
	{"mcp_call", true},
	{"tool_search_call", true},
	{"x_search_call", true},
	{"server_tool_use", true},
	{"mcp_tool_use", true},
	{"computer_call", false},
	{"local_shell_call", false},
	{"shell_call", false},
	{"apply_patch_call", false},
	{"function_call", false},
	{"custom_tool_call", false},
	{"program", false},
};

bool part_is_vendor_call(struct jv type, bool *served)
{
	for (size_t i = 0; i < sizeof(vendor_calls) / sizeof(*vendor_calls); i++)
		if (jv_is(type, str_of(vendor_calls[i].type))) {
			*served = vendor_calls[i].served;
			return true;
		}
	return false;
}

/* Of a call whose type is not known the id and the arguments tell. */
static bool is_hosted_call(const struct item_node *n)
{
	bool served;

	return part_is_vendor_call(n->v[TYPE], &served) ||
	       (node_type_ends(n, STR("_call")) && is_id(n->v[CALL_ID]) &&
		       hosted_arguments(n->object).kind != J_NONE);
}

bool vendor_looks_like_call(const struct item_node *n)
{
	return node_is_type(n, STR("tool-call")) || is_ui_part(n);
}

/* ---- calls ---- */

bool vendor_read_named(struct item_reader *r, const struct item_node *item)
{
	struct part call = {.raw = item->object, .foreign = true};

	call.name = node_first(
		item, is_text, NAME, TOOL_NAME, FUNCTION_NAME, FUNCTION, FIELD_COUNT);
	if (call.name.kind == J_NONE)
		return false;
	call.id = node_first(item, is_id, TOOL_CALL_ID, CALL_ID, ID, FIELD_COUNT);
	call_arguments(&call, item);
	call_add(r, call);
	vendor_read_outcome(r, item, call.id, call.name);
	return true;
}

/* A call inside an item, which may have the id. */
static bool read_inner(
	struct item_reader *r, const struct item_node *item, struct jv object)
{
	struct item_node inner;

	if (!is_object(object))
		return false;
	node_read(&inner, object);
	if (!is_id(inner.v[ID]))
		inner.v[ID] = item->v[ID];
	inner.object = item->object;
	return vendor_read_named(r, &inner);
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
	return vendor_read_named(r, &part);
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
	call.name = node_first(item, is_text, NAME, TYPE, FIELD_COUNT);
	call.body = hosted_arguments(item->object);
	call_add(r, call);
	vendor_read_outcome(r, item, call.link, call.name);
	return true;
}

/* Gemini's code, which is a call without a name. */
static bool read_code(struct item_reader *r, const struct item_node *item)
{
	struct part call = {.raw = item->object, .foreign = true, .foreign_body = true};

	if (!is_object(item->v[EXECUTABLE_CODE]))
		return false;
	call.id = call.link = jv_member(item->v[EXECUTABLE_CODE], "id");
	call.name = JV_WORD("executable_code");
	call.body = item->v[EXECUTABLE_CODE];
	call_add(r, call);
	return true;
}

bool vendor_read_call(struct item_reader *r, const struct item_node *item)
{
	if ((node_is_type(item, STR("tool-call")) ||
		    node_is_type(item, STR("tool_call_chunk"))) &&
		vendor_read_named(r, item))
		return true;
	return read_inner(r, item, item->v[FUNCTION_CALL]) ||
	       read_inner(r, item, item->v[TOOL_INVOCATION]) ||
	       (node_is_type(item, STR("custom")) &&
		       read_inner(r, item, item->v[CUSTOM])) ||
	       read_ui_part(r, item) || read_hosted(r, item) || read_code(r, item);
}

/* ---- results ---- */

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

	if (!is_object(response))
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
	result.name = node_first(&data, is_text, NAME, FIELD_COUNT);
	result.error = is_filled(jv_member(data.v[RESPONSE], "error"));
	reader_add(r, result);
	read_images(r, data.v[PARTS]);
	return true;
}

static bool read_code_result(struct item_reader *r, const struct item_node *item)
{
	struct part result = {.kind = PART_RESULT, .raw = item->object, .foreign = true};
	struct jv outcome = jv_member(item->v[CODE_RESULT], "outcome");

	if (!is_object(item->v[CODE_RESULT]))
		return false;
	result.name = JV_WORD("executable_code");
	result.id = result.link = jv_member(item->v[CODE_RESULT], "id");
	result.body = jv_member(item->v[CODE_RESULT], "output");
	if (jv_null(result.body))
		result.body = outcome;
	result.foreign_body = true;
	result.error = is_text(outcome) && !jv_is(outcome, STR("OUTCOME_OK"));
	reader_add(r, result);
	return true;
}

bool vendor_read_result(struct item_reader *r, const struct item_node *item)
{
	struct part result = {.kind = PART_RESULT, .raw = item->object, .foreign = true};

	if (read_response(r, item->object, JV_NONE) || read_code_result(r, item))
		return true;
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
	result.name = node_first(item, is_text, NAME, TOOL_NAME, FIELD_COUNT);
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
		for (size_t i = 0; i < 3; i++)
			if (is_filled(v.all[i]))
				return v.all[i];
	}
	body = node_first(item, is_filled, ERROR_TEXT, ERROR, FIELD_COUNT);
	if (body.kind != J_NONE || !jv_is(item->v[STATE], STR("output-denied")))
		return body;
	body = jv_member(jv_member(item->object, "approval"), "reason");
	return body.kind == J_NONE ? item->v[STATE] : body;
}

/* With a tool_call_id the document takes the item for a result, if one without content.
 */
void vendor_read_outcome(struct item_reader *r, const struct item_node *item,
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

/* ---- blocks that others do not have ---- */

bool vendor_read_block(struct item_reader *r, struct jv block)
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
	return text.kind == J_STRING || is_object(v.citations_content) ||
	       is_object(v.cache_point) || jv_is(v.type, STR("input_json_delta"));
}

/* ---- beside the content ---- */

static void read_calls(struct item_reader *r, struct jv calls)
{
	struct item_node n;

	JV_ITEMS(entry, calls) {
		node_read(&n, entry);
		if (!vendor_read_named(r, &n))
			reader_add_json(r, entry);
	}
}

void vendor_read_beside(struct item_reader *r, const struct item_node *message)
{
	bool before = r->foreign;
	struct part audio;

	r->foreign = true;
	read_images(r, message->v[IMAGES]);
	read_images(r, message->v[ATTACHMENTS]);
	if (is_object(message->v[AUDIO])) {
		reader_add_text(r, jv_member(message->v[AUDIO], "transcript"));
		if (media_read(&audio, message->object, r->arena) &&
			audio.kind == PART_FILE)
			reader_add(r, audio);
	}
	read_calls(r, message->v[TOOL_INVOCATIONS]);
	read_calls(r, message->v[INVALID_CALLS]);
	if (is_object(message->v[ADDITIONAL_KWARGS])) {
		struct item_node kwargs;

		node_read(&kwargs, message->v[ADDITIONAL_KWARGS]);
		refusal_read(r, &kwargs);
		if (jv_empty(message->v[TOOL_CALLS]))
			calls_read(r, &kwargs);
	}
	r->foreign = before;
}
