/*
 * libyaml's events to values: see yaml.h.
 *
 * An explicit stack of YAML_DEPTH containers; the event loop stops at the first thing
 * that is refused.  libyaml's scanner is quadratic in open brackets, but gives its events
 * as it goes (it looks ahead for a simple key only, 1024 characters of one line), so the
 * limit of depth ends a file of brackets after a few of them.
 *
 * libyaml counts characters; places are counted in bytes, by a position that moves on
 * with the events.  Marks are a tree by the number of the parent: pointers as texts would
 * be quadratic in a file of one long key with many members.
 */
#include "config.h"
#include "schema/yaml.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <yaml.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "json/check.h"

#define SHOWN 40 /* bytes of a key or value in a message */

struct yaml_mark {
	uint32_t parent;       /* number; the root is its own */
	uint32_t index;        /* in a sequence */
	size_t key_at, key_n;  /* in a mapping: into keys */
	bool member;           /* of a mapping */
	bool literal;          /* a block scalar "|" */
	uint64_t line, column; /* of the key; without one, of the value */
	uint64_t value_line;
	uint64_t indent; /* bytes before the value, or before each line of a block */
};

struct yaml_position {
	size_t index; /* characters, as libyaml counts */
	size_t byte, line_start;
	uint64_t line;
};

struct yaml_level {
	json_t *value; /* borrowed: each is in the one before */
	uint32_t mark, count;
};

struct yaml_reader {
	yaml_parser_t parser;
	yaml_event_t event;
	struct yaml *y;
	struct str text;
	struct err *err;
	struct yaml_level nest[YAML_DEPTH];
	size_t depth;
	struct yaml_position at;
	bool keyed; /* a key was read, its value comes next */
	size_t key_at, key_n;
	uint64_t key_line, key_column;
	bool document; /* the document has begun: another one is refused */
};

/* ---- places ---- */

/* Moves to a character of the file. */
static void move_to(struct yaml_reader *r, size_t index)
{
	struct yaml_position *p = &r->at;

	if (index < p->index)
		*p = (struct yaml_position){.line = 1};
	while (p->index < index && p->byte < r->text.n) {
		unsigned char lead = (unsigned char)r->text.p[p->byte];

		if (lead == '\n') {
			p->line++;
			p->line_start = p->byte + 1;
		}
		p->byte += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
		p->index++;
	}
}

static uint64_t column_here(const struct yaml_reader *r)
{
	return r->at.byte - r->at.line_start + 1;
}

/* ---- errors ---- */

static void add_short(struct buf *out, struct str text)
{
	size_t n = utf8_cut(text.p, text.n, SHOWN);

	buf_add(out, text.p, n);
	if (n < text.n)
		buf_text(out, "...");
}

static struct str mark_key(const struct yaml *y, const struct yaml_mark *mark)
{
	return (struct str){y->keys.data + mark->key_at, mark->key_n};
}

static void add_step(struct buf *out, const struct yaml *y, const struct yaml_mark *mark)
{
	if (!mark->member) {
		buf_printf(out, "[%" PRIu32 "]", mark->index);
		return;
	}
	if (out->len)
		buf_byte(out, '.');
	add_short(out, mark_key(y, mark));
}

/* "a.b[0].key: ", the path to what is being read */
static void add_path(struct buf *out, const struct yaml_reader *r)
{
	const struct yaml_level *top = r->depth ? &r->nest[r->depth - 1] : NULL;
	struct yaml_mark next = {.member = r->keyed,
		.key_at = r->key_at,
		.key_n = r->key_n,
		.index = top ? top->count : 0};

	for (size_t i = 1; i < r->depth; i++)
		add_step(out, r->y, &r->y->marks[r->nest[i].mark]);
	if (top && (r->keyed || json_is_array(top->value)))
		add_step(out, r->y, &next);
	if (out->len)
		buf_text(out, ": ");
}

