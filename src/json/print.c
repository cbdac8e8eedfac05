/*
 * Writing JSON: see json.h.
 *
 * json_write walks a decoded value.  json_write_raw walks text that may be anything, to
 * any depth, and always writes JSON:
 *
 *   - a closing bracket closes the innermost container, whichever kind it is;
 *   - missing commas and colons are written, spare ones are not;
 *   - a key without a value gets null, a value without a key the key "";
 *   - a word that is no JSON, and a key without quotes, becomes a string;
 *   - a bad escape becomes its own text, half an escape at the end nothing;
 *   - what follows the root value is left out, but a root that is neither a
 *     container nor a string nor one good word becomes one string of all of it;
 *   - a blank text is null.
 *
 * Bytes that may stay are copied in one piece: `from` is the first not yet copied.
 */
#include "config.h"
#include "json/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "json/check.h"

/* Characters */

/* Characters that are invisible, or that change how the rest of a line is shown. */
static bool hidden(unsigned code)
{
	static const struct {
		unsigned first, last;
	} ranges[] = {
		{0x7F, 0x9F},       /* DEL, C1 */
		{0xAD, 0xAD},       /* soft hyphen */
		{0x34F, 0x34F},     /* grapheme joiner */
		{0x61C, 0x61C},     /* Arabic letter mark */
		{0x115F, 0x1160},   /* Hangul fillers */
		{0x17B4, 0x17B5},   /* Khmer inherent vowels */
		{0x180B, 0x180F},   /* Mongolian selectors and separator */
		{0x200B, 0x200F},   /* zero-width, marks of direction */
		{0x2028, 0x202E},   /* line separators, embeddings and overrides */
		{0x2060, 0x206F},   /* word joiner, invisible operators, isolates */
		{0x2800, 0x2800},   /* Braille blank */
		{0x3164, 0x3164},   /* Hangul filler */
		{0xFEFF, 0xFEFF},   /* byte order mark */
		{0xFFA0, 0xFFA0},   /* half-width Hangul filler */
		{0xFFF9, 0xFFFB},   /* interlinear annotation */
		{0x1BCA0, 0x1BCA3}, /* shorthand format controls */
		{0x1D173, 0x1D17A}, /* musical format controls */
		{0xE0000, 0xE0FFF}, /* tags, variation selectors 17 to 256 */
	};
	size_t i = 0;

	while (i < sizeof(ranges) / sizeof(ranges[0]) && code > ranges[i].last)
		i++;
	return i < sizeof(ranges) / sizeof(ranges[0]) && code >= ranges[i].first;
}

static void put_unit(struct buf *out, unsigned unit)
{
	static const char digits[] = "0123456789abcdef";

	buf_add(out,
		(char[]){'\\', 'u', digits[unit >> 12], digits[unit >> 8 & 15],
			digits[unit >> 4 & 15], digits[unit & 15]},
		6);
}

