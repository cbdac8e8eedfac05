/* The ground floor: growing text, tables, UTF-8, errors, memory released at once. */
#include "config.h"
#include <criterion/criterion.h>

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/str.h"
#include "base/work.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

Test(buf, grows_and_ends_with_nul)
{
	struct buf b = BUF_INIT;
	char *taken;

	buf_add(&b, "", 0);
	cr_assert(b.len == 0 && b.data && b.data[0] == '\0');
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, "%d,", i);
	cr_expect_eq(b.len, 10 * 2 + 90 * 3 + 900 * 4);
	cr_expect(b.data[b.len] == '\0' && str_starts(buf_view(&b), STR("0,1,2,")));
	buf_clear(&b);
	cr_expect(b.len == 0 && b.cap > 0 && b.data[0] == '\0');
	buf_fill(&b, 'x', 3);
	buf_byte(&b, '\0');
	buf_str(&b, STR("y"));
	buf_utf8(&b, 0x20AC);
	buf_utf8(&b, 0xD800);
	cr_expect(str_equal(buf_view(&b), STR("xxx\0y\xE2\x82\xAC\xEF\xBF\xBD")));
	taken = buf_take(&b);
	cr_expect(taken[0] == 'x' && !b.data && !b.len && !b.cap);
	mem_free(taken);
	taken = buf_take(&b);
	cr_expect_str_eq(taken, "");
	mem_free(taken);
	buf_done(&b);
}

Test(buf, long_output_of_printf)
{
	struct buf b = BUF_INIT;

	buf_text(&b, "head");
	buf_printf(&b, "%5000d|", 7);
	cr_expect_eq(b.len, 4 + 5000 + 1);
	cr_expect_str_eq(b.data + b.len - 3, " 7|");
	buf_done(&b);
}

/* What no memory is there for ends the program with status 3, before anything is written.
 */
Test(buf, too_much_ends_the_program, .exit_code = 3)
{
	struct buf b = BUF_INIT;

	buf_text(&b, "some");
	buf_reserve(&b, SIZE_MAX - 2);
}

Test(mem, product_is_checked, .exit_code = 3)
{
	mem_zalloc(SIZE_MAX / 2, 8);
}

/* What would wrap to a few bytes. */
Test(mem, product_of_an_array_is_checked, .exit_code = 3)
{
	mem_array(SIZE_MAX / 8 + 2, 8);
}

Test(mem, product_of_a_longer_array_is_checked, .exit_code = 3)
{
	mem_resize(mem_array(2, 8), SIZE_MAX / 8 + 2, 8);
}

static void say_hook(void)
{
	_exit(42);
}

Test(mem, hook_runs_first, .exit_code = 42)
{
	size_t cap = 0;

	mem_on_failure(say_hook);
	mem_grow(NULL, &cap, SIZE_MAX / 2, 16);
}

Test(str, trims_json_space_only)
{
	static const struct {
		const char *text, *want;
	} rows[] = {{"", ""}, {" \t\r\n ", ""}, {"a", "a"}, {" a b ", "a b"},
		{"\va\v", "\va\v"}};

	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(
			str_equal(str_trim(str_of(rows[i].text)), str_of(rows[i].want)));
	cr_expect_eq(str_trim((struct str){"\0 \0", 3}).n, 3);
	cr_expect(str_equal(str_of(NULL), STR("")) && str_starts(STR("ab"), STR("")));
	cr_expect(!str_starts(STR("a"), STR("ab")));
}

/* ---- tables ---- */

Test(map, intern_numbers_in_order)
{
	struct intern t = {0};
	struct buf name = BUF_INIT;

	cr_expect_eq(intern_find(&t, STR("x")), MAP_NONE);
	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < 20000; i++) {
			buf_clear(&name);
			buf_printf(&name, "n%u", i);
			cr_assert_eq(intern_add(&t, buf_view(&name)), i);
			name.data[0] = '!'; /* the table has its own copy */
		}
	cr_expect_eq(t.count, 20000);
	cr_expect(str_equal(intern_get(&t, 19999), STR("n19999")));
	cr_expect_eq(intern_find(&t, STR("n77")), 77);
	cr_expect_eq(intern_find(&t, STR("m77")), MAP_NONE);
	cr_expect_eq(intern_get(&t, MAP_NONE).n, 0);
	cr_expect_eq(intern_add(&t, (struct str){NULL, 0}), 20000);
	cr_expect_eq(intern_add(&t, STR("")), 20000);
	cr_expect_neq(intern_add(&t, STR("a\0b")), intern_add(&t, STR("a\0c")));
	for (unsigned i = 0; i < 300; i++) /* a few texts in turns, as rows have them */
		cr_assert_eq(
			intern_add(&t, i % 3 ? STR("n5") : STR("n15")), i % 3 ? 5 : 15);
	buf_done(&name);
	intern_done(&t);
}

