/*
 * What an item is by the document (see reader.h): tool uses (patterns 1 to 6, their
 * arguments and ids), results and where their content may stand; and reasoning and
 * refusals, which the document's texts leave out: items of a type, members beside the
 * content, thoughts whose text the vendor withholds.  What else vendors call a call is
 * asked of vendors.c, where only calls stand.
 */
#include "config.h"
#include "chat/reader.h"

#include "base/stop.h"

/* ---- calls ---- */

void call_add(struct item_reader *r, struct part call)
{
	struct part *old = NULL;
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
	if (at != MAP_NONE)
		old = &r->parts->whole[at];
	if (!old || !jv_same_text(old->name, call.name) ||
		!jv_same_text(old->link, call.link)) {
		idmap_add(&r->calls, hash, (uint32_t)r->parts->whole_count);
		reader_add(r, call);
		return;
	}
	if (old->body.kind == J_NONE || (old->foreign_body && !call.foreign_body)) {
		old->body = call.body;
		old->foreign_body = call.foreign_body;
	}
	old->foreign = old->foreign && (call.foreign || r->foreign);
}

static bool looks_like_call(const struct item_node *n)
{
	if (is_object(n->v[TOOL_USE_CAMEL]) || is_object(n->v[TOOL_USE]) ||
		is_object(n->v[FUNCTION]))
		return true;
	if (node_is_type(n, STR("tool_use")) || node_is_type(n, STR("function")) ||
		node_is_type(n, STR("tool_call")))
		return true;
	return is_text(n->v[NAME]) &&
	       node_first(n, is_there, INPUT, ARGUMENTS, PARAMETERS, FIELD_COUNT).kind !=
		       J_NONE;
}

/* An item, what it wraps, and the function in either: where a call's facts stand. */
struct call_nodes {
	struct item_node nodes[3];
	unsigned count;
};

static void follow(struct call_nodes *c, struct jv object)
{
	if (is_object(object))
		node_read(&c->nodes[c->count++], object);
}

static struct jv call_id(const struct call_nodes *c)
{
	static const unsigned char order[] = {
		ID, TOOL_USE_ID_CAMEL, TOOL_USE_ID, CALL_ID, TOOL_CALL_ID};

	for (size_t i = 0; i < sizeof(order); i++)
		for (unsigned k = 0; k < c->count; k++)
			if (is_id(c->nodes[k].v[order[i]]))
				return c->nodes[k].v[order[i]];
	return JV_NONE;
}

void call_arguments(struct part *call, const struct item_node *data)
{
	call->body =
		node_first(data, is_filled, INPUT, ARGUMENTS, PARAMETERS, FIELD_COUNT);
	if (call->body.kind != J_NONE)
		return;
	call->body = node_first(data, is_filled, ARGS, FIELD_COUNT);
	call->foreign_body = call->body.kind != J_NONE;
}

bool call_find(struct part *call, const struct item_node *item)
{
	struct call_nodes c;

	if (!looks_like_call(item))
		return false;
	c.nodes[0] = *item;
	c.count = 1;
	follow(&c, node_first(item, is_object, TOOL_USE_CAMEL, TOOL_USE, FIELD_COUNT));
	follow(&c, is_object(item->v[FUNCTION]) ? item->v[FUNCTION]
						: c.nodes[c.count - 1].v[FUNCTION]);
	*call = (struct part){.kind = PART_CALL, .raw = item->object};
	call->name = c.nodes[c.count - 1].v[NAME];
	if (!is_text(call->name))
		return false;
	call->id = call_id(&c);
	call->link = node_first(item, is_id, CALL_ID, FIELD_COUNT);
	call_arguments(call, &c.nodes[c.count - 1]);
	return true;
}

bool call_read(struct item_reader *r, const struct item_node *item)
{
	struct part call;

	if (!call_find(&call, item))
		return false;
	call_add(r, call);
	if (!result_looks(item))
		vendor_read_outcome(r, item,
			call.link.kind == J_NONE ? call.id : call.link, call.name);
	return true;
}

