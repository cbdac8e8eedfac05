/*
 * The board: the list of sessions that takes the place of a trace when none is named
 * (sessions/sessions.h).  It is a viewer of nothing with one pane, PANE_SESSIONS; the
 * trace that is opened from it is a viewer of its own (ui/app.c), and the board waits
 * with its place kept.
 */
#ifndef CATENA_UI_CONTROL_BOARD_H
#define CATENA_UI_CONTROL_BOARD_H

#include "ui/core/app.h"

struct session;

/* Lists app->options.sessions, as far as that takes no time; before the screen is open.
 */
void board_begin(struct app *app);
bool board_is_on(const struct app *app); /* this viewer is the board */

/* The session that was chosen, to be opened, and whether it is to be followed; NULL: the
 * person has left. */
const char *board_chosen(const struct app *app);
bool board_follows(const struct app *app);
/* Whether a session has hits of what the list is searched for, or may have some. */
bool board_seeks(const struct app *app, const struct session *x);
/* Its viewer is closed: the board goes on. */
void board_return(struct app *app);

/* How long to wait for a key before files are looked at again, in milliseconds. */
int board_patience(const struct app *app);
/* Looks at the files now: a script does not wait until it is due. */
void board_look(struct app *app);

/* For the header: what is listed, and its figures; at a higher `terse` less of them. */
void board_put_name(const struct app *app, struct buf *out);
void board_put_figures(const struct app *app, struct buf *out, unsigned terse);
/* A filter of sessions (sessions/sessions.h) is about to be typed, and the list follows
 * it; then what was there before is given back, or stays.  False with err: it is none. */
void board_try(struct app *app);
bool board_filter(struct app *app, struct str text, struct err *err);
void board_give_back(struct app *app);

/* The session under the cursor; NULL: there is none. */
const struct session *board_at_cursor(const struct app *app);
const struct sessions *board_sessions(const struct app *app);
/* Appends the path of the session under the cursor, or the command that goes on with it;
 * false: there is none, or none is known. */
bool board_put(const struct app *app, bool resume, struct buf *out);

#endif
