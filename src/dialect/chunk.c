/*
 * Telling vendors' chunks (see chunk.h).  The names are those of the vendors' references:
 * OpenAI's "Chat completion chunk" and "Streaming events", Anthropic's "Streaming
 * messages", Gemini's GenerateContentResponse, Bedrock's ConverseStreamOutput.
 */
#include "config.h"
#include "dialect/chunk.h"

#include "json/copy.h"
#include "json/json.h"

static bool is_response_type(struct str type)
{
	return str_starts(type, STR("response."));
}

/* ---- each vendor's ---- */

static const char *const blocks[] = {
	"messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop"};

/* Where the body stands of an event that tells something, and what it is. */
static const struct event {
	struct str type;
	const char *body;
	enum jkind kind;
} events[] = {
	{{"message_start", 13}, "message", J_OBJECT},
	{{"content_block_start", 19}, "content_block", J_OBJECT},
	{{"content_block_delta", 19}, "delta", J_OBJECT},
	{{"content_block_stop", 18}, "index", J_NUMBER},
	{{"message_delta", 13}, "delta", J_OBJECT},
};

static const struct event *find_event(struct str type)
{
	for (size_t i = 0; type.n && i < sizeof(events) / sizeof(*events); i++)
		if (str_equal(type, events[i].type))
			return &events[i];
	return NULL;
}

/* The Realtime API has events of the same names, with an id. */
static bool is_of_response(struct jv object)
{
	JV_MEMBERS(v, object, event_id, response, output_index);
	if (v.event_id.kind != J_NONE)
		return false;
	return v.output_index.kind == J_NUMBER ||
	       jv_is(jv_member(v.response, "object"), STR("response"));
}

struct str chunk_bedrock(struct jv object, struct jv *body)
{
	struct jwalk w;
	struct jv key, other;
	struct str none = {0};

	*body = JV_NONE;
	jwalk_begin(&w, object);
	if (!w.object || !jwalk_next(&w, &key, body) || body->kind != J_OBJECT)
		return none;
	return jwalk_next(&w, &(struct jv){0}, &other) ? none : jv_plain(key);
}

bool chunk_is_exception(struct jv object)
{
	static const struct str tail = {"Exception", 9};
	struct jv body;
	struct str key = chunk_bedrock(object, &body);

	return key.n > tail.n && str_ends(key, tail);
}

/* Cohere's: what it says stands in a `delta`, the index of a part beside it. */
static bool is_cohere(struct str type, struct jv delta)
{
	static const char *const types[] = {"message-start", "content-start",
		"content-delta", "tool-plan-delta", "tool-call-start", "tool-call-delta",
		"citation-start", "message-end"};

	return STR_AMONG(type, types) && delta.kind == J_OBJECT;
}

static bool is_ollama(struct jv object, struct jv done)
{
	if (done.kind != J_TRUE && done.kind != J_FALSE)
		return false;
	JV_MEMBERS(v, object, model, created_at, message, response);
	return v.model.kind == J_STRING && v.created_at.kind == J_STRING &&
	       (v.message.kind == J_OBJECT || v.response.kind == J_STRING);
}

/* Azure begins with one that is blank but for what its filter found. */
static bool is_openai(struct jv what, struct jv choices, struct jv filter)
{
	if (choices.kind != J_ARRAY)
		return false;
	return jv_is(what, STR("chat.completion.chunk")) ||
	       (jv_is(what, STR("")) && filter.kind == J_ARRAY);
}

/* A candidate that says something and not why it stopped. */
static bool goes_on(struct jv candidates)
{
	JV_MEMBERS(v, jv_first(candidates), content, finish_reason);
	return v.content.kind == J_OBJECT && jv_null(v.finish_reason);
}

enum chunk_kind chunk_kind(struct jv object)
{
	const struct event *event;
	struct jv body;

