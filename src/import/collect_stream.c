/*
 * The consumer of event streams, beside that of the scan: it finds where a response ends,
 * not what it says.  A file that begins like SSE is all of that; lines of JSON are taken
 * over from the scan where one of them is an event of a chat stream, and given back at
 * the first that is none.
 *
 * A response is a step from its first event on, so that a stream can be watched; what the
 * list shows of it is read from its first and last events when it is over.
 */
#include "config.h"
#include "import/loader.h"

#include <math.h>

#include "base/mem.h"
#include "dialect/chunk.h"
#include "import/known.h"
#include "import/stream.h"

/* ---- recognition ----
 *
 * Whether a file is a stream of server-sent events, and whether a line of JSON begins a
 * stream of such lines: by the bytes near, of a pipe as soon as they decide.
 */

#define HEAD (64u * 1024) /* in which SSE are recognized */
#define LOOK 16384u       /* of a line that may be an event, at first */
#define MOST 16           /* lines that leave it open whether a stream begins */

/* Whether a text may be the beginning of an event or of what comes before one; nothing
 * that comes before JSON looks like that. */
static bool may_begin(struct str text)
{
	text = str_trim(text);
	return !text.n || memchr("dei:r#H\xEF", text.p[0], 8);
}

static bool is_event_line(struct str line)
{
	return str_starts(line, STR("data:")) || str_starts(line, STR("event:"));
}

/*
 * Whether an event comes after the headers of HTTP, comments and ids.  ANSWER_LATER when
 * the text is too short to tell.
 */
static enum answer begins_like_sse(struct str head, bool whole)
{
	bool headers = false;
	struct str line = {0}, value;
	size_t at = str_starts(head, STR("\xEF\xBB\xBF")) ? 3 : 0;

	if (!may_begin(head))
		return ANSWER_NO;
	while (sse_next_line(head, whole, &at, &line)) {
		enum sse_field field = sse_field_of(line, &value);
		struct str trimmed = str_trim(line);

		if (str_starts(line, STR("HTTP/")))
			headers = true;
		else if (!trimmed.n)
			headers = false;
		else if (is_event_line(line))
			return ANSWER_YES;
		else if (!headers && line.p[0] != '#' &&
			 (field == SSE_OTHER || field == SSE_DATA || field == SSE_EVENT))
			return ANSWER_NO;
	}
	if (is_event_line(line))
		return ANSWER_YES;
	return whole || (!headers && !may_begin(line)) || head.n >= HEAD ? ANSWER_NO
									 : ANSWER_LATER;
}

/* Whether SSE begin here whose lines each have a time before them; the first is not
 * blank. */
static enum answer begins_stamped(struct str head, bool whole)
{
	struct str line, field, value;
	enum sse_field kind;
	size_t at = 0;

	for (bool first = true; sse_next_line(head, whole, &at, &line); first = false) {
		field = str_skip(line, sse_stamp(line));
		if (is_event_line(field))
			return field.n < line.n ? ANSWER_YES : ANSWER_NO;
		kind = sse_field_of(field, &value);
		if (field.n == line.n || (first && !field.n) || kind == SSE_OTHER ||
			kind == SSE_DATA || kind == SSE_EVENT)
			return ANSWER_NO;
	}
	field = str_skip(line, sse_stamp(line));
	if (field.n < line.n && is_event_line(field))
		return ANSWER_YES;
	return whole || !sse_may_be_stamp(line) || head.n >= HEAD ? ANSWER_NO
								  : ANSWER_LATER;
}

enum answer stream_recognize(struct loader *l)
{
	struct str head = loader_fetch(l, 0, HEAD);
	bool whole = source_complete(l->source) && head.n >= source_size(l->source);
	enum answer answer = begins_like_sse(head, whole);

	if (answer != ANSWER_NO)
		return answer;
	answer = begins_stamped(head, whole);
	l->stream.stamped = answer == ANSWER_YES;
	return answer;
}

/* A line that may be an event: all of it, or what is there and may be read. */
struct event_line {
	struct jv value; /* the first on the line, J_NONE when it is blank */
	uint64_t next;   /* after the line */
	bool open;       /* its end is still to come */
};

