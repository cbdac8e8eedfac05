/*
 * The classes of width.h.  Default_Ignorable_Code_Point and the format
 * characters (Cf) are hidden, save the visible Arabic and Kaithi number signs,
 * which UAX #29 knows as Prepend.  So is the blank of Braille, a symbol that shows
 * nothing.
 */
#include "config.h"
#include "text/width.h"

#include <stdint.h>
#include <string.h>
#include <utf8proc.h>
#include <wchar.h>

#define BRAILLE_BLANK 0x2800u

static const utf8proc_property_t *property(unsigned code)
{
	return utf8proc_get_property((utf8proc_int32_t)code);
}

static bool is_bidi(unsigned code)
{
	return code == 0x061C || code == 0x200E || code == 0x200F ||
	       (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
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

static enum char_class class_of_special(unsigned code, const utf8proc_property_t *p)
{
	if (is_bidi(code))
		return CHAR_BIDI;
	if (code >= 0xE0000 && code <= 0xE007F)
		return CHAR_TAG;
	if (code == 0x200D)
		return CHAR_ZWJ;
	if (code == 0xFE0E || code == 0xFE0F)
		return CHAR_VARIANT;
	if (is_hidden(code, p))
		return CHAR_HIDDEN;
	return is_unknown(code, p) ? CHAR_UNKNOWN : CHAR_PLAIN;
}

enum char_class char_class(unsigned code)
{
	enum char_class class;
	int cells;

	if (code < 0x20 || code == 0x7F)
		return CHAR_CONTROL;
	if (code < 0x7F)
		return CHAR_PLAIN;
	if (code < 0xA0)
		return CHAR_C1;
	class = class_of_special(code, property(code));
	if (class != CHAR_PLAIN)
		return class;
	cells = wcwidth((wchar_t)code);
	if (cells < 0)
		return CHAR_UNKNOWN;
	return cells ? CHAR_PLAIN : CHAR_COMBINING;
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

bool char_tone(unsigned code)
{
	return code >= 0x1F3FB && code <= 0x1F3FF;
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
