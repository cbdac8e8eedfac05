/*
 * From a side's value to its view: tables of values and of what the screen is told.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/mem.h"
#include "chat/side.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

#define U(text) "{\"role\":\"user\",\"content\":\"" text "\"}"

/* "view: text", or "view: value", or "chat: (role) item; …" with * for a given role. */
static char *seen(const struct side *side, struct arena *arena)
{
	struct buf out = BUF_INIT;
	bool given;

	buf_printf(&out, "%s:", side_view_name(side->view));
	if (side->view == SIDE_TEXT)
		buf_printf(&out, " %.*s", (int)side->text.n,
			side->text.p ? side->text.p : "");
	if (side->view == SIDE_JSON)
		buf_printf(&out, " %.*s", (int)side->value.n, side->value.p);
	for (size_t i = 0; i < side->chat.count; i++) {
		struct jv item = side->chat.items[i];
		struct str role = message_role(item, side->prefer, &given, arena);

		buf_printf(&out, " (%.*s%s) %.*s;", (int)role.n, role.p, given ? "" : "*",
			(int)item.n, item.p);
	}
	if (side->opened)
		buf_printf(&out, " opened %u", side->opened);
	if (side->images.kind == J_ARRAY)
		buf_printf(&out, " images %.*s", (int)side->images.n, side->images.p);
	return buf_take(&out);
}

static char *read_side(struct str value, const char *images, enum prefer prefer)
{
	struct arena arena = {0};
	struct side side;
	char *got;

	side_read(&side, jv_parse(value), jv_parse(str_of(images)), prefer, &arena);
	got = seen(&side, &arena);
	side_done(&side);
	arena_done(&arena);
	return got;
}

struct row {
	const char *value;
	const char *input, *output; /* NULL: the same */
};

static void check(const struct row rows[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *in = rows[i].input,
			   *out = rows[i].output ? rows[i].output : in;
		char *got = read_side(str_of(rows[i].value), "", PREFER_INPUT);

		cr_expect_str_eq(
			got, in, "%s\n gives %s\n  not  %s", rows[i].value, got, in);
		mem_free(got);
		got = read_side(str_of(rows[i].value), "", PREFER_OUTPUT);
		cr_expect_str_eq(
			got, out, "%s\n gives %s\n  not  %s", rows[i].value, got, out);
		mem_free(got);
	}
}

Test(side, plain_views)
{
	static const struct row rows[] = {
		{"", "empty:", 0},
		{"null", "empty:", 0},
		{"false", "empty:", 0},
		{"0", "empty:", 0},
		{"\"\"", "empty:", 0},
		{"[]", "empty:", 0},
		{"{}", "empty:", 0},
		{"\"[]\"", "empty: opened 1", 0},
		{"\"  \"", "text:   ", 0},
		{"\"hello\"", "text: hello", 0},
		{"\"a\\nb\\u00e9\"", "text: a\nb\xC3\xA9", 0},
		{"\"cut", "text: cut", 0},
		{"17", "json: 17", 0},
		{"true", "json: true", 0},
		{"{\"response\":\"AI is\"}", "json: {\"response\":\"AI is\"}", 0},
		{"[1,2]", "json: [1,2]", 0},
		{"{\"content\":\"c\"}", "json: {\"content\":\"c\"}", 0},
		{"oops", "json: oops", 0},
		{"{\"a\":[1", "json: {\"a\":[1", 0},
	};

	check(rows, COUNT(rows));
}

