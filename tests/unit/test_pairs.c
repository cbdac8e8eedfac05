/*
 * Calls and results of a step: tables of both sides and of who belongs to whom, then
 * random conversations against the rule spelled out the slow way, then large ones.
 */
#include "config.h"

#include <criterion/criterion.h>

#include "base/mem.h"
#include "chat/pairs.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

/* Messages of a table: a text, OpenAI's call and result, without an id if that is "". */
#define SAYS(role) "{\"role\":\"" role "\",\"content\":\"words\"}"
#define CALL(id, n)                                                                      \
	"{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[" ITEM(id, n) "]}"
#define ITEM(id, n)                                                                      \
	"{\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\"" n           \
	"\",\"arguments\":\"{}\"}}"
#define RESULT(id)    "{\"role\":\"tool\",\"tool_call_id\":\"" id "\",\"content\":\"ok\"}"
#define OLD_CALL(n)   "{\"role\":\"assistant\",\"function_call\":{\"name\":\"" n "\"}}"
#define OLD_ANSWER(n) "{\"role\":\"tool\",\"name\":\"" n "\",\"content\":\"ok\"}"
#define NAMELESS      "{\"role\":\"tool\",\"content\":\"ok\"}"

struct step {
	struct side input, output;
	struct arena arena;
	struct pairs pairs;
};

static void step_read(struct step *s, struct str input, struct str output, bool shared)
{
	*s = (struct step){0};
	side_read(&s->input, jv_parse(input), JV_NONE, PREFER_INPUT, &s->arena);
	side_read(&s->output, jv_parse(output), JV_NONE, PREFER_OUTPUT, &s->arena);
	pairs_read(&s->pairs, &s->input, &s->output, shared);
}

static void step_done(struct step *s)
{
	pairs_done(&s->pairs);
	side_done(&s->input);
	side_done(&s->output);
	arena_done(&s->arena);
}

static void put_place(struct buf *out, const struct pair_end *e)
{
	buf_printf(out, "%c%zu.%zu", e->input ? 'i' : 'o', e->message, e->part);
}

/* Every end: its place, then "<" and the call's place of a result, ">" and the result's
 * of a call, "?" when it is alone, "..." when it is an open call. */
static char *seen(const struct step *s)
{
	const struct pairs *p = &s->pairs;
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < p->count; i++) {
		const struct pair_end *e = &p->ends[i];

		buf_text(&out, i ? " " : "");
		put_place(&out, e);
		if (e->other != NO_PAIR) {
			buf_byte(&out, e->call ? '>' : '<');
			put_place(&out, &p->ends[e->other]);
			cr_expect_eq(p->ends[e->other].other, i);
			cr_expect_neq(p->ends[e->other].call, e->call);
		} else {
			bool open = pairs_open_call(p, i);

			buf_text(&out, open ? "..." : "?");
		}
		cr_expect_eq(pairs_find(p, e->input, e->message, e->part), i);
	}
	return buf_take(&out);
}

struct row {
	const char *input, *output, *want;
};

static void check(const struct row rows[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct step s;
		char *got;

		step_read(&s, str_of(rows[i].input), str_of(rows[i].output), false);
		got = seen(&s);
		cr_expect_str_eq(got, rows[i].want, "%s\n%s\n gives %s\n   not %s",
			rows[i].input, rows[i].output, got, rows[i].want);
		mem_free(got);
		step_done(&s);
	}
}

Test(pairs, vendors)
{
	static const struct row rows[] = {
		/* OpenAI */
		{"[" SAYS("user") "," CALL("a", "f") "," RESULT("a") "]", "",
			"i1.0>i2.0 i2.0<i1.0"},
		/* Anthropic */
		{"[{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":"
		 "\"so\"},{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"f\","
		 "\"input\":{}}]},{\"role\":\"user\",\"content\":[{\"type\":"
		 "\"tool_result\",\"tool_use_id\":\"t1\",\"content\":\"ok\"}]}]",
			"", "i0.1>i1.0 i1.0<i0.1"},
		/* Bedrock */
		{"[{\"role\":\"assistant\",\"content\":[{\"toolUse\":{\"toolUseId\":"
		 "\"t1\",\"name\":\"f\",\"input\":{}}}]},{\"role\":\"user\","
		 "\"content\":[{\"toolResult\":{\"toolUseId\":\"t1\",\"content\":"
		 "[{\"text\":\"ok\"}]}}]}]",
			"", "i0.0>i1.0 i1.0<i0.0"},
		/* OpenAI's Responses: the result names call_id, not id */
		{"[" SAYS("user") ",{\"type\":\"function_call\",\"id\":\"fc_1\","
				  "\"call_id\":\"c_1\",\"name\":\"f\",\"arguments\":\"{}"
				  "\"},{\"type\":"
				  "\"function_call_output\",\"call_id\":\"c_1\","
				  "\"output\":\"ok\"}]",
			"", "i1.0>i2.0 i2.0<i1.0"},
		/* Gemini: names only */
		{"[{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"name\":\"g\","
		 "\"args\":{}}},{\"functionCall\":{\"name\":\"f\",\"args\":{}}}]},"
		 "{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"name\":\"f\","
		 "\"response\":{}}},{\"functionResponse\":{\"name\":\"g\","
		 "\"response\":{}}}]}]",
			"", "i0.0>i1.1 i0.1>i1.0 i1.0<i0.1 i1.1<i0.0"},
		/* nothing that is no chat */
		{"\"words\"", "{\"name\":\"f\",\"arguments\":{}}", ""},
		{"[" SAYS("user") "]", "[" SAYS("assistant") "]", ""},
	};

	check(rows, COUNT(rows));
}

