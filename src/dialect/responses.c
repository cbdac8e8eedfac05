/*
 * OpenAI's Responses: items, of which messages are but one kind.  What an assistant
 * thinks, calls and says in a row is one message; so are the results of several calls.
 * A call that the server answers itself bears its result.
 */
#include "config.h"
#include "dialect/dialect.h"

#include "dialect/body.h"
#include "dialect/chunk.h"

/* ---- items ---- */

struct writing {
	struct message_writer *writer;
	const char *open; /* who says the message that is being written, or NULL */
	bool said;        /* it has the content of a message item */
};

/* Ends the message that is being written, and begins another, unless `who` is NULL. */
static void next_message(struct writing *w, const char *who)
{
	emit_end(w->writer);
	w->open = who;
	w->said = false;
	if (who)
		emit_begin(w->writer, JV_NONE, who);
}

/* What the model says joins its thoughts; a second message is one of its own.  Calls and
 * thoughts beside the content are Chat Completions', whose messages come in between. */
static void add_message(struct writing *w, struct jv message, enum prefer side)
{
	bool other;

	JV_MEMBERS(v, message, tool_calls, function_call, reasoning_content, reasoning,
		refusal, audio, role, content);
	other = !jv_is(v.role, STR("assistant")) &&
		(v.role.kind == J_STRING || side != PREFER_OUTPUT);
	for (size_t i = 0; i < 6; i++)
		other = other || !jv_empty(v.all[i]);
	if (other) {
		next_message(w, NULL);
		body_add_message(w->writer, message, side_speaker(side));
		return;
	}
	if (!w->open || strcmp(w->open, "assistant") != 0 || w->said)
		next_message(w, "assistant");
	w->said = true;
	emit_content(w->writer, v.content);
}

static void add_items(struct message_writer *t, struct jv array, enum prefer side)
{
	struct writing w = {.writer = t};

	JV_EACH(item, array) {
		unsigned conventions = block_conventions(item);
		const char *who = conventions & BLOCK_RESULT ? "tool" : "assistant";

		if (jv_null(item))
			continue;
		if (conventions & BLOCK_ITEM) {
			if (!w.open || strcmp(w.open, who) != 0)
				next_message(&w, who);
			emit_block(t, item);
		} else if (jv_member(item, "content").kind != J_NONE) {
			add_message(&w, item, side);
		} else if (side == PREFER_OUTPUT) {
			if (!w.open)
				emit_begin(t, JV_NONE, side_speaker(side));
			emit_block(t, item);
		} else {
			next_message(&w, side_speaker(side));
			emit_block(t, item);
			next_message(&w, NULL);
		}
	}
	emit_end(t);
}

/* Some item, or a message that is written so, and little else. */
static bool are_items(struct jv array)
{
	size_t own = 0, known = 0, count = 0;

	JV_ITEMS(item, array) {
		bool is = block_conventions(item) & BLOCK_ITEM ||
			  body_is_message_of(item, BLOCK_RESPONSES, BLOCK_OPENAI);

		if (count == CENSUS_MOST)
			break;
		own += is;
		known += is || body_is_message(item);
		count++;
	}
	return own && known * 2 >= count;
}

/* ---- bodies ---- */

JV_RECORD(responses_body, input, model, instructions, tools, output, object, error);

/* Instructions are a text, or items as in the input. */
static void add_instructions(struct message_writer *t, struct jv instructions)
{
	if (instructions.kind == J_ARRAY)
		add_items(t, instructions, PREFER_INPUT);
	else
		body_say(t, "system", instructions);
}

static bool read_request(
	struct message_writer *t, struct jv body, const struct responses_body *v)
{
	static const char *const known[] = {
		"input", "instructions", "tools", "model", NULL};

	if (v->output.kind == J_ARRAY || jv_empty(v->input))
		return false;
	/* a text says that it is a request if a model is named with it, and more */
	if (v->input.kind == J_STRING
			? v->model.kind != J_STRING && v->instructions.kind != J_STRING
			: !are_items(v->input) && !body_are_messages(v->input, 0))
		return false;
	add_instructions(t, v->instructions);
	if (v->input.kind == J_STRING)
		body_say(t, "user", v->input);
	else
		add_items(t, v->input, PREFER_INPUT);
	if (!jv_empty(v->tools))
		t->tools = v->tools;
	parameters_say(t, &body, 1, known, false);
	emit_of_body(t, body);
	return true;
}

/* What a response repeats of its request. */
static void add_repeated(
	struct message_writer *t, struct jv body, const struct responses_body *v)
{
	static const char *const settings[] = {"temperature", "top_p",
		"max_output_tokens", "max_tool_calls", "tool_choice",
		"parallel_tool_calls", "reasoning", "text", "truncation", "service_tier",
		"top_logprobs", "presence_penalty", "frequency_penalty",
		"previous_response_id", "prompt", NULL};

	if (!jv_empty(v->tools))
		t->tools = v->tools;
	parameters_say(t, &body, 1, settings, true);
}

static bool read_response(struct message_writer *t, struct jv body,
	const struct responses_body *v, enum prefer side)
{
	if (!jv_is(v->object, STR("response")) &&
		(v->output.kind != J_ARRAY || !are_items(v->output)))
		return false;
	if (side != PREFER_OUTPUT)
		add_instructions(t, v->instructions);
	add_items(t, v->output, PREFER_OUTPUT);
	add_repeated(t, body, v);
	body_add_error(t, body);
	return true;
}

/* ---- events ---- */

static bool is_event(struct jv event)
{
	JV_MEMBERS(v, event, type, response, output_index, item_id);
	if (!str_starts(jv_plain(v.type), STR("response.")))
		return false;
	return v.response.kind == J_OBJECT || v.output_index.kind == J_NUMBER ||
	       v.item_id.kind == J_STRING;
}

/* ---- all ---- */

static bool read(struct message_writer *t, struct jv value, enum prefer side)
{
	struct responses_body v;
	struct jv last = JV_NONE;

	if (value.kind == J_OBJECT) {
		JV_READ(value, responses_body, &v);
		if (body_is_message_of(value, BLOCK_RESPONSES, BLOCK_OPENAI)) {
			body_add_message(t, value, side_speaker(side));
			return true;
		}
		return read_response(t, value, &v, side) || read_request(t, value, &v) ||
		       body_join(t, value, is_event) || body_is_error(t, value) ||
		       body_say_blocks(t, value, BLOCK_RESPONSES, side);
	}
	if (value.kind != J_ARRAY)
		return false;
	if (are_items(value)) {
		add_items(t, value, side);
		return true;
	}
	if (!body_join(t, value, is_event))
		return body_say_blocks(t, value, BLOCK_RESPONSES, side);
	/* what the last event that has the response repeats of its request */
	JV_EACH(event, value) {
		struct jv response = jv_member(event, "response");

		last = response.kind == J_OBJECT ? response : last;
	}
	JV_READ(last, responses_body, &v);
	add_repeated(t, last, &v);
	return true;
}

const struct dialect dialect_responses = {.name = "responses", .read = read};
