/*
 * The prefilter: see prefilter.h.  A needle is found by two of its bytes, the rarest
 * ones, at their distance.  The cases of a letter nearly always differ in one bit of a
 * byte, so folding that bit costs nothing.  One pass looks for these bytes and for
 * backslash and `u`.  A case whose UTF-8 has another length (the kelvin sign among the
 * k's) is an odd case: wherever one is, there is a candidate.
 */
#include "config.h"
#include "query/prefilter.h"

#include <stdint.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "json/block.h"
#include "json/check.h"

#define CASES     6   /* of a letter */
#define ODD_CASES 8   /* of a needle */
#define CHOICE    256 /* bytes of a text among which the needle is chosen */

struct letter {
	unsigned count;
	unsigned codes[CASES];
	char bytes[CASES][UTF8_MAX];
	unsigned char lens[CASES]; /* equal to [0], except for odd cases */
};

struct odd_case {
	char bytes[UTF8_MAX];
	unsigned char len;
};

struct needle {
	struct letter letters[PREFILTER_LETTERS];
	size_t count;
	struct rare_bytes {
		size_t at[2]; /* in the needle */
		unsigned char fold[2],
			want[2]; /* a byte matches if byte | fold == want */
	} rare;                  /* the two bytes that are looked for */
	struct odd_case odd_cases[ODD_CASES];
	size_t odd_count;
};

struct prefilter {
	struct needle needles[PREFILTER_NEEDLES];
	size_t count; /* 0: open */
};

/* ---- making needles ---- */

/* False when the character cannot be part of a needle. */
static bool letter_make(struct letter *l, unsigned code, bool caseless)
{
	size_t count = caseless ? pattern_cases(code, l->codes, CASES) : 1;
	/* what JSON may write as an escape other than its own \uXXXX; and broken escapes
	 * decode to the replacement */
	bool escaped = code < 0x20 || code == '"' || code == '\\' || code == '/' ||
		       code == UTF8_REPLACEMENT;

	l->codes[0] = code;
	if (escaped || count > CASES)
		return false;
	l->count = (unsigned)count;
	for (unsigned i = 0; i < l->count; i++)
		l->lens[i] = (unsigned char)utf8_put(l->codes[i], l->bytes[i]);
	return true;
}

static bool add_odd_cases(struct needle *d, const struct letter *l)
{
	for (unsigned i = 1; i < l->count; i++) {
		struct odd_case *s = &d->odd_cases[d->odd_count];

		if (l->lens[i] == l->lens[0])
			continue;
		if (d->odd_count == ODD_CASES)
			return false;
		memcpy(s->bytes, l->bytes[i], UTF8_MAX);
		s->len = l->lens[i];
		d->odd_count++;
	}
	return true;
}

/* How common a byte is in traces: 0 for the rarest. */
static unsigned commonness(unsigned char c)
{
	static const char order[] = "jqzxkvwbypgfmhdcu0123456789-.,:_lrsnoi\\\"ate ";
	const char *place;

	if (c >= 'A' && c <= 'Z')
		return 8;
	if (c >= 0x80)
		return c >= 0xC0 ? 24 : 16;
	place = c ? strchr(order, c) : NULL;
	return place ? 10 + (unsigned)(place - order) : 5;
}

/* Takes byte i of a letter, at an offset of the needle, as one of the needle's two if it
 * is rarer than one of them. */
static void offer_byte(struct rare_bytes *r, unsigned scores[2], const struct letter *l,
	size_t i, size_t at)
{
	unsigned char fold = 0; /* the bits in which the cases differ */
	unsigned score;
	int worse = scores[1] >= scores[0];

	for (unsigned n = 1; n < l->count; n++)
		if (l->lens[n] == l->lens[0])
			fold |= (unsigned char)(l->bytes[n][i] ^ l->bytes[0][i]);
	score = commonness((unsigned char)(l->bytes[0][i] | fold)) +
		(fold & (fold - 1) ? 100 : 0);
	if (score >= scores[worse])
		return;
	scores[worse] = score;
	r->at[worse] = at;
	r->fold[worse] = fold;
	r->want[worse] = (unsigned char)(l->bytes[0][i] | fold);
}