Test(pairs, by_id)
{
	static const struct row rows[] = {
		/* in any order within a message, and over both sides */
		{"[{\"role\":\"assistant\",\"tool_calls\":[" ITEM("a", "f") "," ITEM(
			 "b", "f") "]}," RESULT("b") "," RESULT("a") "]",
			"", "i0.0>i2.0 i0.1>i1.0 i1.0<i0.1 i2.0<i0.0"},
		{"[" SAYS("user") "," CALL("a", "f") "]", "[" RESULT("a") "]",
			"i1.0>o0.0 o0.0<i1.0"},
		/* what the input has of a call of the output */
		{"[" RESULT("a") "]", "[" CALL("a", "f") "]", "i0.0<o0.0 o0.0>i0.0"},
		/* ids used again */
		{"[" CALL("0", "f") "," RESULT("0") "," CALL("0", "f") "," RESULT(
			 "0") "]",
			"", "i0.0>i1.0 i1.0<i0.0 i2.0>i3.0 i3.0<i2.0"},
		{"[" CALL("0", "f") "," CALL("0", "f") "," RESULT("0") "]", "",
			"i0.0? i1.0>i2.0 i2.0<i1.0"},
		{"[" CALL("0", "f") "," CALL("0", "f") "," RESULT("0") "," RESULT(
			 "0") "]",
			"", "i0.0>i3.0 i1.0>i2.0 i2.0<i1.0 i3.0<i0.0"},
		/* what comes before a call waits for the first that is left */
		{"[" RESULT("a") "," RESULT("a") "," CALL("a", "f") "," CALL(
			 "a", "f") "]",
			"", "i0.0<i2.0 i1.0<i3.0 i2.0>i0.0 i3.0>i1.0"},
		{"[" RESULT("a") "," CALL("a", "f") "," RESULT("a") "]", "",
			"i0.0? i1.0>i2.0 i2.0<i1.0"},
		/* a second result of one call, and those of no call */
		{"[" CALL("a", "f") "," RESULT("a") "," RESULT("a") "]", "",
			"i0.0>i1.0 i1.0<i0.0 i2.0?"},
		{"[" RESULT("x") "," CALL("a", "f") "," RESULT("A") "]", "",
			"i0.0? i1.0? i2.0?"},
		/* ids as they decode; numbers as their digits */
		{"[" CALL("caf\\u00e9", "f") "," RESULT("caf\xC3\xA9") "]", "",
			"i0.0>i1.0 i1.0<i0.0"},
		{"[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":12,\"function\":"
		 "{\"name\":\"f\"}}]}," RESULT("12") "]",
			"", "i0.0>i1.0 i1.0<i0.0"},
		{"[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":12.0,\"function\":"
		 "{\"name\":\"f\"}}]}," RESULT("12") "]",
			"", "i0.0? i1.0?"},
		/* keys that are written with escapes */
		{"[{\"role\":\"assistant\",\"tool\\u005fcalls\":[" ITEM(
			 "a", "f") "]},{\"role\":\"t\\u006fol\",\"tool_call_id\":\"a\","
				   "\"content\":\"\"}]",
			"", "i0.0>i1.0 i1.0<i0.0"},
		/* a call with an id is no partner of a result without */
		{"[" CALL("a", "f") "," OLD_ANSWER("g") "]", "", "i0.0? i1.0?"},
	};

	check(rows, COUNT(rows));
}

