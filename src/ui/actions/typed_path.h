/* The name of a file as it was typed at a prompt. */
#ifndef CATENA_UI_ACTIONS_TYPED_PATH_H
#define CATENA_UI_ACTIONS_TYPED_PATH_H

#include "base/buf.h"

/* Appends it, without blanks around it; "~/" is the home. */
void typed_path(struct str typed, struct buf *path);

#endif
