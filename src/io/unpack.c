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

#include "base/file.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"
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
	bool whole;           /* no more packed bytes will come */
	bool waits;           /* ... which it needs to go on */
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

bool unpack_sink_put(
	struct unpack_sink *s, struct str bytes, uint64_t packed, struct err *err)
{
	uint64_t room = limit.bytes ? limit.bytes - s->spool->size : UINT64_MAX;
	bool whole = bytes.n <= room;

	bytes.n = whole ? bytes.n : (size_t)room;
	if (!bytes.n && whole)
		return true;
	if (!spool_add(s->spool, bytes.p, bytes.n, err))
		return false;
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
		return false;
	}
	if (!limit.ratio || s->spool->size <= RATIO_FROM ||
		s->spool->size / RATIO <= packed)
		return true;
	unpack_sink_note(s, s->spool->size,
		"unpacks to more than %u times its size, the limit; this is the "
		"beginning "
		"(--max-size SIZE sets another limit, 0 none)",
		RATIO);
	return false;
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
static bool stop(struct unpack *u, const char *why, struct err *err)
{
	const char *name = codec_name(u->codec);

	if (!u->out->spool->size)
		err_set(err,
			"nothing of it can be unpacked: its %s data are %s at byte "
			"%" PRIu64,
			name, why, consumed(u));
	else
		unpack_sink_note(u->out, u->out->spool->size,
			"the %s data are %s at byte %" PRIu64 " of the file", name, why,
			consumed(u));
	return false;
}

/* After a stream: another one, zeros that fill up a block, or what does not belong to
 * it. */
static bool next_stream(struct unpack *u, struct err *err)
{
	const struct codec *codec = NULL;
	size_t zeros = 0;

	refill(u, CODEC_HEAD);
	while (zeros < u->in_n && !u->in[u->in_at + zeros])
		zeros++;
	if (zeros) {
		drop(u, zeros);
		return true;
	}
	u->waits = u->in_n < CODEC_HEAD && !u->whole;
	if (u->waits || !u->in_n)
		return false;
	codec_recognize((struct str){u->in + u->in_at, u->in_n}, &codec);
	if (!codec || strcmp(codec_name(codec), codec_name(u->codec)) != 0) {
		unpack_sink_note(u->out, ERR_NOWHERE,
			"left out: what follows the %s data, from byte %" PRIu64
			" of the file on",
			codec_name(u->codec), consumed(u));
		return false;
	}
	u->between_streams = false;
	return decoder_again(u->decoder) || stop(u, "damaged", err);
}

static bool read_stream(struct unpack *u, struct err *err)
{
	AUTO_BUF why = BUF_INIT;
	struct decoder_io io;
	char head[ARCHIVE_TAR_HEAD];
	bool first = unpack_may_be_archive(u);
	enum decoder_status decoded;

	if (u->between_streams)
		return next_stream(u, err);
	refill(u, 1);
	if (!u->in_n && !u->full) {
		u->waits = !u->whole;
		return u->whole && stop(u, "cut off", err);
	}
	io = (struct decoder_io){u->in + u->in_at, u->in_n, u->bytes, OUT_MOST, NULL};
	decoded = decoder_step(u->decoder, &io);
	drop(u, u->in_n - io.in_n);
	u->full = !io.out_n;
	if (!unpack_sink_put(u->out, (struct str){u->bytes, OUT_MOST - io.out_n},
		    consumed(u), err))
		return false;
	if (first && archive_is_tar((struct str){
			     head, spool_read(u->out->spool, 0, head, sizeof(head))})) {
		/* it is read from its packed bytes */
		decoder_free(u->decoder);
		u->decoder = NULL;
		spool_done(u->out->spool);
		return true;
	}
	u->between_streams = decoded == DECODER_ENDED;
	if (decoded != DECODER_BROKEN)
		return true;
	buf_printf(&why, "damaged (%s)", io.problem);
	return stop(u, why.data, err);
}

/* ---- a recording ---- */

static void read_recording(struct unpack *u, struct err *err)
{
	AUTO_BUF text = BUF_INIT, lines = BUF_INIT;
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
	unpack_sink_put(u->out, buf_view(&lines), text.len, err);
}

/* The whole lines that have come, and at the end also what is left. */
static bool read_log(struct unpack *u, struct err *err)
{
	AUTO_BUF text = BUF_INIT, lines = BUF_INIT;
	const char *end;

	buf_reserve(&text, u->lines_most);
	text.len = spool_read(u->packed, u->at, text.data, u->lines_most);
	end = memrchr(text.data, '\n', text.len);
	if (!end && text.len == u->lines_most) {
		u->lines_most *= 2;
		return true;
	}
	if (!end && !(u->whole && text.len)) {
		u->waits = !u->whole;
		return false;
	}
	text.len = end ? (size_t)(end - text.data) + 1 : text.len;
	recorded_write_log(buf_view(&text), &lines);
	u->at += text.len;
	return unpack_sink_put(u->out, buf_view(&lines), u->at, err);
}

/* ---- all ---- */

/* A piece of work, of the kind of what is packed. */
static bool read_on(struct unpack *u, struct err *err)
{
	if (u->database)
		return database_read(u->database, u->out, err);
	if (u->decoder)
		return read_stream(u, err);
	if (u->lines_most)
		return read_log(u, err);
	u->waits = !u->whole;
	if (u->waits)
		return false;
	if (u->recorded) {
		read_recording(u, err);
		return false;
	}
	if (!u->members)
		u->members = members_new(u->packed, u->out, err);
	return u->members && members_read(u->members, err);
}

enum task_state unpack_run(
	struct unpack *u, bool whole, uint64_t deadline, struct err *err)
{
	AUTO(err_done) struct err failure = {.offset = ERR_NOWHERE};
	bool more;

	u->whole = whole;
	do {
		u->waits = false;
		more = read_on(u, &failure);
		/* a file that cannot be read is not taken for one that is cut off */
		if (!failure.text && !u->database)
			spool_failed(u->packed, &failure);
		if (failure.text) {
			err_copy(err, &failure);
			return TASK_FAILED;
		}
	} while (more && !clock_passed(deadline));
	return more ? TASK_MORE : u->waits ? TASK_IDLE : TASK_DONE;
}
