/*
 * Statistics.  Traces are written with ' for " and come with the groups that a survey of
 * them must give, in short: a letter for the kind, the name, the calls of a tool, then
 * "steps/errors input>output $cost time ~median ^p95", "-" for what nobody knows.
 */
#include "config.h"
#include <criterion/criterion.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/latency.h"
#include "analysis/survey.h"
#include "base/mem.h"
#include "import/load.h"
#include "json/json.h"
#include "view/report.h"

#include "loaded.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* ---- medians ---- */

static struct rank rank_of(const double *values, size_t n)
{
	struct samples s = {0};
	struct rank r[2];

	for (size_t i = 0; i < n; i++)
		samples_add(&s, values[i], 0, NO_GROUP);
	cr_assert(samples_rank(&s, r, 1));
	cr_expect_eq(r[0].count, n);
	cr_expect_eq(r[0].seen, n);
	samples_done(&s);
	return r[0];
}

Test(samples, ranks)
{
	static const struct {
		size_t n;
		double values[21], median, p95;
	} rows[] = {
		{1, {7}, 7, 7},
		{2, {4, 1}, 2.5, 4},
		{3, {9, 1, 5}, 5, 9},
		{4, {4, 3, 2, 1}, 2.5, 4},
		{4, {2, 2, 2, 2}, 2, 2},
		{3, {-1, 0, -3}, -1, 0},
		{2, {1e308, 1.5e308}, 1.25e308, 1.5e308},
		{19, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19},
			10, 19},
		{20,
			{20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
				18, 19},
			10.5, 19},
		{21,
			{21, 20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
				17, 18, 19},
			11, 20},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct rank r = rank_of(rows[i].values, rows[i].n);

		cr_expect_eq(r.median, rows[i].median, "row %zu: %g", i, r.median);
		cr_expect_eq(r.p95, rows[i].p95, "row %zu: %g", i, r.p95);
	}
}

Test(samples, of_none)
{
	struct rank r = rank_of(NULL, 0);

	cr_expect(isnan(r.median) && isnan(r.p95));
}

Test(samples, groups_apart)
{
	struct samples s = {0};
	struct rank r[5];

	for (uint32_t i = 0; i < 10; i++)
		samples_add(&s, 10 - i, i % 2, i < 3 ? 2 : NO_GROUP);
	cr_assert(samples_rank(&s, r, 4));
	cr_expect_eq(r[0].median, 6); /* 10 8 6 4 2 */
	cr_expect_eq(r[1].median, 5); /* 9 7 5 3 1 */
	cr_expect_eq(r[2].median, 9); /* 10 9 8 */
	cr_expect(isnan(r[3].median));
	cr_expect_eq(r[4].median, 5.5);
	cr_expect_eq(r[4].p95, 10);
	samples_done(&s);
}

/* ---- surveys in short ---- */

static void put_number(struct buf *out, const char *before, double n)
{
	if (isnan(n))
		buf_printf(out, "%s-", before);
	else
		buf_printf(out, "%s%.6g", before, n);
}

static void put_group(struct buf *out, const struct survey_group *g)
{
	const struct totals *t = &g->totals;

	buf_byte(out, "CMT"[g->kind]);
	buf_byte(out, ' ');
	buf_str(out, g->name);
	if (g->kind == GROUP_TOOL)
		buf_printf(out, " *%" PRIu64, g->calls);
	buf_printf(out, " %" PRIu64 "/%" PRIu64, t->steps, t->errors);
	put_number(out, " ", t->input_tokens);
	put_number(out, ">", t->output_tokens);
	put_number(out, " $", t->cost);
	put_number(out, " ", t->latency);
	put_number(out, " ~", g->latency_median);
	put_number(out, " ^", g->latency_p95);
	buf_byte(out, '\n');
}

static void put_groups(struct buf *out, const struct survey *s, const char *which)
{
	for (size_t i = 0; i < s->count; i++)
		if (strchr(which, "CMT"[s->groups[i].kind]))
			put_group(out, &s->groups[i]);
}

static struct survey *survey_text(struct loaded *x, const struct registry *r)
{
	struct survey *s = survey_new(x->trace, r);

	cr_assert_eq(survey_run(s, UINT64_MAX), TASK_DONE);
	return s;
}

static void expect_text(const struct buf *got, const char *want, const char *what)
{
	cr_expect(str_equal(buf_view(got), str_of(want)), "%s:\n%.*s\nshould be\n%s",
		what, (int)got->len, got->data, want);
}

static void expect_groups(const char *text, const char *which, const char *want)
{
	struct registry *r = registry_new();
	struct loaded x = load_quoted(text);
	struct survey *s = survey_text(&x, r);
	struct buf got = BUF_INIT;

	put_groups(&got, s, which);
	expect_text(&got, want, text);
	buf_done(&got);
	survey_free(s);
	unload(&x);
	registry_free(r);
}

