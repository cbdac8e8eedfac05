/* YAML as JSON: values, what is refused and where, places, and files made to hurt. */
#include "config.h"
#include <criterion/criterion.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "schema/yaml.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static void expect_value(const char *text, const char *want)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct buf out = BUF_INIT;
	struct yaml y;
	bool ok = yaml_read(&y, str_of(text), &err);

	cr_expect(ok, "%s: %s", text, ok ? "" : err.text);
	if (ok && y.root)
		json_write(&out, y.root, JSON_LINE);
	cr_expect_str_eq(out.data ? out.data : "", want, "%s gives %s, not %s", text,
		out.data ? out.data : "nothing", want);
	buf_done(&out);
	err_done(&err);
	yaml_done(&y);
}

Test(yaml, values, .init = json_init)
{
	static const char *const rows[][2] = {
		{"", ""},
		{"# nothing but a comment\n", ""},
		{"---\n", "null"},
		{"text", "\"text\""},
		{"\xEF\xBB\xBF{a: 1}", "{\"a\":1}"},
		{"b: 1\na: 2\n", "{\"b\":1,\"a\":2}"},
		{"- 1\n- [2, {x: y}]\n", "[1,[2,{\"x\":\"y\"}]]"},
		{"a:\n  - b: 1\n    c: 2\n  - d\n", "{\"a\":[{\"b\":1,\"c\":2},\"d\"]}"},
		{"a: |\n  one\n   two\n", "{\"a\":\"one\\n two\\n\"}"},
		{"a: >-\n  one\n  two\n", "{\"a\":\"one two\"}"},
		{"1: x\ntrue: y\n'': z\n", "{\"1\":\"x\",\"true\":\"y\",\"\":\"z\"}"},
		{"\"a\\u00e9\\x41\": '\xE4\xB8\xAD'\n", "{\"a\xC3\xA9"
							"A\":\"\xE4\xB8\xAD\"}"},
		{"a: \"x\\0y\"", "{\"a\":\"x\\u0000y\"}"},
		{"%YAML 1.1\n---\na: 1\n...\n", "{\"a\":1}"},
		{"<<: {a: 1}", "{\"<<\":{\"a\":1}}"},
		{"[[[[[[[[]]]]]]]]", "[[[[[[[[]]]]]]]]"},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		expect_value(rows[i][0], rows[i][1]);
}

/* The core schema, plain scalars only. */
Test(yaml, scalars, .init = json_init)
{
	static const char *const rows[][2] = {
		{"", "null"},
		{"~", "null"},
		{"Null", "null"},
		{"nULL", "\"nULL\""},
		{"true", "true"},
		{"FALSE", "false"},
		{"yes", "\"yes\""},
		{"off", "\"off\""},
		{"'true'", "\"true\""},
		{"\"1\"", "\"1\""},
		{"0", "0"},
		{"-0", "0"},
		{"007", "7"},
		{"+12", "12"},
		{"9223372036854775807", "9223372036854775807"},
		{"0x1f", "31"},
		{"0o17", "15"},
		{"0o18", "\"0o18\""},
		{"0x", "\"0x\""},
		{"0xFFFFFFFFFFFFFFFF", "\"0xFFFFFFFFFFFFFFFF\""},
		{"1.50", "1.5"},
		{".5", "0.5"},
		{"-.5e1", "-5"},
		{"5.", "5"},
		{"1e3", "1000"},
		{"1E-2", "0.01"},
		{"1e", "\"1e\""},
		{"1e+", "\"1e+\""},
		{".", "\".\""},
		{"+", "\"+\""},
		{"1_000", "\"1_000\""},
		{"1:30", "\"1:30\""},
		{"2024-01-01", "\"2024-01-01\""},
		{"1.2.3", "\"1.2.3\""},
		{"infinity", "\"infinity\""},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf text = BUF_INIT, want = BUF_INIT;

		buf_printf(&text, "k: %s\n", rows[i][0]);
		buf_printf(&want, "{\"k\":%s}", rows[i][1]);
		expect_value(text.data, want.data);
		buf_done(&text);
		buf_done(&want);
	}
}

/* More digits than a C type holds are kept. */
Test(yaml, long_number, .init = json_init)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct str digits;
	struct yaml y;

	cr_assert(yaml_read(&y, STR("- 123456789012345678901234567890\n"), &err));
	digits = json_number_text(json_array_get(y.root, 0));
	cr_expect(str_equal(digits, STR("123456789012345678901234567890")));
	yaml_done(&y);
}

