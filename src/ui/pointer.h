/*
 * The mouse: a click gives a pane the keys and takes its cursor there, on the sign of a
 * fold it opens or closes it; a double click is Enter; the wheel scrolls what is under
 * it.  It is off until it is asked for, since the terminal's own selection is lost with
 * it.
 */
#ifndef CATENA_UI_POINTER_H
#define CATENA_UI_POINTER_H

#include "term/term.h"
#include "ui/core/app.h"


/* True when it is time to leave. */
bool pointer_event(struct app *app, const struct term_event *event);

#endif
