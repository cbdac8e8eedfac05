/*
 * Server-sent events: what the HTML standard makes of a stream, whole and in pieces;
 * lines of JSON by the same machine; where events and the unfinished rest stand.  And
 * what is made of a response when it is opened: its conversation, its elements, its tree.
 */
#include "config.h"
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "import/load.h"
#include "import/open.h"
#include "import/stream.h"
#include "json/json.h"

#include "loaded.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static void put(void *ctx, const struct sse_event *e)
{
	struct buf *out = ctx;

	buf_byte(out, '[');
	buf_str(out, e->type);
	buf_byte(out, '|');
	buf_str(out, e->data);
	buf_byte(out, '|');
	buf_str(out, e->id);
	buf_byte(out, ']');
}

static void put_places(void *ctx, const struct sse_event *e)
{
	buf_printf(ctx, "%llu-%llu%s ", (unsigned long long)e->start,
		(unsigned long long)e->end, e->cut ? "!" : "");
}

/* The events of a text in short, fed in pieces; 0: whole. */
static struct buf read_in(
	struct str text, size_t piece, bool lines, sse_event_fn *each, size_t most)
{
	struct buf out = BUF_INIT;
	struct sse s;

	sse_begin(&s, each, &out, 0);
	s.lines = lines;
	s.most = most ? most : SIZE_MAX;
	piece = piece ? piece : text.n + 1;
	for (size_t at = 0; at < text.n; at += piece) {
		/* a copy of its own, so that nothing behind it is read */
		size_t n = text.n - at < piece ? text.n - at : piece;
		char *copy = mem_alloc(n);

		memcpy(copy, text.p + at, n);
		cr_assert_eq(sse_feed(&s, (struct str){copy, n}), n);
		mem_free(copy);
	}
	buf_printf(&out, "%llu", (unsigned long long)sse_rest(&s));
	sse_finish(&s);
	sse_done(&s);
	return out;
}

static void expect_same_in_pieces(struct str text, bool lines)
{
	static const size_t pieces[] = {1, 2, 3, 7, 64};
	sse_event_fn *const each[] = {put, put_places};

	for (size_t k = 0; k < COUNT(each); k++) {
		struct buf whole = read_in(text, 0, lines, each[k], 0);

		for (size_t i = 0; i < COUNT(pieces); i++) {
			struct buf got = read_in(text, pieces[i], lines, each[k], 0);

			cr_expect(str_equal(buf_view(&got), buf_view(&whole)),
				"%.*s in pieces of %zu: %s, not %s", (int)text.n, text.p,
				pieces[i], got.data, whole.data);
			buf_done(&got);
		}
		buf_done(&whole);
	}
}

struct row {
	struct str text;
	const char *want;
	bool lines;
};

#define ROW(text, want)                                                                  \
	{                                                                                \
		{text, sizeof(text) - 1}, want, false                                    \
	}
#define LINES(text, want)                                                                \
	{                                                                                \
		{text, sizeof(text) - 1}, want, true                                     \
	}

static void expect_rows(const struct row rows[], size_t count, sse_event_fn *each)
{
	for (size_t i = 0; i < count; i++) {
		struct buf got = read_in(rows[i].text, 0, rows[i].lines, each, 0);

		cr_expect(str_equal(buf_view(&got), str_of(rows[i].want)),
			"%s gives %s, not %s", rows[i].text.p, got.data, rows[i].want);
		expect_same_in_pieces(rows[i].text, rows[i].lines);
		buf_done(&got);
	}
}

/* The events, where the rest begins, and what the end makes of the rest. */
Test(sse, events)
{
	static const struct row rows[] = {
		ROW("", "0"),
		ROW("data: a\n\n", "[message|a|]9"),
		ROW("data:a\ndata: b\ndata\ndata:\n\n", "[message|a\nb\n\n|]27"),
		ROW("data:  two blanks\n\n", "[message| two blanks|]19"),
		ROW("event: t\ndata: a\n\ndata: b\n\n", "[t|a|][message|b|]27"),
		ROW("event: t\nevent: u\ndata: a\n\n", "[u|a|]27"),
		ROW("event: t\nevent\ndata: a\n\n", "[message|a|]24"),
		/* an event without data is none, and its type goes with it */
		ROW("event: t\n\ndata: a\n\n", "[message|a|]19"),
		ROW("data\n\n", "[message||]6"),
		/* ids stay, but not one with a NUL */
		ROW("id: 1\n\ndata: a\n\nid\ndata: b\n\n", "[message|a|1][message|b|]28"),
		ROW("id: 1\nid: 2\0003\ndata: a\n\n", "[message|a|1]23"),
		/* comments, fields of other names, retry */
		ROW(": c\ndata: a\n:\nretry: 10\nfoo: b\nDATA: c\ndat: d\n data: e\n"
		    "datax: f\n\n",
			"[message|a|]65"),
		/* ends of lines */
		ROW("data: a\r\rdata: b\r\n\r\ndata: c\n\rdata: d\r\n\n",
			"[message|a|][message|b|][message|c|][message|d|]39"),
		ROW("data: a\r\n\ndata: b\n\r\n", "[message|a|][message|b|]20"),
		/* one BOM in front is none of the text */
		ROW("\xEF\xBB\xBF"
		    "data: \xEF\xBB\xBFx\n\n",
			"[message|\xEF\xBB\xBFx|]15"),
		ROW("\xEF\xBB\xBF\xEF\xBB\xBF"
		    "data: x\n\ndata: y\n\n",
			"[message|y|]24"),
		/* the end makes an event of what has no blank line after it */
		ROW("data: a\n\ndata: b\n", "[message|a|]9[message|b|]"),
		ROW("data: a\n\ndata: b", "[message|a|]9[message|b|]"),
		ROW("data: a\n\n\n\n\nda", "[message|a|]12"),
		ROW("data: a\n\n: c\n\n", "[message|a|]9"),
		ROW("data: a\n", "0[message|a|]"),
		ROW("data: a\n\r", "[message|a|]9"),
	};

	expect_rows(rows, COUNT(rows), put);
}

