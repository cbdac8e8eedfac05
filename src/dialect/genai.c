/*
 * OpenTelemetry's conventions for generative AI: messages with typed parts ({"role",
 * "parts": [{"type": "text", "content": …}]}), the attributes that hold them, the older
 * events (gen_ai.user.message, gen_ai.choice); and the messages of Pydantic AI, whose
 * parts are named by `part_kind`.
 */
#include "config.h"
#include "dialect/dialect.h"

#include "dialect/attributes.h"
#include "dialect/body.h"

/* ---- Pydantic AI: a request has parts of several speakers (system, user, tools), and
 * each run of parts of one speaker is a message ---- */

JV_RECORD(pydantic_part, part_kind, content, tool_name, tool_call_id, args, outcome);

/* Who speaks in a part of a request; of a response it is always the assistant. */
static const char *speaker(const struct pydantic_part *v)
{
	if (jv_is(v->part_kind, STR("system-prompt")))
		return "system";
	if (jv_is(v->part_kind, STR("tool-return")))
		return "tool";
	if (jv_is(v->part_kind, STR("retry-prompt")) && v->tool_name.kind == J_STRING)
		return "tool";
	return "user";
}

static void add_part(
	struct message_writer *t, struct jv part, const struct pydantic_part *v)
{
	bool retry = jv_is(v->part_kind, STR("retry-prompt"));
	struct str kind = jv_plain(v->part_kind);

	if (str_ends(kind, STR("tool-call")))
		emit_call(t, v->tool_call_id, v->tool_name, v->args);
	else if (str_ends(kind, STR("tool-return")) ||
		 (retry && v->tool_name.kind == J_STRING))
		emit_result(t, v->tool_call_id, v->tool_name, v->content,
			retry || jv_is(v->outcome, STR("failed")));
	else if (jv_is(v->part_kind, STR("thinking")))
		emit_thinking(t, v->content);
	else if (v->content.kind != J_NONE)
		emit_content(t, v->content);
	else
		emit_block(t, part);
}

static void add_message(struct message_writer *t, struct jv message)
{
	bool response = jv_is(jv_member(message, "kind"), STR("response"));
	const char *before = NULL;

	if (response)
		emit_begin(t, JV_NONE, before = "assistant");
	else
		body_say(t, "system", jv_member(message, "instructions"));
	JV_EACH(part, jv_member(message, "parts")) {
		struct pydantic_part v;
		const char *now;

		JV_READ(part, pydantic_part, &v);
		now = response ? "assistant" : speaker(&v);
		if (!before || strcmp(before, now) != 0)
			emit_begin(t, JV_NONE, now);
		add_part(t, part, &v);
		before = now;
	}
	emit_end(t);
}

static bool is_message(struct jv message)
{
	JV_MEMBERS(v, message, kind, parts);
	if ((!jv_is(v.kind, STR("request")) && !jv_is(v.kind, STR("response"))) ||
		v.parts.kind != J_ARRAY)
		return false;
	JV_EACH(part, v.parts)
		if (jv_member(part, "part_kind").kind != J_STRING)
			return false;
	return true;
}

/* Adds the messages of a value and is true, or nothing and is false: one message
 * ({"kind": "request", "parts": [{"part_kind": …}]}) or an array of them. */
static bool pydantic_read(struct message_writer *t, struct jv value)
{
	if (is_message(value)) {
		add_message(t, value);
		return true;
	}
	if (value.kind != J_ARRAY || jv_empty(value))
		return false;
	JV_EACH(message, value)
		if (!is_message(message))
			return false;
	JV_EACH(message, value)
		add_message(t, message);
	return true;
}

/* ---- OpenTelemetry's parts ---- */

JV_RECORD(genai_part, type, content, id, name, data, uri);

/* Types that only these conventions have, or a text under `content`. */
static bool is_part(struct jv part)
{
	static const char *const types[] = {"text", "reasoning", "thinking"};
	static const char *const own[] = {"tool_call", "tool_call_response", "blob",
		"uri", "server_tool_call", "server_tool_call_response"};
	struct genai_part v;

	JV_READ(part, genai_part, &v);
	if (JV_AMONG(v.type, types) && v.content.kind == J_STRING)
		return true;
	return JV_AMONG(v.type, own) &&
	       (v.content.kind != J_NONE || v.name.kind == J_STRING ||
		       v.id.kind != J_NONE || v.uri.kind == J_STRING ||
		       v.data.kind == J_STRING);
}

