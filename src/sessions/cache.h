/*
 * Summaries of sessions that were read before, so that files that have not changed since
 * need no reading: one file in "cache" below home_state.
 *
 * It is a log: a header, then entries with a checksum each, of which the last one of a
 * session counts.  Several programs add to it in turn, by a lock on its folder; what is
 * damaged ends the log, and is written over.  It is written again, without what was not
 * asked for in a long time, when much of it counts no more.  It is of one catena with one
 * set of formats; another one begins its own in that place.
 */
#ifndef CATENA_SESSIONS_CACHE_H
#define CATENA_SESSIONS_CACHE_H

#include "sessions/summary.h"

/* What a session was when it was read. */
struct cache_key {
	uint64_t device, inode, session; /* that one; of a session in a database: a hash */
	uint64_t size, written, changed;
	uint64_t taken; /* seconds since 1970: not a part of it */
};

/* Of a file, or of FILE/ID in a database, which was written then; false: what is kept
 * could be old soon after, so it is not worth it. */
bool cache_key_of_file(const char *path, struct cache_key *key);
bool cache_key_of_session(const char *path, double written, struct cache_key *key);

struct cache;

/* Reads the file, which has some bytes for each request of all sessions.  NULL: there is
 * no place for one.  Call it before any trace is loaded (trace_set_secret). */
struct cache *cache_open(void);
/* Without writing anything. */
void cache_free(struct cache *c);

/* The summary as it was put; its format and tool live as long as the cache.  False: there
 * is none, or a file that it was read with has changed. */
bool cache_find(struct cache *c, const struct cache_key *key, struct summary *out);
/* Keeps a summary of which the key was made before it was read, unless a file was written
 * at about that time, or it is a failure.  Written when enough is there. */
void cache_put(struct cache *c, const struct cache_key *key, const struct summary *s);
/* Writes what was put, and the whole file if that is due. */
void cache_save(struct cache *c);

#endif
