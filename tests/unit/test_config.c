/*
 * The configuration: mistakes and what is said of them, what is hostile, what comes over
 * what, the round trip of --dump-config, the schema and the manual page beside the
 * tables.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/err.h"
#include "base/mem.h"
#include "config/configuration.h"
#include "schema/schema.h"
#include "schema/yaml.h"
#include "ui/keys/keymap.h"
#include "view/steps.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void begin(void)
{
	json_init();
}

TestSuite(config, .init = begin);

/* A configuration with a text read over it, and its keys looked at. */
static struct config *config_of(const char *text)
{
	struct config *c = config_new();
	struct err err = {.offset = ERR_NOWHERE};
	struct keymap map;

	if (text && !config_add(c, "my.yaml", str_of(text), &err))
		config_warn(c, "my.yaml", err.line, err.column, "%s", err.text);
	err_done(&err);
	keymap_begin(&map, c);
	keymap_done(&map);
	return c;
}

/* All warnings, a line each; for mem_free. */
static char *warnings_of(const struct config *c)
{
	struct buf out = BUF_INIT;

	buf_reserve(&out, 1);
	for (size_t i = 0; i < c->warning_count; i++) {
		err_format(&c->warnings[i], &out);
		buf_byte(&out, '\n');
	}
	return buf_take(&out);
}

static char *dump_of(struct config *c)
{
	struct buf out = BUF_INIT;

	config_text_put(c, &out);
	return buf_take(&out);
}

static bool fits_schema(const char *text)
{
	struct yaml y = {0};
	struct err err = {.offset = ERR_NOWHERE};
	json_t *value = config_schema();
	struct schema *schema = schema_new(value, &err);
	bool ok;

	cr_assert(schema, "%s", err.text);
	cr_assert(yaml_read(&y, str_of(text), &err), "%s", err.text);
	ok = !y.root || schema_check(schema, y.root, NULL, NULL);
	yaml_done(&y);
	schema_free(schema);
	json_decref(value);
	return ok;
}

/* ---- mistakes ---- */

Test(config, every_option_stands_in_the_built_in_file)
{
	struct yaml y = {0};
	struct err err = {.offset = ERR_NOWHERE};
	struct str text = {(const char *)embedded_catena.bytes, embedded_catena.n};

	cr_assert(yaml_read(&y, text, &err), "%s", err.text);
	for (const struct setting *row = setting_rows; row->name; row++)
		cr_expect(json_object_get(json_object_get(y.root, "options"), row->name),
			"%s", row->name);
	yaml_done(&y);
}

Test(config, the_built_in_one_is_as_it_should_be)
{
	struct config *c = config_of(NULL);
	struct buf text = BUF_INIT;

	cr_expect_eq(c->warning_count, 0, "%s", warnings_of(c));
	cr_expect_gt(c->key_count, 40);
	cr_expect_str_eq(c->settings.theme, "auto");
	buf_add(&text, embedded_catena.bytes, embedded_catena.n);
	cr_expect(fits_schema(text.data));
	buf_done(&text);
	config_free(c);
}

