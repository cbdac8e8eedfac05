/*
 * Several inputs, and files that grow while they are read: what is there at last is what
 * reading it at once gives.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "import/load.h"
#include "import/open.h"
#include "io/inputs.h"

#define EVENT(id, trace)                                                                 \
	"{\"event\":\"$ai_generation\",\"properties\":{\"$ai_trace_id\":\"" trace        \
	"\",\"$ai_span_id\":\"" id "\",\"$ai_input\":[{\"role\":\"user\",\"content\":"   \
	"\"how deep is lock " id                                                         \
	"?\"}],\"$ai_output_choices\":[{\"role\":\"assistant\","                         \
	"\"content\":\"four metres\"}],\"$ai_input_tokens\":12,"                         \
	"\"$ai_total_cost_usd\":0.25}}"
#define CHUNK(text, end)                                                                 \
	"data: {\"id\":\"c7\",\"object\":\"chat.completion.chunk\",\"model\":\"m\","     \
	"\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text                       \
	"\"},\"finish_reason\":" end "}]}\n\n"

#define CLAUDE(type, id, message)                                                        \
	"{\"type\":\"" type "\",\"uuid\":\"" id                                          \
	"\",\"sessionId\":\"s\",\"timestamp\":\"2026-03-01T10:00:00Z\",\"message\":"     \
	"{" message "}}\n"
#define ANSWER                                                                           \
	"\"id\":\"m1\",\"role\":\"assistant\",\"model\":\"c\",\"usage\":{\"input_"       \
	"tokens\":"                                                                      \
	"3,\"output_tokens\":2},\"content\":["

static const char *const texts[] = {
	EVENT("1", "north") "\n" EVENT("2", "south") "\n" EVENT("3", "north") "\n",
	"{\"results\":[" EVENT("1", "a") ",\n" EVENT("2", "a") "]}",
	"{\"trace_id\":\"t\",\"chain_name\":\"Locks\",\"events\":[" EVENT(
		"1", "t") "," EVENT("2", "t") "]}",
	"{\"prompt\":\"hi\",\n \"completion\":\"ho\"}\n",
	CHUNK("Lo", "null") CHUNK("ck", "null")
		CHUNK(" 4", "\"stop\"") "data: [DONE]\n\n",
	EVENT("1", "a") "\nno json at all\n" EVENT("2", "a") "\n",
	/* described formats: a session whose response goes on behind a result, an array
	 * of spans that hold each other, a log that is known by its second line */
	CLAUDE("user", "u1", "\"role\":\"user\",\"content\":\"How deep?\"") CLAUDE(
		"assistant", "u2", ANSWER "{\"type\":\"text\",\"text\":\"I look.\"}]")
		CLAUDE("assistant", "u3",
			ANSWER "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":"
			       "\"read\",\"input\":{}}]") CLAUDE("user", "u4",
			"\"role\":\"user\",\"content\":[{\"type\":\"tool_result\","
			"\"tool_use_id\":\"t1\",\"content\":\"4\"}]") CLAUDE("assistant",
			"u5", ANSWER "{\"type\":\"text\",\"text\":\"Four.\"}]"),
	"{\"trace\":{\"id\":\"t\"},\"observations\":[{\"id\":\"o1\",\"traceId\":\"t\","
	"\"type\":\"SPAN\",\"startTime\":\"2026-03-01T10:00:00Z\"},{\"id\":\"o2\","
	"\"traceId\":\"t\",\"parentObservationId\":\"o1\",\"type\":\"GENERATION\","
	"\"startTime\":\"2026-03-01T10:00:01Z\",\"input\":\"Hi\",\"output\":\"Ho\"}]}",
	"{\"type\":\"summary\",\"summary\":\"Locks\"}\n" CLAUDE(
		"user", "u1", "\"role\":\"user\",\"content\":\"How deep?\""),
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* ---- files ---- */

static char folder[] = "/tmp/catena-follow-XXXXXX";
static char path[64], second[64];

