/* The strict check: verdicts, places, pieces of strings, ends of numbers. */
#include "config.h"
#include <criterion/criterion.h>

#include <stdio.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/str.h"
#include "json/check.h"

#define T(literal)                                                                       \
	{                                                                                \
		(literal), sizeof(literal) - 1                                           \
	}

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static struct json_report checked(struct str text)
{
	struct json_report report;

	json_check(text, &report);
	return report;
}

Test(check, strict)
{
	static const struct str texts[] = {T("{}"), T("[]"), T(" \t\r\n[ ] \n"), T("0"),
		T("-0"), T("1.5e-3"), T("1E+2"), T("123456789012345678901234567890"),
		T("1e999"), T("true"), T("false"), T("null"), T("\"\""),
		T("{\"a\":{\"b\":[1,{\"c\":null}]},\"d\":[[],{}]}"),
		T("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uABcd\\ud83d\\ude00\""),
		T("\"\x7F \xC3\xA9 \xF0\x9F\x98\x80 \xEF\xBF\xBF \xE2\x80\xAE "
		  "\xEF\xBB\xBF\""),
		T("{\"a\":1,\"a\":2}"), T("[\"0123456789abcdef0123456789abcdef\\n\"]")};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct json_report r = checked(texts[i]);

		cr_expect_eq(r.verdict, VERDICT_STRICT, "%s: %s at %llu", texts[i].p,
			r.text, (unsigned long long)r.offset);
		cr_expect_not(r.truncated);
	}
}

