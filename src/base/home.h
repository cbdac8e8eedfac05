/* The user's folders, by the XDG base directory specification. */
#ifndef CATENA_BASE_HOME_H
#define CATENA_BASE_HOME_H

#include "base/buf.h"

/* Appends "$XDG_CONFIG_HOME/catena"; false when there is none: no HOME, or a relative
 * one. */
bool home_config(struct buf *out);
/* Appends "$XDG_STATE_HOME/catena", or returns false as home_config does.  Folders that
 * are missing are made, with mode 0700. */
bool home_state(struct buf *out);

#endif
