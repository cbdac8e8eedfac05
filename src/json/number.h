/*
 * Exact arithmetic on decoded numbers, whatever C type jansson keeps them in, also those
 * that no C type holds (json_number_text).  1 and 1.0 are equal.  json_numeric takes any
 * value, all other functions numbers only.  Cost: the length of the numbers.
 */
#ifndef CATENA_JSON_NUMBER_H
#define CATENA_JSON_NUMBER_H

#include <stdint.h>

#include "base/buf.h"
#include "json/json.h"
#include "json/meaning.h"

bool json_numeric(const json_t *value);
bool json_integral(const json_t *number);
int json_number_compare(const json_t *a, const json_t *b); /* < 0, 0, > 0 */

/* Divisors are positive and have at most so many digits, without zeros at either end. */
#define JSON_DIVISOR_DIGITS 18
bool json_divisor(const json_t *number);
bool json_multiple(const json_t *number, const json_t *divisor);

struct meaning json_number_meaning(const json_t *number);

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

/* Splits the number in `text`, and overwrites these bytes with the digits.  False: it is
 * no decimal number, or its exponent is too great to be told from others. */
bool decimal_read(struct decimal *d, struct buf *text);

#endif
