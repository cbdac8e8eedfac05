/* Filtering and sorting the list: the commands are in keys/run.h. */
#ifndef CATENA_UI_ACTIONS_LIST_FILTER_PROMPT_H
#define CATENA_UI_ACTIONS_LIST_FILTER_PROMPT_H

#include "ui/keys/command.h"

/* For the command line: whole arguments of :filter and :sort. */
void filter_complete(struct app *app, struct str typed, struct choices *out);
void sort_complete(struct app *app, struct str typed, struct choices *out);

#endif
