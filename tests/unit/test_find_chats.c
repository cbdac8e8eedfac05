/* Conversations at any depth of a value: which are found, where, and what is none. */
#include "config.h"
#include <criterion/criterion.h>

#include "dialect/dialect.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

#define MESSAGES "[{\"role\":\"user\",\"content\":\"Hi\"}]"

static struct found_chats chats_of(const char *text, struct arena *arena)
{
	struct found_chats d = {0};

	find_chats(&d, jv_parse(str_of(text)), arena);
	return d;
}

/* The paths of all, with blanks between them. */
static void expect_found(const char *text, const char *paths, bool distinct)
{
	struct arena arena = {0};
	struct found_chats d = chats_of(text, &arena);
	struct buf found = BUF_INIT;

	buf_text(&found, "");
	if (distinct)
		found_chats_leave_out_repeats(&d);
	for (size_t i = 0; i < d.count; i++) {
		buf_text(&found, i ? " " : "");
		buf_str(&found, d.items[i].path);
	}
	cr_expect(str_equal(buf_view(&found), str_of(paths)), "%s\ngives '%.*s' not '%s'",
		text, (int)found.len, found.data, paths);
	buf_done(&found);
	found_chats_done(&d);
	arena_done(&arena);
}

static void expect_paths(const char *text, const char *paths)
{
	expect_found(text, paths, false);
}

static void expect_messages(const char *text, const char *messages)
{
	struct arena arena = {0};
	struct found_chats d = chats_of(text, &arena);
	struct jv v = d.count ? d.items[0].messages : (struct jv)JV_NONE;

	cr_expect(d.count == 1 && str_equal((struct str){v.p, v.n}, str_of(messages)),
		"%s\ngives %.*s", text, (int)v.n, v.p);
	found_chats_done(&d);
	arena_done(&arena);
}

