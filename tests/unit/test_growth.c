/*
 * How work grows: each subject is done for an input of a size and for one of ten times
 * that size, and the counts of base/work.h are compared.  Ten times the input may cost
 * twelve times the work of any kind; where things are sorted, n log n, fourteen times.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/work.h"
#include "cmd/cmd.h"
#include "export/export.h"
#include "export/secrets.h"
#include "import/load.h"
#include "sessions/sessions.h"
#include "text/safe.h"
#include "ui/core/app.h"
#include "ui/script.h"
#include "view/scroll.h"

#define LINEAR 12
#define SORTED 14    /* 10 n log(10 n) for n of 2000 and more */
#define SMALL  20000 /* counts up to it are those of a screen, whatever is shown */

static const char *const kinds[] = {
#define KIND(name, text) text,
	WORK_KINDS(KIND)
#undef KIND
};

/*
 * In place of base/work: the time is how often somebody looked at it, so that slices,
 * and with them all counts, are the same in every run.
 */
static uint64_t looks;

uint64_t clock_us(void)
{
	return looks++;
}

uint64_t clock_deadline(uint64_t microseconds)
{
	return microseconds > UINT64_MAX - looks ? UINT64_MAX : looks + microseconds;
}

bool clock_passed(uint64_t deadline)
{
	return deadline != UINT64_MAX && clock_us() >= deadline;
}

/* ---- inputs ---- */

typedef void put_step(struct buf *out, size_t i, size_t n);

static void put_steps(struct buf *out, size_t n, put_step *put)
{
	buf_byte(out, '[');
	for (size_t i = 0; i < n; i++) {
		buf_printf(out,
			"%s{\"event\":\"$ai_span\",\"timestamp\":%zu,\"properties\":{"
			"\"$ai_latency\":%zu,\"$ai_model\":\"m%zu\",",
			i ? ",\n" : "", i * 7919 % n, i % 7, i % 3);
		put(out, i, n);
		buf_printf(out, "\"$ai_input\":\"question %zu\"}}", i);
	}
	buf_byte(out, ']');
}

static void put_one_chain(struct buf *out, size_t i, size_t n)
{
	(void)i;
	(void)n;
	buf_text(out, "\"$ai_trace_id\":\"t\",");
}

static void put_edit(struct buf *out, size_t i, size_t n)
{
	(void)n;
	buf_printf(out,
		"\"$ai_trace_id\":\"t\",\"$ai_output_choices\":[{\"role\":\"assistant\","
		"\"tool_calls\":[{\"id\":\"c%zu\",\"function\":{\"name\":\"edit\","
		"\"arguments\":{"
		"\"path\":\"/w/f%zu\",\"old_str\":\"was %zu\",\"new_str\":\"is\"}}}]}],",
		i, i / 5, i);
}

static void put_some_chains(struct buf *out, size_t i, size_t n)
{
	(void)n;
	buf_printf(out, "\"$ai_trace_id\":\"t%zu\",", i % 20);
}

static void put_many_chains(struct buf *out, size_t i, size_t n)
{
	(void)n;
	buf_printf(out, "\"$ai_trace_id\":\"t%zu\",", i / 4);
}

static void put_parent(struct buf *out, size_t i, size_t parent)
{
	buf_printf(out, "\"$ai_trace_id\":\"t\",\"$ai_span_id\":\"s%zu\",", i);
	if (i)
		buf_printf(out, "\"$ai_parent_id\":\"s%zu\",", parent);
}

static void put_tree(struct buf *out, size_t i, size_t n)
{
	(void)n;
	put_parent(out, i, i % 2 ? i - 1 : i / 2);
}

static void put_deep(struct buf *out, size_t i, size_t n)
{
	(void)n;
	put_parent(out, i, i - 1);
}

static void put_wide(struct buf *out, size_t i, size_t n)
{
	(void)n;
	put_parent(out, i, 0);
}

static void flat(struct buf *out, size_t n)
{
	put_steps(out, n, put_one_chain);
}

