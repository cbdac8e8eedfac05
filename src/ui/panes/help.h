/* The help, which lists commands, keys and settings as they are. */
#ifndef CATENA_UI_PANES_HELP_H
#define CATENA_UI_PANES_HELP_H

#include "ui/core/app.h"

extern const struct controller_ops help_controller;

/* Shows it where it lists the settings. */
unsigned help_show_options(struct app *app);

#endif
