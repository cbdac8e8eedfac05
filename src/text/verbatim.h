/*
 * A text as its writer wrote it, to lines: every character, each blank at the beginning of
 * a line, every line break.  What Markdown would read in it is only styled: headings,
 * quotes, fences and the code between them.
 *
 * Blank lines at both ends are left out, and blank input gives no lines.  Code is cut where
 * the line is full, all else wrapped as words.  Linear.
 */
#ifndef CATENA_TEXT_VERBATIM_H
#define CATENA_TEXT_VERBATIM_H

#include "text/line.h"

/* `width` as in wrap.h; `indent` is safe text put before every line. */
void verbatim_lines(struct lines *out, struct str raw, uint32_t width, struct str indent);

#endif