/* An array of objects with a type, one of which at least is a part of these. */
static bool are_parts(struct jv parts)
{
	bool known = false;

	JV_ITEMS(part, parts) {
		if (jv_member(part, "type").kind != J_STRING)
			return false;
		known = known || is_part(part);
	}
	return known;
}

/* ---- messages ---- */

enum message_shape { SAID_NOT, SAID_PLAIN, SAID_PARTS };

/* A message of these conventions, or one that has its parts under `content`. */
static enum message_shape message_said(struct jv message)
{
	JV_MEMBERS(v, message, role, parts);
	if (v.role.kind == J_STRING && v.parts.kind == J_ARRAY &&
		(jv_empty(v.parts) || are_parts(v.parts)))
		return SAID_PARTS;
	return chat_is_message(message) ? SAID_PLAIN : SAID_NOT;
}

/* A message, or a list where all are messages, and one at least has parts that are not
 * empty. */
static bool read_messages(struct message_writer *t, struct jv value)
{
	bool parts = false;

	if (message_said(value) == SAID_PARTS) {
		emit_add_raw(t, value);
		return true;
	}
	JV_ITEMS(item, value) {
		if (message_said(item) == SAID_NOT)
			return false;
		parts = parts || are_parts(jv_member(item, "parts"));
	}
	JV_EACH(item, parts ? value : JV_NONE)
		body_add_message(t, item, "user");
	return parts;
}

static bool read_parts(struct message_writer *t, struct jv value, const char *role)
{
	if (value.kind == J_OBJECT ? !is_part(value) : !are_parts(value))
		return false;
	body_say(t, role, value);
	return true;
}

/* ---- events ---- */

static struct jv event_name(struct jv event)
{
	static const char *const members[] = {"event.name", "event_name", "name"};
	struct jv v[3];

	jv_members(event, members, v, 3);
	return JV_PICK(v, jv_is_string);
}

/* "user" of "gen_ai.user.message", "assistant" of "gen_ai.choice"; NULL of others. */
static const char *event_role(struct jv event)
{
	static const struct {
		const char *name, *role;
	} events[] = {
		{"gen_ai.system.message", "system"},
		{"gen_ai.user.message", "user"},
		{"gen_ai.assistant.message", "assistant"},
		{"gen_ai.tool.message", "tool"},
		{"gen_ai.choice", "assistant"},
	};
	struct jv name = event_name(event);

	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (jv_is(name, str_of(events[i].name)))
			return events[i].role;
	return NULL;
}

/* What the event says: its body, or its attributes, or members of its own. */
static struct jv event_body(struct jv event, struct arena *arena)
{
	static const char *const text = "gen_ai.event.content";
	struct jv content;

	JV_MEMBERS(v, event, body, attributes, event_body);
	if (v.body.kind == J_NONE)
		v.body = v.event_body;
	if (!jv_null(v.body))
		return side_open_string(attributes_plain(v.body, arena), arena);
	attributes_get(v.attributes, &text, &content, 1, arena);
	if (content.kind != J_NONE)
		return side_open_string(content, arena);
	return v.attributes.kind == J_NONE ? event : v.attributes;
}

JV_RECORD(genai_body, role, content, tool_calls, id, message, parts);

static void add_event(struct message_writer *t, struct jv event)
{
	struct jv body = event_body(event, t->arena);
	struct genai_body v;
	const char *role = event_role(event);
	struct jv content, block;

	attributes_get(
		body, genai_body_names, v.all, sizeof(v.all) / sizeof(*v.all), t->arena);
	body = side_open_string(v.message, t->arena);
	if (body.kind == J_OBJECT)
		JV_READ(body, genai_body, &v);
	else if (body.kind == J_STRING || body.kind == J_ARRAY)
		v.content = v.message;
	content = content_open(v.content, t->arena);
	block = jv_first(content);
	emit_begin(t, v.role, role);
	/* results may stand as blocks in what a tool said */
	if (!strcmp(role, "tool") && jv_member(block, "tool_result").kind != J_OBJECT &&
		!jv_is(jv_member(block, "type"), STR("tool_result")))
		emit_result(t, v.id, JV_NONE, v.content, false);
	else
		emit_content(t, content);
	emit_content(t, v.parts);
	emit_end_calls(t, side_open_string(v.tool_calls, t->arena));
}

/* Of a list with both the side has its own; events of another kind are no conversation.
 */
