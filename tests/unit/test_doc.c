/*
 * Documents and what fills them: rows and folds of view/doc, JSON trees, the list of
 * steps, and how figures are written.  A document of plain blocks says exactly what must
 * be seen; trees are compared with what walking the whole of them shows.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/work.h"
#include "import/load.h"
#include "text/safe.h"
#include "view/conversation.h"
#include "view/doc.h"
#include "view/facts.h"
#include "view/steps.h"
#include "view/tree.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static void utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
}

TestSuite(doc, .init = utf8);
TestSuite(tree, .init = utf8);
TestSuite(steps, .init = utf8);
TestSuite(views, .init = utf8);
TestSuite(facts, .init = utf8);

/* ---- blocks of so many rows ---- */

/* `index` rows, numbered. */
static void layout_rows(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	(void)width;
	for (uint64_t i = 0; i < b->index; i++) {
		lines_begin(out);
		lines_printf(out, ROLE_TEXT, "%zu.%d", (size_t)(b - d->blocks), (int)i);
	}
}

/* Twice the rows in half the width. */
static void layout_wide(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	(void)d;
	for (uint64_t i = 0; i < b->index * 100 / width; i++)
		lines_begin(out);
}

static void expand_three(struct doc *d, size_t at);
static bool toggle_two(struct doc *d, size_t at);

static const struct block_ops rows_ops = {.layout = layout_rows};
static const struct block_ops wide_ops = {.layout = layout_wide};
static const struct block_ops lazy_ops = {.layout = layout_rows, .expand = expand_three};
static const struct block_ops fold_ops = {.layout = layout_rows, .toggle = toggle_two};

static void expand_three(struct doc *d, size_t at)
{
	for (size_t i = 1; i <= 3; i++)
		doc_insert_many(d, at + i, &rows_ops, 1)->index = i;
}

static bool toggle_two(struct doc *d, size_t at)
{
	d->blocks[at].open = !d->blocks[at].open;
	if (!d->blocks[at].open) {
		doc_remove(d, at + 1, 2);
		return true;
	}
	for (size_t i = 1; i <= 2; i++) {
		struct block *b = doc_insert_many(d, at + i, &rows_ops, 1);

		b->index = 1;
		b->level = d->blocks[at].level + 1;
	}
	return true;
}

static struct block *add(struct doc *d, const struct block_ops *ops, uint64_t rows)
{
	struct block *b = doc_add(d, ops);

	b->index = rows;
	b->level = 1;
	return b;
}

static void add_message(struct doc *d, uint64_t rows, uint64_t more_rows)
{
	struct block *b = add(d, &rows_ops, 1);

	b->head = true;
	b->limit = DOC_FOLD;
	add(d, &rows_ops, rows);
	if (more_rows)
		add(d, &rows_ops, more_rows);
}

/* Every place from the first to the last; the caller frees it. */
static struct place *walk(struct doc *d, size_t *count)
{
	struct place p = {0, 0}, *all = NULL;
	size_t cap = 0;

	*count = 0;
	doc_settle(d, &p);
	do {
		all = mem_grow(all, &cap, *count + 1, sizeof(*all));
		all[(*count)++] = p;
	} while (doc_down(d, &p, 1));
	return all;
}

static size_t rows_of(struct doc *d)
{
	size_t n;

	mem_free(walk(d, &n));
	return n;
}

static void assert_place(struct place p, size_t block, uint32_t row, const char *what)
{
	cr_assert_eq(p.block, block, "%s: block %zu, not %zu", what, p.block, block);
	cr_assert_eq(p.row, row, "%s: row %u, not %u", what, p.row, row);
}

Test(doc, up_visits_what_down_visits)
{
	struct doc d = {0};
	size_t n;
	struct place *all, p;

	add(&d, &rows_ops, 0);
	add(&d, &lazy_ops, 2);
	add_message(&d, 30, 4);
	add(&d, &rows_ops, 0);
	add_message(&d, 3, 0);
	add(&d, &lazy_ops, 0);
	doc_width(&d, 80);
	all = walk(&d, &n);
	p = doc_end(&d);
	for (size_t i = n; i-- > 0;) {
		assert_place(p, all[i].block, all[i].row, "on the way up");
		cr_assert_eq(doc_up(&d, &p, 1), i > 0);
	}
	p = all[0];
	cr_assert(doc_down(&d, &p, n - 1));
	assert_place(p, all[n - 1].block, all[n - 1].row, "at once");
	cr_assert_not(doc_down(&d, &p, 5));
	assert_place(p, all[n - 1].block, all[n - 1].row, "past the end");
	cr_assert(doc_up(&d, &p, n - 1));
	cr_assert_not(doc_up(&d, &p, 5));
	assert_place(p, all[0].block, all[0].row, "past the start");
	mem_free(all);
	doc_done(&d);
}

Test(doc, empty_documents_have_no_rows)
{
	struct doc d = {0};
	struct place p = {7, 7};

	doc_settle(&d, &p);
	assert_place(p, 0, 0, "settled");
	assert_place(doc_end(&d), 0, 0, "end");
	cr_assert_not(doc_down(&d, &p, 1));
	cr_assert_not(doc_up(&d, &p, 1));
	cr_assert_not(doc_toggle(&d, &p));
	add(&d, &rows_ops, 0); /* a block without a row is as good as none */
	cr_assert_not(doc_down(&d, &p, 1));
	assert_place(doc_end(&d), 0, 0, "end of nothing");
	doc_done(&d);
}

Test(doc, places_move_with_their_blocks)
{
	struct doc d = {0};

	for (int i = 0; i < 10; i++)
		add(&d, &rows_ops, 2);
	d.places[0] = (struct place){5, 1};
	d.places[1] = (struct place){2, 0};
	doc_insert_many(&d, 3, &rows_ops, 4);
	assert_place(d.places[0], 9, 1, "behind an insertion");
	assert_place(d.places[1], 2, 0, "before an insertion");
	doc_insert_many(&d, 2, &rows_ops, 1);
	assert_place(d.places[1], 3, 0, "at an insertion");
	doc_remove(&d, 4, 4);
	assert_place(d.places[0], 6, 1, "behind a removal");
	doc_remove(&d, 5, 3);
	assert_place(d.places[0], 4, 0, "removed: the block before");
	doc_remove(&d, 0, 5);
	assert_place(d.places[0], 0, 0, "removed from the start");
	assert_place(d.places[1], 0, 0, "removed from the start");
	doc_done(&d);
}

#define MANY 30000

static void expand_many(struct doc *d, size_t at)
{
	for (size_t i = 1; i <= MANY; i++)
		doc_insert_many(d, at + i, &rows_ops, 1)->index = 1;
}

static const struct block_ops many_ops = {.layout = layout_rows, .expand = expand_many};

/* Where each piece moved all that follows, this would take minutes. */
Test(doc, many_pieces_before_many_messages)
{
	struct doc d = {0};

	doc_width(&d, 80);
	add(&d, &many_ops, 1)->head = true;
	for (size_t i = 0; i < MANY; i++)
		add(&d, &rows_ops, 1)->value.n = i;
	d.places[0] = (struct place){5, 0};
	cr_assert_eq(doc_rows(&d, 0), 1);
	cr_assert_eq(d.count, 1 + 2 * MANY);
	assert_place(d.places[0], 5 + MANY, 0, "behind the pieces");
	for (size_t i = 0; i < MANY; i++)
		cr_assert_eq(d.blocks[1 + MANY + i].value.n, i);
	doc_done(&d);
}

