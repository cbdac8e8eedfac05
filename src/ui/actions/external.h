/* What the cursor is on, in other programs: the commands are in keys/run.h. */
#ifndef CATENA_UI_ACTIONS_EXTERNAL_H
#define CATENA_UI_ACTIONS_EXTERNAL_H

#include "ui/core/app.h"

extern const struct controller_ops external_controller;

#endif