static void begin(void)
{
	cr_assert(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/a.jsonl", folder);
	snprintf(second, sizeof(second), "%s/b.jsonl", folder);
}

static void finish(void)
{
	char old[80];

	snprintf(old, sizeof(old), "%s.1", path);
	unlink(old);
	unlink(path);
	unlink(second);
	rmdir(folder);
}

static void put_file(const char *name, const char *mode, struct str text)
{
	FILE *f = fopen(name, mode);

	cr_assert(f && fwrite(text.p, 1, text.n, f) == text.n && fclose(f) == 0);
}

/* ---- what was read ---- */

struct reading {
	struct trace *trace;
	struct load *load;
};

static struct reading read_paths(const char *const *paths, size_t n, bool follow)
{
	struct inputs *in = inputs_new();
	struct reading r;

	for (size_t i = 0; i < n; i++)
		inputs_add(in, paths[i]);
	inputs_follow(in, follow);
	r.trace = trace_new(in);
	r.load = load_begin(r.trace, NULL);
	return r;
}

static void end(struct reading *r)
{
	load_free(r->load);
	trace_free(r->trace);
}

/* Reads all there is now. */
static enum task_state catch_up(struct reading *r)
{
	struct err err = {.offset = ERR_NOWHERE};
	enum task_state status;

	cr_expect(load_pump(r->load, &err));
	while ((status = load_run(r->load, 0, SIZE_MAX)) == TASK_MORE)
		;
	err_done(&err);
	return status;
}

/* Everything that is known of it, as text. */
static void put_model(struct trace *trace, struct buf *out)
{
	buf_printf(
		out, "%s %zu steps\n", trace->format ? trace->format : "?", trace->count);
	for (size_t c = 0; c < trace->chain_count; c++) {
		const struct chain *chain = &trace->chains[c];
		struct str name = trace_chain_title(trace, chain);

		buf_printf(out, "%.*s: %zu, %g\n", (int)name.n, name.p, chain->count,
			chain->totals.cost);
		for (size_t i = 0; i < chain->count; i++) {
			uint32_t step = trace_at(trace, chain->first + i);
			struct step_content *o = step_content_new(trace, step);

			buf_printf(out, "  %u %" PRIu64 " %.*s\n", step,
				inputs_offset(trace_step(trace, step).offset),
				(int)o->text.n, o->text.p);
			step_content_free(o);
		}
	}
}

static void expect_same(struct trace *a, struct trace *b, const char *what, size_t cut)
{
	struct buf x = BUF_INIT, y = BUF_INIT;

	put_model(a, &x);
	put_model(b, &y);
	cr_expect(str_equal(buf_view(&x), buf_view(&y)), "%s, cut at %zu:\n%s\nnot:\n%s",
		what, cut, x.data, y.data);
	buf_done(&x);
	buf_done(&y);
}

/* ---- one file that grows ---- */

TestSuite(follow, .init = begin, .fini = finish);

/* Halves, cut at every offset, give what the whole gives once following ends. */
Test(follow, two_halves)
{
	const char *const paths[] = {path};

	for (size_t t = 0; t < COUNT(texts); t++) {
		struct str text = str_of(texts[t]);

		for (size_t cut = 0; cut <= text.n; cut++) {
			struct reading whole, grown;

			put_file(path, "w", (struct str){text.p, cut});
			grown = read_paths(paths, 1, true);
			cr_expect_eq(catch_up(&grown), TASK_IDLE);
			put_file(path, "a", (struct str){text.p + cut, text.n - cut});
			cr_expect_eq(catch_up(&grown), TASK_IDLE);
			inputs_follow(grown.trace->inputs, false);
			cr_expect_eq(catch_up(&grown), TASK_DONE);
			whole = read_paths(paths, 1, false);
			cr_expect_eq(catch_up(&whole), TASK_DONE);
			expect_same(grown.trace, whole.trace, texts[t], cut);
			end(&whole);
			end(&grown);
		}
	}
}

/* What has come is there before more comes, with its totals. */
Test(follow, lines_as_they_come)
{
	const char *const paths[] = {path};
	struct reading r;

	put_file(path, "w", STR(EVENT("1", "a") "\n"));
	r = read_paths(paths, 1, true);
	catch_up(&r);
	for (size_t i = 1; i < 20; i++) {
		cr_expect(r.trace->count == i, "%zu", i);
		put_file(path, "a", STR(EVENT("9", "a") "\n"));
		catch_up(&r);
	}
	for (int tries = 0; r.trace->totals.steps != 20 && tries < 1000; tries++) {
		usleep(1000);
		catch_up(&r);
	}
	cr_expect_eq(r.trace->order_count, 20);
	cr_expect_float_eq(r.trace->totals.cost, 5.0, 1e-9);
	end(&r);
}

/* ---- whole lines ---- */

static size_t whole_lines(struct str text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++)
		n += text.p[i] == '\n';
	return n;
}