/* The pieces behind the fold of a message are neither shown nor looked at. */
Test(doc, a_fold_is_stepped_over_both_ways)
{
	struct doc d = {0};
	struct place p = {0, 0};

	doc_width(&d, 80);
	add_message(&d, 5, 30);
	for (int i = 0; i < 1000; i++)
		add(&d, &rows_ops, (uint64_t)i % 3);
	add_message(&d, 1, 0);
	cr_assert(doc_down(&d, &p, 22));
	assert_place(p, 1003, 0, "the next message");
	cr_assert_eq(d.laid, 4, "%zu blocks were laid out", d.laid);
	cr_assert(doc_up(&d, &p, 1));
	assert_place(p, 2, 15, "the line that says that there is more");
	cr_assert_eq(d.laid, 4, "%zu blocks were laid out", d.laid);
	doc_done(&d);
}

Test(doc, a_new_width_keeps_the_part_of_a_block)
{
	struct doc d = {0};

	doc_width(&d, 50);
	add(&d, &wide_ops, 1);
	add(&d, &wide_ops, 20);
	d.places[0] = (struct place){1, 30}; /* of 40 */
	doc_width(&d, 100);
	assert_place(d.places[0], 1, 15, "wider");
	doc_width(&d, 25);
	assert_place(d.places[0], 1, 60, "narrower");
	doc_done(&d);
}

Test(doc, long_messages_are_cut)
{
	static const struct {
		uint64_t first, second;
		size_t rows; /* the speaker's included */
	} cases[] = {
		{0, 0, 1},
		{19, 0, 20},
		{20, 0, 21},
		{21, 0, 22},
		{22, 0, 22},
		{500, 0, 22},
		{10, 10, 21},
		{10, 11, 22},
		{10, 12, 22},
		{20, 5, 22},
		{19, 1, 21},
		{1, 900, 22},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct doc d = {0};

		doc_width(&d, 80);
		add_message(&d, cases[i].first, cases[i].second);
		cr_assert_eq(
			rows_of(&d), cases[i].rows, "case %zu: %zu rows", i, rows_of(&d));
		doc_done(&d);
	}
}

Test(doc, a_message_opens_closes_and_comes_back)
{
	struct doc d = {0};
	struct place p = {0, 0};

	doc_width(&d, 80);
	add_message(&d, 30, 5);
	add_message(&d, 2, 0);
	cr_assert_eq(rows_of(&d), 22 + 3);
	cr_assert(doc_toggle(&d, &p));
	cr_assert_eq(rows_of(&d), 36 + 3);
	cr_assert(doc_down(&d, &p, 33));
	assert_place(p, 2, 2, "in the second block");
	cr_assert(doc_toggle(&d, &p));
	assert_place(p, 0, 0, "to the speaker, the rest is closed");
	cr_assert_eq(rows_of(&d), 1 + 3);
	cr_assert(doc_toggle(&d, &p));
	cr_assert_eq(rows_of(&d), 22 + 3);
	/* the short one has no middle */
	p = doc_end(&d);
	cr_assert(doc_toggle(&d, &p));
	assert_place(p, 3, 0, "the second speaker");
	cr_assert_eq(rows_of(&d), 22 + 1);
	cr_assert(doc_toggle(&d, &p));
	cr_assert_eq(rows_of(&d), 22 + 3);
	doc_done(&d);
}

Test(doc, the_line_that_says_more_opens_the_message)
{
	struct doc d = {0};
	struct place p;

	doc_width(&d, 80);
	add_message(&d, 10, 0);
	add(&d, &fold_ops, 15)->level = 1; /* the cut goes through something that folds */
	p = doc_end(&d);
	assert_place(p, 2, 10, "the last row");
	cr_assert(doc_toggle(&d, &p));
	cr_assert_not(d.blocks[2].open, "the fold of the block stays");
	cr_assert_eq(rows_of(&d), 26);
	doc_done(&d);
}

Test(doc, folds_go_one_way_each)
{
	struct doc d = {0};
	struct place p = {1, 0};

	doc_width(&d, 80);
	add(&d, &rows_ops, 1);
	add(&d, &fold_ops, 1);
	add(&d, &rows_ops, 1);
	cr_assert_not(doc_fold(&d, &p, false));
	cr_assert(doc_fold(&d, &p, true));
	cr_assert_not(doc_fold(&d, &p, true));
	cr_assert_eq(rows_of(&d), 5);
	cr_assert_eq(doc_parent(&d, 3), 1);
	cr_assert_eq(doc_parent(&d, 4), SIZE_MAX);
	cr_assert(doc_fold(&d, &p, false));
	cr_assert_eq(rows_of(&d), 3);
	p.block = 0;
	cr_assert_not(doc_fold(&d, &p, true), "nothing to open");
	doc_done(&d);
}

/* The answer is cached; whatever was asked before, it is that of a search. */
Test(doc, heads_are_found_after_every_change)
{
	struct doc d = {0};

	srand(7);
	for (int round = 0; round < 3000; round++) {
		size_t at = d.count ? (size_t)rand() % d.count : 0, want = SIZE_MAX;

		if (rand() % 4 == 0 && d.count > 50)
			doc_remove(&d, at, d.count - at < 3 ? d.count - at : 3);
		else if (rand() % 2)
			doc_insert_many(&d, at, &rows_ops, 2)->head = rand() % 8 == 0;
		if (!d.count)
			continue;
		at = (size_t)rand() % d.count;
		for (size_t i = at + 1; i-- > 0 && want == SIZE_MAX;)
			want = d.blocks[i].head ? i : SIZE_MAX;
		cr_assert_eq(doc_head(&d, at), want, "round %d", round);
	}
	doc_done(&d);
}

Test(doc, far_layouts_are_released)
{
	struct doc d = {0};
	size_t laid = 0;

	for (int i = 0; i < 1000; i++)
		add(&d, &rows_ops, 1);
	doc_width(&d, 80);
	cr_assert_eq(rows_of(&d), 1000);
	doc_trim(&d, 500, 50);
	for (size_t i = 0; i < d.count; i++)
		laid += d.blocks[i].lines != NULL;
	cr_assert_eq(laid, 101);
	cr_assert_eq(d.laid, laid);
	doc_done(&d);
}

/* ---- trees ---- */

static struct doc tree_of(const char *json, uint32_t width)
{
	struct doc d = {0};

	doc_width(&d, width);
	tree_add(&d, JV_NONE, jv_parse(str_of(json)), 0);
	return d;
}

/* An array of n small objects. */
static char *many(size_t n)
{
	struct buf out = BUF_INIT;

	buf_byte(&out, '[');
	for (size_t i = 0; i < n; i++)
		buf_printf(&out, "%s{\"id\": %zu}", i ? "," : "", i);
	buf_byte(&out, ']');
	return buf_take(&out);
}

static char *text_of(struct doc *d)
{
	struct buf out = BUF_INIT;
	size_t n;
	struct place *all = walk(d, &n);

	for (size_t i = 0; i < n; i++) {
		size_t line;
		const struct lines *ls = doc_line(d, all[i], &line);

		lines_plain(ls, line, &out);
		buf_byte(&out, '\n');
	}
	mem_free(all);
	return buf_take(&out);
}

