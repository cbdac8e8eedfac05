/*
 * The Vercel AI SDK: messages of its UI (parts; before version 5 content and
 * toolInvocations), messages for models (content with tool-call and tool-result), the
 * values of its spans (ai.prompt, ai.response.text, …), and its streams.
 */
#include "config.h"
#include "dialect/dialect.h"

#include "base/mem.h"
#include "dialect/attributes.h"
#include "dialect/body.h"
#include "dialect/chunk.h"
#include "json/json.h"

/* ---- streams ----
 *
 * The chunks of a stream of the AI SDK, joined: texts and thoughts by their ids, calls
 * with their inputs and outputs by the call's id.  Two generations of chunks are alike
 * but for the names: `delta`, `textDelta`; `inputTextDelta`, `argsTextDelta`.
 */

JV_RECORD(vercel_fields, type, id, tool_call_id, tool_name, delta, text_delta, text,
	input_text_delta, args_text_delta, input, args, output, result, error_text,
	error);

/* What a chunk is, by its type. */
enum vercel_chunk {
	CHUNK_OTHER,  /* kept as it stands */
	CHUNK_SILENT, /* says nothing */
	CHUNK_START,  /* of a text or a thought with an id that may have been used */
	CHUNK_TEXT,
	CHUNK_THOUGHT,
	CHUNK_CALL,   /* begins, or goes on */
	CHUNK_RESULT, /* and may be that it failed */
	CHUNK_BOTH,   /* a call that could not be made */
	CHUNK_ERROR,
};

static const struct {
	enum vercel_chunk chunk;
	bool sign; /* that the array is a stream of this SDK */
	const char *types[13];
} chunks[] = {
	{CHUNK_TEXT, true, {"text-delta"}},
	{CHUNK_THOUGHT, true, {"reasoning-delta"}},
	{CHUNK_THOUGHT, false, {"reasoning"}},
	{CHUNK_CALL, true,
		{"tool-input-delta", "tool-input-start", "tool-input-available",
			"tool-call-streaming-start", "tool-call-delta"}},
	{CHUNK_CALL, false, {"tool-call"}},
	{CHUNK_BOTH, true, {"tool-input-error"}},
	{CHUNK_RESULT, true,
		{"tool-output-available", "tool-output-error", "tool-output-denied"}},
	{CHUNK_RESULT, false, {"tool-result", "tool-error"}},
	{CHUNK_START, true, {"text-start", "reasoning-start"}},
	{CHUNK_SILENT, false,
		{"start-step", "step-start", "text-end", "reasoning-end",
			"tool-input-end", "start", "finish-step", "step-finish", "finish",
			"abort", "message-metadata", "stream-start",
			"response-metadata"}},
	{CHUNK_ERROR, false, {"error"}},
};

static enum vercel_chunk chunk_of(struct jv type, bool *sign)
{
	for (size_t i = 0; i < sizeof(chunks) / sizeof(*chunks); i++)
		if (JV_AMONG(type, chunks[i].types)) {
			*sign = *sign || chunks[i].sign;
			return chunks[i].chunk;
		}
	return CHUNK_OTHER;
}

/* What is known by an id: a text's place among all, or a call. */
struct stream_entry {
	uint32_t place; /* from 1; 0: has none yet */
	struct jv name; /* of a call */
	size_t result;  /* its result, from 1; 0: none */
};

struct chunk_stream {
	struct joining joining;
	struct intern ids;
	struct stream_entry *known; /* by number of id */
	size_t count, cap;
	uint32_t places;
	enum vercel_chunk before;
	struct jv error;
};

static struct jv either(struct jv value, struct jv otherwise)
{
	return value.kind == J_NONE ? otherwise : value;
}

/* Valid until the next.  Texts and calls do not share their ids. */
static struct stream_entry *known_by(
	struct chunk_stream *s, const char *kind, struct jv id)
{
	uint32_t number = joint_id(&s->ids, kind, id);

	MEM_ROOM(s->known, s->cap, (size_t)number + 1);
	while (s->count <= number)
		s->known[s->count++] = (struct stream_entry){0};
	return &s->known[number];
}

static void add_call(struct chunk_stream *s, const struct vercel_fields *v)
{
	struct jv id = either(v->tool_call_id, v->id), input = either(v->input, v->args);
	struct stream_entry *known = known_by(s, "c", id);
	struct joint *call;

	if (!known->place)
		known->place = ++s->places;
	call = joint_keyed(&s->joining, JOINT_CALL, 0, known->place);
	call->id = id;
	if (v->tool_name.kind == J_STRING)
		known->name = call->name = v->tool_name;
	if (input.kind != J_NONE)
		call->value = input;
	else
		json_copy_body(
			&call->body, either(v->input_text_delta,
					     either(v->args_text_delta, v->delta)));
}

