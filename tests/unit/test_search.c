/*
 * Searching: needles against a reference that decodes everything, on random texts spelled
 * in every way; matches in long texts; the search over a model that grows and forgets.
 *
 * The prefilter is compiled here a second time, with plain words and under other names.
 */
#define BLOCK_PORTABLE
#define prefilter        plain_sieve
#define prefilter_cursor plain_sieve_cursor
#define prefilter_new    plain_sieve_new
#define prefilter_free   plain_sieve_free
#define prefilter_open   plain_sieve_open
#define prefilter_begin  plain_sieve_begin
#define prefilter_next   plain_sieve_next
#include "query/prefilter.c"
#undef BLOCK_PORTABLE
#undef prefilter
#undef prefilter_cursor
#undef prefilter_new
#undef prefilter_free
#undef prefilter_open
#undef prefilter_begin
#undef prefilter_next
#undef CATENA_QUERY_PREFILTER_H
#include "query/prefilter.h"

#include <criterion/criterion.h>

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>
#include <utf8proc.h>

#include "base/mem.h"
#include "base/str.h"
#include "import/load.h"
#include "json/check.h"
#include "json/cursor.h"
#include "query/hits.h"
#include "query/query.h"
#include "query/search.h"

#include "chance.h"
#include "loaded.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static struct query *query_of(const char *text, unsigned flags)
{
	struct err err = {0};
	struct query *q = query_new(str_of(text), flags, &err);

	cr_assert(q, "%s: %s", text, err.text);
	return q;
}

static uint64_t count_texts(const struct query *q, struct str json, enum texts_kind kind)
{
	struct texts *t = texts_new(q, NULL, NULL);
	uint64_t hits = texts_count(t, kind, json, 10 * QUERY_TIME_LIMIT);

	cr_expect(!texts_gave_up(t));
	texts_free(t);
	return hits;
}

static uint64_t count_in(const char *query, unsigned flags, const char *json)
{
	struct query *q = query_of(query, flags);
	uint64_t hits = count_texts(q, str_of(json), TEXTS_JSON);

	query_free(q);
	return hits;
}

/* ---- what is found ---- */

Test(search, spellings)
{
	static const struct {
		const char *query;
		unsigned flags;
		const char *json;
		uint64_t hits;
	} rows[] = {
		/* plain, escaped, in a string, upper case: four of four */
		{"needle", 0, "[\"a needle\"]", 1},
		{"needle", 0, "[\"a \\u006eeedl\\u0065\"]", 1},
		{"needle", 0, "[\"{\\\"a\\\":\\\"my needle\\\"}\"]", 1},
		{"needle", 0, "[\"A NEEDLE\"]", 1},
		{"needle", 0, "[\"\\u004EEEDL\\u0045\"]", 1},
		{"needle", 0, "[\"{\\\"a\\\":\\\"\\\\u006eeedle\\\"}\"]", 1},
		{"needle", 0, "[\"{\\\"a\\\":\\\"\\u005cu006eeedle\\\"}\"]", 1},
		{"needle", 0, "[\"{\\\"a\\\":\\\"\\\\\\u007500\\u0036eeedle\\\"}\"]", 1},
		{"Needle", 0, "[\"needle Needle NEEDLE\"]", 1},
		{"Needle", QUERY_ANY, "[\"needle Needle NEEDLE\"]", 3},
		{"needle", QUERY_EXACT, "[\"needle Needle NEEDLE\"]", 1},
		/* escapes of their own */
		{"a\nb", 0, "[\"a\\nb\"]", 1},
		{"a\nb", 0, "[\"a\\u000Ab\", \"[\\\"a\\\\nb\\\"]\"]", 2},
		{"\"", 0, "[\"say \\\"x\\\"\"]", 2},
		{"a\"b", 0, "[\"a\\\"b\", \"[\\\"a\\\\\\\"b\\\"]\", \"a\\u0022b\"]", 3},
		{"\\", 0, "[\"C:\\\\x\"]", 1},
		{"C:\\x", 0, "[\"C:\\\\x\"]", 1},
		{"//", 0, "[\"http:\\/\\/x //\"]", 2},
		{"http://x", 0, "[\"http:\\/\\/x\", \"http://x\", \"http\\u003a//x\"]",
			3},
		{"\t", 0, "[\"a\\tb\"]", 1},
		/* not ASCII, and cases of another length */
		{"\xC3\xA4hre", 0, "[\"\xC3\x84HRE \\u00e4hre \\u00C4hre\"]", 3},
		{"\xD1\x80\xD0\xB5", 0, "[\"\xD0\xA0\xD0\x95 \\u0440\\u0415\"]", 2},
		{"\xE6\x97\xA5\xE6\x9C\xAC", 0,
			"[\"\xE6\x97\xA5\\u672c \\u65e5\\u672C\"]", 2},
		{"\xF0\x9F\x98\x80!", 0, "[\"\\ud83d\\ude00! \xF0\x9F\x98\x80!\"]", 2},
		{"\xF0\x9F\x98\x80", 0, "[\"[\\\"\\\\ud83d\\\\uDE00\\\"]\"]", 1},
		{"kiss", 0, "[\"\xE2\x84\xAAI\xC5\xBFs \\u212aI\\u017fS\"]", 2},
		{"s", 0, "[\"\xC5\xBF\"]", 1},
		{"\xCF\x83", 0, "[\"\xCE\xA3 \xCF\x82 \\u03c3\"]", 3},
		{"\xC3\xA5", 0, "[\"\xE2\x84\xAB\"]", 1}, /* the Angstrom sign */
		/* keys, numbers, literals, borders */
		{"name", 0, "{\"name\":1,\"x\":{\"my na\\u006de\":2}}", 2},
		{"12.50", 0, "[12.50,\"12.50\",-112.5e3]", 2},
		{"true", 0, "[true,\"true\",{\"true\":true}]", 4},
		{"a\",\"b", 0, "[\"a\",\"b\"]", 0},
		{"ab", 0, "[\"a\",\"b\"]", 0},
		{"12", 0, "[1,2]", 0},
		{"[1", 0, "[\"[1,2]\"]", 0}, /* opened: no text */
		{"[1", 0, "[\"[1,2\", \"see [1]\"]", 2},
		{"role", 0, "{\"m\":\"[{\\\"role\\\":\\\"[\\\\\\\"role\\\\\\\"]\\\"}]\"}",
			2},
		{"said \"hi", 0, "[\"[note] he said \\\"hi\\\" [1]\"]", 1},
		/* a string that holds a string that holds JSON */
		{"deep", 0, "[\"\\\"[\\\\\\\"d\\\\\\\\u0065ep\\\\\\\"]\\\"\"]", 1},
		{"\"quoted", 0, "[\"\\\"quoted\\\"\"]", 1},
		/* what is broken */
		{"needle", 0, "[\"a needl\\u0065", 1},
		{"needle", 0, "[\"a needle", 1},
		{"needle", 0, "[\"\xFFneedle\xC3\"]", 1},
		{"needle", 0, "junk needle [", 1},
		{"x", 0, "[\"\\x\\ud800x\"]", 2},
		{"\xEF\xBF\xBD", 0, "[\"\\q\\ud800\\u12\"]", 3},
		{"12", 0, "[\"\\u12\"]", 1},
		/* expressions */
		{"ne+dle", QUERY_REGEX, "[\"A n\\u0065edle NEEEDLE\"]", 2},
		{"^b", QUERY_REGEX, "[\"a\\nb\",\"b\"]", 2},
		{"a.b", QUERY_REGEX, "[\"a\",\"b\",\"a\\nb\",\"a\\\"b\"]", 1},
		{"\\bcaf\xC3\xA9\\b", QUERY_REGEX, "[\"CAF\\u00c9!\"]", 1},
		{"\\w+", QUERY_REGEX, "[\"h\xC3\xA9 l\",7]", 3},
		{"\\S+", QUERY_REGEX, "[\"A b\"]", 2},
		{"\\Ab\\S", QUERY_REGEX, "[\"BX abx\"]", 1}, /* nor is \S upper case */
		{"x*", QUERY_REGEX, "[\"axxbx\"]", 2},       /* never empty */
		{"foo|b\\u0061r", QUERY_REGEX, "[\"FOO\",\"bar\"]", 2},
		{".", QUERY_REGEX, "[\"\xFF\xE2\x82\"]", 3},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		uint64_t hits = count_in(rows[i].query, rows[i].flags, rows[i].json);

		cr_expect_eq(hits, rows[i].hits, "row %zu: %s in %s: %" PRIu64, i,
			rows[i].query, rows[i].json, hits);
	}
}

