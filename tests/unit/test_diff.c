/*
 * diff/sequence against a table of longest common subsequences, text/width and
 * diff/text_delta by what must hold for every text, and what a document shows of it.
 */
#include "config.h"

#include <criterion/criterion.h>

#include <locale.h>
#include <stdlib.h>

#include "base/mem.h"
#include "diff/edit.h"
#include "diff/sequence.h"
#include "text/safe.h"
#include "text/width.h"
#include "view/difference.h"

#define ITEMS 40

static void use_utf8(void)
{
	if (!setlocale(LC_ALL, "C.UTF-8"))
		cr_skip_test("no C.UTF-8 locale");
	safe_init();
}

/* ---- sequences ---- */

static size_t common(const uint64_t *a, size_t n, const uint64_t *b, size_t m)
{
	size_t table[ITEMS + 1][ITEMS + 1] = {{0}};

	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			size_t up = table[i - 1][j], left = table[i][j - 1];

			table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1
				      : up > left          ? up
							   : left;
		}
	return table[n][m];
}

/* What stands between the changes is the same on both sides; how much that is. */
static size_t walk(const struct sequence_diff *d, const uint64_t *a, size_t n,
	const uint64_t *b, size_t m)
{
	size_t i = 0, j = 0, kept = 0;

	for (size_t c = 0; c <= d->count; c++) {
		struct sequence_diff_change end = {n, 0, m, 0};
		struct sequence_diff_change change = c < d->count ? d->changes[c] : end;

		cr_assert(change.a >= i && change.b >= j && change.a - i == change.b - j);
		cr_assert(c == 0 || c == d->count || change.a > i, "changes touch");
		for (; i < change.a; i++, j++, kept++)
			cr_assert(a[i] == b[j]);
		i = change.a + change.a_count;
		j = change.b + change.b_count;
		cr_assert(i <= n && j <= m);
	}
	cr_assert(i == n && j == m);
	return kept;
}

static void fill(uint64_t *items, size_t n, unsigned kinds)
{
	for (size_t i = 0; i < n; i++)
		items[i] = (uint64_t)rand() % kinds;
}

Test(diff, is_shortest)
{
	srand(1);
	for (int round = 0; round < 20000; round++) {
		uint64_t a[ITEMS], b[ITEMS], work = DIFF_WORK;
		size_t n = (size_t)rand() % ITEMS, m = (size_t)rand() % ITEMS;
		unsigned kinds = 1 + (unsigned)rand() % 12;
		struct sequence_diff d;

		fill(a, n, kinds);
		fill(b, m, kinds);
		sequence_diff_sequences(&d, a, n, b, m, &work);
		cr_assert(walk(&d, a, n, b, m) == common(a, n, b, m));
		cr_assert(!d.rough);
		sequence_diff_done(&d);
	}
}

/* Without any work left it is still true. */
Test(diff, is_true_when_rough)
{
	srand(2);
	for (int round = 0; round < 5000; round++) {
		uint64_t a[ITEMS], b[ITEMS], work = (uint64_t)rand() % 40;
		size_t n = (size_t)rand() % ITEMS, m = (size_t)rand() % ITEMS;
		struct sequence_diff d;

		fill(a, n, 30);
		fill(b, m, 30);
		sequence_diff_sequences(&d, a, n, b, m, &work);
		cr_assert(walk(&d, a, n, b, m) <= common(a, n, b, m));
		sequence_diff_done(&d);
	}
}

/* Long ones: ways that do not meet within their reach, and work that is used up. */
Test(diff, long_sequences)
{
	enum { COUNT = 200000 };
	uint64_t *a = mem_array(COUNT, sizeof(*a)), *b = mem_array(COUNT, sizeof(*b));
	static const unsigned kinds[] = {2, 50, 5000, 1000000};

	srand(3);
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		uint64_t work = DIFF_WORK;
		struct sequence_diff d;

		fill(a, COUNT, kinds[k]);
		fill(b, COUNT, kinds[k]);
		sequence_diff_sequences(&d, a, COUNT, b, COUNT, &work);
		cr_assert(walk(&d, a, COUNT, b, COUNT) > 0);
		sequence_diff_done(&d);
	}
	mem_free(a);
	mem_free(b);
}

