/*
 * A stage: what is drawn on it and how it looks, events in their order, the script that
 * gives them, and what a mouse reports.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <locale.h>

#include "config/configuration.h"
#include "term/term.h"
#include "term/backend.h"
#include "text/safe.h"
#include "ui/script.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct headless_area page = {0, 0, HEADLESS_MOST, HEADLESS_MOST};
static unsigned asked; /* how often the script was */

static bool leave_at_once(void *context)
{
	(void)context;
	asked++;
	return false;
}

static void open_page(unsigned columns, unsigned rows)
{
	struct headless stage = {.columns = columns, .rows = rows, .next = leave_at_once};

	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
	asked = 0;
	term_open_headless(&stage);
}

static void draw(unsigned row, unsigned column, unsigned width, const char *text)
{
	term_draw_text(row, column, width, ROLE_TEXT, str_of(text));
}

static void expect_page(const char *want)
{
	struct buf out = BUF_INIT;

	headless_print(page, &out);
	cr_expect_str_eq(out.data, want);
	buf_done(&out);
}

/* ---- the page ---- */

Test(stage, a_text_is_cut_and_filled)
{
	open_page(6, 2);
	draw(0, 0, 6, "abcdefgh");
	draw(0, 2, 2, "x");
	draw(1, 4, 9, "yz1");
	draw(2, 0, 9, "below");
	draw(0, 6, 9, "beside");
	expect_page("abx ef\n    yz\n");
	term_close();
}

Test(stage, a_wide_character_is_whole_or_not_there)
{
	open_page(5, 3);
	draw(0, 0, 5, "a漢字");  /* 漢 on 1-2, 字 on 3-4 */
	draw(0, 2, 1, "x");      /* takes the right half of 漢 */
	draw(1, 0, 5, "a漢b字"); /* 字 would need columns 4 and 5 */
	draw(2, 0, 5, "漢字");
	draw(2, 1, 2, "字"); /* halves of both */
	expect_page("a x字\na漢b\n 字\n");
	term_close();
}

Test(stage, what_combines_shares_a_cell)
{
	open_page(4, 1);
	draw(0, 0, 4,
		"e\xCC\x81"
		"e\xCC\x81\xCC\x80x");
	expect_page("e\xCC\x81"
		    "e\xCC\x81\xCC\x80x\n");
	cr_expect(headless_shows(page, STR("e\xCC\x81")));
	cr_expect(headless_shows(page, STR("x ")), "the blank behind it");
	cr_expect_not(headless_shows(page, STR("xe")));
	term_close();
}

Test(stage, erasing_leaves_blanks_and_resizing_too)
{
	open_page(3, 1);
	draw(0, 0, 3, "abc");
	term_erase();
	expect_page("\n");
	draw(0, 0, 3, "abc");
	headless_resize(4, 2);
	expect_page("\n\n");
	term_close();
}

Test(stage, styles_are_those_of_the_theme)
{
	struct config *c = config_new();
	struct buf out = BUF_INIT;
	struct theme theme;

	cr_assert(themes_make(c->themes, c->colors, "auto", &theme));
	term_set_theme(&theme);
	open_page(6, 3);
	term_draw_text(0, 0, 6, ROLE_STATUS, STR("ab"));
	term_draw_text(1, 0, 6, ROLE_STRING, STR("a b"));
	headless_print_styles(page, &out);
	cr_expect_str_eq(out.data, "6x3, cursor hidden\n"
				   "  1│ab    │\n"
				   "  2│a b   │\n"
				   "  3│      │\n"
				   "styles\n"
				   "  1│aaaaaa│\n"
				   "  2│b.b...│\n"
				   "legend\n"
				   "a fg=255 bg=238\n"
				   "b fg=29\n");
	buf_done(&out);
	term_close();
	config_free(c);
}

/* ---- events ---- */

static struct term_event next_event(void)
{
	struct term_event event;

	term_wait(0, -1, &event);
	return event;
}

Test(stage, the_script_is_asked_when_all_before_is_done)
{
	struct term_event event;

	open_page(3, 1);
	headless_give((struct term_event){.type = TERM_KEY, .key = 'a'});
	cr_expect(term_pending());
	cr_expect_eq(next_event().key, 'a');
	cr_expect_not(term_pending());
	cr_expect_eq(next_event().key, TERM_SYNC);
	cr_expect_eq(next_event().type, TERM_NOTHING, "until that is answered");
	cr_expect_eq(asked, 0u);
	term_sync();
	event = next_event();
	cr_expect_eq(asked, 1u);
	cr_expect_eq(event.type, TERM_HANGUP);
	cr_expect_eq(event.signal, 0);
	term_close();
}

