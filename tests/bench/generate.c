/*
 * Writes synthetic traces for the benchmarks.
 *
 *	generate --format rows|chain|events|jsonl|chat|json --size 100M
 *		[--step-size 60K] [--history] [--seed N] > FILE
 *
 * Sizes take K, M and G, powers of ten.  The same arguments give the same bytes.
 * One line with the totals of what was written goes to standard error: a count of
 * steps, tokens, cost, latency and errors that no reader of JSON was needed for.
 *
 * A pool of sentences is made once, escaped once for a JSON string and twice for
 * JSON inside a JSON string; everything long is copied from it, in whole
 * sentences, so that the program is bound by memory copies.  A thread keeps its
 * messages in both spellings.  With --history the messages stay from step to step
 * until the thread is full, and most threads stay short: sizes run from a few
 * kilobytes to six times the mean.  Without it every step begins anew.
 * The program stands alone: C11 and nothing else.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	POOL_BYTES = 768 * 1024, /* escaped once; small enough for the second cache */
	STEPS_A_TRACE = 200,     /* of events and lines; rows and chains are one trace */
	STEP_FACTS = 1500,       /* what a step needs beside its messages, at most */
	LONGEST = 63,            /* tenths of the mean that a full thread reaches */
};

/* ---- bytes ------------------------------------------------------------- */

struct bytes {
	char *data;
	size_t size;
	size_t cap;
};

static void fail(const char *why, const char *what)
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

static void bytes_add(struct bytes *b, const char *data, size_t size)
{
	if (size == 0)
		return;
	bytes_reserve(b, size);
	memcpy(b->data + b->size, data, size);
	b->size += size;
}

static void bytes_done(struct bytes both[2])
{
	free(both[0].data);
	free(both[1].data);
}

static void bytes_byte(struct bytes *b, char c)
{
	bytes_add(b, &c, 1);
}

/* Adds text as it stands inside a JSON string. */
static void bytes_escaped(struct bytes *b, const char *text, size_t size)
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

static uint64_t chance(void)
{
	chance_state ^= chance_state >> 12;
	chance_state ^= chance_state << 25;
	chance_state ^= chance_state >> 27;
	return chance_state * UINT64_C(0x2545F4914F6CDD1D);
}

/* A number below n, far below 2^32.  Never two calls in one argument list: the
   order would be the compiler's, and the bytes with it. */
static size_t below(size_t n)
{
	return n ? (size_t)((chance() >> 32) % n) : 0;
}

#define PICK(table) (table)[below(sizeof(table) / sizeof((table)[0]))]

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

static void pool_make(void)
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

static void pool_done(void)
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
static void add_text(struct bytes both[2], size_t size)
{
	while (size > 0) {
		struct run run = pool_run(size);
		size_t got = run_size(run);

		add_run(&both[0], run, 0);
		add_run(&both[1], run, 1);
		size = got < size ? size - got : 0;
	}
}

/* ---- a thread's messages, in both spellings ----------------------------- */

struct thread {
	struct bytes messages[2]; /* joined by commas, no brackets; [1] is escaped */
	struct bytes answer[2];   /* of this step */
	size_t count;
	size_t calls;
	size_t limit; /* bytes after which it begins anew */
};

static void add_json(struct bytes both[2], const char *json)
{
	bytes_add(&both[0], json, strlen(json));
	bytes_escaped(&both[1], json, strlen(json));
}

static void thread_begin_message(struct thread *t, const char *json)
{
	if (t->count++ > 0)
		add_json(t->messages, ",");
	add_json(t->messages, json);
}

static void thread_say(struct thread *t, const char *role, size_t size)
{
	char head[64];

	snprintf(head, sizeof(head), "{\"role\":\"%s\",\"content\":\"", role);
	thread_begin_message(t, head);
	add_text(t->messages, size);
	add_json(t->messages, "\"}");
}

/* A call and its result; the result has the size. */
static void thread_use_tool(struct thread *t, size_t size)
{
	char head[256];
	size_t call = t->calls++;

	snprintf(head, sizeof(head),
		"{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"call_"
		"%zu\","
		"\"type\":\"function\",\"function\":{\"name\":\"look_up\",\"arguments\":"
		"\"{\\\"page\\\": %zu, \\\"deep\\\": true}\"}}]}",
		call, below(900));
	thread_begin_message(t, head);
	snprintf(head, sizeof(head),
		"{\"role\":\"tool\",\"tool_call_id\":\"call_%zu\",\"content\":\"", call);
	thread_begin_message(t, head);
	add_text(t->messages, size);
	add_json(t->messages, "\"}");
}

