/*
 * Decoders: one row of a table for each codec.
 *
 * libarchive reads these streams too, but not here: it gives out whole blocks only, so of
 * a stream that is cut off it loses up to 128 KB, of a short one everything; it does not
 * look at gzip's check sum; and it asks for more input where there may be none yet.
 */
#define ZLIB_CONST /* its next_in does not change what it points to */
#include "config.h"
#include "io/unpack.h"

#include <bzlib.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <lzma.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/file.h"
#include "base/mem.h"

#define LZMA_MEMORY ((uint64_t)1 << 30) /* a stream says itself how much it needs */

struct codec {
	const char *name;
	struct str magic;
	unsigned char vary;               /* bits of the first byte that may differ */
	bool (*begin)(struct decoder *d); /* also again, for another stream */
	enum decoder_status (*step)(struct decoder *d, struct decoder_io *io);
	void (*end)(struct decoder *d);
};

struct decoder {
	const struct codec *codec;
	bool begun;
	size_t wants; /* of Zstandard: bytes that it asks for next */
	union { /* zeroed, as all of them want it before they begin */
		z_stream z;
		lzma_stream lzma;
		bz_stream bz;
		ZSTD_DStream *zstd;
	} u;
};

static enum decoder_status broken(struct decoder_io *io, const char *problem)
{
	io->problem = problem;
	return DECODER_BROKEN;
}

static unsigned at_most(size_t n)
{
	return n > INT_MAX ? INT_MAX : (unsigned)n;
}

static void moved(struct decoder_io *io, const void *in, void *out)
{
	io->in_n -= (size_t)((const char *)in - io->in);
	io->out_n -= (size_t)((char *)out - io->out);
	io->in = in;
	io->out = out;
}

/* ---- gzip: zlib ---- */

static bool gzip_begin(struct decoder *d)
{
	enum { GZIP_ONLY = 16 };
	int rc = d->begun ? inflateReset(&d->u.z)
			  : inflateInit2(&d->u.z, GZIP_ONLY + MAX_WBITS);

	if (rc == Z_MEM_ERROR)
		mem_fail();
	return rc == Z_OK;
}

static enum decoder_status gzip_step(struct decoder *d, struct decoder_io *io)
{
	z_stream *z = &d->u.z;
	int rc;

	z->next_in = (const Bytef *)io->in;
	z->avail_in = at_most(io->in_n);
	z->next_out = (Bytef *)io->out;
	z->avail_out = at_most(io->out_n);
	rc = inflate(z, Z_NO_FLUSH);
	moved(io, z->next_in, z->next_out);
	if (rc == Z_MEM_ERROR)
		mem_fail();
	if (rc == Z_STREAM_END)
		return DECODER_ENDED;
	if (rc == Z_OK || rc == Z_BUF_ERROR)
		return DECODER_RUNS;
	return broken(io, z->msg ? z->msg : "no valid data");
}

static void gzip_end(struct decoder *d)
{
	inflateEnd(&d->u.z);
}

/* ---- Zstandard: libzstd ---- */

static bool zstd_begin(struct decoder *d)
{
	if (!d->begun)
		d->u.zstd = ZSTD_createDStream();
	if (!d->u.zstd)
		mem_fail();
	d->wants = ZSTD_initDStream(d->u.zstd);
	return !ZSTD_isError(d->wants);
}

/*
 * The library is given a block at a time: of what a call gets it gives out nothing when any
 * of it is damaged, not even the blocks before.  What it asks for is a block with the head
 * of the next one.
 */
#define ZSTD_BLOCK_HEAD 3

static enum decoder_status zstd_step(struct decoder *d, struct decoder_io *io)
{
	ZSTD_inBuffer in = {io->in, io->in_n < d->wants ? io->in_n : d->wants, 0};
	ZSTD_outBuffer out = {io->out, io->out_n, 0};
	size_t rc = ZSTD_decompressStream(d->u.zstd, &out, &in);

