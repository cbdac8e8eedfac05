/*
 * Searching in a part of the steps: what the prefix means, what is counted, that the walk
 * through the documents comes to as many hits as are counted, and that all of them stand
 * where they shall.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <locale.h>

#include "base/work.h"
#include "import/load.h"
#include "query/search.h"
#include "text/safe.h"
#include "view/conversation.h"
#include "view/doc_hits.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static void utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
}

TestSuite(within, .init = utf8);

static bool is_all(void *whole, uint64_t from, uint64_t to)
{
	cr_expect_eq(from, 0);
	cr_expect_eq(to, *(const size_t *)whole);
	return true;
}

Test(within, prefix)
{
	static const struct {
		const char *typed, *pattern, *key;
		enum query_scope kind;
		bool ok;
	} rows[] = {
		{"timeout", "timeout", "", WITHIN_ANY, true},
		{"in:user timeout", "timeout", "", WITHIN_SPEAKER, true},
		{"in:call a b", "a b", "", WITHIN_PART, true},
		{"in:call  a", " a", "", WITHIN_PART, true},
		{"in:output x", "x", "", WITHIN_SIDE, true},
		{"in:name x", "x", "", WITHIN_NAME, true},
		{"in:error x", "x", "", WITHIN_ERROR, true},
		{"in:.users x", "x", "users", WITHIN_KEY, true},
		{"in:users x", "", "", WITHIN_ANY, false},
		{"in:all x", "x", "", WITHIN_ANY, true},
		{"in:all in:user x", "x", "", WITHIN_SPEAKER, true},
		{"in:.tool_call_id x", "x", "tool_call_id", WITHIN_KEY, true},
		{" in:user x", "in:user x", "", WITHIN_ANY, true},
		{"  in:user x", "  in:user x", "", WITHIN_ANY, true},
		{"inside", "inside", "", WITHIN_ANY, true},
		{"in:user", "", "", WITHIN_ANY, false},
		{"in:user ", "", "", WITHIN_ANY, false},
		{"in: x", "", "", WITHIN_ANY, false},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct str pattern = str_of(rows[i].pattern);
		struct err err = {.offset = ERR_NOWHERE};
		struct scoped_query s;

		cr_expect_eq(scoped_query_read(&s, str_of(rows[i].typed), 0, &err),
			rows[i].ok, "%s", rows[i].typed);
		cr_expect_eq(err.text != NULL, !rows[i].ok);
		if (rows[i].ok) {
			cr_expect_eq(query_each(s.query, pattern, is_all, &pattern.n),
				PATTERN_YES, "%s", rows[i].typed);
			cr_expect_eq(s.kind, rows[i].kind, "%s", rows[i].typed);
			cr_expect(str_equal(buf_view(&s.key), str_of(rows[i].key)));
		}
		scoped_query_done(&s);
		err_done(&err);
	}
}

/* "lamp" stands in each of these places, so often as the table below says. */
static const char sample[] =
	"{\"event\":\"$ai_generation\",\"properties\":{\"$ai_span_name\":\"lamp lamp\","
	"\"lamp\":{\"shade\":\"lamp\"},\"$ai_is_error\":true,\"$ai_error\":\"no lamp\","
	"\"$ai_input\":["
	"{\"role\":\"system\",\"content\":\"lamp lamp lamp\"},"
	"{\"role\":\"user\",\"content\":\"a lamp?\"},"
	"{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"lamp,"
	" lamp\"},"
	"{\"type\":\"text\",\"text\":\"Lamp lamp lamp lamp\"},"
	"{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"lamp_on\","
	"\"input\":{\"shade\":\"lamp\",\"x\":{\"lamp\":1}}}]},"
	"{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":"
	"\"c1\","
	"\"content\":\"lamp lamp lamp lamp lamp\"},{\"type\":\"text\",\"text\":\"thanks, "
	"lamp\"}]},"
	"{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c2\","
	"\"type\":"
	"\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"shade\\\":"
	"\\\"lamp\\\"}\"}}]},"
	"{\"role\":\"tool\",\"tool_call_id\":\"c2\",\"content\":\"{\\\"shade\\\":"
	"\\\"lamp\\\"}\"}],"
	"\"$ai_output_choices\":[{\"role\":\"assistant\",\"content\":\"lamp lamp\"}]}}\n"
	"{\"event\":\"$ai_generation\",\"properties\":{\"$ai_input\":\"a lamp\","
	"\"$ai_output_choices\":{\"lamp\":\"lamp\"}}}\n"
	"{\"event\":\"$ai_generation\",\"properties\":{\"$ai_input\":\"dark\"}}\n";

