/* Writing: escapes, numbers, styles; and that raw text always leaves as JSON. */
#include "config.h"
#include <criterion/criterion.h>

#include <dirent.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/str.h"
#include "json/check.h"
#include "json/json.h"

#include "suite.h"

#define T(literal)                                                                       \
	{                                                                                \
		(literal), sizeof(literal) - 1                                           \
	}
#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

Test(print, strings)
{
	static const struct {
		struct str text;
		const char *want;
	} rows[] = {
		{T(""), "\"\""},
		{T("plain text, longer than one block of sixteen"),
			"\"plain text, longer than one block of sixteen\""},
		{T("\"\\/"), "\"\\\"\\\\/\""},
		{T("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\""},
		{T("\0\x01\x1B[2K\x1F"), "\"\\u0000\\u0001\\u001b[2K\\u001f\""},
		{T("\x7F\xC2\x80\xC2\x9B\xC2\x9F\xC2\xA0"), /* DEL, C1; no-break space
							       stays */
			"\"\\u007f\\u0080\\u009b\\u009f\xC2\xA0\""},
		{T("\xD8\x9C\xE2\x80\x8E\xE2\x80\xAE\xE2\x81\xA6\xE2\x81\xA9"),
			"\"\\u061c\\u200e\\u202e\\u2066\\u2069\""},
		{T("\xE2\x80\x8B\xE2\x80\x8D\xE2\x81\xA0\xEF\xBB\xBF\xC2\xAD\xE1\xA0"
		   "\x8E"),
			"\"\\u200b\\u200d\\u2060\\ufeff\\u00ad\\u180e\""},
		{T("\xE2\x80\xA8\xE2\x80\xA9"), "\"\\u2028\\u2029\""},
		{T("\xF3\xA0\x80\x81\xF3\xA0\x81\xA1\xF3\xA0\x84\x80"),
			"\"\\udb40\\udc01\\udb40\\udc61\\udb40\\udd00\""},
		{T("\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80\xEF\xBF\xBD\xEE\x80\x80"),
			"\"\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80\xEF\xBF\xBD\xEE\x80\x80"
			"\""},
		{T("a\xFF"
		   "b\xE2\x82"
		   "c\xED\xA0\x80\xC3"),
			"\"a\\ufffdb\\ufffdc\\ufffd\\ufffd\\ufffd\\ufffd\""},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf out = BUF_INIT;

		json_write_string(&out, rows[i].text);
		cr_expect_str_eq(out.data, rows[i].want);
		buf_done(&out);
	}
}

/* What may never leave as it stands. */
static bool forbidden(unsigned c)
{
	return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C ||
	       c == 0x180E || (c >= 0x200B && c <= 0x200F) ||
	       (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x2069) ||
	       c == 0xFEFF || (c >= 0xE0000 && c <= 0xE007F);
}

Test(print, every_code_point, .init = json_init)
{
	struct buf all = BUF_INIT, out = BUF_INIT;
	unsigned code;
	json_t *value;

	for (code = 0; code <= 0x10FFFF; code++)
		if (code < 0xD800 || code > 0xDFFF)
			buf_utf8(&all, code);
	json_write_string(&out, buf_view(&all));
	for (size_t i = 0; i < out.len;) {
		bool valid;

		i += utf8_decode(out.data + i, out.len - i, &code, &valid);
		cr_assert(valid && !forbidden(code), "U+%04X", code);
	}
	value = json_read_strict(buf_view(&out), NULL);
	cr_assert(value);
	cr_expect(str_equal(buf_view(&all),
		(struct str){json_string_value(value), json_string_length(value)}));
	json_decref(value);
	buf_done(&all);
	buf_done(&out);
}

static const struct {
	double value;
	const char *want;
} number_rows[] = {
	{0, "0"},
	{1, "1"},
	{-17, "-17"},
	{-0.0, "-0.0"},
	{100.0, "100"},
	{1e15, "1000000000000000"},
	{9007199254740991.0, "9007199254740991"},
	{9007199254740992.0, "9007199254740992"},
	{1e16, "1e+16"},
	{1e300, "1e+300"},
	{0.015, "0.015"},
	{1.1, "1.1"},
	{-0.1, "-0.1"},
	{0.30000000000000004, "0.30000000000000004"},
	{123456789.123456789, "123456789.12345679"},
	{1e-7, "1e-07"},
	{5e-324, "4.94065645841247e-324"},
	{1.7976931348623157e308, "1.7976931348623157e+308"},
};

static void expect_number(double value, const char *want)
{
	struct buf out = BUF_INIT;
	struct json_report report;

	json_write_number(&out, value);
	cr_expect_str_eq(out.data, want);
	json_check(buf_view(&out), &report);
	cr_expect_eq(report.verdict, VERDICT_STRICT, "%s", out.data);
	buf_done(&out);
}

Test(print, numbers)
{
	for (size_t i = 0; i < COUNT(number_rows); i++)
		expect_number(number_rows[i].value, number_rows[i].want);
	expect_number((double)NAN, "null");
	expect_number((double)INFINITY, "null");
	expect_number(-(double)INFINITY, "null");
}

Test(print, numbers_read_back)
{
	uint64_t seed = 3;

	for (int i = 0; i < 100000; i++) {
		struct buf out = BUF_INIT;
		double value, back;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		memcpy(&value, &seed, sizeof(value));
		if (i % 2)
			value = (double)(seed >> 40) / 1000;
		json_write_number(&out, value);
		back = strtod(out.data, NULL);
		if (strcmp(out.data, "null") != 0)
			cr_assert(memcmp(&back, &value, sizeof(value)) == 0, "%s",
				out.data);
		buf_done(&out);
	}
}

/* A locale with a decimal comma changes nothing. */
Test(print, numbers_in_locales, .init = json_init)
{
	static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8"};

	for (size_t i = 0; i < COUNT(names); i++) {
		if (!setlocale(LC_ALL, names[i]))
			continue;
		expect_number(0.015, "0.015");
		expect_number(1.5e300, "1.5e+300");
		expect_number(1e300, "1e+300");
	}
}

static void expect_style(const char *text, enum json_style style, const char *want)
{
	struct buf out = BUF_INIT;
	json_t *value = json_read(str_of(text), NULL, NULL);

	cr_assert(value, "%s", text);
	json_write(&out, value, style);
	cr_expect_str_eq(out.data, want);
	json_decref(value);
	buf_done(&out);
}

Test(print, styles, .init = json_init)
{
	static const char text[] =
		"{\"a\":[1,{\"b\":[]},{}],\"c\":{\"d\":1.10},\"e\":\"\\t\"}";

	expect_style(text, JSON_LINE,
		"{\"a\":[1,{\"b\":[]},{}],\"c\":{\"d\":1.1},\"e\":\"\\t\"}");
	expect_style(text, JSON_SPACED,
		"{\"a\": [1, {\"b\": []}, {}], \"c\": {\"d\": 1.1}, \"e\": \"\\t\"}");
	expect_style(text, JSON_PRETTY,
		"{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    },\n    {}\n  ],\n"
		"  \"c\": {\n    \"d\": 1.1\n  },\n  \"e\": \"\\t\"\n}");
	expect_style("[[[[]]]]", JSON_PRETTY, "[\n  [\n    [\n      []\n    ]\n  ]\n]");
	expect_style("1e2", JSON_LINE, "100");
	expect_style("{\"\\u202e\\u001b\":18446744073709551615}", JSON_LINE,
		"{\"\\u202e\\u001b\":18446744073709551615}");
	expect_style("[true,false,null,-7]", JSON_SPACED, "[true, false, null, -7]");
}

Test(print, write_null)
{
	struct buf out = BUF_INIT;

	json_write(&out, NULL, JSON_LINE);
	cr_expect_str_eq(out.data, "null");
	buf_done(&out);
}

/* As deep as any decoded value. */
Test(print, deep_value, .init = json_init)
{
	struct buf text = BUF_INIT, out = BUF_INIT;
	json_t *value;

	buf_fill(&text, '[', JSON_DEPTH);
	buf_fill(&text, ']', JSON_DEPTH);
	value = json_read(buf_view(&text), NULL, NULL);
	cr_assert(value);
	json_write(&out, value, JSON_LINE);
	cr_expect(str_equal(buf_view(&out), buf_view(&text)));
	json_decref(value);
	buf_done(&text);
	buf_done(&out);
}

static void expect_valid(struct str text, struct buf *out)
{
	struct json_report report;

	buf_clear(out);
	json_write_raw(out, text);
	json_check(buf_view(out), &report);
	cr_assert_eq(report.verdict, VERDICT_STRICT, "%.*s -> %s: %s", (int)text.n,
		text.p, out->data, report.text);
}

Test(print, raw)
{
	static const struct {
		struct str text;
		const char *want;
	} rows[] = {
		/* strict text: as written, on one line */
		{T(" { \"b\" : [ 1 , 2 ] ,\n \"a\":{ } } "), "{\"b\":[1,2],\"a\":{}}"},
		{T("[1.10,-0,1E+2,18446744073709551616,1e999]"),
			"[1.10,-0,1E+2,18446744073709551616,1e999]"},
		{T("{\"b\":1,\"a\":2,\"b\":3}"), "{\"b\":1,\"a\":2,\"b\":3}"},
		{T("\"\\u0041\\/\\u00e9\\ud83d\\ude00\\uD83D\\uDE00\""),
			"\"\\u0041\\/\\u00e9\\ud83d\\ude00\\uD83D\\uDE00\""},
		{T("[\"\x7F\xC2\x9B\xE2\x80\xAE\xC3\xA9\"]"),
			"[\"\\u007f\\u009b\\u202e\xC3\xA9\"]"},
		{T("true"), "true"},
		{T(" -1.5 "), "-1.5"},
		/* tolerated */
		{T("\xEF\xBB\xBF[]"), "[]"},
		{T("[NaN,Infinity,-Infinity]"), "[null,null,null]"},
		{T("[\"\\ud83d\",\"\\udc00x\"]"), "[\"\\ufffd\",\"\\ufffdx\"]"},
		{T("[\"\xFF\",\"a\tb\"]"), "[\"\\ufffd\",\"a\\tb\"]"},
		/* cut */
		{T(""), "null"},
		{T(" \n"), "null"},
		{T("["), "[]"},
		{T("{\"a\":[1,{\"b\":\"te"), "{\"a\":[1,{\"b\":\"te\"}]}"},
		{T("{\"a\":1,\"b"), "{\"a\":1,\"b\":null}"},
		{T("{\"a\":"), "{\"a\":null}"},
		{T("[1,"), "[1]"},
		{T("[\"x\\"), "[\"x\"]"},
		{T("[\"x\\ud83d\\ude"), "[\"x\"]"},
		{T("[\"x\xE2\x82"), "[\"x\"]"},
		{T("[tru"), "[\"tru\"]"},
		{T("[1."), "[\"1.\"]"},
		/* broken */
		{T("[1 2,,3,]"), "[1,2,3]"},
		{T("[1}"), "[1]"},
		{T("{\"a\":[1},\"b\":2]"), "{\"a\":[1],\"b\":2}"},
		{T("{\"a\" 1}"), "{\"a\":1}"},
		{T("{\"a\",\"b\":1}"), "{\"a\":null,\"b\":1}"},
		{T("{\"a\"}"), "{\"a\":null}"},
		{T("{\"a\":1 \"b\":2}"), "{\"a\":1,\"b\":2}"},
		{T("{a:1,2:3}"), "{\"a\":1,\"2\":3}"},
		{T("{[1],{}}"), "{\"\":[1],\"\":{}}"},
		{T("[\"a\":1]"), "[\"a\",1]"},
		{T("[01,+1,.5,1.,0x1,nan,'x',-]"),
			"[\"01\",\"+1\",\".5\",\"1.\",\"0x1\",\"nan\",\"'x'\",\"-\"]"},
		{T("[\"\\x41\\u12G\\\0\"]"), "[\"\\\\x41\\\\u12G\\\\\\u0000\"]"},
		{T("[\x1B[2K]"), "[\"\\u001b\",[\"2K\"]]"},
		{T("{} []"), "{}"},
		{T("not JSON\nat all"), "\"not JSON\\nat all\""},
		{T("1 2"), "\"1 2\""},
		{T("]"), "\"]\""},
		{T("NaN"), "null"},
	};
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < COUNT(rows); i++) {
		expect_valid(rows[i].text, &out);
		cr_expect_str_eq(out.data, rows[i].want, "row %zu: %s", i, out.data);
	}
	expect_valid((struct str){NULL, 0}, &out);
	buf_done(&out);
}

