/*
 * Only what is new: which steps go before which, what is found of their messages, and the
 * documents made of it.  Over a walk through a trace of forty steps each message must be
 * seen once.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>

#include "base/mem.h"
#include "import/load.h"
#include "text/safe.h"
#include "diff/earlier.h"
#include "view/conversation.h"
#include "view/doc_hits.h"
#include "view/step_cache.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

#define SAMPLE   TEST_SRCDIR "/data/samples/forty-steps.jsonl"
#define MESSAGES 85

static void utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
}

TestSuite(fresh, .init = utf8);

/* ---- traces ---- */

static struct trace *load(struct source *source)
{
	struct trace *trace = trace_of_source(source);
	struct err err = {.offset = ERR_NOWHERE};
	struct load *l = load_begin(trace, NULL);

	cr_assert_eq(load_all(l, &err), TASK_DONE);
	load_free(l);
	return trace;
}

static struct trace *model_of(struct str text)
{
	return load(source_open_text("test", text));
}

static struct trace *sample(void)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct source *source = source_open(SAMPLE, &err);

	cr_assert(source, "%s", err.text);
	err_done(&err);
	return load(source);
}

/* A step of a table: its id, its parent's, its model, and what it is sent and answers. */
struct row {
	const char *id, *parent, *model, *input, *output;
};

static void put_row(struct buf *out, const struct row *r, size_t number)
{
	buf_printf(out,
		"{\"event\":\"$ai_generation\",\"timestamp\":\"2025-01-01T00:%02zu:00Z\","
		"\"properties\":{\"$ai_trace_id\":\"t\",\"$ai_span_id\":\"%s\",",
		number, r->id);
	if (r->parent)
		buf_printf(out, "\"$ai_parent_id\":\"%s\",", r->parent);
	buf_printf(out, "\"$ai_model\":\"%s\",\"$ai_input\":[%s]", r->model, r->input);
	if (r->output)
		buf_printf(out, ",\"$ai_output_choices\":[%s]", r->output);
	buf_text(out, "}}\n");
}

static struct trace *model_of_rows(const struct row *rows, size_t count)
{
	struct buf text = BUF_INIT;
	struct trace *trace;

	for (size_t i = 0; i < count; i++)
		put_row(&text, &rows[i], i);
	trace = model_of(buf_view(&text));
	cr_assert_eq(trace->count, count);
	buf_done(&text);
	return trace;
}

static struct viewed_step *visit_at(struct trace *trace, size_t position)
{
	uint32_t step = trace_at(trace, position);
	struct viewed_step *v =
		viewed_step_new(trace, step, step_content_new(trace, step), NULL);

	v->reading->earlier =
		earlier_find(trace, position, v->opened, true, NULL, NULL);
	v->reading->new_only = true;
	return v;
}

static void build(struct doc *d, struct trace *trace, struct viewed_step *v, bool input)
{
	doc_width(d, 100);
	conversation_build(d, trace, v->step, v->reading, input, MODE_CHAT);
}

/* All that its blocks show, whatever their messages' folds hide. */
static void put_doc(struct buf *out, struct doc *d)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct lines *ls = doc_layout(d, i);

		for (size_t j = 0; j < ls->count; j++) {
			lines_plain(ls, j, out);
			buf_byte(out, '\n');
		}
	}
}

static char *shown(struct trace *trace, size_t position, bool input)
{
	struct viewed_step *v = visit_at(trace, position);
	struct buf text = BUF_INIT;
	struct doc d = {0};

	build(&d, trace, v, input);
	put_doc(&text, &d);
	doc_done(&d);
	viewed_step_free(v);
	return buf_take(&text);
}

/* ---- the walk ---- */

static unsigned count_of(const char *text, const char *what)
{
	unsigned n = 0;

	for (; text && (text = strstr(text, what)); text++)
		n++;
	return n;
}

