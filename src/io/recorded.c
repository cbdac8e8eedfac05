/* Recordings as lines of JSON: see unpack.h. */
#include "config.h"
#include "io/unpack.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"

/* ---- recordings as YAML ----
 *
 * Recordings of HTTP as YAML, written as JSON: cassettes of VCR in Ruby and vcrpy
 * (https://vcrpy.readthedocs.io/), a map with `interactions` or `http_interactions`.
 */

#define YAML_DEEPEST 64
#define GROWTH       16 /* times the text that aliases may make of it */

static enum likeness cassette_recognize(struct str head)
{
	static const struct str words[] = {{"interactions:", 13},
		{"http_interactions:", 18}, {"#", 1}, {"---", 3}, {"version:", 8}};
	enum { KEYS = 2, WORDS = sizeof(words) / sizeof(*words) };
	struct str rest = head, line;

	while (str_next_line(&rest, &line)) {
		bool whole = line.p + line.n < head.p + head.n;
		enum likeness best = line.n ? LIKE_NONE : LIKE_MAYBE;

		for (size_t i = 0; i < WORDS && best != LIKE_SURELY; i++) {
			if (str_starts(line, words[i]))
				best = LIKE_SURELY;
			else if (!whole && str_starts(words[i], line))
				best = LIKE_MAYBE; /* when more of it has come */
			if (best == LIKE_SURELY && i < KEYS)
				return best;
		}
		if (best == LIKE_NONE)
			return LIKE_NONE;
	}
	return head.n ? LIKE_MAYBE : LIKE_NONE;
}

/* ---- one document ---- */

struct cassette_anchor {
	size_t from, length; /* of its value in the output */
};

struct cassette_writer {
	struct buf *out;
	size_t most;
	struct {
		bool map, key; /* a key comes next */
		size_t count, from;
		uint32_t anchor;
	} at[YAML_DEEPEST];
	int depth;
	struct intern names;             /* of anchors */
	struct cassette_anchor *anchors; /* by the number of its name: the latest */
	size_t cap;
};

static uint32_t anchor_of(struct cassette_writer *w, const yaml_char_t *name)
{
	uint32_t anchor;

	if (!name)
		return MAP_NONE;
	anchor = intern_add(&w->names, str_of((const char *)name));
	MEM_ROOM(w->anchors, w->cap, w->names.count);
	w->anchors[anchor] = (struct cassette_anchor){0}; /* until its value ends */
	return anchor;
}

static void keep_anchor(struct cassette_writer *w, uint32_t anchor, size_t from)
{
	if (anchor != MAP_NONE)
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it was added */
		w->anchors[anchor] = (struct cassette_anchor){from, w->out->len - from};
}

/* What stands between two values, or a key and its value. */
static void separate(struct cassette_writer *w)
{
	int d = w->depth - 1;

	if (d < 0)
		return;
	if (w->at[d].map && !w->at[d].key)
		buf_byte(w->out, ':');
	else if (w->at[d].count++)
		buf_byte(w->out, ',');
	w->at[d].key = w->at[d].map && !w->at[d].key;
}

static bool is_key(const struct cassette_writer *w)
{
	/* `separate` was called: the next one is the value */
	return w->depth && w->at[w->depth - 1].map && !w->at[w->depth - 1].key;
}

static bool is_number(struct str s)
{
	size_t i = s.n && s.p[0] == '-', digits = i;

	while (i < s.n && str_is_digit(s.p[i]))
		i++;
	if (i == digits || (i > digits + 1 && s.p[digits] == '0'))
		return false;
	if (i == s.n)
		return true;
	if (s.p[i] != '.' || i + 1 == s.n)
		return false;
	for (i++; i < s.n && str_is_digit(s.p[i]);)
		i++;
	return i == s.n;
}

static bool is_text(struct str bytes)
{
	for (size_t i = 0; i < bytes.n; i++)
		if ((unsigned char)bytes.p[i] < ' ' && !str_is_space(bytes.p[i]))
			return false;
	return true;
}

