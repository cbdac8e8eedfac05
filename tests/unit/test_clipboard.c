/* What is written to files: whole, for the owner's eyes, and never over another. */
#include "config.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "term/clipboard.h"

static char folder[] = "/tmp/catena-clipboard.XXXXXX";
static char path[sizeof(folder) + 8];

static void enter(void)
{
	cr_assert(mkdtemp(folder));
	strcpy(path, folder);
	strcat(path, "/file");
}

static void leave(void)
{
	unlink(path);
	rmdir(folder);
}

TestSuite(clipboard, .init = enter, .fini = leave);

static bool says(const struct buf *said, const char *word)
{
	return memmem(said->data, said->len, word, strlen(word)) != NULL;
}

Test(clipboard, a_file_has_all_bytes_and_one_reader)
{
	static const char text[] = "a\0b\n";
	struct buf said = BUF_INIT;
	struct stat st;
	char back[8];
	int fd;

	cr_assert(clipboard_save(path, (struct str){text, 4}, &said));
	cr_assert(says(&said, "4 bytes"));
	fd = open(path, O_RDONLY);
	cr_assert_eq(read(fd, back, sizeof(back)), 4);
	cr_assert_eq(memcmp(back, text, 4), 0);
	cr_assert_eq(fstat(fd, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0600);
	close(fd);
	buf_done(&said);
}

Test(clipboard, a_file_that_is_there_stays)
{
	struct buf said = BUF_INIT;
	struct stat st;

	cr_assert(clipboard_save(path, STR("first"), &said));
	buf_clear(&said);
	cr_assert_not(clipboard_save(path, STR("second, longer"), &said));
	cr_assert(says(&said, "already"));
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_size, 5);
	buf_done(&said);
}

/* A part of a file would look like the whole, and keep its name from the next try. */
Test(clipboard, a_file_that_does_not_fit_is_taken_away)
{
	struct buf said = BUF_INIT;
	struct rlimit before, limit;

	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 4;
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	cr_expect_not(clipboard_save(path, STR("more than four"), &said));
	setrlimit(RLIMIT_FSIZE, &before);
	cr_assert(says(&said, path));
	cr_assert_eq(access(path, F_OK), -1);
	buf_done(&said);
}
