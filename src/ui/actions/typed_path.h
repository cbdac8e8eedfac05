/* The name of a file as it was typed at a prompt. */
#ifndef CATENA_UI_ACTIONS_TYPED_PATH_H
#define CATENA_UI_ACTIONS_TYPED_PATH_H

#include "base/err.h"

/* Appends it, without blanks around it; "~/" is the home.  True: a "!" before it asks to
 * replace the file. */
bool typed_path(struct str typed, struct buf *path);

/* The error of a file that was not written, when it is there already: it then says how it
 * is replaced. */
void typed_path_refused(const char *path, bool replace, struct err *err);

#endif