Test(search, layers)
{
	struct buf json = BUF_INIT, outer = BUF_INIT;
	struct query *q = query_of("needle", 0);
	struct query *quote = query_of("[\"need", 0);

	buf_text(&json, "[\"needl\\u0065\"]");
	for (unsigned layer = 0; layer <= 9; layer++) {
		cr_expect_eq(count_texts(q, buf_view(&json), TEXTS_JSON),
			layer <= TEXTS_LAYERS, "%u", layer);
		/* what lies deeper is a text as it stands */
		cr_expect_eq(count_texts(quote, buf_view(&json), TEXTS_JSON),
			layer == TEXTS_LAYERS + 1, "%u", layer);
		buf_clear(&outer);
		buf_text(&outer, "[\"");
		for (size_t i = 0; i < json.len; i++) {
			if (json.data[i] == '"' || json.data[i] == '\\')
				buf_byte(&outer, '\\');
			buf_byte(&outer, json.data[i]);
		}
		buf_text(&outer, "\"]");
		buf_clear(&json);
		buf_str(&json, buf_view(&outer));
	}
	query_free(q);
	query_free(quote);
	buf_done(&json);
	buf_done(&outer);
}

Test(search, refused)
{
	static const struct {
		const char *text;
		unsigned flags;
		const char *words;
	} rows[] = {
		{"", 0, "nothing"},
		{"a\xFF", 0, "UTF-8"},
		{"a(", QUERY_REGEX, "parenthesis"},
		{"\\C", QUERY_REGEX, "\\C"},
	};
	char *text = mem_alloc(QUERY_LENGTH + 1);
	struct err err = {0};

	for (size_t i = 0; i < COUNT(rows); i++) {
		cr_expect_null(query_new(str_of(rows[i].text), rows[i].flags, &err));
		cr_expect(err.text && strstr(err.text, rows[i].words), "%s", err.text);
		err_done(&err);
	}
	memset(text, 'a', QUERY_LENGTH + 1);
	cr_expect_null(query_new((struct str){text, QUERY_LENGTH + 1}, 0, &err));
	err_done(&err);
	query_free(query_new((struct str){text, QUERY_LENGTH}, 0, &err));
	cr_expect_null(err.text);
	mem_free(text);
}

/* ---- what every match must hold ---- */

