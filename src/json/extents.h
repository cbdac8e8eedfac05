/*
 * Where the large values of a text end.  The judge, who goes over every byte anyway,
 * notes it, and the cursor asks before it skips a value: whoever walks a long text after
 * that pays for what is small in it, not for its size, however often it is walked.
 *
 * A value of the text is given them (struct jv), and hands them on to what stands in it.
 * They belong to who opened the text, and live as long as its values are walked.
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

/* Nothing can be added any more; from here on a value may have them. */
void extents_seal(struct extents *e);

/* Behind the value that begins at p; NULL when that is not known. */
const char *extents_end(const struct extents *e, const char *p);

#endif