/* Every third line is damaged. */
static void damaged(struct buf *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(out,
			"{\"role\":\"user\",\"content\":\"%0400zu\",\"at\"%s%zu}\n", i,
			i % 3 ? ":" : " ", i);
}

static void edits(struct buf *out, size_t n)
{
	put_steps(out, n, put_edit);
}

static void some_chains(struct buf *out, size_t n)
{
	put_steps(out, n, put_some_chains);
}

static void many_chains(struct buf *out, size_t n)
{
	put_steps(out, n, put_many_chains);
}

static void tree(struct buf *out, size_t n)
{
	put_steps(out, n, put_tree);
}

static void deep(struct buf *out, size_t n)
{
	put_steps(out, n, put_deep);
}

static void wide(struct buf *out, size_t n)
{
	put_steps(out, n, put_wide);
}

static void conversation(struct buf *out, size_t n)
{
	buf_text(out, "{\"messages\":[");
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%s{\"role\":\"%s\",\"content\":\"message %zu\\nsays\"}",
			i ? ",\n" : "", i % 2 ? "assistant" : "user", i);
	buf_text(out, "]}");
}

/* A session log: each turn adds to the context of those after it. */
static void session(struct buf *out, size_t n)
{
	static const char line[] =
		"{\"type\":\"%s\",\"uuid\":\"%c%zu\",\"sessionId\":\"s\","
		"\"timestamp\":%zu,\"message\":{\"id\":\"m%zu\",\"role\":\"%s\","
		"\"content\":\"%s %zu of them\"}}\n";

	for (size_t i = 0; i < n; i++) {
		buf_printf(out, line, "user", 'u', i, 2 * i, i, "user", "question", i);
		buf_printf(out, line, "assistant", 'a', i, 2 * i + 1, i, "assistant",
			"answer", i);
	}
}

/* One step of a session log whose events say again what its items said. */
static void echoes(struct buf *out, size_t n)
{
	static const char line[] =
		"{\"timestamp\":\"2026-01-01T00:00:00Z\",\"type\":\"%s\","
		"\"payload\":{\"type\":\"%s\",%s\"%zu of the answers\"%s}}\n";

	buf_text(out, "{\"type\":\"session_meta\",\"payload\":{\"id\":\"s\"}}\n");
	for (size_t i = 0; i < n; i++) {
		buf_printf(out, line, "response_item", "message",
			"\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\","
			"\"text\":",
			i, "}]");
		buf_printf(
			out, line, "event_msg", "agent_message", "\"message\":", i, "");
	}
}

static void put_nested(struct buf *out, const char *open, const char *close, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_text(out, open);
	buf_byte(out, '1');
	for (size_t i = 0; i < n; i++)
		buf_text(out, close);
}

static void brackets(struct buf *out, size_t n)
{
	put_nested(out, "[", "]", n);
}

static void put_input(struct buf *out, const char *open, const char *close, size_t n)
{
	buf_text(out, "[{\"event\":\"$ai_span\",\"properties\":{\"$ai_input\":");
	put_nested(out, open, close, n);
	buf_text(out, "}}]");
}

static void input_of_brackets(struct buf *out, size_t n)
{
	put_input(out, "[", "]", n);
}

static void input_of_objects(struct buf *out, size_t n)
{
	put_input(out, "{\"a\":", "}", n);
}

/* A text of a model's that says the same n times. */
static void put_said(struct buf *out, const char *said, size_t n)
{
	buf_text(out, "[{\"event\":\"$ai_generation\",\"timestamp\":1,\"properties\":{"
		      "\"$ai_trace_id\":\"t\",\"$ai_output_choices\":[{\"role\":"
		      "\"assistant\",\"content\":\"");
	while (n--)
		buf_text(out, said);
	buf_text(out, "\"}]}}]");
}

