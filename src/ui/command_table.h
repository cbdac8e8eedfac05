/* What each command does: the functions of keys/run.h by command. */
#ifndef CATENA_UI_COMMAND_TABLE_H
#define CATENA_UI_COMMAND_TABLE_H

#include "ui/keys/command.h"

extern const struct command_ops command_table[COMMAND_COUNT];

#endif
