/*
 * Unfolding what fits: no fold stands beside empty rows.  In the order of what people
 * read first: texts, calls with their arguments, results, reasoning, then nodes of trees,
 * from the outermost in.
 */
#ifndef CATENA_VIEW_FIT_H
#define CATENA_VIEW_FIT_H

#include "view/doc.h"

/*
 * Opens folds of a document (doc_width) as long as all of it has no more than `rows`; of
 * a text that is longer as much is shown as there is room for.  Where not even the folded
 * document fits, long messages of the system give way.  Folds that somebody opened stay
 * open.  Lays out what is in the first `rows` rows; the cost grows with their square.
 */
void fit_unfold(struct doc *d, unsigned rows);

/* Rows of a document, counted up to `most`. */
unsigned fit_rows(struct doc *d, unsigned most);

#endif
