/*
 * Where sessions are: the places that the descriptions of formats name, and folders that
 * a person names; going through them; and copies of those that programs delete.
 */
#ifndef CATENA_SESSIONS_PLACES_H
#define CATENA_SESSIONS_PLACES_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/work.h"

#include <sys/stat.h>

struct session_folder {
	const char *path;    /* a full path with wildcards; of a folder as it was given */
	const char *real;    /* of a folder: its full path without links, or `path` */
	struct str tool;     /* the program that writes there; empty: any */
	bool folder;         /* all traces in it and below */
	bool database;       /* what is there may be one: it holds sessions */
	bool part;           /* they are parts of sessions; in a list of its own alone */
	const char *format;  /* that describes them, where its program deletes them; or
				NULL */
	const char *kept;    /* the folder for copies of them, below that of all */
	const char *instead; /* of a place of copies: where the files were; or NULL */
};

struct session_folders { /* all zero bits: none */
	struct session_folder *items;
	size_t count, cap;
	const char **parts; /* patterns of files that belong to another one */
	size_t part_count, part_cap;
	/* private */
	struct arena arena;
};

void places_done(struct session_folders *p);
/* Those of all formats, as far as there is a home folder.  Linear in the formats. */
void places_add_known(struct session_folders *p);
/* Those of which the program deletes what is there, after the days of `deletes` of a
 * format; with those of parts. */
void places_add_deleted(struct session_folders *p);
/* Appends the folder of all copies, unless a person names another one; false: there is no
 * home folder. */
bool places_put_kept(struct buf *out);
#define PACKED ".zst" /* the end of a packed copy's name */
/* Appends where the copy of a file, or a pattern, of such a place is in that folder,
 * without the end that a packed one has. */
void places_put_copy(const struct session_folder *place, const char *path, const char *to,
	struct buf *out);
/* Whether what the file is a copy of is there still, and not shorter. */
bool places_is_needless(const struct session_folder *place, const char *path);

/* A folder with all below it.  What is no folder has nothing in it. */
void places_add_folder(struct session_folders *p, const char *path);
/* The patterns of parts alone. */
void places_add_parts(struct session_folders *p);
/* Whether a file, by its full path, belongs to another one.  Linear in the patterns. */
bool places_is_part(const struct session_folders *p, const char *path);
/* Appends the folder in which all of a place is, without a wildcard. */
void places_root(const struct session_folder *place, struct buf *out);

/* ---- going through them ----
 *
 * In slices: each file that may be a session is told once, in no order.  What is gone by
 * then is passed over; so are links to folders below a folder that a person names, and
 * its hidden files.
 */

struct walk;

typedef void walk_fn(void *context, const char *path, const struct session_folder *place,
	const struct stat *st);

/* Something that is there cannot be read; `problem`: errno. */
typedef void walk_failed_fn(void *context, const char *path, int problem);

/* The places must outlive it. */
struct walk *walk_new(const struct session_folders *places, walk_fn *found,
	walk_failed_fn *failed, void *context);
/* Cost in all: linear in the entries of the folders. */
enum task_state walk_run(struct walk *w, uint64_t deadline);
void walk_free(struct walk *w);

/* ---- copies (keep.c) ----
 *
 * Copies of the sessions that programs delete, each packed by Zstandard in a folder of
 * its own that has the same folders below it; with the files of their sub-agents, and the
 * small files beside them.
 *
 * A copy is made once: when its file has grown, the new one replaces it; when the file
 * has become another one, the old copy is moved aside.  A copy has the time of its file.
 * What is written takes its name when it is on the disk as a whole.
 */

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