/* One item in a thousand is another: all the others are found again. */
Test(diff, few_changes_in_many)
{
	enum { COUNT = 300000 };
	uint64_t *a = mem_array(COUNT, sizeof(*a)), *b = mem_array(COUNT, sizeof(*b));
	uint64_t work = DIFF_WORK;
	struct sequence_diff d;

	for (size_t i = 0; i < COUNT; i++) {
		a[i] = i;
		b[i] = i % 1000 == 500 ? COUNT + i : i;
	}
	sequence_diff_sequences(&d, a, COUNT, b, COUNT, &work);
	cr_assert(d.count == COUNT / 1000 && !d.rough);
	cr_assert(walk(&d, a, COUNT, b, COUNT) == COUNT - COUNT / 1000);
	sequence_diff_done(&d);
	mem_free(a);
	mem_free(b);
}

/* ---- words ---- */

static const struct {
	const char *text, *words; /* between bars; blanks in ( ) */
} word_rows[] = {
	{"one two", "one|( )|two"},
	{"don't stop", "don't|( )|stop"},
	{"it costs 1,200.50!", "it|( )|costs|( )|1,200.50|!"},
	{"a.b 3.x", "a|.|b|( )|3|.|x"},
	{"snake_case(x)", "snake_case|(|x|)"},
	{"caf\u00E9 nai\u0308ve", "caf\u00E9|( )|nai\u0308ve"},
	{"\u4E2D\u6587 ok", "\u4E2D|\u6587|( )|ok"},
	{"\u0E44\u0E17\u0E22", "\u0E44|\u0E17|\u0E22"},
	{"\uD55C\uAD6D\uC5B4 x", "\uD55C\uAD6D\uC5B4|( )|x"},
	{"a \u0301b", "a| \u0301|b"},
	{"x\xff\xfey", "x|\xff|\xfe|y"},
	{"\U0001F468\u200D\U0001F469!", "\U0001F468\u200D\U0001F469|!"},
	{" \t\r\n", "( \t\r\n)"},
	{"'quoted'", "'|quoted|'"},
};

Test(words, rows, .init = use_utf8)
{
	for (size_t i = 0; i < sizeof(word_rows) / sizeof(*word_rows); i++) {
		struct str text = str_of(word_rows[i].text);
		struct buf out = BUF_INIT;
		enum word_kind kind;

		for (size_t at = 0, n; at < text.n; at += n) {
			n = word_next(text.p + at, text.n - at, &kind);
			if (at)
				buf_byte(&out, '|');
			if (kind == WORD_BLANK)
				buf_byte(&out, '(');
			buf_add(&out, text.p + at, n);
			if (kind == WORD_BLANK)
				buf_byte(&out, ')');
		}
		cr_expect_str_eq(out.data, word_rows[i].words);
		buf_done(&out);
	}
}

/* ---- texts ---- */

static void put_signs(const struct text_delta *d, struct buf *out)
{
	static const char *const signs[][2] = {[DELTA_SAME] = {"", ""},
		[DELTA_GONE] = {"[-", "-]"},
		[DELTA_CAME] = {"{+", "+}"}};

	buf_text(out, "");
	for (size_t i = 0; i < d->count; i++) {
		buf_text(out, signs[d->pieces[i].kind][0]);
		buf_str(out, d->pieces[i].text);
		buf_text(out, signs[d->pieces[i].kind][1]);
	}
}

