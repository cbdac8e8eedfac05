/*
 * Going to a step by some letters of its name: a prompt, and over the panes a list of the
 * steps that fit, best first, which follows what is typed.  Steps are looked through in
 * slices; what did not fit is not looked at again when more is typed.
 */
#ifndef CATENA_UI_CONTROL_GO_TO_H
#define CATENA_UI_CONTROL_GO_TO_H

#include "ui/core/app.h"

extern const struct controller_ops go_to_controller;
extern const struct pane_ops pane_go_to_ops;

#endif