static const char sample[] = "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\","
			     "\"text\":\"a \\\"b\\\" \\u001b[0m "
			     "\\ud83d\\ude00 \xF0\x9F\x98\x80 "
			     "\xE2\x80\xAE\"},null,true,false,-0.5e+10,[],{}],\n"
			     "\t\"big\":18446744073709551616, "
			     "\"args\":\"{\\\"q\\\":\\\"\\\\\\\"x\\\\\\\"\\\"}\"}";

Test(print, raw_prefixes)
{
	struct buf out = BUF_INIT;

	for (size_t n = 0; n < sizeof(sample); n++) {
		char *copy = mem_dup(sample, n);

		copy = mem_realloc(copy, n); /* exactly as long: a read beyond shows */
		expect_valid((struct str){copy, n}, &out);
		mem_free(copy);
	}
	buf_done(&out);
}

Test(print, raw_mutations)
{
	static const char bytes[] = "[]{}:,\"\\u0e-.NI \n\x80\xFF\xC3tn'/";
	struct buf out = BUF_INIT;
	uint64_t seed = 11;

	for (int round = 0; round < 50000; round++) {
		char text[sizeof(sample)];

		memcpy(text, sample, sizeof(text));
		for (int i = 0; i < 1 + round % 8; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			text[(seed >> 40) % sizeof(text)] =
				round % 3 ? bytes[(seed >> 20) % (sizeof(bytes) - 1)]
					  : (char)(seed >> 20);
		}
		expect_valid((struct str){text, sizeof(text) - seed % 7}, &out);
	}
	buf_done(&out);
}