Test(search, required_texts)
{
	static const struct {
		const char *pattern, *parts; /* joined by | */
	} rows[] = {
		{"abc", "abc"},
		{"ab*c", "a"},
		{"ab+cde", "cde"},
		{"abc{2}d", "ab"},
		{"abc{2}defg", "defg"},
		{"ab?", "a"},
		{"a?", ""},
		{"\xC3\xA4\xC3\xB6?x", "\xC3\xA4"},
		{"foo.*barn", "barn"},
		{"foo\\d+\\.com", ".com"},
		{"foo|barn", "foo|barn"},
		{"foo|", ""},
		{"(foo|bar)x", "x"},
		{"(?:foo)+quux", "quux"},
		{"(?=foo)a(?<n>b)cc(?!d)", "cc"},
		{"[abc]de[^]x]f", "de"},
		{"[\\]x]yy", "yy"},
		{"[[:alpha:]]foo", ""},
		{"(?i)foo", ""},
		{"(?#x)foo", ""},
		{"(?(1)a|b)foo", ""},
		{"(*UTF)foo", ""},
		{"\\x41foo", ""},
		{"\\Qa*\\E", ""},
		{"\\p{L}foo", ""},
		{"\\bfoo\\b", "foo"},
		{"fo\\+o", "fo+o"},
		{"x{,3}yy", "yy"},
		{"^x$", "x"},
		{"a|b|c|d|e|f|g|h", "a|b|c|d|e|f|g|h"},
		{"a|b|c|d|e|f|g|h|i", ""},
		{"(a|b)", ""},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf parts = BUF_INIT;
		struct required r;

		required_read(&r, str_of(rows[i].pattern));
		for (size_t k = 0; k < r.count; k++) {
			buf_text(&parts, k ? "|" : "");
			buf_str(&parts, r.parts[k]);
		}
		cr_expect(str_equal(buf_view(&parts), str_of(rows[i].parts)),
			"%s: %s, not %s", rows[i].pattern, parts.data, rows[i].parts);
		required_done(&r);
		buf_done(&parts);
	}
}

/* The table of ASCII's cases against PCRE2's own. */
Test(search, cases_of_ascii)
{
	struct buf alphabet = BUF_INIT;

	for (unsigned code = 0x20; code < 0x20000; code++)
		if (code < 0xD800 || code > 0xDFFF)
			buf_utf8(&alphabet, code);
	for (char c = ' '; c < 0x7F; c++) {
		struct query *q = query_new((struct str){&c, 1}, QUERY_ANY, NULL);
		struct query_run run;
		unsigned out[6];

		query_begin(&run, q);
		query_text(&run, buf_view(&alphabet));
		cr_expect_eq(run.hits, pattern_cases((unsigned char)c, out, 6), "%c", c);
		query_done(&run);
		query_free(q);
	}
	buf_done(&alphabet);
}

/* The blocks of which pattern_cases knows, against utf8proc's own table. */
Test(search, cases_of_all)
{
	unsigned out[6];

	for (int code = 0x80; code < 0x110000; code += code < 0x600 ? 7 : 1) {
		bool cased =
			utf8proc_toupper(code) != code || utf8proc_tolower(code) != code;
		bool beyond = (code > 0x3000 && code < 0xA000) ||
			      (code > 0xABFF && code < 0xF900) ||
			      (code > 0x11FFF && code < 0x16E00) ||
			      (code > 0x16FFF && code < 0x1E000) || code > 0x1EFFF;

		cr_expect(!cased || !beyond, "%X", code);
		if (cased && code < 0x600)
			cr_expect_gt(
				pattern_cases((unsigned)code, out, 6), 1, "%X", code);
	}
}

/* ---- a slow reference ---- */

static bool is_container(struct str text)
{
	struct json_report report;

	text = str_trim(text);
	if (text.n < 2 || !((text.p[0] == '[' && text.p[text.n - 1] == ']') ||
				  (text.p[0] == '{' && text.p[text.n - 1] == '}')))
		return false;
	json_check(text, &report);
	return report.verdict != VERDICT_BROKEN;
}

static uint64_t reference_text(const struct query *q, struct str text)
{
	struct query_run run;
	uint64_t hits;

	query_begin(&run, q);
	query_text(&run, text);
	hits = run.hits;
	query_done(&run);
	return hits;
}

/* Decodes everything, and only then looks; the texts are few and flat, so this may
 * recurse. */
static uint64_t reference(const struct query *q, struct str json, unsigned layer)
{
	uint64_t hits = 0;
	size_t at = 0;

	while (at < json.n) { /* the tokens, whatever they stand in */
		struct buf text = BUF_INIT;
		struct jv v;

		if (strchr("[]{},: \n", json.p[at])) {
			at++;
			continue;
		}
		v = jv_parse((struct str){json.p + at, json.n - at});
		at += v.n;
		jv_text(v, &text);
		if (v.kind == J_STRING && layer < TEXTS_LAYERS &&
			is_container(buf_view(&text)))
			hits += reference(q, buf_view(&text), layer + 1);
		else
			hits += reference_text(q, buf_view(&text));
		buf_done(&text);
	}
	return hits;
}

/* A character as it may stand in a JSON string. */
static void put_spelled(struct buf *out, unsigned code, size_t escapes)
{
	static const char shorts[] = "\"\\/\b\f\n\r\t", names[] = "\"\\/bfnrt";
	const char *name = code && code < 0x80 ? strchr(shorts, (int)code) : NULL;
	bool must = code < 0x20 || code == '"' || code == '\\';

	if (name && (must || !below(2)) && below(4)) {
		buf_printf(out, "\\%c", names[name - shorts]);
	} else if (must || below(100) < escapes) {
		if (code >= 0x10000)
			buf_printf(out, "\\u%04x", 0xD800 + ((code - 0x10000) >> 10));
		buf_printf(out, below(2) ? "\\u%04x" : "\\u%04X",
			code < 0x10000 ? code : 0xDC00 + ((code - 0x10000) & 0x3FF));
	} else {
		buf_utf8(out, code);
	}
}

static void put_string(struct buf *out, struct str text, size_t escapes)
{
	size_t at = 0;

	buf_byte(out, '"');
	while (at < text.n) {
		unsigned code;
		bool valid;

		at += utf8_decode(text.p + at, text.n - at, &code, &valid);
		put_spelled(out, code, escapes);
	}
	buf_byte(out, '"');
}