Test(find_chats, paths)
{
	static const struct {
		const char *text, *paths;
	} rows[] = {
		{"{\"dialogue\":" MESSAGES "}", "dialogue"},
		{"{\"result\":{\"steps\":[1,2,3,{\"dialogue\":" MESSAGES "}]}}",
			"result.steps[3].dialogue"},
		{"[[" MESSAGES "]]", "[0][0]"},
		{"{\"a b\":{\"c\\\"d\":" MESSAGES "}}", "[\"a b\"][\"c\\\"d\"]"},
		{"{\"a\":" MESSAGES ",\"b\":{\"c\":" MESSAGES "}}", "a b.c"},
		/* the outermost, and nothing inside it */
		{"{\"a\":[{\"role\":\"user\",\"content\":" MESSAGES "}]}", "a"},
		/* JSON in a string, once */
		{"{\"a\":\"{\\\"b\\\":[{\\\"role\\\":\\\"user\\\",\\\"text\\\":1}]}\"}",
			"a.b"},
		{"{\"a\":\"{\\\"b\\\":\\\"[{\\\\\\\"role\\\\\\\":\\\\\\\"user\\\\\\\","
		 "\\\\\\\"text\\\\\\\":1}]\\\"}\"}",
			""},
		/* a lone message */
		{"{\"kind\":1,\"message\":{\"role\":\"assistant\",\"content\":\"x\"}}",
			"message"},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		expect_paths(rows[i].text, rows[i].paths);
}

Test(find_chats, what_talks)
{
	static const char *const writer[] = {
		"{\"x\":[{\"from\":\"human\",\"value\":\"Hi\"}]}",
		"{\"x\":[{\"type\":\"human\",\"content\":\"Hi\"}]}",
		"{\"x\":[{\"sender\":\"Ann\",\"text\":\"Hi\"}]}",
		"{\"x\":[{\"author\":\"Ann\",\"message\":\"Hi\"}]}",
		"{\"x\":[{\"speaker\":\"Ann\",\"parts\":[\"Hi\"]}]}",
		("{\"x\":[{\"type\":\"user\","
		 "\"message\":{\"role\":\"user\",\"content\":1}}]}"),
		"{\"x\":[{\"from\":\"a\",\"value\":\"1\"},{\"gap\":true}]}",
	};
	static const char *const none[] = {"{}", "[]", "1", "\"role\"",
		("{\"x\":[{\"type\":\"string\","
		 "\"value\":\"GET\",\"key\":\"http.method\"}]}"),
		"{\"x\":[{\"from\":1,\"value\":\"a\"}]}",
		"{\"x\":[{\"from\":\"a\",\"value\":1}]}",
		"{\"x\":[{\"from\":\"a\",\"value\":\"b\"},1]}",
		"{\"x\":[{\"from\":\"a\",\"value\":\"b\"},{},{}]}",
		"{\"x\":[{\"type\":\"info\",\"message\":\"started\"}]}",
		"{\"x\":{\"role\":\"admin\",\"content\":\"page\"}}",
		"{\"role\":\"user\"}", "{\"x\":[{\"role\":\"user\"}]}"};

	for (size_t i = 0; i < COUNT(writer); i++)
		expect_paths(writer[i], "x");
	for (size_t i = 0; i < COUNT(none); i++)
		expect_paths(none[i], "");
	for (size_t i = 0; i < COUNT(none); i++) {
		struct arena arena = {0};
		struct found_chats d = chats_of(none[i], &arena);

		cr_expect_eq(d.count, 0, "%s", none[i]);
		found_chats_done(&d);
		arena_done(&arena);
	}
}

Test(find_chats, messages)
{
	static const struct {
		const char *text, *messages;
	} rows[] = {
		{"{\"x\":" MESSAGES "}", MESSAGES},
		{"{\"x\":[{\"from\":\"human\",\"value\":\"a\\n\\u00e9\"},"
		 "{\"from\":\"gpt\",\"value\":\"b\"}]}",
			"[{\"role\":\"human\",\"content\":[{\"type\":\"text\",\"text\":"
			"\"a\\n\\u00e9\"}]},{\"role\":\"gpt\",\"content\":[{\"type\":"
			"\"text\",\"text\":\"b\"}]}]"},
		{"{\"x\":[{\"type\":\"ai\",\"content\":[\"a\",{\"type\":\"image\"}]}]}",
			"[{\"role\":\"assistant\",\"content\":[\"a\",{\"type\":\"image\"}"
			"]"
			"}]"},
		{"{\"x\":[{\"type\":\"user\",\"message\":{\"role\":\"user\","
		 "\"content\":\"a\"}},{\"gap\":1}]}",
			"[{\"role\":\"user\",\"content\":\"a\"},"
			"{\"role\":\"note\",\"content\":[{\"gap\":1}]}]"},
		{"{\"role\":\"tool\",\"content\":\"a\"}",
			"[{\"role\":\"tool\",\"content\":\"a\"}]"},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		expect_messages(rows[i].text, rows[i].messages);
}

/* `depth` arrays around a conversation. */
static size_t found_at(size_t depth)
{
	struct arena arena = {0};
	struct buf text = BUF_INIT;
	struct found_chats d;
	size_t count;

	buf_fill(&text, '[', depth);
	buf_text(&text, MESSAGES);
	buf_fill(&text, ']', depth);
	d = chats_of(text.data, &arena);
	count = d.count;
	found_chats_done(&d);
	arena_done(&arena);
	buf_done(&text);
	return count;
}

static size_t found_of(size_t conversations, size_t numbers)
{
	struct arena arena = {0};
	struct buf text = BUF_INIT;
	struct found_chats d;
	size_t count;

	buf_text(&text, "[0");
	for (size_t i = 0; i < numbers; i++)
		buf_text(&text, ",0");
	for (size_t i = 0; i < conversations; i++)
		buf_text(&text, "," MESSAGES);
	buf_byte(&text, ']');
	d = chats_of(text.data, &arena);
	count = d.count;
	found_chats_done(&d);
	arena_done(&arena);
	buf_done(&text);
	return count;
}

Test(find_chats, bounds)
{
	cr_expect_eq(found_at(CHATS_DEEPEST), 1);
	cr_expect_eq(found_at(CHATS_DEEPEST + 1), 0);
	cr_expect_eq(found_at(1000000), 0);
	cr_expect_eq(found_of(CHATS_MOST, 10), CHATS_MOST);
	cr_expect_eq(found_of(CHATS_MOST + 10, 10), CHATS_MOST);
	cr_expect_eq(found_of(1, CHATS_VALUES - 10), 1);
	cr_expect_eq(found_of(1, CHATS_VALUES), 0);
}

/* What stands in a longer conversation is not told again. */
Test(find_chats, repeats)
{
	static const struct {
		const char *text, *paths;
	} rows[] = {
		{"{\"a\":[{\"role\":\"user\",\"content\":\"x\"}],"
		 "\"b\":[{\"from\":\"human\",\"value\":\"x\"},"
		 "{\"from\":\"gpt\",\"value\":\"y\"}],"
		 "\"c\":[{\"role\":\"assistant\",\"content\":\"y\",\"id\":1}]}",
			"b"},
		{"{\"a\":" MESSAGES ",\"b\":" MESSAGES ",\"c\":" MESSAGES "}", "a"},
		{"{\"a\":[{\"role\":\"user\",\"content\":\"x\"}],"
		 "\"b\":[{\"role\":\"assistant\",\"content\":\"x\"}]}",
			"a b"},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		expect_found(rows[i].text, rows[i].paths, true);
}

/* What is cut or broken is walked as the cursor walks it. */
Test(find_chats, of_what_is_cut)
{
	static const char whole[] = "{\"a\":{\"b\":\"[1]\",\"c\":[{\"role\":\"user\","
				    "\"content\":\"Hi\"}],\"d\":[{\"from\":\"x\","
				    "\"value\":\"y\"}]}}";

	for (size_t n = 0; n < sizeof(whole); n++) {
		struct arena arena = {0};
		struct found_chats d = {0};

		find_chats(&d, jv_parse((struct str){whole, n}), &arena);
		found_chats_done(&d);
		arena_done(&arena);
	}
}