/* 3x5 */
#define PNG                                                                              \
	"iVBORw0KGgoAAAANSUhEUgAAAAMAAAAFCAYAAACAcVaiAAAAEUlEQVR42mNkYPhfz0AEYBxVSF+"    \
	"FAP1wBAE8lWkAAAAASUVORK5CYII="
#define LETTERS "abcdefghijklmnopqrstuvwxyz0123456789+/ABCDEFGHIJKLMNOPQRSTUVWXYZ/+"
#define BASE64  LETTERS LETTERS LETTERS LETTERS LETTERS

Test(tree, shows_values_as_written)
{
	static const struct {
		const char *json, *text;
	} cases[] = {
		{"1.50", "  1.50\n"},
		{"{\"foo\":1}", "▾ { 1 key\n    \"foo\": 1\n"},
		{"{\"a\":1,\"a\":2e3}",
			"▾ { 2 keys\n    \"a\": 1\n    \"a\" (again): 2e3\n"},
		{"[true,{}]", "▾ [ 2 items\n    0: true\n    1: {}\n"},
		{"[]", "  []\n"},
		{"[\"a\\nb\"]", "▾ [ 1 item\n    0: \n      \"a\n      b\"\n"},
		{"[1, [2",
			"▾ [ 2 items cut\n    0: 1\n  ▾ 1: [ 1 item cut\n      0: 2\n"},
		{"{\"x\":\"[1]\"}", "▾ { 1 key\n  ▸ \"x\": \"[1]\"\n"},
		{"[12345678901234567890123456789012345678901234567890]",
			"▾ [ 1 item\n    0: \n      1234567890123456789012345678901234\n"
			"      5678901234567890\n"},
		/* data as what it is */
		{"[\"data:image\\/png;base64," PNG "\"]",
			"▾ [ 1 item\n    0: [image/png 3×5, 77 B]\n"},
		{"[\"" PNG PNG PNG "\"]", "▾ [ 1 item\n    0: [image/png 3×5, 233 B]\n"},
		{"[\"" BASE64 "\"]", "▾ [ 1 item\n    0: [base64, 247 B]\n"},
		{"[\"" BASE64, "▾ [ 1 item cut\n    0: [base64, 247 B] cut\n"},
		{"[\"data:text/plain,hello\"]",
			"▾ [ 1 item\n    0: \"data:text/plain,hello\"\n"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct doc d = tree_of(cases[i].json, 40);
		char *text = text_of(&d);

		cr_assert_str_eq(text, cases[i].text, "%s:\n%s", cases[i].json, text);
		mem_free(text);
		doc_done(&d);
	}
}

Test(tree, paths)
{
	struct doc d = tree_of(
		"{\"a\": [{\"b c\": null, \"d\": [7]}], \"1\": {\"e\": \"x\"}}", 80);
	static const char *const want[] = {"", "a", "a[0]", "a[0][\"b c\"]", "a[0].d",
		"a[0].d[0]", "[\"1\"]", "[\"1\"].e"};
	struct buf path = BUF_INIT;
	struct place p = {4, 0};

	cr_assert(doc_fold(&d, &p, true), "the fourth level is closed at first");
	cr_assert_eq(d.count, COUNT(want));
	for (size_t i = 0; i < d.count; i++) {
		buf_clear(&path);
		tree_path(&d, i, &path);
		cr_assert_eq(strcmp(path.len ? path.data : "", want[i]), 0,
			"node %zu: %s", i, path.data);
	}
	buf_done(&path);
	doc_done(&d);
}

Test(tree, json_in_a_string_opens_in_place)
{
	struct doc d = tree_of("[\"{\\\"k\\\": [1, 2]}\", \"{no}\", \"plain\"]", 80);
	struct buf path = BUF_INIT;
	struct place p = {1, 0};

	cr_assert(doc_fold(&d, &p, true));
	cr_assert_eq(d.count, 5);
	tree_path(&d, 2, &path);
	cr_assert_str_eq(path.data, "[0].k");
	p.block = 3; /* looks like JSON and is none */
	cr_assert_not(doc_fold(&d, &p, true));
	p.block = 4;
	cr_assert_not(doc_fold(&d, &p, true));
	p.block = 1;
	cr_assert(doc_fold(&d, &p, false));
	cr_assert_eq(d.count, 4);
	buf_done(&path);
	doc_done(&d);
}

Test(tree, thousands_of_children_come_in_batches)
{
	static const size_t counts[] = {999, 1000, 1001, 2000, 2001, 12345};

	for (size_t i = 0; i < COUNT(counts); i++) {
		char *json = many(counts[i]);
		struct doc d = tree_of(json, 80);
		struct buf path = BUF_INIT;
		char want[32];
		struct place p = {0, 0}, end;

		doc_fold(&d, &p, false);
		cr_assert_eq(d.count, 1);
		doc_fold(&d, &p, true);
		cr_assert_leq(d.count, 1002, "%zu blocks at first", d.count);
		end = doc_end(&d);
		tree_path(&d, end.block, &path);
		snprintf(want, sizeof(want), "[%zu]", counts[i] - 1);
		cr_assert_str_eq(path.data, want);
		cr_assert(doc_up(&d, &end, counts[i]));
		assert_place(end, 0, 0, "the root");
		cr_assert_eq(rows_of(&d), counts[i] + 1);
		doc_fold(&d, &p, false);
		cr_assert_eq(d.count, 1, "all of it is closed");
		buf_done(&path);
		doc_done(&d);
		mem_free(json);
	}
}

Test(tree, what_is_behind_a_fold_is_not_made)
{
	char *json = many(50000);
	struct doc d = {0};
	struct place p;
	struct block *b;

	doc_width(&d, 80);
	b = add(&d, &rows_ops, 1);
	b->head = true;
	b->limit = DOC_FOLD;
	tree_add(&d, JV_NONE, jv_parse(str_of(json)), 2);
	add_message(&d, 3, 0);
	p = doc_end(&d);
	cr_assert(doc_up(&d, &p, 4));
	cr_assert_leq(d.count, 2010, /* a batch, opened */
		"%zu blocks", d.count);
	cr_assert_eq(rows_of(&d), 22 + 4);
	doc_done(&d);
	mem_free(json);
}

Test(tree, previews_stay_within_their_cells)
{
	static const char *const values[] = {
		"{\"name\": \"search\", \"n\": 12, \"deep\": {\"x\": [1, 2]}, \"none\": "
		"{}}",
		"[1, \"two\", [3], {\"four\": 4}, null, true, [], \"a longer string at "
		"the end\"]",
		"\"漢字かな交じり文と emoji 👩 in a row of text\"",
		"{\"a very long key that does not fit into anything at all\": {\"x\": "
		"1}}",
		"123456789012345678901234567890",
		"{\"\\u001b[31m\": \"\x1b]0;x\x07\"}",
		"[]",
		"[[[[[[[[[[]]]]]]]]]]",
	};

	for (size_t i = 0; i < COUNT(values); i++)
		for (uint32_t width = 1; width <= 120; width++)
			for (uint32_t before = 0; before <= width && before < 9;
				before += 4) {
				struct lines ls = {0};

				lines_begin(&ls);
				lines_printf(&ls, ROLE_TEXT, "%*s", (int)before, "");
				tree_preview(&ls, jv_parse(str_of(values[i])), width);
				cr_assert_leq(ls.lines[0].width, width,
					"%s at %u of %u: %u", values[i], before, width,
					ls.lines[0].width);
				lines_done(&ls);
			}
}

Test(tree, previews_show_what_fits)
{
	static const struct {
		const char *json;
		uint32_t cells;
		const char *text;
	} cases[] = {
		{"{\"number\": \"FO-48213\"}", 80, "{\"number\": \"FO-48213\"}"},
		{"{\"number\": \"FO-48213\"}", 20, "{\"number\": \"FO-482…}"},
		{"[1, 2, 3]", 10, "[1, 2, 3]"},
		{"[1, 2, 3, 4]", 10, "[1, 2, 3…]"},
		{"[{\"a\": 1}, []]", 80, "[{…}, []]"},
		{"{}", 4, "{}"},
		{"1234567", 7, "1234567"},
		{"1234567", 6, "12345…"},
		{"{\"a\": \"" BASE64 "\", \"b\": 1}", 40,
			"{\"a\": [base64, 247 B], \"b\": 1}"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf text = BUF_INIT;
		struct lines ls = {0};

		lines_begin(&ls);
		tree_preview(&ls, jv_parse(str_of(cases[i].json)), cases[i].cells);
		lines_plain(&ls, 0, &text);
		cr_assert_str_eq(text.data, cases[i].text, "case %zu: %s", i, text.data);
		buf_done(&text);
		lines_done(&ls);
	}
}

/* Indented as deep as it may be, a line stays within the document. */
Test(tree, deep_nodes_stay_within_the_width)
{
	static const uint32_t widths[] = {1, 2, 3, 7, 20, 40, 80};

	for (size_t i = 0; i < COUNT(widths); i++) {
		struct buf json = BUF_INIT;
		struct doc d;

		buf_fill(&json, '[', 500);
		buf_text(&json, "\"some words in the middle\"");
		buf_fill(&json, ']', 500);
		d = tree_of(json.data, widths[i]);
		for (size_t at = 0; at < d.count; at++) {
			struct place p = {at, 0};

			doc_fold(&d, &p, true);
		}
		cr_assert_eq(d.count, 501);
		if (widths[i] >= 40)
			for (size_t at = 0; at < d.count; at++)
				cr_assert_leq(
					doc_layout(&d, at)->lines[0].width, widths[i]);
		else
			rows_of(&d);
		doc_done(&d);
		buf_done(&json);
	}
}

Test(tree, values_are_found_through_batches_and_folds)
{
	struct buf json = BUF_INIT;
	struct doc d = {0};
	const char *last;
	size_t at;

	buf_text(&json, "{\"deep\": {\"pad\": \"");
	buf_fill(&json, 'x', 5000); /* too long to be opened at first */
	buf_text(&json, "\", \"list\": [");
	for (int i = 0; i < 2500; i++)
		buf_text(&json, "{\"a\": 1}, ");
	buf_text(&json, "{\"last\": true}]}}");
	last = strstr(json.data, "{\"last");
	doc_width(&d, 80);
	tree_add(&d, JV_NONE, jv_parse(buf_view(&json)), 0);
	cr_assert_eq(d.count, 2);
	at = tree_find(&d, jv_parse(str_of(last)));
	cr_assert_neq(at, SIZE_MAX);
	cr_assert_eq(d.blocks[at].value.p, last);
	cr_assert_eq(d.blocks[at].index, 2500);
	cr_assert_eq(tree_find(&d, jv_parse(STR("{\"elsewhere\": 1}"))), SIZE_MAX);
	doc_done(&d);
	buf_done(&json);
}

/* ---- steps ---- */

#define STEP(id, parent, more)                                                           \
	"{\"id\":\"" id                                                                  \
	"\",\"event\":\"$ai_span\",\"timestamp\":\"2025-01-01T00:00:00Z\","              \
	"\"properties\":{\"$ai_span_name\":\"" id "\",\"$ai_parent_id\":\"" parent       \
	"\"" more "}}"

static struct trace *model_of(const char *json)
{
	struct trace *trace = trace_of_source(source_open_text("test", str_of(json)));
	struct load *l = load_begin(trace, NULL);
	struct err err = {.offset = ERR_NOWHERE};

	load_all(l, &err);
	load_free(l);
	err_done(&err);
	return trace;
}

/* The ids of the rows, "(…)" for chains. */
static char *rows_text(const struct steps_view *v)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < v->count; i++) {
		struct steps_row r = steps_at(v, i);

		if (r.is_chain)
			buf_printf(&out, "(%u)", r.chain);
		else
			step_title(v->trace, trace_at(v->trace, r.position), &out);
		buf_byte(&out, ' ');
	}
	return buf_take(&out);
}

