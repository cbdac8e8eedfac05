/* JSON made by hand: what becomes of it, what does not, and what shows that it is. */
#include "config.h"
#include <criterion/criterion.h>

#include "json/check.h"

#define T(literal)                                                                       \
	{                                                                                \
		(literal), sizeof(literal) - 1                                           \
	}

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static void expect_text(struct buf *out, struct str want, struct str of)
{
	cr_expect(str_equal(buf_view(out), want), "%s\ngives\n%.*s\nnot\n%s", of.p,
		(int)out->len, out->data, want.p);
	buf_done(out);
}

Test(mend, mended)
{
	static const struct {
		struct str text, mended;
		uint64_t offset;
		const char *says;
	} rows[] = {
		{T("[1,]"), T("[1 ]"), 2, "1 comma before a closing bracket mended"},
		{T("{\"a\":1 , }"), T("{\"a\":1   }"), 7, NULL},
		{T("[[1,],\n]"), T("[[1 ] \n]"), 3,
			"2 commas before a closing bracket mended"},
		{T("[1, // it's\n]"), T("[1         \n]"), 2,
			"1 comment and 1 comma before a closing bracket mended"},
		{T("// \xC3\xA9\n{}"), T("     \n{}"), 0, "1 comment mended"},
		{T("{} // end"), T("{}       "), 3, NULL},
		{T("[1/*a\r\n*b**/,2]"), T("[1   \r\n     ,2]"), 2, NULL},
		{T("[/**/]"), T("[    ]"), 1, NULL},
		{T("{'a':'b'}"), T("{\"a\":\"b\"}"), 1,
			"2 strings in single quotes mended"},
		{T("['say \"hi\", it\\'s']"), T("[\"say \\\"hi\\\", it's\"]"), 1, NULL},
		{T("['\\n\\\"\\\\\\u0041']"), T("[\"\\n\\\"\\\\\\u0041\"]"), 1, NULL},
		{T("['{[//,]']"), T("[\"{[//,]\"]"), 1, NULL},
		{T("''"), T("\"\""), 0, "1 string in single quotes mended"},
		{T("{a:1,$b_2 : 2}"), T("{\"a\":1,\"$b_2\" : 2}"), 1,
			"2 keys without quotes mended"},
		{T("{\"a\\\"//\":\"'[,]\\\\\",}"), T("{\"a\\\"//\":\"'[,]\\\\\" }"), 17,
			NULL},
		{T("\xEF\xBB\xBF[true,]"), T("\xEF\xBB\xBF[true ]"), 8, NULL},
		{T("{\"a\":NaN,}\n{}"), T("{\"a\":NaN }\n{}"), 8, NULL},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf out = BUF_INIT, says = BUF_INIT;
		struct json_report report;

		json_mend(rows[i].text, &out, &report);
		cr_expect_eq(report.verdict, VERDICT_TOLERATED, "%s", rows[i].text.p);
		cr_expect_eq(report.offset, rows[i].offset, "%s: %d", rows[i].text.p,
			(int)report.offset);
		json_report_text(&report, &says);
		if (rows[i].says)
			cr_expect_str_eq(says.data, rows[i].says);
		buf_done(&says);
		expect_text(&out, rows[i].mended, rows[i].text);
	}
}

Test(mend, nothing_to_mend)
{
	static const struct str texts[] = {T(""), T(" \n"), T("{}"), T("[1,2]\n[3]"),
		T("{\"a\":{\"b\":[1,{\"c\":null}]},\"d\":[[],{}]}"),
		T("\"it's // no comment ,]\""), T("-1.5e3 true NaN -Infinity")};

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct buf out = BUF_INIT;
		struct json_report report;

		json_mend(texts[i], &out, &report);
		cr_expect_eq(report.verdict, VERDICT_STRICT, "%s", texts[i].p);
		expect_text(&out, texts[i], texts[i]);
	}
}

