/*
 * The cursor over raw text: against jansson on valid input, and total on any other.
 * Texts are copied to the very end of an allocation, so that reading on is seen.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "json/check.h"
#include "json/cursor.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static const char *const kind_names[] = {
	"none", "object", "array", "string", "number", "true", "false", "null", "bad"};

/* A copy whose last byte is the last of its memory, at an address that is not aligned. */
struct tight {
	char *memory;
	struct str text;
};

static struct tight tight(struct str text)
{
	char *memory = malloc(text.n + 3);

	cr_assert(memory);
	if (text.n)
		memcpy(memory + 3, text.p, text.n);
	return (struct tight){memory, {memory + 3, text.n}};
}

Test(parse, kinds)
{
	static const struct {
		const char *text;
		enum jkind kind;
		const char *value; /* the bytes of the first value */
		bool cut;
	} rows[] = {
		{"", J_NONE, "", false},
		{" \t\r\n", J_NONE, "", false},
		{"\xEF\xBB\xBF", J_NONE, "", false},
		{"\xEF\xBB\xBF {}", J_OBJECT, "{}", false},
		{"{}", J_OBJECT, "{}", false},
		{" [1,\"]\"] x", J_ARRAY, "[1,\"]\"]", false},
		{"\"a\\\"b\"c", J_STRING, "\"a\\\"b\"", false},
		{"\"\\\\\"", J_STRING, "\"\\\\\"", false},
		{"\"\\\\\\\"", J_STRING, "\"\\\\\\\"", true},
		{"\"", J_STRING, "\"", true},
		{"\"a", J_STRING, "\"a", true},
		{"\"a\\", J_STRING, "\"a\\", true},
		{"[", J_ARRAY, "[", true},
		{"{\"a\":[1,2}", J_OBJECT, "{\"a\":[1,2}", true},
		{"{\"a\":\"}", J_OBJECT, "{\"a\":\"}", true},
		{"-0.5e+10,", J_NUMBER, "-0.5e+10", false},
		{"0", J_NUMBER, "0", false},
		{"NaN", J_NUMBER, "NaN", false},
		{"-Infinity", J_NUMBER, "-Infinity", false},
		{"true]", J_TRUE, "true", false},
		{"false", J_FALSE, "false", false},
		{"null\n", J_NULL, "null", false},
		{"nul", J_BAD, "nul", false},
		{"01", J_BAD, "01", false},
		{"1.", J_BAD, "1.", false},
		{".5", J_BAD, ".5", false},
		{"+1", J_BAD, "+1", false},
		{"1e", J_BAD, "1e", false},
		{"-", J_BAD, "-", false},
		{"True", J_BAD, "True", false},
		{"'a'", J_BAD, "'a'", false},
		{"]", J_BAD, "]", false},
		{":", J_BAD, ":", false},
		{",1", J_BAD, ",", false},
		{"\xFF\xFE", J_BAD, "\xFF\xFE", false},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct tight t = tight(str_of(rows[i].text));
		struct jv v = jv_parse(t.text);

		cr_expect_eq(v.kind, rows[i].kind, "%s is %s", rows[i].text,
			kind_names[v.kind]);
		cr_expect(str_equal((struct str){v.p, v.n}, str_of(rows[i].value)),
			"%s: %.*s", rows[i].text, (int)v.n, v.p ? v.p : "");
		cr_expect_eq(v.cut, rows[i].cut, "%s", rows[i].text);
		free(t.memory);
	}
}

Test(parse, several_values)
{
	struct str text = STR("{} [1]\n\"a\" 7 x,null");
	static const enum jkind kinds[] = {J_OBJECT, J_ARRAY, J_STRING, J_NUMBER, J_BAD,
		J_BAD, J_NULL, J_NONE, J_NONE};
	size_t at = 0;

	for (size_t i = 0; i < COUNT(kinds); i++)
		cr_expect_eq(jv_next(text, &at).kind, kinds[i], "value %zu", i);
	cr_expect_eq(at, 0 + text.n);
}

Test(parse, a_run_of_values)
{
	struct str text = STR("{\"a\":[1]} [1],\n,\"a\" 7");
	static const char *const values[] = {"{\"a\":[1]}", "[1]", "\"a\"", "7"};
	struct jv key, value;
	struct jwalk w;
	size_t n = 0;

	w = jwalk_of_run(text, NULL);
	while (jwalk_next(&w, &key, &value)) {
		cr_assert_lt(n, COUNT(values));
		cr_expect(str_equal(jv_raw(value), str_of(values[n++])));
		cr_expect_eq(key.kind, J_NONE);
	}
	cr_expect_eq(n, COUNT(values));
}