static const struct {
	const char *typed;
	uint64_t hits[3]; /* of each step */
	bool walks;       /* all of it is seen in the chat */
} rows[] = {
	{"in:system lamp", {3, 0, 0}, true},
	{"in:user lamp", {2, 1, 0}, true},
	{"in:assistant lamp", {2 + 4 + 3 + 1 + 2, 0, 0}, true},
	{"in:tool lamp", {5 + 1, 0, 0}, true},
	{"in:reasoning lamp", {2, 0, 0}, true},
	{"in:text lamp", {3 + 1 + 4 + 1 + 2, 1, 0}, true},
	{"in:call lamp", {3 + 1, 0, 0}, true},
	{"in:result lamp", {5 + 1, 0, 0}, true},
	{"in:input lamp", {3 + 1 + 2 + 4 + 3 + 5 + 1 + 1 + 1, 1, 0}, true},
	{"in:output lamp", {2, 2, 0}, true},
	{"in:error lamp", {1, 0, 0}, true},
	{"in:name lamp", {2, 0, 0}, false},
	{"in:.shade lamp", {4, 0, 0}, false},
	{"in:.lamp lamp", {2 + 1, 2, 0}, false},
	{"in:.nothing lamp", {0, 0, 0}, false},
	{"in:assistant Lamp", {1, 0, 0}, true}, /* upper case: it counts */
	{"in:user l.mp\\?", {1, 0, 0}, true},
	{"lamp", {28, 3, 0}, false},
	{"in:all lamp", {28, 3, 0}, false},
};

struct request {
	struct trace *trace;
	struct scoped_query scope;
};

static void ask(struct request *a, const char *typed)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct load *l;

	*a = (struct request){
		.trace = trace_of_source(source_open_text("test", str_of(sample)))};
	l = load_begin(a->trace, NULL);
	cr_assert_eq(load_all(l, &err), TASK_DONE);
	load_free(l);
	cr_assert_eq(a->trace->count, 3);
	cr_assert(scoped_query_read(&a->scope, str_of(typed), QUERY_REGEX, &err));
}

static void forget(struct request *a)
{
	scoped_query_done(&a->scope);
	trace_free(a->trace);
}

/* Counted by the search, in slices of any length. */
Test(within, counts)
{
	for (size_t i = 0; i < COUNT(rows); i++)
		for (uint64_t slice = 0; slice < 2; slice++) {
			struct search *s;
			struct request a;
			size_t steps = 0;

			ask(&a, rows[i].typed);
			s = search_new(a.trace, a.scope.query);
			search_accept(s, scoped_query_accept, &a.scope);
			while (search_run(s, clock_deadline(slice * 1000000), true) ==
				TASK_MORE)
				;
			for (uint32_t step = 0; step < 3; step++) {
				cr_expect_eq(search_hits(s, step), rows[i].hits[step],
					"%s in step %u: %d", rows[i].typed, step,
					(int)search_hits(s, step));
				steps += rows[i].hits[step] > 0;
			}
			cr_expect_eq(search_totals(s).steps, steps);
			search_free(s);
			forget(&a);
		}
}

/* From hit to hit through one side, there or back. */
static uint64_t walk(
	struct request *a, struct reading *r, uint32_t step, bool input, bool back)
{
	struct hit_walk s;
	struct doc d = {0};
	uint64_t hits = 0;

	doc_width(&d, 40);
	conversation_build(&d, a->trace, step, r, input, MODE_CHAT);
	hit_walk_init(&s, a->scope.query);
	s.scope = &a->scope;
	s.back = back;
	hit_walk_from_edge(&s, &d);
	while (hit_walk_run(&s, clock_deadline(1000000)) == TASK_DONE && hits < 100) {
		struct place at = {s.block, 0};

		cr_expect(scoped_query_shows(&a->scope, &d, s.block));
		hits++;
		hit_walk_from_place(&s, &d, at, s.hit);
	}
	hit_walk_done(&s);
	doc_done(&d);
	return hits;
}

