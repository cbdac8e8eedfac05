/*
 * The chat extractor: a table of values, preferences and what must be found.  What
 * is expected is the array as it stands in the text.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/mem.h"
#include "chat/side.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

#define U(text) "{\"role\":\"user\",\"content\":\"" text "\"}"
#define A(text) "{\"role\":\"assistant\",\"content\":\"" text "\"}"

/* The items, joined by commas in brackets; "null" when there are none. */
static char *extracted(struct str text, enum prefer prefer)
{
	struct chat chat = {0};
	struct buf out = BUF_INIT;

	if (!chat_extract(jv_parse(text), prefer, &chat)) {
		cr_expect(chat.items == NULL && chat.count == 0 &&
			  chat.array.kind == J_NONE);
		buf_text(&out, "null");
		return buf_take(&out);
	}
	cr_expect_gt(chat.count, 0);
	buf_byte(&out, '[');
	for (size_t i = 0; i < chat.count; i++) {
		buf_text(&out, i ? "," : "");
		buf_add(&out, chat.items[i].p, chat.items[i].n);
	}
	buf_byte(&out, ']');
	if (chat.array.kind == J_ARRAY)
		cr_expect_eq(jv_count(chat.array, SIZE_MAX), chat.count);
	chat_done(&chat);
	return buf_take(&out);
}

struct row {
	const char *value;
	const char *none, *input, *output; /* NULL: as the one before */
};

static void check(const struct row rows[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *want[] = {rows[i].none, rows[i].input, rows[i].output};
		const char *expected = "null";

		for (int prefer = PREFER_NONE; prefer <= PREFER_OUTPUT; prefer++) {
			char *got = extracted(str_of(rows[i].value), (enum prefer)prefer);

			expected = want[prefer] ? want[prefer] : expected;
			cr_expect_str_eq(got, expected,
				"%s preferring %d\n gives %s\n  not  %s", rows[i].value,
				prefer, got, expected);
			mem_free(got);
		}
	}
}

Test(extract, plain_values)
{
	static const struct row rows[] = {
		{"null", "null", 0, 0},
		{"", "null", 0, 0},
		{"12", "null", 0, 0},
		{"true", "null", 0, 0},
		{"\"[{\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"\\\"}]\"", "null", 0,
			0},
		{"[]", "null", 0, 0},
		{"{}", "null", 0, 0},
		{"[1,2,3]", "null", 0, 0},
		{"[" U("a") "]", "[" U("a") "]", 0, 0},
		{"[1," U("a") ",\"x\",null]", "[1," U("a") ",\"x\",null]", 0, 0},
		{"[[" U("a") "]]", "null", 0, 0},
		{"{\"foo\":\"bar\",\"count\":3}", "null", 0, 0},
		{"{\"a\":{\"b\":{\"prompt\":[" U("a") "]}}}", "null", 0, 0},
	};

	check(rows, COUNT(rows));
}

Test(extract, groups)
{
	static const struct row rows[] = {
		{"{\"prompt\":[1,2,3]}", "null", 0, 0},
		{"{\"prompt\":" U("not an array") "}", "null", 0, 0},
		{"{\"completion\":[" A("o") "],\"prompt\":[" U("i") "],\"logs\":[" U(
			 "n") "]}",
			"[" U("n") "]", "[" U("i") "]", "[" A("o") "]"},
		{"{\"outputMessages\":[" A("o") "],\"inputMessages\":[" U("i") "]}",
			"[" U("i") "]", "[" U("i") "]", "[" A("o") "]"},
		{"{\"responses\":[" A("3") "],\"output_messages\":[" A(
			 "2") "],\"chat\":[" A("1") "]}",
			"[" A("1") "]", "[" A("1") "]", "[" A("2") "]"},
		{"{\"history\":[" U("1") "],\"messages\":[2],\"message_history\":\"3\"}",
			"[" U("1") "]", 0, 0},
		{"{\"messages\":[" U("1") "],\"messages\":[" U("2") "]}", "[" U("2") "]",
			0, 0},
	};

	check(rows, COUNT(rows));
}

