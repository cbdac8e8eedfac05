/*
 * Searching in what lies over the panes: help, findings, overview and whatever else is a
 * document there.  Its hits are counted in slices, then n and N go round among them; it
 * ends when something else is shown.  The search through the steps stays as it is.
 */
#ifndef CATENA_UI_CONTROL_FIND_IN_PANE_H
#define CATENA_UI_CONTROL_FIND_IN_PANE_H

#include "ui/core/app.h"

struct find_here;
struct query;

/* Whether `/` searches there. */
bool find_here_can(const struct app *app);
/* Takes the query. */
void find_here_begin(struct app *app, struct query *q, struct str text, bool back);
/* While a pattern is typed: what is searched for now, or nothing, and the cursor's place,
 * from which each pattern is looked for again, and to which one returns. */
void find_here_keep(struct app *app, struct buf *text);
void find_here_return(struct app *app);
void find_here_done(struct app *app);
void find_here_again(struct app *app, bool against, unsigned more);

bool find_here_is_on(const struct app *app);
bool find_here_is_busy(const struct app *app);
void find_here_run(struct app *app, uint64_t deadline);
/* The document was made again. */
void find_here_renew(struct app *app, enum pane_id id);
/* "/retry  3 of 17": safe text. */
void find_here_put_status(struct app *app, struct buf *out);
const struct hint *find_here_hints(void);
/* As find_marked. */
const struct lines *find_here_marked(struct app *app, struct pane *p, size_t block,
	const struct lines *ls, size_t *line, struct lines *out);

#endif
