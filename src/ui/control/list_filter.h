/*
 * Which steps the list shows, and in which order: the filter that is typed at `&` or
 * `:filter`, and the column of `:sort`.
 *
 * While a filter is typed the list follows it; a text at which something is wrong leaves
 * it as it was, Esc gives back what was there before.  All is judged and sorted in slices
 * beside loading and drawing.  What the list shows stays until the next filter has been
 * judged, or for so many slices that it has something to say; from then on steps come as
 * they are found.  The cursor stays on its step, or goes to what stands before it.
 *
 * A search walks through the steps that are shown; hits in others are counted as hidden.
 */
#ifndef CATENA_UI_CONTROL_LIST_FILTER_H
#define CATENA_UI_CONTROL_LIST_FILTER_H

#include "ui/core/app.h"

/* Shows only what passes; a blank text: all.  False with err when it is no filter. */
bool list_filter_filter(struct app *app, struct str text, struct err *err);

/* Whether the list is filtered or sorted; gives up the filter, or else the order.  False:
 * there is neither. */
bool list_filter_is_on(const struct app *app);
bool list_filter_leave(struct app *app);

/* Some step is not judged that a filter is to be in force for. */
bool list_filter_is_judging(const struct app *app);
/* ... or sorting: the list is not what it will be. */
bool list_filter_is_at_work(const struct app *app);

/* "&error  17 of 2000 shown  by cost  ": safe text; at a higher `terse` less of it, at 4
 * how many are shown alone. */
void list_filter_put(const struct app *app, struct buf *out, unsigned terse);

#endif
