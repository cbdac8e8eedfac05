/*
 * One struct for all kinds (see source.h): `bytes` is what is read, the file itself or a
 * spool; `stream` is what still comes in.  While something unpacks, its packed bytes are
 * another such pair: the file, or a spool that the stream fills.  A member of an archive
 * has no bytes of its own: it looks into those of the archive.
 */
#include "config.h"
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/work.h"
#include "io/database.h"
#include "io/unpack.h"

#define WATCH_TAIL  64 /* bytes that are compared */
#define READ_STEP   (256u * 1024)
#define SLICE       4000    /* microseconds of unpacking */
#define STAMP_PAUSE 1000000 /* microseconds between two looks at a database */

/*
 * A regular file that others still write: how it differs from what was read of it.
 *
 * A file that is cut below what was read, or whose last bytes before the known end are
 * different now, was rewritten.  So was one whose name leads to another file and that has
 * no name left: programs that write a file anew put the new one in the old one's place.
 * One that has another name now is a log that was rotated, and was replaced: what was
 * written to it before that is still to be read, then its successor.  A file that was cut
 * and then grew beyond its old size between two checks is noticed only by those last
 * bytes.
 */
struct watch {
	const char *path; /* NULL: it has no name that could lead elsewhere */
	dev_t device;
	ino_t inode;
	char tail[WATCH_TAIL]; /* before the end that is known */
	size_t tail_n;
};

struct source {
	char *name;
	unsigned shares; /* further owners, see source_share */
	struct spool bytes;
	int stream; /* -1: nothing more comes */
	bool piped; /* there is, or was, one */
	char *lost; /* why a stream ended early, or NULL */
	uint64_t lost_at;

	struct remote *remote; /* which sends it, or NULL */

	bool undecided;        /* the stream's first bytes are in `packed`, and too few */
	struct spool packed;   /* compressed input */
	struct unpack *unpack; /* NULL: nothing is, or nothing is left of it */
	bool needs_input;      /* it waits for the stream */
	int ready; /* a descriptor that is always readable, while it does not */
	struct unpack_sink sink; /* into `bytes` */

	struct source *archive; /* this is its member */
	size_t member;

	char *database;              /* the file of which this is a session, or NULL */
	struct database_stamp stamp; /* ... when it was opened, */
	uint64_t stamped;            /* at this time of base/work */

	bool file; /* `bytes` is one by the name of the source */
	bool log;  /* `packed` is, until it has been read to its end */
	bool open; /* the file is too short to tell whether it is packed */
	bool asleep, woke_wrong;
	bool follows;
	enum source_change change;
	struct watch watch;

	/* The lines before each multiple of READ_STEP, from the first on, as far as they
	 * were counted: see source_locate. */
	struct line_place {
		uint64_t line, start; /* newlines before; where the last of them ends */
	} * lines;
	size_t line_count, line_cap;
};

static const char standard_input[] = "standard input";

static struct source *source_new(const char *name)
{
	struct source *s = mem_zalloc(1, sizeof(*s));

	s->name = mem_dup(name, strlen(name));
	s->bytes = s->packed = (struct spool)SPOOL_INIT;
	s->stream = s->ready = -1;
	s->sink.spool = &s->bytes;
	return s;
}

static void end_stream(struct source *s)
{
	if (s->stream > STDIN_FILENO)
		close(s->stream);
	s->stream = -1;
}

static void end_unpacking(struct source *s)
{
	unpack_free(s->unpack);
	s->unpack = NULL;
	spool_done(&s->packed);
	if (s->ready >= 0)
		close(s->ready);
	s->ready = -1;
}

void source_free(struct source *s)
{
	if (!s || s->shares-- > 0)
		return;
	end_stream(s);
	remote_close(s->remote);
	end_unpacking(s);
	unpack_sink_done(&s->sink);
	spool_done(&s->bytes);
	mem_free(s->lines);
	mem_free(s->lost);
	mem_free(s->database);
	mem_free(s->name);
	mem_free(s);
}

struct source *source_share(struct source *s)
{
	s->shares++;
	return s;
}

bool source_is_stream(const struct source *s)
{
	return s->piped;
}

struct source *source_open_text(const char *name, struct str bytes)
{
	struct source *s = source_new(name);

	buf_str(&s->bytes.memory, bytes);
	s->bytes.size = bytes.n;
	return s;
}

/* ---- unpacking ---- */

