/*
 * Times the search through a trace beside what a user would take instead:
 *
 *	search FILE [ROUNDS]
 *
 * The file is read first, as the viewer has it read when somebody searches; then each
 * query is run in turns with rg and grep (whole processes, if they are installed), which
 * count lines and know nothing of escapes.  Printed is the median of the rounds.
 */
#include "config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/work.h"
#include "import/load.h"
#include "query/search.h"

#define ROUNDS_MOST 99

extern char **environ;

struct work {
	const char *name, *text;
	unsigned flags;
	const char *rg[4], *grep[4]; /* options; NULL: not run */
};

static const struct work works[] = {
	{"absent literal", "No such text", 0, {"-F"}, {"-F"}},
	{"absent, caseless", "no such text", 0, {"-F", "-i"}, {NULL}},
	{"absent, not ASCII", "n\xC3\xADrgendwo \xC3\xA4hnlich", 0, {"-F", "-i"}, {NULL}},
	{"absent regex", "No (such|other) text", QUERY_REGEX, {"-e"}, {"-E"}},
	{"regex without a needle", "(xylophone|quaphone)\\d", QUERY_REGEX, {"-i"},
		{NULL}},
	{"name of a fact", "call_1234", 0, {"-F", "-o"}, {NULL}},
	{"common word", "lighthouse", 0, {"-F", "-o"}, {NULL}},
	{"one letter", "e", 0, {"-F", "-o"}, {NULL}},
	{"common regex", "ferry \\w+", QUERY_REGEX, {"-o"}, {NULL}},
};

static uint64_t run_command(const char *name, const char *const options[4],
	const char *text, const char *path)
{
	const char *argv[9] = {name, "-c"};
	posix_spawn_file_actions_t actions;
	uint64_t begun = clock_us();
	int n = 2, status;
	pid_t pid;

	for (int i = 0; i < 4 && options[i]; i++)
		argv[n++] = options[i];
	argv[n++] = text;
	argv[n] = path;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, name, &actions, NULL, (char **)(uintptr_t)argv, environ))
		return 0;
	posix_spawn_file_actions_destroy(&actions);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) < 2 ? clock_us() - begun : 0;
}

/* The longest slice is what a key press may have to wait for. */
static uint64_t run_search(struct trace *trace, const struct work *w,
	struct search_totals *totals, uint64_t *longest)
{
	uint64_t begun = clock_us(), before = begun, now;
	struct query *q = query_new(str_of(w->text), w->flags, NULL);
	struct search *s = search_new(trace, q);
	enum task_state status;

	do {
		status = search_run(s, clock_deadline(5000), true);
		now = clock_us();
		if (now - before > *longest)
			*longest = now - before;
		before = now;
	} while (status == TASK_MORE);
	*totals = search_totals(s);
	search_free(s);
	query_free(q);
	return now - begun;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t median(uint64_t times[], int count)
{
	qsort(times, (size_t)count, sizeof(*times), compare);
	return times[count / 2];
}

static void print_other(uint64_t own, uint64_t other)
{
	if (other)
		printf(" %8.0f %5.2f", (double)other / 1000, (double)own / (double)other);
	else
		printf(" %8s %5s", "-", "-");
}

static void run_work(
	struct trace *trace, const struct work *w, const char *path, int rounds)
{
	uint64_t own[ROUNDS_MOST], rg[ROUNDS_MOST], grep[ROUNDS_MOST], longest = 0;
	struct search_totals totals;

	for (int i = 0; i < rounds; i++) {
		own[i] = run_search(trace, w, &totals, &longest);
		rg[i] = w->rg[0] ? run_command("rg", w->rg, w->text, path) : 0;
		grep[i] = w->grep[0] && !i ? run_command("grep", w->grep, w->text, path)
			  : i              ? grep[0]
					   : 0;
	}
	median(own, rounds);
	printf("%-24s %8.0f %8.0f %8.1f", w->name, (double)own[rounds / 2] / 1000,
		(double)inputs_size(trace->inputs) / (double)own[rounds / 2],
		(double)longest / 1000);
	print_other(own[rounds / 2], median(rg, rounds));
	print_other(own[rounds / 2], grep[0]);
	printf(" %10" PRIu64 " %7zu\n", totals.hits, totals.steps);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 5;
	struct err err = {0};
	struct source *source;
	struct load *l;
	struct trace *trace;

	if (argc < 2 || rounds < 1 || rounds > ROUNDS_MOST) {
		fprintf(stderr, "usage: search FILE [ROUNDS]\n");
		return 2;
	}
	source = source_open(argv[1], &err);
	if (!source) {
		fprintf(stderr, "search: %s\n", err.text);
		err_done(&err);
		return 2;
	}
	trace = trace_of_source(source);
	l = load_begin(trace, NULL);
	load_all(l, &err);
	printf("%zu steps, %.0f MB\n", trace->count, (double)source_size(source) / 1e6);
	printf("%-24s %8s %8s %8s %8s %5s %8s %5s %10s %7s\n", "", "ms", "MB/s",
		"longest", "rg", "x", "grep", "x", "hits", "steps");
	for (size_t i = 0; i < sizeof(works) / sizeof(*works); i++)
		run_work(trace, &works[i], argv[1], rounds);
	load_free(l);
	trace_free(trace);
	err_done(&err);
	return 0;
}
