/*
 * json/meaning and chat/identity: pairs of texts that mean the same, and pairs that do
 * not.
 */
#include "config.h"

#include <criterion/criterion.h>

#include <stdlib.h>

#include "base/mem.h"
#include "chat/identity.h"
#include "json/json.h"

static struct jv parse(const char *text)
{
	return jv_parse(str_of(text));
}

static const struct {
	const char *a, *b;
	bool same;
} value_rows[] = {
	{"{\"a\":1,\"b\":[true,null]}", " { \"b\" : [ true , null ] , \"a\" : 1.0 } ",
		true},
	{"\"caf\\u00e9\"", "\"caf\u00E9\"", true},
	{"{\"\\u0061\":1}", "{\"a\":1}", true},
	{"1", "1e0", true},
	{"100", "1E+2", true},
	{"0.5", "5e-1", true},
	{"-0", "0.00", true},
	{"1e400", "10e399", true},
	{"123456789012345678901234567890", "123456789012345678901234567890.0", true},
	{"123456789012345678901234567890", "123456789012345678901234567891", false},
	{"1", "\"1\"", false},
	{"1", "-1", false},
	{"null", "false", false},
	{"[]", "{}", false},
	{"[]", "[null]", false},
	{"[1,2]", "[2,1]", false},
	{"[[1],2]", "[[1,2]]", false},
	{"{\"a\":{\"b\":1}}", "{\"a\":1,\"b\":{}}", false},
	{"{\"a\":1,\"b\":2}", "{\"a\":2,\"b\":1}", false},
	{"{\"a\":1}", "{\"a\":1,\"b\":null}", false},
	{"\"a\"", "\"a \"", false},
	{"\"\"", "null", false},
};

Test(meaning, rows)
{
	for (size_t i = 0; i < sizeof(value_rows) / sizeof(*value_rows); i++) {
		struct meaning a = jv_meaning(parse(value_rows[i].a));
		struct meaning b = jv_meaning(parse(value_rows[i].b));

		cr_expect(meaning_equal(a, b) == value_rows[i].same, "%s  %s",
			value_rows[i].a, value_rows[i].b);
	}
}

/* Decoded by jansson a value means what its text does, if a double holds its reals. */
Test(meaning, decoded_values, .init = json_init)
{
	for (size_t i = 0; i < sizeof(value_rows) / sizeof(*value_rows); i++) {
		const char *text = value_rows[i].a;
		json_t *value = json_read(str_of(text), NULL, NULL);
		uint64_t work = 0;

		cr_assert(value);
		cr_expect(json_hash(value, &work) == jv_meaning(parse(text)).half[0], "%s",
			text);
		json_decref(value);
	}
}

static const struct {
	const char *a, *b;
	bool same;
} message_rows[] = {
	/* order of keys, escapes, numbers */
	{"{\"role\":\"user\",\"content\":\"hi\"}",
		"{\"content\":\"\\u0068i\",\"role\":\"user\"}", true},
	/* a string or the list with that text */
	{"{\"role\":\"user\",\"content\":\"hi\"}",
		"{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}",
		true},
	{"{\"role\":\"user\",\"content\":\"hi\"}",
		"{\"role\":\"user\",\"content\":[{\"text\":\"hi\",\"type\":\"text\","
		"\"cache_control\":"
		"{\"type\":\"ephemeral\"}}],\"id\":\"m1\"}",
		true},
	{"{\"role\":\"user\",\"content\":\"ab\"}",
		"{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},"
		"{\"type\":\"text\",\"text\":\"b\"}]}",
		false},
	/* speakers by what they are */
	{"{\"role\":\"human\",\"content\":\"hi\"}",
		"{\"sender\":\"user\",\"text\":\"hi\"}", true},
	{"{\"role\":\"user\",\"content\":\"hi\"}",
		"{\"role\":\"assistant\",\"content\":\"hi\"}", false},
	{"{\"role\":\"critic\",\"content\":\"hi\"}",
		"{\"role\":\"judge\",\"content\":\"hi\"}", false},
	{"{\"content\":\"hi\"}", "{\"role\":\"user\",\"content\":\"hi\"}", true},
	{"\"hi\"", "{\"role\":\"user\",\"content\":\"hi\"}", true},
	/* other texts */
	{"{\"role\":\"user\",\"content\":\"hi\"}",
		"{\"role\":\"user\",\"content\":\"ho\"}", false},
	{"{\"role\":\"user\",\"content\":\"\"}", "{\"role\":\"user\",\"content\":null}",
		true},
	/* calls: not by id, arguments by their meaning */
	{"{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\",\"type\":\"function\","
	 "\"function\":"
	 "{\"name\":\"f\",\"arguments\":\"{\\\"a\\\": 1, \\\"b\\\": 2}\"}}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":"
		"\"2\","
		"\"name\":\"f\",\"input\":{\"b\":2,\"a\":1.0}}]}",
		true},
	{"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"2\","
	 "\"name\":\"f\","
	 "\"input\":{\"b\":2}}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":"
		"\"2\","
		"\"name\":\"f\",\"input\":{\"b\":3}}]}",
		false},
	{"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"name\":\"f\","
	 "\"input\":{}}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"name\":"
		"\"g\","
		"\"input\":{}}]}",
		false},
	/* results */
	{"{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":\"42\"}",
		"{\"role\":\"tool\",\"tool_call_id\":\"2\",\"content\":[{\"type\":"
		"\"text\",\"text\":"
		"\"42\"}]}",
		true},
	{"{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":"
	 "\"1\","
	 "\"content\":\"no\",\"is_error\":true}]}",
		"{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_"
		"id\":\"1\","
		"\"content\":\"no\"}]}",
		false},
	/* nothing that is known: all of it counts */
	{"{\"role\":\"user\",\"weather\":{\"a\":1,\"b\":2},\"id\":1}",
		"{\"weather\":{\"b\":2,\"a\":1},\"role\":\"user\",\"id\":2}", true},
	{"{\"role\":\"user\",\"weather\":\"fine\"}",
		"{\"role\":\"user\",\"weather\":\"bad\"}", false},
};

