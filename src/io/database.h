/*
 * Sessions that a program keeps in an SQLite database.  Formats name the queries that
 * give them (import/known.h); each session is one text of JSON, written into a sink.
 *
 * The file is opened for reading alone, with its write-ahead log, and a writer at work is
 * waited for.  No extension is loaded, the schema is not trusted, nothing is written
 * beside the file, and a row may take DATABASE_ROW_MOST seconds.
 */
#ifndef CATENA_IO_DATABASE_H
#define CATENA_IO_DATABASE_H

#include <stdint.h>

#include "io/unpack.h"

#define DATABASE_HEAD     16 /* bytes by which one is known */
#define DATABASE_TEXTS    4
#define DATABASE_ROW_MOST 3
#define DATABASE_WAIT     5 /* seconds for a writer */

/* One question in the words of several versions of a program: the first counts that the
 * tables can answer.  Ends with an empty text. */
struct database_query {
	struct str texts[DATABASE_TEXTS + 1];
};

/* How a program's databases are asked.  A database is of the first format all of whose
 * questions its tables can answer. */
struct database_queries {
	/* a row for each session: its id, and when it was last written (seconds since
	 * 1970, or null) */
	struct database_query sessions;
	/* of the session `:session` one row: an object; without a text there is none */
	struct database_query session;
	struct str member; /* of that object: the list of the records */
	/* of the session `:session` a row for each record, JSON; null is none */
	struct database_query records;
};

/* The i-th of all queries; false after the last.  They live as long as the program. */
typedef bool database_queries_fn(size_t i, struct database_queries *out);
/* For the whole program; call it before anything is opened. */
void database_set_queries(database_queries_fn *queries);

enum likeness database_recognize(struct str head);
/* Whether the file begins like one. */
bool database_is(const char *path);
/* Whether a path is that of a session in a database, "FILE/ID"; sets both. */
bool database_split(const char *path, struct buf *file, struct buf *session);

/* What tells that a database was written since; of a file and its log. */
struct database_stamp {
	int64_t at[4]; /* seconds and nanoseconds when each was written */
	int64_t size[2];
};
struct database_stamp database_stamp(const char *file);

struct database;

/* `session`: its id, or empty: all of them.  NULL with err when the file cannot be
 * opened. */
struct database *database_open(const char *file, struct str session, struct err *err);
void database_close(struct database *d);

struct database_session {
	struct str id;  /* valid until the next call */
	double written; /* seconds since 1970; NaN: not known */
};
/* The next one.  False: there is none; or, with err, no more can be read; or a writer is
 * at work (database_is_busy): call again. */
bool database_next(struct database *d, struct database_session *out, struct err *err);
bool database_is_busy(const struct database *d);

/* Does a piece of work: sessions into the sink, each a member of it if all are read.
 * What cannot be read of one is a note.  False: that was the last; with err: nothing came
 * out. */
bool database_read(struct database *d, struct unpack_sink *out, struct err *err);

#endif