Test(side, opened_strings)
{
	static const struct row rows[] = {
		{"\"[{\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"c\\\"}]\"",
			"chat: (user) " U("c") "; opened 1", 0},
		{"\" \\n{\\\"a\\\":1}\\t \"", "json: {\"a\":1} opened 1", 0},
		{"\"{\\\"a\\\":1} x\"", "text: {\"a\":1} x", 0},
		{"\"[not json]\"", "text: [not json]", 0},
		{"\"{a}\"", "text: {a}", 0},
		{"\"{{name}}\"", "text: {{name}}", 0},
		{"\"[INFO] ready [1]\"", "text: [INFO] ready [1]", 0},
		{"\"[1] [2]\"", "text: [1] [2]", 0},
		{"\"[NaN]\"", "json: [NaN] opened 1", 0},
		{"\"{\\\"a\\\":[1}\"", "text: {\"a\":[1}", 0},
		{"\"7\"", "text: 7", 0},
		{"\"null\"", "text: null", 0},
		{"\"\\\"quoted\\\"\"", "text: \"quoted\"", 0},
		/* twice, three times, and once too often */
		{"\"\\\"[1]\\\"\"", "json: [1] opened 2", 0},
		{"\"\\\"\\\\\\\"[1]\\\\\\\"\\\"\"", "json: [1] opened 3", 0},
		{"\"\\\"\\\\\\\"\\\\\\\\\\\\\\\"[1]\\\\\\\\\\\\\\\"\\\\\\\"\\\"\"",
			"text: \"\\\"\\\\\\\"[1]\\\\\\\"\\\"\"", 0},
		{"\"\\u005b1]\"", "json: [1] opened 1", 0},
		{"\"{\\\"a\\\":1", "text: {\"a\":1", 0},
	};

	check(rows, COUNT(rows));
}

Test(side, arrays)
{
	static const struct row rows[] = {
		{"[" U("a") ",3]", "chat: (user) " U("a") "; (user*) 3;",
			"chat: (user) " U("a") "; (assistant*) 3;"},
		{"[{\"content\":\"c\"}]", "chat: (user*) {\"content\":\"c\"};",
			"chat: (assistant*) {\"content\":\"c\"};"},
		{"[{\"text\":\"t\"},{\"message\":\"m\"}]",
			"chat: (user*) {\"text\":\"t\"}; (user*) {\"message\":\"m\"};",
			"chat: (assistant*) {\"text\":\"t\"}; (assistant*) "
			"{\"message\":\"m\"};"},
		{"[{\"index\":0,\"message\":" U("a") "},{\"delta\":{\"content\":\"d\"}}]",
			"chat: (user) " U("a") "; (user*) {\"content\":\"d\"};",
			"chat: (user) " U("a") "; (assistant*) {\"content\":\"d\"};"},
		{"[{\"message\":{\"content\":\"m\"},\"delta\":{\"content\":\"d\"}}]",
			"chat: (user*) {\"content\":\"m\"};",
			"chat: (assistant*) {\"content\":\"m\"};"},
		{"[{\"role\":\"user\",\"message\":{\"content\":\"m\"}}]",
			"chat: (user) "
			"{\"role\":\"user\",\"message\":{\"content\":\"m\"}};",
			0},
		{"[{\"role\":null,\"content\":\"c\"}]",
			"chat: (user*) {\"role\":null,\"content\":\"c\"};",
			"chat: (assistant*) {\"role\":null,\"content\":\"c\"};"},
		{"[{\"delta\":{\"role\":\"assistant\"}}]",
			"json: [{\"delta\":{\"role\":\"assistant\"}}]", 0},
		{"[{\"role\":\"user\"}]", "json: [{\"role\":\"user\"}]", 0},
		{"[{\"a\":1},[{\"content\":\"c\"}]]",
			"json: [{\"a\":1},[{\"content\":\"c\"}]]", 0},
	};

	check(rows, COUNT(rows));
}

Test(side, objects)
{
	static const struct row rows[] = {
		{U("a"), "chat: (user) " U("a") ";", 0},
		{"{\"choices\":[{\"message\":" U("a") "}]}", "chat: (user) " U("a") ";",
			0},
		{"{\"inputs\":[" U("i") "],\"outputs\":[" U("o") "]}",
			"chat: (user) " U("i") ";", "chat: (user) " U("o") ";"},
		{"{\"messages\":[{\"content\":\"no speaker\"}]}",
			"json: {\"messages\":[{\"content\":\"no speaker\"}]}", 0},
	};

	check(rows, COUNT(rows));
}