static void put_scalar(struct cassette_writer *w, const yaml_event_t *e)
{
	struct str text = {(const char *)e->data.scalar.value, e->data.scalar.length};
	const char *tag = (const char *)e->data.scalar.tag;
	AUTO_BUF bytes = BUF_INIT;
	size_t from;

	separate(w);
	from = w->out->len;
	if (tag && strstr(tag, "binary")) {
		base64_get(text, &bytes);
		buf_json(w->out, is_text(buf_view(&bytes)) ? buf_view(&bytes) : text);
	} else if (is_key(w) || tag || e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) {
		buf_json(w->out, text);
	} else if (!text.n || str_equal(text, STR("~"))) {
		buf_text(w->out, "null");
	} else if (str_equal(text, STR("true")) || str_equal(text, STR("false")) ||
		   str_equal(text, STR("null")) || is_number(text)) {
		buf_str(w->out, text);
	} else {
		buf_json(w->out, text);
	}
	keep_anchor(w, anchor_of(w, e->data.scalar.anchor), from);
}

static bool begin(struct cassette_writer *w, bool map, const yaml_char_t *anchor)
{
	separate(w);
	if (is_key(w))
		buf_text(w->out, "\"\""); /* no key of JSON */
	if (is_key(w) || w->depth == YAML_DEEPEST)
		return false;
	w->at[w->depth].map = w->at[w->depth].key = map;
	w->at[w->depth].count = 0;
	w->at[w->depth].from = w->out->len;
	w->at[w->depth].anchor = anchor_of(w, anchor);
	w->depth++;
	buf_byte(w->out, map ? '{' : '[');
	return true;
}

static void end(struct cassette_writer *w)
{
	w->depth--;
	if (w->at[w->depth].map && !w->at[w->depth].key)
		buf_text(w->out, ":null"); /* the YAML ended after a key */
	buf_byte(w->out, w->at[w->depth].map ? '}' : ']');
	keep_anchor(w, w->at[w->depth].anchor, w->at[w->depth].from);
}

/* False: the document is over. */
static bool put_event(struct cassette_writer *w, const yaml_event_t *e)
{
	struct cassette_anchor meant = {0};
	uint32_t anchor;

	switch (e->type) {
	case YAML_SCALAR_EVENT:
		put_scalar(w, e);
		break;
	case YAML_ALIAS_EVENT:
		anchor = intern_find(
			&w->names, str_of((const char *)e->data.alias.anchor));
		if (anchor != MAP_NONE)
			/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
			meant = w->anchors[anchor];
		separate(w);
		buf_reserve(w->out, meant.length); /* what is copied does not move */
		if (meant.length)
			buf_add(w->out, w->out->data + meant.from, meant.length);
		else
			buf_text(w->out, "null");
		break;
	case YAML_MAPPING_START_EVENT:
		return begin(w, true, e->data.mapping_start.anchor);
	case YAML_SEQUENCE_START_EVENT:
		return begin(w, false, e->data.sequence_start.anchor);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		end(w);
		break;
	default:
		return e->type != YAML_DOCUMENT_END_EVENT &&
		       e->type != YAML_STREAM_END_EVENT;
	}
	return w->out->len < w->most;
}

/*
 * The first document, as one value: plain scalars that JSON knows (null, true, numbers)
 * are those, all others are strings; a !!binary one is what it encodes, if that is text.
 * Aliases are what they stand for, as long as the whole stays below sixteen times the
 * text.  Where the YAML is broken the value ends, too: a reader sees how far it went.
 */
static void cassette_write(struct str text, struct buf *out)
{
	struct cassette_writer w = {.out = out, .most = text.n * GROWTH + 1024};
	yaml_parser_t parser;
	yaml_event_t event;
	bool more = true;

	if (!yaml_parser_initialize(&parser))
		mem_fail();
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text.p, text.n);
	while (more && yaml_parser_parse(&parser, &event)) {
		more = put_event(&w, &event);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	while (w.depth)
		end(&w);
	intern_done(&w.names);
	mem_free(w.anchors);
	buf_byte(out, '\n');
}

/* ---- recordings as lines of JSON ---- */

#define PREFIX_MOST 200 /* bytes before an object on its line */

static const struct str httprr = {"httprr trace v1", 15};

/* ---- values side by side ---- */

