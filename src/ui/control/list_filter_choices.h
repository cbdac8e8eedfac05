/* What may be typed next in a filter, and the columns that the list can be sorted by. */
#ifndef CATENA_UI_CONTROL_LIST_FILTER_CHOICES_H
#define CATENA_UI_CONTROL_LIST_FILTER_CHOICES_H

#include "ui/core/app.h"

/* As prompt_kind's `list`. */
void list_filter_complete(
	struct app *app, struct str typed, size_t *from, struct choices *out);
/* For the command line: whole arguments of :filter and :sort. */
void list_filter_list_filter(struct app *app, struct str typed, struct choices *out);
void list_filter_list_sort(struct app *app, struct str typed, struct choices *out);

#endif
