/*
 * The filter language: what it says of a trace whose steps are known, where it finds
 * fault, and that hostile texts end; its judgement in slices, of a model that grows and
 * is arranged anew, against a plain reading of all steps one by one.
 */
#include <criterion/criterion.h>

#include <inttypes.h>
#include <math.h>

#include "base/mem.h"
#include "import/load.h"
#include "query/filter.h"
#include "trace/trace.h"

#include "chance.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* ---- a small trace ---- */

static const char sample[] =
	"{\"event\":\"$ai_span\",\"properties\":{\"$ai_trace_id\":\"run-7\",\"$ai_span_"
	"id\":\"s1\","
	"\"$ai_span_name\":\"Agent\"}}\n"
	"{\"event\":\"$ai_generation\",\"properties\":{\"$ai_trace_id\":\"run-7\",\"$ai_"
	"span_id\":\"g1\","
	"\"$ai_parent_id\":\"s1\",\"$ai_span_name\":\"Plan\",\"$ai_model\":\"gpt-4o\","
	"\"$ai_provider\":\"openai\",\"$ai_input_tokens\":1200,\"$ai_output_tokens\":30,"
	"\"$ai_total_cost_usd\":0.02,\"$ai_latency\":2.5,"
	"\"$ai_tools\":[{\"type\":\"function\",\"function\":{\"name\":\"fetch_page\"}}],"
	"\"$ai_input\":[{\"role\":\"system\",\"content\":\"Be brief\"},"
	"{\"role\":\"user\",\"content\":\"Find the needle\"}],"
	"\"$ai_output_choices\":[{\"role\":\"assistant\",\"content\":\"Looking\",\"tool_"
	"calls\":"
	"[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"web_search\","
	"\"arguments\":\"{\\\"q\\\":\\\"caf\\\\u00e9\\\"}\"}}]}]}}\n"
	"{\"event\":\"$ai_generation\",\"properties\":{\"$ai_trace_id\":\"run-7\",\"$ai_"
	"span_id\":\"g2\","
	"\"$ai_parent_id\":\"s1\",\"$ai_span_name\":\"Retry "
	"plan\",\"$ai_model\":\"claude-3\","
	"\"$ai_input_tokens\":90,\"$ai_output_tokens\":10,\"$ai_total_cost_usd\":0.5,"
	"\"$ai_latency\":0.85,\"$ai_is_error\":true,"
	"\"$ai_input\":[{\"role\":\"user\",\"content\":\"Again, Foo\"}],"
	"\"$ai_output_choices\":[{\"role\":\"assistant\",\"content\":\"needle and "
	"foo\"}]}}\n"
	"{\"event\":\"$ai_generation\",\"properties\":{\"$ai_trace_id\":\"run-7\",\"$ai_"
	"span_id\":\"g3\","
	"\"$ai_parent_id\":\"gone\",\"$ai_span_name\":\"or\",\"$ai_model\":\"gpt-4o\","
	"\"$ai_latency\":90,\"$ai_input\":\"main() a/b\"}}\n";

static struct trace *load_text(struct str text)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct trace *trace = trace_of_source(source_open_text("trace.jsonl", text));
	struct load *l = load_begin(trace, NULL);

	cr_assert_eq(load_all(l, &err), TASK_DONE, "%s", err.text);
	load_free(l);
	return trace;
}

static struct filter *filter_of(const char *text)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct filter *f = filter_new(&filter_steps, str_of(text), &err);

	cr_assert(f, "%s: %s", text, err.text);
	return f;
}

/* The numbers in file order of the steps that pass, from 1: "134". */
static void passing(struct trace *trace, const char *text, char *out)
{
	struct filter *f = filter_of(text);
	struct filter_run *j = filter_run_new(trace, f);
	size_t n = 0;

	filter_run_go(j, UINT64_MAX, true);
	for (uint32_t i = 0; i < trace->count; i++)
		if (filter_run_passes(j, i))
			out[n++] = (char)('1' + i);
	out[n] = 0;
	cr_expect_eq(filter_run_state(j).passed, n, "%s: %zu", text,
		filter_run_state(j).passed);
	cr_expect_eq(filter_run_state(j).steps, trace->count);
	cr_expect_eq(filter_run_state(j).percent, 100, "%s: %u", text,
		filter_run_state(j).percent);
	filter_run_free(j);
	filter_free(f);
}

