/*
 * Where the large values of a text end.  json_check_keys, which reads every byte
 * anyway, notes it, and the cursor asks before it skips a value.  So walking a long text again
 * costs what is small in it, not its size.
 *
 * The values of the text refer to them (struct jv, `extents`).  They are owned by the
 * code that opened the text, and must live as long as its values are walked.
 */
#ifndef CATENA_JSON_EXTENTS_H
#define CATENA_JSON_EXTENTS_H

#include "base/buf.h"

#include <stdint.h>

#define EXTENTS_TEXT (1u << 20) /* bytes: of a shorter text they are not worth noting, */
#define EXTENTS_RUN  4096u /* unless it is a run of values, which are walked often */
#define EXTENT_LEAST 1024u /* bytes: smaller values are not noted */
#define EXTENT_DEPTH 16u   /* containers around a value: deeper ones are not noted */

struct extents;

struct extents *extents_new(struct str text);  /* borrows it */
void extents_free(struct extents *e);          /* NULL is fine */
size_t extents_bytes(const struct extents *e); /* memory; 0 for NULL */

/* For json_check_keys: a container opens or closes at a depth, counted from 0; any other
 * value has ended. */
void extents_open(struct extents *e, size_t depth, const char *p);
void extents_close(struct extents *e, size_t depth, const char *end);
void extents_add(struct extents *e, const char *p, const char *end);

/* After this nothing may be added, and values may refer to them.  Linear in the extents.
 */
void extents_seal(struct extents *e);

/* The end of the value that begins at p, in constant time; NULL when it is not known. */
const char *extents_end(const struct extents *e, const char *p);

#endif
