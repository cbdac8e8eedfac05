/*
 * An exact decimal, however it is written: 100, 1e2 and 100.0 are equal.  It is split
 * into its significant digits and the place of its decimal point: 0.DIGITS times ten to
 * the power of `point`.
 */
#ifndef CATENA_JSON_DECIMAL_H
#define CATENA_JSON_DECIMAL_H

#include <stdint.h>

#include "base/buf.h"

struct decimal { /* zero: no digits, not negative, point 0 */
	bool negative;
	struct str digits; /* neither the first nor the last is 0; borrows the text */
	int64_t point;
};

/* Splits the number in `text`, and overwrites these bytes with the digits.  False: it is
 * no decimal number, or its exponent is too great to be told from others. */
bool decimal_read(struct decimal *d, struct buf *text);

/* < 0, 0, > 0 */
int decimal_compare(const struct decimal *a, const struct decimal *b);

#endif
