/*
 * Writes synthetic traces for the benchmarks, in every format that the program reads.
 *
 *	generate --format FORMAT --size 100M [--step-size 60K] [--history] [--seed N] >
 *FILE
 *
 * FORMAT is rows, chain, events, jsonl, otlp (spans in one value) or claude (lines of a
 * session), of steps; single, chat, request, response or
 * json, which are one step of any size; sse, stream or chunks: responses as chat events,
 * server-sent or one a line, and as another vendor's chunks.
 *
 * Sizes take K, M and G, powers of ten.  The same arguments give the same bytes.
 * One line with the totals of what was written goes to standard error: a count of
 * steps, tokens, cost, latency and errors that no reader of JSON was needed for.
 *
 * A thread keeps its messages in both spellings.  With --history the messages stay from
 *step to step until the thread is full, and most threads stay short: sizes run from a few
 * kilobytes to six times the mean.  Without it every step begins anew.
 * The program stands alone: C11 and nothing else.
 */
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	STEPS_A_TRACE = 200, /* of events and lines; rows and chains are one trace */
	STEP_FACTS = 1500,   /* what a step needs beside its messages, at most */
	LONGEST = 63,        /* tenths of the mean that a full thread reaches */
};

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
	char ended[48];
	uint64_t start, end; /* ms since 2025 began */
};

static const char *const models[] = {"gpt-4o", "claude-sonnet-4", "gemini-2.5-flash",
	"mistral-large-2", "llama-3.3-70b"};
static const char *const names[] = {"Plan", "Search", "Read the log", "Compare", "Draft",
	"Prüfen", "Summarize", "翻訳"};

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
	s->start = t->latency + s->n * 250;
	s->end = s->start + latency;
	format_time(s->time, sizeof(s->time), s->start);
	format_time(s->ended, sizeof(s->ended), s->end);
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

#define YEAR_2025 UINT64_C(1735689600000) /* ms since 1970 */

static void put_attribute(const char *name, const char *text)
{
	putf("{\"key\":\"%s\",\"value\":{\"stringValue\":\"%s\"}},", name, text);
}

/* A span as OTLP writes it, with the attributes of the GenAI conventions. */
static void put_span(const struct step *s)
{
	putf("{\"traceId\":\"5b8aa5a2d2c872e8321cf37308d69df2\",\"spanId\":\"%016" PRIx64
	     "\",\"name\":\"%s %" PRIu64 "\",\"kind\":3,\"startTimeUnixNano\":\"%" PRIu64
	     "000000\",\"endTimeUnixNano\":\"%" PRIu64 "000000\",\"attributes\":[",
		s->id[0], s->name, s->n, YEAR_2025 + s->start, YEAR_2025 + s->end);
	put_attribute("gen_ai.operation.name", "chat");
	put_attribute("gen_ai.request.model", s->model);
	put_text("{\"key\":\"gen_ai.input.messages\",\"value\":{\"stringValue\":");
	put_history(s, true);
	put_text("}},{\"key\":\"gen_ai.output.messages\",\"value\":{\"stringValue\":");
	put_answer(s, true);
	putf("}},{\"key\":\"gen_ai.usage.input_tokens\",\"value\":{\"intValue\":"
	     "\"%" PRIu64 "\"}},{\"key\":\"gen_ai.usage.output_tokens\",\"value\":{"
	     "\"intValue\":\"%" PRIu64
	     "\"}},{\"key\":\"llm.cost.total\",\"value\":{\"doubleValue\":",
		s->input_tokens, s->output_tokens);
	put_cost(s);
	put_text("}}],\"status\":{\"code\":1}}");
}

/* What a session of Claude Code says of one turn: a result, and the answer. */
static void put_turn(const struct step *s)
{
	putf("{\"parentUuid\":null,\"isSidechain\":false,\"cwd\":\"/"
	     "bench\",\"sessionId\":"
	     "\"bench\",\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{"
	     "\"type\":\"tool_result\",\"tool_use_id\":\"toolu_%" PRIu64
	     "\",\"content\":\"",
		s->n);
	put_bytes(&s->thread->messages[1]);
	putf("\"}]},\"uuid\":\"u%" PRIu64 "\",\"timestamp\":\"%s\"}\n", s->n, s->time);
	putf("{\"parentUuid\":\"u%" PRIu64
	     "\",\"isSidechain\":false,\"cwd\":\"/bench\",\"sessionId\":\"bench\","
	     "\"type\":\"assistant\",\"message\":{\"id\":\"msg_%" PRIu64
	     "\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"%s\","
	     "\"content\":[{"
	     "\"type\":\"text\",\"text\":\"",
		s->n, s->n, s->model);
	put_bytes(&s->thread->answer[0]);
	putf("\"}],\"usage\":{\"input_tokens\":%" PRIu64 ",\"output_tokens\":%" PRIu64
	     "}},\"uuid\":\"a%" PRIu64 "\",\"timestamp\":\"%s\"}",
		s->input_tokens, s->output_tokens, s->n, s->ended);
}

