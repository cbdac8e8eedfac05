/*
 * A survey as a document: the totals of all, then chains, models, tools and payloads as
 * tables.
 */
#ifndef CATENA_VIEW_OVERVIEW_H
#define CATENA_VIEW_OVERVIEW_H

#include "payload/survey.h"
#include "view/doc.h"

#define OVERVIEW_MOST 1000 /* rows of a table on the screen; a line counts the others */

/*
 * Builds the document anew; while the survey runs, a line says how far it is.  A block's
 * `index` is the position in the order that it leads to, or UINT64_MAX.  The document
 * borrows nothing.
 */
void overview_build(struct doc *d, const struct survey *s, const struct model *m);

/*
 * The tables and then the totals as lines of text, all rows and nothing cut.  `flush`
 * gets the buffer whenever it is long, to write and empty it.
 */
void overview_print(
	struct buf *out, const struct survey *s, void (*flush)(struct buf *out));

#endif