/* Reads on until nothing has come since it was last asked. */
static void rest(struct reading *r)
{
	do
		catch_up(r);
	while (load_rests(r->load));
	catch_up(r);
}

/* A file of so many bytes grows by three pieces, and then by the rest. */
static void grow_and_count(struct str text, size_t cut, size_t piece)
{
	const char *const paths[] = {path};
	struct reading r;
	size_t at = cut;

	put_file(path, "w", (struct str){text.p, cut});
	r = read_paths(paths, 1, true);
	rest(&r);
	for (int i = 0; at < text.n; i++) {
		size_t left = text.n - at, n = i < 3 && piece < left ? piece : left;

		put_file(path, "a", (struct str){text.p + at, n});
		rest(&r);
		at += n;
	}
	cr_expect_eq(r.trace->count, whole_lines(text),
		"%.40s…, cut at %zu, pieces of %zu: %zu steps, %zu lines", text.p, cut,
		piece, r.trace->count, whole_lines(text));
	end(&r);
}

/* Words before the objects of a log make no difference to that. */
Test(follow, a_log_as_it_comes)
{
	const char *const paths[] = {path};
	struct reading r;

	put_file(path, "w", STR("09:15:01 INFO " EVENT("1", "a") "\n09:15:02 IN"));
	r = read_paths(paths, 1, true);
	rest(&r);
	cr_expect_eq(r.trace->count, 1);
	for (size_t i = 2; i < 9; i++) {
		put_file(path, "a", STR("FO " EVENT("9", "a") "\n09:15:02 IN"));
		for (int tries = 0; r.trace->count != i && tries < 9; tries++)
			catch_up(&r);
		cr_expect_eq(r.trace->count, i, "%zu, not %zu", r.trace->count, i);
	}
	end(&r);
}

/* What its first bytes do not tell, those that follow do: it has to be read again. */
Test(follow, a_log_that_is_opened_in_its_first_line)
{
	const char *const paths[] = {path};
	struct err err = {.offset = ERR_NOWHERE};
	struct reading r;

	put_file(path, "w", STR("09:15:01 INF"));
	r = read_paths(paths, 1, true);
	rest(&r);
	put_file(path, "a", STR("O " EVENT("1", "a") "\n"));
	cr_expect_eq(inputs_look(r.trace->inputs, &err), SOURCE_REWRITTEN);
	end(&r);
}

/*
 * Every whole line is shown when a file rests, wherever its writer paused: a line is torn
 * where the writer was ended, and a new one goes on behind it; the file may be opened in
 * mid-line.
 */
Test(follow, every_whole_line)
{
	static const char *const logs[] = {
		EVENT("1", "a") "\n" EVENT("2", "a") "\n" EVENT("3", "a") "\n",
		/* torn in a string, before a value, in a key; twice */
		EVENT("1", "a") "\n{\"event\":\"$ai_gen" EVENT("2", "a") "\n" EVENT(
			"3", "a") "\n" EVENT("4", "a") "\n",
		"{\"event\":" EVENT("1", "a") "\n" EVENT("2", "a") "\n{\"ev" EVENT(
			"3", "a") "\n" EVENT("4", "a") "\n" EVENT("5", "a") "\n",
		"INFO listening\n" EVENT("1", "a") "\n" EVENT("2", "a") "\n",
		"{\"event\":\"$ai_g\n" EVENT("1", "a") "\n" EVENT("2", "a") "\n",
	};
	size_t tried = 0;

	for (size_t t = 0; t < COUNT(logs); t++) {
		struct str text = str_of(logs[t]);

		for (size_t cut = 1; cut < text.n; cut += 3)
			for (size_t piece = 13; piece < 600; piece *= 15) {
				grow_and_count(text, cut, piece);
				tried++;
			}
	}
	printf("%zu cuts and piecings\n", tried);
}

Test(follow, a_file_that_is_cut)
{
	const char *const paths[] = {path};
	struct reading r;

	put_file(path, "w", str_of(texts[0]));
	r = read_paths(paths, 1, true);
	cr_expect_eq(catch_up(&r), TASK_IDLE);
	put_file(path, "w", STR(EVENT("8", "b") "\n"));
	cr_expect_eq(catch_up(&r), TASK_FAILED);
	end(&r);
}