/* ---- chains and models, from the index ---- */

/* "ID[/PARENT] MODEL IN OUT COST TIME [error]", "-" for what it does not say. */
static void put_call_of(struct buf *out, const char *spec)
{
	static const char *const keys[] = {"$ai_model", "$ai_input_tokens",
		"$ai_output_tokens", "$ai_total_cost_usd", "$ai_latency"};
	char id[8], parent[8] = "", facts[5][8];
	int n = 0;

	if (sscanf(spec, "%7[a-z]/%7s%n", id, parent, &n) != 2)
		sscanf(spec, "%7[a-z]%n", id, &n);
	spec += n;
	n = sscanf(spec, "%7s %7s %7s %7s %7s", facts[0], facts[1], facts[2], facts[3],
		facts[4]);
	cr_assert_eq(n, 5, "%s", spec);
	buf_printf(out,
		"{'id':'%s','properties':{'$ai_trace_id':'t','$ai_parent_id':'%s'", id,
		parent);
	for (size_t i = 0; i < 5; i++)
		if (*facts[i] != '-')
			buf_printf(out, ",'%s':'%s'", keys[i], facts[i]);
	buf_printf(out, ",'$ai_is_error':%s}}", strstr(spec, "error") ? "true" : "false");
}

static const struct {
	const char *steps[5];
	const char *want;
} model_rows[] = {
	{{"a m 10 1 0.5 2", "b n 20 2 0.25 4", "c m 30 3 0.5 8 error"},
		"C t 3/1 60>6 $1.25 14 ~4 ^8\n"
		"M m 2/1 40>4 $1 10 ~5 ^8\n"
		"M n 1/0 20>2 $0.25 4 ~4 ^4\n"},
	/* unknown figures; a zero is none */
	{{"a m - - - -", "b m - - - 3", "c n 0 - - -"}, "C t 3/0 0>- $- 3 ~3 ^3\n"
							"M m 2/0 ->- $- 3 ~3 ^3\n"
							"M n 1/0 0>- $- - ~- ^-\n"},
	/* a step without a model counts for its chain alone */
	{{"a - - - - 5", "b m - - - 1"}, "C t 2/0 ->- $- 6 ~3 ^5\n"
					 "M m 1/0 ->- $- 1 ~1 ^1\n"},
	/* the outer span carries the usage of the call inside it: it speaks for both */
	{{"a m 10 1 0.5 3", "b/a m 10 1 0.5 2", "c/b m 10 1 0.5 1"},
		"C t 3/0 10>1 $0.5 3 ~2 ^3\n"
		"M m 3/0 10>1 $0.5 3 ~2 ^3\n"},
	/* ... also through a step that names none */
	{{"a m 10 1 0.5 3", "b/a - - - - 2", "c/b m 10 1 0.5 1 error"},
		"C t 3/1 10>1 $0.5 3 ~2 ^3\n"
		"M m 2/1 10>1 $0.5 3 ~2 ^3\n"},
	/* figure by figure: the parent knows its latency alone */
	{{"a m - - - 9", "b/a m 10 1 0.5 2", "c/a m 20 2 0.5 3"},
		"C t 3/0 30>3 $1 9 ~3 ^9\n"
		"M m 3/0 30>3 $1 9 ~3 ^9\n"},
	/* what is below a call has usage of its own, and counts; time passes once */
	{{"a m 10 1 0.5 3", "b/a n 7 7 0.25 2", "c/b m 5 5 0.5 1", "d m 1 1 1 1"},
		"C t 4/0 23>14 $2.25 4 ~1.5 ^3\n"
		"M m 3/0 16>7 $2 4 ~1 ^3\n"
		"M n 1/0 7>7 $0.25 2 ~2 ^2\n"},
};

Test(survey, models)
{
	for (size_t i = 0; i < COUNT(model_rows); i++) {
		struct buf text = BUF_INIT;

		for (size_t k = 0; model_rows[i].steps[k]; k++) {
			buf_byte(&text, k ? ',' : '[');
			put_call_of(&text, model_rows[i].steps[k]);
		}
		buf_byte(&text, ']');
		expect_groups(text.data, "CM", model_rows[i].want);
		buf_done(&text);
	}
}

#define EVENT(event, id, parent, facts)                                                  \
	"{'event':'" event "','properties':{'$ai_trace_id':'t','$ai_span_id':'" id       \
	"','$ai_parent_id':'" parent "'," facts "}}"
#define USAGE(model, in, out, cost)                                                      \
	"'$ai_model':'" model "','$ai_input_tokens':" in ",'$ai_output_tokens':" out     \
	",'$ai_total_cost_usd':" cost

/* An agent whose turn has another agent below it, with the span around that: whatever
 * counts for the chain counts for a model. */
