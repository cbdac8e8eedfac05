/*
 * Texts that hold JSON but are none themselves, written as lines of JSON: recordings of
 * HTTP by httprr, logs of JSON-RPC with a word in front of each
 * message (`STDIN: {…}`), objects one behind
 * the other on one line.
 */
#ifndef CATENA_IO_RECORDED_H
#define CATENA_IO_RECORDED_H

#include "base/buf.h"
#include "io/codec.h"

#define RECORDED_HEAD (16u * 1024) /* bytes by which such a text is known */

/* What is not there yet does not count, but for the first few bytes. */
enum likeness recorded_recognise(struct str head);

/* Whether it is known by values one behind the other, which no lines part. */
bool recorded_is_joined(struct str text);

/*
 * The whole text as lines.  Of httprr each exchange is an object {"request": {method,
 * url, headers, body}, "response": {status, headers, body}}, a body a string, in base64
 * where it is no text.  A word in front of an object becomes its member "_line".  Cost:
 * linear.
 */
void recorded_write(struct str text, struct buf *out);

#endif
