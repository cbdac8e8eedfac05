/*
 * Jumping over the list: to the next step that failed, that is slow, that calls the same
 * tool, that a speaker or a model has part in, and from a call to its result in another
 * step.  What the list knows is found at once; where steps must be opened to know it,
 * that is done in slices beside drawing, and any other command, or Esc, gives it up.
 *
 * A way goes round the ends of the list, once; with a count it goes on over so many, and
 * stops at the last there is.
 */
#ifndef CATENA_UI_CONTROL_JUMP_H
#define CATENA_UI_CONTROL_JUMP_H

#include "ui/core/app.h"


bool jump_is_busy(const struct app *app);
/* Gives it up; false: there is none. */
bool jump_cancel(struct app *app);
/* "looking for the next error  34 %": safe text. */
void jump_put_status(const struct app *app, struct buf *out);

#endif