static struct event_line look_at_line(struct loader *l, uint64_t at)
{
	struct event_line line = {0};
	const char *end;
	struct str s;
	size_t n = LOOK;

	for (;; n *= 8) {
		s = loader_fetch(l, at, n);
		end = s.n ? memchr(s.p, '\n', s.n) : NULL;
		if (end || s.n < n || n > PEEK_MOST / 8)
			break;
	}
	line.open = !end && s.n < n && !loader_at_hand(l, at + n);
	line.next = at + (end ? (uint64_t)(end - s.p) + 1 : s.n);
	line.value = jv_parse((struct str){s.p, end ? (size_t)(end - s.p) : s.n});
	return line;
}

/* The key of what events are pieces of; 0: no id says it. */
static uint64_t stream_key(struct jv id)
{
	return jv_empty(id) ? 0 : jv_hash(id) | 1;
}

/* The id of what a chunk is a piece of. */
static uint64_t chunk_key(struct jv value)
{
	return stream_key(stream_mark(STR("message"), STR(""), value).id);
}

/* Chunks come in numbers: one that is alone is a value like any other. */
static enum answer chunk_follows(struct loader *l, struct event_line line)
{
	enum chunk_kind kind = chunk_kind(line.value);
	uint64_t key = chunk_key(line.value), other;

	for (int i = 0; i < MOST && line.next < source_size(l->source); i++) {
		line = look_at_line(l, line.next);
		if (line.open)
			return ANSWER_LATER;
		if (line.value.kind == J_NONE)
			continue;
		if (chunk_kind(line.value) != kind) /* it is of the same stream, or not */
			return chunk_goes_on(kind, line.value) ? ANSWER_YES : ANSWER_NO;
		other = chunk_key(line.value);
		return !key || !other || key == other ? ANSWER_YES : ANSWER_NO;
	}
	return loader_at_hand(l, line.next + 1) ? ANSWER_NO : ANSWER_LATER;
}

/* A name that other logs use as well needs another event after it. */
static enum answer event_follows(struct loader *l, struct event_line line)
{
	for (int i = 0; i < MOST; i++) {
		enum stream_likeness like = stream_likeness(line.value);

		if (like == STREAM_SURELY)
			return ANSWER_YES;
		if (line.open)
			return ANSWER_LATER;
		if (like == STREAM_UNLIKE && line.value.kind != J_NONE)
			return ANSWER_NO;
		if (line.next >= source_size(l->source))
			break;
		line = look_at_line(l, line.next);
	}
	return loader_at_hand(l, line.next + 1) ? ANSWER_YES : ANSWER_LATER;
}

enum answer stream_begins(struct loader *l, uint64_t start, uint64_t end)
{
	enum answer answer = ANSWER_NO;

	/* the value, which may be long, stands on one line */
	if (loader_line_end(l, start) >= end) {
		struct event_line first = look_at_line(l, start);

		answer = chunk_kind(first.value) == CHUNK_NONE ? event_follows(l, first)
							       : chunk_follows(l, first);
	}
	l->starved = false; /* LATER says it */
	return answer;
}

#define FEW       16384u /* bytes after the last event that may hold nothing of value */
#define TYPE_MOST 200u   /* a longer one is no name */

/* ---- responses ---- */

static void stretch_step(struct loader *l, size_t step, uint64_t end)
{
	struct step s = trace_step(l->trace, step);

	s.length = l->base + end - s.offset;
	trace_put(l->trace, step, &s);
}

/* It reaches to `end`; that is asked for each event. */
static void stretch_response(struct loader *l, uint64_t end)
{
	struct step *s;

	if (l->stream.step + 1 != l->trace->count) {
		stretch_step(l, l->stream.step, end);
		return;
	}
	s = trace_last(l->trace); /* valid while no step of another file follows it */
	s->length = l->base + end - s->offset;
}

static uint32_t stream_flag(const struct loader *l)
{
	return l->stream.lines ? STEP_LINES : STEP_SSE;
}