static void put_escape(struct buf *out, unsigned code)
{
	static const char codes[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
	const char *name = code && code < 0x80 ? strchr(codes, (int)code) : NULL;

	if (name) {
		buf_add(out, (char[]){'\\', names[name - codes]}, 2);
	} else if (code < 0x10000) {
		put_unit(out, code);
	} else {
		put_unit(out, 0xD800 + ((code - 0x10000) >> 10));
		put_unit(out, 0xDC00 + ((code - 0x10000) & 0x3FF));
	}
}

void json_item(struct buf *out)
{
	char last = out->len ? out->data[out->len - 1] : '[';

	if (last != '[' && last != '{' && last != ':')
		buf_byte(out, ',');
}

void json_key(struct buf *out, const char *key)
{
	json_item(out);
	json_write_string(out, str_of(key));
	buf_byte(out, ':');
}

void json_open(struct buf *out, const char *key, char bracket)
{
	if (key)
		json_key(out, key);
	else
		json_item(out);
	buf_byte(out, bracket);
}

void json_put_text(struct buf *out, const char *key, struct str text)
{
	json_key(out, key);
	json_write_string(out, text);
}

void json_put_null(struct buf *out, const char *key)
{
	json_key(out, key);
	buf_text(out, "null");
}

void json_put_known(struct buf *out, const char *key, struct str text)
{
	if (text.n)
		json_put_text(out, key, text);
	else
		json_put_null(out, key);
}

void json_put_count(struct buf *out, const char *key, uint64_t n)
{
	json_key(out, key);
	buf_printf(out, "%" PRIu64, n);
}

void json_put_flag(struct buf *out, const char *key, bool set)
{
	json_key(out, key);
	buf_text(out, set ? "true" : "false");
}

void json_put_number(struct buf *out, const char *key, double value)
{
	json_key(out, key);
	json_write_number(out, value);
}

void json_put_whole(struct buf *out, const char *key, double value)
{
	json_key(out, key);
	buf_printf(out, "%.0f", value);
}

void json_put_seconds(struct buf *out, const char *key, double seconds)
{
	json_put_number(out, key, round(seconds * 1e6) / 1e6);
}

void json_write_segment(struct buf *out, const char *key)
{
	buf_byte(out, '/');
	for (; *key; key++)
		if (*key == '~' || *key == '/')
			buf_text(out, *key == '~' ? "~0" : "~1");
		else
			buf_byte(out, *key);
}

void json_write_string(struct buf *out, struct str text)
{
	const char *p = text.n ? text.p : "", *end = p + text.n;
	const char *from = p; /* not yet copied */

	buf_byte(out, '"');
	while ((p += json_plain_run(p, end)) < end) {
		unsigned code;
		bool valid;
		size_t n = utf8_decode(p, (size_t)(end - p), &code, &valid);

		if (!valid || code < 0x80 || hidden(code)) {
			buf_add(out, from, (size_t)(p - from));
			put_escape(out, code);
			from = p + n;
		}
		p += n;
	}
	buf_add(out, from, (size_t)(p - from));
	buf_byte(out, '"');
}

/* Numbers */

void json_write_number(struct buf *out, double value)
{
	const double most = 9007199254740992.0; /* 2^53 */
	char text[64]; /* %.17g needs 24 and a decimal point of some bytes */
	size_t whole, point;

	if (!isfinite(value)) {
		buf_text(out, "null");
		return;
	}
	if (value == 0 && signbit(value)) { /* -0 would read back as 0 */
		buf_text(out, "-0.0");
		return;
	}
	if (value > -most && value < most && (double)(int64_t)value == value) {
		buf_printf(out, "%.0f", value);
		return;
	}
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(text, sizeof(text), "%.*g", precision, value);
		if (strtod(text, NULL) == value)
			break;
	}
	/* the decimal point is that of the locale */
	whole = strspn(text, "-0123456789");
	point = strcspn(text + whole, "0123456789e");
	buf_add(out, text, whole);
	buf_text(out, point ? "." : "");
	buf_text(out, text + whole + point);
}

/* Decoded values */

/* On one line.  Recurses as deep as the value, which json_read bounds. */
static void put_value(struct buf *out, json_t *value)
{
	struct str number = json_number_text(value);
	const char *key;
	json_t *inner;
	size_t i;

	if (json_is_object(value)) {
		buf_byte(out, '{');
		json_object_foreach(value, key, inner) {
			json_key(out, key);
			put_value(out, inner);
		}
		buf_byte(out, '}');
	} else if (json_is_array(value)) {
		buf_byte(out, '[');
		json_array_foreach(value, i, inner) {
			json_item(out);
			put_value(out, inner);
		}
		buf_byte(out, ']');
	} else if (number.p) {
		buf_str(out, number);
	} else if (json_is_string(value)) {
		json_write_string(out, (struct str){json_string_value(value),
					       json_string_length(value)});
	} else if (json_is_integer(value)) {
		buf_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	} else if (json_is_real(value)) {
		json_write_number(out, json_real_value(value));
	} else if (json_is_boolean(value)) {
		buf_text(out, json_is_true(value) ? "true" : "false");
	} else {
		buf_text(out, "null");
	}
}

void json_write(struct buf *out, const json_t *value, enum json_style style)
{
	AUTO_BUF line = BUF_INIT;

	/* jansson iterates over non-const objects */
	put_value(style == JSON_LINE ? out : &line, (json_t *)value);
	if (style != JSON_LINE)
		json_spread(out, buf_view(&line), style);
}

/* Raw text */

struct raw {
	struct buf *out;
	const char *p, *end;
	struct json_nest nest;
};

/* Inside a container: whether a key and its colon are written, the value is not. */
static bool raw_keyed(const struct raw *r)
{
	return r->out->data[r->out->len - 1] == ':';
}

/* Before a value: a comma, and a key where it is missing. */
static void raw_before(struct raw *r)
{
	if (!r->nest.depth || raw_keyed(r))
		return;
	json_item(r->out);
	if (json_nest_object(&r->nest))
		buf_text(r->out, "\"\":");
}

