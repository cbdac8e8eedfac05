/*
 * A number as people count: exact, however it is written, so 100, 1e2 and 100.0 are the
 * same.  It is taken apart into its significant digits and the place of its decimal
 * point: 0.DIGITS times ten to the power of `point`.
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

/* Takes apart the number in `text`, whose bytes it uses for the digits.  False: it is no
 * decimal number, or its exponent is so great that others have the same `point`. */
bool decimal_read(struct decimal *d, struct buf *text);

/* < 0, 0, > 0 */
int decimal_compare(const struct decimal *a, const struct decimal *b);

#endif
