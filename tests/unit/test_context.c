/*
 * Where the context goes: the arithmetic of its parts, steps of requests and of session
 * logs; and where words were first said.  Traces are written with ' for ".
 */
#include "config.h"
#include <criterion/criterion.h>

#include <math.h>

#include "analysis/context.h"
#include "analysis/origin.h"
#include "base/mem.h"

#include "loaded.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* ---- parts ---- */

static struct context_sizes sizes(uint32_t system, uint32_t user, uint32_t media)
{
	struct context_sizes s = {.media_weight = media};

	s.bytes[CONTEXT_SYSTEM] = system;
	s.bytes[CONTEXT_USER] = user;
	s.bytes[CONTEXT_MEDIA] = media * 10;
	return s;
}

Test(context, split)
{
	static const struct {
		uint32_t system, user, media;
		double tokens, unrecorded;
		double out[4]; /* system, user, media, unrecorded */
	} rows[] = {
		{300, 100, 0, 100, 0, {75, 25, 0, 0}},
		{300, 100, 0, 100, 60, {30, 10, 0, 60}},
		{300, 100, 400, 100, 0, {37.5, 12.5, 50, 0}},
		{300, 100, 400, NAN, 50, {300, 100, 4000, 0}},
		{300, 100, 0, 100, 900, {0, 0, 0, 100}}, /* no more than there are */
		{300, 100, 0, 100, -5, {75, 25, 0, 0}},
		{300, 100, 0, 100, NAN, {75, 25, 0, 0}},
		{0, 0, 0, 100, 0, {0, 0, 0, 100}},
		{0, 0, 0, NAN, 0, {0, 0, 0, 0}},
		{1, 0, 0, 0, 0, {0, 0, 0, 0}},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct context_sizes s =
			sizes(rows[i].system, rows[i].user, rows[i].media);
		double out[CONTEXT_KINDS];

		context_split(&s, rows[i].tokens, rows[i].unrecorded, out);
		cr_expect_eq(out[CONTEXT_SYSTEM], rows[i].out[0], "row %zu", i);
		cr_expect_eq(out[CONTEXT_USER], rows[i].out[1], "row %zu", i);
		cr_expect_eq(out[CONTEXT_MEDIA], rows[i].out[2], "row %zu", i);
		cr_expect_eq(out[CONTEXT_UNRECORDED], rows[i].out[3], "row %zu", i);
	}
}

Test(context, unrecorded)
{
	static const struct {
		bool defined;
		size_t n;
		double points[5][2]; /* bytes, tokens */
		double unrecorded;
	} rows[] = {
		/* a line that meets nothing at 9000 tokens */
		{false, 4, {{0, 9000}, {4000, 10000}, {8000, 11000}, {40000, 19000}},
			9000},
		/* ... and at nothing */
		{false, 3, {{4000, 1000}, {8000, 2000}, {40000, 10000}}, 0},
		/* less than the noise */
		{false, 3, {{4000, 1200}, {8000, 2200}, {40000, 10200}}, 0},
		/* where definitions are recorded, all is */
		{true, 3, {{0, 9000}, {4000, 10000}, {8000, 11000}}, 0},
		/* too few for a line: more tokens than the bytes can be */
		{false, 1, {{700, 9200}}, 9000},
		{false, 1, {{70000, 20000}}, 0},
		{false, 2, {{700, 9200}, {7000, 11000}}, 9000},
		/* no line of a text: it falls */
		{false, 3, {{700, 9200}, {7000, 9100}, {14000, 9300}}, 0},
		/* no more than the least of a step has */
		{false, 4, {{0, 500}, {4000, 10000}, {8000, 11000}, {12000, 12500}}, 500},
		/* the frame of messages */
		{false, 1, {{3, 20}}, 0},
		{false, 0, {{0}}, 0},
		{false, 2, {{10, 0}, {20, NAN}}, 0},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct context_fit f = {.defined = rows[i].defined};

		for (size_t k = 0; k < rows[i].n; k++)
			context_fit_add(&f, rows[i].points[k][0], rows[i].points[k][1]);
		cr_expect_float_eq(context_fit_unrecorded(&f), rows[i].unrecorded, 1,
			"row %zu: %g", i, context_fit_unrecorded(&f));
	}
}

Test(context, cells)
{
	static const struct {
		double part[3];
		uint32_t cells, out[3];
	} rows[] = {
		{{1, 1, 2}, 4, {1, 1, 2}},
		{{1, 1, 1}, 4, {2, 1, 1}},
		{{1, 1, 98}, 10, {0, 0, 10}},
		{{6, 0, 94}, 10, {1, 0, 9}},
		{{0, 0, 0}, 10, {0, 0, 0}},
		{{0, 5, 0}, 10, {0, 10, 0}},
		{{3, 3, 3}, 0, {0, 0, 0}},
		{{1e300, 1e300, 0}, 4, {2, 2, 0}},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		double part[CONTEXT_KINDS] = {
			rows[i].part[0], rows[i].part[1], rows[i].part[2]};
		uint32_t out[CONTEXT_KINDS];

		context_cells(part, rows[i].cells, out);
		for (int k = 0; k < 3; k++)
			cr_expect_eq(out[k], rows[i].out[k], "row %zu, part %d: %u", i, k,
				out[k]);
	}
}

