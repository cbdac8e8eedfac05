/*
 * A regular file that others still write: how it differs from what was read of it.
 *
 * A file that is cut below what was read, or whose last bytes before the known end are
 * different now, was rewritten.  So was one whose name leads to another file and that has
 * no name left: programs that write a file anew put the new one in the old one's place.
 * One that has another name now is a log that was rotated, and was replaced: what was
 * written to it before that is still to be read, then its successor.  A file that was cut and then grew
 * beyond its old size between two checks is noticed only by those last bytes.
 */
#ifndef CATENA_IO_WATCH_H
#define CATENA_IO_WATCH_H

#include "io/source.h"

#include <sys/stat.h>

#define WATCH_TAIL 64 /* bytes that are compared */

struct watch {
	const char *path; /* NULL: it has no name that could lead elsewhere */
	dev_t device;
	ino_t inode;
	char tail[WATCH_TAIL]; /* before the end that is known */
	size_t tail_n;
};

/* `bytes` is a file; `path` must outlive the watch. */
void watch_begin(struct watch *w, struct spool *bytes, const char *path);
/* Compares the file with what was read of it; `bytes` grows when it only has grown. */
enum source_change watch_look(struct watch *w, struct spool *bytes);

#endif
