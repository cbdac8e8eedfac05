/* The formats that the program itself recognizes: see format.h. */
#include "config.h"
#include "import/format.h"

#include "import/known.h"

const struct format format_sse_stream = {
	.name = "sse-stream",
	.recognized_by = "lines `event:`, `data:` of server-sent events",
	.steps = "one for each response, up to its last event",
	.whole = true,
};

const struct format format_chat_stream = {
	.name = "chat-stream",
	.recognized_by =
		"lines of objects with `type` text_delta, tool_start, complete, ...",
	.steps = "one for each response, up to complete, error or cancelled",
	.whole = true,
};

const struct format format_posthog_rows = {
	.name = "posthog-rows",
	.recognized_by =
		"object with `results` of rows, event objects or traces; or one row",
	.steps = "results[*], results[*].events[*]",
};

const struct format format_chain_object = {
	.name = "chain-object",
	.recognized_by = "object with an `events` or `chain_events` array",
	.steps = "events[*], chain_events[*]",
};

const struct format format_chat_request = {
	.name = "chat-request",
	.recognized_by = "object with `message`, and `conversation_history` or `context`",
	.steps = "the value",
};

const struct format format_chat_response = {
	.name = "chat-response",
	.recognized_by = "object with `message`, and `custom_payload`, "
			 "`suggested_values`, `suggested_actions` or `tool_history`",
	.steps = "the value",
};

const struct format format_single_event = {
	.name = "single-event",
	.recognized_by =
		"object with `properties.$ai_...`, `user_prompt` or `assistant_response`",
	.steps = "the value",
};

const struct format format_event_array = {
	.name = "event-array",
	.recognized_by = "array of objects with `properties`, `id`, `event`, `timestamp` "
			 "or `uuid`",
	.steps = "[*]",
};

const struct format format_json_lines = {
	.name = "json-lines",
	.recognized_by = "several values, each beginning on a line of its own",
	.steps = "each value, by the other formats",
	.whole = true,
};

const struct format format_chat_value = {
	.name = "chat-value",
	.recognized_by = "a value in which the chat extractor finds messages",
	.steps = "the value, on both sides",
};

const struct format format_json = {
	.name = "json",
	.recognized_by = "any other JSON",
	.steps = "the value, as a tree",
};

const struct format *const formats[] = {
	&format_sse_stream,
	&format_chat_stream,
	&format_posthog_rows,
	&format_chain_object,
	&format_chat_request,
	&format_chat_response,
	&format_single_event,
	&format_event_array,
	&format_json_lines,
	&format_chat_value,
	&format_json,
	NULL,
};

const struct format *format_named(struct str name)
{
	for (size_t i = 0; formats[i]; i++)
		if (str_equal(name, str_of(formats[i]->name)))
			return formats[i];
	return known_named(name) ? &known_named(name)->format : NULL;
}

/* ---- recognition ---- */

static bool has_chat(const struct shape *s)
{
	return s->has_chat && s->has_chat(s->ctx);
}

/*
 * Whether an object whose array of steps is empty is a chain: nothing else is in it,
 * neither a conversation, nor an event, nor steps under another key.
 */
static bool is_empty_chain(const struct shape *s)
{
	for (int i = CARRIER_RESULTS; i < CARRIER_COUNT; i++)
		if (s->carried[i].items != ITEMS_NONE)
			return false;
	return !(s->signs & SIGN_INPUT) && !has_chat(s);
}

static enum carrier chain_carrier(const struct shape *s)
{
	bool events = s->carried[CARRIER_EVENTS].kind == J_ARRAY;

	if (events && s->carried[CARRIER_EVENTS].items != ITEMS_NONE)
		return CARRIER_EVENTS;
	if (s->carried[CARRIER_CHAIN_EVENTS].kind == J_ARRAY &&
		(!s->carried[CARRIER_EVENTS].present || s->carried[CARRIER_EVENTS].empty))
		return CARRIER_CHAIN_EVENTS;
	return events ? CARRIER_EVENTS : CARRIER_VALUE;
}

const struct format *format_of(const struct shape *s)
{
	bool object = s->kind == J_OBJECT, array = s->kind == J_ARRAY;
	bool message = object && s->signs & SIGN_MESSAGE;
	enum carrier chain = object ? chain_carrier(s) : CARRIER_VALUE;
	const struct carried *results = &s->carried[CARRIER_RESULTS];
	bool rows = s->row;

	/* what a PostHog query returns, or one row of it */
	if (object && results->kind == J_ARRAY && results->items == ITEMS_NONE)
		rows |= is_empty_chain(s);
	else if (object && results->kind == J_ARRAY)
		rows |= s->signs & SIGN_NAMED || results->items == ITEMS_ROWS ||
			results->items == ITEMS_EVENTS;
	if (rows)
		return &format_posthog_rows;
	if (chain != CARRIER_VALUE &&
		(s->carried[chain].items != ITEMS_NONE || is_empty_chain(s)))
		return &format_chain_object;
	if (message && s->signs & (SIGN_HISTORY | SIGN_CONTEXT))
		return &format_chat_request;
	if (message && s->signs & SIGN_ELEMENTS)
		return &format_chat_response;
	if (object && s->signs & SIGN_INPUT)
		return &format_single_event;
	if (array && s->items == ITEMS_EVENTS)
		return &format_event_array;
	return (object || array) && has_chat(s) ? &format_chat_value : &format_json;
}

enum carrier format_carrier(const struct format *format, const struct shape *s)
{
	bool array = s->kind == J_ARRAY;

	if (format == &format_posthog_rows)
		return !array ? CARRIER_RESULTS : s->row ? CARRIER_VALUE : CARRIER_ITEMS;
	if (format == &format_event_array)
		return array ? CARRIER_ITEMS : CARRIER_VALUE;
	return format == &format_chain_object ? chain_carrier(s) : CARRIER_VALUE;
}

enum carrier carrier_of_key(struct str key)
{
	if (str_equal(key, STR("results")))
		return CARRIER_RESULTS;
	if (str_equal(key, STR("events")))
		return CARRIER_EVENTS;
	if (str_equal(key, STR("chain_events")) || str_equal(key, STR("chainEvents")))
		return CARRIER_CHAIN_EVENTS;
	return CARRIER_VALUE;
}
