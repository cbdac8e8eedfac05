/*
 * The engine of described formats: paths and the tree that the scan follows them with,
 * which must find the same; what a format file may say, and how its mistakes are told;
 * what one takes over of another; and how all of them recognize a value.
 */
#include "config.h"
#include <criterion/criterion.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "import/known.h"
#include "import/describe.h"
#include "json/json.h"
#include "schema/yaml.h"

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
static struct paths carriers_of(struct arena *arena)
{
	struct paths c = {arena_alloc(arena, 2 * sizeof(*c.items)), 2};

	c.items[0] = path_of("attributes", arena);
	c.items[1] = path_of("rest.attributes", arena);
	return c;
}

static void find_by_path(
	const char *path, const char *value, struct arena *arena, struct buf *out)
{
	struct path p = path_of(path, arena);
	struct paths c = carriers_of(arena);
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
	struct paths c = carriers_of(arena);
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
		{"a[*].b",
			"{\"a\":\"data: {\\\"b\\\":1}\\n\\ndata: {\\\"b\\\":2}\\n\\n\"}",
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
		{"@x.y_z",
			"{\"attributes\":{\"w\":1},\"rest\":{\"attributes\":{\"x.y_z\":2}"
			"}}",
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
	struct paths c = carriers_of(arena);

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

/* ---- what a format file may say ---- */

/* A format file as the JSON that the engine reads. */
static struct jv json_of_yaml(const char *text, struct arena *arena)
{
	struct yaml yaml = {0};
	struct buf json = BUF_INIT;
	struct err err = {0};
	struct jv v;

	cr_assert(yaml_read(&yaml, str_of(text), &err), "%s: %s", text, err.text);
	match_expand(yaml.root);
	json_write(&json, yaml.root, JSON_LINE);
	v = jv_whole(arena_dup(arena, buf_view(&json)));
	yaml_done(&yaml);
	buf_done(&json);
	return v;
}

/* What is wrong with a file, or an empty text. */
static void put_mistake(const char *yaml, struct buf *out)
{
	struct arena arena = {0};
	struct err err = {0};
	struct jv json = json_of_yaml(yaml, &arena);
	struct groups match;
	struct trie trie;

	trie_begin(&trie, &arena, false, SIZE_MAX);
	if (!description_match(&match, jv_member(json, "match"), &trie, &arena, &err) ||
		!description_new(json, &arena, &err))
		buf_text(out, err.text ? err.text : "no word of it");
	trie_done(&trie);
	err_done(&err);
	arena_done(&arena);
}

#define HEAD "name: x\nsteps: [lines]\n"

Test(describe, more_places_than_can_be_kept_are_a_mistake)
{
	AUTO_BUF yaml = BUF_INIT, got = BUF_INIT;

	buf_text(&yaml, HEAD "facts:\n  id: [a");
	for (int i = 0; i < FIELD_MAX; i++)
		buf_printf(&yaml, ", a%d", i);
	buf_text(&yaml, "]\n");
	put_mistake(yaml.data, &got);
	cr_expect_str_eq(
		got.data, "facts: the format names more places than can be kept");
}

Test(describe, mistakes_name_the_member_and_the_nearest_word)
{
	static const struct {
		const char *yaml, *want;
	} rows[] = {
		{"title: x\nsteps: [lines]\n", "name: a format needs a name"},
		{"name: 7\nsteps: [lines]\n", "name: a format needs a name"},
		{HEAD "fact: {id: a}\n", "fact: no such word; did you mean \"facts\"?"},
		{HEAD "matches: []\n", "matches: no such word; did you mean \"match\"?"},
		{HEAD "zebra: 1\n", "zebra: no such word"},
		{HEAD "match: [{a: strin}]\n",
			"match: neither a kind of value nor a list of texts"},
		{HEAD "match: [{a: 5}]\n",
			"match: neither a kind of value nor a list of texts"},
		{HEAD "match: [{a: {nott: [x]}}]\n",
			"match: neither a kind of value nor a list of texts"},
		{HEAD "match: [{a..b: any}]\n", "match: no path"},
		{HEAD "match: [any]\n", "match: not a mapping of paths to conditions"},
		{HEAD "match_steps: [{\"a[\": any}]\n", "match: no path"},
		{"name: x\nsteps: [a.b]\n",
			"steps: lines, value, or paths that end in [*]"},
		{"name: x\nsteps: [\"a[*]\", line]\n",
			"steps: lines, value, or paths that end in [*]"},
		{"name: x\nsteps: [\"a[*\"]\n", "steps: no path"},
		{"name: x\nsteps: [\"a[k=v].b[*]\"]\n",
			"steps: the scan cannot follow this path"},
		{HEAD "attributes: [\"a[\"]\n", "attributes: no path"},
		{HEAD "children: [\"a[\"]\n", "children: no path"},
		{HEAD "trace: {ids: a}\n",
			"trace.ids: no such word; did you mean \"id\"?"},
		{HEAD "trace: {id: a.}\n", "trace.id: no path"},
		{HEAD "facts: {latancy: a}\n",
			"facts.latancy: no such fact; did you mean \"latency\"?"},
		{HEAD "facts: {zebra: a}\n", "facts.zebra: no such fact"},
		{HEAD "facts: {cost: a..b}\n", "facts.cost: no path"},
		{HEAD "facts: {cost: 5}\n", "facts.cost: no path"},
		{HEAD "facts: {latency: a hours}\n", "facts.latency: no path"},
		{HEAD "facts: {cost: [a, {sum: [b]}]}\n", "facts.cost.sum: no such word"},
		{HEAD "facts: {cost: {sum: [a..b]}}\n", "facts.cost: no path"},
		{HEAD "facts: {cost: {sum: [a], when: {b: any}}}\n",
			"facts.cost.when: no such word"},
		{HEAD "facts: {cost: {att: a}}\n",
			"facts.cost.att: no such word; did you mean \"at\"?"},
		{HEAD "facts: {cost: {at: a, when: {b: x}}}\n",
			"facts.cost: neither a kind of value nor a list of texts"},
		{HEAD "run: {facts: {id: a}}\n",
			"run: the steps are no members of a value"},
		{"name: x\nsteps: [\"a[*]\"]\nrun: {fact: {id: a}}\n",
			"run.fact: no such word; did you mean \"facts\"?"},
		{"name: x\nsteps: [\"a[*]\"]\nrun: {facts: {modell: a}}\n",
			"facts.modell: no such fact; did you mean \"model\"?"},
		{"name: x\nsteps: [\"a[*]\"]\nrun: {when: [7]}\n",
			"run.when: not a mapping of paths to conditions"},
		{HEAD "kind: {calls: [a]}\n",
			"kind.calls: no such word; did you mean \"call\"?"},
		{HEAD "files: [\"calls/*.json\"]\n",
			"files: begin with /, ~/ or ${NAME:-~/...}/"},
		{HEAD "files: [\"$HOME/*.json\", \"~/a\"]\n",
			"files: begin with /, ~/ or ${NAME:-~/...}/"},
		{HEAD "parts: [\"${CALLS}/*.json\"]\n",
			"parts: begin with /, ~/ or ${NAME:-~/...}/"},
		{HEAD "parts: {a: [/x]}\n",
			"parts: begin with /, ~/ or ${NAME:-~/...}/"},
		{HEAD "kind: {at: a.}\n", "kind.at: no path"},
		{HEAD "kind: {call_when: {a: x}}\n",
			"kind.call_when: neither a kind of value nor a list of texts"},
		{HEAD "kind: {container_when: 1}\n",
			"kind.container_when: not a mapping of paths to conditions"},
		{HEAD "failed: [x]\n", "failed: not a mapping of paths to conditions"},
		{HEAD "skip: {a: x}\n",
			"skip: neither a kind of value nor a list of texts"},
		{HEAD "attached: {\"x:\": \"a[\"}\n", "attached: no path"},
		{HEAD "merge: a.\n", "merge: no path"},
		{HEAD "dialect: opnai\n", "dialect: no such dialect"},
		{HEAD "dialect: null\n", "dialect: no value"},
		{HEAD "skip:\n", "skip: no value"},
		{HEAD "output: [{text: a, role_at: null}]\n", "role_at: no value"},
		{HEAD "input: [5]\n", "input: neither a path nor a mapping"},
		{HEAD "input: [\"a[\"]\n", "input: no path"},
		{HEAD "output: [{said: a}]\n",
			"output: says nothing: messages, text, call, result, each or the "
			"like"},
		{HEAD "output: [{text: a, rolle: b}]\n",
			"output.rolle: no such word; did you mean \"role\"?"},
		{HEAD "output: [{text: a, role_at: b.}]\n", "role_at: no path"},
		{HEAD "output: [{text: a, dialect: x}]\n", "dialect: no such dialect"},
		{HEAD "output: [{text: a, when: {b: x}}]\n",
			"when: neither a kind of value nor a list of texts"},
		{HEAD "output: [{each: a, say: [{txt: b}]}]\n",
			"say: says nothing: messages, text, call, result, each or the "
			"like"},
		{HEAD "output: [{first: [a], say: [b]}]\n",
			"output: first stands for itself"},
		{HEAD "output: [{each: \"a[*]\", first: [b]}]\n",
			"output: first stands for itself"},
		{HEAD "bodies: {requests: a}\n",
			"bodies.requests: no such word; did you mean \"request\"?"},
		{HEAD "bodies: {response: a.}\n", "bodies: no path"},
		{HEAD "turns: {joins: a}\n",
			"turns.joins: no such word; did you mean \"join\"?"},
		{HEAD "turns: {join: a.}\n", "turns.join: no path"},
		{HEAD "turns: {items: [{when: {}, as: outputs}]}\n",
			"turns.items.as: one of input, output, both, skip, alone, drop"},
		{HEAD "turns: {items: [{when: {}}]}\n",
			"turns.items.as: one of input, output, both, skip, alone, drop"},
		{HEAD "turns: {items: [{whenn: {}, as: skip}]}\n",
			"turns.items.whenn: no such word; did you mean \"when\"?"},
		{HEAD "turns: {items: [{when: {a: x}, as: skip}]}\n",
			"turns.items.when: neither a kind of value nor a list of texts"},
		{HEAD "turns: {items: [{when: {}, as: output, say: [6]}]}\n",
			"turns.items.say: neither a path nor a mapping"},
		{"name: x\n", "steps: lines, value, or paths that end in [*]"},
		{"name: x\nsteps: []\n", "steps: lines, value, or paths that end in [*]"},
		{HEAD "facts: [id]\n", "facts: not a mapping"},
		{HEAD "trace: id\n", "trace: not a mapping"},
		{HEAD "kind: [a]\n", "kind: not a mapping"},
		{HEAD "bodies: a\n", "bodies: not a mapping"},
		{HEAD "turns: [a]\n", "turns: not a mapping"},
		{HEAD "turns: {items: [a]}\n", "turns.items: not a mapping"},
		{HEAD "run: a\n", "run: not a mapping"},
		{HEAD "cumulative: yes\n", "cumulative: neither true nor false"},
		{HEAD "answer_last: 1\n", "answer_last: neither true nor false"},
		{HEAD "tokens: sum\n", "tokens: add, or nothing"},
		{HEAD "turns: {tokens: true}\n", "turns.tokens: add, or nothing"},
		{HEAD "turns: {carry_model: yes}\n",
			"turns.carry_model: neither true nor false"},
		{HEAD "turns: {items: [{as: skip, when: {}, echo: yes}]}\n",
			"turns.items.echo: neither true nor false"},
		{HEAD "input: [{text: a, joins: x}]\n", "joins: neither true nor false"},
		{HEAD "input: [{text: a, alone: 0}]\n", "alone: neither true nor false"},
		{HEAD "zebra: 1\nfacts: {latancy: a}\n", "zebra: no such word"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf out = BUF_INIT;

		put_mistake(rows[i].yaml, &out);
		cr_expect(str_equal(buf_view(&out), str_of(rows[i].want)),
			"%s: \"%.*s\", not \"%s\"", rows[i].yaml, (int)out.len,
			out.len ? out.data : "", rows[i].want);
		buf_done(&out);
	}
}

Test(describe, every_word_together_is_no_mistake)
{
	struct buf out = BUF_INIT;

	put_mistake(
		"name: x\ntitle: y\norder: 3\nmatch: [{a: any, b: absent, c: string, d: "
		"number, e: bool, f: object, g: array, h: true, i: false, j: [x, "
		"y*], k: {not: [z]}}]\nmatch_steps: [{l: any}]\n"
		"steps: [\"s[*]\"]\nchildren: [below]\nattributes: [at]\n"
		"trace: {id: i, name: n}\nrun: {facts: {model: m}, say: [a], when: "
		"{z: any}}\nfacts: {id: a, cost: {sum: [b, c]}, latency: [d ms, {at: "
		"e us, when: {f: any}}], start: \"@g.h\"}\nkind: {at: k, call: [x], "
		"container: [y], call_when: {q: any}, container_when: [{r: any}]}\n"
		"failed: {f: true}\nskip: [{g: any}]\nattached: {\"p://\": h}\n"
		"merge: id\ncumulative: true\ntokens: add\ndialect: openai\n"
		"bodies: {request: a, response: [b, c]}\nanswer_last: true\nfiles: "
		"[\"~/x\"]\ntool: t\nparts: [\"${A:-~/a}/b\"]\nboilerplate: [\"c*\"]\n"
		"include: y\n"
		"input: [a, {messages: b, when: {c: any}, role: user}, {text: c, "
		"role_at: d, roles: {x: user}, joins: true, gather: [t]}, {thinking: "
		"e}]\noutput: [{call: a, id: b, name: c, called: d}, {result: e, "
		"failed: {f: any}, beside: g}, {image: h}, {json: i}, {tools: j}, "
		"{parameters: k}, {first: [l, m]}, {each: \"n[*]\", sort: o, say: "
		"[p]}, {tree: q, parent: r, node_id: s, leaf: t, children: u, say: "
		"[v]}, {messages: w, dialect: vercel, alone: true}]\n"
		"turns: {join: a, about: b, replace: c, tokens: add, carry_model: "
		"true, items: [{when: {a: any}, as: both}, {as: drop, when: {}, "
		"together: true, echo: true, sums: true, first: true, say: [x]}]}\n",
		&out);
	cr_expect_eq(out.len, 0, "%.*s", (int)out.len, out.len ? out.data : "");
	buf_done(&out);
}

/* A list may be as long as a file is. */
Test(describe, very_many_conditions_and_texts)
{
	struct buf yaml = BUF_INIT, out = BUF_INIT;

	buf_text(&yaml, HEAD "match: [{");
	for (int i = 0; i < 2000; i++)
		buf_printf(&yaml, "%sk%d: any", i ? ", " : "", i);
	buf_text(&yaml, "}]\nboilerplate: [");
	for (int i = 0; i < 12000; i++)
		buf_text(&yaml, i ? ",b" : "b");
	buf_text(&yaml, "]\n");
	put_mistake(yaml.data, &out);
	cr_expect_eq(out.len, 0, "%.*s", (int)out.len, out.len ? out.data : "");
	buf_done(&yaml);
	buf_done(&out);
}

Test(describe, pieces_nest_so_deep_and_no_deeper)
{
	for (int depth = 1; depth < 20; depth++) {
		struct buf yaml = BUF_INIT, out = BUF_INIT;

		buf_text(&yaml, HEAD "input: ");
		for (int i = 0; i < depth; i++)
			buf_text(&yaml, "{\"each\": \"a\", \"say\": ");
		buf_text(&yaml, "\"b\"");
		for (int i = 0; i < depth; i++)
			buf_text(&yaml, "}");
		if (depth > 12) { /* more than the reader of YAML takes */
			buf_done(&yaml);
			break;
		}
		put_mistake(yaml.data, &out);
		if (depth <= 6)
			cr_expect_eq(
				out.len, 0, "%d: %.*s", depth, (int)out.len, out.data);
		else
			cr_expect(str_equal(buf_view(&out), STR("say: nested too deep")),
				"%d: %.*s", depth, (int)out.len, out.data);
		buf_done(&yaml);
		buf_done(&out);
	}
}

/* ---- conditions ---- */

Test(describe, conditions)
{
	static const struct {
		const char *want, *value;
		bool holds;
	} rows[] = {
		{"any", "1", true},
		{"any", "false", true},
		{"any", "\"\"", true},
		{"any", "null", false},
		{"any", "", false},
		{"absent", "", true},
		{"absent", "null", true},
		{"absent", "0", false},
		{"string", "\"x\"", true},
		{"string", "1", false},
		{"number", "1", true},
		{"number", "\"1\"", false},
		{"bool", "true", true},
		{"bool", "false", true},
		{"bool", "null", false},
		{"true", "true", true},
		{"true", "false", false},
		{"true", "\"true\"", false},
		{"false", "false", true},
		{"false", "", false},
		{"array", "[]", true},
		{"array", "{}", false},
		{"object", "{}", true},
		{"object", "[]", false},
		{"\"null\"", "null", true},
		{"\"null\"", "", false},
		{"[x, y]", "\"y\"", true},
		{"[x, y]", "\"z\"", false},
		{"[x, y]", "\"\\u0078\"", true},
		{"[x]", "[\"x\"]", false},
		{"[x]", "", false},
		{"[5]", "5", true},
		{"[\"5\"]", "5", true},
		{"[\"true\"]", "true", true},
		{"[\"ab*\"]", "\"abc\"", true},
		{"[\"ab*\"]", "\"ab\"", true},
		{"[\"ab*\"]", "\"xab\"", false},
		{"[\"*ab\"]", "\"xab\"", true},
		{"[\"*ab\"]", "\"abc\"", false},
		{"[\"*ab\"]", "\"b\"", false},
		{"[\"*\"]", "\"\"", true},
		{"{not: [x]}", "\"y\"", true},
		{"{not: [x]}", "\"x\"", false},
		{"{not: [x]}", "", false},
		{"{not: [x]}", "null", false},
		{"{not: [\"a*\"]}", "\"ab\"", false},
		{"{not: [x]}", "7", true},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena arena = {0};
		struct buf yaml = BUF_INIT;
		struct groups match;
		struct err err = {0};
		struct trie trie;
		struct jv json;

		buf_printf(&yaml, "match: [{a: %s}]\n", rows[i].want);
		json = json_of_yaml(yaml.data, &arena);
		trie_begin(&trie, &arena, false, SIZE_MAX);
		cr_assert(description_match(
				  &match, jv_member(json, "match"), &trie, &arena, &err),
			"%s: %s", rows[i].want, err.text);
		cr_assert_eq(match.count, 1);
		cr_assert_eq(match.items[0].count, 1);
		cr_expect_eq(test_holds(&match.items[0].tests[0],
				     jv_parse(str_of(rows[i].value))),
			rows[i].holds, "%s of %s", rows[i].want, rows[i].value);
		trie_done(&trie);
		buf_done(&yaml);
		arena_done(&arena);
	}
}

Test(describe, times_and_their_units)
{
	static const struct {
		const char *value;
		double want;
	} times[] = {
		{"[1700000000,500000000]", 1700000000.5},
		{"[\"1700000000\",0]", 1700000000},
		{"1700000000", 1700000000},
		{"1700000000123", 1700000000.123},
		{"\"2023-11-14T22:13:20Z\"", 1700000000},
	};
	struct jv two = jv_parse(STR("2000"));

	for (size_t i = 0; i < COUNT(times); i++)
		cr_expect_float_eq(described_time(jv_parse(str_of(times[i].value))),
			times[i].want, 1e-5, "%s", times[i].value);
	cr_expect(described_time(jv_parse(STR("[1]"))) !=
			  described_time(jv_parse(STR("[1]"))),
		"half a time is none");
	cr_expect_float_eq(unit_seconds_of(two, TIME_S), 2000, 1e-9);
	cr_expect_float_eq(unit_seconds_of(two, TIME_MS), 2, 1e-9);
	cr_expect_float_eq(unit_seconds_of(two, TIME_US), 2e-3, 1e-9);
	cr_expect_float_eq(unit_seconds_of(two, TIME_NS), 2e-6, 1e-12);
}

Test(describe, each_fact_has_a_word_of_its_own)
{
	cr_expect_eq(fact_of_word(STR("latancy")), -1);
	cr_expect_eq(fact_of_word(STR("")), -1);
	for (int fact = 0; fact < FACT_COUNT; fact++)
		cr_expect_eq(fact_of_word(str_of(fact_words[fact].word)), fact, "%s",
			fact_words[fact].word);
}

/* ---- what one takes over of another ---- */

Test(describe, what_is_taken_over)
{
	static const struct {
		const char *own, *base, *want;
	} rows[] = {
		{"{\"name\":\"a\"}",
			"{\"name\":\"b\",\"title\":\"t\",\"match\":[{}],\"steps\":"
			"[\"lines\"],\"order\":1,\"turns\":{},\"files\":[\"f\"]}",
			"{\"name\":\"a\"}"},
		{"{\"name\":\"a\"}", "{\"attributes\":\"x\",\"dialect\":\"openai\"}",
			"{\"name\":\"a\",\"attributes\":\"x\",\"dialect\":\"openai\"}"},
		{"{\"attributes\":\"x\"}", "{\"attributes\":[\"y\"],\"cumulative\":true}",
			"{\"attributes\":\"x\",\"cumulative\":true}"},
		{"{\"facts\":{\"id\":\"a\",\"cost\":[\"c\"]}}",
			"{\"facts\":{\"id\":[\"b\",\"d\"],\"model\":\"m\"}}",
			"{\"facts\":{\"id\":[\"a\",\"b\",\"d\"],\"cost\":[\"c\"],"
			"\"model\":\"m\"}}"},
		{"{\"input\":\"a\",\"failed\":{\"x\":\"any\"}}",
			"{\"input\":[\"b\"],\"output\":\"c\",\"failed\":[{\"y\":\"any\"}]"
			"}",
			"{\"input\":[\"a\",\"b\"],\"failed\":[{\"x\":\"any\"},{\"y\":"
			"\"any\"}],\"output\":\"c\"}"},
		{"{\"kind\":{\"call\":[\"LLM\"]}}",
			"{\"kind\":{\"at\":\"k\",\"call\":\"chat\"}}",
			"{\"kind\":{\"call\":[\"LLM\",\"chat\"],\"at\":\"k\"}}"},
		{"{}", "{}", "{}"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena arena = {0};
		struct jv v = include_base(jv_parse(str_of(rows[i].own)),
			jv_parse(str_of(rows[i].base)), &arena);

		cr_expect(str_equal((struct str){v.p, v.n}, str_of(rows[i].want)),
			"%.*s, not %s", (int)v.n, v.p, rows[i].want);
		arena_done(&arena);
	}
}

/* ---- all formats ---- */

Test(describe, every_built_in_format_can_be_used)
{
	cr_expect_gt(known_count(), 50);
	for (size_t i = 0; i < known_count(); i++) {
		const struct description *d = known_at(i); /* ends the program if not */

		cr_assert(d);
		cr_expect_not(
			d->trie.full, "%s has more places than fit", d->format.name);
		cr_expect(*d->format.recognized_by, "%s has no title", d->format.name);
		cr_expect_null(known_file(i));
		cr_expect_eq(known_named(str_of(d->format.name)), d);
		cr_expect_eq(known_built_in(str_of(d->format.name)), d);
		cr_expect(!i || known_at(i - 1)->order <= d->order, "%s before %s",
			known_at(i - 1)->format.name, d->format.name);
		cr_expect(d->lines || d->value || d->trie.step != TRIE_ROOT,
			"%s has no steps", d->format.name);
	}
	cr_expect_null(known_named(STR("no-such-format")));
}

static void each_sample(
	void (*call)(void *ctx, const char *name, struct jv value), void *ctx)
{
	static const char folder[] = TEST_SRCDIR "/tests/formats";
	DIR *dir = opendir(folder);
	struct dirent *entry;
	size_t count = 0;

	cr_assert(dir);
	while ((entry = readdir(dir))) {
		char path[4096];
		struct buf text = BUF_INIT;
		const char *ending = strrchr(entry->d_name, '.');
		FILE *f;
		int byte;

		if (!ending || (strcmp(ending, ".json") && strcmp(ending, ".jsonl")))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		f = fopen(path, "rb");
		cr_assert(f, "%s", path);
		while ((byte = getc(f)) != EOF)
			buf_byte(&text, (char)byte);
		fclose(f);
		if (text.len > PROBE)
			text.len = PROBE;
		call(ctx, entry->d_name, jv_parse(buf_view(&text)));
		buf_done(&text);
		count++;
	}
	closedir(dir);
	cr_assert_gt(count, 100);
}

/* The conditions of all formats, from the last to the first or as they stand. */
static void make_anew(struct matcher *m, bool backwards, struct arena *arena)
{
	size_t n = known_count();
	struct jv *matches = mem_zalloc(n, sizeof(*matches));
	struct err err = {0};

	for (size_t i = 0; i < n; i++) {
		struct jv format = jv_parse(known_text(backwards ? n - 1 - i : i));

		if (matcher_takes(format, false))
			matches[i] = jv_member(format, "match");
	}
	cr_assert(matcher_make(m, matches, n, arena, &err), "%s", err.text);
	mem_free(matches);
}

static void done_anew(struct matcher *m)
{
	trie_done(&m->trie);
	mem_free(m->formats);
	mem_free(m->tests);
	mem_free(m->first);
}

struct two_matchers {
	const struct matcher *a, *b;
	bool backwards; /* b has them so */
};

static bool format_held(const struct groups *g, const unsigned char *held)
{
	for (size_t i = 0; i < g->count; i++)
		if (group_held(&g->items[i], held))
			return true;
	return false;
}

static void compare_verdicts(void *ctx, const char *name, struct jv value)
{
	struct two_matchers *t = ctx;
	const struct description *d = known_recognize(value);
	unsigned char *a = matcher_test(t->a, value), *b = matcher_test(t->b, value);
	size_t held = 0;

	for (size_t i = 0; i < t->a->count; i++) {
		size_t at = t->backwards ? t->a->count - 1 - i : i;
		bool first = format_held(&t->a->formats[i], a);

		held += first;
		cr_expect_eq(first, format_held(&t->b->formats[at], b), "%s is %s?", name,
			known_at(i)->format.name);
	}
	if (!t->backwards)
		cr_expect(!memcmp(a, b, t->a->test_count), "%s", name);
	/* one that is asked last is one of these only where no other holds */
	cr_expect_eq(held == 0, !d || d == known_named(STR("talk")), "%s", name);
	mem_free(a);
	mem_free(b);
}

Test(describe, what_is_built_in_judges_as_what_is_made)
{
	struct arena arena = {0};
	struct matcher made;
	struct two_matchers t = {&matcher_built_in, &made, false};

	make_anew(&made, false, &arena);
	cr_assert_eq(made.count, matcher_built_in.count);
	cr_assert_eq(made.test_count, matcher_built_in.test_count);
	cr_expect_eq(made.trie.leaf_count, matcher_built_in.trie.leaf_count);
	cr_expect_not(made.trie.full);
	each_sample(compare_verdicts, &t);
	done_anew(&made);
	arena_done(&arena);
}

/* Whether a format is one of a value does not hang on which others are asked before. */
Test(describe, the_order_of_formats_does_not_change_what_holds)
{
	struct arena arena = {0};
	struct matcher made;
	struct two_matchers t = {&matcher_built_in, &made, true};

	make_anew(&made, true, &arena);
	each_sample(compare_verdicts, &t);
	done_anew(&made);
	arena_done(&arena);
}

static void expect_named(void *ctx, const char *name, struct jv value)
{
	const struct description *d = known_recognize(value);
	size_t n = strcspn(name, "+.");

	(void)ctx;
	if (d) /* of some more than the first value is looked at */
		cr_expect(strlen(d->format.name) == n && !memcmp(d->format.name, name, n),
			"%s is taken for %s", name, d->format.name);
}

Test(describe, samples_are_recognized)
{
	each_sample(expect_named, NULL);
}

/* ---- a person's own ---- */

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	cr_assert(f, "%s", path);
	fputs(text, f);
	fclose(f);
}

static void read_own(const char *yaml)
{
	char path[] = "/tmp/catena-format-XXXXXX";
	struct err err = {0};
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	close(fd);
	write_file(path, yaml);
	cr_assert(known_read(path, &err), "%s", err.text);
	unlink(path);
}

static const char *recognized(const char *value)
{
	const struct description *d = known_recognize(jv_parse(str_of(value)));

	return d ? d->format.name : "none";
}

#define CALL_OF_OPENAI                                                                   \
	"{\"object\":\"chat.completion\",\"id\":\"x\",\"model\":\"m\",\"choices\":"      \
	"[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"Hi\"}}]}"

Test(describe, own_formats_in_the_order_they_were_read)
{
	size_t built_in = matcher_built_in.count;

	read_own("name: late\norder: 90\nmatch: [{zebra: number}]\nsteps: [lines]\n");
	read_own("name: early\norder: 1\nmatch: [{zebra: any}, {choices: array}]\nsteps: "
		 "[lines]\n");
	cr_assert_eq(known_count(), built_in + 2);
	cr_expect_str_eq(known_at(0)->format.name, "late");
	cr_expect_str_eq(known_at(1)->format.name, "early");
	cr_expect_not_null(known_file(0));
	cr_expect_null(known_file(2));
	cr_expect_str_eq(recognized("{\"zebra\":1}"), "late");
	cr_expect_str_eq(recognized("{\"zebra\":\"x\"}"), "early");
	cr_expect_str_eq(recognized(CALL_OF_OPENAI), "early", "before all built-in ones");
	cr_expect_str_eq(recognized("{\"zebr"), "none", "cut within the key");
	cr_expect_str_eq(recognized("{\"zebra\":\"x\",\"lo"), "early", "cut behind it");
	cr_expect_str_eq(recognized("7"), "none");
}

Test(describe, an_own_format_with_the_name_of_a_built_in_one)
{
	const struct description *d;

	read_own("name: otlp\nmatch: [{zebra: any}]\nsteps: [lines]\ninclude: otlp\n");
	d = known_named(STR("otlp"));
	cr_expect_not_null(known_file(0));
	cr_expect(d->lines);
	cr_expect_eq(d, known_at(0));
	cr_expect_neq(d, known_built_in(STR("otlp")));
	cr_expect(d->facts[FACT_TIMESTAMP].count, "taken over of the built-in one");
}

Test(describe, mistakes_in_a_file_have_their_place)
{
	static const struct {
		const char *yaml, *text;
		uint64_t line, column;
	} rows[] = {
		{HEAD "facts:\n  id: a\n  latancy: b\n",
			"facts.latancy: no such fact; did you mean \"latency\"?", 5, 3},
		{HEAD "facts:\n  cost: a..b\n", "facts.cost: no path", 4, 3},
		{HEAD "include: nobody\n", "include: no such format", 3, 1},
		{HEAD "turns:\n  carry: true\n", "turns.carry: no such word", 4, 3},
		{HEAD "zebra: 1\n", "zebra: no such word", 3, 1},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		char path[] = "/tmp/catena-format-XXXXXX";
		struct err err = {0};
		int fd = mkstemp(path);

		close(fd);
		write_file(path, rows[i].yaml);
		cr_expect_not(known_read(path, &err), "%s", rows[i].yaml);
		cr_expect_str_eq(err.text, rows[i].text);
		cr_expect_str_eq(err.source, path);
		cr_expect_eq(err.line, rows[i].line, "%s: line %d", rows[i].yaml,
			(int)err.line);
		cr_expect_eq(err.column, rows[i].column, "%s: column %d", rows[i].yaml,
			(int)err.column);
		err_done(&err);
		unlink(path);
	}
	cr_expect_eq(known_count(), matcher_built_in.count, "none was taken");
}

static int warnings;

static void count_warning(const struct err *err)
{
	cr_expect(strstr(err->source, "b-wrong.yaml"), "%s", err->source);
	warnings++;
}

Test(describe, a_folder_of_own_formats)
{
	char home[] = "/tmp/catena-home-XXXXXX", path[128];
	static const char *const names[][2] = {
		{"c-last.yaml", "name: last\nmatch: [{zebra: any}]\nsteps: [lines]\n"},
		{"a-first.yaml", "name: first\nmatch: [{zebra: any}]\nsteps: [lines]\n"},
		{"b-wrong.yaml", "name: wrong\nfoo: 1\n"},
		{"notes.txt", "no format"},
		{".hidden.yaml", "no format"},
	};

	cr_assert(mkdtemp(home));
	setenv("XDG_CONFIG_HOME", home, 1);
	snprintf(path, sizeof(path), "%s/catena", home);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/catena/formats", home);
	mkdir(path, 0700);
	for (size_t i = 0; i < COUNT(names); i++) {
		snprintf(path, sizeof(path), "%s/catena/formats/%s", home, names[i][0]);
		write_file(path, names[i][1]);
	}
	known_read_user(count_warning);
	cr_expect_eq(warnings, 1);
	cr_expect_eq(known_count(), matcher_built_in.count + 2);
	cr_expect_str_eq(known_at(0)->format.name, "first");
	cr_expect_str_eq(known_at(1)->format.name, "last");
	for (size_t i = 0; i < COUNT(names); i++) {
		snprintf(path, sizeof(path), "%s/catena/formats/%s", home, names[i][0]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/catena/formats", home);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/catena", home);
	rmdir(path);
	rmdir(home);
}
