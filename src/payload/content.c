/* See content.h. */
#include "config.h"
#include "payload/content.h"

#include "chat/side.h"

void content_begin(struct content_walk *w, struct jv content, struct arena *arena)
{
	*w = (struct content_walk){.content = content, .arena = arena};
	if (content.kind == J_ARRAY)
		jwalk_begin(&w->items, content);
}

bool content_next(struct content_walk *w)
{
	struct jv text;

	if (w->content.kind == J_ARRAY) {
		if (!jwalk_next(&w->items, NULL, &w->at))
			return false;
		text = jv_member(w->at, "text");
		w->at = text.kind == J_STRING ? text : w->at;
	} else if (w->ended) {
		return false;
	} else {
		w->ended = true;
		w->at = w->content;
	}
	w->value = side_open_string(w->at, w->arena);
	return true;
}

struct jv content_payload(struct jv value)
{
	struct jv payload = jv_member(value, "payload");

	if (jv_member(payload, "type").kind != J_STRING ||
		jv_member(payload, "data").kind == J_NONE)
		return JV_NONE;
	return payload;
}
