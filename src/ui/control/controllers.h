/*
 * What small controllers offer to other files: a function or two each.  What a controller
 * does is said in its file.
 */
#ifndef CATENA_UI_CONTROL_CONTROLLERS_H
#define CATENA_UI_CONTROL_CONTROLLERS_H

#include "ui/core/app.h"

/* ---- charts ---- */

/* Whether many chains are folded was decided: it stays so. */
void charts_keep_chains(struct app *app);

/* ---- context ---- */

/* While the file is followed, how full the window is (context_view_gauge) of the chain at
 * the list's cursor, with two blanks after it; or nothing. */
void context_put_gauge(struct app *app, struct buf *out);

/* ---- judge ---- */

/* Sees to it that the failures of a step are known, and of all before it in the file;
 * works until the deadline. */
enum task_state judge_failure(struct app *app, uint32_t step, uint64_t deadline);

/* ---- pictures ---- */

/* Some are still awaited: their task must be run again in a few milliseconds. */
bool pictures_are_made(const struct app *app);

/* ---- reports ---- */

/* Whether one that is looked at is still being made. */
bool reports_are_busy(const struct app *app);
/* Whether a check that was made found an error in a step.  Linear in the findings. */
bool reports_has_error(const struct app *app, uint32_t step);

#endif
