/*
 * One or more streams of a codec go through a decoder; an archive, once it is there as a
 * whole, through archive.c.
 */
#include "config.h"
#include "io/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sort.h"
#include "io/database.h"
#include "io/source.h"

#define IN_MOST  (64u * 1024)
#define OUT_MOST (256u * 1024)
#define LOG_MOST (1024u * 1024)

struct unpack {
	struct spool *packed; /* NULL: of a database */
	struct unpack_sink *out;
	struct database *database; /* of which all sessions are read, or one: */
	bool one;
	struct archive_members *members; /* of an archive */
	bool recorded;                   /* a text that becomes lines of JSON */
	size_t lines_most;               /* ... a log: bytes that are read at once */
	const struct codec *codec;       /* else */
	struct decoder *decoder;
	char *bytes; /* unpacked */
	char *in;    /* read, and from in_at on not used yet */
	size_t in_at, in_n;
	uint64_t at;          /* in `packed`, of the end of what `in` holds */
	bool full;            /* the decoder may have more output without further input */
	bool between_streams; /* two streams */
};

/* ---- bytes at hand: in memory at first, in a file when they are too many ---- */

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
	if (fd < 0)
		return false;
	unlink(path.data);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
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

	if (s->fd < 0 && s->memory.len + n <= SOURCE_SPOOL)
		buf_add(&s->memory, bytes, n);
	else
		ok = (s->fd >= 0 || leave_memory(s)) &&
		     write_at(s->fd, s->size, bytes, n);
	if (ok)
		s->size += n;
	else
		err_at(err, s->size,
			"cannot be kept in a temporary file in %s: %s; set TMPDIR to a "
			"folder with room",
			temporary_folder(), strerror(errno));
	return ok;
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

