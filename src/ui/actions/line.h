/* The line at the bottom in which commands are typed: see line.c. */
#ifndef CATENA_UI_ACTIONS_LINE_H
#define CATENA_UI_ACTIONS_LINE_H

#include "ui/keys/command.h"

/* Calls the command of a line; one that is none is said.  True when it is time to
 * leave. */
bool line_call(struct app *app, struct str text);

#endif