/* One long line of code. */
static void code_line(struct buf *out, size_t n)
{
	buf_text(out, "[{\"event\":\"$ai_generation\",\"timestamp\":1,\"properties\":{"
		      "\"$ai_trace_id\":\"t\",\"$ai_output_choices\":[{\"role\":"
		      "\"assistant\",\"content\":\"```c\\n");
	while (n--)
		buf_text(out, "int 'a' /*b*/ 1 \\\\' ");
	buf_text(out, "\\n```\"}]}}]");
}

/* A call that changes n lines, one of them long. */
static void edit_call(struct buf *out, size_t n)
{
	buf_text(out, "[{\"event\":\"$ai_generation\",\"timestamp\":1,\"properties\":{"
		      "\"$ai_trace_id\":\"t\",\"$ai_output_choices\":[{\"role\":"
		      "\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"1\","
		      "\"name\":\"Edit\",\"input\":{\"file_path\":\"a.c\","
		      "\"old_string\":\"");
	for (size_t i = 0; i < n; i++)
		buf_text(out, "int a(void);\\n");
	for (size_t i = 0; i < n; i++)
		buf_text(out, "word 'a' ");
	buf_text(out, "\",\"new_string\":\"");
	for (size_t i = 0; i < n; i++)
		buf_text(out, "int b(void);\\n");
	for (size_t i = 0; i < n; i++)
		buf_text(out, "word \\\"b ");
	buf_text(out, "\"}}]}]}}]");
}

/* A command of the shell that writes one file n times. */
static void tee_lines(struct buf *out, size_t n)
{
	buf_text(out, "[{\"event\":\"$ai_generation\",\"timestamp\":1,\"properties\":{"
		      "\"$ai_trace_id\":\"t\",\"$ai_output_choices\":[{\"role\":"
		      "\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"1\","
		      "\"name\":\"bash\",\"input\":{\"command\":\"");
	while (n--)
		buf_text(out, "tee b\\n");
	buf_text(out, "\"}}]}]}}]");
}

static void backticks(struct buf *out, size_t n)
{
	put_said(out, "`a`b", n);
}

static void letters(struct buf *out, size_t n)
{
	put_said(out, "a ", n);
}

static void open_backticks(struct buf *out, size_t n)
{
	put_said(out, "` a`` a``` a", n);
}

static void link_openings(struct buf *out, size_t n)
{
	put_said(out, "[a](", n);
}

static void quote_marks(struct buf *out, size_t n)
{
	put_said(out, "> ", n);
}

static void quoted_lines(struct buf *out, size_t n)
{
	put_said(out, "> a\\n", n);
}

/* Each step is sent the last of what was said before. */
static void rows(struct buf *out, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buf_printf(out,
			"{\"event\":\"$ai_generation\",\"timestamp\":%zu,"
			"\"properties\":{\"$ai_trace_id\":\"t\",\"$ai_model\":\"m\","
			"\"$ai_input\":[",
			i);
		for (size_t k = i < 8 ? 0 : i - 8; k < i; k++)
			buf_printf(out,
				"{\"role\":\"user\",\"content\":\"question %zu\"},"
				"{\"role\":\"assistant\",\"content\":\"answer %zu\"},",
				k, k);
		buf_printf(out,
			"{\"role\":\"user\",\"content\":\"question %zu\"}],"
			"\"$ai_output_choices\":[{\"role\":\"assistant\","
			"\"content\":\"answer %zu\"}]}}\n",
			i, i);
	}
}

/* ---- counting ---- */

struct subject {
	const char *name;
	void (*make)(struct buf *out, size_t n);
	size_t n;
	const char *how; /* a script, or a format of exports */
	unsigned most;   /* times the work for ten times the size; 0: LINEAR */
};

static void write_input(const struct subject *s, size_t n, char *path)
{
	struct buf text = BUF_INIT;
	int fd = mkstemp(path);

	s->make(&text, n);
	cr_assert_eq(write(fd, text.data, text.len), (ssize_t)text.len);
	close(fd);
	buf_done(&text);
}

