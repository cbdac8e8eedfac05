/*
 * The classes of width.h.  Default_Ignorable_Code_Point and the format
 * characters (Cf) are hidden, save the visible Arabic and Kaithi number signs,
 * which UAX #29 knows as Prepend.  So is the blank of Braille, a symbol that shows
 * nothing.
 */
#include "config.h"
#include "text/width.h"

#include <stdint.h>
#include <utf8proc.h>
#include <wchar.h>

#define BRAILLE_BLANK 0x2800u

static const utf8proc_property_t *property(unsigned code)
{
	return utf8proc_get_property((utf8proc_int32_t)code);
}

static bool is_hidden(unsigned code, const utf8proc_property_t *p)
{
	if (p->ignorable || (code >= 0xFE00 && code <= 0xFE0F) ||
		(code >= 0xE0080 && code <= 0xE0FFF) || code == BRAILLE_BLANK)
		return true;
	if (p->category == UTF8PROC_CATEGORY_CF)
		return p->boundclass != UTF8PROC_BOUNDCLASS_PREPEND;
	return p->category == UTF8PROC_CATEGORY_ZL || p->category == UTF8PROC_CATEGORY_ZP;
}

static bool is_unknown(unsigned code, const utf8proc_property_t *p)
{
	return p->category == UTF8PROC_CATEGORY_CN ||
	       p->category == UTF8PROC_CATEGORY_CO ||
	       p->category == UTF8PROC_CATEGORY_CS || (code & 0xFFFE) == 0xFFFE ||
	       (code >= 0xFDD0 && code <= 0xFDEF);
}

enum char_class char_class(unsigned code)
{
	const utf8proc_property_t *p;
	int cells;

	if (code < 0x20 || code == 0x7F)
		return CHAR_CONTROL;
	if (code < 0x7F)
		return CHAR_PLAIN;
	if (code < 0xA0)
		return CHAR_C1;
	if (code == 0x061C || code == 0x200E || code == 0x200F ||
		(code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069))
		return CHAR_BIDI;
	if (code >= 0xE0000 && code <= 0xE007F)
		return CHAR_TAG;
	if (code == 0x200D)
		return CHAR_ZWJ;
	if (code == 0xFE0E || code == 0xFE0F)
		return CHAR_VARIANT;
	p = property(code);
	if (is_hidden(code, p))
		return CHAR_HIDDEN;
	cells = is_unknown(code, p) ? -1 : wcwidth((wchar_t)code);
	return cells < 0 ? CHAR_UNKNOWN : cells ? CHAR_PLAIN : CHAR_COMBINING;
}

unsigned char_cells(unsigned code)
{
	int cells = code >= 0x20 && code < 0x7F ? 1 : wcwidth((wchar_t)code);

	return cells > 0 ? (unsigned)cells : 0;
}

bool char_breaks(unsigned a, unsigned b, int *state)
{
	utf8proc_int32_t s = *state;
	bool breaks = utf8proc_grapheme_break_stateful(
		(utf8proc_int32_t)a, (utf8proc_int32_t)b, &s);

	*state = s;
	return breaks;
}

bool char_pictographic(unsigned code)
{
	return property(code)->boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

bool char_opens(unsigned code)
{
	int category = property(code)->category;

	return category == UTF8PROC_CATEGORY_PS || category == UTF8PROC_CATEGORY_PI;
}

bool char_closes(unsigned code)
{
	int category = property(code)->category;

	return category == UTF8PROC_CATEGORY_PE || category == UTF8PROC_CATEGORY_PF ||
	       category == UTF8PROC_CATEGORY_PO;
}

/* True when all eight bytes are in 0x20..0x7E. */
static bool word_is_plain(uint64_t w)
{
	const uint64_t ones = 0x0101010101010101u, high = ones << 7;
	uint64_t del = w ^ (ones * 0x7F);

	return !((w | ((w - ones * 0x20) & ~w) | ((del - ones) & ~del)) & high);
}

size_t char_ascii_run(const char *p, size_t n)
{
	size_t i = 0;
	uint64_t w;

	for (; n - i >= sizeof(w); i += sizeof(w)) {
		memcpy(&w, p + i, sizeof(w));
		if (!word_is_plain(w))
			break;
	}
	while (i < n && p[i] >= 0x20 && p[i] < 0x7F)
		i++;
	if (i && i < n && (p[i] & 0x80))
		i--;
	return i;
}

/* ---- words, by the categories of utf8proc ---- */

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

/* Letters, marks, numbers and what joins words, which utf8proc counts in a row. */
static bool is_letter(unsigned code)
{
	utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);

	return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_PC &&
	       !is_unspaced(code);
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
	while (end < n) {
		size_t next = plain_end(p, n, end);

		if (next == end) {
			next = cluster_end(p, n, end, &code);
			if (!is_letter(code) && !(code < 0x80 && joins(p, n, end)))
				break;
		}
		end = next;
	}
	if (end)
		return end;
	*kind = WORD_SIGN;
	return cluster_end(p, n, 0, &code);
}
