/*
 * libarchive, opened by the name that configure found (see archive.h): linking it would
 * cost every start of the program some milliseconds.  It asks for the bytes it wants;
 * they are handed out in small pieces, because of a piece that is damaged it gives
 * nothing.  A static program (--enable-static) has it inside.
 */
#include "config.h"
#include "io/archive.h"

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

struct zip {
	struct archive *archive;
	struct spool *packed;
	uint64_t at, consumed;
	char *window; /* bytes [window_at, window_at + window_n) of the archive */
	uint64_t window_at;
	size_t window_n;
	bool inside; /* a member whose data are wanted */
	bool warned; /* the data given last end in a problem */
	bool over;
	unsigned restarts; /* of reading, after faults */
	uint64_t headers;  /* read so far */
	struct buf message;
};

enum zip_event {
	ZIP_MEMBER,  /* one begins: text is its name */
	ZIP_DATA,    /* of that member */
	ZIP_PROBLEM, /* with that member: text says which */
	ZIP_DAMAGE,  /* with the archive itself: text says which */
	ZIP_NOTHING, /* a piece of work without a result */
	ZIP_END,
};

struct zip_item {
	enum zip_event event;
	struct str text; /* valid until the next call */
};

/* ---- what libarchive asks for ---- */

static la_ssize_t give_bytes(struct archive *a, void *ctx, const void **bytes)
{
	struct zip *z = ctx;
	size_t n;

	(void)a;
	if (z->at < z->window_at || z->at >= z->window_at + z->window_n) {
		z->window_at = z->at;
		z->window_n = spool_read(z->packed, z->at, z->window, WINDOW);
	}
	n = (size_t)(z->window_at + z->window_n - z->at);
	n = n < PIECE ? n : PIECE;
	*bytes = z->window + (z->at - z->window_at);
	z->at += n;
	z->consumed += n;
	return (la_ssize_t)n;
}

static la_int64_t seek_to(struct archive *a, void *ctx, la_int64_t offset, int whence)
{
	struct zip *z = ctx;
	uint64_t base = whence == SEEK_SET   ? 0
			: whence == SEEK_CUR ? z->at
					     : z->packed->size;
	uint64_t back = offset < 0 ? 0 - (uint64_t)offset : 0;

	(void)a;
	if (back > base)
		return ARCHIVE_FATAL;
	z->at = offset < 0 ? base - back : base + (uint64_t)offset;
	if (z->at > z->packed->size)
		z->at = z->packed->size;
	return (la_int64_t)z->at;
}

