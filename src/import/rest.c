/* A copy of a value with holes: see rest.h. */
#include "config.h"
#include "import/rest.h"

#include <stdlib.h>

#include "base/mem.h"
#include "dialect/dig.h"
#include "json/copy.h"

void rest_leave_out(struct rest *r, struct jv shown)
{
	if (!shown.p || !shown.n)
		return;
	r->shown = mem_grow(r->shown, &r->cap, r->count + 1, sizeof(*r->shown));
	r->shown[r->count++] = shown;
}

static int compare(const void *a, const void *b)
{
	const struct jv *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

/* The first that is shown and begins in a value or after it; NULL: none. */
static const struct jv *first_shown(const struct rest *r, struct jv v)
{
	size_t low = 0, high = r->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->shown[middle].p < v.p)
			low = middle + 1;
		else
			high = middle;
	}
	return low < r->count ? &r->shown[low] : NULL;
}

static bool is_nothing(struct jv v)
{
	return jv_null(v) || (v.kind != J_FALSE && v.kind != J_NUMBER && jv_empty(v));
}

/* False: nothing of the value is left. */
static bool put(struct rest *r, struct jv value)
{
	const struct jv *shown = first_shown(r, value);
	bool holds = shown && shown->p < value.p + value.n, any = false;
	size_t start = r->out.len, before;
	struct jwalk w;
	struct jv key, item;

	if ((holds && shown->p == value.p) || is_nothing(value))
		return false;
	if (!holds) {
		json_copy_value(&r->out, value);
		return true;
	}
	buf_byte(&r->out, value.kind == J_OBJECT ? '{' : '[');
	jwalk_begin(&w, value);
	while (jwalk_next(&w, &key, &item)) {
		const struct jv *next = first_shown(r, item);

		if (r->answer.kind == J_NONE && dig_is_answer(key) && !jv_empty(item) &&
			!(next && next->p < item.p + item.n)) {
			r->answer = item;
			continue;
		}
		before = r->out.len;
		if (any)
			buf_byte(&r->out, ',');
		if (key.kind == J_STRING) {
			json_copy_value(&r->out, key);
			buf_byte(&r->out, ':');
		}
		if (put(r, item))
			any = true;
		else
			r->out.len = before;
	}
	buf_byte(&r->out, value.kind == J_OBJECT ? '}' : ']');
	if (!any)
		r->out.len = start;
	return any;
}

static void add_message(struct side *side, struct jv message)
{
	chat_add(&side->chat, message);
	side->chat.array = JV_NONE;
}

static void add_note(struct opened *o, struct str rest)
{
	struct talk t = {.arena = &o->arena};
	struct jv key, note = JV_NONE;
	struct jwalk w;

	talk_begin(&t, JV_NONE, "note");
	talk_block(&t, jv_parse(rest));
	talk_end(&t);
	jwalk_begin(&w, talk_take(&t));
	jwalk_next(&w, &key, &note);
	talk_done(&t);
	if (o->shared || o->output.view != SIDE_CHAT)
		add_message(&o->input, note);
	if (o->output.view == SIDE_CHAT)
		add_message(&o->output, note);
}

void rest_show(struct rest *r, struct opened *o, struct jv value)
{
	/* a side of its own is the answer already */
	r->answer = o->shared ? JV_NONE : (struct jv){.kind = J_NULL};
	for (int fact = 0; fact < FACT_COUNT; fact++) {
		rest_leave_out(r, o->facts.v[fact]);
		rest_leave_out(r, o->facts.written[fact]);
	}
	if (r->count)
		qsort(r->shown, r->count, sizeof(*r->shown), compare);
	put(r, value);
	if (r->answer.kind != J_NONE && r->answer.kind != J_NULL) {
		side_done(&o->output);
		side_read(&o->output, r->answer, JV_NONE, PREFER_OUTPUT,
			&o->arena);
		o->shared = false;
	}
	if (r->out.len)
		add_note(o, arena_dup(&o->arena, buf_view(&r->out)));
	buf_done(&r->out);
	mem_free(r->shown);
	*r = (struct rest){0};
}
