/*
 * The parser of event streams (see sse.h).  Lines are read in place; only one
 * that a chunk cuts, and data of several lines, are gathered.  Line feeds and carriage
 * returns are looked for ahead of the line, so that a text with only one of them costs
 * one pass.
 */
#include "config.h"
#include "dialect/sse.h"

void sse_begin(struct sse *s, sse_event_fn *each, void *ctx, uint64_t at)
{
	*s = (struct sse){.each = each,
		.ctx = ctx,
		.most = SIZE_MAX,
		.at = at,
		.line_at = at,
		.opening = at == 0};
}

void sse_done(struct sse *s)
{
	buf_done(&s->line);
	buf_done(&s->type);
	buf_done(&s->data);
	buf_done(&s->id);
}

void sse_halt(struct sse *s)
{
	s->halted = true;
}

uint64_t sse_rest(const struct sse *s)
{
	return s->started ? s->start : s->line.len ? s->line_at : s->at;
}

/* ---- fields ---- */

enum sse_field sse_field_of(struct str line, struct str *value)
{
	static const struct {
		struct str name;
		enum sse_field field;
	} fields[] = {{{"data", 4}, SSE_DATA}, {{"event", 5}, SSE_EVENT},
		{{"id", 2}, SSE_ID}, {{"retry", 5}, SSE_RETRY}};

	*value = (struct str){0};
	if (!line.n)
		return SSE_BLANK;
	if (line.p[0] == ':')
		return SSE_COMMENT;
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		size_t n = fields[i].name.n;

		if (!str_starts(line, fields[i].name) || (line.n > n && line.p[n] != ':'))
			continue;
		n += line.n > n;
		n += line.n > n && line.p[n] == ' ';
		*value = str_skip(line, n);
		return fields[i].field;
	}
	return SSE_OTHER;
}

#define STAMP_MOST 48 /* bytes of a time before a line */

static bool is_in_stamp(char c)
{
	return c && (str_is_digit(c) || (c >= 'a' && c <= 'z') ||
			    (c >= 'A' && c <= 'Z') || strchr(" \t:.,+-[]()|>", c));
}

/* A time has digits.  A blank follows it, unless it is alone on its line. */
size_t sse_stamp(struct str line)
{
	bool digit = false, whole;
	size_t n = 0;
	struct str value;

	if (sse_field_of(line, &value) != SSE_OTHER)
		return 0;
	for (; n < line.n && n <= STAMP_MOST && is_in_stamp(line.p[n]); n++) {
		struct str rest = {line.p + n, line.n - n};

		if (digit && (line.p[n - 1] == ' ' || line.p[n - 1] == '\t') &&
			sse_field_of(rest, &value) != SSE_OTHER)
			return n;
		digit = digit || str_is_digit(line.p[n]);
	}
	whole = n == line.n;
	line = str_trim(line); /* it ends with a digit, a zone, a unit or a bracket */
	return digit && whole && line.n && strchr("0123456789Zs])|>", line.p[line.n - 1])
		       ? n
		       : 0;
}

bool sse_may_be_stamp(struct str beginning)
{
	size_t n = 0;

	while (n < beginning.n && is_in_stamp(beginning.p[n]))
		n++;
	return n == beginning.n && n <= STAMP_MOST;
}

#define NAME_MOST 16 /* a field's name and the colon and blank after it, at most */

/* Appends as much as may be kept, and a little more: so what is too long is known by its
 * length, however it came. */
static void keep(struct sse *s, struct buf *b, struct str text)
{
	size_t limit = s->most < SIZE_MAX - NAME_MOST ? s->most + NAME_MOST : SIZE_MAX;
	size_t room = limit > b->len ? limit - b->len : 0;

	buf_add(b, text.p, text.n < room ? text.n : room);
}

bool sse_next_line(struct str text, bool whole, size_t *at, struct str *line)
{
	const char *p = text.p + *at, *end = text.p + text.n, *q = p;

	while (q < end && *q != '\n' && *q != '\r')
		q++;
	*line = (struct str){p, (size_t)(q - p)};
	if (q == end && (!whole || p == end))
		return false;
	*at = (size_t)(q - text.p) + (q < end);
	*at += q + 1 < end && q[0] == '\r' && q[1] == '\n';
	return true;
}

