/*
 * A pane that shows a document: a cursor over its rows, folds, and lines that are wrapped
 * or cut at the edge.
 */
#ifndef CATENA_UI_CORE_DOC_PANE_H
#define CATENA_UI_CORE_DOC_PANE_H

#include "ui/core/pane.h"

/* The document of the mode a pane is in, its cursor and its first row. */
struct doc *pane_doc(struct pane *p);
struct place *pane_cursor(struct pane *p);
struct place *pane_top(struct pane *p);

/* Takes a document that was made again to places from before, as far as they are there.
 */
void doc_keep_places(struct doc *d, const struct place places[DOC_PLACES]);
/* Gives the document the pane's width; returns the cells that a row has. */
unsigned doc_pane_fit(struct pane *p);
/* Scrolls so that the cursor is seen and no row stays empty that need not be. */
void doc_pane_keep_in_view(struct pane *p);
/* Moving, folding; REACT_BUBBLE for all other commands. */
unsigned doc_pane_command(struct pane *p, const struct invocation *call);
/* Scrolls by rows; the cursor is taken along only where it would not be seen. */
void doc_pane_scroll(struct pane *p, uint64_t rows, bool up);
/* Whether Space opens the row of the cursor. */
bool doc_pane_folds(struct pane *p);
/* Opens or closes a fold, or goes to the one that it is in; where lines are cut, shifts.
 * False: there is none. */
bool doc_pane_fold(struct pane *p, bool open);
/* Half a screen to a side, where there is something more to see; false: there is not. */
bool doc_pane_shift(struct pane *p, bool right, unsigned times);

#endif