/* "key=value;" for each child, with the key's kind when it is no string. */
static char *walked(struct str text)
{
	struct buf out = BUF_INIT;
	struct jwalk w;
	struct jv key, value;
	uint64_t n = 0;

	w = jwalk_of(jv_parse(text));
	while (jwalk_next(&w, &key, &value)) {
		cr_expect_eq(w.index, n++);
		if (key.kind == J_BAD)
			buf_text(&out, "?");
		jv_text(key, &out);
		buf_text(&out, "=");
		buf_add(&out, value.p, value.n);
		buf_text(&out, value.kind == J_BAD ? "!" : "");
		buf_text(&out, value.cut ? "~;" : ";");
	}
	return buf_take(&out);
}

Test(walk, tables)
{
	static const char *const rows[][2] = {
		{"[]", ""},
		{"{}", ""},
		{"[1, \"a\" ,[2,[3]],{\"b\":4}]", "=1;=\"a\";=[2,[3]];={\"b\":4};"},
		{"{\"a\":1, \"b\" : {\"c\":[]} ,\"a\":2}", "a=1;b={\"c\":[]};a=2;"},
		{"{\"\\u0061\\n\":null}", "a\n=null;"},
		{"7", ""},
		{"\"[1]\"", ""},
		/* broken: nothing is lost, nothing is made up */
		{"[1 2]", "=1;=2;"},
		{"[1,,2,]", "=1;=2;"},
		{"[a:b]", "=a!;=:!;=b!;"},
		{"{\"a\"}", "a=!;"},
		{"{\"a\":}", "a=!;"},
		{"{\"a\":,\"b\":1}", "a=!;b=1;"},
		{"{\"a\" 1}", "a=1;"},
		{"{1:2}", "?=1;?=:!;?=2;"},
		{"{a:1}", "?=a!;?=:!;?=1;"},
		{"{\"a\":]}", "a=!;"}, /* any bracket closes */
		/* cut */
		{"[1,[2", "=1;=[2~;"},
		{"{\"a\":\"x", "a=\"x~;"},
		{"{\"a\":", "a=!~;"},
		{"{\"a", "a=!~;"},
		{"{\"a\\", "a=!~;"},
		{"{", ""},
		{"[1,", "=1;"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct tight t = tight(str_of(rows[i][0]));
		char *got = walked(t.text);

		cr_expect_str_eq(got, rows[i][1], "%s: %s", rows[i][0], got);
		mem_free(got);
		free(t.memory);
	}
}

Test(decode, strings)
{
	static const struct {
		struct str raw, text;
		size_t mended;
	} rows[] = {
#define ROW(raw, text, mended) {{raw, sizeof(raw) - 1}, {text, sizeof(text) - 1}, mended}
		ROW("\"\"", "", 0),
		ROW("\"plain\"", "plain", 0),
		ROW("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 0),
		ROW("\"\\u00e9\\u20AC\\ud83d\\uDE00\"",
			"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 0),
		ROW("\"a\\u0000b\"", "a\0b", 0),
		ROW("\"\\ud83d\"", "\xEF\xBF\xBD", 1),
		ROW("\"\\ud83dx\"", "\xEF\xBF\xBDx", 1),
		ROW("\"\\ud83d\\u0041\"",
			"\xEF\xBF\xBD"
			"A",
			1),
		ROW("\"\\ude00\\ud83d\"", "\xEF\xBF\xBD\xEF\xBF\xBD", 2),
		ROW("\"\\u12\"",
			"\xEF\xBF\xBD"
			"12",
			1),
		ROW("\"\\u12g4\"",
			"\xEF\xBF\xBD"
			"12g4",
			1),
		ROW("\"\\x41\"", "\xEF\xBF\xBDx41", 1),
		ROW("\"a\nb\x01\xFF\"", "a\nb\x01\xFF", 0),
		ROW("\"cut", "cut", 0),
		ROW("\"cut\\", "cut", 1),
		ROW("\"cut\\u00",
			"cut\xEF\xBF\xBD"
			"00",
			1),
		ROW("\"cut\\ud83d\\", "cut\xEF\xBF\xBD", 2),
		ROW("\"", "", 0),
		ROW("\"01234567\\n01234567\\n0\"", "01234567\n01234567\n0", 0),
		ROW("12", "", 0),
#undef ROW
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct tight t = tight(rows[i].raw);
		struct jv v = jv_parse(t.text);
		struct str plain = jv_plain(v);
		struct buf out = BUF_INIT;
		size_t mended = jv_decode(v, &out);

		cr_expect_eq(mended, rows[i].mended, "%s: %zu", rows[i].raw.p, mended);
		cr_expect(str_equal(buf_view(&out), rows[i].text), "%s", rows[i].raw.p);
		cr_expect_eq(
			jv_is(v, rows[i].text), v.kind == J_STRING, "%s", rows[i].raw.p);
		cr_expect_not(jv_is(v, STR("other")));
		if (plain.p)
			cr_expect(str_equal(plain, rows[i].text), "%s", rows[i].raw.p);
		else
			cr_expect(v.kind != J_STRING || strchr(rows[i].raw.p, '\\'));
		buf_done(&out);
		free(t.memory);
	}
}

Test(members, spellings_and_duplicates)
{
	static const char *const names[] = {
		"tool_calls", "id", "toolUse", "tool_use", "a_b_c"};
	static const struct {
		const char *object;
		const char *values[COUNT(names)];
	} rows[] = {
		{"{}", {"", "", "", "", ""}},
		{"[1]", {"", "", "", "", ""}},
		{"{\"id\":1,\"id\":2}", {"", "2", "", "", ""}},
		{"{\"toolCalls\":1}", {"1", "", "", "", ""}},
		{"{\"tool_calls\":1,\"toolCalls\":2}", {"1", "", "", "", ""}},
		{"{\"toolCalls\":2,\"tool_calls\":1}", {"1", "", "", "", ""}},
		{"{\"toolCalls\":1,\"toolCalls\":2}", {"2", "", "", "", ""}},
		{"{\"toolUse\":1,\"tool_use\":2}", {"", "", "1", "2", ""}},
		{"{\"tool_use\":2,\"toolUse\":1}", {"", "", "1", "2", ""}},
		{"{\"aBC\":1}", {"", "", "", "", "1"}},
		{"{\"a_bC\":1,\"aB_c\":2,\"abc\":3,\"ABC\":4,\"aBc\":5}",
			{"", "", "", "", ""}},
		{"{\"tool_call\":1,\"tool_callss\":2,\"ToolCalls\":3,\"\":4}",
			{"", "", "", "", ""}},
		{"{\"t\\u006fol_calls\":1,\"\\u0069d\":2}", {"1", "2", "", "", ""}},
		{"{\"t\\u006fol\\u0043alls\":1}", {"1", "", "", "", ""}},
		{"{id:1,\"id\"", {"", "", "", "", ""}},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct jv v[COUNT(names)], object = jv_parse(str_of(rows[i].object));

		jv_members(object, names, v, COUNT(names));
		for (size_t k = 0; k < COUNT(names); k++) {
			struct str want = str_of(rows[i].values[k]);
			struct jv one = jv_member(object, names[k]);

			cr_expect(str_equal((struct str){v[k].p, v[k].n}, want), "%s: %s",
				rows[i].object, names[k]);
			if (k != 3) /* alone, tool_use means toolUse too */
				cr_expect(one.p == v[k].p && one.n == v[k].n,
					"%s: %s alone", rows[i].object, names[k]);
		}
	}
}

Test(members, key_is)
{
	static const struct {
		const char *key, *name;
		bool is;
	} rows[] = {
		{"\"tool_calls\"", "tool_calls", true},
		{"\"toolCalls\"", "tool_calls", true},
		{"\"tool_calls\"", "toolCalls", false},
		{"\"toolcalls\"", "tool_calls", false},
		{"\"tool_Calls\"", "tool_calls", false},
		{"\"$aiModel\"", "$ai_model", true},
		{"\"_a\"", "_a", true},
		{"\"A\"", "_a", false},
		{"\"a_\"", "a_", true},
		{"\"a_1\"", "a_1", true},
		{"\"a1\"", "a_1", false},
		{"\"\"", "a", false},
		{"7", "a", false},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect_eq(
			jv_key_is(jv_parse(str_of(rows[i].key)), str_of(rows[i].name)),
			rows[i].is, "%s for %s", rows[i].key, rows[i].name);
}

Test(values, empty)
{
	static const struct {
		const char *text;
		bool empty, null;
		unsigned count; /* children up to 2 */
	} rows[] = {
		{"", true, true, 0},
		{"null", true, true, 0},
		{"false", true, false, 0},
		{"true", false, false, 0},
		{"0", true, false, 0},
		{"-0.0e5", true, false, 0},
		{"0.001", false, false, 0},
		{"NaN", false, false, 0},
		{"1e999", false, false, 0},
		{"\"\"", true, false, 0},
		{"\"", false, false, 0},
		{"\"0\"", false, false, 0},
		{"[]", true, false, 0},
		{"[ \n]", true, false, 0},
		{"[", false, false, 0},
		{"[0]", false, false, 1},
		{"[1,2,3]", false, false, 2},
		{"{}", true, false, 0},
		{"{\"a\":null}", false, false, 1},
		{"x", false, false, 0},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct jv v = jv_parse(str_of(rows[i].text));

		cr_expect_eq(jv_empty(v), rows[i].empty, "%s", rows[i].text);
		cr_expect_eq(jv_null(v), rows[i].null, "%s", rows[i].text);
		cr_expect_eq(jv_count(v, 2), rows[i].count, "%s", rows[i].text);
	}
}

Test(values, numbers)
{
	static const struct {
		const char *text;
		bool is;
		double value;
	} rows[] = {
		{"1.5", true, 1.5},
		{"-2e3", true, -2000},
		{"\"1.5\"", true, 1.5},
		{"\" 12\\n\"", true, 12},
		{"\"1.5s\"", false, 0},
		{"\"0x10\"", false, 0},
		{"\"\"", false, 0},
		{"\"NaN\"", false, 0},
		{"NaN", false, 0},
		{"1e999", false, 0},
		{"12345678901234567890", true, 12345678901234567890.0},
		{"true", false, 0},
		{"[1]", false, 0},
		{"", false, 0},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		double value = 0;

		cr_expect_eq(jv_number(jv_parse(str_of(rows[i].text)), &value),
			rows[i].is, "%s", rows[i].text);
		if (rows[i].is)
			cr_expect_eq(value, rows[i].value, "%s: %g", rows[i].text, value);
	}
}

/* Short decimals are not left to strtod; they must come out the same to the last bit. */
Test(values, decimals_as_strtod_reads_them)
{
	static const char *const edges[] = {"0", "-0", "-0.0", "0.1",
		"0.30000000000000004", "9007199254740992", "9007199254740993",
		"9007199254740995", "4503599627370496.5", "999999999999999999",
		"0.00000000000000001", "123456789.012345678", "1.10", "00", "01", "-01",
		"0.", ".5", "1..2", "1.2.3", "-", "+1", "1-", "0x1", ""};
	unsigned long long seed = 88172645463325252u;
	char text[32];

	for (size_t i = 0; i < 200000; i++) {
		double got = -1, want;
		char *end;
		json_t *value;
		bool is;

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		snprintf(text, sizeof(text), "%s%.*f", seed & 1 ? "-" : "",
			(int)(seed >> 1 & 15),
			(double)(seed >> 20) / 1e9 / (double)(i + 1));
		if (i < COUNT(edges))
			snprintf(text, sizeof(text), "%s", edges[i]);
		is = jv_number(jv_of(str_of(text), J_NUMBER), &got);
		want = strtod(text, &end);
		value = json_loads(text, JSON_DECODE_ANY, NULL);
		cr_assert_eq(is, value != NULL, "%s", text);
		json_decref(value);
		cr_assert(!is || (got == want && signbit(got) == signbit(want)),
			"%s: %.17g", text, got);
	}
}

/* The decimal comma of a locale must not reach numbers (skipped where none is installed).
 */
Test(values, numbers_in_a_locale_with_a_comma)
{
	double value;

	if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
		cr_skip_test("no such locale");
	cr_expect(jv_number(jv_parse(STR("1.5")), &value));
	cr_expect_eq(value, 1.5);
}

Test(values, absent)
{
	struct buf out = BUF_INIT;
	struct jwalk w;
	struct jv key, value;

	cr_expect_eq(jv_parse((struct str){0}).kind, J_NONE);
	cr_expect_eq(jv_member(JV_NONE, "a").kind, J_NONE);
	cr_expect_null(jv_plain(JV_NONE).p);
	cr_expect_eq(jv_decode(JV_NONE, &out), 0);
	jv_text(JV_NONE, &out);
	cr_expect_eq(out.len, 0);
	cr_expect_not(jv_is(JV_NONE, STR("")));
	cr_expect_not(jv_key_is(JV_NONE, STR("a")));
	w = jwalk_of(JV_NONE);
	cr_expect_not(jwalk_next(&w, &key, &value));
	buf_done(&out);
}

/* Brackets are counted in blocks of 64 bytes: more depth than that, opened and closed. */
Test(blocks, deep)
{
	for (size_t depth = 1; depth < 400; depth += 7) {
		struct buf text = BUF_INIT;
		struct jv v;

		buf_fill(&text, '[', depth);
		buf_text(&text, "\"]\"");
		buf_fill(&text, ']', depth);
		buf_text(&text, " 1");
		v = jv_parse(buf_view(&text));
		cr_expect_eq(v.n, 2 * depth + 3, "depth %zu: %zu bytes", depth, v.n);
		cr_expect_not(v.cut, "depth %zu", depth);
		buf_done(&text);
	}
}

/* Quotes and runs of backslashes at every place around the edge of a block. */
Test(blocks, edges)
{
	for (size_t before = 50; before < 140; before++) {
		for (size_t slashes = 0; slashes < 6; slashes++) {
			struct buf text = BUF_INIT;
			struct tight t;
			struct jv v;
			size_t n;

			buf_text(&text, "{\"k\":\"");
			buf_fill(&text, 'x', before);
			buf_fill(&text, '\\', slashes);
			buf_text(&text, "\"]}\"} ");
			/* an odd number escapes the quote, and the string goes on to the
			 * next */
			n = 6 + before + slashes + (slashes % 2 ? 5 : 2);
			t = tight(buf_view(&text));
			v = jv_parse(t.text);
			cr_expect_eq(v.n, slashes % 2 ? n : n - 0,
				"%zu and %zu: %zu of %zu", before, slashes, v.n, n);
			free(t.memory);
			buf_done(&text);
		}
	}
}

/* Compares a value with what jansson reads, child by child. */

static void compare(struct jv v, json_t *value);

static void compare_string(struct jv v, json_t *value)
{
	struct buf text = BUF_INIT;

	cr_assert_eq(v.kind, J_STRING);
	cr_expect_eq(jv_decode(v, &text), 0);
	cr_expect(str_equal(buf_view(&text),
		(struct str){json_string_value(value), json_string_length(value)}));
	buf_done(&text);
}

static void compare_number(struct jv v, json_t *value)
{
	double number = 0;

	cr_assert_eq(v.kind, J_NUMBER);
	cr_expect(jv_number(v, &number));
	cr_expect_eq(number, json_number_value(value));
}

static void compare_array(struct jv v, json_t *value)
{
	struct jwalk w;
	struct jv key, item;
	size_t n = 0;

	cr_assert_eq(v.kind, J_ARRAY);
	w = jwalk_of(v);
	while (jwalk_next(&w, &key, &item)) {
		cr_expect_eq(key.kind, J_NONE);
		compare(item, json_array_get(value, n++));
	}
	cr_expect_eq(n, json_array_size(value));
	cr_expect_eq(jv_count(v, SIZE_MAX), n);
}

/* The generator below never writes a key twice. */
static void compare_object(struct jv v, json_t *value)
{
	struct jwalk w;
	struct jv key, item;
	void *member = json_object_iter(value);

	cr_assert_eq(v.kind, J_OBJECT);
	w = jwalk_of(v);
	while (jwalk_next(&w, &key, &item)) {
		cr_assert(member);
		cr_expect(jv_is(key, str_of(json_object_iter_key(member))));
		compare(item, json_object_iter_value(member));
		member = json_object_iter_next(value, member);
	}
	cr_expect_null(member);
}

static void compare(struct jv v, json_t *value)
{
	cr_assert(value);
	cr_expect_not(v.cut);
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		compare_object(v, value);
		break;
	case JSON_ARRAY:
		compare_array(v, value);
		break;
	case JSON_STRING:
		compare_string(v, value);
		break;
	case JSON_INTEGER:
	case JSON_REAL:
		compare_number(v, value);
		break;
	case JSON_TRUE:
		cr_expect_eq(v.kind, J_TRUE);
		break;
	case JSON_FALSE:
		cr_expect_eq(v.kind, J_FALSE);
		break;
	case JSON_NULL:
		cr_expect_eq(v.kind, J_NULL);
		break;
	}
}

/* Random texts; every run makes equal ones. */

static unsigned roll(unsigned *seed, unsigned sides)
{
	*seed = *seed * 1103515245u + 12345u;
	return (*seed >> 12) % sides;
}

static void make_space(struct buf *out, unsigned *seed)
{
	buf_fill(out, " \n\t\r"[roll(seed, 4)], roll(seed, 5) ? 0 : roll(seed, 90));
}

static void make_string(struct buf *out, unsigned *seed)
{
	static const char *const pieces[] = {"a", "\\\"", "\\\\", "\\u00e9",
		"\\ud83d\\ude00", "{", "}", "[", "]", ",", ":", "\xC3\xA9", "\\n",
		"bcdefghijklmnop", " ", "\\/"};

	buf_byte(out, '"');
	for (unsigned n = roll(seed, 4) ? roll(seed, 8) : roll(seed, 200); n; n--)
		buf_text(out, pieces[roll(seed, COUNT(pieces))]);
	buf_byte(out, '"');
}

static void make_value(struct buf *out, unsigned *seed, unsigned depth)
{
	static const char *const plain[] = {"null", "true", "false", "0", "-1", "12.5",
		"1e3", "-0.5E-2", "9007199254740993"};
	unsigned shape = roll(seed, depth ? 6 : 2), n = roll(seed, 6);
	bool object = shape > 3;

	if (shape == 0)
		buf_text(out, plain[roll(seed, COUNT(plain))]);
	if (shape == 1)
		make_string(out, seed);
	if (shape < 2)
		return;
	buf_byte(out, object ? '{' : '[');
	for (unsigned i = 0; i < n; i++) {
		buf_text(out, i ? "," : "");
		make_space(out, seed);
		if (object)
			buf_printf(out, "\"k%u\"", i);
		make_space(out, seed);
		buf_text(out, object ? ":" : "");
		make_space(out, seed);
		make_value(out, seed, depth - 1);
		make_space(out, seed);
	}
	buf_byte(out, object ? '}' : ']');
}

Test(random, like_jansson)
{
	for (unsigned seed = 1; seed < 2000; seed++) {
		struct buf text = BUF_INIT;
		unsigned state = seed;
		struct tight t;
		struct jv v;
		json_t *value;

		make_value(&text, &state, 6);
		t = tight(buf_view(&text));
		value = json_loadb(t.text.p, t.text.n, JSON_DECODE_ANY, NULL);
		v = jv_parse(t.text);
		cr_expect_eq(v.n, t.text.n, "seed %u", seed);
		compare(v, value);
		json_decref(value);
		free(t.memory);
		buf_done(&text);
	}
}

/*
 * On anything: children lie within their parent, in order, without overlap, and only
 * white space, commas, colons are left between them.
 */
static void check_walk(struct jv v, unsigned depth)
{
	const char *at = v.p + 1;
	struct jwalk w;
	struct jv key, value;
	struct buf text = BUF_INIT;
	double number;

	w = jwalk_of(v);
	while (jwalk_next(&w, &key, &value)) {
		const char *from = key.kind == J_STRING ? key.p : value.p;

		cr_assert(value.kind != J_NONE);
		cr_assert(value.p >= at && value.p + value.n <= v.p + v.n);
		for (; at < from; at++)
			cr_assert(strchr(" \n\t\r,", *at) && *at, "lost: %c", *at);
		if (key.kind == J_STRING)
			for (at = key.p + key.n; at < value.p; at++)
				cr_assert(
					strchr(" \n\t\r:", *at) && *at, "lost: %c", *at);
		at = value.p + value.n;
		jv_text(key, &text);
		jv_number(value, &number);
		jv_empty(value);
		if (depth)
			check_walk(value, depth - 1);
	}
	if (v.kind == J_STRING)
		jv_decode(v, &text);
	jv_member(v, "k1");
	buf_done(&text);
}

static void check_total(struct str text)
{
	struct tight t = tight(text);
	size_t at = 0, before;
	struct jv v;

	do {
		before = at;
		v = jv_next(t.text, &at);
		cr_assert(at <= t.text.n && (v.kind == J_NONE || at > before));
		if (v.kind != J_NONE)
			check_walk(v, 8);
	} while (v.kind != J_NONE);
	free(t.memory);
}

Test(random, prefixes)
{
	for (unsigned seed = 1; seed < 60; seed++) {
		struct buf text = BUF_INIT;
		unsigned state = seed;

		make_value(&text, &state, 4);
		for (size_t n = 0; n <= text.len && n < 600; n++)
			check_total((struct str){text.data, n});
		buf_done(&text);
	}
}

Test(random, mutations)
{
	static const char bytes[] = "{}[]\",:\\0a \xff\0ude";

	for (unsigned seed = 1; seed < 3000; seed++) {
		struct buf text = BUF_INIT;
		unsigned state = seed;

		make_value(&text, &state, 5);
		for (unsigned n = 1 + roll(&state, 4); n; n--)
			text.data[roll(&state, (unsigned)text.len)] =
				bytes[roll(&state, sizeof(bytes) - 1)];
		if (text.len < 3000)
			check_total(buf_view(&text));
		buf_done(&text);
	}
}

/* ---- decoding ---- */

static int hex_digits(const char *p, const char *end)
{
	int value = 0;

	for (int i = 0; i < 4; i++, p++) {
		const char *digits = "0123456789abcdef", *d;

		if (p >= end || !*p || !(d = strchr(digits, *p | (*p >= 'A' ? 0x20 : 0))))
			return -1;
		value = value * 16 + (int)(d - digits);
	}
	return value;
}

/* The rules of jv_decode, a byte at a time. */
static size_t decode_slowly(struct str inside, struct buf *out)
{
	static const char names[] = "\"\\/bfnrt", codes[] = "\"\\/\b\f\n\r\t";
	const char *p = inside.p, *end = p + inside.n, *name;
	size_t mended = 0;

	while (p < end) {
		int high, low;

		if (*p != '\\') {
			buf_byte(out, *p++);
			continue;
		}
		if (++p == end) {
			mended++;
			break;
		}
		name = *p ? strchr(names, *p) : NULL;
		if (name) {
			buf_byte(out, codes[name - names]);
			p++;
			continue;
		}
		high = *p == 'u' ? hex_digits(p + 1, end) : -1;
		p += *p == 'u' ? high < 0 ? 1 : 5 : 0;
		low = high >= 0xD800 && high < 0xDC00 && end - p >= 6 && p[0] == '\\' &&
				      p[1] == 'u'
			      ? hex_digits(p + 2, end)
			      : -1;
		if (low >= 0xDC00 && low <= 0xDFFF) {
			buf_utf8(out, 0x10000u + ((unsigned)(high - 0xD800) << 10) +
					      (unsigned)(low - 0xDC00));
			p += 6;
		} else if (high < 0 || (high >= 0xD800 && high <= 0xDFFF)) {
			buf_utf8(out, 0xFFFD);
			mended++;
		} else {
			buf_utf8(out, (unsigned)high);
		}
	}
	return mended;
}

static void assert_decoded(struct str inside, const char *what)
{
	struct buf raw = BUF_INIT, expected = BUF_INIT, got = BUF_INIT;
	struct tight t;
	struct jv string;
	size_t mended;

	buf_byte(&raw, '"');
	buf_str(&raw, inside);
	t = tight(buf_view(&raw));
	string = (struct jv){t.text.p, t.text.n, J_STRING, true, NULL};
	buf_text(&expected, "before ");
	buf_text(&got, "before ");
	mended = decode_slowly(inside, &expected);
	cr_assert_eq(jv_decode(string, &got), mended, "%s, %zu bytes", what, inside.n);
	cr_assert_eq(got.len, expected.len, "%s, %zu bytes", what, inside.n);
	cr_assert_arr_eq(got.data, expected.data, got.len, "%s, %zu", what, inside.n);
	cr_assert_eq(got.data[got.len], '\0');
	free(t.memory);
	buf_done(&raw);
	buf_done(&expected);
	buf_done(&got);
}

/* Blocks or bytes: the text is the same, wherever it begins and is cut. */
Test(decode, by_blocks_as_by_bytes)
{
	static const struct str parts[] = {{"words and more words ", 21}, {"\\\"", 2},
		{"\\\\", 2}, {"\\n", 2}, {"\\t\\r\\b\\f\\/", 10}, {"\xC3\xA9", 2},
		{"\\u00e9", 6}, {"\\u0000", 6}, {"\\ud83d\\ude00", 12}, {"\0", 1},
		{"\\ud83d", 6}, {"\\ude00", 6}, {"\\ud83d\\u0041", 12}, {"\\u12", 4},
		{"\\u", 2}, {"\\q", 2}, {"\\\0", 2}, {"\xE6\xBC", 2}, {"\xFF", 1},
		{"\x01", 1}, {"\\u\\u\\u\\u\\u\\u\\n\\n\\n\\n\\n\\n\\n\\n", 28}};
	struct buf text = BUF_INIT;

	srand(5);
	for (int round = 0; round < 60; round++) {
		unsigned odd = round % 3 ? COUNT(parts) : 6;

		buf_clear(&text);
		while (text.len < 400)
			buf_str(&text, parts[(unsigned)rand() % (rand() % 3 ? 6 : odd)]);
		for (size_t cut = 0; cut <= text.len; cut++)
			assert_decoded((struct str){text.data, cut}, "cut after it");
		for (size_t cut = 0; cut < 140; cut++)
			assert_decoded((struct str){text.data + cut, text.len - cut},
				"cut before");
	}
	buf_done(&text);
}

/* The value of a whole text is the one that walking through it finds. */
Test(parse, whole_as_walked)
{
	static const char *const texts[] = {"{}", " [1,\"]\"] ", "\"a\\\"\"", "12",
		" true\n", "\xEF\xBB\xBF{\"a\":[]}", "\t\"\"\r\n", "\xEF\xBB\xBF \"x\" ",
		"NaN", ""};
	/* what only looks whole is never taken for more than it is */
	static const char *const broken[] = {"\"", "[", "{]", "[}", "\"a", ""};

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct jv whole = jv_whole(str_of(texts[i]));
		struct jv walked = jv_parse(str_of(texts[i]));

		cr_assert(whole.p == walked.p && whole.n == walked.n, "%s", texts[i]);
		cr_assert(whole.kind == walked.kind && !whole.cut, "%s", texts[i]);
	}
	for (size_t i = 0; i < COUNT(broken); i++) {
		struct jv v = jv_whole(str_of(broken[i]));

		cr_assert_leq(v.n, strlen(broken[i]));
		cr_assert(v.kind != J_STRING || v.n > 1 || v.cut, "%s", broken[i]);
	}
}

/* ---- where large values end ---- */

static unsigned dice(unsigned *state, unsigned sides)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) % sides;
}