static void view(const struct subject *s, const char *path)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct registry *registry = registry_new();
	struct config *config = config_new();
	struct app_options wish = {.paths = &path,
		.count = 1,
		.no_state = true,
		.config = config,
		.registry = registry};

	wish.script = script_new("growth", str_of(s->how), &err);
	cr_assert(wish.script, "%s", err.text);
	registry_link(registry);
	cr_assert_eq(app_run(&wish), 0);
	cr_assert_eq(script_end(wish.script, &err), 0, "%s: %s", s->name, err.text);
	script_free(wish.script);
	config_free(config);
	registry_free(registry);
}

static void drop(void *ctx, struct str bytes)
{
	(void)ctx;
	(void)bytes;
}

static void export(const struct subject *s, const char *path)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct export_options wish = {
		.format = export_format_named(str_of(s->how)), .write = drop};
	struct inputs *inputs = inputs_new();
	struct trace *trace = trace_new(inputs);
	struct load *load;
	struct export *e;

	inputs_add(inputs, path);
	load = load_begin(trace, NULL);
	cr_assert_eq(load_all(load, &err), TASK_DONE);
	trace_arrange_run(trace, UINT64_MAX);
	trace_totals_run(trace, UINT64_MAX);
	e = export_begin(&wish);
	export_trace(e, trace, (struct export_part){EXPORT_ALL, EXPORT_ALL, NULL});
	while (export_run(e, UINT64_MAX) == TASK_MORE)
		;
	export_end(e);
	load_free(load);
	trace_free(trace);
}

/* A command on operands; what it prints is dropped. */
static void command(int (*run)(const struct options *o), const char **operands, size_t n)
{
	struct options wish = {
		.files = {.items = operands, .count = n}, .no_state = true};
	int out = dup(STDOUT_FILENO), none = open("/dev/null", O_WRONLY);

	cr_assert(out >= 0 && none >= 0);
	fflush(stdout);
	dup2(none, STDOUT_FILENO);
	cr_expect_neq(run(&wish), STATUS_ERROR);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	close(none);
}

/* `catena search`: how is the pattern. */
static void find(const struct subject *s, const char *path)
{
	const char *operands[] = {s->how, path};

	command(cmd_search, operands, 2);
}

/* `catena files` */
static void print_files(const struct subject *s, const char *path)
{
	(void)s;
	command(cmd_files, &path, 1);
}

/* `catena check` */
static void print_findings(const struct subject *s, const char *path)
{
	(void)s;
	command(cmd_check, &path, 1);
}

static void count(const struct subject *s, size_t n,
	void (*work)(const struct subject *s, const char *path),
	uint64_t counts[WORK_COUNT])
{
	char path[] = "/tmp/catena-growth.XXXXXX";
	uint64_t before[WORK_COUNT];

	write_input(s, n, path);
	memcpy(before, work_counts, sizeof(before));
	work(s, path);
	for (size_t i = 0; i < WORK_COUNT; i++)
		counts[i] = work_counts[i] - before[i];
	unlink(path);
}

static void check(const struct subject *s, size_t subjects,
	void (*work)(const struct subject *s, const char *path))
{
	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
	for (; subjects--; s++) {
		uint64_t small[WORK_COUNT], large[WORK_COUNT];
		unsigned most = s->most ? s->most : LINEAR;

		count(s, s->n, work, small);
		count(s, 10 * s->n, work, large);
		fprintf(stderr, "%s, %zu and %zu:\n", s->name, s->n, 10 * s->n);
		for (size_t i = 0; i < WORK_COUNT; i++) {
			fprintf(stderr, "  %12llu %12llu  %s\n",
				(unsigned long long)small[i],
				(unsigned long long)large[i], kinds[i]);
			cr_expect(large[i] <= SMALL || large[i] <= most * small[i],
				"%s: %s grow from %llu to %llu", s->name, kinds[i],
				(unsigned long long)small[i],
				(unsigned long long)large[i]);
		}
	}
}