/* Longer than before, but another text. */
Test(follow, a_file_that_is_written_anew)
{
	const char *const paths[] = {path};
	struct reading r;

	put_file(path, "w", STR(EVENT("1", "a") "\n"));
	r = read_paths(paths, 1, true);
	cr_expect_eq(catch_up(&r), TASK_IDLE);
	put_file(path, "w", STR("[" EVENT("1", "a") "," EVENT("2", "a") "]\n"));
	cr_expect_eq(catch_up(&r), TASK_FAILED);
	end(&r);
}

/* A log that is rotated: both files are one log, the old one to its last line. */
Test(follow, a_file_that_is_replaced)
{
	const char *const paths[] = {path};
	struct reading r;
	char old[80];

	put_file(path, "w", STR(EVENT("1", "a") "\n"));
	r = read_paths(paths, 1, true);
	catch_up(&r);
	put_file(path, "a", STR(EVENT("2", "a") "\n"));
	snprintf(old, sizeof(old), "%s.1", path);
	cr_assert_eq(rename(path, old), 0);
	put_file(path, "w", STR(EVENT("3", "a") "\n"));
	catch_up(&r);
	put_file(path, "a", STR(EVENT("4", "a") "\n"));
	catch_up(&r);
	cr_expect_eq(r.trace->count, 4);
	inputs_follow(r.trace->inputs, false);
	cr_expect_eq(catch_up(&r), TASK_DONE);
	cr_expect(r.trace->chain_count == 1 && r.trace->chains[0].count == 4);
	end(&r);
}

/* The bytes of what was replaced are there as long as its descriptor is. */
Test(follow, what_was_replaced_can_be_read)
{
	const char *const paths[] = {path};
	struct reading r;
	struct step_content *o;

	put_file(path, "w", STR(EVENT("1", "a") "\n"));
	r = read_paths(paths, 1, true);
	catch_up(&r);
	cr_assert_eq(rename(path, second), 0);
	put_file(path, "w", STR(EVENT("2", "a") "\n"));
	catch_up(&r);
	unlink(second);
	cr_assert_eq(inputs_count(r.trace->inputs), 2);
	cr_expect_not(source_can_sleep(inputs_source(r.trace->inputs, 0)));
	o = step_content_new(r.trace, 0);
	cr_expect(str_equal(o->text, STR(EVENT("1", "a"))));
	step_content_free(o);
	end(&r);
}

/* A name that leads nowhere between two files is waited for. */
Test(follow, a_file_that_is_gone_for_a_while)
{
	const char *const paths[] = {path};
	struct reading r;
	char old[80];

	put_file(path, "w", STR(EVENT("1", "a") "\n"));
	r = read_paths(paths, 1, true);
	catch_up(&r);
	snprintf(old, sizeof(old), "%s.1", path);
	cr_assert_eq(rename(path, old), 0);
	cr_expect_eq(catch_up(&r), TASK_IDLE);
	put_file(second, "w", STR(EVENT("2", "a") "\n"));
	cr_assert_eq(rename(second, path), 0);
	catch_up(&r);
	cr_expect_eq(r.trace->count, 2);
	end(&r);
}

/* A program that writes its file anew puts the new one in the old one's place: it is read
 * again, and not behind the old one. */
Test(follow, a_file_that_is_written_anew_by_a_rename)
{
	const char *const paths[] = {path};
	struct reading r;

	put_file(path, "w", STR(EVENT("1", "a") "\n"));
	r = read_paths(paths, 1, true);
	catch_up(&r);
	put_file(second, "w", STR(EVENT("1", "a") "\n" EVENT("2", "a") "\n"));
	cr_assert_eq(rename(second, path), 0);
	cr_expect_eq(catch_up(&r), TASK_FAILED);
	end(&r);
}

Test(follow, an_empty_file_that_is_filled)
{
	const char *const paths[] = {path};
	struct reading r;

	put_file(path, "w", STR(""));
	r = read_paths(paths, 1, true);
	cr_expect_eq(catch_up(&r), TASK_IDLE);
	put_file(path, "a", STR(EVENT("1", "a") "\n"));
	catch_up(&r);
	cr_expect_eq(r.trace->count, 1);
	end(&r);
}

/* ---- several ---- */

