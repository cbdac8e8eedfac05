/*
 * Values of a text put into another text as they stand: JSON that is made of parts of a
 * file keeps the file's own spelling.  What is cut short or broken is closed and mended.
 */
#ifndef CATENA_JSON_COPY_H
#define CATENA_JSON_COPY_H

#include "json/cursor.h"

void json_copy_value(struct buf *out, struct jv value);
/* The inside of a string, escapes and all; of another value nothing. */
void json_copy_body(struct buf *out, struct jv string);
/* The inside of a string with this decoded text. */
void json_copy_text(struct buf *out, struct str text);

#endif