/* Few characters, so that there are many hits, near hits and escapes that look alike. */
static const char *const alphabets[] = {"abAB", "abu05c", "ab\"\\/\nu006", "skSK\xC5\xBF",
	"\xC3\xA4\xC3\x84"
	"a\xD1\x80\xD0\xA0",
	"\xE6\x97\xA5\xE6\x9C\xAC",
	"\xF0\x9F\x98\x80\xF0\x9F\x98\x81"
	"a",
	"[]{},\"1", "k\xE2\x84\xAAK\\u"};

static void put_word(struct buf *out, const char *alphabet, size_t most)
{
	struct str all = str_of(alphabet);

	for (size_t n = below(most) + 1; n; n--) {
		size_t at = below(all.n), begin = at;

		while ((all.p[begin] & 0xC0) == 0x80)
			begin--;
		for (at = begin + 1; at < all.n && (all.p[at] & 0xC0) == 0x80; at++)
			;
		buf_add(out, all.p + begin, at - begin);
	}
}

/* An array of words, numbers and strings with the same in them. */
static void put_values(struct buf *out, const char *alphabet, size_t escapes, int layers)
{
	buf_text(out, below(2) ? "[" : " [ ");
	for (size_t i = 0, n = below(5) + 1; i < n; i++) {
		struct buf inner = BUF_INIT;

		buf_text(out, i ? "," : "");
		if (layers && !below(2))
			put_values(&inner, alphabet, escapes, layers - 1);
		else
			put_word(&inner, alphabet, 40);
		if (below(8))
			put_string(out, buf_view(&inner), escapes);
		else
			buf_printf(out, "{\"a\":%zu,\"b\":true}", below(600));
		buf_done(&inner);
	}
	buf_text(out, "]");
}

static uint64_t compare(const struct query *q, const char *text, struct str json)
{
	uint64_t want = reference(q, json, 0);
	uint64_t hits = count_texts(q, json, TEXTS_JSON);

	cr_assert(want == hits, "%s: %" PRIu64 ", not %" PRIu64 " in %s", text, hits,
		want, json.p);
	return want;
}

/* Nothing is lost, whatever the spelling, and nothing is found that is not there. */
Test(search, against_the_reference)
{
	static const unsigned flags[] = {0, QUERY_ANY, QUERY_EXACT};
	struct buf json = BUF_INIT, word = BUF_INIT;
	uint64_t found = 0;

	for (int round = 0; round < 400; round++) {
		const char *alphabet = alphabets[below(COUNT(alphabets))];
		struct query *q;

		buf_clear(&word);
		put_word(&word, alphabet, 4);
		q = query_new(buf_view(&word), flags[below(3)], NULL);
		for (int i = 0; i < 10; i++) {
			buf_clear(&json);
			put_values(&json, alphabet, below(3) * below(50), (int)below(4));
			found += compare(q, word.data, buf_view(&json));
		}
		query_free(q);
	}
	buf_done(&json);
	buf_done(&word);
	cr_expect_gt(found, 3000);
}

Test(search, expressions_against_the_reference)
{
	static const char *const patterns[] = {"ab", "a+b", "b|aa", "a.b", "(ab|ba)a",
		"\\bab", "a\\\\b", "[ab]\"", "ab?a", "\xC3\xA4+", "\xD1\x80|\xC3\xA4",
		"s+k", "6$", "\xE6\x97\xA5.", "(a|b){2}ba", "k\\\\?u", "0+5|c",
		"true|5\\d"};
	struct buf json = BUF_INIT;
	uint64_t found = 0;

	for (int round = 0; round < 600; round++) {
		const char *pattern = patterns[below(COUNT(patterns))];
		struct query *q = query_of(pattern, QUERY_REGEX);

		for (int i = 0; i < 8; i++) {
			buf_clear(&json);
			put_values(&json, alphabets[below(COUNT(alphabets))], below(30),
				(int)below(3));
			found += compare(q, pattern, buf_view(&json));
		}
		query_free(q);
	}
	buf_done(&json);
	cr_expect_gt(found, 1000);
}

/* Values without a candidate are passed over in blocks; the one needle behind them, and
 * the number after it, are found all the same. */
Test(search, far_apart)
{
	static const char bytes[] = "\"\\[]{}:, .......";
	struct query *q = query_of("needle|4711", QUERY_REGEX);

	for (int round = 0; round < 2000; round++) {
		struct buf json = BUF_INIT, word = BUF_INIT;
		size_t before = below(60), after = below(60);

		buf_text(&json, "[");
		for (size_t i = 0; i <= before + after; i++) {
			buf_clear(&word);
			for (size_t n = below(90); n; n--)
				buf_byte(&word, bytes[below(sizeof(bytes) - 1)]);
			buf_text(&word, i == before ? "needle" : "");
			put_string(&json, buf_view(&word), 0);
			buf_text(&json, i == before ? ",64711," : ",");
		}
		buf_text(&json, "0]");
		cr_assert_eq(count_texts(q, buf_view(&json), TEXTS_JSON), 2);
		for (size_t n = below(4); n; n--) /* outside of strings or not */
			json.data[below(json.len)] = below(2) ? '\\' : '"';
		count_texts(q, buf_view(&json), TEXTS_JSON);
		buf_done(&json);
		buf_done(&word);
	}
	query_free(q);
}

