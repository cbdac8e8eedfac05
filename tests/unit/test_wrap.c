/*
 * text/wrap: properties over random texts at every width from 1 to 200, and
 * cases drawn with "|" between lines.
 */
#include "config.h"

#include <criterion/criterion.h>

#include <locale.h>
#include <stdlib.h>

#include "base/buf.h"
#include "text/safe.h"
#include "text/wrap.h"

static void use_utf8(void)
{
	if (!setlocale(LC_ALL, "C.UTF-8"))
		cr_skip_test("no C.UTF-8 locale");
	safe_init();
}

/* The lines as one text, joined by "|". */
static void join(const struct lines *ls, struct buf *out)
{
	size_t i;

	buf_clear(out);
	buf_text(out, "");
	for (i = 0; i < ls->count; i++) {
		if (i)
			buf_byte(out, '|');
		lines_plain(ls, i, out);
	}
}

static void random_text(struct buf *b, unsigned length)
{
	static const char *const parts[] = {" ", " ", " ", "a", "bc", "word", "-", "--x",
		"\t", "\n", "\r\n", "\x1b", "\u4E2D", "\u6587", "\u3002", "\u300C",
		"e\u0301", "\U0001F468\u200D\U0001F469\u200D\U0001F467", "\u202E", "\xff",
		"\u200B", "un-be-liev-able",
		"https://example.org/a/very/long/path?with=query", "\r"};

	while (length--)
		buf_text(b, parts[(size_t)rand() % (sizeof(parts) / sizeof(*parts))]);
}

/* Bytes that are neither space nor line feed. */
static void squeeze(struct str text, struct buf *out)
{
	size_t i;

	for (i = 0; i < text.n; i++) {
		if (text.p[i] != ' ' && text.p[i] != '\n')
			buf_byte(out, text.p[i]);
	}
}

static void all_lines(const struct lines *ls, struct buf *out)
{
	size_t i;

	for (i = 0; i < ls->count; i++)
		lines_plain(ls, i, out);
}

static void check_widths(const struct lines *ls, uint32_t width)
{
	struct buf plain = BUF_INIT;
	uint32_t sum, k;
	size_t i;

	for (i = 0; i < ls->count; i++) {
		cr_assert_leq(ls->lines[i].width, width);
		for (sum = 0, k = 0; k < ls->lines[i].count; k++)
			sum += ls->spans[ls->lines[i].first + k].width;
		cr_assert_eq(sum, ls->lines[i].width);
		buf_clear(&plain);
		lines_plain(ls, i, &plain);
		cr_assert_eq(safe_width(buf_view(&plain)), sum);
	}
	buf_done(&plain);
}

/* Adds the text in pieces that do not cut characters: at ASCII letters. */
static void add_in_pieces(struct wrap *w, struct str raw)
{
	size_t start = 0, i;

	for (i = 1; i < raw.n; i++) {
		if (raw.p[i] < 'a' || raw.p[i] > 'z' || raw.p[i - 1] == '\r' ||
			rand() % 3)
			continue;
		wrap_add(w, i % 2 ? ROLE_TEXT : ROLE_STRONG,
			(struct str){raw.p + start, i - start});
		start = i;
	}
	wrap_add(w, ROLE_TEXT, (struct str){raw.p + start, raw.n - start});
}

static void try_width(struct str raw, uint32_t width, bool literal, bool indent)
{
	struct buf want = BUF_INIT, all = BUF_INIT, got = BUF_INIT, flat = BUF_INIT;
	struct lines ls = {0};
	struct wrap w;

	wrap_begin(&w, &ls, width);
	w.literal = literal;
	if (indent)
		wrap_indent(&w, STR("  "), STR("    "), ROLE_TEXT);
	add_in_pieces(&w, raw);
	wrap_end(&w);
	check_widths(&ls, width);
	all_lines(&ls, &all);
	squeeze(buf_view(&all), &got);
	safe_lines(&flat, raw);
	squeeze(buf_view(&flat), &want);
	if (width >= 12) /* nothing is too wide for a line */
		cr_assert(str_equal(buf_view(&want), buf_view(&got)), "width %u: %s",
			width, got.data);
	lines_done(&ls);
	buf_done(&want);
	buf_done(&all);
	buf_done(&got);
	buf_done(&flat);
}