/* Each key of the seed alone, and each pair in the order of its group. */
Test(extract, order_of_all_keys)
{
	static const char *const keys[3][11] = {
		{"messages", "message_history", "history", "chat", "conversation", "logs",
			"prompt", "input_messages", "completion", "output_messages",
			"responses"},
		{"prompt", "input_messages", "messages", "message_history", "history",
			"chat", "conversation", "logs", "completion", "output_messages",
			"responses"},
		{"completion", "output_messages", "responses", "messages",
			"message_history", "history", "chat", "conversation", "logs",
			"prompt", "input_messages"},
	};

	for (int prefer = 0; prefer < 3; prefer++) {
		for (size_t i = 0; i < 11; i++) {
			struct buf text = BUF_INIT;
			char *got;

			buf_text(&text, "{");
			for (size_t k = 11; k-- > i;)
				buf_printf(&text, "\"%s\":[" U("%s") "]%s",
					keys[prefer][k], keys[prefer][k],
					k > i ? "," : "}");
			got = extracted(buf_view(&text), (enum prefer)prefer);
			buf_clear(&text);
			buf_printf(&text, "[" U("%s") "]", keys[prefer][i]);
			cr_expect_str_eq(got, text.data);
			mem_free(got);
			buf_done(&text);
		}
	}
}

/* An object in which the wrapper `first` holds one message and `second` another. */
static void make_wrappers(struct buf *out, const char *first, const char *second)
{
	const char *const keys[] = {first, second};

	buf_text(out, "{\"data\":{\"x\":1");
	for (size_t i = 0; i < 2; i++)
		if (strchr(keys[i], '.'))
			buf_printf(out, ",\"%s\":" U("%s"), keys[i] + 5, keys[i]);
	buf_text(out, "}");
	for (size_t i = 0; i < 2; i++)
		if (!strchr(keys[i], '.'))
			buf_printf(out, ",\"%s\":" U("%s"), keys[i], keys[i]);
	buf_text(out, "}");
}

static void check_wrappers(enum prefer prefer, const char *first, const char *second)
{
	struct buf text = BUF_INIT, want = BUF_INIT;
	char *got;

	make_wrappers(&text, first, second);
	buf_printf(&want, "[" U("%s") "]", first);
	got = extracted(buf_view(&text), prefer);
	cr_expect_str_eq(got, want.data, "%d: %s", (int)prefer, text.data);
	mem_free(got);
	buf_done(&text);
	buf_done(&want);
}

/* Once data's turn has come, what is in it is found by that: hence not all pairs. */
Test(extract, order_of_all_wrappers)
{
	static const char *const keys[3][6] = {
		{"inputs", "outputs", "request", "response"},
		{"inputs", "data.inputs", "request", "outputs", "response"},
		{"outputs", "data.outputs", "response", "inputs", "request"},
	};

	for (int prefer = PREFER_NONE; prefer <= PREFER_OUTPUT; prefer++)
		for (size_t i = 0; keys[prefer][i]; i++)
			for (size_t k = i + 1; keys[prefer][k]; k++)
				check_wrappers((enum prefer)prefer, keys[prefer][i],
					keys[prefer][k]);
	check_wrappers(PREFER_INPUT, "inputs", "data.outputs");
	check_wrappers(PREFER_OUTPUT, "response", "data.inputs");
	check_wrappers(PREFER_NONE, "data.inputs", "inputs");
	check_wrappers(PREFER_INPUT, "data.outputs", "outputs");
}

