/* The bytes at hand, and steps added to the trace: see loader.h. */
#include "config.h"
#include "import/loader.h"

#include <math.h>

#include "base/mem.h"
#include "chat/side.h"
#include "json/check.h"

void loader_note(struct loader *l, uint64_t offset, const char *text)
{
	*MEM_ADD(l->notes, l->note_count, l->note_cap) = (struct load_note){offset, text};
}

struct str loader_fetch_far(struct loader *l, uint64_t at, uint64_t n)
{
	buf_clear(&l->scratch);
	buf_reserve(&l->scratch, (size_t)n);
	l->scratch.len = source_read(l->source, at, l->scratch.data, (size_t)n);
	return buf_view(&l->scratch);
}

/* Whether bytes up to `end` are there or will never be; sets `starved` if not. */
bool loader_at_hand(struct loader *l, uint64_t end)
{
	if (end <= source_size(l->source) || source_complete(l->source))
		return true;
	l->starved = true;
	return false;
}

/* Goes on when the source has grown by a quarter of what was looked at in vain. */
void loader_wait(struct loader *l, uint64_t from)
{
	uint64_t size = source_size(l->source);

	l->tried = l->rested = size;
	l->want = size + 1 + (size > from ? (size - from) / 4 : 0);
	l->starved = false;
}

/* The bytes at `at`, as many as are near; none at the end. */
struct str loader_bytes(struct loader *l, uint64_t at)
{
	if (window_has(&l->window, at, 1))
		return (struct str){l->window.p + (at - l->window.at),
			(size_t)(window_end(&l->window) - at)};
	return loader_fetch(l, at, 16384);
}

uint64_t loader_line_end(struct loader *l, uint64_t at)
{
	struct str s;

	while ((s = loader_bytes(l, at)).n) {
		const char *end = memchr(s.p, '\n', s.n);

		if (end)
			return at + (uint64_t)(end - s.p);
		at += s.n;
	}
	loader_at_hand(l, at + 1);
	return at;
}

/* Forgets the steps of the value that is being read. */
void loader_forget_value(struct loader *l)
{
	const struct candidate *c = &l->candidates[0];

	l->described.active = NULL;
	if (!l->level)
		return;
	if (l->trace->count > c->first_step || l->trace->scope_count > c->first_scope)
		loader_truncate(l, c->first_step, c->first_scope);
	l->note_count = c->first_note;
	l->level = 0;
}

/* ---- steps ---- */

void loader_step_added(struct loader *l)
{
	trace_append(l->trace);
	l->junk_only = false;
}

struct step *loader_add(struct loader *l, uint32_t scope, uint64_t start, uint64_t end)
{
	return trace_add(l->trace, scope, l->base + start, end > start ? end - start : 0);
}

uint32_t loader_add_scope(struct loader *l, uint64_t start)
{
	return trace_add_scope(l->trace, l->base + start);
}

bool loader_last_step(const struct loader *l, size_t *step)
{
	const struct trace *trace = l->trace;

	for (*step = trace->count; *step > l->first_step;)
		if (inputs_number(trace_step(trace, --*step).offset) ==
			inputs_number(l->base))
			return true;
	return false;
}

void loader_truncate(struct loader *l, size_t steps, size_t scopes)
{
	bool keeps = steps >= l->trace->count && scopes >= l->trace->scope_count;

	if (steps < l->kept && !keeps)
		l->overtaken = l->done = true;
	else
		trace_truncate(l->trace, steps, scopes);
}

/* A step whose value is no object that could hold facts. */
void loader_add_bare(
	struct loader *l, uint32_t scope, uint64_t start, uint64_t end, uint32_t flags)
{
	loader_add(l, scope, start, end)->flags |= flags | STEP_BARE;
	loader_step_added(l);
}

void loader_add_candidate(struct loader *l, struct candidate *c, uint32_t scope,
	uint64_t end, uint32_t flags)
{
	struct step *s = loader_add(l, scope, c->start, end);

	s->flags |= flags;
	if (c->row && c->positions < columns_needed(c->columns))
		s->flags |= STEP_SHORT | STEP_BARE;
	else
		candidate_facts(c);
	loader_step_added(l);
}

/* The first step of the file needs no change: it gets the first id of the file anyway. */
void loader_answer(struct trace *trace)
{
	struct step *s = trace_last(trace), request;

	if (trace->count < 2 || !(trace_flags(trace, trace->count - 2) & STEP_REQUEST))
		return;
	request = trace_step(trace, trace->count - 2);
	if (request.scope != s->scope)
		return;
	if (s->trace_id == NO_TEXT) {
		s->trace_id = request.trace_id;
	} else if (request.trace_id == NO_TEXT && trace->count > 2) {
		request.trace_id = s->trace_id;
		trace_put(trace, trace->count - 2, &request);
	}
}

struct str loader_window(struct loader *l, uint64_t at)
{
	const struct window *w = &l->window;

	if (!window_has(w, at, 1))
		window_move(&l->window, l->source, at);
	return (struct str){w->p + (at - w->at), (size_t)(window_end(w) - at)};
}

