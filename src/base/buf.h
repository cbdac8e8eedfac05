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

#endif