Test(fresh, a_walk_through_forty_steps_shows_each_message_once)
{
	struct trace *trace = sample();
	struct buf all = BUF_INIT;

	cr_assert_eq(trace->order_count, 40);
	for (size_t i = 0; i < trace->order_count; i++)
		for (int side = 0; side < 2; side++) {
			char *text = shown(trace, i, side == 0);

			buf_text(&all, text);
			mem_free(text);
		}
	for (unsigned i = 1; i <= MESSAGES; i++) {
		char tag[16];

		snprintf(tag, sizeof(tag), "[%03u]", i);
		cr_expect_eq(count_of(all.data, tag), 1, "message %s: %u times", tag,
			count_of(all.data, tag));
	}
	cr_expect_eq(count_of(all.data, "13 earlier messages are no longer there"), 1);
	cr_expect_eq(count_of(all.data, "33 earlier messages are no longer there"), 1);
	cr_expect_eq(count_of(all.data, "no longer there"), 2);
	buf_done(&all);
	trace_free(trace);
}

/* Opening every fold shows every message of every step, as without it. */
Test(fresh, open_folds_show_all_of_a_step)
{
	struct trace *trace = sample();

	for (size_t i = 0; i < trace->order_count; i++) {
		struct viewed_step *v = visit_at(trace, i);
		const struct side *s = &v->opened->input;
		struct doc d = {0};

		build(&d, trace, v, true);
		for (size_t n = 0; n < s->chat.count; n++) {
			conversation_go(s, &d, n);
			cr_expect_eq(conversation_message(s, &d, d.places[0].block), n,
				"step %zu, message %zu", i, n);
		}
		doc_done(&d);
		viewed_step_free(v);
	}
	trace_free(trace);
}

/* ---- threads ---- */

#define SYSTEM  "{\"role\":\"system\",\"content\":\"be brief\"}"
#define USER(x) "{\"role\":\"user\",\"content\":\"" x "\"}"
#define SAID(x) "{\"role\":\"assistant\",\"content\":\"" x "\"}"

static void expect_before(const struct row *rows, size_t count, const int before[])
{
	struct trace *trace = model_of_rows(rows, count);

	for (size_t i = 0; i < count; i++) {
		size_t position = trace_position(trace, (uint32_t)i);
		struct viewed_step *v = visit_at(trace, position);
		uint32_t step = v->reading->earlier->step;

		cr_expect_eq(step == NO_STEP ? -1 : (int)step, before[i],
			"step %s goes on from %d", rows[i].id, (int)step);
		viewed_step_free(v);
	}
	trace_free(trace);
}

Test(fresh, branches_that_run_at_the_same_time_are_told_apart)
{
	static const struct row rows[] = {
		{"a1", NULL, "m", SYSTEM "," USER("one"), SAID("uno")},
		{"b1", NULL, "m", SYSTEM "," USER("two"), SAID("due")},
		{"a2", NULL, "m", SYSTEM "," USER("one") "," SAID("uno") "," USER("and"),
			SAID("e")},
		{"b2", NULL, "m", SYSTEM "," USER("two") "," SAID("due") "," USER("so"),
			SAID("x")},
	};

	expect_before(rows, COUNT(rows), (const int[]){-1, 0, 0, 1});
}

Test(fresh, another_agent_with_the_same_task_has_a_thread_of_its_own)
{
	static const struct row rows[] = {
		{"a1", NULL, "m", SYSTEM "," USER("one"), SAID("uno")},
		{"b1", NULL, "m",
			"{\"role\":\"system\",\"content\":\"sort the mail\"}," USER(
				"one"),
			SAID("x")},
		{"a2", NULL, "m", SYSTEM "," USER("one") "," USER("two"), NULL},
		{"b2", NULL, "m",
			"{\"role\":\"system\",\"content\":\"sort all the mail\"}," USER(
				"one"),
			NULL},
	};

	expect_before(rows, COUNT(rows), (const int[]){-1, -1, 0, 1});
}

Test(fresh, a_step_tried_again_goes_on_from_what_was_tried)
{
	static const struct row rows[] = {
		{"a1", NULL, "m", USER("one"), SAID("uno")},
		{"a2", NULL, "m", USER("one") "," SAID("uno") "," USER("go"), NULL},
		{"a3", NULL, "m", USER("one") "," SAID("uno") "," USER("go"), SAID("on")},
	};

	expect_before(rows, COUNT(rows), (const int[]){-1, 0, 1});
}

