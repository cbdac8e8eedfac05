/*
 * Session logs: which items are of one step, what its figures are, and what it says when
 * it is opened.  Each test reads a small log of lines by a format of its own.
 */
#include "config.h"
#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "import/known.h"
#include "import/load.h"
#include "import/open.h"
#include "json/json.h"

#include "loaded.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static void init_json(void)
{
	json_init();
}

TestSuite(turns, .init = init_json);

/* ---- logs ---- */

static void read_format(const char *yaml)
{
	char path[] = "/tmp/catena-turns-XXXXXX";
	struct err err = {0};
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, yaml, strlen(yaml)), (ssize_t)strlen(yaml));
	close(fd);
	cr_assert(known_read(path, &err), "%s", err.text);
	unlink(path);
}

/* What all formats of these tests have; `t` says what a line is. */
#define FACTS                                                                            \
	"name: log\nmatch: [{t: string}]\nsteps: [lines]\nfacts: {start: at, "           \
	"latency: took ms, model: model, input_tokens: in, output_tokens: out, cost: "   \
	"usd, thread: thread, trace: trace, name: call, error: error}\n"
#define ITEMS                                                                            \
	"  items:\n"                                                                     \
	"    - {when: {t: [user]}, as: input, say: [{text: say, role: user}]}\n"         \
	"    - {when: {t: [tool]}, as: input, say: [{text: say, role: system}]}\n"       \
	"    - {when: {t: [ai]}, as: output, say: [{text: say}]}\n"                      \
	"    - {when: {t: [meta]}, as: skip}\n"                                          \
	"    - {when: {t: [drop]}, as: drop}\n"                                          \
	"    - {when: {t: [alone]}, as: alone, say: [{text: say}]}\n"                    \
	"    - {when: {t: [sum]}, as: alone, sums: true, say: [{text: say}]}\n"          \
	"    - {when: {t: [echo]}, as: input, echo: true, say: [{text: say, role: "      \
	"user}]}\n"                                                                      \
	"    - {when: {t: [piece]}, as: output, together: true, say: [{text: "           \
	"\"[*].say\"}]}\n"

/* `lines`: apostrophes stand for quotes. */
static struct loaded read_log(const char *yaml, const char *lines)
{
	struct loaded log;

	read_format(yaml);
	log = load_quoted(lines);
	cr_assert_str_eq(log.trace->format ? log.trace->format : "none", "log");
	return log;
}

/* ---- steps in short ---- */

static void put_number(struct buf *out, const char *name, double value)
{
	if (!isnan(value))
		buf_printf(out, " %s=%g", name, value);
}

/* The first line of a step and how many it has, and what is known of it. */
static void put_step(struct buf *out, const struct loaded *log, size_t i)
{
	struct step s = trace_step(log->trace, i);
	const char *text = log->text.data;
	unsigned first = 1, lines = 1;

	for (const char *p = text; p < text + s.offset; p++)
		first += *p == '\n';
	for (const char *p = text + s.offset; p < text + s.offset + s.length; p++)
		lines += *p == '\n';
	cr_expect(!s.offset || text[s.offset - 1] == '\n', "begins with a line");
	cr_expect(text[s.offset + s.length] == '\n', "ends with a line");
	buf_printf(out, "%u+%u", first, lines);
	buf_text(out, s.flags & STEP_CALL ? " call" : "");
	buf_text(out, s.flags & STEP_ERROR ? " error" : "");
	if (s.model != NO_TEXT) {
		buf_byte(out, ' ');
		buf_str(out, trace_text(log->trace, s.model));
	}
	if (s.trace_id != NO_TEXT) {
		buf_text(out, " trace=");
		buf_str(out, trace_text(log->trace, s.trace_id));
	}
	put_number(out, "in", s.input_tokens);
	put_number(out, "out", s.output_tokens);
	put_number(out, "usd", s.cost);
	put_number(out, "at", s.timestamp - 1700000000);
	put_number(out, "took", s.latency);
	buf_byte(out, '\n');
}

