/* The panes on the screen, and which of them has the keys. */
#ifndef CATENA_UI_CORE_SCREEN_H
#define CATENA_UI_CORE_SCREEN_H

#include "ui/core/app.h"

/* All panes with nothing in them; `ops` by enum pane_id. */
void screen_begin(struct app *app, const struct pane_ops *const *ops);
void screen_end(struct app *app);

/* False where there is one step only: nothing to choose from. */
bool screen_has_list(const struct app *app);
/* The pane that has the keys, and which of those that lie side by side has them when
 * nothing lies over them. */
enum pane_id screen_focus(const struct app *app);
enum pane_id screen_focus_below(const struct app *app);
struct pane *screen_focused(struct app *app);
/* The pane whose document the keys move in: on the list it is the side that is shown. */
struct pane *screen_moving_pane(struct app *app);
/* Gives the keys to one of those that lie side by side. */
void screen_give_keys(struct app *app, enum pane_id id);
/* Takes away what lies over the panes; below help may lie another. */
void screen_uncover(struct app *app);
/* The person goes to a step from a report that lies over the panes; screen_return shows
 * it again (false: none led here). */
void screen_leave_for_step(struct app *app);
bool screen_return(struct app *app);
/* Shows what lies over the panes, or takes it away again; gives REACT_DRAW. */
unsigned screen_toggle(struct app *app, enum pane_id id);

#endif