Test(yaml, refused, .init = json_init)
{
	static const struct {
		const char *text;
		uint64_t line, column;
		const char *says;
	} rows[] = {
		{"a: 1\nb: 2\na: 3\n", 3, 1, "a: the key is used twice, first in line 1"},
		{"t:\n  x: {k: 1, \"k\": 2}\n", 2, 13, "t.x.k: the key is used twice"},
		{"t:\n  - a\n  - &x b\n", 3, 5, "t[1]: the anchor &x"},
		{"t:\n  y: *x\n", 2, 6, "t.y: the alias *x"},
		{"t: !!str 5\n", 1, 4, "t: the tag tag:yaml.org,2002:str"},
		{"t: ! 5\n", 1, 4, "t: the tag !"},
		{"t: &a [*a]\n", 1, 4, "t: the anchor &a"},
		{"a: 1\n---\nb: 2\n", 2, 1, "a second document"},
		{"? [a, b]\n: 1\n", 1, 3, "a key must be a text"},
		{"{{a: 1}: 2}", 1, 2, "a key must be a text"},
		{"x:\n  ?\n  : 1\n", 2, 4, "x: a key is missing"},
		{"\"a\\0b\": 1\n", 1, 1, "a NUL in a key"},
		{"a: {b: {c: {d: {e: {f: {g: {h: 1}}}}}}}\n"
		 "z: [[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]",
			2, 19,
			"z[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]: nested deeper "
			"than 16 levels"},
		{"a: .inf\n", 1, 4, "a: no number that JSON can write"},
		{"a: -.INF\n", 1, 4, "a: no number that JSON can write"},
		{"a: .NaN\n", 1, 4, "a: no number that JSON can write"},
		{"a:\n  b: x\n\tc: y\n", 3, 1, "a tab; indent with spaces"},
		{"a: @b\n", 1, 4, "a: no text begins so; put it in quotes"},
		{"a: b: c\n", 1, 5, "a colon where no key is allowed"},
		{"a: 1\nlonely\nb: 2\n", 2, 1, "a key without a colon"},
		{"a:\n  - [1, 2\nb: 2\n", 2, 5, "the `[` is not closed"},
		{"a:\n  b: {c: 1\n", 2, 6, "the `{` is not closed"},
		{"a: 'it\nb: 2\n", 1, 4, "a: the quote is not closed"},
		{"a: 1\n  b: 2\n", 2, 4, "a colon where no key is allowed"},
		{"a:\n    b: 2\n  c: 3\n", 3, 3, "not indented as the keys before it"},
		{"\xC3\xA9: 1\n\xC3\xA9\xC3\xA9: [\xC3\xA9, &x y]\n", 2, 12,
			"[1]: the anchor"},
		{"a: 1\nb: \"\xFF\"\n", 2, 5, "no UTF-8"},
		{"a: 1\nb: x\x01y\n", 2, 5, "a control character"},
		{"\xFF\xFE"
		 "a",
			1, 1, "no UTF-8"},
		{"a: \"\\q\"\n", 1, 5, "escape"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = {.offset = ERR_NOWHERE};
		struct yaml y;

		cr_assert_not(yaml_read(&y, str_of(rows[i].text), &err), "%s taken",
			rows[i].text);
		cr_expect(strstr(err.text, rows[i].says), "%s: \"%s\" lacks \"%s\"",
			rows[i].text, err.text, rows[i].says);
		cr_expect(err.line == rows[i].line && err.column == rows[i].column,
			"%s: %" PRIu64 ":%" PRIu64, rows[i].text, err.line, err.column);
		cr_expect(!y.root && !y.marks);
		err_done(&err);
	}
}

/* A message names long keys in short. */
Test(yaml, long_key_in_message, .init = json_init)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct buf text = BUF_INIT;
	struct yaml y;

	for (int i = 0; i < 5000; i++)
		buf_text(&text, "\xC3\xA9");
	buf_text(&text, ": {a: &x b}");
	buf_str(&text, STR("\n"));
	/* libyaml looks ahead 1024 characters for a key's colon, then gives up */
	cr_assert_not(yaml_read(&y, buf_view(&text), &err));
	err_done(&err);
	buf_clear(&text);
	buf_text(&text, "k");
	for (int i = 0; i < 300; i++)
		buf_text(&text, "\xC3\xA9");
	buf_text(&text, ": {a: &x b}");
	cr_assert_not(yaml_read(&y, buf_view(&text), &err));
	cr_expect(strlen(err.text) < 120, "%s", err.text);
	cr_expect(strstr(err.text, "\xC3\xA9....a: the anchor"), "%s", err.text);
	err_done(&err);
	buf_done(&text);
}

static const char placed[] = "types:\n"
			     "  one:\n"
			     "    name: first\n"
			     "    list:\n"
			     "      - a\n"
			     "      -\n"
			     "        b: 2\n"
			     "  a/b~c: {x: [1, 2]}\n"
			     "  block: |\n"
			     "\n"
			     "      {\"a\":\n"
			     "        1}\n"
			     "  last: 'quoted'\n";

