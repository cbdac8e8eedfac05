/*
 * text/safe: what must never come out, tried with every code point and with
 * random bytes; and what each kind of mark looks like, as a table.
 */
#include "config.h"

#include <criterion/criterion.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/str.h"
#include "text/line.h"
#include "text/safe.h"

#ifndef UNICODE_DATA
#define UNICODE_DATA "/usr/share/unicode"
#endif

static void use_utf8(void)
{
	if (!setlocale(LC_ALL, "C.UTF-8"))
		cr_skip_test("no C.UTF-8 locale");
	safe_init();
}

static void use_ascii(void)
{
	setlocale(LC_ALL, "C");
	safe_init();
}

static bool forbidden(unsigned code)
{
	return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD ||
	       code == 0x34F || code == 0x61C || code == 0x115F || code == 0x1160 ||
	       code == 0x17B4 || code == 0x17B5 || (code >= 0x180B && code <= 0x180F) ||
	       (code >= 0x200B && code <= 0x200C) || (code >= 0x200E && code <= 0x200F) ||
	       (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
	       code == 0x2800 || code == 0x3164 || (code >= 0xE000 && code <= 0xF8FF) ||
	       (code >= 0xFDD0 && code <= 0xFDEF) || (code >= 0xFE00 && code <= 0xFE0D) ||
	       code == 0xFEFF || code == 0xFFA0 || (code >= 0xFFF0 && code <= 0xFFFB) ||
	       (code & 0xFFFE) == 0xFFFE || (code >= 0x1BCA0 && code <= 0x1BCA3) ||
	       (code >= 0x1D173 && code <= 0x1D17A) || code >= 0xE0000;
}

/* Cells by wcwidth; fails on anything that may not reach a terminal. */
static unsigned audit(struct str text)
{
	unsigned code, cells = 0;
	bool valid;
	size_t at = 0;
	int w;

	while (at < text.n) {
		at += utf8_decode(text.p + at, text.n - at, &code, &valid);
		cr_assert(valid, "not UTF-8 in the output");
		cr_assert(!forbidden(code), "U+%04X in the output", code);
		if (safe_ascii()) {
			cr_assert(code < 0x7F, "U+%04X in an ASCII locale", code);
			cells++;
			continue;
		}
		w = wcwidth((wchar_t)code);
		cr_assert(w >= 0, "U+%04X cannot be printed", code);
		cr_assert(w > 0 || cells > 0, "U+%04X has nothing to stand on", code);
		cells += (unsigned)w;
	}
	return cells;
}

/* Filters all of it cluster by cluster, checking each. */
static void audit_all(struct str raw)
{
	struct safe_cluster c;
	size_t at;

	for (at = 0; at < raw.n; at += c.taken) {
		safe_next(raw.p + at, raw.n - at, &c);
		cr_assert(c.taken > 0 && c.taken <= raw.n - at);
		cr_assert_eq(audit(c.text), c.width);
		if (c.kind == SAFE_NEWLINE)
			cr_assert(c.text.n == 0 && c.width == 0);
		else
			cr_assert(c.width >= 1);
	}
}

static void audit_line(struct str raw)
{
	struct buf once = BUF_INIT, twice = BUF_INIT;

	audit_all(raw);
	safe_line(&once, raw);
	cr_assert_eq(audit(buf_view(&once)), safe_width(raw));
	safe_line(&twice, buf_view(&once));
	cr_assert(str_equal(buf_view(&once), buf_view(&twice)),
		"not stable: \"%s\" \"%s\"", once.data, twice.data);
	buf_done(&once);
	buf_done(&twice);
}

static void every_code_point(void)
{
	char text[3 + 2 * UTF8_MAX];
	unsigned code;
	size_t n;

	for (code = 0; code <= 0x10FFFF; code++) {
		n = utf8_put(code, text);
		audit_line((struct str){text, n});
		text[n] = 'x'; /* before something, after something, twice */
		audit_all((struct str){text, n + 1});
		memmove(text + 1, text, n);
		text[0] = 'a';
		memcpy(text + 1 + n, text + 1, n);
		audit_all((struct str){text, 1 + 2 * n});
	}
}

Test(safe, every_code_point)
{
	use_utf8();
	every_code_point();
}

Test(safe, every_code_point_in_ascii)
{
	use_ascii();
	every_code_point();
}

/* Bytes, and characters that like to interact. */
static void random_text(struct buf *b, unsigned length)
{
	static const unsigned nasty[] = {0x200D, 0xFE0F, 0xFE0E, 0x1F468, 0x1F469,
		0x1F3FB, 0x1F1E6, 0x1F1FF, 0x301, 0x302, 0x20E3, '1', '#', 0x1F3F4,
		0xE0067, 0xE007F, 0x1100, 0x1161, 0x11A8, 0xAC00, 0x4E2D, 0x600, 0x93E,
		0x94D, 0x202E, 0x200B, 0x1B, '\n', '\r', '\t', ' ', 'a', 0x9B, 0xFFFD,
		0x25CC, 0xE01EF, 0, 0x1FAF8};
	unsigned i;

	for (i = 0; i < length; i++) {
		if (rand() % 4 == 0)
			buf_byte(b, (char)(rand() & 0xFF));
		else
			buf_utf8(b,
				nasty[(size_t)rand() % (sizeof(nasty) / sizeof(*nasty))]);
	}
}

static void random_texts(void)
{
	struct buf raw = BUF_INIT, fit = BUF_INIT;
	unsigned round, cells;

	srand(4711);
	for (round = 0; round < 20000; round++) {
		buf_clear(&raw);
		random_text(&raw, 1 + (unsigned)rand() % 40);
		audit_line(buf_view(&raw));
		cells = (unsigned)rand() % 30;
		buf_clear(&fit);
		safe_fit(&fit, buf_view(&raw), cells);
		cr_assert_leq(audit(buf_view(&fit)), cells);
		if (safe_width(buf_view(&raw)) <= cells)
			cr_assert_eq(audit(buf_view(&fit)), safe_width(buf_view(&raw)));
	}
	buf_done(&raw);
	buf_done(&fit);
}

Test(safe, random_texts)
{
	use_utf8();
	random_texts();
}

Test(safe, random_texts_in_ascii)
{
	use_ascii();
	random_texts();
}

struct row {
	struct str raw;
	const char *line;
};

static void check_rows(const struct row *rows, size_t n)
{
	struct buf out = BUF_INIT;
	size_t i;

	for (i = 0; i < n; i++) {
		buf_clear(&out);
		safe_line(&out, rows[i].raw);
		cr_expect_str_eq(out.data, rows[i].line, "row %zu: \"%s\" is not \"%s\"",
			i, out.data, rows[i].line);
	}
	buf_done(&out);
}

#define ROWS(rows) check_rows(rows, sizeof(rows) / sizeof((rows)[0]))

Test(safe, marks)
{
	static const struct row rows[] = {
		{STR("plain text"), "plain text"},
		{STR("\x1b[31mred\x1b[0m"), "␛[31mred␛[0m"},
		{STR("\x1b]52;c;aGk=\x07"), "␛]52;c;aGk=␇"},
		{STR("a\0b"), "a␀b"},
		{STR("a\x7f"), "a␡"},
		{STR("a\rb"), "a␍b"},
		{STR("a\r\nb\nc"), "a␊b␊c"},
		{STR("a\tb"), "a b"},
		{STR("\xc2\x9b"
		     "31m"),
			"<9B>31m"},
		{STR("\x9b"
		     "31m"),
			"<9B>31m"},
		{STR("\u202Eevil\u202C"), "<202E>evil<202C>"},
		{STR("\u05D0\u05D1"), "\u05D0\u05D1"},
		{STR("a\u200Bb\uFEFF\u00AD"), "a<200B>b<FEFF><00AD>"},
		{STR("a\u200Db"), "a<200D>b"},
		{STR("a\uFE0Fb"), "a<FE0F>b"},
		{STR("\U0001F600\uFE01\U000E0100"), "\U0001F600<FE01><E0100>"},
		{STR("\u2028\u2029"), "<2028><2029>"},
		{STR("\u3164\u115F\u1160\uFFA0"), "<3164><115F><1160><FFA0>"},
		{STR("\u2800\u2801"), "<2800>\u2801"}, /* the blank of Braille */
		{STR("x\U000E0068\U000E0069"), "x<tag:hi>"},
		{STR("\U000E0001\U000E0068\U000E007F"), "<tag:h>"},
		{STR("\U000E0001"), "<E0001>"},
		{STR("\uE000\U000F0000\uFFFF\uFDD0"), "<E000><F0000><FFFF><FDD0>"},
		{STR("\u0378"), "<0378>"},
		{STR("\xff\xfe"), "\uFFFD\uFFFD"},
		{STR("\xe4\xb8"), "\uFFFD"},
		{STR("\xed\xa0\xbd"), "\uFFFD\uFFFD\uFFFD"},
		{STR("\xf0\x9f\x98z"), "\uFFFDz"},
		{STR("\u0301x"), "\u25CC\u0301x"},
		{STR("e\u0301"), "e\u0301"},
		{STR("\U0001F468\u200D\U0001F469\u200D\U0001F467"),
			"\U0001F468\u200D\U0001F469\u200D\U0001F467"},
		{STR("\U0001F468\u200Dx"), "\U0001F468<200D>x"},
		{STR("\u2764\uFE0F"), "\u2764\uFE0F"},
		{STR("\u2764\uFE0F\uFE0F"), "\u2764\uFE0F<FE0F>"},
		{STR("1\uFE0F\u20E3"), "1\uFE0F\u20E3"},
		{STR("1\uFE0F2"), "1<FE0F>2"},
	};

	use_utf8();
	ROWS(rows);
}

Test(safe, marks_in_ascii)
{
	static const struct row rows[] = {
		{STR("plain"), "plain"},
		{STR("\x1b[m\0\x7f\r\n"), "^[[m^@^?^J"},
		{STR("\u4E2De\u0301"), "<4E2D>e<0301>"},
		{STR("\u202E"), "<202E>"},
		{STR("\xff"), "?"},
		{STR("\x9b"), "<9B>"},
		{STR("\U000E0068"), "<tag:h>"},
	};

	use_ascii();
	cr_assert(safe_ascii());
	ROWS(rows);
}

Test(safe, at_most_eight_marks_a_cell)
{
	struct buf raw = BUF_INIT, out = BUF_INIT;
	struct safe_cluster c;
	unsigned i;

	use_utf8();
	buf_byte(&raw, 'a');
	for (i = 0; i < 108; i++)
		buf_utf8(&raw, 0x301);
	safe_next(raw.data, raw.len, &c);
	cr_assert_eq(c.kind, SAFE_PLAIN);
	cr_assert_eq(c.taken, 1 + 8 * 2);
	cr_assert_eq(c.width, 1);
	safe_line(&out, (struct str){raw.data + c.taken, raw.len - c.taken});
	cr_assert_str_eq(out.data, "<+100 marks>");
	buf_done(&raw);
	buf_done(&out);
}

Test(safe, long_tags_are_cut)
{
	struct buf raw = BUF_INIT;
	struct safe_cluster c;
	unsigned i;

	use_utf8();
	for (i = 0; i < 1000; i++)
		buf_utf8(&raw, 0xE0000u + 'a' + i % 26);
	safe_next(raw.data, raw.len, &c);
	cr_assert_eq(c.taken, raw.len);
	cr_assert_eq(c.kind, SAFE_MARK);
	cr_assert(str_starts(c.text, STR("<tag:abcdefgh")));
	cr_assert(c.text.n <= UTF8_SHOWN_MAX && c.width == c.text.n);
	cr_assert(memcmp(c.text.p + c.text.n - 4, "...>", 4) == 0);
	buf_done(&raw);
}

/* Every bidirectional control is reported, and nothing else. */
Test(safe, bidi_is_reported)
{
	struct safe_cluster c;
	char text[UTF8_MAX];
	unsigned code, count = 0;

	use_utf8();
	for (code = 0; code <= 0x10FFFF; code++) {
		safe_next(text, utf8_put(code, text), &c);
		count += c.bidi;
	}
	cr_assert_eq(count, 12);
}

Test(safe, endless_clusters_are_cut)
{
	static const char *const parts[] = {
		"\U0001F468\u200D", "\u1100", "\u0600", "\u0915\u094D", "\u093E"};
	struct buf raw = BUF_INIT;
	struct safe_cluster c;
	size_t i, n;

	use_utf8();
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		buf_clear(&raw);
		for (n = 0; n < 10000; n++)
			buf_text(&raw, parts[i]);
		safe_next(raw.data, raw.len, &c);
		cr_expect_leq(c.width, 32, "part %zu", i);
		audit_line(buf_view(&raw));
	}
	buf_done(&raw);
}

