/* `:set`: settings as they are now. */
#ifndef CATENA_UI_ACTIONS_SET_H
#define CATENA_UI_ACTIONS_SET_H

#include "ui/keys/command.h"

/* The names of settings, and after one its values: for completion. */
void set_list(struct app *app, struct str typed, struct choices *out);

#endif