/* The length of the container that begins a text; 0 where it does not end. */
static size_t container_end(struct str text)
{
	size_t depth = 0;
	bool inside = false;

	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if (inside && c == '\\')
			i++;
		else if (c == '"')
			inside = !inside;
		else if (!inside && (c == '{' || c == '['))
			depth++;
		else if (!inside && (c == '}' || c == ']') && depth && --depth == 0)
			return i + 1;
	}
	return 0;
}

static bool begins_container(struct str text)
{
	return text.n && (text.p[0] == '{' || text.p[0] == '[');
}

static struct str without_blanks(struct str text)
{
	while (text.n && (text.p[0] == ' ' || text.p[0] == '\t'))
		text = str_skip(text, 1);
	return text;
}

#define DEEPEST 256

/* The length of the container that begins a text, when it is on one line.  0: it is no
 * such, or, with *open, it does not end in this text. */
static size_t line_value_end(struct str text, bool *open)
{
	char closing[DEEPEST];
	size_t depth = 0;
	bool inside = false;

	*open = false;
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if (c == '\n' || (i == 0 && c != '{' && c != '['))
			return 0;
		if (inside && c == '\\') {
			i++;
		} else if (c == '"') {
			inside = !inside;
		} else if (!inside && (c == '{' || c == '[')) {
			if (depth == DEEPEST)
				return 0;
			closing[depth++] = c == '{' ? '}' : ']';
		} else if (!inside && (c == '}' || c == ']')) {
			if (c != closing[--depth])
				return 0;
			if (!depth)
				return i + 1;
		}
	}
	*open = true;
	return 0;
}

/* A sure answer for some bytes stays the answer for more of them. */
static enum likeness are_side_by_side(struct str head)
{
	bool open;
	size_t end = line_value_end(head, &open);
	struct str next;

	if (!head.n || head.p[0] != '{')
		return LIKE_NONE;
	if (!end)
		return open && head.n && head.n < RECORDED_HEAD ? LIKE_MAYBE : LIKE_NONE;
	next = str_skip(head, end);
	if (!next.n)
		return head.n < RECORDED_HEAD ? LIKE_MAYBE : LIKE_NONE;
	return next.p[0] == '{' ? LIKE_SURELY : LIKE_NONE;
}

static void write_apart(struct str text, struct buf *out)
{
	while (text.n) {
		size_t end = begins_container(text) ? container_end(text) : 0;
		struct str next;

		if (!end) {
			buf_str(out, text);
			return;
		}
		buf_str(out, (struct str){text.p, end});
		next = str_skip(text, end);
		text = without_blanks(next);
		if (begins_container(text)) {
			buf_byte(out, '\n');
			continue;
		}
		text = next;
		while (text.n && str_is_space(text.p[0])) {
			buf_byte(out, text.p[0]);
			text = str_skip(text, 1);
		}
	}
}

/* ---- lines that begin with other words ---- */

/* Whether words are those of a log: a time, a level, a stream. */
static bool is_of_log(struct str words)
{
	static const char *const known[] = {"STDIN", "STDOUT", "STDERR", "TRACE", "DEBUG",
		"INFO", "WARN", "ERROR", "FATAL", "LOG"};
	struct str rest;

	for (size_t i = 0; i < words.n; i++)
		if (isdigit((unsigned char)words.p[i]))
			return true;
	for (size_t k = 0; k < sizeof(known) / sizeof(*known); k++)
		for (rest = words; rest.n >= strlen(known[k]); rest = str_skip(rest, 1))
			if (strncasecmp(rest.p, known[k], strlen(known[k])) == 0)
				return true;
	return false;
}

/* Whether the beginning of a line can be what stands before an object. */
static bool is_prefix(struct str text)
{
	for (size_t i = 0; i < text.n && i < PREFIX_MOST; i++)
		if ((unsigned char)text.p[i] < ' ' && text.p[i] != '\t')
			return false;
	return text.n <= PREFIX_MOST && !memchr(text.p, '"', text.n);
}

/* The length of what stands before the object that ends a line: a name, a time, a level.
 * 0: nothing does, or there is no such object; *open: the line may still get one. */
