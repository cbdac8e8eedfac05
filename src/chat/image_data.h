/*
 * The bytes of an image or a file that stands in a trace: a data: URL (RFC 2397) or bare
 * base64 (RFC 4648, both alphabets, white space allowed).  What the bytes are is asked of
 * the bytes, never of the name that the trace gives them.
 */
#ifndef CATENA_CHAT_IMAGE_DATA_H
#define CATENA_CHAT_IMAGE_DATA_H

#include "base/buf.h"

struct image_data {
	struct str base64;  /* borrows the text */
	struct str media;   /* "image/png" by its first bytes, static; empty: none of the
			       raster types known here (PNG, GIF, JPEG, WebP) */
	const char *ending; /* ".png", static; "" when the media is empty */
};

/* False when the text holds no base64. */
bool image_data_find(struct image_data *data, struct str text);

/* Decoding in slices; all zero bits at first. */
struct base64 {
	size_t at;
	unsigned bits, count; /* that wait for a whole byte */
};
/* About `most` bytes of base64 more; true when that was the last.  It ends at the first
 * character that is none of base64's. */
bool base64_decode(struct base64 *b, struct str base64, size_t most, struct buf *out);

#endif
