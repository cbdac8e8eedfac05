/* A copy of a value with holes, and what is shown in place of them: the conversations
 * found in a value (see opening.h). */
#include "config.h"
#include "import/opening.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"
#include "chat/parts.h"
#include "dialect/dialect.h"
#include "json/json.h"

struct rest_shown {
	struct jv value;
	bool messages;
};

/* A value, or a string with one, that is shown; what is in it is, too. */
static void add_shown(struct rest *r, struct jv value, bool messages)
{
	if (!value.p || !value.n)
		return;
	*MEM_ADD(r->shown, r->count, r->cap) = (struct rest_shown){value, messages};
}

void rest_leave_out_messages(struct rest *r, struct jv messages)
{
	add_shown(r, messages, messages.kind == J_ARRAY || messages.kind == J_OBJECT);
}

/* Of equal places the one that is shown as messages comes last. */
static int compare(const void *a, const void *b)
{
	const struct rest_shown *x = a, *y = b;

	if (x->value.p != y->value.p)
		return x->value.p < y->value.p ? -1 : 1;
	return x->messages - y->messages;
}

static uint64_t shown_at(const void *items, size_t i)
{
	return (uintptr_t)((const struct rest_shown *)items)[i].value.p;
}

/* The first that is shown and begins in a value or after it; NULL: none. */
static const struct rest_shown *first_shown(const struct rest *r, struct jv v)
{
	size_t first = sorted_below(r->shown, r->count, (uintptr_t)v.p, shown_at);

	return first < r->count ? &r->shown[first] : NULL;
}

static bool is_nothing(struct jv v)
{
	return jv_null(v) || (v.kind != J_FALSE && v.kind != J_NUMBER && jv_empty(v));
}

/* An id; of a message also its place and its time. */
static bool is_for_raw_view(struct jv key, bool of_message)
{
	static const char *const ids[] = {"id", "_id", "uuid"};
	static const char *const ends[] = {"id", "ids", "uuid", "index", "at", "time",
		"timestamp", "date", "ts", "created", "updated"};
	struct str name = jv_plain(key);
	bool ends_so = STR_AMONG(name, ids);

	for (size_t i = 0; of_message && i < sizeof(ends) / sizeof(*ends); i++)
		ends_so |= path_key_ends(name, str_of(ends[i]));
	return ends_so;
}

/* What a message has beside what messages say; false: nothing. */
static bool put_message(struct rest *r, struct jv message)
{
	struct buf *out = &r->out;
	size_t start = out->len;

	JV_PAIRS(key, item, message.kind == J_OBJECT ? message : JV_NONE) {
		uint64_t hash;
		uint32_t left;

		if (is_nothing(item))
			continue;
		/* whether the key is of no message; most have the keys of those before */
		hash = map_hash(jv_raw(key));
		left = idmap_find(&r->keys, hash);
		if (left == MAP_NONE) {
			left = !chat_is_word(key) && !parts_read_member(key) &&
			       !is_for_raw_view(key, true);
			idmap_add(&r->keys, hash, left);
		}
		if (!left)
			continue;
		if (out->len == start)
			buf_byte(out, '{');
		json_put_pair(out, key, item);
	}
	if (out->len > start)
		buf_byte(out, '}');
	return out->len > start;
}

/* Those of a list by their numbers. */
static bool put_messages(struct rest *r, struct jv messages)
{
	struct buf *out = &r->out;
	size_t start = out->len, before;

	if (messages.kind == J_OBJECT)
		return put_message(r, messages);
	JV_EACH(item, messages) {
		if (stop_wanted(item.n))
			break;
		before = out->len;
		buf_printf(out, "%c\"%llu\":", before > start ? ',' : '{',
			(unsigned long long)item_walk.index);
		if (!put_message(r, item))
			out->len = before;
	}
	if (out->len > start)
		buf_byte(out, '}');
	return out->len > start;
}