static size_t prefix_length(struct str line, bool *open)
{
	const char *at = line.n ? memchr(line.p, '{', line.n) : NULL;
	struct str prefix, inside;
	size_t n;

	if (!at && line.n)
		at = memchr(line.p, '[', line.n);
	n = at ? (size_t)(at - line.p) : line.n;
	prefix = str_trim((struct str){line.p, n});
	*open = false;
	if (n == line.n || !prefix.n || !is_prefix(prefix) ||
		prefix.p[prefix.n - 1] == '[' || prefix.p[prefix.n - 1] == ',' ||
		str_ends(prefix, STR("data:")))
		return 0;
	inside = str_trim(str_skip(line, n + 1));
	if (inside.n && line.p[n] == '{' && inside.p[0] != '"' && inside.p[0] != '}')
		return 0;
	line = str_trim(str_skip(line, n));
	return line_value_end(line, open) == line.n ? n : 0;
}

/* By the first line: one of a log, with an object at its end, or of JSON-RPC. */
static enum likeness has_prefixes(struct str head)
{
	static const struct str sign = {"\"jsonrpc\"", 9};
	struct str rest = head, line = {"", 0}, words;
	bool open, ends = head.n >= RECORDED_HEAD;
	size_t n;

	if (!head.n)
		return LIKE_NONE;
	ends |= memchr(head.p, '\n', head.n) != NULL;
	str_next_line(&rest, &line);
	if (!memchr(line.p, '{', line.n))
		return !ends && is_prefix(str_trim(line)) ? LIKE_MAYBE : LIKE_NONE;
	n = prefix_length(line, &open);
	if (!ends)
		return n || open ? LIKE_MAYBE : LIKE_NONE;
	words = (struct str){line.p, n};
	return n && (is_of_log(words) || memmem(line.p, line.n, sign.p, sign.n))
		       ? LIKE_SURELY
		       : LIKE_NONE;
}

bool recorded_is_log(struct str head)
{
	return has_prefixes(head) == LIKE_SURELY;
}

void recorded_write_log(struct str text, struct buf *out)
{
	struct str line;

	while (str_next_line(&text, &line)) {
		bool open;
		size_t n = prefix_length(line, &open);

		if (!n || line.p[n] != '{') {
			buf_str(out, str_skip(line, n));
		} else {
			struct str words = str_trim((struct str){line.p, n});
			struct str rest = str_trim(str_skip(line, n + 1));

			words.n -= words.p[words.n - 1] == ':';
			buf_text(out, "{\"_line\":");
			buf_json(out, words);
			buf_text(out, rest.p[0] == '}' ? "" : ",");
			buf_str(out, rest);
		}
		buf_byte(out, '\n');
	}
}

/* The next line, without blanks around it; empty after the last. */
static struct str next_line(struct str *text)
{
	struct str line = {"", 0};

	str_next_line(text, &line);
	return str_trim(line);
}

/* ---- httprr ---- */

/* A body that was sent in chunks, each after its size in hexadecimal digits. */
static void join_chunks(struct str body, struct buf *out)
{
	while (body.n) {
		struct str line = next_line(&body);
		unsigned long n = 0;

		for (size_t i = 0; i < line.n && isxdigit((unsigned char)line.p[i]); i++)
			n = n << 4 | (unsigned)(isdigit((unsigned char)line.p[i])
							? line.p[i] - '0'
							: (line.p[i] | 32) - 'a' + 10);
		if (n > body.n)
			n = body.n;
		buf_str(out, (struct str){body.p, n});
		body = str_skip(body, n);
		if (n == 0 && line.n)
			return;
	}
}

