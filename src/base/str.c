/* UTF-8 by table 3-7 of The Unicode Standard: see str.h. */
#include "config.h"
#include "base/str.h"

#include <stdint.h>
#include <string.h>

/* The length a lead byte announces and the range of the byte after it. */
static unsigned lead(unsigned char c, unsigned char *low, unsigned char *high)
{
	*low = 0x80;
	*high = 0xBF;
	if (c < 0x80)
		return 1;
	if (c < 0xC2)
		return 0;
	if (c < 0xE0)
		return 2;
	if (c < 0xF0) {
		if (c == 0xE0)
			*low = 0xA0;
		if (c == 0xED)
			*high = 0x9F;
		return 3;
	}
	if (c < 0xF5) {
		if (c == 0xF0)
			*low = 0x90;
		if (c == 0xF4)
			*high = 0x8F;
		return 4;
	}
	return 0;
}

static bool is_continuation(unsigned char c)
{
	return (c & 0xC0) == 0x80;
}

/* The character at s if it is one of two or three bytes about which there is no question,
 * as most are; else 0. */
static size_t decode_common(const unsigned char *s, size_t n, unsigned *code)
{
	if (n < 3 || !is_continuation(s[1]))
		return 0;
	*code = (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
	if (s[0] >= 0xC2 && s[0] < 0xE0)
		return 2;
	*code = (*code & 0x3FFu) << 6 | (s[2] & 0x3Fu);
	if (s[0] > 0xE0 && s[0] < 0xED && is_continuation(s[2]))
		return 3;
	return 0;
}

size_t utf8_decode(const char *p, size_t n, unsigned *code, bool *valid)
{
	const unsigned char *s = (const unsigned char *)p;
	unsigned char low, high;
	unsigned need, value, i;

	*valid = true;
	*code = s[0];
	if (s[0] < 0x80)
		return 1;
	need = (unsigned)decode_common(s, n, code);
	if (need)
		return need;
	need = lead(s[0], &low, &high);
	*valid = false;
	*code = UTF8_REPLACEMENT;
	if (need == 0)
		return 1;
	value = s[0] & (0x7Fu >> need);
	for (i = 1; i < need; i++) {
		if (i == n || s[i] < low || s[i] > high)
			return i;
		low = 0x80;
		high = 0xBF;
		value = value << 6 | (s[i] & 0x3F);
	}
	*valid = true;
	*code = value;
	return need;
}

size_t utf8_put(unsigned code, char out[UTF8_MAX])
{
	if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
		code = UTF8_REPLACEMENT;
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xC0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3F));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xE0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 0x3F));
		out[2] = (char)(0x80 | (code & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | code >> 18);
	out[1] = (char)(0x80 | (code >> 12 & 0x3F));
	out[2] = (char)(0x80 | (code >> 6 & 0x3F));
	out[3] = (char)(0x80 | (code & 0x3F));
	return 4;
}

size_t utf8_valid_prefix(const char *p, size_t n)
{
	size_t i = 0;
	unsigned code;
	bool valid;

	while (i < n) {
		uint64_t word;

		if (n - i >= sizeof(word)) {
			memcpy(&word, p + i, sizeof(word));
			if (!(word & 0x8080808080808080u)) {
				i += sizeof(word);
				continue;
			}
		}
		size_t step = utf8_decode(p + i, n - i, &code, &valid);

		if (!valid)
			return i;
		i += step;
	}
	return i;
}

size_t utf8_cut(const char *p, size_t n, size_t most)
{
	size_t at = most;

	if (n <= most)
		return n;
	while (at && most - at < UTF8_MAX && ((unsigned char)p[at] & 0xC0) == 0x80)
		at--;
	return at;
}
