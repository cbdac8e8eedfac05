/*
 * The engine of described formats: paths and the tree that the scan follows them with,
 * which must find the same; what a format file may say, and how its mistakes are told;
 * what one takes over of another; and how all of them recognise a value.
 */
#include "config.h"
#include <criterion/criterion.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "format/include.h"
#include "format/known.h"
#include "format/maker.h"
#include "format/match.h"
#include "format/matcher.h"
#include "json/json.h"
#include "json/yaml.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static void init_json(void)
{
	json_init();
}

TestSuite(describe, .init = init_json);

/* ---- paths ---- */

static struct path path_of(const char *text, struct arena *arena)
{
	struct path path;

	cr_assert(path_parse(&path, str_of(text), arena), "%s", text);
	return path;
}

Test(describe, texts_that_are_no_path)
{
	static const char *const wrong[] = {"", ".a", "a.", "a..b", "a[", "a[*", "a[]",
		"a[1]", "a[-2]", "a[=x]", "a[*]b", "a.\"b", "a.\"b\"c", "a.\"\"", "..",
		"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q"};
	struct arena arena = {0};
	struct path path;

	for (size_t i = 0; i < COUNT(wrong); i++)
		cr_expect_not(
			path_parse(&path, str_of(wrong[i]), &arena), "%s", wrong[i]);
	path_of("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p", &arena);
	cr_expect_eq(path_of(".", &arena).count, 0);
	arena_done(&arena);
}

/* What is found, one behind the other. */
static bool put_found(void *ctx, struct jv value)
{
	struct buf *out = ctx;

	buf_text(out, out->len ? " " : "");
	buf_str(out, (struct str){value.p, value.n});
	return true;
}

/* The members in which the attributes of all rows stand, tried in turn. */
static struct carriers carriers_of(struct arena *arena)
{
	struct carriers c = {arena_alloc(arena, 2 * sizeof(*c.items)), 2};

	c.items[0] = path_of("attributes", arena);
	c.items[1] = path_of("rest.attributes", arena);
	return c;
}

static void find_by_path(
	const char *path, const char *value, struct arena *arena, struct buf *out)
{
	struct path p = path_of(path, arena);
	struct carriers c = carriers_of(arena);
	struct path_reading r = {&c, arena, put_found, out, NULL};

	cr_expect(path_each(&p, jv_parse(str_of(value)), &r));
}

/* What is put at the leaf that was asked for. */
struct wanted_leaf {
	int leaf;
	struct buf *out;
};

static void put_leaf(void *ctx, int leaf, struct jv value)
{
	struct wanted_leaf *w = ctx;

	if (leaf == w->leaf)
		put_found(w->out, value);
}

/* False: the scan does not follow this path. */
static bool find_by_trie(
	const char *path, const char *value, struct arena *arena, struct buf *out)
{
	struct path p = path_of(path, arena);
	struct carriers c = carriers_of(arena);
	struct trie t;
	struct wanted_leaf w = {.out = out};
	struct trie_reading r = {&t, arena, put_leaf, &w};

	trie_begin(&t, arena, false, 64);
	w.leaf = trie_leaf(&t, TRIE_ROOT, &p, &c);
	if (w.leaf >= 0)
		trie_read(&r, TRIE_ROOT, jv_parse(str_of(value)));
	trie_done(&t);
	return w.leaf >= 0;
}

struct found_row {
	const char *path, *value, *want;
};

static void expect_found(const struct found_row *row)
{
	struct arena arena = {0};
	struct buf by_path = BUF_INIT, by_trie = BUF_INIT;

	find_by_path(row->path, row->value, &arena, &by_path);
	cr_expect(str_equal(buf_view(&by_path), str_of(row->want)),
		"%s of %s: %.*s, not %s", row->path, row->value, (int)by_path.len,
		by_path.len ? by_path.data : "", row->want);
	if (find_by_trie(row->path, row->value, &arena, &by_trie))
		cr_expect(str_equal(buf_view(&by_trie), str_of(row->want)),
			"%s of %s, scanned: %.*s, not %s", row->path, row->value,
			(int)by_trie.len, by_trie.len ? by_trie.data : "", row->want);
	buf_done(&by_path);
	buf_done(&by_trie);
	arena_done(&arena);
}

#define EXPECT_FOUND(rows)                                                               \
	for (size_t i = 0; i < COUNT(rows); i++)                                         \
	expect_found(&(rows)[i])