/* An error at the current position; always false. */
static bool refuse_here(struct yaml_reader *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
static bool refuse_here(struct yaml_reader *r, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	add_path(&text, r);
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	err_at(r->err, r->at.byte, "%s", text.data);
	r->err->line = r->at.line;
	r->err->column = column_here(r);
	buf_done(&text);
	return false;
}

/* The messages of libyaml in words that help a person; others are passed on. */
static const struct {
	const char *problem;
	bool where_it_began; /* the place is that of the context */
	const char *text;
} explained[] = {
	{"could not find expected ':'", true,
		"a key without a colon; write `key: value`, or quote the text"},
	{"found character that cannot start any token", false,
		"no text begins so; put it in quotes, and indent with spaces, not tabs"},
	{"found a tab character that violates indentation", false,
		"a tab; indent with spaces"},
	{"mapping values are not allowed in this context", false,
		"a colon where no key is allowed; put the text in quotes"},
	{"did not find expected key", false,
		"not indented as the keys before it, or something before it is not "
		"closed"},
	{"did not find expected '-' indicator", false,
		"not indented as the items before it; begin each with `- `"},
	{"block sequence entries are not allowed in this context", false,
		"an item where none is allowed; put it on a line of its own"},
	{"did not find expected node content", false,
		"a value is missing, or a bracket before it is not closed"},
	{"did not find expected ',' or ']'", true, "the `[` is not closed by a `]`"},
	{"did not find expected ',' or '}'", true, "the `{` is not closed by a `}`"},
	{"found unexpected end of stream", true, "the quote is not closed"},
	{"did not find expected <document start>", false,
		"text after the end of the value; indent it, or put it in quotes"},
};

static bool refuse_bytes(struct yaml_reader *r)
{
	const yaml_parser_t *p = &r->parser;
	bool control = p->problem && strstr(p->problem, "control");
	uint64_t column;

	r->at.byte = p->problem_offset < r->text.n ? p->problem_offset : r->text.n;
	json_place(r->text, r->at.byte, &r->at.line, &column);
	r->at.line_start = r->at.byte + 1 - (size_t)column;
	return refuse_here(r, control ? "a control character; write it as an escape"
				      : "no UTF-8; save the file as UTF-8");
}

static bool refuse_syntax(struct yaml_reader *r)
{
	const yaml_parser_t *p = &r->parser;
	const char *problem = p->problem ? p->problem : "no YAML";

	if (p->error == YAML_MEMORY_ERROR)
		mem_fail();
	if (p->error == YAML_READER_ERROR)
		return refuse_bytes(r);
	for (size_t i = 0; i < sizeof(explained) / sizeof(*explained); i++) {
		if (strcmp(problem, explained[i].problem) != 0)
			continue;
		move_to(r, explained[i].where_it_began && p->context
				   ? p->context_mark.index
				   : p->problem_mark.index);
		return refuse_here(r, "%s", explained[i].text);
	}
	move_to(r, p->problem_mark.index);
	return refuse_here(r, "%s%s%s", p->context ? p->context : "",
		p->context ? ": " : "", problem);
}

/* ---- values ---- */

static uint32_t add_mark(struct yaml_reader *r)
{
	struct yaml *y = r->y;
	struct yaml_level *top = r->depth ? &r->nest[r->depth - 1] : NULL;
	struct yaml_mark *m;

	y->marks = mem_grow(y->marks, &y->mark_cap, y->mark_count + 1, sizeof(*y->marks));
	m = &y->marks[y->mark_count];
	*m = (struct yaml_mark){.parent = top ? top->mark : 0,
		.index = top ? top->count++ : 0,
		.key_at = r->key_at,
		.key_n = r->key_n,
		.member = r->keyed,
		.line = r->keyed ? r->key_line : r->at.line,
		.column = r->keyed ? r->key_column : column_here(r),
		.value_line = r->at.line,
		.indent = column_here(r) - 1};
	return (uint32_t)y->mark_count++;
}

/* Adds a value to the innermost container, and takes ownership of it; returns the number
 * of its mark. */
static uint32_t add_value(struct yaml_reader *r, json_t *value)
{
	json_t *top = r->depth ? r->nest[r->depth - 1].value : NULL;
	uint32_t mark = add_mark(r);

	if (!top)
		r->y->root = value;
	else if (r->keyed)
		json_object_set_new_nocheck(top, r->y->keys.data + r->key_at, value);
	else
		json_array_append_new(top, value);
	r->keyed = false;
	return mark;
}

/* Whether a mapping waits for a key. */
static bool wants_key(const struct yaml_reader *r)
{
	return r->depth && !r->keyed && json_is_object(r->nest[r->depth - 1].value);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *p)
{
	while (is_digit(*p))
		p++;
	return p;
}

/*
 * A decimal number of the core schema as JSON writes it: "+.5" as "0.5", "007" as "7".
 * `p` ends with a NUL.  False when it is no such number.
 */
static bool normal_number(const char *p, struct buf *out)
{
	const char *digits, *end, *fraction, *exponent;
	bool minus = *p == '-';

	p += *p == '-' || *p == '+';
	digits = p;
	end = p = skip_digits(p);
	fraction = p + (*p == '.');
	p = skip_digits(fraction);
	if (digits == end && p == fraction)
		return false;
	exponent = p;
	if (*p == 'e' || *p == 'E') {
		p += 1 + (p[1] == '-' || p[1] == '+');
		if (!is_digit(*p))
			return false;
	}
	if (*skip_digits(p))
		return false;
	while (digits < end - 1 && *digits == '0')
		digits++;
	buf_text(out, minus ? "-" : "");
	buf_add(out, digits == end ? "0" : digits,
		digits == end ? 1 : (size_t)(end - digits));
	if (exponent > fraction)
		buf_printf(out, ".%.*s", (int)(exponent - fraction), fraction);
	buf_text(out, exponent);
	return true;
}

/* 0o17 and 0x1F; NULL when it is no such number, or more than a C integer holds. */
static json_t *based_number(const char *p)
{
	bool octal = p[0] == '0' && p[1] == 'o', hex = p[0] == '0' && p[1] == 'x';
	const char *digits = octal ? "01234567" : "0123456789abcdefABCDEF";
	unsigned long long n;

	if ((!octal && !hex) || !p[2] || p[2 + strspn(p + 2, digits)])
		return NULL;
	n = strtoull(p + 2, NULL, octal ? 8 : 16);
	return n > INT64_MAX ? NULL : json_integer((json_int_t)n);
}

static const struct {
	const char *text;
	json_t *(*make)(void);
} words[] = {
	{"", json_null},
	{"~", json_null},
	{"null", json_null},
	{"Null", json_null},
	{"NULL", json_null},
	{"true", json_true},
	{"True", json_true},
	{"TRUE", json_true},
	{"false", json_false},
	{"False", json_false},
	{"FALSE", json_false},
};

static bool not_finite(const char *p)
{
	static const char *const names[] = {
		".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(p + (i < 3 && (*p == '-' || *p == '+')), names[i]) == 0)
			return true;
	return false;
}

/* A plain scalar; NULL when it is a string.  libyaml puts a NUL after it. */
static json_t *core_value(const char *p)
{
	struct buf number = BUF_INIT;
	json_t *value = NULL;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(p, words[i].text) == 0)
			return words[i].make();
	value = based_number(p);
	if (!value && normal_number(p, &number))
		value = json_read_strict(buf_view(&number), NULL);
	buf_done(&number);
	return value;
}

static struct str event_text(const struct yaml_reader *r)
{
	return (struct str){
		(const char *)r->event.data.scalar.value, r->event.data.scalar.length};
}

static const struct yaml_mark *child(
	const struct yaml *y, uint32_t parent, struct str segment);

static bool refuse_duplicate(struct yaml_reader *r, struct str key)
{
	const struct yaml_mark *first = child(r->y, r->nest[r->depth - 1].mark, key);
	uint64_t line = first ? first->line : 0;

	r->keyed = true;
	return refuse_here(
		r, "the key is used twice, first in line %" PRIu64 "; remove one", line);
}

static bool read_key(struct yaml_reader *r)
{
	struct str key = event_text(r);
	bool empty = !key.n && r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;

	if (empty)
		return refuse_here(r, "a key is missing before the colon");
	if (memchr(key.p, '\0', key.n))
		return refuse_here(r, "a NUL in a key; leave it out");
	r->key_at = r->y->keys.len;
	r->key_n = key.n;
	r->key_line = r->at.line;
	r->key_column = column_here(r);
	buf_str(&r->y->keys, key);
	buf_byte(&r->y->keys, '\0');
	if (json_object_get(r->nest[r->depth - 1].value, r->y->keys.data + r->key_at))
		return refuse_duplicate(r, key);
	r->keyed = true;
	return true;
}

static size_t leading(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] == ' ')
		n++;
	return n;
}

