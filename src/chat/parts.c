/*
 * The pieces of a message (see parts.h).  Every object that matters is walked once
 * for all fields; what it is, is then asked of those.  The order of the questions is
 * that of "Content parts" in doc/formats.md; what goes beyond them is marked foreign.
 *
 * Objects are looked into to a fixed depth: a message, the message or delta inside
 * it, their items, and what an item wraps.  Nothing here follows nesting further.
 */
#include "config.h"
#include "chat/parts.h"

#include <stdarg.h>

#include "base/map.h"
#include "base/mem.h"
#include "chat/media.h"

enum field {
	TYPE,
	ROLE,
	TEXT,
	CONTENT,
	MESSAGE,
	PARTS,
	DELTA,
	RESPONSE,
	TOOLS,
	NAME,
	DESCRIPTION,
	ERROR,
	STATUS,
	/* calls */
	TOOL_USE_CAMEL, /* before its other spelling, by the document */
	TOOL_USE,
	FUNCTION,
	TOOL_CALLS,
	FUNCTION_CALL,
	INPUT,
	ARGUMENTS,
	PARAMETERS,
	ARGS,
	TOOL_NAME,
	/* results */
	TOOL_RESULT_CAMEL,
	TOOL_RESULT,
	FUNCTION_RESPONSE,
	OUTPUT,
	RESULT,
	/* ids */
	ID,
	TOOL_USE_ID_CAMEL,
	TOOL_USE_ID,
	CALL_ID,
	TOOL_CALL_ID,
	/* definitions */
	TOOL,
	DEFINITION,
	/* thoughts and refusals */
	REASONING_CONTENT,
	REASONING_TEXT,
	REASONING,
	THINKING,
	SUMMARY,
	REFUSAL,
	FIELD_COUNT
};

static const char *const names[FIELD_COUNT] = {
	[TYPE] = "type",
	[ROLE] = "role",
	[TEXT] = "text",
	[CONTENT] = "content",
	[MESSAGE] = "message",
	[PARTS] = "parts",
	[DELTA] = "delta",
	[RESPONSE] = "response",
	[TOOLS] = "tools",
	[NAME] = "name",
	[DESCRIPTION] = "description",
	[ERROR] = "is_error",
	[STATUS] = "status",
	[TOOL_USE_CAMEL] = "toolUse",
	[TOOL_USE] = "tool_use",
	[FUNCTION] = "function",
	[TOOL_CALLS] = "tool_calls",
	[FUNCTION_CALL] = "function_call",
	[INPUT] = "input",
	[ARGUMENTS] = "arguments",
	[PARAMETERS] = "parameters",
	[ARGS] = "args",
	[TOOL_NAME] = "tool_name",
	[TOOL_RESULT_CAMEL] = "toolResult",
	[TOOL_RESULT] = "tool_result",
	[FUNCTION_RESPONSE] = "function_response",
	[OUTPUT] = "output",
	[RESULT] = "result",
	[ID] = "id",
	[TOOL_USE_ID_CAMEL] = "toolUseId",
	[TOOL_USE_ID] = "tool_use_id",
	[CALL_ID] = "call_id",
	[TOOL_CALL_ID] = "tool_call_id",
	[TOOL] = "tool",
	[DEFINITION] = "definition",
	[REASONING_CONTENT] = "reasoning_content",
	[REASONING_TEXT] = "reasoning_text",
	[REASONING] = "reasoning",
	[THINKING] = "thinking",
	[SUMMARY] = "summary",
	[REFUSAL] = "refusal",
};

struct node { /* an object and its fields */
	struct jv object;
	struct jv v[FIELD_COUNT];
};

struct reader {
	struct parts *parts;
	struct arena *arena;
	struct idmap calls; /* hash of name and id → index, to leave out the second */
	bool foreign;       /* where we read is beyond the document */
};

void parts_done(struct parts *parts)
{
	mem_free(parts->items);
	*parts = (struct parts){0};
}

