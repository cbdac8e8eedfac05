/*
 * Where the large values of a text end.  The judge, who goes over every byte anyway,
 * notes it, and the cursor asks before it skips a value: whoever walks a long text after
 * that pays for what is small in it, not for its size, however often it is walked.
 *
 * Extents that are known are found by address, by every walk of the thread that made them
 * known; so they must be freed before the text is, and the text must not change.
 */
#ifndef CATENA_JSON_EXTENTS_H
#define CATENA_JSON_EXTENTS_H

#include "base/buf.h"

#include <stdint.h>

#define EXTENT_LEAST 4096u /* bytes of a value that is noted */
#define EXTENT_DEPTH 16u   /* containers around it; deeper ones are not */

struct extents;

struct extents *extents_new(struct str text); /* borrows it */
void extents_free(struct extents *e);         /* NULL is fine */
size_t extents_bytes(const struct extents *e);

/* For the judge: a container at a depth, counted from 0, and any value that is over. */
void extents_open(struct extents *e, size_t depth, const char *p);
void extents_close(struct extents *e, size_t depth, const char *end);
void extents_add(struct extents *e, const char *p, const char *end);

/* From here on the cursor finds them; nothing can be added any more. */
void extents_know(struct extents *e);

/* Behind the value that begins at p; NULL when that is not known. */
const char *extents_end(const char *p);

#endif