/* ---- steps ---- */

/* Each row in short: "system/tools/user/assistant/calls/results" and "<" the row it is
 * compared with. */
static void expect_rows(struct loaded *x, const char *const *rows, size_t count)
{
	struct context c;
	struct buf got = BUF_INIT;

	context_begin(&c, x->trace, 0);
	cr_assert_eq(c.count, count);
	context_look(&c, count - 1, count);
	for (int slices = 0; context_run(&c, 0) == TASK_MORE; slices++) {
		cr_assert_lt(slices, 10000);
		context_update(&c); /* as the viewer does between two slices */
	}
	for (size_t i = 0; i < count; i++) {
		const uint32_t *b = c.rows[i].sizes.bytes;

		buf_clear(&got);
		buf_printf(&got, "%u/%u/%u/%u/%u/%u", b[CONTEXT_SYSTEM], b[CONTEXT_TOOLS],
			b[CONTEXT_USER], b[CONTEXT_ASSISTANT], b[CONTEXT_CALLS],
			b[CONTEXT_RESULTS]);
		if (c.rows[i].before != NO_ROW)
			buf_printf(&got, "<%u", c.rows[i].before);
		cr_expect_str_eq(got.data, rows[i], "row %zu: %s", i, got.data);
	}
	buf_done(&got);
	context_done(&c);
	unload(x);
}

Test(context, of_requests)
{
	static const char *const rows[] = {
		"4/0/3/0/0/0", "4/0/2/2/9/6<0", "0/15/5/0/0/0", "4/0/2/2/9/6<1"};
	struct loaded x = load_quoted(
		"[{'event':'$ai_generation','timestamp':1,'properties':{'$ai_input':["
		"{'role':'system','content':'Be b'},{'role':'user','content':'h\\ni'}],"
		"'$ai_output_choices':[{'role':'assistant','content':'ok'}]}},"
		"{'event':'$ai_generation','timestamp':2,'properties':{'$ai_input':["
		"{'role':'system','content':'Be b'},{'role':'user','content':'hi'},"
		"{'role':'assistant','content':'ok','tool_calls':[{'id':'a','type':"
		"'function','function':{'name':'look','arguments':'{\\'a\\': 12}'}}]},"
		"{'role':'tool','tool_call_id':'a','content':'a \\u00e5 b'}]}},"
		"{'event':'$ai_generation','timestamp':3,'properties':{'$ai_input':["
		"{'role':'user','content':'hello'}],'$ai_tools':[{'name':'look'}]}},"
		"{'event':'$ai_generation','timestamp':4,'properties':{'$ai_input':["
		"{'role':'system','content':'Be b'},{'role':'user','content':'hi'},"
		"{'role':'assistant','content':'ok','tool_calls':[{'id':'a','type':"
		"'function','function':{'name':'look','arguments':'{\\'a\\': 12}'}}]},"
		"{'role':'tool','tool_call_id':'a','content':'a \\u00e5 b'}]}}]");

	expect_rows(&x, rows, COUNT(rows));
}

#define LOG(type, rest)                                                                  \
	"{'type':'" type "','uuid':'u','sessionId':'s','timestamp':"                     \
	"'2026-01-01T00:00:00Z'," rest "}\n"
#define USER(text) LOG("user", "'message':{'role':'user','content':'" text "'}")
#define SAID(id, text)                                                                   \
	LOG("assistant", "'message':{'id':'" id "','role':'assistant','content':"        \
			 "[{'type':'text','text':'" text "'}]}")

/* A sub-agent has a history of its own; a compaction begins anew. */
Test(context, of_a_session)
{
	static const char *const rows[] = {"0/0/4/0/0/0", "0/0/7/5/0/0<0", "0/0/2/0/0/0",
		"0/0/9/8/0/0<1", "9/0/1/0/0/0<3", "9/0/4/3/0/0<4"};
	struct loaded x = load_quoted(
		USER("four") SAID("1", "fives") USER("one") SAID("2", "two") LOG("user",
			"'agentId':'x','isSidechain':true,'message':{'role':"
			"'user','content':'ab'}") LOG("assistant",
			"'agentId':'x','isSidechain':true,'message':{'id"
			"':'3','role':'assistant','content':'long'}") USER("no")
			SAID("4", "x") LOG("system", "'subtype':'compact_boundary',"
						     "'content':'compacted'") USER("y")
				SAID("5", "abc") USER("zzz") SAID("6", "e"));

	expect_rows(&x, rows, COUNT(rows));
}

