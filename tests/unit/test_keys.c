/* The configuration's keys and settings, what is typed, and commands as text. */
#include "config.h"
#include <criterion/criterion.h>

#include "config/configuration.h"
#include "term/term.h"
#include "ui/keys/keymap.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static struct config *read_config(const char *text)
{
	struct config *c = config_new();
	struct err err = {.offset = ERR_NOWHERE};

	cr_assert_eq(c->warning_count, 0, "the built-in one: %s", c->warnings[0].text);
	cr_expect(config_add(c, "mine.yaml", str_of(text), &err), "%s", err.text);
	err_done(&err);
	return c;
}

Test(keys, every_built_in_key_calls_a_command)
{
	struct config *c = config_new();
	struct keymap map;

	keymap_begin(&map, c);
	cr_expect_eq(c->warning_count, 0, "%s", c->warnings ? c->warnings[0].text : "");
	cr_expect_eq(map.count, c->key_count);
	keymap_done(&map);
	config_free(c);
}

Test(keys, names_are_read_as_they_are_written)
{
	static const uint32_t keys[] = {'a', '/', '\t', '\r', ' ', 0x1B, TERM_UP,
		TERM_PGDN, TERM_BTAB, TERM_F1, TERM_F12, 'L' & 0x1F, 0x1C, 0xE5, 0x1F600,
		TERM_DELETE};

	for (size_t i = 0; i < COUNT(keys); i++) {
		struct buf name = BUF_INIT;

		key_put_name(keys[i], &name);
		cr_expect_eq(key_of_name(buf_view(&name)), keys[i], "%s", name.data);
		buf_done(&name);
	}
}

Test(keys, what_is_no_name)
{
	static const char *const names[] = {"", "ab", "F0", "F13", "F1x", "Ctrl-",
		"Ctrl-a", "Ctrl-AB", "\x01", "\xFF", "tab"};

	for (size_t i = 0; i < COUNT(names); i++)
		cr_expect_eq(key_of_name(str_of(names[i])), (uint32_t)TERM_KEY_NONE,
			"row %zu", i);
}

Test(keys, what_is_typed)
{
	static const struct {
		uint32_t keys[8];
		enum command command; /* of the last key */
		unsigned count;
		const char *argument;
	} rows[] = {
		{{'j'}, COMMAND_DOWN, 0, ""},
		{{'1', '2', 'j'}, COMMAND_DOWN, 12, ""},
		{{'1', '0', TERM_DOWN}, COMMAND_DOWN, 10, ""},
		{{'0', 'j'}, COMMAND_DOWN, 0, ""},
		{{'Q', 'Q', 't'}, COMMAND_VIEW, 0, "tree"},
		{{'Q', 'Q', 'r'}, COMMAND_VIEW, 0, "raw"},
		{{'3', 'Q', 'Q', 'r'}, COMMAND_VIEW, 3, "raw"},
		{{'Q', 'j'}, COMMAND_NONE, 0, ""},       /* no such sequence */
		{{'Q', 0x1B}, COMMAND_NONE, 0, ""},      /* taken back */
		{{'7', 0x1B, 'j'}, COMMAND_DOWN, 0, ""}, /* with its count */
		{{'\n'}, COMMAND_ENTER, 0, ""},
		{{'k'}, COMMAND_NONE, 0, ""}, /* taken away */
		{{'9', '9', '9', '9', '9', '9', '9'}, COMMAND_NONE, 0, ""},
	};
	struct config *c =
		read_config("keys: {Q Q t: view tree, 'Q  Q r': view raw, k: none}");
	struct keymap map;

	keymap_begin(&map, c);
	cr_expect_eq(c->warning_count, 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct typed t = {0};
		struct invocation call = {0};
		enum typed_state state = TYPED_NOTHING;

		for (size_t k = 0; k < 8 && rows[i].keys[k]; k++)
			state = typed_key(&t, &map, rows[i].keys[k], &call);
		cr_expect_eq(state == TYPED_CALL, rows[i].command != COMMAND_NONE,
			"row %zu: %d", i, state);
		cr_expect_eq(call.command, rows[i].command, "row %zu", i);
		cr_expect_eq(call.count, rows[i].count, "row %zu", i);
		cr_expect(
			str_equal(call.argument, str_of(rows[i].argument)), "row %zu", i);
		typed_done(&t);
	}
	keymap_done(&map);
	config_free(c);
}