/* The opened step has the figures of the list. */
static void expect_figures(const struct loaded *log, uint32_t i)
{
	struct step s = trace_step(log->trace, i);
	struct step_content *o = step_content_new(log->trace, i);
	const double figures[] = {s.input_tokens, s.output_tokens, s.cost, s.latency};
	static const enum fact facts[] = {
		FACT_INPUT_TOKENS, FACT_OUTPUT_TOKENS, FACT_COST, FACT_LATENCY};

	for (size_t f = 0; f < COUNT(facts); f++) {
		double figure = fact_number(o->facts.v[facts[f]]);

		cr_expect(isnan(figures[f]) ? isnan(figure) : figure == figures[f],
			"%s of step %u: %g, and %g in the list", fact_words[facts[f]].name, i,
			figure, figures[f]);
	}
	step_content_free(o);
}

static void expect_steps(const struct loaded *log, const char *want)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < log->trace->count; i++) {
		put_step(&out, log, i);
		expect_figures(log, (uint32_t)i);
	}
	cr_expect(str_equal(buf_view(&out), str_of(want)), "%.*s not\n%s", (int)out.len,
		out.len ? out.data : "", want);
	buf_done(&out);
}

/* ---- what a step says ---- */

static void put_side(struct buf *out, const struct side *side)
{
	for (size_t i = 0; side->view == SIDE_CHAT && i < side->chat.count; i++) {
		struct jv message = side->chat.items[i];
		struct arena arena = {0};
		struct parts parts = {0};

		buf_text(out, i ? " " : "");
		jv_text(jv_member(message, "role"), out);
		parts = parts_read(message, &arena);
		for (size_t p = 0; p < parts.count; p++) {
			buf_byte(out, p ? '+' : ':');
			jv_text(PART_AT(&parts, p)->kind == PART_TEXT ? PART_AT(&parts, p)->body
								 : PART_AT(&parts, p)->raw,
				out);
		}
		parts_done(&parts);
		arena_done(&arena);
	}
}

/* Both sides: "user:a system:b > assistant:c+d". */
static void expect_said(struct loaded *log, uint32_t step, const char *want)
{
	struct step_content *o = step_content_new(log->trace, step);
	struct buf out = BUF_INIT;

	put_side(&out, &o->input);
	buf_text(&out, " > ");
	put_side(&out, &o->output);
	cr_expect(str_equal(buf_view(&out), str_of(want)), "step %u: %.*s, not %s", step,
		(int)out.len, out.data, want);
	buf_done(&out);
	step_content_free(o);
}

/* A log, its steps, and what the first two say, or NULL where that does not matter. */
static void expect_log(const char *yaml, const char *lines, const char *steps,
	const char *first, const char *second)
{
	struct loaded log = read_log(yaml, lines);

	expect_steps(&log, steps);
	if (first)
		expect_said(&log, 0, first);
	if (second)
		expect_said(&log, 1, second);
	unload(&log);
}

/* ---- steps ---- */

Test(turns, a_step_is_what_was_said_and_the_response)
{
	expect_log(FACTS "turns:\n" ITEMS,
		"{'t':'user','say':'a','at':1700000000}\n"
		"{'t':'ai','say':'b','at':1700000002,'model':'m','in':5,'out':1}\n"
		"{'t':'tool','say':'c','at':1700000003}\n"
		"{'t':'user','say':'d','at':1700000004}\n"
		"{'t':'ai','say':'e','at':1700000007,'in':9,'out':2,'took':1500}\n",
		"1+2 call m in=5 out=1 at=0 took=2\n"
		"3+3 call in=9 out=2 at=3 took=1.5\n",
		"user:a > assistant:b", "system:c user:d > assistant:e");
}

Test(turns, what_is_said_last_has_no_response)
{
	expect_log(FACTS "turns:\n" ITEMS,
		"{'t':'ai','say':'a'}\n"
		"{'t':'user','say':'b'}\n"
		"{'t':'meta','say':'c'}\n",
		"1+1 call\n2+2\n", " > assistant:a", "user:b > ");
}