/* Broken texts: no reference, but no harm done. */
Test(search, broken_texts)
{
	static const char bytes[] = "\"\"\\\\[]{}:,au0 6\n\xC3\xA4\xFF";
	static const enum texts_kind kinds[] = {TEXTS_JSON, TEXTS_LINES, TEXTS_RAW};
	struct query *queries[] = {query_of("au", 0), query_of("[^a]u", QUERY_REGEX)};
	char text[300];

	for (int round = 0; round < 12000; round++) {
		const struct query *q = queries[round % 2];
		enum texts_kind kind = kinds[below(COUNT(kinds))];
		struct str json = {text, below(sizeof(text))};

		for (size_t i = 0; i < json.n; i++)
			text[i] = bytes[below(sizeof(bytes) - 1)];
		count_texts(q, json, kind);
	}
	query_free(queries[0]);
	query_free(queries[1]);
}

/* ---- the prefilter alone ---- */

/* Every place where the word stands plainly is a candidate, near and far from the ends.
 */
Test(search, prefilter_sees_every_place)
{
	struct str words[] = {STR("q"), STR("qz"), STR("needle"), STR("\xE6\x97\xA5"),
		STR("a long one with many words in it, more than a needle holds")};
	char *text = mem_alloc(4096);

	for (size_t w = 0; w < COUNT(words); w++) {
		struct prefilter *s = prefilter_new(&words[w], 1, w % 2);

		for (size_t n = words[w].n; n < 300; n++)
			for (size_t at = 0; at + words[w].n <= n; at += 1 + n / 60) {
				struct prefilter_cursor c;

				memset(text, '.', n);
				memcpy(text + at, words[w].p, words[w].n);
				prefilter_begin(&c, s, (struct str){text, n});
				cr_assert_leq(prefilter_next(&c, 0), at + words[w].n - 1,
					"%zu at %zu of %zu", w, at, n);
				cr_assert_geq(prefilter_next(&c, 0), at);
				cr_assert_eq(prefilter_next(&c, at + words[w].n), n);
			}
		prefilter_free(s);
	}
	mem_free(text);
}

/* This machine's blocks and plain words see the same candidates. */
Test(search, prefilter_of_plain_words)
{
	char text[700];

	for (int round = 0; round < 3000; round++) {
		const char *alphabet = alphabets[below(COUNT(alphabets))];
		struct buf word = BUF_INIT, bytes = BUF_INIT;
		struct str all;
		struct prefilter *s;
		struct plain_sieve *plain;
		struct prefilter_cursor c;
		struct plain_sieve_cursor d;
		size_t n = below(sizeof(text));

		put_word(&word, alphabet, 5);
		buf_text(&bytes, alphabet);
		buf_text(&bytes, "\\\\\\uu0065xy.......");
		for (size_t i = 0; i < n; i++)
			text[i] = bytes.data[below(bytes.len)];
		all = buf_view(&word);
		s = prefilter_new(&all, 1, round % 8 == 0);
		plain = plain_sieve_new(&all, 1, round % 8 == 0);
		prefilter_begin(&c, s, (struct str){text, n});
		plain_sieve_begin(&d, plain, (struct str){text, n});
		for (size_t at = 0; at < n; at++)
			cr_assert_eq(prefilter_next(&c, at), plain_sieve_next(&d, at));
		prefilter_free(s);
		plain_sieve_free(plain);
		buf_done(&word);
		buf_done(&bytes);
	}
}

Test(search, prefilter_keeps_back)
{
	static const struct {
		const char *word, *text;
		bool candidate;
	} rows[] = {
		{"needle", "needl e \\\\users \\u00e4 \\n \\u12", false},
		{"needle", "C:\\\\users\\\\udine \\u003cb\\u003e", false},
		{"wombat", "\\u006f", false}, /* not behind a w, not before an m */
		{"wombat", "w\\u006fM", true}, {"wombat", "w\\\\u006F\\\\u006d", true},
		{"wombat", "w\\u006fx", false}, {"needle", "\\\\u006E\\\\u0065", true},
		{"needle", "\\u006e\\u0065\\u0065", true},
		{"needle", "\\u006e\\u0066", true}, /* an f may write an escape */
		{"needle", "\\u006e\\u0078", false}, {"needle", "\\u005c", true},
		{"\xE6\x97\xA5\xE6\x9C\xAC", "\\u65e5\\u8a9e \xE6\x97\xA5\xE8\xAA\x9E",
			false},
		{"\xE6\x97\xA5\xE6\x9C\xAC", "\\u65e5\\u672c", true},
		{"\xE6\x97\xA5\xE6\x9C\xAC", "\\u65e5\xE6\x9C\xAC", true},
		{"\xE6\x97\xA5\xE6\x9C\xAC", "\xE6\x97\xA5\\u672c", true},
		{"\n/\"", "xyz", true}, /* nothing to go by */
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct str word = str_of(rows[i].word);
		struct prefilter *s = prefilter_new(&word, 1, true);
		struct buf text = BUF_INIT;
		struct prefilter_cursor c;

		buf_fill(&text, '.', 100);
		buf_text(&text, rows[i].text);
		buf_fill(&text, '.', 200);
		prefilter_begin(&c, s, buf_view(&text));
		cr_expect_eq(prefilter_next(&c, 0) < text.len, rows[i].candidate,
			"%s in %s", rows[i].word, rows[i].text);
		prefilter_free(s);
		buf_done(&text);
	}
}

/* ---- matches in a text ---- */

struct spans {
	uint64_t from[64], to[64];
	size_t count, most;
};

static bool keep_span(void *ctx, uint64_t from, uint64_t to)
{
	struct spans *s = ctx;

	s->from[s->count] = from;
	s->to[s->count++] = to;
	return s->count < s->most;
}

