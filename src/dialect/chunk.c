/*
 * Telling vendors' chunks, and joining what they say (see chunk.h).  The names are those
 * of the vendors' references: OpenAI's "Chat completion chunk" and "Streaming events",
 * Anthropic's "Streaming messages", Gemini's GenerateContentResponse, Bedrock's
 * ConverseStreamOutput.
 */
#include "config.h"
#include "dialect/chunk.h"

#include "base/mem.h"
#include "dialect/body.h"
#include "dialect/sse.h"
#include "json/check.h"
#include "json/json.h"

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
	struct jwalk w = jwalk_of(object);
	struct jv key, other;
	struct str none = {0};

	*body = JV_NONE;
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

static bool is_ollama(struct jv object, struct jv done)
{
	if (done.kind != J_TRUE && done.kind != J_FALSE)
		return false;
	JV_MEMBERS(v, object, model, created_at, message, response);
	return v.model.kind == J_STRING && v.created_at.kind == J_STRING &&
	       (v.message.kind == J_OBJECT || v.response.kind == J_STRING);
}

enum chunk_kind chunk_kind(struct jv object)
{
	/* Cohere's: what it says stands in a `delta`, the index of a part beside it */
	static const char *const cohere[] = {"message-start", "content-start",
		"content-delta", "tool-plan-delta", "tool-call-start", "tool-call-delta",
		"citation-start", "message-end"};
	const struct event *event;
	struct jv body;

	if (object.kind != J_OBJECT)
		return CHUNK_NONE;
	JV_MEMBERS(v, object, type, object, choices, prompt_filter_results, candidates,
		response_id, delta, done);
	if (v.type.kind == J_STRING) {
		struct str type = jv_plain(v.type);

		event = find_event(type);
		if (event && jv_member(object, event->body).kind == event->kind)
			return CHUNK_ANTHROPIC;
		if (STR_AMONG(type, cohere) && v.delta.kind == J_OBJECT)
			return CHUNK_COHERE;
		return str_starts(type, STR("response.")) && is_of_response(object)
			       ? CHUNK_RESPONSES
			       : CHUNK_NONE;
	}
	/* Azure begins with one that is blank but for what its filter found */
	if (v.choices.kind == J_ARRAY &&
		(jv_is(v.object, STR("chat.completion.chunk")) ||
			(jv_is(v.object, STR("")) &&
				v.prompt_filter_results.kind == J_ARRAY)))
		return CHUNK_OPENAI;
	if (v.candidates.kind == J_ARRAY) {
		/* one that says something and not why it stopped */
		JV_MEMBERS(first, jv_first(v.candidates), content, finish_reason);
		if (!jv_empty(v.response_id) ||
			(first.content.kind == J_OBJECT && jv_null(first.finish_reason)))
			return CHUNK_GEMINI;
	}
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
		return find_event(text) || str_starts(text, STR("response.")) ||
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
	return jv_is_text(v.finish_message) ? v.finish_message : v.finish_reason;
}

/* ---- parts that are joined ---- */

struct joint *joint_add(struct joining *j, enum joint_kind kind, uint32_t message)
{
	struct joint *new = MEM_ADD(j->items, j->count, j->cap);

	*new = (struct joint){.kind = kind, .message = message};
	if (message >= j->messages)
		j->messages = message + 1;
	return new;
}

static uint64_t key_of(
	const struct joining *j, enum joint_kind kind, uint32_t message, uint32_t index)
{
	uint32_t place[4] = {kind, j->round, message, index};

	return map_hash((struct str){(const char *)place, sizeof(place)});
}

struct joint *joint_keyed(
	struct joining *j, enum joint_kind kind, uint32_t message, uint32_t index)
{
	uint64_t key = key_of(j, kind, message, index);
	uint32_t at = idmap_find(&j->keys, key);

	if (at != MAP_NONE)
		return &j->items[at];
	idmap_add(&j->keys, key, (uint32_t)j->count);
	return joint_add(j, kind, message);
}

void joint_append(struct joining *j, enum joint_kind kind, uint32_t message,
	uint32_t index, struct jv text)
{
	if (text.kind == J_STRING && text.n > 2)
		json_copy_body(&joint_keyed(j, kind, message, index)->body, text);
}