Test(safe, lines_keep_feeds_and_expand_tabs)
{
	struct buf out = BUF_INIT;

	use_utf8();
	safe_lines(&out, STR("a\tb\r\n\t\tc\n\u4E2D\td\n12345678\te\x1b"));
	cr_assert_str_eq(out.data,
		"a       b\n                c\n\u4E2D      d\n12345678        e␛");
	buf_done(&out);
}

Test(safe, fit_keeps_the_ends_and_the_name_of_a_file)
{
	static const struct {
		const char *raw;
		unsigned cells;
		const char *fit;
	} rows[] = {
		{"abcdef", 6, "abcdef"},
		{"abcdef", 5, "ab…ef"},
		{"abcdef", 4, "ab…f"},
		{"abcdef", 1, "…"},
		{"abcdef", 0, ""},
		{"\u4E2D\u6587\u5B57\u5178", 6, "\u4E2D…\u5178"},
		{"\x1b[31m/etc/passwd", 8, "…/passwd"},
		{"\x1b[31m/etc/passwd", 6, "␛[3…wd"},
		{"/home/u/proj/src/io/source.c", 28, "/home/u/proj/src/io/source.c"},
		{"/home/u/proj/src/io/source.c", 27, "…/u/proj/src/io/source.c"},
		{"/home/u/proj/src/io/source.c", 18, "…/src/io/source.c"},
		{"/home/u/proj/src/io/source.c", 10, "…/source.c"},
		{"/home/u/proj/src/io/source.c", 9, "/hom…ce.c"},
		{"src/io/", 6, "…/io/"},
		{"Read /home/u/src/io/source.c", 20, "Read …/io/source.c"},
		{"cat '/home/u/src/a.c' | wc", 20, "cat '…/src/a.c' | wc"},
		{"and/or what is longer than it", 20, "and/or wha…r than it"},
		{"\u4E2D/\u6587/\u5B57", 6, "…/\u5B57"},
	};
	struct buf out = BUF_INIT;
	size_t i;

	use_utf8();
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		buf_clear(&out);
		buf_text(&out, "");
		safe_fit(&out, str_of(rows[i].raw), rows[i].cells);
		cr_expect_str_eq(out.data, rows[i].fit, "row %zu: %s", i, out.data);
	}
	buf_done(&out);
}