/* `schema`: one that knows names and shapes finds it as well. */
static const struct {
	const char *text, *said;
	bool schema;
} mistakes[] = {
	{"[1]",
		"my.yaml:1:1: a configuration must be a map of sections: options, keys, "
		"colors, "
		"themes\n",
		true},
	{"optons: {}",
		"my.yaml:1:1: optons: there is no section \"optons\"; did you mean "
		"\"options\"?\n",
		true},
	{"xyzzy: {}", "my.yaml:1:1: xyzzy: there is no section \"xyzzy\"\n", true},
	{"options: [a]", "my.yaml:1:1: options: a section must be a map of names and values\n",
		true},
	{"options:\n  thme: dark",
		"my.yaml:2:3: options.thme: there is no option \"thme\"; did you mean "
		"\"theme\"?\n",
		true},
	{"options:\n  theme: {a: b}",
		"my.yaml:2:3: options.theme: an option must be a text, a number, true or "
		"false, "
		"or a list of them\n",
		true},
	{"options:\n  theme: lihgt",
		"my.yaml:2:3: options.theme: \"lihgt\" is not one of mono, ansi16, auto, "
		"dark, "
		"light; did you mean \"light\"?\n",
		false},
	{"options: {background: drak}",
		"my.yaml:1:11: options.background: \"drak\" is not one of auto, dark, "
		"light; did you mean \"dark\"?\n",
		true},
	{"options: {ascii: 7}",
		"my.yaml:1:11: options.ascii: \"7\" is neither on nor off\n", true},
	{"options: {cache: 8 M}",
		"my.yaml:1:11: options.cache: \"8 M\" is not a number such as 100 or 8M\n",
		true},
	{"options: {columns: [name, nmae]}",
		"my.yaml:1:11: options.columns: \"nmae\" is not one of number, mark, name, "
		"label, "
		"model, tokens, input, cache, output, cost, time, start, event, size, "
		"bar; did "
		"you mean \"name\"?\n",
		true},
	{"options: {columns: [name, name]}",
		"my.yaml:1:11: options.columns: \"name\" is in the list twice\n", true},
	{"options: {columns: []}",
		"my.yaml:1:11: options.columns: the list must not be empty\n", true},
	{"keys:\n  \"g g\": frist",
		"my.yaml:2:3: keys.\"g g\": there is no command \"frist\"; did you mean "
		"\"first\"?\n",
		true},
	{"keys: {Z: }",
		"my.yaml:1:8: keys.Z: a key's command must be a text; \"none\" removes "
		"the key\n",
		true},
	{"keys:\n  PageDwon: down",
		"my.yaml:2:3: keys.PageDwon: this is no key, nor up to 4 of them with "
		"blanks "
		"between; did you mean \"PageDown\"?\n",
		false},
	{"keys: {1 2 3 4 5: down}",
		"my.yaml:1:8: keys.\"1 2 3 4 5\": this is no key, nor up to 4 of them "
		"with "
		"blanks between\n",
		true},
	{"keys: {\" \": down}",
		"my.yaml:1:8: keys.\"\": this is no key, nor up to 4 of them with blanks "
		"between\n",
		true},
	{"keys: {Z: quit now}", "my.yaml:1:8: keys.Z: quit takes no argument\n", false},
	{"keys: {Z: pipe sh -c id}",
		"my.yaml:1:8: keys.Z: what is run is only typed, never read from a file: "
		"leave it out, and it is asked for\n",
		false},
	{"colors: {usr: {fg: red}}",
		"my.yaml:1:10: colors.usr: there is no role \"usr\"; did you mean "
		"\"user\"?\n",
		true},
	{"colors: {user: red}",
		"my.yaml:1:10: colors.user: a style must be a map such as {fg: red, bold: true}\n",
		true},
	{"colors:\n  user: {blod: true}",
		"my.yaml:2:10: colors.user.blod: there is no part of a style \"blod\"; "
		"did "
		"you mean \"bold\"?\n",
		true},
	{"colors: {user: {bold: yes}}",
		"my.yaml:1:17: colors.user.bold: this must be true or false\n", true},
	{"colors: {user: {fg: rde}}",
		"my.yaml:1:17: colors.user.fg: a color must be a name, a number from 0 to "
		"255, or "
		"\"#rrggbb\" in quotes; did you mean \"red\"?\n",
		true},
	{"colors: {user: {bg: 256}}",
		"my.yaml:1:17: colors.user.bg: a color must be a name, a number from 0 to "
		"255, or "
		"\"#rrggbb\" in quotes\n",
		true},
	{"colors:\n  user:\n    fg: #ff0000",
		"my.yaml:3:5: colors.user.fg: a color must be a name, a number from 0 to "
		"255, or "
		"\"#rrggbb\" in quotes\n",
		true},
	{"themes: {mine: dark}",
		"my.yaml:1:10: themes.mine: a theme must be a map of roles and their styles\n",
		true},
	{"themes: {mine: {usr: {}}}",
		"my.yaml:1:17: themes.mine.usr: there is no role \"usr\"; did you mean "
		"\"user\"?\n",
		true},
	{"themes: {mine: {based on: 5}}",
		"my.yaml:1:17: themes.mine.\"based on\": this must be the name of a theme\n",
		true},
	{"themes: {mine: {based on: drak}}",
		"my.yaml:1:17: themes.mine.\"based on\": there is no theme \"drak\"; did "
		"you "
		"mean \"dark\"?\n",
		false},
	{"themes: {mono: {based on: dark}}",
		"my.yaml:1:17: themes.mono.\"based on\": the theme is based on itself, "
		"or "
		"on too many themes\n",
		false},
	{"themes: {mine: {user: {fg: {}}}}",
		"my.yaml:1:24: themes.mine.user.fg: a color must be a name, a number from 0 "
		"to "
		"255, or \"#rrggbb\" in quotes\n",
		true},
};