void parts_read_images(struct parts *parts, struct jv images, struct arena *arena)
{
	struct jwalk w;
	struct jv key, value;

	jwalk_begin(&w, images);
	while (jwalk_next(&w, &key, &value)) {
		struct part part = {.kind = PART_JSON, .raw = value};

		if (!part_image(&part, value, arena))
			media_read(&part, value, arena);
		parts->items = mem_grow(parts->items, &parts->cap, parts->count + 1,
			sizeof(*parts->items));
		parts->items[parts->count++] = part;
	}
}

static void node_read(struct node *node, struct jv object)
{
	node->object = object;
	jv_members(object, names, node->v, FIELD_COUNT);
}

static void add(struct reader *r, struct part part)
{
	struct parts *parts = r->parts;

	part.foreign = part.foreign || r->foreign;
	parts->items = mem_grow(
		parts->items, &parts->cap, parts->count + 1, sizeof(*parts->items));
	parts->items[parts->count++] = part;
}

static void add_body(struct reader *r, enum part_kind kind, struct jv raw, struct jv body)
{
	add(r, (struct part){.kind = kind, .raw = raw, .body = body});
}

/* Asking values */

static bool is_text(struct jv v)
{
	return v.kind == J_STRING && !jv_empty(v);
}

static bool is_object(struct jv v) /* with something in it */
{
	return v.kind == J_OBJECT && !jv_empty(v);
}

static bool is_id(struct jv v)
{
	return (v.kind == J_STRING || v.kind == J_NUMBER) && !jv_empty(v);
}

static bool is_type(const struct node *n, struct str type)
{
	return jv_is(n->v[TYPE], type);
}

/* The first of some fields, closed by FIELD_COUNT, that a test passes; or J_NONE. */
static struct jv first(const struct node *n, bool (*test)(struct jv), ...)
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

static bool is_filled(struct jv v)
{
	return !jv_empty(v);
}

static bool is_there(struct jv v)
{
	return !jv_null(v);
}

/* Text */

static void add_text(struct reader *r, struct jv string)
{
	if (is_text(string))
		add_body(r, PART_TEXT, string, string);
}

/* Calls */

static uint64_t hash_call(const struct part *call)
{
	struct buf key = BUF_INIT;
	uint64_t hash;

	jv_decode(call->name, &key);
	buf_byte(&key, '\0');
	jv_text(call->id, &key);
	hash = map_hash(buf_view(&key));
	buf_done(&key);
	return hash;
}

static bool same_text(struct jv a, struct jv b)
{
	struct buf text = BUF_INIT, other = BUF_INIT;
	bool same;

	jv_text(a, &text);
	jv_text(b, &other);
	same = str_equal(buf_view(&text), buf_view(&other));
	buf_done(&text);
	buf_done(&other);
	return same;
}

/* The call that has the name and the id of this one. */
static struct part *find_twin(struct reader *r, const struct part *call, uint64_t hash)
{
	uint32_t at = idmap_find(&r->calls, hash);
	struct part *old = at == MAP_NONE ? NULL : &r->parts->items[at];

	if (!old || !same_text(old->name, call->name) || !same_text(old->id, call->id))
		return NULL;
	return old;
}

/*
 * A second call with the name and id of a first is the same call told twice; the
 * first stays, and only arguments that it does not have are taken over.
 */
static void add_call(struct reader *r, struct part call)
{
	struct part *old;
	uint64_t hash;

	call.kind = PART_CALL;
	if (call.link.kind == J_NONE)
		call.link = call.id;
	if (call.id.kind == J_NONE) {
		add(r, call);
		return;
	}
	hash = hash_call(&call);
	old = find_twin(r, &call, hash);
	if (!old) {
		idmap_add(&r->calls, hash, (uint32_t)r->parts->count);
		add(r, call);
		return;
	}
	if (old->body.kind == J_NONE || (old->foreign_body && !call.foreign_body)) {
		old->body = call.body;
		old->foreign_body = call.foreign_body;
	}
	old->foreign = old->foreign && (call.foreign || r->foreign);
}

static bool looks_like_call(const struct node *n)
{
	if (is_object(n->v[TOOL_USE_CAMEL]) || is_object(n->v[TOOL_USE]) ||
		is_object(n->v[FUNCTION]))
		return true;
	if (is_type(n, STR("tool_use")) || is_type(n, STR("function")) ||
		is_type(n, STR("tool_call")))
		return true;
	return is_text(n->v[NAME]) &&
	       first(n, is_there, INPUT, ARGUMENTS, PARAMETERS, FIELD_COUNT).kind !=
		       J_NONE;
}

