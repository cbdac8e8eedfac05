/* What an image's program prints is read, never passed on; and it cannot hold anybody up.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "term/term.h"
#include "text/safe.h"

static void enter(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
}

TestSuite(thumbnail, .init = enter, .timeout = 60);

static void plain(const struct lines *ls, struct buf *out)
{
	for (size_t i = 0; i < ls->count; i++) {
		lines_plain(ls, i, out);
		buf_byte(out, '|');
	}
	buf_text(out, "");
}

static const struct {
	const char *output, *lines;
} cases[] = {
	{"ab\ncd\n", "ab|cd|"},
	{"\033[0m\033[38;5;9;48;5;10m\xE2\x96\x80"
	 "x\033[0m\n",
		"\xE2\x96\x80x|"},
	{"\033[?25l\033]0;title\033\\a\033[2J\n\033[?25h", "]0;title|"},
	{"a\033[10;10Hb\033Pq#0\033\\c\n", "abPq#0\\c|"},
	{"a\007\b\r\t\x7F"
	 "b\xC2\x9B"
	 "3Jc\n",
		"ab3Jc|"},
	{"\xE2\x80\xAEx\xE4\xB8\xADy\xFF\xF0\x9F\x98\x80z\n", "xyz|"},
	{"123456789\n1\n2\n3\n4\n5\n", "12345678|1|2|3|"},
	{"\033[38;5;1", ""},
	{"\033[", ""},
	{"\033", ""},
	{"", ""},
};

Test(thumbnail, has_blocks_and_colors_and_nothing_else)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct lines ls = {0};
		struct buf got = BUF_INIT;

		thumbnail_parse(str_of(cases[i].output), 8, 4, &ls);
		plain(&ls, &got);
		cr_expect_str_eq(got.data, cases[i].lines, "case %zu", i);
		lines_done(&ls);
		buf_done(&got);
	}
}

static enum role role_of(const char *output)
{
	struct lines ls = {0};
	enum role role;

	thumbnail_parse(str_of(output), 8, 4, &ls);
	cr_assert_eq(ls.span_count, 1);
	role = ls.spans[0].role;
	lines_done(&ls);
	return role;
}

Test(thumbnail, knows_the_colors)
{
	cr_expect_eq(role_of("x"), ROLE_TEXT);
	cr_expect_eq(role_of("\033[38;5;9mx"), role_paint(9, 0));
	cr_expect_eq(role_of("\033[38;5;9;48;5;200mx"), role_paint(9, 200));
	cr_expect_eq(
		role_of("\033[38;5;0mx"), role_paint(16, 0)); /* a black of its own */
	cr_expect_eq(role_of("\033[38;5;9;48;5;200;7mx"), role_paint(200, 9));
	cr_expect_eq(role_of("\033[38;5;9m\033[0mx"), ROLE_TEXT);
	cr_expect_eq(role_of("\033[38;5;9;49;39mx"), ROLE_TEXT);
	cr_expect_eq(role_of("\033[38;5;999999999999mx"), role_paint(9999 & 255, 0));
}

/* ---- with a program ---- */

static char folder[] = "/tmp/catena-thumbnail.XXXXXX";

static void begin(const char *program)
{
	char path[64], search[128];
	FILE *f;

	cr_assert(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/chafa", folder);
	f = fopen(path, "w");
	fprintf(f, "#!/bin/sh\n%s\n", program);
	fclose(f);
	chmod(path, 0700);
	snprintf(search, sizeof(search), "%s:/usr/bin:/bin", folder);
	setenv("PATH", search, 1);
	setenv("TMPDIR", folder, 1);
	unsetenv("XDG_RUNTIME_DIR");
}

/* Nothing of the image is left behind. */
static void finish(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/chafa", folder);
	unlink(path);
	cr_assert_eq(rmdir(folder), 0);
}

static enum thumbnail_state run(const char *program, struct buf *got)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct thumbnail *t;
	struct lines ls = {0};
	enum thumbnail_state state;

	begin(program);
	t = thumbnail_new((struct str){"im\0age", 6}, 20, 5, &err);
	cr_assert_not_null(t, "%s", err.text);
	while ((state = thumbnail_poll(t)) == THUMBNAIL_RUNS)
		usleep(1000);
	if (state == THUMBNAIL_DONE)
		thumbnail_lines(t, &ls);
	plain(&ls, got);
	thumbnail_free(t);
	lines_done(&ls);
	finish();
	return state;
}

Test(thumbnail, gives_the_bytes_and_the_size)
{
	struct buf got = BUF_INIT;

	cr_assert_eq(run("wc -c | tr -d ' '; echo \"$6 ${11}\"", &got), THUMBNAIL_DONE);
	cr_assert_str_eq(got.data, "6|20x5 -|");
	buf_done(&got);
}

Test(thumbnail, that_fails_is_none)
{
	struct buf got = BUF_INIT;

	cr_assert_eq(run("echo x; exit 3", &got), THUMBNAIL_FAILED);
	buf_done(&got);
}

Test(thumbnail, that_prints_for_ever_is_ended)
{
	struct buf got = BUF_INIT;

	cr_assert_eq(
		run("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done", &got),
		THUMBNAIL_FAILED);
	buf_done(&got);
}

Test(thumbnail, can_be_given_up)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct thumbnail *t;

	begin("sleep 1000");
	t = thumbnail_new(STR("image"), 20, 5, &err);
	cr_assert_not_null(t);
	cr_assert_eq(thumbnail_poll(t), THUMBNAIL_RUNS);
	thumbnail_free(t);
	finish();
}

Test(thumbnail, without_the_program_there_is_none)
{
	struct err err = {.offset = ERR_NOWHERE};

	begin("");
	setenv("PATH", "/no/such/folder", 1);
	cr_assert_null(thumbnail_new(STR("image"), 20, 5, &err));
	cr_assert_str_eq(err.source, "chafa");
	err_done(&err);
	finish();
}

static bool leave_at_once(void *context)
{
	(void)context;
	return false;
}

/* Colors reach the page as they are, whatever lies over them. */
Test(thumbnail, is_drawn_in_its_own_colors)
{
	struct headless stage = {.columns = 10, .rows = 1, .next = leave_at_once};
	struct lines ls = {0};
	struct buf got = BUF_INIT;

	term_open_headless(&stage);
	thumbnail_parse(STR("\033[38;5;9;48;5;200mx"), 8, 4, &ls);
	term_draw_line(0, 0, 10, 0, &ls, 0, ROLE_TEXT, ROLE_SELECTED);
	headless_print_styles((struct headless_area){0, 0, 1, 10}, &got);
	cr_expect(strstr(got.data, "fg=9"), "%s", got.data);
	cr_expect(strstr(got.data, "bg=200"), "%s", got.data);
	term_close();
	lines_done(&ls);
	buf_done(&got);
}