Test(config, every_mistake_is_told_with_its_place)
{
	for (size_t i = 0; i < COUNT(mistakes); i++) {
		struct config *c = config_of(mistakes[i].text);
		char *said = warnings_of(c);

		cr_expect_str_eq(
			said, mistakes[i].said, "%s\ngave: %s", mistakes[i].text, said);
		cr_expect_eq(fits_schema(mistakes[i].text), !mistakes[i].schema, "%s",
			mistakes[i].text);
		mem_free(said);
		config_free(c);
	}
}

Test(config, a_mistake_leaves_what_was_there)
{
	struct config *c =
		config_of("options: {cache: x, theme: nope, columns: [x]}\n"
			  "keys: {q: quti, '?': []}\n"
			  "colors: {user: {fg: nope}}\n"
			  "themes: {dark: {based on: nope, user: {fg: nope}}}\n");
	struct config *plain = config_of(NULL);
	char *a, *b;

	/* what it was based on is gone: that was said */
	json_object_set_new(
		json_object_get(c->themes, "dark"), "based on", json_string("auto"));
	a = dump_of(c);
	b = dump_of(plain);
	cr_expect_eq(c->warning_count, 8, "%s", warnings_of(c));
	cr_expect_eq(strlen(a), strlen(b));
	mem_free(a);
	mem_free(b);
	config_free(plain);
	config_free(c);
}

/* ---- what is right ---- */

static const char *const good[] = {
	"",
	"options:",
	"options: {theme: dark, background: light, ascii: true, cache: 0}",
	"options: {columns: name time, ascii: on, cache: 64K, theme: mine}\n"
	"themes: {mine: {}}",
	"options: {columns: [model, mark, start, event, size, input, output]}",
	"keys: {q: none, Q: quit, g: none, g g: first, G: none, '  G   g ': last, "
	"Ctrl-A: view "
	"raw, "
	"'1': '42'}",
	"colors: {user: {fg: green, bg: '#00F', bold: true}, text: {bg: 255}}",
	"themes:\n  mine: {based on: light, fewer colors: mono, user: {fg: default}}\n"
	"  a b: {based on: mine}\n  'null': {title: {dim: false}}",
	"keys: {'#': help, '\"': help, \"'\": help, '-': help, 'ä': help, 'y y': help, "
	"y: none}",
	/* a character that is escaped, and is two of UTF-16 */
	"themes: {\"\\U000E0068\": {}, \"\\u200b\\\\ud83d\\\\ude00\": {}}",
};

Test(config, what_is_dumped_reads_back_the_same)
{
	for (size_t i = 0; i < COUNT(good); i++) {
		struct config *c = config_of(good[i]), *again;
		char *first = dump_of(c), *second;

		cr_expect_eq(c->warning_count, 0, "%s: %s", good[i], warnings_of(c));
		cr_expect(fits_schema(good[i]), "%s", good[i]);
		cr_expect(fits_schema(first), "%s", good[i]);
		again = config_of(first);
		second = dump_of(again);
		cr_expect_eq(
			again->warning_count, 0, "%s: %s", good[i], warnings_of(again));
		cr_expect_str_eq(first, second);
		for (int role = 0; role < ROLE_COUNT; role++) {
			struct theme a, b;

			themes_make(c->themes, c->colors, c->settings.theme, &a);
			themes_make(
				again->themes, again->colors, again->settings.theme, &b);
			cr_assert_arr_eq(&a, &b, sizeof(a));
		}
		mem_free(first);
		mem_free(second);
		config_free(again);
		config_free(c);
	}
}