static void raw_null_member(struct raw *r)
{
	if (raw_keyed(r))
		buf_text(r->out, "null");
}

static void raw_close(struct raw *r)
{
	raw_null_member(r);
	buf_byte(r->out, json_nest_object(&r->nest) ? '}' : ']');
	r->nest.depth--;
}

static void raw_open(struct raw *r)
{
	raw_before(r);
	buf_byte(r->out, *r->p);
	json_nest_push(&r->nest, *r->p == '{');
	r->p++;
}

static void raw_string(struct raw *r)
{
	const char *from = r->p;
	struct json_piece piece;

	r->p++;
	do {
		json_piece_next(r->p, r->end, &piece);
		if (piece.kind != PIECE_RUN && piece.kind != PIECE_ESCAPE &&
			piece.kind != PIECE_CLOSE &&
			(piece.kind != PIECE_CHAR || hidden(piece.code))) {
			buf_add(r->out, from, (size_t)(r->p - from));
			from = r->p + piece.n;
			if (piece.kind == PIECE_BAD) { /* the backslash stays, escaped */
				buf_byte(r->out, '\\');
				from = r->p;
			} else if (piece.kind == PIECE_END) {
				buf_byte(r->out, '"');
			} else if (piece.kind == PIECE_CONTROL ||
				   piece.kind == PIECE_CHAR) {
				put_escape(r->out, piece.code);
			} else {
				put_escape(r->out, UTF8_REPLACEMENT);
			}
		}
		r->p += piece.n;
	} while (piece.kind != PIECE_CLOSE && piece.kind != PIECE_END);
	buf_add(r->out, from, (size_t)(r->p - from));
}

static void put_atom(struct buf *out, struct str atom)
{
	struct jv word = jv_scalar(atom);

	if (word.kind == J_BAD || word.n < atom.n) /* a byte order mark is no JSON */
		json_write_string(out, atom);
	else if (word.kind == J_NUMBER && !str_is_digit(atom.p[atom.n - 1]))
		buf_text(out, "null"); /* NaN, Infinity */
	else
		buf_str(out, atom);
}

static struct str raw_atom(struct raw *r)
{
	const char *from = r->p;

	while (r->p < r->end && (!*r->p || !strchr(" \t\n\r,:\"{}[]", *r->p)))
		r->p++;
	return (struct str){from, (size_t)(r->p - from)};
}

/* A key, or a scalar value. */
static void raw_scalar(struct raw *r)
{
	bool key = json_nest_object(&r->nest) && !raw_keyed(r);

	if (key)
		json_item(r->out);
	else
		raw_before(r);
	if (*r->p == '"')
		raw_string(r);
	else if (key)
		json_write_string(r->out, raw_atom(r));
	else
		put_atom(r->out, raw_atom(r));
	if (key)
		buf_byte(r->out, ':');
}

void json_write_raw(struct buf *out, struct str text)
{
	struct raw r = {.out = out};

	str_take(&text, STR("\xEF\xBB\xBF"));
	text = str_trim(text);
	r.p = text.n ? text.p : "";
	r.end = r.p + text.n;
	if (r.p < r.end && (*r.p == '{' || *r.p == '[')) {
		raw_open(&r);
		while (r.nest.depth && r.p < r.end) {
			char c = *r.p;

			if (c == '{' || c == '[') {
				raw_open(&r);
			} else if (c == '}' || c == ']') {
				raw_close(&r);
				r.p++;
			} else if (c == ',') {
				raw_null_member(&r);
				r.p++;
			} else if (c == ':' || str_is_space(c)) {
				r.p++;
			} else {
				raw_scalar(&r);
			}
		}
		while (r.nest.depth)
			raw_close(&r);
		mem_free(r.nest.bits);
	} else if (r.p < r.end && *r.p == '"') {
		raw_string(&r);
	} else if (text.n) {
		put_atom(out, text);
	} else {
		buf_text(out, "null");
	}
}

/* ---- values as they are written ---- */

void json_copy_value(struct buf *out, struct jv value)
{
	if (value.cut || value.kind == J_BAD)
		json_write_raw(out, jv_raw(value));
	else
		buf_add(out, value.p, value.n);
}

void json_put(struct buf *out, const char *key, struct jv value)
{
	if (value.kind == J_NONE)
		return;
	json_key(out, key);
	json_copy_value(out, value);
}

void json_put_raw(struct buf *out, const char *key, struct jv value)
{
	json_key(out, key);
	json_write_raw(out, jv_raw(value));
}