Test(pairs, by_order)
{
	static const struct row rows[] = {
		{"[" OLD_CALL("f") "," OLD_ANSWER("f") "]", "", "i0.0>i1.0 i1.0<i0.0"},
		{"[" OLD_CALL("f") "," NAMELESS "]", "", "i0.0>i1.0 i1.0<i0.0"},
		{"[" OLD_CALL("f") "," OLD_ANSWER("g") "]", "", "i0.0? i1.0?"},
		{"[" OLD_ANSWER("f") "," OLD_CALL("f") "]", "", "i0.0? i1.0..."},
		{"[" OLD_CALL("f") "," OLD_CALL("g") "," OLD_CALL("f") "," OLD_ANSWER(
			 "f") "," OLD_ANSWER("f") "," OLD_ANSWER("g") "]",
			"",
			"i0.0>i3.0 i1.0>i5.0 i2.0>i4.0 i3.0<i0.0 i4.0<i2.0 i5.0<i1.0"},
		/* without names in order, around those that were answered by name */
		{"[" OLD_CALL("f") "," OLD_CALL("g") "," OLD_CALL("h") "," OLD_ANSWER(
			 "f") "," NAMELESS "," NAMELESS "]",
			"",
			"i0.0>i3.0 i1.0>i4.0 i2.0>i5.0 i3.0<i0.0 i4.0<i1.0 i5.0<i2.0"},
		/* a round that lacks an answer does not spoil the next */
		{"[" OLD_CALL("f") "," OLD_CALL("f") "," OLD_ANSWER("f") "," OLD_CALL(
			 "f") "," OLD_ANSWER("f") "]",
			"", "i0.0>i2.0 i1.0? i2.0<i0.0 i3.0>i4.0 i4.0<i3.0"},
		{"[" OLD_CALL("f") "," OLD_CALL("g") "," NAMELESS
						     "," OLD_CALL("h") "," NAMELESS "]",
			"", "i0.0>i2.0 i1.0? i2.0<i0.0 i3.0>i4.0 i4.0<i3.0"},
		{"[" OLD_CALL("f") "," OLD_CALL("g") "," OLD_ANSWER("g") "," OLD_CALL(
			 "h") "," NAMELESS "]",
			"", "i0.0? i1.0>i2.0 i2.0<i1.0 i3.0>i4.0 i4.0<i3.0"},
		/* beside calls with ids */
		{"[" OLD_CALL("f") "," CALL("a", "f") "," RESULT("a") "," OLD_ANSWER(
			 "f") "]",
			"", "i0.0>i3.0 i1.0>i2.0 i2.0<i1.0 i3.0<i0.0"},
		/* a result without an id is that of a call whose id no result has */
		{"[" CALL("a", "f") "," OLD_ANSWER("f") "]", "", "i0.0>i1.0 i1.0<i0.0"},
		{"[" CALL("a", "f") "," NAMELESS "]", "", "i0.0>i1.0 i1.0<i0.0"},
		{"[" OLD_CALL("f") "," CALL("a", "f") "," NAMELESS "," NAMELESS "]", "",
			"i0.0>i2.0 i1.0>i3.0 i2.0<i0.0 i3.0<i1.0"},
		{"[" CALL("a", "f") "," CALL("b", "f") "," NAMELESS "," RESULT("a") "]",
			"", "i0.0>i3.0 i1.0>i2.0 i2.0<i1.0 i3.0<i0.0"},
		/* but of the last round */
		{"[" CALL("a", "f") "," CALL("b", "g") "," RESULT("b") "," CALL(
			 "c", "f") "," OLD_ANSWER("f") "]",
			"", "i0.0? i1.0>i2.0 i2.0<i1.0 i3.0>i4.0 i4.0<i3.0"},
		/* of old the role was that of a function */
		{"[" OLD_CALL("f") "," OLD_CALL(
			 "g") ",{\"role\":\"function\",\"name\":"
			      "\"g\",\"content\":\"ok\"},{\"role\":\"function\",\"name\":"
			      "\"f\","
			      "\"content\":\"\"}]",
			"", "i0.0>i3.0 i1.0>i2.0 i2.0<i1.0 i3.0<i0.0"},
	};

	check(rows, COUNT(rows));
}

