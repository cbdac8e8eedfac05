/*
 * Tool results as the document has them, and where a result's content may stand (see
 * reader.h).
 */
#include "config.h"
#include "chat/reader.h"

/* OpenTelemetry's parts are read like the document's: their convention is as open. */
static bool is_otel(const struct item_node *n)
{
	return node_is_type(n, STR("tool_call_response"));
}

bool result_looks(const struct item_node *n)
{
	return is_object(n->v[TOOL_RESULT_CAMEL]) || is_object(n->v[TOOL_RESULT]) ||
	       node_is_type(n, STR("tool_result")) || is_otel(n) ||
	       jv_is(n->v[ROLE], STR("tool"));
}

bool result_of_function(const struct item_node *n)
{
	return jv_is(n->v[ROLE], STR("function")) && is_text(n->v[NAME]) &&
	       (n->v[CONTENT].kind == J_STRING ||
		       (n->v[CONTENT].kind == J_NONE && is_there(n->v[RESULT]))) &&
	       !is_id(n->v[TOOL_CALL_ID]);
}

struct jv result_id(const struct item_node *n)
{
	return node_first(
		n, is_id, TOOL_CALL_ID, TOOL_USE_ID_CAMEL, TOOL_USE_ID, ID, FIELD_COUNT);
}

/* The AI SDK wraps what a tool gave: {"type":"json","value":…}. */
static struct jv unwrap_output(const struct item_node *n, struct jv body)
{
	if (body.kind != J_OBJECT || !node_is_type(n, STR("tool-result")))
		return body;
	JV_MEMBERS(v, body, type, value, reason);
	if (jv_is(v.type, STR("execution-denied")) && v.value.kind == J_NONE)
		v.value = v.reason;
	return v.type.kind == J_STRING && v.value.kind != J_NONE ? v.value : body;
}

void result_body(struct part *result, const struct item_node *data)
{
	struct jv other;

	result->body = node_first(data, is_there, CONTENT, FIELD_COUNT);
	if (result->body.kind != J_NONE &&
		(result->body.kind != J_STRING || is_filled(result->body)))
		return;
	other = node_first(data, is_there, OUTPUT, RESULT, RESPONSE, FIELD_COUNT);
	if (other.kind == J_NONE)
		other = node_first(data, is_filled, ERROR_TEXT, ERROR, FIELD_COUNT);
	if (other.kind == J_NONE || other.kind == J_TRUE)
		return;
	result->foreign_body = result->body.kind != J_NONE || !is_otel(data);
	result->body = unwrap_output(data, other);
}

static bool is_failure(struct jv status)
{
	static const char *const words[] = {
		"error", "failed", "output-error", "output-denied"};

	return JV_AMONG(status, words);
}

/* Also by what the AI SDK and Anthropic's servers put where the result would stand. */
bool result_failed(const struct item_node *n)
{
	struct jv kind = jv_member(n->v[OUTPUT], "type");
	struct str plain = jv_plain(kind);

	if (n->v[IS_ERROR].kind == J_TRUE || is_failure(n->v[STATUS]) ||
		is_failure(n->v[STATE]) || is_filled(n->v[ERROR]) ||
		is_filled(n->v[ERROR_TEXT]))
		return true;
	if (str_starts(plain, STR("error-")) || str_equal(plain, STR("execution-denied")))
		return true;
	plain = jv_plain(jv_member(n->v[CONTENT], "type"));
	return plain.n > 6 && str_ends(plain, STR("_error"));
}

/* SWE-agent lists the calls that it answers, of which there is but one. */
static struct jv link_of(const struct item_node *item, struct jv id)
{
	struct jv ids;

	if (id.kind != J_NONE)
		return id;
	ids = jv_member(item->object, "tool_call_ids");
	return jv_count(ids, 2) == 1 && is_id(jv_first(ids)) ? jv_first(ids) : JV_NONE;
}

bool result_read(struct item_reader *r, const struct item_node *item)
{
	struct part result = {.kind = PART_RESULT, .raw = item->object};
	struct jv wrapped =
		node_first(item, is_object, TOOL_RESULT_CAMEL, TOOL_RESULT, FIELD_COUNT);
	struct item_node data = *item;

	if (wrapped.kind != J_NONE)
		node_read(&data, wrapped);
	result_body(&result, &data);
	result.id = result_id(&data);
	if (result.id.kind == J_NONE)
		result.id = result_id(item);
	result.link = link_of(item, result.id);
	result.also_text = result_of_function(item) && is_filled(result.body);
	result.foreign = result_of_function(item) && !result.also_text;
	result.name = node_first(item, is_text, NAME, TOOL_NAME, FUNCTION, FIELD_COUNT);
	result.error = result_failed(&data) || result_failed(item);
	reader_add(r, result);
	return wrapped.kind == J_NONE;
}

bool results_in(struct jv content)
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
