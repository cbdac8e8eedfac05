/* The line at the bottom in which commands are typed, and what it needs: see line.c. */
#ifndef CATENA_APP_LINE_H
#define CATENA_APP_LINE_H

#include "app/command.h"

/* The names of settings, and behind one its values: for completion. */
void line_list_settings(struct app *app, struct str typed, struct choices *out);

/* Calls the command of a line; one that is none is said.  True when it is time to leave. */
bool line_call(struct app *app, struct str text);

#endif
