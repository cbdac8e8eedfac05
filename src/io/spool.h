/*
 * The bytes at hand, by offset: of a regular file, or of a stream as far as it has come,
 * kept in memory and past SPOOL_MEMORY bytes in an unlinked temporary file.
 */
#ifndef CATENA_IO_SPOOL_H
#define CATENA_IO_SPOOL_H

#include "base/err.h"

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

#endif
