/*
 * Comparing steps: one is marked, or named, or is the one before; the other is that under
 * the cursor.  A step of another file is looked for in that file, which is read in slices
 * first.  Both steps are opened in slices, aligned in slices, and shown in a pane that
 * lies over the others; when that is left, all of it is released but the mark.
 */
#ifndef CATENA_UI_COMPARE_H
#define CATENA_UI_COMPARE_H

#include "ui/pane.h"

struct compare;

struct compare *compare_new(void);
void compare_free(struct app *app);
/* The model's steps are others now. */
void compare_forget(struct app *app);
/* Other characters are drawn now: folds of the difference are as at first. */
void compare_lay_out_anew(struct app *app);

/* One slice of what is left to do; false when there is nothing. */
bool compare_slice(struct app *app, uint64_t deadline);
bool compare_is_busy(const struct app *app);

/* Sets the mark into a row of the list, if it is the marked step's. */
void compare_mark_row(const struct app *app, size_t row, struct lines *line);

#endif
