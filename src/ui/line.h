/* The line at the bottom in which commands are typed: see line.c. */
#ifndef CATENA_UI_LINE_H
#define CATENA_UI_LINE_H

#include "ui/command.h"

/* What an export can be of, and its formats. */
void line_list_export(struct app *app, struct str typed, struct choices *out);
/* Calls the command of a line; one that is none is said.  True when it is time to
 * leave. */
bool line_call(struct app *app, struct str text);

#endif