static void assert_rows(const struct steps_view *v, const char *want)
{
	char *text = rows_text(v);

	cr_assert_str_eq(text, want);
	mem_free(text);
}

Test(steps, subtrees_fold)
{
	struct trace *trace =
		model_of("[" STEP("a", "", "") "," STEP("b", "a", "") "," STEP(
			"c", "b", "") "," STEP("d", "a", "") "," STEP("e", "", "") "]");
	struct steps_view v;

	steps_begin(&v, trace);
	steps_update(&v);
	assert_rows(&v, "a b c d e ");
	cr_assert(steps_has_children(&v, 0));
	cr_assert_not(steps_has_children(&v, 2));
	cr_assert_not(steps_toggle(&v, 2), "no children");
	cr_assert_eq(steps_parent(&v, 2), 1);
	cr_assert_eq(steps_parent(&v, 3), 0);
	cr_assert_eq(steps_parent(&v, 4), 4);
	cr_assert(steps_toggle(&v, 1));
	assert_rows(&v, "a b d e ");
	cr_assert(steps_is_closed(&v, 1));
	cr_assert_eq(steps_find(&v, 2), 1, "folded into its parent");
	cr_assert_eq(steps_find(&v, 4), 3);
	cr_assert(steps_toggle(&v, 0));
	assert_rows(&v, "a e ");
	cr_assert_eq(steps_find(&v, 2), 0, "folded into the outermost");
	cr_assert(steps_toggle(&v, 0));
	assert_rows(&v, "a b d e ");
	steps_done(&v);
	trace_free(trace);
}

Test(steps, chains_have_rows_and_fold)
{
	struct trace *trace =
		model_of("[" STEP("a", "", ",\"$ai_trace_id\":\"one\"") "," STEP(
			"b", "", ",\"$ai_trace_id\":\"two\"") "," STEP("c", "",
			",\"$ai_trace_id\":\"one\"") "]");
	struct steps_view v;

	steps_begin(&v, trace);
	steps_update(&v);
	assert_rows(&v, "(0) a c (1) b ");
	cr_assert_eq(steps_parent(&v, 2), 0);
	cr_assert_eq(steps_parent(&v, 3), 3);
	cr_assert(steps_toggle(&v, 0));
	assert_rows(&v, "(0) (1) b ");
	cr_assert_eq(steps_find(&v, 2), 0, "folded into its chain");
	cr_assert_eq(steps_find(&v, 1), 2);
	cr_assert(steps_toggle(&v, 0));
	assert_rows(&v, "(0) a c (1) b ");
	steps_done(&v);
	trace_free(trace);
}

