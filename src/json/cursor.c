/*
 * The tolerant walk (see cursor.h).  Strings and containers are skipped block by
 * block; only the siblings on the level that is walked are read.
 */
#include "config.h"
#include "json/cursor.h"

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/work.h"
#include "json/block.h"
#include "json/check.h"

/* ---- where large values end ----
 *
 * By pages of EXTENT_LEAST bytes: at most one large string and EXTENT_DEPTH containers
 * begin in a page, and in most pages there is none.
 */

struct extents {
	struct str text;
	struct extent {
		size_t from, to;
	} * items;
	size_t count, cap;
	size_t *first; /* by page: its first item; one more for their end */
	size_t pages;
};

struct extents *extents_new(struct str text)
{
	struct extents *e = mem_zalloc(1, sizeof(*e));

	e->text = text;
	return e;
}

void extents_free(struct extents *e)
{
	if (!e)
		return;
	mem_free(e->items);
	mem_free(e->first);
	mem_free(e);
}

size_t extents_bytes(const struct extents *e)
{
	return e ? sizeof(*e) + e->cap * sizeof(*e->items) +
			       (e->pages + 1) * sizeof(*e->first)
		 : 0;
}

void extents_add(struct extents *e, const char *p, const char *end)
{
	if ((size_t)(end - p) < EXTENT_LEAST)
		return;
	*MEM_ADD(e->items, e->count, e->cap) =
		(struct extent){(size_t)(p - e->text.p), (size_t)(end - e->text.p)};
}

void extents_seal(struct extents *e)
{
	struct extent *sorted = mem_array(e->count + 1, sizeof(*sorted));

	e->pages = e->text.n / EXTENT_LEAST + 1;
	e->first = mem_zalloc(e->pages + 1, sizeof(*e->first));
	/* by the page where they begin; within a page in no order */
	for (size_t i = 0; i < e->count; i++)
		e->first[e->items[i].from / EXTENT_LEAST]++;
	for (size_t i = 1; i <= e->pages; i++)
		e->first[i] += e->first[i - 1];
	for (size_t i = 0; i < e->count; i++)
		sorted[--e->first[e->items[i].from / EXTENT_LEAST]] = e->items[i];
	mem_free(e->items);
	e->items = sorted;
	e->cap = e->count + 1;
}

const char *extents_end(const struct extents *e, const char *p)
{
	size_t from = (size_t)((uintptr_t)p - (uintptr_t)e->text.p);
	size_t page = from / EXTENT_LEAST;

	if (from >= e->text.n)
		return NULL;
	for (size_t i = e->first[page]; i < e->first[page + 1]; i++)
		if (e->items[i].from == from)
			return e->text.p + e->items[i].to;
	return NULL;
}

/* ---- values ---- */

static const char *skip_space(const char *p, const char *end)
{
	while (p < end && str_is_space(*p))
		p++;
	return p;
}

/* From an opening bracket to the end of the one that balances it; NULL without one. */
static const char *skip_container(const char *p, const char *end)
{
	struct block_strings strings = {0};
	uint64_t depth = 0;

	for (; p < end; p += BLOCK) {
		struct byte_block b = block_load_part(p, (size_t)(end - p));
		uint64_t inside, open, close, bits;
		unsigned closed;

		if (!block_quotes(&b, &strings, &inside) && inside)
			continue;
		open = block_open(&b) & ~inside;
		close = block_close(&b) & ~inside;
		closed = close ? block_count(close) : 0;
		if (closed < depth) {
			depth += open ? block_count(open) : 0;
			depth -= closed;
			continue;
		}
		for (bits = open | close; bits; bits &= bits - 1) {
			if (open >> block_first(bits) & 1)
				depth++;
			else if (--depth == 0)
				return p + block_first(bits) + 1;
		}
	}
	return NULL;
}

