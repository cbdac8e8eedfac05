/* See recorded.h.  From the events of libyaml. */
#include "config.h"
#include "io/recorded.h"

#include <string.h>
#include <yaml.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"

#define DEEPEST 64
#define GROWTH  16 /* times the text that aliases may make of it */

enum likeness cassette_recognize(struct str head)
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
	} at[DEEPEST];
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

static void put_scalar(struct cassette_writer *w, const yaml_event_t *e)
{
	struct str text = {(const char *)e->data.scalar.value, e->data.scalar.length};
	const char *tag = (const char *)e->data.scalar.tag;
	AUTO_BUF bytes = BUF_INIT;
	bool is_text = true;
	size_t from;

	separate(w);
	from = w->out->len;
	if (tag && strstr(tag, "binary")) {
		base64_get(text, &bytes);
		for (size_t i = 0; i < bytes.len && is_text; i++)
			is_text = (unsigned char)bytes.data[i] >= ' ' ||
				  str_is_space(bytes.data[i]);
		buf_json(w->out, is_text ? buf_view(&bytes) : text);
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
	if (is_key(w) || w->depth == DEEPEST)
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

void cassette_write(struct str text, struct buf *out)
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