/* What stands among the `tool_calls` of a message, or is its `function_call`. */
static void call_read_entry(struct item_reader *r, struct jv entry)
{
	struct item_node n;

	node_read(&n, entry);
	if (!call_read(r, &n) && !vendor_read_named(r, &n) && !vendor_read_call(r, &n) &&
		!jv_null(entry))
		reader_add_json(r, entry);
}

void calls_read(struct item_reader *r, const struct item_node *message)
{
	struct jv entry;

	if (message->v[TOOL_CALLS].kind == J_ARRAY) {
		for (struct jwalk w = jwalk_of(message->v[TOOL_CALLS]);
			jwalk_next(&w, NULL, &entry) && !stop_wanted(entry.n);)
			call_read_entry(r, entry);
	}
	if (is_object(message->v[FUNCTION_CALL]))
		call_read_entry(r, message->v[FUNCTION_CALL]);
}

/* ---- results ---- */

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

bool result_read(struct item_reader *r, const struct item_node *item)
{
	struct part result = {.kind = PART_RESULT, .raw = item->object};
	struct jv wrapped =
		node_first(item, is_object, TOOL_RESULT_CAMEL, TOOL_RESULT, FIELD_COUNT);
	struct jv ids = jv_member(item->object, "tool_call_ids");
	struct item_node data = *item;

	if (wrapped.kind != J_NONE)
		node_read(&data, wrapped);
	result_body(&result, &data);
	result.id = result_id(&data);
	if (result.id.kind == J_NONE)
		result.id = result_id(item);
	result.link = result.id;
	/* SWE-agent lists the calls that it answers, of which there is but one */
	if (result.id.kind == J_NONE && jv_count(ids, 2) == 1 && is_id(jv_first(ids)))
		result.link = jv_first(ids);
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

/* ---- thoughts and refusals ---- */

bool thought_looks(const struct item_node *n)
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
	for (size_t i = 0; i < 4; i++)
		if (is_text(v.all[i]))
			return v.all[i];
	return JV_NONE;
}

/* A string, or the texts of an array of objects that have one. */
static bool add_thoughts(struct item_reader *r, struct jv raw, struct jv value)
{
	bool any = false;

	if (is_text(value)) {
		reader_add_body(r, PART_REASONING, raw, value);
		return true;
	}
	if (value.kind != J_ARRAY)
		return false;
	JV_EACH(item, value) {
		struct jv text = thought_text(item);

		if (!is_text(text))
			continue;
		reader_add_body(r, PART_REASONING, raw, text);
		any = true;
	}
	return any;
}

enum item_field thought_read(struct item_reader *r, const struct item_node *n)
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

	if (!is_object(n->v[REASONING_CONTENT]))
		return false;
	node_read(&inner, n->v[REASONING_CONTENT]);
	node_read(&innermost, inner.v[REASONING_TEXT]);
	text = is_text(innermost.v[TEXT])
		       ? innermost.v[TEXT]
		       : node_first(&inner, is_text, REASONING_TEXT, TEXT, FIELD_COUNT);
	if (text.kind == J_NONE && !is_filled(inner.v[REDACTED]))
		return false;
	reader_add_body(r, PART_REASONING, n->object, text);
	return true;
}

bool thought_read_beside(struct item_reader *r, const struct item_node *n)
{
	struct jv text = node_first(n, is_text, REASONING_CONTENT, REASONING, THINKING,
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
	if (!is_object(n->v[ADDITIONAL_KWARGS]))
		return false;
	node_read(&kwargs, n->v[ADDITIONAL_KWARGS]);
	kwargs.v[ADDITIONAL_KWARGS] = JV_NONE;
	return thought_read_beside(r, &kwargs);
}

bool thought_read_marked(struct item_reader *r, const struct item_node *n)
{
	if (n->v[THOUGHT].kind != J_TRUE || !is_text(n->v[TEXT]))
		return false;
	reader_add(r, (struct part){.kind = PART_REASONING,
			      .raw = n->object,
			      .body = n->v[TEXT],
			      .also_text = true});
	return true;
}

bool refusal_read(struct item_reader *r, const struct item_node *n)
{
	if (!is_text(n->v[REFUSAL]))
		return false;
	reader_add_body(r, PART_REFUSAL, n->object, n->v[REFUSAL]);
	return true;
}