static bool make_ready(struct source *s, struct err *err)
{
	s->ready = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (s->ready < 0)
		err_set(err, "cannot be unpacked: /dev/null: %s", strerror(errno));
	return s->ready >= 0;
}

static bool begin_unpacking(struct source *s, struct err *err)
{
	if (make_ready(s, err))
		s->unpack = unpack_new(&s->packed, &s->sink, err);
	return s->unpack != NULL;
}

static enum likeness likeness_of_packed(struct spool *bytes)
{
	char head[UNPACK_HEAD];

	return unpack_recognize(
		(struct str){head, spool_read(bytes, 0, head, sizeof(head))});
}

/* ---- opening ---- */

/* Why an open file is refused, or NULL.  Devices are, but for /dev/null: most never end.
 */
static const char *refusal(int fd, const struct stat *st)
{
	struct stat null;

	if (S_ISREG(st->st_mode) || S_ISFIFO(st->st_mode) || S_ISSOCK(st->st_mode))
		return NULL;
	if (S_ISCHR(st->st_mode) && stat("/dev/null", &null) == 0 &&
		S_ISCHR(null.st_mode) && null.st_rdev == st->st_rdev)
		return NULL;
	if (S_ISDIR(st->st_mode))
		return "is a directory; name a file in it";
	if (isatty(fd))
		return "is a terminal; name a file, or send a trace through a pipe";
	return "is a device; copy what you want to read to a file";
}

/* A descriptor, or -1 with err. */
static int open_path(const char *path, struct stat *st, struct err *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO
			  : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	const char *why = NULL;

	if (fd < 0 && errno == ENXIO && stat(path, st) == 0 && S_ISCHR(st->st_mode))
		err_set(err, "is a device that cannot be opened; name a file");
	else if (fd < 0 && errno == ENXIO)
		err_set(err, "is a socket that cannot be opened by its name");
	else if (fd < 0)
		err_set(err, "cannot be opened: %s", strerror(errno));
	if (fd < 0)
		return fd;
	if (fstat(fd, st) < 0)
		err_set(err, "cannot be read: %s", strerror(errno));
	else if ((why = refusal(fd, st)))
		err_set(err, "%s", why);
	else
		return fd;
	if (!is_stdin)
		close(fd);
	return -1;
}

/* A regular file; what it begins with says how it is read. */
static bool open_file(struct source *s, int fd, uint64_t size, struct err *err)
{
	struct spool file = {.fd = fd, .size = size};
	enum likeness packed = likeness_of_packed(&file);

	if (packed != LIKE_SURELY) {
		s->bytes = file;
		s->file = true;
		s->open = packed == LIKE_MAYBE;
		return true;
	}
	s->packed = file;
	if (!begin_unpacking(s, err))
		return false;
	s->log = unpack_is_log(s->unpack);
	return s->log || source_pump(s, err);
}

/* A database, or of one that is named by it a session. */
static struct source *open_database(
	const char *path, const char *file, struct str session, struct err *err)
{
	struct source *s = source_new(path);

	if (session.n) {
		s->database = mem_dup(file, strlen(file));
		s->stamp = database_stamp(file);
		s->stamped = clock_us();
	}
	if (make_ready(s, err))
		s->unpack = unpack_new_database(file, session, &s->sink, err);
	if (s->unpack && source_pump(s, err))
		return s;
	source_free(s);
	return NULL;
}

struct source *source_open(const char *path, struct err *err)
{
	bool is_stdin = strcmp(path, "-") == 0, is_file;
	const char *name = is_stdin ? standard_input : path;
	AUTO_BUF file = BUF_INIT, session = BUF_INIT;
	struct source *s = NULL;
	struct stat st;
	char byte;
	int fd = open_path(path, &st, err);

	err_source(err, name);
	if (fd < 0 && !is_stdin && database_split(path, &file, &session)) {
		err_done(err);
		err_source(err, path);
		s = open_database(path, file.data, buf_view(&session), err);
	}
	if (fd < 0 && !is_stdin && remote_is_allowed(path)) {
		err_done(err);
		err_source(err, path);
		s = source_new(path);
		s->remote = remote_open(path, &s->stream, err);
		s->undecided = s->piped = true;
		if (!s->remote) {
			source_free(s);
			s = NULL;
		}
	}
	if (fd < 0)
		return s;
	if (!is_stdin && S_ISREG(st.st_mode) && database_is(path)) {
		close(fd);
		return open_database(path, path, (struct str){0}, err);
	}
	s = source_new(name);
	/* Some files have bytes though the system says they have none (/proc): those are
	 * streams, as are pipes, and as is a file on standard input that was read in part
	 * already. */
	is_file = S_ISREG(st.st_mode) && !(is_stdin && lseek(fd, 0, SEEK_CUR) > 0) &&
		  (st.st_size > 0 || pread(fd, &byte, 1, 0) == 0);
	if (!is_file) {
		s->stream = fd;
		s->undecided = s->piped = true;
		return s;
	}
	fd = is_stdin ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : fd;
	if (fd < 0)
		err_set(err, "cannot be opened: %s", strerror(errno));
	else if (open_file(s, fd, (uint64_t)st.st_size, err))
		return s;
	source_free(s);
	return NULL;
}

