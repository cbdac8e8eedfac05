/*
 * A look at the first items of an array before the scan goes into it.  Peeking reads a window of the file and walks it with the tolerant cursor; where the
 * window's end leaves a question open, a larger one is read.
 */
#include "config.h"
#include "import/loader.h"

#include <math.h>

#include "base/mem.h"
#include "chat/extract.h"
#include "json/check.h"

struct peek_window {
	struct loader *l;
	uint64_t at;
	struct buf text;
	bool whole;    /* it reaches the end of the source, or may not grow */
	bool short_of; /* bytes that a stream may still bring */
};

/* Cuts the window where a line begins that is the next value's. */
static void end_at_next_value(struct peek_window *w)
{
	const char *p = w->text.data, *end = p + w->text.len;

	while ((p = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL)) {
		if (++p < end && (*p == '{' || *p == '[')) {
			w->text.len = (size_t)(p - w->text.data);
			w->whole = true;
			w->short_of = false;
			return;
		}
	}
}

static void window_read(struct peek_window *w, size_t n)
{
	buf_clear(&w->text);
	buf_reserve(&w->text, n);
	w->text.len = source_read(w->l->source, w->at, w->text.data, n);
	w->whole = w->text.len < n || n >= PEEK_MOST;
	w->short_of = w->text.len < n && !source_complete(w->l->source);
	if (w->l->lines)
		end_at_next_value(w);
}

static bool window_grow(struct peek_window *w)
{
	if (w->whole)
		return false;
	window_read(w, w->text.cap < PEEK_MOST / 8 ? w->text.len * 8 : PEEK_MOST);
	return true;
}

/* Whether the question is answered; if not, more is read, or nothing more can be. */
static bool window_decides(struct peek_window *w, bool open)
{
	if (!open || !window_grow(w)) {
		w->l->starved |= open && w->short_of;
		buf_done(&w->text);
		return true;
	}
	return false;
}

static bool is_event_key(struct str key)
{
	const struct trie *t = &known_events()->trie;
	uint16_t node = trie_member(t, TRIE_ROOT, key);

	return node != NODE_NONE && t->nodes[node].signs & SIGN_EVENT;
}

/* What is known of one item: a cut one may still turn out to be more. */
struct item_facts {
	bool event_key;
	bool certain_event; /* has properties or event */
	bool message;
	bool cut;
};

static struct item_facts look_at_object(struct jv object)
{
	struct item_facts f = {.cut = object.cut};

	JV_PAIRS(key, value, object) {
		struct str name = key.cut ? (struct str){NULL, 0} : jv_plain(key);

		f.event_key |= is_event_key(name);
		f.certain_event |= str_equal(name, STR("properties")) ||
				   str_equal(name, STR("event"));
	}
	f.message = chat_is_message(object);
	return f;
}

/* ITEMS_OTHER with *open set: a larger window is needed. */
static enum item_kind judge(struct jv array, bool conversations, bool *open)
{
	struct jv value;
	bool rows = false, certain = false, messages = true;
	size_t n = 0;

	for (struct jwalk w = jwalk_of(array); n < 3 && jwalk_next(&w, NULL, &value);
		n++) {
		struct item_facts f = {0};

		if (value.kind == J_ARRAY) {
			rows = true;
			messages = false;
			continue;
		}
		if (value.kind == J_OBJECT)
			f = look_at_object(value);
		*open |= f.cut && (!f.event_key || (conversations && !f.certain_event));
		if (!f.event_key && f.cut && n > 0)
			break; /* not known: the items before it decide */
		if (!f.event_key)
			return ITEMS_OTHER;
		certain |= f.certain_event;
		messages &= f.message;
	}
	*open |= n < 3 && array.cut;
	if (n == 0)
		return ITEMS_NONE;
	if (rows)
		return ITEMS_ROWS;
	if (!conversations || certain || !messages)
		return ITEMS_EVENTS;
	*open |= array.cut;
	return array.cut || chat_is_conversation(array) ? ITEMS_CONVERSATION
							: ITEMS_EVENTS;
}

enum item_kind peek_items(struct loader *l, uint64_t at, bool conversations)
{
	struct peek_window w = {.l = l, .at = at};
	enum item_kind items;
	bool open;

	window_read(&w, 4096);
	do {
		open = false;
		items = judge(jv_parse(buf_view(&w.text)), conversations, &open);
	} while (!window_decides(&w, open));
	return items;
}

static bool row_begins(struct jv row, bool *open)
{
	struct jv value[3];
	struct jwalk w = jwalk_of(row);

	for (int i = 0; i < 3; i++) {
		if (!jwalk_next(&w, NULL, &value[i])) {
			*open = row.cut;
			return false;
		}
		*open |= row.cut && value[i].p + value[i].n == row.p + row.n;
	}
	if (value[1].kind != J_STRING)
		return false;
	return value[2].kind == J_NULL ||
	       (value[2].kind == J_STRING && !isnan(fact_time(value[2])));
}

bool peek_row(struct loader *l, uint64_t at)
{
	struct peek_window w = {.l = l, .at = at};
	bool open, row;

	window_read(&w, 4096);
	do {
		open = false;
		row = row_begins(jv_parse(buf_view(&w.text)), &open);
	} while (!window_decides(&w, open));
	return row;
}

bool peek_line_is_value(struct loader *l, uint64_t at)
{
	struct peek_window w = {.l = l, .at = at};
	struct json_report report;
	struct str line;
	const char *end;
	bool is, open;

	window_read(&w, 65536);
	do {
		line = buf_view(&w.text);
		end = line.n ? memchr(line.p, '\n', line.n) : NULL;
		if (end)
			line.n = (size_t)(end - line.p);
		line = str_trim(line);
		open = !end && (!w.whole || w.short_of);
		if (!open)
			json_check(line, &report);
		is = !open && line.n > 1 && (*line.p == '{' || *line.p == '[') &&
		     report.verdict != VERDICT_BROKEN;
	} while (!window_decides(&w, open));
	return is;
}
