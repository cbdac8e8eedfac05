/*
 * OpenInference: attributes of a span, flat ("llm.input_messages.0.message.role"), nested
 * (Phoenix: {"llm": {"input_messages": [{"message": {…}}]}}), or a list whose items have
 * dots in their keys.  attributes_at makes them alike.
 */
#include "config.h"
#include "dialect/dialect.h"

#include "dialect/attributes.h"
#include "dialect/body.h"
#include "json/json.h"

/* ---- one message ---- */

static void add_image(struct message_writer *t, struct jv content)
{
	static const char *const places[] = {"message_content.image.image.url",
		"message_content.image.url", "message_content.image"};
	struct jv url = JV_NONE;

	for (size_t i = 0; i < 3 && url.kind == J_NONE; i++)
		url = attributes_at(content, places[i]);
	if (url.kind == J_STRING)
		emit_image_url(t, url);
	else
		emit_block(t, content);
}

static struct jv thought_in(struct jv content)
{
	static const char *const places[] = {"message_content.text",
		"message_content.reasoning", "message_content.reasoning.text",
		"message_content.thinking"};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct jv text = attributes_at(content, places[i]);

		if (text.kind == J_STRING)
			return text;
	}
	return JV_NONE;
}

static void add_contents(struct message_writer *t, struct jv message)
{
	struct jv contents = attributes_at(message, "message.contents");

	emit_thinking(t, attributes_at(message, "message.reasoning_content"));
	emit_content(
		t, content_open(attributes_at(message, "message.content"), t->arena));
	JV_EACH(item, contents) {
		struct jv type = attributes_at(item, "message_content.type");
		struct jv text = attributes_at(item, "message_content.text");

		if (jv_is(type, STR("image")))
			add_image(t, item);
		else if ((jv_is(type, STR("reasoning")) ||
				 jv_is(type, STR("thinking"))) &&
			 thought_in(item).kind == J_STRING)
			emit_thinking(t, thought_in(item));
		else if (text.kind == J_STRING)
			emit_text(t, text);
		else
			emit_block(t, item);
	}
}

static void write_content(struct buf *out, struct jv item, struct arena *arena)
{
	struct jv text = attributes_at(item, "message_content.text");

	(void)arena;
	json_copy_value(out, text.kind == J_STRING ? text : item);
}

static bool is_message(struct jv item)
{
	static const char *const signs[] = {"message.role", "message.content",
		"message.contents", "message.tool_calls"};

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (attributes_at(item, signs[i]).kind != J_NONE)
			return true;
	return false;
}

static bool add_messages(struct message_writer *t, struct jv list, enum prefer side)
{
	size_t before = t->count;

	JV_EACH(item, list) {
		struct jv role = attributes_at(item, "message.role");
		struct jv id = attributes_at(item, "message.tool_call_id");
		struct jv content = attributes_at(item, "message.content");
		struct jv contents = attributes_at(item, "message.contents");
		struct jv name = attributes_at(item, "message.function_call_name");

		if (!is_message(item))
			continue;
		emit_begin(t, role, side_speaker(side));
		if (id.kind != J_NONE || jv_is(role, STR("tool"))) {
			/* what a tool gave stands as content or as contents */
			if (content.kind == J_NONE && !jv_empty(contents))
				content = attributes_rewritten(
					contents, write_content, t->arena);
			emit_result(t, id, attributes_at(item, "message.name"), content,
				false);
		} else {
			add_contents(t, item);
		}
		JV_EACH(call, attributes_at(item, "message.tool_calls")) {
			struct jv function =
				attributes_at(call, "tool_call.function.name");

			if (function.kind != J_STRING)
				emit_block(t, call);
			else
				emit_call(t, attributes_at(call, "tool_call.id"),
					function,
					attributes_at(
						call, "tool_call.function.arguments"));
		}
		if (name.kind == J_STRING)
			emit_call(t, JV_NONE, name,
				attributes_at(
					item, "message.function_call_arguments_json"));
		emit_end(t);
	}
	return t->count > before;
}

/* ---- completions: texts that are no messages ---- */

static bool add_texts(
	struct message_writer *t, struct jv list, const char *path, enum prefer side)
{
	size_t before = t->count;

	JV_EACH(item, list) {
		struct jv text = item.kind == J_STRING ? item : attributes_at(item, path);

		if (text.kind != J_STRING)
			continue;
		emit_text_of(t, side_speaker(side), text);
	}
	return t->count > before;
}

/* ---- the span ---- */

/* A tool is its schema, or what else is said of it. */
static void write_tool(struct buf *out, struct jv tool, struct arena *arena)
{
	struct jv schema = attributes_at(tool, "tool.json_schema");

	json_copy_value(
		out, schema.kind == J_NONE ? tool : side_open_string(schema, arena));
}

static bool read_input(struct message_writer *t, struct jv attributes)
{
	static const char *const name = "llm.invocation_parameters";
	struct jv given = attributes_at(attributes, name);

	if (!add_messages(t, attributes_list(attributes, "llm.input_messages", t->arena),
		    PREFER_INPUT) &&
		!add_texts(t, attributes_list(attributes, "llm.prompts", t->arena),
			"prompt.text", PREFER_INPUT))
		return false;
	t->tools = attributes_rewritten(
		attributes_list(attributes, "llm.tools", t->arena), write_tool, t->arena);
	if (given.kind == J_NONE)
		attributes_get(attributes, &name, &given, 1, t->arena);
	given = side_open_string(given, t->arena);
	t->parameters = given.kind == J_OBJECT ? given : JV_NONE;
	return true;
}

static bool openinference_read(
	struct message_writer *t, struct jv value, enum prefer side)
{
	static const char *const names[] = {"message", "message.role", "message.content",
		"message.contents", "message.tool_calls", "message.tool_call_id",
		"message.name", "message.finish_reason"};
	bool input, output, list = value.kind == J_ARRAY && !jv_empty(value);

	/* a list of messages that stands without its attribute's name */
	JV_ITEMS(item, list ? value : JV_NONE) {
		list = content_only(item, names, 8) && is_message(item);
		if (!list)
			break;
	}
	if (list)
		return add_messages(t, value, side);
	input = side != PREFER_OUTPUT && read_input(t, value);
	output = side != PREFER_INPUT &&
		 (add_messages(t, attributes_list(value, "llm.output_messages", t->arena),
			  PREFER_OUTPUT) ||
			 add_texts(t, attributes_list(value, "llm.choices", t->arena),
				 "completion.text", PREFER_OUTPUT));
	return input || output;
}

const struct dialect dialect_openinference = {"openinference", openinference_read};