Test(filter, terms)
{
	static const struct {
		const char *text, *steps;
	} rows[] = {
		/* texts */
		{"model:gpt", "24"},
		{"model:GPT", ""},
		{"model=gpt-4o", "24"},
		{"model=gpt", ""},
		{"model!=gpt-4o", "13"},
		{"model:/^gpt-\\d/", "24"},
		{"model:\"\"", "1"},
		{"model=\"\"", "1"},
		{"name:plan", "23"},
		{"name:Plan", "2"},
		{"name:/plan$/", "23"},
		{"event:span", "1"},
		{"kind:generation", "234"},
		{"id:g", "234"},
		{"id=g2", "3"},
		{"trace:run", "1234"},
		{"trace=run-7", "1234"},
		{"chain:run-7", "1234"},
		{"provider:openai", "2"},
		{"provider=\"\"", "134"},
		{"tool:search", "2"},
		{"tool:web_search", "2"},
		{"tool=search", ""},
		{"tool=web_search", "2"},
		{"tool:fetch", ""},
		{"tool=\"\"", "134"},
		{"offered:fetch", "2"},
		{"offered:search", ""},
		{"role:system", "2"},
		{"role:user", "234"},
		{"role=assistant", "23"},
		{"text:needle", "23"},
		{"text:Needle", ""},
		{"text:/need\\w+/", "23"},
		{"text:caf\xC3\xA9", "2"},
		{"input:needle", "2"},
		{"in.text:needle", "2"},
		{"output:needle", "3"},
		{"output:/^needle/", "3"},
		{"input:Foo", "3"},
		{"output:Foo", ""},
		{"input:\"\"", "1"},
		{"output:\"\"", "14"},
		/* bare */
		{"needle", "23"},
		{"\"needle and\"", "3"},
		{"\"a \\\"b\"", ""},
		{"/need|main/", "234"},
		{"/a\\/b/", "4"},
		{"main()", "4"},
		{"(main())", "4"},
		/* figures: of step 1 those of its children */
		{"cost>0.02", "13"},
		{"cost>=0.02", "123"},
		{"cost=0.02", "2"},
		{"cost!=0.02", "13"},
		{"cost<$0.1", "2"},
		{"cost:0.01..0.5", "23"},
		{"cost:..0.02", "2"},
		{"cost=0.5..", "13"},
		{"cost>-1", "123"},
		{"-cost>-1", "4"},
		{"cost>1e-1", "13"},
		{"tokens>1k", "12"},
		{"tokens=1.23k", "2"},
		{"in<=90", "3"},
		{"out>10", "12"},
		{"latency:850ms", "3"},
		{"time>2.4s", "124"},
		{"latency>1m", "4"},
		{"latency=1m30s", "4"},
		{"latency<.9", "3"},
		{"bytes>1KB", ""},
		{"size<1MB", "1234"},
		{"number:2..3", "23"},
		{"step=1", "1"},
		{"depth=0", "14"},
		{"depth>=1", "23"},
		/* flags */
		{"error", "3"},
		{"failed", "3"},
		{"broken", ""},
		{"-broken", "1234"},
		{"mended", ""},
		{"open", ""},
		{"orphan", "4"},
		{"error -broken", "3"}, /* known at once, and once its text is checked */
		{"orphan not mended", "4"},
		{"-error -open", "124"},
		/* together */
		{"model:gpt needle", "2"},
		{"model:gpt and needle", "2"},
		{"error or orphan", "34"},
		{"error|orphan", "34"},
		{"error or model:gpt needle", "23"},
		{"(error or model:gpt) needle", "23"},
		{"(error or orphan) needle", "3"},
		{"-error", "124"},
		{"not error", "124"},
		{"!error", "124"},
		{"not not error", "3"},
		{"---error", "124"},
		{"-(error or orphan)", "12"},
		{"-model!=gpt-4o", "24"},
		{"needle -name:retry", "2"},
		{"-tool:search needle", "3"},
		{"cost>0.1 or text:main", "134"},
		{"name:\"retry plan\"", "3"},
		{"\"or\" text:or", "34"},
		{"name=or", "4"},
		{"model:gpt-4 cost>0.01 latency>=2 tool:search role:user text:\"needle\" "
		 "-name:retry",
			"2"},
	};
	struct trace *trace = load_text(STR(sample));
	char steps[8];

	cr_assert_eq(trace->count, 4);
	for (size_t i = 0; i < COUNT(rows); i++) {
		passing(trace, rows[i].text, steps);
		cr_expect_str_eq(steps, rows[i].steps, "%s: %s, not %s", rows[i].text,
			steps, rows[i].steps);
	}
	trace_free(trace);
}

