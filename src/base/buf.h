/*
 * Growing text.  An empty buffer is all zero bits (or BUF_INIT).  `data` is
 * always followed by a NUL once anything was appended, and moves when the
 * buffer grows: every pointer into it is invalid after an append.
 */
#ifndef CATENA_BASE_BUF_H
#define CATENA_BASE_BUF_H

#include "base/mem.h"
#include "base/str.h"

#include <stdarg.h>

struct buf {
	char *data;
	size_t len; /* bytes, without the NUL */
	size_t cap;
};

#define BUF_INIT                                                                         \
	{                                                                                \
		NULL, 0, 0                                                               \
	}

#if defined(__GNUC__)
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PRINTF_LIKE(fmt, args)
#endif

void buf_done(struct buf *b);
/* A local buffer that is released where its block ends: AUTO_BUF text = BUF_INIT; */
#define AUTO_BUF AUTO(buf_done) struct buf
void buf_clear(struct buf *b); /* keeps the memory */
void buf_reserve(struct buf *b, size_t more);
void buf_add(struct buf *b, const void *data, size_t n);
void buf_str(struct buf *b, struct str s);
void buf_text(struct buf *b, const char *text);
void buf_set(struct buf *b, struct str s); /* in place of what it held */
void buf_byte(struct buf *b, char c);
void buf_fill(struct buf *b, char c, size_t n);
void buf_printf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);
/* The text as a string of JSON, with its quotes; bytes that are no UTF-8 stay. */
void buf_json(struct buf *b, struct str text);
void buf_utf8(struct buf *b, unsigned code); /* a value that is no scalar gives U+FFFD */
struct str buf_view(const struct buf *b);
char *buf_take(struct buf *b); /* the text, for mem_free; the buffer is empty again */

/* Appends a text as one word for any shell of the Bourne family. */
void buf_shell_word(struct buf *b, struct str text);
/* Percent-encodes all but ASCII letters, digits and what is in `kept`. */
void buf_percent(struct buf *b, struct str text, const char *kept);

/* ---- base64 (RFC 4648): reading in both alphabets, writing in the standard one ---- */

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
