/*
 * Whether a file is a stream of server-sent events, and whether a line of JSON begins a
 * stream of such lines: by the bytes near, of a pipe as soon as they decide.
 */
#include "config.h"
#include "import/loader.h"

#include "import/sse.h"
#include "import/stream.h"

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

/* The rest of a line after its time. */
static struct str without_stamp(struct str line)
{
	size_t n = sse_stamp(line);

	return (struct str){line.p + n, line.n - n};
}

static bool is_aside(struct str line)
{
	enum sse_field field = sse_field_of(line, &(struct str){0});

	return field != SSE_OTHER && field != SSE_DATA && field != SSE_EVENT;
}

/* Whether SSE begin here whose lines each have a time before them; the first is not
 * blank. */
static enum answer begins_stamped(struct str head, bool whole)
{
	struct str line, field;
	size_t at = 0;

	for (bool first = true; sse_next_line(head, whole, &at, &line); first = false) {
		field = without_stamp(line);
		if (is_event_line(field))
			return field.n < line.n ? ANSWER_YES : ANSWER_NO;
		if (field.n == line.n || (first && !field.n) || !is_aside(field))
			return ANSWER_NO;
	}
	field = without_stamp(line);
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

/* Whether a value, which may be long, stands on one line. */
static bool is_one_line(struct loader *l, uint64_t at, uint64_t end)
{
	while (at < end) {
		struct str s = loader_bytes(l, at);
		size_t n = s.n < end - at ? s.n : (size_t)(end - at);

		if (!n || memchr(s.p, '\n', n))
			return false;
		at += n;
	}
	return true;
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

/* The id of what a chunk is a piece of. */
static uint64_t chunk_key(struct jv value)
{
	return stream_key(stream_mark(STR("message"), STR(""), value).id);
}

/* Whether a value is of the same stream as a chunk before it. */
static bool goes_on(enum chunk_kind kind, uint64_t key, struct jv next)
{
	uint64_t other;

	if (chunk_kind(next) != kind)
		return chunk_goes_on(kind, next);
	other = chunk_key(next);
	return !key || !other || key == other;
}

/* Chunks come in numbers: one that is alone is a value like any other. */
static enum answer chunk_follows(struct loader *l, struct event_line line)
{
	enum chunk_kind kind = chunk_kind(line.value);
	uint64_t key = chunk_key(line.value);

	for (int i = 0; i < MOST && line.next < source_size(l->source); i++) {
		line = look_at_line(l, line.next);
		if (line.open)
			return ANSWER_LATER;
		if (line.value.kind != J_NONE)
			return goes_on(kind, key, line.value) ? ANSWER_YES : ANSWER_NO;
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
	struct event_line first;

	if (!is_one_line(l, start, end))
		return ANSWER_NO;
	first = look_at_line(l, start);
	return chunk_kind(first.value) == CHUNK_NONE ? event_follows(l, first)
						     : chunk_follows(l, first);
}
