/*
 * Ways to values lead there: each is walked again by a small evaluator of what we write,
 * and by jq where it is installed.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "json/json.h"
#include "json/route.h"

static const char *const texts[] = {
	"{\"a\":1,\"b\":[true,{\"c d\":[[],{}],\"e\\\"f\":\"x\"}],\"_1\":{\"1a\":null}}",
	"[[1,2,[3]],{\"\":{\"\\u0041\":-1.5e3}},\"s\"]",
	"{\"results\":[[\"u\",{\"$ai_input\":[{\"role\":\"user\",\"content\":\"hi\"}]}]]"
	"}",
	"[ {\"k\" : { \"\\\\(1)\" : [ 0 , \"a,b]}\" ] } } , 7 ]",
	"{\"input\":\"{\\\"messages\\\":[{\\\"role\\\":\\\"user\\\",\\\"n\\\":[1,{"
	"\\\"z\\\":2}]}]}\"}",
};

#define TEXTS (sizeof(texts) / sizeof(*texts))

/* ---- what we write, walked again ---- */

static struct jv member(struct jv object, struct str name)
{
	struct jv found = JV_NONE;

	JV_PAIRS(key, value, object)
		if (jv_is(key, name))
			found = value;
	return found;
}

static struct jv item(struct jv array, size_t index)
{
	JV_EACH(value, array)
		if (value_walk.index == index)
			return value;
	return (struct jv)JV_NONE;
}

static struct jv follow(struct jv v, const char *p, struct arena *arena)
{
	while (*p && v.kind != J_NONE) {
		if (*p == ' ' || *p == '|' || (*p == '.' && (p[1] == '[' || !p[1]))) {
			p++;
		} else if (strncmp(p, "fromjson", 8) == 0) {
			v = jv_parse(jv_keep(v, arena));
			p += 8;
		} else if (*p == '.') {
			size_t n = strcspn(++p, ".[ ");

			v = member(v, (struct str){p, n});
			p += n;
		} else if (p[1] == '"') {
			struct jv key = jv_parse(str_of(p + 1));

			v = member(v, jv_keep(key, arena));
			p += key.n + 2;
		} else {
			v = item(v, strtoul(p + 1, NULL, 10));
			p = strchr(p, ']') + 1;
		}
	}
	return v;
}

/* ---- jq ---- */

static bool has_jq(void)
{
	return system("command -v jq >/dev/null 2>&1") == 0;
}