	if (object.kind != J_OBJECT)
		return CHUNK_NONE;
	JV_MEMBERS(v, object, type, object, choices, prompt_filter_results, candidates,
		response_id, delta, done);
	if (v.type.kind == J_STRING) {
		event = find_event(jv_plain(v.type));
		if (event && jv_member(object, event->body).kind == event->kind)
			return CHUNK_ANTHROPIC;
		if (is_cohere(jv_plain(v.type), v.delta))
			return CHUNK_COHERE;
		return is_response_type(jv_plain(v.type)) && is_of_response(object)
			       ? CHUNK_RESPONSES
			       : CHUNK_NONE;
	}
	if (is_openai(v.object, v.choices, v.prompt_filter_results))
		return CHUNK_OPENAI;
	if (v.candidates.kind == J_ARRAY &&
		(!jv_empty(v.response_id) || goes_on(v.candidates)))
		return CHUNK_GEMINI;
	if (is_ollama(object, v.done))
		return CHUNK_OLLAMA;
	return STR_AMONG(chunk_bedrock(object, &body), blocks) ? CHUNK_BEDROCK
							       : CHUNK_NONE;
}

/* ---- signs ---- */

bool chunk_is_sign(struct str key, struct jv value)
{
	struct str text = jv_plain(value);

	if (value.kind == J_FALSE || value.kind == J_TRUE)
		return str_equal(key, STR("done"));
	if (value.kind == J_STRING && str_equal(key, STR("type")))
		return find_event(text) || is_response_type(text) ||
		       str_equal(text, STR("message-start")) ||
		       str_equal(text, STR("content-start"));
	if (value.kind == J_STRING && str_equal(key, STR("object")))
		return str_equal(text, STR("chat.completion.chunk"));
	if (value.kind == J_ARRAY)
		return str_equal(key, STR("candidates")) ||
		       str_equal(key, STR("prompt_filter_results"));
	return value.kind == J_OBJECT && STR_AMONG(key, blocks);
}

bool chunk_goes_on(enum chunk_kind kind, struct jv object)
{
	static const char *const anthropic[] = {"ping", "message_stop", "error"};
	static const char *const responses[] = {"keepalive", "error"};
	static const char *const bedrock[] = {"messageStop", "metadata"};
	struct str type = jv_plain(jv_member(object, "type"));
	struct jv body;

	switch (kind) {
	case CHUNK_ANTHROPIC:
		return STR_AMONG(type, anthropic);
	case CHUNK_RESPONSES:
		return STR_AMONG(type, responses);
	case CHUNK_BEDROCK:
		return STR_AMONG(chunk_bedrock(object, &body), bedrock) ||
		       chunk_is_exception(object);
	case CHUNK_GEMINI:
		return jv_member(object, "usageMetadata").kind == J_OBJECT ||
		       jv_member(object, "error").kind == J_OBJECT;
	case CHUNK_OPENAI:
		return jv_member(object, "error").kind == J_OBJECT;
	case CHUNK_COHERE:
		return str_starts(type, STR("content-")) ||
		       str_starts(type, STR("tool-")) ||
		       str_starts(type, STR("citation-"));
	case CHUNK_OLLAMA:
		return jv_member(object, "error").kind == J_STRING;
	case CHUNK_NONE:
		break;
	}
	return false;
}

/* ---- ends ---- */

struct jv chunk_withheld(struct jv candidate)
{
	static const char *const reasons[] = {"SAFETY", "RECITATION", "LANGUAGE",
		"BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY",
		"IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION"};

	JV_MEMBERS(v, candidate, finish_reason, finish_message);
	if (!JV_AMONG(v.finish_reason, reasons))
		return JV_NONE;
	return v.finish_message.kind == J_STRING && !jv_empty(v.finish_message)
		       ? v.finish_message
		       : v.finish_reason;
}

/* ---- joining ---- */

#define ONLY_CALL   UINT32_MAX /* the index of a call that has none */
#define COHERE_PLAN UINT32_MAX /* the index of the plan that comes before calls */

static uint32_t number_of(struct jv object, const char *name)
{
	double d;

	return jv_number(jv_member(object, name), &d) && d >= 0 && d < 65536 ? (uint32_t)d
									     : 0;
}

/* Where a part stands: its number, or what stands for a number that no list can have, so
 * that the parts of two such numbers stay two. */
