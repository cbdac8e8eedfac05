/*
 * Sixty-four bytes at a time, as bit masks: bit i is about byte i.  SSE2 is
 * part of x86-64 and NEON of arm64, so neither asks which processor this is;
 * everything else, and BLOCK_PORTABLE, takes plain 64-bit words.  All give the
 * same masks (tests/unit/test_scan.c compares them).
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

/*
 * Each machine says what a quarter of a block is, how bits of its bytes are set, which of
 * them equal a character (those become nonzero), and how such answers become masks.
 */
#if (defined(__SSE2__) || (defined(__ARM_NEON) && defined(__aarch64__))) &&              \
	!defined(BLOCK_PORTABLE)

typedef signed char block_lane __attribute__((vector_size(16)));

static inline block_lane lane_load(const char *p)
{
	block_lane v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline block_lane lane_of(signed char c)
{
	return (block_lane){c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c};
}

static inline block_lane lane_eq(block_lane v, char c)
{
	return v == lane_of((signed char)c);
}

static inline block_lane lane_or(block_lane a, block_lane b)
{
	return a | b;
}

static inline block_lane lane_and(block_lane a, block_lane b)
{
	return a & b;
}

static inline block_lane lane_set(block_lane v, unsigned char bits)
{
	return v | lane_of((signed char)bits);
}

/* The bytes that are no ASCII, or control characters. */
static inline block_lane lane_not_ascii_text(block_lane v)
{
	return v < lane_of(0x20);
}

#ifdef __SSE2__

#include <emmintrin.h>

static inline unsigned lane_mask(block_lane v)
{
	return (unsigned)_mm_movemask_epi8((__m128i)v);
}

static inline uint64_t lane_bits(block_lane a, block_lane b, block_lane c, block_lane d)
{
	return (uint64_t)lane_mask(a) | (uint64_t)lane_mask(b) << 16 |
	       (uint64_t)lane_mask(c) << 32 | (uint64_t)lane_mask(d) << 48;
}

#else

#include <arm_neon.h>

static inline uint64_t lane_bits(block_lane a, block_lane b, block_lane c, block_lane d)
{
	static const uint8_t weights[16] = {
		1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
	const uint8x16_t w = vld1q_u8(weights);
	uint8x16_t ab = vpaddq_u8(vandq_u8((uint8x16_t)a, w), vandq_u8((uint8x16_t)b, w));
	uint8x16_t cd = vpaddq_u8(vandq_u8((uint8x16_t)c, w), vandq_u8((uint8x16_t)d, w));
	uint8x16_t sum = vpaddq_u8(ab, cd);

	sum = vpaddq_u8(sum, sum);
	return vgetq_lane_u64(vreinterpretq_u64_u8(sum), 0);
}

static inline unsigned lane_mask(block_lane v)
{
	return (unsigned)lane_bits(v, lane_of(0), lane_of(0), lane_of(0));
}

#endif

#else

typedef struct {
	uint64_t low, high; /* byte 0 is the lowest of `low` */
} block_lane;

static inline block_lane lane_load(const char *p)
{
	block_lane v;

	memcpy(&v.low, p, 8);
	memcpy(&v.high, p + 8, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v.low = __builtin_bswap64(v.low);
	v.high = __builtin_bswap64(v.high);
#endif
	return v;
}

/* The high bits of the bytes that are c. */
static inline uint64_t lane_word_eq(uint64_t x, char c)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7fu;

	x ^= (unsigned char)c * 0x0101010101010101u;
	return ~(((x & low) + low) | x | low);
}

/* The high bits of the bytes that are below a blank, or have that bit. */
static inline uint64_t lane_word_not_ascii_text(uint64_t x)
{
	return (x | lane_word_eq(x & 0xe0e0e0e0e0e0e0e0u, '\0')) & 0x8080808080808080u;
}

static inline block_lane lane_not_ascii_text(block_lane v)
{
	return (block_lane){
		lane_word_not_ascii_text(v.low), lane_word_not_ascii_text(v.high)};
}

static inline block_lane lane_eq(block_lane v, char c)
{
	return (block_lane){lane_word_eq(v.low, c), lane_word_eq(v.high, c)};
}

static inline block_lane lane_or(block_lane a, block_lane b)
{
	return (block_lane){a.low | b.low, a.high | b.high};
}

static inline block_lane lane_and(block_lane a, block_lane b)
{
	return (block_lane){a.low & b.low, a.high & b.high};
}

static inline block_lane lane_set(block_lane v, unsigned char bits)
{
	const uint64_t all = bits * 0x0101010101010101u;

	return (block_lane){v.low | all, v.high | all};
}

/* The high bits of the bytes, gathered into sixteen. */
static inline unsigned lane_mask(block_lane v)
{
	const uint64_t gather = 0x0102040810204080u;

	return (unsigned)(((v.low >> 7) * gather >> 56) | ((v.high >> 7) * gather >> 56)
								  << 8);
}

static inline uint64_t lane_bits(block_lane a, block_lane b, block_lane c, block_lane d)
{
	return (uint64_t)lane_mask(a) | (uint64_t)lane_mask(b) << 16 |
	       (uint64_t)lane_mask(c) << 32 | (uint64_t)lane_mask(d) << 48;
}

#endif

struct byte_block {
	block_lane v[4];
};

static inline struct byte_block block_load(const char *p)
{
	return (struct byte_block){
		{lane_load(p), lane_load(p + 16), lane_load(p + 32), lane_load(p + 48)}};
}

/* A block of which only the first n bytes are there: blanks fill it up. */
static inline struct byte_block block_load_part(const char *p, size_t n)
{
	char pad[BLOCK];

	if (n >= BLOCK)
		return block_load(p);
	memset(pad, ' ', sizeof(pad));
	memcpy(pad, p, n);
	return block_load(pad);
}

static inline uint64_t block_eq(const struct byte_block *b, char c)
{
	return lane_bits(lane_eq(b->v[0], c), lane_eq(b->v[1], c), lane_eq(b->v[2], c),
		lane_eq(b->v[3], c));
}

/* Bytes equal to c once bit 5 is set: '[' and '{' are 0x20 apart, ']' and '}' too. */
static inline uint64_t block_eq_folded(const struct byte_block *b, char c)
{
	return lane_bits(lane_eq(lane_set(b->v[0], 0x20), c),
		lane_eq(lane_set(b->v[1], 0x20), c), lane_eq(lane_set(b->v[2], 0x20), c),
		lane_eq(lane_set(b->v[3], 0x20), c));
}

/* Bytes that are no ASCII, or control characters. */
static inline uint64_t block_not_ascii_text(const struct byte_block *b)
{
	return lane_bits(lane_not_ascii_text(b->v[0]), lane_not_ascii_text(b->v[1]),
		lane_not_ascii_text(b->v[2]), lane_not_ascii_text(b->v[3]));
}

static inline uint64_t block_open(const struct byte_block *b)
{
	return block_eq_folded(b, '{');
}

static inline uint64_t block_close(const struct byte_block *b)
{
	return block_eq_folded(b, '}');
}

static inline block_lane lane_marks(block_lane v)
{
	block_lane folded = lane_set(v, 0x20);

	return lane_or(lane_or(lane_eq(folded, '{'), lane_eq(folded, '}')),
		lane_or(lane_eq(v, ','), lane_eq(v, ':')));
}

/* Brackets, commas and colons. */
static inline uint64_t block_marks(const struct byte_block *b)
{
	return lane_bits(lane_marks(b->v[0]), lane_marks(b->v[1]), lane_marks(b->v[2]),
		lane_marks(b->v[3]));
}

static inline block_lane lane_space(block_lane v)
{
	return lane_or(lane_or(lane_eq(v, ' '), lane_eq(v, '\n')),
		lane_or(lane_eq(v, '\r'), lane_eq(v, '\t')));
}

static inline uint64_t block_space(const struct byte_block *b)
{
	return lane_bits(lane_space(b->v[0]), lane_space(b->v[1]), lane_space(b->v[2]),
		lane_space(b->v[3]));
}

/*
 * The bytes that a backslash escapes.  *carry is 1 when the byte before this
 * block was a backslash that escapes the first one here; it is set for the next,
 * from the run of backslashes that ends the block alone: one block need not wait for
 * the one before.  The subtraction clears the odd bits after each run that begins on
 * an even one and sets them after the others (simdjson's json_escape_scanner).
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

/* Where the processor may lack an instruction for it, compilers call a function. */
static inline unsigned block_count(uint64_t bits)
{
#if defined __POPCNT__ || defined __aarch64__
	return (unsigned)__builtin_popcountll(bits);
#else
	bits -= bits >> 1 & 0x5555555555555555u;
	bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
	bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
	return (unsigned)(bits * 0x0101010101010101u >> 56);
#endif
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
static inline uint64_t block_unescaped(const struct byte_block *b, uint64_t *escape)
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
		s->inside = 0 - (inside >> 63);
	}
	return inside;
}

/* block_unescaped, then block_inside.  Returns the quotes: 0 for a block that is wholly
 * inside a string or wholly outside. */
static inline uint64_t block_quotes(
	const struct byte_block *b, struct block_strings *s, uint64_t *inside)
{
	uint64_t quotes = block_unescaped(b, &s->escape);

	*inside = block_inside(quotes, s);
	return quotes;
}

#endif
