/*
 * text/markdown: one case a construct, lines drawn with "|" between them;
 * then properties over mangled documents at every width, and documents that
 * are meant to take for ever.
 */
#include "config.h"

#include <criterion/criterion.h>

#include <locale.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/work.h"
#include "text/markdown.h"
#include "text/safe.h"
#include "text/wrap.h"

static void use_utf8(void)
{
	if (!setlocale(LC_ALL, "C.UTF-8"))
		cr_skip_test("no C.UTF-8 locale");
	safe_init();
}

/* The lines as one text, with "/" between them. */
static void draw(struct str raw, uint32_t width, const char *indent, struct buf *out)
{
	struct lines ls = {0};
	size_t i;

	buf_clear(out);
	buf_text(out, "");
	markdown_lines(&ls, raw, width, str_of(indent));
	for (i = 0; i < ls.count; i++) {
		if (i)
			buf_byte(out, '/');
		lines_plain(&ls, i, out);
	}
	lines_done(&ls);
}

struct row {
	const char *raw;
	uint32_t width;
	const char *lines;
};

static void check_rows(const struct row *rows, size_t n)
{
	struct buf out = BUF_INIT;
	size_t i;

	for (i = 0; i < n; i++) {
		draw(str_of(rows[i].raw), rows[i].width, "", &out);
		cr_expect_str_eq(out.data, rows[i].lines, "row %zu:\n%s\nis not\n%s", i,
			out.data, rows[i].lines);
	}
	buf_done(&out);
}

#define ROWS(rows) check_rows(rows, sizeof(rows) / sizeof((rows)[0]))

Test(markdown, nothing)
{
	static const struct row rows[] = {{"", 40, ""}, {" \n\t\n", 40, ""},
		{"[a]: u\n", 40, ""}, {"[]()", 40, " ()"}};
	struct lines ls = {0};

	use_utf8();
	markdown_lines(&ls, STR("\n \n"), 40, STR("> "));
	markdown_lines(&ls, STR(""), 40, STR("> "));
	cr_assert_eq(ls.count, 0);
	lines_done(&ls);
	check_rows(rows, 3);
}

Test(markdown, paragraphs_and_breaks)
{
	static const struct row rows[] = {
		{"one two", 40, "one two"},
		{"\n\none\n\n\n\ntwo\n\n", 40, "one//two"},
		{"one\ntwo  \nthree\\\nfour", 40, "one/two/three/four"},
		{"one two three", 8, "one two/three"},
		{"an un**believ**able x", 13, "an/unbelievable/x"},
		{"a\r\nb", 40, "a/b"},
		{"**b** *i* ~~s~~ `c  d`", 40, "b i ~~s~~ c  d"},
		{"&amp; &lt;b&gt; &hellip; &#65; &#x4E2D; &nope;", 40,
			"& <b> … A 中 &nope;"},
		{"&#10;&#0;&#27;", 40, "&#10;&#0;&#27;"},
		{"&#x202E;&#xFFFFFFFFF;", 40, "<202E>&#xFFFFFFFFF;"},
		{"__init__ and _x_, a_b_c", 40, "__init__ and _x_, a_b_c"},
		{"a ` ` b", 40, "a · b"},
		{"```\n\t\n```", 40, "  ····"},
		{"a\x1b[31m\x9b", 40, "a␛[31m<9B>"},
		{"<b>bold</b> <!-- x -->", 40, "<b>bold</b> <!-- x -->"},
		{"<div>\n  <p>*x*\n</div>\n\n*y*", 40, "<div>/  <p>*x*/</div>//y"},
	};

	use_utf8();
	ROWS(rows);
}

Test(markdown, headings_and_rules)
{
	static const struct row rows[] = {
		{"# One\n## Two *x*\n###### Six", 40, "# One//## Two x//###### Six"},
		{"Set\n===\next\n---", 40, "# Set//## ext"},
		{"#", 40, "#"},
		{"***", 5, "─────"},
		{"a\n\n---\nb", 3, "a//───//b"},
		{"> ---", 5, "│ ───"},
	};

	use_utf8();
	ROWS(rows);
}