/* The text after the first line. */
static struct str next_line(struct str s)
{
	const char *end = s.n ? memchr(s.p, '\n', s.n) : NULL;
	size_t n = end ? (size_t)(end - s.p) + 1 : s.n;

	return (struct str){s.p + n, s.n - n};
}

/* The bytes before each line of a literal block: by its first line that is not blank. */
static size_t block_indent(const struct yaml_reader *r, struct str value)
{
	struct str file = {r->text.p + r->at.byte, r->text.n - r->at.byte};
	size_t in_file, in_value;

	for (file = next_line(file); value.n && value.p[0] == '\n';
		value = next_line(value))
		file = next_line(file);
	in_file = leading(file);
	in_value = leading(value);
	return in_file > in_value ? in_file - in_value : 0;
}

static bool read_scalar(struct yaml_reader *r)
{
	struct str text = event_text(r);
	yaml_scalar_style_t style = r->event.data.scalar.style;
	bool plain = style == YAML_PLAIN_SCALAR_STYLE;
	json_t *value = NULL;
	struct yaml_mark *mark;
	uint32_t number;

	if (wants_key(r))
		return read_key(r);
	if (plain && not_finite(text.p))
		return refuse_here(r, "no number that JSON can write; put it in quotes");
	if (plain)
		value = core_value(text.p);
	if (!value)
		value = json_stringn_nocheck(text.p, text.n);
	number = add_value(r, value);
	mark = &r->y->marks[number];
	mark->literal = style == YAML_LITERAL_SCALAR_STYLE;
	if (mark->literal)
		mark->indent = block_indent(r, text);
	return true;
}