/* False: nothing of the value is left. */
static bool put(struct rest *r, struct jv value)
{
	const struct rest_shown *shown = first_shown(r, value);
	bool holds = shown && shown->value.p < value.p + value.n, any = false;
	size_t start = r->out.len, before;

	if (is_nothing(value))
		return false;
	if (holds && shown->value.p == value.p)
		return shown->messages && put_messages(r, value);
	if (!holds) {
		json_copy_value(&r->out, value);
		return true;
	}
	buf_byte(&r->out, value.kind == J_OBJECT ? '{' : '[');
	JV_PAIRS(key, item, value) {
		const struct rest_shown *next = first_shown(r, item);

		if (r->answer.kind == J_NONE && chat_is_answer(key) && !jv_empty(item) &&
			!(next && next->value.p < item.p + item.n)) {
			r->answer = item;
			continue;
		}
		if (is_for_raw_view(key, false))
			continue;
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

void rest_show(struct rest *r, struct step_content *o, struct jv value)
{
	AUTO(emit_done) struct message_writer t = {.arena = &o->arena};
	struct jv note;

	/* a side of its own is the answer already */
	r->answer = o->shared ? JV_NONE : (struct jv){.kind = J_NULL};
	for (int fact = 0; fact < FACT_COUNT; fact++) {
		add_shown(r, o->facts.v[fact], false);
		add_shown(r, o->facts.written[fact], false);
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
	if (r->out.len) {
		emit_begin(&t, JV_NONE, "note");
		emit_block(&t, jv_parse(arena_dup(&o->arena, buf_view(&r->out))));
		emit_end(&t);
		note = jv_first(emit_take(&t));
		if (o->shared || o->output.view != SIDE_CHAT)
			add_message(&o->input, note);
		if (o->output.view == SIDE_CHAT)
			add_message(&o->output, note);
	}
	buf_done(&r->out);
	mem_free(r->shown);
	idmap_done(&r->keys);
	*r = (struct rest){0};
}

/* ---- conversations found in a value ---- */

#define TEXT_DEEPEST 16

/* The first text in a value, not deeper than that; J_NONE: it has none. */
static struct jv first_text(struct jv value, unsigned depth)
{
	if (value.kind == J_STRING)
		return value;
	JV_EACH(item, depth < TEXT_DEEPEST ? value : JV_NONE) {
		struct jv text = first_text(item, depth + 1);

		if (text.kind != J_NONE)
			return text;
	}
	return JV_NONE;
}

/* Of an object that was read as a message or a body the members that are said: those
 * with a word for it whose text stands in the messages. */
static void leave_out(struct rest *rest, const struct found_chat *found)
{
	struct jv text;

	if (found->place.kind == J_STRING) {
		add_shown(rest, found->place, false);
		return;
	}
	if (found->value.kind != J_OBJECT) {
		rest_leave_out_messages(rest, found->value);
		return;
	}
	add_shown(rest, found->tools, false);
	JV_PAIRS(key, item, found->value) {
		text = chat_is_word(key) ? first_text(item, 0) : JV_NONE;
		if (text.kind == J_STRING &&
			memmem(found->messages.p, found->messages.n, text.p, text.n))
			add_shown(rest, item, false);
	}
}

bool dug_open(struct step_content *o, struct jv value)
{
	struct rest rest = {0};
	AUTO(found_chats_done) struct found_chats d = {0};
	AUTO(emit_done) struct message_writer all = {.arena = &o->arena};
	struct jv messages = JV_NONE;

	find_chats(&d, value, &o->arena);
	for (size_t i = 0; i < d.count; i++)
		leave_out(&rest, &d.items[i]);
	found_chats_leave_out_repeats(&d);
	if (d.count == 1) {
		messages = d.items[0].messages;
		o->found_at = d.items[0].path;
		if (o->facts.v[FACT_TOOLS].kind == J_NONE)
			o->facts.v[FACT_TOOLS] = d.items[0].tools;
	} else if (d.count) {
		/* those of each after its path */
		for (size_t i = 0; i < d.count; i++) {
			emit_text_of(&all, "note", json_quoted(d.items[i].path, &o->arena));
			JV_EACH(item, d.items[i].messages)
				emit_add_raw(&all, item);
		}
		messages = emit_take(&all);
	}
	if (!d.count)
		return false;
	side_of_messages(&o->input, messages, value, PREFER_INPUT);
	side_of_messages(&o->output, messages, value, PREFER_OUTPUT);
	o->bare = o->shared = true;
	rest_show(&rest, o, value);
	return true;
}
