/*
 * Text is a pointer and a length.  A struct str borrows: it is valid as long
 * as the bytes it was made from.  NUL is a byte like any other.
 */
#ifndef CATENA_BASE_STR_H
#define CATENA_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

struct str {
	const char *p;
	size_t n;
};

#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})

/* What follows a word that is counted: "1 step", "2 steps". */
static inline const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static inline struct str str_of(const char *text) /* NULL gives an empty text */
{
	return (struct str){text, text ? strlen(text) : 0};
}

static inline bool str_equal(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* Byte by byte; of two that begin alike the shorter comes first. */
static inline int str_compare(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int order = n ? memcmp(a.p, b.p, n) : 0;

	return order ? order : (a.n > b.n) - (a.n < b.n);
}

static inline bool str_starts(struct str s, struct str head)
{
	return s.n >= head.n && (head.n == 0 || memcmp(s.p, head.p, head.n) == 0);
}

static inline bool str_ends(struct str s, struct str tail)
{
	return s.n >= tail.n &&
	       (tail.n == 0 || memcmp(s.p + s.n - tail.n, tail.p, tail.n) == 0);
}

static inline bool str_is_space(char c) /* JSON's white space */
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* What comes after the first `n` bytes. */
static inline struct str str_skip(struct str s, size_t n)
{
	return (struct str){n ? s.p + n : s.p, s.n - n}; /* of no bytes, .p may be NULL */
}

/* What comes before the first of some characters, none of which is NUL. */
static inline struct str str_before(struct str s, const char *any)
{
	size_t n = 0;

	while (n < s.n && !(s.p[n] && strchr(any, s.p[n])))
		n++;
	return (struct str){s.p, n};
}

/* Takes a head off; false: the text begins otherwise. */
static inline bool str_take(struct str *s, struct str head)
{
	if (!str_starts(*s, head))
		return false;
	*s = str_skip(*s, head.n);
	return true;
}

static inline bool str_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline char str_small(char c) /* a letter of ASCII as a small one */
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* A letter or digit of ASCII. */
static inline bool str_is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || str_is_digit(c);
}

/* Whether a path can have a text as a key without quotes: ASCII letters, "_", `also`, and
 * digits but for the first. */
static inline bool str_is_name(struct str s, char also)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i], low = (char)(c | 0x20);

		if (!(low >= 'a' && low <= 'z') && c != '_' && c != also &&
			!(i && str_is_digit(c)))
			return false;
	}
	return s.n > 0;
}

/* Whether a text is one of `count` words; a NULL among them is their end. */
static inline bool str_is_among(struct str s, const char *const words[], size_t count)
{
	for (size_t i = 0; i < count && words[i]; i++)
		if (str_equal(s, str_of(words[i])))
			return true;
	return false;
}

#define STR_AMONG(s, words) str_is_among(s, words, sizeof(words) / sizeof(*(words)))

/* ... whatever the case of ASCII letters. */
static inline bool str_is_among_alike(
	struct str s, const char *const words[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (s.n == strlen(words[i]) && strncasecmp(s.p, words[i], s.n) == 0)
			return true;
	return false;
}

#define STR_AMONG_ALIKE(s, words)                                                        \
	str_is_among_alike(s, words, sizeof(words) / sizeof(*(words)))

/* The text without white space at both ends. */
static inline struct str str_trim(struct str s)
{
	while (s.n && str_is_space(s.p[0]))
		s = str_skip(s, 1);
	while (s.n && str_is_space(s.p[s.n - 1]))
		s.n--;
	return s;
}

/* Takes the next line of a text, without its LF or CR LF; false after the last one. */
static inline bool str_next_line(struct str *rest, struct str *line)
{
	const char *end = rest->n ? (const char *)memchr(rest->p, '\n', rest->n) : NULL;
	size_t n = end ? (size_t)(end - rest->p) : rest->n;

	if (!rest->n)
		return false;
	*line = (struct str){rest->p, n - (end && n && rest->p[n - 1] == '\r')};
	*rest = str_skip(*rest, n + (end != NULL));
	return true;
}

/* What comes after the last slash of a path. */
static inline struct str str_file_name(struct str path)
{
	size_t n = path.n;

	while (n && path.p[n - 1] != '/')
		n--;
	return str_skip(path, n);
}

/* ---- UTF-8 ---- */

/*
 * UTF-8 as The Unicode Standard (chapter 3, table 3-7) has it: no overlong
 * forms, no surrogates, nothing above U+10FFFF.
 */
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
