/*
 * A row of the table is a codec.  Of each library those few functions and that one
 * structure are declared here which decoding takes; the name that is opened (the soname)
 * stands for a binary interface that does not change, and zlib compares the size besides.
 *
 * libarchive reads these streams too, but not here: it gives out whole blocks only, so of
 * a stream that is cut off it loses up to 128 KB, of a short one everything; it does not
 * look at gzip's check sum; and it asks for more input where there may be none yet.
 */
#include "config.h"
#include "io/codec.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>

#include "base/mem.h"

#define NAMES 3 /* a library has on different systems */

struct library {
	const char *names[NAMES + 1];
	const char *const *functions; /* in the order of the pointers in the table */
	void *table;
	bool loaded;
};

struct codec {
	const char *name, *tool;
	struct str magic;
	unsigned char vary; /* bits of the first byte that may differ */
	struct library *library;
	bool (*begin)(struct decoder *d); /* also again, for another stream */
	enum decoder_status (*step)(struct decoder *d, struct decoder_io *io);
	void (*end)(struct decoder *d);
};

struct z_stream { /* zlib.h */
	const char *next_in;
	unsigned avail_in;
	unsigned long total_in;
	char *next_out;
	unsigned avail_out;
	unsigned long total_out;
	const char *msg;
	void *state;
	void *zalloc, *zfree, *opaque;
	int data_type;
	unsigned long adler, reserved;
};

struct lzma_stream { /* lzma/base.h */
	const char *next_in;
	size_t avail_in;
	uint64_t total_in;
	char *next_out;
	size_t avail_out;
	uint64_t total_out;
	const void *allocator;
	void *internal;
	void *pointers[4];
	uint64_t seek, integer;
	size_t sizes[2];
	int enums[2];
};

struct bz_stream { /* bzlib.h */
	const char *next_in;
	unsigned avail_in, total_in[2];
	char *next_out;
	unsigned avail_out, total_out[2];
	void *state;
	void *bzalloc, *bzfree, *opaque;
};

struct zstd_out { /* zstd.h */
	void *dst;
	size_t size, pos;
};

struct zstd_in {
	const void *src;
	size_t size, pos;
};

struct decoder {
	const struct codec *codec;
	const char *problem;
	bool begun;
	union {
		struct z_stream z;
		struct lzma_stream lzma;
		struct bz_stream bz;
		void *zstd;
	} u;
};

static enum decoder_status broken(struct decoder *d, const char *problem)
{
	d->problem = problem;
	return DECODER_BROKEN;
}

static unsigned at_most(size_t n)
{
	return n > INT_MAX ? INT_MAX : (unsigned)n;
}

static void moved(struct decoder_io *io, const char *in, char *out)
{
	io->in_n -= (size_t)(in - io->in);
	io->out_n -= (size_t)(out - io->out);
	io->in = in;
	io->out = out;
}

/* ---- gzip: zlib ---- */

static struct {
	int (*init)(struct z_stream *z, int window_bits, const char *version, int size);
	int (*reset)(struct z_stream *z);
	int (*inflate)(struct z_stream *z, int flush);
	int (*end)(struct z_stream *z);
} zlib;

static struct library libz = {
	.names = {"libz.so.1", "libz.1.dylib", "libz.so.6"},
	.functions = (const char *const[]){"inflateInit2_", "inflateReset", "inflate",
		"inflateEnd", NULL},
	.table = &zlib,
};

enum { Z_OK, Z_STREAM_END, Z_MEM_ERROR = -4, Z_BUF_ERROR = -5 };

static bool gzip_begin(struct decoder *d)
{
	enum { GZIP_ONLY = 16, WINDOW_BITS = 15 };
	int rc = d->begun ? zlib.reset(&d->u.z)
			  : zlib.init(&d->u.z, GZIP_ONLY + WINDOW_BITS, "1",
				    (int)sizeof(d->u.z));

	if (rc == Z_MEM_ERROR)
		mem_fail();
	return rc == Z_OK;
}

static enum decoder_status gzip_step(struct decoder *d, struct decoder_io *io)
{
	struct z_stream *z = &d->u.z;
	int rc;

	z->next_in = io->in;
	z->avail_in = at_most(io->in_n);
	z->next_out = io->out;
	z->avail_out = at_most(io->out_n);
	rc = zlib.inflate(z, 0);
	moved(io, z->next_in, z->next_out);
	if (rc == Z_MEM_ERROR)
		mem_fail();
	if (rc == Z_STREAM_END)
		return DECODER_ENDED;
	if (rc == Z_OK || rc == Z_BUF_ERROR)
		return DECODER_RUNS;
	return broken(d, z->msg ? z->msg : "no valid data");
}

static void gzip_end(struct decoder *d)
{
	zlib.end(&d->u.z);
}

