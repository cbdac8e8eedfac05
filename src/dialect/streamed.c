/*
 * Cutting texts of events (see streamed.h).  Of server-sent events only the data counts:
 * vendors repeat there what the name says.
 */
#include "config.h"
#include "dialect/streamed.h"

#include "json/check.h"
#include "json/copy.h"

struct stream_cutter {
	struct buf out;  /* the array */
	struct buf data; /* of the event that is read */
	size_t count;
};

/* The next line without its end, which is LF, CR or both; false after the last. */
static bool next_line(struct str *text, struct str *line)
{
	const char *p = text->p, *end = p + text->n;

	if (text->n == 0)
		return false;
	while (p < end && *p != '\n' && *p != '\r')
		p++;
	*line = (struct str){text->p, (size_t)(p - text->p)};
	if (p < end)
		p += p + 1 < end && p[0] == '\r' && p[1] == '\n' ? 2 : 1;
	*text = (struct str){p, (size_t)(end - p)};
	return true;
}

static void add_value(struct stream_cutter *c, struct str json)
{
	buf_byte(&c->out, c->count++ ? ',' : '[');
	buf_str(&c->out, json);
}

/* Marks of an end that are no JSON are left out. */
static void end_event(struct stream_cutter *c)
{
	struct str data = str_trim(buf_view(&c->data));

	if (data.n && data.p[0] == '{' && json_is_whole(data, NULL))
		add_value(c, data);
	buf_clear(&c->data);
}

static bool looks_like_events(struct str text)
{
	static const char *const heads[] = {"data:", "event:", "id:", "retry:", ":"};

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		if (str_starts(text, str_of(heads[i])))
			return true;
	return false;
}

static void cut_events(struct stream_cutter *c, struct str text)
{
	struct str line;

	while (next_line(&text, &line)) {
		if (line.n == 0) {
			end_event(c);
			continue;
		}
		if (!str_starts(line, STR("data:")))
			continue;
		if (c->data.len)
			buf_byte(&c->data, '\n');
		buf_str(&c->data, (struct str){line.p + 5, line.n - 5});
	}
	end_event(c);
}

/* All of the lines must be objects: a text that merely begins like one is none. */
static void cut_lines(struct stream_cutter *c, struct str text)
{
	struct str line;

	while (next_line(&text, &line)) {
		line = str_trim(line);
		if (line.n == 0)
			continue;
		if (line.p[0] != '{' || !json_is_whole(line, NULL)) {
			c->count = 0;
			return;
		}
		add_value(c, line);
	}
}

struct jv streamed_events(struct jv string, struct arena *arena)
{
	struct stream_cutter c = {{0}, {0}, 0};
	struct buf decoded = BUF_INIT;
	struct jv events = JV_NONE;
	struct str text = str_trim(jv_str(string, &decoded));

	if (looks_like_events(text))
		cut_events(&c, text);
	else if (text.n && text.p[0] == '{')
		cut_lines(&c, text);
	if (c.count) {
		buf_byte(&c.out, ']');
		events = json_kept(&c.out, arena);
	}
	buf_done(&c.out);
	buf_done(&c.data);
	buf_done(&decoded);
	return events;
}
