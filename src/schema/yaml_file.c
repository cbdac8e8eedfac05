/* Reading files with care: see yaml_file.h. */
#include "config.h"
#include "schema/yaml_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "schema/yaml.h"

/* Waits for data as long as a pipe has a writer; without a writer it is at its end. */
static ssize_t read_some(int fd, char *out, size_t n)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	ssize_t got;

	while ((got = read(fd, out, n)) < 0 && (errno == EAGAIN || errno == EINTR))
		poll(&p, 1, -1);
	return got;
}

/* Reads one byte more than is allowed, so that yaml_read sees that it is too much. */
static bool read_all(int fd, struct buf *text, struct err *err)
{
	ssize_t got = 1;

	buf_reserve(text, YAML_SIZE + 1);
	while (got > 0 && text->len <= YAML_SIZE) {
		got = read_some(fd, text->data + text->len, YAML_SIZE + 1 - text->len);
		if (got > 0)
			text->len += (size_t)got;
	}
	if (got < 0)
		err_set(err, "cannot be read: %s", strerror(errno));
	return got >= 0;
}

static bool is_text_file(const struct stat *st, unsigned how, struct err *err)
{
	if (S_ISREG(st->st_mode) || (how & YAML_PIPE && S_ISFIFO(st->st_mode)))
		return true;
	err_set(err, S_ISDIR(st->st_mode) ? "is a directory; name a file in it"
					  : "is no file of text");
	return false;
}

static bool is_trusted(const struct stat *st, struct err *err)
{
	if (st->st_uid != geteuid() && st->st_uid != 0)
		err_set(err, "is not read: it belongs to another user");
	else if (st->st_mode & S_IWOTH)
		err_set(err, "is not read: everybody may write to it");
	else
		return true;
	return false;
}

bool yaml_file_read(const char *path, unsigned how, struct buf *text, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	struct stat st;
	bool ok = false;

	if (fd < 0 || fstat(fd, &st) < 0)
		err_set(err, "cannot be opened: %s", strerror(errno));
	else if (is_text_file(&st, how, err) &&
		 (!(how & YAML_OWN) || is_trusted(&st, err)))
		ok = read_all(fd, text, err);
	if (ok && S_ISFIFO(st.st_mode) && !text->len) {
		err_set(err, "nothing came out of the pipe");
		ok = false;
	}
	if (!ok)
		err_source(err, path);
	if (fd >= 0)
		close(fd);
	return ok;
}

bool yaml_file_is_absent(const char *path)
{
	struct stat st;

	return lstat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR);
}
