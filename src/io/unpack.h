/*
 * Unpacking in slices, into a sink: compressed bytes, which may still be coming, a
 * recording that is no JSON, or the sessions of a database.
 */
#ifndef CATENA_IO_UNPACK_H
#define CATENA_IO_UNPACK_H

#include "base/file.h"
#include "base/work.h"

/*
 * The bytes at hand, by offset: of a regular file, or of a stream as far as it has come,
 * kept in memory and past SOURCE_SPOOL bytes in an unlinked temporary file.
 */
struct spool {
	int fd; /* -1: in memory */
	struct buf memory;
	uint64_t size;
	int failure; /* errno of the read that failed, 0: none */
	bool shrank; /* the file became shorter than it was */
};

#define SPOOL_INIT                                                                       \
	{                                                                                \
		.fd = -1                                                                 \
	}

void spool_done(struct spool *s); /* closes the file */

/* Appends; false with err when there is no room for it: the spool stays as it was. */
bool spool_add(struct spool *s, const char *bytes, size_t n, struct err *err);

/*
 * Reads up to n bytes at an offset; returns how many, fewer only at the end or when the
 * file cannot be read or shrank: then it ends there, and `failure` or `shrank` is set.
 */
size_t spool_read(struct spool *s, uint64_t offset, void *out, size_t n);
/* Whether that happened; sets err. */
bool spool_failed(const struct spool *s, struct err *err);

/*
 * Where unpacked bytes go: a spool with a limit, notes about them, and the members of an
 * archive.
 */

struct unpack_sink {
	struct spool *spool;
	char last; /* byte of the spool */
	struct source_note *notes;
	size_t note_count, note_cap;
	struct unpack_sink_member {
		uint64_t start; /* in the spool */
		char *name;
	} * members; /* of an archive, in the order of their bytes */
	size_t member_count, member_cap;
};

void unpack_sink_done(struct unpack_sink *s);

/*
 * Appends bytes.  `packed`: how many bytes have been read so far to make all of them.
 * False: it takes no more.  It is at its limit, and a note says so; or, with err, the
 * bytes cannot be kept.
 */
bool unpack_sink_put(
	struct unpack_sink *s, struct str bytes, uint64_t packed, struct err *err);

/* Adds a note about a place in the spool; `offset` may be ERR_NOWHERE. */
void unpack_sink_note(struct unpack_sink *s, uint64_t offset, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

void unpack_sink_begin_member(struct unpack_sink *s, struct str name);
/* The member that a byte is of, or NULL. */
const struct unpack_sink_member *unpack_sink_member_at(
	const struct unpack_sink *s, uint64_t offset);

/* ---- codec.c ----
 *
 * Decoders of compressed streams: gzip, Zstandard, xz, bzip2.  Each unpacks as
 * much of its input as it can, so that a stream which is cut off or damaged gives all
 * that came before.
 */

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
	const char *problem; /* DECODER_BROKEN: why; static */
};

/* Works until the input is used up or the output full; what was written before a fault
 * is good. */
enum decoder_status decoder_step(struct decoder *d, struct decoder_io *io);
bool decoder_again(struct decoder *d); /* for the next stream */

/* Unpacks the stream that a text is, up to about `most` bytes.  True: all of it is there;
 * else as much as could be unpacked is. */
bool codec_unpack(
	const struct codec *codec, struct str packed, size_t most, struct buf *out);

/* Files packed as one frame of Zstandard, which says how much is in it: */

#define PACK_NONE UINT64_MAX

/* Packs so many bytes of an open file, from its beginning on.  False with err: it could
 * not be read as far, or not be written. */
bool pack_bytes(int from, uint64_t size, struct outfile *to, struct err *err);
/* How many bytes are in a packed file; PACK_NONE: it is none, or does not say so. */
uint64_t pack_size(const char *path);
/* Whether all that is in a packed file stands at the beginning of another.  Linear. */
bool pack_begins(const char *path, int other);

/* ---- packed input ---- */

#define UNPACK_HEAD RECORDED_HEAD /* bytes by which packed input is known */

struct unpack;

/* Whether a text begins like packed input. */
enum likeness unpack_recognize(struct str head);

/* For input that unpack_recognize was sure of.  `packed` and `out` must outlive it.  NULL
 * with err when it cannot be unpacked. */
struct unpack *unpack_new(struct spool *packed, struct unpack_sink *out, struct err *err);
/* A database of a file, or one session of it (io/database.h).  `out` must outlive it. */
struct unpack *unpack_new_database(
	const char *file, struct str session, struct unpack_sink *out, struct err *err);