/* What was borrowed is copied, before it goes or more follows it. */
static void gather(struct sse *s)
{
	if (!s->borrowed.p)
		return;
	buf_clear(&s->data);
	keep(s, &s->data, s->borrowed);
	s->borrowed = (struct str){0};
}

static void emit(struct sse *s, struct str data, uint64_t end)
{
	struct sse_event e = {
		.type = s->type.len ? buf_view(&s->type) : STR("message"),
		.data = {data.p, data.n < s->most ? data.n : s->most},
		.id = buf_view(&s->id),
		.start = s->start,
		.end = end,
		.cut = data.n > s->most,
	};

	s->started = false;
	s->each(s->ctx, &e);
}

/* A blank line: an event without data is none, and what it said of its type is
 * forgotten. */
static void dispatch(struct sse *s, uint64_t end)
{
	if (s->has_data)
		emit(s, s->borrowed.p ? s->borrowed : buf_view(&s->data), end);
	s->has_data = false;
	s->borrowed = (struct str){0};
	buf_clear(&s->type);
}

static void take_field(struct sse *s, struct str line, uint64_t end)
{
	struct str value;

	switch (sse_field_of(line, &value)) {
	case SSE_BLANK:
		dispatch(s, end);
		break;
	case SSE_DATA:
		if (!s->has_data) {
			s->has_data = true;
			s->borrowed = value.n ? value : STR("");
			break;
		}
		gather(s);
		keep(s, &s->data, STR("\n"));
		keep(s, &s->data, value);
		break;
	case SSE_EVENT:
		buf_set(&s->type, value);
		break;
	case SSE_ID:
		if (value.n && memchr(value.p, '\0', value.n))
			break;
		buf_set(&s->id, value);
		break;
	case SSE_COMMENT:
	case SSE_RETRY:
	case SSE_OTHER:
		break;
	}
}

/* ---- lines ---- */

/* A line without its end; `end` is the offset after that. */
static void take_line(struct sse *s, struct str line, uint64_t end)
{
	bool blank;

	if (s->opening && str_starts(line, STR("\xEF\xBB\xBF")))
		line = str_skip(line, 3);
	s->opening = false;
	if (s->stamped)
		line = str_skip(line, sse_stamp(line));
	blank = s->lines ? !str_trim(line).n : !line.n;
	if (!s->started && !blank) {
		s->started = true;
		s->start = s->line_at;
	}
	if (!s->lines)
		take_field(s, line, end);
	else if (!blank)
		emit(s, line, end);
	s->line_at = end;
}

/* The first `c` from p on, or `end`; `known` is what was found from an earlier place. */
static const char *seek(const char *known, const char *p, const char *end, char c)
{
	if (!known || known < p)
		known = memchr(p, c, (size_t)(end - p));
	return known ? known : end;
}

/* The line [p, q), with what earlier chunks had of it. */
static void end_line(struct sse *s, struct str rest, uint64_t end)
{
	if (!s->line.len) {
		take_line(s, rest, end);
		return;
	}
	keep(s, &s->line, rest);
	take_line(s, buf_view(&s->line), end);
	gather(s);
	buf_clear(&s->line);
}

size_t sse_feed(struct sse *s, struct str bytes)
{
	const char *p = bytes.p, *end = bytes.p + bytes.n;
	const char *lf = NULL, *cr = NULL; /* the next ones, each looked for once */
	uint64_t base = s->at;

	while (p < end && !s->halted) {
		const char *q;

		if (s->cr && *p == '\n') { /* the second half of CR LF */
			s->cr = false;
			s->line_at = base + (uint64_t)(++p - bytes.p);
			continue;
		}
		s->cr = false;
		lf = seek(lf, p, end, '\n');
		cr = s->lines ? end : seek(cr, p, end, '\r');
		q = lf < cr ? lf : cr;
		if (q == end) {
			keep(s, &s->line, (struct str){p, (size_t)(q - p)});
			p = q;
			break;
		}
		s->cr = *q == '\r';
		end_line(s, (struct str){p, (size_t)(q - p)},
			base + (uint64_t)(q + 1 - bytes.p));
		p = q + 1;
	}
	gather(s);
	s->at = base + (uint64_t)(p - bytes.p);
	return (size_t)(p - bytes.p);
}

void sse_finish(struct sse *s)
{
	if (s->line.len)
		end_line(s, (struct str){0}, s->at);
	if (!s->lines)
		dispatch(s, s->at);
}