static const struct {
	const char *was, *is, *delta;
} delta_rows[] = {
	{"", "", ""},
	{"a b c", "a b c", "a b c"},
	{"", "new", "{+new+}"},
	{"old", "", "[-old-]"},
	{"the cat sat here", "the dog sat here", "the [-cat-]{+dog+} sat here"},
	{"the big cat", "the cat", "the [-big -]cat"},
	{"the cat", "the big cat", "the {+big +}cat"},
	{"hello world", "hello world again", "hello world{+ again+}"},
	{"hello world", "big hello world", "{+big +}hello world"},
	{"one  two", "one two", "one [- -]two"},
	{"one two three", "one\ntwo three", "one[- -]{+\n+}two three"},
	{"a\nb\nc\n", "a\nx\nc\n", "a\n[-b\n-]{+x\n+}c\n"},
	{"a\nc\n", "a\nb\nc\n", "a\n{+b\n+}c\n"},
	{"first line here\nsecond line here\n", "first line here\nsecond row here\n",
		"first line here\nsecond [-line-]{+row+} here\n"},
	{"\u6211\u7231\u4F60\u4EEC", "\u6211\u7231\u5979\u4EEC",
		"\u6211\u7231[-\u4F60-]{+\u5979+}\u4EEC"},
	{"wholly different words", "nothing remains alike",
		"[-wholly different words-]{+nothing remains alike+}"},
	{"keep this sentence: yes, of course", "keep this sentence: no, of course",
		"keep this sentence: [-yes-]{+no+}, of course"},
};

Test(delta, rows, .init = use_utf8)
{
	for (size_t i = 0; i < sizeof(delta_rows) / sizeof(*delta_rows); i++) {
		struct buf out = BUF_INIT;
		struct text_delta d;

		text_delta_read(&d, str_of(delta_rows[i].was), str_of(delta_rows[i].is));
		put_signs(&d, &out);
		cr_expect_str_eq(out.data, delta_rows[i].delta);
		text_delta_done(&d);
		buf_done(&out);
	}
}

static void random_text(struct buf *b, unsigned length)
{
	static const char *const parts[] = {" ", " ", "\n", "a", "b", "word", "other",
		",", ".", "\t", "\n\n", "\u4E2D", "e\u0301", " \u0301", "\xff", "3.14",
		"don't", "\r\n", "  "};

	buf_text(b, "");
	while (length--)
		buf_text(b, parts[(size_t)rand() % (sizeof(parts) / sizeof(*parts))]);
}

/* A copy with some bytes left out or doubled. */
static void disturb(struct str text, struct buf *out)
{
	buf_text(out, "");
	for (size_t i = 0; i < text.n; i++) {
		int chance = rand() % 12;

		if (chance)
			buf_byte(out, text.p[i]);
		if (chance == 1)
			buf_byte(out, text.p[(size_t)rand() % text.n]);
	}
}

/* The pieces give both texts, and neighbors differ in kind. */
static void check_delta(struct str was, struct str is)
{
	struct buf a = BUF_INIT, b = BUF_INIT;
	struct text_delta d;

	text_delta_read(&d, was, is);
	for (size_t i = 0; i < d.count; i++) {
		const struct text_delta_piece *p = &d.pieces[i];

		cr_assert(p->text.n > 0);
		cr_assert(i == 0 || p->kind != p[-1].kind);
		cr_assert(i == 0 || p->kind != DELTA_GONE || p[-1].kind != DELTA_CAME);
		if (p->kind != DELTA_CAME)
			buf_str(&a, p->text);
		if (p->kind != DELTA_GONE)
			buf_str(&b, p->text);
	}
	cr_assert(str_equal(buf_view(&a), was));
	cr_assert(str_equal(buf_view(&b), is));
	text_delta_done(&d);
	buf_done(&a);
	buf_done(&b);
}

Test(delta, gives_both_texts, .init = use_utf8)
{
	srand(4);
	for (int round = 0; round < 10000; round++) {
		struct buf was = BUF_INIT, is = BUF_INIT;

		random_text(&was, (unsigned)rand() % 60);
		if (rand() % 2)
			disturb(buf_view(&was), &is);
		else
			random_text(&is, (unsigned)rand() % 60);
		check_delta(buf_view(&was), buf_view(&is));
		buf_done(&was);
		buf_done(&is);
	}
}

Test(delta, long_texts, .init = use_utf8)
{
	struct buf was = BUF_INIT, is = BUF_INIT;

	srand(5);
	random_text(&was, 400000);
	disturb(buf_view(&was), &is);
	check_delta(buf_view(&was), buf_view(&is));
	buf_clear(&is);
	random_text(&is, 400000);
	check_delta(buf_view(&was), buf_view(&is));
	buf_done(&was);
	buf_done(&is);
}

