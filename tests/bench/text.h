/*
 * What the generator writes with: growing bytes, chance that is the same everywhere, and
 * a pool of sentences, made once and escaped once for a JSON string and twice for JSON
 * inside a JSON string.  Everything long is copied from it, in whole sentences, so that
 * the program is bound by memory copies.  Every failure ends the program with status 2.
 */
#ifndef CATENA_BENCH_TEXT_H
#define CATENA_BENCH_TEXT_H

#include <stddef.h>
#include <stdint.h>

_Noreturn void fail(const char *why, const char *what);

struct bytes {
	char *data;
	size_t size;
	size_t cap;
};

void bytes_add(struct bytes *b, const char *data, size_t size);
void bytes_byte(struct bytes *b, char c);
/* Adds text as it stands inside a JSON string. */
void bytes_escaped(struct bytes *b, const char *text, size_t size);
void bytes_done(struct bytes both[2]);

/* xorshift64*.  Never two calls in one argument list: the order would be the compiler's,
 * and the bytes with it. */
void chance_begin(uint64_t seed);
uint64_t chance(void);
size_t below(size_t n); /* a number below n, far below 2^32 */

#define PICK(table) (table)[below(sizeof(table) / sizeof((table)[0]))]

void pool_make(void);
void pool_done(void);
const char *pool_subject(void);
/* About so many bytes of sentences, in both spellings. */
void add_text(struct bytes both[2], size_t size);

/* Standard output, and how much went there. */
extern uint64_t written;
void put(const char *data, size_t size);
void put_bytes(const struct bytes *b);
void put_text(const char *text);
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void putf(const char *format, ...); /* short texts */

#endif