/* From the first byte of a string to the end of its closing quote; NULL without one. */
static const char *skip_string(const char *p, const char *end)
{
	uint64_t escape = 0;

	for (; p < end; p += BLOCK) {
		struct byte_block b = block_load_part(p, (size_t)(end - p));
		uint64_t quotes = block_unescaped(&b, &escape);

		if (quotes)
			return p + block_first(quotes) + 1;
	}
	return NULL;
}

static bool is_number(struct str s)
{
	const char *wants, *end;

	if (!s.n)
		return false;
	end = json_number_end(s.p, s.p + s.n, &wants);
	return !wants && end == s.p + s.n;
}

static enum jkind token_kind(struct str s)
{
	static const struct {
		struct str text;
		enum jkind kind;
	} words[] = {
		{{"true", 4}, J_TRUE},
		{{"false", 5}, J_FALSE},
		{{"null", 4}, J_NULL},
		{{"NaN", 3}, J_NUMBER},
		{{"Infinity", 8}, J_NUMBER},
		{{"-Infinity", 9}, J_NUMBER},
	};

	if (is_number(s))
		return J_NUMBER;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (str_equal(s, words[i].text))
			return words[i].kind;
	return J_BAD;
}

static struct jv read_token(const char *p, const char *end)
{
	static const bool ends[UCHAR_MAX + 1] = {[' '] = true,
		['\n'] = true,
		['\t'] = true,
		['\r'] = true,
		[','] = true,
		[':'] = true,
		['"'] = true,
		['['] = true,
		[']'] = true,
		['{'] = true,
		['}'] = true};
	const char *q = p;

	while (q < end && !ends[(unsigned char)*q])
		q++;
	if (q == p)
		q++;
	return jv_of((struct str){p, (size_t)(q - p)},
		token_kind((struct str){p, (size_t)(q - p)}));
}

/* The value at p < end, which is no white space. */
static struct jv read_value(const struct extents *extents, const char *p, const char *end)
{
	enum jkind kind = *p == '{' ? J_OBJECT : *p == '[' ? J_ARRAY : J_STRING;
	const char *q = NULL;

	count_work(WORK_WALK, 1);
	if (*p != '{' && *p != '[' && *p != '"')
		return read_token(p, end);
	if (extents && end - p >= EXTENT_LEAST)
		q = extents_end(extents, p);
	if (!q || q > end) {
		q = kind == J_STRING ? skip_string(p + 1, end) : skip_container(p, end);
		count_work(WORK_WALK, (size_t)((q ? q : end) - p));
	}
	return (struct jv){p, (size_t)((q ? q : end) - p), kind, !q, extents};
}

struct jv jv_next(struct str text, size_t *at)
{
	const char *p, *end;
	struct jv v = JV_NONE;

	if (*at >= text.n)
		return v;
	p = text.p + *at;
	end = text.p + text.n;
	if (*at == 0 && str_starts(text, STR("\xEF\xBB\xBF")))
		p += 3;
	p = skip_space(p, end);
	if (p < end) {
		v = read_value(NULL, p, end);
		p += v.n;
	}
	*at = (size_t)(p - text.p);
	return v;
}

struct jv jv_parse(struct str text)
{
	size_t at = 0;

	return jv_next(text, &at);
}

struct jv jv_scalar(struct str text)
{
	if (!text.n || *text.p == '\xEF') /* perhaps a BOM */
		return jv_parse(text);
	return jv_of(text, token_kind(text));
}

struct jv jv_enclosed(struct str text)
{
	static const struct {
		char first, last;
		enum jkind kind;
	} kinds[] = {{'{', '}', J_OBJECT}, {'[', ']', J_ARRAY}, {'"', '"', J_STRING}};
	struct str s = str_trim(text);

	for (size_t i = 0; s.n > 1 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (s.p[0] == kinds[i].first && s.p[s.n - 1] == kinds[i].last)
			return jv_of(s, kinds[i].kind);
	return JV_NONE;
}

struct jv jv_whole(struct str text)
{
	struct str s = text;
	struct jv v;

