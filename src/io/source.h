/*
 * The bytes of one input, by offset.  A regular file is read with pread, never
 * mapped: it may shrink while it is open.  A pipe, a FIFO or a file whose size
 * the system does not tell is spooled as it comes (in memory, past
 * SOURCE_SPOOL bytes in an unlinked temporary file), so that everything behind
 * this door sees one kind of thing.
 *
 * Compressed input (gzip, Zstandard, xz, bzip2, zip) is known by its first bytes
 * and spooled as it is unpacked, like a stream: it brings more each time it is
 * pumped.  All offsets are of the unpacked text.
 */
#ifndef CATENA_IO_SOURCE_H
#define CATENA_IO_SOURCE_H

#include "io/spool.h"

#define SOURCE_SPOOL SPOOL_MEMORY

struct source;

/*
 * Opens a file, or standard input for "-".  NULL with err: missing, no permission, a
 * directory, a device (but /dev/null, which is empty), a terminal, compressed data of
 * which nothing can be unpacked.  Never blocks; a FIFO without a writer is open and has
 * no bytes yet.
 */
struct source *source_open(const char *path, struct err *err);
/* Takes bytes that are in memory already (tests, members of an archive); copies them. */
struct source *source_open_text(const char *name, struct str bytes);
void source_free(struct source *s);
/* The same once more: it is freed as often as it was taken. */
struct source *source_share(struct source *s);
bool source_is_stream(const struct source *s); /* it cannot be opened once more */

/*
 * A member of an archive is a source by itself: its bytes are those of the archive from
 * where it begins to where the next one does.  Members come into being while the archive
 * is pumped; one is there as a whole when the next one is, or when the archive is
 * complete.  The archive must outlive them; one of another kind has none.
 */
enum source_kind {
	SOURCE_UNDECIDED, /* too little of a stream has come */
	SOURCE_PLAIN,
	SOURCE_ARCHIVE,
};
enum source_kind source_kind(const struct source *s);
size_t source_members(const struct source *archive);
struct source *source_member(struct source *archive, size_t i);

/*
 * Following: a regular file that is not compressed may grow; it is not complete until
 * this is taken back.  Whoever follows pumps it now and then.
 */
void source_follow(struct source *s, bool follow);
bool source_follows(const struct source *s);

enum source_change {
	SOURCE_SAME,
	/* its name is another file now (a log that was rotated); this one is complete */
	SOURCE_REPLACED,
	/* it was cut, or bytes that were read are others: read it anew */
	SOURCE_REWRITTEN,
};
/* What the last pump of a followed file found. */
enum source_change source_change(const struct source *s);

/*
 * Gives the descriptor of a regular file back until bytes are read again; not of one that
 * was replaced.  A file to which its name does not lead any more then has failed.
 */
bool source_can_sleep(const struct source *s);
void source_sleep(struct source *s);

const char *source_name(const struct source *s); /* as given; "-" is "standard input" */
uint64_t source_size(const struct source *s);    /* bytes that can be read now */
bool source_complete(const struct source *s);    /* no more will come */
int source_watch(const struct source *s);        /* descriptor to poll for more, or -1 */
bool source_unpacks(const struct source *s);     /* there is work to do for more */

/*
 * Takes what a stream has ready, without waiting, and unpacks for some milliseconds;
 * false with err when it cannot be read, unpacked or kept: what came before is there.
 */
bool source_pump(struct source *s, struct err *err);
/* Waits until more is there or the stream ends, then pumps. */
bool source_wait(struct source *s, struct err *err);

/*
 * Reads up to n bytes at an offset; returns how many, fewer only at the end or when the
 * file shrank or cannot be read any more (source_failed says so).
 */
size_t source_read(struct source *s, uint64_t offset, void *out, size_t n);
/* Of a file that holds what source_read reads, as much as it ever will; -1: there is
 * none, or none now. */
int source_descriptor(const struct source *s);
bool source_failed(const struct source *s, struct err *err);

/* Line and column (in bytes, from 1) of an offset; reads the file from its start. */
void source_place(struct source *s, uint64_t offset, uint64_t *line, uint64_t *column);
/*
 * Sets the name, line and column of an error whose offset is one of this source; in an
 * archive all are those of the member: "a.zip/b.json".
 */
void source_locate(struct source *s, struct err *err);

/*
 * From now on it is another text, taken from `text`, which is mended at `offset`: a note
 * says what.  It must be complete; whoever holds a window of it drops that before.
 */
void source_mend(struct source *s, struct buf *text, uint64_t offset, const char *note);

/* What was wrong with compressed input, or left out of it; valid until the next pump.  Of
 * an archive, not of its members. */
struct source_note {
	uint64_t offset; /* where, or ERR_NOWHERE */
	const char *text;
};
const struct source_note *source_notes(const struct source *s, size_t *count);

/* How many bytes compressed input may unpack to, 0 for any number; else it is 4 GiB, and
 * a thousand times the packed size.  For the whole program, before anything is opened. */
void source_set_limit(uint64_t bytes);

#endif
