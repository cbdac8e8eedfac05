/*
 * What is remembered: files that only their owner can have written, and the places in
 * them, whatever they say.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ui/core/app.h"
#include "sessions/state_file.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NAME         0x0123456789abcdefu
#define FILE_NAME    "0123456789abcdef.json"

static char home[64], places[128];

static void begin(void)
{
	json_init();
	snprintf(home, sizeof(home), "/tmp/catena-state.XXXXXX");
	cr_assert(mkdtemp(home));
	snprintf(places, sizeof(places), "%s/catena/places", home);
	setenv("XDG_STATE_HOME", home, 1);
}

static void end(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", home);
	cr_assert_eq(system(command), 0);
}

TestSuite(state, .init = begin, .fini = end);

static const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", places, name);
	return path;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");

	cr_assert(f, "%s", path);
	fputs(text, f);
	fclose(f);
}

static json_t *number(void *n, const json_t *before)
{
	(void)before;
	return json_pack("{si}", "n", *(int *)n);
}

static bool write_number(int n)
{
	struct err err = {.offset = ERR_NOWHERE};
	bool good = state_change(NAME, number, &n, &err);

	cr_expect(good == !err.text, "it says why");
	err_done(&err);
	return good;
}

/* The number that is remembered; -1: nothing is. */
static int read_number(void)
{
	json_t *value = state_read(NAME);
	int n = value ? (int)json_integer_value(json_object_get(value, "n")) : -1;

	json_decref(value);
	return n;
}

static unsigned mode_of(const char *path)
{
	struct stat st;

	cr_assert_eq(lstat(path, &st), 0);
	return st.st_mode & 07777;
}

Test(state, what_is_written_is_read)
{
	umask(0);
	cr_expect_eq(read_number(), -1);
	cr_expect(write_number(1));
	cr_expect(write_number(2));
	cr_expect_eq(read_number(), 2);
	cr_expect_eq(mode_of(path_of(FILE_NAME)), 0600u);
	cr_expect_eq(mode_of(places), 0700u);
}

Test(state, what_is_no_object_is_not_there)
{
	static const char *const texts[] = {"", "{", "[1]", "7", "\"text\"",
		"{\"n\":1} x", "{\"n\":1", "\xFF", "{\"n\":\"\xFF\"}", "nul"};

	cr_assert(write_number(1));
	for (size_t i = 0; i < COUNT(texts); i++) {
		put(path_of(FILE_NAME), texts[i]);
		chmod(path_of(FILE_NAME), 0600);
		cr_expect_eq(read_number(), -1, "%s", texts[i]);
	}
}

Test(state, what_is_too_large_or_too_deep_is_not_there)
{
	FILE *f;

	cr_assert(write_number(1));
	f = fopen(path_of(FILE_NAME), "wb");
	fprintf(f, "{\"n\":1}");
	for (size_t i = 0; i < STATE_MOST; i++)
		fputc(' ', f);
	fclose(f);
	cr_expect_eq(read_number(), -1);
	f = fopen(path_of(FILE_NAME), "wb");
	fprintf(f, "{\"n\":");
	for (size_t i = 0; i < 100000; i++)
		fputc('[', f);
	fclose(f);
	cr_expect_eq(read_number(), -1);
}

Test(state, no_link_is_followed)
{
	char outside[128], moved[256];

	snprintf(outside, sizeof(outside), "%s/outside", home);
	cr_assert(write_number(1));
	put(outside, "{\"n\":5}");
	chmod(outside, 0600);
	unlink(path_of(FILE_NAME));
	cr_assert_eq(symlink(outside, path_of(FILE_NAME)), 0);
	cr_expect_eq(read_number(), -1);
	cr_expect(write_number(6), "it takes the link's place");
	cr_expect_eq(read_number(), 6);
	cr_expect_eq(mode_of(outside), 0600u);
	snprintf(moved, sizeof(moved), "%s/moved", home);
	cr_assert_eq(rename(places, moved), 0);
	cr_assert_eq(symlink(moved, places), 0);
	cr_expect_eq(read_number(), -1, "the folder");
	cr_expect_not(write_number(7));
}

Test(state, what_others_can_write_is_not_there)
{
	cr_assert(write_number(1));
	chmod(path_of(FILE_NAME), 0620);
	cr_expect_eq(read_number(), -1);
	chmod(path_of(FILE_NAME), 0600);
	cr_expect_eq(read_number(), 1);
	chmod(places, 0777);
	cr_expect_eq(read_number(), -1);
	cr_expect_not(write_number(2));
}