Test(side, images)
{
	static const struct {
		const char *value, *images, *expected;
	} rows[] = {
		{"\"what?\"", "[\"u\"]", "text: what? images [\"u\"]"},
		{"\"\"", "[\"u\"]", "text:  images [\"u\"]"},
		{"null", "[\"u\"]", "text:  images [\"u\"]"},
		{"", "\"[\\\"u\\\"]\"", "text:  images [\"u\"]"},
		{"\"what?\"", "\"u\"", "text: what? images [\"u\"]"},
		{"\"what?\"", "[]", "text: what?"},
		{"\"what?\"", "null", "text: what?"},
		{"\"\"", "\"\"", "empty:"},
		{"\"\"", "[]", "empty:"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		char *got =
			read_side(str_of(rows[i].value), rows[i].images, PREFER_INPUT);

		cr_expect_str_eq(got, rows[i].expected, "%s with %s: %s", rows[i].value,
			rows[i].images, got);
		mem_free(got);
	}
}

Test(side, where_the_array_stands)
{
	static const struct {
		const char *value;
		bool array;
	} rows[] = {
		{"[{\"content\":\"c\"}]", true},
		{"[" U("a") ",{\"message\":{}}]", false},
		{"{\"logs\":[" U("a") "]}", true},
		{"{\"choices\":[{\"message\":" U("a") "}]}", false},
		{U("a"), false},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena arena = {0};
		struct side side;

		side_read(&side, jv_parse(str_of(rows[i].value)), JV_NONE, PREFER_INPUT,
			&arena);
		cr_assert_eq(side.view, SIDE_CHAT, "%s", rows[i].value);
		cr_expect_eq(side.chat.array.kind, rows[i].array ? J_ARRAY : J_NONE, "%s",
			rows[i].value);
		side_done(&side);
		arena_done(&arena);
	}
}

Test(side, shared)
{
	static const struct {
		const char *value;
		bool shared;
	} rows[] = {
		{"[" U("a") "]", true},
		{U("a"), true},
		{"{\"messages\":[" U("a") "]}", true},
		{"\"[{\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"c\\\"}]\"", true},
		{"{\"inputs\":[" U("i") "],\"outputs\":[" U("o") "]}", false},
		{"\"text\"", false},
		{"{\"a\":1}", false},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena arena = {0};
		struct side in, out;
		struct jv value =
			side_open_string(jv_parse(str_of(rows[i].value)), &arena);

		side_read(&in, value, JV_NONE, PREFER_INPUT, &arena);
		side_read(&out, value, JV_NONE, PREFER_OUTPUT, &arena);
		cr_expect_eq(side_shared(&in, &out), rows[i].shared, "%s", rows[i].value);
		side_done(&in);
		side_done(&out);
		arena_done(&arena);
	}
}

Test(message, role)
{
	static const struct {
		const char *message, *role;
		bool given;
	} rows[] = {
		{"{\"role\":\"system\"}", "system", true},
		{"{\"author\":\"c\",\"sender\":\"b\"}", "b", true},
		{"{\"role\":3,\"author\":\"c\"}", "c", true},
		{"{\"role\":\"\",\"sender\":\"b\"}", "", true},
		{"{\"role\":\"K\\u00e4pt'n\"}", "K\xC3\xA4pt'n", true},
		{"{\"role\":null}", "assistant", false},
		{"{}", "assistant", false},
		{"7", "assistant", false},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena arena = {0};
		bool given = !rows[i].given;
		struct str role = message_role(
			jv_parse(str_of(rows[i].message)), PREFER_OUTPUT, &given, &arena);

		cr_expect(str_equal(role, str_of(rows[i].role)), "%s", rows[i].message);
		cr_expect_eq(given, rows[i].given, "%s", rows[i].message);
		arena_done(&arena);
	}
	cr_expect(str_equal(side_role(PREFER_INPUT), STR("user")));
}

static const char sample[] =
	"\"[{\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"\\\\u00e9\\\"},{\\\"index\\\":"
	"0,"
	"\\\"delta\\\":{\\\"content\\\":\\\"d\\\"}},{\\\"text\\\":null},[1,{}]]\"";

static void check_total(struct str text)
{
	char *memory = malloc(text.n + 1);

	memcpy(memory + 1, text.p, text.n);
	mem_free(read_side((struct str){memory + 1, text.n}, "", PREFER_INPUT));
	mem_free(read_side((struct str){memory + 1, text.n}, "[1]", PREFER_OUTPUT));
	free(memory);
}

Test(side, every_prefix)
{
	for (size_t n = 0; n < sizeof(sample); n++)
		check_total((struct str){sample, n});
}

Test(side, mutations)
{
	static const char bytes[] = "{}[]\",:\\0a ";
	unsigned seed = 3;

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
