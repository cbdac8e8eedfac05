/*
 * Raw text as Markdown that says the same and is no markup.  All of it passes text/safe
 * first; what is appended is whole lines or fits into one.
 */
#ifndef CATENA_EXPORT_MARK_H
#define CATENA_EXPORT_MARK_H

#include "base/buf.h"

/* On one line: for a heading or the cell of a table. */
void mark_line(struct buf *out, struct str raw);

/* As code within a line; a text of nothing is left out. */
void mark_code(struct buf *out, struct str raw);

/* Paragraphs that keep their lines and blanks, a blank line behind; the fences of the
 * text are written anew.  Nothing for a blank text. */
void mark_text(struct buf *out, struct str raw);

/* A fence around it, and a blank line. */
void mark_fence(struct buf *out, struct str word, struct str raw);

#endif
