/*
 * What values mean: numbers as exact decimals, and values as numbers of 128 bits (see
 * cursor.h), both of raw text and of jansson's values.  Each scalar and each container
 * is hashed together with the path from the root to it, and the hashes are summed: so the
 * order of members does not count, and one walk is enough.  The path is zero for the
 * root, then for each level the text of a key or the index of an item.
 */
#include "config.h"
#include "json/cursor.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "json/json.h"

/* ---- exact decimals ---- */

/*
 * An exact decimal, however it is written: 100, 1e2 and 100.0 are equal.  It is split
 * into its significant digits and the place of its decimal point: 0.DIGITS times ten to
 * the power of `point`.
 */
struct decimal { /* zero: no digits, not negative, point 0 */
	bool negative;
	struct str digits; /* neither the first nor the last is 0; borrows the text */
	int64_t point;
};

#define POINT_MOST 1000000000000000 /* all exponents beyond are read as this one */

/* Splits the number in `text`, and gathers its digits at the front of these bytes. False:
 * it is no decimal number, or its exponent is too great to be told from others. */
static bool read_decimal(struct decimal *d, struct buf *text)
{
	const char *p = text->data, *end = p + text->len;
	char *first = text->data, *out = first;
	bool fraction = false, fits = true;

	*d = (struct decimal){.negative = p < end && *p == '-'};
	for (p += d->negative; p < end && *p != 'e' && *p != 'E'; p++) {
		if (*p == '.') {
			fraction = true;
		} else if (*p != '0' || out > first) {
			fits &= str_is_digit(*p);
			d->point += !fraction;
			*out++ = *p;
		} else {
			d->point -= fraction;
		}
	}
	if (p < end) {
		bool negative = ++p < end && *p == '-';
		int64_t e = 0;

		for (p += p < end && (*p == '-' || *p == '+');
			p < end && str_is_digit(*p) && e < POINT_MOST; p++)
			e = 10 * e + (*p - '0');
		d->point += negative ? -e : e;
		fits &= p == end;
	}
	while (out > first && out[-1] == '0')
		out--;
	d->digits = (struct str){first, (size_t)(out - first)};
	if (out == first)
		*d = (struct decimal){.digits = d->digits};
	return fits;
}

static int compare_sizes(const struct decimal *a, const struct decimal *b)
{
	size_t n = a->digits.n < b->digits.n ? a->digits.n : b->digits.n;
	int order;

	if (!a->digits.n || !b->digits.n)
		return (a->digits.n > 0) - (b->digits.n > 0);
	if (a->point != b->point)
		return a->point < b->point ? -1 : 1;
	order = memcmp(a->digits.p, b->digits.p, n);
	if (order)
		return order;
	return (a->digits.n > n) - (b->digits.n > n);
}

/* ---- the numbers of jansson ---- */

/* The digits of `d` are in `text`, which the caller owns. */
static void read_number(struct decimal *d, const json_t *number, struct buf *text)
{
	struct str raw = json_number_text(number);

	buf_clear(text);
	if (raw.p)
		buf_str(text, raw);
	else if (json_is_integer(number))
		buf_printf(text, "%" JSON_INTEGER_FORMAT, json_integer_value(number));
	else
		json_write_number(text, json_real_value(number));
	read_decimal(d, text);
}

bool json_numeric(const json_t *value)
{
	return json_is_number(value) || json_number_text(value).p;
}

bool json_integral(const json_t *number)
{
	AUTO_BUF text = BUF_INIT;
	struct decimal d;

	if (json_is_integer(number))
		return true;
	if (json_is_real(number))
		return floor(json_real_value(number)) == json_real_value(number);
	read_number(&d, number, &text);
	return d.point >= (int64_t)d.digits.n;
}

int json_number_compare(const json_t *a, const json_t *b)
{
	AUTO_BUF text = BUF_INIT, other = BUF_INIT;
	struct decimal c, d;

	if (json_is_integer(a) && json_is_integer(b)) {
		json_int_t x = json_integer_value(a), y = json_integer_value(b);

		return (x > y) - (x < y);
	}
	if (json_is_real(a) && json_is_real(b)) {
		double x = json_real_value(a), y = json_real_value(b);

		return (x > y) - (x < y);
	}
	read_number(&c, a, &text);
	read_number(&d, b, &other);
	if (c.negative != d.negative)
		return c.negative ? -1 : 1;
	return c.negative ? compare_sizes(&d, &c) : compare_sizes(&c, &d);
}

bool json_divisor(const json_t *number)
{
	AUTO_BUF text = BUF_INIT;
	struct decimal d;

	read_number(&d, number, &text);
	return d.digits.n && d.digits.n <= JSON_DIVISOR_DIGITS && !d.negative;
}

/* The remainder of digits with so many zeros after them; 10 * divisor fits 64 bits. */
static uint64_t remainder_of(struct str digits, int64_t zeros, uint64_t divisor)
{
	uint64_t rest = 0;

	for (size_t i = 0; i < digits.n; i++)
		/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): see json_divisor */
		rest = (10 * rest + (uint64_t)(digits.p[i] - '0')) % divisor;
	for (int64_t i = 0; i < zeros && rest; i++)
		rest = 10 * rest % divisor;
	return rest;
}