Test(markdown, lists)
{
	static const struct row rows[] = {
		{"- a\n- b", 40, "• a/• b"},
		{"a\n- b\n\nc", 40, "a//• b//c"},
		{"- a\n\n- b", 40, "• a//• b"},
		{"- one two three", 9, "• one two/  three"},
		{"- a\n  - b\n    - c\n- d", 40, "• a/  • b/    • c/• d"},
		{"9. a\n1. b", 40, "9. a/10. b"},
		{"3) a", 40, "3) a"},
		{"- [ ] a\n- [x] b\n- [X] c", 40, "[ ] a/[x] b/[x] c"},
		{"1. [x] a", 40, "1. [x] a"},
		{"- a\n\n  b\n- c", 40, "• a//  b//• c"},
		{"-\n- b", 40, "• /• b"},
		{"- - a", 40, "• • a"},
		{"- a\n\n      code\n", 40, "• a//    code"},
		{"- ```\n  x\n  ```", 40, "•   x"},
		{"- # h", 40, "• # h"},
		{"1. a\n   - b\n2. c", 40, "1. a/   • b/2. c"},
	};

	use_utf8();
	ROWS(rows);
}

Test(markdown, indent_never_passes_half_of_the_width)
{
	static const struct row rows[] = {
		{"- a\n  - b\n    - c\n      - d", 8, "• a/  • b/    • c/    • d"},
		{"> > > > a b", 8, "│ │ a b"},
		{"- - - - ***", 8, "• • • •/    ────"},
		{"- a", 1, "•/a"},
	};

	use_utf8();
	check_rows(rows, 2);
	ROWS(rows);
}

Test(markdown, quotes)
{
	static const struct row rows[] = {
		{"> a\n> b\n>\n> c", 40, "│ a/│ b/│/│ c"},
		{"a\n> b\n\nc", 40, "a//│ b//c"},
		{"> > a\n>\n> b", 40, "│ │ a/│/│ b"},
		{"> - a\n> - b", 40, "│ • a/│ • b"},
		{"- > a", 40, "• │ a"},
		{">\n\na", 40, "a"},
		{"a\n\n>\n\nb", 40, "a//b"},
	};

	use_utf8();
	ROWS(rows);
}

Test(markdown, code)
{
	static const struct row rows[] = {
		{"```python\n\nif x:\n    y\n\n\nz\n\n```", 40,
			"  ─ python/  if x:/      y/  /  /  z"},
		{"```\nabcdefgh\n```", 6, "  abcd/  efgh"},
		{"    a\n\n    b", 40, "  a/  /  b"},
		{"a\n```\n*b*\n```\nc", 40, "a//  *b*//c"},
		{"```\n```", 40, ""},
		{"``` sh -x\n```", 40, "  ─ sh -x"},
		{"~~~\n\x1b\tx\n~~~", 40, "  ␛       x"},
		{"```\nunclosed", 40, "  unclosed"},
	};

	use_utf8();
	ROWS(rows);
}

Test(markdown, links_and_images)
{
	static const struct row rows[] = {
		{"[text](http://u/)", 40, "text (http://u/)"},
		{"[*te*xt](u \"t&amp;\")", 40, "text (u \"t&\")"},
		{"<http://u/> http://v/x_y_z.", 40, "http://u/ http://v/x_y_z."},
		{"<a@b.c>", 40, "a@b.c"},
		{"[http://good](http://evil)", 40, "http://good (http://evil)"},
		{"[r]\n\n[r]: u&amp;v", 40, "r (u&v)"},
		{"![alt *x*](i.png)", 40, "[image: alt x] (i.png)"},
		{"![](i.png)", 40, "[image:] (i.png)"},
		{"![a](data:image/"
		 "png;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA)",
			60, "[image: a] (data:image/png, 33 B)"},
		{"[a](data:text/plain,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA)",
			60, "a (data:text/plain, 48 B)"},
		{"[a](data:text/plain,AAAA)", 60, "a (data:text/plain,AAAA)"},
		{"[![a](b)](c)", 40, "[image: a] (b) (c)"},
		{"[a](<u\u202Ev>)", 40, "a (u<202E>v)"},
	};

	use_utf8();
	ROWS(rows);
}