static const char *command_of(const struct config *c, const char *keys)
{
	for (size_t i = 0; i < c->key_count; i++)
		if (strcmp(c->keys[i].keys, keys) == 0)
			return c->keys[i].command;
	return NULL;
}

Test(config, a_users_file_comes_over_the_built_in_one)
{
	struct config *c =
		config_of("options: {cache: 1K}\nkeys: {j: up, ' x  x ': quit}\n"
			  "themes: {dark: {user: {bold: false}}}");
	struct theme theme;

	cr_expect_eq(c->settings.cache, 1024);
	cr_expect_str_eq(c->settings.theme, "auto");
	cr_expect_str_eq(command_of(c, "j"), "up");
	cr_expect_str_eq(command_of(c, "k"), "up");
	cr_expect_str_eq(command_of(c, "x x"), "quit");
	themes_make(c->themes, c->colors, "dark", &theme);
	cr_expect_eq(theme.styles[THEME_MANY][ROLE_USER].attributes, 0);
	cr_expect_gt(theme.styles[THEME_MANY][ROLE_USER].fg, 15, "the rest of it holds");
	config_free(c);
}

Test(config, a_wrong_key_leaves_the_built_in_one)
{
	struct config *c = config_of("keys: {q: quti, '?': help me, Z: nothing}");

	cr_expect_str_eq(command_of(c, "q"), "quit");
	cr_expect_str_eq(command_of(c, "?"), "help");
	cr_expect_null(command_of(c, "Z"));
	config_free(c);
}

/* ---- files ---- */

static char folder[] = "/tmp/catena-config.XXXXXX";

static void begin_files(void)
{
	json_init();
	cr_assert(mkdtemp(folder));
	setenv("XDG_CONFIG_HOME", folder, 1);
	unsetenv("CATENA_CONFIG");
}

static char *path_of(const char *name)
{
	struct buf path = BUF_INIT;

	buf_printf(&path, "%s/%s", folder, name);
	return buf_take(&path);
}

static void end_files(void)
{
	static const char *const names[] = {
		"catena/catena.yaml", "other.yaml", "third.yaml", "catena", ""};

	for (size_t i = 0; i < COUNT(names); i++) {
		char *path = path_of(names[i]);

		remove(path);
		mem_free(path);
	}
}

TestSuite(config_files, .init = begin_files, .fini = end_files);

/* Writes a file and returns its path, for mem_free. */
static char *put_file(const char *name, const char *text, mode_t mode)
{
	char *path = path_of(name);
	FILE *f = fopen(path, "w");

	cr_assert(f);
	fputs(text, f);
	fclose(f);
	chmod(path, mode);
	return path;
}

static void put_usual(const char *text, mode_t mode)
{
	char *path = path_of("catena");

	mkdir(path, 0700);
	mem_free(path);
	mem_free(put_file("catena/catena.yaml", text, mode));
}

/* The cache that a configuration has with the user's file, and its warnings. */
static size_t cache_of(const char *path, const char *warning)
{
	struct config *c = config_new();
	char *said;
	size_t cache;

	config_add_user(c, path);
	said = warnings_of(c);
	cr_expect_eq(c->warning_count, warning ? 1 : 0, "%s", said);
	if (warning)
		cr_expect(strstr(said, warning), "%s", said);
	mem_free(said);
	cache = c->settings.cache;
	config_free(c);
	return cache;
}

Test(config_files, the_nearest_to_the_person_wins)
{
	char *other = put_file("other.yaml", "options: {cache: 2}", 0600);
	char *third = put_file("third.yaml", "options: {cache: 3}", 0600);

	cr_expect_eq(cache_of(NULL, NULL), 8u << 20);
	put_usual("options: {cache: 1}", 0600);
	cr_expect_eq(cache_of(NULL, NULL), 1);
	setenv("CATENA_CONFIG", other, 1);
	cr_expect_eq(cache_of(NULL, NULL), 2);
	cr_expect_eq(cache_of(third, NULL), 3);
	setenv("CATENA_CONFIG", "", 1);
	cr_expect_eq(cache_of(NULL, NULL), 1);
	mem_free(other);
	mem_free(third);
}

