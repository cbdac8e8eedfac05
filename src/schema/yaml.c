/*
 * libyaml's events to values: see yaml.h.
 *
 * A value is read by recursion, at most YAML_DEPTH deep, and reading ends at the first
 * thing that is refused.  libyaml's scanner is quadratic in open brackets, but gives its
 * events as it goes (it looks ahead for a simple key only, 1024 characters of one line),
 * so the limit of depth ends a file of brackets after a few of them.
 *
 * libyaml counts characters; places are counted in bytes, by a position that moves on
 * with the events.
 */
#include "config.h"
#include "schema/yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

#include "base/mem.h"
#include "base/str.h"
#include "json/check.h"

#define SHOWN 40 /* bytes of a key or value in a message */

struct yaml_mark {
	uint64_t line, column; /* of the key; without one, of the value */
	uint64_t value_line;
	uint64_t indent; /* bytes before the value, or before each line of a block */
	bool literal;    /* a block scalar "|" */
};

/* A container that is being read. */
struct yaml_level {
	struct yaml_level *outer;
	json_t *value;
	uint32_t number; /* of the value */
	unsigned depth;
	bool keyed; /* a key was read, its value comes next */
	struct buf key;
	uint64_t key_line, key_column;
};

struct yaml_reader {
	yaml_parser_t parser;
	yaml_event_t event;
	struct yaml *y;
	struct str text;
	struct err *err;
	struct yaml_level *level; /* the innermost, or NULL */
	struct {
		size_t index; /* characters, as libyaml counts */
		size_t byte, line_start;
		uint64_t line;
	} at;
};

