/*
 * The bytes at hand, by offset: of a regular file, or of a stream as far as it has come,
 * kept in memory and past SPOOL_MEMORY bytes in an unlinked temporary file.
 */
#ifndef CATENA_IO_SPOOL_H
#define CATENA_IO_SPOOL_H

#include "base/err.h"
#include "base/task.h"

#define SPOOL_MEMORY (8u * 1024 * 1024)

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
 * TASK_MORE: it takes more.  TASK_DONE: it is at its limit, and a note says so.
 * TASK_FAILED: err was set.
 */
enum task_state unpack_sink_put(
	struct unpack_sink *s, struct str bytes, uint64_t packed, struct err *err);

/* Adds a note about a place in the spool; `offset` may be ERR_NOWHERE. */
void unpack_sink_note(struct unpack_sink *s, uint64_t offset, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

void unpack_sink_begin_member(struct unpack_sink *s, struct str name);
/* The member that a byte is of, or NULL. */
const struct unpack_sink_member *unpack_sink_member_at(
	const struct unpack_sink *s, uint64_t offset);

#endif