/* An item, what it wraps, and the function in either: where a call's facts stand. */
struct call_nodes {
	struct node nodes[3];
	unsigned count;
};

static void follow(struct call_nodes *c, struct jv object)
{
	if (is_object(object))
		node_read(&c->nodes[c->count++], object);
}

static void call_nodes_read(struct call_nodes *c, const struct node *item)
{
	c->nodes[0] = *item;
	c->count = 1;
	follow(c, first(item, is_object, TOOL_USE_CAMEL, TOOL_USE, FIELD_COUNT));
	if (is_object(item->v[FUNCTION]))
		follow(c, item->v[FUNCTION]);
	else
		follow(c, c->nodes[c->count - 1].v[FUNCTION]);
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

static void read_arguments(struct part *call, const struct node *data)
{
	call->body = first(data, is_filled, INPUT, ARGUMENTS, PARAMETERS, FIELD_COUNT);
	if (call->body.kind != J_NONE)
		return;
	call->body = first(data, is_filled, ARGS, FIELD_COUNT);
	call->foreign_body = call->body.kind != J_NONE;
}

/* Fills what the document calls a tool use; false when the item is none. */
static bool find_call(struct part *call, const struct node *item)
{
	struct call_nodes c;

	if (!looks_like_call(item))
		return false;
	call_nodes_read(&c, item);
	*call = (struct part){.kind = PART_CALL, .raw = item->object};
	call->name = c.nodes[c.count - 1].v[NAME];
	if (!is_text(call->name))
		return false;
	call->id = call_id(&c);
	call->link = first(item, is_id, CALL_ID, FIELD_COUNT);
	read_arguments(call, &c.nodes[c.count - 1]);
	return true;
}

static bool read_call(struct reader *r, const struct node *item)
{
	struct part call;

	if (!find_call(&call, item))
		return false;
	add_call(r, call);
	return true;
}

/* Where only calls stand, a name is enough to be one. */
static bool read_named_call(struct reader *r, const struct node *item)
{
	struct part call = {.raw = item->object, .foreign = true};

	call.name = first(item, is_text, NAME, TOOL_NAME, FIELD_COUNT);
	if (call.name.kind == J_NONE)
		return false;
	call.id = first(item, is_id, TOOL_CALL_ID, CALL_ID, ID, FIELD_COUNT);
	read_arguments(&call, item);
	add_call(r, call);
	return true;
}

/* The AI SDK's and Gemini's calls. */
static bool read_foreign_call(struct reader *r, const struct node *item)
{
	struct node inner;

	if (is_type(item, STR("tool-call")))
		return read_named_call(r, item);
	if (!is_object(item->v[FUNCTION_CALL]))
		return false;
	node_read(&inner, item->v[FUNCTION_CALL]);
	return read_named_call(r, &inner);
}

static void read_call_entry(struct reader *r, struct jv entry)
{
	struct node n;

	node_read(&n, entry);
	if (!read_call(r, &n) && !read_named_call(r, &n) && !jv_null(entry))
		add_body(r, PART_JSON, entry, JV_NONE);
}

static void read_calls(struct reader *r, const struct node *message)
{
	struct jwalk w;
	struct jv key, entry;

	if (message->v[TOOL_CALLS].kind == J_ARRAY) {
		jwalk_begin(&w, message->v[TOOL_CALLS]);
		while (jwalk_next(&w, &key, &entry))
			read_call_entry(r, entry);
	}
	if (is_object(message->v[FUNCTION_CALL]))
		read_call_entry(r, message->v[FUNCTION_CALL]);
}

/* Results */

/* Whether its form says result; a tool_call_id alone is a weaker sign, which calls bear
 * too. */
static bool looks_like_result(const struct node *n)
{
	return is_object(n->v[TOOL_RESULT_CAMEL]) || is_object(n->v[TOOL_RESULT]) ||
	       is_type(n, STR("tool_result")) || is_type(n, STR("tool_call_response")) ||
	       jv_is(n->v[ROLE], STR("tool"));
}

static struct jv result_id(const struct node *n)
{
	return first(
		n, is_id, TOOL_CALL_ID, TOOL_USE_ID_CAMEL, TOOL_USE_ID, ID, FIELD_COUNT);
}

static bool says_error(const struct node *n)
{
	return n->v[ERROR].kind == J_TRUE || jv_is(n->v[STATUS], STR("error"));
}

/* OpenTelemetry's parts have `response` or `result` by their own convention. */
static void read_result_body(struct part *result, const struct node *data)
{
	result->body = first(data, is_there, CONTENT, FIELD_COUNT);
	if (result->body.kind != J_NONE)
		return;
	result->body = first(data, is_there, OUTPUT, RESULT, RESPONSE, FIELD_COUNT);
	result->foreign_body =
		result->body.kind != J_NONE && !is_type(data, STR("tool_call_response"));
}

/* Adds a result; *own says whether the item itself, not an object in it, had the content.
 */
static void read_result(struct reader *r, const struct node *item, bool *own)
{
	struct part result = {.kind = PART_RESULT, .raw = item->object};
	struct jv wrapped =
		first(item, is_object, TOOL_RESULT_CAMEL, TOOL_RESULT, FIELD_COUNT);
	struct node data = *item;

	*own = wrapped.kind == J_NONE;
	if (!*own)
		node_read(&data, wrapped);
	read_result_body(&result, &data);
	result.id = result_id(&data);
	if (result.id.kind == J_NONE)
		result.id = result_id(item);
	result.link = result.id;
	result.name = first(item, is_text, NAME, TOOL_NAME, FIELD_COUNT);
	result.error = says_error(&data) || says_error(item);
	add(r, result);
}

/* Results of the Responses API, the AI SDK and Gemini. */
static bool read_foreign_result(struct reader *r, const struct node *item)
{
	struct part result = {.kind = PART_RESULT, .raw = item->object, .foreign = true};
	struct node data = *item;

	if (is_object(item->v[FUNCTION_RESPONSE]))
		node_read(&data, item->v[FUNCTION_RESPONSE]);
	else if (!is_type(item, STR("function_call_output")) &&
		 !is_type(item, STR("tool-result")))
		return false;
	read_result_body(&result, &data);
	result.id = first(&data, is_id, CALL_ID, TOOL_CALL_ID, ID, FIELD_COUNT);
	result.link = result.id;
	result.name = first(&data, is_text, NAME, TOOL_NAME, FIELD_COUNT);
	result.error = says_error(&data);
	add(r, result);
	return true;
}

/* Whether a result's content is a list of results, which then speak for themselves. */
static bool holds_results(struct jv content)
{
	struct jwalk w;
	struct jv key, item;
	struct node n;

	if (content.kind != J_ARRAY)
		return false;
	jwalk_begin(&w, content);
	while (jwalk_next(&w, &key, &item)) {
		node_read(&n, item);
		if (looks_like_result(&n) || is_id(n.v[TOOL_CALL_ID]) ||
			is_type(&n, STR("tool-result")))
			return true;
	}
	return false;
}

/* Reasoning */

static bool is_reasoning(const struct node *n)
{
	return is_type(n, STR("thinking")) || is_type(n, STR("reasoning"));
}

/* A string, or the texts of an array of objects that have one. */
static bool add_thoughts(struct reader *r, struct jv raw, struct jv value)
{
	struct jwalk w;
	struct jv key, item;
	bool any = false;

	if (is_text(value)) {
		add_body(r, PART_REASONING, raw, value);
		return true;
	}
	if (value.kind != J_ARRAY)
		return false;
	jwalk_begin(&w, value);
	while (jwalk_next(&w, &key, &item)) {
		struct jv text = item.kind == J_STRING ? item : jv_member(item, "text");

		if (!is_text(text))
			continue;
		add_body(r, PART_REASONING, raw, text);
		any = true;
	}
	return any;
}

/* What an item of type thinking or reasoning holds: the first place that has any. */
static bool read_reasoning(struct reader *r, const struct node *n)
{
	static const unsigned char places[] = {
		THINKING, TEXT, REASONING, CONTENT, SUMMARY};

	for (size_t i = 0; i < sizeof(places); i++)
		if (add_thoughts(r, n->object, n->v[places[i]]))
			return true;
	return false;
}

/* Beside the content of a message or item, whatever its type; Bedrock nests it twice. */
static bool read_side_reasoning(struct reader *r, const struct node *n)
{
	struct jv text =
		first(n, is_text, REASONING_CONTENT, REASONING, THINKING, FIELD_COUNT);
	struct node inner, innermost;

	if (text.kind == J_NONE && is_object(n->v[REASONING_CONTENT])) {
		node_read(&inner, n->v[REASONING_CONTENT]);
		node_read(&innermost, inner.v[REASONING_TEXT]);
		text = is_text(innermost.v[TEXT]) ? innermost.v[TEXT]
						  : first(&inner, is_text, REASONING_TEXT,
							    TEXT, FIELD_COUNT);
	}
	if (text.kind == J_NONE)
		return false;
	add_body(r, PART_REASONING, n->object, text);
	return true;
}

/* Items */

static bool read_refusal(struct reader *r, const struct node *n)
{
	if (!is_text(n->v[REFUSAL]))
		return false;
	add_body(r, PART_REFUSAL, n->object, n->v[REFUSAL]);
	return true;
}

static bool read_media(struct reader *r, const struct node *n)
{
	struct part part;

	if (!media_read(&part, n->object, r->arena))
		return false;
	add(r, part);
	return true;
}

/* The text of an item, and whether it has any, be it empty. */
static bool read_item_text(struct reader *r, const struct node *n)
{
	add_text(r, n->v[TEXT]);
	if (!is_type(n, STR("text")))
		return n->v[TEXT].kind == J_STRING;
	add_text(r, n->v[CONTENT]);
	return n->v[TEXT].kind == J_STRING || n->v[CONTENT].kind == J_STRING;
}

/* A call, a result, or both; a call is no result only for having a tool_call_id. */
static bool read_tools_of(struct reader *r, const struct node *n, bool *own)
{
	bool call = read_call(r, n) || read_foreign_call(r, n);

	if (looks_like_result(n) || (!call && is_id(n->v[TOOL_CALL_ID]))) {
		read_result(r, n, own);
		return true;
	}
	return call || read_foreign_result(r, n);
}

static void read_object(struct reader *r, struct jv object)
{
	struct node n;
	bool known, own;

	node_read(&n, object);
	if (is_reasoning(&n)) {
		known = read_reasoning(r, &n);
	} else {
		known = read_item_text(r, &n);
		known = read_tools_of(r, &n, &own) || known;
		known = known || read_side_reasoning(r, &n) || read_refusal(r, &n);
		known = (!is_type(&n, STR("text")) && read_media(r, &n)) || known;
	}
	if (!known)
		add_body(r, PART_JSON, object, JV_NONE);
}

static void read_item(struct reader *r, struct jv item)
{
	if (item.kind == J_STRING)
		add_text(r, item);
	else if (item.kind == J_OBJECT)
		read_object(r, item);
	else if (!jv_null(item))
		add_body(r, PART_JSON, item, JV_NONE);
}

/* What stands under `content`.  The document knows strings and arrays there. */
static void read_content(struct reader *r, struct jv content)
{
	bool foreign = r->foreign;
	struct jwalk w;
	struct jv key, item;

	if (content.kind != J_ARRAY) {
		r->foreign = foreign || content.kind != J_STRING;
		if (content.kind != J_OBJECT || !jv_empty(content))
			read_item(r, content);
		r->foreign = foreign;
		return;
	}
	jwalk_begin(&w, content);
	while (jwalk_next(&w, &key, &item))
		read_item(r, item);
}

/* Definitions */

static bool read_definition(struct reader *r, struct jv entry)
{
	struct part tool = {.kind = PART_TOOL, .raw = entry};
	struct node n;

	node_read(&n, entry);
	if (!is_text(n.v[NAME]))
		node_read(&n,
			first(&n, is_object, FUNCTION, TOOL, DEFINITION, FIELD_COUNT));
	if (!is_text(n.v[NAME]))
		return false;
	tool.name = n.v[NAME];
	tool.body = first(&n, is_text, DESCRIPTION, FIELD_COUNT);
	add(r, tool);
	return true;
}

static void read_definitions(struct reader *r, struct jv tools)
{
	struct jwalk w;
	struct jv key, entry;

	if (tools.kind != J_ARRAY)
		return;
	jwalk_begin(&w, tools);
	while (jwalk_next(&w, &key, &entry))
		if (!read_definition(r, entry) && !jv_null(entry))
			add_body(r, PART_JSON, entry, JV_NONE);
}

/* Messages */

/* A message inside a message: the document knows its content; its other parts are shown.
 */
static void read_inner(struct reader *r, struct jv message, bool foreign)
{
	bool before = r->foreign;
	struct node n;

	node_read(&n, message);
	r->foreign = before || foreign;
	read_content(r, n.v[CONTENT]);
	r->foreign = true;
	add_text(r, n.v[TEXT]);
	read_calls(r, &n);
	r->foreign = before;
}

/* Content where the document does not look for parts, shown when there is none before it.
 */
static void read_elsewhere(struct reader *r, const struct node *n)
{
	if (!jv_null(n->v[CONTENT]) || !jv_null(n->v[TEXT]))
		return;
	r->foreign = true;
	if (n->v[MESSAGE].kind != J_OBJECT && !jv_null(n->v[MESSAGE]))
		read_content(r, n->v[MESSAGE]);
	else if (jv_null(n->v[MESSAGE]) && n->v[DELTA].kind == J_OBJECT)
		read_inner(r, n->v[DELTA], true);
	else if (jv_null(n->v[MESSAGE]))
		read_content(r, n->v[RESPONSE]);
	r->foreign = false;
}

/*
 * A result: its own content is shown as that and not again.  A tool's message may
 * also be a list of results, each with an id of its own, and is then none itself.
 */
static bool read_message_result(struct reader *r, const struct node *n, bool call)
{
	bool own = false;

	if (!looks_like_result(n) && (call || !is_id(n->v[TOOL_CALL_ID])))
		return false;
	if (jv_is(n->v[ROLE], STR("tool")) && result_id(n).kind == J_NONE &&
		(holds_results(n->v[CONTENT]) || holds_results(n->v[PARTS])))
		return false;
	read_result(r, n, &own);
	return own;
}

/* A block that stands alone, as if it were an item. */
static void read_lone(struct reader *r, const struct node *n)
{
	if (!read_foreign_call(r, n) && !read_foreign_result(r, n))
		read_media(r, n);
}

static void read_message(struct reader *r, const struct node *n)
{
	struct part call;
	bool calls = find_call(&call, n), result;

	read_side_reasoning(r, n);
	add_text(r, n->v[TEXT]);
	result = read_message_result(r, n, calls || is_type(n, STR("tool-call")));
	if (!result)
		read_content(r, n->v[CONTENT]);
	read_content(r, n->v[PARTS]);
	if (n->v[MESSAGE].kind == J_OBJECT)
		read_inner(r, n->v[MESSAGE], false);
	if (!result)
		read_elsewhere(r, n);
	read_refusal(r, n);
	read_calls(r, n);
	if (calls)
		add_call(r, call);
	if (r->parts->count == 0)
		read_lone(r, n);
	read_definitions(r, n->v[TOOLS]);
}

void parts_read(struct parts *parts, struct jv value, struct arena *arena)
{
	struct reader r = {.parts = parts, .arena = arena};
	struct node n;

	*parts = (struct parts){0};
	if (value.kind == J_STRING)
		add_text(&r, value);
	if (value.kind != J_OBJECT)
		return;
	node_read(&n, value);
	if (!is_reasoning(&n) || !read_reasoning(&r, &n))
		read_message(&r, &n);
	idmap_done(&r.calls);
}

void parts_read_content(struct parts *parts, struct jv content, struct arena *arena)
{
	struct reader r = {.parts = parts, .arena = arena};

	*parts = (struct parts){0};
	read_content(&r, content);
	idmap_done(&r.calls);
}