/* An output that is not the last of its call comes again, and more of it. */
static void add_result(struct chunk_stream *s, const struct vercel_fields *v)
{
	struct jv id = either(v->tool_call_id, v->id);
	struct stream_entry *known = known_by(s, "c", id);
	struct jv content = either(v->output, v->result);
	struct joint *item;

	if (known->name.kind == J_NONE)
		known->name = v->tool_name;
	if (!known->result) {
		joint_add(&s->joining, JOINT_RESULT, 0);
		known->result = s->joining.count;
	}
	item = &s->joining.items[known->result - 1];
	item->id = id;
	item->name = known->name;
	item->value = either(content, either(v->error_text, v->error));
	item->failed = content.kind == J_NONE;
}

static void add_chunk(struct chunk_stream *s, struct jv chunk)
{
	struct vercel_fields v;
	struct stream_entry *known;
	bool sign = false; /* not asked */
	enum vercel_chunk kind;

	JV_READ(chunk, vercel_fields, &v);
	kind = chunk_of(v.type, &sign);
	if (kind == CHUNK_TEXT || kind == CHUNK_THOUGHT) {
		known = known_by(s, kind == CHUNK_TEXT ? "t" : "r", v.id);
		/* without an id a text ends where something else comes */
		if (!known->place || (v.id.kind == J_NONE && s->before != kind))
			known->place = ++s->places;
		joint_append(&s->joining,
			kind == CHUNK_TEXT ? JOINT_TEXT : JOINT_THINKING, 0, known->place,
			either(v.delta, either(v.text_delta, v.text)));
	} else if (kind == CHUNK_START) {
		known_by(s, jv_is(v.type, STR("text-start")) ? "t" : "r", v.id)->place =
			0;
	}
	if (kind == CHUNK_CALL || kind == CHUNK_BOTH)
		add_call(s, &v);
	if (kind == CHUNK_RESULT || kind == CHUNK_BOTH)
		add_result(s, &v);
	if (kind == CHUNK_OTHER)
		joint_add(&s->joining, JOINT_ITEM, 0)->value = chunk;
	else if (kind == CHUNK_ERROR)
		s->error = either(v.error_text, v.error);
	s->before = kind;
}

/* All are objects with a type, the first begins a stream, and one is of no other. */
static bool is_stream(struct jv list)
{
	bool sign = false;

	JV_ITEMS(item, list) {
		struct jv type = jv_member(item, "type");

		if (jv_is(item, STR("[DONE]")) && item_walk.index)
			continue;
		if (type.kind != J_STRING ||
			(chunk_of(type, &sign) == CHUNK_OTHER && item_walk.index == 0))
			return false;
	}
	return sign;
}

/* ---- parts ---- */

/* Version 4 has `reasoning` in place of a text. */
JV_RECORD(vercel_part, type, text, reasoning, tool_call_id, tool_name, image, media_type,
	mime_type);

/* Steps begin where the next text does; they say nothing. */
static void add_part(struct message_writer *t, struct jv part)
{
	if (!jv_is(jv_member(part, "type"), STR("step-start")))
		emit_content(t, part);
}

static void add_parts(struct message_writer *t, struct jv parts)
{
	if (parts.kind != J_ARRAY)
		add_part(t, parts);
	JV_ITEMS(part, parts)
		add_part(t, part);
}

/* Types that only this SDK has, by the members that they must have. */
static bool is_own_part(const struct vercel_part *v)
{
	if (v->tool_call_id.kind == J_STRING &&
		(str_starts(jv_plain(v->type), STR("tool-")) ||
			jv_is(v->type, STR("dynamic-tool"))))
		return true;
	if (jv_is(v->type, STR("file")))
		return v->media_type.kind == J_STRING || v->mime_type.kind == J_STRING;
	if (jv_is(v->type, STR("image")))
		return v->image.kind != J_NONE;
	return jv_is(v->type, STR("step-start")) ||
	       jv_is(v->type, STR("tool-invocation")) ||
	       (jv_is(v->type, STR("reasoning")) &&
		       (v->text.kind == J_STRING || v->reasoning.kind == J_STRING));
}

enum vercel_parts { PARTS_NOT, PARTS_PLAIN, PARTS_OWN };

/* Whether all are parts of this SDK; whether one of them can be of no other. */
static enum vercel_parts parts_of(struct jv list)
{
	enum vercel_parts found = PARTS_PLAIN;