Test(pairs, open_calls)
{
	static const struct row rows[] = {
		{"[" SAYS("user") "]", "[" CALL("a", "f") "]", "o0.0..."},
		{"[" SAYS("user") "]", "[" CALL("a", "f") "," SAYS("assistant") "]",
			"o0.0?"},
		{"[" SAYS("user") "]",
			"[{\"role\":\"assistant\",\"tool_calls\":[" ITEM(
				"a", "f") "," ITEM("b", "f") "]}]",
			"o0.0... o0.1..."},
		/* what has no speaker answers nothing */
		{"[" SAYS("user") "]", "[" CALL("a", "f") ",17,{\"note\":1}]", "o0.0..."},
		{"[" CALL("a", "f") "," SAYS("user") "]", "", "i0.0?"},
		{"[" SAYS("user") "," CALL("a", "f") "]", "", "i1.0..."},
		/* what the vendor runs need not be told */
		{"[{\"role\":\"assistant\",\"content\":[{\"type\":\"web_search_call\","
		 "\"id\":\"1\",\"action\":{}},{\"type\":\"server_tool_use\",\"id\":\"2\","
		 "\"name\":\"f\",\"input\":{}},{\"type\":\"local_shell_call\",\"id\":"
		 "\"3\","
		 "\"action\":{}}]}," SAYS("user") "]",
			"", "i0.0... i0.1... i0.2?"},
	};

	check(rows, COUNT(rows));
}

Test(pairs, shared_step_is_read_once)
{
	struct step s;
	char *got;

	step_read(&s, STR("[" CALL("a", "f") "," RESULT("a") "," CALL("b", "f") "]"),
		STR("[" CALL("a", "f") "," RESULT("a") "," CALL("b", "f") "]"), true);
	got = seen(&s);
	cr_expect_str_eq(got, "i0.0>i1.0 i1.0<i0.0 i2.0...");
	cr_expect_eq(pairs_find(&s.pairs, false, 1, 0), 1);
	cr_expect_eq(pairs_of_message(&s.pairs, false, 2), 2);
	mem_free(got);
	step_done(&s);
}

Test(pairs, places)
{
	struct step s;

	step_read(&s,
		STR("[" SAYS("user") "," CALL("a", "f") "," SAYS("user") "," CALL(
			"b", "f") "]"),
		STR("[" SAYS("assistant") "," RESULT("b") "]"), false);
	cr_assert_eq(s.pairs.count, 3);
	cr_expect_eq(pairs_of_message(&s.pairs, true, 0), 0);
	cr_expect_eq(pairs_of_message(&s.pairs, true, 1), 0);
	cr_expect_eq(pairs_of_message(&s.pairs, true, 2), 1);
	cr_expect_eq(pairs_of_message(&s.pairs, true, 9), 2);
	cr_expect_eq(pairs_of_message(&s.pairs, false, 0), 2);
	cr_expect_eq(pairs_of_message(&s.pairs, false, 2), 3);
	cr_expect_eq(pairs_find(&s.pairs, true, 0, 0), NO_PAIR);
	cr_expect_eq(pairs_find(&s.pairs, true, 1, 1), NO_PAIR);
	cr_expect_eq(pairs_find(&s.pairs, false, 3, 0), NO_PAIR);
	cr_expect(jv_is(s.pairs.ends[1].what->name, STR("f")));
	step_done(&s);
}

/* Messages that look like text only at a glance. */
Test(pairs, nothing_is_overlooked)
{
	static const struct {
		const char *message;
		size_t ends;
	} rows[] = {
		{SAYS("user"), 0},
		{SAYS("tool"), 1},
		{"{\"role\":\"user\",\"role\":\"tool\",\"content\":\"\"}", 1},
		{"{\"role\":\"tool\",\"role\":\"user\",\"content\":\"\"}", 0},
		{"{\"content\":\"x\",\"role\":\"assistant\",\"toolCalls\":[" ITEM(
			 "a", "f") "]}",
			1},
		{"{\"role\":\"user\",\"content\":[\"x\",{\"type\":\"text\",\"text\":"
		 "\"y\"},{\"toolResult\":{\"toolUseId\":\"a\",\"content\":[]}}]}",
			1},
		{"{\"role\":\"user\",\"content\":[{\"type\":\"tool_use\",\"text\":\"y\","
		 "\"name\":\"f\"}]}",
			1},
		{"{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"text\":"
		 "\"y\"}]}",
			1},
		{"{\"role\":\"user\",\"content\":{\"type\":\"tool_use\",\"name\":\"f\"}}",
			1},
		{"{\"role\":\"user\",\"content\":\"x\",\"tool_call_id\":null}", 0},
		{"{\"role\":\"user\",\"content\":\"x\",\"tool_call_id\":\"a\"}", 1},
		{"{\"role\":\"user\",\"content\":\"\\\"tool_calls\\\":[{}]\"}", 0},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf text = BUF_INIT;
		struct step s;

		buf_printf(&text, "[%s]", rows[i].message);
		step_read(&s, buf_view(&text), STR(""), false);
		cr_expect_eq(s.pairs.count, rows[i].ends, "%s: %zu", rows[i].message,
			s.pairs.count);
		step_done(&s);
		buf_done(&text);
	}
}

