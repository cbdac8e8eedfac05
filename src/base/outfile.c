/*
 * Writing whole files: see file.h.  A name that must be new is taken by link(), which
 * fails when it is not; where there are no hard links (FAT, some network file systems) an
 * empty file claims it first, and is replaced.
 */
#include "config.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

#define NAMES_MOST      100 /* temporary names that are tried */
#define UNFINISHED_MOST 8   /* files that are written at once; more are not guarded */

static char *volatile unfinished[UNFINISHED_MOST]; /* their temporary names, or NULL */

void outfile_remove_unfinished(void)
{
	for (size_t i = 0; i < UNFINISHED_MOST; i++)
		if (unfinished[i])
			unlink(unfinished[i]);
}

/* Puts a name in the place of another. */
static void guard(const char *before, char *after)
{
	for (size_t i = 0; i < UNFINISHED_MOST; i++)
		if (unfinished[i] == before) {
			unfinished[i] = after;
			return;
		}
}

bool outfile_write_all(int fd, struct str bytes)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};

	while (bytes.n) {
		ssize_t n = write(fd, bytes.p, bytes.n);

		if (n >= 0) {
			bytes = str_skip(bytes, (size_t)n);
			continue;
		}
		/* a terminal may be set not to block */
		if (errno != EINTR &&
			((errno != EAGAIN && errno != EWOULDBLOCK) ||
				(poll(&poll_fd, 1, -1) <= 0 && errno != EINTR)))
			return false;
	}
	return true;
}

static bool fail(const char *path, struct err *err, const char *why)
{
	err_source(err, path);
	err_set(err, "%s", why);
	return false;
}

static int open_new(const char *path)
{
	return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY,
		0600);
}

/* Whether the name may be taken.  Checked when the file is opened and when it is
 * committed. */
static bool is_free(const char *path, bool replace, struct err *err)
{
	struct stat st;

	if (!*path)
		return fail("file", err, "no name");
	if (path[strlen(path) - 1] == '/')
		return fail(path, err, "is the name of a folder");
	if (lstat(path, &st) != 0)
		return errno == ENOENT || fail(path, err, strerror(errno));
	if (S_ISLNK(st.st_mode))
		return fail(path, err, "is a link; nothing is written through links");
	if (S_ISDIR(st.st_mode))
		return fail(path, err, "is a folder");
	if (!S_ISREG(st.st_mode))
		return fail(path, err, "is no regular file");
	return replace || fail(path, err, "is there already");
}

bool outfile_is_taken(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void forget(struct outfile *f)
{
	if (f->temporary)
		guard(f->temporary, NULL);
	mem_free(f->path);
	mem_free(f->temporary);
	*f = (struct outfile){0};
}

bool outfile_open(struct outfile *f, const char *path, bool replace, struct err *err)
{
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash + 1 - path) : 0, fd = -1;
	AUTO_BUF name = BUF_INIT;

	*f = (struct outfile){.replace = replace};
	if (!is_free(path, replace, err))
		return false;
	mem_on_failure(outfile_remove_unfinished);
	/* ".catena-PID-N" beside it: short, so that every name that is legal has one */
	for (int i = 0; i < NAMES_MOST && fd < 0; i++) {
		buf_clear(&name);
		buf_printf(&name, "%.*s.catena-%ld-%d", folder, path, (long)getpid(), i);
		fd = open_new(name.data);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0)
		return fail(path, err, strerror(errno));
	f->fd = fd;
	f->temporary = buf_take(&name);
	guard(NULL, f->temporary);
	f->path = mem_dup(path, strlen(path));
	return true;
}

bool outfile_write(struct outfile *f, struct str bytes)
{
	if (!f->problem && !outfile_write_all(f->fd, bytes))
		f->problem = errno;
	f->bytes += bytes.n;
	return !f->problem;
}

/* False: errno says why. */
static bool take_name(const struct outfile *f)
{
	int fd, problem;

	if (f->replace)
		return rename(f->temporary, f->path) == 0;
	if (link(f->temporary, f->path) == 0) {
		unlink(f->temporary);
		return true;
	}
	/* Two of these are one number in some systems. */
	if (errno != EPERM && errno != ENOTSUP && errno != EOPNOTSUPP &&
		/* NOLINTNEXTLINE(misc-redundant-expression) */
		errno != ENOSYS && errno != EMLINK)
		return false;
	/* the file system has no links */
	fd = open_new(f->path);
	if (fd < 0)
		return false;
	close(fd);
	if (rename(f->temporary, f->path) == 0)
		return true;
	problem = errno;
	unlink(f->path);
	errno = problem;
	return false;
}

bool outfile_commit(struct outfile *f, struct err *err)
{
	bool done = false;

	if (!f->problem && !f->private) { /* without modes in the file system: none */
		struct stat st;
		mode_t mask;

		if (lstat(f->path, &st) == 0 && S_ISREG(st.st_mode)) {
			fchmod(f->fd, st.st_mode & 0777);
		} else {
			mask = umask(0);
			umask(mask);
			fchmod(f->fd, 0666 & ~mask);
		}
	}
	/* a file system or special file without fsync is no failure */
	if (!f->problem && fsync(f->fd) != 0 && errno != EINVAL && errno != ENOTSUP &&
		errno != ENOSYS)
		f->problem = errno;
	if (close(f->fd) != 0 && !f->problem && errno != EINTR)
		f->problem = errno;
	f->fd = -1;
	if (f->problem)
		fail(f->path, err, strerror(f->problem));
	else if (is_free(f->path, f->replace, err))
		done = take_name(f) || fail(f->path, err, strerror(errno));
	if (done)
		forget(f);
	else
		outfile_abandon(f);
	return done;
}

void outfile_abandon(struct outfile *f)
{
	if (!f->path)
		return;
	if (f->fd >= 0)
		close(f->fd);
	unlink(f->temporary);
	forget(f);
}

static bool save(
	const char *path, struct str text, bool replace, bool private, struct err *err)
{
	struct outfile f;

	if (!outfile_open(&f, path, replace, err))
		return false;
	f.private = private;
	outfile_write(&f, text);
	return outfile_commit(&f, err);
}

bool outfile_save(const char *path, struct str text, bool replace, struct err *err)
{
	return save(path, text, replace, false, err);
}

bool outfile_save_private(
	const char *path, struct str text, bool replace, struct err *err)
{
	return save(path, text, replace, true, err);
}

/* ---- a file for another program ---- */

char *tempfile_write(struct str text, const char *ending, struct err *err)
{
	const char *const folders[] = {
		getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp"};
	AUTO_BUF path = BUF_INIT;
	int fd = -1, problem;
	bool ok;

	for (size_t i = 0; fd < 0 && i < sizeof(folders) / sizeof(*folders); i++) {
		if (!folders[i] || *folders[i] != '/')
			continue;
		buf_clear(&path);
		buf_printf(&path, "%s/catena-XXXXXX%s", folders[i], ending);
		fd = mkostemps(path.data, (int)strlen(ending), O_CLOEXEC); /* 0600 */
	}
	ok = fd >= 0 && outfile_write_all(fd, text);
	problem = errno;
	if (fd >= 0 && close(fd) != 0 && ok && errno != EINTR) {
		ok = false;
		problem = errno;
	}
	if (ok)
		return buf_take(&path);
	if (fd >= 0)
		unlink(path.data);
	err_source(err, path.len ? path.data : "temporary file");
	err_set(err, "%s", strerror(problem));
	return NULL;
}