Test(sse, stamps)
{
	static const struct {
		const char *line;
		size_t want;
	} rows[] = {
		{"", 0},
		{"data: 5 data: x", 0},
		{": 12:00 data: x", 0},
		{"12:00:01 data: x", 9},
		{"12:00:01\tevent: x", 9},
		{"[  0.512] :", 10},
		{"2025-01-01T00:00:00.123Z id: 1", 25},
		{"Nov 22 02:49:18 ", 16},
		{"02:49:18", 8},
		{"12:00:01data: x", 0},
		{"note data: x", 0},
		{"{\"a\": 1}", 0},
		{"1 and so many more words behind it than a time has in it, data: x", 0},
		{"12:00 other: x", 0},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect_eq(sse_stamp(str_of(rows[i].line)), rows[i].want, "%s: %zu",
			rows[i].line, sse_stamp(str_of(rows[i].line)));
}

Test(sse, lines_of_json)
{
	static const struct row rows[] = {
		LINES("{}\n{\"a\":1}\r\n\n \t\nx",
			"[message|{}|][message|{\"a\":1}\r|]16[message|x|]"),
		LINES("\xEF\xBB\xBF{}\n", "[message|{}|]6"),
		LINES("data: a\n\n:\n", "[message|data: a|][message|:|]11"),
		LINES("\n\n", "2"),
	};

	expect_rows(rows, COUNT(rows), put);
}

/* An event begins behind the one before it, with the comments in front; a CR LF ends with
 * its CR. */
Test(sse, places)
{
	static const struct row rows[] = {
		ROW("\n\ndata: a\n\n\n: c\n\nid: 1\n\ndata: b\n\n", "2-11 12-33 33"),
		ROW("data: a\r\n\r\ndata: b\r\n\r\n", "0-10 11-21 22"),
		LINES("\n{}\n\n[]\n", "1-4 5-8 8"),
	};

	expect_rows(rows, COUNT(rows), put_places);
}

struct halting {
	struct sse sse;
	size_t events;
};

static void halt_at_second(void *ctx, const struct sse_event *e)
{
	struct halting *h = ctx;

	(void)e;
	if (++h->events == 2)
		sse_halt(&h->sse);
}

Test(sse, halting)
{
	struct str text = STR("data: a\n\ndata: b\n\ndata: c\n\n");
	struct halting h = {.events = 0};

	sse_begin(&h.sse, halt_at_second, &h, 0);
	cr_expect_eq(sse_feed(&h.sse, text), 18);
	cr_expect_eq(h.events, 2);
	sse_done(&h.sse);
}

/* No more than `most` bytes of an event are kept, however they come. */
Test(sse, bounded)
{
	static const char text[] = "data: 0123456789\n\ndata: a\ndata: 0123456789\n\n";

	for (size_t piece = 0; piece < 40; piece++) {
		struct buf got = read_in(str_of(text), piece, false, put_places, 5);

		cr_expect_str_eq(got.data, "0-18! 18-44! 44", "%zu: %s", piece, got.data);
		buf_done(&got);
	}
}

/* Text in which every line is looked at again and again would take minutes here. */
Test(sse, linear, .timeout = 60)
{
	static const char *const bodies[] = {
		"\r", "\n", "\r\n", "data\r", "data:\n", ":\r\n", "x"};

	for (size_t i = 0; i < COUNT(bodies); i++) {
		struct buf text = BUF_INIT, got;

		while (text.len < 2000000)
			buf_text(&text, bodies[i]);
		got = read_in(buf_view(&text), 0, false, put_places, 0);
		buf_done(&got);
		got = read_in(buf_view(&text), 1000, true, put_places, 0);
		buf_done(&got);
		buf_done(&text);
	}
}

/* ---- the cases of the web platform's tests, where they are at hand ---- */

static int sextet(int c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *p = c ? strchr(digits, c) : NULL;

	return p ? (int)(p - digits) : -1;
}

static void decode_base64(const char *text, struct buf *out)
{
	unsigned bits = 0;
	int count = 0;

	for (; *text && *text != '='; text++) {
		bits = bits << 6 | (unsigned)sextet(*text);
		count += 6;
		if (count >= 8) {
			count -= 8;
			buf_byte(out, (char)(bits >> count & 0xFF));
		}
	}
}

static struct str member(const json_t *object, const char *name)
{
	const json_t *v = json_object_get(object, name);

	return (struct str){json_string_value(v), json_string_length(v)};
}

/* A browser drops an event that no blank line ends, since its connection may have been
 * lost.  A file is all there is: its end ends the event, which is shown, too. */
static bool is_ended_by_the_file(const json_t *one)
{
	return str_equal(
		member(one, "name"), STR("format-data-before-final-empty-line"));
}

static bool case_holds(const json_t *one, size_t piece)
{
	struct buf text = BUF_INIT, want = BUF_INIT, got;
	const json_t *expect = json_object_get(one, "expect");
	bool same;

	decode_base64(member(one, "input_b64").p, &text);
	for (size_t i = 0; i < json_array_size(expect); i++) {
		const json_t *e = json_array_get(expect, i);
		struct sse_event event = {.type = member(e, "event"),
			.data = member(e, "data"),
			.id = member(e, "id")};

		put(&want, &event);
	}
	got = read_in(buf_view(&text), piece, false, put, 0);
	while (got.len && got.data[got.len - 1] != ']')
		got.len--; /* the place of the rest */
	same = is_ended_by_the_file(one)
		       ? str_starts(buf_view(&got), buf_view(&want)) && got.len > want.len
		       : str_equal(buf_view(&got), buf_view(&want));
	cr_expect(same, "%s in pieces of %zu: %.*s", member(one, "name").p, piece,
		(int)got.len, got.data ? got.data : "");
	buf_done(&text);
	buf_done(&want);
	buf_done(&got);
	return same;
}

static bool read_file(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "rb");
	char chunk[4096];
	size_t n;

	if (!f)
		return false;
	while ((n = fread(chunk, 1, sizeof(chunk), f)))
		buf_add(out, chunk, n);
	fclose(f);
	return true;
}

