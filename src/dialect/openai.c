/*
 * OpenAI's Chat Completions and what looks like them: DeepSeek, Groq, xAI, Mistral,
 * OpenRouter, LiteLLM (the same bodies, with reasoning of their own), Cohere v2 and
 * Ollama (a message beside the facts of the response), and completions of a prompt.
 */
#include "config.h"
#include "dialect/dialect.h"

#include "dialect/body.h"
#include "dialect/chunk.h"

JV_RECORD(openai_body, messages, choices, prompt, model, system, images, tools, functions,
	message, response, thinking, done, finish_reason, id, usage);

/* ---- choices ---- */

static bool is_silent(struct jv message)
{
	JV_MEMBERS(v, message, content, tool_calls, function_call, refusal, audio,
		reasoning_content, reasoning);
	return JV_PICK(v.all, jv_is_filled).kind == J_NONE;
}

static void add_choices(struct message_writer *t, struct jv choices)
{
	JV_EACH(choice, choices) {
		struct jv message;

		JV_MEMBERS(v, choice, message, delta, text, finish_reason);
		message = v.message.kind == J_OBJECT ? v.message : v.delta;
		body_add_error(t, choice);
		if (jv_is(v.finish_reason, STR("content_filter")) && is_silent(message) &&
			jv_empty(v.text))
			emit_refuse(t, v.finish_reason);
		else if (message.kind == J_OBJECT)
			body_add_message(t, message, "assistant");
		else
			body_say(t, "assistant", v.text);
	}
}

static bool is_choice(struct jv choice)
{
	JV_MEMBERS(v, choice, message, text, finish_reason, index);
	return (v.message.kind == J_OBJECT || v.text.kind == J_STRING) &&
	       (v.finish_reason.kind != J_NONE || v.index.kind == J_NUMBER);
}

/* ---- events ---- */

/* A line of Ollama's, of which the last has no text left. */
static bool is_line(struct jv line)
{
	struct openai_body v;

	JV_READ(line, openai_body, &v);
	return v.model.kind == J_STRING &&
	       (v.done.kind == J_TRUE || v.done.kind == J_FALSE) &&
	       (v.message.kind == J_OBJECT || v.response.kind == J_STRING);
}

static bool is_event(struct jv event)
{
	static const char *const cohere[] = {"message-start", "content-start",
		"content-delta", "tool-plan-delta", "tool-call-start"};

	JV_MEMBERS(v, event, object, choices, type, delta);
	if (jv_is(v.object, STR("chat.completion.chunk")) ||
		(v.object.kind == J_STRING && jv_empty(v.object)))
		return v.choices.kind == J_ARRAY;
	return jv_member(jv_first(v.choices), "delta").kind == J_OBJECT ||
	       (JV_AMONG(v.type, cohere) &&
		       jv_member(v.delta, "message").kind == J_OBJECT) ||
	       is_line(event) ||
	       (jv_is(v.object, STR("text_completion")) && v.choices.kind == J_ARRAY);
}

/* ---- requests ---- */

/* A prompt to complete: a text or several, not tokens. */
static bool is_prompt(struct jv prompt)
{
	if (prompt.kind == J_STRING)
		return true;
	if (prompt.kind != J_ARRAY || jv_empty(prompt))
		return false;
	JV_EACH(item, prompt)
		if (item.kind != J_STRING)
			return false;
	return true;
}

static bool read_request(
	struct message_writer *t, struct jv body, const struct openai_body *v)
{
	static const char *const known[] = {"messages", "prompt", "model", "system",
		"images", "tools", "functions", "options", "choices", NULL};
	bool messages = body_are_messages(v->messages, 0);

	if (!messages && (!is_prompt(v->prompt) || v->model.kind != J_STRING))
		return false;
	body_say(t, "system", v->system);
	if (messages) {
		body_add_messages(t, v->messages, PREFER_INPUT);
	} else if (v->prompt.kind == J_ARRAY) {
		body_add_messages(t, v->prompt, PREFER_INPUT);
	} else if (v->images.kind == J_ARRAY) {
		emit_begin(t, JV_NONE, "user");
		emit_text(t, v->prompt);
		JV_EACH(item, v->images)
			if (item.kind == J_STRING)
				emit_image_data(t, item);
		emit_end(t);
	} else {
		body_say(t, "user", v->prompt);
	}
	t->tools = jv_empty(v->tools) ? v->functions : v->tools;
	if (jv_empty(t->tools))
		t->tools = JV_NONE;
	parameters_of_request(t, body, known);
	emit_of_body(t, body);
	return true;
}

/* ---- responses ---- */

static bool read_response(
	struct message_writer *t, struct jv body, const struct openai_body *v)
{
	/* Cohere and Ollama: the message is an assistant's and has facts beside it */
	bool facts = v->finish_reason.kind == J_STRING || v->done.kind == J_TRUE ||
		     v->done.kind == J_FALSE || v->usage.kind == J_OBJECT;

	if (is_choice(jv_first(v->choices))) {
		add_choices(t, v->choices);
	} else if (facts && body_is_message(v->message) &&
		   jv_is(jv_member(v->message, "role"), STR("assistant"))) {
		body_add_message(t, v->message, "assistant");
	} else if (is_line(body)) {
		emit_begin(t, JV_NONE, "assistant");
		if (!jv_empty(v->thinking))
			emit_thinking(t, v->thinking);
		emit_text(t, v->response);
		emit_end(t);
	} else {
		return false;
	}
	body_add_error(t, body);
	return true;
}

/* Of a log that has both in one object the side is chosen, if it is there. */
static bool read_body(struct message_writer *t, struct jv body, enum prefer side)
{
	struct openai_body v;
	bool asked = false, answered = false;

	JV_READ(body, openai_body, &v);
	if (side != PREFER_OUTPUT || v.choices.kind != J_ARRAY)
		asked = read_request(t, body, &v);
	if (side != PREFER_INPUT || !asked)
		answered = read_response(t, body, &v);
	return asked || answered;
}

/* ---- all ---- */

static bool read(struct message_writer *t, struct jv value, enum prefer side)
{
	struct census c;

	if (value.kind == J_OBJECT)
		return body_read_message(t, value, side) || read_body(t, value, side) ||
		       body_join(t, value, is_event) || body_is_error(t, value) ||
		       body_say_blocks(t, value, BLOCK_OPENAI, side);
	if (value.kind != J_ARRAY)
		return false;
	if (body_read_messages(t, value, 0, side))
		return true;
	if (is_choice(jv_first(value))) {
		add_choices(t, value);
		return true;
	}
	if (body_join(t, value, is_event))
		return true;
	census_take(&c, value);
	if (!c.items || c.calls != c.items)
		return body_say_blocks(t, value, BLOCK_OPENAI, side);
	emit_begin(t, JV_NONE, "assistant");
	emit_end_calls(t, value);
	return true;
}

const struct dialect dialect_openai = {.name = "openai", .read = read};