/* Moves to a character of the file. */
static void move_to(struct yaml_reader *r, size_t index)
{
	if (index < r->at.index) {
		memset(&r->at, 0, sizeof(r->at));
		r->at.line = 1;
	}
	for (; r->at.index < index && r->at.byte < r->text.n; r->at.index++) {
		unsigned char lead = (unsigned char)r->text.p[r->at.byte];

		r->at.byte += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
		if (lead == '\n') {
			r->at.line++;
			r->at.line_start = r->at.byte;
		}
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

/* "a.b[0].key", the path to what is being read */
static void add_path(struct buf *out, const struct yaml_level *level)
{
	if (!level)
		return;
	add_path(out, level->outer);
	if (json_is_array(level->value))
		buf_printf(out, "[%zu]", json_array_size(level->value));
	if (level->keyed) {
		buf_text(out, out->len ? "." : "");
		add_short(out, buf_view(&level->key));
	}
}

/* An error at the current position; always false. */
static bool refuse_here(struct yaml_reader *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
static bool refuse_here(struct yaml_reader *r, const char *fmt, ...)
{
	AUTO_BUF text = BUF_INIT;
	va_list ap;

	add_path(&text, r->level);
	if (text.len)
		buf_text(&text, ": ");
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	err_at(r->err, r->at.byte, "%s", text.data);
	r->err->line = r->at.line;
	r->err->column = column_here(r);
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

static bool refuse_syntax(struct yaml_reader *r)
{
	const yaml_parser_t *p = &r->parser;
	const char *problem = p->problem ? p->problem : "no YAML";
	uint64_t column;

	if (p->error == YAML_MEMORY_ERROR)
		mem_fail();
	if (p->error == YAML_READER_ERROR) {
		r->at.byte =
			p->problem_offset < r->text.n ? p->problem_offset : r->text.n;
		json_place(r->text, r->at.byte, &r->at.line, &column);
		r->at.line_start = r->at.byte + 1 - (size_t)column;
		return refuse_here(
			r, strstr(problem, "control")
				   ? "a control character; write it as an escape"
				   : "no UTF-8; save the file as UTF-8");
	}
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

static bool refuse_property(struct yaml_reader *r, const char *what,
	const yaml_char_t *name, const char *advice)
{
	AUTO_BUF shown = BUF_INIT;

	add_short(&shown, str_of((const char *)name));
	return refuse_here(r, "%s%s is not read here; %s", what, shown.data, advice);
}

/* Goes on to the next event.  False: it is none, or one that is refused. */
static bool next_event(struct yaml_reader *r)
{
	const yaml_event_t *e = &r->event;
	const yaml_char_t *anchor = NULL, *tag = NULL;

	yaml_event_delete(&r->event);
	if (!yaml_parser_parse(&r->parser, &r->event))
		return refuse_syntax(r);
	move_to(r, e->start_mark.index);
	if (e->type == YAML_ALIAS_EVENT)
		return refuse_property(
			r, "the alias *", e->data.alias.anchor, "write the value itself");
	if (e->type == YAML_SCALAR_EVENT) {
		anchor = e->data.scalar.anchor;
		tag = e->data.scalar.tag;
	} else if (e->type == YAML_SEQUENCE_START_EVENT) {
		anchor = e->data.sequence_start.anchor;
		tag = e->data.sequence_start.tag;
	} else if (e->type == YAML_MAPPING_START_EVENT) {
		anchor = e->data.mapping_start.anchor;
		tag = e->data.mapping_start.tag;
	}
	if (anchor)
		return refuse_property(r, "the anchor &", anchor, "leave it out");
	return !tag || refuse_property(r, "the tag ", tag, "leave it out");
}

/* ---- plain scalars ---- */

/* "+.5" and "007" are numbers of the core schema: what JSON writes otherwise is mended,
 * then JSON says whether it is one.  NULL when it is not. */
static json_t *decimal_number(const char *p)
{
	static const char digits[] = "0123456789";
	bool minus = *p == '-';
	AUTO_BUF out = BUF_INIT;

	p += minus || *p == '+';
	if (!strspn(p + (*p == '.'), digits) || p[strspn(p, "0123456789.eE+-")])
		return NULL;
	buf_text(&out, minus ? "-" : "");
	p += strspn(p, "0");
	buf_text(&out, strspn(p, digits) ? "" : "0");
	buf_add(&out, p, strspn(p, digits));
	p += strspn(p, digits);
	p += *p == '.' && !strspn(p + 1, digits);
	buf_text(&out, p);
	return json_read_strict(buf_view(&out), NULL);
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

/* NULL when it is a string.  libyaml puts a NUL after the text. */
static json_t *core_value(struct str text)
{
	static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
	static const char *const trues[] = {"true", "True", "TRUE"};
	static const char *const falses[] = {"false", "False", "FALSE"};
	json_t *value;

	if (STR_AMONG(text, nulls))
		return json_null();
	if (STR_AMONG(text, trues) || STR_AMONG(text, falses))
		return json_boolean(STR_AMONG(text, trues));
	value = based_number(text.p);
	return value ? value : decimal_number(text.p);
}

/* ---- values ---- */

/* The number of a member or item, by the segment of a pointer that names it; MAP_NONE: there
 * is none, as of what was added to the values since. */
static uint32_t find_child(const struct yaml *y, uint32_t parent, struct str segment)
{
	AUTO_BUF name = BUF_INIT;

	buf_printf(&name, "%" PRIu32 "/", parent);
	buf_str(&name, segment);
	return intern_find(&y->values, buf_view(&name));
}

/* Gives the value at hand a number and its place. */
static uint32_t add_mark(struct yaml_reader *r)
{
	struct yaml *y = r->y;
	const struct yaml_level *level = r->level;
	bool keyed = level && level->keyed;
	AUTO_BUF name = BUF_INIT;
	uint32_t number;

	if (level)
		buf_printf(&name, "%" PRIu32, level->number);
	if (keyed)
		json_write_segment(&name, level->key.data);
	else if (level)
		buf_printf(&name, "/%zu", json_array_size(level->value));
	number = intern_add(&y->values, buf_view(&name));
	MEM_ROOM(y->marks, y->mark_cap, (size_t)number + 1);
	y->marks[number] = (struct yaml_mark){
		.line = keyed ? level->key_line : r->at.line,
		.column = keyed ? level->key_column : column_here(r),
		.value_line = r->at.line,
		.indent = column_here(r) - 1};
	return number;
}

static size_t leading(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] == ' ')
		n++;
	return n;
}

/* The bytes before each line of a literal block: by its first line that is not empty. */
static size_t block_indent(const struct yaml_reader *r, struct str value)
{
	struct str file = {r->text.p + r->at.byte, r->text.n - r->at.byte};
	struct str in_file = {0}, in_value = {0};
	size_t indent;

	str_next_line(&file, &in_file); /* the "|" */
	do
		str_next_line(&file, &in_file);
	while (str_next_line(&value, &in_value) && !in_value.n);
	indent = leading(in_value);
	return leading(in_file) > indent ? leading(in_file) - indent : 0;
}

static json_t *read_scalar(struct yaml_reader *r)
{
	struct str text = {
		(const char *)r->event.data.scalar.value, r->event.data.scalar.length};
	yaml_scalar_style_t style = r->event.data.scalar.style;
	static const char *const not_finite[] = {".inf", ".Inf", ".INF", "+.inf", "+.Inf",
		"+.INF", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN", ".NAN"};
	json_t *value = NULL;
	size_t at = add_mark(r); /* which may move the marks */
	struct yaml_mark *mark = &r->y->marks[at];

	if (style == YAML_PLAIN_SCALAR_STYLE) {
		if (STR_AMONG(text, not_finite)) {
			refuse_here(r, "no number that JSON can write; put it in quotes");
			return NULL;
		}
		value = core_value(text);
	} else if (style == YAML_LITERAL_SCALAR_STYLE) {
		mark->literal = true;
		mark->indent = block_indent(r, text);
	}
	return value ? value : json_stringn_nocheck(text.p, text.n);
}

/* Reads a key, up to the event where its value begins. */
static bool read_key(struct yaml_reader *r)
{
	struct str key = {
		(const char *)r->event.data.scalar.value, r->event.data.scalar.length};
	struct yaml_level *level = r->level;
	AUTO_BUF segment = BUF_INIT;
	uint32_t first;

	if (r->event.type != YAML_SCALAR_EVENT)
		return refuse_here(r, "a key must be a text, no list and no mapping");
	if (!key.n && r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
		return refuse_here(r, "a key is missing before the colon");
	if (memchr(key.p, '\0', key.n))
		return refuse_here(r, "a NUL in a key; leave it out");
	buf_set(&level->key, key);
	buf_byte(&level->key, '\0');
	level->key.len--;
	level->key_line = r->at.line;
	level->key_column = column_here(r);
	level->keyed = true;
	json_write_segment(&segment, level->key.data);
	first = find_child(r->y, level->number, str_skip(buf_view(&segment), 1));
	if (first != MAP_NONE)
		return refuse_here(r,
			"the key is used twice, first in line %" PRIu64 "; remove one",
			r->y->marks[first].line);
	return next_event(r);
}

/* Reads the value that begins with the event at hand.  NULL: it is refused. */
static json_t *read_value(struct yaml_reader *r)
{
	bool map = r->event.type == YAML_MAPPING_START_EVENT, ok;
	struct yaml_level level = {
		.outer = r->level, .depth = r->level ? r->level->depth + 1 : 1};
	json_t *item;

	if (r->event.type == YAML_SCALAR_EVENT)
		return read_scalar(r);
	if (level.depth > YAML_DEPTH) {
		refuse_here(r,
			"nested deeper than %d levels; write it as JSON in a block (|)",
			YAML_DEPTH);
		return NULL;
	}
	level.value = map ? json_object() : json_array();
	level.number = add_mark(r);
	r->level = &level;
	while ((ok = next_event(r)) && r->event.type != YAML_SEQUENCE_END_EVENT &&
		r->event.type != YAML_MAPPING_END_EVENT) {
		ok = !map || read_key(r);
		item = ok ? read_value(r) : NULL;
		if (!item) {
			ok = false;
			break;
		}
		if (map)
			json_object_set_new_nocheck(level.value, level.key.data, item);
		else
			json_array_append_new(level.value, item);
		level.keyed = false;
	}
	r->level = level.outer;
	buf_done(&level.key);
	if (ok)
		return level.value;
	json_decref(level.value);
	return NULL;
}

static bool read_document(struct yaml_reader *r)
{
	if (r->text.n > YAML_SIZE)
		return refuse_here(
			r, "longer than %u bytes; make several files of it", YAML_SIZE);
	if (!next_event(r) || !next_event(r)) /* of the stream, of the document */
		return false;
	if (r->event.type == YAML_STREAM_END_EVENT)
		return true;
	if (!next_event(r) || !(r->y->root = read_value(r)))
		return false;
	if (!next_event(r) || !next_event(r)) /* after the document's end */
		return false;
	return r->event.type == YAML_STREAM_END_EVENT ||
	       refuse_here(r, "a second document begins; keep one in a file");
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
	ok = read_document(&r);
	yaml_event_delete(&r.event);
	yaml_parser_delete(&r.parser);
	if (!ok)
		yaml_done(y);
	return ok;
}

void yaml_done(struct yaml *y)
{
	json_decref(y->root);
	intern_done(&y->values);
	mem_free(y->marks);
	*y = (struct yaml){0};
}

/* ---- looking up places ---- */

/* The mark at a pointer, or of its nearest ancestor; NULL for an empty document. */
static const struct yaml_mark *find(const struct yaml *y, struct str pointer)
{
	uint32_t number = 0, next;

	while (pointer.n) {
		struct str segment = str_skip(pointer, 1);
		const char *end = memchr(segment.p, '/', segment.n);

		segment.n = end ? (size_t)(end - segment.p) : segment.n;
		next = find_child(y, number, segment);
		if (next == MAP_NONE)
			break;
		number = next;
		pointer = str_skip(pointer, segment.n + 1);
	}
	return y->values.count ? &y->marks[number] : NULL;
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

/* ---- files ---- */

/* Reads one byte more than is allowed, so that yaml_read sees that it is too much.  Waits
 * for data as long as a pipe has a writer; without a writer it is at its end. */
static bool read_all(int fd, struct buf *text, struct err *err)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	ssize_t got = 1;

	buf_reserve(text, YAML_SIZE + 1);
	while (got > 0 && text->len <= YAML_SIZE) {
		while ((got = read(fd, text->data + text->len,
				YAML_SIZE + 1 - text->len)) < 0 &&
			(errno == EAGAIN || errno == EINTR))
			poll(&p, 1, -1);
		if (got > 0)
			text->len += (size_t)got;
	}
	if (got < 0)
		err_set(err, "cannot be read: %s", strerror(errno));
	return got >= 0;
}

/* Whether such a file may be read. */
static bool is_fit(const struct stat *st, unsigned how, struct err *err)
{
	if (S_ISDIR(st->st_mode))
		err_set(err, "is a directory; name a file in it");
	else if (!S_ISREG(st->st_mode) && !(how & YAML_PIPE && S_ISFIFO(st->st_mode)))
		err_set(err, "is no file of text");
	else if (how & YAML_OWN && st->st_uid != geteuid() && st->st_uid != 0)
		err_set(err, "is not read: it belongs to another user");
	else if (how & YAML_OWN && st->st_mode & S_IWOTH)
		err_set(err, "is not read: everybody may write to it");
	else
		return true;
	return false;
}

bool yaml_file_read(const char *path, unsigned how, struct buf *text, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	struct stat st;
	bool ok = false;

	if (fd < 0 || fstat(fd, &st) < 0)
		err_set(err, "cannot be opened: %s", strerror(errno));
	else
		ok = is_fit(&st, how, err) && read_all(fd, text, err);
	if (ok && S_ISFIFO(st.st_mode) && !text->len) {
		err_set(err, "nothing came out of the pipe");
		ok = false;
	}
	if (!ok)
		err_source(err, path);
	if (fd >= 0)
		close(fd);
	return ok;
}

bool yaml_file_is_absent(const char *path)
{
	struct stat st;

	return lstat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR);
}