Test(survey, models_add_up_to_the_total)
{
	struct registry *r = registry_new();
	struct loaded x = load_quoted("[" EVENT("$ai_generation", "a", "",
		USAGE("m", "100", "10", "0.5")) "," EVENT("$ai_generation", "b", "",
		USAGE("m", "200", "20", "0.75")) "," EVENT("$ai_span", "c", "b",
		USAGE("n", "90", "9", "0.2")) "," EVENT("$ai_generation", "d", "c",
		USAGE("n", "50", "5", "0.125")) "," EVENT("$ai_generation", "e", "c",
		USAGE("n", "40", "4", "0.125")) "," EVENT("$ai_trace", "", "",
		USAGE("m", "390", "39", "1.5")) "]");
	struct survey *s = survey_text(&x, r);
	struct totals sum = totals_unknown;

	for (size_t i = 0; i < s->count; i++)
		if (s->groups[i].kind == GROUP_MODEL)
			totals_add(&sum, &s->groups[i].totals);
	cr_expect(sum.input_tokens == 390 && sum.output_tokens == 39 && sum.cost == 1.5);
	cr_expect(s->totals.input_tokens == 390 && s->totals.output_tokens == 39 &&
		  s->totals.cost == 1.5);
	cr_expect(sum.steps == s->totals.steps);
	survey_free(s);
	unload(&x);
	registry_free(r);
}

/* What a cache gave to a call is its own, whatever is above it. */
Test(survey, cached_tokens_of_calls_below_calls)
{
	struct registry *r = registry_new();
	struct loaded x = load_quoted("[" EVENT("$ai_generation", "a", "",
		"'$ai_cache_read_input_tokens':5") "," EVENT("$ai_generation", "b", "a",
		"'$ai_cache_read_input_tokens':3") "," EVENT("$ai_span", "c", "",
		"'$ai_cache_read_input_tokens':2") "," EVENT("$ai_generation", "d", "c",
		"'$ai_cache_read_input_tokens':2") "]");
	struct survey *s = survey_text(&x, r);

	cr_expect_eq(s->totals.cache_read, 10);
	survey_free(s);
	unload(&x);
	registry_free(r);
}

Test(survey, chains_apart)
{
	struct registry *r = registry_new();
	struct loaded x =
		load_quoted("[{'id':'1','trace_id':'a','chain_name':'A','model':'m',"
			    "'latency':'850ms','user_prompt':'x'},"
			    "{'id':'2','trace_id':'b','model':'m','latency':'2s',"
			    "'user_prompt':'x'},"
			    "{'id':'3','trace_id':'a','model':'n','latency':'3s',"
			    "'user_prompt':'x'}]");
	struct survey *s = survey_text(&x, r);
	struct buf got = BUF_INIT;

	put_groups(&got, s, "CM");
	expect_text(&got,
		"C A 2/0 ->- $- 3.85 ~1.925 ^3\n"
		"C b 1/0 ->- $- 2 ~2 ^2\n"
		"M m 2/0 ->- $- 2.85 ~1.425 ^2\n"
		"M n 1/0 ->- $- 3 ~3 ^3\n",
		"two chains");
	cr_assert_eq(s->count, 4);
	cr_expect(s->groups[0].named && !s->groups[1].named);
	cr_expect(str_equal(s->groups[0].trace, STR("a")));
	cr_expect_eq(s->groups[0].first, 0);
	cr_expect_eq(s->groups[1].first, 2); /* behind both steps of the first chain */
	cr_expect_eq(s->groups[2].first, 0);
	cr_expect_eq(s->groups[3].first, 1);
	cr_expect_eq(s->latency_median, 2);
	cr_expect_eq(s->latency_p95, 3);
	buf_done(&got);
	survey_free(s);
	unload(&x);
	registry_free(r);
}

Test(survey, chain_without_steps)
{
	expect_groups("{'trace_id':'t','chain_name':'none','events':[]}", "CMT",
		"C none 0/0 ->- $- - ~- ^-\n");
}

/* ---- tools ---- */

/*
 * Traces with tools in short: a step is "ID[/PARENT] FIGURE: INPUT > OUTPUT", where the
 * figure is all four ("-": none) and the sides are words:
 *
 *	ask, said	a user's and an assistant's text
 *	NAME#ID		a call, without an id when there is none
 *	ok#ID, bad#ID	a result, the second marked as an error
 *	bad=NAME	one that names its tool
 */
enum vendor { OPENAI, ANTHROPIC, VENDORS };

static void put_call(struct buf *out, const char *name, const char *id, enum vendor v)
{
	buf_text(out, v == OPENAI ? "{'role':'assistant','content':null,'tool_calls':[{"
				    "'type':'function','function':{'arguments':'{}',"
				  : "{'role':'assistant','content':[{'type':'tool_use',"
				    "'input':{},");
	buf_printf(out, "'name':'%s'%s", name, v == OPENAI ? "}" : "");
	if (*id)
		buf_printf(out, ",'id':'%s'", id);
	buf_text(out, "}]}");
}