void loader_seek(struct loader *l, uint64_t at, unsigned depth)
{
	scan_seek(&l->scan, at, depth);
	l->next = at;
}

bool loader_value_follows(struct loader *l, uint64_t newline)
{
	struct str next = loader_bytes(l, newline + 1);

	return next.n && (*next.p == '{' || *next.p == '[');
}

/* ---- a look at what comes ----
 *
 * Peeking reads a window of the file and walks it with the tolerant cursor; where the
 * window's end leaves a question open, a larger one is read.
 */

struct peek_window {
	struct loader *l;
	uint64_t at;
	struct buf text;
	bool read;     /* some text is there, */
	bool open;     /* which does not answer the question */
	bool whole;    /* it reaches the end of the source, or may not grow */
	bool short_of; /* bytes that a stream may still bring */
};

/* Reads `first` bytes, or more while they leave the question open; false: it is answered,
 * or nothing more can be read.  What has another value's line in it ends before that. */
static bool window_next(struct peek_window *w, size_t first)
{
	size_t n = !w->read                          ? first
		   : w->text.cap < PEEK_MOST / 8 ? w->text.len * 8
						 : PEEK_MOST;
	const char *p, *end;

	if (w->read && (!w->open || w->whole)) {
		w->l->starved |= w->open && w->short_of;
		buf_done(&w->text);
		return false;
	}
	w->read = true;
	w->open = false;
	buf_clear(&w->text);
	buf_reserve(&w->text, n);
	w->text.len = source_read(w->l->source, w->at, w->text.data, n);
	w->whole = w->text.len < n || n >= PEEK_MOST;
	w->short_of = w->text.len < n && !source_complete(w->l->source);
	p = w->text.data;
	end = p + w->text.len;
	while (w->l->lines && p < end && (p = memchr(p, '\n', (size_t)(end - p))) &&
		++p < end)
		if (*p == '{' || *p == '[') {
			w->text.len = (size_t)(p - w->text.data);
			w->whole = true;
			w->short_of = false;
			break;
		}
	return true;
}

/* ITEMS_OTHER with *open set: a larger window is needed. */
static enum item_kind kind_of_items(struct jv array, bool conversations, bool *open)
{
	const struct trie *t = &known_events()->trie;
	struct jv value;
	bool rows = false, certain = false, messages = true;
	size_t n = 0;

	for (struct jwalk w = jwalk_of(array); n < 3 && jwalk_next(&w, NULL, &value);
		n++) {
		/* a cut one may still turn out to be more */
		bool event = false, surely = false;
		bool cut = value.kind == J_OBJECT && value.cut;

		if (value.kind == J_ARRAY) {
			rows = true;
			messages = false;
			continue;
		}
		JV_FIELDS(key, member, value) {
			struct str name = key.cut ? (struct str){NULL, 0} : jv_plain(key);
			uint16_t node = trie_member(t, TRIE_ROOT, name);

			event |= node != NODE_NONE && t->nodes[node].signs & SIGN_EVENT;
			surely |= str_equal(name, STR("properties")) ||
				  str_equal(name, STR("event"));
		}
		*open |= cut && (!event || (conversations && !surely));
		if (!event && cut && n > 0)
			break; /* not known: the items before it decide */
		if (!event)
			return ITEMS_OTHER;
		certain |= surely;
		messages &= chat_is_message(value);
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

static bool row_begins(struct jv row, bool *open)
{
	struct jv value[3];
	struct jwalk w = jwalk_of(row);

	for (int i = 0; i < 3; i++) {
		if (!jwalk_next(&w, NULL, &value[i])) {
			*open |= row.cut;
			return false;
		}
		*open |= row.cut && value[i].p + value[i].n == row.p + row.n;
	}
	if (value[1].kind != J_STRING)
		return false;
	return value[2].kind == J_NULL ||
	       (value[2].kind == J_STRING && !isnan(fact_time(value[2])));
}

enum item_kind peek_items(struct loader *l, uint64_t at, bool conversations, bool *row)
{
	struct peek_window w = {.l = l, .at = at};
	enum item_kind items = ITEMS_NONE;

	while (window_next(&w, 4096)) {
		struct jv array = jv_parse(buf_view(&w.text));

		items = kind_of_items(array, conversations, &w.open);
		if (row)
			*row = row_begins(array, &w.open);
	}
	return items;
}

bool peek_line_is_value(struct loader *l, uint64_t at)
{
	struct peek_window w = {.l = l, .at = at};
	struct json_report report;
	bool is = false;

	while (window_next(&w, 65536)) {
		struct str line = buf_view(&w.text);
		const char *end = line.n ? memchr(line.p, '\n', line.n) : NULL;

		if (end)
			line.n = (size_t)(end - line.p);
		line = str_trim(line);
		w.open = !end && (!w.whole || w.short_of);
		if (!w.open)
			json_check(line, &report);
		is = !w.open && line.n > 1 && (*line.p == '{' || *line.p == '[') &&
		     report.verdict != VERDICT_BROKEN;
	}
	return is;
}
