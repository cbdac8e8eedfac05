/*
 * From a line to where its words were first said (analysis/origin): which result or
 * message introduced them.  Of a paragraph the sentences count that stand in the
 * cursor's row.  It is done in slices beside drawing, and any other command, or Esc,
 * gives it up.
 */
#ifndef CATENA_UI_CONTROL_ORIGIN_H
#define CATENA_UI_CONTROL_ORIGIN_H

#include "ui/core/app.h"


bool origin_is_busy(const struct app *app);
/* Gives it up; false: there is none. */
bool origin_cancel(struct app *app);
/* "looking for where this was first said  34 %" */
void origin_put_status(const struct app *app, struct buf *out);

#endif