static void put_result(
	struct buf *out, const char *key, const char *value, bool error, enum vendor v)
{
	buf_text(out, v == OPENAI ? "{'role':'tool',"
				  : "{'role':'user','content':[{'type':'tool_result',");
	if (*value)
		buf_printf(out, "'%s':'%s',", key, value);
	if (error)
		buf_text(out, "'is_error':true,");
	buf_text(out, v == OPENAI ? "'content':'done'}" : "'content':'done'}]}");
}

static void put_word(struct buf *out, const char *word, enum vendor v)
{
	const char *key = v == OPENAI ? "tool_call_id" : "tool_use_id";
	char name[32] = "", id[32] = "";

	if (strcmp(word, "ask") == 0)
		buf_text(out, "{'role':'user','content':'go'}");
	else if (strcmp(word, "said") == 0)
		buf_text(out, "{'role':'assistant','content':'well'}");
	else if (sscanf(word, "bad=%31s", name) == 1)
		put_result(out, "name", name, true, v);
	else if (sscanf(word, "%31[a-z]#%31s", name, id) < 1)
		cr_assert_fail("%s", word);
	else if (strcmp(name, "ok") == 0 || strcmp(name, "bad") == 0)
		put_result(out, key, id, *name == 'b', v);
	else
		put_call(out, name, id, v);
}

/* The words up to `end`; what follows it. */
static const char *put_words(struct buf *out, const char *p, char end, enum vendor v)
{
	char word[64];
	int n;
	bool first = true;

	while (sscanf(p, " %63s%n", word, &n) == 1 && *word != end) {
		buf_text(out, first ? "" : ",");
		first = false;
		put_word(out, word, v);
		p += n;
	}
	return end && *word == end ? p + n : p;
}

static void put_step(struct buf *out, const char *spec, enum vendor v)
{
	char id[8] = "", parent[8] = "", figure[8] = "";
	int n = 0;

	if (sscanf(spec, "%7[a-z]/%7s %7[^:]:%n", id, parent, figure, &n) != 3)
		sscanf(spec, "%7s %7[^:]:%n", id, figure, &n);
	cr_assert(n > 0, "%s", spec);
	buf_printf(out,
		"{'id':'%s','properties':{'$ai_trace_id':'t','$ai_model':'m','$ai_"
		"parent_id':'%s',",
		id, parent);
	if (*figure != '-')
		buf_printf(out,
			"'$ai_input_tokens':%s,'$ai_output_tokens':%s,"
			"'$ai_total_cost_usd':%s,'$ai_latency':%s,",
			figure, figure, figure, figure);
	buf_text(out, "'$ai_input':[");
	spec = put_words(out, spec + n, '>', v);
	buf_text(out, "],'$ai_output_choices':[");
	put_words(out, spec, '\0', v);
	buf_text(out, "]}}");
}

static struct buf trace(const char *const *steps, enum vendor v)
{
	struct buf text = BUF_INIT;

	for (size_t i = 0; steps[i]; i++) {
		buf_byte(&text, i ? ',' : '[');
		put_step(&text, steps[i], v);
	}
	buf_byte(&text, ']');
	return text;
}

static const struct {
	const char *steps[6];
	const char *want;
} tool_rows[] = {
	/* the history shows the first call again; its step is the one that said it */
	{{"a 1: ask > find#c1", "b 2: ask find#c1 ok#c1 > find#c2 read#c3",
		 "c 4: ask find#c1 ok#c1 find#c2 read#c3 ok#c2 ok#c3 > said"},
		"T find *2 2/0 3>3 $3 - ~- ^-\n"
		"T read *1 1/0 2>2 $2 - ~- ^-\n"},
	/* one step calls twice: it is one step */
	{{"a 5: ask > find#c1 find#c2"}, "T find *2 1/0 5>5 $5 - ~- ^-\n"},
	/* each failed once, though two later steps show the first result */
	{{"a -: ask > grep#u1", "b -: ask grep#u1 bad#u1 > grep#u2",
		 "c -: ask grep#u1 bad#u1 grep#u2 bad#u2 bad#u9 > said"},
		"T grep *2 2/2 ->- $- - ~- ^-\n"},
	/* a call whose own step is not in the trace counts, and is no step's */
	{{"a 1: ask grep#u1 bad#u1 > said"}, "T grep *1 0/1 ->- $- - ~- ^-\n"},
	/* ... unless that step comes later */
	{{"a 1: ask grep#u1 > said", "b 2: ask > grep#u1"},
		"T grep *1 1/0 2>2 $2 - ~- ^-\n"},
	/* without an id it is another call when it is said again, not where the input
	 * shows it */
	{{"a -: ask > grep#", "b -: ask grep# bad# > read#u1",
		 "c -: ask grep# bad# read#u1 > grep#", "d -: ask > grep#"},
		"T grep *3 3/1 ->- $- - ~- ^-\n"
		"T read *1 1/0 ->- $- - ~- ^-\n"},
	/* an output that begins with the whole input says what comes behind it */
	{{"a 1: ask > ask grep#", "b 2: ask grep# bad# > ask grep# bad# grep#"},
		"T grep *2 2/1 3>3 $3 - ~- ^-\n"},
	/* the name says whose result it is */
	{{"a -: ask > grep# read#", "b -: ask bad=grep > said",
		 "c -: ask bad=grep > said"},
		"T grep *1 1/1 ->- $- - ~- ^-\n"
		"T read *1 1/0 ->- $- - ~- ^-\n"},
	/* some count their calls anew in every answer */
	{{"a -: ask > grep#n", "b -: ask grep#n > read#n",
		 "c -: ask grep#n read#n bad#n > said"},
		"T grep *1 1/0 ->- $- - ~- ^-\n"
		"T read *1 1/1 ->- $- - ~- ^-\n"},
	/* a span whose output is that of the generation in it: the call is the
	 * generation's */
	{{"a 9: ask > find#c1", "b/a -: ask > find#c1", "c/b 1: ask > find#c1",
		 "d/a 2: ask > said"},
		"T find *1 1/0 1>1 $1 - ~- ^-\n"},
	{{"a 9: ask > find#", "b/a -: ask > find#", "c/b 1: ask > find#",
		 "d/a 2: ask > said"},
		"T find *1 1/0 1>1 $1 - ~- ^-\n"},
	/* a step beside it that has it too is not below it */
	{{"a 9: ask > said", "b/a 1: ask > find#c1", "c/a 2: ask > find#c1"},
		"T find *1 1/0 1>1 $1 - ~- ^-\n"},
};