Test(stage, nobody_sits_there)
{
	open_page(3, 1);
	cr_expect_not(term_is_present());
	headless_keep(STR("a\0b"));
	cr_expect(str_equal(headless_copied(), STR("a\0b")));
	term_suspend();
	term_send(STR("\033[2J"));
	expect_page("\n");
	term_close();
}

/* ---- scripts ---- */

/* Gives the first event of each kind that a line stands for. */
static struct term_event first_event(const char *line)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct script *s = script_new("s", str_of(line), &err);
	struct term_event event = {0};
	struct headless stage;

	cr_assert(s, "%s: %s", line, err.text);
	stage = script_stage(s, NULL);
	term_open_headless(&stage);
	next_event(); /* TERM_SYNC */
	term_sync();
	event = next_event();
	term_close();
	script_free(s);
	err_done(&err);
	return event;
}

Test(script, keys_have_names)
{
	static const struct {
		const char *line;
		uint32_t key;
	} rows[] = {{"keys a", 'a'}, {"keys \xC3\xA9", 0xE9}, {"keys <tab>", '\t'},
		{"keys <btab>", TERM_BTAB}, {"keys <enter>", '\r'}, {"keys <esc>", 0x1B},
		{"keys <c-l>", 0x0C}, {"keys <f1>", TERM_F1}, {"keys <f12>", TERM_F12},
		{"keys <lt>", '<'}, {"keys <gt>", '>'}, {"keys >", '>'},
		{"keys <x>", 'x'}, {"keys <rep:3:<pgdn>>", TERM_PGDN},
		{"keys <rep:3:pgup>", TERM_PGUP}, {"  keys   x  ", 'x'},
		{"\n# no step\n\nkeys y", 'y'}};

	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect_eq(
			first_event(rows[i].line).key, rows[i].key, "%s", rows[i].line);
}

Test(script, the_mouse_is_a_key_with_a_place)
{
	struct term_event event = first_event("keys <wheel-down:10:5>");

	cr_expect_eq(event.type, TERM_MOUSE);
	cr_expect_eq(event.mouse, MOUSE_WHEEL_DOWN);
	cr_expect_eq(event.column, 9u);
	cr_expect_eq(event.row, 4u);
	cr_expect_eq(first_event("keys <double:1:1>").mouse, MOUSE_DOUBLE);
}

Test(script, errors_have_a_place)
{
	static const struct {
		const char *text;
		unsigned line, column;
	} rows[] = {{"kyes a", 1, 1}, {"\n\n  nothing", 3, 3}, {"keys a<tab", 1, 7},
		{"keys <>", 1, 6}, {"keys ab<f13>", 1, 8}, {"keys <f0>", 1, 6},
		{"keys <click:0:1>", 1, 6}, {"keys <click:1>", 1, 6},
		{"keys <click:1:1x>", 1, 6}, {"keys <rep:x:a>", 1, 6},
		{"keys <rep:9999999:a>", 1, 6}, {"keys <rep:2:<tab>", 1, 6},
		{"keys a\001b", 1, 7}, {"keys \xFF", 1, 6}, {"size", 1, 5},
		{"size 0x3", 1, 6}, {"size 80x", 1, 6}, {"size 80x1001", 1, 6},
		{"size 80x24x", 1, 6}, {"expect", 1, 7}, {"quit now", 1, 6},
		{"in nowhere expect x", 1, 4}, {"in list keys a", 1, 9},
		{"in list", 1, 8},
		{"keys <rep:100000:a><rep:100000:b><rep:100000:b><rep:100000:b>"
		 "<rep:100000:b><rep:100000:b><rep:100000:b><rep:100000:b>"
		 "<rep:100000:b><rep:100000:b><rep:100000:b>",
			1, 146}};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = {.offset = ERR_NOWHERE};
		struct script *s = script_new("s", str_of(rows[i].text), &err);

		cr_expect_null(s, "%s", rows[i].text);
		cr_expect_eq(err.line, rows[i].line, "%s", rows[i].text);
		cr_expect_eq(err.column, rows[i].column, "%s: %u", rows[i].text,
			(unsigned)err.column);
		script_free(s);
		err_done(&err);
	}
}

