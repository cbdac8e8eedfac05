/*
 * One struct for both kinds (see source.h): `fd` is the file or the spool that
 * pread reads; `stream` is what still comes in.  While the spool is small it is
 * a buffer in memory and fd is -1.
 */
#include "config.h"
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

#define READ_STEP (256u * 1024)

struct source {
	char *name;
	int fd;
	int stream; /* -1: nothing more comes */
	struct buf memory;
	uint64_t size;
	int failure; /* errno of the read that failed, 0: none */
	bool shrank;
};

static struct source *source_new(const char *name)
{
	struct source *s = mem_zalloc(1, sizeof(*s));

	s->name = mem_dup(name, strlen(name));
	s->fd = s->stream = -1;
	return s;
}

void source_free(struct source *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	if (s->stream > STDIN_FILENO)
		close(s->stream);
	buf_done(&s->memory);
	mem_free(s->name);
	mem_free(s);
}

struct source *source_open_text(const char *name, struct str bytes)
{
	struct source *s = source_new(name);

	buf_str(&s->memory, bytes);
	s->size = bytes.n;
	return s;
}

static const char *refusal(mode_t mode)
{
	if (S_ISDIR(mode))
		return "is a directory; name a file in it";
	if (S_ISSOCK(mode))
		return "is a socket; it cannot be read as a file";
	if (S_ISBLK(mode))
		return "is a block device; copy what you want to read to a file";
	return NULL;
}

static int open_path(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	if (fd < 0 && errno == ENXIO)
		err_set(err, "%s", refusal(S_IFSOCK));
	else if (fd < 0)
		err_set(err, "cannot be opened: %s", strerror(errno));
	return fd;
}

struct source *source_open(const char *path, struct err *err)
{
	bool in = strcmp(path, "-") == 0;
	const char *name = in ? "standard input" : path;
	struct source *s;
	struct stat st;
	int fd = in ? STDIN_FILENO : open_path(path, err);

	err_source(err, name);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) < 0) {
		err_set(err, "cannot be read: %s", strerror(errno));
		return NULL;
	}
	if (refusal(st.st_mode)) {
		err_set(err, "%s", refusal(st.st_mode));
		if (!in)
			close(fd);
		return NULL;
	}
	s = source_new(name);
	/* a file of which somebody read the beginning is what is left of it */
	if (!S_ISREG(st.st_mode) || st.st_size <= 0 ||
		(in && lseek(fd, 0, SEEK_CUR) > 0)) {
		s->stream = fd;
		return s;
	}
	s->fd = in ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : fd;
	s->size = (uint64_t)st.st_size;
	if (s->fd < 0) {
		err_set(err, "cannot be opened: %s", strerror(errno));
		source_free(s);
		return NULL;
	}
	return s;
}

const char *source_name(const struct source *s)
{
	return s->name;
}

uint64_t source_size(const struct source *s)
{
	return s->size;
}

bool source_complete(const struct source *s)
{
	return s->stream < 0;
}

int source_watch(const struct source *s)
{
	return s->stream;
}

/* An unlinked file that only this process can reach. */
static int temporary_file(void)
{
	const char *dir = getenv("TMPDIR");
	struct buf path = BUF_INIT;
	int fd;

	buf_printf(&path, "%s/catena-XXXXXX", dir && *dir ? dir : "/tmp");
	fd = mkstemp(path.data); /* mode 0600 */
	if (fd >= 0) {
		unlink(path.data);
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	buf_done(&path);
	return fd;
}

static bool write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

/* The spool moves to a file; where that fails, it stays as it was. */
static bool leave_memory(struct source *s)
{
	int fd = temporary_file(), saved;

	if (fd < 0)
		return false;
	if (!write_all(fd, s->memory.data, s->memory.len)) {
		saved = errno;
		close(fd);
		errno = saved;
		return false;
	}
	s->fd = fd;
	buf_done(&s->memory);
	return true;
}

static bool spool(struct source *s, const char *bytes, size_t n)
{
	if (s->fd < 0 && s->memory.len + n <= SOURCE_SPOOL) {
		buf_add(&s->memory, bytes, n);
		return true;
	}
	return (s->fd >= 0 || leave_memory(s)) && write_all(s->fd, bytes, n);
}

static void end_stream(struct source *s)
{
	if (s->stream > STDIN_FILENO)
		close(s->stream);
	s->stream = -1;
}

static bool stream_ready(const struct source *s, int timeout)
{
	struct pollfd p = {.fd = s->stream, .events = POLLIN};

	return poll(&p, 1, timeout) > 0;
}

bool source_pump(struct source *s, struct err *err)
{
	char *chunk;
	ssize_t n;
	bool ok = true;

	if (s->stream < 0 || !stream_ready(s, 0))
		return true;
	chunk = mem_alloc(READ_STEP);
	n = read(s->stream, chunk, READ_STEP);
	if (n > 0) {
		ok = spool(s, chunk, (size_t)n);
		s->size += ok ? (uint64_t)n : 0;
	} else if (n == 0) {
		end_stream(s);
	} else {
		ok = errno == EINTR || errno == EAGAIN;
	}
	if (!ok) {
		err_source(err, s->name);
		err_at(err, s->size,
			n > 0 ? "cannot be kept in a temporary file: %s"
			      : "cannot be read: %s",
			strerror(errno));
		end_stream(s);
	}
	mem_free(chunk);
	return ok;
}

bool source_wait(struct source *s, struct err *err)
{
	if (s->stream >= 0)
		stream_ready(s, -1);
	return source_pump(s, err);
}

size_t source_read(struct source *s, uint64_t offset, void *out, size_t n)
{
	char *p = out;
	size_t done = 0;

	if (offset >= s->size)
		return 0;
	if (n > s->size - offset)
		n = (size_t)(s->size - offset);
	if (s->fd < 0) {
		memcpy(out, s->memory.data + offset, n);
		return n;
	}
	while (done < n) {
		ssize_t got = pread(s->fd, p + done, n - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			s->shrank |= got == 0;
			s->failure = got < 0 ? errno : s->failure;
			s->size = offset + done; /* nobody shall wait for the rest */
			break;
		}
		done += (size_t)got;
	}
	return done;
}

bool source_failed(const struct source *s, struct err *err)
{
	if (!s->failure && !s->shrank)
		return false;
	err_source(err, s->name);
	if (s->failure)
		err_set(err, "cannot be read: %s", strerror(s->failure));
	else
		err_set(err, "became shorter while it was read; open it again");
	return true;
}

void source_place(struct source *s, uint64_t offset, uint64_t *line, uint64_t *column)
{
	char *chunk = mem_alloc(READ_STEP);
	uint64_t at = 0, begin = 0;
	size_t n;

	*line = 1;
	while (at < offset) {
		uint64_t want = offset - at < READ_STEP ? offset - at : READ_STEP;
		const char *p = chunk;

		n = source_read(s, at, chunk, (size_t)want);
		if (!n)
			break;
		while ((p = memchr(p, '\n', n - (size_t)(p - chunk)))) {
			++*line;
			begin = at + (uint64_t)(++p - chunk);
		}
		at += n;
	}
	*column = offset - begin + 1;
	mem_free(chunk);
}