Test(extract, wrappers)
{
	static const struct row rows[] = {
		{"{\"data\":{\"inputs\":{\"prompt\":[" U("n") "]}}}", "[" U("n") "]", 0,
			0},
		{"{\"inputs\":{\"prompt\":[" U("i") "]},\"outputs\":{\"completion\":[" A(
			 "o") "]}}",
			"[" U("i") "]", "[" U("i") "]", "[" A("o") "]"},
		{"{\"inputs\":{\"prompt\":[" U("i") "]}}", "[" U("i") "]", 0, 0},
		{"{\"outputs\":[" A("o") "]}", "[" A("o") "]", 0, 0},
		{"{\"response\":" A("o") "}", "[" A("o") "]", 0, 0},
		{"{\"data\":{\"completion\":[" A("o") "],\"prompt\":[" U("i") "]}}",
			"[" U("i") "]", "[" U("i") "]", "[" A("o") "]"},
		/* depth 3 is searched, depth 4 is not */
		{"{\"data\":{\"request\":{\"response\":[" U("3") "]}}}", "[" U("3") "]",
			0, 0},
		{"{\"data\":{\"request\":{\"response\":{\"logs\":[" U("3") "]}}}}",
			"[" U("3") "]", 0, 0},
		{"{\"data\":{\"request\":{\"response\":{\"data\":[" U("4") "]}}}}",
			"null", 0, 0},
		{"{\"data\":{\"request\":{\"response\":{\"data\":" U("4") "}}}}", "null",
			0, 0},
		/* one hop, and reached again nearer */
		{"{\"data\":{\"inputs\":{\"data\":{\"inputs\":{\"data\":{\"inputs\":[" U(
			 "6") "]}}}}}}",
			"[" U("6") "]", 0, 0},
		{"{\"data\":{\"inputs\":{\"request\":{\"request\":{\"logs\":[" U(
			 "n") "]}}}}}",
			"[" U("n") "]", 0, 0},
		{"{\"data\":[{\"inputs\":[" U("in an array") "]}]}", "null", 0, 0},
		{"{\" data.inputs\":[" U("no such key") "]}", "null", 0, 0},
		{"{\"role\":\"user\",\"content\":\"outer\",\"data\":" U("inner") "}",
			"[" U("inner") "]", 0, 0},
	};

	check(rows, COUNT(rows));
}

Test(extract, choices_and_messages)
{
	static const struct row rows[] = {
		{"{\"choices\":[{\"message\":" A("m") "},{\"delta\":" A(
			 "d") "},{\"text\":\"t\"},7]}",
			"[" A("m") "," A("d") "]", 0, 0},
		{"{\"choices\":[{\"message\":null,\"delta\":" A("d") "}]}",
			"[" A("d") "]", 0, 0},
		{"{\"choices\":[{\"message\":{\"content\":\"no role\"}}]}", "null", 0, 0},
		{"{\"choices\":[{\"message\":{\"content\":\"no role\"}},{\"message\":" A(
			 "m") "}]}",
			"[{\"content\":\"no role\"}," A("m") "]", 0, 0},
		{"{\"choices\":[]}", "null", 0, 0},
		{"{\"choices\":{\"message\":" A("m") "}}", "null", 0, 0},
		{"{\"role\":\"user\",\"content\":\"c\",\"choices\":[1]}",
			"[{\"role\":\"user\",\"content\":\"c\",\"choices\":[1]}]", 0, 0},
		{"{\"response\":{\"choices\":[{\"message\":" A("m") "}]}}",
			"[" A("m") "]", 0, 0},
	};

	check(rows, COUNT(rows));
}

Test(extract, real_array)
{
	struct str text = STR("{\"messages\" : [" U("a") " , 1] }");
	struct chat chat = {0};

	cr_assert(chat_extract(jv_parse(text), PREFER_NONE, &chat));
	cr_expect_eq(chat.array.p, strchr(text.p, '['));
	cr_expect_eq(chat.count, 2);
	chat_done(&chat);
	cr_expect(chat_extract(jv_parse(STR(U("a"))), PREFER_NONE, &chat));
	cr_expect_eq(chat.array.kind, J_NONE);
	cr_expect_eq(chat.count, 1);
	chat_done(&chat);
}

