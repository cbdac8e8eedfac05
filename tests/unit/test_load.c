/*
 * Loading: which format a text is, where its steps are, what is lifted from them, and how
 * damage, cuts and slow streams are met.
 *
 * A model is written down in short and compared with a table: the format, then of each
 * chain its trace id ("~": generated), its name behind "/", and its steps: ">" for each
 * level, the title, and behind "!" what is odd about it (the letters of `marks`).
 */
#include "config.h"
#include <criterion/criterion.h>

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/work.h"
#include "import/load.h"
#include "import/open.h"
#include "json/json.h"

#include "chance.h"
#include "loaded.h"

/* More with the sanitizers off, at leisure: -DPREFIX_STEP=1 -DFLIPS=100000 */
#ifndef PREFIX_STEP
#define PREFIX_STEP 13
#endif
#ifndef FLIPS
#define FLIPS 250
#endif

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static const struct {
	uint32_t flag;
	char letter;
} marks[] = {
	{STEP_ERROR, 'e'},
	{STEP_BROKEN, 'b'},
	{STEP_CUT, 'c'},
	{STEP_STRANGER, 's'},
	{STEP_SHORT, 'r'},
	{STEP_BARE, 'v'},
	{STEP_ORPHAN, 'o'},
	{STEP_CYCLE, 'y'},
};

/* ---- a model in short ---- */

static void put_step(struct trace *trace, size_t position, struct buf *out)
{
	uint32_t index = trace_at(trace, position);
	uint32_t flags = trace_step(trace, index).flags;
	bool odd = false;

	buf_byte(out, ' ');
	buf_fill(out, '>', trace_depth(trace, position));
	step_title(trace, index, out);
	for (size_t i = 0; i < COUNT(marks); i++)
		if (flags & marks[i].flag) {
			buf_text(out, odd ? "" : "!");
			buf_byte(out, marks[i].letter);
			odd = true;
		}
}

static void put_short(struct trace *trace, struct buf *out)
{
	buf_text(out, trace->format);
	for (size_t c = 0; c < trace->chain_count; c++) {
		const struct chain *chain = &trace->chains[c];

		buf_text(out, "; ");
		if (chain->generated)
			buf_byte(out, '~');
		else
			buf_str(out, trace_text(trace, chain->trace_id));
		if (chain->name != NO_TEXT) {
			buf_byte(out, '/');
			buf_str(out, trace_text(trace, chain->name));
		}
		buf_byte(out, ':');
		for (size_t i = 0; i < chain->count; i++)
			put_step(trace, chain->first + i, out);
	}
}

/* Everything that a model and its loader know, to the last digit. */
static void put_all(const struct loaded *x, struct buf *out)
{
	struct trace *trace = x->trace;
	size_t count;
	const struct load_note *notes = load_notes(x->loader, &count);

	put_short(trace, out);
	for (size_t c = 0; c < trace->chain_count; c++)
		buf_printf(out, "\nchain %.*s %zu+%zu",
			(int)trace_text(trace, trace->chains[c].trace_id).n,
			trace_text(trace, trace->chains[c].trace_id).p,
			trace->chains[c].first, trace->chains[c].count);
	for (size_t i = 0; i < trace->count; i++) {
		struct step step = trace_step(trace, i), *s = &step;

		buf_printf(out,
			"\n%" PRIu64 "+%" PRIu64 " %.17g %.17g %.17g %.17g %.17g %" PRIx64
			" %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIx32,
			s->offset, s->length, s->timestamp, s->input_tokens,
			s->output_tokens, s->cost, s->latency, s->parent_key, s->parent,
			s->name_at, s->name_len, s->flags);
	}
	for (size_t i = 0; i < count; i++)
		buf_printf(out, "\nnote %" PRIu64 " %s", notes[i].offset, notes[i].text);
	buf_printf(out, "\n%" PRIu64 " %" PRIu64 " %.17g %.17g %.17g %.17g\n",
		trace->totals.steps, trace->totals.errors, trace->totals.input_tokens,
		trace->totals.output_tokens, trace->totals.cost, trace->totals.latency);
}

/* Whatever was loaded, every step lies in the source, stands in the order once, and can
 * be opened. */
static void expect_sound(const struct loaded *x, const char *what)
{
	struct trace *trace = x->trace;
	uint64_t size = inputs_size(trace->inputs);
	size_t in_chains = 0;

	cr_assert(trace->format, "%s", what);
	cr_assert_eq(trace->order_count, trace->count, "%s", what);
	for (size_t c = 0; c < trace->chain_count; c++) {
		cr_assert_eq(trace->chains[c].first, in_chains, "%s", what);
		cr_assert_lt(trace->chains[c].scope, trace->scope_count, "%s", what);
		in_chains += trace->chains[c].count;
	}
	cr_assert_eq(in_chains, trace->count, "%s", what);
	for (uint32_t i = 0; i < trace->count; i++) {
		struct step step = trace_step(trace, i), *s = &step;

		cr_assert(s->offset <= size && s->length <= size - s->offset,
			"%s: step %u of %zu", what, i, trace->count);
		if (trace->count < 200)
			step_content_free(step_content_new(trace, i));
	}
}

struct row {
	const char *text, *want;
};

/* ---- the same bytes by a slow pipe ---- */

static struct loaded load_dribbled(struct str text, size_t piece)
{
	struct err err = {0};
	struct loaded x = {0};
	size_t at = 0;
	int ends[2];

