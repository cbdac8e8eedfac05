/* The files of a folder and its subfolders, and those that fit a pattern. */
#ifndef CATENA_IO_FOLDER_H
#define CATENA_IO_FOLDER_H

#include "base/err.h"

#define FOLDER_DEPTH 32     /* of folders in one another; deeper ones are passed over */
#define FOLDER_MOST  100000 /* files */

struct folder_files {
	char **paths; /* owned */
	size_t count, cap;
	bool more; /* there are more than that */
};

bool folder_is(const char *path); /* a folder, or a link to one */

/*
 * All regular files that are not empty, sorted by name; those of a subfolder come where
 * its name belongs.  Memory is linear in their number.
 * Hidden ones (".x") and folders that are links are passed over.  False with err when
 * the folder itself cannot be read; one in it that cannot is passed over.
 */
bool folder_list(const char *path, struct folder_files *out, struct err *err);
void folder_files_done(struct folder_files *f);

typedef void listing_fn(void *ctx, const char *path);

/*
 * Many patterns ask for files of the same folders: the names in a folder are read once,
 * and again when it has changed.  Calls `take` for each path that fits a pattern of
 * glob(7), in the order of their names. Cost: that of the names that end like the pattern
 * after its last wildcard, and once for a folder that of all its names.
 */
void listing_match(const char *pattern, listing_fn *take, void *ctx);

#endif
