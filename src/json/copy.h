/*
 * Copies values of one text into another as they are written: JSON that is made of parts
 * of a file keeps the spelling of the file.  A value that is cut short or broken is
 * closed and mended.
 */
#ifndef CATENA_JSON_COPY_H
#define CATENA_JSON_COPY_H

#include "json/cursor.h"

void json_copy_value(struct buf *out, struct jv value);
/* The inside of a string, with its escapes; nothing for a value of another kind. */
void json_copy_body(struct buf *out, struct jv string);
/* Decoded text as the inside of a string: escaped, without quotes. */
void json_copy_text(struct buf *out, struct str text);

/* Members, with a comma as json_item puts it. */
void json_put(struct buf *out, const char *key, struct jv value); /* of J_NONE nothing */
void json_put_pair(struct buf *out, struct jv key, struct jv value);
/* As json_write_raw has it; of J_NONE null. */
void json_put_raw(struct buf *out, const char *key, struct jv value);

/* A value that was written, in the arena; the buffer is empty again. */
struct jv json_kept(struct buf *text, struct arena *arena);
/* A text as a string, in the arena. */
struct jv json_quoted(struct str text, struct arena *arena);

#define MERGE_DEEPEST 16 /* levels: deeper objects are replaced as a whole */

/*
 * The deep merge of values, in their order, as one value in the arena (of one value, that
 * value): a later one wins, member by member where both are objects.  A later value that
 * is null, "", [] or {} replaces nothing.  Linear in their bytes, times the logarithm of
 * `count`.
 */
struct jv json_merge_all(const struct jv *values, size_t count, struct arena *arena);

#endif