Test(mend, broken_all_the_same)
{
	static const struct {
		struct str text;
		uint64_t offset;
	} rows[] = {{T("[,]"), 1}, {T("[1,,]"), 3}, {T("{\"a\",}"), 4},
		{T("{\"a\":,}"), 5}, {T("{\"a\":}"), 5}, {T("[1 2]"), 3}, {T("[1}"), 2},
		{T("[}"), 1}, {T("]"), 0}, {T("[1,"), 3}, {T("{'a':1"), 6},
		{T("['a\n']"), 3}, {T("['a"), 3}, {T("['\\x41']"), 2}, {T("['\\"), 2},
		{T("[\"a"), 3}, {T("[\"\\"), 3}, {T("[1] /* "), 4}, {T("[1] /"), 4},
		{T("[1] /*/"), 4}, {T("[hello]"), 1}, {T("hello // you"), 0},
		{T("{a-b:1}"), 2}, {T("{1:2}"), 1}, {T("[01,]"), 1}, {T("{},"), 2},
		{T("[1\0,]"), 2}};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf out = BUF_INIT;
		struct json_report report;

		json_mend(rows[i].text, &out, &report);
		cr_expect_eq(report.verdict, VERDICT_BROKEN, "%s", rows[i].text.p);
		cr_expect_eq(report.offset, rows[i].offset, "%s: %d", rows[i].text.p,
			(int)report.offset);
		buf_done(&out);
	}
}

Test(mend, depth_costs_nothing)
{
	const size_t depth = 1000000;
	struct buf text = BUF_INIT, out = BUF_INIT;
	struct json_report report;

	buf_fill(&text, '[', depth);
	buf_byte(&text, '1');
	for (size_t i = 0; i < depth; i++)
		buf_text(&text, ",]");
	json_mend(buf_view(&text), &out, &report);
	cr_expect_eq(report.commas, depth);
	cr_expect(json_is_whole(buf_view(&out), NULL));
	buf_done(&text);
	buf_done(&out);
}

Test(mend, line_by_line)
{
	static const struct str
		text = T("{'a':1}\n{\"b\":2}\n\n{oops\n// that's all\n[3,]"),
		want = T("{\"a\":1}\n{\"b\":2}\n\n{oops\n             "
			 "\n[3 ]");
	struct buf out = BUF_INIT;
	struct json_report report;

	json_mend_lines(text, &out, &report);
	cr_expect_eq(report.verdict, VERDICT_TOLERATED);
	cr_expect_eq(report.offset, 1);
	cr_expect(report.quotes == 1 && report.comments == 1 && report.commas == 1);
	expect_text(&out, want, text);
	json_mend_lines((struct str)T("{}\n{oops\n"), &out, &report);
	cr_expect_eq(report.verdict, VERDICT_STRICT);
	expect_text(&out, (struct str)T("{}\n{oops\n"), text);
}

/* After any number of bytes, so that every edge of a block is met. */
static bool hand_made_after(size_t bytes, struct str text)
{
	struct buf all = BUF_INIT;
	bool is;

	buf_fill(&all, ' ', bytes);
	buf_str(&all, text);
	is = json_hand_made(buf_view(&all));
	buf_done(&all);
	return is;
}

Test(mend, signs)
{
	static const struct str made[] = {T("[1,]"), T("{\"a\":1, \n\t }"), T("// a\n1"),
		T("[1/*a*/]"), T("{'a':1}"), T("[\"\\\"\",']']"),
		T("[\",\",1,                                                            "
		  "                                                                      "
		  "                         ]")};
	static const struct str strict[] = {T(""), T("[1,2]"),
		T("[\",]\",\"it's // so\"]"), T("{\"a\\\"\":\",]\" , \"b\":[1 ] }"),
		T("[\"a\" ,\n   \"b\"   ]"), T("[[1] ,   [2]]")};

	for (size_t n = 0; n < 130; n++) {
		for (size_t i = 0; i < COUNT(made); i++)
			cr_expect(hand_made_after(n, made[i]), "%zu %s", n, made[i].p);
		for (size_t i = 0; i < COUNT(strict); i++)
			cr_expect_not(
				hand_made_after(n, strict[i]), "%zu %s", n, strict[i].p);
	}
}
