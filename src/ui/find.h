/*
 * Searching in the viewer: the pattern that was asked for, the search through the whole
 * trace (query/search), and the way from hit to hit (view/hit_walk).  All of it is done
 * in slices beside loading and drawing.
 *
 * A way leads through both sides of the step, input first, then through what stands in
 * the step but in neither side as it is shown: that is shown as JSON.  Then comes the
 * next step with hits, round the ends of the list.
 */
#ifndef CATENA_UI_FIND_H
#define CATENA_UI_FIND_H

#include "ui/pane.h"

struct find;

struct find *find_new(void);
void find_free(struct find *f);
struct prompt_history *find_history(struct app *app); /* patterns, oldest first */

/* Stops a search that runs, or takes a search away; false: there is none. */
bool find_cancel(struct app *app);
/* A key was typed: what is on its way to a hit stays where it is, unless the command only
 * goes on. */
void find_key(struct app *app, enum command c);
/* The model forgot its steps. */
void find_forget(struct app *app);
/* The documents of the step were made anew: the places of hits in them are gone. */
void find_lost(struct app *app);
/* There is another model, while the old one is still there: the search begins anew. */
void find_renew(struct app *app);

/* For completion: "in:user" and its like, at the beginning of a pattern. */
void find_list_within(struct app *app, struct str typed, struct choices *out);

/* One slice of the search, or of the way to a hit; false: nothing to do now. */
bool find_slice(struct app *app, uint64_t deadline);
bool find_is_busy(const struct app *app);

/* The place (steps_places) of the row the cursor of the list is on; SIZE_MAX: there is
 * none. */
size_t find_origin(const struct app *app);
/* Another number whenever places mean other steps. */
uint32_t find_arrangement(const struct app *app);

/* ---- what is seen of it ---- */

bool find_is_on(const struct app *app);
/* "/retry  3 of 17 steps, 42 hits  61 %": safe text. */
void find_put_status(struct app *app, struct buf *out);
const struct hint *find_hints(void);

/* The row of a document with its hits marked: the line itself, or a copy, valid until the
 * next call.  *line is its number in it. */
void find_begin_draw(struct app *app);
const struct lines *find_marked(struct app *app, struct pane *p, size_t block,
	const struct lines *ls, size_t *line);
/* Marks a row of the list whose step, or what it hides, has hits. */
void find_mark_row(struct app *app, size_t row, struct lines *ls);

#endif