void unpack_free(struct unpack *u);
bool unpack_is_archive(const struct unpack *u); /* of members */
bool unpack_may_be_archive(const struct unpack *u); /* too little is unpacked to tell */
bool unpack_is_log(const struct unpack *u);     /* of lines, which may grow */

/*
 * Works until a deadline of base/work.  `whole`: no more packed bytes will come.
 * TASK_IDLE: it needs more of them.  TASK_DONE: what was wrong is a note of the sink.
 * TASK_FAILED: err says why: nothing came out, or it cannot be kept or read.  (The parts
 * of it that return bool tell whether there is more to do; err is set where it failed.)
 */
enum task_state unpack_run(
	struct unpack *u, bool whole, uint64_t deadline, struct err *err);

/* ---- archive.c, for unpack.c ----
 *
 * The members of a zip or tar archive into one spool: those that hold JSON, in the order
 * of the archive, each beginning on a line of its own.  A tar may be compressed.  The
 * sink knows where each begins (source_member makes sources of them), and a note names
 * the other members.  An archive with one member is that member, whatever it holds.
 *
 * The library that reads them is opened when the first archive is met; the program is not
 * linked with it.
 */

#define ARCHIVE_TAR_HEAD 262 /* bytes by which a tar is known */

bool archive_is_tar(struct str head); /* unpacked */

/* Never more than LIKE_NONE in a program that was built without the library. */
enum likeness zip_recognize(struct str head);

struct archive_members;

/* The archive must be there as a whole, and outlive this.  NULL with err when it cannot
 * be read at all, or the library is missing. */
struct archive_members *members_new(
	struct spool *packed, struct unpack_sink *out, struct err *err);
void members_free(struct archive_members *m);

/* Does a piece of work.  False: that was the last; with err: nothing came out. */
bool members_read(struct archive_members *m, struct err *err);

/* ---- recorded.c, for unpack.c ----
 *
 * Texts that hold conversations but are no JSON, written as lines of it: recordings of
 * HTTP by httprr and as YAML, conversations in Markdown or plain text (io/transcript.c),
 * traces of OpenTelemetry in protobuf (io/protobuf.c), logs with words before the object
 * of a line (`STDERR: {...}`), and objects that follow each other on one line.
 */

#define RECORDED_HEAD (16u * 1024) /* bytes by which such a text is known */

/* What the first bytes of a text are; LIKE_MAYBE while they are too few to tell. */
enum likeness recorded_recognize(struct str head);

/* Whether it is objects that follow each other on one line. */
bool recorded_is_joined(struct str text);

/* Whether it is a log with words before its objects, and some whole lines of one, which
 * is written as it comes: words before an object become its member "_line". */
bool recorded_is_log(struct str head);
void recorded_write_log(struct str text, struct buf *out);

/*
 * The whole text as lines.  Of httprr each exchange is an object {"request": {method,
 * url, headers, body}, "response": {status, headers, body}}; a body is a string, in
 * base64 where it is no text.  Gives the byte where it is damaged, of what can be; else
 * SIZE_MAX.  Linear in the text.
 */
size_t recorded_write(struct str text, struct buf *out);

/* ---- parts of this: protobuf.c and transcript.c, for recorded.c ---- */

/*
 * What OpenTelemetry exports in protobuf: a request, or such messages one after the
 * other, each after its length (four bytes, as the collector's file exporter writes them,
 * or a varint).  Recognized by its fields, names and ids among them.
 */
enum likeness protobuf_recognize(struct str head);
/* Each message as a line of OTLP-JSON.  Gives the byte where it is damaged: what can be
 * read of it is written; SIZE_MAX: nowhere. */
size_t protobuf_write(struct str bytes, struct buf *out);

/*
 * Talks written as text: histories of aider (https://aider.chat, .aider.chat.history.md,
 * and what it sent, .aider.llm.history), files of SpecStory (https://specstory.com), and
 * transcripts whose turns begin with who speaks: `User: ...`, `## User`, `**User:**`.
 */

/* Of a transcript both a person and a model have to speak in the first bytes. */
enum likeness transcript_recognize(struct str head);

/*
 * A line for each exchange, from what a person says to before the next time:
 * {"transcript": "aider", "session", "started", "title", "model", "sent", "received",
 * "cost", "messages": [{"role", "content"}], "answer": [...]}; what is not stated is left
 * out.  All text becomes part of a message, but for the marks of who speaks.
 */
void transcript_write(struct str text, struct buf *out);

#endif
