/*
 * Valid traces, damaged in every way: what the rows of damage.row print.
 *
 *   damage flips COUNT SECONDS FILE...      bytes turned into others, by chance
 *   damage prefixes COUNT SECONDS FILE...   each file cut after 0, 1, 2 … bytes
 *
 * Each damaged file is loaded and each of its steps is opened.  Ends after COUNT files,
 * or after SECONDS, and prints how far it came, how many took more than a second, and how
 * many steps were lost that were whole.  A crash ends it with a signal.  Status 1: one
 * was slow or lost, 2: usage.
 */
#include "config.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/work.h"
#include "import/load.h"
#include "import/open.h"
#include "json/json.h"
#include "text/safe.h"

#define SLOW 1000000 /* microseconds */

struct sample {
	struct buf text;
	struct trace *trace; /* of the whole text */
	struct load *load;
};

static struct {
	uint64_t chance;
	size_t done, slow, lost;
} run = {.chance = 88172645463325252u};

static size_t by_chance(size_t n)
{
	run.chance ^= run.chance << 13;
	run.chance ^= run.chance >> 7;
	run.chance ^= run.chance << 17;
	return (size_t)(run.chance % n);
}

static void load(struct str text, struct sample *s)
{
	struct err err = {0};

	s->trace = trace_of_source(source_open_text("sample", text));
	s->load = load_begin(s->trace, NULL);
	load_all(s->load, &err);
	err_done(&err);
	for (uint32_t i = 0; i < s->trace->count; i++)
		step_content_free(step_content_new(s->trace, i));
}

static void unload(struct sample *s)
{
	load_free(s->load);
	trace_free(s->trace);
}

static bool is_whole(const struct step *s)
{
	return !(s->flags & (STEP_BROKEN | STEP_CUT));
}

static bool has_step(const struct trace *trace, const struct step *want)
{
	for (uint32_t i = 0; i < trace->count; i++) {
		struct step s = trace_step(trace, i);

		if (s.offset == want->offset && s.length == want->length)
			return is_whole(&s);
	}
	return false;
}

static void count_lost(const struct sample *whole, const struct sample *cut, size_t n)
{
	for (uint32_t i = 0; i < whole->trace->count; i++) {
		struct step s = trace_step(whole->trace, i);

		if (s.offset + s.length <= n && is_whole(&s) && !has_step(cut->trace, &s))
			run.lost++;
	}
}

/* Of `whole` if it is given, the steps must be in the text. */
static void try(struct str text, const struct sample *whole)
{
	uint64_t begun = clock_us();
	struct sample damaged;

	load(text, &damaged);
	if (whole)
		count_lost(whole, &damaged, text.n);
	unload(&damaged);
	run.slow += clock_us() - begun > SLOW;
	run.done++;
}

static void flip(struct sample *s)
{
	static const char usual[] = "{}[],:\"\\\n0 \xFF";
	size_t flips = 1 + by_chance(3);
	struct buf text = BUF_INIT;

	buf_str(&text, buf_view(&s->text));
	while (flips--) {
		size_t at = by_chance(text.len);

		if (by_chance(2))
			text.data[at] = usual[by_chance(sizeof(usual) - 1)];
		else
			text.data[at] = (char)(text.data[at] ^ (1 << by_chance(8)));
	}
	try(buf_view(&text), NULL);
	buf_done(&text);
}

/* Smaller files have fewer prefixes. */
static bool cut(const struct sample *samples, size_t count, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < count; i++)
		if (n < samples[i].text.len) {
			try((struct str){samples[i].text.data, n}, &samples[i]);
			any = true;
		}
	return any;
}

static bool read_sample(const char *path, struct sample *s)
{
	FILE *f = fopen(path, "rbe");
	char piece[65536];
	size_t n;

	*s = (struct sample){.text = BUF_INIT};
	while (f && (n = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(&s->text, piece, n);
	if (f)
		fclose(f);
	if (!s->text.len)
		return false;
	load(buf_view(&s->text), s);
	return true;
}

int main(int argc, char **argv)
{
	bool prefixes = argc > 4 && strcmp(argv[1], "prefixes") == 0;
	size_t most, count = 0;
	struct sample *samples;
	uint64_t begun, deadline;

	if (argc < 5 || (!prefixes && strcmp(argv[1], "flips") != 0))
		return 2;
	setenv("HOME", "/dev/null/none", 1);
	setlocale(LC_CTYPE, "C.UTF-8");
	json_init();
	safe_init();
	most = strtoul(argv[2], NULL, 10);
	samples = mem_array((size_t)argc, sizeof(*samples));
	for (int i = 4; i < argc; i++)
		if (!read_sample(argv[i], &samples[count++])) {
			fprintf(stderr, "%s: cannot be read\n", argv[i]);
			return 2;
		}
	if (prefixes) {
		size_t all = 0;

		for (size_t i = 0; i < count; i++)
			all += samples[i].text.len;
		most = all < most ? all : most;
	}
	begun = clock_us();
	deadline = begun + strtoul(argv[3], NULL, 10) * 1000000;
	for (size_t i = 0; run.done < most && clock_us() < deadline; i++)
		if (!prefixes)
			flip(&samples[i % count]);
		else if (!cut(samples, count, i))
			break;
	printf("%zu of %zu in %.0f s over %zu files, 0 crashes, %zu over 1 s", run.done,
		most, (double)(clock_us() - begun) / 1e6, count, run.slow);
	if (prefixes)
		printf(", %zu whole steps lost", run.lost);
	printf("\n");
	for (size_t i = 0; i < count; i++) {
		unload(&samples[i]);
		buf_done(&samples[i].text);
	}
	mem_free(samples);
	return run.slow || run.lost ? 1 : 0;
}