/* ---- members ---- */

enum source_kind source_kind(const struct source *s)
{
	if ((s->undecided && s->stream >= 0) ||
		(s->unpack && unpack_may_be_archive(s->unpack)))
		return SOURCE_UNDECIDED;
	return s->sink.member_count || (s->unpack && unpack_is_archive(s->unpack))
		       ? SOURCE_ARCHIVE
		       : SOURCE_PLAIN;
}

size_t source_members(const struct source *archive)
{
	return archive->archive ? 0 : archive->sink.member_count;
}

struct source *source_member(struct source *archive, size_t i)
{
	AUTO_BUF name = BUF_INIT;
	struct source *s;

	buf_printf(&name, "%s/%s", archive->name, archive->sink.members[i].name);
	s = source_new(name.data);
	s->archive = archive;
	s->member = i;
	return s;
}

/* Where a member is in the bytes of its archive, as far as they are there. */
static struct byte_range {
	uint64_t start, end;
	bool last; /* the archive may still bring more of it */
} member_range(const struct source *s)
{
	const struct unpack_sink *o = &s->archive->sink;
	bool last = s->member + 1 == o->member_count;

	return (struct byte_range){o->members[s->member].start,
		last ? s->archive->bytes.size : o->members[s->member + 1].start, last};
}

/* ---- a file that grows, and one of many ---- */

static void remember(struct watch *w, struct spool *bytes)
{
	w->tail_n = bytes->size < WATCH_TAIL ? (size_t)bytes->size : WATCH_TAIL;
	w->tail_n = spool_read(bytes, bytes->size - w->tail_n, w->tail, w->tail_n);
}

static void watch_begin(struct watch *w, struct spool *bytes, const char *path)
{
	struct stat st;

	*w = (struct watch){.path = path};
	if (fstat(bytes->fd, &st) == 0) {
		w->device = st.st_dev;
		w->inode = st.st_ino;
	}
	remember(w, bytes);
}

void source_follow(struct source *s, bool follow)
{
	bool log = s->log && s->unpack;

	if ((!s->file && !s->database && !log) || s->change != SOURCE_SAME)
		return;
	if (!s->database && follow && !s->follows && !s->asleep)
		watch_begin(&s->watch, log ? &s->packed : &s->bytes,
			strcmp(s->name, standard_input) == 0 ? NULL : s->name);
	s->follows = follow && !s->asleep;
	s->needs_input &= s->follows || !log;
}

bool source_follows(const struct source *s)
{
	return s->follows;
}

enum source_change source_change(const struct source *s)
{
	return s->change;
}

/* A file that was replaced could not be opened again by its name. */
bool source_can_sleep(const struct source *s)
{
	return s->file && !s->asleep && !s->follows && s->change == SOURCE_SAME &&
	       strcmp(s->name, standard_input) != 0;
}

void source_sleep(struct source *s)
{
	if (!source_can_sleep(s))
		return;
	watch_begin(&s->watch, &s->bytes, s->name);
	close(s->bytes.fd);
	s->bytes.fd = -1;
	s->asleep = true;
}

/* ---- properties ---- */

const char *source_name(const struct source *s)
{
	return s->name;
}

uint64_t source_size(const struct source *s)
{
	struct byte_range r;

	if (!s->archive)
		return s->bytes.size;
	r = member_range(s);
	return r.end - r.start;
}

bool source_complete(const struct source *s)
{
	if (s->archive)
		return !member_range(s).last || source_complete(s->archive);
	return s->stream < 0 && !s->unpack && !s->follows;
}

static bool wants_stream(const struct source *s)
{
	return s->stream >= 0 && (!s->unpack || s->needs_input);
}