Test(survey, tools)
{
	for (size_t i = 0; i < COUNT(tool_rows); i++)
		for (enum vendor v = 0; v < VENDORS; v++) {
			struct buf text = trace(tool_rows[i].steps, v);

			expect_groups(text.data, "T", tool_rows[i].want);
			buf_done(&text);
		}
}

/* The same id in another chain is another call. */
Test(survey, ids_of_two_chains)
{
	struct buf call = BUF_INIT, text = BUF_INIT;

	put_call(&call, "find", "c1", OPENAI);
	buf_printf(&text,
		"[{'id':'1','trace_id':'a','assistant_response':[%s]},"
		"{'id':'2','trace_id':'b','assistant_response':[%s]}]",
		call.data, call.data);
	expect_groups(text.data, "T", "T find *2 2/0 ->- $- - ~- ^-\n");
	buf_done(&call);
	buf_done(&text);
}

/* A bare conversation says its calls once, on both sides. */
Test(survey, bare_conversation)
{
	struct buf text = BUF_INIT;

	buf_text(&text, "{'messages':[");
	put_words(&text, "ask grep# bad# read#u1", '\0', ANTHROPIC);
	buf_text(&text, "]}");
	expect_groups(text.data, "T",
		"T grep *1 1/1 ->- $- - ~- ^-\n"
		"T read *1 1/0 ->- $- - ~- ^-\n");
	buf_done(&text);
}

Test(survey, names_with_escapes)
{
	expect_groups("[{'id':'1','user_prompt':'x','assistant_response':["
		      "{'role':'assistant','content':[{'type':'tool_use','input':{},"
		      "'id':'\\u0061','name':'gr\\u0065p'},{'type':'tool_use',"
		      "'input':{},'id':'a','name':'grep'}]}]}]",
		"T", "T grep *1 1/0 ->- $- - ~- ^-\n");
}

/* ---- payloads ---- */

static void put_payloads(struct buf *out, const struct survey *s)
{
	for (size_t i = 0; i < s->payload_count; i++) {
		const struct survey_payload *p = &s->payloads[i];

		buf_printf(out, "%zu:%zu %s", p->chain, p->step,
			p->input ? "input" : "output");
		if (p->message != SIZE_MAX)
			buf_printf(out, "[%zu]", p->message);
		buf_printf(out, " %.*s\n", (int)p->type.n, p->type.p);
	}
}

static void expect_payloads(const char *text, const char *want)
{
	struct registry *r = registry_new();
	struct loaded x = load_quoted(text);
	struct survey *s = survey_text(&x, r);
	struct buf got = BUF_INIT;

	put_payloads(&got, s);
	expect_text(&got, want, text);
	for (size_t i = 0; i < s->payload_count; i++)
		cr_expect_gt(s->payloads[i].summary.n, 0);
	buf_done(&got);
	survey_free(s);
	unload(&x);
	registry_free(r);
}

#define PAYLOAD "{'type':'cards','data':{'n':1}}"
#define STEP(trace, result)                                                              \
	"{'id':'1','trace_id':'" trace "','assistant_response':'x','user_prompt':["      \
	"{'role':'tool','tool_call_id':'1','content':" result "}]}"

