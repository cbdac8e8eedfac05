/* Telling all controllers what has happened: see core/controller.h for each. */
#ifndef CATENA_UI_CORE_NOTIFY_H
#define CATENA_UI_CORE_NOTIFY_H

#include "ui/core/app.h"

/* Makes their states and begins them; `ops` by enum controller_id outlives them. */
void controllers_begin(struct app *app, const struct controller_ops *const *ops);
void controllers_end(struct app *app);

void notify(struct app *app, enum app_event event);
void notify_key(struct app *app, enum command c);

#endif