Test(turns, an_item_without_a_rule_is_shown)
{
	expect_log(FACTS "turns:\n" ITEMS,
		"{'t':'user','say':'a'}\n"
		"{'t':'odd','x':1}\n"
		"{'t':'odd','type':'queue'}\n"
		"{'t':'ai','say':'b'}\n",
		"1+4 call\n",
		"user:a note:{\"t\":\"odd\",\"x\":1} "
		"queue:{\"t\":\"odd\",\"type\":\"queue\"} > assistant:b",
		NULL);
}

/* ---- one response in several lines ---- */

Test(turns, lines_of_one_response_are_joined)
{
	expect_log(FACTS "turns:\n  join: id\n" ITEMS,
		"{'t':'user','say':'a'}\n"
		"{'t':'ai','id':'x','say':'b','out':3}\n"
		"{'t':'ai','id':'x','say':'c','out':7}\n"
		"{'t':'ai','id':'y','say':'d','out':2}\n"
		"{'t':'ai','say':'e'}\n",
		"1+3 call out=7\n4+2 call out=2\n", "user:a > assistant:b+c",
		" > assistant:d+e");
}

Test(turns, without_join_all_answers_are_one)
{
	expect_log(FACTS "turns:\n" ITEMS,
		"{'t':'ai','id':'x','say':'b'}\n"
		"{'t':'ai','id':'y','say':'c'}\n",
		"1+2 call\n", NULL, NULL);
}

Test(turns, a_response_goes_on_behind_a_result)
{
	expect_log(FACTS "turns:\n  join: id\n" ITEMS,
		"{'t':'user','say':'a'}\n"
		"{'t':'ai','id':'x','say':'b','out':3}\n"
		"{'t':'tool','say':'c','error':'no'}\n"
		"{'t':'ai','id':'x','say':'d','out':7}\n"
		"{'t':'tool','say':'e'}\n"
		"{'t':'ai','id':'z','say':'f','out':1}\n",
		"1+4 call error out=7\n5+2 call out=1\n", NULL, "system:e > assistant:f");
}

Test(turns, figures_of_the_lines_add_up)
{
	expect_log(FACTS "turns:\n  join: id\n  tokens: add\n" ITEMS,
		"{'t':'user','say':'a'}\n"
		"{'t':'ai','id':'x','say':'b','in':10,'out':3,'usd':0.5}\n"
		"{'t':'ai','id':'x','say':'c','in':20,'out':7,'usd':0.25}\n"
		"{'t':'ai','id':'y','say':'d','out':1}\n",
		"1+3 call in=30 out=10 usd=0.75\n4+1 call out=1\n", NULL, NULL);
}

Test(turns, pieces_of_a_stream_are_said_together)
{
	expect_log(FACTS "turns:\n" ITEMS,
		"{'t':'user','say':'a'}\n"
		"{'t':'piece','say':'b'}\n"
		"{'t':'meta'}\n"
		"{'t':'piece','say':'c'}\n",
		"1+4 call\n", "user:a > assistant:b+c", NULL);
}

/* ---- what stands for another ---- */

Test(turns, a_later_item_stands_for_an_earlier)
{
	expect_log(FACTS "turns:\n  replace: id\n" ITEMS,
		"{'t':'user','say':'a'}\n"
		"{'t':'ai','id':'x','say':'draft','out':1}\n"
		"{'t':'ai','id':'y','say':'c'}\n"
		"{'t':'ai','id':'x','say':'final','out':4}\n",
		"1+4 call out=4\n", "user:a > assistant:final+c", NULL);
}

Test(turns, an_echo_is_left_out_where_it_was_said)
{
	expect_log(FACTS "turns:\n" ITEMS,
		"{'t':'echo','say':'a'}\n"
		"{'t':'user','say':'a'}\n"
		"{'t':'ai','say':'b'}\n"
		"{'t':'echo','say':'alone'}\n"
		"{'t':'ai','say':'c'}\n",
		"1+3 call\n4+2 call\n", "user:a > assistant:b",
		"user:alone > assistant:c");
}

