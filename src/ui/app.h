/* The viewer: see app.c. */
#ifndef CATENA_UI_APP_H
#define CATENA_UI_APP_H

#include "ui/core/app.h"

/*
 * Shows the inputs, or a list of sessions and the traces that are opened from it, until
 * the person leaves.  Returns the exit status; errors were
 * printed.  Without a usable terminal it says so: status 2.
 */
int app_run(const struct app_options *options);

#endif
