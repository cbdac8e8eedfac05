/*
 * Where the person is in the list and in the step, kept while the trace is read again or
 * the step is laid out again, or remembered from another day: as soon as the step is
 * there, she is taken back to it.
 */
#ifndef CATENA_UI_CONTROL_PLACE_H
#define CATENA_UI_CONTROL_PLACE_H

#include "ui/core/app.h"

extern const struct controller_ops place_controller;

/* The person does something: she is not taken anywhere any more. */
void place_stay(struct app *app);

#endif
