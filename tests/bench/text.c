/* Bytes, chance and sentences for the generator: see text.h. */
#include "text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POOL_BYTES = 768 * 1024 }; /* escaped once; small enough for the second cache */

/* ---- bytes ------------------------------------------------------------- */

void fail(const char *why, const char *what)
{
	fprintf(stderr, "generate: %s%s\n", why, what);
	exit(2);
}

static void bytes_reserve(struct bytes *b, size_t more)
{
	size_t cap = b->cap ? b->cap : 4096;
	char *data;

	if (b->size + more <= b->cap)
		return;
	while (cap < b->size + more)
		cap *= 2;
	data = realloc(b->data, cap);
	if (!data)
		fail("out of memory", "");
	b->data = data;
	b->cap = cap;
}

void bytes_add(struct bytes *b, const char *data, size_t size)
{
	if (size == 0)
		return;
	bytes_reserve(b, size);
	memcpy(b->data + b->size, data, size);
	b->size += size;
}

void bytes_done(struct bytes both[2])
{
	free(both[0].data);
	free(both[1].data);
}

void bytes_byte(struct bytes *b, char c)
{
	bytes_add(b, &c, 1);
}

void bytes_escaped(struct bytes *b, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '\n') {
			bytes_add(b, "\\n", 2);
			continue;
		}
		if (text[i] == '"' || text[i] == '\\')
			bytes_byte(b, '\\');
		bytes_byte(b, text[i]);
	}
}

/* ---- chance: xorshift64*, the same everywhere --------------------------- */

static uint64_t chance_state;

void chance_begin(uint64_t seed)
{
	chance_state = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15) | 1;
}

uint64_t chance(void)
{
	chance_state ^= chance_state >> 12;
	chance_state ^= chance_state << 25;
	chance_state ^= chance_state >> 27;
	return chance_state * UINT64_C(0x2545F4914F6CDD1D);
}

size_t below(size_t n)
{
	return n ? (size_t)((chance() >> 32) % n) : 0;
}

/* ---- the pool ---------------------------------------------------------- */

static const char *const subjects[] = {"The ferry", "Our cache", "The night shift",
	"This migration", "A retry", "The lighthouse", "Every worker",
	"The second replica", "Das Prüfprotokoll", "La cuisine", "夜行列車", "Кэш"};
static const char *const verbs[] = {"waits for", "rewrites", "overtakes",
	"has to confirm", "silently drops", "repeats", "costs as much as", "depends on",
	"outlives"};
static const char *const objects[] = {"the tide table", "an open transaction",
	"three stale entries", "the last known offset", "half of the budget",
	"a single timestamp", "die Übergabe", "the winter schedule", "日本語の注釈"};
static const char *const shapes[] = {"%s %s %s. ", "%s %s %s, as \"agreed\" last week. ",
	"\n- %s %s %s", "\n\n## %s %s %s\n\n", "\n```c\nputs(\"%s\\t%s %s\\n\");\n```\n",
	"%s %s %s; see C:\\logs\\today. ",
	"{\"who\": \"%s\", \"does\": \"%s\", \"to\": \"%s\"} ",
	"%s %s %s 👩🏽‍🚀 … "};

static struct bytes pool[2];   /* escaped once, escaped twice */
static size_t *pool_starts[2]; /* of each sentence, and the end */
static size_t pool_count;

static void pool_sentence(void)
{
	char text[256];
	const char *shape = PICK(shapes), *subject = PICK(subjects);
	const char *verb = PICK(verbs), *object = PICK(objects);
	int size = snprintf(text, sizeof(text), shape, subject, verb, object);
	size_t from = pool[0].size;

	bytes_escaped(&pool[0], text, (size_t)size);
	bytes_escaped(&pool[1], pool[0].data + from, pool[0].size - from);
}

const char *pool_subject(void)
{
	return PICK(subjects);
}

void pool_make(void)
{
	size_t most = POOL_BYTES / 16;

	for (int i = 0; i < 2; i++) {
		pool_starts[i] = calloc(most + 1, sizeof(size_t));
		if (!pool_starts[i])
			fail("out of memory", "");
	}
	while (pool[0].size < POOL_BYTES && pool_count < most) {
		pool_sentence();
		pool_count++;
		pool_starts[0][pool_count] = pool[0].size;
		pool_starts[1][pool_count] = pool[1].size;
	}
}

void pool_done(void)
{
	bytes_done(pool);
	free(pool_starts[0]);
	free(pool_starts[1]);
}

struct run { /* sentences [first, end) */
	size_t first;
	size_t end;
};

/* The first sentence in [low, pool_count] that begins at or behind the offset. */
static size_t pool_find(size_t low, size_t offset)
{
	size_t high = pool_count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (pool_starts[0][mid] < offset)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* About `size` bytes of sentences, less where the pool ends. */
static struct run pool_run(size_t size)
{
	struct run run;

	run.first = below(pool_count);
	run.end = pool_find(run.first + 1, pool_starts[0][run.first] + size);
	return run;
}

static size_t run_size(struct run run)
{
	return pool_starts[0][run.end] - pool_starts[0][run.first];
}

static void add_run(struct bytes *b, struct run run, int spelling)
{
	const size_t *starts = pool_starts[spelling];

	bytes_add(b, pool[spelling].data + starts[run.first],
		starts[run.end] - starts[run.first]);
}

/* The pool is finite: a long text takes several runs. */
void add_text(struct bytes both[2], size_t size)
{
	while (size > 0) {
		struct run run = pool_run(size);
		size_t got = run_size(run);

		add_run(&both[0], run, 0);
		add_run(&both[1], run, 1);
		size = got < size ? size - got : 0;
	}
}

/* ---- output ----------------------------------------------------------- */
uint64_t written;

void put(const char *data, size_t size)
{
	if (fwrite(data, 1, size, stdout) != size)
		fail("cannot write: ", strerror(errno));
	written += size;
}

void put_bytes(const struct bytes *b)
{
	put(b->data, b->size);
}

void put_text(const char *text)
{
	put(text, strlen(text));
}

void putf(const char *format, ...)
{
	char text[1024];
	va_list args;
	int size;

	va_start(args, format);
	size = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	put(text, (size_t)size);
}