Test(follow, two_files_that_grow)
{
	const char *const paths[] = {path, second};
	struct reading r;

	put_file(path, "w", STR(EVENT("1", "a") "\n"));
	put_file(second, "w", STR(EVENT("1", "a") "\n"));
	r = read_paths(paths, 2, true);
	catch_up(&r);
	for (size_t i = 0; i < 5; i++) {
		put_file(path, "a", STR(EVENT("2", "a") "\n"));
		catch_up(&r);
		put_file(second, "a", STR(EVENT("3", "b") "\n"));
		catch_up(&r);
	}
	inputs_follow(r.trace->inputs, false);
	cr_expect_eq(catch_up(&r), TASK_DONE);
	cr_expect_eq(r.trace->count, 12);
	cr_expect_eq(r.trace->chain_count, 3); /* a, a of the second, b */
	end(&r);
}

/* The last line of a file is read before the next file. */
Test(follow, files_in_their_order)
{
	const char *const paths[] = {path, second};
	struct reading r;

	put_file(path, "w", STR(EVENT("1", "a") "\n"));
	put_file(second, "w", STR(EVENT("1", "b") "\n" EVENT("2", "b") "\n"));
	r = read_paths(paths, 2, true);
	cr_expect_eq(catch_up(&r), TASK_IDLE);
	cr_expect_eq(r.trace->count, 3);
	for (size_t i = 0; i < r.trace->count; i++)
		cr_expect_eq(inputs_number(trace_step(r.trace, i).offset), i > 0);
	end(&r);
}

/* Steps that would be forgotten lie before those of another file. */
Test(follow, what_is_overtaken_is_read_anew)
{
	const char *const paths[] = {path, second};
	struct reading r;
	enum task_state status;

	put_file(path, "w", STR("{\"events\":[" EVENT("1", "a") ",\n" EVENT("2", "a")));
	put_file(second, "w", STR(EVENT("1", "b") "\n"));
	r = read_paths(paths, 2, true);
	cr_expect_eq(catch_up(&r), TASK_IDLE);
	put_file(path, "a", STR("],\"trace\":{}} x\n" EVENT("3", "a") "\n"));
	status = catch_up(&r);
	cr_expect(status == TASK_IDLE || status == TASK_FAILED);
	cr_expect_leq(r.trace->count, 5);
	end(&r);
}

Test(follow, files_and_their_chains)
{
	const char *const paths[] = {path, second};
	struct reading r;
	struct err err = {.offset = ERR_NOWHERE};

	put_file(path, "w", STR("{\"prompt\":\"a\",\"completion\":\"b\"}"));
	put_file(second, "w", STR(EVENT("1", "a") "\n oops\n"));
	r = read_paths(paths, 2, false);
	cr_expect_eq(catch_up(&r), TASK_DONE);
	cr_expect_eq(r.trace->count, 3);
	cr_expect_eq(r.trace->chain_count, 2);
	cr_expect(str_equal(
		trace_chain_title(r.trace, &r.trace->chains[0]), STR("a.jsonl")));
	cr_expect(str_equal(trace_chain_title(r.trace, &r.trace->chains[1]), STR("a")));
	err_at(&err, trace_step(r.trace, 2).offset, "here");
	inputs_locate(r.trace->inputs, &err);
	cr_expect_str_eq(err.source, second);
	cr_expect(err.line == 2 && err.column == 2, "%" PRIu64 ":%" PRIu64, err.line,
		err.column);
	err_done(&err);
	end(&r);
}

static void put_many(int n)
{
	char name[80];

	for (int i = 0; i < n; i++) {
		struct buf text = BUF_INIT;

		snprintf(name, sizeof(name), "%s/%03d.json", folder, i);
		buf_printf(&text, "{\"prompt\":\"%d\",\"completion\":\"yes\"}\n", i);
		put_file(name, "w", buf_view(&text));
		buf_done(&text);
	}
}

static void remove_many(int n)
{
	char name[80];

	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%s/%03d.json", folder, i);
		unlink(name);
	}
}

/* Each step is that of its file. */
static void expect_many(struct trace *trace, uint32_t n)
{
	cr_assert_eq(trace->count, n, "%zu", trace->count);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t step = i * 7 % n;
		struct step_content *o = step_content_new(trace, step);
		const char *name =
			inputs_name_at(trace->inputs, trace_step(trace, step).offset);
		struct buf want = BUF_INIT;

		buf_printf(&want, "{\"prompt\":\"%d\"", atoi(strrchr(name, '/') + 1));
		cr_expect(str_starts(o->text, buf_view(&want)), "%s", name);
		buf_done(&want);
		step_content_free(o);
	}
}

