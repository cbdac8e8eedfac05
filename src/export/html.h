/* What the files that write HTML share.  Private to export/. */
#ifndef CATENA_EXPORT_HTML_H
#define CATENA_EXPORT_HTML_H

#include "export/write.h"

/* Safe text, with what HTML reads as markup escaped. */
void html_put_escaped(struct buf *out, struct str text);
/* Text of a trace, on one line. */
void html_put_safe(struct buf *out, struct str raw);

/* The name of a step of the chain that is written, for links within the page. */
void html_put_anchor(struct export *e, size_t number);

/*
 * The waterfall of a chain as SVG: a row for each step, a bar for its time, a link to it.
 * It needs no script, and its colors are those of the page.  Of a chain with very many
 * steps the longest have a row.  Nothing is written where no two steps have times.
 *
 * Each call writes some rows; false: there is nothing left to write.
 */
bool html_draw_chart(struct export *e, const struct chain *c);

#endif
