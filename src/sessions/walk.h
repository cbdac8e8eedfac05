/*
 * Going through places in slices: each file that may be a session is told once, in no
 * order.  What is gone by then is passed over; so are links to folders below a folder
 * that a person names, and its hidden files.
 */
#ifndef CATENA_SESSIONS_WALK_H
#define CATENA_SESSIONS_WALK_H

#include "base/task.h"
#include "sessions/places.h"

#include <sys/stat.h>

struct walk;

typedef void walk_fn(void *context, const char *path, const struct session_place *place,
	const struct stat *st);

/* Something that is there cannot be read; `problem`: errno. */
typedef void walk_failed_fn(void *context, const char *path, int problem);

/* The places must outlive it. */
struct walk *walk_new(const struct places *places, walk_fn *found, walk_failed_fn *failed,
	void *context);
/* Cost in all: linear in the entries of the folders. */
enum task_state walk_run(struct walk *w, uint64_t deadline);
void walk_free(struct walk *w);

#endif