/* More files than may be open at once: each can be read at any time. */
Test(follow, many_files)
{
	const char *const paths[] = {folder};
	struct reading r;

	put_many(300);
	r = read_paths(paths, 1, false);
	cr_expect_eq(catch_up(&r), TASK_DONE);
	expect_many(r.trace, 300);
	end(&r);
	remove_many(300);
}

/* ... also where that is very few, followed or not. */
Test(follow, few_descriptors)
{
	const struct rlimit few = {48, 48};
	const char *const paths[] = {folder};
	struct reading r;

	put_many(100);
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	r = read_paths(paths, 1, true);
	cr_expect_eq(catch_up(&r), TASK_IDLE);
	cr_expect_eq(inputs_note_count(r.trace->inputs), 1);
	expect_many(r.trace, 100);
	load_follow(r.load, false);
	cr_expect_eq(catch_up(&r), TASK_DONE);
	expect_many(r.trace, 100);
	end(&r);
	remove_many(100);
}

/* What was read to its end has nobody who would read on. */
Test(follow, a_wish_that_comes_late)
{
	const char *const paths[] = {path, second};
	struct reading r;

	put_file(path, "w", STR(EVENT("1", "a") "\n"));
	put_file(second, "w", STR(EVENT("2", "a") "\n"));
	r = read_paths(paths, 2, false);
	cr_expect_eq(load_run(r.load, UINT64_MAX, 2), TASK_MORE);
	load_follow(r.load, true);
	cr_expect_eq(catch_up(&r), TASK_FAILED);
	end(&r);
}

/* A pipe cannot be read twice: who reads anew takes over what came of it. */
Test(follow, standard_input_is_handed_on)
{
	const char *const paths[] = {path, "-"};
	struct reading first, again, third;
	int ends[2];

	put_file(path, "w", STR(EVENT("1", "a") "\n"));
	cr_assert(pipe(ends) == 0 && dup2(ends[0], 0) == 0);
	cr_assert_gt(write(ends[1], texts[0], strlen(texts[0])), 0);
	close(ends[1]);
	first = read_paths(paths, 2, false);
	while (load_run(first.load, 0, SIZE_MAX) != TASK_DONE)
		catch_up(&first);
	cr_expect_eq(first.trace->count, 4);
	again = read_paths(paths, 2, false);
	inputs_share(again.trace->inputs, first.trace->inputs);
	end(&first);
	third = read_paths(paths, 2, false); /* before it was its turn */
	inputs_share(third.trace->inputs, again.trace->inputs);
	end(&again);
	cr_expect_eq(catch_up(&third), TASK_DONE);
	cr_expect_eq(third.trace->count, 4);
	end(&third);
}

/* It may stay empty for long. */
Test(follow, an_empty_file_that_is_looked_at_often)
{
	const char *const paths[] = {path};
	struct reading r;

	put_file(path, "w", STR(""));
	r = read_paths(paths, 1, true);
	for (int i = 0; i < 5; i++)
		cr_expect_eq(catch_up(&r), TASK_IDLE);
	put_file(path, "a", STR(EVENT("1", "a") "\n"));
	catch_up(&r);
	cr_expect_eq(r.trace->count, 1);
	end(&r);
}

/* A response that is not at its end, and another file behind it. */
Test(follow, an_open_response_beside_a_file_that_grows)
{
	const char *const paths[] = {path, second};
	enum task_state status = TASK_IDLE;
	struct reading r;

	put_file(path, "w", STR(CHUNK("Lo", "null")));
	put_file(second, "w", STR(EVENT("1", "b") "\n"));
	r = read_paths(paths, 2, true);
	for (int i = 0; i < 5 && status == TASK_IDLE; i++)
		status = catch_up(&r);
	cr_expect_eq(status, TASK_IDLE);
	cr_expect_eq(r.trace->count, 2);
	end(&r);
}

