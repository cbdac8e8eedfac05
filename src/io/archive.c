/*
 * libarchive, opened by the name that configure found (see unpack.h): linking it would
 * cost every start of the program some milliseconds.  It asks for the bytes it wants;
 * they are handed out in small pieces, because of a piece that is damaged it gives
 * nothing.  A static program (--enable-static) has it inside.
 */
#include "config.h"
#include "io/unpack.h"

#include <inttypes.h>

#include "io/source.h"

#ifdef HAVE_ARCHIVE

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/mem.h"

#define WINDOW        (64u * 1024)
#define PIECE         256u
#define RESTARTS_MOST 100 /* after more faults an archive is given up */

#define FUNCTIONS(X)                                                                     \
	X(archive_read_new)                                                              \
	X(archive_read_free)                                                             \
	X(archive_read_support_format_zip)                                               \
	X(archive_read_support_format_tar)                                               \
	X(archive_read_support_filter_gzip)                                              \
	X(archive_read_support_filter_bzip2)                                             \
	X(archive_read_support_filter_xz)                                                \
	X(archive_read_support_filter_zstd)                                              \
	X(archive_read_set_callback_data)                                                \
	X(archive_read_set_read_callback)                                                \
	X(archive_read_set_seek_callback)                                                \
	X(archive_read_set_skip_callback)                                                \
	X(archive_read_open1)                                                            \
	X(archive_read_next_header)                                                      \
	X(archive_read_data_block)                                                       \
	X(archive_entry_pathname)                                                        \
	X(archive_entry_pathname_utf8)                                                   \
	X(archive_entry_filetype)                                                        \
	X(archive_error_string)

static struct {
#define POINTER(name) __typeof__(name) *name;
	FUNCTIONS(POINTER)
#undef POINTER
	bool loaded;
} lib;

#define BLANKS_MOST                                                                      \
	65536 /* a member with more white space before its first character is no JSON */
#define NAMES_MOST 5   /* of those that are left out; the others are counted */
#define NAME_MOST  255 /* bytes of a name that are kept */
#define NOTES_MOST 50  /* of problems; the others are counted */

struct archive_members {
	struct spool *packed;
	struct unpack_sink *out;

	/* reading */
	struct archive *archive;
	uint64_t at, consumed;
	char *window; /* bytes [window_at, window_at + window_n) of the archive */
	uint64_t window_at;
	size_t window_n;
	bool inside; /* a member whose data are wanted */
	bool warned; /* the data given last end in a problem */
	bool over;
	unsigned restarts; /* of reading, after faults */
	uint64_t headers;  /* read so far */

	/* choosing */
	bool any;     /* takes whatever it holds: there is only one */
	bool journal; /* it is a log of Inspect: some members only repeat others */
	enum { NO_MEMBER, UNDECIDED, TAKEN, SKIPPED } state;
	struct buf name, head; /* of the member at hand; its first bytes until decided */
	uint64_t seen, taken, skipped, problems;
	struct buf skipped_names;
};

/* ---- what libarchive asks for ---- */

static la_ssize_t give_bytes(struct archive *a, void *ctx, const void **bytes)
{
	struct archive_members *m = ctx;
	size_t n;

	if (m->at < m->window_at || m->at >= m->window_at + m->window_n) {
		m->window_at = m->at;
		m->window_n = spool_read(m->packed, m->at, m->window, WINDOW);
	}
	n = (size_t)(m->window_at + m->window_n - m->at);
	n = n < PIECE ? n : PIECE;
	*bytes = m->window + (m->at - m->window_at);
	m->at += n;
	m->consumed += n;
	return (la_ssize_t)n;
}

static la_int64_t seek_to(struct archive *a, void *ctx, la_int64_t offset, int whence)
{
	struct archive_members *m = ctx;
	uint64_t base = whence == SEEK_SET   ? 0
			: whence == SEEK_CUR ? m->at
					     : m->packed->size;
	uint64_t back = offset < 0 ? 0 - (uint64_t)offset : 0;

	if (back > base)
		return ARCHIVE_FATAL;
	m->at = offset < 0 ? base - back : base + (uint64_t)offset;
	if (m->at > m->packed->size)
		m->at = m->packed->size;
	return (la_int64_t)m->at;
}