Test(map, idmap_keeps_the_first)
{
	struct idmap m = {0};

	cr_expect_eq(idmap_find(&m, 0), MAP_NONE);
	for (uint32_t i = 0; i < 50000; i++)
		idmap_add(&m, (uint64_t)i << (i % 3 * 20), i);
	idmap_add(&m, 0, 99);
	cr_expect_eq(idmap_find(&m, 0), 0);
	cr_expect_eq(idmap_find(&m, 3), 3);
	cr_expect_eq(idmap_find(&m, (uint64_t)4 << 20), 4);
	cr_expect_eq(idmap_find(&m, 5), MAP_NONE);
	cr_expect_eq(idmap_find(&m, UINT64_MAX), MAP_NONE);
	idmap_done(&m);
	cr_expect_eq(idmap_find(&m, 3), MAP_NONE);
}

Test(map, hash_sees_every_byte)
{
	char a[40] = {0}, b[40] = {0};

	for (size_t n = 0; n < sizeof(a); n++) {
		cr_expect_neq(
			map_hash((struct str){a, n}), map_hash((struct str){a, n + 1}));
		for (size_t i = 0; i < n; i++) {
			b[i] = 1;
			cr_expect_neq(map_hash((struct str){a, n}),
				map_hash((struct str){b, n}));
			b[i] = 0;
		}
		cr_expect_eq(map_hash((struct str){a, n}), map_hash((struct str){b, n}));
	}
}

/* ---- UTF-8 ---- */

Test(utf8, table_3_7)
{
	static const struct {
		const char *bytes;
		size_t n, take;
		unsigned code;
		bool valid;
	} rows[] = {
		{"\0", 1, 1, 0, true},
		{"a", 1, 1, 'a', true},
		{"\xC2\x80", 2, 2, 0x80, true},
		{"\xDF\xBF", 2, 2, 0x7FF, true},
		{"\xE0\xA0\x80", 3, 3, 0x800, true},
		{"\xED\x9F\xBF", 3, 3, 0xD7FF, true},
		{"\xEF\xBF\xBF", 3, 3, 0xFFFF, true},
		{"\xF0\x90\x80\x80", 4, 4, 0x10000, true},
		{"\xF4\x8F\xBF\xBF", 4, 4, 0x10FFFF, true},
		{"\x80", 1, 1, UTF8_REPLACEMENT, false},
		{"\xC0\x80", 2, 1, UTF8_REPLACEMENT, false},
		{"\xC1\xBF", 2, 1, UTF8_REPLACEMENT, false},
		{"\xC3(", 2, 1, UTF8_REPLACEMENT, false},
		{"\xC3", 1, 1, UTF8_REPLACEMENT, false},
		{"\xE0\x9F\xBF", 3, 1, UTF8_REPLACEMENT, false},
		{"\xE2\x82", 2, 2, UTF8_REPLACEMENT, false},
		{"\xE2\x82(", 3, 2, UTF8_REPLACEMENT, false},
		{"\xED\xA0\x80", 3, 1, UTF8_REPLACEMENT, false}, /* a surrogate */
		{"\xF0\x8F\xBF\xBF", 4, 1, UTF8_REPLACEMENT, false},
		{"\xF0\x9F\x98", 3, 3, UTF8_REPLACEMENT, false},
		{"\xF4\x90\x80\x80", 4, 1, UTF8_REPLACEMENT, false},
		{"\xF5\x80\x80\x80", 4, 1, UTF8_REPLACEMENT, false},
		{"\xFF", 1, 1, UTF8_REPLACEMENT, false},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		unsigned code;
		bool valid;
		char *copy = mem_dup(rows[i].bytes, rows[i].n);

		cr_expect_eq(utf8_decode(copy, rows[i].n, &code, &valid), rows[i].take,
			"row %zu", i);
		cr_expect(code == rows[i].code && valid == rows[i].valid, "row %zu: %X",
			i, code);
		mem_free(copy);
	}
}

