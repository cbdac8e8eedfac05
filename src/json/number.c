/*
 * Exact decimals: see number.h.  A number is taken apart into its significant digits and
 * the place of its decimal point: 0.DIGITS times ten to the power of `point`.
 */
#include "config.h"
#include "json/number.h"

#include <math.h>

#include "base/map.h"

#define POINT_MOST 1000000000000000 /* exponents beyond are all the same */

struct decimal { /* zero: no digits, not negative */
	bool negative;
	struct str digits; /* neither the first nor the last is 0; in `text` */
	int64_t point;
	struct buf text;
};

static int64_t read_exponent(const char *p, const char *end)
{
	bool negative = p < end && *p == '-';
	int64_t e = 0;

	for (; p < end && e < POINT_MOST; p++)
		if (*p >= '0' && *p <= '9')
			e = 10 * e + (*p - '0');
	return negative ? -e : e;
}

/* Gathers the digits at the front of the text that they are read from. */
static void take_apart(struct decimal *d)
{
	const char *p = d->text.data, *end = p + d->text.len;
	char *out = d->text.data;
	bool fraction = false;

	for (; p < end && *p != 'e' && *p != 'E'; p++) {
		if (*p == '-') {
			d->negative = true;
		} else if (*p == '.') {
			fraction = true;
		} else if (*p != '0' || out > d->text.data) {
			d->point += !fraction;
			*out++ = *p;
		} else {
			d->point -= fraction;
		}
	}
	if (p < end)
		d->point += read_exponent(p + 1, end);
	while (out > d->text.data && out[-1] == '0')
		out--;
	d->digits = (struct str){d->text.data, (size_t)(out - d->text.data)};
}

static void decimal_init(struct decimal *d, const json_t *number)
{
	struct str text = json_number_text(number);

	*d = (struct decimal){.text = BUF_INIT};
	if (text.p)
		buf_str(&d->text, text);
	else if (json_is_integer(number))
		buf_printf(&d->text, "%" JSON_INTEGER_FORMAT, json_integer_value(number));
	else
		json_write_number(&d->text, json_real_value(number));
	take_apart(d);
	if (!d->digits.n) {
		d->negative = false;
		d->point = 0;
	}
}

static void decimal_done(struct decimal *d)
{
	buf_done(&d->text);
}

bool json_numeric(const json_t *value)
{
	return json_is_number(value) || json_number_text(value).p;
}

bool json_integral(const json_t *number)
{
	struct decimal d;
	bool integral;

	if (json_is_integer(number))
		return true;
	if (json_is_real(number))
		return floor(json_real_value(number)) == json_real_value(number);
	decimal_init(&d, number);
	integral = d.point >= (int64_t)d.digits.n;
	decimal_done(&d);
	return integral;
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

static int compare_decimals(const json_t *a, const json_t *b)
{
	struct decimal x, y;
	int order;

	decimal_init(&x, a);
	decimal_init(&y, b);
	if (x.negative != y.negative)
		order = x.negative ? -1 : 1;
	else
		order = x.negative ? compare_sizes(&y, &x) : compare_sizes(&x, &y);
	decimal_done(&x);
	decimal_done(&y);
	return order;
}

int json_number_compare(const json_t *a, const json_t *b)
{
	if (json_is_integer(a) && json_is_integer(b)) {
		json_int_t x = json_integer_value(a), y = json_integer_value(b);

		return (x > y) - (x < y);
	}
	if (json_is_real(a) && json_is_real(b)) {
		double x = json_real_value(a), y = json_real_value(b);

		return (x > y) - (x < y);
	}
	return compare_decimals(a, b);
}

bool json_divisor(const json_t *number)
{
	struct decimal d;
	bool fits;

	decimal_init(&d, number);
	fits = d.digits.n && d.digits.n <= JSON_DIVISOR_DIGITS && !d.negative;
	decimal_done(&d);
	return fits;
}

/* What is left of digits and so many zeros behind them; 10 times the divisor fits. */
static uint64_t remainder_of(struct str digits, int64_t zeros, uint64_t divisor)
{
	uint64_t rest = 0;

	for (size_t i = 0; i < digits.n; i++)
		rest = (10 * rest + (uint64_t)(digits.p[i] - '0')) % divisor;
	for (int64_t i = 0; i < zeros && rest; i++)
		rest = 10 * rest % divisor;
	return rest;
}

static bool divides(const struct decimal *d, const struct decimal *by)
{
	int64_t zeros =
		d->point - (int64_t)d->digits.n - (by->point - (int64_t)by->digits.n);
	uint64_t divisor = remainder_of(by->digits, 0, UINT64_MAX);

	if (!d->digits.n)
		return true;
	if (zeros < 0) /* the last digit of d is not 0 */
		return false;
	if (zeros > 64) /* a divisor below 2^64 has no more twos and fives */
		zeros = 64;
	return remainder_of(d->digits, zeros, divisor) == 0;
}

bool json_multiple(const json_t *number, const json_t *divisor)
{
	struct decimal d, by;
	bool multiple;

	if (json_is_integer(number) && json_is_integer(divisor))
		return json_integer_value(number) % json_integer_value(divisor) == 0;
	decimal_init(&d, number);
	decimal_init(&by, divisor);
	multiple = divides(&d, &by);
	decimal_done(&d);
	decimal_done(&by);
	return multiple;
}

uint64_t json_number_hash(const json_t *number)
{
	struct decimal d;
	uint64_t hash;

	decimal_init(&d, number);
	hash = map_hash(d.digits) + 2 * (uint64_t)d.point + d.negative;
	decimal_done(&d);
	return hash;
}