#define ONLY_CALL   UINT32_MAX /* the index of a call that has none */
#define COHERE_PLAN UINT32_MAX /* the index of the plan that comes before calls */

uint32_t joint_number(struct jv object, const char *member, uint32_t otherwise)
{
	double d;

	return jv_number(jv_member(object, member), &d) && d >= 0 && d < 65536
		       ? (uint32_t)d
		       : otherwise;
}

uint32_t joint_id(struct intern *ids, const char *kind, struct jv id)
{
	AUTO_BUF text = BUF_INIT;

	buf_text(&text, kind);
	jv_text(id, &text);
	return intern_add(ids, buf_view(&text));
}

/* Where a part stands: its number, or what stands for a number that no list can have, so
 * that the parts of two such numbers stay two. */
static uint32_t place_of(struct jv object, const char *name)
{
	struct jv v = jv_member(object, name);
	double d;

	if (!jv_number(v, &d) || (d >= 0 && d < 65536))
		return joint_number(object, name, 0);
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

static void add_choices(struct joining *j, struct jv choices)
{
	JV_EACH(choice, choices) {
		uint32_t n = joint_number(choice, "index", 0);

		/* what it says, of which some servers send the whole */
		JV_MEMBERS(said, choice, delta, message);
		JV_MEMBERS(v,
			said.delta.kind == J_OBJECT     ? said.delta
			: said.message.kind == J_OBJECT ? said.message
							: choice,
			reasoning_content, reasoning, content, text, refusal, tool_calls,
			function_call);
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

static void begin_block(struct joining *j, struct jv event)
{
	/* of a tool, be it one of the vendor's: arguments may follow */
	static const char *const calls[] = {
		"tool_use", "server_tool_use", "mcp_tool_use"};
	struct jv block = jv_member(event, "content_block");
	uint32_t n = place_of(event, "index");
	struct joint *call;

	JV_MEMBERS(v, block, type, text, thinking, id, name, input);
	if (jv_is(v.type, STR("text"))) {
		joint_append(j, JOINT_TEXT, 0, n, v.text);
	} else if (jv_is(v.type, STR("thinking"))) { /* perhaps an empty one */
		joint_keyed(j, JOINT_THINKING, 0, n);
		joint_append(j, JOINT_THINKING, 0, n, v.thinking);
	} else if (JV_AMONG(v.type, calls)) {
		call = joint_keyed(j, JOINT_CALL, 0, n);
		call->type = v.type;
		call->id = v.id;
		call->name = v.name;
		if (!jv_empty(v.input))
			call->value = v.input;
	} else if (block.kind != J_NONE) {
		joint_add(j, JOINT_ITEM, 0)->value = block;
	}
}

/* ---- the Responses API ---- */

/* Of a message its content, of anything else itself. */
static void add_item(struct joining *j, struct jv item)
{
	bool message = jv_is(jv_member(item, "type"), STR("message"));

	if (!message)
		joint_add(j, JOINT_ITEM, 0)->value = item;
	JV_EACH(block, message ? jv_member(item, "content") : JV_NONE)
		joint_add(j, JOINT_ITEM, 0)->value = block;
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

static void add_response_event(struct joining *j, struct str type, struct jv event)
{
	static const char *const ends[] = {
		"response.completed", "response.incomplete", "response.failed"};
	static const struct {
		const char *type;
		enum joint_kind kind;
	} deltas[] = {
		{"response.output_text.delta", JOINT_TEXT},
		{"response.refusal.delta", JOINT_REFUSAL},
		{"response.reasoning_text.delta", JOINT_THINKING},
		{"response.reasoning_summary_text.delta", JOINT_THINKING},
		{"response.function_call_arguments.delta", JOINT_CALL},
		{"response.custom_tool_call_input.delta", JOINT_CALL},
		{"response.mcp_call_arguments.delta", JOINT_CALL},
		{"response.code_interpreter_call_code.delta", JOINT_CALL},
	};
	uint32_t n = joint_number(event, "output_index", 0);

	if (str_equal(type, STR("response.output_item.added"))) {
		begin_item(j, n, jv_member(event, "item"));
	} else if (str_equal(type, STR("response.output_item.done"))) {
		/* whole: what came of it in pieces is not needed */
		for (enum joint_kind kind = JOINT_TEXT; kind < JOINT_ITEM; kind++) {
			uint32_t at = idmap_find(&j->keys, key_of(j, kind, 0, n));

			if (at != MAP_NONE)
				j->items[at].kind = JOINT_GONE;
		}
		add_item(j, jv_member(event, "item"));
	} else if (str_equal(type, STR("response.reasoning_summary_part.added"))) {
		/* a summary of reasoning has paragraphs, which come one by one */
		struct joint *thought = joint_keyed(j, JOINT_THINKING, 0, n);

		if (thought->body.len)
			buf_text(&thought->body, "\\n\\n");
	} else if (STR_AMONG(type, ends)) {
		/* the whole response comes last: it stands for all that came in pieces */
		struct jv output = jv_member(jv_member(event, "response"), "output");

		for (size_t i = j->first; i < j->count; i++)
			if (output.kind == J_ARRAY && !jv_empty(output))
				j->items[i].kind = JOINT_GONE;
		JV_ITEMS(item, output)
			add_item(j, item);
	} else {
		for (size_t i = 0; i < sizeof(deltas) / sizeof(*deltas); i++)
			if (str_equal(type, str_of(deltas[i].type)))
				joint_append(j, deltas[i].kind, 0, n,
					jv_member(event, "delta"));
	}
}

/* ---- Gemini ---- */

/* An argument, or a piece of the text that is one. */
static void add_argument(struct joint *call, struct jv argument)
{
	AUTO_BUF decoded = BUF_INIT;
	struct str key;
	struct jv value;

	JV_MEMBERS(v, argument, json_path, string_value, number_value, bool_value);
	if (v.json_path.kind != J_STRING)
		return;
	if (!call->open || !(call->path.kind == J_STRING &&
				   str_equal(jv_raw(call->path), jv_raw(v.json_path)))) {
		if (call->open)
			buf_byte(&call->body, '"');
		key = jv_str(v.json_path, &decoded);
		str_take(&key, STR("$.")); /* "$.a.b" is called "a.b" */
		buf_text(&call->body, call->body.len ? "," : "{");
		json_write_string(&call->body, key);
		buf_byte(&call->body, ':');
		call->path = v.json_path;
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

static void add_candidates(struct joining *j, struct jv candidates)
{
	JV_EACH(candidate, candidates) {
		uint32_t n = joint_number(candidate, "index", 0);

		JV_EACH(part, jv_member(jv_member(candidate, "content"), "parts")) {
			JV_MEMBERS(v, part, text, function_call, thought);
			if (v.text.kind == J_STRING)
				joint_append(j,
					v.thought.kind == J_TRUE ? JOINT_THINKING
								 : JOINT_TEXT,
					n, 0, v.text);
			else if (v.function_call.kind == J_OBJECT)
				add_gemini_call(j, n, v.function_call);
			else if (part.kind == J_OBJECT)
				joint_add(j, JOINT_ITEM, n)->value = part;
		}
		joint_append(j, JOINT_REFUSAL, n, 0, chunk_withheld(candidate));
	}
}

/* ---- Bedrock ---- */

static void add_bedrock_event(struct joining *j, struct jv event)
{
	struct jv body, use;
	struct str type = chunk_bedrock(event, &body);
	uint32_t n = joint_number(body, "content_block_index", 0);
	struct joint *call;

	if (str_equal(type, STR("contentBlockDelta"))) {
		JV_MEMBERS(
			v, jv_member(body, "delta"), text, reasoning_content, tool_use);
		joint_append(j, JOINT_TEXT, 0, n, v.text);
		if (v.reasoning_content.kind == J_OBJECT)
			joint_keyed(j, JOINT_THINKING, 0, n);
		joint_append(
			j, JOINT_THINKING, 0, n, jv_member(v.reasoning_content, "text"));
		joint_append(j, JOINT_CALL, 0, n, jv_member(v.tool_use, "input"));
	}
	use = jv_member(jv_member(body, "start"), "tool_use");
	if (!str_equal(type, STR("contentBlockStart")) || use.kind != J_OBJECT)
		return;
	call = joint_keyed(j, JOINT_CALL, 0, n);
	call->id = jv_member(use, "tool_use_id");
	call->name = jv_member(use, "name");
}

/* ---- Ollama ---- */

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
	JV_EACH(entry, m.tool_calls) {
		struct joint *call = joint_add(j, JOINT_CALL, 0);

		set_first(&call->id, jv_member(entry, "id"));
		add_function(call, jv_member(entry, "function"));
	}
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

void chunks_add(struct joining *j, struct str type, struct jv event)
{
	static const char *const begins[] = {
		"message_start", "response.created", "messageStart"};
	struct jv body, why;

	if (STR_AMONG(type.n ? type : chunk_bedrock(event, &body), begins)) {
		j->round++; /* another message: its indices are its own */
		j->first = j->count;
	} else if (str_equal(type, STR("content_block_start"))) {
		begin_block(j, event);
	} else if (str_equal(type, STR("content_block_delta"))) {
		uint32_t n = place_of(event, "index");

		JV_MEMBERS(v, jv_member(event, "delta"), text, thinking, partial_json);
		joint_append(j, JOINT_TEXT, 0, n, v.text);
		joint_append(j, JOINT_THINKING, 0, n, v.thinking);
		joint_append(j, JOINT_CALL, 0, n, v.partial_json);
	} else if (str_equal(type, STR("message_delta"))) {
		JV_MEMBERS(v, jv_member(event, "delta"), stop_reason, stop_details);
		why = jv_member(v.stop_details, "explanation");
		if (jv_is(v.stop_reason, STR("refusal"))) /* the model does not go on */
			joint_append(j, JOINT_REFUSAL, 0, 0,
				jv_empty(why) ? v.stop_reason : why);
	} else if (str_starts(type, STR("response."))) {
		add_response_event(j, type, event);
	} else if (!add_cohere_event(j, type, event)) {
		add_choices(j, jv_member(event, "choices"));
		add_candidates(j, jv_member(event, "candidates"));
		add_bedrock_event(j, event);
		add_line(j, event);
	}
}

/* ---- saying ---- */

/* A text that was put together as a J_STRING; `inside` has its escapes. */
static struct jv string_of(struct str inside, struct arena *arena)
{
	struct buf text = BUF_INIT;

	buf_byte(&text, '"');
	buf_str(&text, inside);
	buf_byte(&text, '"');
	return jv_of(arena_keep(arena, &text), J_STRING);
}

static void say_part(struct message_writer *t, struct joint *p)
{
	struct jv text = string_of(buf_view(&p->body), t->arena);

	switch (p->kind) {
	case JOINT_TEXT:
		if (p->body.len)
			emit_text(t, text);
		break;
	case JOINT_THINKING:
		emit_thinking(t, text);
		break;
	case JOINT_REFUSAL:
		emit_refusal(t, text);
		break;
	case JOINT_CALL:
		/* arguments in pieces stay a string: whoever reads it knows how to take
		 * one */
		if (p->value.kind != J_NONE) {
			text = p->value;
		} else if (p->path.kind != J_NONE) {
			buf_text(&p->body, p->open ? "\"}" : "}");
			text = json_kept(&p->body, t->arena);
		}
		emit_typed_call(t, p->type, p->id, p->name, text);
		break;
	case JOINT_RESULT:
		emit_result(t, p->id, p->name, p->value, p->failed);
		break;
	case JOINT_ITEM:
		emit_block(t, p->value);
		break;
	case JOINT_GONE:
		break;
	}
}

void joint_say(struct joining *j, struct message_writer *t)
{
	AUTO_FREE size_t *starts = mem_zalloc((size_t)j->messages + 1, sizeof(*starts));
	AUTO_FREE size_t *order = mem_zalloc(j->count, sizeof(*order));
	const struct joint *before = NULL;

	/* by message, each in order: a counting sort */
	for (size_t i = 0; i < j->count; i++)
		starts[j->items[i].message + 1]++;
	for (size_t i = 0; i < j->messages; i++)
		starts[i + 1] += starts[i];
	for (size_t i = 0; i < j->count; i++)
		order[starts[j->items[i].message]++] = i;
	for (size_t i = 0; i < j->count; i++) {
		struct joint *part = &j->items[order[i]];

		if (part->kind == JOINT_GONE)
			continue;
		if (!before || part->message != before->message)
			emit_begin(t, part->role,
				part->kind == JOINT_RESULT ? "tool" : "assistant");
		say_part(t, part);
		before = part;
	}
	emit_end(t);
	for (size_t i = 0; i < j->count; i++)
		buf_done(&j->items[i].body);
	mem_free(j->items);
	idmap_done(&j->keys);
	*j = (struct joining){0};
}

/* ---- arrays of events ---- */

/* An event as it was recorded with its name, which it has inside too. */
static struct jv unwrap_event(struct message_writer *t, struct jv item)
{
	struct str text;

	JV_MEMBERS(v, item, event, data, type);
	if (v.type.kind != J_NONE || v.data.kind == J_NONE || jv_count(item, 5) > 4)
		return item;
	if (v.data.kind == J_OBJECT)
		return v.data;
	if (v.data.kind != J_STRING)
		return item;
	text = jv_keep(v.data, t->arena);
	return text.n && text.p[0] == '{' ? jv_parse(text) : item;
}

static struct str type_of(struct jv event)
{
	return jv_plain(jv_member(event, "type"));
}

static void add_event(struct message_writer *t, struct joining *j, struct jv event)
{
	struct jv body;

	chunks_add(j, type_of(event), event);
	if (chunk_is_exception(event)) {
		chunk_bedrock(event, &body);
		t->error = body;
	} else if (str_equal(type_of(event), STR("error")) &&
		   jv_member(event, "error").kind == J_NONE) {
		t->error = event;
	}
	body_add_error(t, event);
	body_add_error(t, jv_member(event, "response"));
}

bool body_join(
	struct message_writer *t, struct jv value, bool (*is_event)(struct jv event))
{
	struct joining j = {0};
	bool stream = value.kind == J_OBJECT && is_event(value);

	/* of a list the first that says anything counts; signs of life may come before */
	JV_ITEMS(item, value) {
		struct jv event = unwrap_event(t, item);
		struct str type = type_of(event);

		if (event.kind == J_OBJECT &&
			(str_equal(type, STR("ping")) ||
				str_equal(type, STR("keepalive")) || jv_empty(event)))
			continue;
		stream = event.kind == J_OBJECT && is_event(event);
		if (!jv_null(event))
			break;
	}
	if (!stream)
		return false;
	if (value.kind == J_OBJECT)
		add_event(t, &j, value);
	JV_ITEMS(item, value)
		add_event(t, &j, unwrap_event(t, item));
	joint_say(&j, t);
	return true;
}

/* ---- events as text: of server-sent events only the data counts, since vendors repeat
 * there what the name says ---- */

struct cut_events {
	struct sse sse;
	struct buf out; /* an array, not closed */
	bool other;     /* a line is no object: a text that merely begins like one */
};

/* Of server-sent events marks of an end, which are no JSON, are left out. */
static void cut_event(void *ctx, const struct sse_event *event)
{
	struct cut_events *c = ctx;
	struct str data = str_trim(event->data);

	if (data.n && data.p[0] == '{' && json_is_whole(data, NULL)) {
		json_item(&c->out);
		buf_str(&c->out, data);
	} else if (c->sse.lines) {
		c->other = true;
		sse_halt(&c->sse);
	}
}

struct jv streamed_events(struct jv string, struct arena *arena)
{
	static const char *const heads[] = {"data:", "event:", "id:", "retry:", ":"};
	AUTO_BUF decoded = BUF_INIT;
	struct str text = str_trim(jv_str(string, &decoded));
	struct cut_events c = {.other = false};
	struct str line;
	bool streamed = false;

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		streamed = streamed || str_starts(text, str_of(heads[i]));
	if (!streamed && !str_starts(text, STR("{")))
		return JV_NONE;
	sse_begin(&c.sse, cut_event, &c, 0);
	c.sse.lines = !streamed;
	buf_byte(&c.out, '[');
	if (streamed) {
		sse_feed(&c.sse, text);
		sse_finish(&c.sse);
	}
	/* lines of JSON end at a carriage return, too: none stands in JSON but as a blank
	 */
	for (size_t at = 0;
		!streamed && !c.other && sse_next_line(text, true, &at, &line);) {
		if (str_trim(line).n)
			cut_event(&c, &(struct sse_event){.data = line});
	}
	sse_done(&c.sse);
	if (c.other || c.out.len == 1) {
		buf_done(&c.out);
		return JV_NONE;
	}
	buf_byte(&c.out, ']');
	return json_kept(&c.out, arena);
}