#define CHECK(subjects, work)                                                            \
	check(subjects, sizeof(subjects) / sizeof(*(subjects)), work)

/* ---- subjects ---- */

/* Children that stand out of their order in time are sorted. */
Test(growth, opening, .timeout = 120)
{
	static const struct subject subjects[] = {
		{"a list", flat, 3000, "expect question", SORTED},
		{"many chains", many_chains, 3000, "expect t0", SORTED},
		{"a tree", tree, 3000, "expect question", SORTED},
		{"each step below the one before", deep, 3000, "expect question", 0},
		{"all steps below one", wide, 3000, "expect question", SORTED},
		{"a conversation", conversation, 1000, "expect message", 0},
		{"brackets", brackets, 10000, "keys <tab>jj\nexpect [", 0},
		{"a step of brackets", input_of_brackets, 10000, "keys <tab>jj\nexpect [",
			0},
		{"a step of objects", input_of_objects, 10000, "keys <tab>jj\nexpect {",
			0},
	};

	CHECK(subjects, view);
}

Test(growth, jumps, .timeout = 120)
{
	static const struct subject subjects[] = {
		{"errors of a tree", tree, 3000, "keys ]e\nexpect no other error",
			SORTED},
		{"errors back", deep, 3000, "keys [e\nexpect no other error", 0},
		{"slow steps of a tree", tree, 3000, "keys ]s\nexpect no other slow",
			SORTED},
		{"slow steps of a sorted list", some_chains, 3000,
			": sort model\nkeys ]s\nexpect no other slow", SORTED},
		{"errors of a sorted list", tree, 3000,
			": sort time\nkeys ]e\nexpect no other error", SORTED},
		{"the last step, and the first", tree, 3000, "keys Ggg\nexpect question",
			SORTED},
	};

	CHECK(subjects, view);
}

Test(growth, touched_files, .timeout = 120)
{
	static const struct subject subjects[] = {
		{"the files of a chain", edits, 3000, "keys E\nexpect changed", SORTED},
		{"all differences", edits, 1500, "keys E\nkeys z3\nkeys G\nexpect was",
			SORTED},
	};

	CHECK(subjects, view);
}

Test(growth, files_command, .timeout = 120)
{
	static const struct subject subjects[] = {
		{"the files of a chain", edits, 2000, NULL, SORTED},
		{"a file that is written many times", tee_lines, 800, NULL, 0},
	};

	CHECK(subjects, print_files);
}

/* Each damaged line is told by its number. */
Test(growth, check_command, .timeout = 120)
{
	static const struct subject subjects[] = {
		{"damaged lines", damaged, 3000, NULL, SORTED},
	};

	CHECK(subjects, print_findings);
}

/* All steps are opened. */
Test(growth, contexts, .timeout = 120)
{
	static const struct subject subjects[] = {
		{"the context of a session", session, 3000, "keys BG\nexpect 000/", 0},
		{"the largest of a session", session, 3000,
			"keys BG<enter>\nexpect question", 0},
		{"the context of a list", flat, 3000, "keys BG\nexpect bytes", SORTED},
		{"the context of a tree", deep, 3000, "keys BG\nexpect bytes", 0},
		{"the origin of a line", session, 3000,
			"keys G<tab><tab>:origin<enter>\nexpect first said", 0},
		{"the origin of a line of a tree", deep, 3000,
			"keys G<tab>:origin<enter>\nexpect first said", 0},
	};

	CHECK(subjects, view);
}

Test(growth, finding, .timeout = 120)
{
	static const struct subject subjects[] = {
		{"a search for what is nowhere", tree, 3000,
			"keys /nowhere<enter>\nexpect nowhere", SORTED},
		{"a search for what is everywhere", tree, 3000,
			"keys /question<enter>nnn\nexpect question", SORTED},
		{"a filter", tree, 3000, ": filter latency>3\nexpect question", SORTED},
		{"a filter of words", tree, 3000,
			": filter \"question\"\nexpect question", SORTED},
		{"sorting", some_chains, 3000, ": sort latency\nexpect question", SORTED},
		{"sorting by words", tree, 3000, ": sort name\nexpect question", SORTED},
	};

	CHECK(subjects, view);
}

