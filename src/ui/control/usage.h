/*
 * What the sessions of the list took and cost (view/usage_table), over the list: the
 * filter of the list holds here, too.  Enter filters the list by the row.
 */
#ifndef CATENA_UI_CONTROL_USAGE_H
#define CATENA_UI_CONTROL_USAGE_H

#include "ui/core/app.h"

extern const struct controller_ops usage_controller;
extern const struct pane_ops pane_usage_ops;

void usage_complete(struct app *app, struct str typed, struct choices *out);

#endif