bool source_unpacks(const struct source *s)
{
	s = s->archive ? s->archive : s;
	return s->unpack && !wants_stream(s) && !(s->follows && s->needs_input);
}

int source_watch(const struct source *s)
{
	s = s->archive ? s->archive : s;
	return source_unpacks(s) ? s->ready : s->stream;
}

static bool stream_ready(const struct source *s, int timeout)
{
	struct pollfd p = {.fd = s->stream, .events = POLLIN};

	return poll(&p, 1, timeout) > 0;
}

/* ---- what comes in ---- */

static bool take_stream(struct source *s, struct err *err)
{
	bool packed = s->undecided || s->unpack;
	AUTO_FREE char *chunk = mem_alloc(READ_STEP);
	ssize_t n = read(s->stream, chunk, READ_STEP);
	enum likeness likeness;
	bool ok = true;

	if (n > 0) {
		ok = spool_add(packed ? &s->packed : &s->bytes, chunk, (size_t)n, err);
	} else if (n == 0) {
		end_stream(s);
		ok = !s->remote || remote_ended_well(s->remote, err);
	} else if (errno != EINTR && errno != EAGAIN) {
		err_at(err, s->bytes.size, "cannot be read: %s", strerror(errno));
		ok = false;
	}
	s->needs_input = false;
	if (!ok || !s->undecided)
		return ok;
	/* whether it is packed, by what has come so far */
	likeness = likeness_of_packed(&s->packed);
	if (likeness == LIKE_MAYBE && s->stream >= 0 && s->packed.size < UNPACK_HEAD)
		return true;
	s->undecided = false;
	if (likeness == LIKE_SURELY)
		return begin_unpacking(s, err);
	s->bytes = s->packed;
	s->packed = (struct spool)SPOOL_INIT;
	return true;
}

/* What became of a followed source: compares a file with what was read of it, which grows
 * when the file only has grown.  One that turns out to be packed has to be read again; at
 * a database it looks now and then. */
static enum source_change look(struct source *s)
{
	struct spool *bytes = s->log ? &s->packed : &s->bytes;
	struct watch *w = &s->watch;
	enum likeness packed = LIKE_MAYBE;
	struct database_stamp now;
	char tail[WATCH_TAIL];
	struct stat st;
	bool replaced;

	if (s->database) {
		if (s->unpack || clock_us() - s->stamped < STAMP_PAUSE)
			return SOURCE_SAME;
		s->stamped = clock_us();
		now = database_stamp(s->database);
		return memcmp(&now, &s->stamp, sizeof(now)) ? SOURCE_REWRITTEN
							    : SOURCE_SAME;
	}
	/* The name first: what was written before it led elsewhere is still read.  A name
	 * that leads nowhere, for the moment, is no other file. */
	replaced = w->path && stat(w->path, &st) == 0 &&
		   (st.st_dev != w->device || st.st_ino != w->inode);
	s->needs_input &= !s->log;
	if (fstat(bytes->fd, &st) < 0)
		replaced = false;
	else if (bytes->shrank || (uint64_t)st.st_size < bytes->size ||
		 (replaced && !st.st_nlink))
		return SOURCE_REWRITTEN;
	else if ((uint64_t)st.st_size > bytes->size) {
		if (spool_read(bytes, bytes->size - w->tail_n, tail, w->tail_n) !=
				w->tail_n ||
			memcmp(tail, w->tail, w->tail_n) != 0)
			return SOURCE_REWRITTEN;
		bytes->size = (uint64_t)st.st_size;
		remember(w, bytes);
	}
	if (s->open && !replaced)
		packed = likeness_of_packed(&s->bytes);
	s->open &= packed == LIKE_MAYBE && s->bytes.size < UNPACK_HEAD;
	return packed == LIKE_SURELY ? SOURCE_REWRITTEN
	       : replaced            ? SOURCE_REPLACED
				     : SOURCE_SAME;
}

bool source_pump(struct source *s, struct err *err)
{
	bool ok = true;

	s = s->archive ? s->archive : s;
	if (source_complete(s))
		return true;
	if (s->follows) { /* then it was the same file so far */
		s->change = look(s);
		s->follows = s->change == SOURCE_SAME;
	}
	if (wants_stream(s) && stream_ready(s, 0))
		ok = take_stream(s, err);
	if (ok && s->unpack && !s->needs_input) {
		enum task_state status = unpack_run(s->unpack, s->stream < 0 && !s->follows,
			clock_deadline(SLICE), err);

		s->needs_input = status == TASK_IDLE;
		ok = status != TASK_FAILED;
		if (status == TASK_DONE) {
			end_stream(s);
			end_unpacking(s);
		}
	}
	if (ok)
		return true;
	/* the source ends here */
	err_source(err, s->name);
	mem_free(s->lost);
	s->lost = mem_dup(err->text, strlen(err->text));
	s->lost_at = err->offset;
	end_stream(s);
	end_unpacking(s);
	s->undecided = false;
	return false;
}