static bool begin_container(struct yaml_reader *r, json_t *(*make)(void))
{
	json_t *value;

	if (wants_key(r))
		return refuse_here(r, "a key must be a text, no list and no mapping");
	if (r->depth == YAML_DEPTH)
		return refuse_here(r,
			"nested deeper than %d levels; write it as JSON in a block (|)",
			YAML_DEPTH);
	value = make();
	r->nest[r->depth] =
		(struct yaml_level){.value = value, .mark = add_value(r, value)};
	r->depth++;
	return true;
}

/* The anchor and the tag of the event, or NULL. */
static void event_properties(
	const yaml_event_t *e, const yaml_char_t **anchor, const yaml_char_t **tag)
{
	*anchor = *tag = NULL;
	if (e->type == YAML_SCALAR_EVENT) {
		*anchor = e->data.scalar.anchor;
		*tag = e->data.scalar.tag;
	} else if (e->type == YAML_SEQUENCE_START_EVENT) {
		*anchor = e->data.sequence_start.anchor;
		*tag = e->data.sequence_start.tag;
	} else if (e->type == YAML_MAPPING_START_EVENT) {
		*anchor = e->data.mapping_start.anchor;
		*tag = e->data.mapping_start.tag;
	}
}

static bool refuse_property(struct yaml_reader *r, const char *what,
	const yaml_char_t *name, const char *advice)
{
	struct buf shown = BUF_INIT;

	add_short(&shown, str_of((const char *)name));
	refuse_here(r, "%s%s is not read here; %s", what, shown.data, advice);
	buf_done(&shown);
	return false;
}

static bool read_event(struct yaml_reader *r)
{
	const yaml_char_t *anchor, *tag;

	move_to(r, r->event.start_mark.index);
	event_properties(&r->event, &anchor, &tag);
	if (anchor)
		return refuse_property(r, "the anchor &", anchor, "leave it out");
	if (tag)
		return refuse_property(r, "the tag ", tag, "leave it out");
	switch (r->event.type) {
	case YAML_DOCUMENT_START_EVENT:
		if (r->document)
			return refuse_here(
				r, "a second document begins; keep one in a file");
		return r->document = true;
	case YAML_ALIAS_EVENT:
		return refuse_property(r, "the alias *", r->event.data.alias.anchor,
			"write the value itself");
	case YAML_SCALAR_EVENT:
		return read_scalar(r);
	case YAML_SEQUENCE_START_EVENT:
		return begin_container(r, json_array);
	case YAML_MAPPING_START_EVENT:
		return begin_container(r, json_object);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		r->depth--;
		return true;
	default:
		return true;
	}
}