static la_int64_t skip_bytes(struct archive *a, void *ctx, la_int64_t n)
{
	struct zip *z = ctx;
	uint64_t left = z->packed->size > z->at ? z->packed->size - z->at : 0;

	(void)a;
	if (n < 0)
		return 0;
	if ((uint64_t)n > left)
		n = (la_int64_t)left;
	z->at += (uint64_t)n;
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

static bool open_archive(struct zip *z)
{
	z->archive = lib.archive_read_new();
	if (!z->archive)
		mem_fail();
	lib.archive_read_support_filter_gzip(z->archive);
	lib.archive_read_support_filter_bzip2(z->archive);
	lib.archive_read_support_filter_xz(z->archive);
	lib.archive_read_support_filter_zstd(z->archive);
	return lib.archive_read_support_format_zip(z->archive) >= ARCHIVE_WARN &&
	       lib.archive_read_support_format_tar(z->archive) >= ARCHIVE_WARN &&
	       lib.archive_read_set_callback_data(z->archive, z) == ARCHIVE_OK &&
	       lib.archive_read_set_read_callback(z->archive, give_bytes) == ARCHIVE_OK &&
	       lib.archive_read_set_seek_callback(z->archive, seek_to) == ARCHIVE_OK &&
	       lib.archive_read_set_skip_callback(z->archive, skip_bytes) == ARCHIVE_OK &&
	       lib.archive_read_open1(z->archive) == ARCHIVE_OK;
}

static const char *problem_text(const struct zip *z)
{
	const char *text = lib.archive_error_string(z->archive);

	return text ? text : "it cannot be read";
}

/* After a fault in a member's data libarchive is of no more use: another one goes on at
 * the next header. */
static bool reopen(struct zip *z)
{
	struct archive_entry *entry;
	bool ok;

	lib.archive_read_free(z->archive);
	z->at = 0;
	ok = open_archive(z);
	for (uint64_t i = 0; ok && i < z->headers; i++)
		ok = lib.archive_read_next_header(z->archive, &entry) >= ARCHIVE_WARN;
	return ok;
}

static void zip_free(struct zip *z)
{
	if (!z)
		return;
	lib.archive_read_free(z->archive);
	buf_done(&z->message);
	mem_free(z->window);
	mem_free(z);
}

static struct zip *zip_open(struct spool *packed, struct err *err)
{
	struct zip *z;

	if (!load()) {
		err_set(err, "is an archive, and the library for that, " LIBRARY
			     ", is not there; install it, or unpack the file first "
			     "(unzip)");
		return NULL;
	}
	z = mem_zalloc(1, sizeof(*z));
	z->packed = packed;
	z->window = mem_alloc(WINDOW);
	if (open_archive(z))
		return z;
	err_set(err, "is no archive that can be read: %s", problem_text(z));
	zip_free(z);
	return NULL;
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

static void problem(struct zip *z, struct zip_item *item, bool fatal)
{
	buf_clear(&z->message);
	buf_text(&z->message, problem_text(z));
	item->event = z->inside ? ZIP_PROBLEM : ZIP_DAMAGE;
	z->over |= fatal && (!z->inside || ++z->restarts > RESTARTS_MOST);
	if (fatal && !z->over)
		z->over = !reopen(z);
	if (z->over)
		buf_text(&z->message, "; nothing after it can be read");
	item->text = buf_view(&z->message);
	z->inside = z->warned = false;
}

static void next_member(struct zip *z, struct zip_item *item)
{
	struct archive_entry *entry;
	int rc = lib.archive_read_next_header(z->archive, &entry);
	const char *name;

	z->headers++;
	if (rc == ARCHIVE_EOF) {
		item->event = ZIP_END;
		z->over = true;
	} else if (rc < ARCHIVE_WARN) {
		problem(z, item, rc != ARCHIVE_FAILED);
	} else if (lib.archive_entry_filetype(entry) != AE_IFDIR) {
		name = lib.archive_entry_pathname(entry);
		name = name ? name : lib.archive_entry_pathname_utf8(entry);
		item->event = ZIP_MEMBER;
		item->text = str_of(name && *name ? name : "a member without a name");
		z->inside = lib.archive_entry_filetype(entry) == AE_IFREG;
	}
}

static void next_data(struct zip *z, struct zip_item *item)
{
	const void *bytes = NULL;
	size_t n = 0;
	la_int64_t offset;
	int rc = lib.archive_read_data_block(z->archive, &bytes, &n, &offset);

	if (rc == ARCHIVE_EOF) {
		z->inside = false;
	} else if (rc == ARCHIVE_OK || (rc == ARCHIVE_WARN && n)) {
		item->event = ZIP_DATA;
		item->text = (struct str){bytes, n};
		z->warned = rc != ARCHIVE_OK;
	} else {
		problem(z, item, rc != ARCHIVE_WARN && rc != ARCHIVE_FAILED);
	}
}

/* Does one piece of work.  Folders are passed over.  After a problem the next member, or
 * the end, follows. */
static void zip_next(struct zip *z, struct zip_item *item)
{
	*item = (struct zip_item){.event = ZIP_NOTHING};
	if (z->over)
		item->event = ZIP_END;
	else if (z->warned)
		problem(z, item, false);
	else if (z->inside)
		next_data(z, item);
	else
		next_member(z, item);
}

/* Gives no more data of this member. */
static void zip_skip(struct zip *z)
{
	z->inside = z->warned = false;
}

/* ---- all that hold JSON ---- */

#define BLANKS_MOST                                                                      \
	65536 /* a member with more white space before its first character is no JSON */
#define NAMES_MOST 5   /* of those that are left out; the others are counted */
#define NAME_MOST  255 /* bytes of a name that are kept */
#define NOTES_MOST 50  /* of problems; the others are counted */

struct archive_members {
	struct spool *packed;
	struct unpack_sink *out;
	struct zip *zip;
	bool any;     /* takes whatever it holds: there is only one */
	bool journal; /* it is a log of Inspect: some members only repeat others */
	enum { NO_MEMBER, UNDECIDED, TAKEN, SKIPPED } state;
	struct buf name, head; /* of the member at hand; its first bytes until decided */
	uint64_t seen, taken, skipped, problems;
	struct buf skipped_names;
};

static const struct str mark = {"\xEF\xBB\xBF", 3}; /* of UTF-8, at its beginning */

struct archive_members *members_new(
	struct spool *packed, struct unpack_sink *out, struct err *err)
{
	struct zip *zip = zip_open(packed, err);
	struct archive_members *m;

	if (!zip)
		return NULL;
	m = mem_zalloc(1, sizeof(*m));
	m->packed = packed;
	m->out = out;
	m->zip = zip;
	return m;
}

void members_free(struct archive_members *m)
{
	if (!m)
		return;
	zip_free(m->zip);
	buf_done(&m->name);
	buf_done(&m->head);
	buf_done(&m->skipped_names);
	mem_free(m);
}

static enum task_state put(struct archive_members *m, struct str bytes, struct err *err)
{
	return unpack_sink_put(m->out, bytes, m->zip->consumed, err);
}

static void skip_member(struct archive_members *m)
{
	m->state = SKIPPED;
	if (m->skipped++ < NAMES_MOST) {
		buf_text(&m->skipped_names, m->skipped_names.len ? ", " : "");
		buf_str(&m->skipped_names, buf_view(&m->name));
	}
}

/* The member is wanted: its first bytes, which were kept until that was decided, go out.
 */
static enum task_state take(struct archive_members *m, struct err *err)
{
	enum task_state status = TASK_MORE;
	struct str head = buf_view(&m->head);

	if (m->out->spool->size && m->out->last != '\n')
		status = put(m, STR("\n"), err);
	if (m->taken && str_starts(head, mark)) {
		head.p += mark.n;
		head.n -= mark.n;
	}
	m->state = TAKEN;
	m->taken++;
	unpack_sink_begin_member(m->out, buf_view(&m->name));
	return status == TASK_MORE ? put(m, head, err) : status;
}

/* JSON that may hold a trace begins with a bracket. */
static enum task_state decide(struct archive_members *m, struct err *err)
{
	struct str head = buf_view(&m->head);

	if (head.n < mark.n && str_starts(mark, head))
		return TASK_MORE;
	if (str_starts(head, mark)) {
		head.p += mark.n;
		head.n -= mark.n;
	}
	head = str_trim(head);
	if (head.n && (*head.p == '{' || *head.p == '['))
		return take(m, err);
	if (head.n || m->head.len > BLANKS_MOST) {
		skip_member(m);
		zip_skip(m->zip);
	}
	return TASK_MORE;
}

/* In a log of Inspect: a summary of samples that are in the archive, too. */
static bool only_repeats(struct archive_members *m, struct str name)
{
	m->journal |= str_starts(name, STR("_journal/"));
	return m->journal && (str_starts(name, STR("_journal/summaries/")) ||
				     str_equal(name, STR("summaries.json")) ||
				     str_equal(name, STR("reductions.json")));
}

static enum task_state begin_member(
	struct archive_members *m, struct str name, struct err *err)
{
	if (m->state == UNDECIDED) /* empty, or blank */
		skip_member(m);
	m->state = UNDECIDED;
	m->seen++;
	buf_clear(&m->name);
	buf_str(&m->name, (struct str){name.p, name.n < NAME_MOST ? name.n : NAME_MOST});
	buf_text(&m->name, name.n > NAME_MOST ? "..." : "");
	buf_clear(&m->head);
	if (m->any)
		return take(m, err);
	if (only_repeats(m, name)) {
		m->state = SKIPPED;
		zip_skip(m->zip);
	}
	return TASK_MORE;
}

static void note_problem(struct archive_members *m, struct str text, bool archive)
{
	struct str name = buf_view(&m->name);

	if (archive && m->state == UNDECIDED)
		skip_member(m);
	if (m->problems++ >= NOTES_MOST)
		; /* finish notes how many */
	else if (archive)
		unpack_sink_note(m->out, ERR_NOWHERE, "the archive is damaged: %.*s",
			(int)text.n, text.p);
	else
		unpack_sink_note(m->out, ERR_NOWHERE,
			m->state == TAKEN ? "%.*s ends in damaged data: %.*s"
					  : "%.*s cannot be unpacked: %.*s",
			(int)name.n, name.p, (int)text.n, text.p);
	m->state = NO_MEMBER;
}

static void put_skipped(const struct archive_members *m, struct buf *out)
{
	buf_str(out, buf_view(&m->skipped_names));
	if (m->skipped > NAMES_MOST)
		buf_printf(out, " and %" PRIu64 " more", m->skipped - NAMES_MOST);
}

/* Nothing was unpacked: says why. */
static enum task_state fail(const struct archive_members *m, struct err *err)
{
	struct buf names = BUF_INIT;

	if (m->out->note_count) {
		err_set(err, "nothing of it can be unpacked: %s", m->out->notes[0].text);
	} else if (!m->seen) {
		err_set(err, "is an archive without a member");
	} else {
		put_skipped(m, &names);
		err_set(err, "none of its %" PRIu64 " members holds JSON: %s", m->seen,
			names.data);
	}
	buf_done(&names);
	return TASK_FAILED;
}

/* Begins again with an archive of one member, to take it whatever it holds. */
static enum task_state restart(struct archive_members *m, struct err *err)
{
	zip_free(m->zip);
	m->zip = zip_open(m->packed, err);
	m->any = true;
	m->state = NO_MEMBER;
	m->seen = m->skipped = 0;
	buf_clear(&m->skipped_names);
	return m->zip ? TASK_MORE : TASK_FAILED;
}

static enum task_state finish(struct archive_members *m, struct err *err)
{
	struct buf names = BUF_INIT;

	if (m->state == UNDECIDED)
		skip_member(m);
	if (!m->taken && m->seen == 1 && m->skipped == 1 && !m->any)
		return restart(m, err);
	if (!m->taken)
		return fail(m, err);
	put_skipped(m, &names);
	if (m->skipped)
		unpack_sink_note(
			m->out, ERR_NOWHERE, "left out: %s, no JSON", names.data);
	if (m->problems > NOTES_MOST)
		unpack_sink_note(m->out, ERR_NOWHERE,
			"%" PRIu64 " more members are damaged", m->problems - NOTES_MOST);
	buf_done(&names);
	return TASK_DONE;
}

enum task_state members_run(struct archive_members *m, struct err *err)
{
	struct zip_item item;

	zip_next(m->zip, &item);
	switch (item.event) {
	case ZIP_MEMBER:
		return begin_member(m, item.text, err);
	case ZIP_DATA:
		if (m->state == TAKEN)
			return put(m, item.text, err);
		if (m->state != UNDECIDED)
			return TASK_MORE;
		buf_str(&m->head, item.text);
		return decide(m, err);
	case ZIP_PROBLEM:
	case ZIP_DAMAGE:
		note_problem(m, item.text, item.event == ZIP_DAMAGE);
		return TASK_MORE;
	case ZIP_NOTHING:
		return TASK_MORE;
	case ZIP_END:
		break;
	}
	return finish(m, err);
}

#else /* built without the library */

bool archive_is_tar(struct str head)
{
	(void)head;
	return false;
}

enum likeness zip_recognize(struct str head)
{
	(void)head;
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
	(void)m;
}

enum task_state members_run(struct archive_members *m, struct err *err)
{
	(void)m, (void)err;
	return TASK_FAILED;
}

#endif
