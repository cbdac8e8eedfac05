/* Words by the categories of utf8proc, clusters by its boundaries: see words.h. */
#include "config.h"
#include "text/words.h"

#include <utf8proc.h>

#include "base/utf8.h"
#include "text/width.h"

static bool is_ascii_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Scripts without blanks between words: Thai to Myanmar, Khmer, and all that are two
 * cells wide except Hangul. */
static bool is_unspaced(unsigned code)
{
	if ((code >= 0x0E00 && code <= 0x0EFF) || (code >= 0x1000 && code <= 0x109F) ||
		(code >= 0x1780 && code <= 0x17FF) || (code >= 0xFF65 && code <= 0xFF9F))
		return true;
	if ((code >= 0x1100 && code <= 0x11FF) || (code >= 0xAC00 && code <= 0xD7FF))
		return false;
	return char_cells(code) > 1;
}

static bool is_letter(unsigned code)
{
	switch (utf8proc_category((utf8proc_int32_t)code)) {
	case UTF8PROC_CATEGORY_LU:
	case UTF8PROC_CATEGORY_LL:
	case UTF8PROC_CATEGORY_LT:
	case UTF8PROC_CATEGORY_LM:
	case UTF8PROC_CATEGORY_LO:
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_MC:
	case UTF8PROC_CATEGORY_ME:
	case UTF8PROC_CATEGORY_ND:
	case UTF8PROC_CATEGORY_NL:
	case UTF8PROC_CATEGORY_NO:
	case UTF8PROC_CATEGORY_PC:
		return !is_unspaced(code);
	default:
		return false;
	}
}

/* The end of the cluster that begins at `at`; *code is its first character. */
static size_t cluster_end(const char *p, size_t n, size_t at, unsigned *code)
{
	unsigned last, next;
	bool valid;
	int state = 0;

	at += utf8_decode(p + at, n - at, code, &valid);
	for (last = *code; valid && at < n; last = next) {
		size_t length = utf8_decode(p + at, n - at, &next, &valid);

		if (!valid || str_is_space(p[at]) || char_breaks(last, next, &state))
			break;
		at += length;
	}
	return at;
}

/* A stop inside a number, an apostrophe inside a word. */
static bool joins(const char *p, size_t n, size_t at)
{
	if (!at || at + 1 >= n)
		return false;
	if (p[at] == '.' || p[at] == ',')
		return str_is_digit(p[at - 1]) && str_is_digit(p[at + 1]);
	return p[at] == '\'' && is_ascii_letter(p[at - 1]) && is_ascii_letter(p[at + 1]);
}

/* The end of the ASCII that belongs to a word, whatever follows it. */
static size_t plain_end(const char *p, size_t n, size_t from)
{
	size_t at = from;

	while (at < n &&
		(is_ascii_letter(p[at]) || str_is_digit(p[at]) || joins(p, n, at)))
		at++;
	/* the last one may be the first of a cluster */
	if (at > from && at < n && (p[at] & 0x80))
		at--;
	return at;
}

static size_t word_end(const char *p, size_t n)
{
	size_t at = 0;

	while (at < n) {
		size_t end = plain_end(p, n, at);
		unsigned code;

		if (end > at) {
			at = end;
			continue;
		}
		end = cluster_end(p, n, at, &code);
		if (!is_letter(code) && !(code < 0x80 && joins(p, n, at)))
			break;
		at = end;
	}
	return at;
}

/* Whether the character before `at` begins a cluster that goes on there. */
static bool is_extended(const char *p, size_t n, size_t at)
{
	unsigned code;
	bool valid;
	int state = 0;

	if (at == n || !(p[at] & 0x80))
		return false;
	utf8_decode(p + at, n - at, &code, &valid);
	return valid && !char_breaks((unsigned char)p[at - 1], code, &state);
}

size_t word_next(const char *p, size_t n, enum word_kind *kind)
{
	size_t end = 0;
	unsigned code;

	while (end < n && str_is_space(p[end]))
		end++;
	if (end && is_extended(p, n, end))
		end--;
	*kind = WORD_BLANK;
	if (end)
		return end;
	*kind = WORD_WORD;
	end = word_end(p, n);
	if (end)
		return end;
	*kind = WORD_SIGN;
	return cluster_end(p, n, 0, &code);
}