Test(wrap, every_width)
{
	struct buf raw = BUF_INIT;
	uint32_t width, round;

	use_utf8();
	srand(42);
	for (width = 1; width <= 200; width++) {
		for (round = 0; round < 40; round++) {
			buf_clear(&raw);
			random_text(&raw, 1 + (unsigned)rand() % 60);
			try_width(buf_view(&raw), width, round & 1, round & 2);
		}
	}
	buf_done(&raw);
}

/* However the text is cut into pieces, the lines are equal. */
Test(wrap, pieces_do_not_matter)
{
	struct lines one = {0}, many = {0};
	struct buf raw = BUF_INIT, a = BUF_INIT, b = BUF_INIT;
	struct wrap w;
	uint32_t round, width;

	use_utf8();
	srand(43);
	for (round = 0; round < 4000; round++) {
		width = (uint32_t)rand() % 40;
		buf_clear(&raw);
		random_text(&raw, 30);
		lines_clear(&one);
		lines_clear(&many);
		wrap_text(&one, buf_view(&raw), width, STR("> "), ROLE_TEXT);
		wrap_begin(&w, &many, width);
		w.hang = true;
		wrap_indent(&w, STR("> "), STR("> "), ROLE_TEXT);
		add_in_pieces(&w, buf_view(&raw));
		wrap_end(&w);
		if (many.count == 0)
			continue;
		join(&one, &a);
		join(&many, &b);
		cr_assert_str_eq(a.data, b.data);
	}
	lines_done(&one);
	lines_done(&many);
	buf_done(&raw);
	buf_done(&a);
	buf_done(&b);
}

struct row {
	uint32_t width;
	const char *raw, *lines;
};

static void check_rows(const struct row *rows, size_t n, bool literal)
{
	struct lines ls = {0};
	struct buf got = BUF_INIT;
	struct wrap w;
	size_t i;

	for (i = 0; i < n; i++) {
		lines_clear(&ls);
		wrap_begin(&w, &ls, rows[i].width);
		w.literal = literal;
		wrap_add(&w, ROLE_TEXT, str_of(rows[i].raw));
		wrap_end(&w);
		join(&ls, &got);
		cr_expect_str_eq(got.data, rows[i].lines, "row %zu: \"%s\" is not \"%s\"",
			i, got.data, rows[i].lines);
	}
	lines_done(&ls);
	buf_done(&got);
}

Test(wrap, words)
{
	static const struct row rows[] = {
		{10, "one two three", "one two|three"},
		{10, "one  two", "one  two"},
		{7, "one two three", "one two|three"},
		{6, "one two three", "one|two|three"},
		{4, "unbelievable", "unbe|liev|able"},
		{6, "an unbelievable x", "an|unbeli|evable|x"},
		{20, "  indented\n\n  more  ", "  indented||  more"},
		{8, "          deep", "deep"},
		{20, "a\nb\n", "a|b"},
		{20, "\n", ""},
		{20, "a\r\nb\rc", "a|b␍c"},
		{6, "well-known", "well-|known"},
		{8, "x --option", "x|--option"},
		{9, "see --all-of-it", "see|--all-of-|it"},
		{6, "\u4E2D\u6587\u4E2D\u6587", "\u4E2D\u6587\u4E2D|\u6587"},
		{6, "a\u4E2D\u6587\u4E2D\u3002", "a\u4E2D\u6587|\u4E2D\u3002"},
		{1, "\u4E2Da", "?|a"},
		{5, "a\u200Bb", "a?b"},
		{6, "a\u200Bb", "a|<200B>|b"},
		{4, "e\u0301e\u0301e\u0301e\u0301e\u0301",
			"e\u0301e\u0301e\u0301e\u0301|e\u0301"},
		{20, "a\tb\tc", "a       b       c"},
		{10, "a\tb\tc", "a       b|c"},
		{WRAP_NEVER, "a  b c\nd", "a  b c|d"},
	};

	use_utf8();
	check_rows(rows, sizeof(rows) / sizeof(rows[0]), false);
}

