/*
 * The jq path of a byte of a file, found by reading the file from its beginning: which of
 * the values of the file the byte is in, and the keys and indices down to the value that
 * begins there.  The bytes are given in pieces of any size; memory grows with the nesting
 * and the keys on the path alone.
 */
#ifndef CATENA_JSON_LOCATE_H
#define CATENA_JSON_LOCATE_H

#include "base/buf.h"

#include <stdint.h>

struct locate;

struct locate *locate_new(void);
void locate_free(struct locate *l);
/* The next bytes of the file, up to the byte in question and not beyond. */
void locate_add(struct locate *l, struct str bytes);
/*
 * When all bytes before it were given: appends the jq path (nothing for a value of the
 * file itself) and sets which of the values of the file it is in, from 0.  False when the
 * brackets do not tell: text that is no JSON, a broken file.
 */
bool locate_put(const struct locate *l, struct buf *out, uint64_t *value);
/* How many values have begun so far; 0 when the brackets do not tell. */
uint64_t locate_count(const struct locate *l);

#endif