static uint32_t place_of(struct jv object, const char *name)
{
	struct jv v = jv_member(object, name);
	double d;

	if (!jv_number(v, &d) || (d >= 0 && d < 65536))
		return number_of(object, name);
	return (uint32_t)map_hash(jv_raw(v)) >> 1 | 1U << 30;
}

static void set_first(struct jv *v, struct jv found)
{
	if (v->kind == J_NONE && !jv_empty(found))
		*v = found;
}

/* ---- OpenAI ---- */

/* The call that a piece is of.  Some servers give the same index to all, each whole. */
static struct joint *call_of(struct joining *j, uint32_t choice, struct jv piece)
{
	struct jv id = jv_member(piece, "id");
	struct joint *part = joint_keyed(j, JOINT_CALL, choice, place_of(piece, "index"));

	if (part->id.kind != J_NONE && !jv_empty(id) &&
		!str_equal(jv_raw(part->id), jv_raw(id)))
		part = joint_add(j, JOINT_CALL, choice);
	set_first(&part->id, id);
	return part;
}

static void add_function(struct joint *part, struct jv function)
{
	struct jv arguments = jv_member(function, "arguments");

	set_first(&part->name, jv_member(function, "name"));
	if (arguments.kind == J_OBJECT)
		part->value = arguments;
	json_copy_body(&part->body, arguments);
}

/* What a choice says, of which some servers send the whole. */
static struct jv said_in(struct jv choice)
{
	JV_MEMBERS(v, choice, delta, message);
	if (v.delta.kind == J_OBJECT)
		return v.delta;
	return v.message.kind == J_OBJECT ? v.message : choice;
}

static void add_choices(struct joining *j, struct jv choices)
{
	JV_EACH(choice, choices) {
		uint32_t n = number_of(choice, "index");

		JV_MEMBERS(v, said_in(choice), reasoning_content, reasoning, content,
			text, refusal, tool_calls, function_call);
		/* some send a thought under both names */
		joint_append(j, JOINT_THINKING, n, 0,
			jv_empty(v.reasoning_content) ? v.reasoning
						      : v.reasoning_content);
		joint_append(
			j, JOINT_TEXT, n, 0, jv_null(v.content) ? v.text : v.content);
		joint_append(j, JOINT_REFUSAL, n, 0, v.refusal);
		JV_EACH(call, v.tool_calls)
			add_function(call_of(j, n, call), jv_member(call, "function"));
		/* before calls had an index and an id */
		if (v.function_call.kind == J_OBJECT)
			add_function(joint_keyed(j, JOINT_CALL, n, ONLY_CALL),
				v.function_call);
	}
}

/* ---- Anthropic ---- */

/* A call of a tool, be it one of the vendor's: arguments may follow. */
static bool is_call(struct jv type)
{
	return jv_is(type, STR("tool_use")) || jv_is(type, STR("server_tool_use")) ||
	       jv_is(type, STR("mcp_tool_use"));
}

static void begin_call(struct joining *j, uint32_t n, struct jv type, struct jv block)
{
	struct joint *call = joint_keyed(j, JOINT_CALL, 0, n);
	struct jv input = jv_member(block, "input");

	call->type = type;
	call->id = jv_member(block, "id");
	call->name = jv_member(block, "name");
	if (!jv_empty(input))
		call->value = input;
}

static void begin_block(struct joining *j, struct jv event)
{
	struct jv block = jv_member(event, "content_block");
	struct jv type = jv_member(block, "type");
	uint32_t n = place_of(event, "index");

	if (jv_is(type, STR("text"))) {
		joint_append(j, JOINT_TEXT, 0, n, jv_member(block, "text"));
	} else if (jv_is(type, STR("thinking"))) { /* perhaps an empty one */
		joint_keyed(j, JOINT_THINKING, 0, n);
		joint_append(j, JOINT_THINKING, 0, n, jv_member(block, "thinking"));
	} else if (is_call(type)) {
		begin_call(j, n, type, block);
	} else if (block.kind != J_NONE) {
		joint_add(j, JOINT_ITEM, 0)->value = block;
	}
}

