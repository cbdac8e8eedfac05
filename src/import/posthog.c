/*
 * posthog-rows: what a PostHog query returns, `results` of rows with 13 positions (or as
 * `columns` names them), of event objects, or of traces that carry `events`.
 */
#include "config.h"
#include "import/format.h"

static bool recognize(const struct shape *s)
{
	enum item_kind items = s->carried[CARRIER_RESULTS].items;

	if (s->row)
		return true;
	if (s->kind != J_OBJECT || s->carried[CARRIER_RESULTS].kind != J_ARRAY)
		return false;
	if (items == ITEMS_NONE)
		return shape_empty_chain(s);
	return s->named || items == ITEMS_ROWS || items == ITEMS_EVENTS;
}

static enum carrier carrier(const struct shape *s)
{
	if (s->kind == J_ARRAY)
		return s->row ? CARRIER_VALUE : CARRIER_ITEMS;
	return CARRIER_RESULTS;
}

const struct format format_posthog_rows = {
	.name = "posthog-rows",
	.recognized_by =
		"object with `results` of rows, event objects or traces; or one row",
	.steps = "results[*], results[*].events[*]",
	.recognize = recognize,
	.carrier = carrier,
};
