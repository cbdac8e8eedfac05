/* Copying the way to the value under the cursor. */
#ifndef CATENA_UI_ACTIONS_PATHS_H
#define CATENA_UI_ACTIONS_PATHS_H

#include "ui/control/target.h"

/* UNIT_PATH: the way; UNIT_JQ: a whole command for jq.  When it is found. */
void copy_path(struct app *app, enum unit unit);

#endif
