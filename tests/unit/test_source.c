/* Bytes by offset: of files, of streams that are spooled, and of what is neither. */
#include "config.h"
#include <criterion/criterion.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/source.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static char folder[] = "/tmp/catena-test-XXXXXX";
static struct buf path;

static void make_folder(void)
{
	cr_assert(mkdtemp(folder));
	path = (struct buf)BUF_INIT;
}

static void drop_folder(void)
{
	if (path.data)
		unlink(path.data);
	rmdir(folder);
	buf_done(&path);
}

static const char *in_folder(const char *name)
{
	buf_clear(&path);
	buf_printf(&path, "%s/%s", folder, name);
	return path.data;
}

static const char *write_file(const char *name, struct str text)
{
	int fd = open(in_folder(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	cr_assert(fd >= 0 && write(fd, text.p, text.n) == (ssize_t)text.n);
	close(fd);
	return path.data;
}

static void expect_refused(const char *name, const char *part)
{
	struct err err = {0};
	struct source *s = source_open(name, &err);
	struct buf text = BUF_INIT;

	err_format(&err, &text);
	if (strcmp(name, "-") == 0)
		name = "standard input";
	cr_expect(!s && err.text && strstr(text.data, part) && strstr(text.data, name),
		"%s", text.data);
	source_free(s);
	buf_done(&text);
	err_done(&err);
}

static void expect_bytes(struct source *s, uint64_t at, size_t n, const char *want)
{
	char out[256];
	size_t got = source_read(s, at, out, n);

	cr_expect(str_equal((struct str){out, got}, str_of(want)), "%.*s, not %s",
		(int)got, out, want);
}

TestSuite(source, .init = make_folder, .fini = drop_folder);

Test(source, file)
{
	struct err err = {0};
	struct source *s = source_open(write_file("f", STR("0123\n56\n\n9")), &err);
	static const struct {
		uint64_t at, line, column;
	} rows[] = {{0, 1, 1}, {3, 1, 4}, {4, 1, 5}, {5, 2, 1}, {7, 2, 3}, {8, 3, 1},
		{9, 4, 1}, {10, 4, 2}};

	cr_assert(s && !err.text);
	cr_expect(source_size(s) == 10 && source_complete(s) && source_watch(s) == -1);
	cr_expect_str_eq(source_name(s), path.data);
	expect_bytes(s, 0, 10, "0123\n56\n\n9");
	expect_bytes(s, 5, 2, "56");
	expect_bytes(s, 8, 100, "\n9");
	expect_bytes(s, 10, 1, "");
	expect_bytes(s, UINT64_MAX, 1, "");
	cr_expect(
		source_pump(s, &err) && source_wait(s, &err) && !source_failed(s, &err));
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err place = {.offset = rows[i].at};

		source_locate(s, &place);
		cr_expect(place.line == rows[i].line && place.column == rows[i].column,
			"at %zu", i);
		err_done(&place);
	}
	source_free(s);
	err_done(&err);
}

Test(source, place_behind_many_windows)
{
	struct buf text = BUF_INIT;
	struct source *s;
	struct err place = {.offset = 1100000};

	for (int i = 0; i < 100000; i++)
		buf_text(&text, "0123456789\n");
	s = source_open_text("text", buf_view(&text));
	source_locate(s, &place);
	cr_expect(place.line == 100001 && place.column == 1);
	place.offset = 1099989 + 4;
	source_locate(s, &place);
	cr_expect(place.line == 100000 && place.column == 5);
	place.offset = 9999999; /* behind the end: no crash, the last line */
	source_locate(s, &place);
	cr_expect_eq(place.line, 100001);
	/* in any order, and at the edges of what is read at once */
	for (uint64_t i = 0; i < 200; i++) {
		place.offset = i * 7919777 % 1100000;
		place.offset = i % 4 ? place.offset : (place.offset >> 18 << 18);
		source_locate(s, &place);
		cr_expect(place.line == place.offset / 11 + 1 &&
				  place.column == place.offset % 11 + 1,
			"%llu", (unsigned long long)place.offset);
	}
	err_done(&place);
	source_free(s);
	buf_done(&text);
}

Test(source, refused)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	expect_refused(in_folder("missing"), "No such file");
	expect_refused(folder, "is a directory");
	memcpy(address.sun_path, in_folder("socket"), path.len + 1);
	cr_assert(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	expect_refused(path.data, "is a socket");
	close(fd);
	unlink(path.data);
	if (geteuid()) {
		write_file("secret", STR("{}"));
		chmod(path.data, 0);
		expect_refused(path.data, "Permission denied");
		unlink(path.data);
	}
	cr_assert_eq(symlink("loop", in_folder("loop")), 0);
	expect_refused(path.data, "symbolic links");
	expect_refused("/dev/zero", "is a device"); /* it never ends */
}

static void expect_nothing_in(const char *name)
{
	struct err err = {0};
	struct source *s = source_open(name, &err);

	cr_assert(s, "%s: %s", name, err.text);
	while (!source_complete(s))
		cr_assert(source_wait(s, &err));
	cr_expect_eq(source_size(s), 0);
	source_free(s);
	err_done(&err);
}

static void put_on_standard_input(int fd)
{
	cr_assert(fd >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
	close(fd);
}

Test(source, null_device_is_empty)
{
	expect_nothing_in("/dev/null");
	put_on_standard_input(open("/dev/null", O_RDONLY));
	expect_nothing_in("-");
	expect_nothing_in("/dev/stdin");
}

Test(source, terminal_is_refused)
{
	int leader = posix_openpt(O_RDWR | O_NOCTTY);

	cr_assert(leader >= 0 && grantpt(leader) == 0 && unlockpt(leader) == 0);
	put_on_standard_input(open(ptsname(leader), O_RDWR | O_NOCTTY));
	expect_refused("-", "is a terminal");
	expect_refused("/dev/stdin", "is a terminal");
	close(leader);
}

Test(source, socket_on_standard_input)
{
	struct err err = {0};
	struct source *s;
	int pair[2];

	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	cr_assert_eq(write(pair[1], "[1]\n", 4), 4);
	close(pair[1]);
	put_on_standard_input(pair[0]);
	s = source_open("-", &err);
	cr_assert(s, "%s", err.text);
	while (!source_complete(s))
		cr_assert(source_wait(s, &err));
	expect_bytes(s, 0, 9, "[1]\n");
	source_free(s);
	err_done(&err);
}

/* As "<(program)" of a shell makes them. */
Test(source, pipe_by_number)
{
	struct err err = {0};
	struct source *s;
	char name[32];
	int ends[2];

	if (access("/dev/fd/0", F_OK) != 0)
		return;
	cr_assert_eq(pipe(ends), 0);
	snprintf(name, sizeof(name), "/dev/fd/%d", ends[0]);
	cr_assert_eq(write(ends[1], "[1]\n", 4), 4);
	s = source_open(name, &err);
	cr_assert(s, "%s", err.text);
	close(ends[1]);
	while (!source_complete(s))
		cr_assert(source_wait(s, &err));
	expect_bytes(s, 0, 9, "[1]\n");
	source_free(s);
	close(ends[0]);
	err_done(&err);
}

Test(source, empty_file)
{
	struct err err = {0};
	struct source *s = source_open(write_file("e", STR("")), &err);

	cr_assert(s);
	while (!source_complete(s))
		cr_assert(source_wait(s, &err));
	cr_expect_eq(source_size(s), 0);
	expect_bytes(s, 0, 1, "");
	source_free(s);
	err_done(&err);
}

Test(source, file_that_shrinks)
{
	struct err err = {0};
	struct source *s = source_open(write_file("f", STR("0123456789")), &err);

	cr_assert(s);
	cr_assert_eq(truncate(path.data, 4), 0);
	cr_expect(!source_failed(s, &err));
	expect_bytes(s, 2, 8, "23");
	cr_expect(source_failed(s, &err) && strstr(err.text, "became shorter"));
	cr_expect_eq(source_size(s), 4);
	expect_bytes(s, 0, 9, "0123");
	cr_expect(source_failed(s, &err), "it stays said");
	source_free(s);
	err_done(&err);
}

/* Standard input becomes the reading end of a pipe; the writing end is returned. */
static int stdin_pipe(void)
{
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	cr_assert(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
	close(ends[0]);
	return ends[1];
}

Test(source, pipe_comes_bit_by_bit)
{
	struct err err = {0};
	int out = stdin_pipe();
	struct source *s = source_open("-", &err);

	cr_assert(s);
	cr_expect_str_eq(source_name(s), "standard input");
	cr_expect(!source_complete(s) && source_watch(s) == STDIN_FILENO);
	cr_expect(source_pump(s, &err) && source_size(s) == 0, "never waits");
	cr_assert_eq(write(out, "\"bc", 3), 3);
	cr_expect(source_pump(s, &err) && source_size(s) == 3);
	expect_bytes(s, 1, 9, "bc");
	cr_assert_eq(write(out, "def", 3), 3);
	cr_expect(source_wait(s, &err) && source_size(s) == 6);
	expect_bytes(s, 0, 9, "\"bcdef");
	cr_expect(!source_complete(s));
	close(out);
	cr_expect(source_wait(s, &err) && source_complete(s) && source_watch(s) == -1);
	cr_expect(!source_failed(s, &err));
	source_free(s);
	err_done(&err);
}

static void put_pattern(char *p, size_t n, uint64_t at)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (char)((at + i) * 2654435761u >> 13);
}

/* Past the bound the spool is a file that nobody else can see. */
Test(source, spool_past_the_bound)
{
	const uint64_t total = SOURCE_SPOOL + 3 * 1000 * 1000 + 17;
	struct err err = {0};
	int out;
	char chunk[32768], want[32768];
	struct source *s;

	setenv("TMPDIR", folder, 1);
	out = stdin_pipe();
	s = source_open("-", &err);
	cr_assert(s);
	for (uint64_t at = 0; at < total;) {
		size_t n =
			total - at < sizeof(chunk) ? (size_t)(total - at) : sizeof(chunk);

		put_pattern(chunk, n, at);
		cr_assert_eq(write(out, chunk, n), (ssize_t)n);
		at += n;
		cr_assert(source_pump(s, &err), "%s", err.text);
	}
	close(out);
	while (!source_complete(s))
		cr_assert(source_wait(s, &err));
	cr_assert_eq(source_size(s), total);
	for (uint64_t at = 0; at < total; at += 30011) {
		size_t n = source_read(s, at, chunk, sizeof(chunk));

		cr_assert_eq(n, total - at < sizeof(chunk) ? total - at : sizeof(chunk));
		put_pattern(want, n, at);
		cr_assert(memcmp(chunk, want, n) == 0, "at %zu", (size_t)at);
	}
	cr_expect(rmdir(folder) == 0 && mkdir(folder, 0700) == 0,
		"nothing is left in TMPDIR");
	source_free(s);
	err_done(&err);
}

Test(source, spool_without_a_place)
{
	struct err err = {0};
	int out;
	char chunk[65536] = {0};
	struct source *s;
	bool ok = true;

	setenv("TMPDIR", in_folder("nowhere"), 1);
	out = stdin_pipe();
	s = source_open("-", &err);
	cr_assert(s);
	for (uint64_t at = 0; ok && at < 2 * SOURCE_SPOOL; at += sizeof(chunk)) {
		cr_assert_eq(write(out, chunk, sizeof(chunk)), (ssize_t)sizeof(chunk));
		ok = source_pump(s, &err);
	}
	cr_expect(!ok && err.text && strstr(err.text, "temporary file"), "%s", err.text);
	cr_expect(source_complete(s) && source_size(s) <= SOURCE_SPOOL);
	cr_expect(
		source_read(s, source_size(s) - 1, chunk, 9) == 1, "what came is there");
	close(out);
	source_free(s);
	err_done(&err);
}

Test(source, fifo)
{
	struct err err = {0};
	struct source *s;
	int out;

	cr_assert_eq(mkfifo(in_folder("fifo"), 0600), 0);
	s = source_open(path.data, &err); /* does not wait for a writer */
	cr_assert(s);
	cr_expect(source_pump(s, &err) && !source_complete(s) && source_size(s) == 0);
	out = open(path.data, O_WRONLY);
	/* until the line ends another object may stand behind the first: recorded.c */
	cr_assert(out >= 0 && write(out, "{}\n", 3) == 3);
	cr_expect(source_wait(s, &err) && source_size(s) == 3);
	close(out);
	cr_expect(source_wait(s, &err) && source_complete(s));
	expect_bytes(s, 0, 5, "{}\n");
	source_free(s);
	err_done(&err);
}

/* The system says that such a file has no bytes, until it is read. */
Test(source, file_of_unknown_size)
{
	struct err err = {0};
	struct source *s;

	if (access("/proc/self/status", R_OK) != 0)
		return;
	s = source_open("/proc/self/status", &err);
	cr_assert(s);
	while (!source_complete(s))
		cr_assert(source_wait(s, &err));
	cr_expect_gt(source_size(s), 100);
	expect_bytes(s, 0, 5, "Name:");
	source_free(s);
	err_done(&err);
}

Test(source, file_on_standard_input)
{
	struct err err = {0};
	int fd = open(write_file("f", STR("abc")), O_RDONLY);
	struct source *s;

	cr_assert(dup2(fd, STDIN_FILENO) == STDIN_FILENO);
	close(fd);
	s = source_open("-", &err);
	cr_assert(s && source_complete(s) && source_size(s) == 3);
	expect_bytes(s, 1, 2, "bc");
	source_free(s);
	cr_expect_neq(fcntl(STDIN_FILENO, F_GETFD), -1, "standard input is the caller's");
	err_done(&err);
}

Test(source, standard_input_that_is_closed)
{
	struct err err = {0};

	close(STDIN_FILENO);
	cr_expect(!source_open("-", &err) && err.text);
	err_done(&err);
}

Test(source, text)
{
	char bytes[] = "ab\0c";
	struct source *s = source_open_text("name", (struct str){bytes, 4});
	char out[8];

	bytes[0] = 'x';
	cr_expect(source_size(s) == 4 && source_complete(s));
	cr_expect(source_read(s, 0, out, 8) == 4 && memcmp(out, "ab\0c", 4) == 0);
	source_free(s);
	s = source_open_text("empty", (struct str){NULL, 0});
	cr_expect_eq(source_read(s, 0, out, 8), 0);
	source_free(s);
	source_free(NULL);
}
