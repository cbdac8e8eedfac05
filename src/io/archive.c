/*
 * libarchive, opened by the name that configure found (see archive.h): linking it would
 * cost every start of the program some milliseconds.  It asks for the bytes it wants;
 * they are handed out in small pieces, because of a piece that is damaged it gives
 * nothing.  A static program (--enable-static) has it inside.
 */
#include "config.h"
#include "io/archive.h"

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

struct zip *zip_open(struct spool *packed, struct err *err)
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

void zip_free(struct zip *z)
{
	if (!z)
		return;
	lib.archive_read_free(z->archive);
	buf_done(&z->message);
	mem_free(z->window);
	mem_free(z);
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

/* ---- members ---- */

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

void zip_next(struct zip *z, struct zip_item *item)
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

void zip_skip(struct zip *z)
{
	z->inside = z->warned = false;
}

uint64_t zip_consumed(const struct zip *z)
{
	return z->consumed;
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

struct zip *zip_open(struct spool *packed, struct err *err)
{
	(void)packed;
	err_set(err, "is an archive; unpack it first");
	return NULL;
}

void zip_free(struct zip *z)
{
	(void)z;
}

void zip_next(struct zip *z, struct zip_item *item)
{
	(void)z;
	*item = (struct zip_item){.event = ZIP_END};
}

void zip_skip(struct zip *z)
{
	(void)z;
}

uint64_t zip_consumed(const struct zip *z)
{
	(void)z;
	return 0;
}

#endif