/* Makes a needle of the longest run of letters in the text; false when there is none. */
static bool needle_make(struct needle *d, struct str text, bool caseless)
{
	struct rare_bytes *r = &d->rare;
	unsigned scores[2] = {1000, 1000};
	size_t at = 0;

	d->count = 0;
	while (at < text.n && at < CHOICE && d->count < PREFILTER_LETTERS) {
		struct needle run = {.count = 0};
		bool goes_on = true;

		/* the character that ends a run is passed over, too */
		while (goes_on && at < text.n && run.count < PREFILTER_LETTERS) {
			struct letter l = {.count = 0};
			unsigned code;
			bool valid;

			at += utf8_decode(text.p + at, text.n - at, &code, &valid);
			goes_on = valid && letter_make(&l, code, caseless) &&
				  add_odd_cases(&run, &l);
			if (goes_on)
				run.letters[run.count++] = l;
		}
		if (run.count > d->count)
			*d = run;
	}
	/* the two bytes that are looked for */
	at = 0;
	for (size_t k = 0; k < d->count; k++)
		for (size_t i = 0; i < d->letters[k].lens[0]; i++)
			offer_byte(r, scores, &d->letters[k], i, at++);
	if (at <= 1) { /* a needle of one byte: [1] was taken first */
		r->at[0] = r->at[1];
		r->fold[0] = r->fold[1];
		r->want[0] = r->want[1];
	}
	return d->count > 0;
}

struct prefilter *prefilter_new(const struct str texts[], size_t count, bool caseless)
{
	struct prefilter *s = mem_zalloc(1, sizeof(*s));

	for (size_t i = 0; i < count && i < PREFILTER_NEEDLES; i++) {
		if (!needle_make(&s->needles[i], texts[i], caseless))
			count = 0; /* ends the loop as well */
	}
	s->count = count <= PREFILTER_NEEDLES ? count : 0;
	return s;
}

void prefilter_free(struct prefilter *s)
{
	mem_free(s);
}

bool prefilter_open(const struct prefilter *s)
{
	return !s->count;
}

/* ---- filtering a place ---- */

/* Whether the character is part of an escape, which an outer layer may have escaped. */
static bool makes_escapes(unsigned code)
{
	unsigned low = code | 0x20;

	return code == '\\' || code == 'u' || (code >= '0' && code <= '9') ||
	       (low >= 'a' && low <= 'f' && code < 0x80);
}

/* Whether \uXXXX of this code writes the letter, or the first half of it. */
static bool writes_letter(const struct letter *l, unsigned code)
{
	for (unsigned i = 0; i < l->count; i++) {
		unsigned c = l->codes[i];

		if (c == code || (c >= 0x10000 && 0xD800 + ((c - 0x10000) >> 10) == code))
			return true;
	}
	return false;
}

/* Whether the letter may be written right before p; the bytes begin at `start`. */
static bool may_end_with(const struct letter *l, const char *start, const char *p)
{
	while (p > start && p[-1] == '\\')
		p--;
	if (p == start)
		return true;
	for (unsigned i = 0; i < l->count; i++)
		if (p[-1] == l->bytes[i][l->lens[i] - 1])
			return true;
	return false;
}

static bool may_begin_with(const struct letter *l, const char *p, const char *end)
{
	unsigned code;

	if (p == end)
		return true;
	for (unsigned i = 0; i < l->count; i++)
		if (*p == l->bytes[i][0])
			return true;
	if (*p != '\\')
		return false;
	while (p < end && *p == '\\')
		p++;
	if (p < end && *p != 'u')
		return false;
	if (end - p < 5)
		return true;
	return json_hex4(p + 1, end, &code) < 4 || makes_escapes(code) ||
	       writes_letter(l, code);
}

/* Whether the escape at p may be the first of those that write a needle. */
static bool may_escape(const struct needle *d, struct str bytes, const char *p)
{
	const char *end = bytes.p + bytes.n;
	unsigned code;

	if (end - p < 6)
		return true;
	if (json_hex4(p + 2, end, &code) < 4)
		return false; /* an escaped digit is a candidate of its own */
	if (makes_escapes(code))
		return true;
	for (size_t i = 0; i < d->count; i++) {
		if (!writes_letter(&d->letters[i], code))
			continue;
		if (i && !may_end_with(&d->letters[i - 1], bytes.p, p))
			continue;
		if (i + 1 == d->count || (code >= 0xD800 && code < 0xDC00) ||
			may_begin_with(&d->letters[i + 1], p + 6, end))
			return true;
	}
	return false;
}

