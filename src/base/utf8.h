/*
 * UTF-8 as The Unicode Standard (chapter 3, table 3-7) has it: no overlong
 * forms, no surrogates, nothing above U+10FFFF.
 */
#ifndef CATENA_BASE_UTF8_H
#define CATENA_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#define UTF8_MAX         4
#define UTF8_REPLACEMENT 0xFFFDu

/*
 * Reads one code point from the first of n > 0 bytes and returns how many
 * bytes it takes.  Bytes that are not UTF-8 give *code = UTF8_REPLACEMENT and
 * *valid = false for each maximal subpart (the W3C and Unicode practice).
 */
size_t utf8_decode(const char *p, size_t n, unsigned *code, bool *valid);

/* Writes a code point (a non-scalar as U+FFFD) and returns its length. */
size_t utf8_put(unsigned code, char out[UTF8_MAX]);

/* The number of leading bytes of p that are valid UTF-8. */
size_t utf8_valid_prefix(const char *p, size_t n);

/* How much of p to keep so that it has at most so many bytes and no half character. */
size_t utf8_cut(const char *p, size_t n, size_t most);

#endif