Test(search, offsets)
{
	struct query *q = query_of("b+", QUERY_REGEX);
	struct spans s = {.most = 64};

	cr_expect_eq(query_each(q,
			     STR("\xC3\xA4"
				 "bb\xFF"
				 "B ab"),
			     keep_span, &s),
		PATTERN_YES);
	cr_assert_eq(s.count, 3);
	cr_expect(s.from[0] == 2 && s.to[0] == 4 && s.from[1] == 5 && s.to[1] == 6);
	cr_expect(s.from[2] == 8 && s.to[2] == 9);
	s = (struct spans){.most = 1};
	query_each(q, STR("bab"), keep_span, &s);
	cr_expect_eq(s.count, 1);
	cr_expect_eq(query_each(q, (struct str){NULL, 0}, keep_span, &s), PATTERN_NO);
	query_free(q);
}

Test(search, borders_of_pieces)
{
	struct query *q = query_of("needle", 0);
	struct query *ends = query_of("^a|a$|a\\n", QUERY_REGEX);
	size_t n = 3 * QUERY_PIECE;
	char *text = mem_alloc(n);

	for (size_t at = QUERY_PIECE - 8; at < QUERY_PIECE + 8; at++) {
		memset(text, 'a', n);
		memcpy(text + at, "needle", 6);
		cr_expect_eq(reference_text(q, (struct str){text, n}), 1, "%zu", at);
	}
	memset(text, 'a', n);
	/* no line begins or ends at a border */
	cr_expect_eq(reference_text(ends, (struct str){text, n}), 2);
	mem_free(text);
	query_free(q);
	query_free(ends);
}

/* ---- long values ---- */

/* Objects with a needle each, up to n bytes; how many. */
static uint64_t put_long(struct buf *out, const char *head, const char *tail, size_t n)
{
	uint64_t count = 0;

	buf_clear(out);
	buf_text(out, head);
	for (; out->len < n; count++)
		buf_text(out, "{\\\"say\\\":\\\"\xC3\xA4 n\\u0065edle\\\\n\\\"},");
	buf_text(out, tail);
	return count;
}

Test(search, long_strings)
{
	static const char tail[] = "1]\",\"b\":\"\xC3\xA4 needle\"}";
	struct query *q = query_of("\xC3\xA4 needle", 0);
	struct query *say = query_of("\"say\"", 0);
	struct buf json = BUF_INIT;
	uint64_t count;

	count = put_long(&json, "{\"a\":\"[", tail, 9000000);
	cr_expect_eq(count_texts(q, buf_view(&json), TEXTS_JSON), count + 1);
	cr_expect_eq(count_texts(say, buf_view(&json), TEXTS_JSON), 0);
	count = put_long(&json, "{\"a\":\"[a log] ", "\"}", 9000000);
	cr_expect_eq(count_texts(say, buf_view(&json), TEXTS_JSON), count);
	count = put_long(&json, "{\"a\":\"[", "", 9000000); /* cut short */
	cr_expect_eq(count_texts(q, buf_view(&json), TEXTS_JSON), count);
	query_free(q);
	query_free(say);
	buf_done(&json);
}

/* Ten million brackets, a string of backslashes, a token of 32 MB: no harm, and the one
 * hit. */
Test(search, hostile_shapes)
{
	struct query *q = query_of("needle", 0), *open = query_of("/", 0);
	struct buf json = BUF_INIT;

	buf_fill(&json, '[', 10000000);
	buf_text(&json, "\"needle/\"");
	cr_expect_eq(count_texts(q, buf_view(&json), TEXTS_JSON), 1);
	cr_expect_eq(count_texts(open, buf_view(&json), TEXTS_JSON), 1);
	buf_clear(&json);
	buf_byte(&json, '"');
	buf_fill(&json, '\\', 32000000);
	buf_text(&json, "needle\"");
	cr_expect_eq(count_texts(q, buf_view(&json), TEXTS_JSON), 1);
	buf_clear(&json);
	buf_fill(&json, 'x', 32000000);
	buf_text(&json, "needle");
	cr_expect_eq(count_texts(q, buf_view(&json), TEXTS_JSON), 1);
	query_free(q);
	query_free(open);
	buf_done(&json);
}

/* ---- steps ---- */

static void finish(struct search *s)
{
	while (search_run(s, 0, true) == TASK_MORE)
		;
}

/* "3,0,1!": the hits of each step; ! where it gave up. */
static void expect_hits(
	const struct search *s, const struct trace *trace, const char *want)
{
	struct buf out = BUF_INIT;

	for (uint32_t i = 0; i < trace->count; i++)
		buf_printf(&out, "%s%" PRIu64 "%s", i ? "," : "", search_hits(s, i),
			search_gave_up(s, i) ? "!" : "");
	cr_expect(str_equal(buf_view(&out), str_of(want)), "%s, not %s",
		out.data ? out.data : "", want);
	buf_done(&out);
}

static void expect_search(
	const char *text, const char *query, unsigned flags, const char *want)
{
	struct trace *trace = model_of(str_of(text));
	struct query *q = query_of(query, flags);
	struct search *s = search_new(trace, q);

	finish(s);
	expect_hits(s, trace, want);
	cr_expect_eq(search_totals(s).searched, trace->count);
	search_free(s);
	query_free(q);
	trace_free(trace);
}

Test(search, steps)
{
	static const char events[] =
		"{\"chain_name\":\"needle\",\"events\":["
		"{\"id\":\"1\",\"user_prompt\":\"a needle and a NEEDLE\"},"
		"{\"id\":\"2\",\"user_prompt\":\"hay\"},"
		"{\"id\":\"3\",\"user_prompt\":\"[{\\\"role\\\":\\\"user\\\","
		"\\\"content\\\":\\\"n\\\\u0065edle\\\"}]\"}]}";

	expect_search(events, "needle", 0, "2,0,1");
	expect_search(events, "NEEDLE", 0, "1,0,0");
	expect_search(events, "ne{2}dle", QUERY_REGEX, "2,0,1");
	expect_search(events, "user_prompt", 0, "1,1,1");
	expect_search(events, "\"", 0, "0,0,0");
	expect_search("", "x", 0, "");
}

