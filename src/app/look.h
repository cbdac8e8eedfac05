/* How the viewer looks: the theme, and with which characters it draws. */
#ifndef CATENA_APP_LOOK_H
#define CATENA_APP_LOOK_H

#include "app/command.h"

/* When the terminal is open: finds out about its background, as far as is wanted. */
void look_begin(struct app *app);
/* The settings have changed. */
void look_apply(struct app *app);

/* The names of themes, for completion. */
void look_list_themes(struct app *app, struct str typed, struct choices *out);

#endif