/* What jq makes of it, compact; the program and the text go by files. */
static void ask_jq(const char *program, const char *text, struct buf *out)
{
	char folder[] = "/tmp/catena-route.XXXXXX", line[256];
	FILE *f;
	int c;

	cr_assert(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
	f = fopen("p", "w");
	fputs(program, f);
	fclose(f);
	f = fopen("t", "w");
	fputs(text, f);
	fclose(f);
	snprintf(line, sizeof(line), "jq -c -f p t");
	f = popen(line, "r");
	while ((c = fgetc(f)) != EOF)
		buf_byte(out, (char)c);
	cr_assert_eq(pclose(f), 0, "jq refuses %s", program);
	unlink("p");
	unlink("t");
	rmdir(folder);
}

/* Compared as jq sees them. */
static void check_jq(const char *way, const char *text, struct jv value)
{
	struct buf one = BUF_INIT, other = BUF_INIT, raw = BUF_INIT;

	buf_add(&raw, value.p, value.n);
	buf_byte(&raw, '\0');
	ask_jq(way, text, &one);
	ask_jq(".", raw.data, &other);
	cr_expect_str_eq(one.data, other.data, "%s of %s", way, text);
	buf_done(&one);
	buf_done(&other);
	buf_done(&raw);
}

/* ---- the tests ---- */

/* Every value of a text, by where values begin. */
static bool next_value(struct jv root, size_t *at, struct jv *value)
{
	for (; *at < root.n; ++*at) {
		struct buf way = BUF_INIT;
		bool leads = route_put(&way, root, root.p + *at);

		buf_done(&way);
		if (!leads)
			continue;
		*value = jv_parse((struct str){root.p + *at, root.n - *at});
		++*at;
		return true;
	}
	return false;
}

Test(route, leads_to_every_value)
{
	bool jq = has_jq();

	for (size_t i = 0; i < TEXTS; i++) {
		struct jv root = jv_parse(str_of(texts[i])), value;
		size_t at = 0, count = 0;

		for (; next_value(root, &at, &value); count++) {
			struct arena arena = {0};
			struct buf way = BUF_INIT;

			cr_assert(route_put(&way, root, value.p));
			if (!way.len)
				buf_byte(&way, '.');
			cr_expect_eq(follow(root, way.data, &arena).p, value.p,
				"%s in %s", way.data, texts[i]);
			if (jq)
				check_jq(way.data, texts[i], value);
			arena_done(&arena);
			buf_done(&way);
		}
		cr_assert_geq(count, 2);
	}
}

Test(route, leads_nowhere_else)
{
	struct str text = STR("{\"a\":{\"x\":1},\"a\":{\"x\":2},\"b\":3}");
	struct jv root = jv_parse(text);
	struct buf way = BUF_INIT;

	cr_assert_not(route_put(&way, root, text.p + 5)); /* jq sees the second */
	cr_assert_not(route_put(&way, root, text.p + 2)); /* a key */
	cr_assert_not(route_put(&way, root, text.p + text.n));
	cr_assert_eq(way.len, 0);
	cr_assert(route_put(&way, root, strstr(text.p, "2}")));
	cr_assert_str_eq(way.data, ".a.x");
	buf_done(&way);
}

/* The text of a string, as the viewer has it: decoded elsewhere. */
static bool nested(const char *text, const char *around, size_t offset, struct buf *way)
{
	return route_put_nested(way, jv_parse(str_of(text)), str_of(around), offset);
}

Test(route, goes_through_strings)
{
	struct buf way = BUF_INIT;

	cr_assert(nested(texts[4],
		"{\"messages\":[{\"role\":\"user\",\"n\":[1,{\"z\":2}]}]}", 35, &way));
	cr_assert_str_eq(way.data, ".input | fromjson | .messages[0].n[1]");
	if (has_jq())
		check_jq(way.data, texts[4], jv_parse(STR("{\"z\":2}")));
	buf_clear(&way);
	cr_assert(nested(texts[4],
		"{\"messages\":[{\"role\":\"user\",\"n\":[1,{\"z\":2}]}]}", 0, &way));
	cr_assert_str_eq(way.data, ".input | fromjson");
	buf_clear(&way);
	cr_assert(
		nested("[\"\\\"{\\\\\\\"a\\\\\\\":[5]}\\\"\"]", "{\"a\":[5]}", 6, &way));
	cr_assert_str_eq(way.data, ".[0] | fromjson | fromjson | .a[0]");
	buf_done(&way);
}

Test(route, does_not_guess_among_strings)
{
	struct buf way = BUF_INIT;

	cr_assert_not(
		nested("[\"{\\\"a\\\":1}\",\"{\\\"a\\\":1}\"]", "{\"a\":1}", 0, &way));
	cr_assert_not(nested("[\"{\\\"a\\\":2}\"]", "{\"a\":1}", 0, &way));
	cr_assert_not(nested("{\"{\\\"a\\\":1}\":0}", "{\"a\":1}", 0, &way));
	cr_assert_eq(way.len, 0);
	buf_done(&way);
}

static bool locate(
	struct str text, size_t at, size_t piece, struct buf *way, uint64_t *value)
{
	struct locate *l = locate_new();
	bool known;

	for (size_t i = 0; i < at; i += piece)
		locate_add(l, (struct str){text.p + i, at - i < piece ? at - i : piece});
	known = locate_put(l, way, value);
	locate_free(l);
	return known;
}

Test(locate, finds_the_same_ways_however_it_is_cut)
{
	for (size_t i = 0; i < TEXTS; i++) {
		struct jv root = jv_parse(str_of(texts[i])), v;
		size_t at = 0;

		while (next_value(root, &at, &v)) {
			struct buf way = BUF_INIT, want = BUF_INIT;
			uint64_t value;

			route_put(&want, root, v.p);
			for (size_t piece = 1; piece < 40; piece += 13) {
				buf_clear(&way);
				cr_assert(locate(str_of(texts[i]),
					(size_t)(v.p - texts[i]), piece, &way, &value));
				cr_expect(str_equal(buf_view(&way), buf_view(&want)),
					"%s, not %s", way.data, want.data);
				cr_expect_eq(value, 0);
			}
			buf_done(&way);
			buf_done(&want);
		}
	}
}

Test(locate, counts_the_values_of_a_file)
{
	struct str text = STR("{\"a\":[1]}\n12\n\"x\" [3,{\"b\":4}]\n");
	struct buf way = BUF_INIT;
	uint64_t value;

	cr_assert(locate(text, 10, 4, &way, &value));
	cr_assert_eq(value, 1);
	cr_assert(locate(text, 13, 4, &way, &value));
	cr_assert_eq(value, 2);
	cr_assert_eq(way.len, 0);
	cr_assert(locate(text, (size_t)(strstr(text.p, "4}") - text.p), 4, &way, &value));
	cr_assert_eq(value, 3);
	cr_assert_str_eq(way.data, ".[1].b");
	buf_done(&way);
}

Test(locate, says_nothing_of_broken_files)
{
	struct buf way = BUF_INIT;
	uint64_t value;

	cr_assert_not(locate(STR("{\"a\":1]} [2]"), 10, 3, &way, &value));
	cr_assert_not(locate(STR("]"), 1, 3, &way, &value));
	cr_assert_not(locate(STR("{\"abc"), 4, 3, &way, &value));
	cr_assert_not(locate(STR("{\"abc\" 5"), 7, 3, &way, &value));
	buf_done(&way);
}