Test(within, the_way_comes_to_what_is_counted)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct request a;

		if (!rows[i].walks)
			continue;
		ask(&a, rows[i].typed);
		for (uint32_t step = 0; step < 2; step++) {
			struct step_content *o = step_content_new(a.trace, step);
			struct reading *r = reading_new(o, NULL);

			for (int back = 0; back < 2; back++)
				cr_expect_eq(walk(&a, r, step, true, back) +
						     walk(&a, r, step, false, back),
					rows[i].hits[step],
					"%s in step %u, %s: %d and %d", rows[i].typed,
					step, back ? "back" : "on",
					(int)walk(&a, r, step, true, back),
					(int)walk(&a, r, step, false, back));
			reading_free(r);
			step_content_free(o);
		}
		forget(&a);
	}
}

/* ---- what is new ---- */

/* Two turns of a conversation: the second repeats the first.  The system message says
 * lamp twice, and so do the tools, the name of the session once. */
static const char turns[] =
	"{\"event\":\"$ai_generation\",\"timestamp\":\"2025-01-01T00:00:00Z\","
	"\"properties\":{\"$ai_trace_id\":\"t\",\"session\":\"lamp "
	"shop\",\"$ai_tools\":[{"
	"\"type\":\"function\",\"function\":{\"name\":\"lamp_on\",\"description\":\"a "
	"lamp\"}}],\"$ai_input\":[{\"role\":\"system\",\"content\":\"lamp, lamp\"},{"
	"\"role\":\"user\",\"content\":\"a lamp?\"}],\"$ai_output_choices\":[{\"role\":"
	"\"assistant\",\"content\":\"lamp lamp lamp\"}]}}\n"
	"{\"event\":\"$ai_generation\",\"timestamp\":\"2025-01-01T00:00:01Z\","
	"\"properties\":{\"$ai_trace_id\":\"t\",\"session\":\"lamp "
	"shop\",\"$ai_tools\":[{"
	"\"type\":\"function\",\"function\":{\"name\":\"lamp_on\",\"description\":\"a "
	"lamp\"}}],\"$ai_input\":[{\"role\":\"system\",\"content\":\"lamp, lamp\"},{"
	"\"role\":\"user\",\"content\":\"a lamp?\"},{\"role\":\"assistant\",\"content\":"
	"\"lamp lamp lamp\"},{\"role\":\"user\",\"content\":\"another lamp\"}],"
	"\"$ai_output_choices\":[{\"role\":\"assistant\",\"content\":\"no more "
	"lamp\"}]}}\n";

Test(within, what_is_new)
{
	static const struct {
		const char *typed;
		uint64_t hits[2];
	} news[] = {
		{"lamp", {1 + 2 + 2 + 1 + 3, 1 + 1}},
		{"in:all lamp", {1 + 2 + 2 + 1 + 3, 1 + 2 + 2 + 1 + 3 + 1 + 1}},
		{"in:user lamp", {1, 1}},
		{"in:all in:user lamp", {1, 2}},
		{"in:assistant lamp", {3, 1}},
		{"in:system lamp", {2, 0}},
		{"in:input lamp", {3, 1 + 3 - 3}},
	};

	for (size_t i = 0; i < COUNT(news); i++) {
		struct request a = {0};
		struct err err = {.offset = ERR_NOWHERE};
		struct load *l;

		a.trace = trace_of_source(source_open_text("test", str_of(turns)));
		l = load_begin(a.trace, NULL);
		cr_assert_eq(load_all(l, &err), TASK_DONE);
		cr_assert(scoped_query_read(
			&a.scope, str_of(news[i].typed), QUERY_REGEX, &err));
		for (uint32_t step = 0; step < 2; step++) {
			struct hit_count c;

			cr_assert(hit_count_try(&c, &a.scope, a.trace, step, NULL, 1));
			cr_expect_eq(c.hits, news[i].hits[step], "%s in step %u: %d",
				news[i].typed, step, (int)c.hits);
			hit_count_end(&c);
		}
		load_free(l);
		forget(&a);
	}
}