Test(sse, conformance)
{
	const char *shared = getenv("CATENA_SHARED");
	struct buf path = BUF_INIT, text = BUF_INIT;
	struct err err = {0};
	size_t passed = 0;
	json_t *cases;

	buf_printf(&path, "%s%s/conformance/sse/cases.json",
		shared ? shared : TEST_SRCDIR, shared ? "" : "/../shared");
	if (!read_file(path.data, &text)) {
		buf_done(&path);
		cr_skip_test("no cases of the web platform's tests at hand");
	}
	json_init();
	cases = json_read(buf_view(&text), NULL, &err);
	cr_assert(cases);
	for (size_t i = 0; i < json_array_size(cases); i++) {
		const json_t *one = json_array_get(cases, i);

		bool whole = case_holds(one, 0), ones = case_holds(one, 1);

		passed += case_holds(one, 2) && whole && ones;
	}
	printf("SSE conformance: %zu of %zu, whole, in 1- and in 2-byte chunks\n", passed,
		json_array_size(cases));
	fflush(stdout);
	cr_expect(passed == json_array_size(cases) && passed > 0);
	json_decref(cases);
	buf_done(&path);
	buf_done(&text);
	err_done(&err);
}

/* ---- opened ---- */

static void put_value(struct buf *out, struct jv v)
{
	if (v.kind != J_NONE)
		json_write_raw(out, (struct str){v.p, v.n});
}

/* The messages of a side, one behind the other; of what is no chat its view. */
static void put_side(struct buf *out, const struct side *s)
{
	if (s->view != SIDE_CHAT)
		buf_text(out, side_view_name(s->view));
	for (size_t i = 0; i < s->chat.count; i++)
		put_value(out, s->chat.items[i]);
}

struct opening {
	const char *text, *want;
};

/* Opens the last step; one side is empty. */
static void expect_opened(const struct opening *row,
	const char *(*show)(struct step_content *o, struct buf *out))
{
	struct trace *trace = model_of(str_of(row->text));
	struct step_content *o = step_content_new(trace, (uint32_t)trace->count - 1);
	struct buf out = BUF_INIT;

	buf_text(&out, "");
	show(o, &out);
	cr_expect_str_eq(out.data, row->want, "%s\n gives %s\n   not %s", row->text,
		out.data, row->want);
	buf_done(&out);
	step_content_free(o);
	trace_free(trace);
}

static const char *show_output(struct step_content *o, struct buf *out)
{
	cr_expect_eq(o->input.view, SIDE_EMPTY);
	put_side(out, &o->output);
	return out->data;
}

static const char *show_input(struct step_content *o, struct buf *out)
{
	cr_expect_eq(o->output.view, SIDE_EMPTY);
	put_side(out, &o->input);
	return out->data;
}

static const char *show_response(struct step_content *o, struct buf *out)
{
	put_value(out, o->response);
	return out->data;
}

static const char *show_tree(struct step_content *o, struct buf *out)
{
	put_value(out, o->facts.value);
	return out->data;
}

static const char *show_error(struct step_content *o, struct buf *out)
{
	put_value(out, o->facts.v[FACT_ERROR]);
	return out->data;
}

#define TEXT(text)     "{\"type\":\"text_delta\",\"text\":\"" text "\"}\n"
#define START(more)    "{\"type\":\"tool_start\"," more "}\n"
#define DONE(more)     "{\"type\":\"tool_complete\"," more "}\n"
#define FINAL(more)    "{\"type\":\"complete\",\"payload\":{" more "}}\n"
#define SAYS(text)     "{\"role\":\"assistant\",\"content\":\"" text "\"}"
#define CALL(id, more) "{\"id\":\"" id "\",\"type\":\"function\",\"function\":{" more "}}"
#define CALLS(calls)   "{\"role\":\"assistant\",\"tool_calls\":[" calls "]}"
#define GIVES(id, name, content)                                                         \
	"{\"role\":\"tool\",\"tool_call_id\":\"" id "\",\"name\":\"" name                \
	"\",\"content\":" content "}"

