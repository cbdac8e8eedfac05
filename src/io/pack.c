/* See pack.h. */
#include "config.h"
#include "io/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"

#define LEVEL  6
#define WINDOW (256u << 10)
#define HEAD   18 /* bytes that have the size, at most */

/* How much was read; less than `n` at the end, or where errno says why. */
struct packing {
	ZSTD_CCtx *zstd;
	char in[WINDOW], out[WINDOW];
};

/* One piece, or the last. */
static bool pack_piece(
	struct packing *p, size_t n, bool last, struct outfile *to, struct err *err)
{
	ZSTD_inBuffer in = {p->in, n, 0};
	size_t left;

	do {
		ZSTD_outBuffer out = {p->out, WINDOW, 0};

		left = ZSTD_compressStream2(
			p->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left)) {
			err_set(err, "%s", ZSTD_getErrorName(left));
			return false;
		}
		if (!outfile_write(to, (struct str){p->out, out.pos})) {
			err_set(err, "%s", strerror(to->problem));
			return false;
		}
	} while (last ? left > 0 : in.pos < n);
	return true;
}

bool pack_bytes(int from, uint64_t size, struct outfile *to, struct err *err)
{
	AUTO_FREE struct packing *p = mem_alloc(sizeof(*p));
	uint64_t at = 0;
	bool good;

	p->zstd = ZSTD_createCCtx();
	good = p->zstd && !ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(p->zstd, size)) &&
	       !ZSTD_isError(
		       ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, LEVEL)) &&
	       !ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1));
	if (!good)
		err_set(err, "the library of Zstandard refuses");
	do {
		size_t n = size - at < WINDOW ? (size_t)(size - at) : WINDOW;

		if (good && file_read_at(from, p->in, n, at) < n) {
			err_set(err, "%s", errno ? strerror(errno) : "it became shorter");
			good = false;
		}
		at += n;
		good = good && pack_piece(p, n, at == size, to, err);
	} while (good && at < size);
	ZSTD_freeCCtx(p->zstd);
	return good;
}

uint64_t pack_size(const char *path)
{
	char head[HEAD];
	unsigned long long size =
		ZSTD_getFrameContentSize(head, file_read_head(path, head, HEAD));

	return size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN
		       ? PACK_NONE
		       : size;
}

struct unpacking {
	ZSTD_DCtx *zstd;
	uint64_t at, read; /* bytes unpacked, and read of the packed file */
	char in[WINDOW], out[WINDOW], other[WINDOW];
};

/* A piece of the packed file; false: it is broken, or another. */
static bool compare_piece(struct unpacking *u, size_t n, int other, bool *ended)
{
	ZSTD_inBuffer in = {u->in, n, 0};
	bool full = true;

	while (in.pos < n || full) {
		ZSTD_outBuffer out = {u->out, WINDOW, 0};
		size_t left = ZSTD_decompressStream(u->zstd, &out, &in);

		if (ZSTD_isError(left) ||
			file_read_at(other, u->other, out.pos, u->at) < out.pos ||
			memcmp(u->out, u->other, out.pos) != 0)
			return false;
		u->at += out.pos;
		*ended = left == 0;
		full = out.pos == WINDOW;
		if (*ended)
			return in.pos == n;
	}
	return true;
}

bool pack_begins(const char *path, int other)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	AUTO_FREE struct unpacking *u = mem_zalloc(1, sizeof(*u));
	bool same = fd >= 0, ended = false;
	size_t n = 1;

	u->zstd = ZSTD_createDCtx();
	while (same && !ended && n) {
		n = file_read_at(fd, u->in, WINDOW, u->read);
		u->read += n;
		same = n && compare_piece(u, n, other, &ended);
	}
	ZSTD_freeDCtx(u->zstd);
	if (fd >= 0)
		close(fd);
	return same && ended;
}
