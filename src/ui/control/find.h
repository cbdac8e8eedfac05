/*
 * Searching in the viewer: the pattern that was asked for, the search through the whole
 * trace (query/search), and the way from hit to hit (view/doc_hits).  All of it is done
 * in slices beside loading and drawing.
 *
 * A way leads through both sides of the step, input first, then through what stands in
 * the step but in neither side as it is shown: that is shown as JSON.  Then comes the
 * next step with hits, round the ends of the list.
 *
 * What lies over the panes, help, findings, overview and whatever else is a document
 * there, is searched by itself: its hits are counted in slices, then n and N go round
 * among them; it ends when something else is shown.  The search through the steps stays
 * as it is.
 */
#ifndef CATENA_UI_CONTROL_FIND_H
#define CATENA_UI_CONTROL_FIND_H

#include "ui/core/app.h"

/* Searches from the step at an address on (io/inputs.h) as soon as it is there: the
 * person is taken to its first hit. */
void find_from(struct app *app, struct str pattern, uint64_t address);
/* Stops a search that runs, or takes a search away; false: there is none. */
bool find_cancel(struct app *app);
/* For completion: "in:user" and its like, at the beginning of a pattern. */
void find_list_within(struct app *app, struct str typed, struct choices *out);

/* ---- what is seen of it ---- */

bool find_is_on(const struct app *app);
/* Whether what lies over the panes is searched. */
bool find_here_is_on(const struct app *app);
/* ... or the panes, and nothing lies over them. */
bool find_is_seen(const struct app *app);
/* "/retry  3 of 17 steps, 42 hits  61 %": safe text. */
void find_put_status(struct app *app, struct buf *out);
const struct hint *find_hints(const struct app *app);

/* The row of a document with its hits marked: the line itself, or a copy, valid until the
 * next call.  *line is its number in it. */
void find_begin_draw(struct app *app);
const struct lines *find_marked(struct app *app, struct pane *p, size_t block,
	const struct lines *ls, size_t *line);
/* Marks a row of the list whose step, or what it hides, has hits. */
void find_mark_row(struct app *app, size_t row, struct lines *ls);

#endif
