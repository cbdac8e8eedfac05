/*
 * OpenAI's Chat Completions and what looks like them: DeepSeek, Groq, xAI, Mistral,
 * OpenRouter, LiteLLM (the same bodies, with reasoning of their own), Cohere v2 and
 * Ollama (a message beside the facts of the response), and completions of a prompt.
 */
#include "config.h"
#include "dialect/dialect.h"

#include "dialect/body.h"

enum openai_field {
	MESSAGES,
	CHOICES,
	PROMPT,
	MODEL,
	SYSTEM,
	IMAGES,
	TOOLS,
	FUNCTIONS,
	MESSAGE,
	RESPONSE,
	THINKING,
	DONE,
	FINISH,
	ID,
	USAGE,
	FIELDS
};

static const char *const names[FIELDS + 1] = {
	[MESSAGES] = "messages",
	[CHOICES] = "choices",
	[PROMPT] = "prompt",
	[MODEL] = "model",
	[SYSTEM] = "system",
	[IMAGES] = "images",
	[TOOLS] = "tools",
	[FUNCTIONS] = "functions",
	[MESSAGE] = "message",
	[RESPONSE] = "response",
	[THINKING] = "thinking",
	[DONE] = "done",
	[FINISH] = "finish_reason",
	[ID] = "id",
	[USAGE] = "usage",
};

/* ---- choices ---- */

static bool is_silent(struct jv message)
{
	static const char *const said[] = {"content", "tool_calls", "function_call",
		"refusal", "audio", "reasoning_content", "reasoning"};
	struct jv v[7];

	jv_members(message, said, v, 7);
	for (size_t i = 0; i < 7; i++)
		if (!jv_empty(v[i]))
			return false;
	return true;
}

static void add_choices(struct talk *t, struct jv choices)
{
	struct jv choice;

	for (struct jwalk w = jwalk_of(choices); jwalk_next(&w, NULL, &choice);) {
		enum { M, DELTA, WORDS, WHY, N };
		static const char *const of[N] = {
			"message", "delta", "text", "finish_reason"};
		struct jv v[N], message;

		jv_members(choice, of, v, N);
		message = v[M].kind == J_OBJECT ? v[M] : v[DELTA];
		body_add_error(t, choice);
		if (jv_is(v[WHY], STR("content_filter")) && is_silent(message) &&
			jv_empty(v[WORDS]))
			talk_refuse(t, v[WHY]);
		else if (message.kind == J_OBJECT)
			body_add_message(t, message, "assistant");
		else
			body_say(t, "assistant", v[WORDS]);
	}
}

static bool is_choice(struct jv choice)
{
	static const char *const of[] = {"message", "text", "finish_reason", "index"};
	struct jv v[4];

	jv_members(choice, of, v, 4);
	return (v[0].kind == J_OBJECT || v[1].kind == J_STRING) &&
	       (v[2].kind != J_NONE || v[3].kind == J_NUMBER);
}

/* ---- events ---- */

static bool has_delta(struct jv choice)
{
	return jv_member(choice, "delta").kind == J_OBJECT;
}

static bool is_cohere_event(struct jv event)
{
	static const char *const types[] = {"message-start", "content-start",
		"content-delta", "tool-plan-delta", "tool-call-start"};
	static const char *const of[] = {"type", "delta", "id"};
	struct jv v[3];

	jv_members(event, of, v, 3);
	return JV_AMONG(v[0], types) && jv_member(v[1], "message").kind == J_OBJECT;
}

/* A line of Ollama's, of which the last has no text left. */
static bool is_line(struct jv line)
{
	struct jv v[FIELDS];

	jv_members(line, names, v, FIELDS);
	return v[MODEL].kind == J_STRING &&
	       (v[DONE].kind == J_TRUE || v[DONE].kind == J_FALSE) &&
	       (v[MESSAGE].kind == J_OBJECT || v[RESPONSE].kind == J_STRING);
}

static bool is_event(struct jv event)
{
	static const char *const of[] = {"object", "choices"};
	struct jv v[2];

	jv_members(event, of, v, 2);
	if (jv_is(v[0], STR("chat.completion.chunk")) ||
		(v[0].kind == J_STRING && jv_empty(v[0])))
		return v[1].kind == J_ARRAY;
	return has_delta(jv_first(v[1])) || is_cohere_event(event) || is_line(event) ||
	       (jv_is(v[0], STR("text_completion")) && v[1].kind == J_ARRAY);
}

/* ---- requests ---- */

/* A prompt to complete: a text or several, not tokens. */
static bool is_prompt(struct jv prompt)
{
	struct jwalk w;
	struct jv key, item;

	if (prompt.kind == J_STRING)
		return true;
	jwalk_begin(&w, prompt);
	if (prompt.kind != J_ARRAY || jv_empty(prompt))
		return false;
	while (jwalk_next(&w, &key, &item))
		if (item.kind != J_STRING)
			return false;
	return true;
}