Test(utf8, every_scalar_comes_back)
{
	for (unsigned code = 0; code <= 0x110000; code++) {
		char bytes[UTF8_MAX], longer[UTF8_MAX + 2]; /* continuations behind it */
		size_t n = utf8_put(code, bytes);
		bool scalar = code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF), valid;
		unsigned back, other;

		cr_assert_eq(utf8_decode(bytes, n, &back, &valid), n);
		memcpy(longer, bytes, n);
		memset(longer + n, '\x80', sizeof(longer) - n);
		cr_assert_eq(utf8_decode(longer, sizeof(longer), &other, &valid), n);
		cr_assert(valid && other == back);
		cr_assert(valid && back == (scalar ? code : UTF8_REPLACEMENT));
	}
}

Test(utf8, valid_prefix_wherever_the_fault_is)
{
	char text[64];

	for (size_t at = 0; at < 40; at++)
		for (size_t n = 0; n <= 40; n++) {
			memset(text, 'a', sizeof(text));
			text[at] = '\x80';
			cr_assert_eq(utf8_valid_prefix(text, n), at < n ? at : n);
			memcpy(text + at, "\xE2\x82\xAC", 3);
			cr_assert_eq(utf8_valid_prefix(text, n),
				n > at && n < at + 3 ? at : n);
		}
}