Test(growth, search_command, .timeout = 120)
{
	static const struct subject subjects[] = {
		{"hits in one text", letters, 2000, "a", 0},
		{"hits in many steps", flat, 2000, "question", SORTED},
		{"hits in a session", session, 2000, "e", SORTED},
		{"hits in a step of many records", echoes, 400, "answers", 0},
	};

	CHECK(subjects, find);
}

Test(growth, transcripts, .timeout = 120)
{
	static const struct subject subjects[] = {
		{"a transcript at its end", rows, 500, "keys G\nkeys T\nexpect answer",
			0},
		{"a transcript, all of it", rows, 300,
			"keys T\n: search nowhere\nin footer expect no other hit", 0},
		{"a transcript, step by step", rows, 300,
			"keys T\nkeys <rep:2999:J>\nexpect step", 0},
		{"a transcript of a tree", tree, 300,
			"keys T\n: search nowhere\nin footer expect no other hit",
			SORTED},
	};

	CHECK(subjects, view);
}

/* To open one at its end costs what is on the screen, whatever stands before. */
Test(growth, opening_a_transcript, .timeout = 120)
{
	static const struct subject with = {"", rows, 5000, "keys G\nkeys T\nexpect 5000",
					    0},
				    without = {"", rows, 5000, "keys G\nexpect 5000", 0};
	uint64_t more[WORK_COUNT], less[WORK_COUNT];

	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
	count(&without, without.n, view, less);
	count(&with, with.n, view, more);
	for (size_t i = 0; i < WORK_COUNT; i++) {
		fprintf(stderr, "  %12llu %12llu  %s\n", (unsigned long long)less[i],
			(unsigned long long)more[i], kinds[i]);
		cr_expect_leq(more[i], less[i] + 5 * SMALL, "%s", kinds[i]);
	}
}

/* Memory and blocks do not grow with the steps that were read. */
Test(growth, memory_of_a_transcript, .timeout = 120)
{
	enum { STEPS = 2000, BUDGET = 200000, ROOM = 60000 };
	char path[] = "/tmp/catena-growth.XXXXXX";
	struct err err = {.offset = ERR_NOWHERE};
	struct subject s = {"", rows, STEPS, "", 0};
	struct inputs *inputs = inputs_new();
	struct trace *trace = trace_new(inputs);
	struct doc doc = {.width = 80};
	struct load *load;
	struct scroll *scroll;
	size_t first = 0, end = 0, most = 0;

	write_input(&s, STEPS, path);
	inputs_add(inputs, path);
	load = load_begin(trace, NULL);
	cr_assert_eq(load_all(load, &err), TASK_DONE);
	trace_arrange_run(trace, UINT64_MAX);
	trace_totals_run(trace, UINT64_MAX);
	scroll = scroll_new(trace, NULL, &doc);
	scroll_begin(scroll, 0);
	while (scroll_run(scroll, false) == TASK_DONE) {
		scroll_trim(scroll, BUDGET, doc.count - 1, doc.count - 1);
		most = doc.count > most ? doc.count : most;
		cr_assert_leq(scroll_bytes(scroll), BUDGET + ROOM);
	}
	scroll_shown(scroll, &first, &end);
	cr_expect_eq(end, STEPS);
	cr_expect_gt(first, STEPS - 200);
	cr_expect_leq(most, 2000);
	while (scroll_run(scroll, true) == TASK_DONE) {
		scroll_trim(scroll, BUDGET, 0, 0);
		cr_assert_leq(scroll_bytes(scroll), BUDGET + ROOM);
	}
	scroll_shown(scroll, &first, &end);
	cr_expect_eq(first, 0);
	cr_expect_leq(end, 200);
	scroll_free(scroll);
	doc_done(&doc);
	load_free(load);
	trace_free(trace);
	unlink(path);
}