/* What a tool gave: a payload as an object, as JSON in a string, in text items, in items
 * that are objects; or none. */
static const struct {
	const char *content, *want;
} results[] = {
	{"{'text':'x','payload':" PAYLOAD "}", "0:0 input[0] cards\n"},
	{"'{\\'payload\\':{\\'type\\':\\'rows\\',\\'data\\':[]}}'",
		"0:0 input[0] rows\n"},
	{"[{'type':'text','text':'{\\'payload\\':{\\'type\\':\\'a\\',\\'data\\':1}}'},"
	 "{'payload':" PAYLOAD "}]",
		"0:0 input[0] a\n0:0 input[0] cards\n"},
	{"'{\\'payload\\': 5}'", ""},
	{"{'payload':{'type':7,'data':1}}", ""},
	{"{'payload':{'type':'cards'}}", ""},
	{"'payload'", ""},
	{"null", ""},
};

Test(survey, tool_payloads)
{
	for (size_t i = 0; i < COUNT(results); i++) {
		struct buf text = BUF_INIT;

		buf_printf(&text, "[" STEP("a", "%s") "]", results[i].content);
		expect_payloads(text.data, results[i].want);
		buf_done(&text);
	}
}

/* Where it first stands; spaces do not make it another, figures do, and so do chains. */
Test(survey, payloads_repeated)
{
	static const char *const steps[] = {
		"[" STEP("t", "{'payload':" PAYLOAD "}"),
		STEP("t", "{'payload': {'type': 'cards', 'data': {'n': 1}}}"),
		STEP("t", "{'payload': {'type': 'cards', 'data': {'n': 2}}}"),
		STEP("u", "{'payload':" PAYLOAD "}") "]",
	};
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < COUNT(steps); i++)
		buf_printf(&text, "%s%s", i ? "," : "", steps[i]);
	expect_payloads(text.data, "0:0 input[0] cards\n"
				   "0:2 input[0] cards\n"
				   "1:0 input[0] cards\n");
	buf_done(&text);
}

/* The first of a type counts, of assistants alone. */
Test(survey, marked_in_messages)
{
	expect_payloads(
		"[{'role':'user','content':'DATA_PROPOSAL: {\\'operations\\':1}'},"
		"{'role':'assistant','content':[{'type':'text','text':"
		"'SCHEMA_PROP'},{'type':'text','text':'OSAL: {\\'mode\\':1}'}]},"
		"{'role':'assistant','content':'SCHEMA_PROPOSAL: {\\'mode\\':2} "
		"SCHEMA_PROPOSAL: {\\'mode\\':3}'}]",
		"0:0 input[1] schema_proposal\n"
		"0:0 input[2] schema_proposal\n");
}

Test(survey, marked_in_a_text)
{
	expect_payloads("{'id':'b','user_prompt':'x','assistant_response':"
			"'**DATA_PROPOSAL:** {\\'operations\\':[]}'}",
		"0:0 output data_proposal\n");
}

/* A response of the chat system: its payload, and the same marked in its text. */
Test(survey, response_payload)
{
	expect_payloads("{'message':'Here. DATA_PROPOSAL: {\\'operations\\':[]}',"
			"'custom_payload':{'type':'data_proposal','data':"
			"{'operations': []}},'conversation_id':1}",
		"0:0 output[0] data_proposal\n");
	expect_payloads("{'message':'Here.','custom_payload':{'type':'cards','data':1}}",
		"0:0 output cards\n");
}

/* ---- slices and several files ---- */

static const char *const two_steps[] = {
	"a 1: ask > grep#u1", "b 2: ask grep#u1 bad#u1 > read#u2", NULL};
static const char *const two_more[] = {"a 4: ask > read#u1", "b 8: ask > read#u2", NULL};

static struct loaded load_trace(const char *const *steps)
{
	struct buf text = trace(steps, ANTHROPIC);
	struct loaded x = load_quoted(text.data);

	buf_done(&text);
	return x;
}

Test(survey, slices)
{
	struct registry *r = registry_new();
	struct loaded x = load_trace(two_steps);
	struct survey *all = survey_text(&x, r), *s = survey_new(x.trace, r);
	struct buf want = BUF_INIT, got = BUF_INIT;
	size_t slices = 0, done = 0;

	while (survey_run(s, 0) == TASK_MORE) { /* a piece a time */
		cr_expect_neq(s->phase, PHASE_DONE);
		cr_expect_geq(survey_done_steps(s), done);
		done = survey_done_steps(s);
		slices++;
	}
	cr_expect_geq(slices, 5);
	cr_expect_eq(survey_done_steps(s), 2);
	put_groups(&want, all, "CMT");
	put_groups(&got, s, "CMT");
	expect_text(&got, want.data, "in slices");
	buf_done(&want);
	buf_done(&got);
	survey_free(all);
	survey_free(s);
	unload(&x);
	registry_free(r);
}

