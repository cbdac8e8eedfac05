/* Memory at first, a file when the bytes are too many: see spool.h. */
#include "config.h"
#include "io/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/sort.h"
#include "io/source.h"

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

/* The bytes move to an unlinked file that only this process can reach; where that fails,
 * they stay where they were. */
static bool leave_memory(struct spool *s)
{
	AUTO_BUF path = BUF_INIT;
	int fd, saved;

	buf_printf(&path, "%s/catena-XXXXXX", temporary_folder());
	fd = mkstemp(path.data); /* mode 0600 */
	if (fd >= 0) {
		unlink(path.data);
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
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
	size_t done;

	if (offset >= s->size)
		return 0;
	if (n > s->size - offset)
		n = (size_t)(s->size - offset);
	if (s->fd < 0) {
		memcpy(out, s->memory.data + offset, n);
		return n;
	}
	done = file_read_at(s->fd, out, n, offset);
	if (done < n) {
		s->shrank |= !errno;
		s->failure = errno ? errno : s->failure;
		s->size = offset + done; /* the rest will not come */
	}
	return done;
}

/* ---- where unpacked bytes go ---- */

#define RATIO      1000u
#define RATIO_FROM (1u << 20) /* less is no danger, however small the input */

/* Of any sink; set once, from the command line. */
static struct {
	uint64_t bytes; /* 0: none */
	bool ratio;
} limit = {(uint64_t)4 << 30, true};

void source_set_limit(uint64_t bytes)
{
	limit.bytes = bytes;
	limit.ratio = false;
}

void unpack_sink_done(struct unpack_sink *s)
{
	for (size_t i = 0; i < s->note_count; i++)
		mem_free((char *)s->notes[i].text);
	for (size_t i = 0; i < s->member_count; i++)
		mem_free(s->members[i].name);
	mem_free(s->notes);
	mem_free(s->members);
	*s = (struct unpack_sink){0};
}

void unpack_sink_note(struct unpack_sink *s, uint64_t offset, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	*MEM_ADD(s->notes, s->note_count, s->note_cap) =
		(struct source_note){offset, buf_take(&text)};
}

enum task_state unpack_sink_put(
	struct unpack_sink *s, struct str bytes, uint64_t packed, struct err *err)
{
	uint64_t room = limit.bytes ? limit.bytes - s->spool->size : UINT64_MAX;
	bool whole = bytes.n <= room;

	bytes.n = whole ? bytes.n : (size_t)room;
	if (!bytes.n && whole)
		return TASK_MORE;
	if (!spool_add(s->spool, bytes.p, bytes.n, err))
		return TASK_FAILED;
	if (bytes.n)
		s->last = bytes.p[bytes.n - 1];
	if (!whole) {
		static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
		uint64_t n = limit.bytes;
		unsigned unit = 0;

		for (; unit < 3 && n && n % 1024 == 0; unit++)
			n /= 1024;
		unpack_sink_note(s, s->spool->size,
			"unpacks to more than %" PRIu64 " %s, the limit; this is the "
			"beginning (--max-size SIZE sets another limit, 0 none)",
			n, units[unit]);
		return TASK_DONE;
	}
	if (!limit.ratio || s->spool->size <= RATIO_FROM ||
		s->spool->size / RATIO <= packed)
		return TASK_MORE;
	unpack_sink_note(s, s->spool->size,
		"unpacks to more than %u times its size, the limit; this is the "
		"beginning "
		"(--max-size SIZE sets another limit, 0 none)",
		RATIO);
	return TASK_DONE;
}

void unpack_sink_begin_member(struct unpack_sink *s, struct str name)
{
	*MEM_ADD(s->members, s->member_count, s->member_cap) =
		(struct unpack_sink_member){s->spool->size, mem_dup(name.p, name.n)};
}

const struct unpack_sink_member *unpack_sink_member_at(
	const struct unpack_sink *s, uint64_t offset)
{
	size_t low = SORTED_BELOW(s->members, s->member_count, start, offset + 1);

	return low ? &s->members[low - 1] : NULL;
}
