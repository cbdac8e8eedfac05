/* What the files share that take things out of the viewer: take.c, outside.c, exports.c,
 * paths.c. */
#ifndef CATENA_APP_TAKE_H
#define CATENA_APP_TAKE_H

#include "app/under.h"

/* Copies and says so; adds when it holds what a paste does more with than show it. */
void take_copy(struct app *app, struct str text);
/* Copies the way to the value under the cursor, or a whole command for jq, when it is
 * found. */
void take_path(struct app *app, enum unit unit);
/* A file with an image that was not opened is removed. */
void take_end(struct app *app);
/* A name that was typed: "~/" is the home. */
void take_name(struct str typed, struct buf *path);

#endif
