/*
 * Sixty-four bytes at a time, as bit masks: bit i speaks of byte i.  SSE2 is
 * part of x86-64 and NEON of arm64, so neither needs a look at the processor;
 * everything else, and BLOCK_PORTABLE, takes plain 64-bit words.  All give the
 * same masks (tests/unit/test_scan.c holds them against each other).
 *
 * The method is simdjson's (Langdale and Lemire, "Parsing Gigabytes of JSON per
 * Second", 2019): drop escaped quotes by carry arithmetic over odd runs of
 * backslashes, then a prefix xor over what is left says what is inside a string.
 */
#ifndef CATENA_JSON_BLOCK_H
#define CATENA_JSON_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BLOCK 64

#if defined(__SSE2__) && !defined(BLOCK_PORTABLE)

#include <emmintrin.h>

struct block {
	__m128i v[4];
};

static inline struct block block_load(const char *p)
{
	const __m128i *q = (const __m128i *)(const void *)p;

	return (struct block){{_mm_loadu_si128(q), _mm_loadu_si128(q + 1),
		_mm_loadu_si128(q + 2), _mm_loadu_si128(q + 3)}};
}

static inline uint64_t block_bits(__m128i a, __m128i b, __m128i c, __m128i d)
{
	return (uint64_t)(uint32_t)_mm_movemask_epi8(a) |
	       (uint64_t)(uint32_t)_mm_movemask_epi8(b) << 16 |
	       (uint64_t)(uint32_t)_mm_movemask_epi8(c) << 32 |
	       (uint64_t)(uint32_t)_mm_movemask_epi8(d) << 48;
}

static inline uint64_t block_eq(const struct block *b, char c)
{
	const __m128i x = _mm_set1_epi8(c);

	return block_bits(_mm_cmpeq_epi8(b->v[0], x), _mm_cmpeq_epi8(b->v[1], x),
		_mm_cmpeq_epi8(b->v[2], x), _mm_cmpeq_epi8(b->v[3], x));
}

/* Whether any byte is c: cheaper than the mask. */
static inline bool block_has(const struct block *b, char c)
{
	const __m128i x = _mm_set1_epi8(c);
	__m128i low =
		_mm_or_si128(_mm_cmpeq_epi8(b->v[0], x), _mm_cmpeq_epi8(b->v[1], x));
	__m128i high =
		_mm_or_si128(_mm_cmpeq_epi8(b->v[2], x), _mm_cmpeq_epi8(b->v[3], x));

	return _mm_movemask_epi8(_mm_or_si128(low, high)) != 0;
}

/* Control characters, and bytes from 0x80 on: as signed numbers all below 0x20. */
static inline uint64_t block_not_ascii_text(const struct block *b)
{
	const __m128i x = _mm_set1_epi8(0x20);

	return block_bits(_mm_cmplt_epi8(b->v[0], x), _mm_cmplt_epi8(b->v[1], x),
		_mm_cmplt_epi8(b->v[2], x), _mm_cmplt_epi8(b->v[3], x));
}

/* Bytes equal to c once bit 5 is set: '[' and '{' are 0x20 apart, ']' and '}' too. */
static inline uint64_t block_eq_folded(const struct block *b, char c)
{
	const __m128i x = _mm_set1_epi8(c), fold = _mm_set1_epi8(0x20);

	return block_bits(_mm_cmpeq_epi8(_mm_or_si128(b->v[0], fold), x),
		_mm_cmpeq_epi8(_mm_or_si128(b->v[1], fold), x),
		_mm_cmpeq_epi8(_mm_or_si128(b->v[2], fold), x),
		_mm_cmpeq_epi8(_mm_or_si128(b->v[3], fold), x));
}

#elif defined(__ARM_NEON) && defined(__aarch64__) && !defined(BLOCK_PORTABLE)

#include <arm_neon.h>

struct block {
	uint8x16_t v[4];
};

static inline struct block block_load(const char *p)
{
	const uint8_t *q = (const uint8_t *)p;

	return (struct block){
		{vld1q_u8(q), vld1q_u8(q + 16), vld1q_u8(q + 32), vld1q_u8(q + 48)}};
}