Test(markdown, tables)
{
	static const char table[] = "| a | b | c |\n|:--|:-:|--:|\n"
				    "| 1 | 2 | 3 |\n| long | *x* | 中文 |\n";
	static const struct row rows[] = {
		{table, 40,
			"┌──────┬───┬──────┐/│ a    │ b │    c │/├──────┼───┼──────┤"
			"/│ 1    │ 2 │    3 │/│ long │ x │ 中文 │/└──────┴───┴──────┘"},
		{table, 18, "a: 1/b: 2/c: 3//a: long/b: x/c: 中文"},
		{"|a|\n|---|\n", 40, "┌───┐/│ a │/├───┤/└───┘"},
		{"|a|b|\n|---|---|\n", 4, "a/b"},
		{"|a|b|\n|---|---|\n|1|\n", 40,
			"┌───┬───┐/│ a │ b │/├───┼───┤/│ 1 │   │/└───┴───┘"},
		{"- |a|\n  |---|\n", 40, "• ┌───┐/  │ a │/  ├───┤/  └───┘"},
		{"|a\\|b|\n|---|\n|`c`|", 40, "┌─────┐/│ a|b │/├─────┤/│ c   │/└─────┘"},
	};

	use_utf8();
	ROWS(rows);
}

Test(markdown, in_ascii)
{
	static const struct row rows[] = {
		{"- a\n\n> b\n\n---", 4, "* a//| b//----"},
		{"|a|\n|---|\n|é|", 40,
			"+--------+/| a      |/+--------+/| <00E9> |/+--------+"},
	};

	setlocale(LC_ALL, "C");
	safe_init();
	ROWS(rows);
}

Test(markdown, indent_comes_before_every_line)
{
	struct buf out = BUF_INIT;

	use_utf8();
	draw(STR("a\n\n- b\n  c\n\n> d\n\n---\n\n    e\n\n|f|\n|---|"), 12, "> ", &out);
	cr_assert_str_eq(out.data,
		"> a/> /> • b/>   c/> /> │ d/> /> ──────────/> />   e/> "
		"/> ┌───┐/> │ f │/> ├───┤/> └───┘");
	buf_done(&out);
}

static enum role role_of(const char *raw, const char *word)
{
	enum role role = ROLE_COUNT;
	struct lines ls = {0};
	struct str text;
	size_t i;

	markdown_lines(&ls, str_of(raw), 80, STR(""));
	for (i = 0; i < ls.span_count && role == ROLE_COUNT; i++) {
		text = lines_text(&ls, &ls.spans[i]);
		if (text.n >= strlen(word) && memmem(text.p, text.n, word, strlen(word)))
			role = ls.spans[i].role;
	}
	lines_done(&ls);
	return role;
}

