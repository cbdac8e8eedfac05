/* Telling all controllers what has happened: see core/controller.h for each. */
#ifndef CATENA_UI_CORE_NOTIFY_H
#define CATENA_UI_CORE_NOTIFY_H

#include "ui/core/app.h"

/* Makes their states and begins them; `ops` by enum controller_id outlives them. */
void controllers_begin(struct app *app, const struct controller_ops *const *ops);
void controllers_end(struct app *app);

void notify_key(struct app *app, enum command c);
void notify_settings(struct app *app);
void notify_characters(struct app *app);
void notify_settle(struct app *app);
void notify_opened(struct app *app);
void notify_shown(struct app *app);
void notify_rebuilt(struct app *app);
void notify_closing(struct app *app);
void notify_leaving(struct app *app);
void notify_read(struct app *app, bool grown);
void notify_keep(struct app *app);
void notify_forget(struct app *app);
void notify_renew(struct app *app);
void notify_list_begun(struct app *app);

#endif
