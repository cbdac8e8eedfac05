/* Files are there whole or not at all, and never over others. */
#include "config.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

static char folder[] = "/tmp/catena-outfile.XXXXXX";
static char path[sizeof(folder) + 8], other[sizeof(folder) + 8];
static struct err err;

static void enter(void)
{
	cr_assert(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/file", folder);
	snprintf(other, sizeof(other), "%s/other", folder);
	err = (struct err){.offset = ERR_NOWHERE};
}

/* Nothing but what the test knows is left behind. */
static void leave(void)
{
	chmod(folder, 0700);
	unlink(path);
	unlink(other);
	rmdir(path);
	cr_assert_eq(rmdir(folder), 0, "something is left in %s", folder);
	err_done(&err);
}

TestSuite(outfile, .init = enter, .fini = leave);

static bool holds(const char *name, struct str text)
{
	char back[64];
	int fd = open(name, O_RDONLY);
	ssize_t n = read(fd, back, sizeof(back));

	close(fd);
	return n == (ssize_t)text.n && memcmp(back, text.p, text.n) == 0;
}

static void put(const char *name, struct str text)
{
	int fd = open(name, O_WRONLY | O_CREAT, 0644);

	cr_assert_eq(write(fd, text.p, text.n), (ssize_t)text.n);
	close(fd);
}

Test(outfile, a_program_that_ends_removes_its_unfinished_files)
{
	struct outfile f, g;

	cr_assert(outfile_open(&f, path, false, &err));
	cr_assert(outfile_open(&g, other, false, &err));
	outfile_write(&f, STR("half"));
	cr_assert_eq(access(f.temporary, F_OK), 0);
	outfile_remove_unfinished();
	cr_assert_neq(access(f.temporary, F_OK), 0);
	cr_assert_neq(access(g.temporary, F_OK), 0);
	outfile_abandon(&f);
	outfile_abandon(&g);
}

static bool refuses(const char *name, bool replace, const char *word)
{
	bool done = outfile_save(name, STR("new"), replace, &err);

	return !done && err.text && strstr(err.text, word) && strstr(err.source, name);
}

static unsigned mode_of(const char *name)
{
	struct stat st;

	cr_assert_eq(stat(name, &st), 0);
	cr_assert_eq(st.st_nlink, 1);
	return st.st_mode & 07777;
}

Test(outfile, has_all_bytes)
{
	struct str text = {"a\0b\n", 4};

	cr_assert(outfile_save(path, text, false, &err));
	cr_assert(holds(path, text));
}

Test(outfile, has_the_mode_of_any_new_file)
{
	umask(027);
	cr_assert(outfile_save(path, STR("new"), false, &err));
	cr_assert_eq(mode_of(path), 0640);
	cr_assert_eq(umask(022), 027);
	unlink(path);
	cr_assert(outfile_save(path, STR("new"), true, &err));
	cr_assert_eq(mode_of(path), 0644);
}

Test(outfile, keeps_the_mode_of_what_it_replaces)
{
	static const mode_t modes[] = {0600, 0664, 0755};

	put(path, STR("old"));
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		cr_assert_eq(chmod(path, modes[i]), 0);
		cr_assert(outfile_save(path, STR("new"), true, &err));
		cr_assert_eq(mode_of(path), modes[i]);
	}
}

Test(outfile, is_private_until_it_is_whole)
{
	struct outfile f;

	umask(022);
	cr_assert(outfile_open(&f, path, false, &err));
	cr_assert_eq(mode_of(f.temporary), 0600);
	outfile_abandon(&f);
	cr_assert(outfile_save_private(path, STR("new"), false, &err));
	cr_assert_eq(mode_of(path), 0600);
}

Test(outfile, has_no_name_before_it_is_whole)
{
	struct outfile f;

	cr_assert(outfile_open(&f, path, false, &err));
	cr_assert(outfile_write(&f, STR("some")));
	cr_assert_eq(access(path, F_OK), -1);
	cr_assert(outfile_write(&f, STR("thing")));
	cr_assert(outfile_commit(&f, &err));
	cr_assert(holds(path, STR("something")));
	outfile_abandon(&f);
	cr_assert(holds(path, STR("something")));
}

Test(outfile, is_gone_when_given_up)
{
	struct outfile f;

	cr_assert(outfile_open(&f, path, false, &err));
	outfile_write(&f, STR("some"));
	outfile_abandon(&f);
	cr_assert_eq(access(path, F_OK), -1);
}