Test(turns, what_is_skipped_counts_and_what_is_dropped_does_not)
{
	expect_log(FACTS "turns:\n" ITEMS,
		"{'t':'user','say':'a'}\n"
		"{'t':'ai','say':'b','out':2}\n"
		"{'t':'drop','say':'b','out':9,'usd':9,'error':'no'}\n"
		"{'t':'meta','say':'x','usd':0.5}\n"
		"{'t':'user','say':'c'}\n",
		"1+4 call out=2 usd=0.5\n5+1\n", "user:a > assistant:b", NULL);
}

Test(turns, what_is_dropped_at_the_beginning_does_not_count)
{
	expect_log(FACTS "turns:\n" ITEMS,
		"{'t':'drop','say':'x','at':1700000000,'trace':'other','out':9}\n"
		"{'t':'user','say':'a','at':1700000005,'trace':'mine'}\n"
		"{'t':'drop','say':'y','at':1700000006,'trace':'other'}\n"
		"{'t':'ai','say':'b','at':1700000007,'out':1}\n",
		"1+4 call trace=mine out=1 at=5 took=2\n", "user:a > assistant:b", NULL);
}

Test(turns, an_alone_item_is_a_step)
{
	expect_log(FACTS "turns:\n" ITEMS,
		"{'t':'user','say':'a'}\n"
		"{'t':'ai','say':'b'}\n"
		"{'t':'meta'}\n"
		"{'t':'alone','say':'c','usd':1}\n"
		"{'t':'meta'}\n"
		"{'t':'ai','say':'d'}\n"
		"{'t':'alone','say':'e'}\n"
		"{'t':'alone','say':'f'}\n",
		"1+3 call\n4+2 call usd=1\n6+1 call\n7+1 call\n8+1 call\n", NULL,
		" > assistant:c");
}

Test(turns, a_new_trace_is_a_new_step)
{
	expect_log(FACTS "turns:\n" ITEMS,
		"{'t':'user','say':'a','trace':'x'}\n"
		"{'t':'user','say':'b'}\n"
		"{'t':'user','say':'c','trace':'y'}\n"
		"{'t':'ai','say':'d','trace':'y'}\n"
		"{'t':'user','say':'e'}\n",
		"1+2 trace=x\n3+2 call trace=y\n5+1 trace=y\n", NULL, NULL);
}

/* ---- figures ---- */

Test(turns, figures_that_grow)
{
	expect_log(FACTS "cumulative: true\nturns:\n" ITEMS,
		"{'t':'ai','say':'a','in':10,'out':1,'usd':0.5}\n"
		"{'t':'user','say':'b'}\n"
		"{'t':'ai','say':'c','in':25,'out':4,'usd':0.75}\n"
		"{'t':'ai','say':'d','in':30,'out':4}\n"
		"{'t':'user','say':'e'}\n"
		"{'t':'ai','say':'f','in':7,'out':9}\n",
		"1+1 call in=10 out=1 usd=0.5\n"
		"2+3 call in=20 out=3 usd=0.25\n"
		"5+2 call in=7 out=5\n",
		NULL, NULL);
}

Test(turns, what_is_missing_to_a_sum)
{
	expect_log(FACTS "turns:\n" ITEMS,
		"{'t':'ai','say':'a','in':10,'out':1,'usd':0.5}\n"
		"{'t':'user','say':'b'}\n"
		"{'t':'ai','say':'c','in':20,'out':2}\n"
		"{'t':'sum','say':'d','in':30,'out':5,'usd':2}\n"
		"{'t':'user','say':'e'}\n"
		"{'t':'ai','say':'f','in':4}\n"
		"{'t':'sum','say':'g','in':6}\n",
		"1+1 call in=10 out=1 usd=0.5\n"
		"2+2 call in=20 out=2\n"
		"4+1 call out=2 usd=1.5\n"
		"5+2 call in=4\n"
		"7+1 call in=2\n",
		NULL, NULL);
}