static void thread_reset(struct thread *t, size_t limit)
{
	t->messages[0].size = 0;
	t->messages[1].size = 0;
	t->count = 0;
	t->limit = limit;
	thread_say(t, "system", 200);
}

static void thread_add(struct thread *t, size_t size)
{
	if (below(3) == 0) {
		thread_say(t, "user", size);
		return;
	}
	thread_use_tool(t, size - size / 4);
	thread_say(t, "user", size / 4);
}

static void thread_answer(struct thread *t, size_t size)
{
	t->answer[0].size = 0;
	t->answer[1].size = 0;
	add_text(t->answer, size);
}

/* What was answered belongs to the history of the next step. */
static void thread_keep_answer(struct thread *t)
{
	thread_begin_message(t, "{\"role\":\"assistant\",\"content\":\"");
	for (int i = 0; i < 2; i++)
		bytes_add(&t->messages[i], t->answer[i].data, t->answer[i].size);
	add_json(t->messages, "\"}");
}

static void thread_done(struct thread *t)
{
	bytes_done(t->messages);
	bytes_done(t->answer);
}

/* ---- output and totals -------------------------------------------------- */

struct totals {
	uint64_t steps;
	uint64_t input_tokens;
	uint64_t output_tokens;
	uint64_t cost;    /* millionths of a dollar */
	uint64_t latency; /* milliseconds */
	uint64_t errors;
};

static uint64_t written;

static void put(const char *data, size_t size)
{
	if (fwrite(data, 1, size, stdout) != size)
		fail("cannot write: ", strerror(errno));
	written += size;
}

static void put_bytes(const struct bytes *b)
{
	put(b->data, b->size);
}

static void put_text(const char *text)
{
	put(text, strlen(text));
}

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
static void
putf(const char *format, ...)
{
	char text[1024];
	va_list args;
	int size;

	va_start(args, format);
	size = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	put(text, (size_t)size);
}

static void totals_print(const struct totals *t)
{
	fprintf(stderr,
		"steps=%" PRIu64 " input_tokens=%" PRIu64 " output_tokens=%" PRIu64
		" cost_usd=%" PRIu64 ".%06" PRIu64 " latency_s=%" PRIu64 ".%03" PRIu64
		" errors=%" PRIu64 " bytes=%" PRIu64 "\n",
		t->steps, t->input_tokens, t->output_tokens, t->cost / 1000000,
		t->cost % 1000000, t->latency / 1000, t->latency % 1000, t->errors,
		written);
}

/* ---- steps -------------------------------------------------------------- */

struct options {
	const struct format *format;
	uint64_t size;
	size_t step_size;
	bool history;
	uint64_t seed;
};

struct step {
	uint64_t n; /* from 0 */
	uint64_t id[2];
	const char *model;
	const char *name;
	char time[48];
	char latency[32]; /* as it is written */
	uint64_t input_tokens;
	uint64_t output_tokens;
	uint64_t cost;
	bool failed;
	struct thread *thread;
};

static const char *const models[] = {"gpt-4o", "claude-sonnet-4", "gemini-2.5-flash",
	"mistral-large-2", "llama-3.3-70b"};
static const char *const names[] = {"Plan", "Search", "Read the log", "Compare", "Draft",
	"Prüfen", "Summarise", "翻訳"};