Test(steps, lines_fill_their_width)
{
	struct trace *trace = model_of("[" STEP("a long name of a step 漢字", "",
		",\"$ai_model\":\"gpt-4\",\"$ai_input_tokens\":12,\"$ai_latency\":3,"
		"\"$ai_total_cost_usd\":0.01") "," STEP("b", "a long name of a step 漢字",
		"") "]");
	static const struct row_action action = {
		{"edit_file 漢字.c", sizeof("edit_file 漢字.c") - 1}, true, 1, false};
	struct steps_view v;
	struct lines ls = {0};

	steps_begin(&v, trace);
	steps_update(&v);
	for (uint32_t width = 24; width <= 200; width++)
		for (size_t row = 0; row < v.count; row++) {
			steps_line(&v, row, &ls, width, &action, row == 0);
			cr_assert_eq(ls.count, 1);
			cr_assert_eq(ls.lines[0].width, width, "row %zu at %u: %u", row,
				width, ls.lines[0].width);
		}
	for (uint32_t width = 0; width < 24; width++) {
		steps_line(&v, 0, &ls, width, &action, true);
		steps_titles(&v, &ls, width);
	}
	lines_done(&ls);
	steps_done(&v);
	trace_free(trace);
}

/* ---- one step in its views ---- */

static struct doc view_of(
	struct trace *trace, struct reading *r, bool input, enum side_mode mode)
{
	struct doc d = {0};

	doc_width(&d, 60);
	conversation_build(&d, trace, 0, r, input, mode);
	return d;
}

Test(views, a_message_has_its_place_in_chat_and_tree)
{
	struct trace *trace =
		model_of("[{\"id\":\"x\",\"event\":\"$ai_generation\",\"properties\":"
			 "{\"$ai_input\":\"[{\\\"role\\\":\\\"user\\\","
			 "\\\"content\\\":\\\"one\\\"},{\\\"role\\\":"
			 "\\\"user\\\",\\\"content\\\":\\\"two\\\"}]\"}}]");
	struct step_content *o = step_content_new(trace, 0);
	struct reading *r = reading_new(o, NULL);
	struct doc chat = view_of(trace, r, true, MODE_CHAT),
		   tree = view_of(trace, r, true, MODE_TREE);
	struct buf path = BUF_INIT;

	cr_assert_eq(chat.count, 2, "two messages, closed");
	cr_assert_eq(conversation_message(&o->input, &chat, 1), 1);
	conversation_go(&o->input, &tree, 1);
	tree_path(&tree, tree.places[0].block, &path);
	cr_assert_str_eq(path.data, "[1]");
	cr_assert_eq(conversation_message(&o->input, &tree, tree.places[0].block), 1);
	cr_assert_eq(conversation_message(&o->input, &tree, tree.places[0].block + 2), 1);
	cr_assert_eq(
		conversation_message(&o->input, &tree, 0), SIZE_MAX, "the array itself");
	conversation_go(&o->input, &chat, 0);
	assert_place(chat.places[0], 0, 0, "the first message");
	conversation_go(&o->input, &chat, 9);
	assert_place(chat.places[0], 0, 0, "no such message");
	buf_done(&path);
	doc_done(&chat);
	doc_done(&tree);
	reading_free(r);
	step_content_free(o);
	trace_free(trace);
}

static void assert_copied(const struct doc *d, size_t block, const char *expected)
{
	struct buf text = BUF_INIT;

	doc_copy_text(d, block, &text);
	cr_assert_str_eq(text.data, expected, "block %zu", block);
	buf_done(&text);
}

/* What names a value on its line is not what is wanted of it. */
Test(views, copying_gives_messages_arguments_and_results)
{
#define CALL                                                                             \
	"{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\",\"function\":"            \
	"{\"name\":\"f\",\"arguments\":\"{\\\"x\\\": 1}\"}}]}"
	struct trace *trace = model_of(
		"{\"prompt\":[{\"role\":\"user\",\"content\":\"hi\"}," CALL
		",{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":\"a\\tb\"}]}");
	struct step_content *o = step_content_new(trace, 0);
	struct reading *r = reading_new(o, NULL);
	struct doc d = view_of(trace, r, true, MODE_CHAT);

	rows_of(&d); /* opens all */
	assert_copied(&d, 0, "{\"role\":\"user\",\"content\":\"hi\"}");
	assert_copied(&d, 1, "hi");
	assert_copied(&d, 2, CALL);
	assert_copied(&d, 3, "{\"x\": 1}");
	assert_copied(&d, 4, "a\tb");
	doc_done(&d);
	reading_free(r);
	step_content_free(o);
	trace_free(trace);
#undef CALL
}

/* No fold may take away what stands beside it. */
Test(views, folds_close_over_their_own_only)
{
	struct trace *trace =
		model_of("{\"prompt\":[{\"role\":\"user\",\"content\":\"hi\"}],"
			 "\"completion\":[{\"role\":\"assistant\",\"content\":["
			 "{\"type\":\"thinking\",\"thinking\":\"hm\"},"
			 "{\"type\":\"text\",\"text\":\"{\\\"a\\\": 1}\"},"
			 "{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"f\","
			 "\"input\":{\"x\":{\"y\":2}}},"
			 "{\"type\":\"strange\",\"z\":3}]}]}");
	struct step_content *o = step_content_new(trace, 0);
	struct reading *r = reading_new(o, NULL);
	struct doc d = view_of(trace, r, false, MODE_CHAT);
	size_t rows = rows_of(&d);

	for (size_t i = 0; i < d.count; i++) {
		struct place p = {i, 0};
		size_t count = d.count;

		if (!doc_fold(&d, &p, true))
			continue;
		cr_assert_gt(d.count, count);
		cr_assert(doc_fold(&d, &p, false));
		cr_assert_eq(rows_of(&d), rows, "block %zu", i);
	}
	doc_done(&d);
	reading_free(r);
	step_content_free(o);
	trace_free(trace);
}

/* ---- figures ---- */

typedef void figure(struct buf *out, double n);

Test(facts, figures)
{
	static const struct {
		figure *write;
		double n;
		const char *text;
	} cases[] = {
		{facts_tokens, 0, "0"},
		{facts_tokens, 999, "999"},
		{facts_tokens, 9999, "9999"},
		{facts_tokens, 12345, "12.3k"},
		{facts_tokens, 999949, "999.9k"},
		{facts_tokens, 999951, "1.0M"},
		{facts_tokens, 4.5e6, "4.5M"},
		{facts_tokens, 0.5, "0.5"},
		{facts_tokens, NAN, ""},
		{facts_cost, 0, "$0"},
		{facts_cost, 0.025, "$0.025"},
		{facts_cost, 1.2, "$1.20"},
		{facts_cost, 0.0001, "$0.0001"},
		{facts_cost, 0.00007, "$0.00007"},
		{facts_cost, 0.000123, "$0.00012"},
		{facts_cost, 0.00015, "$0.00015"},
		{facts_cost, 0.0012345, "$0.0012"},
		{facts_cost, 0.0000000012, "$0.0000000012"},
		{facts_cost, 1e-300, "$0"},
		{facts_cost, -0.00007, "$-0.00007"},
		{facts_cost, 12345678901.0, "$12345678901"},
		{facts_cost, NAN, ""},
		{facts_latency, 0, "0s"},
		{facts_latency, 0.85, "850ms"},
		{facts_latency, 0.9994, "999ms"},
		{facts_latency, 0.9999, "1.0s"},
		{facts_latency, 2.34, "2.3s"},
		{facts_latency, 45, "45s"},
		{facts_latency, 245, "4m05s"},
		{facts_latency, 3599.9, "59m59s"},
		{facts_latency, 3720, "1h02m"},
		{facts_latency, NAN, ""},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf out = BUF_INIT;

		cases[i].write(&out, cases[i].n);
		cr_assert_str_eq(out.len ? out.data : "", cases[i].text, "case %zu: %s",
			i, out.data);
		buf_done(&out);
	}
}

