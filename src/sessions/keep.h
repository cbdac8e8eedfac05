/*
 * Copies of the sessions that programs delete, each packed by Zstandard in a folder of
 * its own that has the same folders below it; with the files of their sub-agents, and the
 * small files beside them.
 *
 * A copy is made once: when its file has grown, the new one replaces it; when the file
 * has become another one, the old copy is moved aside.  A copy has the time of its file.
 * What is written takes its name when it is on the disk as a whole.
 */
#ifndef CATENA_SESSIONS_KEEP_H
#define CATENA_SESSIONS_KEEP_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum keep_change {
	KEEP_SAME,
	KEEP_NEW,
	KEEP_GROWN,
	KEEP_OTHER, /* the copy of before was moved aside */
	KEEP_FAILED,
	KEEP_CHANGES
};

struct keep_file {
	const char *path, *copy;
	enum keep_change change;
	bool part;             /* of a session */
	uint64_t size;         /* of the file */
	const struct err *err; /* KEEP_FAILED: why */
};

typedef void keep_fn(void *ctx, const struct keep_file *file);

/* Copies all of them below a folder, which is made; `dry`: only tells what it would do.
 * False with err: nothing can be kept there.  Cost: reads and packs what has changed, and
 * compares files whose time alone has. */
bool keep_all(const char *to, bool dry, keep_fn *tell, void *ctx, struct err *err);

#endif