Test(growth, conversations, .timeout = 120)
{
	static const struct subject subjects[] = {
		{"its end", conversation, 1000, "keys <tab>G\nexpect message 9", 0},
		{"speakers only", conversation, 1000, "keys <tab>fa\nkeys G\nexpect user",
			0},
		{"a search in it", conversation, 1000,
			"keys <tab>/says<enter>nnN\nexpect says", 0},
		{"brackets as they stand", brackets, 10000,
			"keys <tab>\nkeys G\nexpect ]", 0},
		{"objects, all levels open", input_of_objects, 10000,
			"keys <tab>\nkeys fo\nkeys G\nexpect event", 0},
		{"objects, one level after the other", input_of_objects, 10000,
			"keys <tab>jl jl jl jl jl jl jl jl\nexpect a", 0},
	};

	CHECK(subjects, view);
}

Test(growth, code, .timeout = 120)
{
	static const struct subject subjects[] = {
		{"a long line of code", code_line, 250, "text", 0},
		{"an edit", edit_call, 2000, "text", 0},
	};

	CHECK(subjects, export);
}

static void check_exports(const char *format)
{
	const struct subject subjects[] = {
		{"export of a list", flat, 1000, format, SORTED},
		{"export of a tree", tree, 1000, format, SORTED},
		{"export of chains", many_chains, 1000, format, SORTED},
		{"export of a conversation", conversation, 1000, format, 0},
		{"export of brackets", brackets, 10000, format, 0},
		{"export of a step of brackets", input_of_brackets, 10000, format, 0},
		{"export of a step of objects", input_of_objects, 10000, format, 0},
		{"export of backticks", backticks, 100000, format, 0},
		{"export of backticks that end nothing", open_backticks, 40000, format,
			0},
		{"export of link openings", link_openings, 4000, format, 0},
		{"export of quote marks", quote_marks, 300000, format, 0},
		{"export of quoted lines", quoted_lines, 4000, format, 0},
	};

	fprintf(stderr, "as %s:\n", format);
	CHECK(subjects, export);
}

Test(growth, html, .timeout = 120)
{
	check_exports("html");
}

Test(growth, markdown, .timeout = 120)
{
	check_exports("markdown");
}

Test(growth, text, .timeout = 120)
{
	check_exports("text");
}

Test(growth, json, .timeout = 120)
{
	check_exports("json");
}

Test(growth, tables, .timeout = 120)
{
	check_exports("tables");
}

/* ---- many files ---- */

static void put_file(const char *folder, size_t i)
{
	struct buf path = BUF_INIT;
	FILE *f;

	buf_printf(&path, "%s/%zu.json", folder, i);
	f = fopen(path.data, "wb");
	cr_assert(f);
	fprintf(f,
		"[{\"role\":\"user\",\"content\":\"question %zu\"},{\"role\":"
		"\"assistant\",\"content\":\"answer\"}]",
		i);
	fclose(f);
	buf_done(&path);
}

/* The sessions of a folder are listed, sorted, filtered, searched; one is opened, and left. */
static void list(const char *folder)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct registry *registry = registry_new();
	struct config *config = config_new();
	struct sessions_options listed = {.folders = &folder, .count = 1};
	struct app_options wish = {.no_state = true,
		.config = config,
		.registry = registry,
		.sessions = &listed};

	wish.script = script_new("growth",
		STR("expect question\nkeys SnSnG\nexpect question\n: filter 7\n"
		    "expect question\nkeys <enter>\nexpect assistant\nkeys q\n"
		    "expect of\nkeys <esc>g\nexpect question\n"
		    "keys /answer<enter>\nexpect hits in\nkeys <esc>\n"
		    "keys /nothing<enter>\nexpect no session has\nkeys <esc>\n"),
		&err);
	cr_assert(wish.script, "%s", err.text);
	registry_link(registry);
	cr_assert_eq(app_run(&wish), 0);
	cr_assert_eq(script_end(wish.script, &err), 0, "%s", err.text);
	script_free(wish.script);
	config_free(config);
	registry_free(registry);
}

