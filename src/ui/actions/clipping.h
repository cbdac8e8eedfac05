/* Putting a text on the clipboard. */
#ifndef CATENA_UI_ACTIONS_CLIPPING_H
#define CATENA_UI_ACTIONS_CLIPPING_H

#include "ui/core/app.h"

/* Copies and says so; adds when it holds what a paste does more with than show it. */
void clip(struct app *app, struct str text);

#endif
