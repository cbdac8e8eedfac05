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

#endif