/* ---- formats ------------------------------------------------------------ */

struct response;

struct format {
	const char *name;
	const char *head;
	const char *between;
	const char *tail;
	/* one of these says what it is made of */
	void (*put_step)(const struct step *s);
	void (*put_item)(struct thread *t, uint64_t n, size_t size);
	void (*put_response)(struct response *r, size_t size);
	struct totals totals; /* of items */
	bool errors;          /* has a place for them */
	bool timed; /* its steps tell when they began, so that a chain's time is from the
		       first start to the last end */
	bool free;  /* no cost stands in it */
	bool sse;   /* events are server-sent, else lines */
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
	if (f->timed && t->steps)
		t->latency += 250 * (t->steps - 1);
	if (f->free)
		t->cost = 0;
	thread_done(&thread);
}

/* ---- one value of many items ---- */

static void put_messages(struct thread *t, uint64_t n, size_t size)
{
	(void)n;
	t->messages[0].size = t->messages[1].size = t->count = 0;
	thread_add(t, size);
	thread_answer(t, 200);
	thread_keep_answer(t);
	put_bytes(&t->messages[0]);
}

static void put_tool_history(struct thread *t, uint64_t n, size_t size)
{
	thread_answer(t, size);
	putf("{\"tool_name\":\"look_up\",\"input\":{\"page\":%" PRIu64 "},\"output\":\"",
		n);
	put_bytes(&t->answer[0]);
	put_text("\"}");
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

static void put_record(struct thread *t, uint64_t n, size_t size)
{
	const char *station = pool_subject();
	size_t east = below(90000), north = below(180000);
	uint64_t serial = chance();

	thread_answer(t, size);
	putf("{\"n\":%" PRIu64 ",\"station\":\"%s\",\"at\":[%zu.%03zu,-%zu.%03zu],"
	     "\"serial\":%" PRIu64 ",\"gap\":null,\"empty\":[{},[]],\"note\":\"",
		n, station, east / 1000, east % 1000, north / 1000, north % 1000, serial);
	put_bytes(&t->answer[0]);
	put_text("\",");
	put_readings();
	put_text(",\"packed\":\"{\\\"unit\\\": \\\"mm\\\", \\\"peak\\\": [1, 2.50]}\"}");
}

static void write_items(const struct options *o, struct totals *t)
{
	struct thread thread = {0};

	put_text(o->format->head);
	for (uint64_t n = 0; n == 0 || written + 2 * STEP_FACTS < o->size; n++) {
		size_t size = 40 + below(o->step_size / 10 + 1);
		uint64_t room = o->size > written ? o->size - written : 0;

		if (n > 0)
			put_text(",");
		o->format->put_item(&thread, n, size < room ? size : (size_t)room / 2);
	}
	put_text(o->format->tail);
	*t = o->format->totals;
	thread_done(&thread);
}

/* ---- streams of events ---- */

struct response {
	const struct options *options;
	uint64_t n;
	struct bytes piece[2], message[2];
	bool failed;
};

static void begin_event(const struct response *r, const char *type)
{
	if (r->options->format->sse)
		putf("event: %s\ndata: ", type);
	putf("{\"type\":\"%s\"", type);
}

static void end_event(const struct response *r)
{
	put_text(r->options->format->sse ? "}\n\n" : "}\n");
}

/* A piece of the text, in whole sentences. */
static void next_piece(struct response *r)
{
	r->piece[0].size = r->piece[1].size = 0;
	add_text(r->piece, 20 + below(160));
	bytes_add(&r->message[0], r->piece[0].data, r->piece[0].size);
}

static void put_tool_events(const struct response *r)
{
	size_t id = below(1000000);

	begin_event(r, "tool_start");
	putf(",\"tool\":\"look_up\",\"input\":{\"page\":%zu},\"tool_use_id\":\"tu_%zu\"",
		id % 900, id);
	end_event(r);
	begin_event(r, "tool_progress");
	put_text(",\"tool\":\"look_up\",\"stage\":\"reading\",\"progress\":0.5");
	end_event(r);
	begin_event(r, "tool_complete");
	putf(",\"tool\":\"look_up\",\"index\":0,\"tool_use_id\":\"tu_%zu\"", id);
	end_event(r);
}

static void put_chat_events(struct response *r, size_t size)
{
	begin_event(r, "status");
	put_text(",\"message\":\"Reading\"");
	end_event(r);
	while (r->message[0].size < size / 3) {
		if (below(30) == 0)
			put_tool_events(r);
		next_piece(r);
		begin_event(r, "text_delta");
		put_text(",\"text\":\"");
		put_bytes(&r->piece[0]);
		put_text("\"");
		end_event(r);
	}
	begin_event(r, r->failed ? "error" : "complete");
	if (r->failed) {
		put_text(",\"message\":\"overloaded, try again\"");
	} else {
		put_text(",\"payload\":{\"message\":\"");
		put_bytes(&r->message[0]);
		putf("\",\"conversation_id\":%" PRIu64 "}", r->n);
	}
	end_event(r);
}

static void put_chunk(const struct response *r, const char *rest)
{
	putf("data: {\"id\":\"cmpl-%" PRIu64
	     "\",\"object\":\"chat.completion.chunk\",\"created\":1748851200,"
	     "\"model\":\"gpt-4o\",%s",
		r->n, rest);
}

static void put_chunks(struct response *r, size_t size)
{
	put_chunk(
		r, "\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\"}}]}\n\n");
	while (r->message[0].size < size / 3) {
		next_piece(r);
		put_chunk(r, "\"choices\":[{\"index\":0,\"delta\":{\"content\":\"");
		put_bytes(&r->piece[0]);
		put_text("\"}}]}\n\n");
	}
	put_chunk(r, "\"choices\":[],\"usage\":{");
	putf("\"prompt_tokens\":100,\"completion_tokens\":%zu}}\n\n",
		r->message[0].size / 4);
	put_text("data: [DONE]\n\n");
}

static void write_streams(const struct options *o, struct totals *t)
{
	struct response r = {.options = o};

	while (written + 2 * STEP_FACTS < o->size) {
		uint64_t room = o->size - written;
		size_t size = step_bytes(o);

		r.n = t->steps++;
		r.message[0].size = 0;
		r.failed = o->format->errors && below(97) == 0;
		o->format->put_response(&r, size < room ? size : (size_t)room / 2);
		t->errors += r.failed;
		if (o->format->put_response != put_chunks)
			continue;
		t->input_tokens += 100;
		t->output_tokens += r.message[0].size / 4;
	}
	bytes_done(r.piece);
	bytes_done(r.message);
}

/* ---- the table ---- */

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
	{.name = "otlp",
		.head = "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[",
		.between = ",",
		.tail = "]}]}]}\n",
		.put_step = put_span,
		.timed = true,
		.write = write_steps},
	{.name = "claude",
		.head = "",
		.between = "\n",
		.tail = "\n",
		.put_step = put_turn,
		.timed = true,
		.free = true,
		.write = write_steps},
	{.name = "single",
		.head = "{\"id\":\"one\",\"event\":\"$ai_generation\","
			"\"timestamp\":\"2025-06-02T08:14:05Z\",\"properties\":{"
			"\"$ai_model\":\"gpt-4o\",\"$ai_input\":[",
		.tail = "],\"$ai_output_choices\":[{\"content\":\"Done.\"}],"
			"\"$ai_input_tokens\":1000,\"$ai_output_tokens\":20,"
			"\"$ai_total_cost_usd\":0.0027,\"$ai_latency\":4.2}}\n",
		.put_item = put_messages,
		.totals = {1, 1000, 20, 2700, 4200, 0},
		.write = write_items},
	{.name = "chat",
		.head = "{\"prompt\":[",
		.tail = "],\"completion\":[{\"role\":\"assistant\",\"content\":\"Done.\"}"
			"]}\n",
		.put_item = put_messages,
		.totals = {.steps = 1},
		.write = write_items},
	{.name = "request",
		.head = "{\"message\":\"Go "
			"on.\",\"context\":{\"current_page\":\"table_view\"},"
			"\"conversation_history\":[",
		.tail = "]}\n",
		.put_item = put_messages,
		.totals = {.steps = 1},
		.write = write_items},
	{.name = "response",
		.head = "{\"message\":\"Done.\",\"tool_history\":[",
		.tail = "],\"conversation_id\":7}\n",
		.put_item = put_tool_history,
		.totals = {.steps = 1},
		.write = write_items},
	{.name = "json",
		.head = "{\"survey\":\"gauges\",\"records\":[",
		.tail = "]}\n",
		.put_item = put_record,
		.totals = {.steps = 1},
		.write = write_items},
	{.name = "sse",
		.put_response = put_chat_events,
		.sse = true,
		.errors = true,
		.write = write_streams},
	{.name = "stream",
		.put_response = put_chat_events,
		.errors = true,
		.write = write_streams},
	{.name = "chunks",
		.put_response = put_chunks,
		.sse = true,
		.write = write_streams},
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
	chance_begin(options.seed);
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	pool_make();
	options.format->write(&options, &totals);
	if (fflush(stdout) != 0)
		fail("cannot write: ", strerror(errno));
	totals_print(&totals);
	pool_done();
	return 0;
}
