/*
 * Runs inside of strings (see check.h).  A block of 64 bytes gives a mask of the bytes
 * that may stop the run.  Its bits are taken one by one; a whole character or escape
 * clears its bits and does not stop the run.  JSON in a string has an escape every ten
 * bytes, so the simple ones never become bits.
 */
#include "config.h"
#include "json/check.h"

#include <limits.h>

#include "base/str.h"
#include "base/work.h"
#include "json/block.h"
#include "json/cursor.h"

/* ---- plain ASCII ---- */

size_t json_plain_run(const char *p, const char *end)
{
	const char *at = p;

	for (; end - at >= 16; at += 16) {
		block_lane v = lane_load(at);
		block_lane quotes = lane_or(lane_eq(v, '"'), lane_eq(v, '\\'));
		block_lane others = lane_or(lane_not_ascii_text(v), lane_eq(v, 0x7F));
		unsigned mask = lane_mask(lane_or(quotes, others));

		if (mask)
			return (size_t)(at - p) + (unsigned)__builtin_ctz(mask);
	}
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
		hits |= escaped &
			~(quotes | backslash | block_eq(b, '/') | block_eq(b, 'b') |
				block_eq(b, 'f') | block_eq(b, 'n') | block_eq(b, 'r') |
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

/* ---- decoding ---- */

/*
 * Decodes the text of a string (declared in cursor.h) nearly as fast as it can be copied.
 * JSON in a string has an escape every ten bytes; a loop that tests each byte, or jumps
 * from escape to escape, is slow because each turn waits for the one before.  So all
 * backslashes of a block of 64 bytes are found at once, and the bytes between them are
 * copied sixteen at a time, past the end of the run; escapes of two bytes are written in
 * between.  Everything else stops the loop.
 */

/* What the byte after a backslash means; 0: it is no escape of two bytes. */
static const char meant[UCHAR_MAX + 1] = {['"'] = '"',
	['\\'] = '\\',
	['/'] = '/',
	['b'] = '\b',
	['f'] = '\f',
	['n'] = '\n',
	['r'] = '\r',
	['t'] = '\t'};

/* One escape; p is after the backslash.  What is none stays as text, but for the u and
 * the digits of half a pair. */
static const char *decode_escape(
	const char *p, const char *end, struct buf *out, size_t *mended)
{
	struct json_piece piece;

	if (p == end) {
		++*mended;
		return p;
	}
	if (meant[(unsigned char)*p]) {
		buf_byte(out, meant[(unsigned char)*p]);
		return p + 1;
	}
	json_piece_next(p - 1, end, &piece);
	if (piece.kind == PIECE_ESCAPE) {
		buf_utf8(out, piece.code);
		return p - 1 + piece.n;
	}
	buf_utf8(out, UTF8_REPLACEMENT);
	++*mended;
	return *p != 'u' ? p : p + (piece.n < 6 ? 1 : 5);
}

#define SLACK BLOCK /* bytes that copy_blocks may read and write past the end */

/* Copies n bytes as sixteen, or as a whole block: what is written past them is
 * overwritten later. */
static char *copy_run(char *to, const char *from, size_t n)
{
	memcpy(to, from, 16);
	if (n > 16)
		memcpy(to + 16, from + 16, BLOCK - 16);
	return to + n;
}

/*
 * Copies [p, end) up to the first escape that is not of two bytes, or to the last
 * blocks; returns where it stopped.  `out` has room for all of it and the slack.
 */
static const char *copy_blocks(const char *p, const char *end, struct buf *out)
{
	char *to = out->data + out->len;
	uint64_t carry = 0;
	size_t from =
		0; /* bytes of this block that belong to an escape begun before it */

	for (; end - p >= BLOCK + SLACK; p += BLOCK) {
		struct byte_block b = block_load(p);
		uint64_t backslash = block_eq(&b, '\\');
		uint64_t starts = backslash & ~block_escaped(backslash, &carry);

		for (; starts; starts &= starts - 1) {
			size_t at = block_first(starts);
			char c = meant[(unsigned char)p[at + 1]];

			to = copy_run(to, p + from, at - from);
			if (!c) {
				out->len = (size_t)(to - out->data);
				return p + at;
			}
			*to++ = c;
			from = at + 2;
		}
		if (from < BLOCK)
			to = copy_run(to, p + from, BLOCK - from);
		from = from > BLOCK ? 1 : 0;
	}
	out->len = (size_t)(to - out->data);
	return p + from;
}

/* Decodes from p, which is in no escape, to `stop`, or to the end of an escape across it.
 */
static const char *decode_to(
	const char *p, const char *stop, const char *end, struct buf *out, size_t *mended)
{
	const char *plain; /* to the first backslash */

	while (p < stop) {
		buf_reserve(out, (size_t)(stop - p) + SLACK);
		p = copy_blocks(p, stop, out);
		plain = memchr(p, '\\', (size_t)(stop - p));
		plain = plain ? plain : stop;
		buf_add(out, p, (size_t)(plain - p));
		p = plain;
		while (p < stop && *p == '\\')
			p = decode_escape(p + 1, end, out, mended);
	}
	return p;
}

bool jv_decode_some(struct jv string, size_t *at, size_t most, struct buf *out)
{
	const char *inside = string.p + 1;
	const char *end = string.p + string.n - (string.cut ? 0 : 1);
	const char *p = inside + *at, *stop = end;
	size_t mended = 0;

	if ((size_t)(end - p) > most)
		stop = p + most;
	*at = (size_t)(decode_to(p, stop, end, out, &mended) - inside);
	buf_add(out, NULL, 0); /* the NUL after it */
	return inside + *at < end;
}

#define DECODE_EACH (1 << 20) /* bytes between two looks whether to stop */

size_t jv_decode(struct jv string, struct buf *out)
{
	const char *p, *end;
	size_t mended = 0;

	if (string.kind != J_STRING)
		return 0;
	p = string.p + 1;
	end = string.p + string.n - (string.cut ? 0 : 1);
	buf_reserve(out, (size_t)(end - p) + SLACK);
	while (p < end && !stop_wanted(DECODE_EACH))
		p = decode_to(p, end - p > DECODE_EACH ? p + DECODE_EACH : end, end, out,
			&mended);
	buf_add(out, NULL, 0); /* the NUL after it */
	return mended;
}