Test(markdown, roles)
{
	static const struct {
		const char *raw, *word;
		enum role role;
	} rows[] = {
		{"word", "word", ROLE_TEXT},
		{"# word", "# word", ROLE_HEADING},
		{"**word**", "word", ROLE_STRONG},
		{"*word*", "word", ROLE_EMPHASIS},
		{"~~word~~", "word", ROLE_STRUCK},
		{"`word`", "word", ROLE_CODE},
		{"**`word`**", "word", ROLE_CODE},
		{"[word](u)", "word", ROLE_LINK},
		{"![word](u)", "word", ROLE_LINK},
		{"> word", "word", ROLE_QUOTE},
		{"> word", "│", ROLE_QUOTE},
		{"    word", "word", ROLE_CODE},
		{"```word\nx\n```", "word", ROLE_DIM},
		{"```\nword\n```", "word", ROLE_CODE},
		{"```py title=x\nword\n```", "word", ROLE_TEXT},
		{"```Python\ndef word\n```", "def", ROLE_KEYWORD},
		{"```py\nx # word\n```", "word", ROLE_COMMENT},
		{"```py\n\"\"\"\nword\n\"\"\"\n```", "word", ROLE_STRING},
		{"```py\n'a\\'word'\n```", "word", ROLE_STRING},
		{"```py\n'x\nword\n```", "word", ROLE_TEXT},
		{"```c\nx /*\nword */ y\n```", "word", ROLE_COMMENT},
		{"```c\nx /*\nword */ y\n```", "y", ROLE_TEXT},
		{"```c\nint99 99.5\n```", "99.5", ROLE_NUMBER},
		{"```c++\nint99 new\n```", "new", ROLE_KEYWORD},
		{"```sql\nSelect 1\n```", "Select", ROLE_KEYWORD},
		{"```json\n{\"word\" : 1}\n```", "word", ROLE_KEY},
		{"```json\n[\"word\"]\n```", "word", ROLE_STRING},
		{"```yaml\nword: x # y\n```", "word", ROLE_KEY},
		{"```yaml\nword: x # note\n```", "note", ROLE_COMMENT},
		{"```html\n<word a=\"b\">\n```", "word", ROLE_KEYWORD},
		{"```sh\necho $word#x\n```", "word#x", ROLE_TEXT},
		{"```diff\n-word\n```", "word", ROLE_DELETED_LINE},
		{"```diff\n+word\n```", "word", ROLE_ADDED_LINE},
		{"---", "─", ROLE_BORDER},
		{"|word|\n|---|\n|x|", "word", ROLE_STRONG},
		{"|x|\n|---|\n|word|", "word", ROLE_TEXT},
		{"|x|\n|---|\n|word|", "│", ROLE_BORDER},
		{"a \u202E", "<202E>", ROLE_MARK},
		{"|a|\n|---|\n|\u202E|", "<202E>", ROLE_MARK},
	};
	size_t i;

	use_utf8();
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_eq(role_of(rows[i].raw, rows[i].word), rows[i].role, "%s",
			rows[i].raw);
}

/* md4c 0.4.8 crashes when a ")" follows the end of the text. */
Test(markdown, unfinished_link_before_a_bracket)
{
	struct buf out = BUF_INIT;

	use_utf8();
	draw((struct str){"x [link](aqu)", 12}, 40, "", &out);
	cr_assert_str_eq(out.data, "x [link](aqu");
	buf_done(&out);
}

Test(markdown, past_the_cap_is_plain)
{
	struct lines ls = {0};
	struct buf raw = BUF_INIT, last = BUF_INIT;

	use_utf8();
	while (raw.len < MARKDOWN_CAP)
		buf_text(&raw, "*x*\n");
	buf_text(&raw, "*plain*");
	markdown_lines(&ls, buf_view(&raw), 40, STR(""));
	cr_assert_eq(ls.count, MARKDOWN_CAP / 4 + 1);
	lines_plain(&ls, 0, &last);
	cr_assert_str_eq(last.data, "x");
	buf_clear(&last);
	lines_plain(&ls, ls.count - 1, &last);
	cr_assert_str_eq(last.data, "*plain*");
	lines_done(&ls);
	buf_done(&raw);
	buf_done(&last);
}

/* Properties */