Test(describe, paths_over_members_and_items)
{
	static const struct found_row rows[] = {
		{".", "{\"a\":1}", "{\"a\":1}"},
		{"a.b", "{\"a\":{\"b\":1}}", "1"},
		{"a.b", "{\"a\":{\"c\":1},\"b\":2}", ""},
		{"a.b", "{\"a\":[{\"b\":1}]}", ""},
		{"a.b", "{\"a\":7}", ""},
		{"a_b", "{\"aB\":1}", "1"},
		{"a_b", "{\"a_b\":1}", "1"},
		{"aB", "{\"a_b\":1}", ""},
		{"a", "{\"\\u0061\":1}", "1"},
		{"[*].a", "[{\"a\":1},{},3,{\"a\":null}]", "1 null"},
		{"a[*].b", "{\"a\":[{\"b\":1},{\"c\":1},{\"b\":2}]}", "1 2"},
		{"a[*].b", "{\"a\":{\"x\":{\"b\":1}}}", ""},
		{"a.*.b", "{\"a\":{\"x\":{\"b\":1},\"y\":{\"b\":2}}}", "1 2"},
		{"a.*.b", "{\"a\":[{\"b\":1}]}", ""},
		{"a.*", "{\"a\":{}}", ""},
		{"a[*][*]", "{\"a\":[[1,2],[3]]}", "1 2 3"},
		{"a.~", "{\"a\":{\"x\":1,\"y\":2}}", "\"x\" \"y\""},
		{"a.~", "{\"a\":[1]}", ""},
		{"a[0]", "{\"a\":[1,2,3]}", "1"},
		{"a[0].b", "{\"a\":[{},{\"b\":1}]}", ""},
		{"a[0]", "{\"a\":[]}", ""},
		{"a[0]", "{\"a\":{\"x\":1}}", ""},
		{"a.\"b.c\".d", "{\"a\":{\"b.c\":{\"d\":1}}}", "1"},
		{"a.\"b.c\"", "{\"a\":{\"b\":{\"c\":1}}}", ""},
		{"a[t=x].b", "{\"a\":[{\"t\":\"x\",\"b\":1},{\"b\":2},{\"t\":\"y\"}]}",
			"1"},
		{"a[t=x].b", "{\"a\":[{\"t\":\"xx\",\"b\":1}]}", ""},
		{"a[t=1].b", "{\"a\":[{\"t\":1,\"b\":2}]}", ""},
		{"a[t=x y.z].b", "{\"a\":[{\"t\":\"x y.z\",\"b\":1}]}", "1"},
	};

	EXPECT_FOUND(rows);
}

Test(describe, the_last_item)
{
	struct arena arena = {0};
	struct path p = path_of("a[-1].b", &arena);
	struct jv v = jv_parse(STR("{\"a\":[{\"b\":1},{\"b\":2}]}"));

	v = path_first(&p, v, NULL, &arena);
	cr_expect(str_equal((struct str){v.p, v.n}, STR("2")));
	v = path_first(&p, jv_parse(STR("{\"a\":[{\"b\":1},{}]}")), NULL, &arena);
	cr_expect_eq(v.kind, J_NONE, "the last has none");
	v = path_first(&p, jv_parse(STR("{\"a\":[]}")), NULL, &arena);
	cr_expect_eq(v.kind, J_NONE);
	arena_done(&arena);
}

Test(describe, the_first_that_is_not_null)
{
	struct arena arena = {0};
	struct path p = path_of("a[*].b", &arena);
	struct jv v = path_first(&p,
		jv_parse(STR("{\"a\":[{\"b\":null},{\"b\":false},{\"b\":1}]}")), NULL,
		&arena);

	cr_expect_eq(v.kind, J_FALSE);
	arena_done(&arena);
}

static bool stop_at_once(void *ctx, struct jv value)
{
	(void)value;
	++*(int *)ctx;
	return false;
}

Test(describe, a_reading_is_ended_by_who_reads)
{
	struct arena arena = {0};
	struct path p = path_of("[*]", &arena);
	int calls = 0;
	struct path_reading r = {NULL, &arena, stop_at_once, &calls, NULL};

	cr_expect_not(path_each(&p, jv_parse(STR("[1,2,3]")), &r));
	cr_expect_eq(calls, 1);
	arena_done(&arena);
}

Test(describe, the_key_of_a_member)
{
	struct arena arena = {0};
	struct buf out = BUF_INIT;
	struct path p = path_of("a.*.b", &arena);
	struct jv member = JV_NONE;
	struct path_reading r = {NULL, &arena, put_found, &out, &member};

	path_each(&p, jv_parse(STR("{\"a\":{\"x\":{\"b\":1},\"y\":{\"b\":2}}}")), &r);
	cr_expect(jv_is(member, STR("y")));
	buf_done(&out);
	arena_done(&arena);
}