bool json_multiple(const json_t *number, const json_t *divisor)
{
	AUTO_BUF text = BUF_INIT, other = BUF_INIT;
	struct decimal d, by;
	int64_t zeros;

	if (json_is_integer(number) && json_is_integer(divisor))
		return json_integer_value(number) % json_integer_value(divisor) == 0;
	read_number(&d, number, &text);
	read_number(&by, divisor, &other);
	zeros = d.point - (int64_t)d.digits.n - (by.point - (int64_t)by.digits.n);
	if (zeros > 64) /* a divisor below 2^64 has no more twos and fives */
		zeros = 64;
	return !d.digits.n ||
	       (zeros >= 0 && /* else the last digit is not 0 */
		       remainder_of(d.digits, zeros,
			       remainder_of(by.digits, 0, UINT64_MAX)) == 0);
}

/* ---- sums ---- */

struct meaning meaning_of_text(struct str text)
{
	struct meaning m;

	map_hash_wide(text, m.half);
	return m;
}

struct meaning meaning_then(struct meaning m, struct meaning next)
{
	struct meaning both[2] = {m, next};

	return meaning_of_text((struct str){(const char *)both, sizeof(both)});
}

static const struct meaning zero;

static struct meaning of_number(uint64_t number)
{
	return (struct meaning){{number, 0}};
}

/* ---- raw values ---- */

static struct meaning of_string(struct jv string, struct buf *text)
{
	if (string.kind != J_STRING)
		return meaning_of_text((struct str){0});
	return meaning_of_text(jv_str(string, text));
}

/* A value without its children; `text` is for the digits of a number. */
static struct meaning of_value(struct jv v, struct buf *text)
{
	struct decimal d;

	switch (v.kind) {
	case J_STRING:
		return of_string(v, text);
	case J_NUMBER:
		buf_clear(text);
		buf_add(text, v.p, v.n);
		if (read_decimal(&d, text))
			return meaning_then(meaning_of_text(d.digits),
				(struct meaning){{(uint64_t)d.point, d.negative}});
		return meaning_of_text(jv_raw(v));
	case J_BAD:
		return meaning_of_text(jv_raw(v));
	default:
		return zero;
	}
}

struct meaning_sum {
	struct meaning sum;
	unsigned depth; /* containers deeper than that count as they are written */
	uint64_t work;  /* values, and each 64 bytes of strings and keys */
	struct buf text;
};

/* Adds a value and the values in it: each its kind, its own meaning (zero of a container,
 * null, true and false) and its path.  Recurses `depth` deep at most. */
static void add(struct meaning_sum *s, struct meaning path, struct jv v, unsigned depth)
{
	enum jkind kind = v.kind == J_NONE ? J_NULL : v.kind;
	bool inner = kind == J_OBJECT || kind == J_ARRAY;
	bool deep = inner && depth == s->depth;
	struct meaning m = deep ? meaning_of_text(jv_raw(v)) : of_value(v, &s->text);
	struct jwalk w = jwalk_of(deep ? JV_NONE : v);
	struct jv key, item;

	m = meaning_then(meaning_then(path, of_number(kind)), m);
	s->sum.half[0] += m.half[0];
	s->sum.half[1] += m.half[1];
	s->work += 1 + (inner ? 0 : v.n / 64);
	while (jwalk_next(&w, &key, &item)) {
		s->work += key.n / 64;
		add(s,
			meaning_then(path,
				w.object ? of_string(key, &s->text) : of_number(w.index)),
			item, depth + 1);
	}
}

struct meaning jv_meaning(struct jv value)
{
	struct meaning_sum s = {.depth = MEANING_DEPTH, .text = BUF_INIT};

	add(&s, zero, value, 0);
	buf_done(&s.text);
	return s.sum;
}

bool jv_same(struct jv a, struct jv b)
{
	if (a.kind == J_NONE || b.kind == J_NONE)
		return a.kind == b.kind;
	return str_equal(jv_raw(a), jv_raw(b)) ||
	       meaning_equal(jv_meaning(a), jv_meaning(b));
}

/* ---- jansson's values ---- */

/* To any depth: jansson reads values 2,048 deep at most. */
static struct meaning json_meaning(const json_t *value, uint64_t *work)
{
	struct meaning_sum s = {.depth = UINT_MAX, .text = BUF_INIT};
	AUTO_BUF line = BUF_INIT;

	json_write(&line, value, JSON_LINE);
	add(&s, zero, jv_parse(buf_view(&line)), 0);
	buf_done(&s.text);
	*work += s.work;
	return s.sum;
}

uint64_t json_hash(const json_t *value, uint64_t *work)
{
	return json_meaning(value, work).half[0];
}

bool json_same(const json_t *a, const json_t *b, uint64_t *work)
{
	++*work;
	if (json_numeric(a) && json_numeric(b)) {
		/* huge numbers are kept as text */
		*work += (json_string_length(a) + json_string_length(b)) / 64;
		return json_number_compare(a, b) == 0;
	}
	if (json_numeric(a) || json_numeric(b) || json_typeof(a) != json_typeof(b) ||
		json_object_size(a) != json_object_size(b) ||
		json_array_size(a) != json_array_size(b))
		return false;
	if (!json_is_string(a))
		return meaning_equal(json_meaning(a, work), json_meaning(b, work));
	if (json_string_length(a) == json_string_length(b))
		*work += json_string_length(a) / 64;
	return str_equal((struct str){json_string_value(a), json_string_length(a)},
		(struct str){json_string_value(b), json_string_length(b)});
}