Test(state, what_is_no_file_is_not_there)
{
	cr_assert(write_number(1));
	unlink(path_of(FILE_NAME));
	cr_assert_eq(mkfifo(path_of(FILE_NAME), 0600), 0);
	cr_expect_eq(read_number(), -1, "and does not block");
	unlink(path_of(FILE_NAME));
	cr_assert_eq(mkdir(path_of(FILE_NAME), 0700), 0);
	cr_expect_eq(read_number(), -1);
	cr_expect_not(write_number(2));
	cr_expect_eq(access(path_of(FILE_NAME), F_OK), 0);
}

Test(state, without_a_home_nothing_is_remembered)
{
	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME");
	cr_expect_not(write_number(1));
	cr_expect_eq(read_number(), -1);
}

static void put_old(unsigned number, long seconds)
{
	struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
	char name[64];

	snprintf(name, sizeof(name), "%016x.json", number);
	put(path_of(name), "{}");
	cr_assert_eq(utimensat(AT_FDCWD, path_of(name), times, 0), 0);
}

Test(state, the_oldest_goes)
{
	cr_assert(write_number(1));
	put(path_of("notes.txt"), "not ours");
	for (unsigned i = 0; i < STATE_FILES + 3; i++)
		put_old(i, 1000000 + (long)i);
	cr_assert(write_number(2));
	for (unsigned i = 0; i < 6; i++) {
		char name[64];

		snprintf(name, sizeof(name), "%016x.json", i);
		cr_expect_eq(access(path_of(name), F_OK) == 0, i >= 4, "%u", i);
	}
	cr_expect_eq(read_number(), 2);
	cr_expect_eq(access(path_of("notes.txt"), F_OK), 0);
}

Test(state, remnants_go_after_a_day)
{
	struct timespec times[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};

	cr_assert(write_number(1));
	put(path_of(".new-1"), "");
	put(path_of(".new-2"), "");
	utimensat(AT_FDCWD, path_of(".new-1"), times, 0);
	cr_assert(write_number(2));
	cr_expect_neq(access(path_of(".new-1"), F_OK), 0);
	cr_expect_eq(access(path_of(".new-2"), F_OK), 0, "another viewer may be at it");
}

/* ---- places ---- */

static bool read_where(const char *text, struct bookmark *w)
{
	struct err err = {.offset = ERR_NOWHERE};
	json_t *value = json_read_strict(str_of(text), &err);

	cr_assert(value, "%s", text);
	bookmark_read(value, w);
	json_decref(value);
	err_done(&err);
	return w->known;
}

Test(where, what_it_writes_it_reads)
{
	struct bookmark w = {.known = true,
				.chain = NAME,
				.number = 7,
				.address = 99,
				.is_chain = true,
				.focus = PANE_OUTPUT,
				.mode = MODE_TREE,
				.message = 3,
				.below = {5, 12}},
			again;
	json_t *value;

	json_init();
	value = bookmark_write(&w);
	bookmark_read(value, &again);
	cr_expect(bookmark_equal(&w, &again));
	cr_expect(again.known);
	json_decref(value);
}

Test(where, whatever_it_says_it_is_nowhere_or_within_bounds)
{
	static const struct {
		const char *text;
		bool known;
	} rows[] = {{"null", false}, {"[]", false}, {"{}", false}, {"7", false},
		{"{\"chain\":\"0123456789abcdef\"}", false},
		{"{\"chain\":\"0123456789abcdef\",\"step\":0}", false},
		{"{\"chain\":\"0123456789abcdef\",\"step\":-1}", false},
		{"{\"chain\":\"0123456789abcdef\",\"step\":1e300}", false},
		{"{\"chain\":\"0123456789abcdef\",\"step\":4294967296}", false},
		{"{\"chain\":\"0123456789ABCDEF\",\"step\":1}", false},
		{"{\"chain\":\"0123456789abcde\",\"step\":1}", false},
		{"{\"chain\":7,\"step\":1}", false},
		{"{\"chain\":\"0123456789abcdef\",\"step\":1}", true},
		{"{\"chain\":\"0123456789abcdef\",\"step\":1,\"byte\":-5,\"side\":"
		 "\"over\","
		 "\"view\":[],\"message\":-1,\"row\":1e9,\"block\":20001}",
			true}};

	json_init();
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct bookmark w;

		cr_expect_eq(
			read_where(rows[i].text, &w), rows[i].known, "%s", rows[i].text);
		cr_expect(w.focus <= PANE_OUTPUT, "%s", rows[i].text);
		cr_expect(w.mode < MODE_COUNT, "%s", rows[i].text);
		cr_expect_eq(w.message, SIZE_MAX, "%s", rows[i].text);
		cr_expect_eq(w.below.block, 0u, "%s", rows[i].text);
		cr_expect_eq(w.below.row, 0u, "%s", rows[i].text);
	}
}