Test(turns, a_model_holds_until_another_is_named)
{
	struct loaded log = read_log(FACTS "turns:\n  carry_model: true\n" ITEMS,
		"{'t':'ai','say':'a'}\n"
		"{'t':'meta','model':'m'}\n"
		"{'t':'user','say':'b'}\n"
		"{'t':'ai','say':'c'}\n"
		"{'t':'user','say':'d'}\n"
		"{'t':'meta','model':'n'}\n"
		"{'t':'ai','say':'e'}\n"
		"{'t':'user','say':'f'}\n"
		"{'t':'ai','say':'g','model':'m'}\n");
	struct step_content *o;

	expect_steps(&log, "1+2 call\n3+2 call m\n5+3 call n\n8+2 call m\n");
	o = step_content_new(log.trace, 1);
	cr_expect(jv_is(o->facts.v[FACT_MODEL], STR("m")), "the opened step knows it");
	step_content_free(o);
	unload(&log);
}

/* ---- threads, and what is about a message ---- */

Test(turns, threads_have_steps_of_their_own)
{
	struct loaded log =
		read_log(FACTS "turns:\n" ITEMS, "{'t':'user','say':'a'}\n"
						 "{'t':'ai','say':'b'}\n"
						 "{'t':'user','say':'c','thread':'x'}\n"
						 "{'t':'ai','say':'d','thread':'x'}\n"
						 "{'t':'ai','say':'e'}\n"
						 "{'t':'ai','say':'f','thread':'y'}\n"
						 "{'t':'ai','say':'g','thread':'z'}\n");

	expect_steps(&log, "1+2 call\n3+2 call\n5+1 call\n6+1 call\n7+1 call\n");
	cr_expect_eq(trace_step(log.trace, 0).parent, NO_STEP);
	cr_expect_eq(trace_step(log.trace, 1).parent, 0);
	cr_expect_eq(trace_step(log.trace, 2).parent, NO_STEP);
	cr_expect_eq(trace_step(log.trace, 3).parent, 2);
	cr_expect_eq(trace_step(log.trace, 4).parent, 2);
	unload(&log);
}

Test(turns, what_is_about_a_message_is_on_its_side)
{
	expect_log(FACTS "turns:\n  about: of\n" ITEMS,
		"{'t':'user','say':'a','of':'1'}\n"
		"{'t':'ai','say':'b','of':'2','out':1}\n"
		"{'t':'user','say':'c','of':'2'}\n"
		"{'t':'user','say':'d','of':'3'}\n"
		"{'t':'ai','say':'e','of':'4'}\n"
		"{'t':'meta','of':'2','out':7,'error':'late'}\n",
		"1+3 call error out=7\n4+3 call\n", "user:a > assistant:b user:c",
		"user:d > assistant:e");
}

/* ---- both sides in one item ---- */

Test(turns, an_item_with_both_sides)
{
	struct loaded log = read_log(FACTS
		"input: [{text: ask, role: user}]\noutput: [{text: reply}]\n"
		"turns:\n  items:\n    - {when: {t: [both]}, as: both}\n"
		"    - {when: {t: [first]}, as: skip, first: true}\n"
		"    - {when: {t: [first]}, as: input, say: [{text: say}]}\n",
		"{'t':'first','say':'begin'}\n"
		"{'t':'both','ask':'a','reply':'b'}\n"
		"{'t':'both','ask':'c','reply':'d'}\n"
		"{'t':'first','say':'again'}\n");

	expect_steps(&log, "1+2 call\n3+1 call\n4+1\n");
	expect_said(&log, 0, "user:a > assistant:b");
	expect_said(&log, 1, "user:c > assistant:d");
	expect_said(&log, 2, "user:again > ");
	unload(&log);
}

Test(turns, figures_that_grow_where_each_line_is_a_step)
{
	expect_log(FACTS "cumulative: true\noutput: [{text: say}]\n",
		"{'t':'ai','say':'a','in':10,'out':1}\n"
		"{'t':'ai','say':'b','in':25}\n"
		"{'t':'ai','say':'c','in':5,'out':4}\n",
		"1+1 in=10 out=1\n2+1 in=15\n3+1 in=5 out=3\n", NULL, NULL);
}
