/* Decoding: what is mended, what is kept of a cut text, what is refused and where. */
#include "config.h"
#include <criterion/criterion.h>

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "json/check.h"
#include "json/json.h"

#include "suite.h"

#define T(literal)                                                                       \
	{                                                                                \
		(literal), sizeof(literal) - 1                                           \
	}
#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static json_t *read_text(struct str text, struct json_mends *mends)
{
	struct err err = {0};
	json_t *value = json_read(text, mends, &err);

	cr_expect_eq(!value, !!err.text, "%s", text.p);
	err_done(&err);
	return value;
}

static void expect_written(json_t *value, const char *want)
{
	struct buf out = BUF_INIT;

	cr_assert(value, "nothing, not %s", want);
	json_write(&out, value, JSON_LINE);
	cr_expect_str_eq(out.data, want);
	buf_done(&out);
	json_decref(value);
}

Test(value, strict, .init = json_init)
{
	static const struct {
		struct str text;
		const char *want;
	} rows[] = {
		{T("{}"), "{}"},
		{T(" [1, 2.5, \"x\", true, false, null] "),
			"[1,2.5,\"x\",true,false,null]"},
		{T("\"text\""), "\"text\""},
		{T("-9223372036854775808"), "-9223372036854775808"},
		{T("9223372036854775807"), "9223372036854775807"},
		{T("\"a\\u0000b\""), "\"a\\u0000b\""},
		{T("{\"b\":1,\"a\":2,\"b\":3}"), "{\"b\":3,\"a\":2}"},
		{T("1e-999"), "0"},
	};
	struct json_mends mends;

	for (size_t i = 0; i < COUNT(rows); i++) {
		expect_written(read_text(rows[i].text, &mends), rows[i].want);
		cr_expect(mends.count == 0 && !mends.cut);
	}
}

Test(value, mended, .init = json_init)
{
	static const struct {
		struct str text;
		uint64_t count, offset;
		const char *want;
	} rows[] = {
		{T("\xEF\xBB\xBF{\"a\":1}"), 1, 0, "{\"a\":1}"},
		{T("[\"x\\ud83dy\"]"), 1, 3, "[\"x\xEF\xBF\xBDy\"]"},
		{T("[\"\\ud800\\ud800\\udc00\"]"), 1, 2,
			"[\"\xEF\xBF\xBD\xF0\x90\x80\x80\"]"},
		{T("{\"\\udc00\":\"\\udc01\"}"), 2, 2,
			"{\"\xEF\xBF\xBD\":\"\xEF\xBF\xBD\"}"},
		{T("[\"a\xFF\xC3(\"]"), 2, 3, "[\"a\xEF\xBF\xBD\xEF\xBF\xBD(\"]"},
		{T("[\"a\tb\nc\x1B\"]"), 3, 3, "[\"a\\tb\\nc\\u001b\"]"},
		{T("[\"a\0b\"]"), 1, 3, "[\"a\\u0000b\"]"},
		{T("[NaN,Infinity,-Infinity,1]"), 3, 1, "[null,null,null,1]"},
		{T("{\"a\\u0000b\":1}"), 1, 3,
			"{\"a\xE2\x90\x80"
			"b\":1}"},
		{T("{\"a\0b\":1}"), 1, 3,
			"{\"a\xE2\x90\x80"
			"b\":1}"},
		{T("[\"\\ud83d\",\"\",{\"\":[]},{},true,false,null,-1,1.5]"), 1, 2,
			"[\"\xEF\xBF\xBD\",\"\",{\"\":[]},{},true,false,null,-1,1.5]"},
		{T("{\"b\":NaN,\"a\":{\"b\":[]},\"b\":{\"c\":2}}"), 1, 5,
			"{\"b\":{\"c\":2},\"a\":{\"b\":[]}}"},
		{T("\"\\ud83d\\n\""), 1, 1, "\"\xEF\xBF\xBD\\n\""},
	};
	struct json_mends mends;

	for (size_t i = 0; i < COUNT(rows); i++) {
		expect_written(read_text(rows[i].text, &mends), rows[i].want);
		cr_expect_eq(
			mends.count, rows[i].count, "row %zu: %" PRIu64, i, mends.count);
		cr_expect_eq(mends.offset, rows[i].offset, "row %zu: %" PRIu64, i,
			mends.offset);
		cr_expect_not(mends.cut);
	}
}