/* Headers as members, up to the blank line, and the body. */
static void put_rest(struct buf *out, struct str text)
{
	static const struct str chunks = {"transfer-encoding: chunked", 26};
	bool chunked = false, any = false;
	AUTO_BUF joined = BUF_INIT;

	buf_text(out, "\"headers\":{");
	while (text.n) {
		struct str line = next_line(&text);
		const char *colon = line.n ? memchr(line.p, ':', line.n) : NULL;
		size_t n = colon ? (size_t)(colon - line.p) : 0;

		if (!line.n)
			break;
		chunked |= line.n >= chunks.n &&
			   strncasecmp(line.p, chunks.p, chunks.n) == 0;
		buf_text(out, any ? "," : "");
		buf_json(out, (struct str){line.p, n});
		buf_byte(out, ':');
		buf_json(out, str_trim(str_skip(line, colon ? n + 1 : 0)));
		any = true;
	}
	if (chunked) {
		join_chunks(text, &joined);
		text = buf_view(&joined);
	}
	buf_text(out, "},\"body\":");
	if (is_text(text)) {
		buf_json(out, text);
	} else {
		buf_byte(out, '"');
		base64_put(out, text);
		buf_byte(out, '"');
	}
}

/* The next word of a line. */
static struct str next_word(struct str *line)
{
	struct str word = {line->p, 0};

	while (word.n < line->n && line->p[word.n] != ' ')
		word.n++;
	*line = str_trim(str_skip(*line, word.n));
	return word;
}

static size_t read_length(struct str *line)
{
	size_t n = 0;

	*line = without_blanks(*line);
	while (line->n && isdigit((unsigned char)line->p[0]) && n < SIZE_MAX / 16) {
		n = n * 10 + (size_t)(line->p[0] - '0');
		*line = str_skip(*line, 1);
	}
	return n;
}

static struct str take(struct str *text, size_t n)
{
	struct str taken = {text->p, n < text->n ? n : text->n};

	*text = str_skip(*text, taken.n);
	return taken;
}

/* Each exchange stands after the lengths of its two sides: "POST https://… HTTP/1.1",
 * headers and a body, and "HTTP/1.1 200 OK" with its own. */
static void write_httprr(struct str text, struct buf *out)
{
	next_line(&text);
	while (text.n) {
		struct str line = next_line(&text), request, response;
		size_t asked = read_length(&line), given = read_length(&line);
		unsigned status = 0;

		if (!asked && !given)
			continue;
		request = take(&text, asked);
		response = take(&text, given);
		line = next_line(&request);
		buf_text(out, "{\"request\":{\"method\":");
		buf_json(out, next_word(&line));
		buf_text(out, ",\"url\":");
		buf_json(out, next_word(&line));
		buf_byte(out, ',');
		put_rest(out, request);
		line = next_line(&response);
		next_word(&line);
		for (size_t n = 0; n < line.n && str_is_digit(line.p[n]) && status < 1000;
			n++)
			status = status * 10 + (unsigned)(line.p[n] - '0');
		buf_printf(out, "},\"response\":{\"status\":%u,", status);
		put_rest(out, response);
		buf_text(out, "}}\n");
	}
}

/* ---- all ---- */

static struct str first_bytes(struct str text)
{
	return (struct str){text.p, text.n < RECORDED_HEAD ? text.n : RECORDED_HEAD};
}

enum likeness recorded_recognize(struct str head)
{
	size_t n = head.n < httprr.n ? head.n : httprr.n;
	enum likeness all[] = {are_side_by_side(head), has_prefixes(head),
		cassette_recognize(head), transcript_recognize(head),
		protobuf_recognize(head)};
	enum likeness best = LIKE_NONE;

	if (n && memcmp(head.p, httprr.p, n) == 0)
		return n == httprr.n ? LIKE_SURELY : LIKE_MAYBE;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		best = all[i] > best ? all[i] : best;
	return best;
}

bool recorded_is_joined(struct str text)
{
	return are_side_by_side(first_bytes(text)) == LIKE_SURELY;
}

size_t recorded_write(struct str text, struct buf *out)
{
	struct str head = first_bytes(text);

	if (str_starts(text, httprr)) {
		write_httprr(text, out);
	} else if (are_side_by_side(head) == LIKE_SURELY) {
		write_apart(text, out);
	} else if (recorded_is_log(head)) {
		recorded_write_log(text, out);
	} else if (cassette_recognize(head) == LIKE_SURELY) {
		cassette_write(text, out);
	} else if (protobuf_recognize(head) == LIKE_SURELY) {
		return protobuf_write(text, out);
	} else {
		transcript_write(text, out);
	}
	return SIZE_MAX;
}