static void add_block_delta(struct joining *j, struct jv event)
{
	struct jv delta = jv_member(event, "delta");
	uint32_t n = place_of(event, "index");

	joint_append(j, JOINT_TEXT, 0, n, jv_member(delta, "text"));
	joint_append(j, JOINT_THINKING, 0, n, jv_member(delta, "thinking"));
	joint_append(j, JOINT_CALL, 0, n, jv_member(delta, "partial_json"));
}

/* The end of a message, which may be that the model refuses to go on. */
static void add_stop(struct joining *j, struct jv delta)
{
	struct jv why;

	JV_MEMBERS(v, delta, stop_reason, stop_details);
	if (!jv_is(v.stop_reason, STR("refusal")))
		return;
	why = jv_member(v.stop_details, "explanation");
	joint_append(j, JOINT_REFUSAL, 0, 0, jv_empty(why) ? v.stop_reason : why);
}

/* ---- the Responses API ---- */

/* Of a message its content, of anything else itself. */
static void add_item(struct joining *j, struct jv item)
{
	struct jv content = jv_member(item, "content");

	if (!jv_is(jv_member(item, "type"), STR("message"))) {
		joint_add(j, JOINT_ITEM, 0)->value = item;
		return;
	}
	for (struct jwalk w = jwalk_of(content); jwalk_next(&w, NULL, &item);)
		joint_add(j, JOINT_ITEM, 0)->value = item;
}

static bool is_last(struct str type)
{
	return str_equal(type, STR("response.completed")) ||
	       str_equal(type, STR("response.incomplete")) ||
	       str_equal(type, STR("response.failed"));
}

/* The whole response comes last: it stands for all that came in pieces. */
static void end_response(struct joining *j, struct jv event)
{
	struct jv output = jv_member(jv_member(event, "response"), "output"), item;

	if (output.kind != J_ARRAY || jv_empty(output))
		return;
	joint_forget_all(j);
	for (struct jwalk w = jwalk_of(output); jwalk_next(&w, NULL, &item);)
		add_item(j, item);
}

/* An item that has begun: of a call the name comes before the arguments. */
static void begin_item(struct joining *j, uint32_t n, struct jv item)
{
	struct str type = jv_plain(jv_member(item, "type"));
	struct joint *call;

	if (!str_ends(type, STR("_call")))
		return;
	JV_MEMBERS(v, item, type, call_id, id, name);
	call = joint_keyed(j, JOINT_CALL, 0, n);
	call->type = v.type;
	set_first(&call->id, v.call_id);
	set_first(&call->id, v.id);
	set_first(&call->name, v.name);
	set_first(&call->name, v.type);
}

static void add_delta(struct joining *j, uint32_t n, struct str type, struct jv event)
{
	static const struct {
		struct str type;
		enum joint_kind kind;
	} deltas[] = {
		{{"response.output_text.delta", 26}, JOINT_TEXT},
		{{"response.refusal.delta", 22}, JOINT_REFUSAL},
		{{"response.reasoning_text.delta", 29}, JOINT_THINKING},
		{{"response.reasoning_summary_text.delta", 37}, JOINT_THINKING},
		{{"response.function_call_arguments.delta", 38}, JOINT_CALL},
		{{"response.custom_tool_call_input.delta", 37}, JOINT_CALL},
		{{"response.mcp_call_arguments.delta", 33}, JOINT_CALL},
		{{"response.code_interpreter_call_code.delta", 41}, JOINT_CALL},
	};

	for (size_t i = 0; i < sizeof(deltas) / sizeof(*deltas); i++)
		if (str_equal(type, deltas[i].type))
			joint_append(j, deltas[i].kind, 0, n, jv_member(event, "delta"));
}

/* A summary of reasoning has paragraphs, which come one by one. */
static void begin_paragraph(struct joining *j, uint32_t n)
{
	struct joint *thought = joint_keyed(j, JOINT_THINKING, 0, n);

	if (thought->body.len)
		buf_text(&thought->body, "\\n\\n");
}