	cr_assert(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
	close(ends[0]);
	x.trace = trace_of_source(source_open("-", &err));
	x.loader = load_begin(x.trace, NULL);
	for (;;) {
		enum task_state status = load_run(x.loader, 0, SIZE_MAX);
		size_t n = piece < text.n - at ? piece : text.n - at;

		cr_assert_leq(x.trace->order_count, x.trace->count);
		if (status == TASK_DONE)
			break;
		if (status == TASK_MORE)
			continue;
		if (at < text.n)
			cr_assert_eq(write(ends[1], text.p + at, n), (ssize_t)n);
		else if (ends[1] >= 0)
			ends[1] = close(ends[1]) - 1;
		at += n;
		cr_assert(load_pump(x.loader, &err));
	}
	err_done(&err);
	return x;
}

static void expect_same_dribbled(struct str text, size_t piece)
{
	struct loaded a = load_text_as(text, NULL), b = load_dribbled(text, piece);
	struct buf x = BUF_INIT, y = BUF_INIT;

	put_all(&a, &x);
	put_all(&b, &y);
	cr_expect(str_equal(buf_view(&x), buf_view(&y)),
		"%.*s\n in pieces of %zu gives %s\n not %s",
		text.n < 2000 ? (int)text.n : 40, text.p, piece, y.data, x.data);
	unload(&a);
	unload(&b);
	buf_done(&x);
	buf_done(&y);
}

static void expect_short(const char *text, const char *from, const char *want)
{
	struct loaded x = load_text_as(str_of(text), from);
	struct buf out = BUF_INIT;

	put_short(x.trace, &out);
	cr_expect(str_equal(buf_view(&out), str_of(want)), "%s\n gives %s\n   not %s",
		text, out.data, want);
	expect_sound(&x, text);
	unload(&x);
	buf_done(&out);
}

static void expect_rows(const struct row rows[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		expect_short(rows[i].text, NULL, rows[i].want);
	for (size_t i = 0; i < count; i++) {
		expect_same_dribbled(str_of(rows[i].text), 1);
		expect_same_dribbled(str_of(rows[i].text), 17);
	}
}

#define ROW13(id, name)                                                                  \
	"[\"" id                                                                         \
	"\",\"e\",\"2024-01-01T00:00:00Z\",\"m\",\"q\",\"a\",1,2,0.5,\"1s\",\"" name     \
	"\",\"\",null]"
#define MESSAGE "{\"role\":\"user\",\"content\":\"hi\"}"

#define DELTA  "{\"type\":\"text_delta\",\"text\":\"a\"}"
#define STATUS "{\"type\":\"status\",\"message\":\"m\"}"
#define ERROR  "{\"type\":\"error\",\"message\":\"m\"}"
#define FINAL  "{\"type\":\"complete\",\"payload\":{\"message\":\"a\"}}"
#define FINAL7                                                                           \
	"{\"type\":\"complete\",\"payload\":{\"message\":\"a\",\"conversation_id\":7}}"
#define CHUNK(id)                                                                        \
	"data: {\"id\":\"" id "\",\"object\":\"chat.completion.chunk\",\"model\":\"m\"," \
	"\"choices\":[{\"delta\":{"                                                      \
	"\"content\":\"x\"}}]}\n\n"

/* lines of vendors' chunks */
#define PIECE(id)                                                                        \
	"{\"id\":\"" id "\",\"object\":\"chat.completion.chunk\",\"model\":\"m" id "\"," \
	"\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n"
#define LAST_PIECE(id)                                                                   \
	"{\"id\":\"" id                                                                  \
	"\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":"               \
	"{},\"finish_reason\":\"stop\"}]}\n"
#define CLAUDE(id)                                                                       \
	"{\"type\":\"message_start\",\"message\":{\"id\":\"" id                          \
	"\",\"model\":\"c\"}}\n{\"type\":\"ping\"}\n"
#define BLOCK                                                                            \
	"{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"text\":\"a\"}}\n"
#define STOP "{\"type\":\"message_stop\"}\n"
#define CREATED(id)                                                                      \
	"{\"type\":\"response.created\",\"response\":{\"id\":\"" id                      \
	"\",\"object\":\"response\",\"model\":\"r\"}}\n"
#define ADDED "{\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{}}\n"
#define GEMINI(id)                                                                       \
	"{\"candidates\":[{\"content\":{},\"finishReason\":\"STOP\"}],"                  \
	"\"modelVersion\":\"g\",\"responseId\":\"" id "\"}\n"
#define BEDROCK "{\"contentBlockDelta\":{\"delta\":{\"text\":\"a\"}}}\n"

/* ---- detection ---- */

Test(load, detection)
{
	static const struct row rows[] = {
		/* posthog-rows */
		{"{\"results\":[" ROW13("1", "x") "," ROW13("2", "y") "]}",
			"posthog-rows; ~: x y"},
		{"{\"results\":[{\"id\":1,\"name\":\"x\"}]}", "posthog-rows; ~: x"},
		{"{\"results\":[{\"id\":1,\"name\":\"x\"}," ROW13("2", "y") "]}",
			"posthog-rows; ~: x y"},
		{"{\"results\":[{\"name\":\"x\"}]}", "json; ~: step!v"},
		{"{\"results\":[1,2]}", "json; ~: step!v"},
		{"{\"results\":[1,2],\"chain_name\":\"c\"}",
			"posthog-rows; ~/c: step!sv step!sv"},
		{"{\"results\":{\"id\":1}}", "json; ~: step!v"},
		{ROW13("1", "x"), "posthog-rows; ~: x"},
		{"[1,\"e\",null,4,5,6,7,8,9,10,\"x\",12,13,14]", "posthog-rows; ~/12: x"},
		{"[1,\"e\",\"no time\",4,5,6,7,8,9,10,\"x\",12,13]", "json; ~: step!v"},
		{"[1,\"e\",null,4,5,6,7,8,9,10,\"x\",12]", "json; ~: step!v"},
		{"[1,2,null,4,5,6,7,8,9,10,\"x\",12,13]", "json; ~: step!v"},
		/* chain-object */
		{"{\"events\":[{\"name\":\"x\"},{\"name\":\"y\"}]}",
			"chain-object; ~: x y"},
		{"{\"chain_events\":[{\"name\":\"x\"}]}", "chain-object; ~: x"},
		{"{\"chainEvents\":[{\"name\":\"x\"}]}", "chain-object; ~: x"},
		{"{\"events\":null,\"chain_events\":[{\"name\":\"x\"}]}",
			"chain-object; ~: x"},
		{"{\"events\":\"\",\"chain_events\":[{\"name\":\"x\"}]}",
			"chain-object; ~: x"},
		{"{\"events\":[],\"chain_events\":[{\"name\":\"x\"}]}",
			"chain-object; ~: x"},
		{"{\"chain_events\":[{\"name\":\"x\"}],\"events\":[]}",
			"chain-object; ~: x"},
		{"{\"chain_events\":[{\"name\":\"x\"}],\"events\":[{\"name\":\"y\"}]}",
			"chain-object; ~: y"},
		{"{\"events\":[{\"name\":\"y\"}],\"chain_events\":[{\"name\":\"x\"}]}",
			"chain-object; ~: y"},
		{"{\"events\":5,\"chain_events\":[{\"name\":\"x\"}]}", "json; ~: step!v"},
		{"{\"events\":[1,{\"name\":\"x\"},[2]]}",
			"chain-object; ~: step!sv x step!sv"},
		/* results before events, wherever they stand */
		{"{\"events\":[{\"id\":1,\"name\":\"x\"}],\"results\":[{\"id\":1,"
		 "\"name\":\"y\"}]}",
			"posthog-rows; ~: y"},
		{"{\"results\":[{\"id\":1,\"name\":\"y\"}],\"events\":[{\"id\":1,"
		 "\"name\":\"x\"}]}",
			"posthog-rows; ~: y"},
		{"{\"results\":[],\"events\":[{\"id\":1,\"name\":\"x\"}]}",
			"chain-object; ~: x"},
		{"{\"events\":[{\"id\":1,\"name\":\"x\"}],\"results\":[]}",
			"chain-object; ~: x"},
		{"{\"results\":[1],\"events\":[{\"id\":1,\"name\":\"x\"}]}",
			"chain-object; ~: x"},
		/* empty ones: a chain, unless a chat is there */
		{"{\"events\":[]}", "chain-object; ~:"},
		{"{\"results\":[]}", "posthog-rows; ~:"},
		{"{\"chain_events\":[],\"trace_id\":\"t\"}", "chain-object; t:"},
		{"{\"events\":[],\"chain_name\":\"c\",\"messages\":[" MESSAGE "]}",
			"chat-value; ~: step!v"},
		{"{\"events\":[],\"messages\":[" MESSAGE "]}", "chat-value; ~: step!v"},
		{"{\"results\":[],\"trace_id\":\"t\",\"messages\":[" MESSAGE "]}",
			"chat-value; ~: step!v"},
		{"{\"events\":[],\"user_prompt\":\"q\",\"name\":\"x\"}",
			"single-event; ~: x"},
		{"{\"events\":null}", "json; ~: step!v"},
		/* single-event */
		{"{\"properties\":{\"$ai_model\":\"x\"}}", "single-event; ~: x"},
		{"{\"user_prompt\":\"q\",\"model\":\"x\"}", "single-event; ~: x"},
		{"{\"assistantResponse\":\"q\",\"model\":\"x\"}", "single-event; ~: x"},
		{"{\"id\":1,\"model\":\"x\"}", "json; ~: step!v"},
		{"{\"properties\":{\"other\":1}}", "json; ~: step!v"},
		{"{\"properties\":\"$ai_model\"}", "json; ~: step!v"},
		/* event-array and conversations */
		{"[{\"id\":1,\"name\":\"x\"},{\"event\":\"e\"}]", "event-array; ~: x e"},
		{"[{\"id\":1,\"name\":\"x\"},{\"event\":\"e\"},{\"uuid\":1},5,{\"z\":1}]",
			"event-array; ~: x e step step!sv step"},
		{"[{\"name\":\"x\"},{\"id\":1}]", "json; ~: step!v"},
		{"[" MESSAGE "]", "chat-value; ~: step!v"},
		{"[{\"id\":1,\"role\":\"user\",\"content\":\"hi\"}]",
			"chat-value; ~: step!v"},
		{"[{\"id\":1,\"timestamp\":2,\"uuid\":3,\"role\":\"user\",\"content\":"
		 "\"hi\"},4]",
			"chat-value; ~: step!v"},
		{"[{\"id\":1,\"event\":\"e\",\"role\":\"user\",\"content\":\"hi\"}]",
			"event-array; ~: e"},
		{"[{\"id\":1,\"role\":\"user\",\"content\":\"hi\",\"properties\":{}}]",
			"event-array; ~: step"},
		{"[{\"id\":1,\"role\":\"user\",\"content\":\"hi\"},{\"id\":2},{\"id\":3}"
		 "]",
			"event-array; ~: step step step"},
		{"[{\"id\":1,\"role\":\"u\",\"text\":\"\"},{\"id\":2,\"role\":\"u\","
		 "\"text\":\"\"},{\"id\":3,"
		 "\"role\":\"u\",\"text\":\"\"},{\"id\":4,\"event\":\"e\"}]",
			"event-array; ~: step step step e"},
		{"[]", "json; ~: step!v"},
		{"[[1]]", "json; ~: step!v"},
		/* chat-value, json */
		{MESSAGE, "chat-value; ~: step!v"},
		{"{\"prompt\":[" MESSAGE "]}", "chat-value; ~: step!v"},
		{"{\"data\":{\"inputs\":{\"messages\":[" MESSAGE "]}}}",
			"chat-value; ~: step!v"},
		{"{\"choices\":[{\"message\":" MESSAGE "}]}", "chat-value; ~: step!v"},
		{"{}", "json; ~: step!v"},
		{"5", "json; ~: step!v"},
		{"\"text\"", "json; ~: step!v"},
		{"null", "json; ~: step!v"},
		{"-1.5e3", "json; ~: step!v"},
		{"NaN", "json; ~: step!v"},
		{"\xEF\xBB\xBF{\"events\":[{\"name\":\"x\"}]}", "chain-object; ~: x"},
		{"\xEF\xBB\xBF \n[{\"id\":1,\"name\":\"x\"}]", "event-array; ~: x"},
	};

	expect_rows(rows, COUNT(rows));
}

Test(load, forced_formats)
{
	static const struct {
		const char *text, *want, *from;
	} rows[] = {
		{"[{\"name\":\"x\"},2]", "event-array; ~: x step!sv", "event-array"},
		{"[" MESSAGE "]", "event-array; ~: step", "event-array"},
		{"{\"a\":1}", "event-array; ~: step!v", "event-array"},
		{"[" ROW13("1", "x") "," ROW13("2", "y") "]", "posthog-rows; ~: x y",
			"posthog-rows"},
		{"{\"results\":[[1]]}", "posthog-rows; ~: step!rv", "posthog-rows"},
		{"{\"results\":[]}", "posthog-rows; ~:", "posthog-rows"},
		{"{\"events\":[{\"id\":1,\"name\":\"x\"}],\"results\":[{\"id\":1,"
		 "\"name\":\"y\"}]}",
			"chain-object; ~: x", "chain-object"},
		{"{\"events\":[{\"name\":\"x\"}]}", "json; ~: step!v", "json"},
		{"[{\"id\":1}]", "chat-value; ~: step!v", "chat-value"},
		{"{\"name\":\"x\"}", "single-event; ~: x", "single-event"},
		{"{\"id\":1,\"name\":\"x\"}", "json-lines; ~: x", "json-lines"},
		{"{\"events\":[]}\n{\"events\":[{\"name\":\"x\"}]}",
			"json-lines; ~:; ~: x", "json-lines"},
		{"{\"a\":1}\n[2]\n", "chat-stream; ~: step", "chat-stream"},
		{"{\"a\":1}\n\n: c\ndata: x\n\n", "sse-stream; ~: step", "sse-stream"},
		{"{\"a\":1}", "sse-stream; ~: cut!cv", "sse-stream"},
		{"data: " FINAL "\n\n", "json; ~: unreadable!bv", "json"},
		{"{\"message\":\"q\"}", "chat-request; ~: chat-request", "chat-request"},
		{"[]", "chat-response; ~: step!v", "chat-response"},
		{"{\"message\":\"q\",\"context\":{}}", "json; ~: step!v", "json"},
		{DELTA, "json; ~: step!v", "json"},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		expect_short(rows[i].text, rows[i].from, rows[i].want);
}

Test(load, server_sent_events)
{
	static const struct row rows[] = {
		{"data: " DELTA "\n\ndata: " FINAL "\n\ndata: " STATUS "\n\ndata: " ERROR
		 "\n\n",
			"sse-stream; ~: complete error!e"},
		{"data: " DELTA "\n\ndata: {\"type\":\"cancelled\"}\n\n",
			"sse-stream; ~: cancelled"},
		{"data: " DELTA "\n\ndata: " FINAL7 "\n\ndata: " DELTA "\n\n",
			"sse-stream; 7: complete cut!c"},
		/* by the name of the event alone */
		{"event: text_delta\ndata: {\"text\":\"a\"}\n\nevent: complete\ndata: {}"
		 "\n\nevent: error\ndata: boom\n\n",
			"sse-stream; ~: complete error!e"},
		/* what ends with the file makes no event */
		{"data: " DELTA "\n\ndata: " FINAL "\n", "sse-stream; ~: complete"},
		{"data: " DELTA "\n\ndata: " FINAL "\n\nevent: x",
			"sse-stream; ~: complete cut!cv"},
		{"data: " DELTA "\n", "sse-stream; ~: cut!c"},
		/* comments and [DONE] go to the response before them */
		{"data: " FINAL "\n\n: bye\n\n:\n", "sse-stream; ~: complete"},
		{"data: " FINAL "\n\ndata: [DONE]\n\ndata: " FINAL "\n\n",
			"sse-stream; ~: complete complete"},
		{CHUNK("1") "data: [DONE]", "sse-stream; ~: m"},
		{"data: [DONE]\n\n", "sse-stream; ~: step"},
		/* other vendors' responses */
		{CHUNK("1") CHUNK("1") "data: [DONE]\n\n" CHUNK("1") "data: [DONE]\n\n",
			"sse-stream; ~: m m"},
		{CHUNK("1") CHUNK("1") CHUNK("2"), "sse-stream; ~: m!c m!c"},
		{"data: "
		 "{\"type\":\"message_start\",\"message\":{\"id\":\"1\",\"model\":\"x\"}"
		 "}\n\ndata: {\"type\":\"message_stop\"}\n\ndata: "
		 "{\"type\":\"message_start\","
		 "\"message\":{\"id\":\"2\",\"model\":\"y\"}}\n\ndata: "
		 "{\"type\":\"message_"
		 "start\",\"message\":{\"id\":\"2\"}}\n\ndata: "
		 "{\"type\":\"message_start\","
		 "\"message\":{\"id\":\"3\",\"model\":\"z\"}}\n\n",
			"sse-stream; ~: x y!c z!c"},
		{"data: "
		 "{\"type\":\"response.created\",\"response\":{\"id\":\"1\"}}\n\ndata: "
		 "{\"type\":\"response.failed\",\"response\":{\"error\":{\"message\":"
		 "\"m\"}}}"
		 "\n\n",
			"sse-stream; ~: response.failed!e"},
		/* it comes behind an error, too */
		{"data: "
		 "{\"type\":\"response.created\",\"response\":{\"id\":\"1\"}}\n\ndata: "
		 "{\"type\":\"error\",\"message\":\"m\"}\n\ndata: {\"type\":"
		 "\"response.failed\",\"response\":{\"id\":\"1\"}}\n\ndata: " FINAL
		 "\n\n",
			"sse-stream; ~: error!e complete"},
		{"data: {\"candidates\":[{}],\"modelVersion\":\"g\"}\n\ndata: "
		 "{\"candidates\":[{\"finishReason\":\"STOP\"}]}\n\n",
			"sse-stream; ~: g"},
		{"data: hello\n\ndata: 5\n\n", "sse-stream; ~: step"},
		/* what may stand in front */
		{"\xEF\xBB\xBF\n\n: hi\nid: 1\nretry: 5\ndata: " FINAL "\n\n",
			"sse-stream; ~: complete"},
		{"\n \n\ndata: " FINAL "\n\n", "sse-stream; ~: complete"},
		{"\xEF\xBB\xBF{\"a\":1}", "json; ~: step!v"},
		{"HTTP/1.1 200 OK\r\nDate: x\r\n\r\ndata: " FINAL "\r\n\r\n",
			"sse-stream; ~: complete"},
		{"# tests/x.sse\nevent: a\ndata: " FINAL "\n\n",
			"sse-stream; ~: complete"},
		{"data: " DELTA "\rdata\r\rdata: " FINAL "\r\r",
			"sse-stream; ~: complete"},
		/* with times in front of the lines */
		{"12:00:01.5 data: " DELTA "\n12:00:01.6 \n12:00:02 : ping\n12:00:02\n"
		 "12:00:03 event: complete\r\n12:00:03 data: {}\r\n12:00:03\r\n"
		 "12:00:04 data: " FINAL "\n12:00:04\n",
			"sse-stream; ~: complete complete"},
		{"[+0.25s]\tdata: " FINAL "\n\n", "sse-stream; ~: complete"},
		{"Nov 22 02:49:18 data: " DELTA "\n", "sse-stream; ~: cut!c"},
		{"12:00 : hi\n12:00 id: 1\n12:00\n12:01 data: " FINAL "\n12:02\n",
			"sse-stream; ~: complete"},
		{"1\n2\n3 data: x\n", "transcript; ~: step"},
		{"12:00 data\n", "transcript; ~: step"},
		{"12:00 id: 1\n", "transcript; ~: step"},
		{"data: 12 data: " FINAL "\n\n", "sse-stream; ~: step"},
		{"[1,2,3]\n", "json; ~: step!v"},
		/* no event: no such stream */
		{"id: 1\n", "transcript; ~: step"},
		{": comment\n", "transcript; ~: step"},
		{"id: 1\nname: x\n", "transcript; ~: step"},
		{"data\n\n", "transcript; ~: step"},
		{"HTTP/1.1 200 OK\n\n{\"a\":1}", "json-lines; ~: unreadable!bv step!v"},
		{"\"data: x\"", "json; ~: step!v"},
	};

	expect_rows(rows, COUNT(rows));
}

Test(load, lines_of_a_chat_stream)
{
	static const struct row rows[] = {
		{DELTA, "chat-stream; ~: cut!c"},
		{STATUS "\n" DELTA "\n\n" FINAL "\r\n" DELTA "\n" ERROR,
			"chat-stream; ~: complete error!e"},
		{FINAL, "chat-stream; ~: complete"},
		{STATUS "\n" STATUS, "chat-stream; ~: cut!c"},
		{ERROR, "chat-stream; ~: error!e"},
		{DELTA "\n" FINAL7 "\n" DELTA "\n", "chat-stream; 7: complete cut!c"},
		{"\xEF\xBB\xBF" DELTA "\n" FINAL, "chat-stream; ~: complete"},
		/* a cut last line is no event; one that is broken inside is */
		{DELTA "\n" FINAL "\n{\"type\":\"tex", "chat-stream; ~: complete cut!cv"},
		{DELTA "\n{\"type\":\"text_delta\",\"text\":\"b\n" FINAL,
			"chat-stream; ~: complete"},
		{DELTA "\njunk\n" FINAL, "chat-stream; ~: complete"},
		/* what else a stream says stays in its response, as long as it is open */
		{DELTA "\n{\"type\":\"heartbeat\"}\n" FINAL, "chat-stream; ~: complete"},
		{FINAL "\n{\"type\":\"heartbeat\"}\n" FINAL,
			"json-lines; ~: complete step!v complete"},
		{DELTA "\n{\"a\":1}\n" FINAL, "json-lines; ~: cut!c step!v complete"},
		/* but not what has the keys of an event, which those before it have not
		 */
		{DELTA "\n{\"type\":\"user\",\"uuid\":1}\n{\"type\":\"user\",\"uuid\":2}",
			"json-lines; ~: cut!c step step"},
		{"{\"type\":\"text_delta\",\"id\":1}\n{\"type\":\"heartbeat\",\"id\":2}"
		 "\n" FINAL,
			"chat-stream; ~: complete"},
		{DELTA "\n" FINAL "\n[1]\n" DELTA "\n" FINAL,
			"json-lines; ~: complete step!v complete"},
		{"{\"a\":1}\n" DELTA "\n" FINAL "\n{\"a\":1}",
			"json-lines; ~: step!v complete step!v"},
		{"{\"id\":1,\"name\":\"x\"}\n" DELTA "\n" FINAL,
			"json-lines; ~: x complete"},
		{"junk\n" DELTA "\n" FINAL, "json-lines; ~: unreadable!bv complete"},
		/* names that others use as well */
		{"{\"type\":\"error\",\"error\":{\"message\":\"m\"}}", "json; ~: step!v"},
		{"{\"type\":\"status\",\"message\":\"m\",\"events\":[{\"name\":\"x\"}]}\n"
		 "{\"a\":1}",
			"json-lines; ~: x; ~: step!v"},
		{"{\"type\":\"status\",\"message\":\"m\",\"events\":[{\"name\":\"x\"}]}"
		 "\n" DELTA,
			"chat-stream; ~: cut!c"},
		{STATUS "\n{\"type\":\"info\"}", "json-lines; ~: step!v step!v"},
		{"{\"a\":1}\n" ERROR "\n{\"a\":1}",
			"json-lines; ~: step!v step!v step!v"},
		{"{\"a\":1}\n" DELTA "\n" FINAL "\n{\"type\":\"error\",\"error\":{}}\n",
			"json-lines; ~: step!v complete step!v"},
		{"{\"a\":1}\n" ERROR "\n" STATUS "\n" DELTA,
			"json-lines; ~: step!v error!e cut!c"},
		{"{\"type\":\"user\",\"uuid\":1}\n{\"type\":\"error\",\"uuid\":2}",
			"json-lines; ~: step step"},
		/* not on one line, not by itself, not an object of its own */
		{"{\"type\":\"text_delta\",\n\"text\":\"a\"}", "json; ~: step!v"},
		{"[" DELTA "]", "json; ~: step!v"},
		{"{\"events\":[" DELTA "]}", "chain-object; ~: step"},
		{"{\"x\":" DELTA "}", "json; ~: step!v"},
	};

	expect_rows(rows, COUNT(rows));
}

Test(load, lines_of_chunks)
{
	static const struct row rows[] = {
		{PIECE("1") PIECE("1") LAST_PIECE("1"), "json-lines; ~: m1"},
		{PIECE("1") PIECE("1") PIECE("2") LAST_PIECE("2"),
			"json-lines; ~: m1!c m2"},
		{"{\"choices\":[],\"object\":\"\",\"id\":\"\",\"prompt_filter_results\":["
		 "]}"
		 "\n" PIECE("1") LAST_PIECE("1"),
			"json-lines; ~: m1"},
		{PIECE("1") PIECE("1") "{\"choices\":[],\"object\":\"\",\"id\":\"\","
				       "\"prompt_filter_results\":[]}"
				       "\n" PIECE("2") LAST_PIECE("2"),
			"json-lines; ~: m1!c m2"},
		{CLAUDE("1") BLOCK STOP CLAUDE("2") BLOCK
			"{\"type\":\"error\",\"error\":{"
			"}}\n",
			"json-lines; ~: c c!e"},
		{CLAUDE("1") BLOCK CLAUDE("1") BLOCK, "json-lines; ~: c!c"},
		{CREATED("1") ADDED "{\"type\":\"keepalive\"}\n" ADDED,
			"json-lines; ~: r!c"},
		/* the end behind an error is of the same response, of another one it is
		 * not */
		{CREATED("1") ADDED
			"{\"type\":\"error\",\"message\":\"m\"}\n{\"type\":\"response."
			"failed\","
			"\"response\":{\"id\":\"1\",\"object\":\"response\"}}\n",
			"json-lines; ~: r!e"},
		{CREATED("1") ADDED
			"{\"type\":\"error\",\"message\":\"m\"}\n{\"type\":\"response."
			"failed\","
			"\"response\":{\"id\":\"2\",\"object\":\"response\"}}\n",
			"json-lines; ~: r!e response.failed!e"},
		{GEMINI("1") GEMINI("1") GEMINI("2"), "json-lines; ~: g g"},
		{"{\"messageStart\":{\"role\":\"assistant\"}}\n" BEDROCK
		 "{\"messageStop\":{}}\n{\"metadata\":{\"usage\":{}}}\n" BEDROCK BEDROCK,
			"json-lines; ~: step cut!c"},
		{BEDROCK BEDROCK "{\"messageStart\":{}}\n{\"throttlingException\":{}}\n",
			"json-lines; ~: cut!c step!e"},
		{CLAUDE("1") BLOCK PIECE("1") LAST_PIECE("1") CREATED("1"),
			"json-lines; ~: c!c m1 r!c"},
		/* one alone is a value like any other */
		{PIECE("1"), "json; ~: step!v"},
		{PIECE("1") "{\"a\":1}", "json-lines; ~: m1 step!v"},
		{GEMINI("1") GEMINI("2"), "gemini; ~: g g"},
		{CREATED("1"), "json; ~: step!v"},
		/* what is none of them ends the stream, whatever its type */
		{PIECE("1") PIECE("1") "{\"type\":\"user\"}\n{\"type\":\"x\"}",
			"json-lines; ~: m1!c step!v step!v"},
		{PIECE("1") PIECE("1") "junk\n" PIECE("1") PIECE("1"),
			"json-lines; ~: m1!c unreadable!bv m1!c"},
		{"{\"a\":1}\n" CLAUDE("1") BLOCK STOP "{\"a\":1}",
			"json-lines; ~: step!v c step!v"},
		{CLAUDE("1") BLOCK DELTA "\n" FINAL "\n", "json-lines; ~: c!c complete"},
		/* whole responses, and the events of OpenAI's Realtime API */
		{"{\"object\":\"chat.completion\",\"choices\":[]}\n"
		 "{\"object\":\"chat.completion\",\"choices\":[]}",
			"json-lines; ~: step!v step!v"},
		{"{\"type\":\"response.created\",\"event_id\":\"1\",\"response\":{"
		 "\"object\":"
		 "\"realtime.response\"}}\n{\"type\":\"response.output_item.added\","
		 "\"event_id\":\"2\",\"output_index\":0}",
			"json-lines; ~: step!v step!v"},
		{"{\"type\":\"content_block_delta\"}\n{\"type\":\"content_block_delta\"}",
			"json-lines; ~: step!v step!v"},
		{"{\"contentBlockDelta\":{},\"id\":1}\n{\"contentBlockDelta\":{},\"id\":"
		 "1}",
			"json-lines; ~: step step"},
	};

	expect_rows(rows, COUNT(rows));
}

/* A line is looked at as a whole, whatever it begins with. */
Test(load, long_lines_of_a_stream)
{
	static const struct {
		const char *head, *tail, *want;
	} rows[] = {
		{"{\"type\":\"status\",\"x\":\"", "\"}", "json; ~: step!v"},
		{"{\"x\":\"", "\",\"type\":\"text_delta\"}", "chat-stream; ~: cut!c"},
		{"{\"response\":{\"object\":\"response\",\"instructions\":\"",
			"\"},\"type\":\"response.created\"}\n" ADDED,
			"json-lines; ~: cut!c"},
		{ADDED "{\"response\":{\"instructions\":\"",
			"\",\"object\":\"response\"},\"type\":\"response.created\"}\n",
			"json-lines; ~: cut!c"},
		{CREATED("1") "{\"type\":\"response.done\",\"x\":\"", "\"}\n",
			"json-lines; ~: step!v step!v"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf text = BUF_INIT;

		buf_text(&text, rows[i].head);
		buf_fill(&text, 'x', 40000);
		buf_text(&text, rows[i].tail);
		expect_short(text.data, NULL, rows[i].want);
		expect_same_dribbled(buf_view(&text), 3000);
		buf_done(&text);
	}
}

Test(load, envelopes)
{
	static const struct row rows[] = {
		{"{\"message\":\"q\",\"context\":{}}", "chat-request; ~: chat-request"},
		{"{\"message\":\"q\",\"conversationHistory\":[],\"conversationId\":"
		 "\"c\"}",
			"chat-request; c: chat-request"},
		{"{\"message\":\"q\",\"context\":\"c\"}", "json; ~: step!v"},
		{"{\"message\":{},\"context\":{}}", "json; ~: step!v"},
		{"{\"message\":\"a\",\"custom_payload\":null,\"conversation_id\":5}",
			"chat-response; 5: chat-response"},
		{"{\"message\":\"a\",\"suggestedValues\":[],\"timestamp\":1}",
			"chat-response; ~: chat-response"},
		{"{\"message\":\"a\",\"tool_history\":[],\"context\":{}}",
			"chat-request; ~: chat-request"},
		{"{\"message\":\"a\",\"conversation_id\":1}", "json; ~: step!v"},
		{"{\"message\":\"q\",\"context\":{},\"events\":[{\"name\":\"x\"}]}",
			"chain-object; ~: x"},
		{"{\"message\":\"q\",\"context\":{},\"id\":1,\"user_prompt\":\"x\"}",
			"chat-request; ~: chat-request"},
		/* conversations, and what belongs to the one before it */
		{"{\"message\":\"q\",\"context\":{}}\n{\"message\":\"a\",\"tool_"
		 "history\":[]"
		 ",\"conversation_id\":1}\n{\"message\":\"q\",\"context\":{}}\n" FINAL7
		 "\n{\"message\":\"q\",\"context\":{},\"conversation_id\":8}\n" ERROR
		 "\n" DELTA "\n",
			"json-lines; 1: chat-request chat-response cut!c; "
			"7: chat-request complete; 8: chat-request error!e"},
		{"{\"message\":\"q\",\"context\":{\"a\":1},\"x",
			"chat-request; ~: chat-request!c"},
	};

	expect_rows(rows, COUNT(rows));
}

Test(load, rows_and_columns)
{
	static const struct row rows[] = {
		{"{\"columns\":[\"name\",\"trace_id\"],\"results\":[[\"x\",\"t\"],[\"y\"]"
		 "]}",
			"posthog-rows; t: x y"},
		{"{\"results\":[[\"x\",\"t\"],[\"y\"]],\"columns\":[\"name\",\"trace_"
		 "id\"]}",
			"posthog-rows; t: x y"},
		{"{\"results\":[[0,\"t\",\"x\"]],\"columns\":[\"z\",\"properties.$ai_"
		 "trace_id\",\"properties.$ai_span_name\"]}",
			"posthog-rows; t: x"},
		{"{\"columns\":[],\"results\":[" ROW13("1", "x") "]}",
			"posthog-rows; ~: x"},
		{"{\"results\":[" ROW13("1", "x") "],\"columns\":[]}",
			"posthog-rows; ~: x"},
		{"{\"results\":[" ROW13("1", "x") "],\"columns\":null}",
			"posthog-rows; ~: x"},
		{"{\"columns\":[\"name\"],\"results\":[[]]}", "posthog-rows; ~: step!rv"},
		{"{\"results\":[[\"short\",\"row\"]," ROW13("1", "x") "]}",
			"posthog-rows; ~: step!rv x"},
		{"{\"results\":[[1,\"e\",null,4,5,6,7,8,9,10,\"x\",\"c\",13,14,15]]}",
			"posthog-rows; ~/c: x"},
		{"{\"results\":[[1]],\"chain_name\":\"c\",\"trace_id\":\"t\"}",
			"posthog-rows; t/c: step!rv"},
		{"{\"results\":[" ROW13(
			 "1", "x") ",[],{\"uuid\":2,\"name\":\"u\"},7,\"s\",null,{\"id\":"
				   "1,\"name\":\"o\"}]}",
			"posthog-rows; ~: x step!rv u step!sv step!sv step!sv o"},
		/* row objects with events are chains of their own */
		{"{\"results\":[{\"id\":\"t1\",\"trace_name\":\"n\",\"events\":[{"
		 "\"name\":\"a\"},{\"name\":\"b\"}]},"
		 "{\"id\":\"t2\",\"events\":[{\"name\":\"c\"}]}]}",
			"posthog-rows; t1/n: a b; t2: c"},
		{"{\"results\":[{\"events\":[{\"name\":\"a\"}],\"id\":\"t1\"},{"
		 "\"events\":[],\"id\":\"t2\"},"
		 "{\"name\":\"x\",\"id\":\"i\",\"trace_id\":\"t3\"}]}",
			"posthog-rows; t1: a; t2:; t3: x"},
	};

	expect_rows(rows, COUNT(rows));
}

Test(load, traces)
{
	static const struct row rows[] = {
		{"{\"trace_id\":\"own\",\"events\":[{\"trace_id\":\"t\",\"name\":\"a\"},{"
		 "\"name\":\"b\"}]}",
			"chain-object; own: a b"},
		{"{\"events\":[{\"trace_id\":\"t\",\"name\":\"a\"},{\"name\":\"b\"}],"
		 "\"traceId\":\"own\"}",
			"chain-object; own: a b"},
		{"{\"events\":[{\"name\":\"a\"},{\"trace_id\":\"t\",\"name\":\"b\"},{"
		 "\"trace_id\":\"u\",\"name\":\"c\"}]}",
			"chain-object; t: a b; u: c"},
		{"[{\"id\":1,\"name\":\"a\",\"metadata\":{\"trace_id\":\"m\"}},{\"id\":2,"
		 "\"name\":\"b\",\"properties\":"
		 "{\"trace_id\":\"p\"}},{\"id\":3,\"name\":\"c\",\"properties\":{\"$ai_"
		 "trace_id\":\"m\"}}]",
			"event-array; m: a c; p: b"},
		{"{\"events\":[{\"name\":\"a\"}]}\n{\"events\":[{\"name\":\"b\"}]}",
			"json-lines; ~: a; ~: b"},
		{"{\"trace_id\":\"t\",\"events\":[{\"name\":\"a\"}]}\n{\"trace_id\":"
		 "\"t\",\"events\":[{\"name\":\"b\"}]}",
			"json-lines; t: a b"},
		{"{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\",\"trace_id\":"
		 "\"t\"}",
			"json-lines; t: a b"},
		/* names */
		{"{\"events\":[{\"name\":\"a\",\"properties\":{\"chain_name\":\"x\"}},{"
		 "\"name\":\"b\",\"properties\":"
		 "{\"chain_name\":\"y\"}},{\"name\":\"c\",\"properties\":{\"chain_name\":"
		 "\"\"}}]}",
			"chain-object; ~/y: a b c"},
		{"{\"events\":[{\"name\":\"a\",\"properties\":{\"chain_name\":\"x\"}}],"
		 "\"chain_name\":\"z\"}",
			"chain-object; ~/z: a"},
		/* nesting and order */
		{"[{\"event\":\"e\",\"name\":\"c\",\"timestamp\":3,\"properties\":{\"$ai_"
		 "parent_id\":\"p\",\"$ai_trace_id\":\"t\"}},"
		 "{\"event\":\"e\",\"name\":\"d\",\"timestamp\":2,\"properties\":{\"$ai_"
		 "parent_id\":\"p\"}},"
		 "{\"event\":\"e\",\"name\":\"p\",\"timestamp\":9,\"properties\":{\"$ai_"
		 "span_id\":\"p\",\"$ai_parent_id\":\"t\"}},"
		 "{\"event\":\"e\",\"name\":\"o\",\"timestamp\":1,\"properties\":{\"$ai_"
		 "parent_id\":\"gone\"}}]",
			"event-array; t: o!o p >d >c"},
		{"[{\"id\":1,\"name\":\"a\",\"parent_id\":\"2\"},{\"id\":\"2\",\"name\":"
		 "\"b\",\"parent_id\":1}]",
			"event-array; ~: a!y >b"},
		{"[{\"id\":\"x\",\"name\":\"a\",\"properties\":{\"$ai_generation_id\":"
		 "\"g\"}},{\"id\":\"y\",\"name\":\"b\",\"parentId\":\"g\"}]",
			"event-array; ~: a >b"},
		/* errors */
		{"{\"events\":[{\"name\":\"a\",\"error\":\"x\"},{\"name\":\"b\","
		 "\"error\":null},{\"name\":\"c\",\"error\":\"\"},{\"name\":\"d\","
		 "\"properties\":{\"$ai_is_error\":true}},{\"name\":\"f\",\"properties\":"
		 "{\"$ai_is_error\":false}}]}",
			"chain-object; ~: a!e b c d!e f"},
	};

	expect_rows(rows, COUNT(rows));
}

Test(load, lines)
{
	static const struct row rows[] = {
		{"{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n",
			"json-lines; ~: a b"},
		{"{\"id\":1,\"name\":\"a\"}\r\n\r\n   \r\n{\"id\":2,\"name\":\"b\"}\r\n",
			"json-lines; ~: a b"},
		{"\xEF\xBB\xBF{\"id\":1,\"name\":\"a\"}\n\xEF\xBB\xBF{\"id\":2,\"name\":"
		 "\"b\"}",
			"json-lines; ~: a b"},
		{"{\n \"id\": 1,\n \"name\": \"a\"\n}\n{\n \"id\": 2,\n \"name\": "
		 "\"b\"\n}\n",
			"json-lines; ~: a b"},
		{"{\"z\":1}\n{\"id\":2,\"name\":\"b\"}\n5\n\"s\"\nnull\n[1]\n" MESSAGE,
			"json-lines; ~: step!v b step!v step!v step!v step!v step!v"},
		{"{\"events\":[{\"name\":\"a\"}]}\n{\"id\":1,\"name\":\"b\"}\n" ROW13(
			 "9", "c"),
			"json-lines; ~: a; ~: b c"},
		{"{\"id\":1,\"name\":\"a\"} {\"id\":2,\"name\":\"b\"}\n",
			"json; ~: step!v unreadable!bv"},
		/* junk */
		{"{\"id\":1,\"name\":\"a\"}\njunk here\n{\"id\":2,\"name\":\"b\"}\n",
			"json-lines; ~: a unreadable!bv b"},
		{"junk here\n{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n",
			"json-lines; ~: unreadable!bv a b"},
		{"two\njunk "
		 "lines\n{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n",
			"json-lines; ~: unreadable!bv unreadable!bv a b"},
		{"{\"id\":1,\"name\":\"a\"}\n12 monkeys\n{\"id\":2,\"name\":\"b\"}\n",
			"json-lines; ~: a unreadable!bv b"},
		{"{\"id\":1,\"name\":\"a\"}\ntrue "
		 "story\ntruth\n{\"id\":2,\"name\":\"b\"}\n",
			"json-lines; ~: a unreadable!bv unreadable!bv b"},
		{"{\"id\":1,\"name\":\"a\"}\n{\"id\":3 "
		 "oops}\n{\"id\":2,\"name\":\"b\"}\n",
			"json-lines; ~: a unreadable!bv b"},
		{"{\"id\":3 "
		 "oops}\n{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n",
			"json-lines; ~: unreadable!bv a b"},
		{"{\"id\":1,\"name\":\"a\"}}\n{\"id\":2,\"name\":\"b\"}\n{\"id\":3,"
		 "\"name\":\"c\"}\n",
			"json-lines; ~: a unreadable!bv b c"},
		{"{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\n \"x\" 5,\n \"y\":[\n "
		 "]\n}\n{\"id\":3,\"name\":\"c\"}\n",
			"json-lines; ~: a unreadable!bv c"},
		/* cut lines */
		{"{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"na", "json-lines; ~: a step!c"},
		{"{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n{\"id\":3,"
		 "\"name\":\"c\",\"x\":\"y",
			"json-lines; ~: a b c!c"},
		{"{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\",\"x\":\"y\n{\"id\":"
		 "3,\"name\":\"c\"}\n",
			"json-lines; ~: a b!c c"},
		{"{\"id\":1,\"name\":\"a\",\"x\":[{\n{\"id\":2,\"name\":\"b\"}\n{\"id\":"
		 "3,\"name\":\"c\"}\n",
			"json-lines; ~: unreadable!bv b c"},
		{"{\"id\":1,\"name\":\"a\",\"x\":\"y\n{\"id\":2,\"name\":\"b\"}\n{\"id\":"
		 "3,\"name\":\"c\"}\n",
			"json-lines; ~: unreadable!bv b c"},
		{"{\"id\":1,\"name\":\"a\"}\n{\"events\":[{\"name\":\"b\"},{\"name\":"
		 "\"c\"\n{\"id\":3,\"name\":\"d\"}\n",
			"json-lines; ~: a d; ~: b c!c"},
		{"{\"id\":1,\"name\":\"a\"}\n[{\"id\":2,\"name\":\"b\"},[\n{\"id\":3,"
		 "\"name\":\"d\"}\n{\"id\":4,\"name\":\"f\"}",
			"json-lines; ~: a step!cv d f"},
	};

	expect_rows(rows, COUNT(rows));
}

/* A broken step harms only itself. */
Test(load, damage)
{
	static const struct row rows[] = {
		{"{\"events\":[{\"id\":1,\"name\":\"a\"},{\"id\":2,\"x\":\"un\"quoted\"},"
		 "{\"id\":3,\"name\":\"c\"}],\"chain_name\":\"n\"}",
			"chain-object; ~/n: a unreadable!bv c"},
		{"{\"events\":[{\"id\":2,\"name\":\"un\"quoted\"},{\"id\":3,\"name\":"
		 "\"c\"}]}",
			"chain-object; ~: unreadable!bv c"},
		{"[{\"id\":1,\"name\":\"a\"},{\"id\":2,,},{\"id\":3,\"name\":\"c\"},{"
		 "\"id\":4]},{\"id\":5,\"name\":\"d\"}]",
			"event-array; ~: a unreadable!bv c unreadable!bv d"},
		{"{\"results\":[" ROW13("1", "a") ",[\"2\" \"e\"]," ROW13("3", "c") "]}",
			"posthog-rows; ~: a unreadable!bv c"},
		/* what is nested in the broken step is not taken for its sibling */
		{"[{\"id\":1,\"event\":\"a\"},{\"id\":2,\"event\":\"b\" "
		 "oops,\"c\":[{\"id\":1,\"z\":2},{\"id\":2,\"z\":3}]},{\"id\":3,"
		 "\"event\":\"c\"}]",
			"event-array; ~: a unreadable!bv c"},
		{"[{\"id\":2,\"event\":\"b\" "
		 "oops,\"c\":[{\"r\":1},{\"r\":2}]},{\"id\":3,\"event\":\"c\"}]",
			"event-array; ~: unreadable!bv c"},
		/* none behind it */
		{"[{\"id\":1,\"name\":\"a\"},{\"id\":2 oops}]",
			"event-array; ~: a unreadable!bv"},
		{"{\"events\":[{\"name\":\"a\"}] oops",
			"chain-object; ~: a unreadable!bv"},
		{"{\"a\":1 oops}", "json; ~: unreadable!bv"},
		{"{\"events\":[{\"name\":\"a\"}]} trailing",
			"chain-object; ~: a unreadable!bv"},
		/* cut */
		{"[{\"id\":1,\"name\":\"a\"},{\"id\":2,\"name\":\"b\",\"x\":\"y",
			"event-array; ~: a b!c"},
		{"{\"chain_name\":\"n\",\"events\":[{\"id\":1,\"name\":\"a\"},{\"id\":2,"
		 "\"na",
			"chain-object; ~/n: a step!c"},
		{"{\"events\":[{\"id\":1,\"name\":\"a\"}],\"x\":\"cut",
			"chain-object; ~: a"},
		{"{\"events\":[", "chain-object; ~: step!cv"},
		{"{\"results\":[" ROW13("1", "a") ",[\"2\",\"e",
			"posthog-rows; ~: a step!crv"},
		{"{\"a\":", "json; ~: step!cv"},
		{"\"cut", "json; ~: step!cv"},
		{"{\"messages\":[" MESSAGE, "chat-value; ~: step!cv"},
	};

	expect_rows(rows, COUNT(rows));
}

/* ---- what is no trace ---- */

Test(load, no_json_at_all)
{
	static const struct {
		struct str text;
		const char *why; /* NULL: it is readable */
	} rows[] = {
		{{"", 0}, "is empty"},
		{{" \n\t\r\n", 5}, "only white space"},
		{{"\xEF\xBB\xBF", 3}, "only white space"},
		{{"hello", 5}, NULL} /* words: one step */,
		{{"hello world\nthis is\n2024 a log\n", 31}, NULL},
		{{"2024-01-01 12:00 x\nno json\ntrue story\n", 38}, NULL},
		{{"\xFF\xFE{\0}\0", 6}, "UTF-16"},
		{{"\xFE\xFF\0{\0}", 6}, "UTF-16"},
		{{"{\0\"\0", 4}, "UTF-16"},
		{{"\0{\0}", 4}, "UTF-16"},
		{{"\0\0\0\0", 4}, "looks like "},
		{{"]", 1}, NULL},
		{{"{\"a\":tru}", 9}, NULL}, /* found out when it is opened */
		{{"{}", 2}, NULL},
		{{"{", 1}, NULL},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct loaded x = load_text_as(rows[i].text, NULL);
		struct err err = {0};
		bool unreadable = load_unreadable(x.loader, &err);

		cr_expect_eq(unreadable, !!rows[i].why, "row %zu", i);
		cr_expect(!unreadable || !rows[i].why || strstr(err.text, rows[i].why),
			"row %zu: %s", i, err.text);
		expect_sound(&x, "no JSON");
		load_unreadable(x.loader,
			&err); /* the steps are known to be broken now: no crash */
		cr_expect_leq(x.trace->count, 3);
		unload(&x);
		err_done(&err);
		expect_same_dribbled(rows[i].text, 1);
	}
}

Test(load, a_long_text_is_one_raw_step)
{
	struct buf text = BUF_INIT;
	struct loaded x = {0};

	for (int i = 0; i < 5000; i++)
		buf_text(&text, i % 3 ? "12 lines of a log\n" : "null and void\n");
	x = load_text_as(buf_view(&text), NULL);
	cr_expect(x.trace->count == 1 && trace_step(x.trace, 0).length > text.len);
	unload(&x);
	buf_done(&text);
}

Test(load, random_bytes)
{
	static const char usual[] = "{}[],:\"\\ \n\r01tfn\"id\"\"events\":[{}]";

	chance_state = 5;
	for (int round = 0; round < 1500; round++) {
		char text[400];
		struct loaded x = {0};

		for (size_t i = 0; i < sizeof(text); i++)
			text[i] = round % 3 ? usual[below(sizeof(usual))]
					    : (char)below(256);
		x = load_text_as((struct str){text, 1 + below(sizeof(text))}, NULL);
		expect_sound(&x, "random bytes");
		unload(&x);
		if (round % 4 == 0)
			expect_same_dribbled((struct str){text, 1 + below(sizeof(text))},
				1 + below(50));
	}
}

/* ---- shapes that must not cost more than their size ---- */

static struct buf repeated(
	const char *head, const char *body, size_t times, const char *tail)
{
	struct buf b = BUF_INIT;

	buf_text(&b, head);
	for (size_t i = 0; i < times; i++)
		buf_text(&b, body);
	buf_text(&b, tail);
	return b;
}

Test(load, nothing_is_quadratic, .timeout = 120)
{
	static const struct {
		const char *head, *body, *tail;
		size_t times, steps;
	} rows[] = {
		{"", "[", "", 100000, 1},
		{"", "[", "]", 1000000, 1},
		{"{\"events\":", "[", "", 1000000, 1},
		{"{\"id\":\"", "x", "\"}", 8000000, 1},
		{"{\"id\":1}\n", "this is junk\n", "", 100000, 100001},
		{"{\"id\":1}\n", "{\"id\": junk\n", "", 50000, 50001},
		{"{\"id\":1}\n", "{\"id\":1,\"x\":\"cut\n", "", 50000, 50001},
		{"{\"id\":1}\n", "[{\"x\":\"cut\n", "", 20000, 20001},
		{"{\"id\":1}\n", "[[\n", "", 20000, 20001},
		{"{\"id\":1}\n", "{\"events\":[{\"x\":\"cut\n", "", 20000, 20001},
		{"{\"id\":1}\n", "{\"results\":[[1]],\"columns\":[\"id\"]}\n", "", 20000,
			20001},
		{"{\"id\":1}\n", "{\"events\":[]}\n", "", 50000, 1},
		{"{\"id\":1}\n", "{\n\"id\"\n:\n1}\n", "", 50000, 50001},
		{"{\"events\":[{\"id\":1}", ",{\"id\":\"a\"b\"}", "]}", 50000, 50001},
		{"{\"id\":1}", " {", "", 100000, 2},
		{"", "{\"events\":[{\"id\":1}]}\n", "", 50000, 50000},
		{"[", "[],", "{}]", 500000, 1},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf text =
			repeated(rows[i].head, rows[i].body, rows[i].times, rows[i].tail);
		struct loaded x = load_text_as(buf_view(&text), NULL);

		cr_expect_eq(
			x.trace->count, rows[i].steps, "row %zu: %zu", i, x.trace->count);
		unload(&x);
		buf_done(&text);
	}
}

/* ---- slices, live streams, files that change ---- */

Test(load, a_few_steps_at_a_time)
{
	struct buf text =
		repeated("", "{\"id\":1,\"name\":\"a\",\"timestamp\":5}\n", 60000, "");
	struct loaded x = {0};
	uint64_t before = 0;

	x.trace = trace_of_source(source_open_text("test", buf_view(&text)));
	x.loader = load_begin(x.trace, NULL);
	cr_expect_eq(load_run(x.loader, UINT64_MAX, 10), TASK_MORE);
	cr_expect(x.trace->count >= 10 && x.trace->count < 20000 &&
		  !trace_unarranged(x.trace));
	while (load_run(x.loader, 0, SIZE_MAX) == TASK_MORE) {
		cr_assert_geq(load_progress(x.loader), before);
		before = load_progress(x.loader);
	}
	cr_expect_eq(load_progress(x.loader), text.len);
	cr_expect(x.trace->count == 60000 && x.trace->order_count == 60000);
	unload(&x);
	buf_done(&text);
}

/* What a stream has brought is shown while it is silent. */
Test(load, a_silent_stream_shows_what_came)
{
	struct err err = {0};
	struct loaded x = {0};
	struct buf line = repeated("", " ", 100, "\n");
	int ends[2];

	cr_assert(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
	x.trace = trace_of_source(source_open("-", &err));
	x.loader = load_begin(x.trace, NULL);
	for (size_t i = 1; i < 20; i++) {
		static const char event[] = "{\"id\":2,\"event\":\"e\",\"parent_id\":2,"
					    "\"properties\":{\"$ai_model\":\"m\"}}\n";

		cr_assert(write(ends[1], event, sizeof(event) - 1) > 0);
		cr_assert(write(ends[1], line.data, line.len) > 0);
		for (int tries = 0; x.trace->order_count != i && tries < 5000; tries++) {
			usleep(1000);
			cr_assert(load_pump(x.loader, &err));
			while (load_run(x.loader, 0, SIZE_MAX) == TASK_MORE)
				;
		}
		cr_expect(x.trace->count == i && x.trace->order_count == i &&
				  x.trace->format,
			"%zu of %zu", x.trace->order_count, i);
	}
	unload(&x);
	buf_done(&line);
	err_done(&err);
}

/* Also what came behind a line that is no JSON, as in the log of a service. */
Test(load, a_silent_stream_that_began_with_prose)
{
	static const char log[] =
		"listening on "
		":8080\n{\"id\":1,\"event\":\"e\"}\n{\"id\":2,\"event\":\"e\"}\n";
	struct err err = {0};
	struct loaded x = {0};
	int ends[2];

	cr_assert(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
	x.trace = trace_of_source(source_open("-", &err));
	x.loader = load_begin(x.trace, NULL);
	cr_assert(write(ends[1], log, sizeof(log) - 1) > 0);
	cr_assert(load_pump(x.loader, &err));
	while (load_run(x.loader, 0, SIZE_MAX) == TASK_MORE)
		;
	cr_expect_eq(x.trace->count, 3, "%zu", x.trace->count);
	close(ends[1]);
	unload(&x);
	err_done(&err);
}

/* Also what is less than was waited for; pieces end where they like. */
Test(load, a_stream_in_pieces_that_rests)
{
	struct err err = {0};
	struct loaded x = {0};
	struct buf log = BUF_INIT, pad = repeated("", "x", 3000, "");
	int ends[2];

	for (int i = 0; i < 7; i++)
		if (i == 0 || i == 4)
			buf_text(&log, "INFO one request done\n");
		else
			buf_printf(&log, "{\"id\":%d,\"event\":\"%s\"}\n", i, pad.data);
	cr_assert(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
	x.trace = trace_of_source(source_open("-", &err));
	x.loader = load_begin(x.trace, NULL);
	for (size_t at = 0, n; at < log.len; at += n) {
		n = log.len - at < 700 ? log.len - at : 700;
		cr_assert(write(ends[1], log.data + at, n) == (ssize_t)n);
		cr_assert(load_pump(x.loader, &err));
		while (load_run(x.loader, 0, SIZE_MAX) == TASK_MORE)
			;
	}
	cr_expect(load_rests(x.loader));
	while (load_run(x.loader, 0, SIZE_MAX) == TASK_MORE)
		;
	cr_expect_eq(x.trace->count, 7, "%zu", x.trace->count);
	cr_expect_not(load_rests(x.loader), "all is taken");
	close(ends[1]);
	unload(&x);
	buf_done(&log);
	buf_done(&pad);
	err_done(&err);
}

/* So is half a response, which is made anew when the rest comes. */
Test(load, a_silent_stream_of_events)
{
	static const char half[] = "data: " DELTA "\n\n", rest[] = "data: " FINAL7 "\n\n";
	struct err err = {0};
	struct loaded x = {0};
	uint32_t before;
	int ends[2];

	cr_assert(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
	x.trace = trace_of_source(source_open("-", &err));
	x.loader = load_begin(x.trace, NULL);
	cr_assert(write(ends[1], half, sizeof(half) - 1) > 0);
	cr_assert(load_pump(x.loader, &err));
	while (load_run(x.loader, 0, SIZE_MAX) == TASK_MORE)
		;
	cr_expect(x.trace->count == 1 && x.trace->order_count == 1);
	cr_expect_eq(trace_step(x.trace, 0).length, sizeof(half) - 1);
	cr_expect_eq(trace_step(x.trace, 0).flags, STEP_SSE);
	before = x.trace->generation;
	cr_assert(write(ends[1], rest, sizeof(rest) - 1) > 0);
	cr_assert(load_pump(x.loader, &err));
	while (load_run(x.loader, 0, SIZE_MAX) == TASK_MORE)
		;
	cr_expect(x.trace->count == 1 && x.trace->order_count == 1);
	cr_expect_eq(trace_step(x.trace, 0).length, sizeof(half) + sizeof(rest) - 2);
	cr_expect_neq(x.trace->generation, before);
	cr_expect(str_equal(
		trace_text(x.trace, trace_step(x.trace, 0).event), STR("complete")));
	close(ends[1]);
	unload(&x);
	err_done(&err);
}

/* A file that is cut off while it is read: the load ends, and nothing reaches behind the
 * end. */
Test(load, a_file_that_shrinks)
{
	static const char *const bodies[] = {"{\"id\":1,\"x\":\"some text\"}\n",
		"{\"id\":1,\"x\":\"cut\n", "{\"id\":\n oops\n", "junk\n", ",", "[", "x",
		"data: " DELTA "\n\n", DELTA "\n", "data: " FINAL "\n\n"};
	static const char *const heads[] = {
		"", "{\"id\":0}\n", "{\"events\":[{\"id\":0},{\"id\":\"a\"b"};

	for (size_t i = 0; i < COUNT(bodies) * COUNT(heads); i++) {
		const char *body = bodies[i / COUNT(heads)];
		struct buf text = repeated(
			heads[i % COUNT(heads)], body, 1500000 / strlen(body), "");
		char path[] = "/tmp/catena-load-XXXXXX";
		int fd = mkstemp(path);
		struct err err = {0};
		struct loaded x = {0};

		cr_assert(fd >= 0 && write(fd, text.data, text.len) == (ssize_t)text.len);
		x.trace = trace_of_source(source_open(path, &err));
		unlink(path);
		x.loader = load_begin(x.trace, NULL);
		load_run(x.loader, 0, SIZE_MAX);
		cr_assert_eq(ftruncate(fd, 300000), 0);
		cr_assert_eq(load_all(x.loader, &err), TASK_DONE);
		cr_expect(inputs_failed(x.trace->inputs, &err) ||
			  load_progress(x.loader) <= text.len);
		cr_expect_eq(x.trace->order_count, x.trace->count);
		close(fd);
		unload(&x);
		buf_done(&text);
		err_done(&err);
	}
}

/* What a format is known by may stand behind the bytes that are looked at first. */
Test(load, what_the_head_does_not_have)
{
#define INSPECT                                                                          \
	"{\"version\":2,\"eval\":{\"run_id\":\"r\",\"task\":\"t\"},\"plan\":{\"steps\":["
	static const struct {
		const char *head, *tail, *want;
	} rows[] = {
		{INSPECT, "0]}}", "inspect-header"},
		{INSPECT,
			"0]},\"samples\":[{\"id\":1,\"epoch\":1,\"messages\":[{"
			"\"role\":\"user\",\"content\":\"x\"}]}]}",
			"inspect-ai"},
		{"{\"notes\":[", "0],\"model_id\":\"m\",\"talk\":[{\"role\":\"user\"}]}",
			"talk"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf text = repeated(rows[i].head, "1,", 50000, rows[i].tail);
		struct loaded x = load_text(buf_view(&text));

		cr_expect_str_eq(x.trace->format, rows[i].want, "%zu", i);
		unload(&x);
		buf_done(&text);
	}
}

Test(load, notes_say_where)
{
	static const struct {
		const char *text;
		uint64_t at;
		const char *note;
	} rows[] = {
		{"{\"id\":1}\n{\"id\" 2}\n{\"id\":3}", 15, "expected ':'"},
		{"{\"id\":1}\njunk\n{\"id\":3}", 9, "expected a value"},
		{"{\"id\":1} junk\n", 9, "expected the end of the text"},
		{"{\"events\":[{\"id\":1},{\"id\":\"a\"b\"}]}", 29,
			"expected ',' or '}'"},
		{"{\"events\":[{\"id\":1},{\"id\":", 26, "the file ends inside a value"},
		{"{\"id\":1}\n{\"id\":2,\"x\":\"y\n{\"id\":3}", 23,
			"the line ends inside a value"},
		{"{\"id\":1,\"x\":\"y\n{\"id\":2}\n{\"id\":3}", 14,
			"the line ends inside a value"},
		/* what was read twice is noted once */
		{"{\"id\":1}\noops\n{\"id\":2}\n{\"id\":3}", 9, "expected a value"},
		{"{\"results\":[[1],[2 3],[\"4\"]],\"columns\":[\"id\"]}", 19,
			"expected ',' or ']'"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct loaded x = load_text_as(str_of(rows[i].text), NULL);
		size_t count;
		const struct load_note *notes = load_notes(x.loader, &count);

		cr_assert_eq(count, 1, "%s: %zu notes", rows[i].text, count);
		cr_expect(
			notes->offset == rows[i].at && !strcmp(notes->text, rows[i].note),
			"%s: %" PRIu64 " %s", rows[i].text, notes->offset, notes->text);
		unload(&x);
	}
}

/* ---- the samples ---- */

static struct buf read_sample(const char *name)
{
	struct buf path = BUF_INIT, text = BUF_INIT;
	struct err err = {0};
	struct source *s;

	buf_printf(&path, "%s/data/samples/%s", TEST_SRCDIR, name);
	s = source_open(path.data, &err);
	cr_assert(s, "%s", path.data);
	buf_reserve(&text, (size_t)source_size(s));
	text.len = source_read(s, 0, text.data, (size_t)source_size(s));
	source_free(s);
	buf_done(&path);
	err_done(&err);
	return text;
}

static const struct {
	const char *name, *format;
	size_t chains, steps, notes;
	double input, output, cost, latency;
	uint64_t errors;
} samples[] = {
	{"agent.jsonl", "json-lines", 1, 38, 0, 90960, 3235, 0.102477, 71.212, 1},
	{"chain-events.json", "chain-object", 1, 5, 0, 247, 267, 0.000200, 125.880, 0},
	{"chat-request.json", "chat-request", 1, 1, 0, NAN, NAN, NAN, NAN, 0},
	{"chat-response.json", "chat-response", 1, 1, 0, NAN, NAN, NAN, NAN, 0},
	{"chat-stream.jsonl", "chat-stream", 1, 2, 0, NAN, NAN, NAN, NAN, 0},
	{"chat-stream.sse", "sse-stream", 1, 5, 2, NAN, NAN, NAN, NAN, 1},
	{"chat.json", "chat-value", 1, 1, 0, NAN, NAN, NAN, NAN, 0},
	{"chunks.jsonl", "json-lines", 1, 7, 1, 126, 50, NAN, 0.412, 1},
	{"columns.json", "posthog-rows", 1, 5, 0, 1373, 214, 0.002050, 12.740, 0},
	{"completion.sse", "sse-stream", 1, 3, 0, 279, 76, NAN, NAN, 1},
	{"conversations.jsonl", "json-lines", 2, 6, 0, NAN, NAN, NAN, NAN, 0},
	{"damaged.json", "chain-object", 1, 6, 2, 123, 81, 0.001500, 3.650, 0},
	{"damaged.jsonl", "json-lines", 1, 8, 2, 81, 89, 0.000130, 3.460, 0},
	{"events-array.json", "event-array", 1, 10, 0, 429, 271, 0.002188, 10.220, 1},
	{"hostile.json", "chain-object", 1, 9, 0, 80, 40, 0.008000, 8.000, 1},
	{"many-traces.json", "event-array", 4, 9, 0, 414, 190, 0.001059, 16.800, 1},
	{"settings.json", "json", 1, 1, 0, NAN, NAN, NAN, NAN, 0},
	{"single-event.json", "single-event", 1, 1, 0, 1312, 107, 0.005541, 3.200, 0},
	{"support-events.json", "chain-object", 1, 7, 0, 3998, 855, 0.018510, 12.740, 0},
	{"support.json", "posthog-rows", 1, 7, 0, 3998, 855, 0.018510, 12.740, 0},
	{"thousand.jsonl", "json-lines", 1, 1000, 0, 13522, 9496, 0.032514, 493.149, 7},
	{"user-images.json", "chain-object", 1, 2, 0, 1159, 68, 0.000184, 2.600, 0},
};

static bool near(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) < 1e-6;
}

Test(load, samples)
{
	for (size_t i = 0; i < COUNT(samples); i++) {
		struct buf text = read_sample(samples[i].name);
		struct loaded x = load_text_as(buf_view(&text), NULL);
		const struct totals *t = &x.trace->totals;
		size_t notes;

		load_notes(x.loader, &notes);
		cr_expect_str_eq(
			x.trace->format, samples[i].format, "%s", samples[i].name);
		cr_expect(x.trace->chain_count == samples[i].chains &&
				  x.trace->count == samples[i].steps &&
				  notes == samples[i].notes,
			"%s: %zu chains, %zu steps, %zu notes", samples[i].name,
			x.trace->chain_count, x.trace->count, notes);
		cr_expect(near(t->input_tokens, samples[i].input) &&
				  near(t->output_tokens, samples[i].output) &&
				  near(t->cost, samples[i].cost) &&
				  near(t->latency, samples[i].latency) &&
				  t->errors == samples[i].errors,
			"%s: %.17g %.17g %.17g %.17g", samples[i].name, t->input_tokens,
			t->output_tokens, t->cost, t->latency);
		expect_sound(&x, samples[i].name);
		unload(&x);
		buf_done(&text);
	}
}

Test(load, samples_by_a_slow_pipe, .timeout = 120)
{
	for (size_t i = 0; i < COUNT(samples); i++) {
		struct buf text = read_sample(samples[i].name);

		expect_same_dribbled(buf_view(&text), text.len < 5000 ? 1 : 61 + 10 * i);
		expect_same_dribbled(buf_view(&text), text.len / 7 % 60000 + 1);
		buf_done(&text);
	}
}

/* The two spellings of one trace say the same. */
Test(load, rows_and_events_of_one_trace)
{
	struct buf rows = read_sample("support.json"),
		   events = read_sample("support-events.json");
	struct loaded a = load_text_as(buf_view(&rows), NULL),
		      b = load_text_as(buf_view(&events), NULL);

	cr_assert_eq(a.trace->count, b.trace->count);
	for (size_t i = 0; i < a.trace->count; i++) {
		struct step x_step = trace_step(a.trace, i), *x = &x_step;
		struct step y_step = trace_step(b.trace, i), *y = &y_step;
		struct buf s = BUF_INIT, t = BUF_INIT;

		step_title(a.trace, (uint32_t)i, &s);
		step_title(b.trace, (uint32_t)i, &t);
		cr_expect(str_equal(buf_view(&s), buf_view(&t)));
		cr_expect(x->timestamp == y->timestamp && near(x->cost, y->cost) &&
			  near(x->latency, y->latency) &&
			  near(x->input_tokens, y->input_tokens) &&
			  trace_depth(a.trace, i) == trace_depth(b.trace, i));
		buf_done(&s);
		buf_done(&t);
	}
	unload(&a);
	unload(&b);
	buf_done(&rows);
	buf_done(&events);
}

static bool has_step(const struct trace *trace, const struct step *want)
{
	for (size_t i = 0; i < trace->count; i++) {
		struct step s = trace_step(trace, i);

		if (s.offset == want->offset && s.length == want->length)
			return !(s.flags & (STEP_BROKEN | STEP_CUT));
	}
	return false;
}

/* Every prefix loads, and shows every step that is whole in it. */
Test(load, every_prefix_of_the_samples, .timeout = 300)
{
	for (size_t i = 0; i < COUNT(samples); i++) {
		struct buf text = read_sample(samples[i].name);
		struct loaded whole = load_text_as(buf_view(&text), NULL);

		for (size_t n = 0; text.len < 30000 && n < text.len;
			n += text.len < 3000 ? 1 : PREFIX_STEP) {
			struct loaded x = load_text_as((struct str){text.data, n}, NULL);

			expect_sound(&x, samples[i].name);
			for (size_t k = 0; k < whole.trace->count; k++) {
				struct step step = trace_step(whole.trace, k), *s = &step;

				if (s->offset + s->length <= n &&
					!(s->flags & (STEP_BROKEN | STEP_CUT)))
					cr_assert(has_step(x.trace, s),
						"%s: step %zu of the first %zu bytes",
						samples[i].name, k, n);
			}
			unload(&x);
		}
		unload(&whole);
		buf_done(&text);
	}
}

/* Bytes turned into others: no crash, no hang, nothing outside of the file. */
Test(load, random_damage_to_the_samples, .timeout = 300)
{
	static const char usual[] = "{}[],:\"\\\n0 \xFF";

	chance_state = 77;
	for (size_t i = 0; i < COUNT(samples); i++) {
		struct buf text = read_sample(samples[i].name);

		for (int round = 0; text.len < 30000 && round < FLIPS; round++) {
			size_t flips = 1 + below(3), at[3];
			char old[3];
			struct loaded x = {0};

			for (size_t k = 0; k < flips; k++) {
				at[k] = below(text.len);
				old[k] = text.data[at[k]];
				text.data[at[k]] = below(2) ? usual[below(sizeof(usual))]
							    : (char)below(256);
			}
			x = load_text_as(buf_view(&text), NULL);
			expect_sound(&x, samples[i].name);
			unload(&x);
			if (round % 20 == 0)
				expect_same_dribbled(buf_view(&text), 1 + below(3000));
			for (size_t k = flips; k-- > 0;)
				text.data[at[k]] = old[k];
		}
		buf_done(&text);
	}
}

/* ---- what cannot be opened ---- */

/* The first of them is the error of all when there is nothing else. */
Test(load, what_cannot_be_opened_is_told_once)
{
	static const struct {
		const char *names[3];
		const char *error; /* or NULL */
		size_t notes;
	} rows[] = {
		{{"/none/a"}, "/none/a", 0},
		{{"/none/a", "/none/b"}, "/none/a", 1},
		{{"/none/a", TEST_SRCDIR "/LICENSE"}, "/none/a", 1},
		{{TEST_SRCDIR "/LICENSE", "/none/a"}, TEST_SRCDIR "/LICENSE", 1},
		{{"/none/a", TEST_SRCDIR "/data/samples/chat.json", "/none/b"}, NULL, 2},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct inputs *in = inputs_new();
		struct trace *trace = trace_new(in);
		struct load *l = load_begin(trace, NULL);
		struct err err = {0};

		for (size_t k = 0; k < 3 && rows[i].names[k]; k++)
			inputs_add(in, rows[i].names[k]);
		cr_assert_eq(load_all(l, &err), TASK_DONE);
		cr_expect_eq(load_unreadable(l, &err), rows[i].error != NULL, "%zu", i);
		if (rows[i].error)
			cr_expect_str_eq(err.source, rows[i].error);
		cr_expect_eq(inputs_note_count(in), rows[i].notes, "%zu: %zu", i,
			inputs_note_count(in));
		load_free(l);
		trace_free(trace);
		err_done(&err);
	}
}

/* What decides may stand after 64 KB: an evaluation's sample is no list of events because of
 * a long question. */
Test(load, what_decides_stands_late)
{
	struct buf text = BUF_INIT;
	struct loaded x;

	buf_text(&text, "{\"id\":1,\"epoch\":1,\"events\":[{\"event\":\"model\","
			"\"model\":\"m\",\"input\":[{\"role\":\"user\",\"content\":\"");
	buf_fill(&text, 'q', 70000);
	buf_text(&text, "\"}],\"output\":{\"choices\":[{\"message\":{\"role\":"
			"\"assistant\",\"content\":\"a\"}}]}}],"
			"\"messages\":[{\"role\":\"user\",\"content\":\"q\"}],"
			"\"target\":\"t\",\"scores\":{\"s\":{\"value\":1}}}");
	x = load_text_as(buf_view(&text), NULL);
	cr_expect_str_eq(x.trace->format, "inspect-ai");
	unload(&x);
	buf_done(&text);
}
