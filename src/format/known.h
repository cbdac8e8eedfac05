/*
 * All described formats: those built in, and a person's own, which go before them
 * (~/.config/catena/formats, --format-file); and which of them a value is.
 *
 * Recognition looks at the head of a value, PROBE bytes of it, and takes the first
 * format, by the order that the files state, of which some group of conditions holds in
 * full.  A condition on items holds when it does for some item.
 */
#ifndef CATENA_FORMAT_KNOWN_H
#define CATENA_FORMAT_KNOWN_H

#include "format/describe.h"

#define PROBE (64u * 1024)

/* Reads a file or a folder of format files; false with err, which has line and column.
 * Call it before anything is recognised; what is read last goes first. */
bool known_read(const char *path, struct err *err);

/* The description that a value is, compiled, or NULL.  `value` may be cut. */
const struct description *known_recognise(struct jv value);

const struct description *known_named(struct str name); /* or NULL */

size_t known_count(void);
const struct description *known_at(size_t i); /* in order of recognition */

/*
 * Says which conditions of which formats held and failed for a value, the nearest first:
 * for `catena formats --explain`.
 */
void known_explain(struct jv value, struct buf *out);

#endif