/* Containers within each other, deeper than is noted, with strings of all lengths. */
static void write_values(struct buf *out, unsigned *state)
{
	char open[40];
	size_t depth = 0;

	for (size_t i = 0; i < 400; i++) {
		bool down = depth < sizeof(open) && dice(state, 3);

		if (!depth)
			down = true;
		if (out->len && !strchr("[:", out->data[out->len - 1]))
			buf_byte(out, ',');
		if (depth && open[depth - 1] == '}')
			buf_printf(out, "\"k%zu\\\"\":", i);
		if (down) {
			open[depth] = dice(state, 2) ? '}' : ']';
			buf_byte(out, open[depth++] == '}' ? '{' : '[');
			buf_text(out, open[depth - 1] == '}' ? "\"a\":1" : "1");
			continue;
		}
		buf_byte(out, '"');
		for (unsigned n = dice(state, 3) ? 3 : dice(state, 900); n; n--)
			buf_text(out, "{[\\\"\\\\ text]");
		buf_byte(out, '"');
		for (unsigned n = dice(state, 4); n && depth > 1; n--)
			buf_byte(out, open[--depth]);
	}
	while (depth)
		buf_byte(out, open[--depth]);
}

/* Every value of a text, by place and length. */
static void walk_all(struct str text, const struct extents *extents, struct buf *seen)
{
	struct jv root = jv_parse(text);
	struct jwalk walks[48];
	size_t depth = 1;
	struct jv key, value;

	root.extents = extents;
	walks[0] = jwalk_of(root);
	while (depth) {
		if (!jwalk_next(&walks[depth - 1], &key, &value)) {
			depth--;
			continue;
		}
		buf_printf(seen, "%zu+%zu%s ", (size_t)(value.p - text.p), value.n,
			value.cut ? "!" : "");
		if (value.kind == J_OBJECT || value.kind == J_ARRAY)
			walks[depth++] = jwalk_of(value);
	}
}