/* Reads one event again, of a long one the beginning; it is kept in the arena. */
static void read_span(struct loader *l, struct byte_span span, struct stream_event *event,
	struct arena *arena)
{
	uint64_t n = span.end - span.start;
	struct buf bytes = BUF_INIT;
	struct str text;
	struct stream s;

	buf_str(&bytes, loader_fetch(l, span.start, n < PEEK_MOST ? n : PEEK_MOST));
	if (n > PEEK_MOST)
		buf_text(&bytes, "\n\n");
	text = arena_keep(arena, &bytes);
	stream_read(&s, text, l->stream.lines, arena);
	if (s.count)
		*event = s.items[0];
	stream_done(&s);
}

/* What the events say of their response: when it began and which model gave it, the first
 * that does. */
static void lift(
	struct loader *l, struct step *s, const struct stream_event *events, size_t count)
{
	struct candidate *c = &l->candidates[0];
	struct step said;

	s->timestamp = NAN;
	s->model = NO_TEXT;
	candidate_begin(c, &(struct scan_item){.kind = J_OBJECT}, l);
	c->description = known_stream_events();
	for (size_t i = 0; i < count; i++) {
		said = (struct step){.timestamp = NAN};
		candidate_read(c, c->description->trie.step, events[i].value);
		candidate_lift(c, 0, &said);
		if (isnan(s->timestamp) && said.timestamp != 0)
			s->timestamp = said.timestamp;
		if (s->model != NO_TEXT)
			said.model = NO_TEXT;
		if (stream_error(&events[i]).kind != J_NONE)
			s->flags |= STEP_ERROR;
		figures_take(s, &said);
		texts_take(s, &said);
	}
	candidate_conversation(c);
	loader_answer(l->trace);
}

static void close_response(struct loader *l, bool ended)
{
	struct following *f = &l->stream;
	struct stream_event telling[3] = {0};
	const struct stream_event *last;
	size_t count = 0;
	bool cut = !ended && f->has_end;
	AUTO_ARENA arena = {0};
	struct jv body;
	struct step *s;

	if (!f->open)
		return;
	/* what is known of it now may change its place, which steps of other files follow
	 */
	if (f->step + 1 != l->trace->count) {
		f->open = false;
		l->overtaken = l->done = true;
		return;
	}
	/* the first and the last events that are more than [DONE] */
	if (f->events)
		read_span(l, f->first, &telling[count++], &arena);
	if (f->events > 2 && !f->chat)
		read_span(l, f->last[0], &telling[count++], &arena);
	if (f->events > 1)
		read_span(l, f->last[1], &telling[count++], &arena);
	last = &telling[count ? count - 1 : 0];
	if (f->shown) { /* it is added again: its facts may change its place */
		struct step again = *trace_last(l->trace);

		loader_truncate(l, f->step, SIZE_MAX);
		if (!l->overtaken)
			*trace_add(l->trace, again.scope, again.offset, again.length) =
				again;
	}
	s = trace_last(l->trace);
	lift(l, s, telling, count);
	/* it is not, if one of the last says that nothing follows it */
	for (size_t i = count > 1; cut && i < count; i++)
		cut = !stream_is_finish(telling[i].value);
	if (cut) {
		s->flags |= STEP_CUT;
		s->event = intern_add(&l->trace->texts, STR("cut"));
		loader_note(l, s->offset - l->base + s->length,
			"the stream ends before its response does");
	} else if (last->mark.type.n && last->mark.type.n < TYPE_MOST &&
		   !str_equal(last->mark.type, chunk_bedrock(last->value, &body))) {
		/* Bedrock's wrapper of an event is no type */
		s->event = intern_add(&l->trace->texts, last->mark.type);
	}
	f->open = false;
	trace_append(l->trace);
}

/* What belongs to no event is put to the response before it. */
static bool extend_last(struct loader *l, uint64_t end)
{
	uint32_t flags;
	size_t step;

	if (!loader_last_step(l, &step))
		return false;
	flags = trace_flags(l->trace, step);
	if (!(flags & stream_flag(l)) || flags & STEP_BARE)
		return false;
	stretch_step(l, step, end);
	return true;
}

/* ---- events ---- */

