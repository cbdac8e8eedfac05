/*
 * Raw text as Markdown.  But for mark_own it shows exactly that text: nothing in it acts
 * as markup.  All of it passes text/safe first.
 */
#ifndef CATENA_EXPORT_MARK_H
#define CATENA_EXPORT_MARK_H

#include "base/buf.h"

/* Appends the text on one line, for a heading or the cell of a table. */
void mark_line(struct buf *out, struct str raw);

/* Appends the text as code within a line; nothing for a blank text. */
void mark_code(struct buf *out, struct str raw);

/* Appends paragraphs that keep their lines and blanks, and a blank line; fences of the
 * text are written as fences.  Nothing for a blank text. */
void mark_text(struct buf *out, struct str raw);

/*
 * Appends a text that is Markdown itself, so that it looks as its writer meant it: lists,
 * emphasis, tables, quotes, code and links.  It stays within its place: headings become
 * bold lines, fences are closed, HTML, entities, images, formulas and definitions of
 * links are shown as text, links lead to the web or to mail.  Lines stay lines.  A blank
 * line follows; nothing for a blank text.
 */
void mark_own(struct buf *out, struct str raw);

/* Appends the text in a fence with that language, and a blank line. */
void mark_fence(struct buf *out, struct str word, struct str raw);

#endif