Test(safe, fit_in_ascii)
{
	struct buf out = BUF_INIT;

	use_ascii();
	safe_fit(&out, STR("abcdefghij"), 8);
	cr_expect_str_eq(out.data, "abc...ij");
	buf_clear(&out);
	safe_fit(&out, STR("abcdefghij"), 2);
	cr_expect_str_eq(out.data, "..");
	buf_done(&out);
}

static void read_file(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "rb");
	char block[4096];
	size_t n;

	if (!f)
		return;
	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		buf_add(out, block, n);
	fclose(f);
}

/* "÷ 0061 × 0301 ÷": the text, and where its clusters end. */
static size_t read_case(char *line, struct buf *text, size_t *ends, size_t most)
{
	size_t count = 0;
	char *word;

	for (word = strtok(line, " \t"); word; word = strtok(NULL, " \t")) {
		if (strcmp(word, "÷") != 0 && strcmp(word, "×") != 0)
			buf_utf8(text, (unsigned)strtoul(word, NULL, 16));
		else if (strcmp(word, "÷") == 0 && text->len && count < most)
			ends[count++] = text->len;
	}
	return count;
}

/*
 * Every boundary of the suite must be one here.  The reverse holds but beside
 * a mark: the suite joins hidden characters to their neighbors, the filter
 * shows them apart.
 */