Test(yaml, places, .init = json_init)
{
	static const struct {
		const char *pointer;
		uint64_t line, column;
	} rows[] = {
		{"", 1, 1},
		{"/types", 1, 1},
		{"/types/one", 2, 3},
		{"/types/one/name", 3, 5},
		{"/types/one/list", 4, 5},
		{"/types/one/list/0", 5, 9},
		{"/types/one/list/1", 7, 9},
		{"/types/one/list/1/b", 7, 9},
		{"/types/a~1b~0c", 8, 3},
		{"/types/a~1b~0c/x/1", 8, 18},
		{"/types/one/nothing/there", 2, 3},
		{"/types/one/list/01", 4, 5},
		{"/nowhere", 1, 1},
		{"/types/", 1, 1},
	};
	struct err err = {.offset = ERR_NOWHERE};
	struct yaml y;
	uint64_t line, column;

	cr_assert(yaml_read(&y, STR(placed), &err));
	for (size_t i = 0; i < COUNT(rows); i++) {
		yaml_place(&y, str_of(rows[i].pointer), &line, &column);
		cr_expect(line == rows[i].line && column == rows[i].column,
			"%s: %" PRIu64 ":%" PRIu64, rows[i].pointer, line, column);
	}
	line = 3, column = 3; /* the 1 in the block's text */
	yaml_place_within(&y, STR("/types/block"), &line, &column);
	cr_expect(line == 12 && column == 9, "%" PRIu64 ":%" PRIu64, line, column);
	line = 1, column = 3;
	yaml_place_within(&y, STR("/types/last"), &line, &column);
	cr_expect(line == 13 && column == 9, "%" PRIu64 ":%" PRIu64, line, column);
	yaml_done(&y);
	yaml_place(&y, STR("/a"), &line, &column);
	cr_expect(line == 1 && column == 1);
}

Test(yaml, size, .init = json_init)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct buf text = BUF_INIT;
	struct yaml y;

	buf_fill(&text, ' ', YAML_SIZE - 1);
	buf_byte(&text, '1');
	cr_expect(yaml_read(&y, buf_view(&text), &err));
	yaml_done(&y);
	buf_byte(&text, '1');
	cr_expect_not(yaml_read(&y, buf_view(&text), &err));
	cr_expect(strstr(err.text, "longer than 65536 bytes"), "%s", err.text);
	err_done(&err);
	buf_done(&text);
}

/* As much of a unit as a file may have: refused or read, but at once. */
static void read_repeated(const char *head, const char *unit)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct buf text = BUF_INIT;
	struct yaml y;

	buf_text(&text, head);
	while (text.len + strlen(unit) <= YAML_SIZE)
		buf_text(&text, unit);
	if (yaml_read(&y, buf_view(&text), &err))
		cr_expect(!err.text);
	else
		cr_expect(err.text && err.line && err.column, "%s", unit);
	err_done(&err);
	yaml_done(&y);
	buf_done(&text);
}

Test(yaml, hostile, .init = json_init, .timeout = 60)
{
	static const char *const heads[] = {
		"", "a: [", "a: {", "- ", "a: |\n", "\"", "k: "};
	static const char *const units[] = {"[", "{", "- ", "? ", "{a: ", "[a,",
		"&a [*a] ", "*a,", "a", "a ", "a\n", "\"", "'", "a: ", "- a\n", "!!x ",
		"#", "%", "%TAG ! a\n", "---\n", "...\n", "\t", "\n", "\xFF", "\\", ":",
		"?", "-", "[?", "{?:", "? - ", ",", "[],", "? a\n", " x\n", "\"\\\n",
		"!<", "\xEF\xBB\xBF", "- - ? ", "? ? : : ", "? {", "1,", "a: 1, ",
		"\"a\":1,", "\xC3\xA9,", "\r", "\xE2\x80\xA8", "\r\n"};

	for (size_t h = 0; h < COUNT(heads); h++)
		for (size_t u = 0; u < COUNT(units); u++)
			read_repeated(heads[h], units[u]);
}

/* Many distinct keys, and a long key with many members. */
Test(yaml, many, .init = json_init, .timeout = 60)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct buf text = BUF_INIT;
	struct yaml y;
	uint64_t line, column;

	for (int i = 0; text.len < YAML_SIZE - 20; i++)
		buf_printf(&text, "k%d: %d\n", i, i);
	cr_expect(yaml_read(&y, buf_view(&text), &err), "%s", err.text);
	cr_expect_eq(json_object_size(y.root), y.values.count - 1);
	yaml_place(&y, STR("/k4000"), &line, &column);
	cr_expect_eq(line, 4001);
	yaml_done(&y);
	buf_clear(&text);
	buf_fill(&text, 'k', 1000);
	buf_text(&text, ":");
	for (int i = 0; text.len < YAML_SIZE - 20; i++)
		buf_printf(&text, "\n %d:", i);
	cr_expect(yaml_read(&y, buf_view(&text), &err), "%s", err.text);
	yaml_done(&y);
	buf_done(&text);
}