#define EACH(rows, show)                                                                 \
	for (size_t row_ = 0; row_ < COUNT(rows); row_++)                                \
	expect_opened(&rows[row_], show)

Test(stream, text)
{
	static const struct opening rows[] = {
		{TEXT("a") TEXT("\\n\\u00e9") TEXT("") TEXT("b"), SAYS("a\\n\\u00e9b")},
		/* half a character in each */
		{TEXT("\\ud83d") TEXT("\\ude00"), SAYS("\\ud83d\\ude00")},
		{"event: text_delta\ndata: {\"text\":\"a\"}\n\nevent: text_delta\ndata: "
		 "b\n\n",
			SAYS("ab")},
		{"{\"type\":\"status\",\"message\":\"m\"}\n", "json"},
		/* the message of the end, cleaned, stands for the deltas */
		{TEXT("a ") FINAL("\"message\":\"a\""), SAYS("a ")},
		{TEXT("a X: []") FINAL("\"message\":\"a\""), SAYS("a")},
		{FINAL("\"message\":\"a\""), SAYS("a")},
		{TEXT("a") FINAL("\"message\":\"\""), SAYS("a")},
		{TEXT("a") FINAL("\"message\":null"), SAYS("a")},
		{"{\"type\":\"text_delta\",\"text\":\"a\"}\n{\"type\":\"complete\","
		 "\"message\":\"b\"}",
			SAYS("b")},
	};

	EACH(rows, show_output);
}

Test(stream, tools)
{
	static const struct opening rows[] = {
		{TEXT("a") START("\"tool\":\"t\",\"input\":{\"x\":1}")
				DONE("\"tool\":\"t\",\"output\":\"o\"") TEXT("b"),
			"{\"role\":\"assistant\",\"content\":\"a\",\"tool_calls\":[" CALL(
				"tool_start[0]",
				"\"name\":\"t\",\"arguments\":{\"x\":1}") "]}" GIVES("too"
										     "l_"
										     "sta"
										     "rt["
										     "0]",
				"t", "\"o\"") SAYS("b")},
		/* by id */
		{START("\"tool\":\"t\",\"tool_use_id\":\"1\"") START("\"tool\":\"t\","
								     "\"toolUseId\":2")
				DONE("\"tool\":\"t\",\"tool_use_id\":\"2\",\"result\":["
				     "2]") DONE("\"tool\":\"t\",\"tool_use_id\":\"1\","
						"\"text\":\"1\""),
			CALLS(CALL("1", "\"name\":\"t\"") "," CALL("2", "\"name\":\"t\""))
				GIVES("2", "t", "[2]") GIVES("1", "t", "\"1\"")},
		/* by index; one that fits no call is none */
		{START("\"tool\":\"t\"") START("\"tool\":\"t\"") DONE(
			 "\"tool\":\"t\",\"index\":1") DONE("\"tool\":\"t\",\"index\":1"),
			CALLS(CALL("tool_start[0]", "\"name\":\"t\"") "," CALL(
				"tool_start[1]", "\"name\":\"t\"")) GIVES("tool_start[1]",
				"t", "\"\"") GIVES("tool_start[0]", "t", "\"\"")},
		{START("\"tool\":\"t\"") START("\"tool\":\"u\"") DONE(
			 "\"tool\":\"u\",\"index\":0") DONE("\"tool\":\"t\",\"index\":0"),
			CALLS(CALL("tool_start[0]", "\"name\":\"t\"") "," CALL(
				"tool_start[1]", "\"name\":\"u\"")) GIVES("tool_start[1]",
				"u", "\"\"") GIVES("tool_start[0]", "t", "\"\"")},
		/* by name, in order; without a name the first */
		{START("\"tool\":\"t\"") START("\"tool_name\":\"u\"")
				START("\"name\":\"t\"") DONE("\"tool\":\"t\"")
					DONE("\"x\":1") DONE("\"tool\":\"t\""),
			CALLS(CALL("tool_start[0]", "\"name\":\"t\"") "," CALL(
				"tool_start[1]",
				"\"name\":\"u\"") "," CALL("tool_start[2]",
				"\"name\":\"t\"")) GIVES("tool_start[0]", "t", "\"\"")
				GIVES("tool_start[1]", "u", "\"\"")
					GIVES("tool_start[2]", "t", "\"\"")},
		/* what has no call keeps its own id */
		{DONE("\"tool\":\"t\",\"tool_use_id\":\"9\",\"is_error\":true,"
		      "\"content\":\"c\""),
			"{\"role\":\"tool\",\"tool_call_id\":\"9\",\"name\":\"t\","
			"\"content\":\"c\","
			"\"is_error\":true}"},
		{START("\"tool\":\"t\",\"tool_use_id\":\"1\"")
				DONE("\"tool\":\"t\",\"tool_use_id\":\"2\""),
			CALLS(CALL("1", "\"name\":\"t\"")) GIVES("2", "t", "\"\"")},
		/* a payload beside the text, or instead of it */
		{START("\"tool\":\"t\"") DONE(
			 "\"text\":\"o\",\"payload\":{\"type\":\"p\",\"data\":1}"),
			CALLS(CALL("tool_start[0]", "\"name\":\"t\""))
				GIVES("tool_start[0]", "t",
					"{\"text\":\"o\",\"payload\":{\"type\":\"p\","
					"\"data\":1}}")},
		{START("\"tool\":\"t\"") DONE("\"payload\":{\"type\":\"p\",\"data\":1}"),
			CALLS(CALL("tool_start[0]", "\"name\":\"t\""))
				GIVES("tool_start[0]", "t",
					"{\"payload\":{\"type\":\"p\",\"data\":1}}")},
		{START("\"tool\":\"t\"") DONE("\"payload\":[1]"),
			CALLS(CALL("tool_start[0]", "\"name\":\"t\""))
				GIVES("tool_start[0]", "t", "[1]")},
	};

	EACH(rows, show_output);
}