static bool read_events(struct message_writer *t, struct jv value, enum prefer side)
{
	size_t before = t->count;

	if (event_role(value)) {
		add_event(t, value);
		return true;
	}
	JV_ITEMS(event, value) {
		bool choice = jv_is(event_name(event), STR("gen_ai.choice"));

		if (event_role(event) &&
			(side == PREFER_NONE || choice == (side == PREFER_OUTPUT)))
			add_event(t, event);
	}
	return t->count > before;
}

/* ---- attributes ---- */

#define GENAI_ATTRIBUTES(X)                                                              \
	X(system, "gen_ai.system_instructions")                                          \
	X(input, "gen_ai.input.messages")                                                \
	X(prompt, "gen_ai.prompt")                                                       \
	X(output, "gen_ai.output.messages")                                              \
	X(completion, "gen_ai.completion")                                               \
	X(tools, "gen_ai.tool.definitions")                                              \
	X(tool_name, "gen_ai.tool.name")                                                 \
	X(tool_id, "gen_ai.tool.call.id")                                                \
	X(tool_arguments, "gen_ai.tool.call.arguments")                                  \
	X(tool_result, "gen_ai.tool.call.result")                                        \
	X(events, "events") /* of Pydantic AI, as are these: */                          \
	X(all_events, "all_messages_events")                                             \
	X(all_messages, "pydantic_ai.all_messages")
ATTRIBUTES_RECORD(genai_attributes, GENAI_ATTRIBUTES);

/* Messages of any vendor that the parts know. */
static bool read_plain(struct message_writer *t, struct jv value)
{
	if (chat_is_message(value)) {
		body_add_message(t, value, "user");
		return true;
	}
	if (!chat_is_messages_array(value))
		return false;
	body_add_messages(t, value, PREFER_INPUT);
	return true;
}

static bool read_attribute(struct message_writer *t, struct jv value, const char *role)
{
	struct jv text;

	value = side_open_string(value, t->arena);
	if (read_messages(t, value) || pydantic_read(t, value) ||
		read_parts(t, value, role) || read_plain(t, value))
		return true;
	/* a text that is neither parts nor messages */
	text = value.kind == J_OBJECT ? jv_member(value, "text") : value;
	if (!jv_is_text(text))
		return false;
	body_say(t, role, text);
	return true;
}

static bool read_listed(struct message_writer *t, struct jv events, enum prefer side)
{
	events = side_open_string(events, t->arena);
	return events.kind == J_ARRAY && read_events(t, events, side);
}

static bool read_input(
	struct message_writer *t, struct jv attributes, const struct genai_attributes *v)
{
	bool system = read_attribute(t, v->system, "system");
	bool said = read_attribute(t, v->input, "user") ||
		    read_attribute(t, v->prompt, "user");
	struct jv tools = side_open_string(v->tools, t->arena);

	/* of a span that runs a tool */
	if (!said && v->tool_name.kind == J_STRING && v->tool_arguments.kind != J_NONE) {
		emit_begin(t, JV_NONE, "assistant");
		emit_call(t, v->tool_id, v->tool_name, v->tool_arguments);
		emit_end(t);
		said = true;
	}
	said = said || read_listed(t, v->events, PREFER_INPUT) ||
	       read_attribute(t, v->all_messages, "user") ||
	       read_listed(t, v->all_events, PREFER_NONE);
	if (!system && !said)
		return false;
	t->tools = tools.kind == J_ARRAY ? tools : JV_NONE;
	t->parameters = attributes_below(attributes, "gen_ai.request", t->arena);
	return true;
}

static bool read_output(struct message_writer *t, const struct genai_attributes *v)
{
	if (read_attribute(t, v->output, "assistant") ||
		read_attribute(t, v->completion, "assistant"))
		return true;
	if (v->tool_name.kind != J_STRING || v->tool_result.kind == J_NONE)
		return read_listed(t, v->events, PREFER_OUTPUT);
	emit_begin(t, JV_NONE, "tool");
	emit_result(t, v->tool_id, v->tool_name, v->tool_result, false);
	emit_end(t);
	return true;
}

static bool genai_read(struct message_writer *t, struct jv value, enum prefer side)
{
	struct genai_attributes v;
	bool input, output;

	if (read_messages(t, value) || pydantic_read(t, value) ||
		read_parts(t, value, side_speaker(side)) || read_events(t, value, side))
		return true;
	ATTRIBUTES_READ(value, genai_attributes, &v, t->arena);
	input = side != PREFER_OUTPUT && read_input(t, value, &v);
	output = side != PREFER_INPUT && read_output(t, &v);
	return input || output || (t->named && read_plain(t, value));
}

const struct dialect dialect_genai = {"genai", genai_read};