Test(print, raw_noise)
{
	static const char bytes[] = "[]{}:,\"\\ud8dc0e-.NaN \n\x80\xED\xC3t1";
	struct buf out = BUF_INIT;
	uint64_t seed = 5;

	for (int round = 0; round < 100000; round++) {
		char text[32];

		for (size_t i = 0; i < sizeof(text); i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			text[i] = bytes[(seed >> 33) % (sizeof(bytes) - 1)];
		}
		if (round % 2)
			text[0] = round % 4 == 1 ? '{' : '[';
		expect_valid((struct str){text, (size_t)round % 33}, &out);
	}
	buf_done(&out);
}

Test(print, raw_depth)
{
	struct buf text = BUF_INIT, out = BUF_INIT;

	buf_fill(&text, '[', 1000000);
	expect_valid(buf_view(&text), &out);
	cr_expect_eq(out.len, 2000000);
	buf_fill(&text, '}', 1000000);
	expect_valid(buf_view(&text), &out);
	cr_expect_eq(out.len, 2000000);
	buf_clear(&text);
	for (int i = 0; i < 100000; i++)
		buf_text(&text, i % 3 ? "{\"a\":" : "[");
	expect_valid(buf_view(&text), &out);
	buf_done(&text);
	buf_done(&out);
}