Test(check, tolerated)
{
	static const struct {
		struct str text;
		uint64_t offset, surrogates, bad_utf8, controls, nonfinite;
		bool bom;
		const char *says;
	} rows[] = {
		{T("\xEF\xBB\xBF{}"), 0, 0, 0, 0, 0, true, "1 byte order mark mended"},
		{T("[\"\\ud83d\"]"), 2, 1, 0, 0, 0, false, "1 lone surrogate mended"},
		{T("[\"\\udc00\"]"), 2, 1, 0, 0, 0, false, NULL},
		{T("[\"\\ud800\\ud800\\udc00\"]"), 2, 1, 0, 0, 0, false, NULL},
		{T("[\"\\ud800\\ud800\\n\"]"), 2, 2, 0, 0, 0, false,
			"2 lone surrogates mended"},
		{T("[\"a\\ud83d\\u0041\"]"), 3, 1, 0, 0, 0, false, NULL},
		{T("{\"\\ud83d\":NaN}"), 2, 1, 0, 0, 1, false,
			"1 lone surrogate and 1 NaN or Infinity mended"},
		{T("[\"\xFF\xFE\"]"), 2, 0, 2, 0, 0, false,
			"2 places that are not UTF-8 mended"},
		{T("[\"\xED\xA0\x80\"]"), 2, 0, 3, 0, 0, false, NULL},
		{T("[\"\xE2\x82\"]"), 2, 0, 1, 0, 0, false, NULL},
		{T("[\"ab\tc\n\x1B\"]"), 4, 0, 0, 3, 0, false,
			"3 control characters mended"},
		{T("[\"\0\"]"), 2, 0, 0, 1, 0, false, NULL},
		{T("\"\0abc\""), 1, 0, 0, 1, 0, false, NULL},
		{T("NaN"), 0, 0, 0, 0, 1, false, NULL},
		{T("[Infinity, -Infinity]"), 1, 0, 0, 0, 2, false, NULL},
		{T("[\"\n\xFF\\udfff\", NaN]"), 2, 1, 1, 1, 1, false,
			"1 lone surrogate, 1 place that is not UTF-8, 1 control "
			"character "
			"and 1 NaN or Infinity mended"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_report r = checked(rows[i].text);
		struct buf said = BUF_INIT;

		cr_expect_eq(r.verdict, VERDICT_TOLERATED, "row %zu: %s", i, r.text);
		cr_expect_eq(r.offset, rows[i].offset, "row %zu: offset", i);
		cr_expect_eq(r.surrogates, rows[i].surrogates, "row %zu: surrogates", i);
		cr_expect_eq(r.bad_utf8, rows[i].bad_utf8, "row %zu: UTF-8", i);
		cr_expect_eq(r.controls, rows[i].controls, "row %zu: controls", i);
		cr_expect_eq(r.nonfinite, rows[i].nonfinite, "row %zu: NaN", i);
		cr_expect_eq(r.bom, rows[i].bom, "row %zu: BOM", i);
		json_report_text(&r, &said);
		if (rows[i].says)
			cr_expect_str_eq(said.data, rows[i].says);
		buf_done(&said);
	}
}

Test(check, broken)
{
	static const struct {
		struct str text;
		uint64_t offset;
		bool truncated;
		const char *wants;
	} rows[] = {
		{T(""), 0, true, "expected a value"},
		{T(" \n\t "), 4, true, "expected a value"},
		{T("\xEF\xBB\xBF"), 3, true, "expected a value"},
		{T("\xEF\xBB{}"), 0, false, "expected a value"},
		{T("["), 1, true, "expected a value or ']'"},
		{T("[1"), 2, true, "expected ',' or ']'"},
		{T("[1,"), 3, true, "expected a value"},
		{T("[1,]"), 3, false, "expected a value"},
		{T("[,1]"), 1, false, "expected a value or ']'"},
		{T("[1}"), 2, false, "expected ',' or ']'"},
		{T("[1 2]"), 3, false, "expected ',' or ']'"},
		{T("{"), 1, true, "expected a key or '}'"},
		{T("{1:2}"), 1, false, "expected a key or '}'"},
		{T("{]"), 1, false, "expected a key or '}'"},
		{T("{\"a\""), 4, true, "expected ':'"},
		{T("{\"a\" 1}"), 5, false, "expected ':'"},
		{T("{\"a\":"), 5, true, "expected a value"},
		{T("{\"a\":}"), 5, false, "expected a value"},
		{T("{\"a\":1"), 6, true, "expected ',' or '}'"},
		{T("{\"a\":1]"), 6, false, "expected ',' or '}'"},
		{T("{\"a\":1,}"), 7, false, "expected a key"},
		{T("{\"a\":1,2:3}"), 7, false, "expected a key"},
		{T("[[],{}] []"), 8, false, "expected the end of the text"},
		{T("123\0"), 3, false, "expected the end of the text"},
		{T("{}}"), 2, false, "expected the end of the text"},
		{T("]"), 0, false, "expected a value"},
		{T("\"abc"), 4, true, "expected the end of the string"},
		{T("\"abc\\"), 5, true, "expected the end of the string"},
		{T("[\"\\u00"), 6, true, "expected the end of the string"},
		{T("\"\\ud83d"), 7, true, "expected the end of the string"},
		{T("\"\\ud83d\\ud"), 10, true, "expected the end of the string"},
		{T("\"\xE2\x82"), 3, true, "expected the end of the string"},
		{T("\"\\x41\""), 2, false, "expected one of \"\\/bfnrtu after '\\'"},
		{T("\"\\\0\""), 2, false, "expected one of \"\\/bfnrtu after '\\'"},
		{T("\"\\u12G4\""), 5, false,
			"expected four hexadecimal digits after '\\u'"},
		{T("\"\\ud800\\u\""), 9, false,
			"expected four hexadecimal digits after '\\u'"},
		{T("tru"), 3, true, "expected 'true'"},
		{T("[trux]"), 4, false, "expected 'true'"},
		{T("[fals"), 5, true, "expected 'false'"},
		{T("nil"), 1, false, "expected 'null'"},
		{T("[Na"), 3, true, "expected 'NaN'"},
		{T("[nan]"), 2, false, "expected 'null'"},
		{T("[Inf]"), 4, false, "expected 'Infinity'"},
		{T("[-Infinit"), 9, true, "expected '-Infinity'"},
		{T("[+Infinity]"), 1, false, "expected a value or ']'"},
		{T("[-NaN]"), 2, false, "expected a digit"},
		{T("[None]"), 2, false, "expected 'NaN'"},
		{T("[undefined]"), 1, false, "expected a value or ']'"},
		{T("True"), 0, false, "expected a value"},
		{T("-"), 1, true, "expected a digit"},
		{T("1."), 2, true, "expected a digit"},
		{T("[1.]"), 3, false, "expected a digit"},
		{T("1e"), 2, true, "expected a digit"},
		{T("1e+"), 3, true, "expected a digit"},
		{T("[01]"), 2, false, "expected no digit after a leading 0"},
		{T("[-012]"), 3, false, "expected no digit after a leading 0"},
		{T("[.5]"), 1, false, "expected a value or ']'"},
		{T("[0x1]"), 2, false, "expected ',' or ']'"},
		{T("['a']"), 1, false, "expected a value or ']'"},
		{T("[1]//"), 3, false, "expected the end of the text"},
		{T("[\f]"), 1, false, "expected a value or ']'"},
		{T("\xFF\xFE[\0]\0"), 0, false, "UTF-16 text; convert it to UTF-8"},
		{T("\xFE\xFF\0[\0]"), 0, false, "UTF-16 text; convert it to UTF-8"},
		{T("[\0]\0"), 0, false, "UTF-16 text; convert it to UTF-8"},
		{T("\0[\0]"), 0, false, "UTF-16 text; convert it to UTF-8"},
		{T("\"\0\xE5\x65\"\0"), 0, false, "UTF-16 text; convert it to UTF-8"},
		{T("\xFF\xFE\0\0[\0\0\0"), 0, false, "UTF-32 text; convert it to UTF-8"},
		{T("\0\0\xFE\xFF\0\0\0["), 0, false, "UTF-32 text; convert it to UTF-8"},
		{T("[\0\0\0]\0\0\0"), 0, false, "UTF-32 text; convert it to UTF-8"},
		{T("\0\0\0[\0\0\0]"), 0, false, "UTF-32 text; convert it to UTF-8"},
		{T("\0\0\0\0"), 0, false, "expected a value"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_report r = checked(rows[i].text);

		cr_expect_eq(r.verdict, VERDICT_BROKEN, "row %zu: %s", i, rows[i].text.p);
		cr_expect_eq(r.offset, rows[i].offset, "row %zu: %s: offset %llu", i,
			rows[i].text.p, (unsigned long long)r.offset);
		cr_expect_eq(
			r.truncated, rows[i].truncated, "row %zu: %s", i, rows[i].text.p);
		cr_expect_str_eq(r.text, rows[i].wants, "row %zu: %s", i, rows[i].text.p);
	}
	cr_expect_eq(checked((struct str){NULL, 0}).verdict, VERDICT_BROKEN);
}

/* Every proper prefix of a container is BROKEN at its very end. */
Test(check, keys_that_stand_twice)
{
	static const struct {
		struct str text;
		uint64_t count, offset;
		const char *key;
	} rows[] = {
		{T("{\"a\":{\"a\":1},\"b\":[{\"a\":1},{\"a\":2}]}"), 0, 0, ""},
		{T("{\"a\":1,\"b\":2,\"a\":3}"), 1, 13, "a"},
		{T("[{\"a\":{\"b\":1,\"c\":2},\"\\u0061\":3}]"), 1, 20, "a"},
		{T("{\"a\":{\"b\":1,\"b\":{}},\"c\":\"a\",\"a\":0}"), 2, 12, "b"},
		{T("{\"1\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,\"7\":0,\"8\":0,"
		   "\"9\":0,"
		   "\"10\":0,\"11\":0,\"12\":0,\"13\":0,\"14\":0,\"15\":0,\"16\":0,"
		   "\"17\":0,"
		   "\"18\":{\"18\":0},\"3\":0,\"17\":0,\"18\":0}"),
			3, 125, "3"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct json_report r;

		json_check_keys(rows[i].text, NULL, &r);
		cr_assert_eq(r.duplicates, rows[i].count, "row %zu", i);
		cr_assert_eq(r.offset, rows[i].offset, "row %zu: %d", i, (int)r.offset);
		cr_assert_str_eq(r.twice, rows[i].key, "row %zu", i);
		cr_assert_eq(
			r.verdict, rows[i].count ? VERDICT_TOLERATED : VERDICT_STRICT);
	}
}

Test(check, prefixes)
{
	static const char text[] = "{\"a\\u00e9\\ud83d\\ude00\":[1.5e+10,-0,true,false,"
				   "null,{\"k\":\"\xF0\x9F\x98\x80\"}],"
				   " \"z\" : NaN, \"y\":-Infinity,\"w\":[[],[{}]]}";

	cr_assert_eq(checked(STR(text)).verdict, VERDICT_TOLERATED);
	for (size_t n = 0; n < sizeof(text) - 1; n++) {
		struct json_report r = checked((struct str){text, n});

		cr_expect_eq(r.verdict, VERDICT_BROKEN, "%zu", n);
		cr_expect(r.truncated, "%zu: %s", n, r.text);
		cr_expect_eq(r.offset, n, "%zu", n);
	}
}

Test(check, depth)
{
	static const size_t depths[] = {1, 63, 64, 65, 2049, 100000, 10000000};

	for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++) {
		struct buf text = BUF_INIT;
		struct json_report r;

		buf_fill(&text, '[', depths[i]);
		r = checked(buf_view(&text));
		cr_expect(r.verdict == VERDICT_BROKEN && r.truncated);
		cr_expect_eq(r.offset, depths[i]);
		buf_fill(&text, ']', depths[i]);
		cr_expect_eq(checked(buf_view(&text)).verdict, VERDICT_STRICT);
		text.data[text.len / 2] = '}';
		r = checked(buf_view(&text));
		cr_expect_eq(r.verdict, VERDICT_BROKEN);
		cr_expect_eq(r.offset, depths[i]);
		buf_done(&text);
	}
}

/* Objects and arrays by turns: every level remembers which it is. */
Test(check, mixed_depth)
{
	struct buf text = BUF_INIT;
	size_t levels = 1000, i;

	for (i = 0; i < levels; i++)
		buf_text(&text, i * i % 7 < 3 ? "[" : "{\"k\":");
	buf_text(&text, "1");
	for (i = levels; i-- > 0;)
		buf_byte(&text, i * i % 7 < 3 ? ']' : '}');
	cr_assert_eq(checked(buf_view(&text)).verdict, VERDICT_STRICT);
	for (i = text.len - levels; i < text.len; i++) {
		char kept = text.data[i];

		text.data[i] = kept == ']' ? '}' : ']';
		cr_expect_eq(checked(buf_view(&text)).offset, i);
		text.data[i] = kept;
	}
	buf_done(&text);
}

Test(check, place)
{
	static const struct {
		struct str text;
		uint64_t offset, line, column;
	} rows[] = {
		{T(""), 0, 1, 1},
		{T("abc"), 2, 1, 3},
		{T("a\nbc"), 1, 1, 2},
		{T("a\nbc"), 2, 2, 1},
		{T("a\nbc\n"), 5, 3, 1},
		{T("a\r\n\n\xC3\xA9x"), 6, 3, 3},
		{T("a\nb"), 99, 2, 2},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t line, column;

		json_place(rows[i].text, rows[i].offset, &line, &column);
		cr_expect_eq(line, rows[i].line, "row %zu", i);
		cr_expect_eq(column, rows[i].column, "row %zu", i);
	}
}

Test(check, report_text_of_cut)
{
	struct buf out = BUF_INIT;
	struct json_report r = checked(STR("[1"));

	json_report_text(&r, &out);
	cr_expect_str_eq(out.data, "the text is cut short");
	buf_clear(&out);
	r = checked(STR("[NaN"));
	json_report_text(&r, &out);
	cr_expect_str_eq(out.data, "1 NaN or Infinity mended; the text is cut short");
	buf_clear(&out);
	r = checked(STR("[]"));
	json_report_text(&r, &out);
	cr_expect_eq(out.len, 0);
	buf_done(&out);
}

static bool plain(int c)
{
	return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

/* Every byte at every place of a block, and at the end of the text. */
Test(check, plain_run)
{
	char text[40];

	for (int c = 0; c < 256; c++) {
		for (size_t at = 0; at < sizeof(text); at++) {
			size_t want = plain(c) ? sizeof(text) : at;

			memset(text, 'x', sizeof(text));
			text[at] = (char)c;
			cr_assert_eq(json_plain_run(text, text + sizeof(text)), want,
				"byte %02x at %zu", c, at);
			cr_assert_eq(json_plain_run(text, text + at), at);
		}
	}
}

Test(check, pieces)
{
	static const struct {
		struct str text;
		enum json_piece_kind kind;
		size_t n;
		unsigned code;
	} rows[] = {
		{T(""), PIECE_END, 0, 0},
		{T("abc\""), PIECE_RUN, 3, 0},
		{T("\"x"), PIECE_CLOSE, 1, '"'},
		{T("\x7Fx"), PIECE_CHAR, 1, 0x7F},
		{T("\xE4\xB8\xADx"), PIECE_CHAR, 3, 0x4E2D},
		{T("\xE4\xB8"), PIECE_END, 2, UTF8_REPLACEMENT},
		{T("\xE4\xB8x"), PIECE_NOT_UTF8, 2, UTF8_REPLACEMENT},
		{T("\xFF"), PIECE_NOT_UTF8, 1, UTF8_REPLACEMENT},
		{T("\x80"), PIECE_NOT_UTF8, 1, UTF8_REPLACEMENT},
		{T("\nx"), PIECE_CONTROL, 1, '\n'},
		{T("\\n"), PIECE_ESCAPE, 2, '\n'},
		{T("\\u00e9x"), PIECE_ESCAPE, 6, 0xE9},
		{T("\\uD83D\\uDE00x"), PIECE_ESCAPE, 12, 0x1F600},
		{T("\\ud83dx"), PIECE_SURROGATE, 6, 0xD83D},
		{T("\\ud83d\\ud83d\\ude00"), PIECE_SURROGATE, 6, 0xD83D},
		{T("\\ude00"), PIECE_SURROGATE, 6, 0xDE00},
		{T("\\ud83d"), PIECE_END, 6, 0xD83D},
		{T("\\ud83d\\uDE"), PIECE_END, 10, 0xD83D},
		{T("\\ud83d\\u00"), PIECE_SURROGATE, 6, 0xD83D},
		{T("\\"), PIECE_END, 1, '\\'},
		{T("\\u12"), PIECE_END, 4, 0x12},
		{T("\\q"), PIECE_BAD, 1, '\\'},
		{T("\\u12x"), PIECE_BAD, 4, 0x12},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_piece piece;
		struct str t = rows[i].text;

		json_piece_next(t.p, t.p + t.n, &piece);
		cr_expect_eq(
			piece.kind, rows[i].kind, "row %zu: kind %d", i, (int)piece.kind);
		cr_expect_eq(piece.n, rows[i].n, "row %zu: n %zu", i, piece.n);
		if (piece.kind != PIECE_END)
			cr_expect_eq(piece.code, rows[i].code, "row %zu", i);
	}
}

/* Whatever the bytes, the report is whole and its offset inside the text. */
Test(check, random_bytes)
{
	static const char alphabet[] =
		"[]{}:,\"\\ntrufalse0123eE+-.NIy \n\x01\x80\xC3\xA9\xED\xFF";
	uint64_t seed = 7;

	for (int round = 0; round < 200000; round++) {
		char text[24];
		size_t n = (size_t)(seed >> 60) + 4;
		struct json_report r;

		for (size_t i = 0; i < n; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			text[i] = alphabet[(seed >> 33) % (sizeof(alphabet) - 1)];
		}
		r = checked((struct str){text, n});
		cr_assert(r.offset <= n && r.text);
		cr_assert_eq(r.truncated, r.verdict == VERDICT_BROKEN && r.offset == n);
		cr_assert_eq(r.verdict == VERDICT_STRICT, *r.text == '\0');
	}
}

Test(check, first_value)
{
	static const struct {
		struct str text;
		size_t end;
		enum json_verdict verdict;
	} rows[] = {
		{T("[1, 2] and [3"), 6, VERDICT_STRICT},
		{T("{\"a\":\"}\"}}"), 9, VERDICT_STRICT},
		{T("[]\0"), 2, VERDICT_STRICT},
		{T("[NaN] NaN"), 5, VERDICT_TOLERATED},
		{T("[1,] []"), 0, VERDICT_BROKEN},
		{T("[[]"), 0, VERDICT_BROKEN},
		{T(""), 0, VERDICT_BROKEN},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_report r;
		size_t end = json_check_first(rows[i].text, &r);

		cr_expect_eq(end, rows[i].end, "%s: %zu", rows[i].text.p, end);
		cr_expect_eq(r.verdict, rows[i].verdict, "%s", rows[i].text.p);
	}
}

/* ---- runs, and checking in slices ---- */

static uint64_t seed = 11;

static unsigned below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

/* Pieces of strings, sound and not; what is long goes beyond a block. */
static void random_inside(struct buf *out, unsigned pieces)
{
	static const struct str parts[] = {T("plain words "), T("\\\""), T("\\\\"),
		T("\\n"), T("\\/"), T("\\u00e9"), T("\\ud83d\\ude00"), T("\\ud83d"),
		T("\\udc00"), T("\xC3\xA9"), T("\xE6\xBC\xA2"), T("\xF0\x9F\x98\x80"),
		T("\xE6\xBC"), T("\xFF"), T("\x01"), T("\x7F"), T("\0"), T("\\u12"),
		T("\\q"), T("\\"), T("\""),
		T("seventy bytes of plain text without anything to look at, all of "
		  "them ")};

	while (pieces--)
		buf_str(out, parts[below(below(4) ? 12 : COUNT(parts))]);
}

/* Stops where a walk by pieces does, however the text is cut. */
Test(run, stops_where_the_pieces_do)
{
	struct buf text = BUF_INIT;

	for (int round = 0; round < 3000; round++) {
		buf_clear(&text);
		random_inside(&text, 1 + below(30));
		for (size_t cut = 0; cut < 3; cut++) {
			size_t n = cut ? below((unsigned)text.len + 1) : text.len;
			char *copy = mem_dup(text.data, n); /* no byte more */
			const char *p = copy, *end = copy + n;
			struct json_piece piece;

			for (;; p += piece.n) {
				bool pair;

				json_piece_next(p, end, &piece);
				pair = piece.kind == PIECE_ESCAPE && piece.n == 12;
				if (pair || (piece.kind != PIECE_RUN &&
						    piece.kind != PIECE_CHAR &&
						    piece.kind != PIECE_ESCAPE))
					break;
			}
			cr_assert_eq(json_string_run(copy, end, false) - copy, p - copy,
				"round %d, %zu bytes", round, n);
			mem_free(copy);
		}
	}
	buf_done(&text);
}

static void random_json(struct buf *out, unsigned depth)
{
	unsigned n = below(5), kind = depth ? below(6) : 5;

	if (kind < 2) {
		buf_byte(out, kind ? '[' : '{');
		for (unsigned i = 0; i < n; i++) {
			buf_text(out, i ? ", " : "");
			buf_text(out, kind ? "" : "\"key\":");
			random_json(out, depth - 1);
		}
		buf_byte(out, kind ? ']' : '}');
	} else if (kind == 2) {
		buf_text(out, below(2) ? "-12.5e3" : "NaN");
	} else {
		buf_byte(out, '"');
		random_inside(out, below(12));
		buf_byte(out, '"');
	}
}

/* Whatever the slices, the report is that of the whole; and so is the loose verdict. */
Test(check, in_slices_as_at_once)
{
	unsigned whole = 0, rounds = 3000;
	struct buf text = BUF_INIT;

	for (unsigned round = 0; round < rounds; round++) {
		struct json_report at_once;
		struct str s;

		buf_clear(&text);
		random_json(&text, 4);
		s = buf_view(&text);
		if (below(4) == 0)
			s.n = below((unsigned)s.n + 1);
		json_check(s, &at_once);
		whole += at_once.verdict != VERDICT_BROKEN;
		cr_assert_eq(json_is_whole(s, NULL), at_once.verdict != VERDICT_BROKEN, "%.*s",
			(int)s.n, s.p);
	}
	cr_assert(whole > rounds / 10 && whole < rounds, "%u are whole", whole);
	buf_done(&text);
}