Test(survey, several_files)
{
	struct registry *r = registry_new();
	struct loaded x = load_trace(two_steps), y = load_trace(two_more);
	struct survey *s = survey_text(&x, r);
	struct buf got = BUF_INIT;

	unload(&x); /* it owns what it shows */
	survey_add(s, y.trace);
	cr_assert_eq(survey_run(s, UINT64_MAX), TASK_DONE);
	unload(&y);
	survey_finish(s);
	put_groups(&got, s, "CMT");
	expect_text(&got,
		"C t 2/1 3>3 $3 3 ~1.5 ^2\n"
		"M m 4/1 15>15 $15 15 ~3 ^8\n"
		"T grep *1 1/1 1>1 $1 - ~- ^-\n"
		"T read *3 3/0 14>14 $14 - ~- ^-\n"
		"C t 2/0 12>12 $12 12 ~6 ^8\n",
		"two files");
	cr_expect_eq(s->totals.steps, 4);
	cr_expect_eq(s->totals.latency, 15);
	cr_expect_eq(s->latency_median, 3);
	cr_expect_eq(s->latency_p95, 8);
	buf_done(&got);
	survey_free(s);
	registry_free(r);
}

/* ---- steps with names ---- */

static void put_steps(struct buf *out, const char *what, const struct notable_steps *list)
{
	buf_text(out, what);
	for (size_t i = 0; i < list->count; i++) {
		const struct notable_step *s = &list->items[i];

		buf_printf(out, " %zu/%zu", s->chain, s->step);
		put_number(out, "=", s->value);
		buf_printf(out, " %.*s", (int)s->name.n, s->name.p);
		if (s->message.n)
			buf_printf(out, " (%.*s)", (int)s->message.n, s->message.p);
	}
	buf_byte(out, '\n');
}

static void put_notable(struct buf *out, const struct survey *s)
{
	put_steps(out, "failed", &s->notable.errors);
	put_steps(out, "slowest", &s->notable.slowest);
	put_steps(out, "costliest", &s->notable.costliest);
	put_number(out, "cached ", s->totals.cache_read);
	buf_byte(out, '\n');
}

#define NAMED(name, rest)                                                                \
	"{'id':'" name "','properties':{'$ai_span_name':'" name "'," rest "}}"

/* Outer spans are as long as what is in them: they are not named, but where they name a
 * model; who says what a cache gave speaks for those below. */
Test(survey, notable)
{
	struct registry *r = registry_new();
	struct loaded x = load_quoted("[" NAMED("root",
		"'$ai_latency':99,"
		"'$ai_cache_read_input_tokens':5") "," NAMED("turn",
		"'$ai_parent_id':'root','$ai_model':'m','$ai_latency':7,"
		"'$ai_cache_read_input_tokens':3") "," NAMED("tool",
		"'$ai_parent_id':'turn','$ai_latency':'3s',"
		"'$ai_total_cost_usd':2,'$ai_is_error':true,"
		"'$ai_http_status':503,'$ai_error':{'message':'busy'}") "," NAMED("alone",
		"'$ai_latency':5,'$ai_cache_read_input_tokens':'2',"
		"'$ai_is_error':true") "]");
	struct survey *s = survey_text(&x, r);
	struct buf got = BUF_INIT;

	put_notable(&got, s);
	expect_text(&got,
		"failed 0/2=- tool (503 busy) 0/3=- alone\n"
		"slowest 0/1=7 turn 0/3=5 alone 0/2=3 tool\n"
		"costliest 0/2=2 tool\n"
		"cached 10\n",
		"one file");
	cr_expect_eq(s->notable.error_count, 2);
	buf_done(&got);
	survey_free(s);
	unload(&x);
	registry_free(r);
}

/* The most of all files, each with its own chains; the survey owns the names. */
Test(survey, notable_of_several_files)
{
	struct registry *r = registry_new();
	struct loaded x = load_quoted("[" NAMED("a", "'$ai_latency':1") "," NAMED(
		"b", "'$ai_latency':9") "," NAMED("c", "'$ai_latency':4") "]");
	struct loaded y =
		load_quoted("[" NAMED("d", "'$ai_latency':6,'$ai_error':'no'") "," NAMED(
			"e", "'$ai_latency':9") "," NAMED("f", "'$ai_latency':2") "]");
	struct survey *s = survey_text(&x, r);
	struct buf got = BUF_INIT;

	unload(&x);
	survey_add(s, y.trace);
	cr_assert_eq(survey_run(s, UINT64_MAX), TASK_DONE);
	unload(&y);
	survey_finish(s);
	put_notable(&got, s);
	expect_text(&got,
		"failed 1/0=- d (no)\n"
		"slowest 0/1=9 b 1/1=9 e 1/0=6 d 0/2=4 c 1/2=2 f\n"
		"costliest\n"
		"cached -\n",
		"two files");
	buf_done(&got);
	survey_free(s);
	registry_free(r);
}