/* ---- Zstandard: libzstd ---- */

static struct {
	void *(*create)(void);
	size_t (*init)(void *stream);
	size_t (*decompress)(void *stream, struct zstd_out *out, struct zstd_in *in);
	unsigned (*is_error)(size_t code);
	const char *(*error_name)(size_t code);
	size_t (*free)(void *stream);
} zstd;

static struct library libzstd = {
	.names = {"libzstd.so.1", "libzstd.1.dylib"},
	.functions = (const char *const[]){"ZSTD_createDStream", "ZSTD_initDStream",
		"ZSTD_decompressStream", "ZSTD_isError", "ZSTD_getErrorName",
		"ZSTD_freeDStream", NULL},
	.table = &zstd,
};

static bool zstd_begin(struct decoder *d)
{
	if (!d->begun)
		d->u.zstd = zstd.create();
	if (!d->u.zstd)
		mem_fail();
	return !zstd.is_error(zstd.init(d->u.zstd));
}

static enum decoder_status zstd_step(struct decoder *d, struct decoder_io *io)
{
	struct zstd_in in = {io->in, io->in_n, 0};
	struct zstd_out out = {io->out, io->out_n, 0};
	size_t rc = zstd.decompress(d->u.zstd, &out, &in);

	moved(io, io->in + in.pos, io->out + out.pos);
	if (zstd.is_error(rc))
		return broken(d, zstd.error_name(rc));
	return rc == 0 ? DECODER_ENDED : DECODER_RUNS;
}

static void zstd_end(struct decoder *d)
{
	zstd.free(d->u.zstd);
}

/* ---- xz: liblzma ---- */

static struct {
	int (*init)(struct lzma_stream *s, uint64_t memory, uint32_t flags);
	int (*code)(struct lzma_stream *s, int action);
	void (*end)(struct lzma_stream *s);
} lzma;

static struct library liblzma = {
	.names = {"liblzma.so.5", "liblzma.5.dylib"},
	.functions = (const char *const[]){"lzma_stream_decoder", "lzma_code", "lzma_end",
		NULL},
	.table = &lzma,
};

enum {
	LZMA_OK,
	LZMA_STREAM_END,
	LZMA_MEM_ERROR = 5,
	LZMA_MEMLIMIT_ERROR,
	LZMA_FORMAT_ERROR,
	LZMA_OPTIONS_ERROR,
	LZMA_BUF_ERROR = 10
};

#define LZMA_MEMORY ((uint64_t)1 << 30) /* a stream says itself how much it needs */

static bool xz_begin(struct decoder *d)
{
	int rc = lzma.init(&d->u.lzma, LZMA_MEMORY, 0);

	if (rc == LZMA_MEM_ERROR)
		mem_fail();
	return rc == LZMA_OK;
}

static enum decoder_status xz_step(struct decoder *d, struct decoder_io *io)
{
	struct lzma_stream *s = &d->u.lzma;
	int rc;

	s->next_in = io->in;
	s->avail_in = io->in_n;
	s->next_out = io->out;
	s->avail_out = io->out_n;
	rc = lzma.code(s, 0);
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
		return broken(d, "it needs more than 1 GiB of memory");
	case LZMA_FORMAT_ERROR:
	case LZMA_OPTIONS_ERROR:
		return broken(d, "no valid header");
	}
	return broken(d, "no valid data");
}

static void xz_end(struct decoder *d)
{
	lzma.end(&d->u.lzma);
}

/* ---- bzip2: libbz2 ---- */

static struct {
	int (*init)(struct bz_stream *s, int verbosity, int small);
	int (*decompress)(struct bz_stream *s);
	int (*end)(struct bz_stream *s);
} bz;

static struct library libbz2 = {
	.names = {"libbz2.so.1.0", "libbz2.so.1", "libbz2.1.0.dylib"},
	.functions = (const char *const[]){"BZ2_bzDecompressInit", "BZ2_bzDecompress",
		"BZ2_bzDecompressEnd", NULL},
	.table = &bz,
};

enum { BZ_OK, BZ_STREAM_END = 4, BZ_MEM_ERROR = -3, BZ_DATA_ERROR_MAGIC = -5 };

static bool bzip2_begin(struct decoder *d)
{
	int rc;

	if (d->begun)
		bz.end(&d->u.bz);
	d->u.bz = (struct bz_stream){0};
	rc = bz.init(&d->u.bz, 0, 0);
	if (rc == BZ_MEM_ERROR)
		mem_fail();
	return rc == BZ_OK;
}

static enum decoder_status bzip2_step(struct decoder *d, struct decoder_io *io)
{
	struct bz_stream *s = &d->u.bz;
	int rc;

