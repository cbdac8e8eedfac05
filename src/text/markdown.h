/*
 * Markdown to lines, by md4c (CommonMark with GFM tables, strike-through, task
 * lists and bare links).  Headings, emphasis, lists, quotes, code blocks,
 * rules, tables that fit the width (else one row as "name: value" lines),
 * links with their address after the text.  HTML is shown as text.  Linear.  For what
 * models write; what others wrote stands as it is (verbatim_lines).
 *
 * Without roles the text is still clear: headings keep their "#", links their address,
 * underscores stand (__init__ is a name), quotes have a bar; inline code relies on its
 * role.  Blank input gives no lines, and there is no blank line at either end.
 *
 * Not recursive over the nesting of the input.  Only the first
 * MARKDOWN_CAP bytes are read as Markdown; the rest is plain text, and so is a text whose
 * output would explode (tables of 65,536 cells, references to endless addresses).  Once
 * there are as many lines as are asked for (lines.limit), the rest is left out. A line
 * break inside a paragraph stays a line break: chat messages mean it.
 */
#ifndef CATENA_TEXT_MARKDOWN_H
#define CATENA_TEXT_MARKDOWN_H

#include "text/line.h"

#define MARKDOWN_CAP (256u * 1024)

/* `width` as in wrap.h; `indent` is safe text put before every line. */
void markdown_lines(struct lines *out, struct str raw, uint32_t width, struct str indent);

/*
 * A text as its writer wrote it, to lines: every character, each blank at the beginning of
 * a line, every line break.  What Markdown would read in it is only styled: headings,
 * quotes, fences and the code between them.
 *
 * Blank lines at both ends are left out, and blank input gives no lines.  Code is cut where
 * the line is full, all else wrapped as words.  Linear.
 */
void verbatim_lines(struct lines *out, struct str raw, uint32_t width, struct str indent);

#endif
