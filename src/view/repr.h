/*
 * Values as Python prints them, on one line, with the line feeds of their texts as "\n":
 * {'out': 'one\ntwo'}, ToolMessage(content='one\ntwo').  Tools give such texts where
 * somebody forgot to take the text out.
 */
#ifndef CATENA_VIEW_REPR_H
#define CATENA_VIEW_REPR_H

#include "base/buf.h"

/* Whether a text is such a value, and has "\n" in it; then it is appended with what the
 * escapes in its quotes stand for.  Linear. */
bool repr_write(struct buf *out, struct str text);

#endif
