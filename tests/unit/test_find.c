/*
 * What of searching on the screen stands by itself: marks in wrapped lines, the walk
 * through a document, and the line that is typed.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdlib.h>

#include "term/term.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "ui/core/app.h"
#include "view/doc_hits.h"
#include "view/tree.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))
#define CTRL(c)     ((c)&0x1F)

static void utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
}

TestSuite(marks, .init = utf8);
TestSuite(seek, .init = utf8);
TestSuite(prompt, .init = utf8);

static struct query *query_of(const char *text)
{
	struct query *q = query_new(str_of(text), QUERY_REGEX, NULL);

	cr_assert(q, "%s", text);
	return q;
}

/* ---- marks ---- */

/* The lines joined by "|", with what is marked in brackets and the hit `found` in braces.
 */
static void draw(
	const struct highlights *m, const struct lines *ls, size_t found, struct buf *out)
{
	struct lines one = {0};

	buf_clear(out);
	buf_text(out, "");
	for (size_t i = 0; i < ls->count; i++) {
		if (i)
			buf_byte(out, '|');
		if (!highlights_show(m, ls, i, found, &one)) {
			lines_plain(ls, i, out);
			continue;
		}
		cr_expect_eq(one.lines[0].width, ls->lines[i].width);
		for (size_t s = 0; s < one.span_count; s++) {
			enum role role = one.spans[s].role;

			buf_text(out, role == ROLE_HIT     ? "["
				      : role == ROLE_FOUND ? "{"
							   : "");
			buf_str(out, lines_text(&one, &one.spans[s]));
			buf_text(out, role == ROLE_HIT     ? "]"
				      : role == ROLE_FOUND ? "}"
							   : "");
		}
	}
	lines_done(&one);
}

Test(marks, in_wrapped_text)
{
	static const struct {
		const char *text, *pattern;
		uint32_t width;
		const char *indent, *lines;
	} rows[] = {
		{"one two three", "two", 80, "", "one [two] three"},
		{"one two three", "two three", 8, "", "one [two]|[three]"},
		{"one two   three", "two   three", 8, "", "one [two]|[three]"},
		{"one two   three", "two three", 8, "", "one two|three"},
		{"abcdefghij", "cdefg", 4, "", "ab[cd]|[efg]h|ij"},
		{"abcdefghij", "cdefg", 4, "  ", "  ab|  [cd]|  [ef]|  [g]h|  ij"},
		{"well-known", "l-k", 6, "", "wel[l-]|[k]nown"},
		{"\u4E2D\u6587\u4E2D", "\u6587\u4E2D", 4, "", "\u4E2D[\u6587]|[\u4E2D]"},
		{"first\nsecond", "t\\ns", 80, "", "firs[t]|[s]econd"},
		{"first\nsecond", "^s", 80, "  ", "  first|  [s]econd"},
		{"a b", "^  a", 80, "  ", "  a b"},
		{"x\x1b[31my", "\\x1b\\[3", 80, "", "x[\u241B[3]1my"},
		{"x\u202Ey\u200Bz", "\\u202ey.z", 80, "", "x[<202E>y<200B>z]"},
		{"x\xFFy", "x.y", 80, "", "[x\uFFFDy]"},
		{"x\x7Fy", "\\x7f", 80, "", "x[\u2421]y"},
		{"<202E>", "<2", 80, "", "[<2]02E>"},
		{"e\u0301a", "e", 80, "", "[e\u0301]a"},
		{"aaaa", "aa", 80, "", "[aaaa]"},
		{"nothing here", "x", 80, "", "nothing here"},
	};
	struct highlights m = {0};
	struct buf got = BUF_INIT;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct query *q = query_of(rows[i].pattern);
		struct lines ls = {0};

		wrap_text(&ls, str_of(rows[i].text), rows[i].width,
			str_of(rows[i].indent), ROLE_TEXT);
		highlights_find(&m, &ls, q, &(uint64_t){MARKS_TIME_LIMIT});
		draw(&m, &ls, SIZE_MAX, &got);
		cr_expect_str_eq(got.data, rows[i].lines, "row %zu: %s", i, got.data);
		lines_done(&ls);
		query_free(q);
	}
	highlights_done(&m);
	buf_done(&got);
}

/* Punctuation and quotes around values belong to no text; a hit is told from the others.
 */
Test(marks, of_json)
{
	static const char text[] = "{\"key\":\"a key\",\"n\":[1,\"key\"]}";
	struct query *q = query_of("^key$|1");
	struct buf got = BUF_INIT, all = BUF_INIT;
	struct highlights m = {0};
	struct doc d = {0};

	doc_width(&d, 40);
	tree_add(&d, (struct jv)JV_NONE, jv_parse(str_of(text)), 0);
	for (size_t i = 0; i < d.count; i++) {
		const struct lines *ls = doc_layout(&d, i);

		highlights_find(&m, ls, q, &(uint64_t){MARKS_TIME_LIMIT});
		draw(&m, ls, 0, &got);
		buf_printf(&all, "%s%s", i ? "/" : "", got.data);
	}
	cr_expect_str_eq(all.data,
		"\u25BE { 2 keys/    \"{key}\": \"a key\"/  \u25BE \"n\": [ 2 items"
		"/      0: {1}/      1: \"{key}\"",
		"%s", all.data);
	doc_done(&d);
	highlights_done(&m);
	query_free(q);
	buf_done(&got);
	buf_done(&all);
}

