/* What the files share that take things out of the viewer: copy.c, outside.c, exports.c,
 * paths.c. */
#ifndef CATENA_UI_COPY_H
#define CATENA_UI_COPY_H

#include "ui/target.h"

/* Copies and says so; adds when it holds what a paste does more with than show it. */
void copy_copy(struct app *app, struct str text);
/* Copies the way to the value under the cursor, or a whole command for jq, when it is
 * found. */
void copy_path(struct app *app, enum unit unit);
/* A file with an image that was not opened is removed. */
void copy_end(struct app *app);
/* A name that was typed: "~/" is the home. */
void copy_name(struct str typed, struct buf *path);

#endif