static void add_prompt(struct talk *t, const struct jv v[FIELDS])
{
	struct jv item;

	body_say(t, "system", v[SYSTEM]);
	if (v[PROMPT].kind == J_STRING && v[IMAGES].kind == J_ARRAY) {
		talk_begin(t, JV_NONE, "user");
		talk_text(t, v[PROMPT]);
		for (struct jwalk w = jwalk_of(v[IMAGES]); jwalk_next(&w, NULL, &item);)
			if (item.kind == J_STRING)
				talk_image_data(t, JV_NONE, item);
		talk_end(t);
	} else if (v[PROMPT].kind == J_STRING) {
		body_say(t, "user", v[PROMPT]);
	} else {
		body_add_messages(t, v[PROMPT], PREFER_INPUT);
	}
}

/* Ollama's options are parameters among the others. */
static void add_parameters(struct talk *t, struct jv body)
{
	static const char *const known[] = {"messages", "prompt", "model", "system",
		"images", "tools", "functions", "options", "choices", NULL};
	static const char *const none[] = {NULL};
	struct parameters s = {{0}};

	parameters_add_others(&s, jv_member(body, "options"), none);
	parameters_of_request(&s, body, known);
	parameters_end(&s, t);
}

static bool read_request(struct talk *t, struct jv body, const struct jv v[FIELDS])
{
	if (body_are_messages(v[MESSAGES])) {
		body_say(t, "system", v[SYSTEM]);
		body_add_messages(t, v[MESSAGES], PREFER_INPUT);
	} else if (is_prompt(v[PROMPT]) && v[MODEL].kind == J_STRING) {
		add_prompt(t, v);
	} else {
		return false;
	}
	t->tools = jv_empty(v[TOOLS]) ? v[FUNCTIONS] : v[TOOLS];
	if (jv_empty(t->tools))
		t->tools = JV_NONE;
	add_parameters(t, body);
	talk_of_body(t, body);
	return true;
}

/* ---- responses ---- */

/* Cohere and Ollama: the message is that of an assistant and has facts beside it. */
static bool is_message_of(const struct jv v[FIELDS])
{
	struct jv role = jv_member(v[MESSAGE], "role");

	return body_is_message(v[MESSAGE]) && jv_is(role, STR("assistant")) &&
	       (v[FINISH].kind == J_STRING || v[DONE].kind == J_TRUE ||
		       v[DONE].kind == J_FALSE || v[USAGE].kind == J_OBJECT);
}

static bool read_response(struct talk *t, struct jv body, const struct jv v[FIELDS])
{
	if (is_choice(jv_first(v[CHOICES]))) {
		add_choices(t, v[CHOICES]);
	} else if (is_message_of(v)) {
		body_add_message(t, v[MESSAGE], "assistant");
	} else if (is_line(body)) {
		talk_begin(t, JV_NONE, "assistant");
		if (!jv_empty(v[THINKING]))
			talk_thinking(t, v[THINKING]);
		talk_text(t, v[RESPONSE]);
		talk_end(t);
	} else {
		return false;
	}
	body_add_error(t, body);
	return true;
}

/* Of a log that has both in one object the side is chosen, if it is there. */
static bool read_body(struct talk *t, struct jv body, enum prefer side)
{
	struct jv v[FIELDS];
	bool asked = false, answered = false;

	jv_members(body, names, v, FIELDS);
	if (side != PREFER_OUTPUT || v[CHOICES].kind != J_ARRAY)
		asked = read_request(t, body, v);
	if (side != PREFER_INPUT || !asked)
		answered = read_response(t, body, v);
	return asked || answered;
}

/* ---- all ---- */

static bool read_calls(struct talk *t, struct jv array)
{
	struct census c;

	census_take(&c, array);
	if (!c.items || c.calls != c.items)
		return false;
	talk_begin(t, JV_NONE, "assistant");
	talk_end_calls(t, array);
	return true;
}

static bool read_array(struct talk *t, struct jv array, enum prefer side)
{
	if (body_read_messages(t, array, side))
		return true;
	if (is_choice(jv_first(array))) {
		add_choices(t, array);
		return true;
	}
	return body_join(t, array, is_event) || read_calls(t, array) ||
	       body_say_blocks(t, array, BLOCK_OPENAI, side);
}

static bool read(struct talk *t, struct jv value, enum prefer side)
{
	if (value.kind == J_ARRAY)
		return read_array(t, value, side);
	if (value.kind != J_OBJECT)
		return false;
	return body_read_message(t, value, side) || read_body(t, value, side) ||
	       body_join(t, value, is_event) || body_is_error(t, value) ||
	       body_say_blocks(t, value, BLOCK_OPENAI, side);
}

const struct dialect dialect_openai = {.name = "openai", .read = read};