static bool count_one(void *ctx, uint64_t from, uint64_t to)
{
	(void)from;
	(void)to;
	++*(size_t *)ctx;
	return true;
}

/* Wrapping hides no hit, at any width. */
Test(marks, of_random_texts)
{
	static const char *const parts[] = {" ", " ", "ab", "abc", "b", "-", "\u4E2D",
		"\n", "\x1b", "\u202E", "e\u0301", "longer-word", "\xE2"};
	static const char *const patterns[] = {
		"ab", "\u4E2D", "\\x1b", "a|b", "b-?a", "\u202e"};
	struct highlights m = {0};

	srand(7);
	for (int round = 0; round < 300; round++) {
		struct query *q = query_of(patterns[(size_t)rand() % COUNT(patterns)]);
		struct buf text = BUF_INIT;
		struct lines ls = {0};
		size_t hits = 0;

		for (int i = 0; i < 60; i++)
			buf_text(&text, parts[(size_t)rand() % COUNT(parts)]);
		query_each(q, buf_view(&text), count_one, &hits);
		wrap_text(&ls, buf_view(&text), 8 + (uint32_t)rand() % 40, STR("  "),
			ROLE_TEXT);
		highlights_find(&m, &ls, q, &(uint64_t){MARKS_TIME_LIMIT});
		cr_expect_eq(m.hits, hits, "round %d: %zu, not %zu", round, m.hits, hits);
		for (size_t i = 1; i < m.count; i++)
			cr_assert(m.items[i].line >= m.items[i - 1].line);
		lines_done(&ls);
		buf_done(&text);
		query_free(q);
	}
	highlights_done(&m);
}

/* ---- the walk ---- */

struct stop {
	const char *value;
	size_t hit;
};

/* All hits of a document in the order of the walk, as their values' addresses. */
static size_t walk(struct hit_walk *s, struct doc *d, struct stop *stops, size_t most)
{
	enum task_state status;
	size_t n = 0;

	hit_walk_from_edge(s, d);
	while ((status = hit_walk_run(s, UINT64_MAX)) != TASK_FAILED) {
		cr_assert(status == TASK_DONE && n < most);
		stops[n++] = (struct stop){d->blocks[s->block].value.p, s->hit};
		hit_walk_from_place(s, d, (struct place){s->block, 0}, s->hit);
	}
	return n;
}

static void put_array(struct buf *out, size_t items, size_t every)
{
	buf_text(out, "{\"list\":[");
	for (size_t i = 0; i < items; i++)
		buf_printf(out, "%s%s", i ? "," : "",
			i % every ? "[0]" : "{\"deep\":[{\"er\":\"x x\"}]}");
	buf_text(out, "],\"x\":\"{\\\"in\\\":[\\\"x\\\"]}\"}");
}

/* Forward and back the same hits, through containers that are put in a thousand at a
 * time, through folds and JSON in strings. */
Test(seek, there_and_back)
{
	static const size_t sizes[][2] = {
		{1, 1}, {10, 3}, {2500, 700}, {3100, 3099}, {5000, 250}};
	struct query *q = query_of("x");

	for (size_t i = 0; i < COUNT(sizes); i++) {
		size_t expected = 2 * ((sizes[i][0] - 1) / sizes[i][1] + 1) + 2, n;
		struct stop there[64], back[64];
		struct buf text = BUF_INIT;
		struct hit_walk s;
		struct doc d = {0};

		put_array(&text, sizes[i][0], sizes[i][1]);
		doc_width(&d, 60);
		tree_add(&d, (struct jv)JV_NONE, jv_parse(buf_view(&text)), 0);
		hit_walk_init(&s, q);
		s.back = i % 2; /* the one that comes first opens what is closed */
		n = walk(&s, &d, s.back ? back : there, 64);
		cr_expect_eq(n, expected, "%zu: %zu, not %zu", i, n, expected);
		s.back = !s.back;
		cr_expect_eq(walk(&s, &d, s.back ? back : there, 64), n);
		for (size_t k = 0; k < n; k++)
			cr_expect(there[k].value == back[n - 1 - k].value &&
				  there[k].hit == back[n - 1 - k].hit);
		hit_walk_done(&s);
		doc_done(&d);
		buf_done(&text);
	}
	query_free(q);
}

/* What holds nothing stays as it is. */
Test(seek, opens_only_what_holds_a_hit)
{
	static const char text[] = "{\"a\":[[[[[1,2,3]]]]],\"b\":[[[[[1,\"x\",3]]]]]}";
	struct query *q = query_of("x");
	struct doc d = {0};
	struct hit_walk s;
	size_t before;

	doc_width(&d, 60);
	tree_add(&d, (struct jv)JV_NONE, jv_parse(str_of(text)), 0);
	before = d.count;
	hit_walk_init(&s, q);
	hit_walk_from_edge(&s, &d);
	cr_expect_eq(hit_walk_run(&s, UINT64_MAX), TASK_DONE);
	cr_expect_eq(d.blocks[s.block].value.kind, J_STRING);
	cr_expect_eq(d.count, before + 5, "%zu", d.count - before);
	hit_walk_done(&s);
	doc_done(&d);
	query_free(q);
}

