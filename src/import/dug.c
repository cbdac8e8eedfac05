/* Conversations found in a value, as its sides: see opening.h. */
#include "config.h"
#include "import/opening.h"

#include "dialect/dig.h"
#include "import/rest.h"
#include "json/copy.h"

/* The messages of all conversations, those of each after its path. */
static struct jv joined(const struct dig *d, struct arena *arena)
{
	struct talk t = {.arena = arena};
	struct jv messages;

	for (size_t i = 0; i < d->count; i++) {
		talk_begin(&t, JV_NONE, "note");
		talk_text(&t, json_quoted(d->items[i].path, arena));
		talk_end(&t);
		JV_EACH(item, d->items[i].messages)
			talk_add_raw(&t, item);
	}
	messages = talk_take(&t);
	talk_done(&t);
	return messages;
}

#define TEXT_DEEPEST 16

/* The first text in a value, not deeper than that; J_NONE: it has none. */
static struct jv first_text(struct jv value, unsigned depth)
{
	struct jv item, text = JV_NONE;

	if (value.kind == J_STRING)
		return value;
	for (struct jwalk w = jwalk_of(depth < TEXT_DEEPEST ? value : text);
		text.kind == J_NONE && jwalk_next(&w, NULL, &item);)
		text = first_text(item, depth + 1);
	return text;
}

/* Of an object that was read as a message or a body the members that are said: those
 * with a word for it whose text stands in the messages. */
static void leave_out(struct rest *rest, const struct dug *dug)
{
	struct jv text;

	if (dug->place.kind == J_STRING) {
		rest_leave_out(rest, dug->place);
		return;
	}
	if (dug->value.kind != J_OBJECT) {
		rest_leave_out_messages(rest, dug->value);
		return;
	}
	rest_leave_out(rest, dug->tools);
	JV_PAIRS(key, item, dug->value) {
		text = dig_is_word(key) ? first_text(item, 0) : JV_NONE;
		if (text.kind == J_STRING &&
			memmem(dug->messages.p, dug->messages.n, text.p, text.n))
			rest_leave_out(rest, item);
	}
}

bool dug_open(struct opened *o, struct jv value)
{
	struct rest rest = {0};
	struct dig d = {0};
	struct jv messages = JV_NONE;
	bool found;

	dig(&d, value, &o->arena);
	for (size_t i = 0; i < d.count; i++)
		leave_out(&rest, &d.items[i]);
	dig_leave_out_repeats(&d);
	if (d.count == 1) {
		messages = d.items[0].messages;
		o->found_at = d.items[0].path;
		if (o->facts.v[FACT_TOOLS].kind == J_NONE)
			o->facts.v[FACT_TOOLS] = d.items[0].tools;
	} else if (d.count) {
		messages = joined(&d, &o->arena);
	}
	found = d.count;
	if (found) {
		side_of_messages(&o->input, messages, value, PREFER_INPUT);
		side_of_messages(&o->output, messages, value, PREFER_OUTPUT);
		o->bare = o->shared = true;
		rest_show(&rest, o, value);
	}
	dig_done(&d);
	return found;
}