/* What was replaced is followed by its successor only. */
Test(follow, following_is_taken_back_and_wished_again)
{
	const char *const paths[] = {path};
	struct reading r;

	put_file(path, "w", STR(EVENT("1", "a") "\n"));
	r = read_paths(paths, 1, true);
	catch_up(&r);
	cr_assert_eq(rename(path, second), 0);
	put_file(path, "w", STR(EVENT("2", "a") "\n"));
	catch_up(&r);
	cr_expect_eq(r.trace->count, 2);
	inputs_follow(r.trace->inputs, false);
	inputs_follow(r.trace->inputs, true);
	catch_up(&r);
	catch_up(&r);
	cr_expect_eq(r.trace->count, 2, "%zu", r.trace->count);
	end(&r);
}

/* That it was cut is found by a read, before anybody looks. */
Test(follow, a_file_that_is_cut_under_a_read)
{
	const char *const paths[] = {path};
	struct reading r;
	char bytes[8];

	put_file(path, "w", str_of(texts[0]));
	r = read_paths(paths, 1, true);
	cr_expect_eq(catch_up(&r), TASK_IDLE);
	cr_assert_eq(truncate(path, 100), 0);
	cr_expect_eq(inputs_read(r.trace->inputs, 96, bytes, sizeof(bytes)), 4);
	cr_expect_eq(catch_up(&r), TASK_FAILED);
	end(&r);
}

/* A response is over, and another file grows, before the stream ends. */
Test(follow, the_end_of_a_stream_behind_steps_of_another_file)
{
	const char *const paths[] = {path, second};
	struct reading r;

	put_file(path, "w", STR(CHUNK("Lo", "null") "data: {\"type\":\"complete\"}\n\n"));
	put_file(second, "w", STR(CHUNK("ck", "null")));
	r = read_paths(paths, 2, true);
	cr_expect_eq(catch_up(&r), TASK_IDLE);
	put_file(path, "a", STR("data: [DONE]\n\n"));
	cr_expect_eq(catch_up(&r), TASK_IDLE);
	cr_expect_eq(r.trace->count, 2);
	for (size_t i = 0; i < r.trace->count; i++) {
		struct step s = trace_step(r.trace, i);

		cr_expect(s.offset + s.length == inputs_end(r.trace->inputs, s.offset),
			"%zu: %" PRIx64 " + %" PRIu64, i, s.offset, s.length);
	}
	end(&r);
}

/* The step before a fault is one of the same file. */
Test(follow, a_fault_behind_steps_of_another_file)
{
	const char *const paths[] = {path, second};
	struct reading r;

	put_file(path, "w", STR("{\"events\":[" EVENT("1", "a") ",\n"));
	put_file(second, "w", STR(EVENT("1", "b") "\n"));
	r = read_paths(paths, 2, true);
	cr_expect_eq(catch_up(&r), TASK_IDLE);
	put_file(path, "a", STR(" oops oops ]} \n"));
	catch_up(&r);
	inputs_follow(r.trace->inputs, false);
	catch_up(&r);
	for (size_t i = 0; i < r.trace->count; i++) {
		struct step s = trace_step(r.trace, i);

		cr_expect(s.offset + s.length <= inputs_end(r.trace->inputs, s.offset),
			"%zu: %" PRIx64 " + %" PRIu64, i, s.offset, s.length);
	}
	end(&r);
}

/* ---- all samples ---- */

#define SAMPLES 256
#define LARGEST 70000

static struct buf samples[SAMPLES];
static size_t sample_count;

static void read_samples_of(const char *in)
{
	const char *root = getenv("CATENA_SRCDIR");
	struct folder_files files = {0};
	struct err err = {.offset = ERR_NOWHERE};
	struct buf name = BUF_INIT;

	buf_printf(&name, "%s/%s", root ? root : TEST_SRCDIR, in);
	cr_assert(folder_list(name.data, &files, &err), "%s", name.data);
	for (size_t i = 0; i < files.count && sample_count < SAMPLES; i++) {
		const char *ending = strrchr(files.paths[i], '.');
		struct source *s;
		size_t n;

		if (ending &&
			(strcmp(ending, ".txt") == 0 || strcmp(ending, ".yaml") == 0))
			continue; /* no traces */
		s = source_open(files.paths[i], &err);
		n = (size_t)source_size(s);

		if (n < LARGEST) {
			struct buf *b = &samples[sample_count++];

			buf_reserve(b, n);
			b->len = source_read(s, 0, b->data, n);
		}
		source_free(s);
	}
	err_done(&err);
	folder_files_done(&files);
	buf_done(&name);
}

