/*
 * Raw JSON without building anything: the cursor, the judge, strings, numbers, mending,
 * printing and jansson behind json.h.
 *
 * 1. A walk ends; children lie within their container, one after the other.
 * 2. json_is_whole says what json_check says; where large values end
 *    is what the cursor finds without knowing it.
 * 3. A string decodes to the same text in slices.
 * 4. json_write_raw of anything is strict JSON, and of that once more the same text.
 * 5. What is not broken, and not too deep, can be decoded; what is written of it is
 * strict JSON and is written the same when it is read back.
 * 6. Mending keeps every line's number; what is mended is not broken.
 * 7. The path of a byte does not depend on the pieces it is asked in.
 */
#include "fuzz.h"

#include <math.h>

#include "json/check.h"
#include "json/cursor.h"
#include "json/json.h"
#include "json/route.h"

static void check_string(struct jv v)
{
	struct buf whole = BUF_INIT, sliced = BUF_INIT;
	struct str plain = jv_plain(v);
	size_t at = 0, rounds = 0;

	jv_decode(v, &whole);
	while (jv_decode_some(v, &at, 3, &sliced))
		EXPECT(rounds++ <= v.n, "a string does not end");
	fuzz_expect_equal(buf_view(&whole), buf_view(&sliced), "a string in slices");
	EXPECT(!plain.p || str_equal(plain, buf_view(&whole)), "a plain string");
	EXPECT(jv_is(v, buf_view(&whole)), "a string is not its text");
	buf_done(&whole);
	buf_done(&sliced);
}

/* Visits at most *left values, and no deeper than that. */
static void walk(struct jv v, unsigned depth, size_t *left)
{
	const char *end = v.p;
	struct jwalk w;
	struct jv key, child;
	uint64_t index = 0;
	double number;

	if (v.kind == J_STRING)
		check_string(v);
	if (jv_number(v, &number))
		EXPECT(isfinite(number), "a number that is none");
	w = jwalk_of(v);
	while (jwalk_next(&w, &key, &child)) {
		EXPECT(fuzz_within(child, jv_raw(v)), "a child is not in its container");
		EXPECT(fuzz_within(key, jv_raw(v)), "a key is not in its object");
		EXPECT(key.kind == J_NONE || key.p >= end,
			"a key within the value before");
		EXPECT(child.kind == J_NONE || child.p >= end, "a child within another");
		EXPECT(child.kind == J_NONE || child.kind == J_BAD || child.n > 0,
			"an empty value");
		EXPECT(w.index == index, "child %zu says it is %zu", (size_t)index,
			(size_t)w.index);
		end = child.kind == J_NONE ? end : child.p + child.n;
		index++;
		if (!*left || depth > 200)
			break;
		--*left;
		if (key.kind == J_STRING)
			check_string(key);
		walk(child, depth + 1, left);
	}
}

/* ---- the judge ---- */

static void judge(struct str text, struct json_report *report)
{
	struct extents *e = extents_new(text);
	bool whole = json_is_whole(text, e);
	struct buf said = BUF_INIT;
	size_t left = 300;

	json_check(text, report);
	EXPECT(report->verdict == VERDICT_STRICT || report->offset <= text.n,
		"offset %zu", (size_t)report->offset);
	EXPECT(whole == (report->verdict != VERDICT_BROKEN),
		"json_is_whole: %d, verdict %d", whole, report->verdict);
	if (report->verdict != VERDICT_BROKEN) {
		struct jv plain = jv_parse(text), known = plain;

		extents_seal(e);
		known.extents = e;
		EXPECT(jv_count(plain, 1000) == jv_count(known, 1000), "extents");
		walk(known, 0, &left);
		EXPECT(jv_whole(text).n == plain.n, "jv_whole: %zu, jv_parse: %zu",
			jv_whole(text).n, plain.n);
	}
	json_report_text(report, &said);
	fuzz_expect_printable(buf_view(&said), 0, "a report");
	buf_done(&said);
	extents_free(e);
}

/* ---- writing ---- */

static void write_raw(struct str text)
{
	struct buf once = BUF_INIT, twice = BUF_INIT;

	json_write_raw(&once, text);
	fuzz_expect_json(buf_view(&once), "json_write_raw");
	json_write_raw(&twice, buf_view(&once));
	fuzz_expect_equal(buf_view(&once), buf_view(&twice), "json_write_raw twice");
	buf_done(&once);
	buf_done(&twice);
}

static unsigned depth_of(struct str text)
{
	unsigned depth = 0, most = 0;

	for (size_t i = 0; i < text.n; i++) {
		depth += text.p[i] == '[' || text.p[i] == '{';
		depth -= (text.p[i] == ']' || text.p[i] == '}') && depth;
		most = depth > most ? depth : most;
	}
	return most;
}

