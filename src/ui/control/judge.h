/* Judges the steps that were not opened yet, so that the list can mark what is broken. */
#ifndef CATENA_UI_CONTROL_JUDGE_H
#define CATENA_UI_CONTROL_JUDGE_H

#include "ui/core/app.h"

extern const struct controller_ops judge_controller;

#endif
