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

/* Messages whose contents have blocks without a type. */
static bool are_messages(struct jv array)
{
	struct census c;

	census_take(&c, array);
	return census_is_messages(&c) && (c.inner & BLOCK_BEDROCK);
}

static bool is_message(struct jv message)
{
	return body_is_message_of(message, BLOCK_BEDROCK, 0);
}

/* ---- requests ---- */

enum bedrock_request { MESSAGES, SYSTEM, TOOLS, SETTINGS, REQUEST_FIELDS };

static void add_parameters(
	struct talk *t, struct jv body, const struct jv v[REQUEST_FIELDS])
{
	static const char *const known[] = {"messages", "system", "tool_config",
		"inference_config", "model_id", "tools", NULL};
	const struct jv objects[] = {v[SETTINGS], v[TOOLS], body};

	parameters_say_others(t, objects, 3, known);
}

static bool read_request(struct talk *t, struct jv body)
{
	static const char *const names[REQUEST_FIELDS] = {
		"messages", "system", "tool_config", "inference_config"};
	struct jv v[REQUEST_FIELDS], tools;

	jv_members(body, names, v, REQUEST_FIELDS);
	if (!are_messages(v[MESSAGES]))
		return false;
	body_say(t, "system", v[SYSTEM]);
	body_add_messages(t, v[MESSAGES], PREFER_INPUT);
	tools = jv_member(v[TOOLS], "tools");
	if (!jv_empty(tools))
		t->tools = tools;
	add_parameters(t, body, v);
	return true;
}

/* ---- responses ---- */

static bool read_response(struct talk *t, struct jv body)
{
	static const char *const names[] = {"output", "stop_reason"};
	struct jv v[2], message, content;

	jv_members(body, names, v, 2);
	message = jv_member(v[0], "message");
	content = jv_member(message, "content");
	if (content.kind != J_ARRAY ||
		(v[1].kind != J_STRING && jv_count(v[0], 2) != 1 && !is_message(message)))
		return false;
	if (jv_empty(content) && !jv_empty(v[1]) && !jv_is(v[1], STR("end_turn")))
		talk_refuse(t, v[1]);
	else
		body_add_message(t, message, "assistant");
	return true;
}

/* ---- completions ---- */

/* A text to complete, and a member that only such a request has. */
static bool read_prompt(struct talk *t, struct jv body)
{
	enum { TITAN, PROMPT, TITAN_SETTINGS, MOST, N };
	static const char *const names[N] = {
		"input_text", "prompt", "text_generation_config", "max_gen_len"};
	static const char *const known[] = {
		"input_text", "prompt", "text_generation_config", NULL};
	struct jv v[N];

	jv_members(body, names, v, N);
	if (v[TITAN].kind == J_STRING && v[TITAN_SETTINGS].kind == J_OBJECT)
		body_say(t, "user", v[TITAN]);
	else if (v[PROMPT].kind == J_STRING && v[MOST].kind == J_NUMBER)
		body_say(t, "user", v[PROMPT]);
	else
		return false;
	parameters_say_others(t, (struct jv[]){v[TITAN_SETTINGS], body}, 2, known);
	return true;
}

/* What a list of completions has first: its text, and why it ended. */
static bool is_completion(struct jv completion)
{
	static const char *const names[] = {
		"output_text", "text", "completion_reason", "stop_reason"};
	struct jv v[4];

	jv_members(completion, names, v, 4);
	return (v[0].kind == J_STRING && v[2].kind != J_NONE) ||
	       (v[1].kind == J_STRING && v[3].kind != J_NONE);
}

static bool add_completions(struct talk *t, struct jv list)
{
	struct jv item, text;

	if (!is_completion(jv_first(list)))
		return false;
	for (struct jwalk w = jwalk_of(list); jwalk_next(&w, NULL, &item);) {
		text = jv_member(item, "output_text");
		body_say(t, "assistant",
			text.kind == J_STRING ? text : jv_member(item, "text"));
	}
	return true;
}

static bool read_completion(struct talk *t, struct jv body)
{
	enum { GENERATION, STOP, TITAN, MISTRAL, N };
	static const char *const names[N] = {
		"generation", "stop_reason", "results", "outputs"};
	struct jv v[N];

	jv_members(body, names, v, N);
	if (v[GENERATION].kind == J_STRING && v[STOP].kind != J_NONE) {
		body_say(t, "assistant", v[GENERATION]);
		return true;
	}
	return add_completions(t, v[TITAN]) || add_completions(t, v[MISTRAL]);
}

/* ---- errors ---- */

/* {"__type": "ValidationException", "message": …}, or what a library makes of it. */
static bool read_error(struct talk *t, struct jv body)
{
	static const char *const names[] = {"message", "__type", "Error"};
	struct jv v[3];

	jv_members(body, names, v, 3);
	if (v[0].kind == J_STRING && v[1].kind == J_STRING)
		t->error = body;
	else if (jv_member(v[2], "Message").kind == J_STRING &&
		 jv_member(v[2], "Code").kind == J_STRING)
		t->error = v[2];
	else
		return false;
	return true;
}

/* ---- all ---- */

static bool is_event(struct jv event)
{
	return chunk_kind(event) == CHUNK_BEDROCK || chunk_is_exception(event);
}

static bool read_array(struct talk *t, struct jv array, enum prefer side)
{
	if (are_messages(array)) {
		body_add_messages(t, array, side);
		return true;
	}
	return body_join(t, array, is_event) ||
	       body_say_blocks(t, array, BLOCK_BEDROCK, side);
}

static bool read(struct talk *t, struct jv value, enum prefer side)
{
	if (value.kind == J_ARRAY)
		return read_array(t, value, side);
	if (value.kind != J_OBJECT)
		return false;
	if (is_message(value)) {
		body_add_message(t, value, side_speaker(side));
		return true;
	}
	return read_request(t, value) || read_response(t, value) ||
	       body_join(t, value, is_event) || read_error(t, value) ||
	       (block_customs(value) == BLOCK_BEDROCK &&
		       body_say_blocks(t, value, BLOCK_BEDROCK, side)) ||
	       read_prompt(t, value) || read_completion(t, value);
}

const struct dialect dialect_bedrock = {.name = "bedrock", .read = read};
