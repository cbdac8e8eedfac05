/*
 * Anthropic's Messages, and the completions before them: system text beside the messages,
 * blocks of content, tool results in what the user says, refusals as a reason to stop.
 */
#include "config.h"
#include "dialect/dialect.h"

#include "dialect/body.h"
#include "dialect/chunk.h"

JV_RECORD(anthropic_body, type, role, content, messages, system, tools, stop_reason,
	stop_details, prompt, completion, max_tokens_to_sample, usage);

/* ---- requests ---- */

static bool read_request(
	struct message_writer *t, struct jv body, const struct anthropic_body *v)
{
	static const char *const known[] = {
		"messages", "model", "system", "tools", "prompt", NULL};

	/* what only requests of OpenAI's and of Ollama's have, and answers beside them */
	JV_MEMBERS(others, body, choices, functions, options, response_format);
	for (size_t i = 0; i < 4; i++)
		if (!jv_null(others.all[i]))
			return false;
	if (body_are_messages(v->messages, 0)) {
		body_say(t, "system", v->system);
		body_add_messages(t, v->messages, PREFER_INPUT);
	} else if (v->prompt.kind == J_STRING &&
		   v->max_tokens_to_sample.kind == J_NUMBER) {
		body_say(t, "user", v->prompt);
	} else {
		return false;
	}
	if (!jv_empty(v->tools))
		t->tools = v->tools;
	parameters_of_request(t, body, known);
	emit_of_body(t, body);
	return true;
}

/* ---- responses ---- */

static bool read_response(
	struct message_writer *t, struct jv body, const struct anthropic_body *v)
{
	struct jv why = jv_member(v->stop_details, "explanation");
	bool message = !jv_null(v->content) && v->role.kind == J_STRING &&
		       (jv_is(v->type, STR("message")) || v->stop_reason.kind != J_NONE);

	if (message && jv_is(v->stop_reason, STR("refusal"))) {
		/* what was said is not the message as it stands */
		emit_begin(t, v->role, "assistant");
		emit_content(t, v->content);
		emit_refusal(t, jv_empty(why) ? v->stop_reason : why);
		emit_end(t);
	} else if (message) {
		body_add_message(t, body, "assistant");
	} else if (v->completion.kind == J_STRING && v->stop_reason.kind != J_NONE) {
		body_say(t, "assistant", v->completion);
	} else {
		return false;
	}
	return true;
}

/* ---- events ---- */

static bool is_event(struct jv event)
{
	return chunk_kind(event) == CHUNK_ANTHROPIC ||
	       (jv_is(jv_member(event, "type"), STR("error")) &&
		       !jv_null(jv_member(event, "error")));
}

/* ---- all ---- */

static bool read(struct message_writer *t, struct jv value, enum prefer side)
{
	struct anthropic_body v;

	if (value.kind == J_ARRAY)
		return body_read_messages(t, value, 0, side) ||
		       body_join(t, value, is_event) ||
		       body_say_blocks(t, value, BLOCK_ANTHROPIC, side);
	if (value.kind != J_OBJECT)
		return false;
	JV_READ(value, anthropic_body, &v);
	return body_is_error(t, value) || read_response(t, value, &v) ||
	       read_request(t, value, &v) || body_read_message(t, value, side) ||
	       body_join(t, value, is_event) ||
	       body_say_blocks(t, value, BLOCK_ANTHROPIC, side);
}

const struct dialect dialect_anthropic = {.name = "anthropic", .read = read};