/* The rule for ids, word by word. */
static void pair_slowly(const struct pairs *p, size_t other[])
{
	for (size_t i = 0; i < p->count; i++)
		other[i] = NO_PAIR;
	for (size_t i = 0; i < p->count; i++)
		for (size_t k = i; !p->ends[i].call && other[i] == NO_PAIR && k-- > 0;)
			if (p->ends[k].call && other[k] == NO_PAIR &&
				p->ends[k].what->link.p[1] ==
					p->ends[i].what->link.p[1]) {
				other[i] = k;
				other[k] = i;
			}
	for (size_t i = 0; i < p->count; i++)
		for (size_t k = i;
			!p->ends[i].call && other[i] == NO_PAIR && k < p->count; k++)
			if (p->ends[k].call && other[k] == NO_PAIR &&
				p->ends[k].what->link.p[1] ==
					p->ends[i].what->link.p[1]) {
				other[i] = k;
				other[k] = i;
			}
}

Test(pairs, as_the_rule_says)
{
	unsigned random = 12345;

	for (int round = 0; round < 300; round++) {
		struct buf text = BUF_INIT;
		size_t other[40];
		struct step s;

		for (int i = 0; i < 40; i++) {
			random = random * 1103515245u + 12345u;
			buf_text(&text, i ? "," : "[");
			buf_printf(&text,
				random >> 20 & 1 ? CALL("%c", "f") : RESULT("%c"),
				'a' + (int)(random >> 24) % 3);
		}
		buf_byte(&text, ']');
		step_read(&s, buf_view(&text), STR(""), false);
		cr_assert_eq(s.pairs.count, 40);
		pair_slowly(&s.pairs, other);
		for (size_t i = 0; i < 40; i++)
			cr_assert_eq(s.pairs.ends[i].other, other[i], "%zu of %s", i,
				text.data);
		step_done(&s);
		buf_done(&text);
	}
}

/* Large steps: what is not linear does not come back from these. */
static void expect_alone(const char *first, const char *second, size_t alone)
{
	struct buf text = BUF_INIT;
	struct step s;
	size_t got = 0;

	for (size_t i = 0; i < 100000; i++)
		buf_printf(&text, "%s%s", i ? "," : "[", i < 50000 ? first : second);
	buf_byte(&text, ']');
	step_read(&s, buf_view(&text), STR(""), false);
	for (size_t i = 0; i < s.pairs.count; i++) {
		pairs_open_call(&s.pairs, i);
		got += s.pairs.ends[i].other == NO_PAIR;
	}
	cr_expect_eq(got, alone, "%zu alone of %s %s", got, first, second);
	step_done(&s);
	buf_done(&text);
}

Test(pairs, large_steps)
{
	expect_alone(CALL("a", "f"), RESULT("a"), 0);
	expect_alone(RESULT("a"), CALL("a", "f"), 0);
	expect_alone(CALL("a", "f"), "{\"note\":1}", 50000);
	expect_alone(RESULT("a"), RESULT("b"), 100000);
	expect_alone(OLD_CALL("f"), OLD_ANSWER("f"), 0);
	expect_alone(OLD_CALL("f"), NAMELESS, 0);
	expect_alone(OLD_CALL("f"), OLD_ANSWER("g"), 100000);
	expect_alone(CALL("a", "f"), OLD_ANSWER("f"), 0);
	expect_alone(CALL("a", "f"), OLD_ANSWER("g"), 100000);
}

/* A call takes its part, a place among the parts, and an end, once each. */
Test(pairs, memory_of_many_calls)
{
	enum { CALLS = 8192 };
	struct buf message = BUF_INIT;
	struct step s;

	buf_text(&message, "[{\"role\":\"assistant\",\"content\":[");
	for (size_t i = 0; i < CALLS; i++)
		buf_printf(&message,
			"%s{\"type\":\"tool_use\",\"id\":\"c%zu\",\"name\":\"f\","
			"\"input\":{}}",
			i ? "," : "", i);
	buf_text(&message, "]}]");
	step_read(&s, STR("[]"), buf_view(&message), false);
	cr_expect_eq(s.pairs.count, CALLS);
	cr_expect_leq(pairs_bytes(&s.pairs),
		CALLS * (sizeof(struct part) + sizeof(struct part_slot) +
				sizeof(struct pair_end)) +
			4096);
	cr_expect_leq(sizeof(struct pair_end), 48);
	step_done(&s);
	buf_done(&message);
}
