/* diff/steps and view/step_diff: two steps of a file as a document. */
#include "config.h"

#include <criterion/criterion.h>
#include <locale.h>

#include "base/mem.h"
#include "import/load.h"
#include "text/safe.h"
#include "view/facts.h"
#include "view/difference.h"

struct two { /* steps 0 and 1 of a text, compared and shown */
	struct trace *trace;
	struct load *load;
	struct comparison *comparison;
	struct doc doc;
};

static void utf8(void)
{
	if (!setlocale(LC_ALL, "C.UTF-8"))
		cr_skip_test("no C.UTF-8 locale");
	safe_init();
}

TestSuite(difference, .init = utf8);

static void begin(struct two *t, struct str text)
{
	struct err err = {.offset = ERR_NOWHERE};

	*t = (struct two){.trace = trace_of_source(source_open_text("test", text))};
	t->load = load_begin(t->trace, NULL);
	cr_assert_eq(load_all(t->load, &err), TASK_DONE);
	cr_assert_geq(t->trace->count, 2);
	t->comparison = comparison_new(t->trace, 0, step_content_new(t->trace, 0),
		t->trace, 1, step_content_new(t->trace, 1));
	cr_assert(comparison_run(t->comparison));
	t->doc.signs = true;
	doc_width(&t->doc, 60);
	step_diff_build(&t->doc, t->comparison);
}

static void end(struct two *t)
{
	doc_done(&t->doc);
	comparison_free(t->comparison);
	load_free(t->load);
	trace_free(t->trace);
}

/* The rows from a place on. */
static char *rows(struct doc *d, struct place p, unsigned most)
{
	struct buf out = BUF_INIT;

	buf_text(&out, "");
	doc_settle(d, &p);
	do {
		size_t line;
		const struct lines *ls = doc_line(d, p, &line);

		lines_plain(ls, line, &out);
		buf_byte(&out, '\n');
	} while (--most && doc_down(d, &p, 1));
	return buf_take(&out);
}

static void expect_rows(struct doc *d, struct place p, const char *expected)
{
	unsigned most = 0;
	char *shown;

	for (const char *c = expected; *c; c++)
		most += *c == '\n';
	shown = rows(d, p, most);
	cr_expect_str_eq(shown, expected);
	mem_free(shown);
}

/* Two events with a system prompt, so many messages, and what is put behind them. */
static void put_event(struct buf *out, size_t messages, const char *system,
	const char *last, const char *more)
{
	buf_printf(out,
		"{\"id\":\"%zu\",\"event\":\"$ai_generation\",\"properties\":{%s"
		"\"$ai_span_name\":\"turn\",\"$ai_input\":["
		"{\"role\":\"system\",\"content\":\"%s\"}",
		out->len, more, system);
	for (size_t i = 0; i < messages; i++)
		buf_printf(out, ",{\"role\":\"%s\",\"content\":\"message %zu\"}",
			i % 2 ? "assistant" : "user", i);
	buf_printf(out,
		"],\"$ai_output_choices\":[{\"message\":{\"role\":\"assistant\","
		"\"content\":\"%s\"}}]}}\n",
		last);
}

Test(difference, ten_thousand_messages)
{
	struct buf text = BUF_INIT;
	struct place p = {0, 0};
	struct two t;

	put_event(&text, 10000, "be brief and kind", "done", "");
	put_event(&text, 10001, "be brief and clear", "well done", "");
	begin(&t, buf_view(&text));
	cr_assert_eq(t.comparison->messages[0].shown, 10000);
	cr_assert_lt(t.doc.count, 20);
	cr_assert(step_diff_next(&t.doc, &p, false));
	expect_rows(&t.doc, p,
		"~ system  #1  changed\n  be brief and [-kind-]{+clear+}\n\n"
		"\u25B8 ... 10000 messages unchanged\n\n+ user  #10002  added\n"
		"  {+message 10000+}\n\nOUTPUT\n\n~ assistant  #1  changed\n"
		"  {+well +}done\n");
	/* opened, its rows come, and from the end as from the start */
	doc_down(&t.doc, &p, 3);
	cr_assert(doc_toggle(&t.doc, &p));
	expect_rows(&t.doc, p,
		"\u25BE ... 10000 messages unchanged\n"
		"  \u25B8 user  #2  message 0\n"
		"  \u25B8 assistant  #3  message 1\n");
	cr_assert(doc_down(&t.doc, &p, 3));
	cr_assert(doc_toggle(&t.doc, &p));
	expect_rows(&t.doc, p, "  \u25BE user  #4\n  message 2\n");
	end(&t);
	buf_done(&text);
}

Test(difference, none)
{
	struct buf text = BUF_INIT, summary = BUF_INIT;
	struct place p = {0, 0};
	struct two t;

	put_event(&text, 3, "s", "done",
		"\"$ai_model\":\"m\",\"extra\":{\"a\":1,\"b\":2},");
	put_event(&text, 3, "\\u0073", "done",
		"\"extra\":{\"b\":2,\"a\":1.0},\"$ai_model\":\"m\",");
	begin(&t, buf_view(&text));
	cr_assert_eq(comparison_differences(t.comparison), 0);
	cr_assert(!step_diff_next(&t.doc, &p, false));
	step_diff_summary(&summary, t.comparison);
	cr_expect_str_eq(summary.data, "no difference");
	end(&t);
	buf_done(&text);
	buf_done(&summary);
}

/* From one to the next and back, each once. */
Test(difference, next_and_previous)
{
	struct buf text = BUF_INIT;
	struct place p = {0, 0};
	struct two t;
	size_t forth = 0, back = 0;

	put_event(&text, 5, "one two three", "yes", "\"$ai_model\":\"a\",");
	put_event(&text, 2, "one two four", "no", "\"$ai_model\":\"b\",\"top_p\":1,");
	begin(&t, buf_view(&text));
	while (step_diff_next(&t.doc, &p, false))
		forth++;
	p = doc_end(&t.doc);
	while (step_diff_next(&t.doc, &p, true))
		back++;
	cr_expect_eq(forth, comparison_differences(t.comparison));
	cr_expect(back == forth || back + 1 == forth);
	end(&t);
	buf_done(&text);
}

static const struct {
	double was, is;
	const char *text;
} token_rows[] = {
	{1200, 1450, "1,200 \u2192 1,450 (+250)"},
	{1234567, 1000, "1,234,567 \u2192 1,000 (-1,233,567)"},
	{80, 80, "80"},
	{0, 5, "0 \u2192 5 (+5)"},
};

Test(difference, figures)
{
	for (size_t i = 0; i < sizeof(token_rows) / sizeof(*token_rows); i++) {
		struct buf out = BUF_INIT;

		step_diff_figure(
			&out, token_rows[i].was, token_rows[i].is, facts_grouped);
		cr_expect_str_eq(out.data, token_rows[i].text);
		buf_done(&out);
	}
}

Test(difference, many_differ)
{
	struct buf text = BUF_INIT;
	struct place p = {0, 0};
	struct two t;
	size_t seen = 0;

	put_event(&text, 2, "s", "x", "");
	put_event(&text, 5002, "s", "x", "");
	begin(&t, buf_view(&text));
	cr_assert_eq(
		t.comparison->messages[0].count - t.comparison->messages[0].shown, 5000);
	p = doc_end(&t.doc);
	while (step_diff_next(&t.doc, &p, true))
		seen++;
	cr_assert_eq(seen, 5000);
	for (seen = 0; step_diff_next(&t.doc, &p, false);)
		seen++;
	cr_assert_eq(seen, 4999);
	end(&t);
	buf_done(&text);
}