/* ---- the largest ---- */

Test(context, largest)
{
	struct loaded x = load_quoted(USER("four") LOG("assistant",
		"'message':{'id':'1','role':'assistant','content':[{'type':'tool_use',"
		"'id':'c','name':'Read','input':{'a':1}}]}") LOG("user",
		"'message':{'role':'user','content':[{'type':'tool_result',"
		"'tool_use_id':'c','content':[{'type':'text','text':'\\n first  line\\n"
		"second'},{'type':'image','source':{'type':'base64','media_type':"
		"'image/png','data':'AAAA'}}]}]}") SAID("2", "done"));
	static const struct {
		enum context_kind kind;
		const char *name, *line;
		uint32_t row;
		uint64_t bytes;
	} rows[] = {
		{CONTEXT_RESULTS, "Read 1", "first line", 1, 20},
		{CONTEXT_CALLS, "Read 1", "{\"a\":1}", 0, 7},
		{CONTEXT_USER, "", "four", 0, 4},
		{CONTEXT_MEDIA, "", "image/png", 1, 4},
	};
	struct context_largest *l;
	struct context c;

	context_begin(&c, x.trace, 0);
	context_run(&c, UINT64_MAX);
	l = context_largest_new(&c, 1, true);
	while (context_largest_run(l, 0) == TASK_MORE)
		;
	cr_assert_eq(l->count, COUNT(rows));
	for (size_t i = 0; i < COUNT(rows); i++) {
		cr_expect_eq(l->items[i].kind, rows[i].kind, "row %zu", i);
		cr_expect(str_equal(l->items[i].name, str_of(rows[i].name)), "%zu", i);
		cr_expect(str_equal(l->items[i].line, str_of(rows[i].line)), "%zu: %.*s",
			i, (int)l->items[i].line.n, l->items[i].line.p);
		cr_expect_eq(l->items[i].row, rows[i].row, "row %zu", i);
		cr_expect_eq(l->items[i].bytes, rows[i].bytes, "row %zu: %u", i,
			(unsigned)l->items[i].bytes);
	}
	context_largest_free(l);
	/* what counts for tokens of an image is more than its few bytes */
	l = context_largest_new(&c, 1, false);
	context_largest_run(l, UINT64_MAX);
	cr_expect_eq(l->items[0].kind, CONTEXT_MEDIA);
	context_largest_free(l);
	context_done(&c);
	unload(&x);
}

/* ---- words ---- */

/* What of the first text stands in the second, its words in a row. */
Test(wording, longest_run)
{
	static const struct {
		const char *text, *in, *found;
		bool telling;
	} rows[] = {
		{"the depot is closed", "Oh, the depot is closed today",
			"the depot is closed", true},
		{"**The** depot\nis  closed", "the `depot` is\tclosed",
			"The** depot\nis  closed", true},
		{"The depot is closed", "\\\"the\\\\ndepot\\nis\\u0020closed",
			"The depot is closed", true},
		{"it arrives on 2026-02-04 at last", "{\"arrives\":\"2026-02-04\"}",
			"2026-02-04", true},
		{"a total of 1,234.50 today", "total=1234.50", "1,234.50", true},
		{"a total of 1234 today", "about 1,234 of them", "1234", true},
		{"so 12, 34 and 56", "1234", "", false},
		{"ask read_file for it", "{\"name\":\"read_file\"}", "read_file", true},
		{"_emphasis_ counts", "emphasis", "emphasis", false},
		{"I will see", "you will see it", "will see", false},
		{"I will see it now", "you will see it now", "will see it now", true},
		/* of equal weight the first in the other text; longer words tell more */
		{"one two", "two one", "two", false},
		{"two lanterns", "two and lanterns", "lanterns", false},
		/* a row is not made of two rows */
		{"red green blue", "red green red blue", "red green", false},
		{"a b a b c", "x a b c", "a b c", false},
		{"a a a b", "a a a a b", "a a a b", true},
		{"Umeå ist zu", "in Ume\\u00e5 ist", "Umeå ist", false},
		{"灯台は暗い", "今日、灯台は暗い。", "灯台は暗い", true},
		{"👩 ok 🏕️ yes", "\\ud83d\\udc69 ok", "👩 ok", false},
		{"C:\\new\\table", "C:\\\\new\\\\table", "C:\\new\\table", true},
		/* a turn of speech in a long sentence */
		{"so here is a detailed plan to go on with all that we have seen of the "
		 "harbour and its lamps and horns and keepers and books and ropes",
			"we need a detailed plan too", "a detailed plan", false},
		/* names: a capital within a sentence */
		{"By day it is Zoë Lindqvist, too", "zoë Lindqvist since 1987",
			"Zoë Lindqvist", true},
		{"Sent by Nordpost today", "{\"carrier\":\"Nordpost\"}", "Nordpost",
			true},
		{"Nordpost sent it", "the nordpost", "Nordpost", false},
		{"nothing", "", "", false},
		{"", "nothing", "", false},
		{"... --- ...", "... ---", "", false},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wording *w = mem_zalloc(1, sizeof(*w));
		struct wording_look *l = mem_zalloc(1, sizeof(*l));
		struct str found;

		wording_begin(w, str_of(rows[i].text));
		*l = (struct wording_look){.wording = w};
		wording_look(l, str_of(rows[i].in));
		found = wording_text(w, &l->best);
		cr_expect(str_equal(found, str_of(rows[i].found)), "row %zu: %.*s", i,
			(int)found.n, found.p);
		cr_expect_eq(
			wording_is_telling(w, &l->best), rows[i].telling, "row %zu", i);
		wording_done(w);
		mem_free(w);
		mem_free(l);
	}
}