	str_take(&s, STR("\xEF\xBB\xBF"));
	v = jv_enclosed(s);
	return v.kind == J_NONE ? jv_parse(text) : v;
}

struct jwalk jwalk_of(struct jv container)
{
	if (container.kind != J_OBJECT && container.kind != J_ARRAY)
		return (struct jwalk){.extents = container.extents};
	return (struct jwalk){.extents = container.extents,
		.object = container.kind == J_OBJECT,
		.cut = container.cut,
		.p = container.p + 1,
		.end = container.p + container.n - (container.cut ? 0 : 1)};
}

struct jwalk jwalk_of_run(struct str text, const struct extents *extents)
{
	if (!text.n)
		return (struct jwalk){.extents = extents};
	return (struct jwalk){.extents = extents, .p = text.p, .end = text.p + text.n};
}

bool jwalk_next(struct jwalk *w, struct jv *key, struct jv *value)
{
	struct jv unwanted;

	key = key ? key : &unwanted;
	*key = *value = JV_NONE;
	while (w->p < w->end && (str_is_space(*w->p) || *w->p == ','))
		w->p++;
	if (w->p >= w->end)
		return false;
	w->index = w->started ? w->index + 1 : 0;
	w->started = true;
	if (w->object && *w->p != '"') {
		*key = (struct jv){.p = w->p, .kind = J_BAD};
	} else if (w->object) {
		*key = read_value(w->extents, w->p, w->end);
		w->p = skip_space(w->p + key->n, w->end);
		if (w->p < w->end && *w->p == ':')
			w->p = skip_space(w->p + 1, w->end);
		if (w->p == w->end || *w->p == ',') { /* a key without a value */
			*value = (struct jv){.p = w->p,
				.kind = J_BAD,
				.cut = w->cut && w->p == w->end};
			return true;
		}
	}
	*value = read_value(w->extents, w->p, w->end);
	w->p += value->n;
	return true;
}

struct str jv_plain(struct jv string)
{
	struct str s;