/* Of more than is compared the ends that both share are still found. */
Test(delta, too_long)
{
	struct buf was = BUF_INIT, is = BUF_INIT;
	struct text_delta d;

	buf_text(&was, "same\n");
	buf_text(&is, "same\n");
	buf_fill(&was, 'x', DELTA_MOST + 1);
	buf_fill(&is, 'y', DELTA_MOST);
	buf_text(&was, "\nend");
	buf_text(&is, "\nend");
	text_delta_read(&d, buf_view(&was), buf_view(&is));
	cr_assert(d.too_long && d.count == 4);
	cr_assert(d.pieces[0].kind == DELTA_SAME && d.pieces[0].text.n == 5);
	cr_assert(d.pieces[3].kind == DELTA_SAME && d.pieces[3].text.n == 3);
	text_delta_done(&d);
	buf_done(&was);
	buf_done(&is);
}

/* ---- blocks ---- */

static void show(struct doc *d, struct buf *out)
{
	struct place p = {0, 0};

	buf_text(out, "");
	doc_settle(d, &p);
	do {
		size_t line;
		const struct lines *ls = doc_line(d, p, &line);

		lines_plain(ls, line, out);
		buf_byte(out, '\n');
	} while (doc_down(d, &p, 1));
}

static void check_shown(bool signs, const char *was, const char *is, const char *expected)
{
	struct doc d = {.width = 40, .signs = signs};
	struct buf out = BUF_INIT;

	text_diff_add(&(struct addition){&d, 2, 1}, str_of(was), str_of(is));
	show(&d, &out);
	cr_expect_str_eq(out.data, expected);
	buf_done(&out);
	doc_done(&d);
}

Test(changes, signs_and_colors, .init = use_utf8)
{
	check_shown(true, "the cat sat", "the dog sat", "  the [-cat-]{+dog+} sat\n");
	check_shown(false, "the cat sat", "the dog sat", "  the catdog sat\n");
	check_shown(
		true, "a\nold\nb\n", "a\nnew\nb\n", "  a\n  [-old-]\n  {+new+}\n  b\n");
	check_shown(true, "a\r\nold\r\nb\r\n", "a\r\nnew\r\nb\r\n",
		"  a\n  [-old-]\n  {+new+}\n  b\n");
	check_shown(true, "one\r\ntwo\n", "one\ntwo\n", "  one[-\u240D-]\n  two\n");
	check_shown(false, "one  two", "one two", "  one \u00B7two\n");
}

Test(changes, what_stayed_is_folded, .init = use_utf8)
{
	struct buf was = BUF_INIT, is = BUF_INIT, out = BUF_INIT;
	struct doc d = {.width = 40, .signs = true};
	struct place p;

	for (int i = 0; i < 50; i++) {
		buf_printf(&was, "line %d\n", i);
		buf_printf(&is, i == 45 ? "line %d altered\n" : "line %d\n", i);
	}
	text_diff_add(
		&(struct addition){&d, 0, 1}, buf_view(&was), buf_view(&is));
	show(&d, &out);
	cr_expect_str_eq(out.data,
		"\u25B8 ... 42 lines unchanged\nline 42\nline 43\nline 44\n"
		"line 45{+ altered+}\nline 46\nline 47\nline 48\nline 49\n");
	p = (struct place){0, 0};
	doc_settle(&d, &p);
	cr_assert(doc_toggle(&d, &p));
	buf_clear(&out);
	show(&d, &out);
	cr_expect(strstr(out.data, "\u25BE ... 42 lines unchanged\nline 0\n"));
	cr_expect(strstr(out.data, "line 41\nline 42\n"));
	cr_assert(doc_toggle(&d, &p));
	buf_clear(&out);
	show(&d, &out);
	cr_expect(strstr(out.data, "unchanged\nline 42\n"));
	doc_done(&d);
	buf_done(&was);
	buf_done(&is);
	buf_done(&out);
}