Test(script, the_size_may_stand_first)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct script *s = script_new("s", STR("size 7x3\nsize 9x9\n"), &err);
	struct headless stage = script_stage(s, NULL);

	cr_expect_eq(stage.columns, 7u);
	cr_expect_eq(stage.rows, 3u);
	script_free(s);
	s = script_new("s", STR(""), &err);
	stage = script_stage(s, NULL);
	cr_expect_eq(stage.columns, 80u);
	cr_expect_eq(script_end(s, &err), 0);
	script_free(s);
}

/* ---- the mouse ---- */

static unsigned keys_of(const char *text, uint32_t *keys)
{
	unsigned n = 0;

	for (; text[n]; n++)
		keys[n] = (unsigned char)text[n];
	return n;
}

Test(mouse, a_report_ends_where_it_ends)
{
	static const struct {
		const char *text;
		unsigned length; /* 0: its end has not come */
	} rows[] = {{"", 0}, {"0;1", 0}, {"0;1;1M", 6}, {"0;1;1mabc", 6}, {"x", 1},
		{"0;1x", 3}, {"M", 1}, {"1;2;3;4;5;6;7;8;9;10;11;12;13;14", 32},
		{"99999999999999999999999999999999999999M", 32}};

	for (size_t i = 0; i < COUNT(rows); i++) {
		uint32_t keys[64];
		unsigned n = keys_of(rows[i].text, keys);

		cr_expect_eq(mouse_length(keys, n), rows[i].length, "%s", rows[i].text);
	}
}

Test(mouse, clicks_and_the_wheel_are_events)
{
	static const struct {
		const char *text;
		int mouse; /* -1: no event */
		unsigned column, row;
	} rows[] = {{"0;1;1M", MOUSE_CLICK, 0, 0}, {"0;300;40M", MOUSE_CLICK, 299, 39},
		{"4;7;8M", MOUSE_CLICK, 6, 7}, {"64;2;3M", MOUSE_WHEEL_UP, 1, 2},
		{"65;2;3M", MOUSE_WHEEL_DOWN, 1, 2}, {"81;2;3M", MOUSE_WHEEL_DOWN, 1, 2},
		{"0;1;1m", -1, 0, 0}, {"1;1;1M", -1, 0, 0}, {"2;1;1M", -1, 0, 0},
		{"32;1;1M", -1, 0, 0}, {"66;1;1M", -1, 0, 0}, {"128;1;1M", -1, 0, 0},
		{"0;0;1M", -1, 0, 0}, {"0;1;0M", -1, 0, 0}, {"0;1M", -1, 0, 0},
		{"M", -1, 0, 0}, {"0;;1M", -1, 0, 0}, {"0;1;1;1M", -1, 0, 0},
		{"0;4294967297;1M", -1, 0, 0}};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct term_event event = {0};
		uint32_t keys[64];
		unsigned n = keys_of(rows[i].text, keys);
		bool is = mouse_event(keys, n, 10000000 * (i + 1), &event);

		cr_expect_eq(is, rows[i].mouse >= 0, "%s", rows[i].text);
		if (!is)
			continue;
		cr_expect_eq((int)event.mouse, rows[i].mouse, "%s", rows[i].text);
		cr_expect_eq(event.column, rows[i].column, "%s", rows[i].text);
		cr_expect_eq(event.row, rows[i].row, "%s", rows[i].text);
	}
}

static int click(const char *text, uint64_t now)
{
	struct term_event event;
	uint32_t keys[64];
	unsigned n = keys_of(text, keys);

	cr_assert(mouse_event(keys, n, now, &event));
	return (int)event.mouse;
}

Test(mouse, two_clicks_in_one_place_are_a_double_one)
{
	cr_expect_eq(click("0;5;5M", 1000000), MOUSE_CLICK);
	cr_expect_eq(click("0;5;5M", 1100000), MOUSE_DOUBLE);
	cr_expect_eq(click("0;5;5M", 1200000), MOUSE_CLICK, "three are not two");
	cr_expect_eq(click("0;5;6M", 1300000), MOUSE_CLICK, "another place");
	cr_expect_eq(click("0;5;6M", 2300000), MOUSE_CLICK, "too late");
}