Test(config_files, what_cannot_be_trusted_or_read_is_one_warning)
{
	char *usual = path_of("catena/catena.yaml");

	put_usual("options: {cache: 1}", 0666);
	cr_expect_eq(cache_of(NULL, "is not read: everybody may write to it"), 8u << 20);
	chmod(usual, 0644);
	cr_expect_eq(cache_of(NULL, NULL), 1);
	if (geteuid() == 0) {
		cr_assert_eq(chown(usual, 12345, (gid_t)-1), 0);
		cr_expect_eq(cache_of(NULL, "is not read: it belongs to another user"),
			8u << 20);
	}
	remove(usual);
	cr_assert_eq(mkdir(usual, 0700), 0);
	cr_expect_eq(cache_of(NULL, "is a directory"), 8u << 20);
	remove(usual);
	cr_assert_eq(symlink("nowhere", usual), 0);
	cr_expect_eq(cache_of(NULL, "cannot be opened"), 8u << 20);
	remove(usual);
	cr_assert_eq(mkfifo(usual, 0600), 0);
	cr_expect_eq(cache_of(NULL, "is no file of text"), 8u << 20);
	cr_expect_eq(
		cache_of("/nonexistent/x.yaml", "x.yaml: cannot be opened"), 8u << 20);
	mem_free(usual);
}

/* ---- what is hostile ---- */

static void add_times(struct buf *out, const char *text, unsigned times)
{
	while (times--)
		buf_text(out, text);
}

/* Reads it; some warnings of no great length, but not without end, and no change of what
 * is built in. */
static void expect_refused(struct buf *text)
{
	struct config *c;

	buf_reserve(text, 1);
	c = config_of(text->data);
	cr_expect_gt(c->warning_count, 0, "%.40s", text->data);
	cr_expect_leq(c->warning_count, 1100, "%.40s", text->data);
	for (size_t i = 0; i < c->warning_count; i++)
		cr_expect_leq(strlen(c->warnings[i].text), 410, "%.40s", text->data);
	cr_expect_eq(c->settings.cache, 8u << 20);
	cr_expect_str_eq(command_of(c, "q"), "quit");
	config_free(c);
	buf_clear(text);
}

Test(config, hostile_texts_are_refused)
{
	struct buf text = BUF_INIT;

	buf_text(&text, "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nkeys: *c\n");
	expect_refused(&text);
	buf_text(&text, "keys: &k {a: *k}");
	expect_refused(&text);
	add_times(&text, "[", 100000);
	expect_refused(&text);
	add_times(&text, "{a: ", 100000);
	expect_refused(&text);
	buf_text(&text, "keys: {q: \"\\e]52;c;YQ==\\a\\u202e\"}");
	expect_refused(&text);
	buf_text(&text, "keys: {q: !!python/object quit}");
	expect_refused(&text);
	buf_text(&text, "options: {cache: 99999999999999999999999999}");
	expect_refused(&text);
	buf_text(&text, "options: {cache: ");
	add_times(&text, "9", 60000);
	buf_text(&text, "}");
	expect_refused(&text);
	buf_text(&text, "options: {theme: ");
	add_times(&text, "\xE2\x82\xAC", 20000);
	buf_text(&text, "}");
	expect_refused(&text);
	buf_text(&text, "\xff\xfe\x00k");
	expect_refused(&text);
	buf_done(&text);
}

/* As many wrong entries as there is room for: no more than a few are looked at closely.
 */
Test(config, many_mistakes_end)
{
	static const char *const kinds[] = {
		"options:\n", "keys:\n", "colors:\n", "themes:\n", "themes:\n  x:\n  "};
	struct buf text = BUF_INIT;

	for (size_t k = 0; k < COUNT(kinds); k++) {
		buf_text(&text, kinds[k]);
		for (unsigned i = 0; text.len < 60000; i++)
			buf_printf(&text, "  a%u: {}\n%s", i, k == 4 ? "  " : "");
		expect_refused(&text);
	}
	buf_text(&text, "keys:\n");
	for (unsigned i = 0; text.len < 60000; i++)
		buf_printf(&text, "  %c %c %c: fist\n", 'A' + i % 26, 'A' + i / 26 % 26,
			'A' + i / 676 % 26);
	expect_refused(&text);
	buf_done(&text);
}

