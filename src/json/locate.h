/*
 * The way to a byte of a file, found from the file's beginning: which of its values it
 * stands in, and the keys and indices down to the value that begins there.  The bytes are
 * given in pieces of any size; memory is the nesting's and the longest key's.
 */
#ifndef CATENA_JSON_LOCATE_H
#define CATENA_JSON_LOCATE_H

#include "base/buf.h"

#include <stdint.h>

struct locate;

struct locate *locate_new(void);
void locate_free(struct locate *l);
/* The next bytes, up to the one in question and not beyond. */
void locate_add(struct locate *l, struct str bytes);
/*
 * Behind the last byte before it: appends the way in jq's words (nothing: it is one of
 * the file's values itself) and sets which of the file's values it is in, from 0.  False
 * when the brackets do not tell: text that is no JSON, a broken file.
 */
bool locate_put(const struct locate *l, struct buf *out, uint64_t *value);

#endif
