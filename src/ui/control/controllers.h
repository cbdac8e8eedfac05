/*
 * The controllers that no code calls: they hear what happens, and have a pane or commands.
 */
#ifndef CATENA_UI_CONTROL_CONTROLLERS_H
#define CATENA_UI_CONTROL_CONTROLLERS_H

#include "ui/core/app.h"

/* Only what is new: which step goes before the one that is shown (diff/earlier), and both
 * sides made by it, where the setting `new-only` asks for that. */
extern const struct controller_ops only_new_controller;
/* Sessions whose files give them no name are called by what a person asked for first, as
 * the list of sessions calls them: read from their files, once all is read. */
extern const struct controller_ops titles_controller;
/* Where the context goes: the bars of what the steps of a chain were sent, and the
 * largest items of one of them.  What is computed stays until steps change. */
extern const struct controller_ops context_controller;
extern const struct pane_ops pane_context_ops;
/* While the file is followed, how full the window is (context_view_gauge) of the chain at
 * the list's cursor, with two blanks after it; or nothing. */
void context_put_gauge(struct app *app, struct buf *out);
/* Going to a step by some letters of what its row says: picker.h. */
extern const struct controller_ops failures_controller;
extern const struct controller_ops ledger_controller;
extern const struct controller_ops runs_controller;
extern const struct controller_ops go_to_controller;

#endif
