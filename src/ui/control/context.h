/*
 * Where the context goes: the bars of what the steps of a chain were sent, and the
 * largest items of one of them.  What is computed stays until steps change.
 */
#ifndef CATENA_UI_CONTROL_CONTEXT_H
#define CATENA_UI_CONTROL_CONTEXT_H

#include "ui/core/app.h"

extern const struct controller_ops context_controller;
extern const struct pane_ops pane_context_ops;

#endif