static void add_response_event(struct joining *j, struct str type, struct jv event)
{
	uint32_t n = number_of(event, "output_index");

	if (str_equal(type, STR("response.output_item.added"))) {
		begin_item(j, n, jv_member(event, "item"));
	} else if (str_equal(type, STR("response.output_item.done"))) {
		joint_forget(j, n); /* whole: what came of it in pieces is not needed */
		add_item(j, jv_member(event, "item"));
	} else if (str_equal(type, STR("response.reasoning_summary_part.added"))) {
		begin_paragraph(j, n);
	} else if (is_last(type)) {
		end_response(j, event);
	} else {
		add_delta(j, n, type, event);
	}
}

/* ---- Gemini ---- */

/* "$.a.b" is called "a.b". */
static void begin_argument(struct joint *call, struct jv path)
{
	AUTO_BUF decoded = BUF_INIT;
	struct str key = jv_str(path, &decoded);

	str_take(&key, STR("$."));
	buf_text(&call->body, call->body.len ? "," : "{");
	json_write_string(&call->body, key);
	buf_byte(&call->body, ':');
	call->path = path;
}

/* An argument, or a piece of the text that is one. */
static void add_argument(struct joint *call, struct jv argument)
{
	struct jv value;

	JV_MEMBERS(v, argument, json_path, string_value, number_value, bool_value);
	if (v.json_path.kind != J_STRING)
		return;
	if (!call->open || !(call->path.kind == J_STRING &&
				   str_equal(jv_raw(call->path), jv_raw(v.json_path)))) {
		if (call->open)
			buf_byte(&call->body, '"');
		call->open = false;
		begin_argument(call, v.json_path);
		call->open = v.string_value.kind == J_STRING;
		value = v.number_value.kind != J_NONE ? v.number_value : v.bool_value;
		if (call->open)
			buf_byte(&call->body, '"');
		else if (value.kind != J_NONE)
			json_copy_value(&call->body, value);
		else
			buf_text(&call->body, "null");
	}
	json_copy_body(&call->body, v.string_value);
}

/* One with a name begins; without a name it goes on with the last. */
static void add_gemini_call(struct joining *j, uint32_t candidate, struct jv call)
{
	struct joint *joint;

	JV_MEMBERS(v, call, name, id, args, partial_args);
	if (!jv_empty(v.name) || !j->call) {
		joint = joint_add(j, JOINT_CALL, candidate);
		j->call = j->count;
		joint->name = v.name;
	}
	joint = &j->items[j->call - 1];
	set_first(&joint->id, v.id);
	if (joint->value.kind == J_NONE && !jv_null(v.args))
		joint->value = v.args;
	JV_EACH(argument, v.partial_args)
		add_argument(joint, argument);
}

static void add_gemini_part(struct joining *j, uint32_t candidate, struct jv part)
{
	struct jv call = jv_member(part, "function_call");
	bool thought = jv_member(part, "thought").kind == J_TRUE;

	if (jv_member(part, "text").kind == J_STRING)
		joint_append(j, thought ? JOINT_THINKING : JOINT_TEXT, candidate, 0,
			jv_member(part, "text"));
	else if (call.kind == J_OBJECT)
		add_gemini_call(j, candidate, call);
	else if (part.kind == J_OBJECT)
		joint_add(j, JOINT_ITEM, candidate)->value = part;
}

static void add_candidates(struct joining *j, struct jv candidates)
{
	JV_EACH(candidate, candidates) {
		uint32_t n = number_of(candidate, "index");

		JV_EACH(part, jv_member(jv_member(candidate, "content"), "parts"))
			add_gemini_part(j, n, part);
		joint_append(j, JOINT_REFUSAL, n, 0, chunk_withheld(candidate));
	}
}

/* ---- Bedrock ---- */

