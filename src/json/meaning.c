/*
 * What values mean, as numbers: see meaning.h.  As in schema/same, each scalar and each
 * container is hashed together with the way from the root to it, and these are summed:
 * so the order of members does not count, and one walk is enough.
 */
#include "config.h"
#include "json/meaning.h"

#include "base/map.h"
#include "base/mem.h"

struct meaning_level {
	struct jwalk walk;
	struct meaning way; /* from the root to the container */
};

struct meaning_reading {
	struct meaning_level levels[MEANING_DEPTH];
	size_t depth;
	struct buf text;    /* of the string at hand */
	struct meaning sum; /* of what was met */
};

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

static struct meaning of_number(uint64_t number)
{
	return (struct meaning){{number, 0}};
}

/* ---- numbers ---- */

struct plain_decimal {
	bool negative;
	int64_t exponent; /* of ten, behind the last digit */
};

/* The exponent that stands behind the digits; false when it is too great to be added. */
static bool read_exponent(struct str s, int64_t *exponent)
{
	bool negative = s.n && s.p[0] == '-';
	size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+');

	if (s.n - i > 15)
		return false;
	for (*exponent = 0; i < s.n; i++)
		*exponent = 10 * *exponent + (s.p[i] - '0');
	*exponent = negative ? -*exponent : *exponent;
	return true;
}

/* The digits of a number without zeros at both ends; false when it is no decimal. */
static bool read_decimal(struct str s, struct plain_decimal *d, struct buf *digits)
{
	bool point = false;
	size_t i = 0;

	*d = (struct plain_decimal){.negative = s.n && s.p[0] == '-'};
	for (i = d->negative; i < s.n && s.p[i] != 'e' && s.p[i] != 'E'; i++) {
		if (s.p[i] == '.') {
			point = true;
			continue;
		}
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
		if (s.p[i] != '0' || digits->len)
			buf_byte(digits, s.p[i]);
		d->exponent -= point;
	}
	while (digits->len && digits->data[digits->len - 1] == '0') {
		digits->len--;
		d->exponent++;
	}
	if (i < s.n) {
		int64_t exponent;

		if (!read_exponent((struct str){s.p + i + 1, s.n - i - 1}, &exponent))
			return false;
		d->exponent += exponent;
	}
	if (!digits->len)
		*d = (struct plain_decimal){0}; /* zero, however it is written */
	return true;
}

static struct meaning of_decimal(struct jv number, struct buf *digits)
{
	struct str s = {number.p, number.n};
	struct plain_decimal d;

	buf_clear(digits);
	if (!read_decimal(s, &d, digits))
		return meaning_of_text(s);
	return meaning_then(meaning_of_text(buf_view(digits)),
		(struct meaning){{(uint64_t)d.exponent, d.negative}});
}

/* ---- values ---- */

static struct meaning of_string(struct jv string, struct buf *text)
{
	struct str plain = jv_plain(string);

	if (plain.p)
		return meaning_of_text(plain);
	buf_clear(text);
	jv_decode(string, text);
	return meaning_of_text(buf_view(text));
}

/* A value but for what is in it. */
static struct meaning of_value(struct meaning_reading *r, struct jv v)
{
	switch (v.kind) {
	case J_STRING:
		return of_string(v, &r->text);
	case J_NUMBER:
		return of_decimal(v, &r->text);
	case J_BAD:
		return meaning_of_text((struct str){v.p, v.n});
	default:
		return of_number(0);
	}
}

static void meet(struct meaning_reading *r, struct meaning way, struct jv v)
{
	enum jkind kind = v.kind == J_NONE ? J_NULL : v.kind;
	bool inner = kind == J_OBJECT || kind == J_ARRAY;
	bool deep = inner && r->depth == MEANING_DEPTH;
	struct meaning m =
		deep ? meaning_of_text((struct str){v.p, v.n}) : of_value(r, v);

	m = meaning_then(meaning_then(way, of_number(kind)), m);
	r->sum.half[0] += m.half[0];
	r->sum.half[1] += m.half[1];
	if (!inner || deep)
		return;
	jwalk_begin(&r->levels[r->depth].walk, v);
	r->levels[r->depth++].way = way;
}

struct meaning jv_meaning(struct jv value)
{
	struct meaning_reading *r = mem_alloc(sizeof(*r));
	struct meaning sum;
	struct jv key, v;

	r->depth = 0;
	r->text = (struct buf)BUF_INIT;
	r->sum = (struct meaning){{0, 0}};
	meet(r, of_number(0), value);
	while (r->depth) {
		struct meaning_level *level = &r->levels[r->depth - 1];
		struct meaning step;

		if (!jwalk_next(&level->walk, &key, &v)) {
			r->depth--;
			continue;
		}
		step = level->walk.object ? of_string(key, &r->text)
					  : of_number(level->walk.index);
		meet(r, meaning_then(level->way, step), v);
	}
	sum = r->sum;
	buf_done(&r->text);
	mem_free(r);
	return sum;
}
