/*
 * A file for another program to read: in $XDG_RUNTIME_DIR, $TMPDIR or /tmp, with an
 * unpredictable name and mode 0600.
 */
#ifndef CATENA_BASE_TEMPFILE_H
#define CATENA_BASE_TEMPFILE_H

#include "base/err.h"

/*
 * Writes a text to such a file, whose name ends in `ending` (".json").  Its path, for
 * mem_free, or NULL with err.
 */
char *tempfile_write(struct str text, const char *ending, struct err *err);

#endif