static bool is_candidate(const struct needle *d, struct str bytes, size_t at)
{
	const char *p = bytes.p + at, *end = bytes.p + bytes.n;

	if (*p == '\\')
		return (end - p < 2 || p[1] == 'u') && may_escape(d, bytes, p);
	for (size_t i = 0; i < d->count; i++) {
		const struct letter *l = &d->letters[i];
		unsigned n = 0;

		while (n < l->count && ((size_t)(end - p) < l->lens[n] ||
					       memcmp(p, l->bytes[n], l->lens[n]) != 0))
			n++;
		if (n == l->count)
			return false;
		p += l->lens[n];
	}
	return true;
}

/* ---- scanning ---- */

static inline block_lane match_lane(const struct rare_bytes *r, const char *p)
{
	block_lane first = lane_set(lane_load(p + r->at[0]), r->fold[0]);
	block_lane second = lane_set(lane_load(p + r->at[1]), r->fold[1]);

	return lane_or(lane_and(lane_eq(first, (char)r->want[0]),
			       lane_eq(second, (char)r->want[1])),
		lane_and(lane_eq(lane_load(p), '\\'), lane_eq(lane_load(p + 1), 'u')));
}

static size_t find_needle(const struct needle *d, struct str bytes, size_t from)
{
	const struct rare_bytes rare = d->rare;
	const size_t reach =
		BLOCK + 1 + (rare.at[0] > rare.at[1] ? rare.at[0] : rare.at[1]);

	for (; bytes.n - from >= reach; from += BLOCK) {
		const char *p = bytes.p + from;
		block_lane v0 = match_lane(&rare, p), v1 = match_lane(&rare, p + 16);
		block_lane v2 = match_lane(&rare, p + 32), v3 = match_lane(&rare, p + 48);
		block_lane any = lane_or(lane_or(v0, v1), lane_or(v2, v3));
		/* one bit for each place that may be a candidate */
		uint64_t bits = lane_mask(any) ? lane_bits(v0, v1, v2, v3) : 0;

		for (; bits; bits &= bits - 1) {
			size_t at = from + block_first(bits);

			if (is_candidate(d, bytes, at))
				return at;
		}
	}
	for (; from < bytes.n; from++) {
		char c = bytes.p[from];

		if ((c == '\\' || c == d->letters[0].bytes[0][0] ||
			    d->letters[0].count > 1) &&
			is_candidate(d, bytes, from))
			return from;
	}
	return bytes.n;
}

/* The first odd case at or after a place; bytes.n: there is none. */
static size_t find_odd_cases(const struct needle *d, struct str bytes, size_t from)
{
	size_t first = bytes.n;

	for (size_t i = 0; i < d->odd_count; i++) {
		const struct odd_case *s = &d->odd_cases[i];
		const char *end = bytes.p + first, *p = bytes.p + from;

		while (p < end && (p = memchr(p, s->bytes[0], (size_t)(end - p)))) {
			if ((size_t)(bytes.p + bytes.n - p) >= s->len &&
				memcmp(p, s->bytes, s->len) == 0) {
				first = (size_t)(p - bytes.p);
				break;
			}
			p++;
		}
	}
	return first;
}

void prefilter_begin(
	struct prefilter_cursor *c, const struct prefilter *s, struct str bytes)
{
	bytes = bytes.n ? bytes : STR(""); /* no text, either */
	c->prefilter = s;
	c->bytes = bytes;
	for (size_t i = 0; i < s->count; i++) {
		c->next[i] = find_needle(&s->needles[i], bytes, 0);
		c->next[PREFILTER_NEEDLES + i] = find_odd_cases(&s->needles[i], bytes, 0);
	}
}

size_t prefilter_next(struct prefilter_cursor *c, size_t from)
{
	const struct prefilter *s = c->prefilter;
	size_t first = c->bytes.n, i;

	if (!s->count)
		return from < first ? from : first;
	for (i = 0; i < s->count; i++) {
		size_t *plain = &c->next[i], *odd = &c->next[PREFILTER_NEEDLES + i];

		if (*plain < from)
			*plain = find_needle(&s->needles[i], c->bytes, from);
		if (*odd < from)
			*odd = find_odd_cases(&s->needles[i], c->bytes, from);
		first = *plain < first ? *plain : first;
		first = *odd < first ? *odd : first;
	}
	return first;
}