static bool clusters_as_told(struct str text, const size_t *ends, size_t count)
{
	struct safe_cluster c;
	bool marked = true, told = true;
	size_t at, i = 0;

	for (at = 0; at < text.n; at += c.taken) {
		safe_next(text.p + at, text.n - at, &c);
		if (!told && !marked && c.kind != SAFE_MARK)
			return false;
		marked = c.kind == SAFE_MARK;
		if (at + c.taken > ends[i])
			return false;
		told = at + c.taken == ends[i];
		i += told;
	}
	return i == count;
}

Test(safe, grapheme_break_suite)
{
	struct buf file = BUF_INIT, text = BUF_INIT;
	char *line, *end, *name;
	size_t ends[64], count;
	unsigned lines = 0, wrong = 0;

	use_utf8();
	read_file(UNICODE_DATA "/auxiliary/GraphemeBreakTest.txt", &file);
	if (!file.len)
		cr_skip_test("no " UNICODE_DATA);
	for (line = file.data; *line; line = end + 1) {
		end = strchr(line, '\n');
		name = strchr(line, '#');
		cr_assert(end && name);
		*end = '\0';
		if (name == line || name > end)
			continue;
		*name++ = '\0';
		buf_clear(&text);
		count = read_case(line, &text, ends, sizeof(ends) / sizeof(ends[0]));
		if (!clusters_as_told(buf_view(&text), ends, count)) {
			cr_log_error("%s", name);
			wrong++;
		}
		lines++;
	}
	printf("grapheme breaks: %u of %u\n", lines - wrong, lines);
	cr_expect_geq(lines, 600);
	cr_expect_eq(wrong, 0);
	buf_done(&file);
	buf_done(&text);
}