	if (list.kind != J_ARRAY)
		return PARTS_NOT;
	JV_EACH(part, list) {
		struct vercel_part v;
		struct str type;

		JV_READ(part, vercel_part, &v);
		type = jv_plain(v.type);
		if (is_own_part(&v))
			found = PARTS_OWN;
		else if (!str_starts(type, STR("source-")) &&
			 !str_starts(type, STR("data-")) &&
			 (!jv_is(v.type, STR("text")) || v.text.kind != J_STRING))
			return PARTS_NOT;
	}
	return found;
}

/* ---- messages ---- */

JV_RECORD(
	vercel_message, role, content, parts, tool_invocations, tool_calls, tool_call_id);

/* The content may be an object that has the parts (Mastra). */
static void read_message(struct jv message, struct vercel_message *v)
{
	struct vercel_message inner;

	JV_READ(message, vercel_message, v);
	if (v->content.kind != J_OBJECT || v->parts.kind != J_NONE)
		return;
	JV_READ(v->content, vercel_message, &inner);
	if (inner.parts.kind == J_ARRAY)
		v->parts = inner.parts;
}

static enum vercel_parts message_of(const struct vercel_message *v)
{
	if (v->role.kind != J_STRING || !jv_null(v->tool_calls) ||
		!jv_null(v->tool_call_id))
		return PARTS_NOT;
	if (v->tool_invocations.kind == J_ARRAY)
		return PARTS_OWN;
	if (v->parts.kind == J_ARRAY && parts_of(v->parts) != PARTS_NOT)
		return jv_empty(v->parts) ? PARTS_PLAIN : PARTS_OWN;
	if (v->parts.kind == J_NONE && v->content.kind == J_STRING)
		return PARTS_PLAIN;
	return v->parts.kind == J_NONE ? parts_of(v->content) : PARTS_NOT;
}

/* In version 4 parts repeat what stands beside them. */
static void add_message(struct message_writer *t, struct jv message)
{
	struct vercel_message v;

	read_message(message, &v);
	if (v.parts.kind != J_ARRAY || jv_empty(v.parts)) {
		emit_add_raw(t, message);
		return;
	}
	emit_begin(t, v.role, "user");
	add_parts(t, v.parts);
	emit_content(t, jv_member(message, "experimental_attachments"));
	emit_end(t);
}

/* Those of others are read as they are anywhere. */
static void add_messages(struct message_writer *t, struct jv list)
{
	struct vercel_message v;

	JV_EACH(item, list) {
		read_message(item, &v);
		if (message_of(&v) == PARTS_OWN)
			add_message(t, item);
		else
			body_add_message(t, item, "user");
	}
}

static bool read_messages(struct message_writer *t, struct jv value)
{
	struct vercel_message v;
	bool own = false;

	read_message(value, &v);
	if (message_of(&v) == PARTS_OWN) {
		add_message(t, value);
		return true;
	}
	/* all are messages that may be of this SDK, and one can be of no other */
	JV_ITEMS(item, value) {
		enum vercel_parts found;

		read_message(item, &v);
		found = message_of(&v);
		if (found == PARTS_NOT)
			return false;
		own = own || found == PARTS_OWN;
	}
	if (own)
		add_messages(t, value);
	return own;
}

/* Parts without a speaker. */
static bool read_parts(struct message_writer *t, struct jv value, enum prefer side)
{
	struct vercel_part v;

	JV_READ(value, vercel_part, &v);
	if (!is_own_part(&v) && parts_of(value) != PARTS_OWN)
		return false;
	emit_begin(t, JV_NONE, side_speaker(side));
	add_parts(t, value);
	emit_end(t);
	return true;
}

/* ---- values of spans ---- */

/* Calls without a type, as ai.response.toolCalls lists them. */
static bool are_calls(struct jv list)
{
	struct vercel_part v;

	if (list.kind != J_ARRAY || jv_empty(list))
		return false;
	JV_EACH(item, list) {
		JV_READ(item, vercel_part, &v);
		if (v.tool_call_id.kind != J_STRING || v.tool_name.kind != J_STRING)
			return false;
	}
	return true;
}

JV_RECORD(vercel_prompt, system, prompt, messages);

/*
 * ai.prompt: {"system": …, "prompt": …} or {"system": …, "messages": […]}; either may be
 * messages.  A prompt alone may be anybody's.
 */
static bool read_prompt(struct message_writer *t, struct jv value, bool sure)
{
	struct vercel_prompt v;
	struct jv said;

	JV_READ(value, vercel_prompt, &v);
	said = jv_null(v.messages) ? v.prompt : v.messages;
	if (said.kind != J_STRING && !chat_is_messages_array(said))
		return false;
	if (!sure && (!content_only(value, vercel_prompt_names, 3) ||
			     (v.system.kind != J_STRING && said.kind == J_STRING)))
		return false;
	body_say(t, "system", v.system);
	if (said.kind == J_STRING)
		body_say(t, "user", said);
	else
		add_messages(t, said);
	return true;
}

