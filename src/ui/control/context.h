/*
 * Where the context goes: the bars of what the steps of a chain were sent, and the
 * largest items of one of them.  What is computed stays until steps change.
 */
#ifndef CATENA_UI_CONTROL_CONTEXT_H
#define CATENA_UI_CONTROL_CONTEXT_H

#include "ui/core/app.h"
#include "view/context_rows.h"

extern const struct controller_ops context_controller;

struct context_view *context_shown(const struct app *app);
/* Brings it up to date; false when there is no step to show. */
bool context_show(struct app *app);
/* To the largest items of the step at the cursor, as soon as it is read, and back to the
 * bars. */
void context_open_step(struct app *app);
void context_close_step(struct app *app);
/* Tokens, or bytes. */
void context_next_measure(struct app *app);
/* To the item under the cursor; shown again, the items are as they were. */
unsigned context_go_to_item(struct app *app);

#endif