static inline uint64_t block_bits(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d)
{
	static const uint8_t weights[16] = {
		1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
	const uint8x16_t w = vld1q_u8(weights);
	uint8x16_t ab = vpaddq_u8(vandq_u8(a, w), vandq_u8(b, w));
	uint8x16_t cd = vpaddq_u8(vandq_u8(c, w), vandq_u8(d, w));
	uint8x16_t sum = vpaddq_u8(ab, cd);

	sum = vpaddq_u8(sum, sum);
	return vgetq_lane_u64(vreinterpretq_u64_u8(sum), 0);
}

static inline uint64_t block_eq(const struct block *b, char c)
{
	const uint8x16_t x = vdupq_n_u8((uint8_t)c);

	return block_bits(vceqq_u8(b->v[0], x), vceqq_u8(b->v[1], x),
		vceqq_u8(b->v[2], x), vceqq_u8(b->v[3], x));
}

static inline bool block_has(const struct block *b, char c)
{
	const uint8x16_t x = vdupq_n_u8((uint8_t)c);
	uint8x16_t low = vorrq_u8(vceqq_u8(b->v[0], x), vceqq_u8(b->v[1], x));
	uint8x16_t high = vorrq_u8(vceqq_u8(b->v[2], x), vceqq_u8(b->v[3], x));

	return vmaxvq_u8(vorrq_u8(low, high)) != 0;
}

static inline uint8x16_t block_below_blank(uint8x16_t v)
{
	return vcltq_s8(vreinterpretq_s8_u8(v), vdupq_n_s8(0x20));
}

static inline uint64_t block_not_ascii_text(const struct block *b)
{
	return block_bits(block_below_blank(b->v[0]), block_below_blank(b->v[1]),
		block_below_blank(b->v[2]), block_below_blank(b->v[3]));
}

static inline uint64_t block_eq_folded(const struct block *b, char c)
{
	const uint8x16_t x = vdupq_n_u8((uint8_t)c), fold = vdupq_n_u8(0x20);

	return block_bits(vceqq_u8(vorrq_u8(b->v[0], fold), x),
		vceqq_u8(vorrq_u8(b->v[1], fold), x),
		vceqq_u8(vorrq_u8(b->v[2], fold), x),
		vceqq_u8(vorrq_u8(b->v[3], fold), x));
}

#else

struct block {
	uint64_t v[8]; /* byte 0 is the lowest */
};

static inline struct block block_load(const char *p)
{
	struct block b;

	memcpy(b.v, p, sizeof(b.v));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	for (int i = 0; i < 8; i++)
		b.v[i] = __builtin_bswap64(b.v[i]);
#endif
	return b;
}

/* The high bits of eight bytes, gathered into the low eight bits. */
static inline uint64_t block_high_bits(uint64_t x)
{
	return (x >> 7 & 0x0101010101010101u) * 0x0102040810204080u >> 56;
}

/* The bytes that are zero, likewise. */
static inline uint64_t block_zero_bytes(uint64_t x)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7fu;

	return block_high_bits(~(((x & low) + low) | x | low));
}

static inline uint64_t block_not_ascii_text(const struct block *b)
{
	uint64_t bits = 0;

	for (int i = 0; i < 8; i++)
		bits |= (block_high_bits(b->v[i]) |
				block_zero_bytes(b->v[i] & 0xe0e0e0e0e0e0e0e0u))
			<< 8 * i;
	return bits;
}

static inline uint64_t block_eq_masked(const struct block *b, char c, uint64_t fold)
{
	const uint64_t x = (unsigned char)c * 0x0101010101010101u;
	uint64_t bits = 0;

	for (int i = 0; i < 8; i++)
		bits |= block_zero_bytes((b->v[i] | fold) ^ x) << 8 * i;
	return bits;
}

static inline uint64_t block_eq(const struct block *b, char c)
{
	return block_eq_masked(b, c, 0);
}

static inline bool block_has(const struct block *b, char c)
{
	return block_eq(b, c) != 0;
}

static inline uint64_t block_eq_folded(const struct block *b, char c)
{
	return block_eq_masked(b, c, 0x2020202020202020u);
}

#endif

static inline uint64_t block_open(const struct block *b)
{
	return block_eq_folded(b, '{');
}

static inline uint64_t block_close(const struct block *b)
{
	return block_eq_folded(b, '}');
}

static inline uint64_t block_space(const struct block *b)
{
	return block_eq(b, ' ') | block_eq(b, '\n') | block_eq(b, '\r') |
	       block_eq(b, '\t');
}

/*
 * The bytes that a backslash escapes.  *carry is 1 when the byte before this
 * block was a backslash that escapes the first one here; it is set for the next,
 * from the run of backslashes that ends the block alone: one block need not wait for
 * the one before.  The subtraction clears the odd bits behind each run that begins on
 * an even one and sets them behind the others (simdjson's json_escape_scanner).
 */
static inline uint64_t block_escaped(uint64_t backslash, uint64_t *carry)
{
	const uint64_t odd = 0xaaaaaaaaaaaaaaaau;
	uint64_t first = *carry, escapes = backslash & ~first;

	if (~backslash)
		*carry = (uint64_t)__builtin_clzll(~backslash) & 1;
	return (((escapes << 1 | odd) - escapes) ^ odd) ^ (backslash | first);
}

/* Bit i of the result is the xor of the bits 0..i. */
static inline uint64_t block_prefix_xor(uint64_t x)
{
	x ^= x << 1;
	x ^= x << 2;
	x ^= x << 4;
	x ^= x << 8;
	x ^= x << 16;
	x ^= x << 32;
	return x;
}

static inline unsigned block_count(uint64_t bits)
{
	return (unsigned)__builtin_popcountll(bits);
}

static inline unsigned block_first(uint64_t bits) /* bits != 0 */
{
	return (unsigned)__builtin_ctzll(bits);
}

/* What is inside strings: a quote that opens one counts as inside, one that closes does
 * not. */
struct block_strings {
	uint64_t escape; /* the carry of block_escaped */
	uint64_t inside; /* all ones when the block before ended inside a string */
};

/* The quotes that no backslash escapes; `escape` is the carry of block_escaped. */
static inline uint64_t block_unescaped(const struct block *b, uint64_t *escape)
{
	return block_eq(b, '"') & ~block_escaped(block_eq(b, '\\'), escape);
}

/* The mask of what is inside strings, from the unescaped quotes; the state is carried on.
 */
static inline uint64_t block_inside(uint64_t quotes, struct block_strings *s)
{
	uint64_t inside = s->inside;

	if (quotes) {
		inside ^= block_prefix_xor(quotes);
		s->inside = (uint64_t)((int64_t)inside >> 63);
	}
	return inside;
}

/*
 * Both at once.  Quotes are 0 for a block that lies wholly inside or outside.
 */
static inline uint64_t block_quotes(
	const struct block *b, struct block_strings *s, uint64_t *inside)
{
	uint64_t quotes = block_unescaped(b, &s->escape);

	*inside = block_inside(quotes, s);
	return quotes;
}

#endif