/* Which of the keys that make an object an event stand in it, as bits. */
static unsigned event_keys(struct jv object)
{
	static const char *const names[] = {
		"properties", "id", "event", "timestamp", "uuid"};
	enum { COUNT = sizeof(names) / sizeof(*names) };
	struct jv v[COUNT];
	unsigned keys = 0;

	jv_members(object, names, v, COUNT);
	for (unsigned i = 0; i < COUNT; i++)
		keys |= (unsigned)(v[i].kind != J_NONE) << i;
	return keys;
}

/*
 * Whether a line goes on with the stream: it is an event of it, or no event known here but
 * in the response that is open.  In a file of all kinds that one is not of it, nor is an
 * event by keys that this stream's have not.
 */
static bool belongs(const struct loader *l, const struct stream_mark *mark,
	enum chunk_kind kind, struct jv value)
{
	const struct following *f = &l->stream;

	if (!f->lines || l->forced == &format_chat_stream || kind != CHUNK_NONE)
		return true;
	if (!f->open)
		return mark->chat &&
		       (!l->values || stream_likeness(value) != STREAM_UNLIKE);
	if (mark->chat)
		return true;
	if (f->chunks != CHUNK_NONE)
		return chunk_goes_on(f->chunks, value);
	if (l->values || value.kind == J_ARRAY)
		return false;
	return value.kind != J_OBJECT || (mark->typed && !(event_keys(value) & ~f->keys));
}

/* Whether an event is of something else than those before it. */
static bool begins_response(const struct following *f, const struct stream_mark *mark,
	enum chunk_kind kind, uint64_t key)
{
	if (!f->open)
		return false;
	if (kind == CHUNK_NONE && f->chunks != CHUNK_NONE)
		return mark->chat && mark->kind != STREAM_ERROR;
	if (kind != f->chunks || (f->id && key && f->id != key))
		return true;
	if (mark->kind == STREAM_BEGIN && !key && (f->id || kind == CHUNK_BEDROCK))
		return f->events > 0;
	return f->stopped && (kind == CHUNK_BEDROCK || (kind == CHUNK_GEMINI && !key));
}

/* Whether an event after a response's end says nothing more than that it ended: [DONE],
 * and the end of one that ended with an error. */
static bool is_late(
	const struct following *f, const struct stream_mark *mark, uint64_t key)
{
	if (f->open)
		return false;
	return mark->kind == STREAM_DONE ||
	       (key && key == f->id &&
		       (mark->kind == STREAM_END || mark->kind == STREAM_FAILED));
}

static void note_event(
	struct loader *l, const struct sse_event *e, const struct stream_mark *mark)
{
	struct following *f = &l->stream;
	struct byte_span span = {e->start, e->end};

	stretch_response(l, e->end);
	if (!stream_says(mark))
		return;
	if (!f->events++)
		f->first = span;
	f->last[0] = f->last[1];
	f->last[1] = span;
	f->chat = mark->chat;
	f->has_end |= stream_has_end(mark);
	f->stopped |= str_equal(mark->type, STR("messageStop"));
}

static void on_event(void *ctx, const struct sse_event *e)
{
	struct loader *l = ctx;
	struct following *f = &l->stream;
	struct str data = str_trim(e->data);
	/* what begins and ends like an object is one: that it is whole need not be known
	 */
	bool object = data.n > 1 && data.p[0] == '{' && data.p[data.n - 1] == '}';
	struct jv value = object ? jv_of(data, J_OBJECT) : jv_parse(data);
	struct stream_mark mark = stream_mark(e->type, e->data, value);
	enum chunk_kind kind = f->lines ? chunk_kind(value) : CHUNK_NONE;
	uint64_t key = stream_key(mark.id);

	if (!belongs(l, &mark, kind, value)) {
		f->refused = e->start;
		f->back = true;
		sse_halt(&f->sse);
		return;
	}
	l->junk_only = false;
	if (is_late(f, &mark, key) && extend_last(l, e->end))
		return;
	if (begins_response(f, &mark, kind, key))
		close_response(l, false);
	if (!f->open) {
		loader_add(l, l->scope, e->start, e->start)->flags = stream_flag(l);
		f->step = (uint32_t)l->trace->count - 1;
		f->open = true;
		f->has_end = f->chat = f->shown = f->stopped = false;
		f->chunks = kind;
		f->chunks_seen |= kind != CHUNK_NONE;
		f->events = f->id = f->keys = 0;
	}
	if (key)
		f->id = key;
	if (f->lines && mark.chat)
		f->keys |= event_keys(value);
	f->stopped |= f->chunks == CHUNK_GEMINI && stream_is_finish(value);
	note_event(l, e, &mark);
	if (stream_is_end(mark.kind))
		close_response(l, true);
}