	s->next_in = io->in;
	s->avail_in = at_most(io->in_n);
	s->next_out = io->out;
	s->avail_out = at_most(io->out_n);
	rc = bz.decompress(s);
	moved(io, s->next_in, s->next_out);
	if (rc == BZ_MEM_ERROR)
		mem_fail();
	if (rc == BZ_STREAM_END)
		return DECODER_ENDED;
	if (rc == BZ_OK)
		return DECODER_RUNS;
	return broken(d, rc == BZ_DATA_ERROR_MAGIC ? "no valid header" : "no valid data");
}

static void bzip2_end(struct decoder *d)
{
	bz.end(&d->u.bz);
}

/* ---- the table ---- */

static const struct codec codecs[] = {
	{
		.name = "gzip",
		.tool = "gzip -dc",
		.magic = {"\x1F\x8B", 2},
		.library = &libz,
		.begin = gzip_begin,
		.step = gzip_step,
		.end = gzip_end,
	},
	{
		.name = "Zstandard",
		.tool = "zstd -dc",
		.magic = {"\x28\xB5\x2F\xFD", 4},
		.library = &libzstd,
		.begin = zstd_begin,
		.step = zstd_step,
		.end = zstd_end,
	},
	{
		/* a frame that is skipped stands before the first, as pzstd writes it */
		.name = "Zstandard",
		.tool = "zstd -dc",
		.magic = {"\x50\x2A\x4D\x18", 4},
		.vary = 0x0F,
		.library = &libzstd,
		.begin = zstd_begin,
		.step = zstd_step,
		.end = zstd_end,
	},
	{
		.name = "xz",
		.tool = "xz -dc",
		.magic = {"\xFD"
			  "7zXZ",
			6}, /* its NUL included */
		.library = &liblzma,
		.begin = xz_begin,
		.step = xz_step,
		.end = xz_end,
	},
	{
		.name = "bzip2",
		.tool = "bzip2 -dc",
		.magic = {"BZh", 3},
		.library = &libbz2,
		.begin = bzip2_begin,
		.step = bzip2_step,
		.end = bzip2_end,
	},
};

static enum likeness like(const struct codec *c, struct str head)
{
	size_t n = head.n < c->magic.n ? head.n : c->magic.n;

	for (size_t i = 0; i < n; i++) {
		unsigned differ = (unsigned char)(head.p[i] ^ c->magic.p[i]);

		if (differ & ~(i ? 0u : c->vary))
			return LIKE_NONE;
	}
	return n == c->magic.n ? LIKE_SURELY : LIKE_MAYBE;
}

enum likeness codec_recognise(struct str head, const struct codec **codec)
{
	enum likeness best = LIKE_NONE;

	for (size_t i = 0; i < sizeof(codecs) / sizeof(*codecs); i++) {
		enum likeness l = like(&codecs[i], head);

		if (l == LIKE_SURELY)
			*codec = &codecs[i];
		best = l > best ? l : best;
	}
	return best;
}

const char *codec_name(const struct codec *c)
{
	return c->name;
}

const char *codec_tool(const struct codec *c)
{
	return c->tool;
}

/* ---- decoders ---- */

static void *open_library(const struct library *l)
{
	void *handle = NULL;

	for (int i = 0; !handle && l->names[i]; i++)
		handle = dlopen(l->names[i], RTLD_NOW | RTLD_LOCAL);
	return handle;
}

/* Once opened it stays: what points into it lives as long as the program. */
static bool load(struct library *l)
{
	void *handle = l->loaded ? NULL : open_library(l);

	for (size_t i = 0; handle && l->functions[i]; i++) {
		void *function = dlsym(handle, l->functions[i]);

		if (!function)
			return false;
		memcpy((char *)l->table + i * sizeof(function), &function,
			sizeof(function));
	}
	l->loaded |= handle != NULL;
	return l->loaded;
}

struct decoder *decoder_new(const struct codec *codec, struct err *err)
{
	struct decoder *d;

	if (!load(codec->library)) {
		err_set(err,
			"is compressed by %s, and the library for that, %s, is not "
			"there; "
			"install it, or unpack the file first (%s)",
			codec->name, codec->library->names[0], codec->tool);
		return NULL;
	}
	d = mem_zalloc(1, sizeof(*d));
	d->codec = codec;
	d->begun = codec->begin(d);
	if (d->begun)
		return d;
	err_set(err, "is compressed by %s, and %s cannot be used", codec->name,
		codec->library->names[0]);
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

	/* neither takes nor gives: it would be asked for ever */
	if (status == DECODER_RUNS && in_n && out_n && io->in_n == in_n &&
		io->out_n == out_n)
		return broken(d, "no valid data");
	return status;
}

bool decoder_again(struct decoder *d)
{
	return d->codec->begin(d);
}

const char *decoder_problem(const struct decoder *d)
{
	return d->problem;
}
