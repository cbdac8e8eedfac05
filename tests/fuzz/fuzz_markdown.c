/*
 * Markdown (text/markdown): a byte of the width, and the text.
 *
 * 1. Lines are printable and as wide as was asked for at most, from 1 to 200 cells.
 * 2. There is no blank line at either end, but for blanks of code that is wrapped; blank
 * input gives no lines.
 * 3. When few lines are asked for, they are the first ones of all.
 * 4. The output is bounded by the input: hostile tables and references do not explode.
 * 5. Letters and digits of a text without Markdown's signs are all there, in order.
 * 6. A text that is shown as it was written (verbatim_lines) has all its visible
 * characters, in order, and each line the blanks that it begins with.
 */
#include "fuzz.h"

#include <ctype.h>

#include "text/markdown.h"
#include "text/safe.h"
#include "text/wrap.h"

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

/* Without the circle that carries a mark which begins a span. */
static void put_visible(struct buf *out, struct str text)
{
	static const struct str circle = {"\xE2\x97\x8C", 3};

	for (size_t i = 0; i < text.n; i++)
		if (str_starts((struct str){text.p + i, text.n - i}, circle))
			i += circle.n - 1;
		else if (!strchr(" \t\r\n", text.p[i]) || !text.p[i])
			buf_byte(out, text.p[i]);
}

/* What the rows show, without what stands before each. */
static void put_rows(const struct lines *ls, struct buf *out)
{
	struct buf row = BUF_INIT;

	for (size_t i = 0; i < ls->count; i++) {
		buf_clear(&row);
		lines_plain(ls, i, &row);
		put_visible(out, (struct str){row.data + ls->lines[i].prefix,
					 row.len - ls->lines[i].prefix});
	}
	buf_done(&row);
}

/* Of a text without tabs and controls: the lines themselves, but for blanks at their
 * ends. */
static void expect_same_lines(struct str raw)
{
	struct lines ls = {0};
	struct buf text = BUF_INIT;
	const char *at;

	verbatim_lines(&ls, raw, WRAP_NEVER, STR(""));
	for (size_t i = 0; i < ls.count; i++)
		lines_plain(&ls, i, &text), buf_byte(&text, '\n');
	for (at = raw.p; ls.count && at < raw.p + raw.n; at++) {
		const char *end = memchr(at, '\n', (size_t)(raw.p + raw.n - at));
		struct str line = {at, (size_t)((end ? end : raw.p + raw.n) - at)};

		while (line.n && line.p[line.n - 1] == ' ')
			line.n--;
		EXPECT(!line.n || memmem(text.data, text.len, line.p, line.n),
			"a line is not as it was written");
		at = end ? end : raw.p + raw.n;
	}
	buf_done(&text);
	lines_done(&ls);
}

static bool is_simple(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if ((text.p[i] < ' ' && text.p[i] != '\n') || text.p[i] == 127)
			return false;
	return true;
}

static void expect_verbatim(struct str raw, unsigned width)
{
	struct lines ls = {0};
	struct buf safe = BUF_INIT, want = BUF_INIT, rows = BUF_INIT;

	safe_lines(&safe, raw);
	put_visible(&want, buf_view(&safe));
	verbatim_lines(&ls, raw, width + ROOM, STR("  "));
	fuzz_expect_lines(&ls, width + ROOM, "a line as it was written");
	put_rows(&ls, &rows);
	fuzz_expect_equal(buf_view(&want), buf_view(&rows), "as it was written");
	if (is_simple(raw))
		expect_same_lines(raw);
	lines_done(&ls);
	buf_done(&safe);
	buf_done(&want);
	buf_done(&rows);
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
	expect_verbatim(f.rest, width);
	lines_done(&all);
	lines_done(&some);
	buf_done(&a);
	buf_done(&b);
	return 0;
}
