/*
 * Runs inside of strings (see run.h).  A block of 64 bytes gives a mask of the bytes that
 * may stop the run.  Its bits are taken one by one; a whole character or escape clears
 * its bits and does not stop the run.  JSON in a string has an escape every ten bytes, so
 * the simple ones never become bits.
 */
#include "config.h"
#include "json/run.h"

#include "base/utf8.h"
#include "json/block.h"

/* ---- plain ASCII ---- */

#if defined(__SSE2__) && !defined(BLOCK_PORTABLE)

/* Skips plain blocks; returns the first byte that is not plain, or the last short block.
 */
static const char *plain_blocks(const char *p, const char *end)
{
	for (; end - p >= 16; p += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
		/* signed: bytes from 0x80 on are below 0x20 as well */
		__m128i hit = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20));
		unsigned mask;

		hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
		hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
		hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7F)));
		mask = (unsigned)_mm_movemask_epi8(hit);
		if (mask)
			return p + __builtin_ctz(mask);
	}
	return p;
}

#else

#define EVERY_BYTE UINT64_C(0x0101010101010101)

/* A byte below 0x20 borrows into its top bit, and so does one that the xor made 0. */
static bool plain_word(uint64_t word)
{
	uint64_t hit = word | (word - EVERY_BYTE * 0x20);

	hit |= (word ^ EVERY_BYTE * '"') - EVERY_BYTE;
	hit |= (word ^ EVERY_BYTE * '\\') - EVERY_BYTE;
	hit |= (word ^ EVERY_BYTE * 0x7F) - EVERY_BYTE;
	return !(hit & EVERY_BYTE * 0x80);
}

static const char *plain_blocks(const char *p, const char *end)
{
	for (; end - p >= 8; p += 8) {
		uint64_t word;

		memcpy(&word, p, sizeof(word));
		if (!plain_word(word))
			break;
	}
	return p;
}

#endif

size_t json_plain_run(const char *p, const char *end)
{
	const char *at = plain_blocks(p, end);

	while (at < end && json_plain_byte(*at))
		at++;
	return (size_t)(at - p);
}

/* ---- all valid characters and escapes ---- */

/* The bytes that may stop the run; `escaped` are those after a backslash.  When n < BLOCK
 * the text ends after n bytes of the block. */
static uint64_t stops(const struct byte_block *b, uint64_t backslash, uint64_t escaped,
	size_t n, bool loose)
{
	uint64_t quotes = block_eq(b, '"'), hits = quotes & ~escaped;

	if (escaped)
		hits |= escaped & ~(quotes | backslash | block_eq(b, '/') |
					  block_eq(b, 'b') | block_eq(b, 'f') |
					  block_eq(b, 'n') | block_eq(b, 'r') |
					  block_eq(b, 't')); /* those of two bytes */
	if (!loose)
		hits |= block_not_ascii_text(b);
	return n < BLOCK ? hits | ~UINT64_C(0) << n : hits;
}

/* After the four digits of a \u whose u is at p; NULL when the run stops here. */
static const char *skip_unicode(const char *p, const char *end, bool loose)
{
	unsigned code;

	if (p >= end || *p != 'u' || json_hex4(p + 1, end, &code) < 4)
		return NULL;
	if (!loose && code >= 0xD800 && code <= 0xDFFF)
		return NULL; /* a surrogate */
	return p + 5;
}

/* After a character of UTF-8, or NULL. */
static const char *skip_character(const char *p, const char *end)
{
	unsigned code;
	bool valid;
	size_t n;

	if ((unsigned char)*p < 0x80)
		return NULL;
	n = utf8_decode(p, (size_t)(end - p), &code, &valid);
	return valid ? p + n : NULL;
}

const char *json_string_run(const char *p, const char *end, bool loose)
{
	uint64_t escape = 0;

	while (p < end) {
		size_t n = (size_t)(end - p);
		struct byte_block b = block_load_part(p, n);
		uint64_t backslash = block_eq(&b, '\\');
		uint64_t escaped = block_escaped(backslash, &escape);
		uint64_t hits = stops(&b, backslash, escaped, n, loose);
		const char *next = p + BLOCK;

		while (hits) {
			const char *at = p + block_first(hits), *after;
			bool is_escaped = escaped >> (at - p) & 1;

			if (at >= end && !is_escaped)
				return end;
			after = is_escaped ? skip_unicode(at, end, loose)
					   : skip_character(at, end);
			if (!after)
				return at - is_escaped;
			if (after - p >= BLOCK) {
				next = after;
				escape = 0;
				break;
			}
			hits &= ~UINT64_C(0) << (after - p);
		}
		p = next;
	}
	return end - escape; /* a backslash may be the last byte of the last block */
}
