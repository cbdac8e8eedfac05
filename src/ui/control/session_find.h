/*
 * Searching the texts of all sessions from their list: while the pattern is typed, one
 * session after the other, the newest first (view/session_search).
 */
#ifndef CATENA_UI_CONTROL_SESSION_FIND_H
#define CATENA_UI_CONTROL_SESSION_FIND_H

#include "sessions/sessions.h"
#include "ui/core/app.h"


/* Searches the sessions for another pattern, in place of the one before; a blank one ends the search.
 * False with err: it is no pattern, and nothing changes. */
bool session_find_begin(
	struct app *app, struct sessions *s, struct str pattern, struct err *err);
/* What is searched for; empty: nothing. */
struct str session_find_pattern(const struct app *app);
bool session_find_is_running(const struct app *app);
/* ... or will be, once sessions are found. */
bool session_find_is_busy(const struct app *app);
/* "searching 40%  " while it is going on: safe text. */
void session_find_put_progress(const struct app *app, struct buf *out);

#endif
