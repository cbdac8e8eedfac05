/* How the viewer looks: the theme, and with which characters it draws. */
#ifndef CATENA_UI_CONTROL_APPEARANCE_H
#define CATENA_UI_CONTROL_APPEARANCE_H

#include "term/term.h"
#include "ui/core/app.h"


/* When the terminal is open: the theme, as far as the background is known. */
void appearance_begin(struct app *app);
/* After a screen was drawn: asks the terminal for its background, once, if that is
 * wanted. */
void appearance_ask(struct app *app);
/* It answered. */
void appearance_told(struct app *app, enum background background);
/* Takes over what another viewer on this terminal knows of it. */
void appearance_inherit(struct app *app, const struct app *other);

#endif
