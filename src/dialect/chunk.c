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
	enum { EVENT_ID, RESPONSE, INDEX, N };
	static const char *const names[N] = {"event_id", "response", "output_index"};
	struct jv v[N];

	jv_members(object, names, v, N);
	if (v[EVENT_ID].kind != J_NONE)
		return false;
	return v[INDEX].kind == J_NUMBER ||
	       jv_is(jv_member(v[RESPONSE], "object"), STR("response"));
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
	enum { MODEL, CREATED, MESSAGE, RESPONSE, N };
	static const char *const names[N] = {
		"model", "created_at", "message", "response"};
	struct jv v[N];

	if (done.kind != J_TRUE && done.kind != J_FALSE)
		return false;
	jv_members(object, names, v, N);
	return v[MODEL].kind == J_STRING && v[CREATED].kind == J_STRING &&
	       (v[MESSAGE].kind == J_OBJECT || v[RESPONSE].kind == J_STRING);
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
	static const char *const names[] = {"content", "finish_reason"};
	struct jv v[2];

	jv_members(jv_first(candidates), names, v, 2);
	return v[0].kind == J_OBJECT && jv_null(v[1]);
}

enum chunk_kind chunk_kind(struct jv object)
{
	enum { TYPE, OBJECT, CHOICES, FILTER, CANDIDATES, RESPONSE_ID, DELTA, DONE, N };
	static const char *const names[N] = {"type", "object", "choices",
		"prompt_filter_results", "candidates", "response_id", "delta", "done"};
	const struct event *event;
	struct jv v[N], body;

	if (object.kind != J_OBJECT)
		return CHUNK_NONE;
	jv_members(object, names, v, N);
	if (v[TYPE].kind == J_STRING) {
		event = find_event(jv_plain(v[TYPE]));
		if (event && jv_member(object, event->body).kind == event->kind)
			return CHUNK_ANTHROPIC;
		if (is_cohere(jv_plain(v[TYPE]), v[DELTA]))
			return CHUNK_COHERE;
		return is_response_type(jv_plain(v[TYPE])) && is_of_response(object)
			       ? CHUNK_RESPONSES
			       : CHUNK_NONE;
	}
	if (is_openai(v[OBJECT], v[CHOICES], v[FILTER]))
		return CHUNK_OPENAI;
	if (v[CANDIDATES].kind == J_ARRAY &&
		(!jv_empty(v[RESPONSE_ID]) || goes_on(v[CANDIDATES])))
		return CHUNK_GEMINI;
	if (is_ollama(object, v[DONE]))
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
	static const char *const names[] = {"finish_reason", "finish_message"};
	struct jv v[2];

	jv_members(candidate, names, v, 2);
	if (!JV_AMONG(v[0], reasons))
		return JV_NONE;
	return v[1].kind == J_STRING && !jv_empty(v[1]) ? v[1] : v[0];
}