/* ---- the overview ---- */

static const struct scale no_scale;
static const struct overview_options plain = {&no_scale, NO_CHAIN, 0};

static void put_doc(struct buf *out, struct doc *d)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct lines *ls = doc_layout(d, i);

		for (size_t j = 0; j < ls->count; j++) {
			lines_plain(ls, j, out);
			while (out->len && out->data[out->len - 1] == ' ')
				out->len--;
			buf_byte(out, '\n');
		}
	}
}

static bool has_line(const struct buf *text, const char *line)
{
	struct buf framed = BUF_INIT;
	bool has;

	buf_printf(&framed, "\n%s", line);
	has = memmem(text->data, text->len, framed.data, framed.len) != NULL;
	buf_done(&framed);
	return has;
}

Test(overview, says_how_far_it_is)
{
	struct registry *r = registry_new();
	struct loaded x = load_trace(two_steps);
	struct survey *s = survey_new(x.trace, r);
	struct doc d = {0};
	struct buf got = BUF_INIT;

	doc_width(&d, 80);
	while (survey_done_steps(s) < 1)
		survey_run(s, 0);
	overview_build(&d, s, x.trace, &plain);
	put_doc(&got, &d);
	cr_expect(has_line(&got, "reading step 1 of 2\n"), "%s", got.data);
	cr_expect(has_line(&got, "m "), "%s", got.data);
	survey_run(s, UINT64_MAX);
	overview_build(&d, s, x.trace, &plain);
	buf_clear(&got);
	put_doc(&got, &d);
	cr_expect(!has_line(&got, "reading step"), "%s", got.data);
	cr_expect(has_line(&got, "grep "), "%s", got.data);
	buf_done(&got);
	doc_done(&d);
	survey_free(s);
	unload(&x);
	registry_free(r);
}

/* A chain, a model, two tools, a failed step: each row leads to a step, each title folds, nothing else
 * does either. */
Test(overview, rows_lead_to_steps)
{
	static const uint64_t want[] = {
		OVERVIEW_SECTION, 0, OVERVIEW_SECTION + 1, 0, OVERVIEW_SECTION + 2, 0, 1,
		OVERVIEW_SECTION + 3, 0};
	struct registry *r = registry_new();
	struct loaded x = load_trace(two_steps);
	struct survey *s = survey_text(&x, r);
	struct doc d = {0};
	size_t rows = 0;

	doc_width(&d, 80);
	overview_build(&d, s, x.trace, &plain);
	for (size_t i = 0; i < d.count; i++) {
		if (d.blocks[i].index == UINT64_MAX)
			continue;
		cr_assert_lt(rows, COUNT(want));
		cr_expect_eq(d.blocks[i].index, want[rows], "row %zu", rows);
		rows++;
	}
	cr_expect_eq(rows, COUNT(want));
	doc_done(&d);
	survey_free(s);
	unload(&x);
	registry_free(r);
}

/* Folded, a section is one row that says how many it holds. */
Test(overview, sections_fold)
{
	struct overview_options options = {&no_scale, NO_CHAIN, 1u << 2};
	struct registry *r = registry_new();
	struct loaded x = load_trace(two_steps);
	struct survey *s = survey_text(&x, r);
	struct doc d = {0};
	struct buf got = BUF_INIT;

	doc_width(&d, 80);
	overview_build(&d, s, x.trace, &options);
	put_doc(&got, &d);
	cr_expect(!has_line(&got, "read "), "%s", got.data);
	cr_expect(memmem(got.data, got.len, "tools  2\n", 9) != NULL, "%s", got.data);
	cr_expect_eq(d.blocks[d.count - 1].index, 0); /* the step that failed: it made the call */
	buf_done(&got);
	doc_done(&d);
	survey_free(s);
	unload(&x);
	registry_free(r);
}

/* A trace of many traces: the screen shows some, and says what it leaves out. */
Test(overview, many_rows)
{
	struct registry *r = registry_new();
	struct buf text = BUF_INIT, got = BUF_INIT;
	struct loaded x;
	struct survey *s;
	struct doc d = {0};

	for (size_t i = 0; i < OVERVIEW_MOST + 12; i++)
		buf_printf(&text, "%c{'id':'%zu','trace_id':'t%zu','user_prompt':'x'}",
			i ? ',' : '[', i, i);
	buf_byte(&text, ']');
	x = load_quoted(text.data);
	s = survey_text(&x, r);
	overview_build(&d, s, x.trace, &plain);
	cr_expect_lt(d.count, OVERVIEW_MOST + 10);
	put_doc(&got, &d);
	cr_expect(has_line(&got, "12 more; `catena stats` lists them all\n"));
	buf_done(&got);
	buf_done(&text);
	doc_done(&d);
	survey_free(s);
	unload(&x);
	registry_free(r);
}
