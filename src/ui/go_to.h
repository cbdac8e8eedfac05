/*
 * Going to a step by some letters of its name: a prompt, and over the panes a list of the
 * steps that fit, best first, which follows what is typed.  Steps are looked through in
 * slices; what did not fit is not looked at again when more is typed.
 */
#ifndef CATENA_UI_GO_TO_H
#define CATENA_UI_GO_TO_H

#include "ui/pane.h"

struct go *go_new(void);
void go_free(struct go *g);

bool go_is_busy(const struct app *app);
/* One slice of looking; false: nothing is left to look at. */
bool go_slice(struct app *app, uint64_t deadline);
/* The model forgot its steps. */
void go_forget(struct app *app);

#endif