/* ---- the loop's part ---- */

void stream_start(struct loader *l, uint64_t at, bool lines)
{
	struct following *f = &l->stream;

	sse_begin(&f->sse, on_event, l, at);
	f->sse.lines = f->lines = lines;
	f->sse.stamped = f->stamped && !lines;
	f->sse.most = PEEK_MOST;
	f->active = f->seen = l->lines = true;
	f->back = false;
	l->level = 0;
	l->next = at;
}

/* Whether nothing is lost when the rest of SSE makes no event: comments, and [DONE]. */
static bool is_harmless(struct str rest, bool *done)
{
	struct str line, value;
	size_t at = 0, data = 0;

	while (sse_next_line(rest, true, &at, &line)) {
		enum sse_field field = sse_field_of(line, &value);

		data += field == SSE_DATA;
		if (field == SSE_DATA ? !str_equal(value, STR("[DONE]"))
				      : field != SSE_COMMENT && field != SSE_BLANK)
			return false;
	}
	*done = data > 0;
	return true;
}

static void check_rest(void *ctx, const struct sse_event *event)
{
	struct json_report report;

	json_check(event->data, &report);
	*(bool *)ctx = report.verdict != VERDICT_BROKEN;
}

static void end_of_stream(struct loader *l)
{
	struct following *f = &l->stream;
	uint64_t start = sse_rest(&f->sse), end = f->sse.at;
	bool done = false, rest = start < end, few = end - start < FEW, whole = false;
	struct sse last;
	struct step *s;

	/* the end of the file may end a line of JSON or an event, which is whole but for
	 * the line feeds that would have ended it */
	if (rest) {
		sse_begin(&last, check_rest, &whole, start);
		last.lines = f->sse.lines;
		last.stamped = f->sse.stamped;
		sse_feed(&last, loader_fetch(l, start, end - start));
		sse_finish(&last);
		sse_done(&last);
	}
	if (whole) {
		sse_finish(&f->sse);
		if (f->back)
			return;
		rest = false;
	} else if (rest && few &&
		   (f->lines ? !str_trim(loader_fetch(l, start, end - start)).n
			     : is_harmless(loader_fetch(l, start, end - start), &done))) {
		rest = false;
		if (f->open)
			stretch_response(l, end);
		else
			rest = !extend_last(l, end);
	}
	close_response(l, done);
	if (rest) { /* what is no event is kept unchanged, as a step of its own */
		s = loader_add(l, l->scope, start, end);
		s->flags = stream_flag(l) | STEP_CUT | STEP_BARE | STEP_CHECKED;
		s->event = intern_add(&l->trace->texts, STR("cut"));
		loader_note(l, end, "the stream ends inside an event");
		trace_append(l->trace);
	}
	l->done = true;
}

void stream_advance(struct loader *l)
{
	struct following *f = &l->stream;
	struct str s = loader_window(l, l->next);

	l->next += s.n;
	if (s.n)
		sse_feed(&f->sse, s);
	else if (source_complete(l->source))
		end_of_stream(l);
	if (!f->back)
		return;
	/* back to the scan */
	close_response(l, false);
	f->active = false;
	sse_done(&f->sse);
	l->last_end = f->refused ? f->refused - 1 : 0; /* the line feed in front */
	l->scan.ops = &collect_lines;
	loader_seek(l, f->refused, 0);
}

void stream_show(struct loader *l)
{
	struct following *f = &l->stream;

	if (!f->open || f->shown)
		return;
	f->shown = true;
	trace_append(l->trace);
}