Test(utf8, cut)
{
	static const struct {
		const char *text;
		size_t most, want;
	} rows[] = {
		{"", 0, 0},
		{"abc", 3, 3},
		{"abc", 2, 2},
		{"a\xE2\x82\xAC", 4, 4},
		{"a\xE2\x82\xAC", 3, 1},
		{"a\xE2\x82\xAC", 2, 1},
		{"\xF0\x9F\x98\x80", 3, 0},
		/* no character: not all of it is given up */
		{"\x80\x80\x80\x80\x80\x80\x80\x80", 7, 3},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		cr_expect_eq(utf8_cut(rows[i].text, strlen(rows[i].text), rows[i].most),
			rows[i].want, "row %zu", i);
}

/* ---- errors ---- */

static void expect_err(const struct err *e, const char *want)
{
	struct buf out = BUF_INIT;

	err_format(e, &out);
	cr_expect_str_eq(out.data, want);
	buf_done(&out);
}

Test(err, says_what_is_known)
{
	struct err e = {0};

	expect_err(&e, "no error");
	err_set(&e, "cannot %s", "work");
	expect_err(&e, "cannot work");
	err_source(&e, "a.json");
	expect_err(&e, "a.json: cannot work");
	err_at(&e, 12, "odd");
	expect_err(&e, "a.json: byte 12: odd");
	e.line = 2;
	e.column = 3;
	expect_err(&e, "a.json: byte 12 (line 2, column 3): odd");
	err_at(&e, UINT64_C(1) << 40, "odd");
	expect_err(&e, "a.json: byte 1099511627776: odd"); /* the old line is forgotten */
	err_source(&e, "b");
	err_set(&e, "x");
	expect_err(&e, "b: x");
	err_done(&e);
	expect_err(&e, "no error");
	err_done(&e);
}

/* ---- arenas ---- */

Test(arena, nothing_moves_and_all_is_aligned)
{
	struct arena a = {0};
	char *kept[300];

	for (size_t i = 0; i < COUNT(kept); i++) {
		size_t size = i * i;

		kept[i] = arena_alloc(&a, size + 1);
		cr_assert_eq((uintptr_t)kept[i] % 16, 0);
		memset(kept[i], (int)i, size + 1);
	}
	for (size_t i = 0; i < COUNT(kept); i++)
		for (size_t k = 0; k <= i * i; k++)
			cr_assert_eq((unsigned char)kept[i][k], (unsigned char)i);
	cr_expect_geq(a.bytes, 300u * 300 * 299 / 3);
	arena_done(&a);
	cr_expect(!a.chunks && !a.bytes);
	arena_done(&a);
}

Test(arena, large_and_taken_memory_does_not_waste_the_rest_of_a_chunk)
{
	struct arena a = {0};

	for (int i = 0; i < 1000; i++) {
		arena_alloc(&a, 16);
		arena_take(&a, mem_dup("taken", 5), 6);
		arena_alloc(&a, 8000);
	}
	cr_assert_lt(a.bytes, 1000 * 9000, "%zu bytes are held", a.bytes);
	arena_done(&a);
}

Test(arena, copies_and_takes)
{
	struct arena a = {0};
	char source[] = "te\0xt";
	struct str copy = arena_dup(&a, (struct str){source, 5}), empty, taken;

	source[0] = 'x';
	cr_expect(str_equal(copy, STR("te\0xt")) && copy.p[5] == '\0');
	empty = arena_dup(&a, (struct str){NULL, 0});
	cr_expect(empty.n == 0 && empty.p[0] == '\0');
	taken = arena_take(&a, mem_dup("taken", 5), 6);
	arena_alloc(&a, 100);
	cr_expect_str_eq(taken.p, "taken");
	arena_done(&a);
}

Test(clock, deadlines)
{
	uint64_t now = clock_us();

	cr_expect(clock_passed(clock_deadline(0)) && clock_passed(now));
	cr_expect(!clock_passed(clock_deadline(60 * 1000000)));
	cr_expect(!clock_passed(clock_deadline(UINT64_MAX)));
	cr_expect_eq(clock_deadline(UINT64_MAX), UINT64_MAX);
}

struct sortable {
	int key, came;
};

static int compare_sortables(const void *a, const void *b, const void *context)
{
	const struct sortable *x = a, *y = b;

	++*(size_t *)context;
	return (x->key > y->key) - (x->key < y->key);
}

/* Few keys, so that there are many equal ones; `order`: how they stand at first. */
static void fill_sortables(struct sortable *items, size_t count, int order)
{
	uint32_t random = 1;

	for (size_t i = 0; i < count; i++) {
		random = random * 1664525 + 1013904223;
		items[i] = (struct sortable){order == 0   ? (int)(random >> 16) % 1000
					     : order == 1 ? (int)i
							  : (int)(count - i),
			(int)i};
	}
}

/* Returns the number of comparisons. */
static size_t sort_sortables(struct sortable *items, size_t count)
{
	size_t comparisons = 0;

	cr_assert(sort_items(items, count, sizeof(*items), compare_sortables,
		&comparisons, &(size_t){0}));
	return comparisons;
}

Test(sort, all_lengths_stand_in_order_and_equal_ones_stay)
{
	struct sortable items[300];

	for (int order = 0; order < 3; order++)
		for (size_t n = 0; n <= COUNT(items); n++) {
			fill_sortables(items, n, order);
			sort_sortables(items, n);
			for (size_t i = 1; i < n; i++)
				cr_assert(items[i - 1].key < items[i].key ||
					  (items[i - 1].key == items[i].key &&
						  items[i - 1].came < items[i].came));
		}
}

Test(sort, compares_no_more_often_than_count_times_its_logarithm)
{
	size_t most = 100000;
	struct sortable *items = mem_alloc(most * sizeof(*items));

	for (int order = 0; order < 3; order++)
		for (size_t n = 10; n <= most; n *= 10) {
			size_t comparisons;

			fill_sortables(items, n, order);
			comparisons = sort_sortables(items, n);
			cr_expect_leq((double)comparisons,
				(double)n * (log2((double)n) + 1),
				"%zu items, %zu comparisons", n, comparisons);
		}
	mem_free(items);
}

static unsigned looks;

static bool each_64th_look(void)
{
	return ++looks % 64 == 0;
}

/* Each item is still there once, and sorting goes on from the last whole pass. */
Test(sort, a_stopped_one_loses_nothing)
{
	size_t count = 20000, comparisons = 0, run = 0, stops = 0;
	struct sortable *items = mem_alloc(count * sizeof(*items));
	bool *there = mem_alloc(count * sizeof(*there));
	bool done = false;

	fill_sortables(items, count, 0);
	stop_ask(each_64th_look);
	while (!done) {
		size_t before = run;

		stop_begin();
		done = sort_items(items, count, sizeof(*items), compare_sortables,
			&comparisons, &run);
		cr_assert_eq(stop_end(), !done);
		cr_assert(done || run > before);
		stops += !done;
		memset(there, 0, count * sizeof(*there));
		for (size_t i = 0; i < count; i++) {
			cr_assert_not(there[items[i].came]);
			there[items[i].came] = true;
		}
	}
	stop_ask(NULL);
	cr_expect_gt(stops, 2);
	cr_expect_eq(run, 0);
	for (size_t i = 1; i < count; i++)
		cr_assert_leq(items[i - 1].key, items[i].key);
	mem_free(items);
	mem_free(there);
}
