/*
 * Numbers as people count: exact decimals, whatever C type jansson keeps them in, also
 * those that no C type holds (json_number_text).  1 and 1.0 are the same number.  All
 * arguments but the first function's are numbers.
 */
#ifndef CATENA_JSON_NUMBER_H
#define CATENA_JSON_NUMBER_H

#include "json/json.h"
#include "json/meaning.h"

bool json_numeric(const json_t *value);
bool json_integral(const json_t *number);
int json_number_compare(const json_t *a, const json_t *b); /* < 0, 0, > 0 */

/* Divisors are positive and have at most so many digits, zeros at the ends not counted.
 */
#define JSON_DIVISOR_DIGITS 18
bool json_divisor(const json_t *number);
bool json_multiple(const json_t *number, const json_t *divisor);

struct meaning json_number_meaning(const json_t *number);

#endif