	if (string.kind != J_STRING)
		return (struct str){0};
	s = (struct str){string.p + 1, string.n - (string.cut ? 1 : 2)};
	if (s.n && memchr(s.p, '\\', s.n))
		return (struct str){0};
	return s;
}

/* ---- decoding ---- */

/*
 * Decodes the text of a string nearly as fast as it can be copied.
 * JSON in a string has an escape every ten bytes; a loop that tests each byte, or jumps
 * from escape to escape, is slow because each turn waits for the one before.  So all
 * backslashes of a block of 64 bytes are found at once, and the bytes between them are
 * copied sixteen at a time, past the end of the run; escapes of two bytes are written in
 * between.  Everything else stops the loop.
 */

/* What the byte after a backslash means; 0: it is no escape of two bytes. */
static const char meant[UCHAR_MAX + 1] = {['"'] = '"',
	['\\'] = '\\',
	['/'] = '/',
	['b'] = '\b',
	['f'] = '\f',
	['n'] = '\n',
	['r'] = '\r',
	['t'] = '\t'};

/* One escape; p is after the backslash.  What is none stays as text, but for the u and
 * the digits of half a pair. */
static const char *decode_escape(
	const char *p, const char *end, struct buf *out, size_t *mended)
{
	struct json_piece piece;

	if (p == end) {
		++*mended;
		return p;
	}
	if (meant[(unsigned char)*p]) {
		buf_byte(out, meant[(unsigned char)*p]);
		return p + 1;
	}
	json_piece_next(p - 1, end, &piece);
	if (piece.kind == PIECE_ESCAPE) {
		buf_utf8(out, piece.code);
		return p - 1 + piece.n;
	}
	buf_utf8(out, UTF8_REPLACEMENT);
	++*mended;
	return *p != 'u' ? p : p + (piece.n < 6 ? 1 : 5);
}

#define SLACK BLOCK /* bytes that copy_blocks may read and write past the end */

/* Copies n bytes as sixteen, or as a whole block: what is written past them is
 * overwritten later. */
static char *copy_run(char *to, const char *from, size_t n)
{
	memcpy(to, from, 16);
	if (n > 16)
		memcpy(to + 16, from + 16, BLOCK - 16);
	return to + n;
}

/*
 * Copies [p, end) up to the first escape that is not of two bytes, or to the last
 * blocks; returns where it stopped.  `out` has room for all of it and the slack.
 */
static const char *copy_blocks(const char *p, const char *end, struct buf *out)
{
	char *to = out->data + out->len;
	uint64_t carry = 0;
	size_t from =
		0; /* bytes of this block that belong to an escape begun before it */

	for (; end - p >= BLOCK + SLACK; p += BLOCK) {
		struct byte_block b = block_load(p);
		uint64_t backslash = block_eq(&b, '\\');
		uint64_t starts = backslash & ~block_escaped(backslash, &carry);

		for (; starts; starts &= starts - 1) {
			size_t at = block_first(starts);
			char c = meant[(unsigned char)p[at + 1]];

			to = copy_run(to, p + from, at - from);
			if (!c) {
				out->len = (size_t)(to - out->data);
				return p + at;
			}
			*to++ = c;
			from = at + 2;
		}
		if (from < BLOCK)
			to = copy_run(to, p + from, BLOCK - from);
		from = from > BLOCK ? 1 : 0;
	}
	out->len = (size_t)(to - out->data);
	return p + from;
}

/* Decodes from p, which is in no escape, to `stop`, or to the end of an escape across it.
 */
static const char *decode_to(
	const char *p, const char *stop, const char *end, struct buf *out, size_t *mended)
{
	const char *plain; /* to the first backslash */

	while (p < stop) {
		buf_reserve(out, (size_t)(stop - p) + SLACK);
		p = copy_blocks(p, stop, out);
		plain = memchr(p, '\\', (size_t)(stop - p));
		plain = plain ? plain : stop;
		buf_add(out, p, (size_t)(plain - p));
		p = plain;
		while (p < stop && *p == '\\')
			p = decode_escape(p + 1, end, out, mended);
	}
	return p;
}

bool jv_decode_some(struct jv string, size_t *at, size_t most, struct buf *out)
{
	const char *inside = string.p + 1;
	const char *end = string.p + string.n - (string.cut ? 0 : 1);
	const char *p = inside + *at, *stop = end;
	size_t mended = 0;

	if ((size_t)(end - p) > most)
		stop = p + most;
	*at = (size_t)(decode_to(p, stop, end, out, &mended) - inside);
	buf_add(out, NULL, 0); /* the NUL after it */
	return inside + *at < end;
}

#define DECODE_EACH (1 << 20) /* bytes between two looks whether to stop */

size_t jv_decode(struct jv string, struct buf *out)
{
	const char *p, *end;
	size_t mended = 0;

	if (string.kind != J_STRING)
		return 0;
	p = string.p + 1;
	end = string.p + string.n - (string.cut ? 0 : 1);
	buf_reserve(out, (size_t)(end - p) + SLACK);
	while (p < end && !stop_wanted(DECODE_EACH))
		p = decode_to(p, end - p > DECODE_EACH ? p + DECODE_EACH : end, end, out,
			&mended);
	buf_add(out, NULL, 0); /* the NUL after it */
	return mended;
}

/* ---- what values say ---- */

/* 2: equal; 1: the camelCase twin; 0: neither. */
static int key_match(struct str key, struct str name)
{
	size_t k = 0, i = 0;

	if (str_equal(key, name))
		return 2;
	if (key.n >= name.n)
		return 0;
	for (; k < key.n && i < name.n; k++, i++) {
		char want = name.p[i];

		if (want == '_' && i > 0 && i + 1 < name.n && name.p[i + 1] >= 'a' &&
			name.p[i + 1] <= 'z')
			want = (char)(name.p[++i] - 0x20);
		if (key.p[k] != want)
			return 0;
	}
	return k == key.n && i == name.n;
}

struct str jv_str(struct jv string, struct buf *decoded)
{
	struct str plain = jv_plain(string);