/* A session that names a sub-agent. */
static void put_rollout(const char *folder, size_t i)
{
	struct buf path = BUF_INIT;
	FILE *f;

	buf_printf(&path, "%s/rollout-2026-01-01-s%zu.jsonl", folder, i);
	f = fopen(path.data, "wb");
	cr_assert(f);
	fprintf(f,
		"{\"type\":\"session_meta\",\"payload\":{\"id\":\"s%zu\"}}\n"
		"{\"type\":\"event_msg\",\"payload\":{\"type\":\"user_message\","
		"\"message\":\"question\"}}\n"
		"{\"type\":\"event_msg\",\"payload\":{\"type\":\"collab_agent_spawn_"
		"end\","
		"\"new_thread_id\":\"none%zu\"}}\n",
		i, i);
	fclose(f);
	buf_done(&path);
}

/* `catena sessions FOLDER` */
static void list_all(const char *folder)
{
	command(cmd_sessions, &folder, 1);
}

static void count_list(size_t n, void (*put)(const char *folder, size_t i),
	void (*work)(const char *folder), uint64_t counts[WORK_COUNT])
{
	static const struct timespec long_ago[2] = {{1000, 0}, {1000, 0}};
	char folder[] = "/tmp/catena-growth.XXXXXX", command[64];
	uint64_t before[WORK_COUNT];

	cr_assert(mkdtemp(folder));
	for (size_t i = 0; i < n; i++)
		put(folder, i);
	cr_assert_eq(utimensat(AT_FDCWD, folder, long_ago, 0), 0);
	memcpy(before, work_counts, sizeof(before));
	work(folder);
	for (size_t i = 0; i < WORK_COUNT; i++)
		counts[i] = work_counts[i] - before[i];
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	cr_assert_eq(system(command), 0);
}

static void check_list(
	void (*put)(const char *folder, size_t i), void (*work)(const char *folder))
{
	uint64_t small[WORK_COUNT], large[WORK_COUNT];

	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
	count_list(200, put, work, small);
	count_list(2000, put, work, large);
	for (size_t i = 0; i < WORK_COUNT; i++) {
		fprintf(stderr, "  %12llu %12llu  %s\n", (unsigned long long)small[i],
			(unsigned long long)large[i], kinds[i]);
		cr_expect(large[i] <= SMALL || large[i] <= SORTED * small[i],
			"%s grow from %llu to %llu", kinds[i],
			(unsigned long long)small[i], (unsigned long long)large[i]);
	}
}

Test(growth, sessions, .timeout = 120)
{
	check_list(put_file, list);
}

/* Each looks in the folder for the sub-agent that it names. */
Test(growth, sessions_with_agents, .timeout = 120)
{
	check_list(put_rollout, list_all);
}

Test(growth, texts_that_are_said_again_are_looked_through_once)
{
	struct err err = {0};
	struct secrets *s = secrets_new(NULL, 0, &err);
	AUTO_BUF text = BUF_INIT;
	uint64_t before = work_counts[WORK_SCAN], first;

	while (text.len < 100000)
		buf_text(&text, "Nothing in these words is to hide. ");
	secrets_scan(s, buf_view(&text));
	first = work_counts[WORK_SCAN] - before;
	before += first;
	for (int i = 0; i < 10; i++)
		secrets_scan(s, buf_view(&text));
	cr_assert_lt(work_counts[WORK_SCAN] - before, 6 * first, "hashed alone");

	buf_printf(&text, "AK%s", "IAQ7WERTYUIOPA2SDF");
	for (s->at.step = 1; s->at.step <= 3; s->at.step++)
		secrets_scan(s, buf_view(&text));
	cr_assert_eq(s->count, 1);
	cr_assert_eq(s->items[0].place_count, 3, "each step that has it is a place");
	secrets_free(s);
}
