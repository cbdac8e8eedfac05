/* Findings of a check as a document: one a row, with the place to jump to. */
#ifndef CATENA_VIEW_FINDINGS_H
#define CATENA_VIEW_FINDINGS_H

#include "analysis/check.h"
#include "view/doc.h"

#define NO_FINDING UINT64_MAX /* the index of a line that is not a finding */

/*
 * Adds the findings from number `from` on to the end; a block's `index` is the finding's
 * number.  An empty document without findings says so, until some come.  The texts are
 * copied: the list may grow or go.  A row is sign (E, W, N), step, rule, message, path.
 */
void findings_add(struct doc *d, const struct findings *f, size_t from);
/* When all are added: says how many findings were only counted. */
void findings_end(struct doc *d, const struct findings *f);

#endif
