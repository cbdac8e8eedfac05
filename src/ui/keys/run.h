/*
 * What the commands of commands.h call.  Each stands in the file of its subject, and
 * answers with enum reaction.
 */
#ifndef CATENA_UI_KEYS_RUN_H
#define CATENA_UI_KEYS_RUN_H

#include "ui/keys/command.h"

#define COMMAND(name, text, group, flags, argument, run, about)                          \
	unsigned run(struct app *app, const struct invocation *call);
COMMANDS(COMMAND)
#undef COMMAND

#endif
