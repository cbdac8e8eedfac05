/* The files of a folder and its subfolders. */
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

#endif