Test(search, raw_steps)
{
	static const char lines[] = "{\"id\":\"1\",\"user_prompt\":\"x\"}\n"
				    "{\"id\":\"2\" broken \"caf\\u00e9\"}\n"
				    "{\"id\":\"3\",\"user_prompt\":\"caf\xC3\xA9\"}";

	expect_search(lines, "2\" broken", 0, "0,1,0");
	expect_search(lines, "caf\\u00", 0, "0,1,0");    /* as it stands */
	expect_search(lines, "caf\xC3\xA9", 0, "0,1,1"); /* and what it says */
	expect_search("just a text, \"in quotes\" and more", "quotes\" and", 0, "1");
}

Test(search, streams)
{
	static const char stream[] =
		"event: text_delta\n"
		"data: {\"type\":\"text_delta\",\"content\":\"a need\"}\n\n"
		"event: text_delta\n"
		"data: {\"type\":\"text_delta\",\"content\":\"le caf\\u00e9\"}\n\n"
		"event: complete\n"
		"data: {\"type\":\"complete\",\"payload\":{\"message\":\"needle "
		"caf\\u00e9"
		"\"}}\n\n";

	expect_search(stream, "caf\xC3\xA9", 0, "2");
	expect_search(stream, "needle", 0, "2"); /* the first one is in two events */
	expect_search(stream, "text_delta", 0, "4");
}

/* A word that two events share is in what they say together. */
Test(search, joined_streams)
{
	static const struct {
		const char *query;
		const char *hits;
	} rows[] = {
		{"needle", "1"},
		{"text_delta", "2"}, /* is in the events only */
		{"hay", "0"},
	};
	struct trace *trace = model_of(
		STR("data: {\"type\":\"text_delta\",\"content\":\"a nee\"}\n\n"
		    "data: {\"type\":\"text_delta\",\"content\":\"dl\\u0065\"}\n\n"));

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct query *q = query_of(rows[i].query, 0);
		struct search *s = search_new(trace, q);

		finish(s);
		expect_hits(s, trace, rows[i].hits);
		search_free(s);
		query_free(q);
	}
	trace_free(trace);
}

/* ---- a model that grows and forgets ---- */

static const char six[] =
	"[\"needle\",\"hay\",\"needle needle\",\"hay\",\"needle\",\"hay\"]";
static const unsigned six_at[] = {1, 10, 16, 32, 38, 47}, six_len[] = {8, 5, 15, 5, 8, 5};

static void add_step(struct trace *trace, size_t i, double time)
{
	trace_add(trace, 0, six_at[i], six_len[i])->timestamp = time;
	trace_append(trace);
}

Test(search, growing_model)
{
	struct trace *trace = trace_of_source(source_open_text("test", str_of(six)));
	struct query *q = query_of("needle", 0);
	struct search *s = search_new(trace, q);

	trace_add_scope(trace, 0);
	cr_expect_eq(search_run(s, UINT64_MAX, false), TASK_IDLE);
	add_step(trace, 0, 1);
	cr_expect_eq(search_run(s, UINT64_MAX, false), TASK_IDLE);
	expect_hits(s, trace, "0"); /* may not be complete */
	cr_expect_eq(search_run(s, UINT64_MAX, true), TASK_IDLE);
	expect_hits(s, trace, "1");
	for (size_t i = 1; i < 6; i++)
		add_step(trace, i, 2);
	finish(s);
	expect_hits(s, trace, "1,0,2,0,1,0");
	cr_expect_eq(search_totals(s).hits, 4);
	cr_expect_eq(search_totals(s).steps, 3);
	trace_truncate(trace, 2, SIZE_MAX); /* and others take their place */
	add_step(trace, 4, 3);
	finish(s);
	expect_hits(s, trace, "1,0,1");
	cr_expect_eq(search_totals(s).hits, 2);
	trace_last(trace)->length = 2; /* the last one changes */
	finish(s);
	expect_hits(s, trace, "1,0,0");
	trace_last(trace)->length = 8;
	finish(s);
	expect_hits(s, trace, "1,0,1");
	cr_expect_eq(search_totals(s).searched, 3);
	search_free(s);
	query_free(q);
	trace_free(trace);
}

/* A text that stood there in part when the step before it was searched. */
Test(search, a_source_that_grows)
{
	char path[] = "/tmp/catena-search-XXXXXX";
	int fd = mkstemp(path);
	struct err err = {.offset = ERR_NOWHERE};
	struct inputs *in = inputs_new();
	struct query *q = query_of("needle", 0);
	struct buf text = BUF_INIT;
	struct trace *trace;
	struct search *s;

	buf_text(&text, "[\"needle\"]\n[\"");
	buf_fill(&text, '.', 1000);
	buf_text(&text, "nee");
	cr_assert_eq(write(fd, text.data, text.len), (ssize_t)text.len);
	inputs_add(in, path);
	inputs_follow(in, true);
	trace = trace_new(in);
	cr_assert_eq(inputs_next(in, &err), INPUTS_NEW);
	trace_add_scope(trace, 0);
	trace_add(trace, 0, 0, 10);
	trace_append(trace);
	s = search_new(trace, q);
	finish(s);
	expect_hits(s, trace, "1");
	cr_assert_eq(write(fd, "dle\"]\n", 6), 6);
	cr_assert_eq(inputs_look(in, &err), SOURCE_SAME);
	trace_add(trace, 0, 11, text.len - 11 + 5);
	trace_append(trace);
	finish(s);
	expect_hits(s, trace, "1,1");
	search_free(s);
	query_free(q);
	trace_free(trace);
	buf_done(&text);
	close(fd);
	unlink(path);
}