Test(cursor, known_extents_change_no_walk)
{
	unsigned state = 7;

	for (size_t round = 0; round < 40; round++) {
		struct buf text = BUF_INIT, without = BUF_INIT, with = BUF_INIT;
		struct json_report report;
		struct extents *extents;
		struct str half;

		write_values(&text, &state);
		extents = extents_new(buf_view(&text));
		json_check_keys(buf_view(&text), extents, &report);
		cr_assert_eq(report.verdict, VERDICT_STRICT, "%s", report.text);
		half = (struct str){text.data, text.len / 2};
		walk_all(buf_view(&text), NULL, &without);
		walk_all(half, NULL, &without);
		extents_seal(extents);
		cr_assert_eq(extents_end(extents, text.data), text.data + text.len);
		cr_assert_null(extents_end(extents, text.data + 1), "a small value");
		cr_assert_null(extents_end(extents, "{}"), "of another text");
		walk_all(buf_view(&text), extents, &with);
		walk_all(half, extents, &with);
		cr_assert_str_eq(without.data, with.data);
		extents_free(extents);
		buf_done(&text);
		buf_done(&without);
		buf_done(&with);
	}
}

/* What is known of a text says nothing of what is at its address later. */
Test(cursor, extents_tell_of_values_that_have_them_only)
{
	struct buf text = BUF_INIT;
	struct extents *extents;
	struct jwalk w;
	struct jv key, value;

	buf_text(&text, "[\"");
	for (size_t i = 0; i < 2 * EXTENT_LEAST; i++)
		buf_byte(&text, 'a');
	buf_text(&text, "\"]");
	extents = extents_new(buf_view(&text));
	extents_add(extents, text.data + 1, text.data + text.len - 1);
	extents_seal(extents);
	memcpy(text.data + 2, "short\", \"", 9);
	w = jwalk_of(jv_parse(buf_view(&text)));
	cr_assert(jwalk_next(&w, &key, &value));
	cr_assert_eq(value.n, sizeof("\"short\"") - 1);
	extents_free(extents);
	buf_done(&text);
}

/* In slices of every length, which would cut escapes, pairs and characters. */
Test(cursor, decoding_in_slices_is_decoding)
{
	static const char inside[] =
		"plain, \\\"quoted\\\\\", \\n \\u00e9 \\ud83d\\ude00 "
		"\\ud83d \\x \\u12 \xF0\x9F\x98\x80 and a long run "
		"without anything in it that would stop the blocks, "
		"of more than two of them, which is needed here";
	struct buf quoted = BUF_INIT, whole = BUF_INIT;
	struct jv string;

	buf_byte(&quoted, '"');
	for (size_t i = 0; i < 5; i++)
		buf_text(&quoted, inside);
	buf_byte(&quoted, '"');
	string = jv_of(buf_view(&quoted), J_STRING);
	jv_decode(string, &whole);
	for (size_t most = 1; most < 400; most++) {
		struct buf sliced = BUF_INIT;
		size_t at = 0;

		while (jv_decode_some(string, &at, most, &sliced))
			;
		cr_assert_eq(at, quoted.len - 2);
		cr_assert(str_equal(buf_view(&whole), buf_view(&sliced)), "%zu", most);
		buf_done(&sliced);
	}
	buf_done(&whole);
	buf_done(&quoted);
}