Test(identity, rows)
{
	for (size_t i = 0; i < sizeof(message_rows) / sizeof(*message_rows); i++) {
		struct meaning a = identity_of(parse(message_rows[i].a), PREFER_INPUT);
		struct meaning b = identity_of(parse(message_rows[i].b), PREFER_INPUT);

		cr_expect(meaning_equal(a, b) == message_rows[i].same, "%s  %s",
			message_rows[i].a, message_rows[i].b);
	}
}

Test(identity, side_lends_its_speaker)
{
	struct jv said = parse("{\"content\":\"hi\"}");

	cr_assert(!meaning_equal(
		identity_of(said, PREFER_INPUT), identity_of(said, PREFER_OUTPUT)));
	cr_assert(meaning_equal(identity_of(said, PREFER_OUTPUT),
		identity_of(
			parse("{\"role\":\"model\",\"content\":\"hi\"}"), PREFER_INPUT)));
}

/* Deep nesting costs no stack and not more than so many passes. */
Test(identity, deep)
{
	enum { DEPTH = 100000 };
	struct buf text = BUF_INIT;
	struct meaning a = {{0, 0}}, b;

	for (int i = 0; i < 2; i++) {
		buf_clear(&text);
		buf_text(&text, "{\"role\":\"user\",\"content\":");
		for (int depth = 0; depth < DEPTH; depth++)
			buf_text(&text, depth % 2 ? "[" : "{\"a\":");
		buf_text(&text, i ? "1" : "2");
		for (int depth = DEPTH; depth--;)
			buf_text(&text, depth % 2 ? "]" : "}");
		buf_byte(&text, '}');
		b = identity_of(jv_parse(buf_view(&text)), PREFER_INPUT);
		cr_assert(meaning_equal(
			b, identity_of(jv_parse(buf_view(&text)), PREFER_INPUT)));
		if (!i)
			a = b;
	}
	cr_assert(!meaning_equal(a, b));
	buf_done(&text);
}

/* Any bytes have some identity. */
Test(identity, any_bytes)
{
	static const char *const parts[] = {"{", "}", "[", "]", "\"", "\\u", ":", ",",
		"1", "-", "e9", "\"role\"", "\"content\"", "\"text\"", "\"type\"", "true",
		" ", "\xff", "\n", ".", "\"tool_use\"", "null"};

	srand(7);
	for (int round = 0; round < 20000; round++) {
		struct buf text = BUF_INIT;
		struct jv v;

		buf_text(&text, "{\"role\":\"user\",\"content\":");
		for (int n = rand() % 20; n--;)
			buf_text(&text,
				parts[(size_t)rand() % (sizeof(parts) / sizeof(*parts))]);
		v = jv_parse(buf_view(&text));
		cr_assert(meaning_equal(
			identity_of(v, PREFER_INPUT), identity_of(v, PREFER_INPUT)));
		buf_done(&text);
	}
}

/* A million messages, all told apart. */
Test(identity, many)
{
	enum { COUNT = 1000000 };
	struct buf text = BUF_INIT;
	struct meaning last = {{0, 0}};
	uint64_t *seen = mem_zalloc(1 << 21, sizeof(*seen));
	size_t twice = 0;

	for (size_t i = 0; i < COUNT; i++) {
		struct meaning m;
		size_t slot;

		buf_clear(&text);
		buf_printf(&text, "{\"role\":\"user\",\"content\":\"%zu\"}", i);
		m = identity_of(jv_parse(buf_view(&text)), PREFER_INPUT);
		for (slot = m.half[0] & ((1 << 21) - 1); seen[slot];
			slot = (slot + 1) & ((1 << 21) - 1))
			twice += seen[slot] == m.half[0];
		seen[slot] = m.half[0];
		cr_assert(!meaning_equal(m, last));
		last = m;
	}
	cr_assert(twice == 0);
	mem_free(seen);
	buf_done(&text);
}