	moved(io, io->in + in.pos, io->out + out.pos);
	if (ZSTD_isError(rc))
		return broken(io, ZSTD_getErrorName(rc));
	d->wants = rc > ZSTD_BLOCK_HEAD ? rc - ZSTD_BLOCK_HEAD : rc;
	return rc == 0 ? DECODER_ENDED : DECODER_RUNS;
}

static void zstd_end(struct decoder *d)
{
	ZSTD_freeDStream(d->u.zstd);
}

/* ---- xz: liblzma ---- */

static bool xz_begin(struct decoder *d)
{
	lzma_ret rc = lzma_stream_decoder(&d->u.lzma, LZMA_MEMORY, 0);

	if (rc == LZMA_MEM_ERROR)
		mem_fail();
	return rc == LZMA_OK;
}

static enum decoder_status xz_step(struct decoder *d, struct decoder_io *io)
{
	lzma_stream *s = &d->u.lzma;
	lzma_ret rc;

	s->next_in = (const uint8_t *)io->in;
	s->avail_in = io->in_n;
	s->next_out = (uint8_t *)io->out;
	s->avail_out = io->out_n;
	rc = lzma_code(s, LZMA_RUN);
	moved(io, s->next_in, s->next_out);
	switch (rc) {
	case LZMA_OK:
	case LZMA_BUF_ERROR:
		return DECODER_RUNS;
	case LZMA_STREAM_END:
		return DECODER_ENDED;
	case LZMA_MEM_ERROR:
		mem_fail();
	case LZMA_MEMLIMIT_ERROR:
		return broken(io, "it needs more than 1 GiB of memory");
	case LZMA_FORMAT_ERROR:
	case LZMA_OPTIONS_ERROR:
		return broken(io, "no valid header");
	default:
		return broken(io, "no valid data");
	}
}

static void xz_end(struct decoder *d)
{
	lzma_end(&d->u.lzma);
}

/* ---- bzip2: libbz2 ---- */

static bool bzip2_begin(struct decoder *d)
{
	int rc;

	if (d->begun)
		BZ2_bzDecompressEnd(&d->u.bz);
	d->u.bz = (bz_stream){0};
	rc = BZ2_bzDecompressInit(&d->u.bz, 0, 0);
	if (rc == BZ_MEM_ERROR)
		mem_fail();
	return rc == BZ_OK;
}

static enum decoder_status bzip2_step(struct decoder *d, struct decoder_io *io)
{
	bz_stream *s = &d->u.bz;
	int rc;

	s->next_in = (char *)io->in; /* read only */
	s->avail_in = at_most(io->in_n);
	s->next_out = io->out;
	s->avail_out = at_most(io->out_n);
	rc = BZ2_bzDecompress(s);
	moved(io, s->next_in, s->next_out);
	if (rc == BZ_MEM_ERROR)
		mem_fail();
	if (rc == BZ_STREAM_END)
		return DECODER_ENDED;
	if (rc == BZ_OK)
		return DECODER_RUNS;
	return broken(
		io, rc == BZ_DATA_ERROR_MAGIC ? "no valid header" : "no valid data");
}

static void bzip2_end(struct decoder *d)
{
	BZ2_bzDecompressEnd(&d->u.bz);
}

/* ---- the table ---- */

enum { ZSTANDARD = 1 }; /* its row */

static const struct codec codecs[] = {
	{"gzip", {"\x1F\x8B", 2}, 0, gzip_begin, gzip_step, gzip_end},
	[ZSTANDARD] = {"Zstandard", {"\x28\xB5\x2F\xFD", 4}, 0, zstd_begin, zstd_step,
		zstd_end},
	/* pzstd writes a skippable frame before the first */
	{"Zstandard", {"\x50\x2A\x4D\x18", 4}, 0x0F, zstd_begin, zstd_step, zstd_end},
	{"xz", {"\xFD\x37zXZ", 6}, 0, xz_begin, xz_step, xz_end}, /* its NUL included */
	{"bzip2", {"BZh", 3}, 0, bzip2_begin, bzip2_step, bzip2_end},
};