	if (plain.p || string.kind != J_STRING)
		return plain;
	buf_clear(decoded);
	jv_decode(string, decoded);
	return buf_view(decoded);
}

struct str jv_keep(struct jv string, struct arena *arena)
{
	struct buf text = BUF_INIT;
	struct str s = jv_str(string, &text);
	size_t n = text.len;
	char *data;

	if (!text.data)
		return s;
	data = mem_realloc(buf_take(&text), n + 1); /* it had room for the escapes */
	return (struct str){arena_take(arena, data, n + 1).p, n};
}

bool jv_key_is(struct jv key, struct str name)
{
	AUTO_BUF decoded = BUF_INIT;
	struct str text = jv_str(key, &decoded);

	return text.p && key_match(text, name);
}

bool jv_key_is_among(struct jv key, const char *const names[], size_t count)
{
	for (size_t i = 0; i < count && names[i]; i++)
		if (jv_key_is(key, str_of(names[i])))
			return true;
	return false;
}

void jv_members(
	struct jv object, const char *const names[], struct jv out[], size_t count)
{
	AUTO_BUF decoded = BUF_INIT;
	char first[BLOCK] = {0}; /* letters: a key is compared with all at once */
	struct byte_block letters;
	uint64_t exact = 0;

	for (size_t i = 0; i < count; i++) {
		out[i] = JV_NONE;
		first[i] = names[i][0];
	}
	if (object.kind != J_OBJECT)
		return;
	letters = block_load(first);
	JV_PAIRS(key, value, object) {
		struct str text = jv_str(key, &decoded);
		/* the first letter is the same in both spellings */
		uint64_t same = text.n && text.p[0] ? block_eq(&letters, text.p[0]) : 0;
		int match = 0;

		for (; same && !match; same &= same - 1) {
			size_t i = block_first(same);

			match = key_match(text, str_of(names[i]));
			if (match == 2 || (match && !(exact >> i & 1)))
				out[i] = value;
			if (match == 2)
				exact |= (uint64_t)1 << i;
		}
	}
}

struct jv jv_first(struct jv array)
{
	struct jv first = JV_NONE;
	struct jwalk w = jwalk_of(array);

	if (array.kind == J_ARRAY)
		jwalk_next(&w, NULL, &first);
	return first;
}

struct jv jv_member(struct jv object, const char *name)
{
	struct jv out;