Test(value, numbers_no_type_holds, .init = json_init)
{
	static const char *const numbers[] = {"9223372036854775808",
		"-9223372036854775809", "18446744073709551615",
		"123456789012345678901234567890123456789", "1e999", "-1e999", "1.5E+400",
		"0.4e00669999999999999999999999999999999999"};
	struct json_mends mends;

	for (size_t i = 0; i < COUNT(numbers); i++) {
		json_t *value = read_text(str_of(numbers[i]), &mends);
		struct str digits = json_number_text(value);

		cr_expect(str_equal(digits, str_of(numbers[i])), "%s", numbers[i]);
		cr_expect_eq(mends.count, 0);
		expect_written(value, numbers[i]);
	}
	expect_written(
		read_text(STR("{\"id\":[340282366920938463463374607431768211456,1]}"),
			NULL),
		"{\"id\":[340282366920938463463374607431768211456,1]}");
}

/* No text of a file can pass for such a number. */
Test(value, number_look_alikes, .init = json_init)
{
	static const struct str texts[] = {T("\"9223372036854775808\""),
		T("\"\xFF"
		  "12\""),
		T("\"\\u00ff12\""), T("\"\\\\xFF12\""),
		T("\"\xEF\xBF\xBD"
		  "12\""),
		T("12"), T("1.5"), T("\"\""), T("null"), T("[]")};
	json_t *odd;

	for (size_t i = 0; i < COUNT(texts); i++) {
		json_t *value = read_text(texts[i], NULL);

		cr_expect_null(json_number_text(value).p, "%s", texts[i].p);
		json_decref(value);
	}
	odd = json_stringn_nocheck("\xFF"
				   "12,3",
		5);
	cr_expect_null(json_number_text(odd).p);
	expect_written(odd, "\"\\ufffd12,3\"");
	cr_expect_null(json_number_text(NULL).p);
}

Test(value, cut, .init = json_init)
{
	static const struct {
		struct str text;
		const char *want;
	} rows[] = {
		{T("["), "[]"},
		{T("{"), "{}"},
		{T("[1,2"), "[1,2]"},
		{T("[1,2,"), "[1,2]"},
		{T("{\"a\":[1,{\"b\":\"text"), "{\"a\":[1,{\"b\":\"text\"}]}"},
		{T("{\"a\":1,\"b"), "{\"a\":1}"},
		{T("{\"a\":1,\"b\""), "{\"a\":1}"},
		{T("{\"a\":1,\"b\":"), "{\"a\":1}"},
		{T("{\"a\":1,\"b\":tr"), "{\"a\":1}"},
		{T("{\"a\":1,\"b\":true"), "{\"a\":1,\"b\":true}"},
		{T("[1,-"), "[1]"},
		{T("[1,2."), "[1]"},
		{T("[1,2e"), "[1]"},
		{T("[1,Na"), "[1]"},
		{T("[1,-Inf"), "[1]"},
		{T("\"abc"), "\"abc\""},
		{T("\"abc\\"), "\"abc\""},
		{T("[\"abc\\u00"), "[\"abc\"]"},
		{T("[\"abc\\ud83d"), "[\"abc\"]"},
		{T("[\"abc\\ud83d\\ude"), "[\"abc\"]"},
		{T("[\"abc\xE2\x82"), "[\"abc\"]"},
		{T("[\"abc\xFF"), "[\"abc\xEF\xBF\xBD\"]"},
		{T("[[],[{}"), "[[],[{}]]"},
		{T("\xEF\xBB\xBF[NaN"), "[null]"},
	};
	struct json_mends mends;

	for (size_t i = 0; i < COUNT(rows); i++) {
		expect_written(read_text(rows[i].text, &mends), rows[i].want);
		cr_expect(mends.cut && mends.count, "row %zu", i);
	}
	json_decref(read_text(STR("[1,2"), &mends));
	cr_expect_eq(mends.offset, 4);
	json_decref(read_text(STR("[NaN,2"), &mends));
	cr_expect_eq(mends.offset, 1);
	cr_expect_eq(mends.count, 2);
}