enum likeness codec_recognize(struct str head, const struct codec **codec)
{
	enum likeness best = LIKE_NONE;

	for (size_t i = 0; i < sizeof(codecs) / sizeof(*codecs); i++) {
		const struct codec *c = &codecs[i];
		size_t n = head.n < c->magic.n ? head.n : c->magic.n, k = 0;

		while (k < n && !((head.p[k] ^ c->magic.p[k]) & ~(k ? 0 : c->vary)))
			k++;
		if (k < n)
			continue;
		if (n < c->magic.n) {
			best = best > LIKE_MAYBE ? best : LIKE_MAYBE;
		} else {
			*codec = c;
			best = LIKE_SURELY;
		}
	}
	return best;
}

const char *codec_name(const struct codec *c)
{
	return c->name;
}

/* ---- decoders ---- */

struct decoder *decoder_new(const struct codec *codec, struct err *err)
{
	struct decoder *d = mem_zalloc(1, sizeof(*d));

	d->codec = codec;
	d->begun = codec->begin(d);
	if (d->begun)
		return d;
	err_set(err, "is compressed by %s, and its library cannot be used", codec->name);
	decoder_free(d);
	return NULL;
}

void decoder_free(struct decoder *d)
{
	if (d && d->begun)
		d->codec->end(d);
	mem_free(d);
}

enum decoder_status decoder_step(struct decoder *d, struct decoder_io *io)
{
	size_t in_n = io->in_n, out_n = io->out_n;
	enum decoder_status status = d->codec->step(d, io);

	/* no progress: without an error it would be called for ever */
	if (status == DECODER_RUNS && in_n && out_n && io->in_n == in_n &&
		io->out_n == out_n)
		return broken(io, "no valid data");
	return status;
}

bool decoder_again(struct decoder *d)
{
	return d->codec->begin(d);
}

#define UNPACK_STEP (64u * 1024)

bool codec_unpack(
	const struct codec *codec, struct str packed, size_t most, struct buf *out)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct decoder *d = decoder_new(codec, &err);
	struct decoder_io io = {.in = packed.p, .in_n = packed.n};
	enum decoder_status status = DECODER_RUNS;

	while (d && status == DECODER_RUNS && out->len < most && (io.in_n || !io.out_n)) {
		buf_reserve(out, UNPACK_STEP);
		io.out = out->data + out->len;
		io.out_n = UNPACK_STEP;
		status = decoder_step(d, &io);
		out->len += UNPACK_STEP - io.out_n;
	}
	decoder_free(d);
	return status == DECODER_ENDED;
}

/* ---- packed files ---- */

#define LEVEL  6
#define WINDOW (256u << 10)
#define HEAD   18 /* bytes that have the size, at most */

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

bool pack_begins(const char *path, int other)
{
	AUTO_FREE char *pieces = mem_alloc((size_t)3 * WINDOW);
	char *in = pieces, *out = in + WINDOW, *theirs = out + WINDOW;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct decoder *d = decoder_new(&codecs[ZSTANDARD], &err);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	enum decoder_status status = DECODER_RUNS;
	struct decoder_io io = {.out_n = WINDOW};
	uint64_t read = 0, at = 0;
	bool same = d && fd >= 0;

	while (same && status == DECODER_RUNS) {
		size_t n;

		if (!io.in_n && io.out_n) { /* it has written all that it could */
			io.in = in;
			io.in_n = file_read_at(fd, in, WINDOW, read);
			read += io.in_n;
			same = io.in_n > 0;
		}
		io.out = out;
		io.out_n = WINDOW;
		status = decoder_step(d, &io);
		n = WINDOW - io.out_n;
		same = same && file_read_at(other, theirs, n, at) == n &&
		       memcmp(out, theirs, n) == 0;
		at += n;
	}
	decoder_free(d);
	if (fd >= 0)
		close(fd);
	return same && status == DECODER_ENDED && !io.in_n;
}
