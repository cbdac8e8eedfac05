/*
 * Comparing steps: one is marked, or named, or is the one before; the other is that under
 * the cursor.  A step of another file is looked for in that file, which is read in slices
 * first.  Both steps are opened and aligned while no key waits, and shown in a pane that
 * lies over the others; when that is left, all of it is released but the mark.
 */
#ifndef CATENA_UI_CONTROL_COMPARE_H
#define CATENA_UI_CONTROL_COMPARE_H

#include "ui/core/app.h"

extern const struct controller_ops compare_controller;

/* Works on for a while, so that what is done soon is seen at once. */
void compare_hurry(struct app *app, uint64_t microseconds);
/* "12 messages alike, 2 changed", or how far it is. */
void compare_put_title(const struct app *app, struct buf *out);
/* The step on either side, or NO_STEP: it is one of another file. */
uint32_t compare_step(const struct app *app, bool was);
/* Sets the mark into a row of the list, if it is the marked step's. */
void compare_mark_row(const struct app *app, size_t row, struct lines *line);

#endif
