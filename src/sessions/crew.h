/*
 * Several sessions that are read at once: each by a process of its own, a copy of this
 * one, which sends back the summary.  For much to be read, where there is more than one
 * processor; what a process cannot do its caller does.
 */
#ifndef CATENA_SESSIONS_CREW_H
#define CATENA_SESSIONS_CREW_H

#include "sessions/cache.h"

struct crew_job {
	uint64_t session;     /* the caller's */
	struct cache_key key; /* the caller's, */
	bool keeps;           /* ... if it is one */
};

struct crew;

/* One process for each processor but one; NULL: there would be none.  Both are borrowed:
 * what they are now counts. */
struct crew *crew_new(const struct format *forced, struct prices *prices);
/* Ends the processes, whatever they do. */
void crew_free(struct crew *c);

/* Whether one has nothing to do, and whether any has something to do. */
bool crew_idles(const struct crew *c);
bool crew_works(const struct crew *c);
/* Has the file at a path read by one that has nothing to do; false: it is not. */
bool crew_give(struct crew *c, const char *path, const struct crew_job *job);
/* Gives a job that is done, waiting for one up to so many milliseconds; false: there is
 * none.  *done: the summary is there, else the file is to be read by the caller.  Its
 * format and tool live as long as the crew. */
bool crew_take(struct crew *c, int wait, struct crew_job *job, struct summary *found,
	bool *done);

#endif
