/* All described formats, and recognition: see known.h. */
#include "config.h"
#include "format/known.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/embedded.h"
#include "base/mem.h"
#include "format/include.h"

#define MATCH_LEAVES 4096

struct known {
	struct jv json;
	int order;
	const char *file; /* NULL: built in */
	struct description *description; /* once it was asked for */
	struct groups match;             /* its tests have leaves of the matcher */
};

/* One trie of all the paths that conditions ask for: a description of nothing else. */
static struct {
	struct arena arena;
	struct known *items;
	size_t count, cap;
	size_t own; /* of the person's; they stand first */
	struct trie matcher;
	struct test **tests; /* by leaf, those of one leaf next to each other */
	size_t *first_test;  /* by leaf; one more at the end */
	size_t test_count;
	bool ready;
} all;

static void add_known(struct jv json, const char *file, size_t at)
{
	double order = 50;
	struct known *k;

	all.items = mem_grow(all.items, &all.cap, all.count + 1, sizeof(*all.items));
	k = &all.items[at];
	memmove(k + 1, k, (all.count++ - at) * sizeof(*k));
	jv_number(jv_member(json, "order"), &order);
	*k = (struct known){.json = json, .order = (int)order, .file = file};
}

/* By order, and equal ones by where they stand. */
static void sort_known(size_t from)
{
	for (size_t i = from + 1; i < all.count; i++) {
		struct known k = all.items[i];
		size_t at = i;

		for (; at > from && all.items[at - 1].order > k.order; at--)
			all.items[at] = all.items[at - 1];
		all.items[at] = k;
	}
}

/* Calls for each test of each format. */
static void each_test(void (*call)(struct test *t))
{
	for (size_t i = 0; i < all.count; i++)
		for (size_t g = 0; g < all.items[i].match.count; g++)
			for (size_t t = 0; t < all.items[i].match.items[g].count; t++)
				call(&all.items[i].match.items[g].tests[t]);
}

static void count_test(struct test *t)
{
	t->number = all.test_count++;
	if (t->leaf >= 0)
		all.first_test[t->leaf + 1]++;
}

static void enter_test(struct test *t)
{
	if (t->leaf >= 0)
		all.tests[all.first_test[t->leaf]++] = t;
}

/* Which tests are asked of the value of each leaf. */
static void index_tests(void)
{
	size_t leaves = all.matcher.leaf_count;

	all.first_test = mem_zalloc(leaves + 2, sizeof(*all.first_test));
	each_test(count_test);
	for (size_t i = 0; i < leaves; i++)
		all.first_test[i + 1] += all.first_test[i];
	all.tests = mem_zalloc(all.test_count + 1, sizeof(struct test *));
	each_test(enter_test);
	memmove(all.first_test + 1, all.first_test, leaves * sizeof(*all.first_test));
	all.first_test[0] = 0;
}

static void prepare(void)
{
	struct jv list = jv_whole(
		(struct str){(const char *)embedded_formats.bytes, embedded_formats.n});
	struct err err = {0};
	struct jv key, json;
	struct jwalk w;

	if (all.ready)
		return;
	all.ready = true;
	jwalk_begin(&w, list);
	while (jwalk_next(&w, &key, &json))
		add_known(json, NULL, all.count);
	sort_known(all.own);
	trie_begin(&all.matcher, &all.arena, false, MATCH_LEAVES);
	for (size_t i = 0; i < all.count; i++)
		if (!description_match(&all.items[i].match, all.items[i].json,
			    &all.matcher, &all.arena, &err))
			abort(); /* a test holds that no built-in one fails */
	index_tests();
}

static struct jv named_json(struct str name)
{
	for (size_t i = 0; i < all.count; i++)
		if (jv_is(jv_member(all.items[i].json, "name"), name))
			return all.items[i].json;
	return JV_NONE;
}

#define INCLUDED_MOST 4 /* formats that include each other in turn */

/* The file with what those say that it includes. */
static struct jv with_included(struct jv json)
{
	struct jv base = json;

	for (int i = 0; i < INCLUDED_MOST; i++) {
		struct jv name = jv_member(base, "include");

		base = name.kind == J_STRING ? named_json(jv_plain(name))
					     : (struct jv)JV_NONE;
		if (base.kind == J_NONE)
			break;
		json = include_base(json, base, &all.arena);
	}
	return json;
}

static const struct description *compiled(struct known *k)
{
	struct err err = {0};

	if (!k->description) {
		k->description = description_new(
			with_included(k->json), &all.arena, &err);
		if (!k->description) { /* a test holds that no built-in one fails */
			fprintf(stderr, "format: %s\n", err.text);
			abort();
		}
		k->description->file = k->file;
	}
	return k->description;
}

size_t known_count(void)
{
	prepare();
	return all.count;
}

const struct description *known_at(size_t i)
{
	prepare();
	return compiled(&all.items[i]);
}

const struct description *known_named(struct str name)
{
	prepare();
	for (size_t i = 0; i < all.count; i++)
		if (jv_is(jv_member(all.items[i].json, "name"), name))
			return compiled(&all.items[i]);
	return NULL;
}

/* ---- recognition ---- */

enum held { UNSEEN, HELD, FAILED };

static void look_at_leaf(void *ctx, int leaf, struct jv value)
{
	unsigned char *held = ctx;

	for (size_t i = all.first_test[leaf]; i < all.first_test[leaf + 1]; i++) {
		const struct test *t = all.tests[i];
		unsigned char *h = &held[t->number];

		if (t->want == WANT_ABSENT ? *h != FAILED : *h != HELD)
			*h = test_holds(t, value) ? HELD : FAILED;
	}
}

static bool group_held(const struct group *g, const unsigned char *held)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct test *t = &g->tests[i];
		unsigned char h = held[t->number];

		if (t->want == WANT_ABSENT ? h == FAILED : h != HELD)
			return false;
	}
	return g->count > 0;
}

/* What each test makes of a value; for mem_free. */
static unsigned char *judge_tests(struct jv value)
{
	struct arena arena = {0};
	struct trie_reading r = {&all.matcher, &arena, look_at_leaf, NULL};

	prepare();
	r.ctx = mem_zalloc(all.test_count + 1, 1);
	trie_read(&r, TRIE_ROOT, value);
	arena_done(&arena);
	return r.ctx;
}

const struct description *known_recognise(struct jv value)
{
	unsigned char *held;
	struct known *found = NULL;

	if (value.kind != J_OBJECT && value.kind != J_ARRAY)
		return NULL;
	held = judge_tests(value);
	for (size_t i = 0; i < all.count && !found; i++)
		for (size_t g = 0; g < all.items[i].match.count && !found; g++)
			if (group_held(&all.items[i].match.items[g], held))
				found = &all.items[i];
	mem_free(held);
	return found ? compiled(found) : NULL;
}