Test(extract, messages)
{
	static const struct {
		const char *value;
		bool is;
	} rows[] = {
		{U("a"), true},
		{"{\"role\":\"\",\"content\":null}", true},
		{"{\"sender\":\"Ada\",\"text\":1}", true},
		{"{\"author\":\"Ada\",\"message\":{}}", true},
		{"{\"role\":7,\"author\":\"Ada\",\"content\":\"\"}", true},
		{"{\"role\":\"user\"}", false},
		{"{\"role\":null,\"content\":\"x\"}", false},
		{"{\"content\":\"x\"}", false},
		{"{\"Role\":\"user\",\"content\":\"x\"}", false},
		{"{\"role\":\"a\",\"parts\":[]}", true},
		{"{\"role\":\"a\",\"parts\":{}}", false},
		{"{\"role\":\"a\",\"toolCalls\":[]}", true},
		{"{\"role\":\"a\",\"tool_calls\":null}", false},
		{"{\"role\":\"a\",\"delta\":{\"content\":\"\"}}", true},
		{"{\"role\":\"a\",\"delta\":{\"content\":null}}", false},
		{"{\"role\":\"a\",\"delta\":\"x\"}", false},
		{"{\"role\":\"a\",\"functionCall\":null}", true},
		{"{\"role\":\"a\",\"tool_call_id\":null}", true},
		{"{\"role\":\"a\",\"response\":\"x\"}", false},
		{"[" U("a") "]", false},
		{"\"role\"", false},
		{"", false},
		{"{\"role\":\"us", false},
		{"{\"role\":\"user\",\"content\":\"cut", true},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect_eq(chat_is_message(jv_parse(str_of(rows[i].value))), rows[i].is,
			"%s", rows[i].value);
}

Test(extract, conversations)
{
	static const struct {
		const char *value;
		bool is;
	} rows[] = {
		{"[" U("a") "]", true},
		{"[" U("a") ",1,\"x\",[2]]", true},
		{"[{\"role\":\"user\",\"content\":\"x\",\"id\":1,\"uuid\":2,"
		 "\"timestamp\":3}]",
			true},
		{"[{\"role\":\"user\",\"content\":\"x\",\"event\":null}]", false},
		{"[{\"role\":\"user\",\"content\":\"x\",\"properties\":{}}]", false},
		{"[" U("a") ",{}]", false},
		{"[1,2]", false},
		{"[]", false},
		{U("a"), false},
		{"", false},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect_eq(chat_is_conversation(jv_parse(str_of(rows[i].value))),
			rows[i].is, "%s", rows[i].value);
}

/* A value is walked a handful of times, however large, and depth is no matter. */
Test(extract, large_and_deep)
{
	struct buf text = BUF_INIT;
	char *got;

	buf_text(&text, "{\"data\":{\"inputs\":");
	for (unsigned i = 0; i < 100000; i++)
		buf_text(&text, "{\"data\":[");
	buf_text(&text, U("deep"));
	for (unsigned i = 0; i < 100000; i++)
		buf_text(&text, "]}");
	buf_text(&text, "},\"logs\":[");
	for (unsigned i = 0; i < 50000; i++)
		buf_text(&text, U("x") ",");
	buf_text(&text, "1]}");
	got = extracted(buf_view(&text), PREFER_INPUT);
	cr_expect_eq(strlen(got), 50000 * (sizeof(U("x"))) + 3);
	mem_free(got);
	buf_done(&text);
}

static const char sample[] = "{\"choices\":[{\"message\":" A("m") "},{\"delta\":" A(
	"d") "}],\"data\":{\"inputs\":"
	     "{\"prompt\":[" U("i") ",7]},\"outputs\":{\"completion\":[" A(
		     "\\u00e9\\\\\\\"") "]}},"
					"\"role\":\"user\",\"tool_calls\":[],\"parts\":[]"
					",\"delta\":{\"content\":\"x\"}}";

static void check_total(struct str text)
{
	char *memory = malloc(text.n + 1);

	memcpy(memory + 1, text.p, text.n);
	for (int prefer = PREFER_NONE; prefer <= PREFER_OUTPUT; prefer++)
		mem_free(
			extracted((struct str){memory + 1, text.n}, (enum prefer)prefer));
	chat_is_conversation(jv_parse((struct str){memory + 1, text.n}));
	free(memory);
}

Test(extract, every_prefix)
{
	for (size_t n = 0; n < sizeof(sample); n++)
		check_total((struct str){sample, n});
}

Test(extract, mutations)
{
	static const char bytes[] = "{}[]\",:\\0a ";
	unsigned seed = 7;

	for (unsigned round = 0; round < 5000; round++) {
		char *text = mem_dup(sample, sizeof(sample) - 1);

		for (unsigned i = 0; i < 1 + round % 4; i++) {
			seed = seed * 1103515245u + 12345u;
			text[(seed >> 8) % (sizeof(sample) - 1)] =
				bytes[(seed >> 4) % (sizeof(bytes) - 1)];
		}
		check_total((struct str){text, sizeof(sample) - 1});
		mem_free(text);
	}
}