static void flow_in(struct buf *out, double in, uint32_t most)
{
	struct totals t = totals_unknown;

	t.input_tokens = in;
	t.cache_read = in * 0.9;
	t.output_tokens = 98900;
	facts_flow_in(out, &t, most);
}

static void cost_in(struct buf *out, double usd, uint32_t most)
{
	facts_cost_in(out, usd, facts_cost_decimals(usd), most);
}

/* A figure has fewer digits where it does not fit, or it is not there: never a part of
 * it. */
Test(facts, fit_a_column)
{
	static const struct {
		void (*write)(struct buf *, double, uint32_t);
		double n;
		uint32_t most;
		const char *text;
	} cases[] = {
		{facts_tokens_in, 225400000, 6, "225.4M"},
		{facts_tokens_in, 225400000, 5, "225M"},
		{facts_tokens_in, 225400000, 3, ""},
		{facts_tokens_in, 999600, 5, "1M"},
		{facts_tokens_in, NAN, 5, ""},
		{flow_in, 225400000, 13, "225.4M▓→98.9k"},
		{flow_in, 225400000, 12, "225M▓→99k"},
		{flow_in, 225400000, 8, "225M→99k"},
		{flow_in, 225400000, 7, ""},
		{cost_in, 0.000023, 9, "$0.00002"},
		{cost_in, 0.000023, 8, "$0.00002"},
		{cost_in, 0.000023, 7, "<$.0001"},
		{cost_in, 1234.5, 7, "$1234.5"},
		{cost_in, 12345678, 7, "$12M"},
		{cost_in, 12345678, 2, ""},
		{facts_latency_in, 360100, 7, "100h01m"},
		{facts_latency_in, 360100, 6, "100h"},
		{facts_latency_in, NAN, 6, ""},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf out = BUF_INIT;

		cases[i].write(&out, cases[i].n, cases[i].most);
		cr_expect_str_eq(out.len ? out.data : "", cases[i].text, "case %zu: %s",
			i, out.len ? out.data : "");
		buf_done(&out);
	}
}