/* Milliseconds since 2025-01-01 as ISO 8601; good for some thousand years. */
static void format_time(char *text, size_t size, uint64_t ms)
{
	static const unsigned lengths[] = {
		31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	uint64_t day = ms / 86400000, second = ms / 1000 % 86400;
	unsigned year = 2025, month = 0;

	for (;;) {
		bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
		uint64_t length = lengths[month] + (month == 1 && leap);

		if (day < length)
			break;
		day -= length;
		month = (month + 1) % 12;
		year += month == 0;
	}
	snprintf(text, size, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ", year, month + 1,
		(unsigned)day + 1, (unsigned)(second / 3600),
		(unsigned)(second / 60 % 60), (unsigned)(second % 60),
		(unsigned)(ms % 1000));
}

/* Every unit a reader has to know, and now and then a bare number. */
static void format_latency(char *text, size_t size, uint64_t ms)
{
	unsigned seconds = (unsigned)(ms / 1000), rest = (unsigned)(ms % 1000);

	switch (below(4)) {
	case 0:
		snprintf(text, size, "%u.%03u", seconds, rest);
		break;
	case 1:
		snprintf(text, size, "\"%u%03ums\"", seconds, rest);
		break;
	default:
		snprintf(text, size, "\"%u.%03us\"", seconds, rest);
	}
}

static void step_facts(struct step *s, struct totals *t, bool may_fail)
{
	uint64_t latency = 1000 + below(9000);

	s->n = t->steps++;
	s->id[0] = chance();
	s->id[1] = chance();
	s->model = PICK(models);
	s->name = PICK(names);
	s->failed = may_fail && below(97) == 0;
	format_time(s->time, sizeof(s->time), t->latency + s->n * 250);
	format_latency(s->latency, sizeof(s->latency), latency);
	s->input_tokens = s->thread->messages[0].size / 4 + 1;
	s->output_tokens = s->failed ? 0 : s->thread->answer[0].size / 4 + 1;
	s->cost = s->input_tokens * 5 / 2 + s->output_tokens * 10;
	t->input_tokens += s->input_tokens;
	t->output_tokens += s->output_tokens;
	t->cost += s->cost;
	t->latency += latency;
	t->errors += s->failed;
}

static void put_uuid(const struct step *s)
{
	putf("\"%08" PRIx32 "-%04x-7%03x-a%03x-%012" PRIx64 "\"", (uint32_t)s->id[0],
		(unsigned)(s->id[0] >> 48), (unsigned)(s->id[0] >> 36 & 0xfff),
		(unsigned)(s->id[1] >> 52), s->id[1] & UINT64_C(0xffffffffffff));
}

static void put_history(const struct step *s, bool as_text)
{
	put_text(as_text ? "\"[" : "[");
	put_bytes(&s->thread->messages[as_text]);
	put_text(as_text ? "]\"" : "]");
}

static void put_answer(const struct step *s, bool as_text)
{
	if (s->failed) {
		put_text("null");
		return;
	}
	put_text(as_text ? "\"[{\\\"role\\\":\\\"assistant\\\",\\\"content\\\":\\\""
			 : "[{\"content\":\"");
	put_bytes(&s->thread->answer[as_text]);
	put_text(as_text ? "\\\"}]\"" : "\"}]");
}

static void put_cost(const struct step *s)
{
	putf("%" PRIu64 ".%06" PRIu64, s->cost / 1000000, s->cost % 1000000);
}

static void put_row(const struct step *s)
{
	put_text("[");
	put_uuid(s);
	putf(",\"$ai_generation\",\"%s\",\"%s\",", s->time, s->model);
	put_history(s, true);
	put_text(",");
	put_answer(s, true);
	putf(",%" PRIu64 ",%" PRIu64 ",", s->input_tokens, s->output_tokens);
	put_cost(s);
	putf(",%s,\"%s %" PRIu64 "\",\"Bench\",{}]", s->latency, s->name, s->n);
}

static void put_error(const struct step *s)
{
	if (s->failed)
		put_text("\"$ai_is_error\":true,\"$ai_error\":\"overloaded, try again\","
			 "\"$ai_http_status\":529,");
}

static void put_event_of(const struct step *s, bool with_trace)
{
	bool as_text = below(10) < 7;

	put_text("{\"id\":");
	put_uuid(s);
	putf(",\"event\":\"$ai_generation\",\"timestamp\":\"%s\",\"properties\":{",
		s->time);
	if (with_trace)
		putf("\"$ai_trace_id\":\"bench-%" PRIu64 "\",", s->n / STEPS_A_TRACE);
	put_error(s);
	putf("\"$ai_model\":\"%s\",\"$ai_input\":", s->model);
	put_history(s, as_text);
	put_text(",\"$ai_output_choices\":");
	put_answer(s, as_text);
	putf(",\"$ai_input_tokens\":%" PRIu64 ",\"$ai_output_tokens\":%" PRIu64
	     ",\"$ai_total_cost_usd\":",
		s->input_tokens, s->output_tokens);
	put_cost(s);
	putf(",\"$ai_latency\":%s,\"$ai_span_name\":\"%s %" PRIu64 "\"}}", s->latency,
		s->name, s->n);
}

static void put_chain_event(const struct step *s)
{
	put_event_of(s, false);
}

static void put_event(const struct step *s)
{
	put_event_of(s, true);
}

/* The second column of the field map; tokens also as numeric text. */
static void put_simple_event(const struct step *s)
{
	put_text("{\"id\":");
	put_uuid(s);
	putf(",\"trace_id\":\"bench-%" PRIu64
	     "\",\"event\":\"ai_generation\",\"timestamp\":\"%s\","
	     "\"model\":\"%s\",\"name\":\"%s %" PRIu64 "\",\"latency\":%s,",
		s->n / STEPS_A_TRACE, s->time, s->model, s->name, s->n, s->latency);
	if (s->failed)
		put_text("\"error\":\"overloaded, try again\",");
	put_text("\"user_prompt\":");
	put_history(s, true);
	put_text(",\"assistant_response\":");
	put_answer(s, false);
	putf(below(8) ? ",\"input_tokens\":%" PRIu64 ",\"output_tokens\":%" PRIu64
			",\"total_cost\":"
		      : ",\"input_tokens\":\"%" PRIu64 "\",\"output_tokens\":\"%" PRIu64
			"\",\"total_cost\":",
		s->input_tokens, s->output_tokens);
	put_cost(s);
	put_text("}");
}

static void put_line_event(const struct step *s)
{
	if (below(10) < 4)
		put_simple_event(s);
	else
		put_event(s);
}

/* ---- formats ------------------------------------------------------------ */

struct format {
	const char *name;
	const char *head;
	const char *between;
	const char *tail;
	void (*put_step)(const struct step *s); /* NULL: not made of steps */
	bool errors;                            /* has a place for them */
	void (*write)(const struct options *o, struct totals *t);
};

/* How large the messages of a full thread may grow: one in eleven is long. */
static size_t thread_limit(const struct options *o)
{
	size_t mean = o->step_size;

	if (below(1000) < 95)
		return below(mean / 10 * LONGEST);
	return below(mean / 10 * 14);
}

/* What a step adds to its thread; without history that is all there is. */
static size_t step_bytes(const struct options *o)
{
	size_t mean = o->step_size;

	if (o->history)
		return mean / 20 + below(mean / 15 + 1);
	return mean / 5 + below(mean / 5 * 7 + 1);
}

/* Brings the thread to its next step, within the room; the answer included. */
static void thread_advance(struct thread *t, const struct options *o, size_t room)
{
	size_t most = room - STEP_FACTS;
	size_t size = step_bytes(o);
	size_t used = t->messages[1].size;

	if (!o->history || used > t->limit || used + size + size / 2 > most)
		thread_reset(t, thread_limit(o));
	else
		thread_keep_answer(t);
	if (size > most - most / 3)
		size = most - most / 3;
	thread_add(t, size - size / 8);
	thread_answer(t, size / 8);
}

static void write_steps(const struct options *o, struct totals *t)
{
	const struct format *f = o->format;
	struct thread thread = {0};
	struct step step = {.thread = &thread};

	put_text(f->head);
	while (written + 2 * STEP_FACTS < o->size) {
		thread_advance(&thread, o, (size_t)(o->size - written));
		step_facts(&step, t, f->errors);
		if (step.n > 0)
			put_text(f->between);
		f->put_step(&step);
	}
	put_text(f->tail);
	thread_done(&thread);
}

static void write_chat(const struct options *o, struct totals *t)
{
	struct thread thread = {0};
	bool first = true;

	put_text("{\"prompt\":[");
	while (written + 2 * STEP_FACTS < o->size) {
		size_t room = (size_t)(o->size - written);
		size_t size = 40 + below(o->step_size / 10 + 1);

		thread.messages[0].size = thread.messages[1].size = thread.count = 0;
		thread_add(&thread, size < room ? size : room / 2);
		thread_answer(&thread, 200);
		thread_keep_answer(&thread);
		if (!first)
			put_text(",");
		first = false;
		put_bytes(&thread.messages[0]);
	}
	put_text("],\"completion\":[{\"role\":\"assistant\",\"content\":\"Done.\"}]}\n");
	t->steps = 1;
	thread_done(&thread);
}

static void put_readings(void)
{
	put_text("\"readings\":[");
	for (size_t i = 0, count = below(12); i <= count; i++) {
		size_t value = below(1000), power = below(5);

		putf("%s%zu.%02zue-%zu", i ? "," : "", value / 100, value % 100, power);
	}
	put_text("]");
}

static void put_record(uint64_t n, struct bytes note[2])
{
	const char *station = PICK(subjects);
	size_t east = below(90000), north = below(180000);
	uint64_t serial = chance();

	note[0].size = note[1].size = 0;
	add_text(note, 40 + below(4000));
	putf("{\"n\":%" PRIu64 ",\"station\":\"%s\",\"at\":[%zu.%03zu,-%zu.%03zu],"
	     "\"serial\":%" PRIu64 ",\"gap\":null,\"empty\":[{},[]],\"note\":\"",
		n, station, east / 1000, east % 1000, north / 1000, north % 1000, serial);
	put_bytes(&note[0]);
	put_text("\",");
	put_readings();
	put_text(",\"packed\":\"{\\\"unit\\\": \\\"mm\\\", \\\"peak\\\": [1, 2.50]}\"}");
}

static void write_json(const struct options *o, struct totals *t)
{
	struct bytes note[2] = {{0}};

	put_text("{\"survey\":\"gauges\",\"records\":[");
	for (uint64_t n = 0; n == 0 || written + 2 * STEP_FACTS < o->size; n++) {
		if (n > 0)
			put_text(",");
		put_record(n, note);
	}
	put_text("]}\n");
	t->steps = 1;
	bytes_done(note);
}

static const struct format formats[] = {
	{.name = "rows",
		.head = "{\"results\":[",
		.between = ",",
		.tail = "]}\n",
		.put_step = put_row,
		.write = write_steps},
	{.name = "chain",
		.head = "{\"trace_id\":\"bench\",\"chain_name\":\"Bench\",\"events\":[",
		.between = ",",
		.tail = "]}\n",
		.put_step = put_chain_event,
		.errors = true,
		.write = write_steps},
	{.name = "events",
		.head = "[",
		.between = ",",
		.tail = "]\n",
		.put_step = put_event,
		.errors = true,
		.write = write_steps},
	{.name = "jsonl",
		.head = "",
		.between = "\n",
		.tail = "\n",
		.put_step = put_line_event,
		.errors = true,
		.write = write_steps},
	{.name = "chat", .write = write_chat},
	{.name = "json", .write = write_json},
};

/* ---- the command line ---------------------------------------------------- */

static const struct format *find_format(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	fail("no format ", name);
	return NULL;
}

static uint64_t parse_size(const char *text)
{
	char *end;
	uint64_t size = strtoull(text, &end, 10);
	char unit = *end;

	if (end == text || (unit && (!strchr("KMG", unit) || end[1])))
		fail("not a size: ", text);
	for (const char *u = "KMG"; unit && *u; u++) {
		size *= 1000;
		if (*u == unit)
			break;
	}
	return size;
}

static void set_option(struct options *o, const char *name, const char *value)
{
	if (strcmp(name, "--format") == 0)
		o->format = find_format(value);
	else if (strcmp(name, "--size") == 0)
		o->size = parse_size(value);
	else if (strcmp(name, "--step-size") == 0)
		o->step_size = (size_t)parse_size(value);
	else if (strcmp(name, "--seed") == 0)
		o->seed = strtoull(value, NULL, 10);
	else
		fail("no option ", name);
}

static void parse_options(struct options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--history") == 0) {
			o->history = true;
			continue;
		}
		if (i + 1 >= argc)
			fail("no value after ", argv[i]);
		set_option(o, argv[i], argv[i + 1]);
		i++;
	}
	if (o->step_size < 1000 || o->step_size > 1000000000)
		fail("a step has 1K to 1G", "");
}

int main(int argc, char **argv)
{
	static char buffer[1 << 20];
	struct options options = {
		.format = &formats[0], .size = 100000000, .step_size = 60000, .seed = 1};
	struct totals totals = {0};

	parse_options(&options, argc, argv);
	chance_state = (options.seed + 1) * UINT64_C(0x9E3779B97F4A7C15) | 1;
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	pool_make();
	options.format->write(&options, &totals);
	if (fflush(stdout) != 0)
		fail("cannot write: ", strerror(errno));
	totals_print(&totals);
	pool_done();
	return 0;
}