static void read_samples(void)
{
	read_samples_of("data/samples");
	read_samples_of("tests/formats");
}

static void free_samples(void)
{
	for (size_t i = 0; i < sample_count; i++)
		buf_done(&samples[i]);
}

static struct str part(const struct buf *b, size_t start, size_t end)
{
	return (struct str){b->data + start, end - start};
}

/* As the viewer does, from the beginning when what was read is no longer so. */
static void catch_up_anew(struct reading *r, const char *const *paths, size_t n)
{
	for (int tries = 0; catch_up(r) == TASK_FAILED; tries++) {
		cr_assert_lt(tries, 3);
		end(r);
		*r = read_paths(paths, n, true);
	}
}

static void settle(struct reading *r, const char *const *paths, size_t n)
{
	inputs_follow(r->trace->inputs, false);
	if (catch_up(r) != TASK_FAILED)
		return;
	end(r);
	*r = read_paths(paths, n, false);
	cr_expect_eq(catch_up(r), TASK_DONE);
}

Test(follow, samples_in_halves)
{
	const char *const paths[] = {path};

	read_samples();
	cr_assert_gt(sample_count, 10);
	for (size_t i = 0; i < sample_count; i++) {
		size_t step = samples[i].len / 100 + 1;
		struct reading whole, grown;

		for (size_t cut = i % step; cut < samples[i].len; cut += step) {
			put_file(path, "w", part(&samples[i], 0, cut));
			grown = read_paths(paths, 1, true);
			cr_expect_eq(catch_up(&grown), TASK_IDLE);
			put_file(path, "a", part(&samples[i], cut, samples[i].len));
			catch_up_anew(&grown, paths, 1);
			settle(&grown, paths, 1);
			whole = read_paths(paths, 1, false);
			cr_expect_eq(catch_up(&whole), TASK_DONE);
			expect_same(grown.trace, whole.trace, "sample", cut);
			end(&whole);
			end(&grown);
		}
	}
	free_samples();
}

/* The steps of each file, in whatever order they came. */
static int compare_steps(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void put_steps(const struct trace *trace, struct buf *out)
{
	struct step *steps = mem_zalloc(trace->count + 1, sizeof(*steps));

	for (size_t i = 0; i < trace->count; i++)
		steps[i] = trace_step(trace, i);
	qsort(steps, trace->count, sizeof(*steps), compare_steps);
	for (size_t i = 0; i < trace->count; i++)
		buf_printf(out, "%" PRIx64 " + %" PRIu64 " %x %g\n", steps[i].offset,
			steps[i].length,
			steps[i].flags & (uint32_t)(STEP_KEPT ^ STEP_CHECKED),
			steps[i].cost);
	mem_free(steps);
}

static void expect_same_steps(const struct trace *a, const struct trace *b, size_t i)
{
	struct buf x = BUF_INIT, y = BUF_INIT;

	put_steps(a, &x);
	put_steps(b, &y);
	cr_expect(str_equal(buf_view(&x), buf_view(&y)), "samples %zu:\n%s\nnot:\n%s", i,
		x.data ? x.data : "", y.data ? y.data : "");
	buf_done(&x);
	buf_done(&y);
}

/* Two at once, piece by piece, in turn. */
Test(follow, samples_in_turn)
{
	const char *const paths[] = {path, second};

	read_samples();
	for (size_t n = 0; n < 8 * sample_count; n++) {
		const struct buf *a = &samples[n % sample_count],
				 *b = &samples[(n * 5 + n / sample_count) % sample_count];
		size_t pieces = 2 + n % 9;
		struct reading whole, grown;

		put_file(path, "w", STR(""));
		put_file(second, "w", STR(""));
		grown = read_paths(paths, 2, true);
		for (size_t i = 0; i < pieces; i++) {
			put_file(path, "a",
				part(a, a->len * i / pieces, a->len * (i + 1) / pieces));
			catch_up_anew(&grown, paths, 2);
			put_file(second, "a",
				part(b, b->len * i / pieces, b->len * (i + 1) / pieces));
			catch_up_anew(&grown, paths, 2);
		}
		settle(&grown, paths, 2);
		whole = read_paths(paths, 2, false);
		cr_expect_eq(catch_up(&whole), TASK_DONE);
		expect_same_steps(grown.trace, whole.trace, n);
		end(&whole);
		end(&grown);
	}
	free_samples();
}