/* 0 tokens for $0 is how a program writes that it does not know. */
Test(facts, no_tokens_for_nothing_say_nothing)
{
	static const struct {
		double tokens, cost;
		const char *text;
	} cases[] = {
		{0, 0, "1 step"},
		{NAN, 0, "1 step"},
		{0, 0.5, "1 step  $0.5"},
		{7, 0, "1 step  7→7 tok  $0"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct totals t = totals_unknown;
		struct buf out = BUF_INIT;

		t.steps = 1;
		t.input_tokens = t.output_tokens = cases[i].tokens;
		t.cost = cases[i].cost;
		facts_totals_text(&out, &t, TOTALS_ALL);
		cr_expect_str_eq(out.data, cases[i].text, "case %zu: %s", i, out.data);
		buf_done(&out);
	}
}

/* In a column every cost has as many decimals as the one that wants the most. */
Test(facts, costs_of_a_column)
{
	static const struct {
		double usd;
		unsigned wants, decimals;
		const char *text;
	} cases[] = {
		{0.025, 3, 4, "$0.0250"},
		{1.2, 2, 4, "$1.2000"},
		{0.00007, 5, 4, "$0.0001"},
		{0.00002, 5, 4, "<$.0001"},
		{0.00002, 5, 6, "$0.000020"},
		{0, 0, 4, "$0"},
		{12, 2, 0, "$12"},
		{NAN, 0, 4, ""},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf out = BUF_INIT;

		facts_cost_fixed(&out, cases[i].usd, cases[i].decimals);
		cr_expect_str_eq(out.len ? out.data : "", cases[i].text, "case %zu: %s",
			i, out.data);
		cr_expect_eq(
			facts_cost_decimals(cases[i].usd), cases[i].wants, "case %zu", i);
		buf_done(&out);
	}
}

Test(facts, bytes)
{
	static const struct {
		uint64_t n;
		const char *text;
	} cases[] = {
		{0, "0 B"},
		{999, "999 B"},
		{1000, "1.0 KB"},
		{9949, "9.9 KB"},
		{9950, "10 KB"},
		{182000, "182 KB"},
		{999499, "999 KB"},
		{999500, "1.0 MB"},
		{5000000000, "5.0 GB"},
		{UINT64_MAX, "18446744 TB"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf out = BUF_INIT;

		facts_bytes(&out, cases[i].n);
		cr_assert_str_eq(out.data, cases[i].text);
		buf_done(&out);
	}
}

Test(facts, totals)
{
	struct totals t = {2, 0, {{250, 350, 0.025, 4.1, NAN, NAN}}}, none = totals_unknown;
	struct buf out = BUF_INIT;

	facts_totals_text(&out, &t, TOTALS_ALL);
	cr_assert_str_eq(out.data, "2 steps  250→350 tok  $0.025  4.1s");
	buf_clear(&out);
	none.steps = none.errors = 1;
	facts_totals_text(&out, &none, TOTALS_ALL);
	cr_assert_str_eq(out.data, "1 step  1 error");
	buf_clear(&out);
	t.cost = 0.1 + 0.2;
	facts_put_totals(&out, &t);
	cr_assert_str_eq(out.data,
		"\"totals\":{\"steps\":2,\"input_tokens\":250,\"cache_read_tokens\":null,"
		"\"cache_write_tokens\":null,\"output_tokens\":350,"
		"\"cost_usd\":0.3,\"latency_s\":4.1,\"errors\":0}");
	buf_clear(&out);
	facts_put_totals(&out, &none);
	cr_assert_str_eq(out.data,
		"\"totals\":{\"steps\":1,\"input_tokens\":null,\"cache_read_tokens\":null,"
		"\"cache_write_tokens\":null,\"output_tokens\":null,"
		"\"cost_usd\":null,\"latency_s\":null,\"errors\":1}");
	buf_done(&out);
}

/* The share of a cache stands beside the input; 0 says nothing. */
Test(facts, flow)
{
	static const struct {
		double input, cache, output;
		const char *text;
	} cases[] = {
		{14200, 8000, 118, "14.2k▒→118"},
		{100, 30, 5, "100░→5"},
		{100, 90, 5, "100▓→5"},
		{100, 0, 5, "100→5"},
		{NAN, NAN, 5, "→5"},
		{100, NAN, NAN, "100→"},
		{0, NAN, 0, ""},
		{NAN, NAN, NAN, ""},
	};
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct totals t = totals_unknown;

		t.input_tokens = cases[i].input;
		t.cache_read = cases[i].cache;
		t.output_tokens = cases[i].output;
		buf_clear(&out);
		buf_text(&out, "");
		facts_flow(&out, &t);
		cr_expect(str_equal(buf_view(&out), str_of(cases[i].text)), "%s: %.*s",
			cases[i].text, (int)out.len, out.len ? out.data : "");
	}
	buf_done(&out);
}

/* ---- what need not be looked at ---- */

/* A message of so many calls, each with its result behind it. */
static struct trace *many_calls(size_t n)
{
	struct buf text = BUF_INIT;
	struct trace *trace;

	buf_text(&text, "{\"prompt\":[{\"role\":\"assistant\",\"tool_calls\":[");
	for (size_t i = 0; i < n; i++)
		buf_printf(&text,
			"%s{\"id\":\"c%zu\",\"function\":{\"name\":\"f%zu\","
			"\"arguments\":\"{}\"}}",
			i ? "," : "", i, i);
	buf_text(&text, "]}");
	for (size_t i = 0; i < n; i++)
		buf_printf(&text,
			",{\"role\":\"tool\",\"tool_call_id\":\"c%zu\","
			"\"content\":\"r\"}",
			i);
	buf_text(&text, "]}");
	trace = model_of(text.data);
	buf_done(&text);
	return trace;
}

/* The names of all calls that are seen, a blank behind each; `print`: as on paper. */
static void calls_seen(
	struct trace *trace, struct reading *r, bool print, struct buf *out)
{
	struct doc d = {.print = print};
	struct place p = {0, 0};
	size_t line;

	doc_width(&d, 60);
	conversation_build(&d, trace, 0, r, true, MODE_CHAT);
	doc_settle(&d, &p);
	if (!print)
		cr_assert_lt(d.count, 3000, "only the first calls, and messages: %zu",
			d.count);
	d.blocks[0].limit = DOC_ALL;
	do {
		if (d.blocks[p.block].level != 1 || p.row || d.blocks[p.block].head)
			continue;
		cr_assert_gt(doc_line(&d, p, &line)->count, 0);
		if (d.blocks[p.block].text.n && d.blocks[p.block].text.p[0] == 'f') {
			buf_str(out, d.blocks[p.block].text);
			buf_byte(out, ' ');
		}
	} while (doc_down(&d, &p, 1));
	doc_done(&d);
}

Test(views, very_many_calls_come_in_batches_and_none_is_lost)
{
	struct trace *trace = many_calls(1234);
	struct step_content *o = step_content_new(trace, 0);
	struct reading *r = reading_new(o, NULL);
	struct buf expected = BUF_INIT, screen = BUF_INIT, paper = BUF_INIT;

	for (int i = 0; i < 1234; i++)
		buf_printf(&expected, "f%d ", i);
	calls_seen(trace, r, false, &screen);
	calls_seen(trace, r, true, &paper);
	cr_assert_str_eq(screen.data, expected.data);
	cr_assert_str_eq(paper.data, expected.data);
	buf_done(&expected);
	buf_done(&screen);
	buf_done(&paper);
	reading_free(r);
	step_content_free(o);
	trace_free(trace);
}

/* Rows of the same from its end, upwards. */
Test(views, batches_come_from_below_as_well)
{
	struct trace *trace = many_calls(1234);
	struct step_content *o = step_content_new(trace, 0);
	struct reading *r = reading_new(o, NULL);
	struct doc down = view_of(trace, r, true, MODE_CHAT);
	struct doc up = view_of(trace, r, true, MODE_CHAT);
	struct place p = {0, 0};
	size_t rows = 1;

	down.blocks[0].limit = up.blocks[0].limit = DOC_ALL;
	while (doc_down(&down, &p, 1))
		rows++;
	p = doc_end(&up);
	while (doc_up(&up, &p, 1))
		rows--;
	cr_assert_eq(rows, 1, "as many rows up as down");
	cr_assert_eq(up.count, down.count);
	doc_done(&down);
	doc_done(&up);
	reading_free(r);
	step_content_free(o);
	trace_free(trace);
}

static void assert_same_side(const struct step_content *a, const struct step_content *b,
	const struct side *s, const struct side *t)
{
	cr_assert_eq(s->view, t->view);
	cr_assert_eq(s->opened, t->opened);
	cr_assert_eq(s->value.kind, t->value.kind);
	cr_assert_eq(s->value.n, t->value.n);
	cr_assert(!s->value.n || !memcmp(s->value.p, t->value.p, s->value.n));
	cr_assert(str_equal(s->text, t->text));
	cr_assert_eq(s->images.n, t->images.n);
	cr_assert_eq(s->chat.array.n, t->chat.array.n);
	cr_assert_eq(s->chat.count, t->chat.count);
	for (size_t i = 0; i < s->chat.count; i++) {
		struct jv v = s->chat.items[i], w = t->chat.items[i];

		cr_assert_eq(v.n, w.n);
		cr_assert_eq(v.kind, w.kind);
		cr_assert_eq(memcmp(v.p, w.p, v.n), 0);
	}
	cr_assert_eq(a->bare, b->bare);
	cr_assert_eq(a->shared, b->shared);
	cr_assert_eq(a->report.verdict, b->report.verdict);
	cr_assert_eq(a->report.offset, b->report.offset);
}

/* The shapes that a side may have, each around something long; `%` stands for that. */
static const char *const long_sides[] = {
	"[{\"role\":\"user\",\"content\":\"%\"},{\"role\":\"user\",\"content\":\"x\"}]",
	"\"[{\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"%\\\"},5]\"",
	("\"\\\"[{\\\\\\\"role\\\\\\\":\\\\\\\"user\\\\\\\",\\\\\\\"content\\\\\\\":"
	 "\\\\\\\"%\\\\\\\"}]\\\"\""),
	"\"[{\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"%\\\"]\"",
	"{\"data\":{\"messages\":[{\"role\":\"user\",\"content\":\"%\"}]}}",
	"{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"%\"}}]}",
	"[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"%\"}},7]",
	"[{\"value\":\"%\"},[[\"%\"]]]",
	"{\"value\":\"%\"}",
	"\"[ %\"",
	"\"%\"",
};

static void put_side(struct buf *out, const char *shape, size_t most)
{
	for (; *shape; shape++) {
		if (*shape != '%')
			buf_byte(out, *shape);
		for (size_t i = 0; *shape == '%' && i < most; i++)
			buf_text(out, "some words, \xC3\xA9, [and {more of it, ");
	}
}

static unsigned asks_left;

static bool is_time(void)
{
	return !asks_left || !--asks_left;
}

/* Its opening, stopped here and there, leaves nothing; in the end it is as whole as at
 * once.  White space makes the text long.  Returns how often it was stopped. */
static unsigned assert_stops(const char *json)
{
	struct buf text = BUF_INIT;
	struct step_content *once, *again = NULL;
	struct trace *trace;
	unsigned stopped = 0;

	buf_byte(&text, *json);
	buf_fill(&text, ' ', EXTENTS_TEXT);
	buf_text(&text, json + 1);
	trace = model_of(text.data);
	stop_ask(is_time);
	for (unsigned asks = 1; !again; asks *= 2) {
		asks_left = asks;
		again = step_content_try(trace, 0, true);
		stopped += !again;
		if (!again)
			cr_assert_not(trace_flags(trace, 0) &
				      (STEP_BROKEN | STEP_REPAIRED));
	}
	stop_ask(NULL);
	once = step_content_new(trace, 0);
	assert_same_side(once, again, &once->input, &again->input);
	assert_same_side(once, again, &once->output, &again->output);
	cr_assert_eq(step_content_pairs(once)->count, again->pairs.count);
	step_content_free(again);
	step_content_free(once);
	trace_free(trace);
	buf_done(&text);
	return stopped;
}

/* The texts of a document's blocks once all of them were looked at. */
static char *texts_of(struct doc *d)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < d->count; i++)
		if (d->blocks[i].head)
			d->blocks[i].limit = DOC_ALL;
	for (size_t i = 0; i < d->count; i++) {
		doc_layout(d, i);
		doc_release(d, i);
		if (d->blocks[i].text.n)
			buf_printf(&out, "[%u %.*s]", d->blocks[i].indent,
				(int)d->blocks[i].text.n, d->blocks[i].text.p);
	}
	return buf_take(&out);
}

