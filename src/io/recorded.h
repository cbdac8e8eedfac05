/*
 * Texts that hold conversations but are no JSON, written as lines of it: recordings of HTTP
 * by httprr and as YAML (cassette.h), talks in Markdown or plain text (transcript.h), logs
 * with words before the object of a line (`STDERR: {...}`), and objects that follow each
 * other on one line.
 */
#ifndef CATENA_IO_RECORDED_H
#define CATENA_IO_RECORDED_H

#include "base/buf.h"
#include "io/codec.h"

#define RECORDED_HEAD (16u * 1024) /* bytes by which such a text is known */

/* What the first bytes of a text are; LIKE_MAYBE while they are too few to tell. */
enum likeness recorded_recognize(struct str head);

/* Whether it is objects that follow each other on one line. */
bool recorded_is_joined(struct str text);

/* Whether it is a log with words before its objects, and some whole lines of one, which
 * is written as it comes: words before an object become its member "_line". */
bool recorded_is_log(struct str head);
void recorded_write_log(struct str text, struct buf *out);

/*
 * The whole text as lines.  Of httprr each exchange is an object {"request": {method,
 * url, headers, body}, "response": {status, headers, body}}; a body is a string, in
 * base64 where it is no text.  Linear in the text.
 */
void recorded_write(struct str text, struct buf *out);

#endif
