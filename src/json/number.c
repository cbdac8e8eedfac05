/* The numbers of jansson as exact decimals: see number.h. */
#include "config.h"
#include "json/number.h"

#include <math.h>
#include <string.h>

/* ---- exact decimals ---- */

#define POINT_MOST 1000000000000000 /* all exponents beyond are read as this one */

/* The digits are gathered at the front of the text that they are read from. */
bool decimal_read(struct decimal *d, struct buf *text)
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

static int decimal_compare(const struct decimal *a, const struct decimal *b)
{
	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	return a->negative ? compare_sizes(b, a) : compare_sizes(a, b);
}

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
	decimal_read(d, text);
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
	struct buf texts[2] = {BUF_INIT, BUF_INIT};
	struct decimal c, d;
	int order;

	if (json_is_integer(a) && json_is_integer(b)) {
		json_int_t x = json_integer_value(a), y = json_integer_value(b);

		return (x > y) - (x < y);
	}
	if (json_is_real(a) && json_is_real(b)) {
		double x = json_real_value(a), y = json_real_value(b);

		return (x > y) - (x < y);
	}
	read_number(&c, a, &texts[0]);
	read_number(&d, b, &texts[1]);
	order = decimal_compare(&c, &d);
	buf_done(&texts[0]);
	buf_done(&texts[1]);
	return order;
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
	struct buf texts[2] = {BUF_INIT, BUF_INIT};
	struct decimal d, by;
	int64_t zeros;
	bool multiple;

	if (json_is_integer(number) && json_is_integer(divisor))
		return json_integer_value(number) % json_integer_value(divisor) == 0;
	read_number(&d, number, &texts[0]);
	read_number(&by, divisor, &texts[1]);
	zeros = d.point - (int64_t)d.digits.n - (by.point - (int64_t)by.digits.n);
	if (zeros > 64) /* a divisor below 2^64 has no more twos and fives */
		zeros = 64;
	multiple = !d.digits.n ||
		   (zeros >= 0 && /* else the last digit is not 0 */
			   remainder_of(d.digits, zeros,
				   remainder_of(by.digits, 0, UINT64_MAX)) == 0);
	buf_done(&texts[0]);
	buf_done(&texts[1]);
	return multiple;
}

struct meaning json_number_meaning(const json_t *number)
{
	AUTO_BUF text = BUF_INIT;
	struct decimal d;

	read_number(&d, number, &text);
	return meaning_of_decimal(&d);
}