Test(fresh, steps_below_another_have_a_thread_of_their_own)
{
	static const struct row rows[] = {
		{"a1", NULL, "m", USER("one"), SAID("uno")},
		{"s1", "a1", "m", USER("sub"), SAID("sotto")},
		{"s2", "a1", "m", USER("sub") "," SAID("sotto") "," USER("go"), NULL},
		{"a2", NULL, "m", USER("one") "," SAID("uno") "," USER("go"), SAID("on")},
	};

	expect_before(rows, COUNT(rows), (const int[]){-1, -1, 1, 0});
}

/* Each turn in a span of its own. */
Test(fresh, a_thread_goes_on_below_another_parent)
{
	static const struct row rows[] = {
		{"t1", NULL, "", "", NULL},
		{"a1", "t1", "m", USER("one"), SAID("uno")},
		{"t2", NULL, "", "", NULL},
		{"a2", "t2", "m", USER("one") "," SAID("uno") "," USER("go"), SAID("on")},
	};

	expect_before(rows, COUNT(rows), (const int[]){-1, -1, -1, 1});
}

/* A short step beside the thread is no better than the thread. */
Test(fresh, most_of_the_input_decides)
{
	static const struct row rows[] = {
		{"a1", NULL, "m", USER("one") "," SAID("1") "," USER("2") "," SAID("3"),
			SAID("uno")},
		{"x1", NULL, "m", USER("one"), SAID("a title")},
		{"a2", NULL, "m",
			USER("one") "," SAID("1") "," USER("2") "," SAID("3") "," SAID(
				"uno") "," USER("go"),
			SAID("on")},
	};

	expect_before(rows, COUNT(rows), (const int[]){-1, 0, 0});
}

static const struct step_content *look_at(void *ctx, uint32_t step)
{
	const struct viewed_step *const *visits = ctx;

	return visits[step]->opened;
}

/* One that is open already is not opened again, and may be closed afterwards. */
Test(fresh, a_step_that_is_open_is_looked_at)
{
	struct trace *trace = sample();
	struct viewed_step *visits[40];

	for (uint32_t i = 0; i < 40; i++)
		visits[i] = visit_at(trace, i);
	for (size_t i = 0; i < 40; i++) {
		struct viewed_step *v = visits[trace_at(trace, i)];
		struct earlier *whole = v->reading->earlier;
		struct earlier *e = earlier_find(
			trace, i, v->opened, false, look_at, visits);

		cr_expect_eq(e->step, whole->step);
		cr_expect_eq(e->input.shown, whole->input.shown);
		earlier_free(e);
	}
	for (size_t i = 0; i < 40; i++)
		viewed_step_free(visits[i]);
	trace_free(trace);
}

/* Unasked, a step of more than EARLIER_MOST is compared with nothing, and nothing with
 * it.
 */
Test(fresh, long_steps_are_compared_when_it_is_asked_for)
{
	struct buf text = BUF_INIT;
	struct trace *trace;

	for (int i = 0; i < 2; i++) {
		buf_text(&text, "{\"event\":\"$ai_generation\",\"properties\":{"
				"\"$ai_trace_id\":\"t\",\"$ai_input\":[{\"role\":"
				"\"user\",\"content\":\"");
		buf_fill(&text, 'x', EARLIER_MOST);
		buf_printf(&text, "\"},{\"role\":\"user\",\"content\":\"%d\"}]}}\n", i);
	}
	trace = model_of(buf_view(&text));
	for (int large = 0; large < 2; large++) {
		struct step_content *o = step_content_new(trace, 1);
		struct earlier *e =
			earlier_find(trace, 1, o, large, NULL, NULL);

		cr_expect_eq(e->step, large ? 0 : NO_STEP);
		cr_expect_eq(e->skipped, !large);
		cr_expect_eq(e->input.shown, (size_t)large);
		earlier_free(e);
		step_content_free(o);
	}
	trace_free(trace);
	buf_done(&text);
}

