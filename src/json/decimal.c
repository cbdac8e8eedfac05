/* Exact decimals: see decimal.h. */
#include "config.h"
#include "json/decimal.h"

#include <string.h>

#define POINT_MOST 1000000000000000 /* all exponents beyond are read as this one */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool read_exponent(struct str s, int64_t *exponent)
{
	bool negative = s.n && s.p[0] == '-';
	size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+');
	int64_t e = 0;

	for (; i < s.n && is_digit(s.p[i]) && e < POINT_MOST; i++)
		e = 10 * e + (s.p[i] - '0');
	*exponent = negative ? -e : e;
	return i == s.n;
}

/* The digits are gathered at the front of the text that they are read from. */
bool decimal_read(struct decimal *d, struct buf *text)
{
	const char *p = text->data, *end = p + text->len;
	char *first = text->data, *out = first;
	bool fraction = false, fits = true;
	int64_t exponent;

	*d = (struct decimal){.negative = p < end && *p == '-'};
	for (p += d->negative; p < end && *p != 'e' && *p != 'E'; p++) {
		if (*p == '.') {
			fraction = true;
		} else if (*p != '0' || out > first) {
			fits &= is_digit(*p);
			d->point += !fraction;
			*out++ = *p;
		} else {
			d->point -= fraction;
		}
	}
	if (p < end) {
		fits &= read_exponent(
			(struct str){p + 1, (size_t)(end - p - 1)}, &exponent);
		d->point += exponent;
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

int decimal_compare(const struct decimal *a, const struct decimal *b)
{
	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	return a->negative ? compare_sizes(b, a) : compare_sizes(a, b);
}
