/* Exporting the chain or the step from the viewer: the commands are in keys/run.h. */
#ifndef CATENA_UI_ACTIONS_EXPORTS_H
#define CATENA_UI_ACTIONS_EXPORTS_H

#include "ui/keys/command.h"

/* What an export can be of, and its formats: for completion. */
void export_complete(struct app *app, struct str typed, struct choices *out);

#endif