#define HISTORY(name, in, out)                                                           \
	"{\"tool_name\":\"" name "\",\"input\":" in ",\"output\":\"" out "\"}"

/* The history of the end completes what the stream had. */
Test(stream, tool_history)
{
	static const struct opening rows[] = {
		{START("\"tool\":\"t\"") DONE("\"tool\":\"t\"")
				FINAL("\"tool_history\":[" HISTORY("t", "{}", "o") "]"),
			CALLS(CALL("tool_start[0]", "\"name\":\"t\",\"arguments\":{}"))
				GIVES("tool_start[0]", "t", "\"o\"")},
		{START("\"tool\":\"t\"") DONE("\"payload\":{\"type\":\"p\",\"data\":1}")
				FINAL("\"tool_history\":[" HISTORY("t", "{}", "o") "]"),
			CALLS(CALL("tool_start[0]", "\"name\":\"t\",\"arguments\":{}"))
				GIVES("tool_start[0]", "t",
					"{\"text\":\"o\",\"payload\":{\"type\":\"p\","
					"\"data\":1}}")},
		/* what the stream said itself stays */
		{START("\"tool\":\"t\",\"input\":1") DONE("\"tool\":\"t\",\"output\":2")
				FINAL("\"tool_history\":[" HISTORY("t", "{}", "o") "]"),
			CALLS(CALL("tool_start[0]", "\"name\":\"t\",\"arguments\":1"))
				GIVES("tool_start[0]", "t", "2")},
		/* a call that nothing completed; calls that were not streamed */
		{START("\"tool\":\"t\"") TEXT("a") FINAL(
			 "\"tool_history\":[" HISTORY("t", "1", "o") "," HISTORY("t", "2",
				 "p") "," HISTORY("u", "3", "q") "],\"message\":\"a\""),
			CALLS(CALL("tool_start[0]",
				"\"name\":\"t\",\"arguments\":1")) GIVES("tool_start[0]",
				"t", "\"o\"") CALLS(CALL("tool_history[1]",
				"\"name\":\"t\",\"arguments\":2"))
				GIVES("tool_history[1]", "t", "\"p\"") CALLS(
					CALL("tool_history[2]",
						"\"name\":\"u\",\"arguments\":3"))
					GIVES("tool_history[2]", "u", "\"q\"") SAYS("a")},
		/* the message repeats the text before the call, or does not */
		{TEXT("Look:") START("\"tool\":\"t\"") TEXT("It is. M: {}")
				FINAL("\"message\":\"Look:\\n\\nIt is.\""),
			"{\"role\":\"assistant\",\"content\":\"Look:\",\"tool_calls\":"
			"[" CALL("tool_start[0]", "\"name\":\"t\"") "]}" SAYS("It is.")},
		{TEXT("Look:") START("\"tool\":\"t\"") TEXT("It is. M: {}")
				FINAL("\"message\":\"It is.\""),
			"{\"role\":\"assistant\",\"content\":\"Look:\",\"tool_calls\":"
			"[" CALL("tool_start[0]", "\"name\":\"t\"") "]}" SAYS("It is.")},
		{TEXT("Look:") START("\"tool\":\"t\"") TEXT("It is.")
				FINAL("\"message\":\"Look:It is.\""),
			"{\"role\":\"assistant\",\"content\":\"Look:\",\"tool_calls\":"
			"[" CALL("tool_start[0]", "\"name\":\"t\"") "]}" SAYS("It is.")},
	};

	EACH(rows, show_output);
}

Test(stream, elements)
{
	static const struct opening rows[] = {
		{TEXT("a"), ""},
		{FINAL("\"message\":\"a\",\"suggested_values\":[1]"),
			"{\"message\":\"a\",\"suggested_values\":[1]}"},
		/* the last tool's payload, where the end names none */
		{START("\"tool\":\"t\"") DONE("\"payload\":{\"type\":\"p\",\"data\":1}")
				START("\"tool\":\"t\"") DONE(
					"\"output\":{\"payload\":{\"type\":\"q\","
					"\"data\":2}}") FINAL("\"message\":\"a\","
							      "\"custom_payload\":null"),
			"{\"message\":\"a\",\"custom_payload\":{\"type\":\"q\",\"data\":"
			"2}}"},
		{DONE("\"payload\":{\"type\":\"p\",\"data\":1}")
				FINAL("\"custom_payload\":{\"type\":\"q\"}"),
			"{\"custom_payload\":{\"type\":\"q\"}}"},
		{DONE("\"payload\":{\"type\":\"p\",\"data\":1}"),
			"{\"custom_payload\":{\"type\":\"p\",\"data\":1}}"},
		{DONE("\"payload\":5"), ""},
		{"{\"type\":\"text_delta\"}\n{\"type\":\"complete\",\"payload\":\"{"
		 "\\\"message\\\":\\\"a\\\"}\"}",
			"{\"message\":\"a\"}"},
		{"{\"message\":\"a\",\"tool_history\":[]}",
			"{\"message\":\"a\",\"tool_history\":[]}"},
		{"{\"message\":\"a\",\"context\":{}}", ""},
	};

	EACH(rows, show_response);
}

