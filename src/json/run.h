/*
 * Skips the inside of a string faster than piece by piece: so json_check and the writers
 * pass over most bytes of a trace.  `p` is at the boundary of a piece (see check.h), at
 * first after the opening quote; nothing is read at or after `end`.
 */
#ifndef CATENA_JSON_RUN_H
#define CATENA_JSON_RUN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a byte may be part of a PIECE_RUN. */
static inline bool json_plain_byte(char c)
{
	unsigned char u = (unsigned char)c;

	return u >= 0x20 && u < 0x7F && u != '"' && u != '\\';
}

/* How many of four hexadecimal digits there are; *code is what they say. */
static inline size_t json_hex4(const char *p, const char *end, unsigned *code)
{
	size_t i;

	*code = 0;
	for (i = 0; i < 4 && p + i < end; i++) {
		char c = p[i], low = (char)(c | 0x20);

		if (c >= '0' && c <= '9')
			*code = *code << 4 | (unsigned)(c - '0');
		else if (low >= 'a' && low <= 'f')
			*code = *code << 4 | (unsigned)(low - 'a' + 10);
		else
			break;
	}
	return i;
}

/* How many of the leading bytes are plain. */
size_t json_plain_run(const char *p, const char *end);

/*
 * The first piece that json_check must read by itself: the closing quote, a bad or half
 * escape, a surrogate's escape, a raw control character, bad UTF-8; `end` when there is
 * none.  When `loose`, only the closing quote and what makes a text BROKEN.
 */
const char *json_string_run(const char *p, const char *end, bool loose);

#endif