static void add_bedrock_delta(struct joining *j, struct jv event)
{
	uint32_t n = number_of(event, "content_block_index");

	JV_MEMBERS(v, jv_member(event, "delta"), text, reasoning_content, tool_use);
	joint_append(j, JOINT_TEXT, 0, n, v.text);
	if (v.reasoning_content.kind == J_OBJECT)
		joint_keyed(j, JOINT_THINKING, 0, n);
	joint_append(j, JOINT_THINKING, 0, n, jv_member(v.reasoning_content, "text"));
	joint_append(j, JOINT_CALL, 0, n, jv_member(v.tool_use, "input"));
}

static void add_bedrock_event(struct joining *j, struct jv event)
{
	struct jv body, use;
	struct str type = chunk_bedrock(event, &body);
	struct joint *call;

	if (str_equal(type, STR("contentBlockDelta")))
		add_bedrock_delta(j, body);
	use = jv_member(jv_member(body, "start"), "tool_use");
	if (!str_equal(type, STR("contentBlockStart")) || use.kind != J_OBJECT)
		return;
	call = joint_keyed(j, JOINT_CALL, 0, number_of(body, "content_block_index"));
	call->id = jv_member(use, "tool_use_id");
	call->name = jv_member(use, "name");
}

/* ---- Ollama ---- */

static void add_whole_calls(struct joining *j, struct jv calls)
{
	JV_EACH(entry, calls) {
		struct joint *call = joint_add(j, JOINT_CALL, 0);

		set_first(&call->id, jv_member(entry, "id"));
		add_function(call, jv_member(entry, "function"));
	}
}

/* A line has a message, or as what is merely completed a response. */
static void add_line(struct joining *j, struct jv line)
{
	JV_MEMBERS(v, line, message, response, thinking, done);
	if (v.done.kind != J_TRUE && v.done.kind != J_FALSE)
		return;
	JV_MEMBERS(m, v.message, content, thinking, tool_calls);
	joint_append(j, JOINT_THINKING, 0, 0,
		m.thinking.kind == J_NONE ? v.thinking : m.thinking);
	joint_append(
		j, JOINT_TEXT, 0, 0, m.content.kind == J_NONE ? v.response : m.content);
	add_whole_calls(j, m.tool_calls);
}

/* ---- Cohere ---- */

static bool add_cohere_event(struct joining *j, struct str type, struct jv event)
{
	struct jv said = jv_member(jv_member(event, "delta"), "message");
	uint32_t n = place_of(event, "index");

	if (!str_starts(type, STR("content-")) && !str_starts(type, STR("tool-")))
		return false;
	JV_MEMBERS(v, said, content, tool_calls, tool_plan);
	joint_append(j, JOINT_TEXT, 0, n, jv_member(v.content, "text"));
	joint_append(j, JOINT_THINKING, 0, n, jv_member(v.content, "thinking"));
	joint_append(j, JOINT_THINKING, 0, COHERE_PLAN, v.tool_plan);
	if (v.tool_calls.kind == J_OBJECT) {
		struct joint *call = joint_keyed(j, JOINT_CALL, 0, n);

		set_first(&call->id, jv_member(v.tool_calls, "id"));
		add_function(call, jv_member(v.tool_calls, "function"));
	}
	return true;
}

/* ---- all ---- */

static bool begins(struct str type, struct jv event)
{
	static const char *const types[] = {
		"message_start", "response.created", "messageStart"};
	struct jv body;

	if (type.n == 0)
		type = chunk_bedrock(event, &body);
	return STR_AMONG(type, types);
}

static void add_untyped(struct joining *j, struct jv event)
{
	add_choices(j, jv_member(event, "choices"));
	add_candidates(j, jv_member(event, "candidates"));
	add_bedrock_event(j, event);
	add_line(j, event);
}

void chunks_add(struct joining *j, struct str type, struct jv event)
{
	if (begins(type, event))
		joint_begin(j);
	else if (str_equal(type, STR("content_block_start")))
		begin_block(j, event);
	else if (str_equal(type, STR("content_block_delta")))
		add_block_delta(j, event);
	else if (str_equal(type, STR("message_delta")))
		add_stop(j, jv_member(event, "delta"));
	else if (str_starts(type, STR("response.")))
		add_response_event(j, type, event);
	else if (!add_cohere_event(j, type, event))
		add_untyped(j, event);
}