	jv_members(object, &name, &out, 1);
	return out;
}

struct jv jv_pick(const struct jv values[], size_t count, bool (*test)(struct jv))
{
	for (size_t i = 0; i < count; i++)
		if (test(values[i]))
			return values[i];
	return JV_NONE;
}

bool jv_is_string(struct jv v)
{
	return v.kind == J_STRING;
}

bool jv_is_text(struct jv v)
{
	return v.kind == J_STRING && !jv_empty(v);
}

bool jv_is_filled(struct jv v)
{
	return !jv_empty(v);
}

bool jv_has_members(struct jv v)
{
	return v.kind == J_OBJECT && !jv_empty(v);
}

bool jv_null(struct jv v)
{
	return v.kind == J_NONE || v.kind == J_NULL;
}

bool jv_empty(struct jv v)
{
	struct jwalk w = jwalk_of(v);
	struct jv value;
	double number;

	switch (v.kind) {
	case J_NONE:
	case J_NULL:
	case J_FALSE:
		return true;
	case J_STRING:
		return v.n == 2 && !v.cut;
	case J_NUMBER:
		return jv_number(v, &number) && number == 0;
	case J_OBJECT:
	case J_ARRAY:
		return !v.cut && !jwalk_next(&w, NULL, &value);
	case J_TRUE:
	case J_BAD:
		break;
	}
	return false;
}

size_t jv_count(struct jv container, size_t most)
{
	struct jv value;
	size_t n = 0;

	for (struct jwalk w = jwalk_of(container);
		n < most && jwalk_next(&w, NULL, &value);)
		n++;
	return n;
}

bool jv_is(struct jv string, struct str text)
{
	AUTO_BUF decoded = BUF_INIT;

	return string.kind == J_STRING && str_equal(jv_str(string, &decoded), text);
}

bool jv_is_among(struct jv string, const char *const words[], size_t count)
{
	AUTO_BUF decoded = BUF_INIT;

	return string.kind == J_STRING &&
	       str_is_among(jv_str(string, &decoded), words, count);
}

void jv_text(struct jv v, struct buf *out)
{
	if (v.kind == J_STRING)
		jv_decode(v, out);
	else
		buf_add(out, v.p, v.n);
}

bool jv_says(struct jv v, struct str text)
{
	return text.n &&
	       (v.kind == J_STRING ? jv_is(v, text) : str_equal(jv_raw(v), text));
}

bool jv_same_text(struct jv a, struct jv b)
{
	AUTO_BUF text = BUF_INIT, other = BUF_INIT;

	jv_text(a, &text);
	jv_text(b, &other);
	return str_equal(buf_view(&text), buf_view(&other));
}

uint64_t jv_hash(struct jv v)
{
	AUTO_BUF decoded = BUF_INIT;
	struct str text = v.kind == J_STRING ? jv_str(v, &decoded) : jv_raw(v);

	return map_hash(text);
}

uint64_t jv_hash_pair(struct jv a, struct jv b)
{
	AUTO_BUF text = BUF_INIT;
	size_t n;

	jv_text(a, &text);
	n = text.len;
	jv_text(b, &text);
	buf_add(&text, &n, sizeof(n)); /* or the end of one might be of the other */
	return map_hash(buf_view(&text));
}

/*
 * The short decimals that traces are full of.  The digits and the power of ten are both
 * exact doubles, so that their quotient is rounded once, as strtod's result is (Clinger,
 * "How to Read Floating Point Numbers Accurately", 1990).
 */
static bool read_decimal(struct str s, double *out)
{
	static const double tens[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
		1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
	bool negative = str_take(&s, STR("-"));
	size_t point = s.n; /* at most one, among the digits */
	uint64_t digits = 0;

	if (FLT_EVAL_METHOD != 0 || !s.n || s.n >= sizeof(tens) / sizeof(*tens))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '.' && point == s.n && i > 0 && i + 1 < s.n)
			point = i;
		else if (str_is_digit(s.p[i]))
			digits = 10 * digits + (uint64_t)(s.p[i] - '0');
		else
			return false;
	}
	if ((s.p[0] == '0' && s.n > 1 && point != 1) || digits > (uint64_t)1 << 53)
		return false;
	*out = (double)digits / tens[point < s.n ? s.n - point - 1 : 0];
	if (negative)
		*out = -*out;
	return true;
}

static bool read_number(struct str s, double *out)
{
	char *copy, *end, *dot;
	bool whole;

	if (read_decimal(s, out))
		return true;
	if (!is_number(s))
		return false;
	copy = mem_dup(s.p, s.n);
	dot = memchr(copy, '.', s.n);
	if (dot)
		*dot = *localeconv()->decimal_point; /* what strtod wants */
	*out = strtod(copy, &end);
	whole = end == copy + s.n;
	mem_free(copy);
	return whole && isfinite(*out);
}

bool jv_number(struct jv v, double *out)
{
	AUTO_BUF decoded = BUF_INIT;

	if (v.kind == J_NUMBER)
		return read_number(jv_raw(v), out);
	if (v.kind != J_STRING)
		return false;
	return read_number(str_trim(jv_str(v, &decoded)), out);
}