static void put_calls(struct buf *out, unsigned from, unsigned count)
{
	buf_text(out, "{\"role\":\"assistant\",\"tool_calls\":[");
	for (unsigned i = from; i < from + count; i++)
		buf_printf(out,
			"%s{\"id\":\"c%u\",\"function\":{\"name\":\"f%u\","
			"\"arguments\":\"{}\"}}",
			i > from ? "," : "", i, i % 3);
	buf_text(out, "]},");
}

/* Results in another order than their calls, some of them on the other side. */
static void put_conversation(struct buf *out, unsigned calls, const char *key)
{
	buf_printf(out, "\"%s\":[", key);
	for (unsigned i = 0; i < calls; i += calls / 4)
		put_calls(out, i, calls / 4);
	for (unsigned i = 0; i < calls; i += 3)
		buf_printf(out,
			"{\"role\":\"tool\",\"tool_call_id\":\"c%u\","
			"\"content\":\"r\"},",
			i * 7 % calls);
	buf_text(out, "{\"role\":\"user\",\"content\":\"thanks\"}]");
}

Test(views, pairing_can_be_stopped)
{
	static const unsigned counts[] = {4, 1000, 4000};

	for (size_t i = 0; i < 3; i++) {
		struct buf text = BUF_INIT;

		buf_byte(&text, '{');
		put_conversation(&text, counts[i], "prompt");
		buf_byte(&text, ',');
		put_conversation(&text, 40, "completion");
		buf_byte(&text, '}');
		cr_expect_gt(assert_stops(text.data), 3);
		buf_done(&text);
	}
}

/* What the pairing has read of a message of many calls is what is shown of it. */
Test(views, parts_that_the_pairing_kept_are_shown)
{
	struct buf text = BUF_INIT;
	struct trace *trace;
	struct step_content *once, *sliced;
	struct reading *r, *q;
	struct doc a, b;
	char *x, *y;

	buf_byte(&text, '{');
	buf_fill(&text, ' ', EXTENTS_TEXT);
	put_conversation(&text, 4000, "prompt");
	buf_byte(&text, '}');
	trace = model_of(text.data);
	once = step_content_new(trace, 0);
	sliced = step_content_try(trace, 0, true);
	r = reading_new(once, NULL);
	q = reading_new(sliced, NULL);
	cr_assert(!once->paired);
	cr_assert_eq(pairs_parts(reading_pairs(q), true, 0)->count, 1000);
	cr_assert_eq(pairs_parts(reading_pairs(q), true, 3)->count, 1000);
	cr_assert_null(pairs_parts(reading_pairs(q), true, 4), "a result");
	cr_assert_eq(pairs_parts(reading_pairs(q), false, 0),
		pairs_parts(reading_pairs(q), true, 0), "shared");
	a = view_of(trace, r, true, MODE_CHAT);
	b = view_of(trace, q, true, MODE_CHAT);
	x = texts_of(&a);
	y = texts_of(&b);
	cr_assert_eq(a.count, b.count);
	cr_assert_gt(a.count, 4000);
	cr_assert_str_eq(x, y);
	mem_free(x);
	mem_free(y);
	doc_done(&a);
	doc_done(&b);
	reading_free(r);
	reading_free(q);
	step_content_free(once);
	step_content_free(sliced);
	trace_free(trace);
	buf_done(&text);
}

Test(views, sides_of_every_shape_can_be_stopped)
{
	const size_t count = sizeof(long_sides) / sizeof(*long_sides);

	for (size_t i = 0; i < count * 3; i++) {
		const char *shape = long_sides[i % count];
		struct buf text = BUF_INIT;

		if (i < count) { /* a value that stands alone */
			put_side(&text, shape, 60000);
		} else {
			buf_text(&text, "{\"event\":\"e\",\"prompt\":");
			put_side(&text, shape, i % 2 ? 60000 : 3);
			buf_text(&text, ",\"completion\":");
			put_side(&text, long_sides[i * 7 % count], 40000);
			buf_byte(&text, '}');
		}
		cr_expect_gt(assert_stops(text.data), 3);
		buf_done(&text);
	}
}

/* What is known of a step's JSON is not known from a part of it. */
Test(views, an_opening_that_is_stopped_judges_nothing)
{
	struct buf text = BUF_INIT;
	struct step_content *o;
	struct trace *trace;

	buf_text(&text, "{\"prompt\":[{\"role\":\"user\",\"content\":\"");
	while (text.len < 5u << 20)
		buf_text(&text, "a \\\"word\\\" or two, \xC3\xA9, \\u00e9 and \\ud83d; ");
	buf_text(&text, "\"},{\"role\":\"user\",\"content\":\"last\"}]}");
	trace = model_of(text.data);
	stop_ask(is_time);
	asks_left = 10;
	cr_assert_null(step_content_try(trace, 0, true));
	cr_assert_not(trace_flags(trace, 0) & STEP_CHECKED);
	stop_ask(NULL);
	o = step_content_try(trace, 0, true);
	cr_assert(trace_flags(trace, 0) & STEP_CHECKED);
	cr_assert(trace_flags(trace, 0) & STEP_REPAIRED, "a lone surrogate");
	cr_assert_eq(o->report.verdict, VERDICT_TOLERATED);
	cr_assert_eq(o->input.view, SIDE_CHAT);
	cr_assert_eq(o->input.chat.count, 2);
	step_content_free(o);
	trace_free(trace);
	buf_done(&text);
}

/* Paper decodes a text at once, the screen as far as it is looked at. */
static void assert_lazy_text(const char *json, bool lazy)
{
	struct trace *trace = model_of(json);
	struct step_content *o = step_content_new(trace, 0);
	struct reading *r = reading_new(o, NULL);
	struct doc screen = view_of(trace, r, true, MODE_CHAT), paper = {.print = true};
	char *a, *b;

	conversation_build(&paper, trace, 0, r, true, MODE_CHAT);
	doc_width(&paper, screen.width);
	doc_layout(&screen, 0);
	cr_assert_eq(screen.count < 100, lazy, "%zu", screen.count);
	a = texts_of(&screen);
	b = texts_of(&paper);
	cr_assert_eq(strlen(a), strlen(b));
	cr_assert_eq(strcmp(a, b), 0);
	mem_free(a);
	mem_free(b);
	doc_done(&screen);
	doc_done(&paper);
	reading_free(r);
	step_content_free(o);
	trace_free(trace);
}

Test(views, a_long_text_is_decoded_as_it_is_looked_at)
{
	static const char *const words[] = {"a \\\"word\\\" ", "caf\xC3\xA9 ",
		"\\ud83d\\ude00", "\\n", "\\n\\n# x\\n", "tab\\t"};

	for (unsigned round = 0; round < 6; round++) {
		unsigned state = round + 1;
		struct buf text = BUF_INIT;

		buf_text(&text, "{\"prompt\":[{\"role\":\"user\",\"content\":\"");
		buf_text(&text, round == 5 ? "[" : "Words ");
		while (text.len < (4u << 20) + 90000 * (round + 1)) {
			state = state * 1664525u + 1013904223u;
			buf_text(&text, words[(state >> 16) % (round % 2 ? 6 : 3)]);
		}
		buf_text(&text, "\"}]}");
		assert_lazy_text(text.data, round != 5);
		buf_done(&text);
	}
}