Test(wrap, literal)
{
	static const struct row rows[] = {
		{5, "if (x)  y", "if (x|)  y"},
		{3, "      ", "   |   "},
		{20, "\tx", "        x"},
		{9, "abcdefgh\tx", "abcdefgh |x"},
		{4, "\u4E2D\u6587\u4E2D", "\u4E2D\u6587|\u4E2D"},
		{3, "\u4E2D\u6587", "\u4E2D|\u6587"},
		{1, "\u4E2D", "?"},
		{8, "a\n\nb\n", "a||b"},
	};

	use_utf8();
	check_rows(rows, sizeof(rows) / sizeof(rows[0]), true);
}

/* Rows that continue a line stand below its first word, after a sign. */
Test(wrap, hanging)
{
	static const struct {
		bool literal;
		uint32_t width;
		const char *raw, *lines;
	} rows[] = {
		{true, 30, "    one two three four five six seven",
			"    one two three four five si|    ↳ x seven"},
		{true, 30, "one two three four five six seven eight\n  a",
			"one two three four five six se|↳ ven eight|  a"},
		{true, 30, "\tone two three four five six",
			"        one two three four fiv|        ↳ e six"},
		{true, 30, "                         one two",
			"                         one t|          ↳ wo"},
		{true, 29, "    one two three four five six seven",
			"    one two three four five s|ix seven"},
		{false, 30, "    one two three four five six seven",
			"    one two three four five|    ↳ six seven"},
		{false, 30, "one two three four five six seven eight",
			"one two three four five six|seven eight"},
		{false, 30, "    0123456789012345678901234567890",
			"    01234567890123456789012345|    ↳ 67890"},
		{false, WRAP_NEVER, "    one two three four five six seven",
			"    one two three four five six seven"},
	};
	struct lines ls = {0};
	struct buf got = BUF_INIT;
	struct wrap w;

	use_utf8();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		lines_clear(&ls);
		wrap_begin(&w, &ls, rows[i].width);
		w.literal = rows[i].literal;
		w.hang = true;
		wrap_add(&w, ROLE_TEXT, str_of(rows[i].raw));
		wrap_end(&w);
		join(&ls, &got);
		cr_expect_str_eq(got.data, rows[i].lines, "row %zu: %s", i, got.data);
	}
	lines_done(&ls);
	buf_done(&got);
}

Test(wrap, a_word_of_several_roles_stays_whole)
{
	struct lines ls = {0};
	struct buf got = BUF_INIT;
	struct wrap w;

	use_utf8();
	wrap_begin(&w, &ls, 12);
	wrap_add(&w, ROLE_TEXT, STR("so un"));
	wrap_add(&w, ROLE_STRONG, STR("believ"));
	wrap_add(&w, ROLE_TEXT, STR("able x"));
	wrap_end(&w);
	join(&ls, &got);
	cr_assert_str_eq(got.data, "so|unbelievable|x");
	cr_assert_eq(ls.lines[1].count, 3);
	cr_assert_eq(ls.spans[ls.lines[1].first + 1].role, ROLE_STRONG);
	lines_done(&ls);
	buf_done(&got);
}