/* Every event is in the tree, whatever it is. */
Test(stream, tree)
{
	static const struct opening rows[] = {
		{": c\n\nevent: x\nid: 1\ndata: {\"a\":\ndata: 1}\n\ndata: "
		 "{\"type\":\"y\"}\n\nevent: z\n"
		 "data: {\"type\":\"z\"}\n\ndata: not \"json\"\n\nevent: w\ndata: 5 "
		 "6\n\ndata: [DONE]\n\n",
			"[{\"event\":\"x\",\"data\":{\"a\":1}},{\"type\":\"y\"},{"
			"\"type\":\"z\"},"
			"\"not \\\"json\\\"\",{\"event\":\"w\",\"data\":\"5 "
			"6\"},\"[DONE]\"]"},
		{TEXT("a") "junk\n{\"type\":\"text_delta\",\"text\":\"b\n" FINAL(""),
			"[{\"type\":\"text_delta\",\"text\":\"a\"},\"junk\",{\"type\":"
			"\"text_delta\",\"text\":\"b\"},"
			"{\"type\":\"complete\",\"payload\":{}}]"},
	};

	EACH(rows, show_tree);
}

Test(stream, errors)
{
	static const struct opening rows[] = {
		{"{\"type\":\"error\",\"message\":\"m\"}",
			"{\"type\":\"error\",\"message\":\"m\"}"},
		{"data: {\"type\":\"error\",\"error\":{\"message\":\"m\"}}\n\n",
			"{\"message\":\"m\"}"},
		{"data: {\"error\":{\"message\":\"m\"}}\n\n", "{\"message\":\"m\"}"},
		{"event: error\ndata: boom\n\n", "\"boom\""},
		{TEXT("a") "{\"type\":\"cancelled\"}", ""},
	};

	EACH(rows, show_error);
}

#define DELTA(delta)                                                                     \
	"data: "                                                                         \
	"{\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,"               \
	"\"delta\":" delta "}]}\n\n"
#define BLOCKS(blocks) "{\"role\":\"assistant\",\"content\":[" blocks "]}"

Test(stream, chunks_of_others)
{
	static const struct opening rows[] = {
		{DELTA("{\"role\":\"assistant\",\"content\":\"\"}") DELTA(
			 "{\"reasoning_content\":\"r\"}") DELTA("{\"content\":\"a\"}")
				DELTA("{\"content\":\"b\",\"tool_calls\":[{\"index\":1,"
				      "\"id\":\"i\",\"function\":{\"name\":\"f\","
				      "\"arguments\":\"{\\\"x\"}}]}")
					DELTA("{\"tool_calls\":[{\"index\":1,"
					      "\"function\":{\"arguments\":\"\\\":1}\"}}]"
					      "}"),
			BLOCKS("{\"type\":\"thinking\",\"thinking\":\"r\"},{\"type\":"
			       "\"text\",\"text\":\"ab\"},"
			       "{\"type\":\"tool_use\",\"id\":\"i\",\"name\":\"f\","
			       "\"input\":\"{\\\"x\\\":1}\"}")},
		{"data: "
		 "{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"b\"}},{\"index\":0,"
		 "\"delta\":"
		 "{\"content\":\"a\"}}]}\n\ndata: "
		 "{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"c\"}}]}\n\n",
			BLOCKS("{\"type\":\"text\",\"text\":\"a\"}")
				BLOCKS("{\"type\":\"text\",\"text\":\"bc\"}")},
		{"data: {\"type\":\"message_start\"}\n\ndata: "
		 "{\"type\":\"content_block_start\",\"index\":0,"
		 "\"content_block\":{\"type\":\"redacted_thinking\",\"data\":\"d\"}}"
		 "\n\ndata: {\"type\":"
		 "\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\","
		 "\"text\":\"a\"}}\n\n",
			BLOCKS("{\"type\":\"redacted_thinking\",\"data\":\"d\"},{"
			       "\"type\":\"text\",\"text\":\"a\"}")},
		{"data: "
		 "{\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":"
		 "\"a\"}\n\n",
			BLOCKS("{\"type\":\"text\",\"text\":\"a\"}")},
		{"data: "
		 "{\"type\":\"response.output_text.delta\",\"output_index\":1,\"delta\":"
		 "\"a\"}\n\ndata: "
		 "{\"type\":\"response.completed\",\"response\":{\"output\":[{\"type\":"
		 "\"function_call\",\"name\":\"f\"},"
		 "{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":"
		 "\"a\"}]}]}}\n\n",
			BLOCKS("{\"type\":\"function_call\",\"name\":\"f\"},{\"type\":"
			       "\"output_text\",\"text\":\"a\"}")},
		{"data: "
		 "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"t\",\"thought\":"
		 "true},{\"text\":\"a\"}]}}]}\n\n"
		 "data: "
		 "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"b\"},{"
		 "\"functionCall\":{\"name\":\"f\",\"args\":{}}}]}}]}\n\n",
			BLOCKS("{\"type\":\"thinking\",\"thinking\":\"t\"},{\"type\":"
			       "\"text\",\"text\":\"ab\"},"
			       "{\"type\":\"tool_use\",\"name\":\"f\",\"input\":{}}")},
		{"data: {\"type\":\"novel\"}\n\n", "json"},
	};

	EACH(rows, show_output);
}