/* Raw output decodes to what the text decodes to; a second pass changes nothing. */
static void expect_equal(struct str text)
{
	struct buf out = BUF_INIT, again = BUF_INIT;
	json_t *before = json_read(text, NULL, NULL), *after;

	expect_valid(text, &out);
	expect_valid(buf_view(&out), &again);
	cr_expect(str_equal(buf_view(&out), buf_view(&again)), "%s", out.data);
	after = json_read(buf_view(&out), NULL, NULL);
	cr_expect_eq(!!before, !!after);
	if (before && after)
		cr_expect(json_equal(before, after), "%s", out.data);
	json_decref(before);
	json_decref(after);
	buf_done(&out);
	buf_done(&again);
}

Test(print, raw_equal, .init = json_init)
{
	static const struct str texts[] = {T("[]"), T("\"\""), T("0"),
		T("{\"\":{\"\":[{}]}}"), T("[1.10,-0,1e2,{\"a\":1,\"a\":2}]"),
		T("[\"\\u0000\\u202e\x7F\"]"), T("{\"a\\u0000b\":[NaN,\"\\ud83d\xFF\"]}"),
		T("{\"k\xE2\x80\x8B\":\"\\\\\"}")};

	expect_equal(STR(sample));
	for (size_t i = 0; i < COUNT(texts); i++)
		expect_equal(texts[i]);
}

/* What json_write writes reads back as the same value. */
Test(print, write_reads_back, .init = json_init)
{
	static const enum json_style styles[] = {JSON_LINE, JSON_SPACED, JSON_PRETTY};
	json_t *value = json_read(STR(sample), NULL, NULL);

	for (size_t i = 0; i < COUNT(styles); i++) {
		struct buf out = BUF_INIT;
		json_t *back;

		json_write(&out, value, styles[i]);
		back = json_read_strict(buf_view(&out), NULL);
		/* -0.5e+10 leaves as an integer */
		json_array_set_new(
			json_object_get(value, "content"), 4, json_integer(-5000000000));
		cr_expect(json_equal(value, back), "%s", out.data);
		json_decref(back);
		buf_done(&out);
	}
	json_decref(value);
}

/* JSONTestSuite, where it is at hand: 318 files, all of them leave as JSON. */

Test(print, raw_suite, .init = json_init)
{
	struct buf path = BUF_INIT, text = BUF_INIT, out = BUF_INIT;
	unsigned files = 0, strict = 0;
	struct dirent *entry;
	DIR *dir;

	dir = suite_path(&path) ? opendir(path.data) : NULL;
	while (dir && (entry = readdir(dir))) {
		struct json_report report;

		if (entry->d_name[0] == '.')
			continue;
		buf_clear(&text);
		read_file(path.data, entry->d_name, &text);
		expect_valid(buf_view(&text), &out);
		json_check(buf_view(&text), &report);
		if (report.verdict == VERDICT_STRICT) {
			expect_equal(buf_view(&text));
			strict++;
		}
		files++;
	}
	if (dir)
		closedir(dir);
	buf_done(&path);
	buf_done(&text);
	buf_done(&out);
	if (!files)
		cr_skip_test("no JSONTestSuite");
	printf("JSONTestSuite: %u files leave as valid JSON, %u strict ones unchanged\n",
		files, strict);
	cr_expect_eq(files, 318);
}
