/*
 * Telling vendors' chunks (see chunk.h).  The names are those of the vendors' references:
 * OpenAI's "Chat completion chunk" and "Streaming events", Anthropic's "Streaming
 * messages", Gemini's GenerateContentResponse, Bedrock's ConverseStreamOutput.
 */
#include "config.h"
#include "dialect/chunk.h"

static bool is_response_type(struct str type)
{
	return str_starts(type, STR("response."));
}

/* ---- each vendor's ---- */

static const char *const blocks[] = {
	"messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop"};

/* Where the body stands of an event that tells something, and what it is. */
static const struct event {
	struct str type;
	const char *body;
	enum jkind kind;
} events[] = {
	{{"message_start", 13}, "message", J_OBJECT},
	{{"content_block_start", 19}, "content_block", J_OBJECT},
	{{"content_block_delta", 19}, "delta", J_OBJECT},
	{{"content_block_stop", 18}, "index", J_NUMBER},
	{{"message_delta", 13}, "delta", J_OBJECT},
};

static const struct event *find_event(struct str type)
{
	for (size_t i = 0; type.n && i < sizeof(events) / sizeof(*events); i++)
		if (str_equal(type, events[i].type))
			return &events[i];
	return NULL;
}

/* The Realtime API has events of the same names, with an id. */
static bool is_of_response(struct jv object)
{
	JV_MEMBERS(v, object, event_id, response, output_index);
	if (v.event_id.kind != J_NONE)
		return false;
	return v.output_index.kind == J_NUMBER ||
	       jv_is(jv_member(v.response, "object"), STR("response"));
}

struct str chunk_bedrock(struct jv object, struct jv *body)
{
	struct jwalk w;
	struct jv key, other;
	struct str none = {0};

	*body = JV_NONE;
	jwalk_begin(&w, object);
	if (!w.object || !jwalk_next(&w, &key, body) || body->kind != J_OBJECT)
		return none;
	return jwalk_next(&w, &(struct jv){0}, &other) ? none : jv_plain(key);
}

bool chunk_is_exception(struct jv object)
{
	static const struct str tail = {"Exception", 9};
	struct jv body;
	struct str key = chunk_bedrock(object, &body);

	return key.n > tail.n && str_ends(key, tail);
}

/* Cohere's: what it says stands in a `delta`, the index of a part beside it. */
static bool is_cohere(struct str type, struct jv delta)
{
	static const char *const types[] = {"message-start", "content-start",
		"content-delta", "tool-plan-delta", "tool-call-start", "tool-call-delta",
		"citation-start", "message-end"};

	return STR_AMONG(type, types) && delta.kind == J_OBJECT;
}

static bool is_ollama(struct jv object, struct jv done)
{
	if (done.kind != J_TRUE && done.kind != J_FALSE)
		return false;
	JV_MEMBERS(v, object, model, created_at, message, response);
	return v.model.kind == J_STRING && v.created_at.kind == J_STRING &&
	       (v.message.kind == J_OBJECT || v.response.kind == J_STRING);
}

/* Azure begins with one that is blank but for what its filter found. */
static bool is_openai(struct jv what, struct jv choices, struct jv filter)
{
	if (choices.kind != J_ARRAY)
		return false;
	return jv_is(what, STR("chat.completion.chunk")) ||
	       (jv_is(what, STR("")) && filter.kind == J_ARRAY);
}

/* A candidate that says something and not why it stopped. */
static bool goes_on(struct jv candidates)
{
	JV_MEMBERS(v, jv_first(candidates), content, finish_reason);
	return v.content.kind == J_OBJECT && jv_null(v.finish_reason);
}

enum chunk_kind chunk_kind(struct jv object)
{
	const struct event *event;
	struct jv body;

	if (object.kind != J_OBJECT)
		return CHUNK_NONE;
	JV_MEMBERS(v, object, type, object, choices, prompt_filter_results, candidates,
		response_id, delta, done);
	if (v.type.kind == J_STRING) {
		event = find_event(jv_plain(v.type));
		if (event && jv_member(object, event->body).kind == event->kind)
			return CHUNK_ANTHROPIC;
		if (is_cohere(jv_plain(v.type), v.delta))
			return CHUNK_COHERE;
		return is_response_type(jv_plain(v.type)) && is_of_response(object)
			       ? CHUNK_RESPONSES
			       : CHUNK_NONE;
	}
	if (is_openai(v.object, v.choices, v.prompt_filter_results))
		return CHUNK_OPENAI;
	if (v.candidates.kind == J_ARRAY &&
		(!jv_empty(v.response_id) || goes_on(v.candidates)))
		return CHUNK_GEMINI;
	if (is_ollama(object, v.done))
		return CHUNK_OLLAMA;
	return STR_AMONG(chunk_bedrock(object, &body), blocks) ? CHUNK_BEDROCK
							       : CHUNK_NONE;
}

/* ---- signs ---- */

bool chunk_is_sign(struct str key, struct jv value)
{
	struct str text = jv_plain(value);

	if (value.kind == J_FALSE || value.kind == J_TRUE)
		return str_equal(key, STR("done"));
	if (value.kind == J_STRING && str_equal(key, STR("type")))
		return find_event(text) || is_response_type(text) ||
		       str_equal(text, STR("message-start")) ||
		       str_equal(text, STR("content-start"));
	if (value.kind == J_STRING && str_equal(key, STR("object")))
		return str_equal(text, STR("chat.completion.chunk"));
	if (value.kind == J_ARRAY)
		return str_equal(key, STR("candidates")) ||
		       str_equal(key, STR("prompt_filter_results"));
	return value.kind == J_OBJECT && STR_AMONG(key, blocks);
}

bool chunk_goes_on(enum chunk_kind kind, struct jv object)
{
	static const char *const anthropic[] = {"ping", "message_stop", "error"};
	static const char *const responses[] = {"keepalive", "error"};
	static const char *const bedrock[] = {"messageStop", "metadata"};
	struct str type = jv_plain(jv_member(object, "type"));
	struct jv body;

	switch (kind) {
	case CHUNK_ANTHROPIC:
		return STR_AMONG(type, anthropic);
	case CHUNK_RESPONSES:
		return STR_AMONG(type, responses);
	case CHUNK_BEDROCK:
		return STR_AMONG(chunk_bedrock(object, &body), bedrock) ||
		       chunk_is_exception(object);
	case CHUNK_GEMINI:
		return jv_member(object, "usageMetadata").kind == J_OBJECT ||
		       jv_member(object, "error").kind == J_OBJECT;
	case CHUNK_OPENAI:
		return jv_member(object, "error").kind == J_OBJECT;
	case CHUNK_COHERE:
		return str_starts(type, STR("content-")) ||
		       str_starts(type, STR("tool-")) ||
		       str_starts(type, STR("citation-"));
	case CHUNK_OLLAMA:
		return jv_member(object, "error").kind == J_STRING;
	case CHUNK_NONE:
		break;
	}
	return false;
}

/* ---- ends ---- */

struct jv chunk_withheld(struct jv candidate)
{
	static const char *const reasons[] = {"SAFETY", "RECITATION", "LANGUAGE",
		"BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY",
		"IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION"};

	JV_MEMBERS(v, candidate, finish_reason, finish_message);
	if (!JV_AMONG(v.finish_reason, reasons))
		return JV_NONE;
	return v.finish_message.kind == J_STRING && !jv_empty(v.finish_message)
		       ? v.finish_message
		       : v.finish_reason;
}