Test(fresh, candidates_are_few_and_earlier)
{
	struct trace *trace = sample();
	uint32_t steps[THREAD_MOST];

	for (size_t i = 0; i < trace->order_count; i++) {
		size_t n = thread_candidates(trace, i, steps);

		cr_expect_leq(n, THREAD_MOST);
		for (size_t j = 0; j < n; j++) {
			cr_expect_lt(trace_position(trace, steps[j]), i);
			for (size_t k = 0; k < j; k++)
				cr_expect_neq(steps[j], steps[k]);
		}
	}
	cr_expect_eq(thread_candidates(trace, 0, steps), 0);
	cr_expect_eq(thread_candidates(trace, trace->order_count, steps), 0);
	trace_free(trace);
}

/* ---- documents ---- */

static void expect_shown(
	const struct row *rows, size_t count, bool input, const char *text)
{
	struct trace *trace = model_of_rows(rows, count);
	char *seen = shown(trace, count - 1, input);

	cr_expect_str_eq(seen, text);
	mem_free(seen);
	trace_free(trace);
}

Test(fresh, a_changed_message_shows_what_changed)
{
	static const struct row rows[] = {
		{"a1", NULL, "m", USER("please look at the first lamp") "," SAID("yes"),
			NULL},
		{"a2", NULL, "m",
			USER("please look at the second lamp") "," SAID("yes") "," USER(
				"go"),
			NULL},
	};
	struct trace *trace = model_of_rows(rows, 2);
	char *seen = shown(trace, 1, true);

	cr_expect_eq(count_of(seen, "user  changed"), 1, "%s", seen);
	cr_expect_eq(count_of(seen, "first"), 1, "%s", seen);
	cr_expect_eq(count_of(seen, "second"), 1, "%s", seen);
	cr_expect_eq(count_of(seen, "1 message unchanged"), 1, "%s", seen);
	mem_free(seen);
	trace_free(trace);
}

Test(fresh, a_result_of_a_folded_call_names_it)
{
	static const struct row rows[] = {
		{"a1", NULL, "m", USER("one"),
			"{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c1\",\"type\":"
			"\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{}"
			"\"}}]"
			"}"},
		{"a2", NULL, "m",
			USER("one") ","
				    "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":"
				    "\"c1\",\"type\":\"function\",\"function\":{\"name\":"
				    "\"look\",\"arguments\":\"{}\"}}]},{\"role\":"
				    "\"tool\","
				    "\"tool_call_id\":\"c1\",\"content\":\"seen\"}",
			NULL},
	};

	expect_shown(rows, 2, true,
		"\xE2\x96\xB8 2 messages unchanged\n\n\xE2\x97\x8F tool\n"
		"  \xE2\x86\x91 result of look, called in message 2\n"
		"  \xE2\x96\xBE \xE2\x86\x90 result\n    seen\n");
}

/* A graph's node may give back the whole conversation. */
Test(fresh, an_output_that_repeats_its_input_shows_the_rest)
{
	static const struct row rows[] = {
		{"a1", NULL, "m", USER("one") "," SAID("uno") "," USER("go"),
			USER("one") "," SAID("uno") "," USER("go") "," SAID("on")},
	};

	expect_shown(rows, 1, false,
		"\xE2\x96\xB8 3 messages unchanged\n\n\xE2\x97\x8F assistant\n  on\n");
}

/* ... but one that says again what was said before is new. */
Test(fresh, an_answer_said_before_is_shown)
{
	static const struct row rows[] = {
		{"a1", NULL, "m", USER("one") "," SAID("ok") "," USER("two"), SAID("ok")},
	};

	expect_shown(rows, 1, false, "\xE2\x97\x8F assistant\n  ok\n");
}

