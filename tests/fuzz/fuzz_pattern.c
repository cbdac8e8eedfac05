/*
 * Regular expressions (base/pattern) and addresses (schema/uri): a byte of flags, a line
 * that is a pattern, and a text.
 *
 * 1. A pattern compiles, or is refused with a place within it.
 * 2. Matching ends, with an answer that does not change; a text that is not UTF-8 matches
 *    nothing.
 * 3. What is found lies in the range that was asked for; of a literal pattern it is the
 *    pattern itself, and it is found exactly where memmem finds it.
 */
#include "fuzz.h"

#include "base/pattern.h"
#include "base/str.h"
#include "base/work.h"
#include "text/safe.h"

#define RANGE_MOST 4096

static void match(struct str pattern, struct str text)
{
	struct err err = {0};
	struct pattern *p = pattern_new(pattern, &err);
	struct buf shown = BUF_INIT;

	EXPECT((p != NULL) == (err.text == NULL), "a pattern or an error");
	if (p) {
		EXPECT(pattern_match(p, text) == pattern_match(p, text), "two answers");
		pattern_size(p);
	} else {
		EXPECT(err.offset == ERR_NOWHERE || err.offset <= pattern.n,
			"the mistake is at %zu of %zu", (size_t)err.offset, pattern.n);
		safe_line(&shown, str_of(err.text));
		fuzz_expect_printable(buf_view(&shown), 0, "an error");
	}
	pattern_free(p);
	err_done(&err);
	buf_done(&shown);
}

/* The text as UTF-8, which pattern_find asks for. */
static void make_utf8(struct buf *out, struct str raw)
{
	while (raw.n && out->len < RANGE_MOST) {
		struct safe_cluster c;

		safe_next(raw.p, raw.n, &c);
		buf_str(out, c.text);
		if (c.kind == SAFE_NEWLINE)
			buf_byte(out, '\n');
		raw.p += c.taken;
		raw.n -= c.taken;
	}
}

static void find(struct str pattern, unsigned flags, struct str text)
{
	struct err err = {0};
	struct pattern *p = pattern_new_search(pattern, flags, &err);
	uint64_t time_left = 10000;
	size_t from = 0, rounds = 0;
	struct pattern_span span;
	enum pattern_result result = PATTERN_NO;

	while (p && (result = pattern_find(p, text, from, text.n, 0, &time_left,
			     &span)) == PATTERN_YES) {
		EXPECT(span.from >= from && span.from < span.to && span.to <= text.n,
			"[%zu, %zu) from %zu of %zu", span.from, span.to, from, text.n);
		if (flags == PATTERN_LITERAL) {
			const char *there = memmem(
				text.p + from, text.n - from, pattern.p, pattern.n);

			EXPECT(there && (size_t)(there - text.p) == span.from &&
					span.to - span.from == pattern.n,
				"a literal at %zu", span.from);
		}
		from = span.to;
		EXPECT(rounds++ <= text.n, "matches do not end");
	}
	if (p && flags == PATTERN_LITERAL && pattern.n && result == PATTERN_NO)
		EXPECT(!memmem(text.p + from, text.n - from, pattern.p, pattern.n),
			"a literal was not found");
	pattern_free(p);
	err_done(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = fuzz_of(data, size);
	unsigned flags = fuzz_byte(&f);
	struct str pattern = fuzz_line(&f);
	struct buf text = BUF_INIT, word = BUF_INIT;
	unsigned cases[16];

	match(pattern, f.rest);
	buf_byte(&text, '\0'); /* never a NULL */
	text.len = 0;
	make_utf8(&text, f.rest);
	make_utf8(&word, pattern);
	find(pattern, flags & 2, buf_view(&text));
	find(buf_view(&word), PATTERN_LITERAL | (flags & 2), buf_view(&text));
	if (flags % 64 == 4) /* slow: it asks PCRE2 about all letters */
		pattern_cases(flags * 37u, cases, 16);
	buf_done(&text);
	buf_done(&word);
	return 0;
}
