/*
 * Safe text and wrapping (text/safe, text/wrap): a byte of flags, one of the width, and
 * the text.
 *
 * 1. Any bytes become printable cells: no control, no bidirectional and no invisible
 *    character, decided by Unicode's categories and not by text/width.  Every byte is
 *    taken once.  Each cluster is as wide as wcwidth says, and one cell at least.
 * 2. In an ASCII locale all is ASCII.
 * 3. safe_fit is as wide as was asked for at most; safe_width is what safe_line fills.
 * 4. Safe text is safe: it goes through once more unchanged.
 * 5. Wrapped lines are as wide as was asked for at most.  Wrapping loses nothing but
 *    blanks: the lines without their prefixes are the text, where each cluster has room.
 */
#include "fuzz.h"

#include "text/safe.h"
#include "text/wrap.h"

/* Appends what is no blank. */
static void put_black(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] != ' ' && text.p[i] != '\n')
			buf_byte(out, text.p[i]);
}

/* The clusters' texts without blanks; the widest one is returned. */
static unsigned read_clusters(struct str text, bool ascii, struct buf *black)
{
	unsigned widest = 1;

	while (text.n) {
		struct safe_cluster c;

		safe_next(text.p, text.n, &c);
		EXPECT(c.taken > 0 && c.taken <= text.n, "%zu of %zu bytes", c.taken,
			text.n);
		if (c.kind == SAFE_NEWLINE)
			EXPECT(!c.text.n, "a newline of %zu bytes", c.text.n);
		else
			EXPECT(c.width >= 1 && c.width == fuzz_cells(c.text),
				"%u cells, by wcwidth %zu: %.*s", c.width,
				fuzz_cells(c.text), (int)c.text.n, c.text.p);
		EXPECT(c.kind != SAFE_PLAIN || c.taken >= c.text.n,
			"a plain cluster grows");
		fuzz_expect_printable(c.text, ascii ? FUZZ_ASCII : 0, "a cluster");
		put_black(black, c.text);
		widest = c.width > widest ? c.width : widest;
		text.p += c.taken;
		text.n -= c.taken;
	}
	return widest;
}

static void check_lines(struct fuzz *f, struct str text, bool ascii)
{
	struct buf line = BUF_INIT, again = BUF_INIT, cut = BUF_INIT;
	unsigned cells = (unsigned)fuzz_chance(f, 40);

	safe_line(&line, text);
	fuzz_expect_printable(buf_view(&line), ascii ? FUZZ_ASCII : 0, "a line");
	EXPECT(safe_width(text) == fuzz_cells(buf_view(&line)),
		"%u cells, by wcwidth %zu", safe_width(text),
		fuzz_cells(buf_view(&line)));
	safe_line(&again, buf_view(&line));
	fuzz_expect_equal(
		buf_view(&line), buf_view(&again), "a safe line, made safe again");
	safe_fit(&cut, text, cells);
	fuzz_expect_printable(buf_view(&cut), ascii ? FUZZ_ASCII : 0, "a cut line");
	EXPECT(fuzz_cells(buf_view(&cut)) <= cells, "%zu cells of %u",
		fuzz_cells(buf_view(&cut)), cells);
	buf_clear(&line);
	safe_lines(&line, text);
	fuzz_expect_printable(
		buf_view(&line), FUZZ_LINES | (ascii ? FUZZ_ASCII : 0), "lines");
	buf_done(&line);
	buf_done(&again);
	buf_done(&cut);
}

/* ---- wrapping ---- */

/* What stands in the lines, without prefixes and blanks. */
static void put_wrapped(const struct lines *ls, struct buf *black)
{
	struct buf plain = BUF_INIT;

	for (size_t i = 0; i < ls->count; i++) {
		struct str text;
		size_t prefix = ls->lines[i].prefix;

		buf_clear(&plain);
		lines_plain(ls, i, &plain);
		text = buf_view(&plain);
		EXPECT(prefix <= text.n, "a prefix of %zu bytes in a line of %zu", prefix,
			text.n);
		if (text.n)
			put_black(black, (struct str){text.p + prefix, text.n - prefix});
	}
	buf_done(&plain);
}

static void wrap(struct str text, unsigned flags, unsigned width, unsigned widest,
	const struct buf *black)
{
	static const char indents[4][8] = {"", "- ", "    ", "> > "};
	struct str indent = str_of(indents[flags & 3]);
	struct lines ls = {0};
	struct buf found = BUF_INIT;
	struct wrap w;

	wrap_begin(&w, &ls, width);
	wrap_indent(&w, indent, flags & 4 ? indent : STR("  "), ROLE_TEXT);
	w.literal = flags & 8;
	w.hang = flags & 16;
	wrap_add(&w, ROLE_TEXT, text);
	wrap_end(&w);
	fuzz_expect_lines(&ls, width, "a wrapped line");
	put_wrapped(&ls, &found);
	if (width >= 3 * (widest + 8) || width == WRAP_NEVER)
		fuzz_expect_equal(buf_view(black), buf_view(&found), "a wrapped text");
	lines_done(&ls);
	wrap_text(&ls, text, width, indent, ROLE_TEXT);
	fuzz_expect_lines(&ls, width, "a wrapped line");
	lines_done(&ls);
	buf_done(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = fuzz_of(data, size);
	unsigned flags = fuzz_byte(&f), width = fuzz_byte(&f), widest;
	bool ascii = flags & 32;
	struct buf black = BUF_INIT;

	safe_only_ascii(ascii);
	widest = read_clusters(f.rest, ascii, &black);
	check_lines(&f, f.rest, ascii);
	wrap(f.rest, flags, width % 201, widest, &black);
	safe_only_ascii(false);
	buf_done(&black);
	return 0;
}