bool spool_failed(const struct spool *s, struct err *err)
{
	if (s->failure)
		err_set(err, "cannot be read: %s", strerror(s->failure));
	else if (s->shrank)
		err_set(err, "became shorter while it was read; open it again");
	return s->failure || s->shrank;
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

/* ---- packed input ---- */

enum likeness unpack_recognize(struct str head)
{
	const struct codec *codec;
	enum likeness a = codec_recognize(head, &codec), b = zip_recognize(head);
	enum likeness c = recorded_recognize(head), d = database_recognize(head);

	a = a > b ? a : b;
	c = c > d ? c : d;
	return a > c ? a : c;
}

struct unpack *unpack_new(struct spool *packed, struct unpack_sink *out, struct err *err)
{
	char bytes[UNPACK_HEAD];
	struct str head = {bytes, spool_read(packed, 0, bytes, UNPACK_HEAD)};
	struct unpack *u;

	if (database_recognize(head) == LIKE_SURELY) {
		err_set(err,
			"is a database, which is read by the name of its file alone");
		return NULL;
	}
	u = mem_zalloc(1, sizeof(*u));
	u->packed = packed;
	u->out = out;
	u->in = mem_alloc(IN_MOST);
	u->bytes = mem_alloc(OUT_MOST);
	u->recorded = recorded_recognize(head) == LIKE_SURELY;
	if (u->recorded && recorded_is_log(head))
		u->lines_most = LOG_MOST;
	if (u->recorded || codec_recognize(head, &u->codec) != LIKE_SURELY)
		return u; /* else an archive */
	u->decoder = decoder_new(u->codec, err);
	if (u->decoder)
		return u;
	unpack_free(u);
	return NULL;
}

struct unpack *unpack_new_database(
	const char *file, struct str session, struct unpack_sink *out, struct err *err)
{
	struct database *database = database_open(file, session, err);
	struct unpack *u = database ? mem_zalloc(1, sizeof(*u)) : NULL;

	if (!u)
		return NULL;
	u->database = database;
	u->one = session.n > 0;
	u->out = out;
	return u;
}

void unpack_free(struct unpack *u)
{
	if (!u)
		return;
	database_close(u->database);
	decoder_free(u->decoder);
	members_free(u->members);
	mem_free(u->in);
	mem_free(u->bytes);
	mem_free(u);
}

bool unpack_is_log(const struct unpack *u)
{
	return u->lines_most > 0;
}

bool unpack_is_archive(const struct unpack *u)
{
	return !u->decoder && !u->recorded && !u->one;
}

bool unpack_may_be_archive(const struct unpack *u)
{
	return u->decoder && u->out->spool->size < ARCHIVE_TAR_HEAD;
}

/* ---- a stream ---- */

static uint64_t consumed(const struct unpack *u)
{
	return u->at - u->in_n;
}

static void drop(struct unpack *u, size_t n)
{
	u->in_at += n;
	u->in_n -= n;
}

/* Reads on until `want` bytes are at hand, or all there are. */
static void refill(struct unpack *u, size_t want)
{
	size_t n;

	if (u->in_n >= want)
		return;
	memmove(u->in, u->in + u->in_at, u->in_n);
	u->in_at = 0;
	n = spool_read(u->packed, u->at, u->in + u->in_n, IN_MOST - u->in_n);
	u->in_n += n;
	u->at += n;
}

/* Ends the unpacking at damage or a cut; what came before is kept. */
static enum task_state stop(struct unpack *u, const char *why, struct err *err)
{
	const char *name = codec_name(u->codec);

	if (!u->out->spool->size) {
		err_set(err,
			"nothing of it can be unpacked: its %s data are %s at byte "
			"%" PRIu64,
			name, why, consumed(u));
		return TASK_FAILED;
	}
	unpack_sink_note(u->out, u->out->spool->size,
		"the %s data are %s at byte %" PRIu64 " of the file", name, why,
		consumed(u));
	return TASK_DONE;
}

/* After a stream: another one, zeros that fill up a block, or what does not belong to
 * it. */
static enum task_state next_stream(struct unpack *u, bool whole, struct err *err)
{
	const struct codec *codec = NULL;
	size_t zeros = 0;

	refill(u, CODEC_HEAD);
	while (zeros < u->in_n && !u->in[u->in_at + zeros])
		zeros++;
	if (zeros) {
		drop(u, zeros);
		return TASK_MORE;
	}
	if (u->in_n < CODEC_HEAD && !whole)
		return TASK_IDLE;
	if (!u->in_n)
		return TASK_DONE;
	codec_recognize((struct str){u->in + u->in_at, u->in_n}, &codec);
	if (!codec || strcmp(codec_name(codec), codec_name(u->codec)) != 0) {
		unpack_sink_note(u->out, ERR_NOWHERE,
			"left out: what follows the %s data, from byte %" PRIu64
			" of the file on",
			codec_name(u->codec), consumed(u));
		return TASK_DONE;
	}
	u->between_streams = false;
	return decoder_again(u->decoder) ? TASK_MORE : stop(u, "damaged", err);
}

static enum task_state stream_step(struct unpack *u, bool whole, struct err *err)
{
	AUTO_BUF why = BUF_INIT;
	struct decoder_io io;
	char head[ARCHIVE_TAR_HEAD];
	bool first = unpack_may_be_archive(u);
	enum decoder_status decoded;
	enum task_state status;

	if (u->between_streams)
		return next_stream(u, whole, err);
	refill(u, 1);
	if (!u->in_n && !u->full)
		return whole ? stop(u, "cut off", err) : TASK_IDLE;
	io = (struct decoder_io){u->in + u->in_at, u->in_n, u->bytes, OUT_MOST};
	decoded = decoder_step(u->decoder, &io);
	drop(u, u->in_n - io.in_n);
	u->full = !io.out_n;
	status = unpack_sink_put(
		u->out, (struct str){u->bytes, OUT_MOST - io.out_n}, consumed(u), err);
	if (status != TASK_MORE)
		return status;
	if (first && archive_is_tar((struct str){
			     head, spool_read(u->out->spool, 0, head, sizeof(head))})) {
		/* it is read from its packed bytes */
		decoder_free(u->decoder);
		u->decoder = NULL;
		spool_done(u->out->spool);
		return status;
	}
	u->between_streams = decoded == DECODER_ENDED;
	if (decoded != DECODER_BROKEN)
		return TASK_MORE;
	buf_printf(&why, "damaged (%s)", decoder_problem(u->decoder));
	return stop(u, why.data, err);
}

/* ---- a recording ---- */

static enum task_state recording_step(struct unpack *u, struct err *err)
{
	AUTO_BUF text = BUF_INIT, lines = BUF_INIT;
	enum task_state status = TASK_DONE;
	size_t damage;

	buf_reserve(&text, (size_t)u->packed->size + 1);
	text.len = spool_read(u->packed, 0, text.data, (size_t)u->packed->size);
	if (recorded_is_joined(buf_view(&text)))
		unpack_sink_note(u->out, ERR_NOWHERE,
			"objects follow each other on one line; each is read as a line");
	damage = recorded_write(buf_view(&text), &lines);
	if (damage != SIZE_MAX)
		unpack_sink_note(u->out, ERR_NOWHERE,
			"it is damaged, or cut off, at byte %zu of the file: what cannot "
			"be read is left out",
			damage);
	if (unpack_sink_put(u->out, buf_view(&lines), text.len, err) == TASK_FAILED)
		status = TASK_FAILED;
	return status;
}

/* The whole lines that have come, and at the end also what is left. */
static enum task_state log_step(struct unpack *u, bool whole, struct err *err)
{
	AUTO_BUF text = BUF_INIT, lines = BUF_INIT;
	enum task_state status = TASK_MORE;
	const char *end;

	buf_reserve(&text, u->lines_most);
	text.len = spool_read(u->packed, u->at, text.data, u->lines_most);
	end = memrchr(text.data, '\n', text.len);
	if (!end && text.len == u->lines_most) {
		u->lines_most *= 2;
	} else if (!end && !(whole && text.len)) {
		status = whole ? TASK_DONE : TASK_IDLE;
	} else {
		text.len = end ? (size_t)(end - text.data) + 1 : text.len;
		recorded_write_log(buf_view(&text), &lines);
		u->at += text.len;
		status = unpack_sink_put(u->out, buf_view(&lines), u->at, err);
	}
	return status;
}

/* ---- all ---- */

enum task_state unpack_run(
	struct unpack *u, bool whole, uint64_t deadline, struct err *err)
{
	enum task_state status;

	do {
		if (u->database)
			status = database_read(u->database, u->out, err);
		else if (u->decoder)
			status = stream_step(u, whole, err);
		else if (u->lines_most)
			status = log_step(u, whole, err);
		else if (!whole)
			status = TASK_IDLE;
		else if (u->recorded)
			status = recording_step(u, err);
		else if (u->members || (u->members = members_new(u->packed, u->out, err)))
			status = members_run(u->members, err);
		else
			status = TASK_FAILED;
		/* a file that cannot be read is not taken for one that is cut off */
		if (status != TASK_FAILED && !u->database && spool_failed(u->packed, err))
			status = TASK_FAILED;
	} while (status == TASK_MORE && !clock_passed(deadline));
	return status;
}
