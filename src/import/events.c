/*
 * The formats of event objects: a chain object that carries them in `events` or
 * `chain_events`, an array of them, and a single one.
 */
#include "config.h"
#include "import/format.h"

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

static bool recognize_chain(const struct shape *s)
{
	enum carrier carrier = chain_carrier(s);

	if (s->kind != J_OBJECT || carrier == CARRIER_VALUE)
		return false;
	return s->carried[carrier].items != ITEMS_NONE || shape_empty_chain(s);
}

const struct format format_chain_object = {
	.name = "chain-object",
	.recognized_by = "object with an `events` or `chain_events` array",
	.steps = "events[*], chain_events[*]",
	.recognize = recognize_chain,
	.carrier = chain_carrier,
};

static bool recognize_single(const struct shape *s)
{
	return s->kind == J_OBJECT && s->event_input;
}

const struct format format_single_event = {
	.name = "single-event",
	.recognized_by =
		"object with `properties.$ai_...`, `user_prompt` or `assistant_response`",
	.steps = "the value",
	.recognize = recognize_single,
	.carrier = carrier_value,
};

static bool recognize_array(const struct shape *s)
{
	return s->kind == J_ARRAY && s->items == ITEMS_EVENTS;
}

static enum carrier items_carrier(const struct shape *s)
{
	return s->kind == J_ARRAY ? CARRIER_ITEMS : CARRIER_VALUE;
}

const struct format format_event_array = {
	.name = "event-array",
	.recognized_by = "array of objects with `properties`, `id`, `event`, `timestamp` "
			 "or `uuid`",
	.steps = "[*]",
	.recognize = recognize_array,
	.carrier = items_carrier,
};
