/* The user's folders, by the XDG base directory specification. */
#ifndef CATENA_BASE_HOME_H
#define CATENA_BASE_HOME_H

#include "base/buf.h"

/* Appends "$XDG_CONFIG_HOME/catena"; false when there is none: no HOME, or a relative
 * one. */
bool home_config(struct buf *out);

#endif
