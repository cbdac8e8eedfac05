/* Texts anywhere in a value: see gather.h. */
#include "config.h"
#include "import/gather.h"

#include "json/copy.h"

#define DEPTH 128

struct gathering {
	const struct str *names;
	size_t count;
	struct buf out;
	bool found;
};

static bool is_named(const struct gathering *g, struct jv key)
{
	for (size_t i = 0; i < g->count; i++)
		if (jv_is(key, g->names[i]))
			return true;
	return false;
}

static void take_text(struct gathering *g, struct jv holder, struct jv text)
{
	if (g->out.len > 1 && jv_member(holder, "lineBreakBefore").kind == J_TRUE)
		buf_text(&g->out, "\\n");
	json_copy_body(&g->out, text);
	g->found = true;
}

static void gather(struct gathering *g, struct jv value, unsigned depth)
{
	struct jv key, item;

	if (depth == DEPTH || (value.kind != J_OBJECT && value.kind != J_ARRAY))
		return;
	for (struct jwalk w = jwalk_of(value); jwalk_next(&w, &key, &item);)
		if (item.kind != J_STRING)
			gather(g, item, depth + 1);
		else if (w.object && is_named(g, key))
			take_text(g, value, item);
}

struct jv gather_texts(
	struct jv value, const struct str *names, size_t count, struct arena *arena)
{
	struct gathering g = {names, count, BUF_INIT, false};
	struct jv text = JV_NONE;

	buf_byte(&g.out, '"');
	gather(&g, value, 0);
	buf_byte(&g.out, '"');
	if (g.found)
		text = jv_parse(arena_dup(arena, buf_view(&g.out)));
	buf_done(&g.out);
	return text;
}