Test(search, from_hit_to_hit)
{
	struct trace *trace = trace_of_source(source_open_text("test", str_of(six)));
	struct query *q = query_of("needle", 0);
	struct search *s = search_new(trace, q);

	trace_add_scope(trace, 0);
	cr_expect_eq(search_after(s, SEARCH_NONE), SEARCH_NONE);
	for (size_t i = 0; i < 6; i++)
		add_step(trace, i, (double)i);
	finish(s);
	cr_expect_eq(search_after(s, SEARCH_NONE), 0);
	cr_expect_eq(search_after(s, 0), 2);
	cr_expect_eq(search_after(s, 3), 4);
	cr_expect_eq(search_after(s, 4), SEARCH_NONE);
	for (size_t i = 0; i < 6; i++) { /* the other way round */
		struct step step = trace_step(trace, i);

		step.timestamp = -(double)i;
		trace_put(trace, i, &step);
	}
	trace_add(trace, 0, 52, 0)->timestamp = -6;
	trace_append(trace);
	trace_arrange_run(trace, UINT64_MAX);
	cr_expect_eq(search_after(s, SEARCH_NONE), 2);
	cr_expect_eq(search_after(s, 2), 4);
	trace_truncate(trace, 0, 1);
	cr_expect_eq(search_after(s, SEARCH_NONE), SEARCH_NONE);
	search_free(s);
	query_free(q);
	trace_free(trace);
}

static bool is_from(void *first, uint32_t step)
{
	return step >= *(uint32_t *)first;
}

/* Steps that nobody wants are not looked into; those that are not shown not come to. */
Test(search, some_steps_alone)
{
	struct trace *trace = trace_of_source(source_open_text("test", str_of(six)));
	struct query *q = query_of("needle", 0);
	struct search *all = search_new(trace, q), *some = search_new(trace, q);
	uint32_t first = 2;

	trace_add_scope(trace, 0);
	for (size_t i = 0; i < 6; i++)
		add_step(trace, i, (double)i);
	search_only(some, is_from, &first);
	finish(all);
	finish(some);
	cr_expect_eq(search_totals(all).steps, 3);
	cr_expect_eq(search_totals(some).steps, 2);
	cr_expect_eq(search_totals(some).searched, 6);
	cr_expect_eq(search_hits(some, 0), 0);
	cr_expect_eq(search_hits(some, 2), search_hits(all, 2));
	cr_expect_eq(search_places(all), 3);
	search_shown(all, is_from, &first, 1);
	cr_expect_eq(search_places(all), 2);
	cr_expect_eq(search_after(all, SEARCH_NONE), 2);
	first = 4;
	search_shown(all, is_from, &first, 2);
	cr_expect_eq(search_after(all, SEARCH_NONE), 4);
	cr_expect_eq(search_totals(all).steps, 3, "they are counted all the same");
	search_shown(all, NULL, NULL, 2);
	cr_expect_eq(search_after(all, SEARCH_NONE), 0);
	search_free(all);
	search_free(some);
	query_free(q);
	trace_free(trace);
}

/* Steps in any order, of any size, around the borders of the blocks that are read. */
Test(search, blocks_of_the_source)
{
	enum { SIZE = 1200000 };
	struct buf text = BUF_INIT;
	struct query *q = query_of("needle", 0);
	struct trace *trace;
	struct search *s;
	uint64_t total = 0;

	buf_fill(&text, '.', SIZE);
	for (size_t at = 0; at + 100 < SIZE; at += 20000 + below(2000))
		memcpy(text.data + at, "\"n\\u0065edle\"", 13);
	for (size_t edge = 262144; edge < SIZE; edge += 262144 - 192)
		memcpy(text.data + edge - below(200), "needle", 6);
	trace = trace_of_source(source_open_text("test", buf_view(&text)));
	trace_add_scope(trace, 0);
	for (size_t i = 0; i < 400; i++) {
		size_t at = i % 7 ? i * 2999 : below(SIZE);
		size_t n = below(20) ? below(2999) : below(SIZE - at);

		trace_add(trace, 0, at, n < SIZE - at ? n : SIZE - at);
	}
	s = search_new(trace, q);
	finish(s);
	for (uint32_t i = 0; i < trace->count; i++) {
		struct step at = trace_step(trace, i);
		struct str step = {text.data + at.offset, at.length};
		uint64_t want = count_texts(q, step, TEXTS_JSON);

		cr_expect_eq(search_hits(s, i), want, "%u: %zu bytes at %" PRIu64, i,
			step.n, at.offset);
		total += want;
	}
	cr_expect_gt(total, 40);
	cr_expect_eq(search_totals(s).hits, total);
	search_free(s);
	query_free(q);
	trace_free(trace);
	buf_done(&text);
}

/* Without limits these would take hours. */
Test(search, expressions_that_run_long)
{
	static const char *const patterns[] = {"(a+)+$", "(a|a)*[!][xz]",
		"(?:a(?:a*b)?){0,200}[xy]", "(\\w+\\s*)+:", "(?:a(?R)?b)+$|x"};
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < COUNT(patterns); i++) {
		struct query *q = query_of(patterns[i], QUERY_REGEX);
		struct trace *trace;
		struct search *s;

		buf_clear(&text);
		buf_text(&text, "[{\"id\":1,\"event\":\"x\",\"a\":\"");
		buf_fill(&text, 'a', 300000);
		buf_text(&text, "!\"},{\"id\":2,\"event\":\"aaa\",\"b\":\"a!x:\"}]");
		trace = model_of(buf_view(&text));
		s = search_new(trace, q);
		finish(s);
		cr_expect(search_hits(s, 1) && !search_gave_up(s, 1), "%s", patterns[i]);
		if (i < 2)
			cr_expect(search_gave_up(s, 0), "%s", patterns[i]);
		search_free(s);
		query_free(q);
		trace_free(trace);
	}
	buf_done(&text);
}
