/* Calling commands, whoever asks for them: keys, the command line, the mouse. */
#ifndef CATENA_UI_ACTIONS_CALL_H
#define CATENA_UI_ACTIONS_CALL_H

#include "ui/core/app.h"

/* The pane that has the keys answers, or the command's own function; what acts in the
 * documents of a step that is still being opened waits for it.  True when it is time to
 * leave. */
bool call_command(struct app *app, const struct invocation *call);
/* Whether its key is worth offering where the keys are; false where it is known that it
 * would do nothing there. */
bool call_applies(struct app *app, const struct invocation *call);

/* Calls the command of a line; one that is none is said. */
void line_call(struct app *app, struct str text);

#endif
