/*
 * Finds where the next step begins after a broken one.  Looks for what separates siblings
 * of the same kind, "},{" or "],[" followed by a quote; inside a JSON string that quote
 * would be escaped.  An object must begin with the key that steps begin with here, and
 * have another of their keys: so what is nested in the broken step is not taken for its
 * sibling.
 */
#ifndef CATENA_IMPORT_RESYNC_H
#define CATENA_IMPORT_RESYNC_H

#include "base/task.h"
#include "trace/trace.h"

struct resync {
	struct source *source;
	uint64_t start;  /* of the broken step */
	unsigned depth;  /* of the array of steps */
	char opener;     /* '{' or '[' */
	struct buf like; /* the beginning of another step, or of the broken one */
	uint64_t at;     /* searched up to here */
	size_t window;   /* bytes to read next */
	bool found;
	uint64_t end;  /* of the broken step */
	uint64_t next; /* where its next sibling begins */
};

/* [like, like_end): the object whose keys the sibling must have. */
void resync_begin(struct resync *r, struct source *source, uint64_t start, unsigned depth,
	char opener, uint64_t like, uint64_t like_end);
/* Searches one window.  TASK_DONE: it is over (call resync_done), and r->found says how.
 */
enum task_state resync_run(struct resync *r);
/* Whether resync_run has to wait for more of a stream. */
bool resync_waits(const struct resync *r);
void resync_done(struct resync *r);

#endif