static la_int64_t skip_bytes(struct archive *a, void *ctx, la_int64_t n)
{
	struct archive_members *m = ctx;
	uint64_t left = m->packed->size > m->at ? m->packed->size - m->at : 0;

	if (n < 0)
		return 0;
	if ((uint64_t)n > left)
		n = (la_int64_t)left;
	m->at += (uint64_t)n;
	return n;
}

/* ---- opening ---- */

#ifdef ARCHIVE_LINKED
#define LIBRARY "libarchive"

static bool load(void)
{
#define LOAD(name) lib.name = name;
	FUNCTIONS(LOAD)
#undef LOAD
	return lib.loaded = true;
}
#else
#define LIBRARY ARCHIVE_LIBRARY

static bool load(void)
{
	void *handle = lib.loaded ? NULL : dlopen(ARCHIVE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	void *function;

	if (!handle)
		return lib.loaded;
#define LOAD(name)                                                                       \
	function = dlsym(handle, #name);                                                 \
	if (!function)                                                                   \
		return false;                                                            \
	memcpy((char *)&lib.name, &function, sizeof(function));
	FUNCTIONS(LOAD)
#undef LOAD
	return lib.loaded = true;
}
#endif

static bool open_archive(struct archive_members *m)
{
	struct archive *a = m->archive = lib.archive_read_new();

	if (!a)
		mem_fail();
	m->at = 0;
	lib.archive_read_support_filter_gzip(a);
	lib.archive_read_support_filter_bzip2(a);
	lib.archive_read_support_filter_xz(a);
	lib.archive_read_support_filter_zstd(a);
	return lib.archive_read_support_format_zip(a) >= ARCHIVE_WARN &&
	       lib.archive_read_support_format_tar(a) >= ARCHIVE_WARN &&
	       lib.archive_read_set_callback_data(a, m) == ARCHIVE_OK &&
	       lib.archive_read_set_read_callback(a, give_bytes) == ARCHIVE_OK &&
	       lib.archive_read_set_seek_callback(a, seek_to) == ARCHIVE_OK &&
	       lib.archive_read_set_skip_callback(a, skip_bytes) == ARCHIVE_OK &&
	       lib.archive_read_open1(a) == ARCHIVE_OK;
}

/* After a fault in a member's data libarchive is of no more use: another one goes on at
 * header `headers`. */
static bool reopen(struct archive_members *m, uint64_t headers)
{
	struct archive_entry *entry;
	bool ok;

	lib.archive_read_free(m->archive);
	ok = open_archive(m);
	for (uint64_t i = 0; ok && i < headers; i++)
		ok = lib.archive_read_next_header(m->archive, &entry) >= ARCHIVE_WARN;
	return ok;
}

static const char *problem_text(const struct archive_members *m)
{
	const char *text = lib.archive_error_string(m->archive);

	return text ? text : "it cannot be read";
}

bool archive_is_tar(struct str head)
{
	return head.n >= ARCHIVE_TAR_HEAD &&
	       memcmp(head.p + ARCHIVE_TAR_HEAD - 5, "ustar", 5) == 0;
}

enum likeness zip_recognize(struct str head)
{
	static const struct str magics[] = {{"PK\003\004", 4}, {"PK\005\006", 4}};
	enum likeness best = LIKE_NONE;

	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++) {
		if (str_starts(head, magics[i]))
			return LIKE_SURELY;
		if (str_starts(magics[i], head))
			best = LIKE_MAYBE;
	}
	if (archive_is_tar(head))
		return LIKE_SURELY;
	/* the first member's name, and what fills up its place */
	if (head.n < ARCHIVE_TAR_HEAD && memchr(head.p, '\0', head.n))
		best = LIKE_MAYBE;
	return best;
}

/* ---- one member after another ---- */

static const struct str mark = {"\xEF\xBB\xBF", 3}; /* of UTF-8, at its beginning */

struct archive_members *members_new(
	struct spool *packed, struct unpack_sink *out, struct err *err)
{
	struct archive_members *m;

	if (!load()) {
		err_set(err, "is an archive, and the library for that, " LIBRARY
			     ", is not there; install it, or unpack the file first "
			     "(unzip)");
		return NULL;
	}
	m = mem_zalloc(1, sizeof(*m));
	m->packed = packed;
	m->out = out;
	m->window = mem_alloc(WINDOW);
	if (open_archive(m))
		return m;
	err_set(err, "is no archive that can be read: %s", problem_text(m));
	members_free(m);
	return NULL;
}

void members_free(struct archive_members *m)
{
	if (!m)
		return;
	lib.archive_read_free(m->archive);
	mem_free(m->window);
	buf_done(&m->name);
	buf_done(&m->head);
	buf_done(&m->skipped_names);
	mem_free(m);
}

static bool put(struct archive_members *m, struct str bytes, struct err *err)
{
	return unpack_sink_put(m->out, bytes, m->consumed, err);
}

/* Gives no more data of the member at hand. */
static void skip_data(struct archive_members *m)
{
	m->state = SKIPPED;
	m->inside = m->warned = false;
}

/* It holds no JSON. */
static void leave_out_member(struct archive_members *m)
{
	m->state = SKIPPED;
	if (m->skipped++ < NAMES_MOST) {
		buf_text(&m->skipped_names, m->skipped_names.len ? ", " : "");
		buf_str(&m->skipped_names, buf_view(&m->name));
	}
}

/* The member is wanted: its first bytes, which were kept until that was decided, go out.
 */
static bool take(struct archive_members *m, struct err *err)
{
	struct str head = buf_view(&m->head);
	bool more = !m->out->spool->size || m->out->last == '\n' ||
		    put(m, STR("\n"), err);

	if (m->taken && str_starts(head, mark))
		head = str_skip(head, mark.n);
	m->state = TAKEN;
	m->taken++;
	unpack_sink_begin_member(m->out, buf_view(&m->name));
	return more && put(m, head, err);
}

/* Notes what libarchive says of the member at hand, or of the archive.  After a fatal
 * problem reading begins again at the next member, where there is one. */
static void note_problem(struct archive_members *m, bool fatal)
{
	bool archive = !m->inside;
	struct str name = buf_view(&m->name);
	AUTO_BUF text = BUF_INIT;

	buf_text(&text, problem_text(m));
	m->over |= fatal && (archive || ++m->restarts > RESTARTS_MOST);
	if (fatal && !m->over)
		m->over = !reopen(m, m->headers);
	if (m->over)
		buf_text(&text, "; nothing after it can be read");
	m->inside = m->warned = false;
	if (archive && m->state == UNDECIDED)
		leave_out_member(m);
	if (m->problems++ >= NOTES_MOST)
		; /* finish notes how many */
	else if (archive)
		unpack_sink_note(m->out, ERR_NOWHERE, "the archive is damaged: %s",
			text.data);
	else
		unpack_sink_note(m->out, ERR_NOWHERE,
			m->state == TAKEN ? "%.*s ends in damaged data: %s"
					  : "%.*s cannot be unpacked: %s",
			(int)name.n, name.p, text.data);
	m->state = NO_MEMBER;
}

/* All members were read. */
static bool finish(struct archive_members *m, struct err *err)
{
	AUTO_BUF names = BUF_INIT;

	if (m->state == UNDECIDED)
		leave_out_member(m);
	if (!m->taken && m->seen == 1 && m->skipped == 1 && !m->any) {
		/* begins again, to take the only one whatever it holds */
		m->any = true;
		m->over = false;
		m->state = NO_MEMBER;
		m->seen = m->skipped = m->headers = m->consumed = m->restarts = 0;
		buf_clear(&m->skipped_names);
		if (reopen(m, 0))
			return true;
		err_set(err, "is no archive that can be read: %s", problem_text(m));
		return false;
	}
	buf_str(&names, buf_view(&m->skipped_names));
	if (m->skipped > NAMES_MOST)
		buf_printf(&names, " and %" PRIu64 " more", m->skipped - NAMES_MOST);
	if (m->taken && m->skipped)
		unpack_sink_note(
			m->out, ERR_NOWHERE, "left out: %s, no JSON", names.data);
	if (m->taken && m->problems > NOTES_MOST)
		unpack_sink_note(m->out, ERR_NOWHERE,
			"%" PRIu64 " more members are damaged", m->problems - NOTES_MOST);
	if (m->taken)
		; /* it is done */
	else if (m->out->note_count)
		err_set(err, "nothing of it can be unpacked: %s", m->out->notes[0].text);
	else if (!m->seen)
		err_set(err, "is an archive without a member");
	else
		err_set(err, "none of its %" PRIu64 " members holds JSON: %s", m->seen,
			names.data);
	return false;
}

/* The next header; folders are passed over. */
static bool next_member(struct archive_members *m, struct err *err)
{
	struct archive_entry *entry;
	int rc = lib.archive_read_next_header(m->archive, &entry);
	const char *path;
	struct str name;

	m->headers++;
	m->over = rc == ARCHIVE_EOF;
	if (m->over)
		return true;
	if (rc < ARCHIVE_WARN) {
		note_problem(m, rc != ARCHIVE_FAILED);
		return true;
	}
	if (lib.archive_entry_filetype(entry) == AE_IFDIR)
		return true;
	path = lib.archive_entry_pathname(entry);
	path = path ? path : lib.archive_entry_pathname_utf8(entry);
	name = str_of(path && *path ? path : "a member without a name");
	m->inside = lib.archive_entry_filetype(entry) == AE_IFREG;
	if (m->state == UNDECIDED) /* the one before was empty, or blank */
		leave_out_member(m);
	m->state = UNDECIDED;
	m->seen++;
	buf_set(&m->name, (struct str){name.p, name.n < NAME_MOST ? name.n : NAME_MOST});
	buf_text(&m->name, name.n > NAME_MOST ? "..." : "");
	buf_clear(&m->head);
	if (m->any)
		return take(m, err);
	/* in a log of Inspect a summary of samples that are in the archive, too */
	m->journal |= str_starts(name, STR("_journal/"));
	if (m->journal && (str_starts(name, STR("_journal/summaries/")) ||
				  str_equal(name, STR("summaries.json")) ||
				  str_equal(name, STR("reductions.json"))))
		skip_data(m);
	return true;
}

static bool next_data(struct archive_members *m, struct err *err)
{
	const void *bytes = NULL;
	size_t n = 0;
	la_int64_t offset;
	int rc = lib.archive_read_data_block(m->archive, &bytes, &n, &offset);
	struct str head;

	if (rc == ARCHIVE_EOF) {
		m->inside = false;
		return true;
	}
	if (rc != ARCHIVE_OK && (rc != ARCHIVE_WARN || !n)) {
		note_problem(m, rc != ARCHIVE_WARN && rc != ARCHIVE_FAILED);
		return true;
	}
	m->warned = rc != ARCHIVE_OK;
	if (m->state == TAKEN)
		return put(m, (struct str){bytes, n}, err);
	if (m->state != UNDECIDED)
		return true;
	buf_add(&m->head, bytes, n);
	/* JSON that may hold a trace begins with a bracket */
	head = buf_view(&m->head);
	if (head.n < mark.n && str_starts(mark, head))
		return true;
	str_take(&head, mark);
	head = str_trim(head);
	if (head.n && (*head.p == '{' || *head.p == '['))
		return take(m, err);
	if (head.n || m->head.len > BLANKS_MOST) {
		leave_out_member(m);
		skip_data(m);
	}
	return true;
}

bool members_read(struct archive_members *m, struct err *err)
{
	if (m->over)
		return finish(m, err);
	if (!m->inside)
		return next_member(m, err);
	if (!m->warned)
		return next_data(m, err);
	note_problem(m, false);
	return true;
}

#else /* built without the library */

bool archive_is_tar(struct str head)
{
	return false;
}

enum likeness zip_recognize(struct str head)
{
	return LIKE_NONE;
}

struct archive_members *members_new(
	struct spool *packed, struct unpack_sink *out, struct err *err)
{
	(void)packed, (void)out;
	err_set(err, "is an archive; unpack it first");
	return NULL;
}

void members_free(struct archive_members *m)
{
}

bool members_read(struct archive_members *m, struct err *err)
{
	(void)m, (void)err;
	return false;
}

#endif