Test(value, refused, .init = json_init)
{
	static const struct {
		struct str text;
		uint64_t offset, line, column;
		const char *says;
	} rows[] = {
		{T(""), 0, 1, 1, "expected a value"},
		{T(" \n"), 2, 2, 1, "expected a value"},
		{T("tru"), 3, 1, 4, "expected 'true'"},
		{T("-"), 1, 1, 2, "expected a digit"},
		{T("[1,\n 2,]"), 7, 2, 4, "expected a value"},
		{T("{\"a\":1}\n\nx"), 9, 3, 1, "expected the end of the text"},
		{T("123\0"), 3, 1, 4, "expected the end of the text"},
		{T("\xFF\xFE[\0]\0"), 0, 1, 1, "UTF-16 text; convert it to UTF-8"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = {0};
		struct json_mends mends = {7, 7, true};

		cr_assert_null(
			json_read(rows[i].text, &mends, &err), "%s", rows[i].text.p);
		cr_expect(!mends.count && !mends.cut);
		cr_expect_str_eq(err.text, rows[i].says);
		cr_expect_eq(err.offset, rows[i].offset, "row %zu", i);
		cr_expect_eq(err.line, rows[i].line, "row %zu", i);
		cr_expect_eq(err.column, rows[i].column, "row %zu", i);
		err_done(&err);
	}
	cr_expect_null(json_read(STR("]"), NULL, NULL));
	cr_expect_null(json_read((struct str){NULL, 0}, NULL, NULL));
}

/* `levels` containers around `inside`, after `head`. */
static json_t *read_deep(const char *head, const char *open, char close, size_t levels,
	const char *inside, struct err *err)
{
	struct buf text = BUF_INIT;
	json_t *value;

	buf_text(&text, head);
	for (size_t i = 0; i < levels; i++)
		buf_text(&text, open);
	buf_text(&text, inside);
	buf_fill(&text, close, close ? levels : 0);
	value = json_read(buf_view(&text), NULL, err);
	buf_done(&text);
	return value;
}

/* The decoder (forced by a BOM) and jansson count levels alike. */
Test(value, depth, .init = json_init)
{
	static const struct {
		const char *open;
		char close;
		size_t levels;
		const char *inside;
		uint64_t offset; /* 0: opens */
	} rows[] = {
		{"[", ']', 2048, "", 0},
		{"[", ']', 2047, "1", 0},
		{"[", ']', 2048, "1", 2048},
		{"[", ']', 2049, "", 2048},
		{"[", 0, 100000, "", 2048},
		{"[", 0, 10000000, "", 2048},
		{"{\"\":", '}', 2047, "1", 0},
		{"{\"\":", '}', 2047, "{}", 0},
		{"{\"\":", '}', 2048, "1", 2048 * 4},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		for (int bom = 0; bom < 2; bom++) {
			struct err err = {0};
			json_t *value = read_deep(bom ? "\xEF\xBB\xBF" : "", rows[i].open,
				rows[i].close, rows[i].levels, rows[i].inside, &err);

			cr_expect_eq(!!value, !rows[i].offset, "row %zu, %d", i, bom);
			if (rows[i].offset && err.text) {
				cr_expect_str_eq(
					err.text, "nested deeper than 2048 levels");
				cr_expect_eq(err.offset, rows[i].offset + (bom ? 3 : 0));
				cr_expect_eq(err.column, err.offset + 1);
			}
			json_decref(value);
			err_done(&err);
		}
	}
}

Test(value, strict_only, .init = json_init)
{
	static const struct {
		struct str text;
		bool reads;
		uint64_t offset;
	} rows[] = {
		{T("{\"a\":[1,2]}"), true, 0},
		{T("[18446744073709551615,1e999]"), true, 0},
		{T("\xEF\xBB\xBF{}"), false, 0},
		{T("[NaN]"), false, 1},
		{T("[\"\\ud83d\"]"), false, 2},
		{T("[1,"), false, 3},
		{T("{\"a\\u0000\":1}"), false, 3},
		{T("[1] x"), false, 4},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = {0};
		json_t *value = json_read_strict(rows[i].text, &err);

		cr_expect_eq(!!value, rows[i].reads, "%s", rows[i].text.p);
		cr_expect_eq(!!err.text, !rows[i].reads);
		if (!rows[i].reads)
			cr_expect_eq(err.offset, rows[i].offset, "%s", rows[i].text.p);
		json_decref(value);
		err_done(&err);
	}
}

/* Every prefix opens or says why, and keeps what stood complete before the cut. */
Test(value, prefixes, .init = json_init)
{
	static const char text[] =
		"{\"first\":[1,2.5,\"\\u00e9\\ud83d\\ude00\",true,null],"
		"\"big\":18446744073709551616,\"s\":\"\xE4\xB8\xAD\xFF\tx\","
		"\"o\":{\"a\":{\"b\":[[],{}]}},\"last\":-Infinity}";
	const size_t first =
		strlen("{\"first\":[1,2.5,\"\\u00e9\\ud83d\\ude00\",true,null");

	for (size_t n = 1; n < sizeof(text) - 1; n++) {
		char *copy = mem_alloc(n); /* exactly as long: a read beyond shows */
		struct json_mends mends;
		json_t *value;

		memcpy(copy, text, n);
		value = read_text((struct str){copy, n}, &mends);
		cr_assert(value, "%zu", n);
		cr_expect(mends.cut);
		if (n >= first)
			cr_expect_eq(json_array_size(json_object_get(value, "first")), 5);
		json_decref(value);
		mem_free(copy);
	}
}

/* jansson and the decoder (forced by a BOM) agree on every strict text. */
static void expect_same(struct str text)
{
	struct buf marked = BUF_INIT;
	struct json_mends mends;
	json_t *direct = json_read(text, NULL, NULL), *made;

	buf_text(&marked, "\xEF\xBB\xBF");
	buf_str(&marked, text);
	made = json_read(buf_view(&marked), &mends, NULL);
	cr_expect_eq(!!direct, !!made, "%.60s", text.p);
	if (direct && made)
		cr_expect(json_equal(direct, made), "%.60s", text.p);
	json_decref(direct);
	json_decref(made);
	buf_done(&marked);
}

Test(value, maker_agrees, .init = json_init)
{
	static const struct str texts[] = {
		T("[-0,0,-1,1e2,1.10,0.015,1E-7,9007199254740993]"),
		T("{\"a\":{\"a\":[{\"a\":1}]},\"b\":{\"a\":2},\"a\":[]}"), T("-0"),
		T("-0.0"),
		T("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00e9\\ud83d\\ude00\\uFFFF\""),
		T("[[],[[]],{},{\"\":{}}]"), T(" true "),
		T("{\"a\" : null , \"b\" : [ ] }")};

	for (size_t i = 0; i < COUNT(texts); i++)
		expect_same(texts[i]);
}

/* Mutated texts: no crash, and json_read opens exactly what json_check lets through. */
Test(value, mutations, .init = json_init)
{
	static const char sample[] =
		"{\"a\":[1,-2.5e3,\"x\\n\\ud83d\\ude00\xC3\xA9\",true,null],"
		"\"b\":{\"c\":NaN,\"d\":\"\"},\"e\":99999999999999999999}";
	static const char bytes[] = "[]{}:,\"\\u0e-.N \n\x80\xFF\xC3t";
	uint64_t seed = 1;

	for (int round = 0; round < 30000; round++) {
		char text[sizeof(sample) - 1];
		struct json_report report;
		struct json_mends mends;
		json_t *value;

		memcpy(text, sample, sizeof(text));
		for (int i = 0; i < 1 + round % 4; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			text[(seed >> 40) % sizeof(text)] =
				bytes[(seed >> 20) % (sizeof(bytes) - 1)];
		}
		json_check((struct str){text, sizeof(text)}, &report);
		value = read_text((struct str){text, sizeof(text)}, &mends);
		if (report.verdict != VERDICT_BROKEN || !report.truncated)
			cr_assert_eq(!!value, report.verdict != VERDICT_BROKEN);
		if (value && report.verdict == VERDICT_TOLERATED)
			cr_assert_eq(mends.count, report.surrogates + report.bad_utf8 +
							  report.controls +
							  report.nonfinite + report.bom);
		json_decref(value);
	}
}

/* ---- JSONTestSuite ---- */

struct tally {
	unsigned y, y_open, n, n_told, i, i_whole, i_mended, i_utf16;
	struct buf tolerated, recovered;
};

static void check_y(struct tally *t, const char *name, const struct json_report *r,
	const json_t *value)
{
	t->y++;
	t->y_open += value && r->verdict != VERDICT_BROKEN;
	cr_expect(value && r->verdict != VERDICT_BROKEN, "%s: %s", name, r->text);
}

static void check_n(struct tally *t, const char *name, const struct json_report *r,
	const json_t *value, const struct json_mends *mends)
{
	bool told = r->verdict == VERDICT_BROKEN ||
		    (r->verdict == VERDICT_TOLERATED && mends->count);

	t->n++;
	t->n_told += told;
	cr_expect(told, "%s", name);
	cr_expect_neq(r->verdict, VERDICT_STRICT, "%s", name);
	if (r->verdict == VERDICT_TOLERATED)
		buf_printf(&t->tolerated, " %s", name);
	else if (value)
		buf_printf(&t->recovered, " %s", name);
	if (value)
		cr_expect(
			mends->count && (mends->cut || r->verdict == VERDICT_TOLERATED));
}

static void check_i(struct tally *t, const char *name, const struct json_report *r,
	const json_t *value, const struct json_mends *mends)
{
	bool utf16 = str_starts(str_of(r->text), STR("UTF-16"));

	t->i++;
	t->i_utf16 += utf16 && !value;
	t->i_whole += value && !mends->count;
	t->i_mended += value && mends->count;
	cr_expect(utf16 || value, "%s: %s", name, r->text);
	cr_expect_not(mends->cut, "%s", name);
}

static void check_file(struct tally *t, const char *dir, const char *name)
{
	struct json_report report;
	struct json_mends mends;
	struct buf text = BUF_INIT;
	struct err err = {0};
	json_t *value;

	read_file(dir, name, &text);
	json_check(buf_view(&text), &report);
	value = json_read(buf_view(&text), &mends, &err);
	cr_expect(value || (err.text && err.line && err.column), "%s", name);
	if (name[0] == 'y')
		check_y(t, name, &report, value);
	else if (name[0] == 'n')
		check_n(t, name, &report, value, &mends);
	else
		check_i(t, name, &report, value, &mends);
	json_decref(value);
	err_done(&err);
	buf_done(&text);
}

Test(value, suite, .init = json_init)
{
	struct buf path = BUF_INIT;
	struct tally t = {0};
	struct dirent *entry;
	DIR *dir;

	if (!suite_path(&path)) {
		buf_done(&path);
		cr_skip_test("no JSONTestSuite");
	}
	dir = opendir(path.data);
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			check_file(&t, path.data, entry->d_name);
	closedir(dir);
	buf_byte(&t.tolerated, '\n');
	buf_byte(&t.recovered, '\n');
	printf("JSONTestSuite: y %u/%u open; n %u/%u told; i %u: %u whole, %u mended, "
	       "%u named as UTF-16\n",
		t.y_open, t.y, t.n_told, t.n, t.i, t.i_whole, t.i_mended, t.i_utf16);
	printf("n files tolerated:%sn files cut, with their beginning shown:%s",
		t.tolerated.data, t.recovered.data);
	cr_expect(t.y == 95 && t.y_open == 95);
	cr_expect(t.n == 188 && t.n_told == 188);
	/* jansson takes 3; of its 32 refusals 8 are numbers, kept whole, and 21 are
	 * mended */
	cr_expect(t.i == 35 && t.i_whole == 11 && t.i_mended == 21 && t.i_utf16 == 3);
	buf_done(&t.tolerated);
	buf_done(&t.recovered);
	buf_done(&path);
}
