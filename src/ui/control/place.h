/*
 * Where the person is in the list and in the step, kept while the trace is read again or
 * the step is laid out again, or remembered from another day: as soon as the step is
 * there, she is taken back to it.
 */
#ifndef CATENA_UI_CONTROL_PLACE_H
#define CATENA_UI_CONTROL_PLACE_H

#include "ui/core/app.h"

extern const struct controller_ops place_controller;

/* She is about to be taken there: keys had better wait, which they do for half a second.
 */
bool place_is_near(const struct app *app);

/* The person does something: she is not taken anywhere any more. */
void place_stay(struct app *app);

#endif