Test(wrap, prefixes)
{
	struct lines ls = {0};
	struct buf got = BUF_INIT;
	struct wrap w;

	use_utf8();
	wrap_begin(&w, &ls, 8);
	wrap_indent(&w, STR("- "), STR("  "), ROLE_DIM);
	wrap_add(&w, ROLE_TEXT, STR("one two three\nfour"));
	wrap_break(&w);
	wrap_indent(&w, STR("* "), STR("  "), ROLE_DIM);
	wrap_add(&w, ROLE_TEXT, STR("a\tb"));
	wrap_break(&w);
	wrap_indent(&w, STR("123456789"), STR("123456789"), ROLE_DIM);
	wrap_add(&w, ROLE_TEXT, STR("x"));
	wrap_end(&w);
	join(&ls, &got);
	cr_assert_str_eq(got.data, "- one|  two|  three|  four|* a|  b|x");
	cr_assert_eq(ls.spans[0].role, ROLE_DIM);
	lines_done(&ls);
	buf_done(&got);
}

Test(wrap, prefixes_of_different_width)
{
	static const struct str wide = {"12345678", 8};
	struct lines ls = {0};
	struct wrap w;
	uint32_t width;

	use_utf8();
	for (width = 1; width < 20; width++) {
		lines_clear(&ls);
		wrap_begin(&w, &ls, width);
		wrap_indent(&w, STR(""), wide, ROLE_TEXT);
		wrap_add(&w, ROLE_TEXT,
			STR("abcdefghijklmnopqrstuvwxyz \u4E2D\u6587\u4E2D"));
		wrap_break(&w);
		wrap_indent(&w, wide, STR(""), ROLE_TEXT);
		wrap_add(&w, ROLE_TEXT,
			STR("abcdefghijklmnopqrstuvwxyz \u4E2D\u6587\u4E2D"));
		wrap_end(&w);
		check_widths(&ls, width);
	}
	lines_done(&ls);
}

/* The number of lines of short texts. */
Test(wrap, lines_of_nothing)
{
	static const struct {
		const char *raw;
		size_t count;
	} rows[] = {{"", 1}, {" ", 1}, {"\n", 1}, {"\n\n", 2}, {"a", 1}, {"a\n", 1},
		{"a\n ", 1}};
	struct lines ls = {0};
	size_t i;

	use_utf8();
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		lines_clear(&ls);
		wrap_text(&ls, str_of(rows[i].raw), 10, STR(""), ROLE_TEXT);
		cr_expect_eq(ls.count, rows[i].count, "row %zu: %zu", i, ls.count);
	}
	lines_done(&ls);
}

Test(wrap, marks_take_the_mark_role)
{
	struct lines ls = {0};

	use_utf8();
	wrap_text(&ls, STR("a\u202Eb"), 40, STR(""), ROLE_TEXT);
	cr_assert_eq(ls.lines[0].count, 3);
	cr_assert_eq(ls.spans[1].role, ROLE_MARK);
	cr_assert(ls.bidi);
	lines_done(&ls);
}

/* A hundred thousand letters, or hyphens between them, in linear time and no more than
 * asked. */
Test(wrap, long_words)
{
	struct lines ls = {0};
	struct buf raw = BUF_INIT;
	size_t i;

	use_utf8();
	buf_fill(&raw, 'x', 100000);
	wrap_text(&ls, buf_view(&raw), 80, STR(""), ROLE_TEXT);
	cr_assert_eq(ls.count, 1250);
	lines_clear(&ls);
	wrap_text(&ls, buf_view(&raw), WRAP_NEVER, STR(""), ROLE_TEXT);
	cr_assert_eq(ls.count, 1);
	cr_assert_eq(ls.lines[0].width, 100000);
	for (i = 1; i < raw.len; i += 2)
		raw.data[i] = '-';
	lines_clear(&ls);
	wrap_text(&ls, buf_view(&raw), 80, STR(""), ROLE_TEXT);
	cr_assert_eq(ls.count, 1250);
	lines_done(&ls);
	buf_done(&raw);
}
