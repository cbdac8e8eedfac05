/*
 * Amazon Bedrock's Converse: blocks that are named by their only key, system text and
 * tools beside the messages.  What is invoked by the model's own interface is of the
 * dialect of its maker; those of which there is none (Titan, Llama, Mistral as
 * completions) have but a text.
 */
#include "config.h"
#include "dialect/dialect.h"

#include "dialect/body.h"
#include "dialect/chunk.h"

/* ---- requests ---- */

static bool read_request(struct message_writer *t, struct jv body)
{
	static const char *const known[] = {"messages", "system", "tool_config",
		"inference_config", "model_id", "tools", NULL};
	struct jv tools;

	JV_MEMBERS(v, body, messages, system, tool_config, inference_config);
	if (!body_are_messages(v.messages, BLOCK_BEDROCK))
		return false;
	body_say(t, "system", v.system);
	body_add_messages(t, v.messages, PREFER_INPUT);
	tools = jv_member(v.tool_config, "tools");
	if (!jv_empty(tools))
		t->tools = tools;
	parameters_say(t, (struct jv[]){v.inference_config, v.tool_config, body}, 3,
		known, false);
	return true;
}

/* ---- responses ---- */

static bool read_response(struct message_writer *t, struct jv body)
{
	struct jv message, content;

	JV_MEMBERS(v, body, output, stop_reason);
	message = jv_member(v.output, "message");
	content = jv_member(message, "content");
	if (content.kind != J_ARRAY ||
		(v.stop_reason.kind != J_STRING && jv_count(v.output, 2) != 1 &&
			!body_is_message_of(message, BLOCK_BEDROCK, 0)))
		return false;
	if (jv_empty(content) && !jv_empty(v.stop_reason) &&
		!jv_is(v.stop_reason, STR("end_turn")))
		emit_refuse(t, v.stop_reason);
	else
		body_add_message(t, message, "assistant");
	return true;
}

/* ---- completions ---- */

/* A text to complete, and a member that only such a request has. */
static bool read_prompt(struct message_writer *t, struct jv body)
{
	static const char *const known[] = {
		"input_text", "prompt", "text_generation_config", NULL};

	JV_MEMBERS(v, body, input_text, prompt, text_generation_config, max_gen_len);
	if (v.input_text.kind == J_STRING && v.text_generation_config.kind == J_OBJECT)
		body_say(t, "user", v.input_text);
	else if (v.prompt.kind == J_STRING && v.max_gen_len.kind == J_NUMBER)
		body_say(t, "user", v.prompt);
	else
		return false;
	parameters_say(t, (struct jv[]){v.text_generation_config, body}, 2, known, false);
	return true;
}

/* Of a list of completions the first has its text, and why it ended. */
static bool add_completions(struct message_writer *t, struct jv list)
{
	JV_MEMBERS(v, jv_first(list), output_text, text, completion_reason, stop_reason);
	if ((v.output_text.kind != J_STRING || v.completion_reason.kind == J_NONE) &&
		(v.text.kind != J_STRING || v.stop_reason.kind == J_NONE))
		return false;
	JV_EACH(item, list) {
		struct jv text = jv_member(item, "output_text");

		body_say(t, "assistant",
			text.kind == J_STRING ? text : jv_member(item, "text"));
	}
	return true;
}

static bool read_completion(struct message_writer *t, struct jv body)
{
	JV_MEMBERS(v, body, generation, stop_reason, results, outputs);
	if (v.generation.kind == J_STRING && v.stop_reason.kind != J_NONE) {
		body_say(t, "assistant", v.generation);
		return true;
	}
	return add_completions(t, v.results) || add_completions(t, v.outputs);
}

/* ---- errors ---- */

/* {"__type": "ValidationException", "message": …}, or what a library makes of it. */
static bool read_error(struct message_writer *t, struct jv body)
{
	JV_MEMBERS(v, body, message, __type, Error);
	if (v.message.kind == J_STRING && v.__type.kind == J_STRING)
		t->error = body;
	else if (jv_member(v.Error, "Message").kind == J_STRING &&
		 jv_member(v.Error, "Code").kind == J_STRING)
		t->error = v.Error;
	else
		return false;
	return true;
}

/* ---- all ---- */

static bool is_event(struct jv event)
{
	return chunk_kind(event) == CHUNK_BEDROCK || chunk_is_exception(event);
}

static bool read(struct message_writer *t, struct jv value, enum prefer side)
{
	if (value.kind == J_ARRAY)
		return body_read_messages(t, value, BLOCK_BEDROCK, side) ||
		       body_join(t, value, is_event) ||
		       body_say_blocks(t, value, BLOCK_BEDROCK, side);
	if (value.kind != J_OBJECT)
		return false;
	if (body_is_message_of(value, BLOCK_BEDROCK, 0)) {
		body_add_message(t, value, side_speaker(side));
		return true;
	}
	return read_request(t, value) || read_response(t, value) ||
	       body_join(t, value, is_event) || read_error(t, value) ||
	       (block_conventions(value) == BLOCK_BEDROCK &&
		       body_say_blocks(t, value, BLOCK_BEDROCK, side)) ||
	       read_prompt(t, value) || read_completion(t, value);
}

const struct dialect dialect_bedrock = {.name = "bedrock", .read = read};