bool source_wait(struct source *s, struct err *err)
{
	s = s->archive ? s->archive : s;
	if (wants_stream(s))
		stream_ready(s, -1);
	return source_pump(s, err);
}

size_t source_read(struct source *s, uint64_t offset, void *out, size_t n)
{
	struct byte_range r;
	struct stat st;

	count_work(WORK_READ, n);
	if (s->archive) {
		r = member_range(s);
		if (offset >= r.end - r.start)
			return 0;
		if (n > r.end - r.start - offset)
			n = (size_t)(r.end - r.start - offset);
		return spool_read(&s->archive->bytes, r.start + offset, out, n);
	}
	if (s->asleep) { /* it is opened again, if it is still the file that it was */
		int fd = open(s->name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

		s->woke_wrong = fd < 0 || fstat(fd, &st) < 0 ||
				st.st_dev != s->watch.device ||
				st.st_ino != s->watch.inode;
		s->asleep = s->woke_wrong;
		if (!s->woke_wrong)
			s->bytes.fd = fd;
		else if (fd >= 0)
			close(fd);
	}
	return s->asleep ? 0 : spool_read(&s->bytes, offset, out, n);
}

int source_descriptor(const struct source *s)
{
	return !s->archive && !s->asleep && source_complete(s) ? s->bytes.fd : -1;
}

bool source_failed(const struct source *s, struct err *err)
{
	s = s->archive ? s->archive : s;
	if (s->lost)
		err_at(err, s->lost_at, "%s", s->lost);
	else if (s->woke_wrong)
		err_set(err, "is gone or another file by now; open it again");
	else if (!spool_failed(&s->bytes, err))
		return false;
	err_source(err, s->name);
	return true;
}

void source_mend(struct source *s, struct buf *text, uint64_t offset, const char *note)
{
	spool_done(&s->bytes);
	s->bytes.size = text->len;
	s->bytes.memory = *text;
	*text = (struct buf)BUF_INIT;
	s->archive = NULL;
	s->file = s->asleep = false;
	s->line_count = 0;
	unpack_sink_note(&s->sink, offset, "%s", note);
}

const struct source_note *source_notes(const struct source *s, size_t *count)
{
	*count = s->sink.note_count;
	return s->sink.notes;
}

/* ---- places ---- */

static struct line_place lines_before(struct source *s, uint64_t offset)
{
	size_t known = offset / READ_STEP < s->line_count ? offset / READ_STEP
							   : s->line_count;
	struct line_place place = known ? s->lines[known - 1] : (struct line_place){0};
	AUTO_FREE char *chunk = mem_alloc(READ_STEP);

	for (uint64_t at = (uint64_t)known * READ_STEP; at < offset;) {
		uint64_t left = offset - at;
		size_t n = source_read(
			s, at, chunk, left < READ_STEP ? (size_t)left : READ_STEP);

		if (!n)
			break;
		for (const char *p = chunk;
			(p = memchr(p, '\n', n - (size_t)(p - chunk)));) {
			place.line++;
			place.start = at + (uint64_t)(++p - chunk);
		}
		at += n;
		if (at == (s->line_count + 1) * (uint64_t)READ_STEP)
			*MEM_ADD(s->lines, s->line_count, s->line_cap) = place;
	}
	return place;
}

void source_locate(struct source *s, struct err *err)
{
	const struct unpack_sink_member *member =
		err->offset == ERR_NOWHERE ? NULL
					   : unpack_sink_member_at(&s->sink, err->offset);
	uint64_t start = member ? member->start : 0;
	AUTO_BUF name = BUF_INIT;
	struct line_place place;

	buf_text(&name, s->name);
	if (member)
		buf_printf(&name, "/%s", member->name);
	err_source(err, name.data);
	if (err->offset == ERR_NOWHERE)
		return;
	place = lines_before(s, err->offset);
	err->line = place.line - lines_before(s, start).line + 1;
	err->column = err->offset - (place.start > start ? place.start : start) + 1;
	err->offset -= start;
}