Test(outfile, keeps_what_is_there)
{
	put(path, STR("old"));
	cr_assert(refuses(path, false, "already"));
	cr_assert(holds(path, STR("old")));
}

/* Somebody else was quicker. */
Test(outfile, keeps_what_came_meanwhile)
{
	struct outfile f;

	cr_assert(outfile_open(&f, path, false, &err));
	outfile_write(&f, STR("mine"));
	put(path, STR("theirs"));
	cr_assert_not(outfile_commit(&f, &err));
	cr_assert(holds(path, STR("theirs")));
}

Test(outfile, replaces_when_asked)
{
	put(path, STR("old and longer"));
	cr_assert(outfile_save(path, STR("new"), true, &err));
	cr_assert(holds(path, STR("new")));
}

Test(outfile, never_writes_through_a_link)
{
	put(other, STR("old"));
	cr_assert_eq(symlink(other, path), 0);
	cr_assert(refuses(path, true, "link"));
	cr_assert(refuses(path, false, "link"));
	cr_assert(holds(other, STR("old")));
}

Test(outfile, never_writes_through_a_dangling_link)
{
	cr_assert_eq(symlink(other, path), 0);
	cr_assert(refuses(path, true, "link"));
	cr_assert(refuses(path, false, "link"));
	cr_assert_eq(access(other, F_OK), -1);
}

/* A link that came meanwhile is not followed either. */
Test(outfile, never_follows_a_link_that_came_meanwhile)
{
	struct outfile f;

	cr_assert(outfile_open(&f, path, true, &err));
	outfile_write(&f, STR("mine"));
	put(other, STR("old"));
	cr_assert_eq(symlink(other, path), 0);
	cr_assert_not(outfile_commit(&f, &err));
	cr_assert(holds(other, STR("old")));
}

Test(outfile, never_replaces_what_is_no_file)
{
	struct stat st;

	cr_assert(refuses("/dev/null", true, "no regular file"));
	cr_assert(refuses("/dev/full", true, "no regular file"));
	cr_assert_eq(mkdir(path, 0700), 0);
	cr_assert(refuses(path, true, "folder"));
	cr_assert_eq(stat("/dev/null", &st), 0);
	cr_assert(S_ISCHR(st.st_mode));
}

Test(outfile, says_why_there_is_no_file)
{
	cr_assert(refuses("", false, "no name") || err.text);
	cr_assert(refuses("/no/such/folder/file", false, "No such file"));
	cr_assert(refuses("/tmp/", false, "folder"));
	if (geteuid() == 0) /* who may write anywhere */
		return;
	chmod(folder, 0500);
	cr_assert(refuses(path, false, "denied"));
}

/* A part of a file would look like the whole. */
Test(outfile, that_does_not_fit_is_taken_away)
{
	struct rlimit before, limit;

	signal(SIGXFSZ, SIG_IGN);
	put(path, STR("old"));
	cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 4;
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	cr_expect_not(outfile_save(path, STR("more than four"), true, &err));
	setrlimit(RLIMIT_FSIZE, &before);
	cr_assert(strstr(err.source, path));
	cr_assert(holds(path, STR("old")));
}

Test(outfile, writes_all_tells_that_the_disk_is_full)
{
	int fd = open("/dev/full", O_WRONLY);

	if (fd < 0)
		cr_skip_test("no /dev/full");
	cr_assert_not(outfile_write_all(fd, STR("text")));
	cr_assert_eq(errno, ENOSPC);
	close(fd);
}

/* A reader counts the bytes that come through a pipe that is set not to block. */
Test(outfile, writes_all_waits_for_a_descriptor_that_does_not_block)
{
	static char text[1 << 20];
	int ends[2], status;
	pid_t reader;

	cr_assert_eq(pipe(ends), 0);
	cr_assert_neq(fcntl(ends[1], F_SETFL, O_NONBLOCK), -1);
	reader = fork();
	cr_assert_geq(reader, 0);
	if (!reader) {
		static char got[4096];
		size_t all = 0;
		ssize_t n;

		close(ends[1]);
		while ((n = read(ends[0], got, sizeof(got))) > 0)
			all += (size_t)n;
		_exit(all == sizeof(text) ? 0 : 1);
	}
	close(ends[0]);
	cr_expect(outfile_write_all(ends[1], (struct str){text, sizeof(text)}));
	close(ends[1]);
	cr_assert_eq(waitpid(reader, &status, 0), reader);
	cr_assert_eq(status, 0);
}