/* A long line is cut where words end. */
Test(delta, one_word_in_a_long_line, .init = use_utf8)
{
	struct buf was = BUF_INIT, is = BUF_INIT;
	struct text_delta d;

	for (int i = 0; i < 2000000; i++) {
		buf_printf(&was, "w%d ", i);
		buf_printf(&is, i == 900000 ? "other " : "w%d ", i);
	}
	text_delta_read(&d, buf_view(&was), buf_view(&is));
	cr_assert(!d.too_long && !d.rough && d.count == 4);
	cr_assert(str_equal(d.pieces[1].text, STR("w900000 ")));
	cr_assert(str_equal(d.pieces[2].text, STR("other ")));
	text_delta_done(&d);
	check_delta(buf_view(&was), buf_view(&is));
	buf_done(&was);
	buf_done(&is);
}

/* ---- lines of an edit ---- */

/* "-3 text" for each row, and after a pair "|other". */
static void print_rows(const struct edit_rows *e, struct buf *out)
{
	for (size_t i = 0; i < e->count; i++) {
		const struct edit_row *row = &e->items[i];

		buf_printf(out, "%c", " -+@.$"[row->kind]);
		if (row->number)
			buf_printf(out, "%d ", (int)row->number);
		buf_str(out, row->text);
		if (row->other.p) {
			buf_byte(out, '|');
			buf_str(out, row->other);
		}
		buf_byte(out, '\n');
	}
}

static void expect_rows(struct edit_rows *e, const char *expected)
{
	struct buf out = BUF_INIT;

	print_rows(e, &out);
	cr_expect_str_eq(out.len ? out.data : "", expected);
	buf_done(&out);
	edit_done(e);
}

Test(edit, texts)
{
	static const struct {
		const char *was, *is;
		uint64_t first;
		const char *rows;
	} cases[] = {
		{"", "", 1, ""},
		{"a\n", "a\n", 4, " 4 a\n"},
		{"a\nb\nc", "a\nB\nc", 0, " a\n-b|B\n+B|b\n c\n"},
		{"a\nb\n", "x\ny\nb\n", 7, "-7 a|x\n+7 x|a\n+8 y\n 9 b\n"},
		{"", "a\n\nb", 1, "+1 a\n+2 \n+3 b\n"},
		{"a\nb", "b", 1, "-1 a\n 1 b\n"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct edit_rows e = {0};

		edit_add_texts(
			&e, str_of(cases[i].was), str_of(cases[i].is), cases[i].first);
		expect_rows(&e, cases[i].rows);
	}
}

Test(edit, patches)
{
	static const struct {
		const char *text;
		bool hunks, any;
		const char *rows;
	} cases[] = {
		{"no patch\n- a list\n+ x", false, false, ".no patch\n.- a list\n.+ x\n"},
		{"- a\n+ b\n", true, true, "- a| b\n+ b| a\n"},
		{"M a.c\ndiff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -3,2 +3,2 @@ "
		 "f\n"
		 " x\n-y\n+z\n- done\n",
			false, true,
			".M a.c\n@diff --git a/a.c b/a.c\n@--- a/a.c\n@+++ b/a.c\n"
			"@@@ -3,2 +3,2 @@ f\n 3 x\n-4 y|z\n+4 z|y\n.- done\n"},
		{"@@ -1,2 +1,1 @@\n--- b\n+++ c\n", false, true,
			"@@@ -1,2 +1,1 @@\n-1 -- b|++ c\n+1 ++ c|-- b\n"},
		{"apply_patch <<E\n*** Begin Patch\n*** Update File: a\n@@ f\n-b\n+c\n"
		 "*** Add File: n\n+1\n*** End Patch\nE\n- x\n",
			false, true,
			".apply_patch <<E\n@*** Begin Patch\n@*** Update File: a\n@@@ f\n"
			"-b|c\n+c|b\n@*** Add File: n\n+1 1\n@*** End Patch\n.E\n.- x\n"},
		{"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", false, true,
			"@@@ -1 +1 @@\n-1 a\n@\\ No newline at end of file\n+1 b\n"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct edit_rows e = {0};

		cr_expect_eq(edit_add_patch(&e, str_of(cases[i].text), cases[i].hunks),
			cases[i].any, "%s", cases[i].text);
		expect_rows(&e, cases[i].rows);
	}
}
