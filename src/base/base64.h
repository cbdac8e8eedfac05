/* Base64 (RFC 4648): reading in both alphabets, writing in the standard one. */
#ifndef CATENA_BASE_BASE64_H
#define CATENA_BASE_BASE64_H

#include "base/buf.h"

#define BASE64_SPACE 64

/* The six bits of a character, BASE64_SPACE for white space, else -1. */
static inline int base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+' || c == '-')
		return 62;
	if (c == '/' || c == '_')
		return 63;
	return str_is_space(c) ? BASE64_SPACE : -1;
}

/* Appends bytes in base64, with padding. */
void base64_put(struct buf *out, struct str bytes);
/* Decoding in slices; all zero bits at first. */
struct base64 {
	size_t at;
	unsigned bits, count; /* that wait for a whole byte */
};
/* About `most` bytes of base64 more; true when that was the last.  It ends at the first
 * character that is none of base64's. */
bool base64_decode(struct base64 *b, struct str base64, size_t most, struct buf *out);
/* Appends the bytes that a text in base64 holds, white space left out; false, and those
 * before it, at what is no base64. */
bool base64_get(struct str text, struct buf *out);

#endif