void json_put_pair(struct buf *out, struct jv key, struct jv value)
{
	json_item(out);
	json_copy_value(out, key);
	buf_byte(out, ':');
	json_copy_value(out, value);
}

struct jv json_kept(struct buf *text, struct arena *arena)
{
	return jv_parse(arena_keep(arena, text));
}

struct jv json_quoted(struct str text, struct arena *arena)
{
	struct buf quoted = BUF_INIT;

	json_write_string(&quoted, text);
	return json_kept(&quoted, arena);
}

void json_copy_text(struct buf *out, struct str text)
{
	AUTO_BUF quoted = BUF_INIT;

	json_write_string(&quoted, text);
	buf_add(out, quoted.data + 1, quoted.len - 2);
}

void json_copy_body(struct buf *out, struct jv string)
{
	AUTO_BUF text = BUF_INIT;

	if (string.kind != J_STRING)
		return;
	if (!string.cut) {
		buf_add(out, string.p + 1, string.n - 2);
		return;
	}
	jv_decode(string, &text);
	json_copy_text(out, buf_view(&text));
}

/* ---- merging ---- */

static void merge(struct buf *out, struct jv before, struct jv after, unsigned depth);

static void merge_objects(
	struct buf *out, struct jv before, struct jv after, unsigned depth)
{
	struct merge_member {
		struct jv key, value;
		bool used;
	} *later = NULL;
	AUTO(idmap_done) struct idmap by_key = {0};
	size_t count = 0, cap = 0;

	JV_PAIRS(key, value, after) {
		idmap_add(&by_key, jv_hash(key), (uint32_t)count);
		*MEM_ADD(later, count, cap) = (struct merge_member){key, value, false};
	}
	buf_byte(out, '{');
	JV_PAIRS(name, old, before) {
		uint32_t at = idmap_find(&by_key, jv_hash(name));

		json_item(out);
		json_copy_value(out, name);
		buf_byte(out, ':');
		if (at == MAP_NONE) {
			json_copy_value(out, old);
			continue;
		}
		later[at].used = true;
		merge(out, old, later[at].value, depth + 1);
	}
	for (size_t i = 0; i < count; i++)
		if (!later[i].used)
			json_put_pair(out, later[i].key, later[i].value);
	buf_byte(out, '}');
	mem_free(later);
}

static void merge(struct buf *out, struct jv before, struct jv after, unsigned depth)
{
	bool empty = jv_empty(after) && after.kind != J_FALSE && after.kind != J_NUMBER;

	if (before.kind == J_OBJECT && after.kind == J_OBJECT && depth < MERGE_DEEPEST)
		merge_objects(out, before, after, depth);
	else
		json_copy_value(out, empty ? before : after);
}

struct jv json_merge_all(const struct jv *values, size_t count, struct arena *arena)
{
	struct buf text = BUF_INIT;

	if (count < 2)
		return count ? values[0] : JV_NONE;
	merge(&text, json_merge_all(values, count / 2, arena),
		json_merge_all(values + count / 2, count - count / 2, arena), 0);
	return json_kept(&text, arena);
}

/* ---- with white space ---- */

#define INDENT_MOST 64

static void begin_line(struct buf *out, size_t depth)
{
	buf_byte(out, '\n');
	buf_fill(out, ' ', 2 * (depth < INDENT_MOST ? depth : INDENT_MOST));
}

static bool closes(struct str line, size_t at)
{
	return at < line.n && (line.p[at] == '}' || line.p[at] == ']');
}

void json_spread(struct buf *out, struct str line, enum json_style style)
{
	bool lines = style == JSON_PRETTY;
	size_t depth = 0;

	for (size_t at = 0; at < line.n;) {
		char c = line.p[at];
		size_t end = at + 1;

		if (c == '"') {
			while (end < line.n && line.p[end] != '"')
				end += line.p[end] == '\\' ? 2 : 1;
			end = end < line.n ? end + 1 : line.n;
		}
		if (lines && closes(line, at) && at && line.p[at - 1] != '{' &&
			line.p[at - 1] != '[')
			begin_line(out, depth ? depth - 1 : 0);
		buf_add(out, line.p + at, end - at);
		depth += c == '{' || c == '[';
		depth -= closes(line, at) && depth;
		if (lines && (((c == '{' || c == '[') && !closes(line, end)) || c == ','))
			begin_line(out, depth);
		else if (c == ':' || c == ',')
			buf_byte(out, ' ');
		at = end;
	}
}
