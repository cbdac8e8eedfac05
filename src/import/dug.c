/* Conversations found in a value, as its sides: see dug.h. */
#include "config.h"
#include "import/dug.h"

#include "dialect/dig.h"
#include "import/messages.h"
#include "json/json.h"

static struct jv quoted(struct str text, struct arena *arena)
{
	struct buf string = BUF_INIT;
	struct jv v;

	json_write_string(&string, text);
	v = jv_parse(arena_dup(arena, buf_view(&string)));
	buf_done(&string);
	return v;
}

/* The messages of all conversations, those of each after its path. */
static struct jv joined(const struct dig *d, struct arena *arena)
{
	struct talk t = {.arena = arena};
	struct jv messages, key, item;
	struct jwalk w;

	for (size_t i = 0; i < d->count; i++) {
		talk_begin(&t, (struct jv)JV_NONE, "note");
		talk_text(&t, quoted(d->items[i].path, arena));
		talk_end(&t);
		jwalk_begin(&w, d->items[i].messages);
		while (jwalk_next(&w, &key, &item))
			talk_add_raw(&t, item);
	}
	messages = talk_take(&t);
	talk_done(&t);
	return messages;
}

bool dug_open(struct opened *o, struct jv value)
{
	struct dig d = {0};
	struct jv messages;

	dig(&d, value, &o->arena);
	dig_leave_out_repeats(&d);
	if (d.count == 1) {
		messages = d.items[0].messages;
		o->found_at = d.items[0].path;
		if (o->facts.v[FACT_TOOLS].kind == J_NONE)
			o->facts.v[FACT_TOOLS] = d.items[0].tools;
	} else if (d.count) {
		messages = joined(&d, &o->arena);
	}
	if (d.count) {
		messages_side(&o->input, messages, value, PREFER_INPUT);
		messages_side(&o->output, messages, value, PREFER_OUTPUT);
		o->bare = o->shared = true;
	}
	dig_done(&d);
	return o->shared;
}
