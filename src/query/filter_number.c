/* See filter_number.h. */
#include "config.h"
#include "query/filter_number.h"

#include <math.h>

#include "json/cursor.h"

struct unit_name {
	enum filter_unit unit;
	const char *name;
	double times, per; /* the factor as a fraction: 850 / 1000 is the double nearest
			      to 0.85, 850 * 0.001 is not */
};

static const struct unit_name units[] = {
	{UNIT_COUNT, "", 1, 1},
	{UNIT_COUNT, "k", 1e3, 1},
	{UNIT_COUNT, "K", 1e3, 1},
	{UNIT_COUNT, "M", 1e6, 1},
	{UNIT_COUNT, "G", 1e9, 1},
	{UNIT_DOLLARS, "", 1, 1},
	{UNIT_DOLLARS, "k", 1e3, 1},
	{UNIT_DOLLARS, "K", 1e3, 1},
	{UNIT_DOLLARS, "M", 1e6, 1},
	{UNIT_SECONDS, "", 1, 1},
	{UNIT_SECONDS, "us", 1, 1e6},
	{UNIT_SECONDS, "\xC2\xB5s", 1, 1e6},
	{UNIT_SECONDS, "ms", 1, 1e3},
	{UNIT_SECONDS, "s", 1, 1},
	{UNIT_SECONDS, "m", 60, 1},
	{UNIT_SECONDS, "min", 60, 1},
	{UNIT_SECONDS, "h", 3600, 1},
	{UNIT_BYTES, "", 1, 1},
	{UNIT_BYTES, "B", 1, 1},
	{UNIT_BYTES, "k", 1e3, 1},
	{UNIT_BYTES, "K", 1e3, 1},
	{UNIT_BYTES, "kB", 1e3, 1},
	{UNIT_BYTES, "KB", 1e3, 1},
	{UNIT_BYTES, "M", 1e6, 1},
	{UNIT_BYTES, "MB", 1e6, 1},
	{UNIT_BYTES, "G", 1e9, 1},
	{UNIT_BYTES, "GB", 1e9, 1},
};

static const struct unit_name *unit_named(enum filter_unit unit, struct str name)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (units[i].unit == unit && str_equal(name, str_of(units[i].name)))
			return &units[i];
	return NULL;
}

static bool is_digit(struct str s, size_t i)
{
	return i < s.n && s.p[i] >= '0' && s.p[i] <= '9';
}

/* How many bytes at the start are a number: 12, 1.5, .5, -3, 1e-3. */
static size_t number_length(struct str s)
{
	size_t n = s.n && s.p[0] == '-', e;

	while (is_digit(s, n) || (n < s.n && s.p[n] == '.' && is_digit(s, n + 1)))
		n++;
	e = n + 1;
	if (!n || n == s.n || (s.p[n] != 'e' && s.p[n] != 'E'))
		return n;
	e += e < s.n && (s.p[e] == '-' || s.p[e] == '+');
	if (!is_digit(s, e))
		return n;
	while (is_digit(s, e))
		e++;
	return e;
}

static bool read_plain(struct str s, double *out)
{
	struct buf text = BUF_INIT;
	size_t sign = s.n && s.p[0] == '-';
	bool ok;

	if (sign)
		buf_byte(&text, '-');
	while (sign + 1 < s.n && s.p[sign] == '0' && is_digit(s, sign + 1))
		sign++; /* JSON has no 05 */
	if (sign < s.n && s.p[sign] == '.')
		buf_byte(&text, '0');
	buf_add(&text, s.p + sign, s.n - sign);
	ok = jv_number(jv_parse(buf_view(&text)), out) &&
	     jv_parse(buf_view(&text)).n == text.len;
	buf_done(&text);
	return ok;
}

/* Reads a number and its unit at *at, adds it to *sum and moves *at past it. */
static bool read_part(struct str s, size_t *at, enum filter_unit unit, double *sum)
{
	struct str rest = {s.p + *at, s.n - *at};
	const struct unit_name *u;
	size_t n = number_length(rest), end = n;
	double number;

	while (end < rest.n && !is_digit(rest, end) && rest.p[end] != '.')
		end++;
	u = unit_named(unit, (struct str){rest.p + n, end - n});
	if (!n || !u || !read_plain((struct str){rest.p, n}, &number))
		return false;
	*sum += number * u->times / u->per;
	*at += end;
	return true;
}

bool filter_number(struct str s, enum filter_unit unit, double *out)
{
	size_t at = unit == UNIT_DOLLARS && s.n && s.p[0] == '$';

	*out = 0;
	if (at == s.n || !read_part(s, &at, unit, out))
		return false;
	while (unit == UNIT_SECONDS && at < s.n && is_digit(s, at)) /* 1m30s */
		if (!read_part(s, &at, unit, out))
			return false;
	return at == s.n;
}

bool filter_range(struct str s, enum filter_unit unit, double *low, double *high)
{
	struct str from = {s.p, 0}, to;

	while (from.n + 1 < s.n && !(s.p[from.n] == '.' && s.p[from.n + 1] == '.'))
		from.n++;
	if (from.n + 1 >= s.n)
		return false;
	to = (struct str){s.p + from.n + 2, s.n - from.n - 2};
	*low = -INFINITY;
	*high = INFINITY;
	if (!from.n && !to.n)
		return false;
	return (!from.n || filter_number(from, unit, low)) &&
	       (!to.n || filter_number(to, unit, high));
}

const char *filter_number_form(enum filter_unit unit)
{
	switch (unit) {
	case UNIT_DOLLARS:
		return "US dollars: 0.01, $2, or 1..2";
	case UNIT_SECONDS:
		return "a time: 2s, 500ms, 1m30s, or 1s..5s";
	case UNIT_BYTES:
		return "bytes: 900, 64KB, 2MB, or 1KB..1MB";
	default:
		return "a number: 12, 10k, or 1..20";
	}
}
