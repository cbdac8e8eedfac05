/* The table of formats, in order of detection: see format.h. */
#include "config.h"
#include "import/format.h"

#include "import/known.h"

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

const struct format *format_of(const struct shape *shape)
{
	for (size_t i = 0; formats[i]; i++)
		if (formats[i]->recognize && formats[i]->recognize(shape))
			return formats[i];
	return &format_json;
}

bool shape_empty_chain(const struct shape *s)
{
	for (int i = CARRIER_RESULTS; i < CARRIER_COUNT; i++)
		if (s->carried[i].items != ITEMS_NONE)
			return false;
	return !s->event_input && !s->has_chat(s->ctx);
}

enum carrier carrier_value(const struct shape *shape)
{
	return CARRIER_VALUE;
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
