/*
 * What moving over a list and in documents stands on: which steps are slow, the parts of
 * a document, folds of all messages, and levels that open when they are looked at.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/latency.h"
#include "base/work.h"
#include "import/load.h"
#include "text/safe.h"
#include "view/conversation.h"
#include "view/tree.h"

#include "loaded.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static void utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
}

TestSuite(slow, .init = utf8);
TestSuite(parts, .init = utf8);
TestSuite(levels, .init = utf8);

/* ---- slow steps ---- */

static void add_event(struct buf *out, const char *trace, const char *id,
	const char *parent, const char *latency)
{
	buf_printf(out,
		"{\"event\":\"$ai_generation\",\"properties\":{\"$ai_trace_id\":\"%s\","
		"\"$ai_span_id\":\"%s\"",
		trace, id);
	if (*parent)
		buf_printf(out, ",\"$ai_parent_id\":\"%s\"", parent);
	if (*latency)
		buf_printf(out, ",\"$ai_latency\":%s", latency);
	buf_text(out, ",\"$ai_input\":\"x\"}}\n");
}

/* The numbers of the slow ones, by position, as text. */
static void slow_positions(const struct trace *trace, struct buf *out)
{
	struct slow s = {0};

	for (size_t i = 0; i < trace->order_count; i++) {
		cr_assert(slow_look(&s, trace, i));
		if (slow_is(&s, trace, i))
			buf_printf(out, "%zu ", i);
	}
	slow_done(&s);
}

Test(slow, of_each_chain)
{
	static const struct {
		const char *trace, *id, *parent, *latency;
	} rows[] = {
		{"a", "a0", "", "100"}, /* lasts as long as what it holds: not counted */
		{"a", "a1", "a0", "1"},
		{"a", "a2", "a0", "5"},
		{"a", "a3", "a0", ""},
		{"b", "b0", "", "2"},
		{"b", "b1", "", "2"}, /* all alike: none is slow */
		{"c", "c0", "", "7"}, /* alone */
		{"d", "d0", "", "0.1"},
		{"d", "d1", "", "0.3"},
		{"d", "d2", "", "0.2"},
	};
	struct buf text = BUF_INIT, slow = BUF_INIT;
	struct trace *trace;

	for (size_t i = 0; i < COUNT(rows); i++)
		add_event(&text, rows[i].trace, rows[i].id, rows[i].parent,
			rows[i].latency);
	trace = model_of(buf_view(&text));
	cr_assert_eq(trace->chain_count, 4);
	slow_positions(trace, &slow);
	buf_byte(&slow, '\0');
	cr_expect_str_eq(slow.data, "2 8 ");
	trace_free(trace);
	buf_done(&text);
	buf_done(&slow);
}

static bool waits(void)
{
	return true;
}

Test(slow, is_looked_for_again_after_a_key)
{
	struct buf text = BUF_INIT;
	struct slow s = {0};
	struct trace *trace;

	for (int i = 0; i < 3000; i++) {
		char latency[16];

		snprintf(latency, sizeof(latency), "%d", i * 7919 % 3000);
		add_event(&text, "t", "", "", latency);
	}
	trace = model_of(buf_view(&text));
	stop_ask(waits);
	cr_expect_not(slow_look(&s, trace, 0));
	stop_ask(NULL);
	cr_assert(slow_look(&s, trace, 0));
	cr_expect_eq(s.most[0], 2699);
	slow_done(&s);
	trace_free(trace);
	buf_done(&text);
}

/* ---- documents ---- */

struct shown {
	struct trace *trace;
	struct step_content *opened;
	struct reading *reading;
	struct doc doc;
};

static void show(struct shown *x, const char *input, enum side_mode mode, uint32_t levels)
{
	struct buf text = BUF_INIT;

	buf_printf(&text,
		"{\"event\":\"$ai_generation\",\"properties\":{\"$ai_input\":%s}}",
		input);
	*x = (struct shown){.trace = model_of(buf_view(&text))};
	x->opened = step_content_new(x->trace, 0);
	x->reading = reading_new(x->opened, NULL);
	x->doc.levels = levels;
	doc_width(&x->doc, 60);
	conversation_build(&x->doc, x->trace, 0, x->reading, true, mode);
	buf_done(&text);
}

static void hide(struct shown *x)
{
	doc_done(&x->doc);
	reading_free(x->reading);
	step_content_free(x->opened);
	trace_free(x->trace);
}

/* What is seen, rows joined by "|". */
static const char *rows_of(struct doc *d, struct buf *out)
{
	struct place p = {0, 0};
	bool more = d->count > 0;

	buf_clear(out);
	for (doc_settle(d, &p); more; more = doc_down(d, &p, 1)) {
		size_t line;
		const struct lines *ls = doc_line(d, p, &line);

		lines_plain(ls, line, out);
		buf_byte(out, '|');
	}
	buf_byte(out, '\0');
	return out->data;
}

#define TALK                                                                             \
	"[{\"role\":\"user\",\"content\":\"one\"},{\"role\":\"assistant\",\"content\":"  \
	"\"two\\nand more\"},{\"role\":\"user\",\"content\":\"three\"}]"

