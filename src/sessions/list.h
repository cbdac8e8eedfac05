/* The list of sessions as its own files see it: sessions.c, finding.c and ordering.c;
 * and the cache of what was read. */
#ifndef CATENA_SESSIONS_LIST_H
#define CATENA_SESSIONS_LIST_H

#include "sessions/sessions.h"
#include "sessions/folders.h"

/* ---- the cache (cache.c) ----
 *
 * Summaries of sessions that were read before, so that files that have not changed since
 * need no reading: one file in "cache" below home_state.
 *
 * It is a log: a header, then entries with a checksum each, of which the last one of a
 * session counts.  Several programs add to it in turn, by a lock on its folder; what is
 * damaged ends the log, and is written over.  It is written again, without what was not
 * asked for in a long time, when much of it counts no more.  It is of one catena with one
 * set of formats; another one begins its own in that place.
 */

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

/* ---- the list ---- */

struct sessions {
	struct sessions_options options;
	struct prices *prices; /* owned: the built-in ones, once something was read */
	struct session_folders places;
	struct session **items;
	size_t count, cap;
	struct idmap by_key;
	struct walk *walk;      /* files are being looked for, or NULL */
	struct found_database { /* by it, whose sessions are listed after it */
		char *path;
		const struct session_folder *place;
		struct stat st;
	} * databases;
	size_t database_count, database_cap;
	struct database *listed; /* the last of them, or NULL: it is not open yet */
	char **opened;           /* paths: before, elsewhere perhaps */
	size_t opened_count, opened_cap, opened_next;
	uint64_t walk_began, walk_took; /* microseconds */
	struct ordering {
		bool stale;  /* a new order is wanted */
		double now;  /* seconds since 1970, when it was begun */
		uint64_t at; /* when the last one was done */
	} making;
	struct session **rows;
	size_t row_count, row_cap;
	uint32_t *passing; /* indices of the sessions that pass, in order */
	size_t passing_count;
	struct session **groups; /* rows of their own */
	size_t group_count, group_cap;
	struct intern group_names;
	bool *group_folded; /* by number of its name */
	size_t group_folded_cap;
	bool grouped;
	enum sort_column column;
	bool down;
	struct buf words;
	struct filter *filter;      /* of the words, or NULL */
	struct cache *cache;        /* of what was read, or NULL */
	struct cache_key cache_key; /* of the session that is being read, */
	bool keeps;                 /* if it goes to the cache */
	bool searching;
	struct filter *fits; /* what passes has a row without a hit; or NULL */
	uint32_t *to_search; /* indices, the newest first */
	size_t to_search_count, to_search_cap;
	size_t search_next[2];      /* of these, for one hit, and for all */
	uint64_t search_key;        /* of the session that is searched */
	bool search_again;          /* the filter may let others pass by now */
	struct summing_up *reading; /* of the session with this key, or NULL */
	uint64_t reading_key;
	bool glancing;      /* only its beginning is read */
	size_t next;        /* session to be looked at for reading */
	size_t first, page; /* rows on the screen */
	uint64_t answered;  /* key of the session, or 0 */
	uint32_t changes, orders;
	struct err problem; /* the first */
	size_t problems;
	bool looked; /* once; what was wrong then is not said again */
};

struct session *session_new(struct str path); /* of which nothing is known yet */
/* A copy that the caller owns. */
struct str session_keep_text(struct str text);
void session_forget_text(struct session *x);
void session_free(struct session *x);

/* ---- finding ---- */

/* NULL: there is none with this key. */
struct session *sessions_known(const struct sessions *s, uint64_t key);
/* False: there is more to find. */
bool sessions_find_more(struct sessions *s, uint64_t deadline);
void sessions_forget_opened(struct sessions *s);
/* The last database is done with. */
void sessions_leave_database(struct sessions *s);

/* ---- the order ---- */

/* While files are read the order changes now and then, not with each of them. */
bool sessions_want_order(const struct sessions *s, bool busy);
/* Makes a new order; false: a key waits. */
bool sessions_order_on(struct sessions *s);
void sessions_drop_groups(struct sessions *s);

/* ---- reading ---- */

struct session *sessions_next_unread(struct sessions *s);
/* One file, or a part of it; false: all are read. */
bool sessions_read_on(struct sessions *s, uint64_t deadline);

#endif
