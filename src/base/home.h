/* The user's folders, by the XDG base directory specification. */
#ifndef CATENA_BASE_HOME_H
#define CATENA_BASE_HOME_H

#include "base/buf.h"
#include "base/err.h"

/* Appends "$XDG_CONFIG_HOME/catena"; false when there is none: no HOME, or a relative
 * one. */
bool home_config(struct buf *out);
/*
 * The full paths of the YAML files in a folder of it, by their names; each and the list
 * are the caller's.  None where there is no such folder; err, unset before, says why one
 * cannot be read.
 */
char **home_config_files(const char *folder, size_t *count, struct err *err);
/* Appends "$XDG_STATE_HOME/catena", or returns false as home_config does.  Folders that
 * are missing are made, with mode 0700. */
bool home_state(struct buf *out);

/*
 * The path of a place that begins with "/", with "~/" (the person's home folder), or with
 * "${NAME:-OTHERWISE}" (the folder of that environment variable where it is set to a full
 * path, else what follows, which is a place in its turn).  What comes after that is
 * appended as it is, wildcards among it.  False: it begins otherwise, or there is no home
 * folder.
 */
bool home_expand(struct str place, struct buf *out);
/* Whether it begins in one of these ways. */
bool home_is_place(struct str place);
/* Appends a path with "~" in place of the home folder. */
void home_shorten(struct str path, struct buf *out);

#endif