/* The row of a place, as text. */
static void expect_at(struct doc *d, struct place p, const char *text)
{
	struct buf row = BUF_INIT;
	size_t line;
	const struct lines *ls = doc_line(d, p, &line);

	lines_plain(ls, line, &row);
	buf_byte(&row, '\0');
	cr_expect_str_eq(row.data, text);
	buf_done(&row);
}

Test(parts, messages)
{
	struct shown x;
	struct place p = {0, 0};

	show(&x, TALK, MODE_CHAT, 0);
	cr_assert(doc_next_part(&x.doc, &p, false, 1));
	expect_at(&x.doc, p, "\xE2\x97\x8F assistant");
	doc_down(&x.doc, &p, 2);
	expect_at(&x.doc, p, "  and more");
	cr_assert(doc_next_part(&x.doc, &p, true, 1)); /* to its own beginning */
	expect_at(&x.doc, p, "\xE2\x97\x8F assistant");
	cr_assert(doc_next_part(&x.doc, &p, false, 9)); /* as many as there are */
	cr_expect_eq(x.doc.blocks[p.block].index, 2);
	cr_expect_not(doc_next_part(&x.doc, &p, false, 1));
	cr_assert(doc_next_part(&x.doc, &p, true, 2));
	cr_expect_eq(p.block, 0);
	cr_expect_not(doc_next_part(&x.doc, &p, true, 1));
	hide(&x);
}

Test(parts, nodes_beside)
{
	struct shown x;
	struct place p = {2, 0};

	show(&x, "{\"a\":{\"b\":1,\"c\":{\"d\":2}},\"e\":3}", MODE_TREE, 0);
	expect_at(&x.doc, p, "      \"b\": 1");
	cr_assert(doc_next_part(&x.doc, &p, false, 1));
	expect_at(&x.doc, p, "    \xE2\x96\xBE \"c\": { 1 key");
	cr_assert(doc_next_part(&x.doc, &p, false, 1)); /* over what it holds, and up */
	expect_at(&x.doc, p, "    \"e\": 3");
	cr_assert(doc_next_part(&x.doc, &p, true, 1));
	expect_at(&x.doc, p, "  \xE2\x96\xBE \"a\": { 2 keys");
	hide(&x);
}

/* None of the messages on the way is laid out. */
Test(parts, far_away)
{
	struct buf text = BUF_INIT;
	struct place p = {0, 0};
	struct shown x;

	for (int i = 0; i < 20000; i++)
		buf_printf(&text, "%s{\"role\":\"user\",\"content\":\"%d\"}",
			i ? "," : "[", i);
	buf_text(&text, "]");
	buf_byte(&text, '\0');
	show(&x, text.data, MODE_CHAT, 0);
	cr_assert(doc_next_part(&x.doc, &p, false, 15000));
	cr_expect_eq(x.doc.blocks[p.block].index, 15000);
	cr_expect_leq(x.doc.laid, 2);
	buf_done(&text);
	hide(&x);
}

Test(levels, messages)
{
	struct buf rows = BUF_INIT;
	struct shown x;

	show(&x, TALK, MODE_CHAT, 0);
	doc_limit(&x.doc, 0);
	cr_expect_str_eq(rows_of(&x.doc, &rows),
		"\xE2\x97\x8F user \xE2\x80\xA6||\xE2\x97\x8F assistant \xE2\x80\xA6||"
		"\xE2\x97\x8F user \xE2\x80\xA6|");
	doc_limit(&x.doc, DOC_ALL);
	cr_expect_str_eq(rows_of(&x.doc, &rows),
		"\xE2\x97\x8F user|  one||\xE2\x97\x8F assistant|  two|  and more||"
		"\xE2\x97\x8F user|  three|");
	buf_done(&rows);
	hide(&x);
}

/* Each level shows one more row of a tree that is one branch of six containers; the
 * whole step stands below it. */
Test(levels, of_a_tree)
{
	static const char json[] = "{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":[7]}}}}}";

	for (uint32_t level = 1; level <= 9; level++) {
		struct buf rows = BUF_INIT;
		struct shown x;
		size_t n = 0;

		show(&x, json, MODE_TREE, level);
		for (const char *c = rows_of(&x.doc, &rows); strncmp(c, "||", 2); c++)
			n += *c == '|';
		cr_expect_eq(n, level < 6 ? level : 6, "level %u: %s", level, rows.data);
		buf_done(&rows);
		hide(&x);
	}
}

/* All levels of a huge tree: only what is looked at is opened. */
Test(levels, huge)
{
	struct buf text = BUF_INIT;
	struct place p = {0, 0};
	struct shown x;

	for (int i = 0; i < 50000; i++)
		buf_printf(&text, "%s{\"k\":{\"l\":{\"m\":[1,2,%d]}}}", i ? "," : "[", i);
	buf_text(&text, "]");
	buf_byte(&text, '\0');
	show(&x, text.data, MODE_TREE, 1000);
	cr_assert(doc_down(&x.doc, &p, 61 + 7 * 100));
	cr_assert(doc_up(&x.doc, &p, 7 * 100 - 1));
	cr_expect_lt(x.doc.count, 5000, "%zu blocks", x.doc.count);
	expect_at(&x.doc, p, "            1: 2");
	p = doc_end(&x.doc);
	cr_expect_gt(x.doc.count, 50000);
	cr_expect_lt(x.doc.count, 60000, "%zu blocks", x.doc.count);
	buf_done(&text);
	hide(&x);
}
