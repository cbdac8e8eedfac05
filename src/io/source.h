/*
 * The bytes of one input, by offset.  A regular file is read with pread, never
 * mapped: it may shrink while it is open.  A pipe, a FIFO or a file whose size
 * the system does not know is spooled as it comes (in memory, past
 * SOURCE_SPOOL bytes in an unlinked temporary file), so that its users need no
 * distinction.
 *
 * Compressed input (gzip, Zstandard, xz, bzip2, zip) is known by its first bytes
 * and spooled as it is unpacked, like a stream: it brings more each time it is
 * pumped.  All offsets are of the unpacked text.  So is a database (io/database.h): an
 * archive whose members are its sessions; "FILE/ID" names one of them.
 */
#ifndef CATENA_IO_SOURCE_H
#define CATENA_IO_SOURCE_H

#include "base/err.h"

#include <stdint.h>

#define SOURCE_SPOOL (8u * 1024 * 1024)

struct source;

/*
 * Opens a file, or standard input for "-".  NULL with err: missing, no permission, a
 * directory, a device (but /dev/null, which is empty), a terminal, compressed data of
 * which nothing can be unpacked.  "host:path" is read through ssh, where a person named
 * it (below), and waits for its first bytes.  Nothing else blocks; a FIFO without a
 * writer is open and has no bytes yet.
 */
struct source *source_open(const char *path, struct err *err);
/* Takes bytes that are in memory already (tests, members of an archive); copies them. */
struct source *source_open_text(const char *name, struct str bytes);
void source_free(struct source *s);
/* One more owner: source_free must be called once for each. */
struct source *source_share(struct source *s);
bool source_is_stream(const struct source *s); /* it cannot be opened again */

/*
 * A member of an archive is a source: its bytes are those of the archive from where it
 * begins to where the next member begins.  Members appear while the archive is pumped;
 * one is whole when the next one appears, or when the archive is complete.  The archive
 * must outlive them.
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
 * Follows a regular file that is not compressed, or stops that: it may grow, and it is
 * not complete while it is followed.  The caller pumps it from time to time.  A session of
 * a database is rewritten when the database is, at most once a second.
 */
void source_follow(struct source *s, bool follow);
bool source_follows(const struct source *s);

enum source_change {
	SOURCE_SAME,
	/* its name leads to another file now (a rotated log); this one is complete */
	SOURCE_REPLACED,
	/* it was truncated, or bytes that were read have changed: read it again */
	SOURCE_REWRITTEN,
};
/* What the last pump of a followed file found. */
enum source_change source_change(const struct source *s);

/*
 * Closes the descriptor of a regular file until bytes are read again; not of one that was
 * replaced.  When the name leads to another file by then, the source has failed.
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
/* The descriptor of a complete file at whose offsets source_read reads; -1: there is
 * none, or none now. */
int source_descriptor(const struct source *s);
bool source_failed(const struct source *s, struct err *err);

/*
 * Sets the name, line and column (in bytes, from 1) of an error whose offset is one of
 * this source; in an archive all are those of the member: "a.zip/b.json".  Lines are
 * counted once: the first call reads the file up to the offset, later ones 256 KB at most
 * of what was counted.
 */
void source_locate(struct source *s, struct err *err);

/*
 * Replaces the text by a mended one, which is taken from `text`, and adds a note for the
 * mended place.  The source must be complete; windows of it must be dropped before.
 */
void source_mend(struct source *s, struct buf *text, uint64_t offset, const char *note);

/* What was wrong with compressed input, or left out of it; valid until the next pump.  Of
 * an archive, not of its members. */
struct source_note {
	uint64_t offset; /* where, or ERR_NOWHERE */
	const char *text;
};
const struct source_note *source_notes(const struct source *s, size_t *count);

/* How many bytes compressed input may unpack to; 0: any number.  Without a call it is
 * 4 GiB, and a thousand times the packed size.  For the whole program; call it before
 * anything is opened. */
void source_set_limit(uint64_t bytes);

/* ---- a stretch of a source that moves through it: window.c ----
 *
 * Where windows of a large file follow each other for some megabytes the next ones are
 * read ahead, without a difference in bytes or errors.  Drop it before its source is
 * freed.
 */

#define WINDOW_BYTES (128u * 1024)

struct ahead;

struct window {
	const char *p; /* the bytes [at, at + n) of the source, until it moves */
	uint64_t at;
	size_t n;
	const struct source *source;
	char *own;           /* NULL: it was never moved */
	uint64_t run;        /* bytes read without a gap */
	struct ahead *ahead; /* NULL: nothing is read ahead */
};

void window_done(struct window *w);
/* Empties it, and ends reading ahead, until it moves again. */
void window_drop(struct window *w);
/* For a pause: drops it if it reads ahead. */
void window_rest(struct window *w);

/*
 * Moves to `at`, and holds WINDOW_BYTES bytes or a little more; fewer only at the end of
 * what is there, or where the source cannot be read.  Windows may overlap by a few KB.
 */
void window_move(struct window *w, struct source *s, uint64_t at);

static inline uint64_t window_end(const struct window *w)
{
	return w->at + w->n;
}

/* Whether it holds the n bytes at `at`. */
static inline bool window_has(const struct window *w, uint64_t at, uint64_t n)
{
	return at - w->at < w->n && n <= w->n - (at - w->at);
}

/* ---- files on other machines: remote.c ----
 *
 * "host:path" is read through the person's own ssh.  Only what she named on the command
 * line is: no name in a file or a configuration starts a program.  No shell of this
 * machine is involved; that of the other one gets the path as one quoted word ("~/" at
 * its beginning stays the home folder).
 */

struct remote;

/* Whether an operand has the form [user@]host:path, and no file here is called so. */
bool remote_is_named(const char *operand);
/* The operand may be read from now on; `follow`: with what is added to it later. */
void remote_allow(const char *operand, bool follow);
bool remote_is_allowed(const char *path);

/* Starts ssh, and waits for the first bytes, or the end: it may ask for a password.  The
 * stream is the caller's to close.  NULL with err: ssh cannot be started. */
struct remote *remote_open(const char *path, int *stream, struct err *err);
/* Once the stream has ended: false with err where ssh or the other machine's command
 * failed, with its words. */
bool remote_ended_well(struct remote *r, struct err *err);
void remote_close(struct remote *r); /* ends ssh, if it still runs */

#endif
