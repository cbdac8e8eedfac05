/* Memory at first, a file when the bytes are too many: see spool.h. */
#include "config.h"
#include "io/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

void spool_done(struct spool *s)
{
	if (s->fd >= 0)
		close(s->fd);
	buf_done(&s->memory);
	*s = (struct spool)SPOOL_INIT;
}

static const char *temporary_folder(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

/* An unlinked file that only this process can reach. */
static int temporary_file(void)
{
	struct buf path = BUF_INIT;
	int fd;

	buf_printf(&path, "%s/catena-XXXXXX", temporary_folder());
	fd = mkstemp(path.data); /* mode 0600 */
	if (fd >= 0) {
		unlink(path.data);
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	buf_done(&path);
	return fd;
}

/* Writes at an offset: what a full disk took of a failed write is overwritten or never
 * read. */
static bool write_at(int fd, uint64_t offset, const char *p, size_t n)
{
	while (n) {
		ssize_t done = pwrite(fd, p, n, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
		offset += (uint64_t)done;
	}
	return true;
}

/* The bytes move to a file; where that fails, they stay where they were. */
static bool leave_memory(struct spool *s)
{
	int fd = temporary_file(), saved;

	if (fd < 0)
		return false;
	if (!write_at(fd, 0, s->memory.data, s->memory.len)) {
		saved = errno;
		close(fd);
		errno = saved;
		return false;
	}
	s->fd = fd;
	buf_done(&s->memory);
	return true;
}

bool spool_add(struct spool *s, const char *bytes, size_t n, struct err *err)
{
	bool ok = true;

	if (s->fd < 0 && s->memory.len + n <= SPOOL_MEMORY)
		buf_add(&s->memory, bytes, n);
	else
		ok = (s->fd >= 0 || leave_memory(s)) &&
		     write_at(s->fd, s->size, bytes, n);
	if (ok) {
		s->size += n;
		return true;
	}
	err_at(err, s->size,
		"cannot be kept in a temporary file in %s: %s; set TMPDIR to a folder "
		"with room",
		temporary_folder(), strerror(errno));
	return false;
}

size_t spool_read(struct spool *s, uint64_t offset, void *out, size_t n)
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
			s->size = offset + done; /* the rest will not come */
			break;
		}
		done += (size_t)got;
	}
	return done;
}