Test(safe, no_emoji_is_split)
{
	struct buf file = BUF_INIT, text = BUF_INIT;
	unsigned emoji = 0, split = 0;
	struct safe_cluster c;
	char *line, *end, *p;

	use_utf8();
	read_file(UNICODE_DATA "/emoji/emoji-test.txt", &file);
	if (!file.len)
		cr_skip_test("no " UNICODE_DATA);
	for (line = file.data; *line; line = end + 1) {
		end = strchr(line, '\n');
		cr_assert_not_null(end);
		if (*line == '#' || *line == '\n')
			continue;
		buf_clear(&text);
		for (p = line; *p != ';'; p += strspn(p, " "))
			buf_utf8(&text, (unsigned)strtoul(p, &p, 16));
		safe_next(text.data, text.len, &c);
		audit_all(buf_view(&text));
		emoji++;
		split += c.taken != text.len;
	}
	printf("emoji: %u of %u whole\n", emoji - split, emoji);
	cr_expect_gt(emoji, 4000);
	cr_expect_eq(split, 0, "%u of %u", split, emoji);
	buf_done(&file);
	buf_done(&text);
}

Test(lines, put_and_truncate)
{
	struct lines ls = {0};
	struct buf plain = BUF_INIT;

	use_utf8();
	lines_put_raw(&ls, ROLE_TEXT, STR("a\x1b"));
	lines_put(&ls, ROLE_MARK, STR("!"), 1);
	lines_begin(&ls);
	lines_printf(&ls, ROLE_DIM, "%d of %d", 3, 17);
	cr_assert_eq(ls.count, 2);
	cr_assert_eq(ls.lines[0].count, 2);
	cr_assert_eq(ls.lines[0].width, 3);
	cr_assert_eq(ls.spans[1].role, ROLE_MARK);
	cr_assert_eq(ls.lines[1].width, 7);
	lines_plain(&ls, 0, &plain);
	cr_assert_str_eq(plain.data, "a␛!");
	lines_truncate(&ls, 1);
	lines_begin(&ls);
	lines_put_raw(&ls, ROLE_TEXT, STR("\u202E"));
	cr_assert(ls.bidi);
	buf_clear(&plain);
	lines_plain(&ls, 1, &plain);
	cr_assert_str_eq(plain.data, "<202E>");
	lines_clear(&ls);
	cr_assert(ls.count == 0 && ls.span_count == 0 && !ls.bidi);
	lines_done(&ls);
	buf_done(&plain);
}

Test(lines, role_names)
{
	cr_assert_str_eq(role_name(ROLE_TEXT), "text");
	cr_assert_str_eq(role_name(ROLE_TIME), "time");
	cr_assert_str_eq(role_name(ROLE_PUNCT), "punctuation");
}