/* A slice that has no time at all comes to the same end. */
Test(seek, in_the_smallest_slices)
{
	struct query *q = query_of("x");
	struct buf text = BUF_INIT;
	struct doc d = {0};
	struct hit_walk s;
	size_t slices = 0;

	put_array(&text, 3000, 2999);
	doc_width(&d, 60);
	tree_add(&d, (struct jv)JV_NONE, jv_parse(buf_view(&text)), 0);
	hit_walk_init(&s, q);
	s.back = true;
	hit_walk_from_edge(&s, &d);
	while (hit_walk_run(&s, 0) == TASK_MORE)
		slices++;
	cr_expect(slices > 0);
	cr_expect(d.blocks[s.block].value.kind == J_STRING);
	hit_walk_done(&s);
	doc_done(&d);
	buf_done(&text);
	query_free(q);
}

/* ---- the line that is typed ---- */

static struct buf given;
static bool accepts;

static bool take(struct app *app, struct str text)
{
	(void)app;
	buf_clear(&given);
	buf_str(&given, text);
	return accepts;
}

static const struct prompt_kind question = {.done = take, .history = HISTORY_SEARCHES};

static struct app app;
static struct prompt *const p = &app.prompt;

static void type(const uint32_t *keys)
{
	for (; *keys; keys++)
		prompt_key(&app, *keys);
}

Test(prompt, editing)
{
	static const struct {
		uint32_t keys[16];
		const char *text;
		size_t cursor;
	} rows[] = {
		{{'a', 'b', 0}, "ab", 2},
		{{'a', 'b', TERM_LEFT, 'x', 0}, "axb", 2},
		{{'a', 'b', TERM_HOME, 'x', TERM_END, 'y', 0}, "xaby", 4},
		{{0x4E2D, 0x6587, TERM_LEFT, TERM_BACKSPACE, 0}, "\u6587", 0},
		{{0x4E2D, 'a', TERM_HOME, TERM_DELETE, 0}, "a", 0},
		{{'a', ' ', 'b', 'c', CTRL('W'), 0}, "a ", 2},
		{{'a', 'b', TERM_LEFT, CTRL('U'), 0}, "b", 0},
		{{'a', 'b', TERM_LEFT, CTRL('K'), 0}, "a", 1},
		{{'a', 0x07, 0x7F, TERM_F1, 'b', 0}, "ab", 2},
		{{TERM_LEFT, TERM_BACKSPACE, TERM_DELETE, TERM_RIGHT, CTRL('W'), 0}, "",
			0},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		prompt_ask(&app, &question, "/", STR(""));
		type(rows[i].keys);
		cr_expect(str_equal(buf_view(&p->text), str_of(rows[i].text)),
			"row %zu: %.*s", i, (int)p->text.len, p->text.data);
		cr_expect_eq(p->cursor, rows[i].cursor, "row %zu", i);
		cr_expect(p->kind != NULL);
	}
	prompt_done(p);
}

Test(prompt, earlier_texts)
{
	static const uint32_t typed[] = {'n', 'e', 'w', 0};
	struct choices *h = &app.prompt.histories[HISTORY_SEARCHES];

	prompt_history_add(h, STR("one"));
	prompt_history_add(h, STR("two"));
	prompt_history_add(h, STR("one")); /* again: now the last */
	cr_expect_eq(h->count, 2);
	prompt_ask(&app, &question, "/", STR(""));
	type(typed);
	prompt_key(&app, TERM_UP);
	cr_expect_str_eq(p->text.data, "one");
	prompt_key(&app, TERM_UP);
	prompt_key(&app, TERM_UP);
	cr_expect_str_eq(p->text.data, "two");
	prompt_key(&app, TERM_DOWN);
	prompt_key(&app, TERM_DOWN);
	prompt_key(&app, TERM_DOWN);
	cr_expect_str_eq(p->text.data, "new");
	prompt_done(p);
}

Test(prompt, refusing)
{
	static const uint32_t typed[] = {'a', '(', '\r', 0};

	accepts = false;
	prompt_ask(&app, &question, "/", STR(""));
	type(typed);
	cr_expect_str_eq(given.data, "a(");
	cr_expect(p->kind != NULL);
	prompt_refuse(&app, 1, "wrong");
	cr_expect_str_eq(p->note.data, "at 2: wrong");
	cr_expect_eq(p->cursor, 1);
	accepts = true;
	prompt_key(&app, TERM_BACKSPACE);
	cr_expect_eq(p->note.len, 0);
	prompt_key(&app, '\r');
	cr_expect_str_eq(given.data, "(");
	cr_expect(p->kind == NULL);
	prompt_done(p);
	buf_done(&given);
}