Test(filter, faults)
{
	static const struct {
		const char *text;
		uint64_t offset;
		const char *says;
	} rows[] = {
		{"", 0, "expected a term"},
		{"  ", 2, "expected a term"},
		{"costt>1", 0, "no field \"costt\": cost?"},
		{"a modle:x", 2, "no field \"modle\": model?"},
		{"zzz:1", 0, "no field \"zzz\": name, model,"},
		{"cost>", 5, "US dollars"},
		{"cost>abc", 5, "US dollars"},
		{"cost>2s", 5, "US dollars"},
		{"latency>2k", 8, "a time"},
		{"bytes>2s", 6, "bytes"},
		{"tokens>$2", 7, "a number"},
		{"tokens>1.2.3", 7, "a number"},
		{"cost:5..1", 5, "ends before it begins"},
		{"cost:..", 5, "US dollars"},
		{"cost>1..2", 5, "US dollars"},
		{"model>gpt", 5, "expected : = or !="},
		{"model:", 6, "expected a text"},
		{"x model: y", 8, "expected a text"},
		{"error:x", 5, "stands alone"},
		{"text:\"foo", 5, "expected \" to close"},
		{"\"foo\"bar", 5, "expected a blank"},
		{"/foo", 0, "expected / to close"},
		{"/usr/lib", 5, "expected a blank"},
		{"name:/(/", 7, "parenthes"},
		{"a \\/ name:/a\\/(/", 15, "parenthes"},
		{"(a", 0, "expected )"},
		{"a ((b)", 2, "expected )"},
		{"a)", 1, "no parenthesis is open"},
		{"()", 1, "expected a term"},
		{"a or", 4, "expected a term"},
		{"or a", 0, "expected a term"},
		{"a | | b", 4, "expected a term"},
		{"a and and b", 6, "expected a term"},
		{"-", 1, "expected a term"},
		{"not", 3, "expected a term"},
		{"text:\"\"", 6, "expected a text"},
		{"a \xFF", 2, "not UTF-8"},
		{"text:\"a\\\"\xFF\"", 9, "not UTF-8"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = {.offset = ERR_NOWHERE};
		struct filter *f = filter_new(&filter_steps, str_of(rows[i].text), &err);

		cr_expect(!f && err.text, "%s: taken", rows[i].text);
		cr_expect(err.text && strstr(err.text, rows[i].says), "%s: %s",
			rows[i].text, err.text);
		cr_expect_eq(err.offset, rows[i].offset, "%s: at %" PRIu64, rows[i].text,
			err.offset);
		filter_free(f);
		err_done(&err);
	}
}

/* A megabyte of anything ends, and says where it went wrong. */
Test(filter, hostile)
{
	static const struct {
		const char *unit, *tail;
		bool good;
	} rows[] = {
		{"(", "", false}, {"-", "", false}, {"-", "x", true}, {"-(", "x", false},
		{"not ", "x", true}, {"x ", "", false}, /* more than 64 terms */
		{"()", "", false}, {")", "", false}, {"|", "", false}, {"\"", "", false},
		{"/", "", false}, {"\\", "", false}, {"a:", "", false},
		{"\x80", "", false}, {"cost>1", "", false},
		{"1", "", false}, /* longer than a search takes */
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = {.offset = ERR_NOWHERE};
		struct buf text = BUF_INIT;
		struct filter *f;

		while (text.len < 1u << 20)
			buf_text(&text, rows[i].unit);
		buf_text(&text, rows[i].tail);
		f = filter_new(&filter_steps, buf_view(&text), &err);
		cr_expect_eq(f != NULL, rows[i].good, "%s…: %s", rows[i].unit, err.text);
		cr_expect(f || err.offset <= text.len, "%s…", rows[i].unit);
		filter_free(f);
		err_done(&err);
		buf_done(&text);
	}
}

Test(filter, nested_parentheses)
{
	struct trace *trace = load_text(STR(sample));
	struct err err = {.offset = ERR_NOWHERE};
	struct buf text = BUF_INIT;
	struct filter *f;
	struct filter_run *j;

	for (int i = 0; i < 100001; i++)
		buf_text(&text, "-(");
	buf_text(&text, "error");
	buf_fill(&text, ')', 100001);
	f = filter_new(&filter_steps, buf_view(&text), &err);
	cr_assert(f, "%s", err.text);
	j = filter_run_new(trace, f);
	filter_run_go(j, UINT64_MAX, true);
	cr_expect_eq(filter_run_state(j).passed, 3);
	filter_run_free(j);
	filter_free(f);
	buf_done(&text);
	trace_free(trace);
}

Test(filter, nul_is_a_byte)
{
	static const char file[] =
		"{\"messages\":[{\"role\":\"user\",\"content\":\"a\\u0000b\"}]}";
	struct trace *trace = load_text(STR(file));
	struct err err = {.offset = ERR_NOWHERE};
	struct filter *f = filter_new(&filter_steps, STR("text:a\0b"), &err);
	struct filter_run *j;

	cr_assert(f, "%s", err.text);
	j = filter_run_new(trace, f);
	filter_run_go(j, UINT64_MAX, true);
	cr_expect_eq(filter_run_state(j).passed, 1);
	filter_run_free(j);
	filter_free(f);
	trace_free(trace);
}

/* ---- fields ---- */

Test(filter, table_of_fields)
{
	for (enum filter_id id = 0; id < FILTER_FIELDS; id++) {
		const struct filter_field *f = &filter_fields[id];

		cr_assert(f->name && f->about, "%d", (int)id);
		cr_expect_eq(filter_field_named(&filter_steps, str_of(f->name)), id, "%s",
			f->name);
		cr_expect(!f->also || filter_field_named(
					      &filter_steps, str_of(f->also)) == id,
			"%s", f->name);
	}
	cr_expect_eq(filter_field_named(&filter_steps, STR("nothing")), FILTER_FIELDS);
	cr_expect_eq(filter_field_like(&filter_steps, STR("latncy")), FILTER_LATENCY);
	cr_expect_eq(filter_field_like(&filter_steps, STR("color")), FILTER_FIELDS);
}

/* ---- slices, growth, a new arrangement ---- */

/* What a step of a random trace was made of. */
struct made {
	bool gpt, error, needle, user;
	double cost; /* NaN: none */
	size_t tokens;
};

static void write_made(struct buf *out, size_t i, const struct made *s)
{
	buf_printf(out,
		"{\"event\":\"$ai_generation\",\"properties\":{\"$ai_trace_id\":\"t\","
		"\"$ai_span_id\":\"%zu\",\"$ai_model\":\"%s\",\"$ai_input_tokens\":%zu,",
		i, s->gpt ? "gpt-4" : "claude", s->tokens);
	if (!isnan(s->cost))
		buf_printf(out, "\"$ai_total_cost_usd\":%.2f,", s->cost);
	if (s->error)
		buf_text(out, "\"$ai_is_error\":true,");
	buf_printf(out, "\"$ai_input\":[{\"role\":\"%s\",\"content\":\"%s%zu\"}]}}\n",
		s->user ? "user" : "system", s->needle ? "a n\\u0065edle " : "straw ",
		below(1000000));
}

static struct made make_step(void)
{
	size_t cost = below(5);

	return (struct made){below(2), below(3) == 0, below(4) == 0, below(2),
		cost ? (double)cost / 100 : NAN, below(20)};
}

/* One of eight terms, and what it says of a step. */
static bool holds(unsigned term, const struct made *s)
{
	switch (term) {
	case 0:
		return s->gpt;
	case 1:
		return s->error;
	case 2:
		return s->needle;
	case 3:
		return s->user;
	case 4:
		return s->cost > 0.02; /* false of NaN */
	case 5:
		return s->tokens >= 3 && s->tokens <= 12;
	case 6:
		return !isnan(s->cost) && s->cost != 0.01;
	default:
		return s->needle;
	}
}

static const char *const terms[8] = {"model:gpt", "error", "needle", "role=user",
	"cost>0.02", "in:3..12", "cost!=0.01", "input:needle"};

/* (a and -b) or c, in three writings, against the same in C. */
static void compare(struct trace *trace, const struct made *made, unsigned writing)
{
	unsigned a = (unsigned)below(8), b = (unsigned)below(8), c = (unsigned)below(8);
	struct buf text = BUF_INIT;
	struct filter *f;
	struct filter_run *j;

	if (writing == 0)
		buf_printf(&text, "%s -%s or %s", terms[a], terms[b], terms[c]);
	else if (writing == 1)
		buf_printf(&text, "(%s and not %s) | %s", terms[a], terms[b], terms[c]);
	else
		buf_printf(&text, "-(-(%s -%s) -%s)", terms[a], terms[b], terms[c]);
	f = filter_of(text.data);
	j = filter_run_new(trace, f);
	while (filter_run_go(j, 0, true) == TASK_MORE) /* the shortest slices there are */
		continue;
	for (uint32_t i = 0; i < trace->count; i++) {
		bool expected =
			(holds(a, &made[i]) && !holds(b, &made[i])) || holds(c, &made[i]);

		cr_assert_eq(
			filter_run_passes(j, i), expected, "%s: step %u", text.data, i);
	}
	filter_run_free(j);
	filter_free(f);
	buf_done(&text);
}

Test(filter, as_in_c)
{
	for (int round = 0; round < 20; round++) {
		size_t count = 1 + below(200);
		struct made *made = mem_array(count, sizeof(*made));
		struct buf text = BUF_INIT;
		struct trace *trace;

		for (size_t i = 0; i < count; i++) {
			made[i] = make_step();
			write_made(&text, i, &made[i]);
		}
		trace = load_text(buf_view(&text));
		cr_assert_eq(trace->count, count);
		for (unsigned i = 0; i < 12; i++)
			compare(trace, made, i % 3);
		trace_free(trace);
		buf_done(&text);
		mem_free(made);
	}
}

/* Steps are decided as they come; the last one not before it is settled. */
Test(filter, a_model_that_grows)
{
	struct buf text = BUF_INIT;
	struct made made[64];
	struct trace *trace;
	struct filter *f = filter_of("needle or cost>0.02");
	struct filter_run *j;
	size_t expected = 0;

	for (size_t i = 0; i < COUNT(made); i++) {
		made[i] = make_step();
		write_made(&text, i, &made[i]);
	}
	trace = trace_of_source(source_open_text("trace.jsonl", buf_view(&text)));
	j = filter_run_new(trace, f);
	for (size_t i = 0, at = 0; i < COUNT(made); i++) {
		const char *end = memchr(text.data + at, '\n', text.len - at);
		struct step *s = trace_add(trace, 0, at, (size_t)(end - text.data) - at);

		if (!i)
			trace_add_scope(trace, 0);
		s->cost = made[i].cost;
		trace_append(trace);
		at = (size_t)(end - text.data) + 1;
		while (filter_run_go(j, 0, false) == TASK_MORE)
			continue;
		cr_assert_eq(filter_run_state(j).steps, i);
		cr_assert_eq(filter_run_state(j).passed, expected, "%zu", i);
		expected += made[i].needle || made[i].cost > 0.02;
	}
	while (filter_run_go(j, 0, true) == TASK_MORE)
		continue;
	cr_expect_eq(filter_run_state(j).passed, expected);
	trace_truncate(trace, 10, 1);
	cr_expect(!filter_run_passes(j, 3), "indices mean other steps now");
	filter_run_go(j, UINT64_MAX, true);
	cr_expect_eq(filter_run_state(j).steps, 10);
	filter_run_free(j);
	filter_free(f);
	trace_free(trace);
	buf_done(&text);
}

/* What a parent shows is known when the sums are. */
Test(filter, sums_that_come_later)
{
	struct trace *trace = load_text(STR(sample));
	struct filter *f = filter_of("cost>0.51");
	struct filter_run *j = filter_run_new(trace, f);
	struct step child = trace_step(trace, 2);

	filter_run_go(j, UINT64_MAX, true);
	cr_expect_eq(filter_run_state(j).passed, 1, "the parent's sum");
	child.cost = 0.1;
	trace_put(trace, 2, &child);
	trace_totals_run(trace, UINT64_MAX);
	filter_run_go(j, UINT64_MAX, true);
	cr_expect_eq(filter_run_state(j).passed, 0);
	filter_run_free(j);
	filter_free(f);
	trace_free(trace);
}

/* An expression that runs long on many hostile names gives up, and says so. */
Test(filter, expressions_that_run_long)
{
	struct buf text = BUF_INIT;
	struct filter *f = filter_of("name:/^(a+)+$/ or name:Plan");
	struct filter_run *j;
	struct trace *trace;

	for (int i = 0; i < 50; i++) {
		buf_text(&text,
			"{\"event\":\"$ai_span\",\"properties\":{\"$ai_trace_id\":\"t\","
			"\"$ai_span_name\":\"");
		buf_fill(&text, 'a', 2000);
		buf_text(&text, "!\"}}\n");
	}
	buf_text(&text, "{\"event\":\"$ai_span\",\"properties\":{\"$ai_trace_id\":\"t\","
			"\"$ai_span_name\":\"Plan\"}}\n");
	trace = load_text(buf_view(&text));
	j = filter_run_new(trace, f);
	filter_run_go(j, UINT64_MAX, true);
	cr_expect_eq(filter_run_state(j).passed, 1);
	cr_expect_gt(filter_run_state(j).gave_up, 0);
	filter_run_free(j);
	filter_free(f);
	trace_free(trace);
	buf_done(&text);
}