#define TOOL(more)   "{\"type\":\"tool_use\"," more "}"
#define SAID(text)   BLOCKS("{\"type\":\"text\",\"text\":\"" text "\"}")
#define EVENT(event) "data: {\"type\":" event "}\n\n"
#define ITEM_DELTA(type, delta)                                                          \
	EVENT("\"response." type ".delta\",\"output_index\":3,\"delta\":\"" delta "\"")
#define PART(part) "data: {\"candidates\":[{\"content\":{\"parts\":[" part "]}}]}\n\n"

/* What vendors do differently. */
Test(stream, chunks_by_custom)
{
	static const struct opening rows[] = {
		/* servers like OpenAI's: thoughts told twice, calls of
		 * one index, a whole message, the forms of old */
		{DELTA("{\"reasoning\":\"r\",\"reasoning_content\":"
		       "\"r\"}") DELTA("{\"reasoning\":\"s\"}"),
			BLOCKS("{\"type\":\"thinking\",\"thinking\":"
			       "\"rs\"}")},
		{DELTA("{\"tool_calls\":[{\"index\":0,\"id\":\"1\","
		       "\"function\":{\"name\":"
		       "\"f\",\"arguments\":\"{}\"}}]}")
				DELTA("{\"tool_calls\":[{\"id\":\"2\","
				      "\"function\":{"
				      "\"name\":\"g\",\"arguments\":{"
				      "\"x\":1}}}]}"),
			BLOCKS(TOOL("\"id\":\"1\",\"name\":\"f\","
				    "\"input\":\"{}\"") "," TOOL("\"id\":\"2\",\"name\":"
								 "\"g\",\"input\":{"
								 "\"x\":1}"))},
		{"data: "
		 "{\"choices\":[{\"message\":{\"content\":\"a\"}}]}\n\n",
			SAID("a")},
		{"data: {\"choices\":[{\"text\":\"a\"}]}\n\ndata: "
		 "{\"choices\":[{\"text\":\"b\"}]}\n\n",
			SAID("ab")},
		{DELTA("{\"function_call\":{\"name\":\"f\",\"arguments\":"
		       "\"{\"}}") DELTA("{\"function_call\":{\"arguments\":\"}\"}}"),
			BLOCKS(TOOL("\"name\":\"f\",\"input\":\"{}\""))},
		/* Anthropic's: tools of its servers, thoughts of which no
		   word is told */
		{EVENT("\"content_block_start\",\"index\":0,\"content_"
		       "block\":{\"type\":"
		       "\"server_tool_use\",\"id\":\"1\",\"name\":\"f\","
		       "\"input\":{}}") EVENT("\"content_block_delta\","
					      "\"index\":0,\"delta\":{"
					      "\"partial_json\":\"{}\"}"),
			BLOCKS("{\"type\":\"server_tool_use\",\"id\":"
			       "\"1\",\"name\":\"f\","
			       "\"input\":\"{}\"}")},
		{EVENT("\"content_block_start\",\"index\":0,\"content_"
		       "block\":{\"type\":"
		       "\"thinking\",\"thinking\":\"\"}"),
			BLOCKS("{\"type\":\"thinking\",\"thinking\":"
			       "\"\"}")},
		/* responses that are cut: the pieces, and items that
		   became whole */
		{EVENT("\"response.output_item.added\",\"output_index\":"
		       "3,\"item\":{"
		       "\"type\":\"function_call\",\"id\":\"i\",\"call_"
		       "id\":\"c\","
		       "\"name\":\"f\",\"arguments\":\"\"}")
				ITEM_DELTA("function_call_arguments", "{\\\"x\\\"")
					ITEM_DELTA("function_call_arguments", ":1"),
			BLOCKS("{\"type\":\"function_call\",\"id\":\"c\","
			       "\"name\":\"f\","
			       "\"input\":\"{\\\"x\\\":1\"}")},
		{ITEM_DELTA("reasoning_summary_text", "a") EVENT(
			 "\"response.reasoning_summary_part.added\","
			 "\"output_index\":3") ITEM_DELTA("reasoning_summary_text", "b")
				ITEM_DELTA("refusal", "c"),
			BLOCKS("{\"type\":\"thinking\",\"thinking\":"
			       "\"a\\n\\nb\"},{\"type\":"
			       "\"refusal\",\"refusal\":\"c\"}")},
		{ITEM_DELTA("reasoning_text", "a") ITEM_DELTA("output_text", "b")
				EVENT("\"response.output_item.done\","
				      "\"output_index\":3,\"item\":{"
				      "\"type\":\"message\",\"content\":["
				      "{\"type\":\"output_text\","
				      "\"text\":\"c\"}]}"),
			BLOCKS("{\"type\":\"output_text\",\"text\":"
			       "\"c\"}")},
		/* Gemini's arguments one by one */
		{PART("{\"functionCall\":{\"name\":\"f\","
		      "\"willContinue\":true}}")
				PART("{\"functionCall\":{\"partialArgs\":[{"
				     "\"jsonPath\":\"$.a\","
				     "\"stringValue\":\"x\"}]}}")
					PART("{\"functionCall\":{\"partialArgs\":"
					     "[{\"jsonPath\":"
					     "\"$.a\",\"stringValue\":\"y\"},{"
					     "\"jsonPath\":"
					     "\"$.b.c\",\"numberValue\":1},{"
					     "\"jsonPath\":\"$.d\","
					     "\"boolValue\":true},{\"jsonPath\":"
					     "\"$.e\","
					     "\"nullValue\":null},{\"jsonPath\":"
					     "\"$.f\","
					     "\"stringValue\":\"\"}]}},{"
					     "\"functionCall\":{\"name\":"
					     "\"g\",\"args\":{}}}"),
			BLOCKS(TOOL("\"name\":\"f\",\"input\":{\"a\":"
				    "\"xy\",\"b.c\":1,"
				    "\"d\":true,\"e\":null,\"f\":"
				    "\"\"}") "," TOOL("\"name\":"
						      "\"g\","
						      "\"input\":{"
						      "}"))},
		/* Bedrock's */
		{"{\"messageStart\":{\"role\":\"assistant\"}}\n{"
		 "\"contentBlockDelta\":{"
		 "\"contentBlockIndex\":0,\"delta\":{"
		 "\"reasoningContent\":{\"text\":\"r\"}}}"
		 "}\n{\"contentBlockDelta\":{\"contentBlockIndex\":1,"
		 "\"delta\":{\"text\":"
		 "\"a\"}}}\n{\"contentBlockStart\":{"
		 "\"contentBlockIndex\":2,\"start\":{"
		 "\"toolUse\":{\"toolUseId\":\"1\",\"name\":\"f\"}}}}\n{"
		 "\"contentBlockDelta\":"
		 "{\"contentBlockIndex\":2,\"delta\":{\"toolUse\":{"
		 "\"input\":\"{}\"}}}}\n"
		 "{\"messageStop\":{}}\n",
			BLOCKS("{\"type\":\"thinking\",\"thinking\":"
			       "\"r\"},{\"type\":\"text\","
			       "\"text\":\"a\"}," TOOL("\"id\":\"1\",\"name\":\"f\","
						       "\"input\":\"{}\""))},
	};

	EACH(rows, show_output);
}

