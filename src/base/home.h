/* Where a person's own files are: the XDG Base Directory Specification. */
#ifndef CATENA_BASE_HOME_H
#define CATENA_BASE_HOME_H

#include "base/buf.h"

/*
 * Appends "$XDG_STATE_HOME/catena", or "~/.local/state/catena"; what is missing of it is
 * made, for the owner alone.  False: there is no HOME.
 */
bool home_state(struct buf *path);

#endif