/* ---- origins ---- */

static const char spans[] =
	"[{'event':'$ai_trace','timestamp':1,'properties':{'$ai_trace_id':'t',"
	"'$ai_span_id':'r','$ai_input_state':'when does the tent come',"
	"'$ai_output_state':'the tent comes on 2026-02-04'}},"
	"{'event':'$ai_generation','timestamp':2,'properties':{'$ai_trace_id':'t',"
	"'$ai_span_id':'g','$ai_parent_id':'r','$ai_input':[{'role':'user','content':"
	"'when does the tent come'}],'$ai_output_choices':[{'role':'assistant',"
	"'content':'I look for FO-48213'}]}},"
	"{'event':'$ai_generation','timestamp':3,'properties':{'$ai_trace_id':'t',"
	"'$ai_span_id':'h','$ai_parent_id':'r','$ai_input':[{'role':'user','content':"
	"'when does the tent come'},{'role':'tool','tool_call_id':'k','content':"
	"'{\\'day\\': \\'2026-02-04\\'}'}],'$ai_output_choices':[{'role':'assistant',"
	"'content':'the tent comes on 2026-02-04'}]}},"
	"{'event':'$ai_generation','timestamp':9,'properties':{'$ai_trace_id':'v',"
	"'$ai_input':[{'role':'user','content':'the lighthouse keeper sleeps well'}]}},"
	"{'event':'$ai_generation','timestamp':8,'properties':{'$ai_trace_id':'u',"
	"'$ai_input':[{'role':'user','content':'is the lighthouse keeper awake'}]}}]";

Test(origin, places)
{
	static const struct {
		uint32_t step;
		bool input;
		size_t message;
		const char *text, *found;
		uint32_t at;
		bool at_input;
	} rows[] = {
		/* the root's answer comes after all */
		{2, false, 0, "the tent comes on 2026-02-04", "2026-02-04", 2, true},
		{2, false, 0, "when does the tent come", "when does the tent come", 0,
			true},
		{2, true, 0, "about FO-48213 and no more", "FO-48213", 1, false},
		/* ... also where it is asked from there */
		{0, false, 0, "the tent comes on 2026-02-04",
			"the tent comes on 2026-02-04", 2, false},
		{0, true, 0, "when does the tent come", "", NO_STEP, false},
		/* not in what is asked from */
		{2, true, 1, "2026-02-04", "", NO_STEP, false},
		/* in another chain, if that is not later */
		{4, true, 0, "the tent comes on 2026-02-04",
			"the tent comes on 2026-02-04", 2, false},
		{4, true, 0, "the lighthouse keeper sleeps well", "", NO_STEP, false},
		{3, true, 0, "is the lighthouse keeper awake",
			"is the lighthouse keeper awake", 4, true},
	};
	struct loaded x = load_quoted(spans);

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct step_part here = {rows[i].step, rows[i].input, rows[i].message, 0};
		struct origin *o = origin_new(x.trace, &here, str_of(rows[i].text));
		struct str found;

		for (int slices = 0; origin_run(o, 0) == TASK_MORE; slices++)
			cr_assert_lt(slices, 10000);
		found = wording_text(&o->wording, &o->look.best);
		cr_expect_eq(origin_is_found(o), rows[i].at != NO_STEP, "row %zu: %.*s",
			i, (int)found.n, found.p);
		if (origin_is_found(o)) {
			cr_expect(str_equal(found, str_of(rows[i].found)),
				"row %zu: %.*s", i, (int)found.n, found.p);
			cr_expect_eq(o->found.step, rows[i].at, "row %zu: %u", i,
				o->found.step);
			cr_expect_eq(o->found.input, rows[i].at_input, "row %zu", i);
		}
		cr_expect_leq(origin_percent(o), 100);
		origin_free(o);
	}
	unload(&x);
}