Test(keys, a_key_that_begins_others_stands_alone)
{
	struct config *c = read_config("keys: {x: help, x x: quit}");
	struct invocation call = {0};
	struct typed t = {0};
	struct keymap map;

	keymap_begin(&map, c);
	cr_expect_eq(c->warning_count, 0);
	cr_expect_eq(typed_key(&t, &map, 'x', &call), TYPED_MORE);
	cr_expect(typed_may_be_alone(&t, &map));
	cr_expect(typed_alone(&t, &map, &call));
	cr_expect_eq(call.command, COMMAND_HELP);
	cr_expect_not(typed_alone(&t, &map, &call));
	typed_key(&t, &map, 'x', &call);
	cr_expect_eq(typed_key(&t, &map, 'x', &call), TYPED_CALL);
	cr_expect_eq(call.command, COMMAND_QUIT);
	typed_key(&t, &map, 'x', &call);
	cr_expect_eq(typed_key(&t, &map, 'j', &call), TYPED_CALL);
	cr_expect_eq(call.command, COMMAND_HELP);
	cr_expect_eq(t.left, (uint32_t)'j');
	typed_done(&t);
	keymap_done(&map);
	config_free(c);
}

Test(keys, mistakes_have_a_place)
{
	static const struct {
		const char *text, *says;
		uint64_t line, column;
	} rows[] = {
		{"keys:\n  q: depart\n", "no command \"depart\"", 2, 3},
		{"keys:\n  j: down\n  Hyper: up\n", "no key", 3, 3},
		{"keys:\n  j: down 3\n", "takes no argument", 2, 3},
		{"keys:\n  j: s\n", "may be", 2, 3},
		{"keys:\n  j: 7.5\n", "must be a text", 2, 3},
		{"options:\n  cache: lots\n", "is not a number", 2, 3},
		{"options:\n  cash: 1M\n", "no option", 2, 3},
		{"colours: {}\n", "no section", 1, 1},
		{"keys: [a]\n", "names and values", 1, 1},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct config *c = read_config(rows[i].text);
		struct keymap map;

		keymap_begin(&map, c);
		cr_assert_eq(c->warning_count, 1, "row %zu: %zu", i, c->warning_count);
		cr_expect(strstr(c->warnings[0].text, rows[i].says), "row %zu: %s", i,
			c->warnings[0].text);
		cr_expect_str_eq(c->warnings[0].source, "mine.yaml");
		cr_expect_eq(c->warnings[0].line, rows[i].line, "row %zu", i);
		cr_expect_eq(c->warnings[0].column, rows[i].column, "row %zu", i);
		keymap_done(&map);
		config_free(c);
	}
}

Test(keys, commands_as_text)
{
	static const struct {
		const char *text;
		enum command command;
		const char *argument;
	} rows[] = {
		{"down", COMMAND_DOWN, ""},
		{"  view   raw ", COMMAND_VIEW, "raw"},
		{"42", COMMAND_STEP, "42"},
		{"sea a b", COMMAND_NONE, ""}, /* search, search-back */
		{"search a b", COMMAND_SEARCH, "a b"},
		{"q", COMMAND_LEAVE_ALL, ""},
		{"wq", COMMAND_LEAVE_ALL, ""},
		{"", COMMAND_NONE, ""},
		{"quit now", COMMAND_NONE, ""},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = {.offset = ERR_NOWHERE};
		struct invocation call;
		bool ok = command_read(str_of(rows[i].text), &call, &err);

		cr_expect_eq(ok, rows[i].command != COMMAND_NONE, "row %zu", i);
		cr_expect_eq(ok, err.text == NULL, "row %zu", i);
		if (ok) {
			cr_expect_eq(call.command, rows[i].command, "row %zu", i);
			cr_expect(str_equal(call.argument, str_of(rows[i].argument)),
				"row %zu", i);
		}
		err_done(&err);
	}
}

Test(settings, are_written_as_they_are_read)
{
	static const struct {
		const char *text, *back; /* NULL: it is refused */
	} rows[] = {{"8M", "8M"}, {"0", "0"}, {"1024", "1K"}, {"1000", "1000"},
		{"2k", "2K"}, {"", NULL}, {"M", NULL}, {"-1", NULL}, {"1.5M", NULL},
		{"99999999999999999999", NULL}, {"99999999999999999G", NULL}};
	const struct setting *row = setting_find(STR("cache"));
	struct settings s;

	settings_begin(&s);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = {.offset = ERR_NOWHERE};
		struct buf back = BUF_INIT;
		bool ok = setting_set(&s, row, str_of(rows[i].text), &err);

		cr_expect_eq(ok, rows[i].back != NULL, "row %zu", i);
		setting_put(&s, row, &back);
		if (ok)
			cr_expect_str_eq(back.data, rows[i].back, "row %zu", i);
		buf_done(&back);
		err_done(&err);
	}
	settings_done(&s);
}
