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

enum whose { NOBODY, MODEL, TOOL };

struct writing {
	struct talk *talk;
	enum whose open; /* whose message is being written */
	bool said;       /* it has the content of a message item */
};

/* Of blocks that Chat Completions does not know. */
static bool is_own_message(struct jv message)
{
	return body_is_message_of(message, BLOCK_RESPONSES, BLOCK_OPENAI);
}

static void close_message(struct writing *w)
{
	talk_end(w->talk);
	w->open = NOBODY;
	w->said = false;
}

static void open_message(struct writing *w, enum whose who)
{
	if (w->open == who)
		return;
	close_message(w);
	talk_begin(w->talk, JV_NONE, who == TOOL ? "tool" : "assistant");
	w->open = who;
}

static bool speaks_for_model(struct jv message, enum prefer side)
{
	struct jv role = jv_member(message, "role");

	return jv_is(role, STR("assistant")) ||
	       (role.kind != J_STRING && side == PREFER_OUTPUT);
}

/* Calls and thoughts beside the content are Chat Completions', whose messages come in
 * between. */
static bool has_beside(struct jv message)
{
	JV_MEMBERS(v, message, tool_calls, function_call, reasoning_content, reasoning,
		refusal, audio);
	for (size_t i = 0; i < 6; i++)
		if (!jv_empty(v.all[i]))
			return true;
	return false;
}

/* What the model says joins its thoughts; a second message is one of its own. */
static void add_message(struct writing *w, struct jv message, enum prefer side)
{
	if (!speaks_for_model(message, side) || has_beside(message)) {
		close_message(w);
		body_add_message(w->talk, message, side_speaker(side));
		return;
	}
	if (w->said)
		close_message(w);
	open_message(w, MODEL);
	w->said = true;
	talk_content(w->talk, jv_member(message, "content"));
}

static void add_item(struct writing *w, struct jv item, enum prefer side)
{
	unsigned customs = block_customs(item);

	if (jv_null(item))
		return;
	if (!(customs & BLOCK_ITEM) && jv_member(item, "content").kind != J_NONE) {
		add_message(w, item, side);
	} else if (customs & BLOCK_ITEM) {
		open_message(w, customs & BLOCK_RESULT ? TOOL : MODEL);
		talk_block(w->talk, item);
	} else {
		if (w->open == NOBODY || side != PREFER_OUTPUT) {
			close_message(w);
			talk_begin(w->talk, JV_NONE, side_speaker(side));
		}
		talk_block(w->talk, item);
		if (side != PREFER_OUTPUT)
			close_message(w);
	}
}

static void add_items(struct talk *t, struct jv array, enum prefer side)
{
	struct writing state = {.talk = t};

	JV_EACH(item, array)
		add_item(&state, item, side);
	close_message(&state);
}

/* Some item, or a message that is written so, and little else. */
static bool are_items(struct jv array)
{
	struct jv item;
	size_t own = 0, known = 0, count = 0;

	if (array.kind != J_ARRAY)
		return false;
	for (struct jwalk w = jwalk_of(array);
		count < CENSUS_MOST && jwalk_next(&w, NULL, &item);) {
		bool is = block_customs(item) & BLOCK_ITEM || is_own_message(item);

		own += is;
		known += is || body_is_message(item);
		count++;
	}
	return own && known * 2 >= count;
}

/* ---- bodies ---- */

JV_RECORD(responses_body, input, model, instructions, tools, output, object, error);

/* Instructions are a text, or items as in the input. */
static void add_instructions(struct talk *t, struct jv instructions)
{
	if (instructions.kind == J_ARRAY)
		add_items(t, instructions, PREFER_INPUT);
	else
		body_say(t, "system", instructions);
}

/* A text says that it is a request if a model is named with it, and more. */
static bool is_request(const struct responses_body *v)
{
	if (v->output.kind == J_ARRAY || jv_empty(v->input))
		return false;
	if (v->input.kind == J_STRING)
		return v->model.kind == J_STRING || v->instructions.kind == J_STRING;
	return are_items(v->input) || body_are_messages(v->input);
}

static bool read_request(struct talk *t, struct jv body, const struct responses_body *v)
{
	static const char *const known[] = {
		"input", "instructions", "tools", "model", NULL};

	if (!is_request(v))
		return false;
	add_instructions(t, v->instructions);
	if (v->input.kind == J_STRING)
		body_say(t, "user", v->input);
	else
		add_items(t, v->input, PREFER_INPUT);
	if (!jv_empty(v->tools))
		t->tools = v->tools;
	parameters_say(t, &body, 1, known, false);
	talk_of_body(t, body);
	return true;
}

static bool is_response(const struct responses_body *v)
{
	if (jv_is(v->object, STR("response")))
		return true;
	return v->output.kind == J_ARRAY && are_items(v->output);
}

/* What a response repeats of its request. */
static void add_repeated(struct talk *t, struct jv body, const struct responses_body *v)
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

static bool read_response(
	struct talk *t, struct jv body, const struct responses_body *v, enum prefer side)
{
	if (!is_response(v))
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

/* What the last event that has the response repeats of its request. */
static void add_response(struct talk *t, struct jv events)
{
	struct jv last = JV_NONE;
	struct responses_body v;

	JV_EACH(event, events) {
		struct jv response = jv_member(event, "response");

		if (response.kind == J_OBJECT)
			last = response;
	}
	JV_READ(last, responses_body, &v);
	add_repeated(t, last, &v);
}

static bool read_stream(struct talk *t, struct jv value)
{
	if (!body_join(t, value, is_event))
		return false;
	if (value.kind == J_ARRAY)
		add_response(t, value);
	return true;
}

/* ---- all ---- */

static bool read(struct talk *t, struct jv value, enum prefer side)
{
	struct responses_body v;

	if (value.kind == J_ARRAY) {
		if (!are_items(value))
			return read_stream(t, value) ||
			       body_say_blocks(t, value, BLOCK_RESPONSES, side);
		add_items(t, value, side);
		return true;
	}
	if (value.kind != J_OBJECT)
		return false;
	JV_READ(value, responses_body, &v);
	if (is_own_message(value)) {
		body_add_message(t, value, side_speaker(side));
		return true;
	}
	return read_response(t, value, &v, side) || read_request(t, value, &v) ||
	       read_stream(t, value) || body_is_error(t, value) ||
	       body_say_blocks(t, value, BLOCK_RESPONSES, side);
}

const struct dialect dialect_responses = {.name = "responses", .read = read};
