/*
 * Markdown (text/markdown): a byte of the width, and the text.
 *
 * 1. Lines are printable and as wide as was asked for at most, from 1 to 200 cells.
 * 2. There is no blank line at either end, but for blanks of code that is wrapped; blank
 * input gives no lines.
 * 3. When few lines are asked for, they are the first ones of all.
 * 4. The output is bounded by the input: hostile tables and references do not explode.
 * 5. Letters and digits of a text without Markdown's signs are all there, in order.
 */
#include "fuzz.h"

#include <ctype.h>

#include "text/markdown.h"

#define ROOM 20 /* cells */

static void put_lines(const struct lines *ls, size_t count, struct buf *out)
{
	for (size_t i = 0; i < count && i < ls->count; i++) {
		lines_plain(ls, i, out);
		buf_byte(out, '\n');
	}
}

static bool is_plain(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (!isalpha((unsigned char)text.p[i]) && !strchr(" ,\n", text.p[i]))
			return false;
	return true;
}

static void put_letters(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (isalpha((unsigned char)text.p[i]))
			buf_byte(out, text.p[i]);
}

static bool is_blank(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (!strchr(" \t\r\n", text.p[i]) || !text.p[i])
			return false;
	return true;
}

/* Something is in the line, be it blanks of code after the indentation.  In a narrow pane
 * code may have rows of its own indentation alone. */
static bool is_seen(
	const struct lines *ls, size_t line, unsigned width, struct str indent)
{
	struct buf plain = BUF_INIT;
	bool seen = width < ROOM || ls->lines[line].width > indent.n;

	lines_plain(ls, line, &plain);
	seen = seen || !is_blank(buf_view(&plain));
	buf_done(&plain);
	return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = fuzz_of(data, size);
	unsigned byte = fuzz_byte(&f), width = 1 + byte % 200;
	struct str indent = byte % 3 ? STR("") : STR("  ");
	struct lines all = {0}, some = {.limit = 1 + fuzz_chance(&f, 5)};
	struct buf a = BUF_INIT, b = BUF_INIT;

	markdown_lines(&all, f.rest, width, indent);
	fuzz_expect_lines(&all, width, "a line of Markdown");
	EXPECT(!is_blank(f.rest) || !all.count, "%zu lines of nothing", all.count);
	EXPECT(!all.count || is_seen(&all, 0, width, indent),
		"a blank line at the beginning");
	EXPECT(!all.count || is_seen(&all, all.count - 1, width, indent),
		"a blank line at the end");
	EXPECT(all.text.len <= (f.rest.n + 16) * (size_t)(width + 64),
		"%zu bytes of %zu at width %u", all.text.len, f.rest.n, width);
	markdown_lines(&some, f.rest, width, indent);
	put_lines(&all, some.limit, &a);
	put_lines(&some, some.limit, &b);
	fuzz_expect_equal(buf_view(&a), buf_view(&b), "the first lines");
	if (is_plain(f.rest) && width > 10) {
		struct buf want = BUF_INIT;

		buf_clear(&a);
		buf_clear(&b);
		put_lines(&all, all.count, &a);
		put_letters(&b, buf_view(&a));
		put_letters(&want, f.rest);
		fuzz_expect_equal(buf_view(&want), buf_view(&b), "plain words");
		buf_done(&want);
	}
	lines_done(&all);
	lines_done(&some);
	buf_done(&a);
	buf_done(&b);
	return 0;
}
