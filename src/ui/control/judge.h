/*
 * Judges the steps that were not opened yet, so that the list can mark which are broken
 * and which have failed (import/failure.h).
 */
#ifndef CATENA_UI_CONTROL_JUDGE_H
#define CATENA_UI_CONTROL_JUDGE_H

#include "ui/core/app.h"

extern const struct controller_ops judge_controller;

/* Sees to it that the failures of a step are known, and of all before it in the file;
 * works until the deadline. */
enum task_state judge_failure(struct app *app, uint32_t step, uint64_t deadline);

#endif