static void decode(struct str text, const struct json_report *report)
{
	struct err err = {0}, again = {0};
	struct json_mends mends = {0};
	json_t *value = json_read(text, &mends, &err), *back;
	struct buf out = BUF_INIT, twice = BUF_INIT;

	EXPECT((value == NULL) == (err.text != NULL), "a value or an error");
	if (report->verdict != VERDICT_BROKEN && depth_of(text) < JSON_DEPTH - 1)
		EXPECT(value, "verdict %d, yet not decoded: %s", report->verdict,
			err.text);
	if (value) {
		for (int style = JSON_LINE; style <= JSON_PRETTY; style++) {
			buf_clear(&out);
			json_write(&out, value, (enum json_style)style);
			fuzz_expect_json(buf_view(&out), "json_write");
		}
		fuzz_expect_printable(
			buf_view(&out), FUZZ_LINES | FUZZ_OUTPUT, "json_write");
		back = json_read(buf_view(&out), NULL, &again);
		EXPECT(back, "what was written is not read: %s", again.text);
		json_write(&twice, back, JSON_PRETTY); /* 1e3 was written 1000 */
		fuzz_expect_equal(buf_view(&out), buf_view(&twice), "what was written");
		json_decref(back);
	}
	json_decref(value);
	buf_done(&out);
	buf_done(&twice);
	err_done(&err);
	err_done(&again);
}

static size_t count_lines(struct str text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++)
		n += text.p[i] == '\n';
	return n;
}

static void mend(struct str text)
{
	struct json_report report = {0}, after = {0};
	struct buf out = BUF_INIT;
	struct jv v;
	size_t at = 0;

	json_mend(text, &out, &report);
	if (report.verdict != VERDICT_BROKEN) {
		EXPECT(count_lines(text) == count_lines(buf_view(&out)),
			"lines are lost");
		EXPECT(report.verdict != VERDICT_STRICT ||
				str_equal(text, buf_view(&out)),
			"nothing to mend, and another text");
		while ((v = jv_next(buf_view(&out), &at)).kind != J_NONE &&
			!after.verdict)
			json_check(jv_raw(v), &after);
	}
	buf_clear(&out);
	json_mend_lines(text, &out, &report);
	EXPECT(report.verdict != VERDICT_BROKEN, "lines are broken");
	EXPECT(count_lines(text) == count_lines(buf_view(&out)), "lines are lost");
	json_hand_made(text);
	buf_done(&out);
}

static void locate(struct fuzz *f, struct str text)
{
	size_t end = text.n ? fuzz_chance(f, text.n) : 0, at = 0;
	struct locate *whole = locate_new(), *pieces = locate_new();
	struct buf a = BUF_INIT, b = BUF_INIT;
	uint64_t m = 0, n = 0;
	bool found;

	locate_add(whole, (struct str){text.p, end});
	while (at < end) {
		size_t take = 1 + fuzz_chance(f, 9);

		take = take < end - at ? take : end - at;
		locate_add(pieces, (struct str){text.p + at, take});
		at += take;
	}
	found = locate_put(whole, &a, &m);
	EXPECT(locate_put(pieces, &b, &n) == found, "found %d, in pieces not", found);
	if (found) {
		fuzz_expect_equal(buf_view(&a), buf_view(&b), "the path of a byte");
		EXPECT(m == n, "value %zu, in pieces %zu", (size_t)m, (size_t)n);
	}
	EXPECT(locate_count(whole) == locate_count(pieces), "another count");
	locate_free(whole);
	locate_free(pieces);
	buf_done(&a);
	buf_done(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = fuzz_of(data, size);
	struct json_report report = {0}, first = {0};
	size_t left = 2000, end, at = 0;
	struct jv v;

	judge(f.rest, &report);
	end = json_check_first(f.rest, &first);
	EXPECT(end <= f.rest.n, "the first value ends at %zu", end);
	EXPECT(!end == (first.verdict == VERDICT_BROKEN), "the first value: %d",
		first.verdict);
	while ((v = jv_next(f.rest, &at)).kind != J_NONE && left) {
		EXPECT(fuzz_within(v, f.rest) && v.n > 0, "a value beside the text");
		EXPECT(at == (size_t)(v.p - f.rest.p) + v.n, "at %zu", at);
		left--;
		walk(v, 0, &left);
	}
	write_raw(f.rest);
	decode(f.rest, &report);
	mend(f.rest);
	locate(&f, f.rest);
	return 0;
}