Test(describe, json_in_strings_on_the_way)
{
	static const struct found_row rows[] = {
		{"a.b", "{\"a\":\"{\\\"b\\\":1}\"}", "1"},
		{"a", "{\"a\":\"{\\\"b\\\":1}\"}", "\"{\\\"b\\\":1}\""},
		{"a[*].b", "{\"a\":\"[{\\\"b\\\":1},{\\\"b\\\":2}]\"}", "1 2"},
		{"a.b.c", "{\"a\":\"{\\\"b\\\":\\\"{\\\\\\\"c\\\\\\\":3}\\\"}\"}", "3"},
		{"a[*].b", "{\"a\":\"data: {\\\"b\\\":1}\\n\\ndata: {\\\"b\\\":2}\\n\\n\"}",
			"1 2"},
		{"a[*].b", "{\"a\":\"{\\\"b\\\":1}\\n{\\\"b\\\":2}\\n\"}", "1 2"},
		{"a.b", "{\"a\":\"eyJiIjoxfQ==\"}", "1"},
		{"a.b", "{\"a\":\"no {json\"}", ""},
	};

	EXPECT_FOUND(rows);
}

/* ---- attributes ---- */

Test(describe, attributes_in_all_carriers)
{
	static const struct found_row rows[] = {
		{"@x.y_z", "{\"attributes\":{\"x.y_z\":1}}", "1"},
		{"@x.y_z", "{\"attributes\":{\"x\":{\"y_z\":1}}}", "1"},
		{"@x.y_z", "{\"attributes\":\"{\\\"x.y_z\\\":1}\"}", "1"},
		{"@x.y_z",
			"{\"attributes\":[{\"key\":\"w\",\"value\":{\"intValue\":\"3\"}},"
			"{\"key\":\"x.y_z\",\"value\":{\"intValue\":\"5\"}}]}",
			"5"},
		{"@x.y_z",
			"{\"attributes\":[{\"key\":\"x.y_z\",\"value\":{\"string_value\":"
			"\"v\"}}]}",
			"\"v\""},
		{"@x.y_z",
			"{\"attributes\":[{\"key\":\"x.y_z\",\"type\":\"string\","
			"\"value\":\"v\"}]}",
			"\"v\""},
		{"@x.y_z",
			"{\"attributes\":[{\"Key\":\"x.y_z\",\"Value\":{\"Type\":"
			"\"STRING\",\"Value\":\"v\"}}]}",
			"\"v\""},
		{"@x.y_z", "{\"rest\":{\"attributes\":{\"x.y_z\":1}}}", "1"},
		{"@x.y_z", "{\"attributes\":{\"w\":1},\"rest\":{\"attributes\":{\"x.y_z\":2}}}",
			"2"},
		{"@x.y_z", "{\"x.y_z\":1}", ""},
		{"@x.y_z", "{\"attributes\":{\"x.y\":1,\"y_z\":2}}", ""},
		{"@x.y_z", "{\"attributes\":{\"x.y_z\":\"\\\"v\\\"\"}}", "\"v\""},
	};

	EXPECT_FOUND(rows);
}

Test(describe, attributes_of_a_member_and_what_is_in_them)
{
	static const struct found_row rows[] = {
		{"a.@b.c", "{\"a\":{\"b.c\":1}}", "1"},
		{"a.@b.c", "{\"a\":{\"b\":{\"c\":1}}}", "1"},
		{"a.@b.c", "{\"a\":[{\"key\":\"b.c\",\"value\":{\"boolValue\":true}}]}",
			"true"},
		{"a[*].@b", "{\"a\":[{\"b\":1},{\"c\":2},{\"b\":3}]}", "1 3"},
		{"@\"b.c\".d", "{\"attributes\":{\"b.c\":{\"d\":1}}}", "1"},
		{"@\"b.c\".d", "{\"attributes\":{\"b.c\":\"{\\\"d\\\":1}\"}}", "1"},
		{"@\"b.c\"[*]", "{\"attributes\":{\"b.c\":[1,2]}}", "1 2"},
		{"@\"b.c\".d[*]", "{\"attributes\":{\"b.c\":{\"d\":[1,2]}}}", "1 2"},
	};

	EXPECT_FOUND(rows);
}

/* What the scan cannot see is found in the opened step. */
Test(describe, attributes_behind_a_name)
{
	struct arena arena = {0};
	struct buf out = BUF_INIT;

	find_by_path("@\"b.c\"[*].d", "{\"attributes\":{\"b.c.0.d\":1,\"b.c.2.d\":2}}",
		&arena, &out);
	cr_expect(str_equal(buf_view(&out), STR("1 2")), "%.*s", (int)out.len, out.data);
	buf_clear(&out);
	find_by_path("@", "{\"attributes\":{\"b\":1}}", &arena, &out);
	cr_expect(str_equal(buf_view(&out), STR("{\"b\":1}")));
	buf_done(&out);
	arena_done(&arena);
}

/* ---- the tree of paths ---- */

static int leaf_of(struct trie *t, const char *path, struct arena *arena)
{
	struct path p = path_of(path, arena);
	struct carriers c = carriers_of(arena);

	return trie_leaf(t, TRIE_ROOT, &p, &c);
}