static void random_document(struct buf *b, unsigned parts)
{
	static const char *const bits[] = {"\n", "\n", "\n\n", " ", "  ", "    ", "- ",
		"* ", "1. ", "> ", "# ", "```", "```py\n", "`", "**", "*", "_", "~~", "[",
		"](", ")", "![", "|", "|a|b|\n|---|:-:|\n", "|---|---|\n", "---\n",
		"===\n", "<div>", "<!--", "-->", "&amp;", "&#x202e;", "word",
		"a longer word", "中文", "👩‍👩‍👧", "e\u0301", "\u200B",
		"\x1b[31m", "\t", "\\", "\\\n", "\r", "http://a.b/c", "[a]: u\n", "[a]",
		"- [x] ", "\xff", "|", "|"};

	while (parts--)
		buf_text(b, bits[(size_t)rand() % (sizeof(bits) / sizeof(*bits))]);
	if (rand() % 8 == 0)
		buf_byte(b, '\0');
}

static bool is_blank(const struct lines *ls, size_t line)
{
	struct buf plain = BUF_INIT;
	bool blank;

	lines_plain(ls, line, &plain);
	blank = str_trim(buf_view(&plain)).n == 0;
	buf_done(&plain);
	return blank;
}

static void check_document(struct str raw, uint32_t width)
{
	struct lines ls = {0};
	struct buf plain = BUF_INIT;
	size_t i;

	markdown_lines(&ls, raw, width, STR(""));
	for (i = 0; i < ls.count; i++) {
		buf_clear(&plain);
		lines_plain(&ls, i, &plain);
		if (width != WRAP_NEVER)
			cr_assert_leq(ls.lines[i].width, width, "%s", raw.p);
		cr_assert_eq(safe_width(buf_view(&plain)), ls.lines[i].width);
	}
	if (ls.count) {
		cr_assert(!is_blank(&ls, 0), "blank first at %u: %s", width, raw.p);
		cr_assert(!is_blank(&ls, ls.count - 1), "blank last at %u: %s", width,
			raw.p);
	}
	lines_done(&ls);
	buf_done(&plain);
}

Test(markdown, random_documents)
{
	struct buf raw = BUF_INIT;
	uint32_t width, round;

	use_utf8();
	srand(7);
	for (round = 0; round < 40; round++) {
		for (width = 0; width <= 200; width++) {
			buf_clear(&raw);
			random_document(&raw, 1 + (unsigned)rand() % 60);
			check_document(buf_view(&raw), width);
		}
	}
	buf_done(&raw);
}

static void repeat(struct buf *b, const char *head, const char *text, size_t size)
{
	buf_clear(b);
	buf_text(b, head);
	while (b->len + strlen(text) <= size)
		buf_text(b, text);
}

/* Far from the goal of 0.1 s, so as to hold on a busy machine with sanitizers. */
#define TOO_LONG 20000000

#define TEN(x) x x x x x x x x x x

/* Rows that would be filled up with a million cells are shown as they are written. */
Test(markdown, wide_table_of_short_rows)
{
	struct buf raw = BUF_INIT, line = BUF_INIT;
	struct lines ls = {0};

	use_utf8();
	repeat(&raw, TEN(TEN("|n")) "|\n" TEN(TEN("|-")) "|\n", "|a|\n", MARKDOWN_CAP);
	markdown_lines(&ls, buf_view(&raw), WRAP_NEVER, STR(""));
	lines_plain(&ls, 2, &line);
	cr_expect_str_eq(line.data, "|a|");
	lines_done(&ls);
	buf_done(&line);
	buf_done(&raw);
}