Test(fresh, thoughts_that_the_history_leaves_out_are_no_change)
{
	static const struct row rows[] = {
		{"a1", NULL, "m", USER("one"),
			"{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\","
			"\"thinking\":\"hm\"},{\"type\":\"text\",\"text\":\"uno\"}]}"},
		{"a2", NULL, "m", USER("one") "," SAID("uno") "," USER("go"), NULL},
	};

	expect_shown(rows, 2, true,
		"\xE2\x96\xB8 2 messages unchanged\n\n\xE2\x97\x8F user\n  go\n");
}

Test(fresh, only_the_new_input_of_a_step_folds_nothing)
{
	static const struct row rows[] = {
		{"a1", NULL, "m", USER("one"), SAID("uno")},
		{"a2", NULL, "m", USER("go"), SAID("on")},
	};

	expect_shown(rows, 2, true, "\xE2\x97\x8F user\n  go\n");
}

/* ---- folds ---- */

static const struct row folded[] = {
	{"a1", NULL, "m", USER("one") "," USER("two") "," USER("three"), SAID("uno")},
	{"a2", NULL, "m", USER("three") "," SAID("uno") "," USER("four"), NULL},
};

Test(fresh, folds_open_and_close_in_place)
{
	struct trace *trace = model_of_rows(folded, COUNT(folded));
	struct viewed_step *v = visit_at(trace, 1);
	struct buf before = BUF_INIT, after = BUF_INIT, open = BUF_INIT;
	struct doc d = {0};

	build(&d, trace, v, true);
	put_doc(&before, &d);
	cr_expect_str_eq(before.data,
		"\xE2\x96\xB8 2 earlier messages are no longer there\n\n"
		"\xE2\x96\xB8 2 messages unchanged\n\n\xE2\x97\x8F user\n  four\n");
	for (size_t i = 0; i < d.count; i++)
		doc_open(&d, i);
	put_doc(&open, &d);
	cr_expect_eq(count_of(open.data, "three"), 1, "%s", open.data);
	cr_expect_eq(count_of(open.data, "two"), 1, "%s", open.data);
	for (size_t i = d.count; i-- > 0;) {
		struct place at = {i, 0};

		if (i < d.count && d.blocks[i].head && d.blocks[i].open)
			doc_fold(&d, &at, false);
	}
	put_doc(&after, &d);
	cr_expect_str_eq(after.data, before.data);
	buf_done(&before);
	buf_done(&after);
	buf_done(&open);
	doc_done(&d);
	viewed_step_free(v);
	trace_free(trace);
}

/* What is folded is found, and nothing of the step before. */
Test(fresh, a_search_opens_the_fold_of_a_hit)
{
	static const struct {
		const char *query;
		bool found;
	} rows[] = {{"three", true}, {"uno", true}, {"four", true}, {"two", false},
		{"unchanged", false}, {"earlier", false}};
	struct trace *trace = model_of_rows(folded, COUNT(folded));
	struct viewed_step *v = visit_at(trace, 1);

	for (size_t i = 0; i < COUNT(rows) * 2; i++) {
		struct query *q = query_new(str_of(rows[i / 2].query), QUERY_REGEX, NULL);
		struct hit_walk s;
		struct doc d = {0};

		build(&d, trace, v, true);
		hit_walk_init(&s, q);
		s.back = i % 2;
		hit_walk_from_edge(&s, &d);
		cr_expect_eq(hit_walk_run(&s, UINT64_MAX),
			rows[i / 2].found ? TASK_DONE : TASK_FAILED, "%s",
			rows[i / 2].query);
		hit_walk_done(&s);
		query_free(q);
		doc_done(&d);
	}
	viewed_step_free(v);
	trace_free(trace);
}

Test(fresh, what_is_kept_of_the_step_before_is_counted)
{
	struct trace *trace = model_of_rows(folded, COUNT(folded));
	struct viewed_step *v = visit_at(trace, 1);
	size_t with = viewed_step_bytes(v);

	cr_expect_gt(earlier_bytes(v->reading->earlier), 2 * strlen(USER("one")));
	earlier_free(v->reading->earlier);
	v->reading->earlier = NULL;
	cr_expect_lt(viewed_step_bytes(v), with);
	viewed_step_free(v);
	trace_free(trace);
}