static bool read_events(struct yaml_reader *r)
{
	bool more = true;

	if (r->text.n > YAML_SIZE)
		return refuse_here(
			r, "longer than %u bytes; make several files of it", YAML_SIZE);
	while (more) {
		bool ok = yaml_parser_parse(&r->parser, &r->event) ? read_event(r)
								   : refuse_syntax(r);

		more = r->event.type != YAML_STREAM_END_EVENT;
		yaml_event_delete(&r->event);
		if (!ok)
			return false;
	}
	return true;
}

bool yaml_read(struct yaml *y, struct str text, struct err *err)
{
	struct yaml_reader r = {.y = y, .text = text, .err = err, .at = {.line = 1}};
	bool ok;

	*y = (struct yaml){0};
	if (!yaml_parser_initialize(&r.parser))
		mem_fail();
	/* set, not detected: UTF-16 is refused, and a BOM counts as a character */
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
		&r.parser, (const unsigned char *)(text.n ? text.p : ""), text.n);
	ok = read_events(&r);
	yaml_parser_delete(&r.parser);
	if (!ok)
		yaml_done(y);
	return ok;
}

void yaml_done(struct yaml *y)
{
	json_decref(y->root);
	mem_free(y->marks);
	buf_done(&y->keys);
	*y = (struct yaml){0};
}

/* ---- looking up places ---- */

/* Whether a segment of a pointer, with its ~0 and ~1, means `key`. */
static bool segment_is(struct str segment, struct str key)
{
	size_t at = 0;

	for (size_t i = 0; i < segment.n; i++, at++) {
		char c = segment.p[i];

		if (c == '~' && i + 1 < segment.n)
			c = segment.p[++i] == '1' ? '/' : '~';
		if (at == key.n || key.p[at] != c)
			return false;
	}
	return at == key.n;
}

static const struct yaml_mark *child(
	const struct yaml *y, uint32_t parent, struct str segment)
{
	for (size_t i = (size_t)parent + 1; i < y->mark_count; i++) {
		const struct yaml_mark *m = &y->marks[i];
		char index[16];

		if (m->parent != parent)
			continue;
		if (!m->member)
			snprintf(index, sizeof(index), "%" PRIu32, m->index);
		if (segment_is(segment, m->member ? mark_key(y, m) : str_of(index)))
			return m;
	}
	return NULL;
}

/* Takes the next segment off a pointer. */
static struct str take_segment(struct str *pointer)
{
	struct str segment = {pointer->p + 1, pointer->n - 1};
	const char *end = segment.n ? memchr(segment.p, '/', segment.n) : NULL;

	if (end)
		segment.n = (size_t)(end - segment.p);
	pointer->p = segment.p + segment.n;
	pointer->n -= segment.n + 1;
	return segment;
}

static const struct yaml_mark *find(const struct yaml *y, struct str pointer)
{
	const struct yaml_mark *m = y->mark_count ? y->marks : NULL;

	while (m && pointer.n) {
		const struct yaml_mark *next =
			child(y, (uint32_t)(m - y->marks), take_segment(&pointer));

		if (!next)
			break;
		m = next;
	}
	return m;
}

void yaml_place(
	const struct yaml *y, struct str pointer, uint64_t *line, uint64_t *column)
{
	const struct yaml_mark *m = find(y, pointer);

	*line = m ? m->line : 1;
	*column = m ? m->column : 1;
}

void yaml_place_within(
	const struct yaml *y, struct str pointer, uint64_t *line, uint64_t *column)
{
	const struct yaml_mark *m = find(y, pointer);

	if (m && m->literal) {
		*line += m->value_line;
		*column += m->indent;
	} else {
		*line = m ? m->value_line : 1;
		*column = m ? m->indent + 1 : 1;
	}
}
