/*
 * Decoders of compressed streams: gzip, Zstandard, xz, bzip2.  Each unpacks as
 * much of its input as it can, so that a stream which is cut off or damaged gives all
 * that came before.
 */
#ifndef CATENA_IO_CODEC_H
#define CATENA_IO_CODEC_H

#include "base/file.h"

#define CODEC_HEAD 6 /* bytes by which every codec is known */

struct codec;
struct decoder;

enum likeness {
	LIKE_NONE,
	LIKE_MAYBE, /* the text is too short to tell */
	LIKE_SURELY,
};

/* Whether a text begins like a compressed stream; *codec is set for LIKE_SURELY. */
enum likeness codec_recognize(struct str head, const struct codec **codec);
const char *codec_name(const struct codec *c); /* "gzip" */

/* NULL with err when the library refuses. */
struct decoder *decoder_new(const struct codec *codec, struct err *err);
void decoder_free(struct decoder *d);

enum decoder_status {
	DECODER_RUNS,
	DECODER_ENDED, /* of one stream: what follows may be another, with decoder_again
			*/
	DECODER_BROKEN,
};

struct decoder_io { /* the input and room for output that are left */
	const char *in;
	size_t in_n;
	char *out;
	size_t out_n;
};

/* Works until the input is used up or the output full; what was written before a fault
 * is good. */
enum decoder_status decoder_step(struct decoder *d, struct decoder_io *io);
bool decoder_again(struct decoder *d);                /* for the next stream */
const char *decoder_problem(const struct decoder *d); /* why it is broken; static */

/* Unpacks the stream that a text is, up to about `most` bytes.  True: all of it is there;
 * else as much as could be unpacked is. */
bool codec_unpack(
	const struct codec *codec, struct str packed, size_t most, struct buf *out);

/* ---- files packed as one frame of Zstandard, which says how much is in it ---- */

#define PACK_NONE UINT64_MAX

/* Packs so many bytes of an open file, from its beginning on.  False with err: it could
 * not be read as far, or not be written. */
bool pack_bytes(int from, uint64_t size, struct outfile *to, struct err *err);
/* How many bytes are in a packed file; PACK_NONE: it is none, or does not say so. */
uint64_t pack_size(const char *path);
/* Whether all that is in a packed file stands at the beginning of another.  Linear. */
bool pack_begins(const char *path, int other);

#endif
