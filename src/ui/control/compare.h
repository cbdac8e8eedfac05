/*
 * Comparing steps: one is marked, or named, or is the one before; the other is that under
 * the cursor.  A step of another file is looked for in that file, which is read in slices
 * first.  Both steps are opened and aligned while no key waits, and shown in a pane that
 * lies over the others; when that is left, all of it is released but the mark.
 */
#ifndef CATENA_UI_CONTROL_COMPARE_H
#define CATENA_UI_CONTROL_COMPARE_H

#include "ui/core/app.h"


/* Shows how two steps of the trace differ. */
void compare_steps(struct app *app, uint32_t was, uint32_t is);
/* Sets the mark into a row of the list, if it is the marked step's. */
void compare_mark_row(const struct app *app, size_t row, struct lines *line);

#endif