#define VERCEL_ATTRIBUTES(X)                                                             \
	X(prompt, "ai.prompt")                                                           \
	X(messages, "ai.prompt.messages")                                                \
	X(tools, "ai.prompt.tools")                                                      \
	X(text, "ai.response.text")                                                      \
	X(reasoning, "ai.response.reasoning")                                            \
	X(calls, "ai.response.toolCalls")                                                \
	X(object, "ai.response.object")                                                  \
	X(tool_name, "ai.toolCall.name")                                                 \
	X(tool_id, "ai.toolCall.id")                                                     \
	X(tool_args, "ai.toolCall.args")                                                 \
	X(tool_result, "ai.toolCall.result")
ATTRIBUTES_RECORD(vercel_attributes, VERCEL_ATTRIBUTES);

/* Tools are a list, and each is JSON in a string again. */
static void write_tool(struct buf *out, struct jv tool, struct arena *arena)
{
	json_copy_value(out, side_open_string(tool, arena));
}

static bool read_input(
	struct message_writer *t, struct jv attributes, const struct vercel_attributes *v)
{
	size_t before = t->count;
	struct jv messages = side_open_string(v->messages, t->arena);

	if (chat_is_messages_array(messages))
		add_messages(t, messages);
	else if (!read_prompt(t, side_open_string(v->prompt, t->arena), true))
		body_say(t, "user", v->prompt);
	if (t->count == before && v->tool_name.kind == J_STRING) {
		emit_begin(t, JV_NONE, "assistant");
		emit_call(t, v->tool_id, v->tool_name, v->tool_args);
		emit_end(t);
	}
	if (t->count == before)
		return false;
	t->tools = attributes_rewritten(
		side_open_string(v->tools, t->arena), write_tool, t->arena);
	t->parameters = attributes_below(attributes, "ai.settings", t->arena);
	return true;
}

static bool read_output(struct message_writer *t, const struct vercel_attributes *v)
{
	struct jv calls = side_open_string(v->calls, t->arena);
	struct jv object = side_open_string(v->object, t->arena);

	if (v->text.kind != J_NONE || v->calls.kind != J_NONE ||
		v->object.kind != J_NONE) {
		emit_begin(t, JV_NONE, "assistant");
		emit_thinking(t, v->reasoning);
		if (!jv_empty(v->text))
			emit_text(t, v->text);
		if (object.kind == J_OBJECT || object.kind == J_ARRAY)
			emit_block(t, object);
		else
			emit_content(t, v->object);
		if (!are_calls(calls))
			emit_content(t, calls);
		emit_end_calls(t, are_calls(calls) ? calls : JV_NONE);
		return true;
	}
	if (v->tool_name.kind != J_STRING || v->tool_result.kind == J_NONE)
		return false;
	emit_begin(t, JV_NONE, "tool");
	emit_result(t, v->tool_id, v->tool_name,
		attributes_unquoted(v->tool_result, t->arena), false);
	emit_end(t);
	return true;
}

static bool vercel_read(struct message_writer *t, struct jv value, enum prefer side)
{
	struct chunk_stream stream = {0};
	struct vercel_attributes v;
	bool input, output;

	if (is_stream(value)) { /* all of it is one message */
		JV_EACH(chunk, value)
			if (!jv_is(chunk, STR("[DONE]")))
				add_chunk(&stream, chunk);
		joint_say(&stream.joining, t);
		t->error = stream.error;
		intern_done(&stream.ids);
		mem_free(stream.known);
		return true;
	}
	if (read_messages(t, value))
		return true;
	if (are_calls(value)) {
		emit_begin(t, JV_NONE, "assistant");
		emit_end_calls(t, value);
		return true;
	}
	if (read_parts(t, value, side))
		return true;
	if (t->named && (chat_is_message(value) || chat_is_messages_array(value))) {
		/* without any sign, where the reader knows whose they are */
		if (value.kind == J_OBJECT)
			body_add_message(t, value, "user");
		else
			add_messages(t, value);
		return true;
	}
	if (read_prompt(t, value, t->named))
		return true;
	ATTRIBUTES_READ(value, vercel_attributes, &v, t->arena);
	input = side != PREFER_OUTPUT && read_input(t, value, &v);
	output = side != PREFER_INPUT && read_output(t, &v);
	return input || output;
}

const struct dialect dialect_vercel = {"vercel", vercel_read};