/* ---- names ---- */

Test(config, the_nearest_name_is_meant)
{
	static const struct {
		const char *wanted, *best;
	} cases[] = {{"frist", "first"}, {"fist", "first"}, {"firs", "first"},
		{"lst", "last"}, {"copyy", "copy"}, {"first", "first"}, {"xyzzy", NULL},
		{"", NULL}, {"c", NULL}, {"pc", NULL}, {"coat", NULL},
		{"a-name-that-is-longer-than-any-of-ours", NULL}};
	static const char *const names[] = {"first", "last", "copy", "copy-path"};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct suggest near;

		suggest_begin(&near, str_of(cases[i].wanted));
		for (size_t k = 0; k < COUNT(names); k++)
			suggest_try(&near, str_of(names[k]));
		if (cases[i].best)
			cr_expect(str_equal(near.best, str_of(cases[i].best)), "%s",
				cases[i].wanted);
		else
			cr_expect_null(near.best.p, "%s", cases[i].wanted);
	}
}

/* ---- columns ---- */

static struct columns columns_named(const char *names)
{
	struct columns c;

	columns_read(&c, str_of(names));
	return c;
}

static struct columns_layout columns_in(
	struct columns columns, unsigned known, uint32_t width)
{
	struct trace trace = {.count = 1000};
	struct steps_view v = {.trace = &trace,
		.columns = columns,
		.known = known,
		.bar = known >> COLUMN_BAR & 1 ? MEASURE_TIME : MEASURE_OFF};

	return columns_lay_out(&v, width);
}

Test(config, columns_are_read_by_name)
{
	struct columns c = columns_named("time nonsense name time  cost");

	cr_assert_eq(c.count, 3);
	cr_expect_eq(c.order[0], COLUMN_TIME);
	cr_expect_eq(c.order[1], COLUMN_NAME);
	cr_expect_eq(c.order[2], COLUMN_COST);
}

Test(config, columns_fit_the_width)
{
	static const char *const lists[] = {"", "number mark name", "name number",
		"model", "time", "mark",
		"size event start output input cost tokens model",
		"event name mark number", "mark number name model size", "bar name"};
	unsigned all = (1u << COLUMNS_BITS) - 1;

	for (size_t i = 0; i < COUNT(lists); i++) {
		struct columns c = columns_named(lists[i]);

		for (uint32_t width = 10; width < 200; width++) {
			struct columns_layout l = columns_in(c, all, width);
			uint32_t sum = 1;

			for (size_t k = 0; k < l.count; k++)
				sum += l.cells[k].gap + l.cells[k].width;
			cr_expect_leq(sum, width, "\"%s\" at %u", lists[i], width);
			cr_expect(width < 60 || !columns_width(&l, COLUMN_NAME) ||
					  sum == width,
				"\"%s\" at %u: the name takes what is left", lists[i],
				width);
		}
	}
}

Test(config, columns_come_by_their_worth)
{
	static const struct {
		uint32_t width;
		unsigned seen;
	} cases[] = {{20, 0}, {40, 1u << COLUMN_COST},
		{45, 1u << COLUMN_COST | 1u << COLUMN_TIME},
		{60, 1u << COLUMN_COST | 1u << COLUMN_TIME | 1u << COLUMN_TOKENS},
		{80, 1u << COLUMN_TIME | 1u << COLUMN_TOKENS | 1u << COLUMN_MODEL |
				1u << COLUMN_COST}};
	struct columns usual = {.count = 0};
	unsigned all = ((1u << COLUMNS_BITS) - 1) &
		       ~(1u << COLUMN_BAR | 1u << COLUMN_LABEL);

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct columns_layout l = columns_in(usual, all, cases[i].width);
		unsigned seen = 0;

		for (int c = COLUMN_MODEL; c < COLUMN_BAR; c++)
			seen |= (unsigned)(columns_width(&l, (enum column)c) > 0) << c;
		cr_expect_eq(seen, cases[i].seen, "at %u: %x", cases[i].width, seen);
	}
}
