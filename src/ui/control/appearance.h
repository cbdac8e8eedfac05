/* How the viewer looks: the theme, and with which characters it draws. */
#ifndef CATENA_UI_CONTROL_APPEARANCE_H
#define CATENA_UI_CONTROL_APPEARANCE_H

#include "ui/core/app.h"

extern const struct controller_ops appearance_controller;

/* When the terminal is open: finds out about its background, as far as is wanted. */
void appearance_begin(struct app *app);

/* The names of themes, for completion. */
void appearance_list_themes(struct app *app, struct str typed, struct choices *out);

#endif