Test(stream, envelopes)
{
	static const struct opening requests[] = {
		{"{\"message\":\"q\",\"conversation_history\":[{\"role\":\"user\","
		 "\"content\":\"h\"},5]}",
			"{\"role\":\"user\",\"content\":\"h\"}5{\"role\":\"user\","
			"\"content\":\"q\"}"},
		{"{\"message\":\"\",\"context\":{}}",
			"{\"role\":\"user\",\"content\":\"\"}"},
	};
	static const struct opening responses[] = {
		{"{\"message\":\"a\",\"tool_history\":[" HISTORY(
			 "t", "{}", "o") ",{\"tool_name\":\"u\"}]}",
			CALLS(CALL("tool_history[0]", "\"name\":\"t\",\"arguments\":{"
						      "}")) GIVES("tool_history[0]", "t",
				"\"o\"") "{\"role\":\"assistant\",\"tool_calls\":"
					 "[" CALL("tool_history[1]",
						 "\"name\":\"u\"") "]}" SAYS("a")},
		{"{\"message\":\"\",\"suggested_values\":null}", SAYS("")},
	};

	EACH(requests, show_input);
	EACH(responses, show_output);
}

/* The page is the request's, for the response directly behind it too. */
Test(stream, pages)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"{\"message\":\"q\",\"context\":{\"current_page\":\"a\\u00e9\"}}",
			"a\xC3\xA9"},
		{"{\"message\":\"q\",\"context\":{\"current_page\":\"p\"}}\n" TEXT("a"),
			"p"},
		{"{\"message\":\"q\",\"context\":{\"current_page\":\"p\"}}\n{\"message\":"
		 "\"a\",\"tool_history\":[]}",
			"p"},
		{"{\"message\":\"q\",\"context\":{\"current_page\":\"p\"}}\n" FINAL("")
				FINAL(""),
			""},
		{"{\"message\":\"q\",\"context\":{\"current_page\":\"p\"},\"conversation_"
		 "id\":1}\n"
		 "{\"message\":\"a\",\"tool_history\":[],\"conversation_id\":2}",
			""},
		{"{\"message\":\"q\",\"context\":{\"current_page\":5}}", ""},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct trace *trace = model_of(str_of(rows[i].text));
		struct step_content *o =
			step_content_new(trace, (uint32_t)trace->count - 1);

		cr_expect(str_equal(o->page, str_of(rows[i].want)), "%s: %.*s",
			rows[i].text, (int)o->page.n, o->page.p ? o->page.p : "");
		step_content_free(o);
		trace_free(trace);
	}
}