Test(describe, equal_paths_have_one_leaf)
{
	struct arena arena = {0};
	struct trie t;
	int leaf;

	trie_begin(&t, &arena, false, 64);
	leaf = leaf_of(&t, "a.b[*].c", &arena);
	cr_expect_eq(leaf, 0);
	cr_expect_eq(leaf_of(&t, "a.\"b\"[*].c", &arena), leaf);
	cr_expect_eq(leaf_of(&t, "a.b[-1].c", &arena), leaf, "read over all items");
	cr_expect_neq(leaf_of(&t, "a.b.*.c", &arena), leaf);
	cr_expect_neq(leaf_of(&t, "a.b[*]", &arena), leaf);
	cr_expect_eq(leaf_of(&t, "@x.y", &arena), leaf_of(&t, "@x.y", &arena));
	cr_expect_eq(leaf_of(&t, "@x.y", &arena), leaf_of(&t, "@\"x.y\"", &arena));
	cr_expect_neq(leaf_of(&t, "@x.y", &arena), leaf_of(&t, "@x", &arena));
	trie_done(&t);
	arena_done(&arena);
}

Test(describe, twins_have_one_leaf_whichever_was_first)
{
	struct arena arena = {0};
	struct trie t;

	trie_begin(&t, &arena, false, 64);
	cr_expect_eq(leaf_of(&t, "some_key", &arena), leaf_of(&t, "someKey", &arena));
	cr_expect_eq(leaf_of(&t, "otherKey", &arena), leaf_of(&t, "other_key", &arena));
	cr_expect_eq(trie_member(&t, TRIE_ROOT, STR("someKey")),
		trie_member(&t, TRIE_ROOT, STR("some_key")));
	cr_expect_eq(trie_member(&t, TRIE_ROOT, STR("otherKey")),
		trie_member(&t, TRIE_ROOT, STR("other_key")));
	trie_done(&t);
	arena_done(&arena);
}

Test(describe, paths_that_the_scan_does_not_follow)
{
	static const char *const paths[] = {"a[k=v]", "a[0]", "a.~", "a[k=v].b"};
	struct arena arena = {0};
	struct trie t;

	trie_begin(&t, &arena, false, 64);
	for (size_t i = 0; i < COUNT(paths); i++)
		cr_expect_eq(leaf_of(&t, paths[i], &arena), -1, "%s", paths[i]);
	cr_expect_not(t.full);
	trie_done(&t);
	arena_done(&arena);
}

Test(describe, a_full_tree_says_so)
{
	struct arena arena = {0};
	struct trie t;

	trie_begin(&t, &arena, false, 2);
	cr_expect_eq(leaf_of(&t, "a", &arena), 0);
	cr_expect_eq(leaf_of(&t, "b", &arena), 1);
	cr_expect_not(t.full);
	cr_expect_eq(leaf_of(&t, "c", &arena), -1);
	cr_expect(t.full);
	cr_expect_eq(leaf_of(&t, "a", &arena), 0);
	trie_done(&t);
	arena_done(&arena);
}

/* More keys than the first table has room for are all found again. */
Test(describe, very_many_keys)
{
	struct arena arena = {0};
	struct trie t;
	char key[16];

	trie_begin(&t, &arena, false, 4096);
	for (int i = 0; i < 2000; i++) {
		snprintf(key, sizeof(key), "key%d", i);
		cr_assert_eq(leaf_of(&t, key, &arena), i);
	}
	for (int i = 0; i < 2000; i++) {
		uint16_t node;

		snprintf(key, sizeof(key), "key%d", i);
		node = trie_member(&t, TRIE_ROOT, str_of(key));
		cr_assert_neq(node, NODE_NONE);
		cr_assert_eq(t.nodes[node].leaf, i);
	}
	cr_expect_eq(trie_member(&t, TRIE_ROOT, STR("key2000")), NODE_NONE);
	cr_expect_eq(trie_member(&t, TRIE_ROOT, STR("")), NODE_NONE);
	trie_done(&t);
	arena_done(&arena);
}

Test(describe, a_known_key_goes_before_any)
{
	struct arena arena = {0};
	struct trie t;
	uint16_t a;

	trie_begin(&t, &arena, false, 64);
	leaf_of(&t, "a.b", &arena);
	leaf_of(&t, "a.*", &arena);
	a = trie_member(&t, TRIE_ROOT, STR("a"));
	cr_expect_neq(trie_member(&t, a, STR("b")), trie_member(&t, a, STR("c")));
	cr_expect_eq(trie_member(&t, a, STR("c")), t.nodes[a].any);
	cr_expect_eq(trie_member(&t, a, STR("\\u0062")), trie_member(&t, a, STR("b")));
	trie_done(&t);
	arena_done(&arena);
}