Test(markdown, bombs)
{
	static const struct {
		const char *head, *text;
	} rows[] = {{"", "> "}, {"", "- "}, {"", "1. "}, {"", "["}, {"", "![a"},
		{"", "*a **a "}, {"", "_a "}, {"", "a_ "}, {"", "[a]("}, {"", "`a"},
		{"", "<!"}, {"", "<a "}, {"", "http://a.b "}, {"", "[a]: u\n"},
		{"", "***\n\n"}, {"", "# \n"}, {"|a|\n|---|\n", "|a|\n"},
		{"|n|n|n|n|n|n|n|n|\n|---|---|---|---|---|---|---|---|\n", "|a|\n"},
		{"", "&#x1F600;"}, {"a", "\u0301"}, {"", "~"}, {"", "> - "}, {"", "\n"},
		{"", "[a\n"}, {"", "> 1. [a]: u\n"}, {"", "]\n"},
		{TEN(TEN("|n")) "|\n" TEN(TEN("|-")) "|\n", "|a|\n"}};
	static const uint32_t widths[] = {80, 1, WRAP_NEVER};
	struct buf raw = BUF_INIT;
	struct lines ls = {0};
	uint64_t start;
	size_t i, k;

	use_utf8();
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		repeat(&raw, rows[i].head, rows[i].text, MARKDOWN_CAP);
		for (k = 0; k < 3; k++) {
			start = clock_us();
			lines_clear(&ls);
			markdown_lines(&ls, buf_view(&raw), widths[k], STR(""));
			cr_expect_lt(clock_us() - start, TOO_LONG, "%s", rows[i].text);
			cr_expect_lt(ls.text.len, 64u << 20, "%s: %zu", rows[i].text,
				ls.text.len);
		}
	}
	lines_done(&ls);
	buf_done(&raw);
}

/* A long name above many rows, a long address used many times: output must stay in
 * bounds. */
Test(markdown, amplification)
{
	struct buf raw = BUF_INIT;
	struct lines ls = {0};
	size_t size = MARKDOWN_CAP / 2;

	use_utf8();
	buf_byte(&raw, '|');
	buf_fill(&raw, 'n', size);
	buf_text(&raw, "|\n|---|\n");
	while (raw.len + 4 < MARKDOWN_CAP)
		buf_text(&raw, "|a|\n");
	markdown_lines(&ls, buf_view(&raw), 80, STR(""));
	cr_expect_lt(ls.text.len, 16u << 20);
	lines_clear(&ls);
	buf_clear(&raw);
	buf_text(&raw, "[a]: ");
	buf_fill(&raw, 'u', size);
	buf_text(&raw, "\n\n");
	while (raw.len + 3 < MARKDOWN_CAP)
		buf_text(&raw, "[a]");
	markdown_lines(&ls, buf_view(&raw), 80, STR(""));
	cr_expect_lt(ls.text.len, 16u << 20);
	lines_done(&ls);
	buf_done(&raw);
}

/* With a limit of lines the output is the beginning of the whole output. */
Test(markdown, enough_is_the_beginning_of_all)
{
	static const char text[] =
		"# A heading\n\nA paragraph of words that goes on for *some* lines, so "
		"that it is\nwrapped.\n\n- one\n- two\n  with more\n\n1. first\n2. "
		"second\n\n"
		"> a quote\n> of two lines\n\n```c\nint x;\n\nint y;\n```\n\n| a | b |\n"
		"|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nThe end, with a "
		"[link](http://x.y).\n";
	struct lines all = {0}, some = {0};
	struct buf expected = BUF_INIT, got = BUF_INIT;

	use_utf8();
	for (uint32_t width = 1; width < 60; width++) {
		lines_clear(&all);
		markdown_lines(&all, str_of(text), width, STR(" "));
		for (size_t enough = 1; enough < all.count + 3; enough++) {
			lines_clear(&some);
			some.limit = enough;
			markdown_lines(&some, str_of(text), width, STR(" "));
			if (enough > all.count)
				cr_assert_eq(some.count, all.count);
			else
				cr_assert_geq(some.count, enough);
			for (size_t i = 0; i + 1 < enough && i < all.count; i++) {
				buf_clear(&expected);
				buf_clear(&got);
				lines_plain(&all, i, &expected);
				lines_plain(&some, i, &got);
				cr_assert_str_eq(got.data, expected.data,
					"width %u, enough %zu, line %zu", width, enough,
					i);
			}
		}
	}
	buf_done(&expected);
	buf_done(&got);
	lines_done(&all);
	lines_done(&some);
}
